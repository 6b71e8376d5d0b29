"""Games that cannot be: a player at two places at once, or with more games than a day holds.

In chess a game's day is sure where it was told or its event lasts one day. Else, an event with as many rounds
as days has a round every day: who played all rounds that a day may have had was there. On a Go server a game
is known by its end and its moves; it began so long before that as its moves took at the very least.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from banzuke.core.facts import RAPID, STANDARD
from banzuke.engine.columnar.go_reader import A_SECOND
from banzuke.lab.encounters import LedgerGames, Occasion, group_rows
from banzuke.lab.findings import CANNOT_BE, HARDLY, LOOK, CheckResult, Finding, FindingFigures
from banzuke.lab.true_expectation import Ints

#: An event of so many rounds a day, on average, goes on day after day; more days than are counted.
DENSE, DAYS = 0.8, 10_000_000
#: More games than these nobody plays on one day, by their speed; where none is known, those of rapid.
MOST_A_DAY = {STANDARD: 8, RAPID: 24}
MOST_OF_GO = 100
#: A move takes so many microseconds at the least, and a game of fewer moves may have been given up at once.
A_MOVE, FEWEST_MOVES = 500_000, 40


def impossible_games(ledger: LedgerGames) -> list[CheckResult]:
    """What cannot be, of the kind of pool that the ledger is."""
    if ledger.scale.is_go:
        return [_at_once(ledger), _too_many(ledger)]
    return [_two_places(ledger), _too_many(ledger)]


def _player_days(ledger: LedgerGames) -> Iterator[tuple[int, int, Ints]]:
    """Each player's days with two games or more on a sure day: player, day, the games."""
    games = ledger.games
    sure = np.flatnonzero(games.sure)
    player = np.append(games.one[sure], games.other[sure])
    rows, day = np.append(sure, sure), np.append(games.day[sure], games.day[sure])
    order = np.lexsort((rows, day, player))
    player, day, rows = player[order], day[order], rows[order]
    starts = np.flatnonzero((np.diff(player, prepend=-1) != 0) | (np.diff(day, prepend=-1) != 0))
    for first, last in zip(starts, np.append(starts, len(rows))[1:], strict=True):
        if last - first > 1:
            yield int(player[first]), int(day[first]), rows[first:last]


# Chess


def _two_places(ledger: LedgerGames) -> CheckResult:
    """Players with games in events at different places on one day."""
    looked, found = 0, list[Finding]()
    for player, day, rows in _player_days(ledger):
        occasions = np.unique(ledger.games.occasion[rows]).tolist()
        looked += len(occasions) > 1
        for both in combinations(occasions, 2):
            one, other = (ledger.occasions[each] for each in both)
            if _are_apart(one.place, other.place):
                figures = FindingFigures(day, day, len(rows))
                found.append(Finding("two-places", CANNOT_BE, (player,), figures, _places(one, other), both))
    more = list(_two_events(ledger))
    return CheckResult("two-places", looked + len(more), [*found, *(each for each in more if each)])


def _places(one: Occasion, other: Occasion) -> tuple[tuple[str, str], ...]:
    first, second = (("occasion", one.name), ("place", one.place)), ("other_occasion", other.name)
    return (*first, second, ("other_place", other.place))


class Stay(NamedTuple):
    """A player at an event: the days on which they were there, one of them at most so many rest days."""

    occasion: int
    days: frozenset[int]
    rests: int
    games: int
    is_sure: bool


def _two_events(ledger: LedgerGames) -> Iterator[Finding | None]:
    """Players at two events at once of which one tells no days; None for two that are not at once."""
    stays: dict[int, list[Stay]] = {}
    for player, stay in _stays(ledger):
        stays.setdefault(player, []).append(stay)
    for player, own in stays.items():
        own.sort(key=lambda stay: (min(stay.days), stay.occasion))
        for place, one in enumerate(own):
            for other in own[place + 1 :]:
                if min(other.days) > max(one.days):
                    break
                if not (one.is_sure and other.is_sure):
                    yield _two_stays(ledger, player, one, other)


def _two_stays(ledger: LedgerGames, player: int, one: Stay, other: Stay) -> Finding | None:
    """Two events on the same days, even if every day of rest was one of these."""
    shared, rests = one.days & other.days, one.rests + other.rests
    events = ledger.occasions[one.occasion], ledger.occasions[other.occasion]
    if len(shared) <= rests or not _are_apart(*(event.place for event in events)):
        return None
    figures = FindingFigures(min(shared), max(shared), one.games + other.games)
    facts = (*_places(*events), ("days", len(shared)))
    both = one.occasion, other.occasion
    return Finding("two-places-event", LOOK if rests else HARDLY, (player,), figures, facts, both)


