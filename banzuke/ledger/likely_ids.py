"""Ids that a reader of a fault may have meant, and names that are the same to people.

Two names are the same to people if only case, width, commas, blanks and the order of the words differ.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

#: From here on letters are written without blanks between words: Chinese and Japanese ones.
FIRST_OF_EAST = "\u2e80"


def plain_name(name: str) -> str:
    """What is the same in two names that are the same to people; blank for a blank name."""
    words = unicodedata.normalize("NFKC", name).casefold().replace(",", " ").split()
    if any(max(word) >= FIRST_OF_EAST for word in words):
        return "".join(words)
    return " ".join(sorted(words))


class LikelyIds:
    """The ids of a table by what people may write in their place: the id in other case, or a name."""

    def __init__(self, records: Iterable[Any], column: str) -> None:
        self._ids: dict[str, set[str]] = defaultdict(set)
        self._names: dict[str, set[str]] = defaultdict(set)
        for record in records:
            found = getattr(record, column)
            self._ids[plain_name(found)].add(found)
            for name in (record.name, getattr(record, "name_native", "")):
                self._names[plain_name(name)].add(found)

    def ids_of(self, written: str) -> list[str]:
        """The ids that may be meant; of ids and names, those of ids."""
        plain = plain_name(written)
        return sorted(self._ids.get(plain) or self._names.get(plain) or ()) if plain else []
