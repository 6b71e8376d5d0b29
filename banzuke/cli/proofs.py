"""The commands `proof check` and `proof since`: what an office's proofs prove, without the office."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from banzuke.cli.command import REFUSED, command
from banzuke.cli.log_sentences import (
    bytes_of,
    counts_of,
    keys_or_exit,
    leave_for,
    print_added_lists,
    remarks_on,
    say_uncompared,
    since_text,
)
from banzuke.cli.output import answer, print_json, print_line, text, wants_json
from banzuke.transparency.checkpoints import Checkpoint, largest_checkpoint, notes_within
from banzuke.transparency.log_growth import read_growth
from banzuke.transparency.player_proofs import ProvenPlayer, check_player_proof
from banzuke.transparency.proof_error import ProofError
from banzuke.transparency.signed_notes import NoteKey
from banzuke.words import day_text, preferred_language, say

_FILE: dict[str, Any] = {"exists": True, "dir_okay": False}
Key = Annotated[str, typer.Option("--key", metavar="KEY", help=text("proof-key"))]
#: What a score, or that a game was won, is to the player whose it is.
_SCORES = {"1": "1-0", "0.5": "½-½", "0": "0-1"}


@command
def check_proof(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=text("proof-check-file"), **_FILE)], key: Key
) -> None:
    """Check a player's proof, and say what it proves."""
    keys = keys_or_exit(key)
    try:
        found = check_player_proof(bytes_of(file), keys)
    except ProofError as error:
        leave_for(file, error)
    if wants_json():
        print_json(_facts(found))
        return
    for line in _lines(found):
        print_line(line)


def _lines(found: ProvenPlayer) -> Iterator[str]:
    """What a proof proves, a sentence a line."""
    entry, leaf = found.entry, found.leaf
    where = {
        "list": entry.list,
        "revision": entry.revision,
        "published": day_text(entry.published[:10], preferred_language()),
    }
    if found.person is None:
        yield text("proof-nameless", player=leaf.player)
    else:
        names = [name for name in found.person.facts[:2] if name]
        yield text("proof-person", player=leaf.player, name=" / ".join(names) or leaf.player)
    for row in leaf.rows:
        yield _standing(leaf.player, row, where)
    for row in leaf.changes:
        yield _game(leaf.events, row, where)
    for row in leaf.adjusted:
        facts = {"name": row["adjustment_id"], "before": row["before"], "after": row["after"]}
        yield text("proof-adjusted", player=leaf.player, **facts, **where)
    yield from remarks_on(entry)
    signed = found.signed.checkpoint
    yield text("proof-signed", log=signed.origin, size=signed.size, pool=entry.pool)


def _standing(player: str, row: Mapping[str, str], where: Mapping[str, object]) -> str:
    """What a row of the list says."""
    if "rank" in row:
        return text("proof-rank", player=player, rank=row["rank"], games=row["rated_games"], **where)
    rating = {"player": player, "rating": row["rating"], "games": row["games"]}
    if row["speed"]:
        speed = say("explain", f"speed-{row['speed']}", preferred_language())
        return text("proof-rating-speed", speed=speed, **rating, **where)
    return text("proof-rating", **rating, **where)


def _game(events: Mapping[str, str], row: Mapping[str, str], where: Mapping[str, object]) -> str:
    """What a game's line says."""
    sides = {"player": row["player_id"], "opponent": row["opponent_id"]}
    if "game_id" in row:
        score = _SCORES.get(row["won"], "*")
        result = _change(row["points"], row["verdict"])
        return text("proof-go-game", game=row["game_id"], **sides, score=score, change=result, **where)
    event = events[row["event_id"]] or row["event_id"]
    facts = {"round": row["round"], "event": event, "score": _SCORES.get(row["score"], "*")}
    return text("proof-game", **facts, **sides, change=_change(row["change"], row["verdict"]), **where)


def _change(change: str, verdict: str) -> str:
    """What a game changed: with its sign; where it changed nothing, why."""
    if not change:
        from banzuke.cli.rating import meaning

        return meaning(verdict)
    return change if change.startswith("-") else f"+{change}"


def _facts(found: ProvenPlayer) -> dict[str, object]:
    """What a proof proves, for programs."""
    return {
        "is_good": True,
        "entry": found.entry._asdict(),
        "player": found.leaf.player,
        "name": found.person.facts[0] if found.person else None,
        "name_native": found.person.facts[1] if found.person else None,
        "events": found.leaf.events,
        "rows": found.leaf.rows,
        "changes": found.leaf.changes,
        "adjusted": found.leaf.adjusted,
        "log": found.signed.checkpoint.origin,
        "log_size": found.signed.checkpoint.size,
        "keys": list(map(str, found.signed.keys)),
    }


@command
def since(
    old: Annotated[Path, typer.Argument(metavar="OLD", help=text("proof-since-old"), **_FILE)],
    new: Annotated[Path, typer.Argument(metavar="NEW", help=text("proof-since-new"), **_FILE)],
    proof: Annotated[Path, typer.Argument(metavar="PROOF", help=text("proof-since-proof"), **_FILE)],
    key: Key,
) -> None:
    """Say what an office's log has after an old checkpoint, and that the old one still stands."""
    keys = keys_or_exit(key)
    before, now = (_checkpoint_or_exit(path, keys) for path in (old, new))
    try:
        growth = read_growth(bytes_of(proof))
        growth.check(before, now)
    except ProofError as error:
        leave_for(proof, error, REFUSED if error.code in ("no-growth", "another-growth") else 1)
    entries = growth.known_entries
    facts = {
        "is_good": True,
        "log": now.origin,
        "old": before.size,
        "new": now.size,
        "added": counts_of(entries),
        "entries": list(map(_as_json, growth.entries)),
    }
    answer(facts, since_text(entries))
    if not wants_json():
        print_added_lists(entries)


def _as_json(entry: str) -> Any:
    """An entry as its value; as it stands where it is none, for an office may put anything into its log."""
    try:
        return json.loads(entry)
    except (RecursionError, ValueError):
        return entry


def _checkpoint_or_exit(path: Path, keys: Sequence[NoteKey]) -> Checkpoint:
    """The largest checkpoint in a file; the command ends where there is none by a known key."""
    try:
        found, smaller = largest_checkpoint(notes_within(bytes_of(path)), keys)
    except ProofError as error:
        leave_for(path, error, REFUSED if error.code == "no-checkpoint" else 1)
    say_uncompared(path, smaller)
    return found
