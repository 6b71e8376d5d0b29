"""How like two names are: the same, the same in normal form, a part of it, close, near, or other ones.

A name's normal form is what stays of it when people cannot agree how to write it.

Case, commas, points, apostrophes, accents, full and half width, blanks and hyphens go; Japanese names in
Latin letters become those of one romanisation (a form for comparing, not for reading); kana become Latin
letters; old and new forms of a kanji become one; a mark that repeats a sign becomes that sign. How a kanji
name is read cannot be known, so it only meets kanji names. Names that are two to their bearers may have one
normal form (Ohno and Ono, Ouchi and Ochi).

Kana are romanised by their names in Unicode (`し` is HIRAGANA LETTER SI), which are Nihon-shiki, the system
that has one spelling for every sign. The libraries for it are no longer kept (romkan, kanaconv) or give
Hepburn (jaconv, pykakasi), which would have to be taken apart again.

Ratios are whole per cent: of the letters of both names (in normal form, with a blank between words), how
many stand in the same order in both. The words may begin with any of them, the others following as they
stand. What is less than near is another name.
"""

import re
import tomllib
import unicodedata
from enum import IntEnum
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from rapidfuzz import fuzz

LONGEST = 200
#: Marks within a word; `?` and the replacement character stand where a letter was lost.
_WITHIN = re.compile("['’‘`´ʼ?\ufffd]")
_BETWEEN = re.compile(r"[\W_]+")
_KANA = re.compile("[ぁ-ゖァ-ヺー]+")
#: Marks that repeat the kana before them, without a voice and with one; and the kanji before them.
_REPEATED, _VOICED, _REPEATED_KANJI = "ゝヽ", "ゞヾ", "々〻"
_MARK = re.compile(f"[{_REPEATED}{_VOICED}{_REPEATED_KANJI}]")
_KANJI_SIGN = re.compile("[㐀-鿿豈-\ufaff𠀀-\U0003ffff]")
_LONG_O = re.compile("o(?:[ou]|h(?![aiueo]))+")
_LONG_U = re.compile("uu+")

#: From Hepburn (and half-way spellings of it) to Kunrei's forms; each line relies on those before it.
_ROMAJI = (
    ("cch", "tch"),
    ("shi", "si"),
    ("sh", "sy"),
    ("chi", "ti"),
    ("ch", "ty"),
    ("cy", "ty"),
    ("tsu", "tu"),
    ("fu", "hu"),
    ("ji", "zi"),
    ("j", "zy"),
    ("dz", "z"),
    ("yy", "y"),
    ("mb", "nb"),
    ("mp", "np"),
    ("mm", "nm"),
)

#: Kana with a small one after them, marked by x: `kixya` is kya, `huxa` is fa, `xtuka` is kka.
_SMALL = tuple(
    (re.compile(pattern), form)
    for pattern, form in (
        ("xtu(?=([^aiueox]))", r"\1"),
        ("xtu", ""),
        ("ixe", "ye"),
        ("hux", "f"),
        ("(?<![a-z])ux", "w"),
        ("[aiueo]x|x", ""),
    )
)
#: Kana that sound like others.
_SAME_SOUND = {"di": "zi", "du": "zu", "wo": "o", "wi": "i", "we": "e"}

#: Letters that to Unicode are not others with an accent.
_LETTERS = {"ø": "o", "đ": "d", "ð": "d", "ł": "l", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}


def _one_kanji_for_all(groups: str) -> dict[str, str]:
    """For each kanji of the groups (a group a word) the one that stands for all that are joined with it.

    It is the first of their first group: offices keep names by these forms, so it must stay the one it was.
    """
    joined: dict[str, dict[str, None]] = {}
    for group in groups.split():
        every = dict.fromkeys(sign for known in group for sign in joined.get(known, {known: None}))
        joined |= dict.fromkeys(every, every)
    return {sign: next(iter(every)) for sign, every in joined.items()}


#: Kanji of names that stand for one another; compatibility forms are NFKC's.
_KANJI = tomllib.loads(files(__package__).joinpath("kanji_variants.toml").read_text("utf-8"))
_ONE_SIGN = str.maketrans(_LETTERS | _one_kanji_for_all(" ".join(_KANJI.values())))


