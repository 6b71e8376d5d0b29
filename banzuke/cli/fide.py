"""banzuke fide: players looked up in FIDE's rating lists, and first ratings taken over from them."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from banzuke.cli.command import NO, REFUSED, command
from banzuke.cli.output import (
    Bar,
    complain,
    complain_of,
    fault_lines,
    print_line,
    print_table,
    show,
    text,
)
from banzuke.core.facts import Player
from banzuke.core.fault import Fault
from banzuke.exchange import fide_lookup
from banzuke.exchange.fide_lookup import RatingImport, RatingMatch, SearchResult
from banzuke.formats.fide.fide_player import SPEEDS

ListArgument = Annotated[
    Path, typer.Argument(metavar="LIST", help=text("fide-list"), exists=True, dir_okay=False)
]
Wanted = Annotated[list[str], typer.Argument(metavar="NAME_OR_ID...", help=text("fide-wanted"))]
Into = Annotated[Path, typer.Option("--into", metavar="LEDGER", help=text("fide-into"))]
OneSpeed = Literal["standard", "rapid", "blitz"] | None
Speed = Annotated[OneSpeed, typer.Option("--speed", help=text("fide-speed"))]


@command
def find(
    path: ListArgument,
    wanted: Wanted,
    speed: Speed = None,
) -> None:
    """Look players up in a list."""
    with Bar(text("fide-progress")) as progress:
        found, faults = fide_lookup.find_players(path, wanted, speed, progress)
    show(_search_facts, _print_search, found, faults)
    if faults or not all(sought.total for sought in found):
        raise typer.Exit(REFUSED if faults else NO)


def _search_facts(found: list[SearchResult], faults: list[Fault]) -> dict[str, object]:
    return {
        "found": [
            {**sought._asdict(), "players": [player._asdict() for player in sought.players]}
            for sought in found
        ],
        "faults": fault_lines(faults),
    }


def _print_search(found: list[SearchResult], faults: list[Fault]) -> None:
    headings = (
        *(text("fide-heading-id"), text("fide-heading-name"), text("fide-heading-federation")),
        *(text("fide-heading-title"), text("fide-heading-flag"), text("fide-heading-born")),
        *SPEEDS,
    )
    players = dict.fromkeys(player for sought in found for player in sought.players)
    rows = [
        (p.fide_id, p.name, p.federation, p.title, p.flag, p.birth_year, p.standard, p.rapid, p.blitz)
        for p in players
    ]
    if rows:
        print_table("", headings, rows, numbers=1 + len(SPEEDS))
    for sought in found:
        shown = len(sought.players)
        if not sought.total:
            complain(text("fide-not-found", wanted=sought.wanted))
        elif sought.total > shown:
            complain(text("fide-more", wanted=sought.wanted, shown=shown, total=sought.total))
    complain_of(faults)


@command
def take_over(path: ListArgument, into: Into, speed: Speed = None) -> None:
    """Take first FIDE ratings over into a ledger."""
    take_ratings_over(path, into, speed)


def take_ratings_over(path: Path, into: Path, speed: OneSpeed) -> None:
    """Take first ratings of a list over into a ledger, and print what was done."""
    with Bar(text("fide-progress")) as progress:
        done = fide_lookup.import_ratings(into, path, speed, progress)
    show(_take_over_facts, _print_take_over, done)


def _take_over_facts(done: RatingImport) -> dict[str, object]:
    return {
        "taken": [
            {**_player(taken.player), **_ratings(taken), "has_games": taken.has_games} for taken in done.taken
        ],
        "doubtful": [
            {**_player(taken.player), "fide_id": taken.listed.fide_id, "listed": taken.listed.name}
            for taken in done.doubtful
        ],
        "unrated": [_player(player) for player in done.unrated],
        "missing": [_player(player) for player in done.missing],
        "left": [_player(player) for player in done.left],
        "titled": [{**_player(titled.player), "title": titled.player.title} for titled in done.titled],
    }


def _player(player: Player) -> dict[str, object]:
    return {"player_id": player.player_id, "name": player.name}


def _ratings(taken: RatingMatch) -> dict[str, int]:
    """The ratings that were taken over, by speed."""
    ratings = (taken.player.fide_standard, taken.player.fide_rapid, taken.player.fide_blitz)
    return {speed: rating for speed, rating in zip(SPEEDS, ratings, strict=True) if rating is not None}


def _print_take_over(done: RatingImport) -> None:
    for taken in done.taken:
        ratings = ", ".join(f"{speed} {rating}" for speed, rating in _ratings(taken).items())
        key = "fide-taken-played" if taken.has_games else "fide-taken"
        print_line(text(key, id=taken.player.player_id, name=taken.player.name, ratings=ratings))
    for taken in done.doubtful:
        facts = {"fide_id": taken.listed.fide_id, "listed": taken.listed.name}
        complain(text("fide-doubt", id=taken.player.player_id, name=taken.player.name, **facts))
    for titled in done.titled:
        facts = {"title": titled.player.title}
        print_line(text("fide-titled", id=titled.player.player_id, name=titled.player.name, **facts))
    for player in done.unrated:
        complain(text("fide-unrated", id=player.player_id, name=player.name))
    for player in done.missing:
        complain(text("fide-missing", id=player.player_id, name=player.name))
    counts = {name: len(group) for name, group in done._asdict().items()}
    print_line(text("fide-done", **counts))
