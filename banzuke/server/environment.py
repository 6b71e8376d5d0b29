"""The settings that an office takes from the environment, looked at before anything is done by them."""

import re
from collections.abc import Callable, Mapping
from email.utils import parseaddr
from importlib.util import find_spec
from ipaddress import ip_network
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import dj_database_url

from banzuke.core.fault import Fault, fault, refuse_any

SQLITE, POSTGRESQL = "django.db.backends.sqlite3", "django.db.backends.postgresql"
#: What SQLite is told on each connection. Readers never wait for a writer, and a commit is on the disk; a
#: connection keeps up to 64 MB of pages, where SQLite would keep 2. The log goes into the file every 4,000
#: pages (16 MB): SQLite's 1,000 come every 40 commits of a Go server, and each time the disk is waited for
#: twice more.
SQLITE_SETTINGS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA cache_size=-65536",
    "PRAGMA wal_autocheckpoint=4000",
)
#: The least characters of a key that signs.
LEAST_KEY_LENGTH = 32
HIGHEST_PORT = 65535
#: The most processes that serve pages.
MOST_WORKERS = 64
#: Set by `banzuke serve` for its processes: the socket of the writer of games.
GAME_WRITER = "BANZUKE_GAME_WRITER"
#: What a request's `Host` may be: a name (with all below it: `.example.org`), an address, `[an IPv6 one]`.
_HOST = re.compile(r"\.?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]+\]")


def check_environment(environ: Mapping[str, str]) -> None:
    """Raise RefusedError with every setting that an office cannot be opened by; one left blank is not set."""
    found = ((name, environ.get(name), find) for name, find in _FINDERS.items())
    refuse_any([each for name, value, find in found if value for each in find(name, value)])


def _database(name: str, value: str) -> list[Fault]:
    """The address is not repeated: there is a password in it."""
    try:
        engine = dj_database_url.parse(value)["ENGINE"]
        if engine == POSTGRESQL:
            urlsplit(value).port  # noqa: B018  # raises ValueError
    except ValueError:
        engine = ""
    if engine not in (SQLITE, POSTGRESQL):
        return [fault(name, 0, "", "setting-database")]
    if engine == POSTGRESQL and find_spec("psycopg") is None:
        return [fault(name, 0, "", "setting-driver")]
    return []


def _hosts(name: str, value: str) -> list[Fault]:
    words = (word for word in value.split() if not _HOST.fullmatch(word))
    return [fault(name, 0, "", "setting-host", value=word) for word in words]


def _proxies(name: str, value: str) -> list[Fault]:
    words = (word for word in value.split() if not _succeeds(ip_network, word))
    return [fault(name, 0, "", "setting-proxy", value=word) for word in words]


def _switch(name: str, value: str) -> list[Fault]:
    return [] if value in ("0", "1") else [fault(name, 0, "", "setting-switch", value=value)]


def _key(name: str, value: str) -> list[Fault]:
    return (
        []
        if len(value.strip()) >= LEAST_KEY_LENGTH
        else [fault(name, 0, "", "setting-key", least=LEAST_KEY_LENGTH)]
    )


def _zone(name: str, value: str) -> list[Fault]:
    return [] if _succeeds(ZoneInfo, value) else [fault(name, 0, "", "setting-zone", value=value)]


def _port(name: str, value: str) -> list[Fault]:
    is_port = value.isascii() and value.isdigit() and 1 <= int(value) <= HIGHEST_PORT
    return [] if is_port else [fault(name, 0, "", "setting-port", value=value)]


def _workers(name: str, value: str) -> list[Fault]:
    is_count = value.isascii() and value.isdigit() and 1 <= int(value) <= MOST_WORKERS
    return [] if is_count else [fault(name, 0, "", "setting-workers", value=value, most=MOST_WORKERS)]


def _sender(name: str, value: str) -> list[Fault]:
    address = parseaddr(value)[1]
    is_one = value.isprintable() and all(address.rpartition("@"))
    return [] if is_one else [fault(name, 0, "", "setting-sender", value=value)]


def _succeeds(make: Callable[[str], object], word: str) -> bool:
    """ZoneInfo has a KeyError for a zone that is not there, an OSError for half of a name (`Asia`)."""
    try:
        make(word)
    except (ValueError, KeyError, OSError):
        return False
    return True


_FINDERS: dict[str, Callable[[str, str], list[Fault]]] = {
    "DATABASE_URL": _database,
    "BANZUKE_HOSTS": _hosts,
    "BANZUKE_TLS": _switch,
    "BANZUKE_TRUSTED_PROXY": _proxies,
    "BANZUKE_SECRET_KEY": _key,
    "BANZUKE_TIME_ZONE": _zone,
    "BANZUKE_WEBHOOKS_HTTP": _switch,
    "BANZUKE_WORKERS": _workers,
    "EMAIL_PORT": _port,
    "EMAIL_USE_TLS": _switch,
    "EMAIL_FROM": _sender,
}
