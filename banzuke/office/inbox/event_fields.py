"""What is known of a reported event, field by field, and where it comes from.

The value of a field comes, in rising order, from the granted application, the file, the way in which the
report came (day, club), and people; where none says the speed, the time control does, if it fits one alone.
People also enter the officer's decisions: `ruling`; `excluded` games; `readable` (take what could be read of
a faulty file); `joined` (newcomers become members); `rated` (the event's ratings are FIDE's).
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from itertools import chain, count
from typing import Any, NamedTuple

from django.utils import timezone

from banzuke.core.facts import Club
from banzuke.core.rulebook import ChessBook
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Report
from banzuke.exchange.name_likeness import normal_form
from banzuke.exchange.report_import import EventFields, event_fields_of
from banzuke.formats.report import Report as Reported
from banzuke.office.register import event_applications

#: Where a field comes from, beside people: the file, the granted application, the day of arrival, the club
#: that sent it, the time control, nobody.
FILE, SANCTION, ARRIVAL, CLUB, TIME, NOBODY = "file", "sanction", "arrival", "club", "time", ""
SAID = "said"
#: What people may say beyond the fields of an event.
RULING, EXCLUDED, READABLE, JOINED, RATED = "ruling", "excluded", "readable", "joined", "rated"
DAY_FIELDS = frozenset(("starts", "ends", "reported", "applied", "notified", "paid"))
_LONGEST_WORD = 40
#: A game of a report: its round, White's number, Black's.
GameKey = tuple[int, int, int]


class Field(NamedTuple):
    """A field of an event: its value (None: missing), its origin, and the person where one says it."""

    name: str
    value: Any
    origin: str
    author: str = ""


class KnownEvent(NamedTuple):
    """All that is known of one event of a report; what follows the fields is said by people alone.

    `joined`: its newcomers become members; `rated`: its ratings are FIDE's.
    """

    fields: dict[str, Field]
    ruling: str
    excluded: frozenset[GameKey]
    readable: bool
    joined: bool
    rated: bool

    @property
    def values(self) -> EventFields:
        """The values of the fields."""
        return EventFields(**{name: field.value for name, field in self.fields.items()})


def fields_to_json(fields: EventFields | Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are given, as JSON stores them: days as 2025-04-26."""
    given = fields._asdict() if isinstance(fields, EventFields) else fields
    return {
        name: value.isoformat() if isinstance(value, date) else value
        for name, value in given.items()
        if value is not None
    }


def known_event(
    report: Report, file: str, reported: Reported, clubs: Iterable[Club], taken: Collection[str]
) -> KnownEvent:
    """What is known of the event of that file; `taken` are the event ids that it cannot have."""
    fields: dict[str, Field] = {name: Field(name, None, NOBODY) for name in EventFields._fields}
    _set(fields, event_fields_of(reported), FILE)
    _set(fields, _arrival_fields(report, fields), ARRIVAL)
    clubs = list(clubs)
    _set(fields, _organiser_fields(report, fields["organiser"].value, clubs), CLUB)
    said, others = _fields_by_people(report, file)
    fields |= said
    if "organiser" in said:
        own = said["organiser"]
        fields["organiser"] = own._replace(value=_club_named(own.value, clubs) or own.value)
    _set(fields, _sanction_fields(report, fields), SANCTION)
    _set(fields, _speed_of_time(report, fields), TIME)
    if fields["event_id"].value is None:
        fields["event_id"] = Field("event_id", _new_id(fields, taken), ARRIVAL)
    excluded = frozenset((int(one), int(two), int(three)) for one, two, three in others.get(EXCLUDED, ()))
    yes = (bool(others.get(name)) for name in (READABLE, JOINED, RATED))
    return KnownEvent(fields, others.get(RULING, ""), excluded, *yes)


def fields_said(report: Report, file: str) -> dict[str, Any]:
    """What people say of the event of that file, by the names of the fields."""
    return {name: field.value for name, field in _fields_by_people(report, file)[0].items()}


