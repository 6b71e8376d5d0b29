"""Keys for programs: made once, shown once, kept as a hash; what one may do stands in its scopes."""

import hashlib
import json
import re
import secrets
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.crypto import constant_time_compare

from banzuke.database import models
from banzuke.database.models import ApiKey, Pool, Role
from banzuke.office.journal import Actor, note
from banzuke.office.raw_sql import Statements, moment_text

#: What keys may be made for: reading, sending reports, private data, and a Go server's games.
SCOPES = ("read", "reports", "private", "games")
PREFIX, SECRET = 4, 32  # bytes
_MARK = "bzk"
_FORM = re.compile(rf"{_MARK}_[0-9a-f]{{{2 * PREFIX}}}_[-\w]{{1,100}}", re.ASCII)
#: What only an officer's key opens, as an officer's pages do: what a reporter sends is decided on first.
OFFICERS = frozenset({"private", "games"})
#: With the roles that the user has in the pool (where there is none of that word: in any) now.
_OPENED = (
    "SELECT k.sha256, u.username, k.scopes, k.pool_id, p.id, "
    "(SELECT MAX(CASE r.kind WHEN 'reporter' THEN 1 ELSE 2 END) FROM book_role r WHERE r.user_id = k.user_id "
    "AND (p.id IS NULL OR r.pool_id IS NULL OR r.pool_id = p.id)) FROM book_apikey k "
    "JOIN auth_user u ON u.id = k.user_id LEFT JOIN book_pool p ON p.slug = %s "
    "AND p.id NOT IN (SELECT pool_id FROM book_hiddenpool) "
    "WHERE k.prefix = %s AND k.revoked_at IS NULL AND u.is_active "
    "AND (k.expires_at IS NULL OR k.expires_at > %s)"
)


class NewKey(NamedTuple):
    """A new key, and the text of it, which nobody can see again."""

    key: ApiKey
    text: str


def make_key(
    name: str, user: User, pool: Pool | None, scopes: Iterable[str], expires_at: datetime | None, actor: Actor
) -> NewKey:
    """A key that acts for a user, in one pool or (None) in all. Raises ValueError for a scope unknown."""
    wanted = [scope for scope in SCOPES if scope in set(scopes)]
    if set(scopes) - set(wanted):
        raise ValueError(scopes)
    prefix = secrets.token_hex(PREFIX)
    text = f"{_MARK}_{prefix}_{secrets.token_urlsafe(SECRET)}"
    with transaction.atomic():
        key = ApiKey.objects.create(
            name=name,
            user=user,
            pool=pool,
            prefix=prefix,
            sha256=_hash(text),
            scopes=wanted,
            made_at=datetime.now(UTC),
            expires_at=expires_at,
        )
        note(actor, "key-made", pool, key=prefix, name=name, user=user.username, scopes=wanted)
    return NewKey(key, text)


def revoke_key(key: ApiKey, actor: Actor) -> None:
    """From now on the key opens nothing."""
    with transaction.atomic():
        ApiKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=datetime.now(UTC))
        note(actor, "key-revoked", key.pool, key=key.prefix, name=key.name)


class KeyAccess(NamedTuple):
    """What a key opens now: its first part, who acts by it, its scopes, the pool that was meant.

    The scopes are those that the user's roles allow. `pool` is None where there is none of that word. `row`
    is what the database said.
    """

    prefix: str
    user: str
    scopes: list[str]
    pool: Pool | None
    row: tuple[Any, ...]


def find_access(text: str, slug: str) -> KeyAccess | None:
    """What the key of that text opens in the pool of that word; None: it does not hold, or is for another.

    Nor does it hold in a pool in which its user has no role. One question to the database.
    """
    row = _ask_access(text, slug).fetchone()
    if row is None or not _is_of(text, row[0]):
        return None
    _, user, scopes, bound, number, role = row
    if bound not in (None, number) or role is None:
        return None
    pool = None if number is None else models.Pool(pk=number, slug=slug)
    return KeyAccess(key_prefix(text), user, _allowed(json.loads(scopes), role > 1), pool, row)


def ask_access_unchanged(text: str, slug: str, found: KeyAccess) -> Callable[[], bool]:
    """Ask whether the key still opens what was found; gives a function that fetches the answer."""
    asked = _ask_access(text, slug)
    return lambda: asked.fetchone() == found.row


def _ask_access(text: str, slug: str) -> Any:
    return Statements().repeat(_OPENED, [slug, key_prefix(text), moment_text(datetime.now(UTC))])


def is_valid(text: str) -> bool:
    """Whether the key of that text holds at all: in its own pool or, as one for all pools, in any."""
    found = ApiKey.objects.select_related("pool").filter(prefix=key_prefix(text)).first()
    slug = "" if found is None or found.pool is None else found.pool.slug
    return find_access(text, slug) is not None


def find_role(user: User, pool: Pool | None) -> Role.Kind | None:
    """Whether a key of the user's would act for a reporter or for an officer there (None: anywhere)."""
    roles = Role.objects.filter(user=user)
    if pool is not None:
        roles = roles.filter(Q(pool=pool) | Q(pool=None))
    kinds = set(roles.values_list("kind", flat=True))
    return Role.Kind.OFFICER if kinds - {Role.Kind.REPORTER} else Role.Kind.REPORTER if kinds else None


def is_chief(user: str, pool: Pool) -> bool:
    """Whether a user is a chief officer of the pool, or an administrator."""
    of = Q(pool=pool) | Q(pool=None)
    kinds = (Role.Kind.CHIEF, Role.Kind.ADMINISTRATOR)
    return Role.objects.filter(of, user__username=user, kind__in=kinds).exists()


def _allowed(scopes: list[str], to_officer: bool) -> list[str]:
    return [scope for scope in scopes if to_officer or scope not in OFFICERS]


def key_prefix(text: str) -> str:
    """The first part of a key, by which it is found; it is no secret."""
    return text.removeprefix(f"{_MARK}_").partition("_")[0]


def has_form_of_key(text: str) -> bool:
    """Whether a text has the form of a key."""
    return _FORM.fullmatch(text) is not None


def _is_of(text: str, sha256: str) -> bool:
    return text.startswith(f"{_MARK}_") and constant_time_compare(sha256, _hash(text))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
