"""What an office gives out of a list of an example, made without an office, and served on loopback."""

from __future__ import annotations

import hashlib
import threading
from contextlib import suppress
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from made_log import PUBLIC, growth_answer, log_note, made_list

from banzuke.engine.go_windows import go_names, last_moment
from banzuke.engine.history import list_names
from banzuke.engine.one_list import list_content
from banzuke.engine.public_ledger.public_files import public_ledger_zip
from banzuke.engine.public_ledger.public_ledger import public_ledger
from banzuke.exchange.list_export import ledger_list, ledger_ranking
from banzuke.formats.files.text import csv_text
from banzuke.formats.lists import list_table
from banzuke.ledger.folder import GoLedger, read_ledger
from banzuke.transparency.list_leaves import (
    Person,
    list_leaves,
    person_key,
    split_content,
)
from banzuke.transparency.list_records import (
    FILES,
    PEOPLE_HEADER,
    ListRecord,
    PlaceInLog,
    RecordFile,
    record_text,
)
from banzuke.transparency.log_entries import ListEntry, entry_body
from banzuke.transparency.merkle_tree import MerkleTree

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


class PublicFiles(dict):
    """Files by their names; `bodies` are those of the log's entries."""

    def __init__(self, files, bodies):
        super().__init__(files)
        self.bodies = bodies

    def write(self, folder):
        folder.mkdir(exist_ok=True)
        for name, data in self.items():
            (folder / name).write_bytes(data)
        return folder


def names_of(ledger):
    return go_names(ledger, None) if isinstance(ledger, GoLedger) else list_names(ledger, None)


@cache
def public_files(example, place=-1, late=False):
    """What is given out of the list of that place of an example."""
    folder = EXAMPLES / example
    ledger = read_ledger(folder)
    names = names_of(ledger)
    names = names[: names.index(names[place]) + 1]
    name = names[-1]
    whole = list_content(ledger, name, 77)
    split = split_content(whole)
    people = {
        player: Person(person_key(bytes(32), example, name, 0), (player, "", "", "", "")).commitment
        for player in split.players
    }
    events = {event.event_id: event.name for event in getattr(ledger, "events", ())}
    events = {event: events[event] for rows in split.players.values() for event in rows.events}
    tree = MerkleTree(list_leaves(split, people, events))
    sha256 = hashlib.sha256(whole).hexdigest()
    entry = ListEntry(
        pool=example, list=name, revision=0, number=3, day="2025-03-24", entry=77, sha256=sha256, events_sha256=None,
        players=tree.size, root=tree.root().hex(), published="2025-03-24T09:30:00Z", book="cd" * 32,
        persons="ef" * 32, late=late,
    )  # fmt: skip
    bodies = [
        made_list("2024-01").body,
        made_list("2024-02").body,
        entry_body(entry),
        made_list("2024-03").body,
    ]
    texts = {file: (folder / file).read_text("utf-8") for file in ledger.pool.files}
    packed = public_ledger_zip(public_ledger(ledger, (), names), texts, name)
    files = {
        "content": whole,
        "people": csv_text([PEOPLE_HEADER, *people.items()]).encode(),
        "ledger": packed,
        "table": list_table.write_csv(_listed(ledger, name)),
    }
    log = MerkleTree(body.encode() for body in bodies)
    record = ListRecord(
        entry.pool, name, 0, 3, entry.day, 77, entry.published, sha256, ledger.pool.editions[-1].book.name, events,
        {each: RecordFile(f"{FILES[each]}?revision=0", hashlib.sha256(data).hexdigest(), len(data)) for each, data in files.items()},
        PlaceInLog("../../../log/", log_note(bodies).decode(), 2, bodies[2], tuple(log.inclusion_path(2))),
        "CC BY 4.0", stand_ins=True,
    )  # fmt: skip
    named = {FILES[each]: data for each, data in files.items()}
    kept = named | {"record.json": record_text(record).encode(), "key.txt": f"{PUBLIC}\n".encode()}
    return PublicFiles(kept, bodies)


def _listed(ledger, name):
    if not isinstance(ledger, GoLedger):
        return ledger_list(ledger, name, birth_dates=False)
    return ledger_ranking(ledger, last_moment(ledger.pool.schedule.window_named(name).closes).isoformat())


class Serving(BaseHTTPRequestHandler):
    """The files below /office/POOL/lists/NAME/, the log below /office/log/."""

    def do_GET(self):
        parts = urlsplit(self.path)
        self.server.asked.append(self.path)
        files, name = self.server.files, parts.path.rpartition("/")[2]
        match parts.path.removeprefix("/office/"):
            case "log/key":
                data = files["key.txt"]
            case "log/consistency":
                old, new = (int(parse_qs(parts.query)[size][0]) for size in ("old", "new"))
                data = growth_answer(files.bodies, old, new)
            case path if path.startswith("pool/lists/a%20list/"):
                data = files.get(name)
            case _:
                data = None
        if self.server.unfinished:
            self.server.unfinished -= 1
            self.send_response(503)
            self.send_header("Retry-After", "15")
            self.send_header("Content-Type", "text/plain")
            data = b"not yet"
        else:
            self.send_response(404 if data is None else 200)
        self.end_headers()
        with suppress(ConnectionError):  # who asks reads no further
            self.wfile.write(data or b"")

    def log_message(self, *_):
        """Nothing."""


def serve(files):
    """A server of these files; its `address` is that of the list's page."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Serving)
    server.files, server.asked, server.unfinished = files, [], 0
    server.address = f"http://127.0.0.1:{server.server_port}/office/pool/lists/a%20list/"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    return server
