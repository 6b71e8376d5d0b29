"""How a month's reports are rated: the steps that NCS and JCF share, calling an edition's clauses.

The steps, in order: raise to the floor, decide which games enter, inherit, one line for each
side of each game, then the sums. Every game is rated on the state before the batch. What a step
decides stands in the edition's own module; this one only walks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.facts import RAPID, SCORES, STANDARD
from banzuke.core.rating import (
    FIRST,
    RATED,
    UNRATED,
    Calculation,
    EventLines,
    FirstGame,
    Line,
    Outcome,
    Rating,
    Standings,
)
from banzuke.rulebooks.fide_tables import expected

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date

    from banzuke.core.batch import Batch, Register
    from banzuke.core.facts import Entry, Event, Game, Player
    from banzuke.core.rating import Coefficient, FirstWorking, Ratings, Waiting

SPEEDS = (STANDARD, RAPID)
OTHER_SPEED = {STANDARD: RAPID, RAPID: STANDARD}

# Why a game does not enter, in the order in which the reasons are asked for.
RULING, SPEED, LATE, FEE, MEMBER, FORFEIT = "ruling", "speed", "late", "fee", "member", "forfeit"
# Why a game that entered is not rated for a side.
AGAINST_UNRATED = "unrated"


class Admission(NamedTuple):
    """What an edition says of an event before it looks at a game.

    `speed` is blank where the event makes no list; a game played before `oldest` came too late.
    """

    excluded: bool
    speed: str
    oldest: date
    unpaid: bool


class Edition(NamedTuple):
    """The clauses that the steps ask an edition for: its figures and its functions.

    `inherited` gives the rating taken over (None if none) and where it came from, from the
    player, the speed and the rating at the other speed. `coefficient` gives K from the states
    at this and the other speed, the player and the year of play. `first_rating` gives the
    first rating, or why there is none yet, from all games on file and the window's last day.
    `difference` is own less opponent as counted, `change` is C in hundredths from half points,
    PD and K, `new_rating` the rounded sum and the rating after it.
    `unrated_pair_waits` says whether a game of two UR is kept for their first ratings.
    """

    floor: int
    rates_against_unrated: bool
    unrated_pair_waits: bool
    clauses: Mapping[str, str]
    admission: Callable[[Event, Batch], Admission]
    is_member: Callable[[Register, str, Event, date], bool]
    inherited: Callable[[Player, str, int | None], tuple[int | None, str]]
    coefficient: Callable[[Rating, Rating, Player, int], Coefficient]
    difference: Callable[[int, int | None], int]
    change: Callable[[int, int, int], int]
    new_rating: Callable[[int, int], tuple[int, int]]
    first_rating: Callable[[tuple[FirstGame, ...], date], FirstWorking]


class Tally:
    """A player's batch at one speed while it is being added up."""

    __slots__ = ("coefficients", "counted", "entered", "fresh", "own", "source", "total")

    def __init__(self, entered: Rating, source: str) -> None:
        self.entered = entered
        self.source = source
        self.own = entered.value
        self.coefficients: dict[int, Coefficient] = {}
        self.total = 0
        self.counted = 0
        self.fresh: list[FirstGame] = []


class Walk(NamedTuple):
    """One batch on its way: who rates it, what stood before it, and what is being added up."""

    edition: Edition
    batch: Batch
    ratings: Ratings
    tallies: dict[str, dict[str, Tally]]


def rate(edition: Edition, standings: Standings, batch: Batch) -> Outcome:
    """The batch rated by that edition, in O(games + rated players).

    The standings given are left as they were.
    """
    ratings = {speed: standings.ratings.get(speed, {}) for speed in SPEEDS}
    if batch.opens_edition:
        ratings = raised(ratings, edition.floor)
    walk = Walk(edition, batch, ratings, {speed: {} for speed in SPEEDS})
    admitted = [(entry, edition.admission(entry.event, batch)) for entry in batch.entries]
    reasons = [_reasons(walk, entry, admission) for entry, admission in admitted]
    for (entry, admission), why in zip(admitted, reasons, strict=True):
        _open_tallies(walk, entry, admission.speed, why)
    events = [
        EventLines(entry.event, admission.speed, _event_lines(walk, entry, admission.speed, why))
        for (entry, admission), why in zip(admitted, reasons, strict=True)
    ]
    return _closed(walk, standings, events)


