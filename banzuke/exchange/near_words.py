"""Words that a slip of the pen makes of one another: by which keys they find each other, and how far apart.

A word's keys are its beginning, that beginning with one letter left out, each in turn, and its consonants.
Two words with one letter more, less, another or two letters turned round have a key in common, whatever the
letter; words that differ in their vowels only have the one of their consonants. A word is taken both as it
is spelt and in normal form (`name_likeness`).
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from rapidfuzz.distance import OSA

from banzuke.exchange.name_likeness import Words, normal_word, rotations

#: The beginning of a word that keys are made of: a slip after it leaves it as it is.
BEGINNING = 7
#: Before the consonants, so that they are no beginning.
_CONSONANTS = "~"
_VOWELS = re.compile("(?<!^)[aeiouy]+")
_TWICE = re.compile(r"(.)\1+")
#: From so many letters on a word may have two slips; so many vowels may be wrong, its consonants right.
_LONG, _WRONG_VOWELS = 8, 3
#: So many consonants say something of a word.
_TELLING = 3
#: More slips than any word may have.
_FAR = 9


def keys(word: str) -> set[str]:
    """The keys of a word as it is spelt."""
    normal = normal_word(word)
    found = set(_beginnings(word)) | set(_beginnings(normal))
    bare = _consonants(normal)
    return found | {_CONSONANTS + bare} if len(bare) > 1 else found


def _beginnings(form: str) -> Iterator[str]:
    start = form[:BEGINNING]
    yield start
    for at in range(len(start)):
        if len(start) > 1:
            yield start[:at] + start[at + 1 :]


def _consonants(normal: str) -> str:
    """The first letter and the consonants after it, each once where it is doubled."""
    return _TWICE.sub(r"\1", _VOWELS.sub("", normal))


@lru_cache(1 << 14)
def slips(word: str, other: str) -> int | None:
    """How many slips are between two words as they are spelt; None for words that are not near."""
    normal, others = normal_word(word), normal_word(other)
    found = min(_between(word, other), _between(normal, others))
    if found <= (2 if min(len(word), len(other)) >= _LONG else 1):
        return found
    bare = _consonants(normal)
    alike = len(bare) >= _TELLING and bare == _consonants(others)
    return found if alike and found <= _WRONG_VOWELS else None


def _between(one: str, other: str) -> int:
    return OSA.distance(one, other, score_cutoff=_FAR)


def slips_of_name(typed: Words, name: Words) -> int | None:
    """How many slips are between what was typed and a name, beginning with any of its words; None: not near.

    The last word may be typed in part. A blank too many, too few or a letter off is a slip.
    """
    return min((found for order in rotations(name) for found in _slips_in_order(typed, order)), default=None)


def _slips_in_order(typed: Words, name: Words) -> Iterator[int]:
    if 0 < len(typed) <= len(name):
        apart = [slips(word, other) for word, other in zip(typed, name, strict=False)]
        if begins(typed[-1], name[len(typed) - 1]):
            apart[-1] = 0
        if None not in apart:
            yield sum(found or 0 for found in apart)
    if typed != name and normal_word("".join(typed)) == normal_word("".join(name)):
        yield 1


def begins(typed: str, word: str) -> bool:
    """Whether a word, as it is spelt or in normal form, begins as was typed."""
    return word.startswith(typed) or normal_word(word).startswith(normal_word(typed))


def respaced(words: Words) -> Iterator[Words]:
    """The same letters with a blank less or a letter further, in each place; or in one word with a blank."""
    for at, (one, other) in enumerate(pairwise(words)):
        before, after = words[:at], words[at + 2 :]
        yield (*before, one + other, *after)
        if len(other) > 1:
            yield (*before, one + other[0], other[1:], *after)
        if len(one) > 1:
            yield (*before, one[:-1], one[-1] + other, *after)
    if len(words) == 1:
        (word,) = words
        yield from ((word[:at], word[at:]) for at in range(2, len(word) - 1))
