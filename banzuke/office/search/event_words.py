"""The words by which an event is found: of its name, its id, its place, and the year."""

from collections.abc import Iterable
from typing import Any

from banzuke.exchange.name_likeness import Words, normal_form, spelt_words, writing
from banzuke.exchange.near_words import slips

#: A form's length, in signs, and how many signs of a name in kanji begin a form.
LONGEST, MOST_SIGNS = 60, 40
#: A word with fewer letters is not taken for another one.
_LEAST = 4


def forms_of_event(row: Any) -> set[str]:
    """The forms of a row of events."""
    found = {str(row.ends.year)}
    for text in (row.name, row.name_native or "", row.place, row.event_id):
        found |= forms(text)
    return found


def forms(text: str) -> set[str]:
    """The forms of a text, each from a word on; where it has kanji, from every sign on, without blanks."""
    words = normal_form(text)
    if writing(text) == "kanji":
        whole = "".join(words)[:MOST_SIGNS]
        return {whole[start:] for start in range(len(whole))}
    return {" ".join(words[start:])[:LONGEST] for start in range(len(words))}


def slips_in(typed: Words, texts: Iterable[str]) -> int | None:
    """How many slips are between typed words (as spelt) and texts that have them all; None: they have not."""
    texts = list(texts)
    found = [_slips_of_word(word, texts) for word in typed]
    return None if None in found or not found else sum(one or 0 for one in found)


def _slips_of_word(word: str, texts: Iterable[str]) -> int | None:
    normal = "".join(normal_form(word))
    if any(form.startswith(normal) for text in texts for form in forms(text)):
        return 0
    if len(word) < _LEAST or writing(word) == "kanji":
        return None
    others = (other for text in texts for other in spelt_words(text) if len(other) >= _LEAST)
    return min((found for other in others if (found := slips(word, other)) is not None), default=None)
