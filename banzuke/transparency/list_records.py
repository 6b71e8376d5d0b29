"""The record of a published list (`record.json`): what it is, its files, and its place in the log.

From it and from the files that it names anybody makes the list again and checks it. docs/record.md says what
is in it.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from banzuke.transparency.log_entries import read_fact
from banzuke.transparency.proof_error import ProofError
from banzuke.transparency.strict_text import base64_text, hashes

#: The name of the record beside the page of its list.
FILE = "record.json"
VERSION = 1
CONTENT, PEOPLE, LEDGER, TABLE = "content", "people", "ledger", "table"
#: The files of a record, with the names under which they are kept.
FILES = {CONTENT: "content.csv", PEOPLE: "people.csv", LEDGER: "ledger.zip", TABLE: "table.csv"}
PEOPLE_HEADER = ("player_id", "person")


class RecordFile(NamedTuple):
    """A file: its address, beginning at the record's own, and the hash and the number of its bytes."""

    address: str
    sha256: str
    bytes: int


class PlaceInLog(NamedTuple):
    """Where the list's entry stands in the log, whose address begins at the record's own.

    The path leads to the root of the signed checkpoint.
    """

    address: str
    checkpoint: str
    place: int
    body: str
    path: tuple[bytes, ...]


class ListRecord(NamedTuple):
    """What an office says of one revision of a list.

    `entry` is the position in the pool's book that it was made from, `sha256` the hash of its content,
    `events` the names of the events in it by id; `licence` says what may be done with the files; `stand_ins`
    that days of birth and memberships in the public ledger are not the true ones.
    """

    pool: str
    list: str
    revision: int
    number: int
    day: str
    entry: int
    published: str
    sha256: str
    rulebook: str
    events: Mapping[str, str]
    files: Mapping[str, RecordFile]
    log: PlaceInLog
    licence: str
    stand_ins: bool


#: Facts that say the same as the entry in the log, and are read as strictly.
SHARED = ("pool", "list", "revision", "number", "day", "entry", "published", "sha256")


def record_text(record: ListRecord) -> str:
    """The record as its file holds it."""
    log = record.log
    facts: dict[str, Any] = {"version": VERSION} | record._asdict()
    facts["files"] = {name: file._asdict() for name, file in record.files.items()}
    facts["log"] = {
        "address": log.address,
        "checkpoint": log.checkpoint,
        "index": log.place,
        "body": log.body,
        "path": list(map(base64_text, log.path)),
    }
    return json.dumps(facts, ensure_ascii=False, indent=1) + "\n"


def read_record(data: bytes) -> ListRecord:
    """The record of a file; what is added to it later is passed over. Raises ProofError."""
    try:
        facts = json.loads(data)
        version = facts["version"]
    except (KeyError, RecursionError, TypeError, ValueError):
        raise ProofError("no-record") from None
    if version != VERSION:
        raise ProofError("newer-record", version=version)
    try:
        return _record(facts)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise ProofError("no-record") from None


def _record(facts: dict[str, Any]) -> ListRecord:
    log = facts["log"]
    return ListRecord(
        **{name: read_fact(name, facts[name]) for name in SHARED},
        rulebook=_text(facts["rulebook"]),
        events={_text(event): _text(name) for event, name in facts["events"].items()},
        files={name: _file(facts["files"][name]) for name in FILES},
        log=PlaceInLog(
            _text(log["address"]),
            _text(log["checkpoint"]),
            _count(log["index"]),
            _text(log["body"]),
            hashes(log["path"]),
        ),
        licence=_text(facts["licence"]),
        stand_ins=bool(facts["stand_ins"]),
    )


def _file(facts: dict[str, Any]) -> RecordFile:
    return RecordFile(_text(facts["address"]), read_fact("sha256", facts["sha256"]), _count(facts["bytes"]))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    value.encode()  # half a sign is no text
    return value


def _count(value: object) -> int:
    number: int = read_fact("revision", value)
    return number
