"""Worked examples of chess books: a game, a sum, a first rating, each run by the book's own calculator."""

from collections.abc import Iterable, Sequence
from datetime import date

from banzuke.core.decimals import decimal, signed
from banzuke.core.rating import FirstGame
from banzuke.core.rulebook import Calculator, Worked

#: Half points as the sentences write them.
SCORES = {2: "1", 1: "0.5", 0: "0"}
UNRATED_WORD = "UR"
#: The day on which a calculator's games are played.
DAY = date(2026, 1, 1)


def games_against(opponents: Sequence[int | None], points: int) -> tuple[FirstGame, ...]:
    """Games against those opponents (None: unrated) with so many half points in all.

    Which of the games brought the points changes nothing.
    """
    games = []
    for number, rating in enumerate(opponents, 1):
        score = min(2, points)
        points -= score
        games.append(FirstGame("", number, DAY, "", rating, score))
    return tuple(games)


def listed_games(games: Iterable[tuple[object, int]]) -> str:
    """Games of an example as the sentences write them: `1400 (1), 1500 (0.5)`."""
    return ", ".join(f"{opponent} ({SCORES[score]})" for opponent, score in games)


def change_example(
    clause: str, calculator: Calculator, own: int, opponent: int, score: int, k: int, must: str
) -> Worked:
    """A game's change; `score` in half points, `must` as written (`+15.2`)."""

    def run() -> str:
        found = calculator.change(own, opponent, score, k).hundredths
        return "-" if found is None else signed(found)

    kind = "game" if calculator.asks == "k" else "game-without-k"
    return Worked(clause, kind, {"own": own, "opponent": opponent, "score": SCORES[score], "k": k}, must, run)


def sum_example(clause: str, calculator: Calculator, total: int, must: str) -> Worked:
    """A sum of changes (hundredths) rounded, far above any floor."""
    return Worked(
        clause,
        "sum",
        {"total": signed(total)},
        must,
        lambda: f"{calculator.new_rating(2400, total)[0]:+}",
    )


def first_example(
    clause: str, calculator: Calculator, opponents: Sequence[int | None], halves: int, must: str
) -> Worked:
    """A first rating from so many half points against those opponents (None: unrated)."""
    listed = ", ".join(UNRATED_WORD if rating is None else str(rating) for rating in opponents)
    facts = {"opponents": listed, "points": decimal(50 * halves), "n": len(opponents)}
    return Worked(
        clause, "first", facts, must, lambda: str(calculator.first(games_against(opponents, halves)).rating)
    )
