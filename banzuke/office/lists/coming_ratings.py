"""The coming list as it would be if it closed now: made after each entry, kept for the pages that show it."""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from django.db import transaction

from banzuke.core.gc_pause import uncollected
from banzuke.database.book_reader import last_entry, read_book
from banzuke.database.models import ComingLine, ComingList, ComingRow, Pool
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.office.lists.coming_list import ComingList as Coming
from banzuke.office.lists.coming_list import find_coming_list
from banzuke.office.lists.list_rows import CalculatedList, Row
from banzuke.office.lists.recompute import recompute
from banzuke.office.lists.staleness import last_list_number

#: So many rows are written at once.
CHUNK = 2_000
_ROW = ("speed", "player_id", "rating", "games", "change")
_LINE = (
    "position", "speed", "event_id", "round", "player_id", "opponent_id", "score", "own", "opponent",
    "difference", "expected", "k", "k_why", "k_clause", "change", "verdict", "clause",
)  # fmt: skip


class BookState(NamedTuple):
    """What the coming list is made from: the number of the last entry, and of the last publication."""

    position: int
    number: int


def book_state(pool: Pool) -> BookState:
    """As of now."""
    return BookState(last_entry(pool), last_list_number(pool))


def is_kept(pool: Pool, state: BookState) -> bool:
    """Whether what is kept was made from that."""
    return ComingList.objects.filter(pool=pool, **state._asdict()).exists()


@uncollected()
def keep_coming_list(pool: Pool, today: date, progress: Progress = no_progress) -> str:
    """Make a chess pool's coming list and keep it in place of the last one; its name, blank for none."""
    state = book_state(pool)
    coming = find_coming_list(pool, today)
    made = coming and recompute(pool, read_book(pool, state.position), coming.name, progress).wanted
    with transaction.atomic():
        Pool.objects.select_for_update().get(pk=pool.pk)
        _replace(pool, state, coming if made else None, made)
    return made.name if made else ""


def _replace(pool: Pool, state: BookState, coming: Coming | None, made: CalculatedList | None) -> None:
    ComingRow.objects.filter(coming__pool=pool).delete()
    ComingLine.objects.filter(coming__pool=pool).delete()
    about: dict[str, Any] = {"name": "", "day": None, "closes": None, "rulebook": ""}
    if coming and made:
        about = {
            "name": made.name,
            "day": made.day,
            "closes": made.closes,
            "rulebook": made.edition.book.name,
        }
    about |= {**state._asdict(), "made_at": datetime.now(UTC)}
    kept, _ = ComingList.objects.update_or_create(pool=pool, defaults=about)
    if made:
        rows = (
            ComingRow(coming=kept, **{name: getattr(row, name) for name in _ROW}) for row in _changed(made)
        )
        ComingRow.objects.bulk_create(rows, batch_size=CHUNK)
        lines = (
            ComingLine(coming=kept, **{name: getattr(line, name) for name in _LINE}) for line in made.lines
        )
        ComingLine.objects.bulk_create(lines, batch_size=CHUNK)


def _changed(made: CalculatedList) -> Iterable[Row]:
    """The rows of those who played in it, and of everybody else whose rating it changes."""
    played = {(line.speed, line.player_id) for line in made.lines}
    return (row for row in made.rows if row.change or (row.speed, row.player_id) in played)
