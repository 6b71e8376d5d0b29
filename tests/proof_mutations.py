"""Proofs that no office gave out: of a player and of a log's growth, changed in every way, each with its kind.

What was changed is never one of the proofs that were given out, so that each must be refused.
"""

from __future__ import annotations

import base64
import json
import random
import re
from collections import Counter
from itertools import islice

from made_log import KEY, NAME, OTHER, PUBLIC, growth_answer, log_note, made_list, made_log

from banzuke.transparency.checkpoints import open_checkpoint, sign_checkpoint
from banzuke.transparency.log_growth import read_growth
from banzuke.transparency.player_proofs import check_player_proof
from banzuke.transparency.proof_error import ProofError
from banzuke.transparency.proof_files import read_proof, write_proof
from banzuke.transparency.strict_text import json_text

PLAYER = "J1002"
#: List, player, and the size of the log that was signed.
GIVEN_OUT = ((2, PLAYER, 5), (0, "J,1", 3), (4, "J1004", 5))
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
URL_SAFE = str.maketrans("+/", "-_")


def given_out():
    """The proofs of players that are changed here, good as they are."""
    return [made_log().proof(at, player, size) for at, player, size in GIVEN_OUT]


def refuses(data, keys=(PUBLIC,)):
    """Whether a player's proof is refused."""
    try:
        check_player_proof(data, keys)
    except ProofError:
        return True
    return False


def tally(mutations, is_refused, count):
    """Of so many mutations, by kind, how many there were; and those that were taken."""
    tried, taken = Counter(), []
    for kind, mutation in islice(mutations, count):
        tried[kind] += 1
        if not is_refused(mutation):
            taken.append((kind, mutation))
    return tried, taken


def player_mutations(seed=6962):
    """Changed proofs of players without end, each with the kind of the change."""
    rng, whole = random.Random(seed), given_out()
    ways = {
        "a bit flipped": lambda data: flipped(rng, data),
        "cut at the end": lambda data: data[: rng.randrange(len(data))],
        "cut at the beginning": lambda data: data[rng.randrange(1, len(data)) :],
        "two lines exchanged": lambda data: exchanged(rng, data),
        "a line taken out": lambda data: without_a_line(rng, data),
        "a line doubled": lambda data: with_a_line_twice(rng, data),
        "a part of another proof": lambda data: swapped(
            rng, data, rng.choice([one for one in whole if one != data])
        ),
        "the same, written otherwise": lambda data: reshaped(rng, data),
        "forged": lambda data: forged(rng, data),
        "stale": lambda _: stale(rng),
        "signed by another key": lambda data: signed_by_another(rng, data),
    }
    while True:
        data = rng.choice(whole)
        for kind, way in ways.items():
            changed = way(data)
            if changed not in whole:
                yield kind, changed


def flipped(rng, data):
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


def exchanged(rng, data):
    lines = data.decode().split("\n")
    at, other = rng.sample(range(len(lines)), 2)
    if lines[at] == lines[other]:
        lines.append("")
    lines[at], lines[other] = lines[other], lines[at]
    return "\n".join(lines).encode()


def without_a_line(rng, data):
    lines = data.decode().split("\n")
    del lines[rng.randrange(len(lines) - 1)]
    return "\n".join(lines).encode()


def with_a_line_twice(rng, data):
    lines = data.decode().split("\n")
    at = rng.randrange(len(lines))
    return "\n".join([*lines[:at], lines[at], *lines[at:]]).encode()


def swapped(rng, data, other):
    """The parts of one proof with a part of another."""
    mine, theirs = read_proof(data), read_proof(other)
    name = rng.choice(["extra", "place", "path", "checkpoint"])
    if getattr(mine, name) == getattr(theirs, name):
        name = "extra"
    return write_proof(mine._replace(**{name: getattr(theirs, name)}))


def reshaped(rng, data):
    """The same values, written otherwise."""
    text = data.decode()
    ways = (
        lambda: text.replace("index ", "index 0", 1),
        lambda: text.replace("\n", "\r\n"),
        lambda: text.replace("=\n", "\n", 1),
        lambda: re.sub(r"^index (\d+)", r"index +\1", text, flags=re.MULTILINE),
        lambda: re.sub(r"([A-Za-z0-9+/])=\n", lambda found: f"{after(found[1])}=\n", text, count=1),
        lambda: re.sub(
            r"\n([A-Za-z0-9+/]{43})=\n", lambda found: f"\n{found[1].translate(URL_SAFE)}=\n\n", text
        ),
        lambda: with_extra(data, json.dumps).decode(),
        lambda: with_extra(data, lambda facts: json_text(facts | {"more": rng.randrange(99)})).decode(),
        lambda: rng.choice([f"{text}\n", f"\n{text}", f"{text} ", f"\ufeff{text}", text.upper()]),
    )
    return rng.choice(ways)().encode()


def after(letter):
    """The next letter of base64: at the end of a hash it differs in bits that say nothing."""
    return LETTERS[(LETTERS.index(letter) + 1) % 64]


def with_extra(data, change):
    proof = read_proof(data)
    return write_proof(proof._replace(extra=change(json.loads(proof.extra)).encode()))


