"""Opening pools, from nothing or from a ledger's files, and changing how one is rated."""

import io
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from datetime import date, datetime
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import Min

from banzuke.core.fault import RefusedError, fault, refuse_any
from banzuke.core.go_facts import GoGame
from banzuke.core.registry import BOOKS
from banzuke.database.book_reader import files_of, rules_from, rules_of
from banzuke.database.book_writer import (
    Act,
    add_facts,
    add_files,
    enter_ledger,
    open_entry,
    records_in_parts,
)
from banzuke.database.ledger_folders import IMPORT, FolderContents, read_folder
from banzuke.database.models import Entry, HiddenPool, Pool, PoolFile
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.formats.files.zip_files import unpacks_within
from banzuke.ledger.folder import GoLedger, ledger_of
from banzuke.ledger.pool_rules import FILE, EditionInForce
from banzuke.ledger.pool_rules import Pool as Rules
from banzuke.ledger.schema import CHESS, GO
from banzuke.ledger.toml_files import quoted, value_text
from banzuke.office.administration.hidden_pools import hidden_pool, remove_abandoned_pools, show_pool
from banzuke.office.administration.ledger_size import read_through
from banzuke.office.bounded_reading import Limits, read_bounded
from banzuke.office.fact_rows import standing_rows
from banzuke.office.journal import Actor, note
from banzuke.office.live.go_rules import is_live
from banzuke.office.live.live_pool import synchronise
from banzuke.office.live.live_ranking import index_all_names
from banzuke.office.live.next_standings import CHANGED, bring_into_force
from banzuke.office.live.whole_standings import open_standings, rate_ledger
from banzuke.office.refusals import RulesChangedError
from banzuke.office.transparency.office_log import note_rules

#: Words that begin an address of the office's own: a pool of that name could not be reached.
RESERVED = frozenset(
    {"accounts", "api", "data", "docs", "healthz", "i18n", "log", "objections", "office", "search", "static"}
)
#: The most that a zipped ledger may unpack to: ten times a national history.
MOST_UNPACKED = 256 * 1024 * 1024
#: What reading it may take: 700,000 games take 29 s on a busy machine and 290 MiB; what reads Parquet wants
#: 2 GiB of addresses.
LEDGER = Limits(120, 4096)
NEW = "new-pool"


class TakenError(Exception):
    """A pool's word that is taken: by another pool, or by a page of the office."""


class Edition(NamedTuple):
    """An edition as pool.toml has it: the book's name, its first day, and settings unlike the book's own."""

    rulebook: str
    start: date
    settings: Mapping[str, bool | int | str]
    stands_in: str = ""
    border_zone: str = ""
    reform: str = ""


def open_pool(slug: str, name: str, edition: Edition, actor: Actor, name_native: str = "") -> Pool:
    """A new, empty pool. Raises TakenError, and RefusedError for an edition that its book refuses."""
    check_free(slug)
    text = toml_of(name, [edition], name_native)
    rules = rules_from({FILE: text})
    schema = GO if rules.is_go else CHESS
    ledger = ledger_of(rules, {table.name: [] for table in schema})
    with entering(slug):
        pool = enter_ledger(slug, ledger, {FILE: text}, Act(actor.name, NEW))
        note(actor, NEW, pool, rulebook=edition.rulebook)
        note_rules(pool)
    return pool


def open_from_zip(slug: str, data: bytes, actor: Actor) -> Pool:
    """A new pool with all of a zipped ledger folder. Raises TakenError and RefusedError.

    It is read apart first: one that takes too much memory or time would end the process that serves pages.
    """
    check_free(slug)
    with tempfile.TemporaryDirectory() as folder:
        _unpack(data, Path(folder))
        read_bounded(LEDGER, read_through, Path(folder))
        with _opening(slug, read_folder(Path(folder)), actor.name) as pool:
            note(actor, NEW, pool, source="zip")
            note_rules(pool)
    make_ready(pool)
    return pool


def open_from_folder(slug: str, folder: Path, author: str, *, with_games: bool = True) -> Pool:
    """A new pool with all of a ledger folder. Raises TakenError and RefusedError."""
    check_free(slug)
    with _opening(slug, read_folder(folder, with_games=with_games), author) as pool:
        pass
    make_ready(pool)
    return pool


@contextmanager
def _opening(slug: str, found: FolderContents, author: str) -> Iterator[Pool]:
    """A new pool with its games rated: when the block ends everybody sees all of it, or there is nothing.

    Games are rated before anybody waits. What is done in the block comes with the last rows.
    """
    done = None
    if isinstance(found.ledger, GoLedger):
        done = rate_ledger(found.ledger)
        done = done._replace(rated=list(done.rated))
    with _refusing_taken(slug), hidden_pool(slug, found.files, Act(author, IMPORT)) as (entry, turn):
        for table, records in records_in_parts(found.ledger, found.byes):
            with turn():
                add_facts(entry, table, records)
        if done is not None:
            open_standings(entry.pool, done, turn)
        with turn():
            show_pool(entry.pool)
            yield entry.pool


def make_ready(pool: Pool) -> None:
    """Make a new Go pool's standings, and its players findable; one of chess is ready as it came."""
    if is_live(pool):
        synchronise(pool)
        index_all_names(pool)


@contextmanager
def entering(slug: str) -> Iterator[None]:
    """All of it or nothing. Raises TakenError where another pool got that word a moment ago."""
    with _refusing_taken(slug), transaction.atomic():
        yield


