"""banzuke rules: a book's clauses, settings and readings; editions compared; a new book begun, and tested."""

from dataclasses import fields
from pathlib import Path
from typing import Annotated

import typer

from banzuke.cli.command import NO, command, leave
from banzuke.cli.output import answer, print_json, print_line, print_table, text, wants_json
from banzuke.core.clause_register import Answer
from banzuke.core.registry import BOOKS, BookError
from banzuke.core.rulebook import ChessBook, RuleBook
from banzuke.explanations.rule_pages import (
    answer_of,
    clauses,
    difference,
    document,
    editions_of_one_book,
    numbers,
    readings,
    setting_words,
    title,
)
from banzuke.words import Language, preferred_language

WORDS = "[BOOK | diff BOOK BOOK | new NAME | test BOOK]"
WordsArgument = Annotated[list[str] | None, typer.Argument(metavar=WORDS, help=text("rules-words"))]
LikeOption = Annotated[str | None, typer.Option("--like", metavar="BOOK", help=text("rules-like"))]


@command
def rules(words: WordsArgument = None, like: LikeOption = None) -> None:
    """Show the rule books, begin one, or try one."""
    lang = preferred_language()
    match words or []:
        case ["new", name]:
            _write_new(name, like)
        case _ if like is not None:
            leave(text("rules-usage", books=", ".join(BOOKS)))
        case ["test", book]:
            _test(book)
        case []:
            _print_books(lang)
        case ["diff", one, other] if one in BOOKS and other in BOOKS:
            _print_difference(BOOKS[one], BOOKS[other], lang)
        case ["diff", one, other]:
            book = other if one in BOOKS else one
            folder = book if "/" in book else f"./{book}"
            leave(text("rules-diff-none", book=book, folder=folder, books=", ".join(BOOKS)))
        case [name] if name in BOOKS:
            _print_book(BOOKS[name], lang)
        case _:
            leave(text("rules-usage", books=", ".join(BOOKS)))


def _print_books(lang: Language) -> None:
    rows = [(book.name, title(book, lang), len(book.register)) for book in BOOKS.values()]
    if wants_json():
        print_json([{"book": name, "title": called, "clauses": count} for name, called, count in rows])
    else:
        print_table("", (text("book"), text("title"), text("clause")), rows, numbers=1)


def _settings(book: RuleBook) -> list[tuple[str, str]]:
    defaults = book.settings()
    return [(f.name, str(getattr(defaults, f.name)).lower()) for f in fields(defaults)]


def _print_book(book: RuleBook, lang: Language) -> None:
    texts, decisions = clauses(book, lang), readings(book, lang)
    if wants_json():
        print_json(
            {
                "book": book.name,
                "title": title(book, lang),
                "document": document(book, lang),
                "clauses": [{"clause": c, "says": s, "answer": answer_of(book, c, lang)} for c, s in texts],
                "numbers": [
                    {**each._asdict(), "value": book.parameters[each.name].value}
                    for each in numbers(book, lang)
                ],
                "settings": dict(_settings(book)),
                "readings": [reading._asdict() for reading in decisions],
            }
        )
        return
    print_line(title(book, lang))
    print_line(document(book, lang))
    rows = [(clause, says, _answerer(book, clause, lang)) for clause, says in texts]
    print_table("", (text("clause"), text("says"), text("answer")), rows)
    figures = [(each.clause, each.label, each.value, each.unit) for each in numbers(book, lang)]
    print_table(text("numbers"), (text("clause"), text("figure"), text("value"), text("unit")), figures)
    if _settings(book):
        rows = [(name, usual, setting_words(book, name, lang)[0]) for name, usual in _settings(book)]
        print_table(text("settings"), (text("setting"), text("default"), text("meaning")), rows)
    rows = [
        (f"{r.clause}", r.question, r.answer + (f" ({r.setting})" if r.setting else "")) for r in decisions
    ]
    print_table(text("readings"), (text("clause"), text("question"), text("reading")), rows)


