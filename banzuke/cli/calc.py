"""banzuke calc: one game's change, a first rating, a performance, Go terms."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from banzuke.cli.command import NO, command, leave
from banzuke.cli.output import answer, print_json, print_line, text, wants_json
from banzuke.core.decimals import decimal, halves, two_decimals
from banzuke.core.go_facts import HALF_OF
from banzuke.core.registry import BOOKS
from banzuke.core.rounding import rounded
from banzuke.core.worked import games_against
from banzuke.engine.result_rows import ranks
from banzuke.explanations import calculators
from banzuke.ledger.cells import HALVES, KOMI, CellError
from banzuke.words import book_sentence, filled_in_by_book, preferred_language

if TYPE_CHECKING:
    from collections.abc import Sequence

    from banzuke.core.rating import FirstWorking
    from banzuke.core.rulebook import Calculator, ChessBook


class Score(StrEnum):
    """A result from one side."""

    WIN = "1"
    DRAW = "0.5"
    LOSS = "0"


CHESS, PERFORMANCE, GO = calculators.chess_books(), calculators.performance_books(), calculators.go_books()
if TYPE_CHECKING:
    ChessBookName = str
    PerformanceBookName = str
    GoBookName = str
else:
    ChessBookName, PerformanceBookName, GoBookName = (
        StrEnum("BookName", [(book.name, book.name) for book in books]) for books in (CHESS, PERFORMANCE, GO)
    )

BOOK_OPTION = typer.Option("--rulebook", help=text("calc-rulebook"))
Opponents = Annotated[str, typer.Option("--opponents", help=text("calc-opponents"))]
RatedOpponents = Annotated[str, typer.Option("--opponents", help=text("calc-rated-opponents"))]
Points = Annotated[str, typer.Option("--points", help=text("calc-points"))]


def _calculator(books: Sequence[ChessBook], name: str) -> Calculator:
    """The calculator of the book of that name."""
    (book,) = (book for book in books if book.name == name)
    return book.calculator


@command
def change(
    rulebook: Annotated[ChessBookName, BOOK_OPTION],
    own: Annotated[int, typer.Option("--own", min=0, max=9999, help=text("calc-own"))],
    opponent: Annotated[str, typer.Option("--opponent", help=text("calc-opponent"))],
    score: Annotated[Score, typer.Option("--score", help=text("calc-score"))],
    k: Annotated[int | None, typer.Option("--k", min=1, max=100, help=text("calc-k"))] = None,
    own_games: Annotated[
        int | None, typer.Option("--own-games", min=0, max=999_999, help=text("calc-own-games"))
    ] = None,
) -> None:
    """Print the change of one game."""
    calculator = _calculator(CHESS, rulebook)
    k_or_games = _k_or_games(calculator, rulebook, k, own_games)
    other = _rating_or_unrated(opponent)
    half_points = {"1": 2, "0.5": 1, "0": 0}[score.value]
    found = calculator.change(own, other, half_points, k_or_games)
    given: dict[str, object] = {"own": own, "score": score.value, "k": k}
    if own_games is not None:
        given["own_games"] = own_games
    facts = {"book": rulebook, "opponent": other, **given, **calculators.change_facts(found)}
    if found.hundredths is None:
        answer(facts, text("calc-not-rated", book=rulebook, clause=found.clause))
        raise typer.Exit(NO)
    without_k = "calc-expected-line" if own_games is None else "calc-games-line"
    with_expectation = without_k if k is None else "calc-change-line"
    key = "calc-club-line" if found.expected is None else with_expectation
    shown = {
        "difference": f"{found.difference:+}",
        "expected": "" if found.expected is None else two_decimals(found.expected),
        "change": f"{'+' if found.hundredths > 0 else ''}{decimal(found.hundredths)}",
    }
    answer(facts, text(key, opponent=opponent, clause=found.clause, **given, **shown))


def _k_or_games(calculator: Calculator, book: str, k: int | None, own_games: int | None) -> int:
    """What the calculator asks beside the ratings; leaves where it is missing, or has no place."""
    try:
        return calculators.k_or_games(calculator, k, own_games)
    except calculators.KOrGamesError as error:
        if error.asks == "k" and own_games is None:
            leave(text("calc-k-needed", book=book))
        if error.asks == "nothing" and own_games is None:
            leave(text("calc-no-k", book=book))
        leave(text("calc-games-needed" if error.asks == "games" else "calc-no-games", book=book))


def _rating(word: str) -> int:
    """A rating."""
    word = word.strip()
    if not (word.isascii() and word.isdigit() and len(word) <= len("9999")):
        leave(text("calc-number", value=word, what=text("rating")))
    return int(word)


def _rating_or_unrated(word: str) -> int | None:
    """A rating, or None for UR."""
    return None if word.strip().upper() == "UR" else _rating(word)


def _half_points(word: str, games: int) -> int:
    """Points as half points, possible from so many games."""
    match = HALVES.fullmatch(word.strip())
    if match is None:
        leave(text("calc-number", value=word, what=text("points")))
    halves: int = KOMI.read(word.strip())
    if not 0 <= halves <= 2 * games:
        leave(text("calc-points-range", points=word, n=games))
    return halves


@command
def first(
    rulebook: Annotated[ChessBookName, BOOK_OPTION],
    opponents: Opponents,
    points: Points,
) -> None:
    """Print a first rating."""
    ratings = [_rating_or_unrated(word) for word in opponents.split(",")]
    halves = _half_points(points, len(ratings))
    working = _calculator(CHESS, rulebook).first(games_against(ratings, halves))
    _print_working(rulebook, working, points)


@command
def performance(
    opponents: RatedOpponents,
    points: Points,
    rulebook: Annotated[PerformanceBookName, BOOK_OPTION] = PERFORMANCE[0].name if PERFORMANCE else "",
) -> None:
    """Print a performance rating."""
    ratings = [_rating(word) for word in opponents.split(",")]
    performance_of = _calculator(PERFORMANCE, rulebook).performance
    assert performance_of is not None  # by performance_books
    working = performance_of(ratings, _half_points(points, len(ratings)))
    _print_working(rulebook, working, points)


def _say(book: str, key: str, **facts: object) -> str:
    """A sentence in the book's own words, if it has them, else in the common ones."""
    sentence = book_sentence(BOOKS[book], "cli", key, preferred_language())
    return filled_in_by_book(BOOKS[book], sentence, facts)


