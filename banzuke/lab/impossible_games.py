"""Games that cannot be: a player at two places at once, or with more games than a day holds.

In chess a game's day is sure where it was told or its event lasts one day. Else, an event with as many rounds
as days has a round every day: who played all rounds that a day may have had was there. On a Go server a game
is known by its end and its moves; it began so long before that as its moves took at the very least.
"""

from collections.abc import Iterator
from itertools import combinations, groupby
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from banzuke.core.facts import RAPID, STANDARD
from banzuke.engine.columnar.go_reader import A_SECOND
from banzuke.lab.encounters import MANY, LedgerGames
from banzuke.lab.findings import CANNOT_BE, HARDLY, LOOK, CheckResult, Finding, FindingFigures, check_of
from banzuke.lab.true_expectation import Ints

#: An event of so many rounds a day, on average, goes on day after day.
DENSE = 0.8
#: More games than these nobody plays on one day, by their speed; where none is known, those of rapid.
MOST_A_DAY = {STANDARD: 8, RAPID: 24}
MOST_OF_GO = 100
#: A move takes so many microseconds at the least, and a game of fewer moves may have been given up at once.
A_MOVE, FEWEST_MOVES = 500_000, 40


def impossible_games(ledger: LedgerGames) -> list[CheckResult]:
    """What cannot be, of the kind of pool that the ledger is."""
    return [_at_once(ledger) if ledger.scale.is_go else _two_places(ledger), _too_many(ledger)]


def _player_days(ledger: LedgerGames) -> Iterator[tuple[int, Ints]]:
    """Each player's days with two games or more on a sure day: the player, the games."""
    found = ledger.games.by_player(ledger.games.sure, ledger.games.day)
    return ((player, rows) for player, rows in found if len(rows) > 1)


def _two_places(ledger: LedgerGames) -> CheckResult:
    """Players with games in chess events at different places on one day, or at two such events at once."""
    looked, found, days = 0, list[Finding](), ledger.games.day
    for player, rows in _player_days(ledger):
        occasions, day = np.unique(ledger.games.occasion[rows]).tolist(), int(days[rows[0]])
        looked += len(occasions) > 1
        for both in combinations(occasions, 2):
            if places := _places_apart(ledger, *both):
                figures = FindingFigures(day, day, len(rows))
                found.append(Finding("two-places", CANNOT_BE, (player,), figures, places, both))
    events = check_of("two-places", _two_events(ledger))
    return CheckResult("two-places", looked + events.at, found + events.found)


def _places_apart(ledger: LedgerGames, *both: int) -> tuple[tuple[str, str], ...]:
    """Facts on two events; none where a place is not told, or is a part of the other's name."""
    one, other = (ledger.occasions[each] for each in both)
    first, second = (each.place.strip().casefold() for each in (one, other))
    if not (first and second) or first in second or second in first:
        return ()
    names = "occasion", "place", "other_occasion", "other_place"
    return tuple(zip(names, (*one[:2], *other[:2]), strict=True))


class Stay(NamedTuple):
    """A player at an event: the days on which they were there, one of them at most so many rest days."""

    occasion: int
    days: frozenset[int]
    rests: int
    games: int
    is_sure: bool


def _two_events(ledger: LedgerGames) -> Iterator[Finding | None]:
    """Players at two events at once of which one tells no days; None for two that are not at once."""
    for player, stays in groupby(_stays(ledger), itemgetter(0)):
        own = sorted((stay for _, stay in stays), key=lambda stay: (min(stay.days), stay.occasion))
        for place, one in enumerate(own):
            for other in own[place + 1 :]:
                if min(other.days) > max(one.days):
                    break
                if not (one.is_sure and other.is_sure):
                    yield _two_stays(ledger, player, one, other)


def _two_stays(ledger: LedgerGames, player: int, one: Stay, other: Stay) -> Finding | None:
    """Two events on the same days, even if every day of rest was one of these."""
    shared, rests, both = one.days & other.days, one.rests + other.rests, (one.occasion, other.occasion)
    places = _places_apart(ledger, *both)
    if len(shared) <= rests or not places:
        return None
    figures = FindingFigures(min(shared), max(shared), one.games + other.games)
    facts = (*places, ("days", len(shared)))
    return Finding("two-places-event", LOOK if rests else HARDLY, (player,), figures, facts, both)