def _stays(ledger: LedgerGames) -> Iterator[tuple[int, Stay]]:
    """Every player's events with days on which they must have been there."""
    games = ledger.games
    rounds, begins = np.zeros(len(ledger.occasions), np.int64), np.full(len(ledger.occasions), DAYS)
    np.maximum.at(rounds, games.occasion, games.round)
    np.minimum.at(begins, games.occasion, games.day)
    player, rows = np.append(games.one, games.other), np.tile(np.arange(len(games.one)), 2)
    for group in group_rows(player * len(ledger.occasions) + games.occasion[rows]):
        own = rows[group]
        occasion, sure = int(games.occasion[own[0]]), games.sure[own]
        length, most, days = (
            ledger.occasions[occasion].days,
            int(rounds[occasion]),
            set(games.day[own[sure]].tolist()),
        )
        rests = max(0, length - most)
        if not sure.all() and most >= DENSE * length:
            played = set(games.round[own].tolist())
            days |= {int(begins[occasion]) + day for day in _days_of(played, length, most, rests)}
        if days:
            stay = Stay(occasion, frozenset(days), 0 if sure.all() else rests, len(own), bool(sure.all()))
            yield int(player[group[0]]), stay


def _days_of(played: set[int], length: int, rounds: int, rests: int) -> Iterator[int]:
    """The days, from 0, on which every round that may have been played is among those."""
    for day in range(1, length + 1):
        if played.issuperset(range(max(1, day - rests), min(rounds, rounds - length + day + rests) + 1)):
            yield day - 1


def _are_apart(one: str, other: str) -> bool:
    """Whether two places are told, and neither is a part of the other's name."""
    one, other = one.strip().casefold(), other.strip().casefold()
    return bool(one and other) and one not in other and other not in one


def _too_many(ledger: LedgerGames) -> CheckResult:
    """Players with more games on a day than a day holds; where days are not told, in an event."""
    looked, found = 0, list[Finding]()
    for player, day, rows in _player_days(ledger):
        looked += 1
        filled = _days_filled(ledger, rows)
        if filled > 1:
            facts = (("most", int(len(rows) / filled)),)
            found.append(
                Finding("too-many", CANNOT_BE, (player,), FindingFigures(day, day, len(rows)), facts)
            )
    for player, rows in _unsure(ledger):
        looked += 1
        found += _too_many_in_event(ledger, player, rows)
    return CheckResult("too-many", looked, found)


def _too_many_in_event(ledger: LedgerGames, player: int, rows: Ints) -> list[Finding]:
    place = int(ledger.games.occasion[rows[0]])
    occasion = ledger.occasions[place]
    filled = _days_filled(ledger, rows)
    if filled <= occasion.days:
        return []
    day = int(ledger.games.day[rows[0]])
    facts = ("occasion", occasion.name), ("days", occasion.days), ("most", int(len(rows) / filled))
    figures = FindingFigures(day, day + occasion.days - 1, len(rows))
    return [Finding("too-many-event", CANNOT_BE, (player,), figures, facts, (place,))]


def _days_filled(ledger: LedgerGames, rows: Ints) -> float:
    """How many days those games fill."""
    if ledger.scale.is_go:
        return len(rows) / MOST_OF_GO
    speeds = [ledger.occasions[each].speed for each in ledger.games.occasion[rows]]
    return sum(1 / MOST_A_DAY.get(speed, MOST_A_DAY[RAPID]) for speed in speeds)


def _unsure(ledger: LedgerGames) -> Iterator[tuple[int, Ints]]:
    """The games of each player in each event that do not tell their days."""
    games = ledger.games
    unsure = np.flatnonzero(~games.sure)
    player, rows = np.append(games.one[unsure], games.other[unsure]), np.append(unsure, unsure)
    for group in group_rows(player * len(ledger.occasions) + games.occasion[rows]):
        yield int(player[group[0]]), rows[group]


# Go


def _at_once(ledger: LedgerGames) -> CheckResult:
    """Players who began a game before their last one had ended, even if every move was as quick as can be.

    Games of few moves are left out: they may have been given up at once.
    """
    games = ledger.games
    long = np.flatnonzero(games.moves >= FEWEST_MOVES)
    player, rows = np.append(games.one[long], games.other[long]), np.append(long, long)
    order = np.lexsort((rows, player))
    player, rows = player[order], rows[order]
    first, second = rows[:-1], rows[1:]
    is_same = player[:-1] == player[1:]
    cannot_be = is_same & (games.at[second] - games.at[first] < games.moves[second] * A_MOVE)
    found = [
        _overlap(ledger, int(player[place]), int(first[place]), int(second[place]))
        for place in np.flatnonzero(cannot_be)
    ]
    return CheckResult("at-once", int(is_same.sum()), found)


def _overlap(ledger: LedgerGames, player: int, first: int, second: int) -> Finding:
    games = ledger.games
    rivals = [int(games.one[row] + games.other[row]) - player for row in (first, second)]
    facts = (
        ("moment", str(np.datetime64(int(games.at[first]), "us").astype("datetime64[s]"))),
        ("seconds", int(games.at[second] - games.at[first]) // A_SECOND),
        ("moves", int(games.moves[second])),
    )
    figures = FindingFigures(int(games.day[first]), int(games.day[second]), 2)
    return Finding("at-once", CANNOT_BE, (player, *rivals), figures, facts)