def normal_form(name: str) -> tuple[str, ...]:
    """The words of a name in normal form and in their order; none for a name without a letter.

    What stands after the first `LONGEST` signs is no name's.
    """
    return tuple([normal_word(word) for word in spelt_words(name)])


def spelt_words(name: str) -> tuple[str, ...]:
    """A name's words as they are spelt: in one case and width, kana as Latin letters, without accents."""
    name = name[:LONGEST]
    return words_with_marks(_written_out(name) if _MARK.search(name) else name)


def words_with_marks(name: str) -> tuple[str, ...]:
    """The same with the marks that repeat a sign left as they are: so an office kept names before."""
    name = name[:LONGEST]
    plain = name.casefold() if name.isascii() else _plain(name)
    return tuple(_BETWEEN.sub(" ", _WITHIN.sub("", plain)).split())


def normal_word(word: str) -> str:
    """A word as it is spelt in the one romanisation."""
    return _one_romanisation(word) if len(word) > 1 else word


def kept_forms(name: str) -> tuple[tuple[str, ...], ...]:
    """The normal form of a name, and that by which an office may have kept it before, where it is another."""
    before = tuple([normal_word(word) for word in words_with_marks(name)])
    return tuple(dict.fromkeys((normal_form(name), before)))


def writing(name: str) -> str:
    """How a name is written: `kanji` (all of it or in part), `kana`, or `letters`."""
    if any("㐀" <= sign <= "鿿" or sign >= "𠀀" or sign == "々" for sign in name):
        return "kanji"
    return "kana" if _KANA.search(unicodedata.normalize("NFKC", name)) else "letters"


def _written_out(name: str) -> str:
    """The name with signs in the place of marks: さゝき is ささき, いすゞ is いすず, 佐々木 is 佐佐木."""
    found: list[str] = []
    for sign in unicodedata.normalize("NFKC", name):
        before = found[-1] if found else ""
        if sign in _REPEATED_KANJI:
            found.append(before if _KANJI_SIGN.match(before) else sign)
        elif sign in _REPEATED + _VOICED:
            found.append(_repeated(before, is_voiced=sign in _VOICED) if _KANA.match(before) else sign)
        else:
            found.append(sign)
    return "".join(found)


def _repeated(kana: str, *, is_voiced: bool) -> str:
    """A kana without a voice; with one, where it can have one."""
    bare = unicodedata.normalize("NFD", kana)[0]
    voiced = unicodedata.normalize("NFC", f"{bare}\u3099")
    return voiced if is_voiced and len(voiced) == 1 else bare


def _plain(name: str) -> str:
    """The name in one case and width, kana as Latin letters, without accents."""
    one_width = unicodedata.normalize("NFKC", name).casefold().translate(_ONE_SIGN)
    latin = _KANA.sub(lambda found: _latin(found[0]), one_width)
    apart = unicodedata.normalize("NFKD", latin)
    return "".join([sign for sign in apart if unicodedata.category(sign) != "Mn"])


def _latin(kana: str) -> str:
    """A run of kana as Latin letters, long vowels short."""
    marked = "".join(map(_sign, kana))
    for pattern, form in _SMALL:
        marked = pattern.sub(form, marked)
    return marked


@cache
def _sign(sign: str) -> str:
    """One kana: `ka`; a small one with an x before it; nothing for the sign of a long vowel."""
    *_, kind, sound = unicodedata.name(sign).lower().split()
    if sound == "mark":
        return ""
    return ("x" if kind == "small" else "") + _SAME_SOUND.get(sound, sound)


@lru_cache(1 << 16)
def _one_romanisation(word: str) -> str:
    for form, ours in _ROMAJI:
        word = word.replace(form, ours)
    return _LONG_U.sub("u", _LONG_O.sub("o", word))


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
    turned = rotations(words)
    unlike = 100 - max(int(fuzz.ratio(" ".join(turn), whole)) for turn in turned)
    if is_part(words, others):
        return Likeness(Kind.PART, unlike)
    if any(_is_close(turn, others) for turn in turned):
        return Likeness(Kind.CLOSE, unlike)
    return Likeness(Kind.NEAR if unlike <= 100 - NEAR else Kind.OTHER, unlike)


def rotations(words: Words) -> list[Words]:
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
    return any(" ".join(turn).startswith(start) for turn in rotations(long))
