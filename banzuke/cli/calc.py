"""banzuke calc: one game's change, a first rating, a performance, Go terms."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from banzuke.cli.output import (
    NO,
    REFUSED,
    Format,
    FormatOption,
    LangOption,
    complain,
    guarded,
    language,
    print_json,
    print_line,
    text,
)
from banzuke.core.decimals import decimal, two_decimals
from banzuke.core.go_facts import HALF_OF
from banzuke.core.rounding import rounded
from banzuke.engine.result_rows import ranks
from banzuke.explain import calculators
from banzuke.ledger.cells import HALVES, KOMI, CellError

if TYPE_CHECKING:
    from banzuke.core.rating import FirstWorking

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


class ChessBook(StrEnum):
    """Books that rate a game by K, or a club's."""

    NCS = "ncs-2022"
    JCF = "jcf-2024"
    FIDE = "fide-2024"
    HAKODATE = "hakodate"


class Score(StrEnum):
    """A result from one side."""

    WIN = "1"
    DRAW = "0.5"
    LOSS = "0"


BookOption = Annotated[ChessBook, typer.Option("--rulebook", help=text("calc-rulebook"))]
Opponents = Annotated[str, typer.Option("--opponents", help=text("calc-opponents"))]
RatedOpponents = Annotated[str, typer.Option("--opponents", help=text("calc-rated-opponents"))]
Points = Annotated[str, typer.Option("--points", help=text("calc-points"))]


def _refuse(line: str) -> NoReturn:
    complain(line)
    raise typer.Exit(REFUSED)


@app.command("change", help=text("calc-change"))
@guarded
def change(
    rulebook: BookOption,
    own: Annotated[int, typer.Option("--own", min=0, max=9999, help=text("calc-own"))],
    opponent: Annotated[str, typer.Option("--opponent", help=text("calc-opponent"))],
    score: Annotated[Score, typer.Option("--score", help=text("calc-score"))],
    k: Annotated[int | None, typer.Option("--k", min=1, max=100, help=text("calc-k"))] = None,
    output_format: FormatOption = Format.TEXT,
    lang: LangOption = None,
) -> None:
    """Print the change of one game."""
    language(lang)
    if rulebook is ChessBook.HAKODATE and k is not None:
        _refuse(text("calc-no-k", book=rulebook.value))
    if rulebook is not ChessBook.HAKODATE and k is None:
        _refuse(text("calc-k-needed", book=rulebook.value))
    other = _rating_or_unrated(opponent)
    half_points = {"1": 2, "0.5": 1, "0": 0}[score.value]
    found = calculators.change(rulebook.value, own, other, half_points, k or 0)
    if output_format is Format.JSON:
        print_json(
            {
                "book": rulebook.value,
                "own": own,
                "opponent": other,
                "score": score.value,
                "k": k,
                **calculators.change_facts(found),
            }
        )
    elif found.hundredths is None:
        print_line(text("calc-not-rated", book=rulebook.value, clause=found.clause))
    else:
        key = "calc-club-line" if found.expected is None else "calc-change-line"
        expected = "" if found.expected is None else two_decimals(found.expected)
        facts = {"own": own, "opponent": opponent, "score": score.value, "k": k, "clause": found.clause}
        moved = f"{'+' if found.hundredths > 0 else ''}{decimal(found.hundredths)}"
        print_line(text(key, difference=f"{found.difference:+}", expected=expected, change=moved, **facts))
    if found.hundredths is None:
        raise typer.Exit(NO)


def _rating(word: str) -> int:
    """A rating."""
    word = word.strip()
    if not (word.isascii() and word.isdigit() and len(word) <= len("9999")):
        _refuse(text("calc-number", value=word, what=text("rating")))
    return int(word)


def _rating_or_unrated(word: str) -> int | None:
    """A rating, or None for UR."""
    return None if word.strip().upper() == "UR" else _rating(word)


def _half_points(word: str, games: int) -> int:
    """Points as half points, possible from so many games."""
    match = HALVES.fullmatch(word.strip())
    if match is None:
        _refuse(text("calc-number", value=word, what=text("points")))
    halves: int = KOMI.read(word.strip())
    if not 0 <= halves <= 2 * games:
        _refuse(text("calc-points-range", points=word, n=games))
    return halves


