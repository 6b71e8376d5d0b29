"""How an event of US Chess is rated: which games count, its lines, and the new ratings with the floors."""

from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction

from banzuke.core.batch import Batch
from banzuke.core.decimals import with_decimals
from banzuke.core.facts import EXCLUDE, SCORES, Entry, More, Player
from banzuke.core.fault import RefusedError, fault
from banzuke.core.rating import (
    FIRST,
    RATED,
    UNRATED,
    Calculation,
    EventLines,
    Line,
    Outcome,
    Rating,
    Standings,
)
from banzuke.core.rounding import rounded
from banzuke.rulebooks.us_chess import us_chess
from banzuke.rulebooks.us_chess.arithmetic import hundredths, to_places
from banzuke.rulebooks.us_chess.event_steps import EventSteps, take_steps
from banzuke.rulebooks.us_chess.explanation_facts import explanation_facts
from banzuke.rulebooks.us_chess.us_chess import (
    BONUS_CONSTANTS,
    CITES,
    ONE_LIST,
    PLACES,
    VERDICTS,
    Entrant,
    Settings,
)

#: Verdicts of games that count.
COUNTED = (RATED, FIRST)
NO_FIGURES = ("", "")


def rate(
    standings: Standings,
    batch: Batch,
    _settings: Settings,
    constants: Sequence[tuple[date, int]] = BONUS_CONSTANTS,
) -> Outcome:
    """The batch's one event rated. Raises RefusedError for an event earlier than the first B."""
    (entry,) = batch.entries
    constant = _bonus_constant(entry.event.ends, constants)
    ratings = standings.ratings.get(ONE_LIST, {})
    lines = _lines(ratings, entry)
    counted = _lines_that_count(lines)
    entrants = {
        player: _entrant(ratings.get(player, UNRATED), batch.register.players.get(player), entry.event.ends)
        for player in counted
    }
    steps = take_steps(entrants, counted, is_dual=us_chess.is_dual(entry.event), constant=constant)
    lines, exact = _with_changes(lines, steps)
    counted = _lines_that_count(lines)
    calculations = {
        player: _calculation(player, ratings.get(player, UNRATED), entrant, counted[player], steps, constant)
        for player, entrant in entrants.items()
    }
    after = ratings | {player: calculation.after for player, calculation in calculations.items()}
    events = [EventLines(entry.event, ONE_LIST, lines, exact)]
    return Outcome(Standings({ONE_LIST: after}), events, {ONE_LIST: calculations})


def _bonus_constant(day: date, constants: Sequence[tuple[date, int]]) -> int:
    """USC 7: B on the event's last day. Raises RefusedError for a day before the first B."""
    constant = us_chess.bonus_constant(day, constants)
    if constant is None:
        facts = {"ends": day, "first": constants[0][0], "clause": CITES["bonus"]}
        raise RefusedError([fault("events.csv", 0, "ends", "us-too-early", **facts)])
    return constant


def _lines(ratings: Mapping[str, Rating], entry: Entry) -> list[Line]:
    """Both lines of every game, without changes."""
    lines = []
    for game in entry.games:
        white, black = SCORES[game.result]
        is_excluded = EXCLUDE in (entry.event.ruling, game.ruling)
        sides = ((game.white, game.black, white), (game.black, game.white, black))
        for player, opponent, score in sides:
            own, other = ratings.get(player, UNRATED).value, ratings.get(opponent, UNRATED).value
            verdict = us_chess.verdict(
                entry.event, score, is_excluded=is_excluded, has_rating=own is not None
            )
            lines.append(
                Line(
                    game.round, player, opponent, score, own, other, None, None, None, None,
                    verdict, VERDICTS[verdict],
                )
            )  # fmt: skip
    return lines


def _lines_that_count(lines: Sequence[Line]) -> dict[str, list[Line]]:
    """The lines that count, by player."""
    counted: dict[str, list[Line]] = {}
    for line in lines:
        if line.verdict in COUNTED:
            counted.setdefault(line.player, []).append(line)
    return counted


def _entrant(rating: Rating, player: Player | None, day: date) -> Entrant:
    """A player's rating before the event, or the first rating. [reading: rating-without-games]"""
    if rating.value is not None:
        one_sided = rating.more.get("one_sided") or ""
        return Entrant(Fraction(us_chess.exact_rating(rating)), rating.games, one_sided, "")
    first = us_chess.first_rating(player, day)
    return Entrant(first.rating, first.games, "", first.source)


def _with_changes(lines: Sequence[Line], steps: EventSteps) -> tuple[list[Line], list[tuple[str, str]]]:
    """The lines with what each game did in step 3, and the same with four decimals."""
    expectations = {player: iter(step.expectations) for player, step in steps.third.items()}
    changed = [
        _with_change(line, steps.third[line.player].k, next(expectations[line.player]))
        if line.verdict in COUNTED
        else (line, NO_FIGURES)
        for line in lines
    ]
    return [line for line, _ in changed], [exact for _, exact in changed]


def _with_change(line: Line, k: Fraction | None, expected: Fraction) -> tuple[Line, tuple[str, str]]:
    """A line with its expectation and change; the special formula, which has no K, gives a game none."""
    if k is None:
        clause = line.clause if line.verdict == FIRST else CITES["special"]
        return line._replace(clause=clause), NO_FIGURES
    change = us_chess.change_of_game(k, line.score or 0, expected)
    exact = with_decimals(expected, PLACES), with_decimals(change, PLACES)
    return line._replace(expected=hundredths(expected), change=hundredths(change)), exact


def _calculation(
    player: str, before: Rating, entrant: Entrant, lines: Sequence[Line], steps: EventSteps, constant: int
) -> Calculation:
    """USC 4, 9: the rating after the event: step 3's figure with four decimals, not below the floors."""
    career = us_chess.career_after(before, entrant.games, [line.score or 0 for line in lines])
    floors = us_chess.floors(before, career)
    kind = max(floors, key=lambda name: floors[name])
    figure = to_places(steps.third[player].figure, PLACES)
    exact = max(figure, Fraction(floors[kind]))
    total = sum(line.change or 0 for line in lines)
    facts = explanation_facts(player, entrant, lines, steps, constant)
    if exact != figure:
        facts |= {"floor": floors[kind], "floor_kind": kind}
    return Calculation(
        player, before, before, "", total, rounded(total, 100), exact != figure, None,
        _rating_after(career, exact), More(facts),
    )  # fmt: skip


def _rating_after(career: Rating, exact: Fraction) -> Rating:
    """USC 4, 8: the career with the new rating; a provisional one is nobody's peak."""
    value, peak = us_chess.shown_rating(exact), career.peak
    if not us_chess.is_provisional(career.games):
        peak = value if peak is None else max(peak, value)
    return us_chess.with_exact_rating(career, exact)._replace(peak=peak)
