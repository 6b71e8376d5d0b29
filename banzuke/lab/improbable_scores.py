"""Scores too far from the expectation: of pairs, of players in an event, of players who lost and then won.

Each has its exact probability (`tail_probabilities.tails`), with rating errors as large as this ledger's
events show. At most a share LEVEL of the findings is due to chance. A rating follows what is looked for: who
wins or loses game after game soon ought to. So a pair's leads in chess are without the points that the two
won from each other before, and those of lost games as if the player still had the rating of the first.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from banzuke.lab.encounters import MANY, GameColumns, LedgerGames, day_text, group_rows
from banzuke.lab.findings import CheckResult, Finding, FindingFigures, points_text, severity_of
from banzuke.lab.tail_probabilities import Odds, exact, false_discoveries, odds_of, tails, totals, with_error
from banzuke.lab.true_expectation import Floats, Ints

#: The share of what is found that may be mere luck.
LEVEL = 0.01
#: Of fewer games a score says nothing.
FEWEST_GAMES = 3
#: Losing on purpose: in so many days before an event, in so many games against much weaker players at least;
#: both tails are looked at from this chance on.
DAYS_BEFORE, FEWEST_LOST, BOTH_BELOW = 180, 5, 0.05


class Judged(NamedTuple):
    """A score of enough games: their rows, the chances of one so high, and so low, the adjusted chance."""

    rows: Ints
    above: float
    below: float
    adjusted: float
    figures: FindingFigures


def improbable_scores(ledger: LedgerGames) -> list[CheckResult]:
    """Pairs, events, and players who lost and then won."""
    games = ledger.games.where(~np.isnan(ledger.games.lead))
    if not len(games.lead):
        return [CheckResult(kind, 0, []) for kind in ("pair", "event", "sandbagging")]
    sides = games.sides()
    odds = odds_of(ledger.scale, sides.lead, sides.score)
    own = group_rows(sides.players[0] * MANY + sides.occasion)
    odds = with_error(odds, totals(odds, own, sides.lead, sides.score))
    events = _judge(odds, sides, own)
    unlikely = [_of_event(ledger, sides, each) for each in events if each.adjusted <= LEVEL]
    pairs, sandbaggers = _pairs(ledger, odds, sides), _sandbaggers(ledger, odds, sides, events)
    return [pairs, CheckResult("event", len(events), unlikely), sandbaggers]


def _judge(odds: Odds, sides: GameColumns, groups: list[Ints]) -> list[Judged]:
    """The groups of enough games, with their tails."""
    large = [rows for rows in groups if len(rows) >= FEWEST_GAMES]
    sums = totals(odds, large, sides.lead, sides.score)
    above, below = tails(odds, sums, large, sides.lead, sides.score)
    either = np.minimum(1, 2 * np.minimum(above, below))
    adjusted = false_discoveries(either)
    day, columns = sides.day, np.stack([sums.score, sums.expected, either, adjusted], axis=1).tolist()
    days = zip((day[rows] for rows in large), columns, strict=True)
    figures = [FindingFigures(int(own.min()), int(own.max()), len(own), *rest) for own, rest in days]
    return list(map(Judged, large, above.tolist(), below.tolist(), adjusted.tolist(), figures))


def _pairs(ledger: LedgerGames, odds: Odds, sides: GameColumns) -> CheckResult:
    """Pairs whose score against each other is too far off; two ratings err more than one."""
    once = sides.where(sides.players[0] < sides.players[1])
    groups = group_rows(once.players[0] * MANY + once.players[1])
    if not ledger.scale.is_go:
        for rows in groups:
            once.lead[rows] -= _before(once.gained[0, rows] - once.gained[1, rows], once.batch[rows])
    judged, found = _judge(odds._replace(error=odds.error * 2**0.5), once, groups), []
    for rows, above, below, adjusted, figures in judged:
        if adjusted <= LEVEL:
            pair, shown = tuple(once.players[:, rows[0]].tolist()), figures
            if above > below:
                score, expected = (figures.games - (each or 0) for each in figures[3:5])
                pair, shown = pair[::-1], figures._replace(score=score, expected=expected)
            found.append(Finding("pair", severity_of(adjusted), pair, shown))
    return CheckResult("pair", len(judged), found)


def _before(points: Floats, batch: Ints) -> Floats:
    """The points of the games in smaller batches, before each game; games stand in any order."""
    order = np.argsort(batch, kind="stable")
    return np.asarray(np.append(0.0, np.cumsum(points[order]))[np.searchsorted(batch[order], batch)])


def _of_event(ledger: LedgerGames, sides: GameColumns, event: Judged) -> Finding:
    """That a score in an event is too far off."""
    player, occasion = int(sides.players[0, event.rows[0]]), int(sides.occasion[event.rows[0]])
    facts = (("occasion", ledger.occasions[occasion].name),)
    return Finding("event", severity_of(event.adjusted), (player,), event.figures, facts, (occasion,))


def _sandbaggers(ledger: LedgerGames, odds: Odds, sides: GameColumns, judged: list[Judged]) -> CheckResult:
    """Players who did badly against much weaker ones, and then far better than expected in an event."""
    events = list(_events_after_losses(ledger, odds, sides, judged))
    chances = np.array([event.figures.chance for event in events], np.float64)
    adjusted, found = false_discoveries(chances).tolist(), dict[tuple[int, ...], Finding]()
    for place in np.argsort(chances, kind="stable").tolist():
        event, chance = events[place], adjusted[place]
        if chance <= LEVEL:  # the least likely event of each
            figures = event.figures._replace(adjusted=chance)
            found.setdefault(event.players, event._replace(severity=severity_of(chance), figures=figures))
    return CheckResult("sandbagging", len(events), list(found.values()))


def _events_after_losses(
    ledger: LedgerGames, odds: Odds, sides: GameColumns, judged: list[Judged]
) -> Iterator[Finding]:
    """Every event of a player who had enough games against much weaker ones in the days before it."""
    keys, points = sides.players[0] * MANY + sides.day, sides.gained[0] * (not ledger.scale.is_go)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    for event in judged:
        begins = sides.players[0, event.rows[0]] * MANY + event.figures.since
        window = order[slice(*np.searchsorted(keys, (begins - DAYS_BEFORE, begins)))]
        lead = sides.lead[window] - _before(points[window], sides.batch[window])
        weaker = lead >= ledger.scale.much_weaker
        if np.count_nonzero(weaker) >= FEWEST_LOST:
            before, lead = sides.where(window[weaker]), lead[weaker]
            score, since = int(before.score.sum()), int(before.day[0])
            finding = _of_event(ledger, sides, event)
            facts = (
                *finding.facts,
                ("before_games", len(lead)),
                ("before_score", points_text(score / 2)),
                ("before_expected", points_text(float(ledger.scale.expected(lead).sum()))),
                ("before_since", day_text(since)),
                ("event_since", day_text(event.figures.since)),
            )
            figures = event.figures._replace(since=since, chance=_of_both(odds, lead, score, event.above))
            yield finding._replace(kind="sandbagging", figures=figures, facts=facts)


def _of_both(odds: Odds, lead: Floats, points: int, above: float) -> float:
    """The chance that two scores are together so far off, by Fisher; 1 where one of them is usual."""
    below = exact(odds, lead, points)[1] if above <= BOTH_BELOW else 1.0
    both = above * below
    return both * (1 - float(np.log(both))) if below <= BOTH_BELOW and both else float(below > BOTH_BELOW)
