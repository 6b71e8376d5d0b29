"""A published list verified from what its office gives out, without the office.

Each finding is a code with facts and the lines that differ; its sentence is the command line's `public-CODE`.
"""

import csv
import hashlib
import io
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from banzuke.client.public_lists import PublicList, unpack_ledger
from banzuke.core.fault import RefusedError
from banzuke.engine.history import UnknownListError
from banzuke.engine.one_list import list_content
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.formats.files.text import unescape_formula
from banzuke.formats.lists.rating_list import MEASURES, RANKED, measure_key
from banzuke.ledger.folder import read_ledger
from banzuke.transparency.checkpoints import Checkpoint, open_checkpoint
from banzuke.transparency.list_leaves import SplitContent, list_leaves, split_content
from banzuke.transparency.list_records import CONTENT, FILES, PEOPLE, PEOPLE_HEADER, SHARED, TABLE
from banzuke.transparency.log_entries import ListEntry, read_entry
from banzuke.transparency.log_growth import has_grown, read_growth
from banzuke.transparency.merkle_tree import MerkleTree, check_inclusion, leaf_hash
from banzuke.transparency.proof_error import ProofError
from banzuke.transparency.signed_notes import NoteKey

#: So many lines that differ are kept.
MOST_LINES = 20


class Finding(NamedTuple):
    """What was found: good or not, a code with facts, and the lines that differ.

    `why` is why something could not be believed, `refused` why the ledger could not be read.
    """

    code: str
    is_good: bool
    facts: dict[str, object]
    lines: tuple[str, ...] = ()
    why: ProofError | None = None
    refused: RefusedError | None = None


def verify_public(
    public: PublicList,
    keys: Sequence[NoteKey],
    old: Checkpoint | None = None,
    progress: Progress = no_progress,
) -> Iterator[Finding]:
    """Verify a list by what its office gives out; `old` is a checkpoint that was kept."""
    yield from _files(public)
    try:
        entry = read_entry(public.record.log.body.encode())
        if not isinstance(entry, ListEntry):
            raise ProofError("no-list-entry")  # noqa: TRY301 - it is refused as an entry that cannot be read
    except ProofError as error:
        yield Finding("log-bad", False, {}, why=error)
        return
    yield _record(public, entry)
    yield _content(public, entry)
    yield _made_again(public, progress)
    yield _tree(public, entry)
    yield from _log(public, keys, old)
    yield _table(public)


def _files(public: PublicList) -> Iterator[Finding]:
    differing = [
        name
        for name, file in public.record.files.items()
        if (len(public.files[name]), _sha256(public.files[name])) != (file.bytes, file.sha256)
    ]
    for name in differing:
        yield Finding("file-bad", False, {"file": FILES[name]})
    if not differing:
        yield Finding("files-good", True, {})


def _record(public: PublicList, entry: ListEntry) -> Finding:
    """Whether the record says the same as the entry in the log, whose hash the content has."""
    record = public.record
    differing = [name for name in SHARED if getattr(record, name) != getattr(entry, name)]
    if f"\nedition,{record.rulebook},".encode() not in public.files[CONTENT]:
        differing.append("rulebook")
    if differing:
        return Finding("record-bad", False, {"facts": ", ".join(differing)})
    return Finding("record-good", True, {})


def _content(public: PublicList, entry: ListEntry) -> Finding:
    """Whether the content has the list's hash, and is that list's."""
    data = public.files[CONTENT]
    found = _sha256(data)
    if found != entry.sha256:
        return Finding("content-bad", False, {"sha256": found, "wanted": entry.sha256})
    return Finding("content-good", True, {"sha256": found})


def _made_again(public: PublicList, progress: Progress) -> Finding:
    """Whether the public ledger gives the content, to the byte."""
    record, published = public.record, public.files[CONTENT]
    try:
        with tempfile.TemporaryDirectory(prefix="banzuke-verify-") as place:
            unpack_ledger(public, Path(place))
            ledger = read_ledger(Path(place) / "ledger")
            made = list_content(ledger, record.list, record.entry, progress)
    except UnknownListError:
        return Finding("again-none", False, {"list": record.list})
    except ProofError as error:
        return Finding("ledger-bad", False, {}, why=error)
    except RefusedError as error:
        return Finding("ledger-refused", False, {}, refused=error)
    if made != published:
        lines = differing_lines(published, made)
        return Finding("again-bad", False, {"sha256": _sha256(made)}, lines)
    return Finding("again-good", True, {"lines": made.count(b"\n")})


def differing_lines(published: bytes, made: bytes) -> tuple[str, ...]:
    """The first lines that one of the two has alone: `-` as published, `+` as made again."""
    texts = [data.decode("utf-8", "replace").splitlines() for data in (published, made)]
    counts = [Counter(lines) for lines in texts]
    gone, new = counts[0] - counts[1], counts[1] - counts[0]
    found = [f"- {line}" for line in texts[0] if line in gone][:MOST_LINES]
    return (*found, *[f"+ {line}" for line in texts[1] if line in new][:MOST_LINES])


