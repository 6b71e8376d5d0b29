"""Hashes over what was entered into a pool's book between two entries, so that no row of it changes unseen.

One hash is over the columns that tell nothing about persons (`book_sha256`). In the other (`persons_sha256`)
each row about a person counts by a hash that needs the player's salt, so that nothing can be found out by
guessing once the salt is gone; who erases a person has this one made anew over the whole book. Both begin
with a secret that is not public.
"""

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import orjson
from django.apps import apps
from django.db.models import Field, Model, Q, QuerySet

from banzuke.database.models import Entry, Fact, Pool, PoolFile, Strike
from banzuke.office.transparency.player_salts import known_salts, made_salts

#: Tables whose rows are about a player, but for the columns that say which row it is, and of whom.
ABOUT_PLAYERS = ("player", "goplayer", "contact", "membership")
KEYS = ("id", "entry_id", "pool_id", "player_id")
#: The columns of other tables that may name persons.
NAMING: Mapping[str, tuple[str, ...]] = {"event": ("responsible", "reporter"), "entry": ("author", "why")}
ROWS = 10_000


class EntryRange(NamedTuple):
    """What was entered into a pool's book after one entry, up to another."""

    pool: Pool
    after: int
    until: int


def book_sha256(of: EntryRange, secret: bytes) -> str:
    """The hash over the columns that tell nothing about persons."""
    digest = hashlib.sha256(secret)
    for model in _tables():
        about_persons = _about_persons(model)
        columns = [column for column in _columns(model) if column not in about_persons]
        for row in _rows(model, of, columns):
            digest.update(_line(model, row))
    return digest.hexdigest()


def make_salts(of: EntryRange) -> None:
    """Make salts for the players who have none; call it within a transaction, before `persons_sha256`."""
    made_salts(of.pool, _players(of))


def persons_sha256(of: EntryRange, secret: bytes) -> str:
    """The hash over the columns about persons."""
    digest = hashlib.sha256(secret)
    salts = known_salts(of.pool)
    for model in _tables():
        columns = _about_persons(model)
        is_of_player = _name(model) in ABOUT_PLAYERS
        wanted = ["player_id" if is_of_player else "id", "id", *columns]
        for row in _rows(model, of, wanted) if columns else ():
            key = salts.get(row[0], b"") if is_of_player else secret
            digest.update(hmac.digest(key, _line(model, row), "sha256"))
    return digest.hexdigest()


def _about_persons(model: type[Model]) -> list[str]:
    name = _name(model)
    if name in ABOUT_PLAYERS:
        return [column for column in _columns(model) if column not in KEYS]
    return list(NAMING.get(name, ()))


def _players(of: EntryRange) -> Iterator[str]:
    for model in _tables():
        if _name(model) in ABOUT_PLAYERS:
            yield from (row[0] for row in _rows(model, of, ["player_id"]))


def _tables() -> list[type[Model]]:
    """The tables of a book: the entries themselves, and whatever came with them."""
    models = apps.get_app_config("book").get_models()
    own = [model for model in models if issubclass(model, Fact | PoolFile | Strike | Entry)]
    return sorted(own, key=_name)


def _name(model: type[Model]) -> str:
    return model._meta.model_name or ""  # noqa: SLF001 - Django's name for what a model says of itself


def _columns(model: type[Model]) -> list[str]:
    fields: list[Field[Any, Any]] = list(model._meta.concrete_fields)  # noqa: SLF001
    return sorted(field.attname for field in fields)


def _rows(model: type[Model], of: EntryRange, columns: list[str]) -> Iterator[tuple[Any, ...]]:
    entry = "id" if issubclass(model, Entry) else "entry_id"
    place = Q(**{f"{entry}__gt": of.after, f"{entry}__lte": of.until})
    pool = {"entry__pool": of.pool} if issubclass(model, PoolFile) else {"pool": of.pool}
    rows: QuerySet[Any] = QuerySet(model).filter(place, **pool)
    yield from rows.order_by("pk").values_list(*columns).iterator(chunk_size=ROWS)


def _line(model: type[Model], row: tuple[Any, ...]) -> bytes:
    return orjson.dumps([_name(model), *row], option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)
