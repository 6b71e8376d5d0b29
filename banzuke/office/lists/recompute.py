"""A pool's lists made anew from its book, beside those that were published."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.gc_pause import uncollected
from banzuke.core.rulebook import Family
from banzuke.engine import result_rows
from banzuke.engine.history import UnknownListError
from banzuke.engine.rating_run import silent
from banzuke.ledger.folder import GoLedger
from banzuke.office.lists.fast_forward import start_after
from banzuke.office.lists.list_content import Content
from banzuke.office.lists.list_index import current, edition_of, made_lists, names_of

if TYPE_CHECKING:
    from banzuke.database.models import Pool, RatingList
    from banzuke.engine.rating_run import Progress
    from banzuke.ledger.folder import Ledger
    from banzuke.office.lists.list_rows import LineRow, Made, Row, WorkingRow


class Due(NamedTuple):
    """A published list that the book no longer gives: as it was published last, and as it is made now."""

    published: RatingList
    made: Made


class Anew(NamedTuple):
    """What a book gives: lists not published yet, in order; revisions that are due; the list wanted."""

    fresh: list[Made]
    due: list[Due]
    wanted: Made | None


class NoList:
    """What is made of a published list that the book has no more: a club's event that was struck."""

    def __init__(self, published: RatingList) -> None:
        self.name = published.name
        self.day = published.day
        self.closes = published.closes
        self.edition = edition_of(published)
        self.rows: list[Row] = []
        self.lines: list[LineRow] = []
        self.workings: list[WorkingRow] = []

    def content_sha256(self, entry: int) -> str:
        """The hash of a list without rows."""
        content = Content(self.name, self.edition)
        content.add([result_rows.LISTS, result_rows.CHANGES])
        return content.sha256(entry)


def made_anew(pool: Pool, ledger: Ledger, wanted: str | None = None, progress: Progress = silent) -> Anew:
    """What a ledger of the pool gives, up to the last published list and the wanted one.

    Published lists are compared by the hash of their content. Raises UnknownListError for a `wanted` that is
    no list of the ledger.
    """
    published = {each.name: each for each in current(pool)}
    names = _names(ledger, wanted, set(published))
    fresh: list[Made] = []
    due: list[Due] = []
    found: Made | None = None

    def stays(name: str, content: Content) -> bool:
        return content.sha256(published[name].entry_id) == published[name].sha256

    with uncollected():
        known = list(takewhile(lambda name: name in published and name != wanted, names))
        start = start_after(ledger, names, len(known), progress, stays)
        for name in names[: start.passed]:
            del published[name]
        for made in made_lists(ledger, names, progress, start):
            if made.name == wanted:
                found = made
            if made.name in published:
                _compare(published.pop(made.name), made, due)
            else:
                fresh.append(made)
    for gone in sorted(published.values(), key=lambda each: each.number):
        _compare(gone, NoList(gone), due)
    return Anew(fresh, due, found)


def _compare(published: RatingList, made: Made, due: list[Due]) -> None:
    if made.content_sha256(published.entry_id) != published.sha256:
        due.append(Due(published, made))


def _names(ledger: Ledger, wanted: str | None, published: set[str]) -> list[str]:
    """The lists to be made: to the last that is published or wanted."""
    asked = published | ({wanted} if wanted is not None else set())
    is_club = not isinstance(ledger, GoLedger) and ledger.pool.family is Family.CLUB
    names = names_of(ledger, None if is_club or not asked else max(asked))
    if wanted is not None and wanted not in names:
        raise UnknownListError(wanted, ", ".join(names_of(ledger)[-5:]))
    last = max((place for place, name in enumerate(names) if name in asked), default=-1)
    return names[: last + 1]
