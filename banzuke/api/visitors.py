"""Who asks: anybody, or a program with a key; and how often one may."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from django.core.cache import cache
from django.http import Http404
from ninja.errors import AuthenticationError, AuthorizationError
from ninja.security import HttpBearer
from ninja.throttling import BaseThrottle

from banzuke.book.models import Pool
from banzuke.desk.administration import keys

if TYPE_CHECKING:
    from django.http import HttpRequest

    from banzuke.book.models import ApiKey

READ, REPORTS = "read", "reports"


class Visitor(NamedTuple):
    """Who asks: the key that he showed, None for anybody."""

    key: ApiKey | None


class Key(HttpBearer):
    """A key with a scope for the pool in the address: `Authorization: Bearer bzk_...`."""

    def __init__(self, scope: str) -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> Visitor:
        """The visitor with that key. Raises AuthenticationError and AuthorizationError."""
        words = request.resolver_match.kwargs if request.resolver_match else {}
        pool = Pool.objects.filter(slug=words.get("pool", "")).first()
        key = keys.check(token, self.scope, pool)
        if key is not None:
            return Visitor(key)
        if any(keys.check(token, scope, pool) for scope in keys.SCOPES):
            raise AuthorizationError
        raise AuthenticationError


_READER = Key(READ)


def anybody(request: HttpRequest) -> Visitor | None:
    """Anybody may read; a key that is shown must hold: None for what is no key. Raises as `Key` does."""
    if "Authorization" not in request.headers:
        return Visitor(None)
    found: Visitor | None = _READER(request)
    return found


def pool_of(slug: str) -> Pool:
    """The pool of that word. Raises Http404."""
    pool = Pool.objects.filter(slug=slug).first()
    if pool is None:
        raise Http404
    return pool


class Limit(BaseThrottle):
    """So many requests in so many seconds, of an address or (`of_keys`) a key, whichever process answers."""

    def __init__(self, most: int, seconds: int, *, of_keys: bool) -> None:
        self.most = most
        self.seconds = seconds
        self.of_keys = of_keys

    def allow_request(self, request: HttpRequest) -> bool:
        """Count the request, and say whether it is within the limit."""
        visitor: Visitor = getattr(request, "auth", None) or Visitor(None)
        if (visitor.key is not None) != self.of_keys:
            return True
        who = visitor.key.prefix if visitor.key else request.META.get("REMOTE_ADDR", "")
        name = f"api-limit:{self.most}:{who}:{int(time.time()) // self.seconds}"
        cache.add(name, 0, self.seconds)
        try:
            return cache.incr(name) <= self.most
        except ValueError:  # it ended between the two, or nothing can be counted (a full disk)
            return True

    def wait(self) -> float:
        """The seconds until the count begins anew."""
        return self.seconds - time.time() % self.seconds


#: How many requests a minute an address and a key have, and how many reports an hour.
LIMITS: list[BaseThrottle] = [Limit(120, 60, of_keys=False), Limit(1_200, 60, of_keys=True)]
REPORT_LIMITS: list[BaseThrottle] = [*LIMITS, Limit(120, 3600, of_keys=True)]
