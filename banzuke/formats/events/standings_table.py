"""The standings of an event as people see them: ranks, points, tie-breaks; for pages and files."""

from decimal import Decimal
from typing import NamedTuple


class StandingsRow(NamedTuple):
    """A player's row; `number` is the start number, `points` are half points, None: no such tie-break."""

    rank: int
    number: int
    player_id: str
    name: str
    name_native: str
    points: int
    values: tuple[Decimal | None, ...]

    @property
    def texts(self) -> list[str]:
        """The tie-breaks as they are printed."""
        return [value_text(value) for value in self.values]


class StandingsTable(NamedTuple):
    """The standings after `rounds` rounds; `codes` are the tie-breaks in their order.

    `edition` is the year of FIDE's rules by which they are. `unrated_count` is how many players have no
    rating, where a tie-break needs one of everybody; `knows_byes` is whether points for byes are known,
    `lacks_games` whether the event has games that are not counted here.
    """

    codes: tuple[str, ...]
    rows: tuple[StandingsRow, ...]
    rounds: int
    is_round_robin: bool
    edition: int
    unrated_count: int = 0
    knows_byes: bool = True
    lacks_games: bool = False


def value_text(value: Decimal | None) -> str:
    """A tie-break as it is printed: exact, without zeros that say nothing."""
    if value is None:
        return "–"
    return f"{value.normalize():f}" if value else "0"
