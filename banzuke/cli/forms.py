"""banzuke form: the report form for organisers, as a workbook."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from banzuke.cli.printing import (
    REFUSED,
    Format,
    FormatOption,
    LangOption,
    complain,
    guarded,
    language,
    print_json,
    print_line,
    text,
)
from banzuke.formats.report_form import MOST_GAMES, MOST_PLAYERS
from banzuke.formats.report_form_writer import Member, write_form
from banzuke.ledger.corrections import standing
from banzuke.ledger.folder import ChessLedger, read_ledger

#: What a new file may be used for: its owner writes, others read.
NEW_FILE = 0o644

Out = Annotated[Path, typer.Argument(metavar="OUT.xlsx", help=text("form-out"))]
OfLedger = Annotated[Path | None, typer.Option("--ledger", metavar="LEDGER", help=text("form-ledger"))]
Players = Annotated[int, typer.Option(min=1, max=MOST_PLAYERS, help=text("form-players"))]
Games = Annotated[int, typer.Option(min=1, max=MOST_GAMES, help=text("form-games"))]
Overwrite = Annotated[bool, typer.Option("--overwrite", help=text("form-overwrite"))]


@guarded
def form(
    out: Out,
    ledger: OfLedger = None,
    players: Players = 100,
    games: Games = 500,
    overwrite: Overwrite = False,
    output_format: FormatOption = Format.TEXT,
    lang: LangOption = None,
) -> None:
    """Make an empty report form."""
    language(lang)
    if out.exists() and not overwrite:
        complain(text("form-exists", path=out))
        raise typer.Exit(REFUSED)
    members = [] if ledger is None else _members(ledger)
    _put(out, write_form(players=players, games=games, members=members))
    if output_format is Format.JSON:
        print_json({"form": str(out), "players": players, "games": games, "members": len(members)})
        return
    print_line(text("form-done", path=out, players=players, games=games, members=len(members)))


def _members(folder: Path) -> list[Member]:
    """The members of a chess pool by id, without anything that is nobody else's business."""
    ledger = read_ledger(folder)
    if not isinstance(ledger, ChessLedger):
        complain(text("form-go", ledger=folder))
        raise typer.Exit(REFUSED)
    members = [Member(p.player_id, p.name, p.name_native) for p in standing(ledger.players, None)]
    return sorted(members)


def _put(out: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    handle, name = tempfile.mkstemp(prefix=".form.", suffix=".part", dir=out.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        part.chmod(NEW_FILE)
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)
