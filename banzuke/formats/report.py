"""A report as any format gives it: the event, its players and games, and what could not be read.

A report with faults is not to be taken over unless someone accepts the readable part of it.
"""

from datetime import date
from typing import NamedTuple

from banzuke.core.fault import Fault

#: Readers of tables stop at so many faults: more of them help nobody.
MOST_FAULTS = 1_000
#: The largest rating and the largest FIDE id that a report may give.
MOST_RATING, MOST_FIDE_ID = 9999, 10**11 - 1


class ReportedEvent(NamedTuple):
    """What a report says of its event; None or blank where it says nothing.

    `time_control` is the report's own text; `base_minutes` and `increment_seconds` are given only where
    the report states them as numbers. `rounds` is how many rounds the event has. `source` names the page
    from which a report was saved (`tnr1452107`), so that its parts and the mail that announced it are
    found again. `form` and `speed` are the ledger's words; `reported` is the day of a mail.
    """

    name: str = ""
    place: str = ""
    federation: str = ""
    organiser: str = ""
    responsible: str = ""
    reporter: str = ""
    form: str = ""
    speed: str = ""
    time_control: str = ""
    base_minutes: int | None = None
    increment_seconds: int | None = None
    fide_rated: bool | None = None
    starts: date | None = None
    ends: date | None = None
    reported: date | None = None
    applied: date | None = None
    notified: date | None = None
    nonmembers: int | None = None
    rounds: int = 0
    source: str = ""


class ReportedPlayer(NamedTuple):
    """A player as the report has them.

    `number` is the start rank within the report, from 1; ids are blank where the report has none;
    ratings (whole points) and `birth_date` are None where it has none (a birth date of which only the
    year is known is None too). `sex` is `m`, `w` or blank. `line` is where the player stands;
    `title` is FIDE's.
    """

    number: int
    name: str
    fide_id: str = ""
    national_id: str = ""
    rating: int | None = None
    federation: str = ""
    sex: str = ""
    birth_date: date | None = None
    line: int = 0
    name_native: str = ""
    national_rating: int | None = None
    title: str = ""


class ReportedGame(NamedTuple):
    """A game, or a forfeited pairing, by start ranks.

    `result` is the ledger's: `1-0`, `1/2-1/2`, `0-1`, `+/-`, `-/+`, `-/-`, or with a leading
    `u` for a game of less than one move each, or one that the report calls unrated. `played` is
    the round's day where known.
    """

    round: int
    white: int
    black: int
    result: str
    played: date | None = None
    line: int = 0


class ReportedBye(NamedTuple):
    """Points of a player, by start rank, for a round without an opponent: 2 half points, or 1."""

    round: int
    player: int
    half_points: int


class Report(NamedTuple):
    """What a file says: the event, its players (by start rank), its games (by round), every fault found.

    `remarks` are worth knowing and refuse nothing. `part` is None for a report of a whole event;
    for a page of one it holds the rounds which that page covers (none for a list of players).
    `byes` are for standings: no rating needs them, so not every format is read for them.
    """

    event: ReportedEvent
    players: tuple[ReportedPlayer, ...]
    games: tuple[ReportedGame, ...]
    faults: tuple[Fault, ...] = ()
    remarks: tuple[Fault, ...] = ()
    part: frozenset[int] | None = None
    byes: tuple[ReportedBye, ...] = ()


def refused_report(*faults: Fault) -> Report:
    """The report of a file of which nothing can be relied on."""
    return Report(ReportedEvent(), (), (), faults)


class ReportedGoGame(NamedTuple):
    """A game of Go as a file tells it; None or blank where it does not.

    `day` is the file's date, `ended` the moment of the end (ISO, with offset), which the ledger needs and
    SGF cannot say. `result` is `B`, `W`, `draw` or `void`. `komi` is in half points, negative where White
    gives it. Ranks are as written (`11k+`, `3d?`, blank): the ledger's own rank wins over them.
    """

    game_id: str
    black: str
    white: str
    result: str
    handicap: int
    komi: int
    board: int
    moves: int
    day: date | None = None
    ended: str = ""
    black_rank: str = ""
    white_rank: str = ""
    room: str = ""
    pair: bool = False
    robot: str = ""
    fault: str = ""
    file: str = ""


class GoReport(NamedTuple):
    """Games of Go from one file, and every fault found."""

    games: tuple[ReportedGoGame, ...]
    faults: tuple[Fault, ...] = ()
