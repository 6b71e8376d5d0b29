"""What is said of an office's log on the command line: keys, checkpoints in files, what was added."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NoReturn

from banzuke.cli.command import NO, REFUSED, leave
from banzuke.cli.output import complain, print_line, text
from banzuke.transparency.checkpoints import notes_within
from banzuke.transparency.log_entries import ListEntry, kind_of
from banzuke.transparency.proof_error import ProofError
from banzuke.transparency.signed_notes import NoteKey, read_keys
from banzuke.transparency.strict_text import MOST_BYTES
from banzuke.words import comma_list, day_text, preferred_language, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from banzuke.transparency.log_entries import LogEntry

#: So many lists are named.
MOST_SHOWN = 20
LISTS, REVISIONS, UNKNOWN = "lists", "revisions", "unknown"
OTHERS = ("adjustment", "final", "rules", "erasure", "records", "key", "restart")


def reason_of(error: ProofError) -> str:
    """Why something proves nothing, in the reader's language."""
    return say("proofs", error.code, preferred_language(), **error.facts)


def leave_for(what: object, error: ProofError, status: int = NO) -> NoReturn:
    """End the command with what is refused, and why."""
    leave(text("proof-refused", what=what, reason=reason_of(error)), status)


def keys_or_exit(given: str) -> list[NoteKey]:
    """The keys of a text, or of a file of that name; the command ends where there is none."""
    from pathlib import Path

    try:
        return read_keys(given)
    except ProofError as error:
        if not Path(given).is_file():
            leave_for(given, error, REFUSED)
    try:
        return read_keys(bytes_of(Path(given)).decode("utf-8", "replace"))
    except ProofError as error:
        leave_for(given, error, REFUSED)


def notes_or_exit(path: Path) -> list[bytes]:
    """The checkpoints in a file (one, a mail, other text); the command ends where there is none."""
    return notes_within(bytes_of(path)) or leave_for(path, ProofError("no-checkpoint"), REFUSED)


def say_uncompared(path: object, count: int) -> None:
    """Say that of a file's checkpoints only the largest was compared."""
    if count:
        complain(text("proof-uncompared", path=path, count=count))


def remarks_on(entry: ListEntry) -> Iterator[str]:
    """What has to be known of a list besides."""
    if entry.preliminary_until:
        yield text("proof-preliminary", day=day_text(entry.preliminary_until, preferred_language()))
    if entry.late:
        yield text("proof-late")


def bytes_of(path: Path) -> bytes:
    """A file, as far as anything here is long."""
    with path.open("rb") as stream:
        return stream.read(4 * MOST_BYTES + 1)


def counts_of(entries: Iterable[LogEntry | None]) -> dict[str, int]:
    """How many lists, revisions and others there are among entries."""
    return dict(Counter(map(_count_name, entries)))


def _count_name(entry: LogEntry | None) -> str:
    if isinstance(entry, ListEntry):
        return REVISIONS if entry.revision else LISTS
    return UNKNOWN if entry is None else kind_of(entry)


def since_text(entries: Sequence[LogEntry | None]) -> str:
    """That nothing was changed or taken out, and what was added since."""
    if not entries:
        return text("since-nothing")
    return text("since-one" if len(entries) == 1 else "since-good", added=_added_text(entries))


def _added_text(entries: Iterable[LogEntry | None]) -> str:
    """`3 lists and 1 revision`."""
    counts = counts_of(entries)
    order = (LISTS, REVISIONS, *OTHERS, UNKNOWN)
    said = [text(f"log-count-{name}", count=counts[name]) for name in order if name in counts]
    first = comma_list(said[:-1], preferred_language())
    return text("log-and", first=first, last=said[-1]) if first else said[-1]


def print_added_lists(entries: Iterable[LogEntry | None]) -> None:
    """The lists and revisions among entries, a line each; of many the last ones."""
    lists = [entry for entry in entries if isinstance(entry, ListEntry)]
    if len(lists) > MOST_SHOWN:
        print_line(text("log-lists-before", count=len(lists) - MOST_SHOWN))
    for entry in lists[-MOST_SHOWN:]:
        facts = {"pool": entry.pool, "list": entry.list, "revision": entry.revision}
        print_line(text("log-list", **facts, published=entry.published[:10]))