def _tree(public: PublicList, entry: ListEntry) -> Finding:
    """Whether content, commitments and names of events give the tree of the log's entry."""
    try:
        split = split_content(public.files[CONTENT])
        tree = MerkleTree(list_leaves(split, _commitments(public), public.record.events))
    except ProofError as error:
        return Finding("tree-bad", False, {}, why=error)
    if (tree.size, tree.root().hex()) != (entry.players, entry.root):
        return Finding("tree-other", False, {"root": tree.root().hex(), "wanted": entry.root})
    return Finding("tree-good", True, {"players": tree.size})


def _commitments(public: PublicList) -> dict[str, str]:
    try:
        rows = list(_csv(public.files[PEOPLE]))
        if tuple(rows[0]) != PEOPLE_HEADER:
            raise ValueError(rows[0])  # noqa: TRY301 - as any other table that is none
        return {player: person for player, person in rows[1:]}  # noqa: C416 - each row has two cells
    except (csv.Error, IndexError, ValueError):
        raise ProofError("no-people") from None


def _log(public: PublicList, keys: Sequence[NoteKey], old: Checkpoint | None) -> Iterator[Finding]:
    """Whether the entry is in a signed log, and that goes on from the old checkpoint."""
    log = public.record.log
    try:
        signed = open_checkpoint(log.checkpoint.encode(), keys)
        size, root = signed.checkpoint.size, signed.checkpoint.root
        check_inclusion(leaf_hash(log.body.encode()), log.place, size, log.path, root)
    except ProofError as error:
        yield Finding("log-bad", False, {}, why=error)
        return
    yield Finding("log-good", True, {"place": log.place, "size": size, "log": signed.checkpoint.origin})
    if old is not None:
        yield _goes_on(public, old, signed.checkpoint)


def _goes_on(public: PublicList, old: Checkpoint, now: Checkpoint) -> Finding:
    """Whether the log goes on from an old checkpoint; of a kept list one that came later says nothing."""
    if public.is_kept and old.origin == now.origin and old.size > now.size:
        return Finding("old-unknown", False, {"size": old.size})
    try:
        if has_grown(old, now):
            if public.growth is None:
                return Finding("old-unknown", False, {"size": old.size})
            growth = read_growth(public.growth)
            if public.is_kept and (growth.old, growth.new) != (old.size, now.size):
                return Finding("old-unknown", False, {"size": old.size})  # it was kept for another checkpoint
            growth.check(old, now)
    except ProofError as error:
        return Finding("old-bad", False, {}, why=error)
    return Finding("old-good", True, {"size": old.size})


def _table(public: PublicList) -> Finding:
    """Whether the public table has the figures of the content."""
    try:
        split = split_content(public.files[CONTENT])
        header, *rows = _csv(public.files[TABLE])
        header.index("player_id")
        table = {row["player_id"]: row for row in (dict(zip(header, cells, strict=True)) for cells in rows)}
        lines = tuple(islice(_differing_rows(split, header, table), MOST_LINES))
    except (ProofError, csv.Error, KeyError, ValueError):
        return Finding("table-none", False, {})
    return Finding("table-bad" if lines else "table-good", not lines, {"players": len(table)}, lines)


def _differing_rows(
    split: SplitContent, header: Sequence[str], table: dict[str, dict[str, str]]
) -> Iterator[str]:
    """Where the table says something else than the content, or has somebody more or less."""
    columns = next(csv.reader([split.header]))
    listed = set()
    for player, of_player in split.players.items():
        for line in of_player.rows:
            row = dict(zip(columns, next(csv.reader([line])), strict=True))
            listed.add(player)
            shown = table.get(player, {})
            for key, name in _keys(row, header):
                if shown.get(key) != row[name]:
                    yield f"{player}, {key}: {row[name]} / {shown.get(key, '-')}"
    yield from (f"{player}: - / +" for player in table.keys() - listed)


def _keys(row: dict[str, str], header: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The columns of the table that a row of the content has figures for, each with its name in the row.

    The rating, or the rank, must be there.
    """
    name_of: Callable[[str], str] = str if "rank" in row else lambda name: measure_key(row["speed"], name)
    for name in RANKED if "rank" in row else MEASURES:
        is_shown = name_of(name) in header or name in ("rating", "rank")
        if name in row and name != "player_id" and is_shown:
            yield name_of(name), name


def _csv(data: bytes) -> Iterator[list[str]]:
    """The rows of a table for spreadsheets, as they were before it was made for them."""
    text = data.decode("utf-8-sig")
    for row in csv.reader(io.StringIO(text, newline=""), strict=True):
        yield [unescape_formula(cell) for cell in row]


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
