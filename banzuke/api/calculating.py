"""The calculators: the rule books' own functions."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router, Schema
from ninja.errors import HttpError

from banzuke.api import asked
from banzuke.core.go import HALF_OF
from banzuke.core.rating import FirstWorking
from banzuke.core.rounding import rounded
from banzuke.ledger.cells import KOMI, CellError
from banzuke.office import calculators
from banzuke.office.results import decimal, two_decimals
from banzuke.rulebooks import BOOKS, Family

router = Router(tags=["calculators"])

K = Annotated[int | None, Query(ge=1, le=100, description="K; a club's book has none")]
#: Points of several games, as decimals: `2.5`.
Points = Annotated[str, Query(pattern=r"^[0-9]{1,3}(\.[05])?$", description="Points in all: `2.5`")]
Scores = Annotated[
    list[asked.Score], Query(min_length=1, max_length=asked.MOST_GAMES, description="One for each opponent")
]
_HALVES = {"1": 2, "0.5": 1, "0": 0}


class Change(Schema):
    """A game's change; `difference` as counted, None where the book rates no such game."""

    difference: int | None
    expected: str | None
    change: str | None
    clause: str


class First(Schema):
    """A first rating or performance: mean of the opponents, p and what is added; no rating, and `why` not."""

    rating: int | None
    why: str
    games: int
    mean: str | None
    p: str
    added: int
    clause: str


class EventToCome(Schema):
    """An event's changes, game by game and in all, what moves the rating, and the new rating."""

    games: list[Change]
    total: str
    shift: int
    new: int


class Terms(Schema):
    """Stones and komi."""

    stones: int
    komi: str


class Moves(Schema):
    """What a win and a loss move."""

    win: int
    loss: int


class GoTerms(Schema):
    """Regular and given terms of two ranks, d, who is the upper, and what the game moves (None: beyond 3)."""

    regular: Terms
    given: Terms
    difference: str
    upper: str | None
    white: Moves | None
    black: Moves | None


@router.get("/calculators/change", response=Change)
def change(
    request: HttpRequest,
    rulebook: asked.ChessBook,
    own: asked.Rating,
    opponent: asked.RatingOrUr,
    score: asked.Score,
    k: K = None,
) -> Any:
    """The change of one game."""
    found = calculators.change(rulebook, own, _rating(opponent), _HALVES[score], _k(rulebook, k))
    return found.facts()


@router.get("/calculators/event", response=EventToCome)
def event(
    request: HttpRequest,
    rulebook: asked.ChessBook,
    own: asked.Rating,
    opponents: asked.Ratings,
    scores: Scores,
    k: K = None,
) -> Any:
    """What an event would do to a rating: opponents with their scores, in order."""
    if len(opponents) != len(scores):
        raise HttpError(422, "`scores` and `opponents` go together, one for each game.")
    games = [(_rating(word), _HALVES[score]) for word, score in zip(opponents, scores, strict=True)]
    found = calculators.event_to_come(rulebook, own, _k(rulebook, k), games)
    return {
        "games": [each.facts() for each in found.games],
        "total": decimal(found.total),
        "shift": found.shift,
        "new": found.new,
    }


@router.get("/calculators/first", response=First)
def first(request: HttpRequest, rulebook: asked.ChessBook, opponents: asked.Ratings, points: Points) -> Any:
    """A first rating from points against opponents."""
    ratings = [_rating(word) for word in opponents]
    return _first(calculators.first_rating(rulebook, ratings, _half_points(points, len(ratings))))


@router.get("/calculators/performance", response=First)
def performance(
    request: HttpRequest,
    opponents: Annotated[list[asked.Rating], Query(min_length=1, max_length=asked.MOST_GAMES)],
    points: Points,
) -> Any:
    """A performance: the mean of the opponents' ratings and dp (JCF 6(4))."""
    return _first(calculators.performance(opponents, _half_points(points, len(opponents))))


@router.get("/calculators/go", response=GoTerms)
def go(
    request: HttpRequest,
    white: asked.GoRank,
    black: asked.GoRank,
    handicap: Annotated[int | None, Query(ge=0, le=9, description="Stones; regular if left out")] = None,
    komi: Annotated[str, asked.word("Komi: `6.5`, `-5.5`; regular if left out")] = "",
    game_number: Annotated[int, Query(ge=21, le=1_000_000, description="Which of his games it is")] = 101,
) -> Any:
    """Regular terms, and what given ones are worth."""
    try:
        halves = KOMI.read(komi) if komi else None
    except CellError:
        raise HttpError(422, "`komi` is a number of points or half points, as 6.5 or -5.5.") from None
    terms = calculators.go_terms(HALF_OF[white], HALF_OF[black], handicap, halves, game_number)
    return terms.facts()


def _rating(word: str) -> int | None:
    return None if word == "UR" else int(word)


def _k(rulebook: str, k: int | None) -> int:
    """K for the book. Raises HttpError where it is missing, or has no place."""
    if (k is None) != (BOOKS[rulebook].family is Family.CLUB):
        raise HttpError(422, "`k` is needed, but for the club's book, which has none.")
    return k or 0


def _half_points(points: str, games: int) -> int:
    halves: int = KOMI.read(points.removesuffix(".0"))
    if halves > 2 * games:
        raise HttpError(422, "There are more points than games.")
    return halves


def _first(working: FirstWorking) -> dict[str, Any]:
    total, n = working.mean
    return {
        "rating": working.rating,
        "why": working.why,
        "games": len(working.games),
        "mean": decimal(rounded(100 * total, n)) if n else None,
        "p": two_decimals(working.percent),
        "added": working.dp,
        "clause": working.clause,
    }
