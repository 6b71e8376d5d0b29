"""How an event is explained to a player: the kind, each game, the performance, the bonus, the new rating."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from banzuke.core import chess_sentences as common
from banzuke.core.decimals import halves
from banzuke.core.rating import AGAINST_UNRATED, FORFEIT, RATED, RULING, Coefficient, Line
from banzuke.core.sentences import Part, Sentences, Side, Statement, Word
from banzuke.rulebooks.icu.arithmetic import Value, six_decimals
from banzuke.rulebooks.icu.icu import (
    CITES,
    FIXED,
    PROVISIONAL,
    RATED_GAMES,
    VERDICTS,
    game_figures,
    result_points,
)

#: The half points of a win.
WON = 2


def _facts(part: Part) -> Mapping[str, Any]:
    """What the calculation kept of the event; empty for who did not play."""
    return part.figures.calculation.more


def plain(figure: str) -> str:
    """A figure without the zeros that end it: `1341.5`."""
    return figure.rstrip("0").rstrip(".") if "." in figure else figure


def signed(figure: str) -> str:
    """A figure with its sign: `+48.07`."""
    return f"{'+' if Decimal(figure) > 0 else ''}{plain(figure)}"


def before(part: Part) -> Iterator[Statement]:
    """What stood before the event, and what kind of player that makes."""
    facts = _facts(part)
    kind = facts.get("kind")
    if kind == FIXED:
        yield Statement("icu-is-fixed", CITES["kind"], {"rating": facts["rating"]})
        return
    yield common.standing_before(part, CITES["list"])
    if kind:
        key = (
            "icu-is-rated"
            if kind == RATED
            else "icu-is-provisional"
            if kind == PROVISIONAL
            else "icu-is-unrated"
        )
        yield Statement(key, CITES["kind"], {"games": RATED_GAMES})


def game(part: Part, side: Side) -> Iterator[Statement]:
    """A game: by K, or with its part of the mean."""
    line, said = side.line, common.game_of_list(side)
    if line.verdict in (RULING, FORFEIT):
        yield common.left_out(side, has_list=True)
    elif line.verdict == AGAINST_UNRATED:
        yield Statement("icu-undefined", line.clause, {"game": said})
    elif line.k is not None:
        yield from _game_with_k(part, line, line.k, said)
    else:
        yield from _game_of_mean(part, line, said)


def _game_with_k(part: Part, line: Line, k: Coefficient, said: Word) -> Iterator[Statement]:
    """A game of a rated player, and why this K."""
    value, what = _opponent_value(part, line)
    score = line.score or 0
    expected, change = game_figures(k.value, score, value - (line.own or 0)).written
    yield Statement(
        "icu-rated",
        line.clause,
        {
            "game": said,
            "value": plain(six_decimals(value)),
            "expected": expected,
            "k": k.value,
            "points": halves(score),
            "change": signed(change),
        },
    )
    yield from _what_counts(what)
    yield common.reason_of_k(k)


def _game_of_mean(part: Part, line: Line, said: Word) -> Iterator[Statement]:
    """A game that enters a mean; of a fixed player it changes nothing."""
    value, what = _opponent_value(part, line)
    points = result_points(line.score or 0)
    facts = {"game": said, "value": plain(six_decimals(value)), "points": f"{points:+}"}
    yield Statement("icu-of-mean", line.clause, {**facts, "sum": plain(six_decimals(value + points))})
    yield from _what_counts(what)


def _opponent_value(part: Part, line: Line) -> tuple[Value, str]:
    """What the opponent counted as, and what that is: a performance, a rating with a bonus, or the rating."""
    value, what, *_ = _facts(part).get("values", {}).get(str(line.round), (line.opponent_rating, "rating"))
    return Decimal(value), what


def _what_counts(what: str) -> Iterator[Statement]:
    """What an opponent's value is, where it is not a rating."""
    key = "icu-value-bonus" if what == "bonus" else "icu-value-performance"
    if what != "rating":
        yield Statement(key, VERDICTS[AGAINST_UNRATED], {}, is_said_once=True)


