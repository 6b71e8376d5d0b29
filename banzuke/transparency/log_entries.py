"""The entries of an office's log: canonical JSON, each of a kind (`KINDS`), read strictly.

`list`: a list or a revision was published. `rules`: a pool's rule files changed. `adjustment`: a pool's
ratings were adjusted. `final`: a preliminary list became final. `erasure`: a person was erased. `records`:
what the office entered is bound into the log. `key`: the office signs with other keys from now on. `restart`:
the log goes on under another name. None names a person.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

from banzuke.transparency.proof_error import ProofError
from banzuke.transparency.signed_notes import read_key
from banzuke.transparency.strict_text import json_text, json_value


class ListEntry(NamedTuple):
    """A list or a revision of it was published.

    `entry` is the position in the pool's book that it was made from, `sha256` the hash of its content,
    `events_sha256` that of what it says of its events, `root` the root of the tree of its `players` leaves,
    `book` the hash over what was entered since the pool's list before. `preliminary_until` is a day, or None.
    `late`: it was published before the office kept a log.
    """

    pool: str
    list: str
    revision: int
    number: int
    day: str
    entry: int
    sha256: str
    events_sha256: str | None
    players: int
    root: str
    published: str
    book: str
    persons: str
    preliminary_until: str | None = None
    late: bool = False


class RulesEntry(NamedTuple):
    """A pool's rule files changed: the hash of each by its name, as they are from now on."""

    pool: str
    at: str
    files: Mapping[str, str]


class AdjustmentEntry(NamedTuple):
    """A pool's ratings were adjusted, in so many rows.

    `entry` is the position in the pool's book, `sha256` the hash of the rows with their header, as
    adjustments.csv has them.
    """

    pool: str
    entry: int
    rows: int
    sha256: str
    at: str


class FinalEntry(NamedTuple):
    """A list that was preliminary became final."""

    pool: str
    list: str
    revision: int
    at: str


class ErasureEntry(NamedTuple):
    """A person's data were erased in so many rows, by the entry `entry` of the pool's book.

    `book` is the hash over what the office noted about it, `persons` that over what is left of the rows.
    """

    pool: str
    rows: int
    entry: int
    book: str
    persons: str
    at: str


class RecordsEntry(NamedTuple):
    """What the office entered in its journal, reports, fees and books: the hash of what no entry had yet."""

    sha256: str
    at: str


class RestartEntry(NamedTuple):
    """The log goes on under another origin, for a reason; what was signed last under the one before."""

    before: str
    size: int
    root: str
    reason: str
    at: str


class KeyEntry(NamedTuple):
    """The keys by which the office signs from now on, the newest first."""

    keys: tuple[str, ...]
    at: str


LogEntry = (
    ListEntry
    | RulesEntry
    | AdjustmentEntry
    | FinalEntry
    | ErasureEntry
    | RecordsEntry
    | KeyEntry
    | RestartEntry
)
KINDS: dict[str, type[LogEntry]] = {
    "list": ListEntry, "rules": RulesEntry, "adjustment": AdjustmentEntry, "final": FinalEntry,
    "erasure": ErasureEntry, "records": RecordsEntry, "key": KeyEntry, "restart": RestartEntry,
}  # fmt: skip
_NAMES = {made: kind for kind, made in KINDS.items()}
_SHA256 = re.compile(r"[0-9a-f]{64}")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z", re.ASCII)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def kind_of(entry: LogEntry) -> str:
    """The name of an entry's kind."""
    return _NAMES[type(entry)]


def moment_text(moment: datetime) -> str:
    """A moment as entries have it: in UTC, to the second."""
    if moment.utcoffset():
        raise ValueError(moment)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def entry_body(entry: LogEntry) -> str:
    """An entry as it stands in the log. Raises ProofError for one that could not be read again."""
    facts = {"kind": kind_of(entry)} | {
        name: value for name, value in entry._asdict().items() if not _is_left_out(name, value)
    }
    body = json_text(facts)
    read_entry(body.encode())
    return body


def read_entry(body: bytes) -> LogEntry:
    """The entry of a log's leaf. Raises ProofError for what is none, or of a kind that is not known here."""
    try:
        facts = json_value(body)
        made = KINDS[facts.pop("kind")]
        return made(**{name: read_fact(name, value) for name, value in facts.items()})
    except (AttributeError, KeyError, TypeError, ValueError, ProofError):
        raise ProofError("no-entry") from None


def known_entry(body: str) -> LogEntry | None:
    """The entry of a body; None for one that cannot be read here."""
    try:
        return read_entry(body.encode())
    except ProofError:
        return None


def _is_left_out(name: str, value: object) -> bool:
    """Whether an entry does not name it, for it says nothing."""
    return (name == "preliminary_until" and value is None) or (name == "late" and value is False)


def read_fact(name: str, value: Any) -> Any:
    """A fact as an entry has it. Raises ValueError, ProofError."""
    if not _READ[name](value):
        raise ValueError(value)
    return tuple(value) if name == "keys" else value


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_sha256(value: object) -> bool:
    return isinstance(value, str) and _SHA256.fullmatch(value) is not None


def _is_day(value: object) -> bool:
    return isinstance(value, str) and bool(_DAY.fullmatch(value) and date.fromisoformat(value))


def _is_moment(value: object) -> bool:
    return isinstance(value, str) and bool(_MOMENT.fullmatch(value) and datetime.fromisoformat(value))


def _are_files(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_text, value)) and all(map(_is_sha256, value.values()))


def _are_keys(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(str(read_key(each)) == each for each in value)


_READ: dict[str, Callable[[Any], bool]] = {
    "pool": _is_text,
    "list": _is_text,
    "revision": _is_count,
    "number": _is_count,
    "day": _is_day,
    "entry": _is_count,
    "sha256": _is_sha256,
    "events_sha256": lambda value: value is None or _is_sha256(value),
    "players": _is_count,
    "root": _is_sha256,
    "published": _is_moment,
    "book": _is_sha256,
    "preliminary_until": _is_day,
    "late": lambda value: value is True,
    "at": _is_moment,
    "files": _are_files,
    "rows": _is_count,
    "keys": _are_keys,
    "persons": _is_sha256,
    "before": _is_text,
    "size": _is_count,
    "reason": _is_text,
}
