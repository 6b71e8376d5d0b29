"""What a backup carries: every table of the office but those that only this moment or this machine needs."""

from __future__ import annotations

import base64
import json
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import BinaryField, DateField, DateTimeField, Field, JSONField, Model

if TYPE_CHECKING:
    from collections.abc import Callable

#: Apps whose tables stay: who is signed in, failed attempts, what Django makes by itself.
LEFT_OUT_APPS = {"sessions", "axes", "contenttypes", "admin"}
#: Tables that stay: rights by which the office's roles do not go, and links in mails, which soon end.
LEFT_OUT = {"auth.permission", "auth.group", "account.emailconfirmation"}


def tables() -> dict[str, type[Model]]:
    """The models that a backup carries, by their names (`book.pool`)."""
    return {
        model._meta.label_lower: model  # noqa: SLF001 (Django's name for what a model says of itself)
        for model in apps.get_models()
        if model._meta.app_label not in LEFT_OUT_APPS and model._meta.label_lower not in LEFT_OUT  # noqa: SLF001
    }


def fields(model: type[Model]) -> list[Field[Any, Any]]:
    """A table's columns, in their order."""
    return list(model._meta.concrete_fields)  # noqa: SLF001


def migrations() -> list[str]:
    """The migrations that this database has had, of the apps whose tables are carried."""
    labels = {name.partition(".")[0] for name in tables()}
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied if app in labels)


def written(row: tuple[Any, ...]) -> bytes:
    """A row as a line of JSON: days and moments in ISO 8601, bytes in base64."""
    line = json.dumps(row, ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=_as_text)
    return line.encode() + b"\n"


def _as_text(value: Any) -> str:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode()
    raise TypeError(type(value).__name__)


def reader(field: Field[Any, Any]) -> Callable[[Any], Any] | None:
    """What makes of a column's written value one for the database; None: nothing need be done."""
    plain = _plain(field)
    if plain is None:
        return None
    return lambda value: None if value is None else field.get_db_prep_save(plain(value), connection)


def _plain(field: Field[Any, Any]) -> Callable[[Any], Any] | None:
    if isinstance(field, DateTimeField):
        return datetime.fromisoformat
    if isinstance(field, DateField):
        return date.fromisoformat
    if isinstance(field, BinaryField):
        return base64.b64decode
    return (lambda value: value) if isinstance(field, JSONField) else None
