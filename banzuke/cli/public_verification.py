"""`banzuke verify` of a list by what its office gives out: from its address, or from a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from banzuke.cli.command import NO, REFUSED
from banzuke.cli.log_sentences import (
    keys_or_exit,
    leave_for,
    notes_or_exit,
    reason_of,
    remarks_on,
    say_uncompared,
)
from banzuke.cli.log_witness import failures_of_downloads
from banzuke.cli.output import Bar, complain, fault_lines, print_json, print_line, text, wants_json
from banzuke.client.downloads import Downloads
from banzuke.client.public_lists import PublicList, download_list, read_list
from banzuke.client.public_verification import Finding, verify_public
from banzuke.transparency.checkpoints import largest_checkpoint
from banzuke.transparency.log_entries import ListEntry, known_entry
from banzuke.transparency.proof_error import ProofError
from banzuke.transparency.signed_notes import NoteKey, read_former_keys, read_keys
from banzuke.words import day_text, preferred_language

if TYPE_CHECKING:
    from collections.abc import Sequence


def verify_given(given: str, checkpoint: Path | None, key: str, save: Path | None) -> None:
    """Verify the list at an address or in a folder, and say each thing that was found."""
    keys = keys_or_exit(key) if key else []
    notes = notes_or_exit(checkpoint) if checkpoint else []
    try:
        with failures_of_downloads(given):
            public = _public_list(given, _largest_size(notes))
        given_by_office = public.key.decode("utf-8", "replace")
        own = keys or read_keys(given_by_office)
        former = [] if keys else read_former_keys(given_by_office)
        old, smaller = largest_checkpoint(notes, [*own, *former]) if notes else (None, 0)
    except ProofError as error:
        is_of_notes = error.code in ("no-known-signature", "two-logs")
        status = NO if error.code == "two-logs" else REFUSED
        leave_for(checkpoint if is_of_notes else given, error, status)
    say_uncompared(checkpoint, smaller)
    if save:
        public.save(save)
    with Bar(text("verify-progress")) as progress:
        found = list(verify_public(public, own, old, progress))
    is_good = all(finding.is_good for finding in found)
    if wants_json():
        print_json(_facts(public, found, own))
    else:
        _print(public, found, None if keys else own, is_good=is_good)
    if not is_good:
        raise typer.Exit(NO)


def _public_list(given: str, old_size: int | None) -> PublicList:
    if "://" not in given:
        return read_list(Path(given))
    return download_list(given, old_size, Downloads(waiting=_say_waiting))


def _say_waiting(seconds: int) -> None:
    complain(text("public-waiting", seconds=seconds))


def _largest_size(notes: Sequence[bytes]) -> int | None:
    """Since what size the office is asked how its log grew; it proves nothing yet."""
    return max((int(note.split(b"\n")[1]) for note in notes), default=None)


def _facts(public: PublicList, found: Sequence[Finding], keys: Sequence[NoteKey]) -> dict[str, Any]:
    """What was found, for programs."""
    record = public.record
    return {
        "is_good": all(finding.is_good for finding in found),
        "pool": record.pool,
        "list": record.list,
        "revision": record.revision,
        "sha256": record.sha256,
        "keys": list(map(str, keys)),
        "findings": [
            {"code": each.code, "is_good": each.is_good, **each.facts, "lines": each.lines}
            | {"text": _sentence(each)}
            for each in found
        ],
    }


def _print(
    public: PublicList, found: Sequence[Finding], unproved: Sequence[NoteKey] | None, *, is_good: bool
) -> None:
    """What was found, for people; `unproved` are keys that the office itself gave."""
    record, lang = public.record, preferred_language()
    facts = {"pool": record.pool, "list": record.list, "revision": record.revision}
    published = day_text(record.published[:10], lang)
    print_line(text("public-list", **facts, published=published, book=record.rulebook), heading=True)
    for finding in found:
        print_line(f"{'+' if finding.is_good else '!'} {_sentence(finding)}")
        for line in finding.lines:
            print_line(f"    {line}")
        for line in fault_lines(finding.refused.faults) if finding.refused else ():
            print_line(f"    {line}")
    for note in _notes(public):
        print_line(note)
    for key in unproved or ():
        print_line(text("public-key", known=key))
    print_line(text("public-good" if is_good else "public-bad", **facts))


def _sentence(finding: Finding) -> str:
    why = {"why": reason_of(finding.why)} if finding.why else {}
    return text(f"public-{finding.code}", **finding.facts, **why)


def _notes(public: PublicList) -> list[str]:
    """What has to be known beside."""
    notes = [text("public-licence", licence=public.record.licence)] if public.record.licence else []
    entry = known_entry(public.record.log.body)
    return [*notes, *(remarks_on(entry) if isinstance(entry, ListEntry) else ())]