@app.command("first", help=text("calc-first"))
@guarded
def first(
    rulebook: BookOption,
    opponents: Opponents,
    points: Points,
    output_format: FormatOption = Format.TEXT,
    lang: LangOption = None,
) -> None:
    """Print a first rating."""
    language(lang)
    ratings = [_rating_or_unrated(word) for word in opponents.split(",")]
    halves = _half_points(points, len(ratings))
    working = calculators.first_rating(rulebook.value, ratings, halves)
    key = "calc-first-club" if rulebook is ChessBook.HAKODATE else "calc-first-line"
    _print_working(working, points, output_format, key)


@app.command("performance", help=text("calc-performance"))
@guarded
def performance(
    opponents: RatedOpponents,
    points: Points,
    output_format: FormatOption = Format.TEXT,
    lang: LangOption = None,
) -> None:
    """Print a performance rating."""
    language(lang)
    ratings = [_rating(word) for word in opponents.split(",")]
    working = calculators.performance(ratings, _half_points(points, len(ratings)))
    _print_working(working, points, output_format, "calc-first-line")


def _print_working(working: FirstWorking, points: str, output_format: Format, key: str) -> None:
    total, n = working.mean
    mean = decimal(rounded(100 * total, n)) if n else "-"
    if output_format is Format.JSON:
        print_json(
            {
                "rating": working.rating,
                "why": working.why,
                "games": len(working.games),
                "mean": mean,
                "p": two_decimals(working.percent),
                "added": working.dp,
                "clause": working.clause,
            }
        )
    elif working.rating is None:
        print_line(text("calc-first-none", why=text(f"why-{working.why}"), clause=working.clause))
    else:
        facts = {
            "n": len(working.games),
            "points": points,
            "mean": mean,
            "percent": two_decimals(working.percent),
        }
        added = f"{working.dp:+}"
        print_line(text(key, added=added, rating=working.rating, clause=working.clause, **facts))
    if working.rating is None:
        raise typer.Exit(NO)


@app.command("go", help=text("calc-go"))
@guarded
def go(
    white: Annotated[str, typer.Option("--white", help=text("calc-white"))],
    black: Annotated[str, typer.Option("--black", help=text("calc-black"))],
    handicap: Annotated[
        int | None, typer.Option("--handicap", min=0, max=9, help=text("calc-handicap"))
    ] = None,
    komi: Annotated[str | None, typer.Option("--komi", help=text("calc-komi"))] = None,
    game_number: Annotated[int, typer.Option("--game-number", min=21, help=text("calc-games"))] = 101,
    output_format: FormatOption = Format.TEXT,
    lang: LangOption = None,
) -> None:
    """Print regular terms, and what given ones are worth."""
    language(lang)
    for rank in (white, black):
        if rank not in HALF_OF:
            _refuse(text("calc-number", value=rank, what=text("go-rank")))
    try:
        halves = None if komi is None else KOMI.read(komi)
    except CellError:
        _refuse(text("calc-number", value=komi, what="komi"))
    terms = calculators.go_terms(HALF_OF[white], HALF_OF[black], handicap, halves, game_number)
    if output_format is Format.JSON:
        print_json(
            {"white": white, "black": black, "game_number": game_number, **calculators.terms_facts(terms)}
        )
        return
    stronger = {1: text("white"), -1: text("black"), 0: text("nobody")}[terms.stronger]
    print_line(
        text("calc-go-regular", stones=terms.regular[0], komi=_komi(terms.regular[1]), stronger=stronger)
    )
    upper = {1: text("white"), -1: text("black"), 0: text("nobody")}[terms.upper]
    facts = {
        "stones": terms.given[0],
        "komi": _komi(terms.given[1]),
        "d": ranks(terms.difference),
        "upper": upper,
    }
    print_line(text("calc-go-given", **facts))
    if terms.white is None or terms.black is None:
        print_line(text("calc-go-not"))
        return
    for side, (win, loss) in ((text("white"), terms.white), (text("black"), terms.black)):
        print_line(text("calc-go-side", side=side, win=f"{win:+}", loss=f"{loss:+}"))


def _komi(halves: int) -> str:
    """Komi as people say it: reverse komi plainly."""
    size = f"{abs(halves) // 2}{'.5' if halves % 2 else ''}"
    return size if halves >= 0 else text("reverse-komi", komi=size)
