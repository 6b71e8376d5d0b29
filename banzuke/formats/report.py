"""A tournament report as any format gives it: what was read, and what could not be."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import date

    from banzuke.core.fault import Fault


class ReportedPlayer(NamedTuple):
    """A player as the report names him.

    `number` is the start rank within the report; `fide_id` and `national_id` are blank where
    the report has none; `rating` (whole points) and `birth_date` are None where it has none
    (a birth date of which only the year is known is None too).
    """

    number: int
    name: str
    fide_id: str
    national_id: str
    rating: int | None
    federation: str
    sex: str
    birth_date: date | None
    line: int


class ReportedGame(NamedTuple):
    """A game, or a forfeited pairing, by start ranks.

    `result` is the ledger's: `1-0`, `1/2-1/2`, `0-1`, `+/-`, `-/+`, `-/-`, or with a leading
    `u` for a game of less than one move each. `played` is the round's day where known.
    """

    round: int
    white: int
    black: int
    result: str
    played: date | None
    line: int


class Report(NamedTuple):
    """What a file says: the event, its players, its games, and every fault found.

    `starts` and `ends` are None where the file lacks or garbles them; `time_control` is the
    file's own text. A report with faults is not to be taken over unless someone accepts it.
    """

    name: str
    place: str
    federation: str
    starts: date | None
    ends: date | None
    arbiter: str
    time_control: str
    rounds: int
    players: tuple[ReportedPlayer, ...]
    games: tuple[ReportedGame, ...]
    faults: tuple[Fault, ...]
