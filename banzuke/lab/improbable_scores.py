"""Scores too far from the expectation: of pairs, of players in an event, of players who lost and then won.

Each has its exact probability (`tail_probabilities.tails`), with rating errors as large as this ledger's
events show. At most a share LEVEL of the findings is due to chance. A rating follows what is looked for: who
wins or loses game after game soon ought to. So a pair's leads in chess are without the points that the two
won from each other before, and those of lost games as if the player still had the rating of the first.
"""

from typing import Any, NamedTuple

import numpy as np

from banzuke.lab.encounters import LedgerGames, day_text, group_rows
from banzuke.lab.findings import CheckResult, Finding, FindingFigures, points_text, severity_of
from banzuke.lab.tail_probabilities import (
    Odds,
    Tails,
    Totals,
    exact,
    false_discoveries,
    odds_of,
    tails,
    totals,
    with_error,
)
from banzuke.lab.true_expectation import Floats, Ints

#: The share of what is found that may be mere luck.
LEVEL = 0.01
#: Of fewer games a score says nothing.
FEWEST_GAMES = 3
#: Losing on purpose: in so many days before an event, in so many games against much weaker players at least;
#: both tails are looked at from this chance on.
DAYS_BEFORE, FEWEST_LOST, BOTH_BELOW = 180, 5, 0.05
#: More than the days that are counted, so that player and day make one number.
DAYS = 10_000_000


class Sides(NamedTuple):
    """A row for each side of each game whose lead is known, by player and then in order of time.

    `gained` are the points of the side, `taken` those less the opponent's; both 0 in Go, where a lead is not
    counted in points.
    """

    player: Ints
    opponent: Ints
    occasion: Ints
    day: Ints
    lead: Floats
    score: Ints
    gained: Floats
    taken: Floats
    batch: Ints

    def where(self, rows: Ints) -> "Sides":
        """Those rows alone."""
        columns: list[Any] = [column[rows] for column in self]
        return Sides(*columns)


class Groups(NamedTuple):
    """Rows that belong together: the group of each row, the rows of each group, its sums and tails."""

    rows: list[Ints]
    sums: Totals
    tails: Tails


def sides_of(ledger: LedgerGames) -> Sides:
    """Both sides of the games whose lead is known."""
    known = ledger.games.where(~np.isnan(ledger.games.lead))
    one, other = known.gained * (not ledger.scale.is_go)
    both = Sides(
        np.append(known.one, known.other),
        np.append(known.other, known.one),
        np.append(known.occasion, known.occasion),
        np.append(known.day, known.day),
        np.append(known.lead, -known.lead),
        np.append(known.score, 2 - known.score),
        np.append(one, other),
        np.append(one - other, other - one),
        np.append(known.batch, known.batch),
    )
    return both.where(np.argsort(both.player, kind="stable"))


def improbable_scores(ledger: LedgerGames) -> list[CheckResult]:
    """Pairs, events, and players who lost and then won."""
    sides = sides_of(ledger)
    if not len(sides.player):
        return [CheckResult(kind, 0, []) for kind in ("pair", "event", "sandbagging")]
    odds = odds_of(ledger.scale, sides.lead, sides.score)
    own = group_rows(sides.player * len(ledger.occasions) + sides.occasion)
    number = np.repeat(np.arange(len(own)), [len(rows) for rows in own])
    order = np.concatenate(own)
    odds = with_error(odds, totals(odds, number, len(own), sides.lead[order], sides.score[order]))
    events = _judge(odds, sides, own)
    return [
        _pairs(ledger, odds, sides),
        _events(ledger, sides, events),
        _sandbaggers(ledger, odds, sides, events),
    ]


def _judge(odds: Odds, sides: Sides, groups: list[Ints]) -> Groups:
    """The groups of enough games, with their tails."""
    large = [rows for rows in groups if len(rows) >= FEWEST_GAMES]
    number = np.repeat(np.arange(len(large)), [len(rows) for rows in large])
    order = np.concatenate([*large, np.zeros(0, np.int64)])
    sums = totals(odds, number, len(large), sides.lead[order], sides.score[order])
    return Groups(large, sums, tails(odds, sums, large, sides.lead, sides.score))


def _pairs(ledger: LedgerGames, odds: Odds, sides: Sides) -> CheckResult:
    """Pairs whose score against each other is too far off; two ratings err more than one."""
    once = sides.where(np.flatnonzero(sides.player < sides.opponent))
    groups = group_rows(once.player * len(ledger.ids) + once.opponent)
    lead = once.lead.copy()
    for rows in groups:
        lead[rows] -= _before(once.taken[rows], once.batch[rows])
    once = once._replace(lead=lead)
    both = odds._replace(error=odds.error * 2**0.5)
    judged = _judge(both, once, groups)
    adjusted = false_discoveries(judged.tails.either)
    found = []
    for group in np.flatnonzero(adjusted <= LEVEL).tolist():
        rows, winner = judged.rows[group], judged.tails.above[group] <= judged.tails.below[group]
        pair = int(once.player[rows[0]]), int(once.opponent[rows[0]])
        figures = _figures(once, judged, group, float(adjusted[group]))
        if not winner:
            pair, figures = pair[::-1], _other_side(figures)
        found.append(Finding("pair", severity_of(float(adjusted[group])), pair, figures))
    return CheckResult("pair", len(judged.rows), found)


