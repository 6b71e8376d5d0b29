"""The calculators: the rule books' own functions."""

from typing import Annotated, Any, cast

from django.http import HttpRequest
from ninja import Field, Query, Router, Schema

from banzuke.api import params, word_sets
from banzuke.api.auth import optional_key
from banzuke.api.problems import ProblemError
from banzuke.api.serializers import serialize
from banzuke.core.decimals import decimal, two_decimals
from banzuke.core.go_facts import HALF_OF
from banzuke.core.rating import FirstWorking
from banzuke.core.registry import BOOKS
from banzuke.core.rounding import rounded
from banzuke.core.rulebook import Calculator, ChessBook
from banzuke.core.worked import games_against
from banzuke.explanations import calculators

router = Router(tags=["calculators"], auth=optional_key)

K = Annotated[int | None, Query(ge=1, le=100, description="K; left out for a book that has none")]
OwnGames = Annotated[
    int | None,
    Query(ge=0, le=999_999, description="Games that the own rating rests on; for a book that asks for them"),
]
_HALVES = {"1": 2, "0.5": 1, "0": 0}


class Change(Schema):
    """A game's change; `difference` as counted, None where the book rates no such game."""

    difference: int | None = Field(
        description="The difference as counted; null where the book rates no such game"
    )
    expected: str | None = Field(description="The expected score; null where there is none")
    change: str | None = Field(
        description="What the game moves, exactly; null where the book rates no such game"
    )
    clause: str = Field(description="The clause of the rule book")


class First(Schema):
    """A first rating or performance: mean of the opponents, p and what is added; no rating, and `why` not."""

    rating: int | None = Field(description="The rating; null: there is none yet")
    why: str = Field(description="Why there is none; blank where there is one")
    games: int = Field(description="How many games are used")
    mean: str | None = Field(description="The mean of the opponents' ratings; null without games")
    p: str = Field(description="The fractional score")
    added: int = Field(description="What is added to the mean")
    clause: str = Field(description="The clause of the rule book")


class EventToCome(Schema):
    """An event's changes, game by game and in all, what moves the rating, and the new rating.

    `bonus` is part of `total`; it is left out for a book that has none.
    """

    games: list[Change] = Field(description="What each game moves, in the order given")
    total: str = Field(description="What all of them move, exactly")
    shift: int = Field(description="What moves the rating, in whole points")
    new: int = Field(description="The new rating")
    bonus: str | None = Field(
        None, description="What the rules add, part of `total`; left out for a book that has none"
    )


class Terms(Schema):
    """Handicap and komi."""

    handicap: int = Field(description="Handicap stones")
    stones: int = Field(description="The same as `handicap`")
    komi: str = Field(description="What Black gives, in points; negative: White gives")


class Moves(Schema):
    """What a win and a loss move."""

    win: int = Field(description="Points that a win moves")
    loss: int = Field(description="Points that a loss moves")


class GoTerms(Schema):
    """Regular and given terms of two ranks, d, who is the upper, and what the game moves (None: beyond 3)."""

    regular: Terms = Field(description="The regular terms")
    given: Terms = Field(description="The terms that were asked for")
    difference: str = Field(description="The difference in ranks with the given terms, as a fraction (`3/2`)")
    upper: word_sets.Colour | None = Field(
        description="The stronger side with the given terms; null for neither"
    )
    white: Moves | None = Field(description="What the game moves for White; null if it would not be rated")
    black: Moves | None = Field(description="What the game moves for Black; null if it would not be rated")


@router.get("/calculators/change", response=Change)
def change(
    request: HttpRequest,
    rulebook: params.ChessBook,
    own: params.Rating,
    opponent: params.RatingOrUr,
    score: params.Score,
    k: K = None,
    own_games: OwnGames = None,
) -> Any:
    """The change of one game."""
    calculator = _calculator(rulebook)
    given = _given(calculator, k, own_games)
    found = calculator.change(own, _rating(opponent), _HALVES[score], given)
    return calculators.change_facts(found)


@router.get("/calculators/event", response=EventToCome, exclude_unset=True)
def event(
    request: HttpRequest,
    rulebook: params.ChessBook,
    own: params.Rating,
    games: params.Games,
    k: K = None,
    own_games: OwnGames = None,
) -> Any:
    """What an event would do to a rating."""
    calculator = _calculator(rulebook)
    given = _given(calculator, k, own_games)
    found = calculators.event_forecast(calculator, own, given, [_game(each) for each in games])
    changes = [calculators.change_facts(each) for each in found.games]
    answer = serialize(EventToCome, found, games=changes, total=decimal(found.total))
    bonus = answer.pop("bonus")
    return answer if bonus is None else answer | {"bonus": decimal(bonus)}


@router.get("/calculators/first", response=First)
def first(request: HttpRequest, rulebook: params.ChessBook, games: params.Games) -> Any:
    """A first rating from games; which of them brought the points changes nothing."""
    played = [_game(each) for each in games]
    points = sum(score for _, score in played)
    return _first(_calculator(rulebook).first(games_against([rating for rating, _ in played], points)))


@router.get("/calculators/performance", response=First)
def performance(request: HttpRequest, games: params.RatedGames) -> Any:
    """A performance: the mean of the opponents' ratings and dp."""
    played = [_game(each) for each in games]
    points = sum(score for _, score in played)
    performance_of = calculators.performance_books()[0].calculator.performance
    assert performance_of is not None  # by performance_books
    return _first(performance_of([rating or 0 for rating, _ in played], points))


@router.get("/calculators/go", response=GoTerms)
def go(
    request: HttpRequest,
    white: params.GoRank,
    black: params.GoRank,
    handicap: params.Handicap = None,
    komi: params.Komi = None,
    game_number: Annotated[
        int, Query(ge=21, le=1_000_000, description="Which of the player's games it is")
    ] = 101,
) -> Any:
    """Regular terms, and what given ones are worth."""
    book = calculators.go_books()[0]
    terms = book.terms(HALF_OF[white], HALF_OF[black], handicap, params.half_points(komi), game_number)
    facts: dict[str, Any] = calculators.terms_facts(terms)
    return facts | {kind: {"handicap": facts[kind]["stones"], **facts[kind]} for kind in ("regular", "given")}


def _rating(word: str) -> int | None:
    return None if word == "UR" else int(word)


def _calculator(rulebook: str) -> Calculator:
    """The calculator of an installed book of chess."""
    return cast("ChessBook", BOOKS[rulebook]).calculator


def _given(calculator: Calculator, k: int | None, own_games: int | None) -> int:
    """K or the number of games for the calculator. Raises ProblemError for one too few or many."""
    try:
        return calculators.k_or_games(calculator, k, own_games)
    except calculators.KOrGamesError as error:
        if error.asks == "games":
            words = "`own_games` is needed instead of `k`: this book rates by the number of games."
        elif own_games is not None:
            words = "`own_games` has no place: this book does not ask for the number of games."
        else:
            words = "`k` is needed, but for a book that has none."
        raise ProblemError("k-or-games", words) from None


def _game(word: str) -> tuple[int | None, int]:
    """A game: the opponent's rating and half points."""
    rating, _, score = word.partition(":")
    return _rating(rating), _HALVES[score]


def _first(working: FirstWorking) -> dict[str, Any]:
    total, n = working.mean
    return serialize(
        First,
        working,
        games=len(working.games),
        mean=decimal(rounded(100 * total, n)) if n else None,
        p=two_decimals(working.percent),
        added=working.dp,
    )