def _stays(ledger: LedgerGames) -> Iterator[tuple[int, Stay]]:
    """Every player's events with days on which they must have been there."""
    games, day = ledger.games, ledger.games.day
    rounds, begins = np.zeros(len(ledger.occasions), np.int64), np.full(len(ledger.occasions), MANY)
    np.maximum.at(rounds, games.occasion, games.round)
    np.minimum.at(begins, games.occasion, day)
    for player, rows in games.by_player(games.sure | True, games.occasion):
        occasion, sure = int(games.occasion[rows[0]]), games.sure[rows]
        length, most = ledger.occasions[occasion].days, int(rounds[occasion])
        days, rests = set(day[rows[sure]].tolist()), max(0, length - most)
        if not sure.all() and most >= DENSE * length:
            played = set(games.round[rows].tolist())
            days |= {int(begins[occasion]) + each for each in _days_of(played, length, most, rests)}
        if days:
            is_sure = bool(sure.all())
            yield player, Stay(occasion, frozenset(days), 0 if is_sure else rests, len(rows), is_sure)


def _days_of(played: set[int], length: int, rounds: int, rests: int) -> Iterator[int]:
    """The days, from 0, on which every round that may have been played is among those."""
    for day in range(1, length + 1):
        if played.issuperset(range(max(1, day - rests), min(rounds, rounds - length + day + rests) + 1)):
            yield day - 1


def _too_many(ledger: LedgerGames) -> CheckResult:
    """Players with more games on a day than a day holds; where days are not told, in an event."""
    games = ledger.games
    tried = [_more_than(ledger, 1, player, rows) for player, rows in _player_days(ledger)]
    for player, rows in games.by_player(~games.sure, games.occasion):
        place = int(games.occasion[rows[0]])
        occasion = ledger.occasions[place]
        if found := _more_than(ledger, occasion.days, player, rows):
            facts = ("occasion", occasion.name), ("days", occasion.days), *found.facts
            found = found._replace(kind="too-many-event", facts=facts, occasions=(place,))
        tried.append(found)
    return check_of("too-many", tried)


def _more_than(ledger: LedgerGames, days: int, player: int, rows: Ints) -> Finding | None:
    """A finding, where those games fill more days than that."""
    filled = len(rows) / MOST_OF_GO
    if not ledger.scale.is_go:
        speeds = [ledger.occasions[each].speed for each in ledger.games.occasion[rows]]
        filled = sum(1 / MOST_A_DAY.get(speed, MOST_A_DAY[RAPID]) for speed in speeds)
    if filled <= days:
        return None
    since = int(ledger.games.day[rows[0]])
    figures = FindingFigures(since, since + days - 1, len(rows))
    return Finding("too-many", CANNOT_BE, (player,), figures, (("most", int(len(rows) / filled)),))


def _at_once(ledger: LedgerGames) -> CheckResult:
    """Players of Go who began a game before their last one had ended, if every move was as quick as can be.

    Games of few moves are left out: they may have been given up at once.
    """
    games = ledger.games
    found, looked = list[Finding](), 0
    for player, rows in games.by_player(games.moves >= FEWEST_MOVES, 0 * games.day):
        apart = np.diff(games.at[rows])
        looked += len(apart)
        for place in np.flatnonzero(apart < games.moves[rows[1:]] * A_MOVE).tolist():
            both = rows[place : place + 2]
            facts = (
                ("moment", str(np.datetime64(int(games.at[both[0]]), "us").astype("datetime64[s]"))),
                ("seconds", int(apart[place]) // A_SECOND),
                ("moves", int(games.moves[both[1]])),
            )
            who = player, *(games.players[:, both].sum(axis=0) - player).tolist()
            since, until = games.day[both].tolist()
            found.append(Finding("at-once", CANNOT_BE, who, FindingFigures(since, until, 2), facts))
    return CheckResult("at-once", looked, found)
