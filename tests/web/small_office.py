"""An office for tests: small pools, users by role, signed-in clients."""

from __future__ import annotations

from pathlib import Path

from django.contrib.auth import get_user_model
from django.test import Client
from repeated import entered_pool

from banzuke.database.models import Pool, Role

LEDGERS = Path(__file__).parents[1] / "ledger" / "small"
PASSWORD = "kanban musume 88"


def small_pool(kind="japan", slug=None) -> Pool:
    """A pool with the small ledger `japan` (its club is C1), `hakodate`, `fide` or `go`; nothing published."""
    return entered_pool(slug or kind, LEDGERS / kind, "test")


def user(kind=None, pool=None, club_id="", name=None):
    """A user with that kind of role ("reporter", "officer", "chief", "administrator"; None: no role)."""
    name = name or "-".join(filter(None, (kind or "nobody", pool and pool.slug, club_id)))
    made = get_user_model().objects.create_user(name, password=None)
    if kind is not None:
        Role.objects.create(user=made, pool=pool, kind=Role.Kind(kind), club_id=club_id)
    return made


def client(kind=None, pool=None, club_id="", lang="en") -> Client:
    """A client signed in as a new user with that role; `lang` is what the browser asks for."""
    made = Client(headers={"accept-language": lang})
    made.force_login(user(kind, pool, club_id))
    return made


def visitor(lang="en") -> Client:
    """A client of the public."""
    return Client(headers={"accept-language": lang})
