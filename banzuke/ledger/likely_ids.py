"""Ids that a reader of a fault may have meant, and names that are the same to people.

Two names are the same to people if only case, width, commas, blanks and the order of the words differ.
"""

import unicodedata
from collections.abc import Iterable
from typing import Any

#: From here on letters are written without blanks between words: Chinese and Japanese ones.
FIRST_OF_EAST = "\u2e80"
#: How many ids are kept of one name.
MOST_LIKELY = 5


def comparable_name(name: str) -> str:
    """What is the same in two names that are the same to people; blank for a blank name."""
    words = unicodedata.normalize("NFKC", name).casefold().replace(",", " ").split()
    if any(max(word) >= FIRST_OF_EAST for word in words):
        return "".join(words)
    return " ".join(sorted(words))


class LikelyIds:
    """The ids of a table by what people may write in their place: the id in other case, or a name."""

    def __init__(self, records: Iterable[Any], column: str) -> None:
        self._ids: dict[str, tuple[str, ...]] = {}
        self._names: dict[str, tuple[str, ...]] = {}
        for record in records:
            found = getattr(record, column)
            _note(self._ids, found, found)
            for name in (record.name, getattr(record, "name_native", "")):
                _note(self._names, name, found)

    def ids_of(self, written: str) -> tuple[str, ...]:
        """The first ids that may be meant; of ids and names, those of ids."""
        plain = comparable_name(written)
        return (self._ids.get(plain) or self._names.get(plain, ())) if plain else ()


def _note(known: dict[str, tuple[str, ...]], written: str, found: str) -> None:
    """Keep an id under what is written; a table has millions, so of one name only the first."""
    plain = comparable_name(written)
    ids = known.get(plain, ())
    if len(ids) < MOST_LIKELY and found not in ids:
        known[plain] = (*ids, found)
