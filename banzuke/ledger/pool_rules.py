"""pool.toml: a pool's name and the editions that make its lists, each from a day on."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from banzuke.core.fault import Fault, fault
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import Family, GoBook, RuleBook
from banzuke.ledger.border_zone import read_zone
from banzuke.ledger.schedule import Schedule
from banzuke.ledger.toml_files import as_written, is_whole, read_toml
from banzuke.rulebooks.pandanet.ranks import default_zone

if TYPE_CHECKING:
    from pathlib import Path

    from banzuke.core.go_facts import Zone

FILE = "pool.toml"
POOL_KEYS = {"name", "edition"}
EDITION_KEYS = {"rulebook", "from", "settings", "stands_in", "border_zone"}


class EditionInForce(NamedTuple):
    """A rule book with its settings, in force from a day on."""

    book: RuleBook
    start: date
    settings: Any
    stands_in: str
    zone: Zone


@dataclass(frozen=True)
class Pool:
    """A pool: its name and its editions in the order of their days."""

    name: str
    editions: tuple[EditionInForce, ...]

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
        return self.editions[0].book.speeds

    @property
    def book_without_twin(self) -> RuleBook | None:
        """The first book that the fast twins cannot rate this pool by; None: they can.

        A book may have no twin; and a twin of Go rates all games of a pool by one book.
        """
        books = [edition.book for edition in self.editions]
        is_go = isinstance(books[0], GoBook)
        return next((b for b in books if b.twin is None or (is_go and b is not books[0])), None)

    @property
    def family(self) -> Family:
        """How the pool's books rate: by month, by FIDE's month, by event or by game."""
        return self.editions[0].book.family

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
        found = None
        for edition in self.editions:
            if edition.start <= day:
                found = edition
        return found


def read_pool(folder: Path, faults: list[Fault]) -> Pool | None:
    """The pool of a ledger folder, with the faults of its pool.toml.

    None where an edition could not be read, so that nothing can be said of the tables.
    """
    if not _is_there(folder, FILE):
        faults.append(fault(FILE, 0, "", "pool-missing"))
        return None
    document = read_toml(folder / FILE, faults)
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
    tables = document.get("edition")
    if not isinstance(tables, list) or not tables or not all(isinstance(t, dict) for t in tables):
        faults.append(fault(FILE, 0, "edition", "pool-edition"))
        return None
    editions = [_edition(folder, number, table, faults) for number, table in enumerate(tables, 1)]
    found = sorted((e for e in editions if e is not None), key=lambda e: e.start)
    _check_together(found, faults)
    is_one_family = len({edition.book.family for edition in found}) == 1
    return Pool(as_written(name), tuple(found)) if len(found) == len(tables) and is_one_family else None


def _is_there(folder: Path, name: str) -> bool:
    """Whether the folder, if there is one, has an entry of that name, of whatever kind and length."""
    try:
        return any(path.name == name for path in folder.iterdir())
    except (OSError, ValueError):  # ValueError: a name that no folder can have
        return False


def _edition(folder: Path, number: int, table: dict[str, Any], faults: list[Fault]) -> EditionInForce | None:
    where = f"edition {number}"
    faults += [
        fault(FILE, 0, f"{where}: {key}", "pool-key", known=", ".join(sorted(EDITION_KEYS)))
        for key in table
        if key not in EDITION_KEYS
    ]
    book, start = BOOKS.get(as_written(table.get("rulebook"))), table.get("from")
    if book is None:
        faults.append(
            fault(
                FILE,
                0,
                f"{where}: rulebook",
                "pool-book",
                value=as_written(table.get("rulebook")),
                books=", ".join(BOOKS),
            )
        )
    if not isinstance(start, date) or isinstance(start, datetime):
        faults.append(fault(FILE, 0, f"{where}: from", "pool-from", value=as_written(start)))
        return None
    if book is None:
        return None
    stands_in = table.get("stands_in", "")
    if not isinstance(stands_in, str):
        faults.append(fault(FILE, 0, f"{where}: stands_in", "pool-stands-in", value=as_written(stands_in)))
    settings = _settings(book, table.get("settings", {}), where, faults)
    zone = _zone(folder, book, table, where, faults)
    return EditionInForce(book, start, settings, as_written(stands_in), zone)


def _settings(book: RuleBook, table: object, where: str, faults: list[Fault]) -> object:
    """The book's settings; a setting that is not the book's, or of another type, is a fault."""
    defaults = book.settings()
    known = {f.name: type(getattr(defaults, f.name)) for f in fields(defaults)}
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
            faults.append(fault(FILE, 0, column, "pool-setting-flag", value=as_written(value)))
        elif known[key] is int and not is_whole(value):
            faults.append(fault(FILE, 0, column, "pool-setting-whole", value=as_written(value)))
        else:
            taken[key] = value
    return replace(defaults, **taken)


def _zone(folder: Path, book: RuleBook, table: dict[str, Any], where: str, faults: list[Fault]) -> Zone:
    name = table.get("border_zone")
    if name is None:
        return default_zone()
    column = f"{where}: border_zone"
    if book.family is not Family.GO:
        faults.append(fault(FILE, 0, column, "pool-zone-book", book=book.name))
    elif not isinstance(name, str) or not name or "/" in name or "\\" in name:
        faults.append(fault(FILE, 0, column, "pool-zone-name", value=as_written(name)))
    elif not _is_there(folder, name):
        faults.append(fault(FILE, 0, column, "pool-zone-missing", value=name))
    else:
        return read_zone(folder, name, faults)
    return default_zone()


def _check_together(editions: list[EditionInForce], faults: list[Fault]) -> None:
    """One kind of book a pool, and one edition a day."""
    for earlier, later in pairwise(editions):
        if earlier.start == later.start:
            faults.append(fault(FILE, 0, "from", "pool-same-day", day=later.start))
        if earlier.book.family is not later.book.family:
            faults.append(
                fault(FILE, 0, "rulebook", "pool-families", one=earlier.book.name, other=later.book.name)
            )
