"""The words that tell who somebody is, and texts in which these are replaced by the id."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django.db.models import Q

from banzuke.database.models import Contact, GoPlayer, ListRow, Player, Pool

#: A word of Latin letters has so many signs at least, one of another script so many.
LEAST, LEAST_OTHER = 4, 2
_BLANKS = r"[\s,]+"


class KnownWords(NamedTuple):
    """What was ever known of a person: names in every script, and how else the person is known or reached."""

    names: frozenset[str]
    others: frozenset[str]

    @property
    def every(self) -> frozenset[str]:
        """All of them."""
        return self.names | self.others


def known_words(pool: Pool, ids: Iterable[str]) -> KnownWords:
    """The words of the person who has, or had, those ids in the pool."""
    of = Q(player_id__in=list(ids))
    players = Player.objects.filter(of, pool=pool).values_list("name", "name_native", "birth_date", "fide_id")
    contacts = Contact.objects.filter(of, pool=pool).values_list("kana", "address", "email")
    listed = ListRow.objects.filter(of, list__pool=pool).values_list("name", "name_native").distinct()
    names = {name for one, native, *_ in players for name in (one, native)}
    names |= {name for row in listed for name in row} | {kana for kana, *_ in contacts}
    names |= set(GoPlayer.objects.filter(of, pool=pool).values_list("name", flat=True))
    others = {str(cell) for *_, born, fide in players for cell in (born, fide) if cell}
    others |= {cell for _, *cells in contacts for cell in cells}
    return KnownWords(_long(names - set(ids)), _long(others))


def _long(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word for word in map(str.strip, words) if len(word) >= _least(word))


def _least(word: str) -> int:
    return LEAST if word.isascii() else LEAST_OTHER


class Redactor:
    """Puts an id in place of a person's words, however names are ordered, spaced or capitalised."""

    def __init__(self, words: KnownWords, instead: str) -> None:
        orders = {order for name in words.names for order in _orders(name)} | words.others
        patterns = sorted(map(_pattern, orders), key=len, reverse=True)
        self._found = re.compile("|".join(patterns), re.IGNORECASE) if patterns else None
        self._instead = instead

    def text(self, text: str) -> str:
        """The text without the words."""
        return text if self._found is None else self._found.sub(lambda _: self._instead, text)

    def value(self, value: Any) -> Any:
        """The same of a value of JSON, in every text in it."""
        match value:
            case str():
                return self.text(value)
            case dict():
                return {self.text(key): self.value(each) for key, each in value.items()}
            case list():
                return [self.value(each) for each in value]
        return value

    def is_in(self, text: str) -> bool:
        """Whether one of the words is in the text."""
        return self._found is not None and self._found.search(text) is not None


def _orders(name: str) -> Iterator[str]:
    words = name.replace(",", " ").split()
    for start in range(len(words)):
        yield " ".join(words[start:] + words[:start])


def _pattern(word: str) -> str:
    """A word as it may be written: in Latin letters as a whole word, else with blanks or without."""
    parts = [re.escape(part) for part in word.split()]
    if word.isascii():
        return rf"(?<!\w){_BLANKS.join(parts)}(?!\w)"
    return r"\s*".join(parts)
