"""The codes of tie-breaks: those of FIDE (Handbook C.07) and of the US rule book (34E), and how they are cut.

A code is a name, perhaps with cuts: `BH`, `BH-C1`, `BH:C1`, `BH/C1`, in full width too. What each means is in
`words/tie_breaks.toml`.
"""

import re
from datetime import date
from difflib import get_close_matches
from typing import NamedTuple
from unicodedata import normalize

from banzuke.core.fault import Fault, RefusedError, fault
from banzuke.words import say

#: FIDE's names, each with the cuts that it may have: C leaves out the lowest, M the lowest and the highest;
#: with P forfeits count as games; L is another limit in per cent.
FIDE_CODES = {
    "BH": "CMP",
    "FB": "CM",
    "AOB": "",
    "SB": "CP",
    "DE": "P",
    "WIN": "",
    "WON": "",
    "BPG": "",
    "BWG": "",
    "REP": "",
    "PS": "C",
    "KS": "L",
    "ARO": "CM",
    "TPR": "",
    "PTP": "",
    "APRO": "",
    "APPO": "",
}
#: Those of the US rule book, which nothing cuts.
US_CODES = ("MMED", "SOLK", "CUM", "OCUM", "MED", "MB", "KASH")
#: Other names for the same.
ALIASES = {"MBH": "BH-M1", "GE": "REP"}
#: Tie-breaks that need a rating of everybody.
NEED_RATINGS = ("ARO", "TPR", "PTP", "APRO", "APPO")
_HYPHENS = re.compile("[:/#\u2010-\u2015\u2212\u30fc]")
_CUT = re.compile(r"[CM][1-9]|P|L[1-9][0-9]?", re.ASCII)
_MOST_CODES = 12
#: Of a word that is no code a message repeats so many letters.
_MOST_SHOWN = 40
_LEAST_LIKENESS = 0.5

SWISS = ("BH-C1", "BH", "DE", "WIN")
ROUND_ROBIN = ("DE", "WIN", "SB", "KS")
#: The editions of FIDE's rules that are known, and the first day of the later one.
EDITIONS = (2024, 2026)
_LATER_SINCE = date(2026, 3, 1)


class TieBreak(NamedTuple):
    """A tie-break: its name in the rules, and its cuts."""

    name: str
    cuts: tuple[str, ...] = ()

    @property
    def code(self) -> str:
        """As it is printed."""
        return "-".join((self.name, *self.cuts))


def parse_codes(text: str) -> list[TieBreak]:
    """The tie-breaks of a text such as `BH-C1, SB, DE`. Raises RefusedError for each that is none."""
    words = [word for word in re.split(r"[\s,;、]+", normalize("NFKC", text)) if word][: _MOST_CODES + 1]
    found = [(word, _parse(word)) for word in words]
    faults = [_unknown(word) for word, tie_break in found if tie_break is None]
    if len(words) > _MOST_CODES:
        faults.append(fault("tie-breaks", 0, "", "standings-too-many", most=_MOST_CODES))
    if faults:
        raise RefusedError(faults)
    return list(dict.fromkeys(tie_break for _, tie_break in found if tie_break))


def _parse(word: str) -> TieBreak | None:
    plain = _HYPHENS.sub("-", word.upper())
    name, *cuts = ALIASES.get(plain, plain).split("-")
    allowed = FIDE_CODES.get(name, "")
    is_known = name in FIDE_CODES or name in US_CODES
    kinds = {cut[:1].replace("M", "C") for cut in cuts}  # C and M exclude each other
    can_cut = len(kinds) == len(cuts) and all(_CUT.fullmatch(cut) and cut[0] in allowed for cut in cuts)
    return TieBreak(name, tuple(sorted(cuts))) if is_known and can_cut else None


def known_codes() -> list[str]:
    """Every name, FIDE's first."""
    return [*FIDE_CODES, *US_CODES]


def _unknown(word: str) -> Fault:
    """The fault of a word that is no code: the nearest ones, and all that there are."""
    titles = {say("tie_breaks", name, "en").upper(): name for name in known_codes()}
    every = {name: name for name in (*known_codes(), *ALIASES)} | titles
    near = dict.fromkeys(every[found] for found in get_close_matches(word.upper(), every, 3, _LEAST_LIKENESS))
    facts = {"word": word[:_MOST_SHOWN], "near": ", ".join(near) or "–", "known": ", ".join(known_codes())}
    return fault("tie-breaks", 0, "", "standings-bad-code", **facts)


def default_codes(*, is_round_robin: bool) -> list[TieBreak]:
    """The tie-breaks of an event of which nobody says others."""
    return parse_codes(",".join(ROUND_ROBIN if is_round_robin else SWISS))


def edition_of(starts: date | None) -> int:
    """The edition of FIDE's rules for an event that starts on a day; the latest for one without a day."""
    return EDITIONS[0] if starts is not None and starts < _LATER_SINCE else EDITIONS[1]
