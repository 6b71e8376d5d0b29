"""banzuke rules: the clause registers, settings and readings; what changed between editions."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Annotated

import typer

from banzuke.cli.command import command, leave
from banzuke.cli.output import print_json, print_line, print_table, text, wants_json
from banzuke.core.registry import BOOKS
from banzuke.explanations.rule_pages import (
    answer_of,
    clauses,
    difference,
    document,
    editions_of_one_book,
    numbers,
    readings,
    title,
)
from banzuke.words import preferred_language

if TYPE_CHECKING:
    from banzuke.core.rulebook import RuleBook
    from banzuke.words import Language

WORDS = "[BOOK | diff BOOK BOOK | new NAME | test BOOK]"
WordsArgument = Annotated[list[str] | None, typer.Argument(metavar=WORDS, help=text("rules-words"))]
LikeOption = Annotated[str | None, typer.Option("--like", metavar="BOOK", help=text("rules-like"))]


@command
def rules(words: WordsArgument = None, like: LikeOption = None) -> None:
    """Show the rule books, begin one, or try one."""
    lang = preferred_language()
    match words or []:
        case ["new", name]:
            from banzuke.cli import rule_kit

            rule_kit.new(name, like)
        case _ if like is not None:
            leave(text("rules-usage", books=", ".join(BOOKS)))
        case ["test", book]:
            from banzuke.cli import rule_kit

            rule_kit.test(book)
        case []:
            _print_books(lang)
        case ["diff", one, other] if one in BOOKS and other in BOOKS:
            _print_difference(BOOKS[one], BOOKS[other], lang)
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
    rows = [(clause, says, answer_of(book, clause, lang)) for clause, says in texts]
    print_table("", (text("clause"), text("says"), text("answer")), rows)
    figures = [(each.clause, each.label, each.value, each.unit) for each in numbers(book, lang)]
    print_table(text("numbers"), (text("clause"), text("figure"), text("value"), text("unit")), figures)
    if _settings(book):
        print_table(text("settings"), (text("setting"), text("default")), _settings(book))
    rows = [
        (f"{r.clause}", r.question, r.answer + (f" ({r.setting})" if r.setting else "")) for r in decisions
    ]
    print_table(text("readings"), (text("clause"), text("question"), text("reading")), rows)


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
        print_table(heading, columns, [(f.name, f.one, f.one_clause, f.other, f.other_clause) for f in rows])
    subjects = [
        (s.name, _cited(s.one_clause, s.one), _cited(s.other_clause, s.other)) for s in found.subjects
    ]
    print_table(text("subjects"), (text("subject"), one.name, other.name), subjects)


def _cited(clause: str, says: str) -> str:
    return f"{clause}: {says}" if says else "-"
