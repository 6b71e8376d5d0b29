"""banzuke who: which members of a ledger names may mean."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from banzuke.cli.command import NO, command
from banzuke.cli.output import print_json, print_line, text, wants_json
from banzuke.exchange.member_index import members
from banzuke.exchange.player_matching import Candidate, Matcher, MatchResult, reasons_text
from banzuke.formats.report import ReportedPlayer
from banzuke.ledger.folder import read_ledger
from banzuke.words import preferred_language

Names = Annotated[list[str], typer.Argument(metavar="NAME...", help=text("who-names"))]
In = Annotated[Path, typer.Option("--in", metavar="LEDGER", help=text("argument-ledger"))]


@command
def who(names: Names, folder: In) -> None:
    """Say which members names mean for sure, or may mean and why."""
    matcher = Matcher(members(read_ledger(folder)))
    found = [(name, matcher.find(ReportedPlayer(at, name))) for at, name in enumerate(names, 1)]
    if wants_json():
        print_json([found_facts(name, one) for name, one in found])
    else:
        for name, one in found:
            print_found(name, one)
    if not all(one.candidates for _, one in found):
        raise typer.Exit(NO)


def found_facts(name: str, found: MatchResult) -> dict[str, object]:
    """Whom a name means, for programs."""
    candidates = [candidate_facts(candidate) for candidate in found.candidates]
    return {"name": name, "sure": found.sure, "how": found.how, "candidates": candidates}


def candidate_facts(candidate: Candidate) -> dict[str, object]:
    """A candidate with the reasons, for programs: their codes and facts, and the sentence of all."""
    reasons = [{"code": reason.code, "facts": dict(reason.facts)} for reason in candidate.reasons]
    return {**candidate._asdict(), "reasons": reasons, "why": reasons_text(candidate, preferred_language())}


def print_found(name: str, found: MatchResult) -> None:
    """Whom a name means, for people: a line that says whether it is sure, then a line for each candidate."""
    key = "who-nobody" if not found.candidates else "who-asked" if found.sure is None else "who-sure"
    print_line(text(key, name=name), heading=True)
    for line in candidate_lines(found.candidates):
        print_line(f"  {line}")


def candidate_lines(candidates: Iterable[Candidate]) -> list[str]:
    """Candidates as lines: id, name, reasons."""
    lang = preferred_language()
    return [
        f"{candidate.player_id} {candidate.known_as}: {reasons_text(candidate, lang)}"
        for candidate in candidates
    ]
