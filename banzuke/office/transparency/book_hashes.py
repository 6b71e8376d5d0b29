"""Hashes over what was entered into a pool's book between two entries, so that no row of it changes unseen.

One hash is over the columns that tell nothing about persons (`book_sha256`). In the other (`persons_sha256`)
each row about a person, or with a text that may name one, counts by a hash that needs a salt. Who erases a
person destroys the salt and keeps the hash: so nobody finds out by guessing what stood there, and both hashes
are compared as before. Both begin with a secret that is not public.
"""

import hashlib
import hmac
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

import orjson
from django.apps import apps
from django.db import connection
from django.db.models import Field, Model, Q, QuerySet

from banzuke.database.models import Entry, Fact, Pool, PoolFile, Strike
from banzuke.office.transparency.player_salts import known_salts, made_salts
from banzuke.office.transparency.text_salts import BookRow, known_text_salts, make_text_salts

#: Tables whose rows are about a player, but for the columns that say which row it is, and of whom.
ABOUT_PLAYERS = ("player", "goplayer", "contact", "membership")
KEYS = ("id", "entry_id", "pool_id", "player_id")
#: The columns of other tables that may name persons.
NAMING: Mapping[str, tuple[str, ...]] = {"event": ("responsible", "reporter"), "entry": ("why",)}
ROWS = 10_000
#: What a table of a book is: the entries themselves, or what came with them.
OF_BOOK = Fact | PoolFile | Strike | Entry
_NOTHING: Mapping[BookRow, bytes] = MappingProxyType({})


class EntryRange(NamedTuple):
    """What was entered into a pool's book after one entry, up to another."""

    pool: Pool
    after: int
    until: int


def book_sha256(of: EntryRange, secret: bytes) -> str:
    """The hash over the columns that tell nothing about persons."""
    digest = hashlib.sha256(secret)
    for model in _filled_tables(of):
        about_persons = _about_persons(model)
        columns = [column for column in columns_of(model) if column not in about_persons]
        for row in _rows(model, of, columns):
            digest.update(_line(model, columns, row))
    return digest.hexdigest()


def make_salts(of: EntryRange) -> None:
    """Make salts for players and texts that have none; call it before other hashes."""
    made_salts(of.pool, _players(of))
    make_text_salts(of.pool, _texts(of))


def persons_sha256(of: EntryRange, secret: bytes, before: Mapping[BookRow, bytes] = _NOTHING) -> str:
    """The hash over the columns about persons; `before` has the hashes of rows that were others then."""
    digest = hashlib.sha256(secret)
    for row, now in row_hashes(of):
        digest.update(before.get(row, now))
    return digest.hexdigest()


def row_hashes(of: EntryRange, which: Mapping[str, Q] | None = None) -> Iterator[tuple[BookRow, bytes]]:
    """The hash of what each row has about persons; `which`: of these tables only, and of their rows these."""
    players, texts = known_salts(of.pool), known_text_salts(of.pool)
    for model in _filled_tables(of):
        name, columns = table_name(model), _about_persons(model)
        if not columns or (which is not None and name not in which):
            continue
        is_of_player, some = name in ABOUT_PLAYERS, Q() if which is None else which[name]
        wanted = ["player_id" if is_of_player else "id", "id", *columns]
        for row in _rows(model, of, wanted, some):
            place = BookRow(name, row[1])
            key = players.get(row[0], b"") if is_of_player else texts.get(place, b"")
            yield place, hmac.digest(key, _line(model, wanted, row), "sha256")


def _about_persons(model: type[Model]) -> list[str]:
    name = table_name(model)
    if name in ABOUT_PLAYERS:
        return [column for column in columns_of(model) if column not in KEYS]
    return list(NAMING.get(name, ()))


def _players(of: EntryRange) -> Iterator[str]:
    for model in _filled_tables(of):
        if table_name(model) in ABOUT_PLAYERS:
            yield from (row[0] for row in _rows(model, of, ["player_id"]))


def _texts(of: EntryRange) -> Iterator[BookRow]:
    for model in _filled_tables(of):
        name = table_name(model)
        for number, *texts in _rows(model, of, ["id", *NAMING[name]]) if name in NAMING else ():
            if any(texts):
                yield BookRow(name, number)


def _filled_tables(of: EntryRange) -> list[type[Model]]:
    """The tables that have something of the range: most have nothing, and one statement tells of all."""
    with connection.cursor() as cursor:
        cursor.execute(_which_are_filled(), {"pool": of.pool.pk, "after": of.after, "until": of.until})
        filled = {name for (name,) in cursor.fetchall()}
    return [model for model in _tables() if table_name(model) in filled]


@cache
def _which_are_filled() -> str:
    """The statement that names them: Django's own of any range, with a mark for each of its values."""
    marks = {1: "%(pool)s", 2: "%(after)s", 3: "%(until)s"}
    of, found = EntryRange(Pool(pk=1), after=2, until=3), []
    for model in _tables():
        rows: QuerySet[Any] = QuerySet(model).filter(rows_within(model, of))
        rows = rows.order_by().values("pk")
        text, values = rows.query.sql_with_params()
        marked = text % tuple(marks[value] for value in values)
        found.append(f"SELECT '{table_name(model)}' WHERE EXISTS ({marked})")
    return " UNION ALL ".join(found)


def _tables() -> list[type[Model]]:
    models = apps.get_app_config("book").get_models()
    own = [model for model in models if issubclass(model, OF_BOOK)]
    return sorted(own, key=table_name)


def table_name(model: type[Model]) -> str:
    """What the log calls a table."""
    return model._meta.model_name or ""  # noqa: SLF001 - Django's name for what a model says of itself


def columns_of(model: type[Model]) -> list[str]:
    """The columns of a table, in the order of their names."""
    fields: list[Field[Any, Any]] = list(model._meta.concrete_fields)  # noqa: SLF001
    return sorted(field.attname for field in fields)


def _rows(
    model: type[Model], of: EntryRange, columns: list[str], which: Q | None = None
) -> Iterator[tuple[Any, ...]]:
    rows: QuerySet[Any] = QuerySet(model).filter(rows_within(model, of), which or Q())
    yield from rows.order_by("pk").values_list(*columns).iterator(chunk_size=ROWS)


def rows_within(model: type[Model], of: EntryRange) -> Q:
    """What chooses of a book's table what was entered into a pool's book in that range."""
    entry = "id" if issubclass(model, Entry) else "entry_id"
    pool = "entry__pool" if issubclass(model, PoolFile) else "pool"
    return Q(**{pool: of.pool, f"{entry}__gt": of.after, f"{entry}__lte": of.until})


def _line(model: type[Model], columns: Sequence[str], row: tuple[Any, ...]) -> bytes:
    """A row by its columns; one without a value does not count: a column added later changes nothing."""
    cells = {column: cell for column, cell in zip(columns, row, strict=True) if cell is not None}
    return orjson.dumps([table_name(model), cells], option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)
