"""Who asks: anybody, or a program with a key; and how often one may."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from django.core.cache import cache, caches
from django.http import Http404
from ninja.errors import AuthenticationError, AuthorizationError
from ninja.security import HttpBearer
from ninja.throttling import BaseThrottle

from banzuke.database.models import Pool
from banzuke.office.administration import api_keys

if TYPE_CHECKING:
    from django.http import HttpRequest

    from banzuke.database.models import ApiKey
    from banzuke.office.administration.api_keys import Opened

READ, REPORTS, GAMES = "read", "reports", "games"


class KeyOwner(NamedTuple):
    """Who sends: the key that he showed."""

    key: ApiKey

    @property
    def prefix(self) -> str:
        """The first part of the key."""
        return self.key.prefix


class Key(HttpBearer):
    """A key with a scope for the pool in the address: `Authorization: Bearer bzk_...`."""

    def __init__(self, scope: str) -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> KeyOwner:
        """The visitor with that key. Raises AuthenticationError and AuthorizationError."""
        words = request.resolver_match.kwargs if request.resolver_match else {}
        pool = Pool.objects.filter(slug=words.get("pool", "")).first()
        key = api_keys.check(token, self.scope, pool)
        if key is not None:
            return KeyOwner(key)
        if any(api_keys.check(token, scope, pool) for scope in api_keys.SCOPES):
            raise AuthorizationError
        raise AuthenticationError


class Server(NamedTuple):
    """A Go server that sends: the first part of its key, the user who acts by it, and the pool."""

    prefix: str
    user: str
    pool: Pool


class ServerKey(HttpBearer):
    """A key with the scope for games in the pool in the address, looked up by one question."""

    def authenticate(self, request: HttpRequest, token: str) -> Server:
        """Who sends. Raises AuthenticationError, AuthorizationError, and Http404 for no such pool."""
        found = _open_key(request, token, GAMES)
        if found.pool is None:
            raise Http404
        return Server(found.prefix, found.user, found.pool)


class Reader(NamedTuple):
    """Who reads: the first part of the key that he showed, blank for anybody."""

    prefix: str


class _ReaderKey(HttpBearer):
    """A key that reads; who sends games is told what became of them."""

    def authenticate(self, request: HttpRequest, token: str) -> Reader:
        """The reader. Raises AuthenticationError and AuthorizationError."""
        return Reader(_open_key(request, token, READ, GAMES).prefix)


_READER = _ReaderKey()


def _open_key(request: HttpRequest, token: str, *scopes: str) -> Opened:
    """What a key with one of the scopes opens. Raises AuthenticationError and AuthorizationError."""
    words = request.resolver_match.kwargs if request.resolver_match else {}
    found = api_keys.opened(token, words.get("pool", ""))
    if found is None:
        raise AuthenticationError
    if not set(scopes).intersection(found.scopes):
        raise AuthorizationError
    return found


def optional_key(request: HttpRequest) -> Reader | None:
    """Anybody may read; a key that is shown must hold: None for what is no key. Raises as `Key` does."""
    if "Authorization" not in request.headers:
        return Reader("")
    found: Reader | None = _READER(request)
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
        prefix = getattr(getattr(request, "auth", None), "prefix", "")
        if bool(prefix) != self.of_keys:
            return True
        who = prefix or request.META.get("REMOTE_ADDR", "")
        name = f"api-limit:{self.most}:{who}:{int(time.time()) // self.seconds}"
        cache.add(name, 0, self.seconds)
        try:
            return cache.incr(name) <= self.most
        except ValueError:  # it ended between the two, or nothing can be counted (a full disk)
            return True

    def wait(self) -> float:
        """The seconds until the count begins anew."""
        return self.seconds - time.time() % self.seconds


class ServerLimit(BaseThrottle):
    """So many requests in so many seconds of a server's key, counted by each process for itself: quickly."""

    def __init__(self, most: int, seconds: int) -> None:
        self.most = most
        self.seconds = seconds

    def allow_request(self, request: HttpRequest) -> bool:
        """Count the request, and say whether it is within the limit."""
        return self.count(request.auth.prefix)  # type: ignore[attr-defined]

    def count(self, prefix: str) -> bool:
        """The same of a key by its first part."""
        name = f"server-limit:{prefix}:{int(time.time()) // self.seconds}"
        counts = caches["memory"]
        counts.add(name, 0, self.seconds)
        return counts.incr(name) <= self.most

    def wait(self) -> float:
        """The seconds until the count begins anew."""
        return self.seconds - time.time() % self.seconds


#: How many requests a minute an address and a key have, and how many reports an hour.
LIMITS: list[BaseThrottle] = [Limit(120, 60, of_keys=False), Limit(1_200, 60, of_keys=True)]
#: Of a Go server, which asks before and after each game.
LIVE_LIMITS: list[BaseThrottle] = [Limit(120, 60, of_keys=False), Limit(60_000, 60, of_keys=True)]
REPORT_LIMITS: list[BaseThrottle] = [*LIMITS, Limit(120, 3600, of_keys=True)]
#: How many requests a minute a Go server's key has of each process: a bound for one that has gone wild.
SERVER_LIMIT = ServerLimit(60_000, 60)