def _before(points: Floats, batch: Ints) -> Floats:
    """The points of the games in smaller batches, before each game; games stand in order of batches."""
    sums: Floats = np.append(0.0, np.cumsum(points))[np.searchsorted(batch, batch)]
    return sums


def _figures(sides: Sides, judged: Groups, group: int, adjusted: float) -> FindingFigures:
    days = sides.day[judged.rows[group]]
    return FindingFigures(
        int(days.min()),
        int(days.max()),
        len(days),
        float(judged.sums.score[group]),
        float(judged.sums.expected[group]),
        float(judged.tails.either[group]),
        adjusted,
    )


def _other_side(figures: FindingFigures) -> FindingFigures:
    score, expected = figures.score or 0, figures.expected or 0
    return figures._replace(score=figures.games - score, expected=figures.games - expected)


def _events(ledger: LedgerGames, sides: Sides, judged: Groups) -> CheckResult:
    """Players whose score in an event is too far off."""
    adjusted = false_discoveries(judged.tails.either)
    found = []
    for group in np.flatnonzero(adjusted <= LEVEL).tolist():
        row = judged.rows[group][0]
        occasion = int(sides.occasion[row])
        figures = _figures(sides, judged, group, float(adjusted[group]))
        grave = severity_of(float(adjusted[group]))
        facts = (("occasion", ledger.occasions[occasion].name),)
        found.append(Finding("event", grave, (int(sides.player[row]),), figures, facts, (occasion,)))
    return CheckResult("event", len(judged.rows), found)


class EventAfterLosses(NamedTuple):
    """An event, the games against much weaker players before it (rows, leads), and the chance of both."""

    group: int
    before: Ints
    lead: Floats
    chance: float


def _sandbaggers(ledger: LedgerGames, odds: Odds, sides: Sides, judged: Groups) -> CheckResult:
    """Players who did badly against much weaker ones, and then far better than expected in an event."""
    events = _events_after_losses(odds, sides, judged, ledger.scale.much_weaker)
    adjusted = false_discoveries(np.array([event.chance for event in events], np.float64))
    found, players = list[Finding](), set[tuple[int, ...]]()
    for place in np.argsort([event.chance for event in events], kind="stable").tolist():
        if adjusted[place] > LEVEL:
            break
        finding = _sandbagging(ledger, sides, judged, events[place], float(adjusted[place]))
        if finding.players not in players:  # the least likely event of each
            players.add(finding.players)
            found.append(finding)
    return CheckResult("sandbagging", len(events), found)


def _events_after_losses(
    odds: Odds, sides: Sides, judged: Groups, much_weaker: float
) -> list[EventAfterLosses]:
    """Every event of a player who had enough games against much weaker ones in the days before it."""
    keys = sides.player * DAYS + sides.day
    order = np.argsort(keys, kind="stable")
    keys, events = keys[order], []
    for group, rows in enumerate(judged.rows):
        begins = sides.player[rows[0]] * DAYS + sides.day[rows].min()
        window = order[slice(*np.searchsorted(keys, (begins - DAYS_BEFORE, begins)))]
        lead = sides.lead[window] - _before(sides.gained[window], sides.batch[window])
        weaker = lead >= much_weaker
        if np.count_nonzero(weaker) >= FEWEST_LOST:
            before, above = window[weaker], float(judged.tails.above[group])
            points = int(sides.score[before].sum())
            events.append(
                EventAfterLosses(group, before, lead[weaker], _of_both(odds, lead[weaker], points, above))
            )
    return events


def _of_both(odds: Odds, lead: Floats, points: int, above: float) -> float:
    """The chance that two scores are together so far off, by Fisher; 1 where one of them is usual."""
    below = exact(odds, lead, points)[1] if above <= BOTH_BELOW else 1.0
    both = above * below
    return both * (1 - float(np.log(both))) if below <= BOTH_BELOW and both else float(below > BOTH_BELOW)


def _sandbagging(
    ledger: LedgerGames, sides: Sides, judged: Groups, event: EventAfterLosses, adjusted: float
) -> Finding:
    row = judged.rows[event.group][0]
    occasion, player = int(sides.occasion[row]), int(sides.player[row])
    figures = _figures(sides, judged, event.group, adjusted)
    facts = (
        ("occasion", ledger.occasions[occasion].name),
        ("before_games", len(event.before)),
        ("before_score", points_text(float(sides.score[event.before].sum()) / 2)),
        ("before_expected", points_text(float(ledger.scale.expected(event.lead).sum()))),
        ("before_since", day_text(int(sides.day[event.before].min()))),
        ("event_since", day_text(figures.since)),
    )
    begun = figures._replace(since=int(sides.day[event.before].min()), chance=event.chance)
    return Finding("sandbagging", severity_of(adjusted), (player,), begun, facts, (occasion,))
