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


class MendingPlace(StrEnum):
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


class MendingTarget(NamedTuple):
    """A place, and whose it is: the field, member, club, event or report; blank where nothing says so."""

    place: MendingPlace
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
    "warn-speed": "speed",
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
    MendingPlace.FIELD: " ".join(("inbox-field", "warn-missing", *_FIELDS)),
    MendingPlace.WHO: (
        "inbox-undecided inbox-erased inbox-birth-dates inbox-repeated-name inbox-namesake inbox-nameless "
        "import-formula inbox-other-name inbox-no-member inbox-two-places inbox-go-alike inbox-go-which "
        "import-same inbox-unknown-player inbox-unknown-player-near"
    ),
    MendingPlace.GAMES: "inbox-double-game inbox-forfeits double-game player-twice self-play",
    MendingPlace.RULING: "inbox-ruled-out",
    MendingPlace.DECISION: (
        "inbox-go-there import-go-id import-go-reported struck-game other-game fault-winner "
        "import-go-other-rank"
    ),
    MendingPlace.PAGE: "inbox-link",
    MendingPlace.FILE: (
        "inbox-nothing inbox-go-no-rank incoming-no-games incoming-passed-over packed-passed-over "
        "inbox-form-sheet incoming-only-table incoming-two-tables incoming-same-file"
    ),
    MendingPlace.SEND: (
        "inbox-no-file inbox-many-files inbox-many-events inbox-many-players inbox-large-file "
        "inbox-large inbox-unpacks inbox-slow inbox-memory inbox-broke inbox-busy inbox-unknown "
        "inbox-no-day inbox-go inbox-chess inbox-empty-zip inbox-both incoming-too-large incoming-encoding "
        "incoming-empty-mail sheet-no-games sheet-gap sheet-no-colour sheet-players sheet-row"
    ),
    MendingPlace.REPORT: "inbox-other-report inbox-other-game",
    MendingPlace.MEMBER: "inbox-fide-id warn-born warn-never-stands warn-name inbox-member-struck",
    MendingPlace.MEMBERSHIP: "inbox-member",
    MendingPlace.NEWCOMERS: "inbox-newcomer",
    MendingPlace.MERGE: "warn-namesake",
    MendingPlace.CLUB: "warn-organiser",
    MendingPlace.EVENT: (
        "event-late-list warn-late-list unknown-event unknown-event-near unknown-event-then "
        "unknown-player-then membership-event"
    ),
    MendingPlace.OPENINGS: (
        "warn-peak double-row standing-speed standing-no-speed opening-points opening-games "
        "opening-bc-points inbox-no-column unknown-column column-spelling double-column "
        "row-width"
    ),
    MendingPlace.MEMBERS_FILE: (
        "inbox-no-ratings inbox-register inbox-member-one-event register-no-end inbox-many-columns double-id"
    ),
    MendingPlace.COLUMNS: (
        "register-nameless inbox-member-no-start register-no-heading register-heading-twice "
        "register-no-id-column"
    ),
    MendingPlace.FIDE: "inbox-fide-list",
    MendingPlace.START_LIST: (
        "trf-unwritable-federation trf-unwritable-number trf-unwritable-field trf-unwritable-bye "
        "trf-unwritable-game fide-too-long"
    ),
    MendingPlace.EVENTS: "inbox-no-event",
    MendingPlace.LISTS: "inbox-correction inbox-correction-go",
    MendingPlace.SETTINGS: "book-missing",
    MendingPlace.LIVE: "warn-declaration double-declaration",
}
PLACES = {code: place for place, codes in _CODES.items() for code in codes.split()}
#: Where the other codes of a catalogue are mended.
AREAS = {f"faults/{name}": MendingPlace.FILE for name in (
    "chess_results", "crosstable", "event", "game_list", "game_table", "joining", "mail", "packed", "pgn",
    "report_form", "sgf", "sgf_table", "sheet", "swiss_manager", "trf", "upload_xml",
)} | {
    "faults/register": MendingPlace.MEMBERS_FILE,
    "faults/fide_list": MendingPlace.FIDE,
    "faults/lab": MendingPlace.LABORATORY,
    "faults/live": MendingPlace.LIVE,
}  # fmt: skip
#: The beginnings of codes that are of one place, in the catalogues that have none of their own.
BEGINNINGS = {
    "cell-": MendingPlace.FIELD,
    "pool-": MendingPlace.SETTINGS,
    "zone-": MendingPlace.SETTINGS,
    "reform-": MendingPlace.SETTINGS,
    "points-": MendingPlace.SETTINGS,
    "adjustment-": MendingPlace.SETTINGS,
    "warn-adjustment-": MendingPlace.SETTINGS,
    "go-adjustments": MendingPlace.SETTINGS,
}
#: The facts that tell whose a place is; the first that a fault has.
_FACTS = {
    MendingPlace.MEMBER: ("id", "player"),
    MendingPlace.MEMBERSHIP: ("id",),
    MendingPlace.CLUB: ("organiser",),
    MendingPlace.EVENT: ("event", "id"),
    MendingPlace.REPORT: ("report",),
}


