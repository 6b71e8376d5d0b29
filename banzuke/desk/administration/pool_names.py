"""What pools are called."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from banzuke.book.models import PoolFile
from banzuke.ledger.pool import FILE

if TYPE_CHECKING:
    from banzuke.book.models import Pool


def name_of(pool: Pool) -> str:
    """The pool's name in its pool.toml; the word of its addresses where that says none."""
    texts = PoolFile.objects.filter(entry__pool=pool, name=FILE).order_by("pk").values_list("text", flat=True)
    text = texts.last()
    return str(tomllib.loads(text).get("name") or pool.slug) if text else pool.slug
