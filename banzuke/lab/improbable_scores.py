"""Scores too far from the expectation: of pairs, of players in an event, of players who lost and then won.

Each has its exact probability (`tail_probabilities.tails`), with rating errors as large as this ledger's
events show. At most a share LEVEL of the findings is due to chance. A rating follows what is looked for: who
wins or loses game after game soon ought to. So a pair's leads in chess are without the points that the two
won from each other before, and those of lost games as if the player still had the rating of the first.
"""

from typing import Any, NamedTuple

import numpy as np

from banzuke.lab.encounters import MANY, LedgerGames, day_text, group_rows
from banzuke.lab.findings import CheckResult, Finding, FindingFigures, points_text, severity_of
from banzuke.lab.tail_probabilities import (
    Odds,
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


class Judged(NamedTuple):
    """A score of enough games: their rows, the chances of one so high, and so low, the adjusted chance."""

    rows: Ints
    above: float
    below: float
    adjusted: float
    figures: FindingFigures


def improbable_scores(ledger: LedgerGames) -> list[CheckResult]:
    """Pairs, events, and players who lost and then won."""
    sides = _sides_of(ledger)
    if not len(sides.player):
        return [CheckResult(kind, 0, []) for kind in ("pair", "event", "sandbagging")]
    odds = odds_of(ledger.scale, sides.lead, sides.score)
    own = group_rows(sides.player * MANY + sides.occasion)
    odds = with_error(odds, totals(odds, own, sides.lead, sides.score))
    events = _judge(odds, sides, own)
    unlikely = [_of_event(ledger, sides, each) for each in events if each.adjusted <= LEVEL]
    return [
        _pairs(ledger, odds, sides),
        CheckResult("event", len(events), unlikely),
        _sandbaggers(ledger, odds, sides, events),
    ]


def _sides_of(ledger: LedgerGames) -> Sides:
    known = ledger.games.where(~np.isnan(ledger.games.lead))
    own = known.gained * (not ledger.scale.is_go)
    columns: list[Any] = [
        known.players, known.players[::-1], [known.occasion] * 2, [known.day] * 2, [known.lead, -known.lead],
        [known.score, 2 - known.score], own, own - own[::-1], [known.batch] * 2,
    ]  # fmt: skip
    both = Sides(*(np.stack(column, axis=1).ravel() for column in columns))
    return both.where(np.argsort(both.player, kind="stable"))


def _judge(odds: Odds, sides: Sides, groups: list[Ints]) -> list[Judged]:
    """The groups of enough games, with their tails."""
    large = [rows for rows in groups if len(rows) >= FEWEST_GAMES]
    sums = totals(odds, large, sides.lead, sides.score)
    above, below = tails(odds, sums, large, sides.lead, sides.score)
    either = np.minimum(1, 2 * np.minimum(above, below))
    adjusted = false_discoveries(either)
    days = [sides.day[rows] for rows in large]
    columns = np.stack([sums.score, sums.expected, either, adjusted], axis=1).tolist()
    figures = [
        FindingFigures(int(own.min()), int(own.max()), len(own), *rest)
        for own, rest in zip(days, columns, strict=True)
    ]
    return list(map(Judged, large, above.tolist(), below.tolist(), adjusted.tolist(), figures))


def _pairs(ledger: LedgerGames, odds: Odds, sides: Sides) -> CheckResult:
    """Pairs whose score against each other is too far off; two ratings err more than one."""
    once = sides.where(np.flatnonzero(sides.player < sides.opponent))
    groups = group_rows(once.player * len(ledger.ids) + once.opponent)
    for rows in groups:
        once.lead[rows] -= _before(once.taken[rows], once.batch[rows])
    judged, found = _judge(odds._replace(error=odds.error * 2**0.5), once, groups), []
    for rows, above, below, adjusted, figures in judged:
        if adjusted <= LEVEL:
            pair, shown = (int(once.player[rows[0]]), int(once.opponent[rows[0]])), figures
            if above > below:
                score, expected = (figures.games - (each or 0) for each in figures[3:5])
                pair, shown = pair[::-1], figures._replace(score=score, expected=expected)
            found.append(Finding("pair", severity_of(adjusted), pair, shown))
    return CheckResult("pair", len(judged), found)


def _before(points: Floats, batch: Ints) -> Floats:
    """The points of the games in smaller batches, before each game; games stand in order of batches."""
    sums: Floats = np.append(0.0, np.cumsum(points))[np.searchsorted(batch, batch)]
    return sums


def _of_event(ledger: LedgerGames, sides: Sides, event: Judged) -> Finding:
    """That a score in an event is too far off."""
    player, occasion = (int(each[event.rows[0]]) for each in (sides.player, sides.occasion))
    facts = (("occasion", ledger.occasions[occasion].name),)
    return Finding("event", severity_of(event.adjusted), (player,), event.figures, facts, (occasion,))


class EventAfterLosses(NamedTuple):
    """An event, the games against much weaker players before it (rows, leads), and the chance of both."""

    event: Judged
    chance: float
    before: Ints
    lead: Floats


def _sandbaggers(ledger: LedgerGames, odds: Odds, sides: Sides, judged: list[Judged]) -> CheckResult:
    """Players who did badly against much weaker ones, and then far better than expected in an event."""
    events = _events_after_losses(odds, sides, judged, ledger.scale.much_weaker)
    chances = np.array([event.chance for event in events], np.float64)
    adjusted, found = false_discoveries(chances), dict[tuple[int, ...], Finding]()
    for place in np.argsort(chances, kind="stable").tolist():
        if adjusted[place] <= LEVEL:
            finding = _sandbagging(ledger, sides, events[place], float(adjusted[place]))
            found.setdefault(finding.players, finding)  # the least likely event of each
    return CheckResult("sandbagging", len(events), list(found.values()))


def _events_after_losses(
    odds: Odds, sides: Sides, judged: list[Judged], much_weaker: float
) -> list[EventAfterLosses]:
    """Every event of a player who had enough games against much weaker ones in the days before it."""
    keys = sides.player * MANY + sides.day
    order = np.argsort(keys, kind="stable")
    keys, events = keys[order], []
    for event in judged:
        begins = sides.player[event.rows[0]] * MANY + event.figures.since
        window = order[slice(*np.searchsorted(keys, (begins - DAYS_BEFORE, begins)))]
        lead = sides.lead[window] - _before(sides.gained[window], sides.batch[window])
        before, lead = window[lead >= much_weaker], lead[lead >= much_weaker]
        if len(before) >= FEWEST_LOST:
            chance = _of_both(odds, lead, int(sides.score[before].sum()), event.above)
            events.append(EventAfterLosses(event, chance, before, lead))
    return events


def _of_both(odds: Odds, lead: Floats, points: int, above: float) -> float:
    """The chance that two scores are together so far off, by Fisher; 1 where one of them is usual."""
    below = exact(odds, lead, points)[1] if above <= BOTH_BELOW else 1.0
    both = above * below
    return both * (1 - float(np.log(both))) if below <= BOTH_BELOW and both else float(below > BOTH_BELOW)


def _sandbagging(ledger: LedgerGames, sides: Sides, after: EventAfterLosses, adjusted: float) -> Finding:
    event, since = after.event, int(sides.day[after.before].min())
    finding = _of_event(ledger, sides, event._replace(adjusted=adjusted))
    facts = (
        *finding.facts,
        ("before_games", len(after.before)),
        ("before_score", points_text(float(sides.score[after.before].sum()) / 2)),
        ("before_expected", points_text(float(ledger.scale.expected(after.lead).sum()))),
        ("before_since", day_text(since)),
        ("event_since", day_text(event.figures.since)),
    )
    figures = event.figures._replace(since=since, chance=after.chance, adjusted=adjusted)
    return finding._replace(kind="sandbagging", figures=figures, facts=facts)
