"""How an event is explained: first rating, each game, the steps, the formula, the bonus, the floor."""

from collections.abc import Iterator, Mapping
from typing import Any

from banzuke.core import chess_sentences as common
from banzuke.core.decimals import halves, signed
from banzuke.core.rating import FIRST, RATED
from banzuke.core.sentences import Part, Sentences, Side, Statement, Word
from banzuke.rulebooks.us_chess import us_chess
from banzuke.rulebooks.us_chess.us_chess import AS_ADULT, BY_AGE, CITES, FROM_FIDE, LOST, WON

#: What `explanation_facts` tells of the event.
EventFacts = Mapping[str, Any]


def before(part: Part) -> Iterator[Statement]:
    """What stood before the event, or the first rating that was taken instead.

    A first rating by age is not named: it would tell the age.
    """
    rating = part.figures.calculation.before
    if rating.value is not None and rating.peak is None:
        facts = {"rating": rating.value, "games": rating.games}
        yield Statement("us-before", CITES["games"], facts)
    else:
        yield common.standing_before(part, CITES["games"])
    event = part.figures.calculation.more
    source = event.get("source", "")
    if source == BY_AGE:
        yield Statement("us-first-age", CITES["first"])
    elif source:
        facts = {"rating": event["first"], "games": event["earlier"]}
        key = "us-first-adult" if source == AS_ADULT else "us-first-unknown"
        yield Statement("us-first-fide" if source == FROM_FIDE else key, CITES["first"], facts)


def game(part: Part, side: Side) -> Iterator[Statement]:
    """A game with what the opponent counts in step 3; by the standard formula, what it changes."""
    line = side.line
    if line.verdict not in (RATED, FIRST):
        yield common.left_out(side, has_list=True)
        return
    event = part.figures.calculation.more
    for round_, opponent, second, third, expected in event["games"]:
        if (round_, opponent) == (line.round, line.opponent):
            facts = {"game": common.game_of_list(side), "second": second, "third": third}
            if "k" not in event:
                yield Statement("us-game-special", CITES["special"], facts)
            else:
                facts |= {"expected": expected, "points": halves(line.score or 0), "k": event["k"]}
                facts |= {"change": signed(line.change or 0)}
                yield Statement("us-game", CITES["standard"], facts)


def result(part: Part) -> Iterator[Statement]:
    """Effective games, formula, steps, bonus, floor; or that no game changes the rating."""
    event = part.figures.calculation.more
    if not part.sides:
        yield common.without_games(part, CITES["games"])
    elif not event:
        yield common.unmoved(CITES["left-out"])
    else:
        if event["earlier"]:
            facts = {"games": event["earlier"], "effective": event["effective"]}
            yield Statement("us-effective", CITES["effective"], facts)
        yield _formula(event)
        yield from _first_steps(event)
        yield from _standard(event) if "k" in event else _special(event)
        yield from _floor_and_rating(part, event)


def _formula(event: EventFacts) -> Statement:
    """Why the one formula holds or the other."""
    formula = event["formula"]
    facts = {"games": event["earlier"], "most": us_chess.SPECIAL_GAMES}
    by_games = "us-formula-standard" if formula == "standard" else "us-formula-few"
    one_sided = "us-formula-won" if formula == WON else "us-formula-lost"
    clause = CITES["standard" if formula == "standard" else "special"]
    return Statement(one_sided if formula in (WON, LOST) else by_games, clause, facts)


def _first_steps(event: EventFacts) -> Iterator[Statement]:
    """The figures of the first two steps."""
    if "step_1" in event:
        yield Statement("us-step-1", CITES["step-1"], {"figure": event["step_1"]})
    yield Statement("us-step-2", CITES["steps"], {"figure": event["step_2"]})


def _special(event: EventFacts) -> Iterator[Statement]:
    """The points that the special formula balances, and where."""
    facts = {"points": event["points"], "figure": event["step_3"], "effective": event["effective"]}
    yield Statement("us-special-own" if event["earlier"] else "us-special", CITES["special"], facts)


def _standard(event: EventFacts) -> Iterator[Statement]:
    """K, the points above what was expected, and the bonus."""
    facts = {name: event[name] for name in ("k", "effective", "played", "points", "expected", "surplus")}
    yield Statement("us-dual" if event["is_dual"] else "us-standard", CITES["standard"], facts)
    yield _bonus(event)
    has_bonus = event["bonus"] != "0.00"
    facts = {"surplus": event["surplus"], "bonus": event["bonus"], "figure": event["step_3"]}
    yield Statement("us-step-3-bonus" if has_bonus else "us-step-3", CITES["steps"], facts)


def _bonus(event: EventFacts) -> Statement:
    """What the bonus is, or why there is none."""
    if "threshold" not in event:
        facts = {"games": us_chess.BONUS_GAMES, "most": us_chess.BONUS_MEETINGS}
        few = event["played"] < us_chess.BONUS_GAMES
        return Statement("us-bonus-few" if few else "us-bonus-met", CITES["bonus"], facts)
    facts = {
        "surplus": event["surplus"],
        "threshold": event["threshold"],
        "constant": event["constant"],
        "counted": max(event["played"], us_chess.BONUS_LEAST_GAMES),
        "bonus": event["bonus"],
    }
    return Statement("us-bonus-none" if event["bonus"] == "0.00" else "us-bonus", CITES["bonus"], facts)


def _floor_and_rating(part: Part, event: EventFacts) -> Iterator[Statement]:
    """The floor that held, and the rating with its decimals."""
    after = part.figures.calculation.after
    if "floor" in event:
        facts = {"floor": event["floor"]}
        kind = event["floor_kind"]
        key = "us-floor-personal" if kind == "personal" else "us-floor-office"
        yield Statement("us-floor-absolute" if kind == "absolute" else key, CITES["floor"], facts)
    yield Statement("us-exact", CITES["steps"], {"exact": after.more["rating"], "shown": after.value})


def after(part: Part) -> Iterator[Statement]:
    """The rating after the event, with its games, and whether it is provisional."""
    rating = part.figures.calculation.after
    if rating.value is None:
        yield common.standing_after(part, CITES["games"])
        return
    status = "provisional" if us_chess.is_provisional(rating.games) else "established"
    facts = {"rating": rating.value, "games": rating.games, "status": Word(f"status-{status}")}
    yield Statement("us-after", CITES["games"], facts)


SENTENCES = Sentences(before, game, result, after)
