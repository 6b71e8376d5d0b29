"""Everything that a person reads, in Japanese and English: one catalogue, one way to say it.

A catalogue file holds tables with the keys `en` and `ja`; `{name}` stands for a fact.
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from banzuke.core.month import parse_month
from banzuke.words.tables import Tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from banzuke.core.fault import Fault
    from banzuke.core.rulebook import RuleBook

Language = Literal["en", "ja"]
FOLDER = Path(__file__).parent
LANGUAGES: tuple[Language, ...] = ("en", "ja")


@cache
def catalogue(area: str) -> Tables:
    """The tables of `words/<area>.toml`."""
    return Tables((FOLDER / f"{area}.toml").read_text("utf-8"))


@cache
def book_words(book: RuleBook) -> Tables:
    """A rule book's own words: `title`, `document`, `clauses`, `readings`, and its sentences.

    An edition that takes the words of another (`words_from`) has its own in place of those with the same key.
    """
    own = Tables(book.words.read_text("utf-8"))
    return own if book.words_from is None else own.over(Tables(book.words_from.read_text("utf-8")))


def book_sentence(book: RuleBook, area: str, key: str, lang: Language) -> str:
    """The sentence `key` without its facts: the book's own, of its `[sentences]`, else that of the catalogue.

    Raises KeyError for a key that neither has.
    """
    own: Mapping[str, dict[str, str]] = book_words(book).get("sentences", {})
    sentence: str = (own.get(key) or catalogue(area)[key])[lang]
    return sentence


class _BookNumber(int):
    """A number of a rule book in a sentence, perhaps written in words (`_IN_WORDS`): `{games:ordinal}`."""

    def __format__(self, kind: str) -> str:
        """Give the number, or what the kind makes of it."""
        return _IN_WORDS[kind](self) if kind in _IN_WORDS else format(int(self), kind)


_CARDINALS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def _ending(number: int) -> str:
    """What follows the digits of an ordinal: `22nd`."""
    return "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


#: How English writes a number in words: `two`, `fifth`.
_IN_WORDS: dict[str, Callable[[int], str]] = {
    "cardinal": lambda n: dict(enumerate(_CARDINALS)).get(n, str(n)),
    "ordinal": lambda n: dict(enumerate(_ORDINALS, 1)).get(n, f"{n}{_ending(n)}"),
}


class _BookFacts(dict[str, object]):
    """The facts of a sentence; what is none of them is a whole number of the book, by its name."""

    def __init__(self, book: RuleBook, facts: Mapping[str, object]) -> None:
        super().__init__(facts)
        self._numbers = book.parameters

    def __missing__(self, name: str) -> object:
        """Give the book's whole number. Raises KeyError if it has none of that name."""
        value = self._numbers[name].value if name in self._numbers else None
        if type(value) is not int:
            raise KeyError(name)
        return _BookNumber(value)


def filled_in_by_book(book: RuleBook, sentence: str, facts: Mapping[str, object]) -> str:
    """A sentence of a book with its facts, and with the book's own numbers by their names."""
    return sentence.format_map(_BookFacts(book, facts))


def column_title(book: RuleBook, column: str, lang: Language) -> str:
    """What a column that the book adds is called: its `[sentences.column-NAME]`, else the name itself."""
    own: Mapping[str, dict[str, str]] = book_words(book).get("sentences", {})
    return own.get(f"column-{column}", {}).get(lang, column)


class Count(int):
    """A count in a sentence: `{games:game|games}` is `1 game`, `2 games`."""

    def __format__(self, nouns: str) -> str:
        """Give the number, with the first noun after 1 and the second one after all others."""
        one, between, many = nouns.partition("|")
        return f"{int(self)} {one if self == 1 else many}" if between else format(int(self), nouns)


class Text(str):
    """A fact that is a text; a count of a fault is one, and is said with its nouns all the same."""

    __slots__ = ()

    def __format__(self, nouns: str) -> str:
        """Give the text, or with nouns the count. Raises ValueError for nouns of what is no count."""
        return format(Count(self), nouns) if "|" in nouns else super().__format__(nouns)


