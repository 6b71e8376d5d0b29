"""banzuke who: which members of a ledger names may mean."""

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from banzuke.cli.command import NO, command
from banzuke.cli.output import print_json, print_line, text, wants_json
from banzuke.exchange.member_index import Member, members
from banzuke.exchange.name_likeness import Words, normal_form
from banzuke.exchange.player_matching import Candidate, Matcher, MatchResult, reasons_text
from banzuke.formats.report import ReportedPlayer
from banzuke.ledger.folder import read_ledger
from banzuke.words import preferred_language

Names = Annotated[list[str], typer.Argument(metavar="NAME...", help=text("who-names"))]
In = Annotated[Path, typer.Option("--in", metavar="LEDGER", help=text("argument-ledger"))]


#: So many members are shown in whose names a part of one stands.
MOST_SHOWN = 20


@command
def who(names: Names, folder: In) -> None:
    """Say which members names mean for sure, or may mean and why."""
    known = members(read_ledger(folder))
    matcher = Matcher(known)
    found = [(name, matcher.find(ReportedPlayer(at, name))) for at, name in enumerate(names, 1)]
    within = {name: [] if one.candidates else bearers(name, known) for name, one in found}
    if wants_json():
        print_json([found_facts(name, one, within[name]) for name, one in found])
    else:
        for name, one in found:
            print_found(name, one, within[name])
    if not all(one.candidates for _, one in found):
        raise typer.Exit(NO)


def bearers(part: str, known: Iterable[Member]) -> list[Member]:
    """The first members in whose names these words, or beginnings of words, stand; for a reader to choose."""
    wanted = normal_form(part)
    found = (member for member in known if any(_has(name, wanted) for name in member.names))
    return list(islice(found, MOST_SHOWN)) if wanted else []


def _has(name: str, wanted: Words) -> bool:
    words = normal_form(name)
    return all(any(word.startswith(begun) for word in words) for begun in wanted)


def found_facts(name: str, found: MatchResult, within: Iterable[Member]) -> dict[str, object]:
    """Whom a name means, for programs."""
    candidates = [candidate_facts(candidate) for candidate in found.candidates]
    part_of = [{"player_id": one.player_id, "names": one.names} for one in within]
    facts = {"sure": found.sure, "how": found.how, "candidates": candidates, "part_of": part_of}
    return {"name": name, **facts}


def candidate_facts(candidate: Candidate) -> dict[str, object]:
    """A candidate with the reasons, for programs: their codes and facts, and the sentence of all."""
    reasons = [{"code": reason.code, "facts": dict(reason.facts)} for reason in candidate.reasons]
    return {**candidate._asdict(), "reasons": reasons, "why": reasons_text(candidate, preferred_language())}


def print_found(name: str, found: MatchResult, within: Sequence[Member]) -> None:
    """Whom a name means, for people: a line that says whether it is sure, then a line for each candidate."""
    if found.candidates:
        key = "who-asked" if found.sure is None else "who-sure"
    else:
        key = "who-within" if within else "who-nobody"
    print_line(text(key, name=name), heading=True)
    for line in candidate_lines(found.candidates):
        print_line(f"  {line}")
    for member in within:
        print_line(f"  {member.player_id} {' '.join(filter(None, member.names))}")


def candidate_lines(candidates: Iterable[Candidate]) -> list[str]:
    """Candidates as lines: id, name, reasons."""
    lang = preferred_language()
    return [
        f"{candidate.player_id} {candidate.known_as}: {reasons_text(candidate, lang)}"
        for candidate in candidates
    ]
