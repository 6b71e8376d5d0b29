"""What a rule book says of itself: clauses and who answers them, numbers, readings, editions side by side."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from banzuke.core.clause_register import Answer
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import RuleBook, Worked
from banzuke.words import Language, book_sentence, book_words, catalogue, filled_in_by_book, say

#: A row of pairs is printed with colons.
PAIR = 2


class Reading(NamedTuple):
    """A decision where a text is silent; `setting` is the name by which an office rules otherwise."""

    key: str
    clause: str
    question: str
    answer: str
    setting: str


class Number(NamedTuple):
    """A number of a book by its name: what it is called, its value as written, its unit, who prints it."""

    name: str
    label: str
    value: str
    unit: str
    clause: str


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


def title(book: RuleBook, lang: Language) -> str:
    """The document's name."""
    return str(book_words(book)["title"][lang])


def document(book: RuleBook, lang: Language) -> str:
    """Which text of it decides."""
    return str(book_words(book)["document"][lang])


def clauses(book: RuleBook, lang: Language) -> list[tuple[str, str]]:
    """Every clause, in the order of the register, with what it says in our own words."""
    texts = book_words(book)["clauses"]
    return [(clause, texts[clause][lang]) for clause in book.register]


def answer_of(book: RuleBook, clause: str, lang: Language) -> str:
    """Who answers a clause: functions by module and name, or a person."""
    answer = book.register[clause]
    if isinstance(answer, Answer):
        return say("cli", f"answer-{answer.value}", lang)
    return ", ".join(f"{function.__module__.rpartition('.')[2]}.{function.__name__}" for function in answer)


def readings(book: RuleBook, lang: Language) -> list[Reading]:
    """The book's readings, in the order of its document."""
    return [
        Reading(key, r["clause"], r["question"][lang], r["answer"][lang], r.get("setting", ""))
        for key, r in book_words(book)["readings"].items()
    ]


def setting_words(book: RuleBook, setting: str, lang: Language) -> tuple[str, str]:
    """The label and the help of a setting in a form: its reading's own, or the question and the answer."""
    reading = _reading_of(book, setting)
    return reading.get("label", reading["question"])[lang], reading.get("help", reading["answer"])[lang]


def setting_subject(book: RuleBook, setting: str, lang: Language) -> str:
    """What a setting is about, as the heading over its statements; its label where the book says nothing."""
    subject = _reading_of(book, setting).get("subject")
    return str(subject[lang]) if subject else setting_words(book, setting, lang)[0]


def setting_statement(book: RuleBook, setting: str, value: bool | int | str, lang: Language) -> str:
    """What a setting of that value does, with an example; the value itself where the book says nothing."""
    says = _reading_of(book, setting).get("says", {})
    found = says.get(str(value).lower()) or says.get("any")
    return found[lang].format(value=value) if found else str(value).lower()


def _reading_of(book: RuleBook, setting: str) -> Any:
    return next(r for r in book_words(book)["readings"].values() if r.get("setting") == setting)


def numbers(book: RuleBook, lang: Language) -> list[Number]:
    """Every number of the book, in the order of its document."""
    return [
        Number(each.name, each.label(lang), _written(each.value), unit(each.unit, lang), each.clause)
        for each in book.parameters.values()
    ]


def unit(name: str, lang: Language) -> str:
    """What a unit is called; as the book writes it, where the catalogue has no word for it."""
    called = catalogue("units").get(name)
    return str(called[lang]) if called else name


def _written(value: Any) -> str:
    """A number as it is, a row with commas, pairs as `50: 15, 100: 12`, longer rows as `1, 2, 3; 4, 5, 6`."""
    if not isinstance(value, list):
        return str(value)
    rows = [each if isinstance(each, list) else [each] for each in value]
    is_wide = any(len(row) > PAIR for row in rows)
    return ("; " if is_wide else ", ").join((", " if is_wide else ": ").join(map(str, row)) for row in rows)


def editions_of_one_book() -> list[list[str]]:
    """The installed books that may be compared, by series, where a series has more than one."""
    found: dict[str, list[str]] = {}
    for book in BOOKS.values():
        found.setdefault(book.series, []).append(book.name)
    return [names for names in found.values() if len(names) > 1]


def difference(one: RuleBook, other: RuleBook, lang: Language) -> Difference | None:
    """Two editions number by number and matter by matter; None for books of different series."""
    if one.series != other.series:
        return None
    figures = [_figure(one, other, name, lang) for name in {**one.parameters, **other.parameters}]
    matters = [_matter(one, other, name, lang) for name in {**_matters(one), **_matters(other)}]
    return Difference(figures, matters)


def _figure(one: RuleBook, other: RuleBook, name: str, lang: Language) -> Figure:
    first, second = one.parameters.get(name), other.parameters.get(name)
    called = dict.fromkeys(each.label(lang) for each in (first, second) if each)
    return Figure(
        " / ".join(called),
        _written(first.value) if first else "-",
        first.clause if first else "",
        _written(second.value) if second else "-",
        second.clause if second else "",
    )


def changed_figures(book: RuleBook, changes: Mapping[str, Any], lang: Language) -> list[Figure]:
    """The numbers of a book that get another value, with both; names that it does not have are left out."""
    changed = [(book.parameters[name], value) for name, value in changes.items() if name in book.parameters]
    return [
        Figure(each.label(lang), _written(each.value), each.clause, _written(value), each.clause)
        for each, value in changed
        if value != each.value
    ]


def _matters(book: RuleBook) -> dict[str, str]:
    """Where the book speaks of each matter, by the clause."""
    found: dict[str, str] = book_words(book).get("matters", {})
    return found


def _matter(one: RuleBook, other: RuleBook, name: str, lang: Language) -> Subject:
    first, second = _matters(one).get(name, ""), _matters(other).get(name, "")
    return Subject(
        say("matters", name, lang), first, _says(one, first, lang), second, _says(other, second, lang)
    )


def _says(book: RuleBook, clause: str, lang: Language) -> str:
    text: str = book_words(book)["clauses"][clause][lang] if clause else ""
    return text


def example_text(book: RuleBook, worked: Worked, lang: Language) -> str:
    """What a worked example is given, as a sentence of the book's own `[examples]`, or of the common ones."""
    return filled_in_by_book(book, book_sentence(book, "examples", worked.kind, lang), worked.facts)
