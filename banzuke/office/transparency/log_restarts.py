"""An old checkpoint held against the office's log; and a log that cannot go on as it was, begun anew.

After a new beginning the log has another name, and its entries go on from those that are there. What was
signed last before stands in the entry, with the reason, for everybody to read.
"""

from django.db import transaction

from banzuke.core.fault import Fault, RefusedError, fault
from banzuke.office.journal import Actor, note
from banzuke.office.office_key import office_key
from banzuke.office.transparency.entry_signatures import unsigned_entries
from banzuke.office.transparency.log_checkpoints import (
    FILE,
    SignedLog,
    checkpoint_in,
    contradiction,
    difference,
    keep,
    kept_note,
    log_keys,
    readable_files,
    sign_now,
    signing_lock,
    whole_tree,
)
from banzuke.office.transparency.office_log import append, read_log
from banzuke.transparency.checkpoints import Checkpoint
from banzuke.transparency.log_entries import RestartEntry
from banzuke.transparency.proof_error import ProofError

RESTART = "restart-log"


def compare(before: Checkpoint) -> Fault | None:
    """Why the log now has not all that it had by an old checkpoint, as it was; None where it has."""
    tree, now = whole_tree(), log_keys()
    if not now or before.origin == now[0].name:
        return difference(before, tree)
    for number, entry in read_log():
        if isinstance(entry, RestartEntry) and entry.before == before.origin:
            if before.size > number:
                return fault(FILE, 0, "", "log-lost", before=before.size, now=number, reason=entry.reason)
            return difference(before, tree)
    return fault(FILE, 0, "", "log-of-another", before=before.origin, now=now[0].name)


def restart_log(reason: str, actor: Actor, newest: Checkpoint | None = None) -> SignedLog:
    """Let the log go on under another name.

    `newest` is the newest checkpoint that somebody has of it, where it is newer than the one that the office
    keeps, or the office keeps none. Raises RefusedError where the log goes on from both as it is, and every
    entry is signed.
    """
    with readable_files():
        key = office_key()
    with signing_lock():
        before = _last(newest)
        if not (contradiction() or unsigned_entries() or (before and compare(before))):
            raise RefusedError([fault(FILE, 0, "", "log-goes-on")])
        before = before or sign_now(key).checkpoint
        facts = {"before": before.origin, "size": before.size, "root": before.root.hex(), "reason": reason}
        with transaction.atomic():
            note(actor, RESTART, entries=before.size, why=reason)
            append("restart", facts)
        found = sign_now(key)
        keep(found)
    return found


def _last(newest: Checkpoint | None) -> Checkpoint | None:
    """The newest that was signed, as far as it is known here."""
    try:
        kept = checkpoint_in(kept_note()) if kept_note() else None
    except ProofError:  # nobody knows what it was
        kept = None
    return max(filter(None, (kept, newest)), key=lambda each: each.size, default=None)