def _print_working(book: str, working: FirstWorking, points: str) -> None:
    total, n = working.mean
    mean = decimal(rounded(100 * total, n)) if n else "-"
    percent = two_decimals(working.percent)
    both = {"rating": working.rating, "mean": mean, "clause": working.clause}
    facts = {"why": working.why, "games": len(working.games), "p": percent, "added": working.dp, **both}
    if working.rating is None:
        answer(facts, text("calc-first-none", why=_say(book, f"why-{working.why}"), clause=working.clause))
        raise typer.Exit(NO)
    shown = {"n": len(working.games), "points": points, "percent": percent, "added": f"{working.dp:+}"}
    answer(facts, _say(book, "calc-first-line", **shown, **both))


#: The first game in which a certified player has points.
FIRST_GAME = GO[0].certifying_games + 1 if GO else 1


@command
def go(
    white: Annotated[str, typer.Option("--white", help=text("calc-white"))],
    black: Annotated[str, typer.Option("--black", help=text("calc-black"))],
    handicap: Annotated[
        int | None, typer.Option("--handicap", min=0, max=9, help=text("calc-handicap"))
    ] = None,
    komi: Annotated[str | None, typer.Option("--komi", help=text("calc-komi"))] = None,
    game_number: Annotated[int, typer.Option("--game-number", min=FIRST_GAME, help=text("calc-games"))] = 101,
    rulebook: Annotated[GoBookName, BOOK_OPTION] = GO[0].name if GO else "",
) -> None:
    """Print regular terms, and what given ones are worth."""
    for rank in (white, black):
        if rank not in HALF_OF:
            leave(text("calc-number", value=rank, what=text("go-rank")))
    try:
        halves = None if komi is None else KOMI.read(komi)
    except CellError:
        leave(text("calc-number", value=komi, what="komi"))
    (book,) = (book for book in GO if book.name == rulebook)
    terms = book.terms(HALF_OF[white], HALF_OF[black], handicap, halves, game_number)
    if wants_json():
        print_json(
            {"white": white, "black": black, "game_number": game_number, **calculators.terms_facts(terms)}
        )
        return
    names = {1: text("white"), -1: text("black"), 0: text("nobody")}
    (stones, komi_halves), stronger = terms.regular, names[terms.stronger]
    print_line(_say(rulebook, "calc-go-regular", stones=stones, komi=_komi(komi_halves), stronger=stronger))
    (stones, komi_halves), upper = terms.given, names[terms.upper]
    difference = ranks(terms.difference)
    print_line(
        _say(rulebook, "calc-go-given", stones=stones, komi=_komi(komi_halves), d=difference, upper=upper)
    )
    if terms.white is None or terms.black is None:
        print_line(_say(rulebook, "calc-go-not"))
        return
    for side, (win, loss) in ((text("white"), terms.white), (text("black"), terms.black)):
        print_line(_say(rulebook, "calc-go-side", side=side, win=f"{win:+}", loss=f"{loss:+}"))


def _komi(komi: int) -> str:
    """Komi as people say it: reverse komi plainly."""
    return halves(komi) if komi >= 0 else text("reverse-komi", komi=halves(-komi))
