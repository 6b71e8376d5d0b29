"""The facts of the journal's acts in words, each a link to what it speaks of."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.contrib.auth import get_user_model
from django.urls import NoReverseMatch, reverse

from banzuke.database.models import Event, JournalEntry, RatingList, Sanction
from banzuke.office.fees import invoices
from banzuke.web.shortcuts import page_language
from banzuke.words import act_fact, day_text, list_title

#: Facts that verifying compares, and that say nothing to a reader.
FOR_PROGRAMS = ("records",)
#: The pages of a pool that facts lead to: the page, and what the fact is called in its address.
PAGES = {
    "member": ("register-member", "player_id"),
    "merged": ("register-member", "player_id"),
    "club": ("register-club", "club_id"),
    "report": ("inbox-report", "number"),
    "inquiry": ("board-inquiry", "number"),
    "window": ("fees-window", "window"),
    "rulebook": ("reading-book", "book"),
}
#: The acts whose `number` is an invoice's.
OF_INVOICES = (invoices.INVOICE, invoices.PAID, invoices.SETTLED)
#: Facts that are names of lists.
LIST_NAMES = ("lists", "list", "window")
#: The one of them that leads to the lists that are published.
LISTS = "lists"


class FactValue(NamedTuple):
    """A value of a fact as it is read; `address` is blank where it leads nowhere."""

    text: str
    address: str = ""


class JournalFact(NamedTuple):
    """What a fact is called, and its values."""

    name: str
    values: list[FactValue]


class JournalFacts:
    """The facts of some acts; what they lead to is asked for once for all of them."""

    def __init__(self, entries: Iterable[JournalEntry]) -> None:
        entries = list(entries)
        names = {entry.who for entry in entries} | {str(entry.what.get("user", "")) for entry in entries}
        users = get_user_model().objects.filter(username__in=names)
        self._users = dict(users.values_list("username", "pk"))
        events = {entry.what["event"] for entry in entries if entry.what.get("event")}
        known = Event.objects.filter(event_id__in=events).values_list("pool_id", "event_id")
        self._events = set(known.distinct())
        asked = Sanction.objects.filter(event_id__in=events).values_list("pool_id", "event_id", "pk")
        self._asked = {(pool, event): number for pool, event, number in asked}
        lists = {name for entry in entries for name in _as_list(entry.what.get(LISTS))}
        published = RatingList.objects.filter(name__in=lists).values_list("pool_id", "name")
        self._lists = set(published.distinct())

    def who(self, entry: JournalEntry) -> FactValue:
        """Who acted."""
        return FactValue(entry.who, self._user(entry.who))

    def of(self, entry: JournalEntry) -> list[JournalFact]:
        """The facts of an act that say something, in the order of their names."""
        said = ((name, value) for name, value in sorted(entry.what.items()) if name not in FOR_PROGRAMS)
        return [
            JournalFact(
                act_fact(name, page_language()),
                [FactValue(_text(name, each), self._address(entry, name, each)) for each in _as_list(value)],
            )
            for name, value in said
            if value not in ("", None, [])
        ]

    def _user(self, name: str) -> str:
        number = self._users.get(name)
        return "" if number is None else reverse("accounts-user", kwargs={"number": number})

    def _address(self, entry: JournalEntry, name: str, value: Any) -> str:
        if name == "user":
            return self._user(str(value))
        if entry.pool is None:
            return ""
        if name == "number" and entry.act in OF_INVOICES:
            return _address_of("fees-invoice", slug=entry.pool.slug, number=value)
        if name == "event":
            return self._event(entry, value)
        if name == LISTS:
            is_there = (entry.pool.pk, value) in self._lists
            return _address_of("public-list", slug=entry.pool.slug, name=value) if is_there else ""
        page, word = PAGES.get(name, ("", ""))
        return _address_of(page, slug=entry.pool.slug, **{word: value}) if page else ""

    def _event(self, entry: JournalEntry, event: str) -> str:
        """The event's own page; until it is reported, that of its application."""
        pool = entry.pool
        if pool is None:
            return ""
        if (pool.pk, event) in self._events:
            return _address_of("public-event", slug=pool.slug, event=event)
        number = self._asked.get((pool.pk, event))
        return "" if number is None else _address_of("register-event", slug=pool.slug, number=number)


def _address_of(page: str, **words: Any) -> str:
    """The page's address; blank for what no address can hold."""
    try:
        return reverse(page, kwargs=words)
    except NoReverseMatch:
        return ""


def _as_list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _text(name: str, value: Any) -> str:
    lang = page_language()
    return list_title(str(value), lang) if name in LIST_NAMES else day_text(str(value), lang)
