"""The adviser's answer: who takes White, stones and komi, and what each result does for both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.timezone import now

from banzuke.core.decimals import decimal
from banzuke.engine.result_rows import ranks
from banzuke.explain.go_rank import explain_game
from banzuke.office.live.game_terms import between
from banzuke.web.page_language import page_language

if TYPE_CHECKING:
    from banzuke.core.go_facts import GoLine
    from banzuke.core.rulebook import RuleBook
    from banzuke.explain.explanation import Sentence
    from banzuke.office.live.adviser_sides import Side
    from banzuke.office.live.game_terms import Outcome, Stones, Terms
    from banzuke.words import Language

#: What the two sides go by, which no player's id can be.
WHITE, BLACK = "\0white", "\0black"


class Given(NamedTuple):
    """Terms: who takes which colour, and stones, komi and whether it is reverse, as pages print them."""

    white: str
    black: str
    terms: tuple[int, str, bool]


class Does(NamedTuple):
    """What a result does for one side; of a mere rank, whose points nobody knows, no sentence tells them."""

    who: str
    is_black: bool
    line: GoLine
    told: Sentence | None


def advice(asked: dict[str, Any]) -> dict[str, Any]:
    """What the adviser says to a good question: where no terms are given, the stronger takes White."""
    sides: dict[str, Side] = {WHITE: asked["white_side"], BLACK: asked["black_side"]}
    terms = _terms(sides, asked)
    if _is_turned(terms) and asked["stones"] is None and asked["komi"] is None:
        sides = {WHITE: sides[BLACK], BLACK: sides[WHITE]}
        terms = _terms(sides, asked)
    lang = page_language()
    called = {key: _called(side, lang) for key, side in sides.items()}
    return {
        "terms": terms,
        "regular": terms.regular and _given(terms.regular, called),
        "given": _given(terms.given, called),
        "is_regular": terms.regular == terms.given,
        "is_turned": _is_turned(terms),
        "difference": None if terms.difference is None else ranks(terms.difference),
        "upper": called.get(terms.upper, ""),
        "sides": [_moves(key, called, sides, terms) for key in (WHITE, BLACK)],
        "results": [
            (False, _does(asked["book"], terms.if_white_wins, called, sides, lang)),
            (True, _does(asked["book"], terms.if_black_wins, called, sides, lang)),
        ],
    }


def _terms(sides: dict[str, Side], asked: dict[str, Any]) -> Terms:
    states = {key: side.state for key, side in sides.items()}
    return between(BLACK, WHITE, states, asked["zone"], now(), asked["stones"], asked["komi"])


def _is_turned(terms: Terms) -> bool:
    """Whether the stronger is to take Black."""
    return terms.regular is not None and terms.regular.white != WHITE


def _called(side: Side, lang: Language) -> str:
    return f"{side.person.called(lang)} {side.state.rank}" if side.person else side.state.rank


def _given(stones: Stones, called: dict[str, str]) -> Given:
    komi = decimal(50 * abs(stones.komi))
    return Given(called[stones.white], called[stones.black], (stones.stones, komi, stones.is_reverse))


def _moves(key: str, called: dict[str, str], sides: dict[str, Side], terms: Terms) -> dict[str, Any]:
    """What a side wins and loses."""
    black_wins, white_wins = terms.if_black_wins, terms.if_white_wins
    is_black = key == BLACK
    won = black_wins.black if is_black else white_wins.white
    lost = white_wins.black if is_black else black_wins.white
    return {"who": called[key], "is_black": is_black, "player": sides[key].person, "won": won, "lost": lost}


def _does(
    book: RuleBook, done: Outcome, called: dict[str, str], sides: dict[str, Side], lang: Language
) -> list[Does]:
    return [
        Does(
            called[line.player],
            line.player == BLACK,
            line,
            explain_game(book, line, lang) if sides[line.player].person or line.points is None else None,
        )
        for line in (done.white, done.black)
    ]
