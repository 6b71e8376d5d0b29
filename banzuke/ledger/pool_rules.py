"""pool.toml: a pool's name and the editions that make its lists, each from a day on."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from banzuke.core.calendar import EachEvent
from banzuke.core.derived_books import reform_book
from banzuke.core.fault import MOST_FAULTS, Fault, fault
from banzuke.core.go_facts import NO_ZONE, Zone
from banzuke.core.registry import BOOKS, BookError
from banzuke.core.rulebook import ChessBook, GoBook, RuleBook
from banzuke.ledger.border_zone import read_zone
from banzuke.ledger.list_schedule import Schedule
from banzuke.ledger.pool_files import FolderFiles, PoolFiles, TextFiles, is_plain_name
from banzuke.ledger.reforms import Reform, day_faults, reform_of
from banzuke.ledger.toml_files import is_whole, toml_text

FILE = "pool.toml"
POOL_KEYS = {"name", "name_native", "edition"}
EDITION_KEYS = {"rulebook", "from", "settings", "stands_in", "border_zone", "reform"}


class EditionInForce(NamedTuple):
    """A rule book with its settings, in force from a day on.

    `zone` is the border-zone table of a book of Go, `NO_ZONE` for one of chess. `reform` is the one whose
    numbers the book has, if any.
    """

    book: RuleBook
    start: date
    settings: Any
    stands_in: str
    zone: Zone
    reform: Reform | None = None


def chess_book(edition: EditionInForce) -> ChessBook:
    """The edition's book, one of chess. Raises TypeError for one of Go, which no chess pool has."""
    if not isinstance(edition.book, ChessBook):
        raise TypeError(edition.book.name)
    return edition.book


def go_book(edition: EditionInForce) -> GoBook:
    """The edition's book, one of Go. Raises TypeError for one of chess, which no Go pool has."""
    if not isinstance(edition.book, GoBook):
        raise TypeError(edition.book.name)
    return edition.book


@dataclass(frozen=True)
class Pool:
    """A pool: its name and its editions in the order of their days; `name_native` is its name in Japanese."""

    name: str
    editions: tuple[EditionInForce, ...]
    name_native: str = ""

    @cached_property
    def schedule(self) -> Schedule:
        """Its lists one after another, with the edition and the days of each."""
        return Schedule(self.editions)

    @property
    def series(self) -> str:
        """The series of its books."""
        return self.editions[0].book.series

    @property
    def speeds(self) -> tuple[str, ...]:
        """The speeds at which the pool keeps ratings, in the order of its lists; blank where it has one."""
        return tuple(dict.fromkeys(speed for edition in self.editions for speed in edition.book.speeds))

    @property
    def is_go(self) -> bool:
        """Whether its games are of Go."""
        return isinstance(self.editions[0].book, GoBook)

    def can_be_rated_by(self, book: RuleBook) -> bool:
        """Whether the book may rate its history: one of its series, with lists at the same speeds."""
        own = (self.series, self.speeds, self.is_go)
        return (book.series, book.speeds, isinstance(book, GoBook)) == own

    @property
    def has_fide_ids(self) -> bool:
        """Whether its players' ids, and its ratings, are FIDE's."""
        book = self.editions[-1].book
        return isinstance(book, ChessBook) and book.has_fide_ids

    @property
    def files(self) -> list[str]:
        """The names of its rules' files: pool.toml, and those that it names."""
        zones = {edition.zone.source for edition in self.editions if edition.zone.source}
        return sorted({FILE, *zones, *(edition.reform.source for edition in self.editions if edition.reform)})

    @property
    def book_without_twin(self) -> RuleBook | None:
        """The first book that the fast twins cannot rate this pool by; None: they can.

        A book may have no twin, a twin of Go rates all games of a pool by one book, and a twin of chess keeps
        the speeds of its own book.
        """
        books = [edition.book for edition in self.editions]
        changes = [book for book in books if self.is_go and book is not books[0]]
        others = [book for book in books if book.twin is None or book.speeds != self.speeds]
        return next(iter(others + changes), None)

    def edition_on(self, day: date) -> EditionInForce:
        """The edition in force on a day. Raises LookupError before the first."""
        found = self.find_edition(day)
        if found is None:
            raise LookupError(day)
        return found

    def edition_at(self, moment: datetime) -> EditionInForce:
        """The edition in force at a moment, by its day in UTC, however it is written.

        In the first hours, when that day has not come in UTC, it is the first edition.
        """
        return self.find_edition(moment.astimezone(UTC).date()) or self.editions[0]

    def find_edition(self, day: date) -> EditionInForce | None:
        """The edition in force on a day; None before the first."""
        for edition in self.editions[::-1]:
            if edition.start <= day:
                return edition
        return None


