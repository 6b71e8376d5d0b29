"""The little calculators: the rule books' own functions, asked for one game or one player."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from banzuke.core.facts import STANDARD
from banzuke.core.rating import AGAINST_UNRATED, RATED, UNRATED, FirstGame, FirstWorking
from banzuke.core.rounding import rounded
from banzuke.office.results import decimal, ranks, two_decimals
from banzuke.rulebooks import BOOKS, fide_2024, hakodate, jcf_2024, ncs_2022
from banzuke.rulebooks.fide_tables import dp, expected, percentage
from banzuke.rulebooks.pandanet_ranks import WIDEST, points_moved, regular_terms, value, worth

#: The day that a calculator's games are played on: today's rules, FIDE's change of 2025 included.
DAY = date(2026, 1, 1)


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


def change(name: str, own: int, opponent: int | None, score: int, k: int) -> Change:
    """The change of one game by that book; `opponent` None: unrated, `score` in half points."""
    module = BOOKS[name].module
    if opponent is None and not getattr(module.Settings(), "rate_against_unrated", False):
        return Change(None, None, None, module.VERDICTS[AGAINST_UNRATED])
    if module is hakodate:
        counted = module.difference_counted(own, opponent)
        return Change(counted, None, module.established(counted, score), module.VERDICTS[RATED])
    if module is fide_2024:
        counted = module.difference_counted(own, opponent, STANDARD, DAY, module.Settings())
    else:
        counted = module.difference_counted(own, opponent)
    percent = expected(counted)
    return Change(counted, percent, module.change(score, percent, k), module.VERDICTS[RATED])


class EventToCome(NamedTuple):
    """What an event would bring: each game's change, their sum in hundredths, the shift, the new rating."""

    games: list[Change]
    total: int
    shift: int
    new: int


def event_to_come(name: str, own: int, k: int, games: list[tuple[int | None, int]]) -> EventToCome:
    """An event by that book for a rated player; games as (opponent's rating or None, half points)."""
    module = BOOKS[name].module
    changes = [change(name, own, opponent, score, k) for opponent, score in games]
    total = sum(found.hundredths or 0 for found in changes)
    if hasattr(module, "new_rating"):
        shift, new = module.new_rating(own, total)
    else:
        shift = rounded(total, 100)
        new = own + shift
    return EventToCome(changes, total, shift, new)


def first_rating(name: str, opponents: list[int | None], points: int) -> FirstWorking:
    """The first rating from so many half points against those opponents (None: unrated)."""
    games = _games(opponents, points)
    if name == "ncs-2022":
        return ncs_2022.first_rating(games, DAY, ncs_2022.Settings())
    if name == "jcf-2024":
        return jcf_2024.first_rating(games, DAY)
    if name == "fide-2024":
        working = fide_2024.first_rating(games, DAY)
        return (
            working if fide_2024.kept(None, [list(games)]) else working._replace(rating=None, why="no-points")
        )
    average = hakodate.Settings().unrated_opponent
    counted = [average if rating is None else rating for rating in opponents]
    return hakodate.provisional_rating(UNRATED, _games(list(counted), points))


def _games(opponents: list[int | None], points: int) -> tuple[FirstGame, ...]:
    """Games with these points in all; which game brought them changes nothing."""
    games = []
    for number, rating in enumerate(opponents, 1):
        score = min(2, points)
        points -= score
        games.append(FirstGame("", number, DAY, "", rating, score))
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
