"""What all processes of this machine count together: Django's cache, in a small SQLite file of its own.

Not in the office's database: there a count would wait for whoever writes. Values are what JSON has.
"""

import json
import logging
import sqlite3
import time
from typing import Any, NamedTuple

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.utils.functional import cached_property

LOG = logging.getLogger(__name__)
#: Seconds that a count waits for another one.
PATIENCE = 1
_TABLE = (
    "CREATE TABLE IF NOT EXISTS counts (name TEXT PRIMARY KEY, value TEXT NOT NULL, ends REAL NOT NULL)"
    " WITHOUT ROWID"
)
_INDEX = "CREATE INDEX IF NOT EXISTS counts_ends ON counts (ends)"
_SET = (
    "INSERT INTO counts VALUES (:name, :value, :ends)"
    " ON CONFLICT (name) DO UPDATE SET value = :value, ends = :ends WHERE ends <= :now OR :anyway"
)
_INCREASE = (
    "UPDATE counts SET value = CAST(value AS INTEGER) + :delta WHERE name = :name AND ends > :now"
    " RETURNING value"
)


class _Asked(NamedTuple):
    """What a statement gave, and how many rows it changed."""

    rows: list[Any]
    changed: int


class SharedCache(BaseCache):
    """A cache that adds and increases in one step, whoever else does; LOCATION is its file.

    Where the disk is full or cannot be written to nothing is counted, as by a cache that is away: readers are
    not turned away for it.
    """

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._location = location

    @cached_property
    def _counts(self) -> sqlite3.Connection:
        """Each thread has a cache, and so a connection, of its own."""
        found = sqlite3.connect(self._location, timeout=PATIENCE, isolation_level=None)
        for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=NORMAL", _TABLE, _INDEX):
            found.execute(statement)
        return found

    def _ask(self, statement: str, **said: object) -> _Asked | None:
        """None where nothing can be counted, of which the log has a line."""
        try:
            done = self._counts.execute(statement, {"now": time.time()} | said)
            rows = done.fetchall()  # what changes rows and gives them back is on the disk only now
        except sqlite3.Error as error:
            LOG.warning("Nothing was counted: %s", error)
            return None
        return _Asked(rows, done.rowcount)

    def _put(self, name: str, value: object, timeout: Any, *, anyway: bool) -> _Asked | None:
        ends = self.get_backend_timeout(timeout)
        return self._ask(
            _SET,
            name=name,
            value=json.dumps(value),
            ends=float("inf") if ends is None else ends,
            anyway=anyway,
        )

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Set what is not there; whether it was not. With it, what has ended goes."""
        done = self._put(self.make_and_validate_key(key, version), value, timeout, anyway=False)
        if done is not None and done.changed:
            self._ask("DELETE FROM counts WHERE ends <= :now")
        return done is None or done.changed > 0

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        """What was set, while it lasts."""
        name = self.make_and_validate_key(key, version)
        found = self._ask("SELECT value FROM counts WHERE name = :name AND ends > :now", name=name)
        return json.loads(found.rows[0][0]) if found and found.rows else default

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        """Set it, whatever was there."""
        self._put(self.make_and_validate_key(key, version), value, timeout, anyway=True)

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        """The number that it is then. Raises ValueError if there is none."""
        name = self.make_and_validate_key(key, version)
        found = self._ask(_INCREASE, name=name, delta=delta)
        if not found or not found.rows:
            raise ValueError(name)
        return int(found.rows[0][0])

    def delete(self, key: Any, version: int | None = None) -> bool:
        """Forget it; whether it was there."""
        name = self.make_and_validate_key(key, version)
        done = self._ask("DELETE FROM counts WHERE name = :name", name=name)
        return done is not None and done.changed > 0

    def clear(self) -> None:
        """Forget everything."""
        self._ask("DELETE FROM counts")
