"""Where what is wrong can be mended, for every fault that a page shows: one table of codes and places.

The pages make links of it (`web/mending_links.py`). A rule book says it of its own findings, in the table
`[mends]` of its words: `own-finding = "field:form"`.
"""

from enum import StrEnum
from typing import NamedTuple

from banzuke.core.fault import Fault, RefusedError
from banzuke.core.rating import FEE, LATE, MEMBER, RULING, SPEED
from banzuke.core.registry import BOOKS
from banzuke.office.page_words import in_office_words
from banzuke.office.refusals import NotDoneError
from banzuke.words import book_words, fault_areas


class Place(StrEnum):
    """A kind of page, or a part of a report's page. FIELD to REPORT are of reports."""

    FIELD = "field"  # a field of the event
    WHO = "who"  # who is who
    GAMES = "games"
    RULING = "ruling"
    DECISION = "decision"
    PAGE = "page"  # the page that a mail links to
    FILE = "file"  # the file itself: correct it, and send it again
    SEND = "send"
    REPORT = "report"  # another report
    MEMBER = "member"
    MEMBERSHIP = "membership"
    NEWCOMERS = "newcomers"
    NEW = "new-member"
    MERGE = "merge"
    CLUB = "club"
    EVENTS = "events"
    EVENT = "event"  # an event of the ledger
    OPENINGS = "openings"
    MEMBERS_FILE = "members-file"
    COLUMNS = "columns"
    FIDE = "fide"
    START_LIST = "start-list"
    LISTS = "lists"  # revisions that are due
    BOARD = "board"  # the next list
    FEES = "fees"  # of a list
    SETTINGS = "settings"
    LIVE = "live"
    LABORATORY = "laboratory"


class Mend(NamedTuple):
    """A place, and whose it is: the field, member, club, event or report; blank where nothing says so."""

    place: Place
    of: str = ""


#: The fields of an event by the codes that are mended in one.
_FIELDS = {
    "inbox-event-id": "event_id",
    "inbox-reported": "name",
    "inbox-future": "ends",
    "inbox-late": "reported",
    "inbox-no-list": "base_minutes",
    "inbox-fee": "paid",
    "inbox-before": "reported",
    "inbox-frozen": "reported",
    "inbox-no-speed": "base_minutes",
    "inbox-no-edition": "reported",
    "event-ends": "ends",
    "event-reported": "reported",
    "event-speed": "speed",
    "game-day": "starts",
    "span": "ends",
    "warn-no-organiser": "organiser",
    "warn-applied": "applied",
    "warn-not-applied": "applied",
    "warn-notified": "notified",
    "warn-not-notified": "notified",
}
#: The codes by their places; `_FACTS` says which fact of each tells whose it is.
_CODES = {
    Place.FIELD: " ".join(("inbox-field", "warn-missing", *_FIELDS)),
    Place.WHO: (
        "inbox-undecided inbox-repeated-name inbox-namesake inbox-nameless inbox-other-name "
        "inbox-no-member inbox-two-places inbox-go-alike inbox-go-which import-same "
        "inbox-unknown-player inbox-unknown-player-near"
    ),
    Place.GAMES: "inbox-double-game inbox-forfeits double-game player-twice self-play",
    Place.RULING: "inbox-ruled-out",
    Place.DECISION: (
        "inbox-go-there import-go-id import-go-reported struck-game other-game fault-winner "
        "import-go-other-rank"
    ),
    Place.PAGE: "inbox-link",
    Place.FILE: (
        "inbox-nothing inbox-go-no-rank incoming-no-games incoming-passed-over packed-passed-over "
        "inbox-form-sheet incoming-only-table incoming-two-tables"
    ),
    Place.SEND: (
        "inbox-no-file inbox-many-files inbox-many-events inbox-many-players inbox-large-file "
        "inbox-large inbox-unpacks inbox-slow inbox-memory inbox-broke inbox-busy inbox-unknown "
        "inbox-no-day inbox-go inbox-chess inbox-empty-zip inbox-both incoming-too-large "
        "incoming-empty-mail sheet-no-games sheet-gap sheet-no-colour sheet-players sheet-row"
    ),
    Place.REPORT: "inbox-other-report inbox-other-game",
    Place.MEMBER: "inbox-fide-id warn-born warn-never-stands warn-name inbox-member-struck",
    Place.MEMBERSHIP: "inbox-member",
    Place.NEWCOMERS: "inbox-newcomer",
    Place.MERGE: "warn-namesake",
    Place.CLUB: "warn-organiser",
    Place.EVENT: (
        "event-late-list unknown-event unknown-event-near unknown-event-then unknown-player-then "
        "membership-event"
    ),
    Place.OPENINGS: (
        "warn-peak double-row standing-speed standing-no-speed opening-points opening-games "
        "opening-bc-points inbox-no-column unknown-column column-spelling double-column "
        "row-width"
    ),
    Place.MEMBERS_FILE: "inbox-no-ratings inbox-register inbox-member-one-event register-no-end double-id",
    Place.COLUMNS: (
        "register-nameless inbox-member-no-start register-no-heading register-heading-twice "
        "register-no-id-column"
    ),
    Place.FIDE: "inbox-fide-list",
    Place.START_LIST: (
        "trf-unwritable-federation trf-unwritable-number trf-unwritable-field trf-unwritable-bye "
        "trf-unwritable-game fide-too-long"
    ),
    Place.EVENTS: "inbox-no-event",
    Place.LISTS: "inbox-correction inbox-correction-go",
    Place.SETTINGS: "book-missing",
    Place.LIVE: "warn-declaration double-declaration",
}
PLACES = {code: place for place, codes in _CODES.items() for code in codes.split()}
#: Where the other codes of a catalogue are mended.
AREAS = {f"faults/{name}": Place.FILE for name in (
    "chess_results", "crosstable", "event", "game_list", "game_table", "joining", "mail", "packed", "pgn",
    "report_form", "sgf", "sgf_table", "sheet", "swiss_manager", "trf", "upload_xml",
)} | {
    "faults/register": Place.MEMBERS_FILE,
    "faults/fide_list": Place.FIDE,
    "faults/lab": Place.LABORATORY,
    "faults/live": Place.LIVE,
}  # fmt: skip
#: The beginnings of codes that are of one place, in the catalogues that have none of their own.
BEGINNINGS = {
    "cell-": Place.FIELD,
    "pool-": Place.SETTINGS,
    "zone-": Place.SETTINGS,
    "reform-": Place.SETTINGS,
}
#: The facts that tell whose a place is; the first that a fault has.
_FACTS = {
    Place.MEMBER: ("id", "player"),
    Place.MEMBERSHIP: ("id",),
    Place.CLUB: ("organiser",),
    Place.EVENT: ("event", "id"),
    Place.REPORT: ("report",),
}


