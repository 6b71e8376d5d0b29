"""The little calculators: the rule books' own functions, asked for one game or one player."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from banzuke.core.rating import UNRATED, FirstGame, FirstWorking
from banzuke.office.results import decimal, ranks, two_decimals
from banzuke.rulebooks import fide_2024, hakodate, jcf_2024, ncs_2022
from banzuke.rulebooks.fide_tables import dp, expected, percentage
from banzuke.rulebooks.pandanet_ranks import WIDEST, points_moved, regular_terms, value, worth

#: A day for games whose day does not matter to a calculator.
SOME_DAY = date(2026, 1, 1)


class Change(NamedTuple):
    """One game's change in hundredths; None where the book rates no such game."""

    difference: int | None
    expected: int | None
    hundredths: int | None
    clause: str

    def facts(self) -> dict[str, object]:
        """As JSON gives it."""
        return {
            "difference": self.difference,
            "expected": None if self.expected is None else two_decimals(self.expected),
            "change": None if self.hundredths is None else decimal(self.hundredths),
            "clause": self.clause,
        }


def change(book: str, own: int, opponent: int | None, score: int, k: int) -> Change:
    """The change of one game by that book; `opponent` None: unrated, `score` in half points."""
    if book == "ncs-2022":
        counted = ncs_2022.difference_counted(own, opponent)
        return _by_k(counted, score, k, "NCS 5(1)")
    if opponent is None:
        clause = {"jcf-2024": "JCF 5(1)C-zero", "fide-2024": "FIDE 8.2.2", "hakodate": "HCC R12"}[book]
        return Change(None, None, None, clause)
    if book == "jcf-2024":
        return _by_k(ncs_2022.difference_counted(own, opponent), score, k, "JCF 5(1)")
    if book == "hakodate":
        counted = hakodate.difference_counted(own, opponent)
        return Change(counted, None, hakodate.established(counted, score), "HCC R9")
    settings = fide_2024.Settings()
    counted = fide_2024.difference_counted(own, opponent, "standard", SOME_DAY, settings)
    return _by_k(counted, score, k, "FIDE 8.3.2")


def _by_k(difference: int, score: int, k: int, clause: str) -> Change:
    percent = expected(difference)
    return Change(difference, percent, ncs_2022.change(score, percent, k), clause)


def first_rating(book: str, opponents: list[int | None], points: int) -> FirstWorking:
    """The first rating from so many half points against those opponents (None: unrated)."""
    games = _games(opponents, points)
    if book == "ncs-2022":
        return ncs_2022.first_rating(games, SOME_DAY, ncs_2022.Settings())
    if book == "jcf-2024":
        return jcf_2024.first_rating(games, SOME_DAY)
    if book == "fide-2024":
        return fide_2024.first_rating(games, SOME_DAY)
    average = hakodate.Settings().unrated_opponent
    sides = [(average if g.opponent_rating is None else g.opponent_rating, g.score) for g in games]
    mean = hakodate.provisional(UNRATED, sides)
    working = FirstWorking(games, mean, points, 0, 0, None, "", "HCC R7")
    return working._replace(rating=working.exact_rating)


def _games(opponents: list[int | None], points: int) -> tuple[FirstGame, ...]:
    """Games with these points in all; which game brought them changes nothing."""
    games = []
    for number, rating in enumerate(opponents, 1):
        score = min(2, points)
        points -= score
        games.append(FirstGame("", number, SOME_DAY, "", rating, score))
    return tuple(games)


def performance(opponents: list[int], points: int) -> FirstWorking:
    """JCF 6(4): the opponents' mean and dp, whatever the number of games."""
    n = len(opponents)
    percent = percentage(points, n)
    games = _games(list(opponents), points)
    working = FirstWorking(games, (sum(opponents), n), points, percent, dp(percent), None, "", "JCF 6(4)")
    return working._replace(rating=working.exact_rating)


class GoTerms(NamedTuple):
    """Regular and given terms (stones, komi in half points); d and what a win and a loss move.

    `stronger` and `upper`: 1 White, -1 Black, 0 nobody. The sides are None where d passes 3.
    """

    regular: tuple[int, int]
    stronger: int
    given: tuple[int, int]
    difference: int
    upper: int
    white: tuple[int, int] | None
    black: tuple[int, int] | None

    def facts(self) -> dict[str, object]:
        """As JSON gives it; komi in points."""
        return {
            "regular": {"stones": self.regular[0], "komi": decimal(50 * self.regular[1])},
            "given": {"stones": self.given[0], "komi": decimal(50 * self.given[1])},
            "difference": ranks(self.difference),
            "upper": {1: "white", -1: "black", 0: None}[self.upper],
            "white": _moves(self.white),
            "black": _moves(self.black),
        }


def _moves(side: tuple[int, int] | None) -> dict[str, int] | None:
    return None if side is None else {"win": side[0], "loss": side[1]}


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def go_terms(white: int, black: int, stones: int | None, komi: int | None, game_number: int) -> GoTerms:
    """Terms of two half ranks: regular ones, the stronger taking White, and given ones.

    What is not given is regular, or even where Black is the stronger. PN 2(2), 3(1), 3(2).
    """
    regular = regular_terms(abs(white - black))
    usual = regular if white >= black else regular_terms(0)
    given = (usual[0] if stones is None else stones, usual[1] if komi is None else komi)
    d = value(white) - value(black) - worth(*given)
    sides = {
        upper: (
            points_moved(abs(d), upper_won=upper, game_number=game_number),
            -points_moved(abs(d), upper_won=not upper, game_number=game_number),
        )
        for upper in (True, False)
        if abs(d) <= WIDEST
    }
    return GoTerms(regular, _sign(white - black), given, abs(d), _sign(d), sides.get(d > 0), sides.get(d < 0))
