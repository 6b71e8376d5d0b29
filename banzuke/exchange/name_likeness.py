"""How like two names are: the same, the same in normal form, a part of it, close, near, or other ones.

Ratios are whole per cent: of the letters of both names (in normal form, with a blank between words), how
many stand in the same order in both. The words may begin with any of them, the others following as they
stand. What is less than near is another name.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from rapidfuzz import fuzz

#: The ratio from which names are near; that of the one word in which they differ, from which they are close.
NEAR, CLOSE = 75, 87
#: How many letters a name must have to count as cut off: shorter ones are names of their own (Yu, Yuta).
CUT = 16
#: What a single letter may stand for in normal form beside itself.
_INITIALS = {"j": "z", "c": "t", "f": "h"}


class Kind(IntEnum):
    """How like, the most like first; from `CLOSE` on two names agree."""

    EXACT = 0
    NORMAL = 1
    PART = 2
    CLOSE = 3
    NEAR = 4
    OTHER = 5


class Likeness(NamedTuple):
    """How like two names are and their ratio in whole per cent; the less, the more like."""

    kind: Kind
    unlike: int

    @property
    def ratio(self) -> int:
        """Like letters in whole per cent."""
        return 100 - self.unlike

    @property
    def agrees(self) -> bool:
        """Whether the names can be those of one person, carelessly written."""
        return self.kind <= Kind.CLOSE


Words = tuple[str, ...]


def likeness(words: Words, others: Words) -> Likeness:
    """How like two names in normal form are (never `EXACT`: that is for the names as they stand)."""
    if not words or not others:
        return Likeness(Kind.OTHER, 100)
    if sorted(words) == sorted(others) or "".join(words) == "".join(others):
        return Likeness(Kind.NORMAL, 0)
    whole = " ".join(others)
    turned = turns(words)
    unlike = 100 - max(int(fuzz.ratio(" ".join(turn), whole)) for turn in turned)
    if is_part(words, others):
        return Likeness(Kind.PART, unlike)
    if any(_is_close(turn, others) for turn in turned):
        return Likeness(Kind.CLOSE, unlike)
    return Likeness(Kind.NEAR if unlike <= 100 - NEAR else Kind.OTHER, unlike)


def turns(words: Words) -> list[Words]:
    """The words as they stand, then beginning with each of the others (at most four)."""
    return [words[at:] + words[:at] for at in range(min(len(words), 4))]


def _is_close(words: Words, others: Words) -> bool:
    """Whether one word differs, and that by little and not in its first letter.

    Brothers and sisters share all words but one, and Katsuhiko is not Atsuhiko: a slip of the pen is seldom
    in the first letter, another name often.
    """
    if len(words) != len(others):
        return False
    apart = [(word, other) for word, other in zip(words, others, strict=True) if word != other]
    return len(apart) == 1 and apart[0][0][0] == apart[0][1][0] and fuzz.ratio(*apart[0]) >= CLOSE


def is_part(words: Words, others: Words) -> bool:
    """Whether a name is the other one with words left out, shortened to their first letter, or cut off."""
    return _is_among(words, others) or _is_cut(words, others) or _is_cut(others, words)


def _is_among(words: Words, others: Words) -> bool:
    """Whether the shorter name's words, two or more and one of them in full, are all among the longer's.

    Some may be shortened to their first letter, in the longer name only if it has no words more.
    """
    short, long = sorted((words, others), key=len)
    either_way = len(short) == len(long)
    left, full = list(long), 0
    for word in sorted(short, key=len, reverse=True):
        meant = (
            other for other in left if _stands_for(word, other) or (either_way and _stands_for(other, word))
        )
        found = word if word in left else next(meant, None)
        if found is None:
            return False
        left.remove(found)
        full += len(word) > 1 and word == found
    return len(short) > 1 and full > 0


def _stands_for(word: str, other: str) -> bool:
    """Whether a word is the other one or its first letter (in Latin letters)."""
    if len(word) > 1 or not word.isascii():
        return word == other
    return other.startswith((word, _INITIALS.get(word, word)))


def _is_cut(short: Words, long: Words) -> bool:
    """Whether a name is the beginning of the other, as where a column was too narrow."""
    start = " ".join(short)
    if len(start) < CUT or len(short) == 1:
        return False
    return any(" ".join(turn).startswith(start) for turn in turns(long))