#: Places that are a member's; the address of a warning is the member's id.
_OF_MEMBERS = (Place.MEMBER, Place.MEMBERSHIP, Place.NEWCOMERS, Place.MERGE)
#: The tables of a ledger whose rows are of an event; the address of a warning is the event's id.
_OF_EVENTS = ("events.csv", "games.csv")


def place_of(code: str) -> Place | None:
    """Where a fault is mended; None for one that no page shows."""
    known = PLACES.get(code) or AREAS.get(fault_areas().get(code, ""))
    if known is None and code in fault_areas():
        known = next((place for start, place in BEGINNINGS.items() if code.startswith(start)), None)
    of_book, _field = ("", "") if known else _said_by_books(code)
    return Place(of_book) if of_book else known


def _said_by_books(code: str) -> tuple[str, str]:
    """The place that a rule book names for a finding of its own, and the field of the event; or blanks."""
    said = (book_words(book).get("mends", {}).get(code, "") for book in BOOKS.values())
    place, _colon, field = next(filter(None, said), "").partition(":")
    return place, field


def mend_of(found: Fault, player_id: str = "") -> Mend | None:
    """Where a fault is mended, and whose that is; `player_id` is the player whom it is of, where one is."""
    found = in_office_words(found)
    place = place_of(found.code)
    if place is None:
        return None
    if place in (Place.FIELD, Place.MEMBER) and found.file in _OF_EVENTS:
        return Mend(Place.EVENT, found.column)
    if place is Place.FIELD and found.line:
        return Mend(Place.FILE, found.file)
    if place is Place.FIELD:
        return Mend(Place.WHO, player_id) if player_id else Mend(place, _field_of(found))
    facts = dict(found.facts)
    said = next((facts[name] for name in _FACTS.get(place, ()) if name in facts), "")
    if place in _OF_MEMBERS:
        said = player_id or said or found.column
    return Mend(place, found.file if place is Place.FILE else said)


def _field_of(found: Fault) -> str:
    """The field of the event; of several that are missing the first."""
    if found.code in _FIELDS:
        return _FIELDS[found.code]
    missing = dict(found.facts).get("fields", "").split(", ")[0]
    return missing or found.column or _said_by_books(found.code)[1]


#: Where acts that were not done can be mended, by the codes of their refusals; the others are mended where
#: they were refused, or not at all.
REFUSALS = {
    "already-published": Place.BOARD,
    "moved-on": Place.BOARD,
    "nothing-to-do": Place.BOARD,
    "revisions-due": Place.LISTS,
    "no-laboratory": Place.LABORATORY,
    "unknown-event": Place.EVENTS,
    "event-not-in-book": Place.EVENTS,
    "unknown-club": Place.CLUB,
    "openings-published": Place.OPENINGS,
}


def mend_of_verdict(verdict: str, event_id: str, of_list: str) -> Mend | None:
    """Where can be mended that games of an event stay out of a list; None where nothing is wrong."""
    if verdict == FEE:
        return Mend(Place.FEES, of_list)
    return Mend(Place.EVENT, event_id) if event_id and verdict in (RULING, SPEED, LATE, MEMBER) else None


def mend_of_refusal(refusal: Exception) -> Mend | None:
    """Where can be mended what an act was refused for: of several faults the first."""
    if isinstance(refusal, RefusedError):
        return next(filter(None, map(mend_of, refusal.faults)), None)
    place = REFUSALS.get(refusal.code) if isinstance(refusal, NotDoneError) else None
    return None if place is None else Mend(place)