def raised(ratings: Ratings, floor: int) -> Ratings:
    """The ratings that an edition begins with: none below its floor."""
    return {
        speed: {player: _raised(rating, floor) for player, rating in of_speed.items()}
        for speed, of_speed in ratings.items()
    }


def _raised(rating: Rating, floor: int) -> Rating:
    if rating.value is None or rating.value >= floor:
        return rating
    return rating._replace(value=floor, peak=max(rating.peak or floor, floor))


def _reasons(walk: Walk, entry: Entry, admission: Admission) -> list[str]:
    return [reason(walk, game, entry.event, admission) for game in entry.games]


def reason(walk: Walk, game: Game, event: Event, admission: Admission) -> str:
    """Why the game does not enter: the first reason that applies; blank if it enters."""
    if admission.excluded or game.ruling:
        return RULING
    if not admission.speed:
        return SPEED
    day = game.played or event.starts
    if day < admission.oldest:
        return LATE
    if admission.unpaid:
        return FEE
    is_member, register = walk.edition.is_member, walk.batch.register
    if not (is_member(register, game.white, event, day) and is_member(register, game.black, event, day)):
        return MEMBER
    return FORFEIT if SCORES[game.result][0] is None else ""


def _open_tallies(walk: Walk, entry: Entry, speed: str, reasons: list[str]) -> None:
    """A tally, with what he inherits, for every player of a game that enters."""
    for game, why in zip(entry.games, reasons, strict=True):
        if not why:
            tallies = walk.tallies[speed]
            for player in (game.white, game.black):
                if player not in tallies:
                    tallies[player] = _opened(walk, player, speed)


def _opened(walk: Walk, player: str, speed: str) -> Tally:
    """The player's tally; both speeds inherit from what stood before the batch."""
    rating = walk.ratings[speed].get(player, UNRATED)
    if rating.value is not None:
        return Tally(rating, "")
    other = walk.ratings[OTHER_SPEED[speed]].get(player, UNRATED).value
    value, source = walk.edition.inherited(walk.batch.register.players[player], speed, other)
    if value is None:
        return Tally(rating, "")
    value = max(value, walk.edition.floor)
    return Tally(Rating(value, rating.games, value, earned=False), source)


def _event_lines(walk: Walk, entry: Entry, speed: str, reasons: list[str]) -> list[Line]:
    """Both lines of every game of the event, White's before Black's."""
    event, lines = entry.event, []
    for game, why in zip(entry.games, reasons, strict=True):
        white, black = SCORES[game.result]
        if why or white is None or black is None:
            lines.append(_left_out(walk, game.round, game.white, game.black, white, speed, why))
            lines.append(_left_out(walk, game.round, game.black, game.white, black, speed, why))
            continue
        day = game.played or event.starts
        tallies = walk.tallies[speed]
        mine, theirs = tallies[game.white], tallies[game.black]
        where = (event.event_id, game.round, day)
        lines.append(_side(walk, mine, theirs, game.white, game.black, white, speed, where))
        lines.append(_side(walk, theirs, mine, game.black, game.white, black, speed, where))
    return lines


def _left_out(
    walk: Walk, round_: int, player: str, opponent: str, score: int | None, speed: str, why: str
) -> Line:
    """The line of a game that does not enter; it shows the ratings all the same."""
    own, other = _shown(walk, player, speed), _shown(walk, opponent, speed)
    clause = walk.edition.clauses[why]
    return Line(round_, player, opponent, score, own, other, None, None, None, None, why, clause)


