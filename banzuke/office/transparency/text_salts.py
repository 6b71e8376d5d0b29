"""The salts of texts in the book that may name somebody: reasons of entries, who is responsible for an event.

A salt goes when somebody is erased in the text; then nobody can try what stood there.
"""

import secrets
from collections.abc import Iterable
from typing import NamedTuple

from django.db import transaction

from banzuke.database.models import Pool, TextSalt
from banzuke.office.raw_sql import insert_new
from banzuke.office.transparency.player_salts import SALT_BYTES


class BookRow(NamedTuple):
    """A row of the book: its table, as `event`, and its number."""

    table: str
    row: int


def make_text_salts(pool: Pool, texts: Iterable[BookRow]) -> None:
    """Make salts for those of the texts that have none."""
    new = sorted(set(texts) - known_text_salts(pool).keys())
    if not new:
        return
    rows = [(pool.pk, *each, secrets.token_bytes(SALT_BYTES)) for each in new]
    with transaction.atomic():
        insert_new(TextSalt, ("pool_id", "table", "row", "salt"), rows)


def known_text_salts(pool: Pool) -> dict[BookRow, bytes]:
    """The salts that there are, by the row of the text."""
    rows = TextSalt.objects.filter(pool=pool).values_list("table", "row", "salt")
    return {BookRow(table, row): bytes(salt) for table, row, salt in rows.iterator(chunk_size=10_000)}


def forget_text_salts(pool: Pool, texts: Iterable[BookRow]) -> None:
    """Take out the salts of these texts."""
    for table, row in texts:
        TextSalt.objects.filter(pool=pool, table=table, row=row).delete()
