"""banzuke form: the report form for organisers, as a workbook."""

from pathlib import Path
from typing import Annotated

import typer

from banzuke.cli.command import command, leave
from banzuke.cli.output import answer, text
from banzuke.engine.output_file import write_export
from banzuke.formats.report_form.form_layout import MOST_GAMES, MOST_PLAYERS
from banzuke.formats.report_form.form_writer import Member, write_form
from banzuke.ledger.folder import read_chess_ledger
from banzuke.ledger.records import standing_records

Out = Annotated[Path, typer.Argument(metavar="OUT.xlsx", help=text("form-out"))]
OfLedger = Annotated[Path | None, typer.Option("--ledger", metavar="LEDGER", help=text("form-ledger"))]
Players = Annotated[int, typer.Option(min=1, max=MOST_PLAYERS, help=text("form-players"))]
Games = Annotated[int, typer.Option(min=1, max=MOST_GAMES, help=text("form-games"))]
Overwrite = Annotated[bool, typer.Option("--overwrite", help=text("form-overwrite"))]


@command
def form(
    out: Out,
    ledger: OfLedger = None,
    players: Players = 100,
    games: Games = 500,
    overwrite: Overwrite = False,
) -> None:
    """Make an empty report form."""
    if out.exists() and not overwrite:
        leave(text("form-exists", path=out))
    members = [] if ledger is None else _members(ledger)
    write_export(out, write_form(players=players, games=games, members=members))
    counts = {"players": players, "games": games, "members": len(members)}
    answer({"form": str(out), **counts}, text("form-done", path=out, **counts))


def _members(folder: Path) -> list[Member]:
    """The members of a chess pool by id, without anything that is nobody else's business."""
    players = standing_records(read_chess_ledger(folder).players, None)
    return sorted(Member(player.player_id, player.name, player.name_native) for player in players)
