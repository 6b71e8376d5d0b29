"""What is stored, as the API answers it: hundredths as decimals, no name of who is shown by id only."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any

from ninja import Schema

from banzuke.api import schemas
from banzuke.core.decimals import decimal, halves, two_decimals
from banzuke.database.models import Line, ListRow, RatingList
from banzuke.engine.result_rows import SCORE, ranks
from banzuke.formats.events.event_table import EventRow
from banzuke.office.lists.preliminary_lists import until_of
from banzuke.office.public_names import Person, person


def serialize(schema: type[Schema], source: object, **others: Any) -> dict[str, Any]:
    """A schema's fields, in its order: `others` as given, the rest as the source names them itself."""
    return {name: others[name] if name in others else getattr(source, name) for name in schema.model_fields}


def list_of(published: RatingList, preliminary: Mapping[str, date] | None = None) -> dict[str, Any]:
    """A published list; `preliminary` are the pool's lists that are, where they are known already."""
    until = until_of(published) if preliminary is None else preliminary.get(published.name)
    return serialize(schemas.PublishedList, published, list=published.name, preliminary_until=until)


def person_of(who: Person) -> dict[str, Any]:
    """A player as the public may know them."""
    return serialize(schemas.Named, who, player=who.player_id)


def row_of(row: ListRow, hidden: frozenset[str]) -> dict[str, Any]:
    """A row of a list; of who is shown by id only without club, sex and group."""
    about = (
        {"club": row.club_id} if row.player_id not in hidden else dict.fromkeys(("club", "sex", "group"), "")
    )
    who = person_of(person(row.player_id, row.name, row.name_native, hidden))
    return serialize(schemas.Row, row, **who, **about)


def line_of(line: Line, *, is_go: bool) -> dict[str, Any]:
    """A line; of Go with d in ranks, as `3/2`."""
    return serialize(
        schemas.Line,
        line,
        event=line.event_id,
        player=line.player_id,
        opponent=line.opponent_id,
        score=SCORE[line.score] or None,
        opponent_rating=line.opponent,
        difference=if_known(ranks, line.difference) if is_go else line.difference,
        expected=if_known(two_decimals, line.expected),
        change=if_known(decimal, line.change),
    )


def lines_of(published: RatingList, lines: Iterable[Line]) -> list[dict[str, Any]]:
    """Lines of a list."""
    is_go = published.is_go
    return [line_of(line, is_go=is_go) for line in lines]


def crosstable_row(row: EventRow) -> dict[str, Any]:
    """A row of a crosstable; points as decimals."""
    return serialize(
        schemas.CrosstableRow,
        row,
        player=row.player_id,
        points=halves(row.points),
        scored=halves(row.scored),
        expected=if_known(two_decimals, row.expected),
        change=if_known(decimal, row.change),
        bonus=if_known(decimal, row.bonus),
        cells=[cell and cell.text for cell in row.cells],
    )


def if_known(write: Callable[[int], str], value: int | None) -> str | None:
    """A figure as it is written; None for none."""
    return None if value is None else write(value)