def _shown(walk: Walk, player: str, speed: str) -> int | None:
    """The rating before the batch, inheritance included; none where the event has no speed."""
    if not speed:
        return None
    tally = walk.tallies[speed].get(player)
    return tally.own if tally else walk.ratings[speed].get(player, UNRATED).value


def _side(
    walk: Walk,
    mine: Tally,
    theirs: Tally,
    player: str,
    opponent: str,
    score: int,
    speed: str,
    where: tuple[str, int, date],
) -> Line:
    """One side of a game that entered, with its change where it has one."""
    own, other, edition = mine.own, theirs.own, walk.edition
    if own is None or (other is None and not edition.rates_against_unrated):
        return _unchanged(edition, mine, other, player, opponent, score, where)
    difference = edition.difference(own, other)
    k = mine.coefficients.get(where[2].year) or _coefficient(walk, mine, player, speed, where[2].year)
    percent = expected(difference)
    change = edition.change(score, percent, k.value)
    mine.total += change
    mine.counted += 1
    return Line(
        where[1],
        player,
        opponent,
        score,
        own,
        other,
        difference,
        percent,
        k,
        change,
        RATED,
        edition.clauses[RATED],
    )


def _coefficient(walk: Walk, mine: Tally, player: str, speed: str, year: int) -> Coefficient:
    """K for that year, asked for once a player and year."""
    other_speed = OTHER_SPEED[speed]
    tally = walk.tallies[other_speed].get(player)
    other = tally.entered if tally else walk.ratings[other_speed].get(player, UNRATED)
    k = walk.edition.coefficient(mine.entered, other, walk.batch.register.players[player], year)
    mine.coefficients[year] = k
    return k


def _unchanged(
    edition: Edition,
    mine: Tally,
    other: int | None,
    player: str,
    opponent: str,
    score: int,
    where: tuple[str, int, date],
) -> Line:
    """A side that moves nothing: UR, whose game is put on file, or rated against UR."""
    verdict = AGAINST_UNRATED
    if mine.own is None:
        event_id, round_, day = where
        mine.fresh.append(FirstGame(event_id, round_, day, opponent, other, score))
        mine.counted += other is not None
        if other is not None or edition.unrated_pair_waits:
            verdict = FIRST
    clause = edition.clauses[verdict]
    return Line(where[1], player, opponent, score, mine.own, other, None, None, None, None, verdict, clause)


def _closed(walk: Walk, standings: Standings, events: list[EventLines]) -> Outcome:
    """The sums: new ratings, first ratings, and the games that go on waiting."""
    ratings: Ratings = {}
    waiting: Waiting = {}
    calculations: dict[str, dict[str, Calculation]] = {}
    for speed, tallies in walk.tallies.items():
        ratings[speed] = dict(walk.ratings[speed])
        waiting[speed] = dict(standings.waiting.get(speed, {}))
        done = calculations[speed] = {}
        for player, tally in tallies.items():
            games = waiting[speed].pop(player, ()) + tuple(tally.fresh)
            calculation = _calculated(walk, player, standings.of(speed, player), tally, games)
            ratings[speed][player] = calculation.after
            if calculation.after.value is None:
                waiting[speed][player] = games
            done[player] = calculation
    return Outcome(Standings(ratings, waiting), events, calculations)


def _calculated(
    walk: Walk, player: str, before: Rating, tally: Tally, games: tuple[FirstGame, ...]
) -> Calculation:
    entered, edition = tally.entered, walk.edition
    played = entered.games + tally.counted
    if entered.value is None:
        first = None
        if edition.unrated_pair_waits or any(g.opponent_rating is not None for g in tally.fresh):
            first = edition.first_rating(games, walk.batch.closes)
        value = first.rating if first else None
        after = Rating(value, played, value, earned=value is not None)
        return Calculation(player, before, entered, tally.source, 0, 0, False, first, after)
    shift, value = edition.new_rating(entered.value, tally.total)
    peak = max(entered.peak or value, value)
    after = Rating(value, played, peak, entered.earned)
    floored = value != entered.value + shift
    return Calculation(player, before, entered, tally.source, tally.total, shift, floored, None, after)