def _set(fields: dict[str, Field], values: Mapping[str, Any], origin: str) -> None:
    fields |= {name: Field(name, value, origin) for name, value in values.items() if value is not None}


def _fields_by_people(report: Report, file: str) -> tuple[dict[str, Field], dict[str, Any]]:
    """What people say of the event, the last word of each field; and what they say beyond its fields."""
    fields: dict[str, Field] = {}
    others: dict[str, Any] = {}
    for row in report.said.order_by("pk"):
        if row.fields.get("file", file) != file:
            continue
        for name, value in row.fields.items():
            if name in EventFields._fields:
                shown = date.fromisoformat(value) if name in DAY_FIELDS and value else value
                fields[name] = Field(name, shown, SAID, row.author)
            else:
                others[name] = value
    return {name: field for name, field in fields.items() if field.value not in (None, "")}, others


def _arrival_fields(report: Report, fields: Mapping[str, Field]) -> dict[str, Any]:
    """A report counts as of the day it came, where it does not say another (as a mail does)."""
    is_said = fields["reported"].value is not None
    return {} if is_said else {"reported": timezone.localdate(report.received_at)}


def _organiser_fields(report: Report, written: str | None, clubs: Iterable[Club]) -> dict[str, Any]:
    """The organiser's id: the club of that id or name, else the club that sent the report."""
    found = _club_named(written or "", clubs)
    if found:
        return {"organiser": found}
    return {} if written or not report.club_id else {"organiser": report.club_id}


def _club_named(written: str, clubs: Iterable[Club]) -> str:
    """The id of the one club of that id or name; blank for none or several."""
    name, clubs = normal_form(written), list(clubs)
    found = {club.club_id for club in clubs if written in (club.club_id, club.name)} or {
        club.club_id for club in clubs if name and normal_form(club.name) == name
    }
    return found.pop() if len(found) == 1 else ""


def _sanction_fields(report: Report, known: Mapping[str, Field]) -> dict[str, Any]:
    """What the event's application says of what nobody else says."""
    keys = {name: known[name].value for name in ("event_id", "name", "starts", "ends")}
    keys |= {name: keys[name] or "" for name in ("event_id", "name")}
    about = event_applications.AboutEvent(**keys, club_id=report.club_id)
    said = event_applications.granted_fields(report.pool, about)
    return {name: value for name, value in said.items() if known[name].value is None}


def _speed_of_time(report: Report, known: Mapping[str, Field]) -> dict[str, Any]:
    """The speed that the time control makes, where nobody says it and the book knows of one alone."""
    base, increment = known["base_minutes"].value, known["increment_seconds"].value
    if known["speed"].value or base is None:
        return {}
    day = known["ends"].value or known["reported"].value
    edition = rules_of(report.pool).find_edition(day)
    book = edition.book if edition else None
    if not isinstance(book, ChessBook) or book.speeds_of_time is None:
        return {}
    fide_rated = known["fide_rated"].value
    either = (False, True) if fide_rated is None else (fide_rated,)
    found = {speed for fide in either for speed in book.speeds_of_time(base + (increment or 0), fide)}
    return {"speed": found.pop()} if len(found) == 1 else {}


def _new_id(fields: Mapping[str, Field], taken: Collection[str]) -> str:
    """An id for an event that has none: its first day and its name, with a number where that is taken."""
    letters = unicodedata.normalize("NFKD", str(fields["name"].value or "")).encode("ascii", "ignore")
    word = "-".join(re.findall("[a-z0-9]+", letters.decode().lower()))[:_LONGEST_WORD].strip("-")
    day = fields["starts"].value or fields["reported"].value
    first = f"{day.isoformat()}-{word or 'event'}"
    numbered = (f"{first}-{number}" for number in count(2))
    return next(free for free in chain([first], numbered) if free not in taken)


def takes_readable_part(report: Report) -> bool:
    """Whether an officer said last that what could be read of faulty files is to be taken."""
    rows = report.said.order_by("pk").values_list("fields", flat=True)
    said = [fields[READABLE] for fields in rows if READABLE in fields]
    return bool(said and said[-1])
