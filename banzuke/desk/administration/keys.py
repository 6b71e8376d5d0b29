"""Keys for programs: made once, shown once, kept as a hash; what one may do stands in its scopes."""

from __future__ import annotations

import hashlib
import secrets
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from django.db import transaction
from django.db.models import Q
from django.utils.crypto import constant_time_compare

from banzuke.book.models import ApiKey
from banzuke.desk.journal import note

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.contrib.auth.models import User

    from banzuke.book.models import Pool
    from banzuke.desk.journal import Actor

#: What keys may be made for: reading, sending reports, private data, and a Go server's games.
SCOPES = ("read", "reports", "private", "games")
PREFIX, SECRET = 4, 32  # bytes
_MARK = "bzk"


class Made(NamedTuple):
    """A new key, and the text of it, which nobody can see again."""

    key: ApiKey
    text: str


def make(
    name: str, user: User, pool: Pool | None, scopes: Iterable[str], expires_at: datetime | None, actor: Actor
) -> Made:
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
    return Made(key, text)


def revoke(key: ApiKey, actor: Actor) -> None:
    """From now on the key opens nothing."""
    with transaction.atomic():
        ApiKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=datetime.now(UTC))
        note(actor, "key-revoked", key.pool, key=key.prefix, name=key.name)


def check(text: str, scope: str, pool: Pool | None) -> ApiKey | None:
    """The key of that text if it holds now, has the scope, and is for the pool; else None.

    `pool` is None for what is of no pool: only a key for all pools opens it.
    """
    mark, _, rest = text.partition("_")
    now = datetime.now(UTC)
    holds = Q(expires_at=None) | Q(expires_at__gt=now)
    key = (
        ApiKey.objects.select_related("user", "pool")
        .filter(holds, prefix=rest.partition("_")[0], revoked_at=None, user__is_active=True)
        .first()
    )
    if mark != _MARK or key is None or not constant_time_compare(key.sha256, _hash(text)):
        return None
    return key if scope in key.scopes and key.pool_id in (None, pool.pk if pool else None) else None


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
