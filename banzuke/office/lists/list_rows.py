"""A list calculated from a ledger: its rows, lines and workings as they are stored."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple

from banzuke.core.rating import Coefficient, Line
from banzuke.core.sentences import Figures
from banzuke.engine import result_rows
from banzuke.engine.list_content import ContentHash, PackedContent
from banzuke.ledger.pool_rules import EditionInForce
from banzuke.office.json_codec import from_json, to_objects

#: Who had a game that counted in so many months up to a list is active.
ACTIVE_MONTHS = 12
#: The columns of a stored line that make a line again: its own, the K with its reason and clause.
LINE_COLUMNS = (
    "round", "player_id", "opponent_id", "score", "own", "opponent", "difference", "expected",
    "k", "k_why", "k_clause", "change", "verdict", "clause",
)  # fmt: skip


class Row(NamedTuple):
    """A row as `database.models.ListRow` keeps it; `more` has the columns that the book adds, by name."""

    speed: str
    place: int
    player_id: str
    name: str
    name_native: str
    club_id: str
    sex: str
    group: str
    active: bool
    rating: int | None
    games: int
    change: int | None
    peak: int | None
    status: str
    qualified: bool | None
    written: str = ""
    wins_in_bc: int | None = None
    more: dict[str, str | int] | None = None


class LineRow(NamedTuple):
    """A line as `database.models.Line` keeps it."""

    position: int
    speed: str
    event_id: str
    round: int
    player_id: str
    opponent_id: str
    score: int | None
    own: int | None
    opponent: int | None
    difference: int | None
    expected: int | None
    k: int | None
    k_why: str
    k_clause: str
    change: int | None
    verdict: str
    clause: str
    rank: str = ""
    opponent_rank: str = ""
    rank_after: str = ""
    upper: bool | None = None


class WorkingRow(NamedTuple):
    """A working as `database.models.Working` keeps it."""

    speed: str
    player_id: str
    calculation: dict[str, Any]


def json_text(value: object) -> str:
    """JSON without blanks, as a working is stored."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class CalculatedList:
    """A list that was calculated; what is stored of it is made when it is asked for.

    This one is of a list that the book no longer has, such as that of a club's event that was struck: nobody
    is on it. The lists of chess and of Go are kinds of it.
    """

    def __init__(self, name: str, day: date, closes: date, edition: EditionInForce) -> None:
        self.name = name
        self.day = day
        self.closes = closes
        self.edition = edition

    @cached_property
    def rows(self) -> list[Row]:
        """Every player on it, by id and speed."""
        return []

    @cached_property
    def lines(self) -> list[LineRow]:
        """Both sides of every game in it."""
        return []

    @property
    def workings(self) -> Iterable[WorkingRow]:
        """What the ratings rest on, of everybody whose rating or games changed."""
        return ()

    @cached_property
    def content(self) -> ContentHash:
        """What its hash is made of."""
        content = ContentHash(self.name, self.edition)
        self.write_content(content)
        return content

    def packed_content(self, entry: int) -> bytes:
        """Its content as it is kept, made from the book as of that entry."""
        content = PackedContent(self.name, self.edition)
        self.write_content(content)
        return content.packed(entry)

    @property
    def working_texts(self) -> list[tuple[str, str, str]]:
        """Its workings, each as its speed, its player and JSON."""
        return [(speed, player, json_text(calculation)) for speed, player, calculation in self.workings]

    def write_content(self, content: ContentHash) -> None:
        """Write what follows the name and the edition."""
        content.add([result_rows.LISTS, result_rows.CHANGES])

    def content_sha256(self, entry: int) -> str:
        """The hash of its content, made from the book as of that entry."""
        return self.content.sha256(entry)

    def content_for(self, listed: Collection[str]) -> ContentHash:
        """What its hash is made of where a published list has these players: see `GoRanking`."""
        del listed
        return self.content


class ListStart(NamedTuple):
    """After how many lists the making of lists begins, and what these left.

    `left` is what the engine goes on from (None: the pool opens); `played` the last day of a game that
    counted, by player (chess: by speed and player); `games` how many games each player of Go had.
    """

    passed: int
    left: Any
    played: Mapping[Any, date]
    games: Mapping[str, int]


FROM_THE_FIRST = ListStart(0, None, {}, {})


def places_by_value(values: Iterable[Any]) -> dict[Any, int]:
    """The place of each value from the highest down; those who share it share the place."""
    place, found = 1, {}
    for value, count in sorted(Counter(values).items(), reverse=True):
        found[value] = place
        place += count
    return found


def line_of(columns: Sequence[Any]) -> Line:
    """The line whose `LINE_COLUMNS` those are."""
    *side, k, why, clause, change, verdict, line_clause = columns
    coefficient = None if k is None else Coefficient(k, why, clause)
    return Line._make((*side, coefficient, change, verdict, line_clause))


def working_to_json(figures: Figures) -> dict[str, Any]:
    """What a speed of a list rests on: the calculation's fields, and beside them the others."""
    others: dict[str, Any] = to_objects(figures)
    if not figures.adjusted:
        del others["adjusted"]
    calculation: dict[str, Any] = others.pop("calculation")
    return calculation | others


def working_from_json(plain: dict[str, Any]) -> Figures:
    """The figures that were stored."""
    return from_json(Figures, plain | {"calculation": plain})
