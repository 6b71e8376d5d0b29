"""Texts in which the words that tell who somebody is are found, or replaced by the id. Without a database."""

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from itertools import pairwise
from typing import Any, NamedTuple
from unicodedata import normalize

#: A word of Latin letters has so many signs at least, one of another script so many.
LEAST, LEAST_OTHER = 4, 2
#: For a pattern's class of signs: kana, kanji, Hangul, and scripts of South East Asia. No blank need be where
#: a word of these ends.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
#: One such sign, or a word of others.
_PIECE = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")
#: What may stand between the words of a name.
_BETWEEN = r"[\s,、，・]"


class KnownWords(NamedTuple):
    """What was ever known of a person: names in every script, how else they are reached, days of birth.

    A day may be that of something else: it counts only in a text that tells of the person otherwise. `ids`
    are those that go, too.
    """

    names: frozenset[str]
    others: frozenset[str] = frozenset()
    days: frozenset[date] = frozenset()
    ids: frozenset[str] = frozenset()

    @property
    def every(self) -> frozenset[str]:
        """All of them but the days."""
        return self.names | self.others


def long_words(words: Iterable[str]) -> frozenset[str]:
    """Those of the words that are long enough to tell of somebody."""
    return frozenset(word for word in map(str.strip, words) if len(word) >= _least(word))


def _least(word: str) -> int:
    return LEAST if word.isascii() else LEAST_OTHER


def is_found(pattern: re.Pattern[str], value: Any) -> bool:
    """Whether a pattern is found in a text, or in any text of a value of JSON."""
    return any(map(pattern.search, _strings_in(value)))


def _strings_in(value: Any) -> Iterator[str]:
    """Every text in a value of JSON, names of fields included."""
    match value:
        case str():
            yield value
        case dict():
            for key, each in value.items():
                yield from (key, *_strings_in(each))
        case list():
            for each in value:
                yield from _strings_in(each)


class Redactor:
    """Puts an id in place of a person's words, however names are ordered, spaced or capitalised."""

    def __init__(self, words: KnownWords, instead: str) -> None:
        orders = {order for name in words.names for order in _orders(name)} | words.others
        self._words = _any_of(_pattern, {form for word in orders for form in _spellings(word)})
        self._days = _any_of(re.escape, {form for day in words.days for form in day_forms(day)})
        self._ids = any_id(words.ids) if words.ids else None
        self._instead = instead

    def text(self, text: str, *, with_days: bool = False) -> str:
        """The text without the words; `with_days`: without days of birth as well."""
        for found in (self._ids, self._words, self._days if with_days else None):
            if found is not None:
                text = self._replaced(found, text)
        return text

    def value(self, value: Any, *, with_days: bool = False) -> Any:
        """The same of a value of JSON, in every text in it.

        Names of fields stay where ids go: there names are nicknames, which may be any word.
        """
        match value:
            case str():
                return self.text(value, with_days=with_days)
            case dict():
                return {
                    key if self._ids else self.text(key, with_days=with_days): self.value(
                        each, with_days=with_days
                    )
                    for key, each in value.items()
                }
            case list():
                return [self.value(each, with_days=with_days) for each in value]
        return value

    def is_in(self, value: Any) -> bool:
        """Whether one of the words is in a text, or in a text of a value of JSON; days alone say nothing."""
        return any(map(self._is_in_text, _strings_in(value)))

    def _is_in_text(self, text: str) -> bool:
        if self._ids is not None and self._ids.search(text):
            return True
        found = self._words
        return found is not None and any(found.search(each) for each in _spellings(text))

    def _replaced(self, found: re.Pattern[str], text: str) -> str:
        """The text with the id instead; in its normal form, if there something is found that is left."""
        text = found.sub(lambda _: self._instead, text)
        normal = normalize("NFKC", text)
        return found.sub(lambda _: self._instead, normal) if found.search(normal) else text


def day_forms(day: date) -> Iterator[str]:
    """A day as people and files write it."""
    y, m, d = day.year, day.month, day.day
    for sign in "-/.":
        yield from (f"{y}{sign}{m:02}{sign}{d:02}", f"{y}{sign}{m}{sign}{d}")
        yield from (f"{d:02}{sign}{m:02}{sign}{y}", f"{d}{sign}{m}{sign}{y}", f"{m}{sign}{d}{sign}{y}")
    yield from (f"{y}{m:02}{d:02}", f"{y}年{m}月{d}日", f"{y}年{m:02}月{d:02}日")
    for month in (f"{day:%B}", f"{day:%b}", f"{day:%b}."):
        yield from (f"{d} {month} {y}", f"{month} {d}, {y}")


def _spellings(text: str) -> tuple[str, ...]:
    """A text as it stands, and with letters of full width and taken apart as others write them."""
    normal = normalize("NFKC", text)
    return (text,) if normal == text else (text, normal)


def _any_of(pattern_of: Callable[[str], str], words: Iterable[str]) -> re.Pattern[str] | None:
    """What finds any of the words, a longer one before a shorter."""
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return re.compile("|".join(map(pattern_of, longest_first)), re.IGNORECASE) if longest_first else None


def _orders(name: str) -> Iterator[str]:
    words = [word for word in re.split(_BETWEEN, name) if word]
    for start in range(len(words)):
        yield " ".join(words[start:] + words[:start])


def any_id(ids: Iterable[str]) -> re.Pattern[str]:
    """What finds one of the ids, as a word of its own and not a part of a code such as `other-game`."""
    whole = (rf"{_start(each)}(?<!-){re.escape(each)}(?!-){_end(each)}" for each in sorted(ids))
    return re.compile("|".join(whole))


def _pattern(word: str) -> str:
    """A word as it may be written: as a whole word; in a script without blanks, with them or not."""
    pieces = _PIECE.findall(word)
    parts = ["" if _IS_UNSPACED.match(word) else _start(word), re.escape(pieces[0])]
    for before, piece in pairwise(pieces):
        may_touch = _IS_UNSPACED.match(before) or _IS_UNSPACED.match(piece)
        parts += [_BETWEEN, "*" if may_touch else "+", re.escape(piece)]
    return "".join((*parts, "" if _IS_UNSPACED.match(word[-1]) else _end(word)))


def _start(word: str) -> str:
    """That no letter is before a word which would be one word with it."""
    return rf"(?<!{_letters_beside(word[0])})"


def _end(word: str) -> str:
    """The same of after it."""
    return rf"(?!{_letters_beside(word[-1])})"


def _letters_beside(sign: str) -> str:
    return r"\w" if _IS_UNSPACED.match(sign) else rf"[^\W{_UNSPACED}]"