@contextmanager
def _refusing_taken(slug: str) -> Iterator[None]:
    try:
        yield
    except IntegrityError:
        check_free(slug)
        raise


def check_free(slug: str) -> None:
    """Raise TakenError if a pool cannot have that word. What was left of a killed one is taken out first."""
    if HiddenPool.objects.filter(pool__slug__iexact=slug).exists():
        remove_abandoned_pools()
    if slug.lower() in RESERVED or Pool.with_hidden.filter(slug__iexact=slug).exists():
        raise TakenError(slug)


def _unpack(data: bytes, folder: Path) -> None:
    """The zip's files into one folder, by their own names only, whatever folder of the zip they are in."""
    if not unpacks_within(data, MOST_UNPACKED):
        raise RefusedError([fault(FILE, 0, "", "pool-missing")])
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        for member in packed.infolist():
            name = PurePosixPath(member.filename).name
            if not member.is_dir() and name and not name.startswith("."):
                (folder / name).write_bytes(packed.read(member))


def editions(pool: Pool) -> list[Edition]:
    """The pool's editions as they stand now, with every setting of their books."""
    return [_edition(found) for found in rules_of(pool).editions]


def _edition(found: EditionInForce) -> Edition:
    settings = {f.name: getattr(found.settings, f.name) for f in fields(found.settings)}
    reform = found.reform.source if found.reform else ""
    return Edition(found.book.name, found.start, settings, found.stands_in, found.zone.source, reform)


def change_rules(
    pool: Pool,
    name: str,
    wanted: Iterable[Edition],
    actor: Actor,
    why: str,
    zones: Mapping[str, str],
    name_native: str = "",
) -> None:
    """How the pool is rated from now on; `zones` are new border-zone tables by file name.

    Raises RefusedError with the faults that pool.toml would have, and leaves everything as it was.
    """
    enter_rules(pool, {FILE: toml_of(name, wanted, name_native), **zones}, actor, why, last_file(pool))


def last_file(pool: Pool) -> int:
    """The number of the last file that says how the pool is rated."""
    return PoolFile.objects.filter(entry__pool=pool).latest("pk").pk


def is_rated_anew(pool: Pool, texts: Mapping[str, str]) -> bool:
    """Whether all games of a Go pool would be rated again by other files. Raises RefusedError as above."""
    there, rules = _rules_there_and_wanted(pool, texts)
    return rules.is_go and rules.editions != there.editions


def enter_rules(
    pool: Pool,
    texts: Mapping[str, str],
    actor: Actor,
    why: str,
    seen: int,
    progress: Progress = no_progress,
) -> None:
    """Files that say how the pool is rated from now on; `seen` is the last file when that was asked for.

    The games of a Go pool are rated by them first. Raises RefusedError as above, and RulesChangedError.
    """

    def enter() -> Entry:
        entry = open_entry(pool, Act(actor.name, CHANGED, why))
        if last_file(pool) != seen:
            raise RulesChangedError
        _rules_there_and_wanted(pool, texts)
        add_files(entry, texts)
        note(actor, CHANGED, pool, why=why, entry=entry.pk)
        note_rules(pool)
        return entry

    if last_file(pool) != seen:
        raise RulesChangedError
    there, rules = _rules_there_and_wanted(pool, texts)
    if rules.is_go and rules.editions != there.editions:
        bring_into_force(pool, rules, enter, progress)
    else:
        with transaction.atomic():
            enter()


def _rules_there_and_wanted(pool: Pool, texts: Mapping[str, str]) -> tuple[Rules, Rules]:
    """The pool's rules, and those of other files that fit it. Raises RefusedError."""
    files = files_of(pool)
    there, rules = rules_from(files), rules_from({**files, **texts})
    _check_fit(pool, there, rules)
    return there, rules


def _check_fit(pool: Pool, there: Rules, wanted: Rules) -> None:
    """See that a pool of Go stays one, and that each of its games keeps its edition. Raises RefusedError."""
    if there.is_go != wanted.is_go:
        books = {"one": there.editions[0].book.name, "other": wanted.editions[0].book.name}
        refuse_any([fault(FILE, 0, "rulebook", "pool-families", **books)])
    earliest = standing_rows(pool, GoGame).aggregate(ended=Min("ended"))["ended"]
    day = None if earliest is None else datetime.fromisoformat(earliest).date()
    if day is not None and wanted.find_edition(day) is None:
        first = wanted.editions[0].start
        refuse_any([fault(FILE, 0, "from", "no-edition", day=day, first=first)])


def toml_of(name: str, wanted: Iterable[Edition], name_native: str = "") -> str:
    """The text of a pool.toml; settings that are as the book has them are left out."""
    lines = [f"name = {quoted(name)}"]
    lines += [f"name_native = {quoted(name_native)}"] if name_native else []
    return "\n".join([*lines, *(line for each in wanted for line in _lines(each))]) + "\n"


def _lines(edition: Edition) -> list[str]:
    lines = ["[[edition]]", f"rulebook = {quoted(edition.rulebook)}", f"from = {edition.start.isoformat()}"]
    named = {"stands_in": edition.stands_in, "border_zone": edition.border_zone, "reform": edition.reform}
    lines += [f"{key} = {quoted(name)}" for key, name in named.items() if name]
    own = BOOKS[edition.rulebook].settings()
    changed = {key: value for key, value in edition.settings.items() if getattr(own, key) != value}
    if changed:
        lines += ["[edition.settings]", *(f"{key} = {value_text(value)}" for key, value in changed.items())]
    return lines
