"""How a month's reports are rated: the steps that NCS and JCF share, calling an edition's clauses.

The steps, in order: raise to the floor, decide which games enter, inherit, one line for each
side of each game, then the sums. Every game is rated on the state before the batch. What a step
decides stands in the edition's own module; this one only walks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.facts import RAPID, SCORES, STANDARD
from banzuke.core.rating import (
    AGAINST_UNRATED,
    FEE,
    FIRST,
    FORFEIT,
    LATE,
    MEMBER,
    RATED,
    RULING,
    SPEED,
    UNRATED,
    Calculation,
    EventLines,
    FirstGame,
    Line,
    Outcome,
    Rating,
    Standings,
    line,
)
from banzuke.rulebooks.fide.tables import PD

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date

    from banzuke.core.batch import Batch, Register
    from banzuke.core.facts import Entry, Event, Game, Player
    from banzuke.core.rating import Coefficient, FirstWorking, Ratings, Waiting

SPEEDS = (STANDARD, RAPID)
OTHER_SPEED = {STANDARD: RAPID, RAPID: STANDARD}


class Admission(NamedTuple):
    """What an edition says of an event before it looks at a game.

    `speed` is blank where the event makes no list; a game played before `oldest` came too late.
    """

    excluded: bool
    speed: str
    oldest: date
    unpaid: bool = False


@dataclass(frozen=True, slots=True)
class Edition:
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
    """A player's batch at one speed while it is being added up; `k` is that of `year`."""

    __slots__ = ("counted", "entered", "fresh", "k", "own", "player", "source", "total", "year")

    def __init__(self, player: str, entered: Rating, source: str) -> None:
        self.player = player
        self.entered = entered
        self.source = source
        self.own = entered.value
        self.k: Coefficient | None = None
        self.year = 0
        self.total = 0
        self.counted = 0
        self.fresh: tuple[FirstGame, ...] = ()


#: A game with its day, why it does not enter (blank: it does), White's tally and Black's.
Decided = tuple["Game", "date", str, Tally | None, Tally | None]