def forged(rng, data):
    """What somebody would rather have there."""

    def change(facts):
        kind = rng.randrange(7)
        if kind == 0:
            facts["leaf"] = facts["leaf"].replace("established", "provisional") + rng.choice(["x", ""])
        elif kind == 1:
            facts["leaf"] = re.sub(r"10\.00,rated", f"{rng.randint(11, 99)}.00,rated", facts["leaf"]) + "\n"
        elif kind == 2:
            facts["body"] = facts["body"].replace('"revision":0', f'"revision":{rng.randint(1, 9)}')
        elif kind == 3:
            facts["person"]["facts"][0] += rng.choice("ABC")
        elif kind == 4:
            facts["index"] += rng.choice([-2, -1, 1, 2, 8, 16])
        elif kind == 5:
            facts["person"]["key"] = base64.b64encode(rng.randbytes(32)).decode()
        else:
            facts["path"] = [*facts["path"], base64.b64encode(rng.randbytes(32)).decode()][rng.randrange(2) :]
            facts["path"] = facts["path"] if rng.random() < 0.5 else facts["path"][::-1] + facts["path"][:1]
        return json_text(facts)

    return with_extra(data, change)


def stale(rng):
    """The path for one size with the checkpoint of another, or an entry with the tree of another list."""
    log = made_log()
    at, size, other = 1, *rng.sample([2, 3, 4, 5], 2)
    old, new = read_proof(log.proof(at, PLAYER, size)), read_proof(log.proof(at, PLAYER, other))
    way = rng.randrange(3)
    if way == 0:
        return write_proof(old._replace(path=new.path))
    if way == 1:
        return write_proof(new._replace(checkpoint=old.checkpoint))
    return with_extra(
        log.proof(at, PLAYER, size), lambda facts: json_text(facts | {"body": log.lists[0].body})
    )


def signed_by_another(rng, data):
    """The checkpoint signed by who has another key, under this name or another."""
    proof = read_proof(data)
    checkpoint = open_checkpoint(proof.checkpoint, [PUBLIC]).checkpoint
    origin = rng.choice([NAME, f"{NAME}-2"])
    note = sign_checkpoint(checkpoint._replace(origin=origin), [OTHER])
    if rng.random() < 0.5:  # the office's own signature below it, but of another text
        note += sign_checkpoint(checkpoint._replace(size=checkpoint.size + 1), [KEY]).splitlines(True)[-1]
    return write_proof(proof._replace(checkpoint=note))


def growth_mutations(seed=6962):
    """Changed answers of how a log grew, each with both checkpoints, and the kind of the change."""
    rng = random.Random(seed)
    while True:
        old, new = sorted(rng.sample(range(1, 6), 2))
        for kind, way in GROWTH_WAYS.items():
            found = way(rng, old, new)
            if found != honest_growth(old, new):
                yield kind, found


def honest_growth(old, new):
    """An answer as the office gives it, and the two checkpoints that it is between."""
    log = made_log()
    return growth_answer(log.bodies, old, new), log.note(old), log.note(new)


def refuses_growth(mutation):
    """Whether an answer is refused, or a checkpoint that it is for."""
    data, old, new = mutation
    try:
        before, now = (open_checkpoint(note, [PUBLIC]).checkpoint for note in (old, new))
        read_growth(data).check(before, now)
    except ProofError:
        return True
    return False


def of_answer(change):
    """A way that changes the answer alone."""

    def way(rng, old, new):
        data, *notes = honest_growth(old, new)
        return change(rng, data), *notes

    return way


def of_facts(change):
    """A way that changes what the answer says."""

    def way(rng, old, new):
        data, *notes = honest_growth(old, new)
        facts = json.loads(data)
        change(rng, facts)
        return json.dumps(facts).encode(), *notes

    return way


def other_entry(rng, facts):
    at = rng.randrange(len(facts["entries"]))
    facts["entries"][at] = rng.choice([*made_log().bodies, made_list("2024-01").body, ""])


def other_size(rng, facts):
    facts[rng.choice(["old", "new"])] += rng.choice([-2, -1, 1, 2])


def other_path(rng, facts):
    path = facts["path"]
    node = base64.b64encode(rng.randbytes(32)).decode()
    at = rng.randrange(len(path) + 1)
    facts["path"] = rng.choice(
        [[*path[:at], node, *path[at:]], path[:-1], path[1:], path[::-1], [node] * len(path)]
    )


def cut_in_value(rng, data):
    """Cut somewhere in what it says; blanks at the end say nothing."""
    return data[: rng.randrange(len(data) - 1)]


def of_past(change):
    """A way that changes what was entered before, signed by the office's own key."""

    def way(rng, old, new):
        bodies = made_log().bodies
        change(rng, bodies, old)
        return growth_answer(bodies, old, new), made_log().note(old), log_note(bodies, new)

    return way


def another_entry(rng, bodies, old):
    bodies[rng.randrange(old)] = made_list("2024-01", seed=rng.randint(1, 9)).body


def taken_out(rng, bodies, old):
    """One less, and one at the end for the number."""
    del bodies[rng.randrange(old)]
    bodies.append(made_list("2026-01", seed=rng.randint(1, 9)).body)


def other_checkpoints(rng, old, new):
    """An honest answer between two other checkpoints."""
    data, *notes = honest_growth(old, new)
    place = rng.randrange(2)
    others = [size for size in range(1, 6) if size != (old, new)[place]]
    notes[place] = made_log().note(rng.choice(others))
    return data, *notes


def checkpoint_of_another(rng, old, new):
    """The new checkpoint signed by somebody else."""
    data, before, _ = honest_growth(old, new)
    return data, before, sign_checkpoint(made_log().checkpoint(new), [OTHER])


GROWTH_WAYS = {
    "cut": of_answer(cut_in_value),
    "an entry in place of another": of_facts(other_entry),
    "another size": of_facts(other_size),
    "another path": of_facts(other_path),
    "an entry too few": of_facts(lambda rng, facts: facts["entries"].pop()),
    "an entry too many": of_facts(lambda rng, facts: facts["entries"].append(made_list("2026-01").body)),
    "another past, signed": of_past(another_entry),
    "an entry of before taken out, signed": of_past(taken_out),
    "between other checkpoints": other_checkpoints,
    "signed by another key": checkpoint_of_another,
}
