"""Proof files (c2sp.org/tlog-proof@v1): an entry's place in a log, the path to the root, and a checkpoint.

Each proof has one form; any other is refused.
"""

from collections.abc import Sequence
from typing import NamedTuple

from banzuke.transparency.checkpoints import SignedCheckpoint, open_checkpoint
from banzuke.transparency.merkle_tree import check_inclusion, leaf_hash
from banzuke.transparency.proof_error import ProofError
from banzuke.transparency.signed_notes import NoteKey
from banzuke.transparency.strict_text import MOST_BYTES, base64_bytes, base64_text, hashes, number

FIRST_LINE = "c2sp.org/tlog-proof@v1"
SUFFIX = ".tlog-proof"


class ProofFile(NamedTuple):
    """A proof: data for who checks it (None: none), the entry's place, the path, the signed checkpoint."""

    extra: bytes | None
    place: int
    path: tuple[bytes, ...]
    checkpoint: bytes

    def check(self, entry: bytes, keys: Sequence[NoteKey]) -> SignedCheckpoint:
        """Check that the entry is in the log at its place. Raises ProofError."""
        signed = open_checkpoint(self.checkpoint, keys)
        check_inclusion(
            leaf_hash(entry), self.place, signed.checkpoint.size, self.path, signed.checkpoint.root
        )
        return signed


def write_proof(proof: ProofFile) -> bytes:
    """The file of a proof."""
    lines = [FIRST_LINE]
    if proof.extra is not None:
        lines.append(f"extra {base64_text(proof.extra)}")
    lines.append(f"index {proof.place}")
    lines += map(base64_text, proof.path)
    return "\n".join([*lines, "", ""]).encode() + proof.checkpoint


def read_proof(data: bytes) -> ProofFile:
    """The proof of a file. Raises ProofError; nothing is checked but the form."""
    if len(data) > MOST_BYTES:
        raise ProofError("no-proof")
    head, _, checkpoint = data.partition(b"\n\n")
    try:
        first, *lines = head.decode("ascii").split("\n")
        extra = _after("extra ", lines.pop(0)) if lines[0].startswith("extra ") else None
        place = number(_after("index ", lines.pop(0)))
        proof = ProofFile(None if extra is None else base64_bytes(extra), place, hashes(lines), checkpoint)
    except (IndexError, ValueError):
        raise ProofError("no-proof") from None
    if first != FIRST_LINE:
        raise ProofError("no-proof")
    return proof


def _after(word: str, line: str) -> str:
    """What stands in a line after its word. Raises ValueError."""
    if not line.startswith(word):
        raise ValueError(line)
    return line.removeprefix(word)
