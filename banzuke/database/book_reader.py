"""A pool's book as a ledger: what stands in it, in the order in which it was entered."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from banzuke.core import facts, go_facts
from banzuke.core.fault import Fault, RefusedError, fault, refuse_any
from banzuke.core.gc_pause import uncollected
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import RuleBook
from banzuke.database import models
from banzuke.database.added_columns import more_from_json
from banzuke.ledger.cells import MOMENT
from banzuke.ledger.folder import ChessLedger, GoLedger, Ledger, ledger_of
from banzuke.ledger.pool_files import is_plain_name
from banzuke.ledger.pool_rules import FILE, Pool, read_pool
from banzuke.ledger.records import MORE, record_of
from banzuke.ledger.schema import BYES, CHESS, GO, Table
from banzuke.ledger.toml_files import parse_toml
from banzuke.words import fault_line

#: The model that holds the records of each table.
MODELS: dict[Any, type[models.Fact]] = {
    facts.Player: models.Player,
    facts.Club: models.Club,
    facts.Membership: models.Membership,
    facts.Event: models.Event,
    facts.Game: models.Game,
    facts.Bye: models.Bye,
    facts.Opening: models.Opening,
    facts.Adjustment: models.Adjustment,
    go_facts.GoPlayer: models.GoPlayer,
    go_facts.GoGame: models.GoGame,
    go_facts.Declaration: models.Declaration,
    go_facts.GoOpening: models.GoOpening,
}
#: The fault of a pool.toml that names a book that is not installed.
_NO_BOOK = "pool-book"
#: The tables of who is in a pool.
REGISTER = ("players", "clubs", "memberships")
#: So many characters are logged of what is wrong with rules.
_LOGGED = 1000
#: The columns that came later, by the record of their table; a row of before has None there.
LATER: dict[Any, tuple[str, ...]] = {
    facts.Player: ("title", "title_from"),
    facts.Club: ("name_native",),
    facts.Event: ("name_native",),
}
#: How many rows are fetched at once.
CHUNK = 10_000


class MissingBookError(RefusedError):
    """Rule books that are not installed, by which nothing can be calculated; `books` are their names."""

    def __init__(self, books: Iterable[str]) -> None:
        self.books = sorted(set(books))
        super().__init__([fault(FILE, 0, "", "book-missing", books=", ".join(self.books))])


class SpoiledRulesError(RefusedError):
    """What the database keeps of how a pool is rated cannot be used: it was changed past the office."""

    def __init__(self, pool: models.Pool, faults: list[Fault]) -> None:
        self._pool = pool.slug
        super().__init__(faults)

    @property
    def said(self) -> str:
        """A line for the log, in which nothing from the database can look like another."""
        wrong = "; ".join(fault_line(each, "en") for each in self.faults)[:_LOGGED]
        return f"The rules of the pool {self._pool!a} in the database cannot be used: {wrong!a}"


def last_entry(pool: models.Pool) -> int:
    """The number of the pool's last entry: its book up to there never changes."""
    return pool.entries.latest("pk").pk


def files_of(pool: models.Pool, until: int | None = None) -> dict[str, str]:
    """The texts of pool.toml and of what it names, as of an entry (its number); None: as of the last one.

    Raises SpoiledRulesError for a name that no such file can have: somebody wrote it past the office.
    """
    rows = models.PoolFile.objects.filter(entry__pool=pool).order_by("pk").values_list("name", "text")
    files = dict(rows if until is None else rows.filter(entry_id__lte=until))
    with _spoiled(pool):
        refuse_names(files)
    return files


@contextmanager
def _spoiled(pool: models.Pool) -> Iterator[None]:
    """What is refused was in the database, and nobody just sent it."""
    try:
        yield
    except (MissingBookError, SpoiledRulesError):
        raise
    except RefusedError as refused:
        raise SpoiledRulesError(pool, refused.faults) from None


def refuse_names(names: Iterable[str]) -> None:
    """Raise RefusedError where one is not a plain name of a TOML file: texts are written by their names."""
    wrong = [name for name in names if not is_plain_name(name)]
    refuse_any([fault(FILE, 0, "", "pool-file-name", value=name) for name in wrong])


def rules_of(pool: models.Pool, until: int | None = None) -> Pool:
    """How the pool is rated, as of an entry (its number); None: as of the last one.

    Raises SpoiledRulesError for texts that are not good, MissingBookError where a book is not installed.
    """
    files = tuple(files_of(pool, until).items())
    with _spoiled(pool):
        return _rules_from(files, tuple(map(id, BOOKS.values())))


def book_named(name: str) -> RuleBook:
    """The rule book of that name, as a list has it that was made by it. Raises MissingBookError."""
    book = BOOKS.get(name)
    if book is None:
        raise MissingBookError([name])
    return book