def result(part: Part) -> Iterator[Statement]:
    """The performance with its rounds, and what came of it."""
    facts = _facts(part)
    if not part.sides:
        yield common.without_games(part, CITES["list"])
    elif not facts:
        yield common.unmoved(CITES["list"])
    else:
        yield from _performance(part, facts)
        if facts["kind"] == RATED:
            yield from _bonus(facts)
            yield _new_rating(part, facts)
        elif facts["kind"] == FIXED:
            yield Statement("icu-stays-fixed", CITES["list"], {"rating": facts["rating"]})


def _performance(part: Part, facts: Mapping[str, Any]) -> Iterator[Statement]:
    """The rounds, and the mean that the last one gave; or that there was nobody to reckon from."""
    if "performance" not in facts:
        yield Statement("icu-nobody-rated", CITES["performance"])
        return
    first, *again = facts["rounds"]
    yield Statement("icu-rounds", CITES["performance"], {"rounds": first})
    for rounds in again:
        yield Statement("icu-rounds-again", CITES["rounds"], {"rounds": rounds})
    old = part.figures.calculation.before
    mean = {"sum": plain(facts["sum"]), "n": facts["games"], "performance": plain(facts["performance"])}
    new = {"new": part.figures.calculation.after.value, "games": part.figures.calculation.after.games}
    if facts["kind"] == PROVISIONAL:
        carried = {"old": old.value, "before": old.games, "carried": facts["rating"] * old.games}
        yield Statement("icu-mean-carried", CITES["list"], {**mean, **new, **carried})
    elif facts["kind"] == RATED:
        win = {"win": result_points(WON)}
        yield Statement("icu-performance-rated", CITES["performance"], mean | win)
    elif facts["kind"] == FIXED:
        yield Statement("icu-performance", CITES["performance"], mean)
    else:
        yield Statement("icu-mean", CITES["list"], {**mean, **new})


def _bonus(facts: Mapping[str, Any]) -> Iterator[Statement]:
    """How a bonus came about, and which limit it met."""
    figures = facts.get("bonus_figures")
    if figures is None:
        return
    given = {"change": signed(figures["change"]), "least": figures["least"], "excess": figures["excess"]}
    yield Statement("icu-bonus", CITES["bonus"], given)
    if figures["raised"] != figures["excess"]:
        yield Statement("icu-bonus-raised", CITES["bonus"], {"raised": figures["raised"]})
    if figures["limit"]:
        key = "icu-bonus-cap" if figures["limit"] == "cap" else "icu-bonus-performance"
        limited = {"highest": plain(figures["highest"]), "bonus": facts["bonus"]}
        yield Statement(key, CITES["bonus"], limited)


def _new_rating(part: Part, facts: Mapping[str, Any]) -> Statement:
    """The change rounded, and the new rating with the bonus."""
    calculation = part.figures.calculation
    return Statement(
        "icu-new-with-bonus" if facts["bonus"] else "icu-new",
        CITES["sum"],
        {
            "change": signed(facts["change"]),
            "shift": f"{calculation.shift:+}",
            "old": calculation.before.value,
            "bonus": facts["bonus"],
            "new": calculation.after.value,
        },
    )


def after(part: Part) -> Iterator[Statement]:
    """What stands now, and what kind of player that makes; a fixed player has no row."""
    if _facts(part).get("kind") == FIXED:
        return
    state = part.figures.calculation.after
    yield common.standing_after(part, CITES["list"])
    if state.value is not None:
        key = "icu-after-rated" if state.games >= RATED_GAMES else "icu-after-provisional"
        yield Statement(key, CITES["kind"], {"games": RATED_GAMES})


SENTENCES = Sentences(before, game, result, after)
