"""How the club explains an event: each game, the mean or the sum, the rating with its class."""

from collections.abc import Iterator

from banzuke.core import chess_sentences as common
from banzuke.core.decimals import signed
from banzuke.core.rating import FIRST, RATED
from banzuke.core.sentences import Part, Sentences, Side, Statement, Word
from banzuke.rulebooks.hakodate.hakodate import (
    CITES,
    EQUAL_WIN,
    PER_CENT,
    PER_GAME,
    is_established,
    notation,
    prize_class,
)


def before(part: Part) -> Iterator[Statement]:
    """What stood before the event."""
    yield common.standing_before(part, CITES["list"])


def game(part: Part, side: Side) -> Iterator[Statement]:
    """A game by the formula that the event began with."""
    line = side.line
    if line.verdict not in (RATED, FIRST) or line.score is None:
        yield common.left_out(side, has_list=True)
    elif line.change is None:
        yield _provisional_game(part, side, line.score)
    else:
        facts = {
            "game": common.game_of_list(side),
            "sixteen": f"{EQUAL_WIN * (line.score - 1):+}",
            "score": Word(f"club-score-{line.score}"),
            "share": signed(-PER_CENT * (line.difference or 0)),
            "difference": abs(line.difference or 0),
            "side": _side(line.difference or 0),
            "change": signed(line.change),
        }
        yield Statement("club-established", line.clause, facts)
        yield from common.limited_difference(line, CITES["limit"])


def _side(difference: int) -> Word:
    """Who of the two had the higher rating."""
    if not difference:
        return Word("club-equal")
    return Word("club-own-higher" if difference > 0 else "club-own-lower")


def _provisional_game(part: Part, side: Side, score: int) -> Statement:
    counted, bonus = side.line.opponent_rating, PER_GAME * (score - 1)
    if counted is None:
        counted = part.settings.unrated_opponent
    facts = {
        "game": common.game_of_list(side),
        "rating": counted,
        "bonus": f"{bonus:+}",
        "value": counted + bonus,
    }
    return Statement("club-provisional", side.line.clause, facts)


def result(part: Part) -> Iterator[Statement]:
    """The sum of an established rating, or the mean of a provisional one."""
    old, working = part.figures.calculation.before, part.figures.calculation.first
    if working is None:
        yield common.result_by_k(part, CITES, 0)
        return
    total, n = working.mean
    facts = {"total": total, "n": n, "mean": common.quotient(total, n), "new": working.rating}
    if old.value is None:
        yield Statement("provisional-first", CITES["first"], facts)
    else:
        yield Statement("provisional", working.clause, {"games": old.games, "old": old.value, **facts})


def after(part: Part) -> Iterator[Statement]:
    """The rating with its games and its class."""
    rating = part.figures.calculation.after
    if rating.value is None:
        yield common.standing_after(part, CITES["list"])
        return
    status = "established" if is_established(rating.games) else "provisional"
    facts = {
        "notation": notation(rating.value, rating.games),
        "status": Word(f"status-{status}"),
        "class": prize_class(rating.value),
    }
    yield Statement("after-club", CITES["class"], facts)


SENTENCES = Sentences(before, game, result, after)
