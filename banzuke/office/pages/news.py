"""What is new of a player, of a pool's lists, rules and calendar: for feeds, the newest first."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from banzuke.core.fault import RefusedError
from banzuke.database.book_reader import rules_from
from banzuke.database.models import ListRow, Pool, PoolFile, RatingList
from banzuke.ledger.pool_rules import EditionInForce
from banzuke.office.application_progress import progress_of_sanctions
from banzuke.office.event_progress import EventProgress
from banzuke.office.pages.event_calendar import granted_events

#: A feed has so many entries.
MOST = 30


class PlayerNews(NamedTuple):
    """A list or a revision that a player is on, with the rows by speed."""

    published: RatingList
    rows: list[ListRow]


class RuleChange(NamedTuple):
    """An entry that changed by what a pool is rated: the editions that are new or were changed by it."""

    entry: int
    at: datetime
    editions: list[EditionInForce]


def news_of_player(pool: Pool, player_id: str) -> list[PlayerNews]:
    """The last lists and revisions with a player."""
    rows = ListRow.objects.filter(list__pool=pool, player_id=player_id).select_related("list")
    newest = rows.order_by("-list__number", "pk")[: 3 * MOST]
    return [PlayerNews(one, list(of)) for one, of in groupby(newest, key=attrgetter("list"))][:MOST]


def news_of_lists(pool: Pool) -> Sequence[RatingList]:
    """The last lists and revisions of a pool."""
    return list(pool.lists.order_by("-number")[:MOST])


def news_of_rules(pool: Pool) -> list[RuleChange]:
    """The last entries that changed the pool's editions or their reforms; the one that opened it is none."""
    rows = PoolFile.objects.filter(entry__pool=pool).order_by("pk").select_related("entry")
    return list(_rule_changes(rows))[::-1][:MOST]


def _rule_changes(rows: Iterable[PoolFile]) -> Iterator[RuleChange]:
    texts: dict[str, str] = {}
    before: dict[tuple[Any, ...], EditionInForce] = {}
    for entry, files in groupby(rows, key=attrgetter("entry")):
        is_first = not texts
        texts |= {file.name: file.text for file in files}
        try:
            now = {_terms(edition): edition for edition in rules_from(texts).editions}
        except RefusedError:  # its book is not installed, or it was written past the office
            continue
        changed = [edition for terms, edition in now.items() if terms not in before]
        if now.keys() != before.keys() and not is_first:
            yield RuleChange(entry.pk, entry.at, changed)
        before = now


def _terms(edition: EditionInForce) -> tuple[Any, ...]:
    """What makes an edition another one."""
    reform = edition.reform and (edition.reform.source, repr(sorted(edition.reform.changes.items())))
    return (edition.book.name, edition.start, repr(edition.settings), edition.stands_in, edition.zone, reform)


def news_of_events(pool: Pool) -> list[EventProgress]:
    """The granted events whose state changed last."""
    rows = list(granted_events(pool).order_by("-starts", "-pk")[: 3 * MOST])
    known = [one for one in progress_of_sanctions(pool, rows) if one.since is not None]
    return sorted(known, key=lambda one: (one.since, one.event_id), reverse=True)[:MOST]
