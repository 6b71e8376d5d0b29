"""Fills the office's database: in every table that a backup carries a row of odd values and a row of blanks.

Run as a program, on the database that BANZUKE_HOME or DATABASE_URL names.
"""

from __future__ import annotations

import sys
from datetime import UTC, date, datetime

from django.db.models import (
    AutoField,
    BigAutoField,
    BinaryField,
    BooleanField,
    DateField,
    DateTimeField,
    ForeignKey,
    IntegerField,
    JSONField,
    PositiveIntegerField,
    SlugField,
)

ODD = "五郎 Ōno \"' \\ ,;\t=1+1 <b> 𠮷 é"
MOMENT = datetime(2025, 3, 31, 23, 59, 59, 123456, UTC)

#: By a column's kind, the first that fits: its value in the row of odd values and in the row of blanks.
VALUES = (
    (ForeignKey, 1, 2),
    (JSONField, {"b": [1, None, ODD], "a": {"é": True}}, []),
    (BooleanField, True, False),
    (DateTimeField, MOMENT, MOMENT),
    (DateField, date(1926, 12, 25), date(2024, 2, 29)),
    (BinaryField, bytes(range(256)), b""),
    (SlugField, "one", "two"),
    (PositiveIntegerField, 1, 2),
    (IntegerField, -1, 2),
)


def value(field, row):
    """A value for a column of the row 1 (odd) or 2 (blank where it may be)."""
    if isinstance(field, BigAutoField | AutoField):
        return row
    if row == 2 and field.null:
        return None
    if str(field) == "book.PoolFile.name":  # it becomes the name of a file
        return f"{row}表.toml"
    for kind, odd, plain in VALUES:
        if isinstance(field, kind):
            return (odd, plain)[row - 1]
    return "" if row == 2 and field.blank else f"{row}{ODD}"[: field.max_length]


def fill() -> None:
    """Two rows a table."""
    from django.db import transaction

    from banzuke.office.administration.backup import fields, tables

    with transaction.atomic():
        for model in tables().values():
            for row in (1, 2):
                values = {field.attname: value(field, row) for field in fields(model)}
                model(**values).save_base(raw=True, force_insert=True)


if __name__ == "__main__":
    from banzuke.server.office_opening import open_office

    open_office()
    fill()
    sys.exit()
