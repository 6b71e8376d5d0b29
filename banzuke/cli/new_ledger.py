"""banzuke new: a ledger to fill in."""

import getpass
import shlex
from datetime import date, datetime
from pathlib import Path
from typing import Annotated

import typer

from banzuke.cli.command import NO, command, leave
from banzuke.cli.office_data import known_pool, new_pool, open_or_exit
from banzuke.cli.output import answer, text
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import GoBook, RuleBook
from banzuke.engine.rating_run import staging_folder
from banzuke.ledger.new_ledger import write_new_ledger

Folder = Annotated[Path | None, typer.Argument(metavar="FOLDER", help=text("new-folder"))]
Book = Annotated[str | None, typer.Option("--book", metavar="BOOK", help=text("new-book"))]
From = Annotated[datetime, typer.Option("--from", metavar="DAY", formats=["%Y-%m-%d"], help=text("new-from"))]
Like = Annotated[str | None, typer.Option("--like", metavar="POOL", help=text("new-like"))]
Slug = Annotated[str | None, typer.Option("--pool", metavar="POOL", help=text("new-pool"))]
Name = Annotated[str | None, typer.Option("--name", metavar="NAME", help=text("new-name"))]


@command
def new(
    start: From,
    book: Book = None,
    folder: Folder = None,
    name: Name = None,
    slug: Slug = None,
    like: Like = None,
) -> None:
    """Make a ledger to fill in, or a pool in the office: an empty one, or a new season of another."""
    if (folder is None) == (slug is None):
        leave(text("new-where"))
    if (book is None) == (like is None) or (like is not None and slug is None):
        leave(text("new-by-what"))
    if slug is not None and like is not None:
        _open_season(slug, slug if name is None else name, like, start.date())
        return
    assert book is not None
    if book not in BOOKS:
        leave(text("new-no-book", book=book, books=", ".join(BOOKS)))
    if slug is not None:
        _open_pool(slug, slug if name is None else name, book, start.date())
        return
    assert folder is not None
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        leave(text("new-not-empty", folder=folder))
    remarks = {"top": text("new-top"), "settings": text("new-settings", book=book)}
    called = folder.absolute().name if name is None else name
    with staging_folder(folder) as stage:
        files = write_new_ledger(stage, called, BOOKS[book], start.date(), remarks)
    facts = {"folder": str(folder), "book": book, "from": start.date().isoformat(), "files": files}
    answer(facts, text("new-done", folder=folder, files=", ".join(files)), *_next(folder, BOOKS[book]))


def _open_pool(slug: str, name: str, book: str, start: date) -> None:
    """Open an empty pool in the office."""
    open_or_exit()
    from banzuke.office.administration.pools import Edition, make_ready, open_pool
    from banzuke.office.journal import Actor

    with new_pool(slug):
        make_ready(open_pool(slug, name, Edition(book, start, {}), Actor(getpass.getuser())))
    said = text("new-opened", pool=slug, book=book, start=start.isoformat())
    answer({"pool": slug, "book": book, "from": start.isoformat()}, said)


def _open_season(slug: str, name: str, like: str, start: date) -> None:
    """Open a pool with the players of another one as they stand now."""
    open_or_exit()
    from banzuke.office.administration.new_seasons import open_season
    from banzuke.office.journal import Actor
    from banzuke.office.live.go_rules import NotLiveError

    old = known_pool(like)
    try:
        with new_pool(slug):
            opened = open_season(old, slug, name, start, Actor(getpass.getuser()))
    except NotLiveError:
        leave(text("new-like-chess", pool=like), NO)
    facts = {"players": opened.players, "standings": opened.standings}
    said = text("new-season", pool=slug, like=like, start=start.isoformat(), **facts)
    answer({"pool": slug, "like": like, "from": start.isoformat(), **facts}, said)


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
