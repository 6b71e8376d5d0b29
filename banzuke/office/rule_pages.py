"""What a rule book says of itself: clauses and who answers them, readings, editions side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from banzuke.rulebooks.editions import FIGURES, SUBJECTS
from banzuke.rulebooks.register import Answer
from banzuke.words import catalogue, say

if TYPE_CHECKING:
    from banzuke.rulebooks import Book
    from banzuke.words import Language


class Reading(NamedTuple):
    """A decision where a text is silent; `setting` is the name by which an office rules otherwise."""

    key: str
    clause: str
    question: str
    answer: str
    setting: str


class Figure(NamedTuple):
    """A number of two editions; a dash where an edition has none."""

    name: str
    one: str
    one_clause: str
    other: str
    other_clause: str


class Subject(NamedTuple):
    """A matter of two editions, each clause in our own words; blank where an edition has none."""

    name: str
    one_clause: str
    one: str
    other_clause: str
    other: str


class Difference(NamedTuple):
    """What changed between two editions."""

    figures: list[Figure]
    subjects: list[Subject]


def _words(book: Book) -> str:
    return f"rules/{book.name.replace('-', '_')}"


def title(book: Book, lang: Language) -> str:
    """The document's name."""
    return say(_words(book), "title", lang)


def document(book: Book, lang: Language) -> str:
    """Which text of it decides."""
    return say(_words(book), "document", lang)


def clauses(book: Book, lang: Language) -> list[tuple[str, str]]:
    """Every clause, in the order of the register, with what it says in our own words."""
    texts = catalogue(_words(book))["clauses"]
    return [(clause, texts[clause][lang]) for clause in book.module.REGISTER]


def answer_of(book: Book, clause: str, lang: Language) -> str:
    """Who answers a clause: functions by module and name, or a person."""
    answer = book.module.REGISTER[clause]
    if isinstance(answer, Answer):
        return say("cli", f"answer-{answer.value}", lang)
    return ", ".join(f"{function.__module__.rpartition('.')[2]}.{function.__name__}" for function in answer)


def readings(book: Book, lang: Language) -> list[Reading]:
    """The book's readings, in the order of its document."""
    return [
        Reading(key, r["clause"], r["question"][lang], r["answer"][lang], r.get("setting", ""))
        for key, r in catalogue(_words(book))["readings"].items()
    ]


def difference(one: Book, other: Book, lang: Language) -> Difference | None:
    """Two editions number by number and matter by matter; None for books that share no matters."""
    if one.module not in SUBJECTS or other.module not in SUBJECTS:
        return None
    figures = [_figure(one, other, name, lang) for name in {**FIGURES[one.module], **FIGURES[other.module]}]
    subjects = [
        _subject(one, other, name, lang) for name in {**SUBJECTS[one.module], **SUBJECTS[other.module]}
    ]
    return Difference(figures, subjects)


def _figure(one: Book, other: Book, name: str, lang: Language) -> Figure:
    first, first_clause = FIGURES[one.module].get(name, ("-", ""))
    second, second_clause = FIGURES[other.module].get(name, ("-", ""))
    return Figure(say("rules/editions", name, lang), str(first), first_clause, str(second), second_clause)


def _subject(one: Book, other: Book, name: str, lang: Language) -> Subject:
    first, second = SUBJECTS[one.module].get(name, ""), SUBJECTS[other.module].get(name, "")
    return Subject(
        say("rules/editions", name, lang), first, _says(one, first, lang), second, _says(other, second, lang)
    )


def _says(book: Book, clause: str, lang: Language) -> str:
    text: str = catalogue(_words(book))["clauses"][clause][lang] if clause else ""
    return text