def read_pool(source: Path | Mapping[str, str], faults: list[Fault]) -> Pool | None:
    """The pool of a ledger folder, or of texts by their files' names, with the faults of its pool.toml.

    None where an edition could not be read, so that nothing can be said of the tables.
    """
    files = FolderFiles(source) if isinstance(source, Path) else TextFiles(source)
    if not files.has(FILE):
        faults.append(fault(FILE, 0, "", "pool-missing"))
        return None
    document = files.read_document(FILE, faults)
    if document is None:
        return None
    faults += [
        fault(FILE, 0, key, "pool-key", known=", ".join(sorted(POOL_KEYS)))
        for key in document
        if key not in POOL_KEYS
    ]
    name = document.get("name")
    if not isinstance(name, str) or not name.strip():
        faults.append(fault(FILE, 0, "name", "pool-name"))
    native = document.get("name_native", "")
    if not isinstance(native, str):
        faults.append(fault(FILE, 0, "name_native", "pool-name"))
    tables = document.get("edition")
    if not isinstance(tables, list) or not tables or not all(isinstance(t, dict) for t in tables):
        faults.append(fault(FILE, 0, "edition", "pool-edition"))
        return None
    editions = [
        _edition(files, number, table, faults)
        for number, table in enumerate(tables, 1)
        if len(faults) < MOST_FAULTS  # no more are said, and each may name another file
    ]
    found = sorted((e for e in editions if e is not None), key=lambda e: e.start)
    _check_together(found, faults)
    if len(found) < len(tables) or len({_kind(edition.book) for edition in found}) > 1:
        return None
    return Pool(toml_text(name), tuple(found), toml_text(native))


def signatures_after(pool: Pool, today: date) -> list[Fault]:
    """A fault for every reform of the pool that bears a signature of a later day than today."""
    reforms = {edition.reform.source: edition.reform for edition in pool.editions if edition.reform}
    return [
        fault(reform.source, 0, "signed", "reform-signed-ahead", on=reform.signed.on, today=today)
        for reform in reforms.values()
        if reform.signed is not None and reform.signed.on > today
    ]


def _edition(
    files: PoolFiles, number: int, table: dict[str, Any], faults: list[Fault]
) -> EditionInForce | None:
    where = f"edition {number}"
    faults += [
        fault(FILE, 0, f"{where}: {key}", "pool-key", known=", ".join(sorted(EDITION_KEYS)))
        for key in table
        if key not in EDITION_KEYS
    ]
    book, start = BOOKS.get(toml_text(table.get("rulebook"))), table.get("from")
    if book is None:
        facts = {"value": toml_text(table.get("rulebook")), "books": ", ".join(BOOKS)}
        faults.append(fault(FILE, 0, f"{where}: rulebook", "pool-book", **facts))
    wrong = day_faults(FILE, f"{where}: from", start)
    faults += wrong
    if wrong or book is None or not isinstance(start, date):
        return None
    stands_in = table.get("stands_in", "")
    if not isinstance(stands_in, str):
        faults.append(fault(FILE, 0, f"{where}: stands_in", "pool-stands-in", value=toml_text(stands_in)))
    reform = _reform(files, book, start, table.get("reform"), where, faults)
    if reform is not None:
        book = _apply_reform(book, reform, faults)
    settings = _settings(book, table.get("settings", {}), where, faults)
    zone = _zone(files, book, table, where, faults)
    return EditionInForce(book, start, settings, toml_text(stands_in), zone, reform)