def filled_in(sentence: str, facts: Mapping[str, object]) -> str:
    """A sentence with its facts."""
    return sentence.format_map({name: _with_nouns(fact) for name, fact in facts.items()})


def _with_nouns(fact: object) -> object:
    if type(fact) is int:
        return Count(fact)
    return Text(fact) if type(fact) is str else fact


def say(area: str, key: str, lang: Language, **facts: object) -> str:
    """The sentence `key` of a catalogue in that language, with its facts filled in.

    Raises KeyError for a key that the catalogue does not have.
    """
    sentence: str = catalogue(area)[key][lang]
    return filled_in(sentence, facts) if facts else sentence


def day_text(fact: str, lang: Language) -> str:
    """A fact as a sentence prints it: the day `2026-04-01` is `2026年4月1日` in Japanese; a time stays."""
    day = re.fullmatch(r"(\d{4})-(\d{2})-(\d{2})( \d{2}:\d{2})?", fact) if lang == "ja" else None
    return f"{int(day[1])}年{int(day[2])}月{int(day[3])}日{day[4] or ''}" if day else fact


def comma_list(parts: Iterable[str], lang: Language) -> str:
    """Parts in a row, with the commas of the language between them."""
    return ("、" if lang == "ja" else ", ").join(parts)


def said_of(name: object, said: str, lang: Language) -> str:
    """A name, a colon, and what is said of it."""
    return f"{name}{colon(lang)}{said}"


def colon(lang: Language) -> str:
    """What stands between a name and what is said of it."""
    return "：" if lang == "ja" else ": "


def list_title(name: str, lang: Language) -> str:
    """A list's name as people say it: `2025年3月`; an event or a time as it is."""
    try:
        month = parse_month(name)
    except ValueError:
        return name
    return say("export", "month", lang, year=month.year, month=month.month)


def list_titles(names: Iterable[str], lang: Language) -> str:
    """The names of lists as people say them, with commas between them."""
    return comma_list((list_title(name, lang) for name in names), lang)


@cache
def fault_areas() -> dict[str, str]:
    """The catalogue of each fault's code: `faults/<area>.toml`, one for each part that finds faults."""
    names = sorted(path.stem for path in (FOLDER / "faults").iterdir())
    return {code: f"faults/{name}" for name in names for code in catalogue(f"faults/{name}")}


def fault_text(fault: Fault, lang: Language) -> str:
    """The sentence of a fault: a catalogue's, or one of the `[sentences]` of a book whose checks found it.

    Raises KeyError for a code that neither has.
    """
    if fault.code in fault_areas():
        return say(fault_areas()[fault.code], fault.code, lang, **dict(fault.facts))
    from banzuke.core.registry import BOOKS  # noqa: PLC0415 - finding the books takes time at the start

    own = (book_words(book).get("sentences", {}).get(fault.code) for book in BOOKS.values())
    sentences = next((found for found in own if found), None)
    if sentences is None:
        raise KeyError(fault.code)
    sentence: str = sentences[lang]
    return filled_in(sentence, dict(fault.facts))


def fault_line(fault: Fault, lang: Language) -> str:
    """`file:line: column: what is wrong and what would be right`, as the contract prints it.

    What is wrong with no file, as with what is to be written, has no address.
    """
    address = f"{fault.file}:{fault.line}:" if fault.line else f"{fault.file}:"
    column = f"{fault.column}:" if fault.column else ""
    return " ".join(filter(None, (fault.file and address, column, fault_text(fault, lang))))


def act_text(act: str, lang: Language) -> str:
    """What an act of the journal or the book is called; its code, where no catalogue has it."""
    said = catalogue("journal").get(act)
    return str(said[lang]) if said else act


def act_fact(name: str, lang: Language) -> str:
    """What a fact of an act is called; its name, where no catalogue has it."""
    said = catalogue("journal")["fact"].get(name)
    return str(said[lang]) if said else name


def preferred_language() -> Language:
    """The reader's language: BANZUKE_LANG, else the locale's (`ja...`), else English."""
    wish = os.environ.get("BANZUKE_LANG") or os.environ.get("LC_ALL") or os.environ.get("LANG") or ""
    return "ja" if wish.lower().startswith("ja") else "en"
