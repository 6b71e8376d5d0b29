"""Pools with all their lists published."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from repeated import repeated

from banzuke.database.book_reader import read_book
from banzuke.database.book_writer import Act, open_entry
from banzuke.database.ledger_folders import enter_folder
from banzuke.database.models import Contact, Pool
from banzuke.office.journal import Actor
from banzuke.office.lists import list_index
from banzuke.office.lists.publishing import publish

EXAMPLES = Path(__file__).parents[2] / "examples"


def published_pool(example="japan", slug=None, folder=None) -> Pool:
    """A pool with an example ledger (or that of a folder), every list of it published."""

    def make() -> Pool:
        pool = enter_folder(slug or example, folder or EXAMPLES / example, "test")
        publish(pool, list_index.names_of(read_book(pool))[-1], Actor("test"), date(2030, 1, 1))
        return pool

    return make() if folder else repeated(("web", example, slug), make)


def hide(pool, player_id, by_id_only=True):
    """Show a member by id only (or by name again) from now on."""
    entry = open_entry(pool, Act("test", "change-member"))
    Contact.objects.create(entry=entry, pool=pool, player_id=player_id, by_id_only=by_id_only)
