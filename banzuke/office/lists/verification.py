"""Verifying a published list: it is made again from the ledger it came from, and every figure compared.

So is what the list says of itself: its days, edition, statistics and events; and by the journal who published
it, and when.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from django.core.serializers.json import DjangoJSONEncoder

from banzuke.database.book_reader import read_book
from banzuke.database.models import JournalEntry, Pool, RatingList
from banzuke.engine.list_content import settings_of
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.office.lists.fast_forward import start_after
from banzuke.office.lists.list_differences import (
    Difference,
    Figure,
    LineDifference,
    line_differences,
    row_differences,
)
from banzuke.office.lists.list_events import events_sha256, expected_events_sha256
from banzuke.office.lists.list_index import find_list, make_lists, names_up_to
from banzuke.office.lists.list_rows import CalculatedList, LineRow, Row
from banzuke.office.lists.list_storage import statistics_by_speed
from banzuke.office.lists.recompute import missing_list
from banzuke.office.lists.record_hashes import hash_in_journal, hashes_of_records, lacks_events_hash
from banzuke.office.refusals import NotPublishedError

#: The acts by which lists are published, as the journal has them.
PUBLISHING = ("publish", "revise", "correct")
#: The journal notes an act when its lists are stored, which takes no longer.
LONGEST = timedelta(hours=12)
#: A clock may have been put back between the last entry and the list that was made from it.
CLOCKS = timedelta(minutes=1)


class Verification(NamedTuple):
    """What was found: the list, how much was compared, the hash of the list made again, and what differs.

    `workings` are the players (speed, id) whose stored working differs, `record` is what the list says of
    itself otherwise than the ledger and the journal do.
    """

    published: RatingList
    sha256: str
    rows: int
    lines: int
    differences: list[Difference]
    line_differences: list[LineDifference]
    workings: list[tuple[str, str]]
    record: list[Figure]

    @property
    def is_good(self) -> bool:
        """Whether nothing differs."""
        differs = self.differences or self.line_differences or self.workings or self.record
        return not differs and self.sha256 == self.published.sha256


def verify(
    pool: Pool, name: str, revision: int | None = None, progress: Progress = no_progress
) -> Verification:
    """Make a published list again from its ledger, and compare. Raises NotPublishedError.

    `revision` None: the latest.
    """
    (found,) = verify_lists([_find_published(pool, name, revision)], progress)
    return found


def verify_lists(lists: Sequence[RatingList], progress: Progress = no_progress) -> Iterator[Verification]:
    """Verify lists of one pool that were made from one entry: its history is rated once for all of them."""
    ledger = read_book(lists[0].pool, lists[0].entry_id)
    wanted = {published.name for published in lists}
    names = names_up_to(ledger, wanted)
    first = next((place for place, name in enumerate(names) if name in wanted), 0)
    start = start_after(ledger, names, first, progress)
    for made in make_lists(ledger, names, progress, start):
        yield from (_compare(published, made) for published in lists if published.name == made.name)
    gone = (published for published in lists if published.name not in names)
    yield from (_compare(published, missing_list(published)) for published in gone)


def _compare(published: RatingList, made: CalculatedList) -> Verification:
    return Verification(
        published,
        made.content_sha256(published.entry_id),
        len(made.rows),
        len(made.lines),
        list(row_differences(published, made, Row._fields)),
        list(line_differences(published, made, LineRow._fields)),
        sorted(_differing_workings(published, made)),
        _record(published, made),
    )


def _record(published: RatingList, made: CalculatedList) -> list[Figure]:
    """What the list says of itself otherwise than the ledger and the journal say.

    Where nothing else tells, the hash does that the journal has of it.
    """
    noted = _journal_entry_of(published)
    figures = [*_of_ledger(published, made), *_of_journal(published, made, noted)]
    differing = [figure for figure in figures if figure.before != figure.after]
    wanted = noted and hash_in_journal(published, noted)
    (there,) = hashes_of_records([published])
    return [Figure("record", there, wanted)] if not differing and wanted not in (None, there) else differing


def _of_ledger(published: RatingList, made: CalculatedList) -> Iterator[Figure]:
    edition = made.edition
    yield Figure("day", published.day, made.day)
    yield Figure("closes", published.closes, made.closes)
    yield Figure("rulebook", published.rulebook, edition.book.name)
    yield Figure("in_force_from", published.in_force_from, edition.start)
    yield Figure("stands_in", published.stands_in, edition.stands_in)
    yield Figure("settings", published.settings, _as_stored(settings_of(edition)))
    stored = dict(published.figures.values_list("speed", "figures"))
    yield Figure("statistics", stored, _as_stored(statistics_by_speed(made)))
    yield Figure("rows", published.rows.count(), len(made.rows))  # two of one key would be one
    yield Figure("lines", published.lines.count(), len(made.lines))


def _of_journal(published: RatingList, made: CalculatedList, noted: JournalEntry | None) -> Iterator[Figure]:
    """What hangs on when and by whom it was published."""
    if published.events_sha256 is not None or lacks_events_hash(published, noted):
        again = events_sha256(published.pool, made.lines, published.entry_id)
        yield Figure("events_sha256", expected_events_sha256(published), again)
    yield Figure("author", published.author, noted.who if noted else None)
    earliest = published.entry.at - CLOCKS
    if noted and not max(earliest, noted.at - LONGEST) <= published.published_at <= noted.at:
        yield Figure("published_at", published.published_at, noted.at)


def _as_stored(value: Any) -> Any:
    return json.loads(json.dumps(value, cls=DjangoJSONEncoder))


def _journal_entry_of(published: RatingList) -> JournalEntry | None:
    """The act of the journal that published the list; None: there is none."""
    acts = JournalEntry.objects.filter(
        pool=published.pool_id, act__in=PUBLISHING, what__entry=published.entry_id
    )
    named = [act for act in acts.order_by("pk") if published.name in act.what.get("lists", ())]
    earlier = RatingList.objects.filter(
        pool=published.pool_id, name=published.name, entry=published.entry_id, number__lt=published.number
    ).count()
    return named[earlier] if earlier < len(named) else None


def _find_published(pool: Pool, name: str, revision: int | None) -> RatingList:
    found = find_list(pool, name, revision)
    if found is None:
        known = ", ".join(map(str, pool.lists.order_by("-number")[:5]))
        raise NotPublishedError(typed=name if revision is None else f"{name} r{revision}", known=known or "-")
    return found


def _differing_workings(published: RatingList, made: CalculatedList) -> set[tuple[str, str]]:
    stored = {(w.speed, w.player_id): w.calculation for w in published.workings.iterator(chunk_size=2_000)}
    again = {(speed, player): calculation for speed, player, calculation in made.workings}
    return {key for key in stored.keys() | again.keys() if stored.get(key) != again.get(key)}