def name_of(pool: models.Pool, until: int) -> str:
    """The pool's name as of an entry (its number), whether its books are installed or not.

    Raises SpoiledRulesError.
    """
    faults: list[Fault] = []
    document = parse_toml(FILE, files_of(pool, until).get(FILE, "").encode(), faults) or {}
    with _spoiled(pool):
        refuse_any(faults or ([] if "name" in document else [fault(FILE, 0, "name", "pool-name")]))
    return str(document["name"])


@lru_cache(maxsize=64)
def _rules_from(files: tuple[tuple[str, str], ...], _installed: tuple[int, ...]) -> Pool:
    """The rules of texts, which are not read again while the same books are installed (by identity)."""
    return rules_from(dict(files))


def rules_from(files: Mapping[str, str]) -> Pool:
    """What the texts of pool.toml and of what it names say. Raises RefusedError and MissingBookError."""
    faults: list[Fault] = []
    rules = read_pool(files, faults)
    missing = [dict(found.facts)["value"] for found in faults if found.code == _NO_BOOK]
    if missing:
        raise MissingBookError(missing)
    if rules is None or faults:
        raise RefusedError(faults)
    return rules


def read_book(pool: models.Pool, until: int | None = None) -> Ledger:
    """The pool's ledger as of an entry (its number); None: as of the last one."""
    until = last_entry(pool) if until is None else until
    rules = rules_of(pool, until)
    schema = GO if rules.is_go else CHESS
    with uncollected():
        ledger = ledger_of(rules, {table.name: read_table(pool, table, until) for table in schema})
    return with_annulled(ledger, pool, until) if isinstance(ledger, GoLedger) else ledger


def standing_voids(pool: models.Pool, until: int | None = None) -> QuerySet[models.GoVoid]:
    """The annulments that nobody has taken back, as of an entry; None: as of the last one."""
    strikes = models.Strike.objects.filter(pool=pool, table=models.VOIDS, row=OuterRef("pk"))
    rows = models.GoVoid.objects.filter(pool=pool)
    if until is not None:
        strikes, rows = strikes.filter(entry_id__lte=until), rows.filter(entry_id__lte=until)
    return rows.filter(~Exists(strikes))


def with_annulled(ledger: GoLedger, pool: models.Pool, until: int) -> GoLedger:
    """The ledger with the result `void`, and without a fault, for every game annulled until then."""
    ids = set(standing_voids(pool, until).values_list("game_id", flat=True))
    games = [game._replace(result="void", fault="") if game.game_id in ids else game for game in ledger.games]
    return replace(ledger, games=games)


def read_register(pool: models.Pool, until: int | None = None) -> ChessLedger:
    """The players, clubs and memberships of a chess pool as of an entry, as a ledger without events."""
    until = last_entry(pool) if until is None else until
    players, clubs, memberships = (read_table(pool, t, until) for t in CHESS if t.name in REGISTER)
    return ChessLedger(rules_of(pool, until), players, clubs, memberships, [], {}, [])


def read_byes(pool: models.Pool, until: int | None = None, event_id: str | None = None) -> list[facts.Bye]:
    """The pool's byes, or those of one event, as of an entry (its number); None: as of the last one."""
    only = None if event_id is None else Q(event_id=event_id)
    return read_table(pool, BYES, last_entry(pool) if until is None else until, only)


def read_table(pool: models.Pool, table: Table, until: int, only: Q | None = None) -> list[Any]:
    """A table's rows (or those of them that are asked for) as of an entry, each with the day of its strike.

    Of a table without such days (clubs) the struck rows are left out.
    """
    rows: QuerySet[Any] = QuerySet(MODELS[table.record])
    rows = rows.filter(only or Q(), pool=pool, entry_id__lte=until).order_by("pk")
    stored = columns_of(table)
    moments = {name: datetime.fromisoformat for name, kind in table.columns.items() if kind is MOMENT}
    later = dict.fromkeys(LATER.get(table.record, ()), text_of)
    reader_of: dict[str, Callable[[Any], Any]] = {**moments, **later, MORE: more_from_json}
    readers = [(place, reader_of[name]) for place, name in enumerate(stored) if name in reader_of]
    struck, has_day = _struck(pool, table, until), "struck" in table.columns
    make = record_of(table, [*stored, "struck"] if has_day else stored)
    records = []
    for number, *values in rows.values_list("pk", *stored).iterator(chunk_size=CHUNK):
        for place, read in readers:
            values[place] = read(values[place])
        if has_day:
            values.append(struck.get(number))
        elif number in struck:
            continue
        records.append(make(values))
    return records


def text_of(cell: str | None) -> str:
    """The text of a column that came later: rows of before have none."""
    return cell or ""


def columns_of(table: Table) -> list[str]:
    """The columns of a table in the database: a strike is a row of its own, added columns are one."""
    more = [MORE] if hasattr(MODELS[table.record], MORE) else []
    return [name for name in table.columns if name != "struck"] + more


def _struck(pool: models.Pool, table: Table, until: int) -> dict[int, date]:
    strikes = models.Strike.objects.filter(pool=pool, table=table.name, entry_id__lte=until)
    return dict(strikes.values_list("row", "day"))
