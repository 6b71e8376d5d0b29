"""An event of US Chess rated: who counts, the three steps, the floors, and what is told of them."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from banzuke.core.batch import Batch
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
from banzuke.rulebooks.us_chess.us_chess import (
    CITES,
    CONSTANTS,
    LOST,
    ONE_LIST,
    PLACES,
    VERDICTS,
    WON,
    Entrant,
    Settings,
    Step,
)

Figures = Mapping[str, Fraction]


class Steps(NamedTuple):
    """The figures before the event or of step 1, by player, and what steps 2 and 3 gave each."""

    first: Figures
    second: Mapping[str, Step]
    third: Mapping[str, Step]


def decimals(value: Fraction, places: int) -> str:
    """A value with so many decimals."""
    size, unit = rounded(value.numerator * 10**places, value.denominator), 10**places
    whole, rest = divmod(abs(size), unit)
    return f"{'-' if size < 0 else ''}{whole}.{rest:0{places}}"


two_places = partial(decimals, places=2)


def exact_rating(rating: Rating) -> Decimal:
    """USC 4: a rating with its decimals; one without them is exact as it stands."""
    found = rating.more.get("rating")
    return Decimal(rating.value or 0) if found is None else Decimal(found)


def rate(
    standings: Standings,
    batch: Batch,
    _settings: Settings,
    constants: Sequence[tuple[date, int]] = CONSTANTS,
) -> Outcome:
    """The batch's one event rated. Raises RefusedError for an event earlier than the first B."""
    (entry,) = batch.entries
    constant = us_chess.bonus_constant(entry.event.ends, constants)
    if constant is None:
        facts = {"ends": entry.event.ends, "first": constants[0][0], "clause": CITES["bonus"]}
        raise RefusedError([fault("events.csv", 0, "ends", "us-too-early", **facts)])
    ratings = standings.ratings.get(ONE_LIST, {})
    lines = _lines(ratings, entry)
    counted: dict[str, list[Line]] = {}
    for line in lines:
        if line.verdict in (RATED, FIRST):
            counted.setdefault(line.player, []).append(line)
    entrants = {
        player: _entrant(ratings.get(player, UNRATED), batch.register.players.get(player), entry.event.ends)
        for player in counted
    }
    steps = _steps(entrants, counted, is_dual=us_chess.is_dual(entry.event), constant=constant)
    lines, exact = _with_changes(lines, steps)
    done = {
        player: _calculated(player, ratings.get(player, UNRATED), entrant, counted[player], steps, constant)
        for player, entrant in entrants.items()
    }
    after = ratings | {player: calculation.after for player, calculation in done.items()}
    events = [EventLines(entry.event, ONE_LIST, lines, exact)]
    return Outcome(Standings({ONE_LIST: after}), events, {ONE_LIST: done})


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


def _entrant(rating: Rating, player: Player | None, day: date) -> Entrant:
    """A player's rating before the event, or the first rating. [reading: rating-without-games]"""
    if rating.value is not None:
        return Entrant(Fraction(exact_rating(rating)), rating.games, rating.more.get("one_sided") or "", "")
    first = us_chess.first_rating(player, day)
    return Entrant(first.rating, first.games, "", first.source)


def _steps(
    entrants: Mapping[str, Entrant], counted: Mapping[str, list[Line]], *, is_dual: bool, constant: int
) -> Steps:
    """USC 3, 4: the three steps."""
    before = {player: entrant.rating for player, entrant in entrants.items()}
    first = before | {
        player: us_chess.step_1(entrant.rating, _games(counted[player], before))
        for player, entrant in entrants.items()
        if not entrant.games
    }
    constants = {
        player: constant if us_chess.may_have_bonus([line.opponent for line in lines]) else None
        for player, lines in counted.items()
    }

    def step(figures: Figures) -> dict[str, Step]:
        return {
            player: us_chess.step(
                entrant, _games(counted[player], figures), is_dual=is_dual, constant=constants[player]
            )
            for player, entrant in entrants.items()
        }

    second = step(first)
    return Steps(first, second, step({player: done.figure for player, done in second.items()}))


def _games(lines: Sequence[Line], figures: Figures) -> list[tuple[Fraction, int]]:
    return [(figures[line.opponent], line.score or 0) for line in lines]


def _with_changes(lines: Sequence[Line], steps: Steps) -> tuple[list[Line], list[tuple[str, str]]]:
    """The lines with what each game did in step 3, and the same with four decimals."""
    found, exact = [], []
    each = {player: iter(done.each) for player, done in steps.third.items()}
    for line in lines:
        if line.verdict not in (RATED, FIRST):
            found.append(line)
            exact.append(("", ""))
            continue
        expected, k = next(each[line.player]), steps.third[line.player].k
        clause = line.clause if line.verdict == FIRST or k is not None else CITES["special"]
        if k is None:
            found.append(line._replace(clause=clause))
            exact.append(("", ""))
            continue
        change = k * (Fraction(line.score or 0, 2) - expected)
        found.append(line._replace(expected=_hundredths(expected), change=_hundredths(change)))
        exact.append((decimals(expected, PLACES), decimals(change, PLACES)))
    return found, exact