def _answerer(book: RuleBook, clause: str, lang: Language) -> str:
    """Who answers a clause, for people, to whom the names of functions say nothing."""
    is_person = isinstance(book.register[clause], Answer)
    return answer_of(book, clause, lang) if is_person else text("answer-program")


def _print_difference(one: RuleBook, other: RuleBook, lang: Language) -> None:
    found = difference(one, other, lang)
    if found is None:
        editions = "; ".join(", ".join(names) for names in editions_of_one_book())
        leave(text("rules-no-diff", one=one.name, other=other.name, editions=editions or "-"))
    if wants_json():
        print_json({part: [each._asdict() for each in rows] for part, rows in found._asdict().items()})
        return
    changed = [f for f in found.figures if f.one != f.other]
    same = [f for f in found.figures if f.one == f.other]
    columns = (text("figure"), one.name, text("clause"), other.name, text("clause"))
    for heading, rows in ((text("figures"), changed), (text("same-figures"), same)):
        if rows:
            told = [(f.name, f.one, f.one_clause, f.other, f.other_clause) for f in rows]
            print_table(heading, columns, told)
    subjects = [
        (s.name, _cited(s.one_clause, s.one), _cited(s.other_clause, s.other)) for s in found.subjects
    ]
    if subjects:
        print_table(text("subjects"), (text("subject"), one.name, other.name), subjects)


def _cited(clause: str, says: str) -> str:
    return f"{clause}: {says}" if says else "-"


def _write_new(name: str, like: str | None) -> None:
    """Write a new book's folder into the folder that one is in; `like` is the edition that it follows."""
    from banzuke.testing.new_book import is_name, write_book

    if name in BOOKS or not is_name(name):
        leave(text("rules-new-name", name=name))
    predecessor = _predecessor(like) if like else None
    folder = Path(name)
    if folder.exists():
        leave(text("rules-new-exists", folder=folder))
    files = [str(path) for path in write_book(folder, name, predecessor)]
    answer({"book": name, "files": files}, *files, text("rules-new-next", folder=folder))


def _predecessor(name: str) -> RuleBook:
    from banzuke.testing.new_book import books_module

    book = BOOKS.get(name)
    if not isinstance(book, ChessBook) or books_module(book) is None:
        known = [each.name for each in BOOKS.values() if isinstance(each, ChessBook) and books_module(each)]
        leave(text("rules-new-like", like=name, books=", ".join(known)))
    return book


def _test(name: str) -> None:
    """Try the books of a folder, or an installed book, and print each check; status 1 where one fails."""
    from banzuke.testing import results

    books, folder = _books_to_test(name)
    found = {book.name: list(results(book)) for book in books}
    is_good = not any(result.wrong for of_book in found.values() for result in of_book)
    if wants_json():
        print_json(
            {
                "good": is_good,
                "books": [
                    {"book": book, "folder": folder, "checks": [result._asdict() for result in of_book]}
                    for book, of_book in found.items()
                ],
            }
        )
    for book, of_book in () if wants_json() else found.items():
        where = text("rules-test-folder", folder=folder) if folder else text("rules-test-installed")
        print_line(f"{book} {where}", heading=True)
        for check, wrong in of_book:
            state = text("rules-test-wrong" if wrong else "rules-test-good")
            print_line(f"  {state} {check}", f"  {text(f'rules-test-{check}')}")
            for sentence in wrong:
                print_line(f"    {sentence}")
    if not is_good:
        raise typer.Exit(NO)


def _books_to_test(name: str) -> tuple[tuple[RuleBook, ...], str | None]:
    """The books to try, and their folder (None: installed); a folder of books goes before what is installed.

    Of the folder's books the installed copies must not be imported: that is why it is looked at first.
    """
    from banzuke.testing.new_book import books_in, names_books

    folder = Path(name)
    if not names_books(folder):
        if name in BOOKS:
            return (BOOKS[name],), None
        if not folder.is_dir():
            leave(text("rules-test-none", book=name, books=", ".join(BOOKS)))
    try:
        books = books_in(folder)
    except BookError as error:
        leave(str(error), NO)
    if not books:
        leave(text("rules-test-empty", folder=name))
    return books, str(folder.resolve())
