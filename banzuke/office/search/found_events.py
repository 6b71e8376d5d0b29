"""The events that a search finds: by words of the name, the place and the id, by year and by month."""

from collections.abc import Iterable
from itertools import islice, product
from typing import NamedTuple

from django.db.models import Exists, OuterRef, QuerySet

from banzuke.core import facts
from banzuke.database.models import Event, EventWord, NearWord, Pool
from banzuke.exchange.name_likeness import Words, kept_forms, normal_form, spelt_words, writing
from banzuke.office.fact_rows import standing_rows
from banzuke.office.near_names import words_meant
from banzuke.office.player_search import form_begins
from banzuke.office.search.event_words import slips_in
from banzuke.office.search.typed_month import Month, month_of

#: So many events are read of those with all the words, and so many words are tried in place of typed ones.
READ, TRIED = 200, 6
#: So many typed words are looked at; so many ways to put other words in their place are tried.
MOST_TYPED, MOST_WAYS = 6, 8


class FoundEvents(NamedTuple):
    """The events with all the words, the last first; those with near words; whether there are more."""

    exact: list[Event]
    near: list[Event]
    has_more: bool


def find_events(pool: Pool, typed: str, most: int, unindexed: Iterable[Event]) -> FoundEvents:
    """The events that are meant by what was typed, so many at most of each kind."""
    month = month_of(typed)
    if month is not None:
        found = _of_month(pool, month, most + 1)
        return FoundEvents(found[:most], [], len(found) > most)
    words = spelt_words(typed)[:MOST_TYPED]
    if not words:
        return FoundEvents([], [], has_more=False)
    recent = [row.event_id for row in unindexed]
    ids = [event_id for form in kept_forms(typed) for event_id in _ids(pool, form)]
    meant = _meant(pool, words, [*recent, *ids])
    exact = [event for event, slips in meant if not slips]
    near = [] if exact else [event for event, _ in _meant(pool, words, [*recent, *_near_ids(pool, words)])]
    return FoundEvents(exact[:most], near[:most], len(exact) > most)


def _of_month(pool: Pool, month: Month, most: int) -> list[Event]:
    rows = _standing(pool).filter(ends__gte=month.first, ends__lte=month.last)
    return list(rows.order_by("-ends", "-event_id")[:most])


def _standing(pool: Pool) -> QuerySet[Event]:
    rows: QuerySet[Event] = standing_rows(pool, facts.Event)
    return rows


def _meant(pool: Pool, words: Words, ids: list[str]) -> list[tuple[Event, int]]:
    """Of these events those that are meant, with their slips: the fewest first, then the last."""
    counted = [
        (slips_in(words, (row.name, row.name_native or "", row.place, row.event_id, str(row.ends.year))), row)
        for row in (_standing(pool).filter(event_id__in=ids) if ids else ())
    ]
    found = [(count, -row.ends.toordinal(), row.event_id, row) for count, row in counted if count is not None]
    return [(row, count) for count, _, _, row in sorted(found, key=lambda each: each[:3])]


def _ids(pool: Pool, words: Words) -> list[str]:
    """The ids of events of which each word begins a form."""
    forms = EventWord.objects.filter(pool=pool)
    longest, *others = sorted(words[:MOST_TYPED], key=len, reverse=True)
    found = forms.filter(form_begins(longest))
    for word in others:
        found = found.filter(Exists(forms.filter(form_begins(word), event_id=OuterRef("event_id"))))
    return list(found.values_list("event_id", flat=True)[:READ])


def _near_ids(pool: Pool, words: Words) -> list[str]:
    """The ids of events that have other words in the place of some, with a slip or two."""
    if not any(map(str.isalpha, words)) or any(writing(word) == "kanji" for word in words):
        return []
    meant = words_meant(pool, NearWord.Kind.EVENT, words)
    either = [
        [*(one.word for one in near[:TRIED]), *normal_form(word)]
        for word, near in zip(words, meant, strict=True)
    ]
    found: list[str] = []
    for way in islice(product(*either), MOST_WAYS):
        found += _ids(pool, way)
    return found[:READ]