@dataclass(frozen=True, slots=True)
class Walk:
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
    admissions = [edition.admission(entry.event, batch) for entry in batch.entries]
    decided = [
        _decided(walk, entry, admission) for entry, admission in zip(batch.entries, admissions, strict=True)
    ]
    events = [
        EventLines(entry.event, admission.speed, _event_lines(walk, admission.speed, games))
        for entry, admission, games in zip(batch.entries, admissions, decided, strict=True)
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


class Members(dict[tuple[str, "date"], bool]):
    """Who is a member on which day of an event; asked of the edition once each."""

    def __init__(self, walk: Walk, event: Event) -> None:
        self.walk = walk
        self.event = event

    def __missing__(self, key: tuple[str, date]) -> bool:
        player, day = key
        found = self.walk.edition.is_member(self.walk.batch.register, player, self.event, day)
        self[key] = found
        return found


def _decided(walk: Walk, entry: Entry, admission: Admission) -> list[Decided]:
    """Every game of the event: its day, why it does not enter, the tallies of those that do."""
    members, starts, speed = Members(walk, entry.event), entry.event.starts, admission.speed
    tallies = walk.tallies.get(speed, {})
    decided: list[Decided] = []
    for game in entry.games:
        day = game.played or starts
        why = reason(game, day, admission, members)
        if why:
            decided.append((game, day, why, None, None))
        else:
            white = tallies.get(game.white) or _opened(walk, game.white, speed)
            black = tallies.get(game.black) or _opened(walk, game.black, speed)
            decided.append((game, day, why, white, black))
    return decided


def reason(game: Game, day: date, admission: Admission, members: Mapping[tuple[str, date], bool]) -> str:
    """Why the game does not enter: the first reason that applies; blank if it enters."""
    if admission.excluded or game.ruling:
        return RULING
    if not admission.speed:
        return SPEED
    if day < admission.oldest:
        return LATE
    if admission.unpaid:
        return FEE
    if not (members[game.white, day] and members[game.black, day]):
        return MEMBER
    return FORFEIT if SCORES[game.result][0] is None else ""


def _opened(walk: Walk, player: str, speed: str) -> Tally:
    """A new tally for the player, with what he inherits."""
    entered, source = _entered(walk, player, speed)
    tally = walk.tallies[speed][player] = Tally(player, entered, source)
    return tally


def _entered(walk: Walk, player: str, speed: str) -> tuple[Rating, str]:
    """The state his games are rated on; both speeds inherit from what stood before the batch."""
    rating = walk.ratings[speed].get(player, UNRATED)
    if rating.value is not None:
        return rating, ""
    other = walk.ratings[OTHER_SPEED[speed]].get(player, UNRATED).value
    value, source = walk.edition.inherited(walk.batch.register.players[player], speed, other)
    if value is None:
        return rating, ""
    value = max(value, walk.edition.floor)
    return Rating(value, rating.games, value, earned=False), source


def _event_lines(walk: Walk, speed: str, decided: list[Decided]) -> list[Line]:
    """Both lines of every game of the event, White's before Black's."""
    lines = []
    for game, day, why, mine, theirs in decided:
        white, black = SCORES[game.result]
        if mine is None or theirs is None or white is None or black is None:
            lines.append(_left_out(walk, game.round, game.white, game.black, white, speed, why))
            lines.append(_left_out(walk, game.round, game.black, game.white, black, speed, why))
        else:
            lines.append(_side(walk, speed, mine, theirs, white, game, day))
            lines.append(_side(walk, speed, theirs, mine, black, game, day))
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


def _side(walk: Walk, speed: str, mine: Tally, theirs: Tally, score: int, game: Game, day: date) -> Line:
    """One side of a game that entered, with its change where it has one."""
    own, other, edition = mine.own, theirs.own, walk.edition
    if own is None or (other is None and not edition.rates_against_unrated):
        return unmoved(edition, mine, theirs, score, game, day)
    k = mine.k
    if k is None or mine.year != day.year:
        k = _coefficient(walk, speed, mine, day.year)
    difference = edition.difference(own, other)
    percent = PD[difference]
    change = edition.change(score, percent, k.value)
    mine.total += change
    mine.counted += 1
    return line(
        (
            game.round, mine.player, theirs.player, score, own, other, difference, percent, k, change,
            RATED, edition.clauses[RATED],
        )
    )  # fmt: skip


def _coefficient(walk: Walk, speed: str, mine: Tally, year: int) -> Coefficient:
    """K for that year; it is asked for once for games of one year."""
    other_speed = OTHER_SPEED[speed]
    tally = walk.tallies[other_speed].get(mine.player)
    other = tally.entered if tally else walk.ratings[other_speed].get(mine.player, UNRATED)
    player = walk.batch.register.players[mine.player]
    mine.k, mine.year = walk.edition.coefficient(mine.entered, other, player, year), year
    return mine.k


def unmoved(edition: Edition, mine: Tally, theirs: Tally, score: int, game: Game, day: date) -> Line:
    """NCS 5(3), JCF 5(1)C-zero: a side that moves nothing, UR or rated against UR.

    The game of a UR side is put on file for the first rating.
    """
    verdict, own, other, opponent = AGAINST_UNRATED, mine.own, theirs.own, theirs.player
    if own is None:
        mine.fresh += (FirstGame(game.event_id, game.round, day, opponent, other, score),)
        mine.counted += other is not None
        if other is not None or edition.unrated_pair_waits:
            verdict = FIRST
    clause = edition.clauses[verdict]
    return Line(game.round, mine.player, opponent, score, own, other, None, None, None, None, verdict, clause)


def _closed(walk: Walk, standings: Standings, events: list[EventLines]) -> Outcome:
    """The sums: new ratings, first ratings, and the games that go on waiting."""
    ratings: Ratings = {}
    waiting: Waiting = {}
    calculations: dict[str, dict[str, Calculation]] = {}
    for speed, tallies in walk.tallies.items():
        before = standings.ratings.get(speed, {})
        after = ratings[speed] = dict(walk.ratings[speed])
        on_file = waiting[speed] = dict(standings.waiting.get(speed, {}))
        done = calculations[speed] = {}
        for player, tally in tallies.items():
            was = before.get(player, UNRATED)
            if tally.own is None:
                games = on_file.get(player, ()) + tally.fresh
                calculation = _unrated_calculation(walk, was, tally, games)
                on_file[player] = games
            else:
                calculation = _rated_calculation(walk.edition, was, tally, tally.own)
            if calculation.after.value is not None and on_file:
                on_file.pop(player, None)
            after[player] = calculation.after
            done[player] = calculation
    return Outcome(Standings(ratings, waiting), events, calculations)


def _unrated_calculation(
    walk: Walk, before: Rating, tally: Tally, games: tuple[FirstGame, ...]
) -> Calculation:
    """A first rating, if a new game of the batch may bring one."""
    edition, entered, first = walk.edition, tally.entered, None
    if edition.unrated_pair_waits or any(game.opponent_rating is not None for game in tally.fresh):
        first = edition.first_rating(games, walk.batch.closes)
    value = first.rating if first else None
    after = Rating(value, entered.games + tally.counted, value, value is not None)
    return Calculation(tally.player, before, entered, tally.source, 0, 0, False, first, after)


def _rated_calculation(edition: Edition, before: Rating, tally: Tally, own: int) -> Calculation:
    """The sum added to the rating, and the games to the games."""
    entered, total = tally.entered, tally.total
    shift, value = edition.new_rating(own, total)
    peak = value if entered.peak is None or entered.peak < value else entered.peak
    after = Rating(value, entered.games + tally.counted, peak, entered.earned)
    floored = value != own + shift
    return Calculation(tally.player, before, entered, tally.source, total, shift, floored, None, after)
