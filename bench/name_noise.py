"""The ways in which a name goes wrong between a player and a report: each takes dice and a name."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

LETTERS = "abcdefghijklmnopqrstuvwxyz"
FULL_WIDTH = {ord(sign): ord(sign) + 0xFEE0 for sign in LETTERS + LETTERS.upper()} | {ord(" "): "\u3000"}
HEPBURN = (
    ("shi", "si"),
    ("chi", "ti"),
    ("tsu", "tu"),
    ("fu", "hu"),
    ("ji", "zi"),
    ("sh", "sy"),
    ("ch", "ty"),
)
LONG = (("ou", "o"), ("oo", "o"), ("uu", "u"), ("ou", "oh"), ("oo", "oh"), ("ou", "ō"), ("uu", "ū"))
SHORT = (("o", "ou"), ("o", "oh"), ("o", "oo"), ("u", "uu"), ("o", "ō"), ("u", "ū"), ("o", "ô"))
OLD_KANJI = dict(zip("沢辺高崎斎斉浜広国島恵真桜渋", "澤邊髙﨑齋齊濱廣國嶋惠眞櫻澁", strict=True))
COLUMN, SHORT_COLUMN = 33, 12


def inserted(rng: random.Random, name: str) -> str:
    at = rng.randrange(len(name) + 1)
    return name[:at] + rng.choice(LETTERS) + name[at:]


def left_out(rng: random.Random, name: str) -> str:
    at = rng.randrange(len(name))
    return name[:at] + name[at + 1 :]


def replaced(rng: random.Random, name: str) -> str:
    at = rng.randrange(len(name))
    return name[:at] + rng.choice(LETTERS) + name[at + 1 :]


def transposed(rng: random.Random, name: str) -> str:
    at = rng.randrange(max(len(name) - 1, 1))
    return name[:at] + name[at : at + 2][::-1] + name[at + 2 :]


def two_typos(rng: random.Random, name: str) -> str:
    one, other = rng.choices((inserted, left_out, replaced, transposed), k=2)
    return other(rng, one(rng, name))


def turned(rng: random.Random, name: str) -> str:
    family, *given = name.split()
    return rng.choice(("{1} {0}", "{0}, {1}", "{1}, {0}")).format(family, " ".join(given))


def in_kunrei(rng: random.Random, name: str) -> str:
    return _exchanged(rng, name, HEPBURN)


def long_vowels(rng: random.Random, name: str) -> str:
    return _exchanged(rng, name, LONG) if re.search("ou|oo|uu", name) else _exchanged(rng, name, SHORT)


def n_or_m(_: random.Random, name: str) -> str:
    return re.sub("n(?=[bpm])|m(?=[bpm])", lambda found: {"n": "m", "m": "n"}[found[0]], name)


def with_apostrophes(rng: random.Random, name: str) -> str:
    return re.sub("n(?=[aiueoy])", lambda _: rng.choice(("n'", "n-")), name, count=1)


def accents_lost(rng: random.Random, name: str) -> str:
    """Accents go; a name without one gets one that went wrong."""
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", name) if not unicodedata.combining(sign))
    if plain != name:
        return plain
    at = rng.choice([found.start() for found in re.finditer("[aeiou]", name.lower())] or [0])
    return name[:at] + rng.choice(("?", "\ufffd", "é", "ü", "ã")) + name[at + 1 :]


def other_case(rng: random.Random, name: str) -> str:
    return rng.choice((str.upper, str.lower, _family_in_capitals))(name)


def other_blanks(rng: random.Random, name: str) -> str:
    return rng.choice(("  ", " , ", "\u3000", "", "-", "_")).join(name.split())


def full_width(_: random.Random, name: str) -> str:
    return name.translate(FULL_WIDTH)


def initials(rng: random.Random, name: str) -> str:
    family, *given = name.split()
    short = [f"{word[0]}." for word in given]
    return " ".join(rng.choice(([family, *short], [*short, family])))


def cut_off(rng: random.Random, name: str) -> str:
    """To the width of a tournament report's column, or of a page's narrow one."""
    return name[
        : COLUMN if len(name) > COLUMN else rng.randrange(SHORT_COLUMN, max(len(name), SHORT_COLUMN + 1))
    ]


def titled(rng: random.Random, name: str) -> str:
    return rng.choice(("{} (JPN)", "FM {}", "{} Dr.", "{} *")).format(name)


def _exchanged(rng: random.Random, name: str, pairs: tuple[tuple[str, str], ...]) -> str:
    """All of one or more pairs that the name has, one of them for sure."""
    words = name.lower()
    having = [pair for pair in pairs if pair[0] in words]
    for form, other in rng.sample(having, rng.randint(1, len(having))) if having else ():
        words = words.replace(form, other)
    return words.title()


def _family_in_capitals(name: str) -> str:
    family, *given = name.split()
    return " ".join((family.upper(), *given))


def old_kanji(_: random.Random, name: str) -> str:
    return "".join(OLD_KANJI.get(sign, sign) for sign in name)


def kanji_joined(rng: random.Random, name: str) -> str:
    return rng.choice(("", "　", "  ")).join(name.split())


NOISE: dict[str, Callable[[random.Random, str], str]] = {
    "a letter inserted": inserted,
    "a letter left out": left_out,
    "a letter replaced": replaced,
    "two letters swapped": transposed,
    "two typos": two_typos,
    "words in another order": turned,
    "Kunrei for Hepburn": in_kunrei,
    "long vowels": long_vowels,
    "n or m": n_or_m,
    "apostrophe after n": with_apostrophes,
    "accents lost or broken": accents_lost,
    "case": other_case,
    "blanks, commas, hyphens": other_blanks,
    "full width": full_width,
    "initials": initials,
    "cut off": cut_off,
    "titles and countries": titled,
}
NATIVE_NOISE = {"old kanji": old_kanji, "kanji without blank": kanji_joined}
