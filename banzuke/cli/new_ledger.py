"""banzuke new: a ledger to fill in."""

import shlex
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from banzuke.cli.command import command, leave
from banzuke.cli.output import answer, text
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import GoBook, RuleBook
from banzuke.engine.rating_run import staging_folder
from banzuke.ledger.new_ledger import write_new_ledger

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help=text("new-folder"))]
Book = Annotated[str, typer.Option("--book", metavar="BOOK", help=text("new-book"))]
From = Annotated[datetime, typer.Option("--from", metavar="DAY", formats=["%Y-%m-%d"], help=text("new-from"))]
Name = Annotated[str | None, typer.Option("--name", metavar="NAME", help=text("new-name"))]


@command
def new(folder: Folder, book: Book, start: From, name: Name = None) -> None:
    """Make a ledger to fill in."""
    if book not in BOOKS:
        leave(text("new-no-book", book=book, books=", ".join(BOOKS)))
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        leave(text("new-not-empty", folder=folder))
    remarks = {"top": text("new-top"), "settings": text("new-settings", book=book)}
    called = folder.absolute().name if name is None else name
    with staging_folder(folder) as stage:
        files = write_new_ledger(stage, called, BOOKS[book], start.date(), remarks)
    facts = {"folder": str(folder), "book": book, "from": start.date().isoformat(), "files": files}
    answer(facts, text("new-done", folder=folder, files=", ".join(files)), *_next(folder, BOOKS[book]))


def _next(folder: Path, book: RuleBook) -> list[str]:
    """What to do with the new ledger, with the commands that do it."""
    into = shlex.quote(str(folder))
    if isinstance(book, GoBook):
        filling, opening = [f"banzuke import games.zip --into {into} --add-players"], "new-standings-go"
    else:
        speed = "--speed standard " if any(book.speeds) else ""
        reported = "--reported 2025-03-02 "
        filling = [
            f"banzuke register members.xlsx --into {into}",
            f"banzuke import open.trf --into {into} {reported}{speed}--add-players",
        ]
        opening = "new-standings"
    working = [f"banzuke check {into}", f"banzuke rate {into} --out lists"]
    return [
        *(text("new-fill"), *(f"  {line}" for line in filling)),
        *(text(opening), text("new-then"), *(f"  {line}" for line in working)),
    ]