def _settings(book: RuleBook, table: object, where: str, faults: list[Fault]) -> object:
    """The book's settings; a setting that is not the book's, or of another type, is a fault."""
    defaults = book.settings()
    known = {f.name: type(getattr(defaults, f.name)) for f in fields(defaults)}
    choices = {f.name: f.metadata["choices"] for f in fields(defaults) if "choices" in f.metadata}
    if not isinstance(table, dict):
        faults.append(fault(FILE, 0, f"{where}: settings", "pool-settings"))
        return defaults
    taken = {}
    for key, value in table.items():
        column = f"{where}: settings.{key}"
        if not known:
            faults.append(fault(FILE, 0, column, "pool-setting-none", book=book.name))
        elif key not in known:
            faults.append(fault(FILE, 0, column, "pool-setting", book=book.name, known=", ".join(known)))
        elif known[key] is bool and not isinstance(value, bool):
            faults.append(fault(FILE, 0, column, "pool-setting-flag", value=toml_text(value)))
        elif known[key] is int and not is_whole(value):
            faults.append(fault(FILE, 0, column, "pool-setting-whole", value=toml_text(value)))
        elif key in choices and value not in choices[key]:
            facts = {"value": toml_text(value), "choices": ", ".join(map(repr, choices[key]))}
            faults.append(fault(FILE, 0, column, "pool-setting-choice", **facts))
        else:
            taken[key] = value
    return replace(defaults, **taken)


def _zone(files: PoolFiles, book: RuleBook, table: dict[str, Any], where: str, faults: list[Fault]) -> Zone:
    column, name = f"{where}: border_zone", table.get("border_zone")
    if not isinstance(book, GoBook):
        if name is not None:
            faults.append(fault(FILE, 0, column, "pool-zone-book", book=book.name))
        return NO_ZONE
    file = _file_beside(files, name, column, "pool-zone-name", "pool-zone-missing", faults)
    read = None if file is None else read_zone(files, file, faults)
    return book.default_zone() if read is None else read


def _file_beside(
    files: PoolFiles, name: object, column: str, no_name: str, missing: str, faults: list[Fault]
) -> str | None:
    """The name of a file beside pool.toml; None where none is given, and, with a fault, where it is none."""
    if name is None:
        return None
    if not isinstance(name, str) or not is_plain_name(name):
        faults.append(fault(FILE, 0, column, no_name, value=toml_text(name)))
    elif not files.has(name):
        faults.append(fault(FILE, 0, column, missing, value=name))
    else:
        return name
    return None


def _reform(
    files: PoolFiles, book: RuleBook, start: date, name: object, where: str, faults: list[Fault]
) -> Reform | None:
    """The reform that an edition names; None, with a fault, for one that cannot be in force there."""
    column = f"{where}: reform"
    file = _file_beside(files, name, column, "pool-reform-name", "pool-reform-missing", faults)
    document = None if file is None else files.read_document(file, faults)
    reform = None if file is None or document is None else reform_of(file, document, faults)
    if reform is None:
        return None
    others = {".".join(key) for key in reform.changes} - {
        f"{book.prefix.lower()}.{name}" for name in reform.changes_of(book) if name in book.parameters
    }
    if others:
        numbers = ", ".join(sorted(others))
        faults.append(fault(FILE, 0, column, "pool-reform-book", book=book.name, numbers=numbers))
    elif reform.adjustment is not None:
        faults.append(fault(FILE, 0, column, "pool-reform-adjustment", value=reform.source))
    elif start < reform.start:
        faults.append(fault(FILE, 0, column, "pool-reform-early", start=start, first=reform.start))
    elif reform.signed is None:
        faults.append(fault(FILE, 0, column, "pool-reform-unsigned", value=reform.source))
    elif start < reform.signed.on:
        facts = {"value": reform.source, "start": start, "on": reform.signed.on}
        faults.append(fault(FILE, 0, column, "pool-reform-late", **facts))
    else:
        return reform
    return None


def _apply_reform(book: RuleBook, reform: Reform, faults: list[Fault]) -> RuleBook:
    """The book at the reform's numbers; as it was, with a fault, where it cannot be built with them."""
    try:
        return reform_book(book, reform.changes_of(book))
    except (ArithmeticError, BookError, LookupError, TypeError, ValueError) as error:
        faults.append(fault(reform.source, 0, "set", "reform-broken", book=book.name, error=error))
        return book


def _check_together(editions: list[EditionInForce], faults: list[Fault]) -> None:
    """One series of books a pool, and one edition a day."""
    for earlier, later in pairwise(editions):
        if earlier.start == later.start:
            faults.append(fault(FILE, 0, "from", "pool-same-day", day=later.start))
        if _kind(earlier.book) != _kind(later.book):
            one, other = earlier.book.name, later.book.name
            faults.append(fault(FILE, 0, "rulebook", "pool-families", one=one, other=other))


def _kind(book: RuleBook) -> tuple[object, ...]:
    """What the books of a pool have in common: their series, the game, and how its lists are made."""
    return book.series, isinstance(book, GoBook), isinstance(book.calendar, EachEvent)