#: Places that are a member's; the address of a warning is the member's id.
_OF_MEMBERS = (MendingPlace.MEMBER, MendingPlace.MEMBERSHIP, MendingPlace.NEWCOMERS, MendingPlace.MERGE)
#: The tables of a ledger whose rows are of an event; the address of a warning is the event's id.
_OF_EVENTS = ("events.csv", "games.csv")


def place_of(code: str) -> MendingPlace | None:
    """Where a fault is mended; None for one that no page shows."""
    known = PLACES.get(code) or AREAS.get(fault_areas().get(code, ""))
    if known is None and code in fault_areas():
        known = next((place for start, place in BEGINNINGS.items() if code.startswith(start)), None)
    of_book, _field = ("", "") if known else _said_by_books(code)
    return MendingPlace(of_book) if of_book else known


def _said_by_books(code: str) -> tuple[str, str]:
    """The place that a rule book names for a finding of its own, and the field of the event; or blanks."""
    said = (book_words(book).get("mends", {}).get(code, "") for book in BOOKS.values())
    place, _colon, field = next(filter(None, said), "").partition(":")
    return place, field


def target_of_fault(found: Fault, player_id: str = "") -> MendingTarget | None:
    """Where a fault is mended, and whose that is; `player_id` is the player whom it is of, where one is."""
    found = in_office_words(found)
    place = place_of(found.code)
    if place is None:
        return None
    if place in (MendingPlace.FIELD, MendingPlace.MEMBER) and found.file in _OF_EVENTS:
        return MendingTarget(MendingPlace.EVENT, found.column)
    if place is MendingPlace.FIELD and found.line:
        return MendingTarget(MendingPlace.FILE, found.file)
    if place is MendingPlace.FIELD and player_id:
        return MendingTarget(MendingPlace.WHO, player_id)
    if place is MendingPlace.FIELD:
        return MendingTarget(place, _field_of(found))
    facts = dict(found.facts)
    said = next((facts[name] for name in _FACTS.get(place, ()) if name in facts), "")
    if place in _OF_MEMBERS:
        said = player_id or said or found.column
    return MendingTarget(place, found.file if place is MendingPlace.FILE else said)


def _field_of(found: Fault) -> str:
    """The field of the event; of several that are missing the first."""
    if found.code in _FIELDS:
        return _FIELDS[found.code]
    missing = dict(found.facts).get("fields", "").split(", ")[0]
    return missing or found.column or _said_by_books(found.code)[1]


#: Where acts that were not done can be mended, by the codes of their refusals; the others are mended where
#: they were refused, or not at all.
REFUSALS = {
    "already-published": MendingPlace.BOARD,
    "moved-on": MendingPlace.BOARD,
    "nothing-to-do": MendingPlace.BOARD,
    "revisions-due": MendingPlace.LISTS,
    "no-laboratory": MendingPlace.LABORATORY,
    "unknown-event": MendingPlace.EVENTS,
    "event-not-in-book": MendingPlace.EVENTS,
    "unknown-club": MendingPlace.CLUB,
    "openings-published": MendingPlace.OPENINGS,
}


def target_of_verdict(verdict: str, event_id: str, of_list: str) -> MendingTarget | None:
    """Where can be mended that games of an event stay out of a list; None where nothing is wrong."""
    if verdict == FEE:
        return MendingTarget(MendingPlace.FEES, of_list)
    if event_id and verdict in (RULING, SPEED, LATE, MEMBER):
        return MendingTarget(MendingPlace.EVENT, event_id)
    return None


def target_of_refusal(refusal: Exception) -> MendingTarget | None:
    """Where can be mended what an act was refused for: of several faults the first."""
    if isinstance(refusal, RefusedError):
        return next(filter(None, map(target_of_fault, refusal.faults)), None)
    place = REFUSALS.get(refusal.code) if isinstance(refusal, NotDoneError) else None
    return None if place is None else MendingTarget(place)
