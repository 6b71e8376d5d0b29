"""The worked examples of the documents and of our readings, each run by the rule book's own functions.

A test and every rule page run them: what is printed stands beside what the program gives now.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.go import HALF_OF
from banzuke.core.rating import UNRATED, FirstGame
from banzuke.office.calculators import DAY, change, first_rating, go_terms
from banzuke.office.explain_games import signed
from banzuke.office.results import decimal, ranks
from banzuke.rulebooks import hakodate, jcf_2024, ncs_2022
from banzuke.words import say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType

    from banzuke.rulebooks import Book
    from banzuke.words import Language

#: Half points by the words of the sentences.
SCORES = {2: "1", 1: "0.5", 0: "0"}
UR = "UR"


class Worked(NamedTuple):
    """A worked example: its clause, its sentence (`kind`, `facts`), what it must give, how it is run."""

    clause: str
    kind: str
    facts: Mapping[str, object]
    must_give: str
    run: Callable[[], str]

    def told(self, lang: Language) -> str:
        """What is given, as a sentence."""
        return say("examples", self.kind, lang, **self.facts)


def _change(clause: str, book: str, own: int, opponent: int, score: int, k: int, must: str) -> Worked:
    def run() -> str:
        found = change(book, own, opponent, score, k).hundredths
        return "-" if found is None else signed(found)

    kind = "game" if k else "game-without-k"
    return Worked(clause, kind, {"own": own, "opponent": opponent, "score": SCORES[score], "k": k}, must, run)


def _sum(clause: str, module: ModuleType, total: int, must: str) -> Worked:
    def run() -> str:
        shift: int = module.new_rating(module.EVER, total)[0]
        return f"{shift:+}"

    return Worked(clause, "sum", {"total": signed(total)}, must, run)


def _first(clause: str, book: str, opponents: list[int | None], halves: int, must: str) -> Worked:
    said = ", ".join(UR if rating is None else str(rating) for rating in opponents)
    facts = {"opponents": said, "points": decimal(50 * halves), "n": len(opponents)}
    return Worked(clause, "first", facts, must, lambda: str(first_rating(book, opponents, halves).rating))


def _provisional(
    clause: str, games: tuple[tuple[int, int], ...], before: tuple[int, int], must: str
) -> Worked:
    """Games as (opponent's rating, half points); `before` as (rating, games), (0, 0) for a newcomer."""
    old, rests_on = before
    rating = UNRATED._replace(value=old, games=rests_on) if rests_on else UNRATED

    def run() -> str:
        played = tuple(
            FirstGame("", number, DAY, "", opponent, score)
            for number, (opponent, score) in enumerate(games, 1)
        )
        working = hakodate.provisional_rating(rating, played)
        return hakodate.notation(working.rating or 0, rests_on + len(games))

    said = ", ".join(f"{opponent} ({SCORES[score]})" for opponent, score in games)
    facts = {"games": said, "before": hakodate.notation(old, rests_on) if rests_on else UR}
    return Worked(clause, "provisional", facts, must, run)


def _terms(
    clause: str, white: str, black: str, stones: int, komi: int, game_number: int, must: str
) -> Worked:
    """What d is, and what White and Black win; komi in half points."""

    def run() -> str:
        terms = go_terms(HALF_OF[white], HALF_OF[black], stones, komi, game_number)
        if terms.white is None or terms.black is None:
            return f"d = {ranks(terms.difference)}"
        return f"d = {ranks(terms.difference)}; {terms.white[0]:+}, {terms.black[0]:+}"

    facts = {
        "white": white,
        "black": black,
        "stones": stones,
        "komi": decimal(50 * komi),
        "number": game_number,
    }
    return Worked(clause, "terms", facts, must, run)


_NCS_CHANGE = partial(_change, "NCS 5(1)", "ncs-2022")
_JCF_CHANGE = partial(_change, "JCF 5(1)", "jcf-2024")
_FIDE_CHANGE = partial(_change, "FIDE 8.3.2", "fide-2024")
_CLUB_CHANGE = partial(_change, "HCC R9", "hakodate", k=0)
_NCS_FIRST = partial(_first, "NCS 6(4)", "ncs-2022")

EXAMPLES: Mapping[str, tuple[Worked, ...]] = {
    "ncs-2022": (
        _NCS_CHANGE(1600, 1800, 2, 20, "+15.2"),
        _NCS_CHANGE(1600, 1800, 0, 20, "-4.8"),
        _NCS_CHANGE(1500, 1950, 2, 40, "+36.8"),
        _NCS_CHANGE(1500, 1950, 0, 40, "-3.2"),
        _NCS_CHANGE(2450, 2000, 0, 10, "-9.2"),
        _sum("NCS 5(2)", ncs_2022, -250, "-3"),
        _NCS_FIRST([2000] * 5, 6, "2020"),
        _NCS_FIRST([2000] * 5, 4, "1928"),
        _NCS_FIRST([2000] * 5, 5, "2000"),
        _NCS_FIRST([2100] * 5, 10, "2200"),
        _NCS_FIRST([1600] * 5, 2, "1360"),
        _NCS_FIRST([1800] * 7, 8, "1820"),
        _NCS_FIRST([1400, 1523, None, 1610], 3, "1296"),
        _NCS_FIRST([1400, 1523, None, 1610], 5, "1403"),
    ),
    "jcf-2024": (
        _JCF_CHANGE(1600, 1800, 2, 20, "+15.2"),
        _JCF_CHANGE(1600, 1800, 0, 20, "-4.8"),
        _JCF_CHANGE(1500, 1950, 2, 40, "+36.8"),
        _JCF_CHANGE(2450, 2000, 0, 10, "-9.2"),
        _sum("JCF 5(2)", jcf_2024, -250, "-3"),
        _first("JCF 6(4)", "jcf-2024", [1500, 1500, 1600, 1600, 1700, 1700], 5, "1543"),
    ),
    "fide-2024": (
        _FIDE_CHANGE(1600, 1800, 2, 20, "+15.2"),
        _FIDE_CHANGE(2450, 2000, 0, 10, "-9.2"),
        _first("FIDE 8.2.3", "fide-2024", [1901, 1901, 1901, 1902, 1902], 6, "1922"),
    ),
    "hakodate": (
        _provisional("HCC R4", ((1212, 2), (1815, 0), (1340, 2), (1438, 1)), (0, 0), "1551/4"),
        _provisional("HCC R6", ((1472, 2), (1726, 0), (1637, 0), (1595, 1)), (1551, 4), "1529/8"),
        _provisional("HCC R4", ((1500, 1),) * 6, (0, 0), "1500/6"),
        _CLUB_CHANGE(1500, 1500, 2, must="+16"),
        _CLUB_CHANGE(1700, 1500, 2, must="+8"),
        _CLUB_CHANGE(1700, 1500, 1, must="-8"),
        _CLUB_CHANGE(1700, 1500, 0, must="-24"),
        _CLUB_CHANGE(1500, 1700, 2, must="+24"),
        _CLUB_CHANGE(1500, 2000, 2, must="+32"),
        _CLUB_CHANGE(2000, 1500, 0, must="-32"),
    ),
    "pandanet": (
        _terms("PN 3(2)", "1d", "2k", 0, 1, 101, "d = 3/2; +78, +122"),
        _terms("PN 3(2)", "1d", "2k", 2, 1, 101, "d = 1/2; +92, +108"),
        _terms("PN 3(2)", "2d+", "2k", 0, 1, 101, "d = 3; +64, +136"),
        _terms("PN 1(5)e", "2d+", "2k", 0, 13, 101, "d = 7/2"),
        _terms("PN 3(1)", "1d+", "1d+", 0, 13, 31, "d = 0; +150, +150"),
        _terms("PN 3(1)", "1d+", "1d+", 0, 13, 301, "d = 0; +100, +100"),
        _terms("PN 3(1)", "3d", "2d+", 0, 13, 101, "d = 1/2; +92, +108"),
        _terms("PN 3(1)", "3d", "2d+", 0, 7, 101, "d = 1/4; +96, +104"),
        _terms("PN 3(1)", "3d", "2d+", 0, 7, 60, "d = 1/4; +115, +125"),
        _terms("PN 3(2)", "1k", "2k", 3, 1, 101, "d = 3/2; +122, +78"),
    ),
}


def examples(book: Book) -> tuple[Worked, ...]:
    """The worked examples of a rule book, in the order of its document."""
    return EXAMPLES[book.name]
