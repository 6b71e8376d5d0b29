"""banzuke rules new, banzuke rules test: the folder of a new rule book, and what every book must hold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from banzuke.cli.command import NO, leave
from banzuke.cli.output import answer, print_json, print_line, text, wants_json
from banzuke.core.registry import BOOKS, BookError
from banzuke.core.rulebook import ChessBook
from banzuke.testing import results
from banzuke.testing.new_book import books_in, books_module, is_name, write_book

if TYPE_CHECKING:
    from banzuke.core.rulebook import RuleBook


def new(name: str, like: str | None) -> None:
    """Write a new book's folder into the folder that one is in; `like` is the edition that it follows."""
    if name in BOOKS or not is_name(name):
        leave(text("rules-new-name", name=name))
    predecessor = _predecessor(like) if like else None
    folder = Path(name)
    if folder.exists():
        leave(text("rules-new-exists", folder=folder))
    files = [str(path) for path in write_book(folder, name, predecessor)]
    answer({"book": name, "files": files}, *files, text("rules-new-next", folder=folder))


def _predecessor(name: str) -> RuleBook:
    book = BOOKS.get(name)
    if not isinstance(book, ChessBook) or books_module(book) is None:
        known = [each.name for each in BOOKS.values() if isinstance(each, ChessBook) and books_module(each)]
        leave(text("rules-new-like", like=name, books=", ".join(known)))
    return book


def test(name: str) -> None:
    """Try an installed book, or those of a folder, and print each check; status 1 where one fails."""
    try:
        books = books_in(Path(name)) if name not in BOOKS and Path(name).is_dir() else (BOOKS[name],)
    except KeyError:
        leave(text("rules-test-none", book=name, books=", ".join(BOOKS)))
    except BookError as error:
        leave(str(error), NO)
    found = {book.name: list(results(book)) for book in books}
    is_good = not any(result.wrong for of_book in found.values() for result in of_book)
    if wants_json():
        print_json(
            {
                "good": is_good,
                "books": [
                    {"book": book, "checks": [result._asdict() for result in of_book]}
                    for book, of_book in found.items()
                ],
            }
        )
    for book, of_book in () if wants_json() else found.items():
        print_line(book, heading=True)
        for check, wrong in of_book:
            state = text("rules-test-wrong" if wrong else "rules-test-good")
            print_line(f"  {state} {check}", f"  {text(f'rules-test-{check}')}")
            for sentence in wrong:
                print_line(f"    {sentence}")
    if not is_good:
        raise typer.Exit(NO)