def _hundredths(value: Fraction) -> int:
    return rounded(100 * value.numerator, value.denominator)


def _calculated(
    player: str, before: Rating, entrant: Entrant, lines: Sequence[Line], steps: Steps, constant: int
) -> Calculation:
    """The rating after the event: step 3's figure with four decimals, not below the floors."""
    career = _career(before, entrant, lines)
    floors = us_chess.floors(before, career)
    kind = max(floors, key=lambda name: floors[name])
    third = steps.third[player]
    figure = us_chess.to_places(third.figure, PLACES)
    exact = max(figure, Fraction(floors[kind]))
    value = us_chess.shown(exact)
    peak = before.peak
    if not us_chess.is_provisional(career.games):
        peak = value if peak is None else max(peak, value)
    more = More({**career.more, "rating": Decimal(decimals(exact, PLACES))})
    total = sum(_line_changes(third, lines))
    told = _told(player, entrant, lines, steps, constant)
    if exact != figure:
        told |= {"floor": floors[kind], "floor_kind": kind}
    return Calculation(
        player, before, before, "", total, rounded(total, 100), exact != figure, None,
        career._replace(value=value, peak=peak, more=more), More(told),
    )  # fmt: skip


def _line_changes(third: Step, lines: Sequence[Line]) -> list[int]:
    """The changes of a player's games in hundredths; none in the special formula."""
    k = third.k
    if k is None:
        return []
    return [
        _hundredths(k * (Fraction(line.score or 0, 2) - expected))
        for line, expected in zip(lines, third.each, strict=True)
    ]


def _career(before: Rating, entrant: Entrant, lines: Sequence[Line]) -> Rating:
    """USC 8, 9: the numbers of games, wins, draws and events with this event."""
    scores = [line.score or 0 for line in lines]
    is_event = len(scores) >= us_chess.FLOOR_EVENT_GAMES
    counts = {"won": scores.count(2), "drawn": scores.count(1), "events3": int(is_event)}
    more = {name: (before.more.get(name) or 0) + count for name, count in counts.items()}
    kept = {"floor": before.more["floor"]} if "floor" in before.more else {}
    sided = _one_sided(before, scores)
    return before._replace(
        games=entrant.games + len(lines), more=More(more | kept | ({"one_sided": sided} if sided else {}))
    )


def _one_sided(before: Rating, scores: Sequence[int]) -> str:
    """USC 5: `won` or `lost` where all games so far were. [reading: one-sided]"""
    now = WON if set(scores) == {2} else LOST if set(scores) == {0} else ""
    is_first = before.value is None or not before.games
    return now if is_first or before.more.get("one_sided") == now else ""


# What the explanation tells


def _told(
    player: str, entrant: Entrant, lines: Sequence[Line], steps: Steps, constant: int
) -> dict[str, Any]:
    """The figures of the player's steps as the sentences print them."""
    second, third = steps.second[player], steps.third[player]
    effective = us_chess.effective_games(entrant.rating, entrant.games)
    told: dict[str, Any] = {
        "source": entrant.source,
        "earlier": entrant.games,
        "effective": two_places(effective),
        "played": len(lines),
        "formula": _formula(entrant),
        "step_2": two_places(second.figure),
        "step_3": two_places(third.figure),
        "points": two_places(third.points),
        "expected": two_places(third.expected),
        "games": _told_games(lines, steps, player),
    }
    if entrant.source not in ("", us_chess.BY_AGE):
        told["first"] = two_places(entrant.rating)
    if not entrant.games:
        told["step_1"] = two_places(steps.first[player])
    if third.k is not None:
        told |= {"k": two_places(third.k), "surplus": two_places(third.surplus), "constant": constant}
        told |= {
            "bonus": two_places(third.bonus),
            "is_dual": _is_dual_k(entrant, effective, len(lines), third),
        }
        if third.threshold is not None:
            told["threshold"] = two_places(third.threshold)
    return told


def _formula(entrant: Entrant) -> str:
    """Which formula, and why: `standard`; `few` games; all `won` or `lost` before."""
    if entrant.games and entrant.one_sided:
        return entrant.one_sided
    return "few" if us_chess.is_special(entrant) else "standard"


def _is_dual_k(entrant: Entrant, effective: Fraction, games: int, third: Step) -> bool:
    return third.k != us_chess.coefficient(entrant.rating, effective, games, is_dual=False)


def _told_games(lines: Sequence[Line], steps: Steps, player: str) -> list[list[Any]]:
    """For each game round, opponent, what the opponent counted in steps 2 and 3, and step 3's expectation."""
    return [
        [
            line.round,
            line.opponent,
            two_places(steps.first[line.opponent]),
            two_places(steps.second[line.opponent].figure),
            decimals(expected, PLACES),
        ]
        for line, expected in zip(lines, steps.third[player].each, strict=True)
    ]
