"""Who asks: anybody, or a program with a key; and how often one may."""

import threading
import time
from collections import defaultdict
from math import ceil
from typing import NamedTuple

from django.core.cache import cache
from django.http import HttpRequest
from ninja.errors import AuthenticationError, AuthorizationError, Throttled
from ninja.security import HttpBearer
from ninja.throttling import BaseThrottle

from banzuke.api.problems import ProblemError
from banzuke.database.models import Pool
from banzuke.office.administration import api_keys

READ, REPORTS, PRIVATE, GAMES = "read", "reports", "private", "games"


class Caller(NamedTuple):
    """Who asks: the first part of the key, the user it acts for, the pool it opens, and its scopes."""

    prefix: str
    user: str
    pool: Pool
    scopes: frozenset[str]


class CallerWithoutPool(NamedTuple):
    """Who asks for what is of no pool, or shows no key: the first part of the key, if there is one."""

    prefix: str = ""


def key_in(authorization: str) -> str | None:
    """The key that a header `Authorization` shows, read as `HttpBearer` does; None where it shows none."""
    scheme, _, key = authorization.partition(" ")
    return key if scheme.lower() == HttpBearer.openapi_scheme else None


class Key(HttpBearer):
    """A key with one of the scopes for the pool in the address: `Authorization: Bearer bzk_...`."""

    def __init__(self, *scopes: str) -> None:
        super().__init__()
        self.scopes = scopes

    def authenticate(self, request: HttpRequest, token: str) -> Caller:
        """Who asks. Raises AuthenticationError, AuthorizationError, and ProblemError for no such pool."""
        found = api_keys.find_access(token, str(_words(request)["pool"]))
        if found is None:
            raise _refusal(request)
        if not set(self.scopes).intersection(found.scopes):
            raise AuthorizationError
        if found.pool is None:
            raise ProblemError("unknown-pool")
        return Caller(found.prefix, found.user, found.pool, frozenset(found.scopes))


class KeyOfAnyPool(HttpBearer):
    """A key that holds, whatever its scopes and its pool: for addresses without a pool."""

    def authenticate(self, request: HttpRequest, token: str) -> CallerWithoutPool:
        """Who asks. Raises AuthenticationError."""
        if not api_keys.is_valid(token):
            raise _refusal(request)
        return CallerWithoutPool(api_keys.key_prefix(token))


def _words(request: HttpRequest) -> dict[str, object]:
    """The words of the address."""
    return request.resolver_match.kwargs if request.resolver_match else {}


def _refusal(request: HttpRequest) -> AuthenticationError | Throttled:
    """The answer to a key that does not hold; too many of them are slowed."""
    if not WRONG_KEYS.count(f"wrong:{request.META.get('REMOTE_ADDR', '')}"):
        return Throttled(ceil(WRONG_KEYS.wait()))
    return AuthenticationError()


#: Who may read: with a key that reads; a server that sends games may read the results.
_READER, _ANY = Key(READ, GAMES), KeyOfAnyPool()


def optional_key(request: HttpRequest) -> Caller | CallerWithoutPool | None:
    """Anybody may read; a key that is shown must hold: None for what is no key. Raises as `Key` does."""
    if "Authorization" not in request.headers:
        return CallerWithoutPool()
    found: Caller | CallerWithoutPool | None = (_READER if "pool" in _words(request) else _ANY)(request)
    return found


def caller(request: HttpRequest) -> Caller:
    """Who sent a request that needs a key."""
    found: Caller = request.auth  # type: ignore[attr-defined]
    return found


def pool_of(slug: str) -> Pool:
    """The pool of that word. Raises ProblemError."""
    found = Pool.objects.filter(slug=slug).first()
    if found is None:
        raise ProblemError("unknown-pool")
    return found


class Limit(BaseThrottle):
    """So many requests in so many seconds of an address or (`of_keys`) a key, by all processes together."""

    def __init__(self, most: int, seconds: int, *, of_keys: bool) -> None:
        self.most = most
        self.seconds = seconds
        self.of_keys = of_keys

    def allow_request(self, request: HttpRequest) -> bool:
        """Count the request, and say whether it is within the limit."""
        prefix = getattr(getattr(request, "auth", None), "prefix", "")
        if bool(prefix) != self.of_keys:
            return True
        return self.count(prefix or request.META.get("REMOTE_ADDR", ""))

    def count(self, who: str) -> bool:
        """Count one more of that address or key, and say whether it is within the limit."""
        name = f"api-limit:{self.most}:{who}:{int(time.time()) // self.seconds}"
        try:
            cache.add(name, 0, self.seconds)
            return cache.incr(name) <= self.most
        except ValueError:  # it ended between the two, or nothing can be counted (a full disk)
            return True

    def wait(self) -> float:
        """The seconds until the count begins anew."""
        return self.seconds - time.time() % self.seconds


class ProcessLimit(Limit):
    """A limit that each process counts for itself, which is quick."""

    def __init__(self, most: int, seconds: int, *, of_keys: bool) -> None:
        super().__init__(most, seconds, of_keys=of_keys)
        self._counting = threading.Lock()
        self.clear()

    def clear(self) -> None:
        """Begin anew."""
        self._period = 0
        self._counts: defaultdict[str, int] = defaultdict(int)

    def count(self, who: str) -> bool:
        """Count one more of that address or key, and say whether it is within the limit."""
        period = int(time.time()) // self.seconds
        with self._counting:
            if period != self._period:
                self.clear()
                self._period = period
            self._counts[who] += 1
            return self._counts[who] <= self.most


#: How many wrong keys a minute an address may show; a good one is taken even then.
WRONG_KEYS = Limit(20, 60, of_keys=False)
#: How many requests a minute an address and a key have, and how many reports an hour.
LIMITS: list[BaseThrottle] = [Limit(120, 60, of_keys=False), Limit(1_200, 60, of_keys=True)]
REPORT_LIMITS: list[BaseThrottle] = [*LIMITS, Limit(120, 3600, of_keys=True)]
#: How many requests a minute a Go server's key has of each process: a bound for one that has gone wild.
SERVER_LIMIT = ProcessLimit(200_000, 60, of_keys=True)
#: The same of what a Go server asks before and after each game, which anybody else may ask, too.
LIVE_LIMITS: list[BaseThrottle] = [Limit(120, 60, of_keys=False), SERVER_LIMIT]
