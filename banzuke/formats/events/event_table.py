"""An event as it leaves the house: its crosstable with what it changed, for HTML and XLSX.

Points are those of the games, forfeits and byes that the ledger has. Players stand by points, then by the
rating before, then by id; the number of a row is the one that the cells of others name.
"""

from datetime import date
from typing import NamedTuple


class RoundCell(NamedTuple):
    """A player's game in a round: the opponent's row, `w` or `b`, and the result.

    It is `1`, `½` or `0`, or `+` or `-` for a forfeit. `is_rated` is whether the game counts for this side:
    rated, or on file for a first rating; `is_short` is whether it had less than one move each. A bye has
    opponent 0, no colour, and its points as the result.
    """

    opponent: int
    colour: str
    result: str
    is_rated: bool
    is_short: bool = False

    @property
    def is_bye(self) -> bool:
        """Whether it is a round without an opponent that is worth points."""
        return not self.opponent

    @property
    def text(self) -> str:
        """As crosstables write it: `12w1`; with a star where a game that was played does not count.

        A game of less than one move each has a `u`. A bye is `-1` or `-½`.
        """
        if self.is_bye:
            return f"-{self.result}"
        star = "u" if self.is_short else "*" if self.is_left_out else ""
        return f"{self.opponent}{self.colour}{self.result}{star}"

    @property
    def is_left_out(self) -> bool:
        """Whether it is a game that was played and does not count for this side."""
        return not (self.is_rated or self.is_short or self.is_bye or self.result in "+-")


class EventRow(NamedTuple):
    """A player's row; `cells` go with the table's rounds, None where there is neither a game nor a bye.

    `points` are half points of all games and byes, `scored` those of the `rated` games; `expected` and
    `change` are hundredths, summed over them (None where nothing was rated); `before` and `after` are the
    ratings that the player came with and has on the list, None for UR. `bonus` (hundredths) is what the rules
    add beside the changes, None for nothing.
    """

    number: int
    player_id: str
    name: str
    name_native: str
    before: int | None
    cells: tuple[RoundCell | None, ...]
    points: int
    scored: int
    rated: int
    expected: int | None
    change: int | None
    after: int | None
    bonus: int | None = None


class EventTable(NamedTuple):
    """An event's crosstable; `list` is the list that took it, `rounds` those with games or byes.

    `has_fide_ids` is whether the players' ids are FIDE's.
    """

    pool: str
    list: str
    rulebook: str
    event_id: str
    name: str
    place: str
    starts: date
    ends: date
    speed: str
    rounds: tuple[int, ...]
    rows: tuple[EventRow, ...]
    has_fide_ids: bool = False

    @property
    def has_expectations(self) -> bool:
        """Whether the rules expect a score of anybody."""
        return any(row.expected is not None for row in self.rows)

    @property
    def has_bonus(self) -> bool:
        """Whether the rules added something to anybody beside the changes."""
        return any(row.bonus is not None for row in self.rows)
