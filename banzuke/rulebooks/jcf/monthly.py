"""How a month's reports are rated: the steps that NCS and JCF share, calling an edition's clauses.

The steps, in order: raise to the floor, decide which games enter, inherit, one line for each
side of each game, then the sums. Every game is rated on the state before the batch. What a step
decides stands in the edition's own module; this one only calls it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache, partial
from typing import Any, NamedTuple

from banzuke.core.batch import Batch, Register
from banzuke.core.facts import RAPID, SCORES, STANDARD, Entry, Event, Game, Player
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
    Coefficient,
    EventLines,
    FirstGame,
    FirstWorking,
    Line,
    Outcome,
    Rating,
    Ratings,
    Standings,
    Waiting,
    line,
)
from banzuke.rulebooks.fide.tables import PD

SPEEDS = (STANDARD, RAPID)
OTHER_SPEED = {STANDARD: RAPID, RAPID: STANDARD}
#: What is taken over (None: nothing) and where it is from, by player, speed and the rating at the other one.
Inheritance = Callable[[Player, str, int | None], tuple[int | None, str]]


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
    `difference` is own less opponent as counted (the opponent is None for a UR, only if
    `rates_against_unrated`), `change` is C in hundredths from half points,
    PD and K, `new_rating` the rounded sum and the rating after it.
    `unrated_pair_waits` says whether a game of two UR is kept for their first ratings.
    """

    floor: int
    rates_against_unrated: bool
    unrated_pair_waits: bool
    clauses: Mapping[str, str]
    admission: Callable[[Event, Batch], Admission]
    is_member: Callable[[Register, str, Event, date], bool]
    inherited: Inheritance
    coefficient: Callable[[Rating, Rating, Player, int], Coefficient]
    difference: Callable[[int, Any], int]
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
GameDecision = tuple["Game", "date", str, Tally | None, Tally | None]


@dataclass(frozen=True, slots=True)
class BatchRun:
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
        ratings = raise_to_floor(ratings, edition.floor)
    run = BatchRun(edition, batch, ratings, {speed: {} for speed in SPEEDS})
    admissions = [edition.admission(entry.event, batch) for entry in batch.entries]
    decided = [
        _decide_event(run, entry, admission)
        for entry, admission in zip(batch.entries, admissions, strict=True)
    ]
    events = [
        EventLines(entry.event, admission.speed, _event_lines(run, admission.speed, games))
        for entry, admission, games in zip(batch.entries, admissions, decided, strict=True)
    ]
    return _close_batch(run, standings, events)


def raise_to_floor(ratings: Ratings, floor: int) -> Ratings:
    """The ratings that an edition begins with: none below its floor."""
    return {
        speed: {player: _raise_rating(rating, floor) for player, rating in of_speed.items()}
        for speed, of_speed in ratings.items()
    }


def _raise_rating(rating: Rating, floor: int) -> Rating:
    if rating.value is None or rating.value >= floor:
        return rating
    return rating._replace(value=floor, peak=max(rating.peak or floor, floor))


def _decide_event(run: BatchRun, entry: Entry, admission: Admission) -> list[GameDecision]:
    """Every game of the event: its day, why it does not enter, the tallies of those that do."""
    starts, speed = entry.event.starts, admission.speed
    is_member = cache(partial(_is_member, run, entry.event))
    tallies = run.tallies.get(speed, {})
    decided: list[GameDecision] = []
    for game in entry.games:
        day = game.played or starts
        why = reason(game, day, admission, is_member)
        if why:
            decided.append((game, day, why, None, None))
        else:
            white = tallies.get(game.white) or _open_tally(run, game.white, speed)
            black = tallies.get(game.black) or _open_tally(run, game.black, speed)
            decided.append((game, day, why, white, black))
    return decided


def reason(game: Game, day: date, admission: Admission, is_member: Callable[[str, date], bool]) -> str:
    """Why the game does not enter: the first reason that applies; blank if it enters."""
    if admission.excluded or game.ruling:
        return RULING
    if not admission.speed:
        return SPEED
    if day < admission.oldest:
        return LATE
    if admission.unpaid:
        return FEE
    if not (is_member(game.white, day) and is_member(game.black, day)):
        return MEMBER
    return FORFEIT if SCORES[game.result][0] is None else ""


def _is_member(run: BatchRun, event: Event, player: str, day: date) -> bool:
    """Whether the player is a member on that day of the event, as the edition says."""
    return run.edition.is_member(run.batch.register, player, event, day)


def _open_tally(run: BatchRun, player: str, speed: str) -> Tally:
    """A new tally for the player, with what they inherit."""
    entered, source = _entering_rating(run, player, speed)
    tally = run.tallies[speed][player] = Tally(player, entered, source)
    return tally


def _entering_rating(run: BatchRun, player: str, speed: str) -> tuple[Rating, str]:
    """The state that a player's games are rated on; both speeds inherit from the state before the batch."""
    edition, states = run.edition, {at: run.ratings[at].get(player, UNRATED) for at in SPEEDS}
    if states[speed].value is not None:
        return states[speed], ""
    return entering(states, run.batch.register.players[player], speed, edition.inherited, edition.floor)


def entering(
    states: Mapping[str, Rating], player: Player, speed: str, inherited: Inheritance, floor: int
) -> tuple[Rating, str]:
    """The state that a player enters a game with, by the states at both speeds, and where it is from."""
    rating = states.get(speed, UNRATED)
    if rating.value is not None:
        return rating, ""
    value, source = inherited(player, speed, states.get(OTHER_SPEED[speed], UNRATED).value)
    if value is None:
        return rating, ""
    value = max(value, floor)
    return Rating(value, rating.games, value, earned=False), source


def _event_lines(run: BatchRun, speed: str, decided: list[GameDecision]) -> list[Line]:
    """Both lines of every game of the event, White's before Black's."""
    lines = []
    for game, day, why, mine, theirs in decided:
        white, black = SCORES[game.result]
        if mine is None or theirs is None or white is None or black is None:
            lines.append(_line_left_out(run, game.round, game.white, game.black, white, speed, why))
            lines.append(_line_left_out(run, game.round, game.black, game.white, black, speed, why))
        else:
            lines.append(_line_of_side(run, speed, mine, theirs, white, game, day))
            lines.append(_line_of_side(run, speed, theirs, mine, black, game, day))
    return lines


def _line_left_out(
    run: BatchRun, round_: int, player: str, opponent: str, score: int | None, speed: str, why: str
) -> Line:
    """The line of a game that does not enter; it shows the ratings all the same."""
    own, other = _rating_shown(run, player, speed), _rating_shown(run, opponent, speed)
    clause = run.edition.clauses[why]
    return Line(round_, player, opponent, score, own, other, None, None, None, None, why, clause)


def _rating_shown(run: BatchRun, player: str, speed: str) -> int | None:
    """The rating before the batch, inheritance included; none where the event has no speed."""
    if not speed:
        return None
    tally = run.tallies[speed].get(player)
    return tally.own if tally else run.ratings[speed].get(player, UNRATED).value


def _line_of_side(
    run: BatchRun, speed: str, mine: Tally, theirs: Tally, score: int, game: Game, day: date
) -> Line:
    """One side of a game that entered, with its change where it has one."""
    own, other, edition = mine.own, theirs.own, run.edition
    if own is None or (other is None and not edition.rates_against_unrated):
        return line_without_change(edition, mine, theirs, score, game, day)
    k = mine.k
    if k is None or mine.year != day.year:
        k = _coefficient(run, speed, mine, day.year)
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


def _coefficient(run: BatchRun, speed: str, mine: Tally, year: int) -> Coefficient:
    """K for that year; it is asked for once for games of one year."""
    other_speed = OTHER_SPEED[speed]
    tally = run.tallies[other_speed].get(mine.player)
    other = tally.entered if tally else run.ratings[other_speed].get(mine.player, UNRATED)
    player = run.batch.register.players[mine.player]
    mine.k, mine.year = run.edition.coefficient(mine.entered, other, player, year), year
    return mine.k


def line_without_change(
    edition: Edition, mine: Tally, theirs: Tally, score: int, game: Game, day: date
) -> Line:
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


def _close_batch(run: BatchRun, standings: Standings, events: list[EventLines]) -> Outcome:
    """The sums: new ratings, first ratings, and the games that go on waiting."""
    ratings: Ratings = {}
    waiting: Waiting = {}
    calculations: dict[str, dict[str, Calculation]] = {}
    for speed, tallies in run.tallies.items():
        before = standings.ratings.get(speed, {})
        after = ratings[speed] = dict(run.ratings[speed])
        on_file = waiting[speed] = dict(standings.waiting.get(speed, {}))
        done = calculations[speed] = {}
        for player, tally in tallies.items():
            was = before.get(player, UNRATED)
            if tally.own is None:
                games = on_file.get(player, ()) + tally.fresh
                calculation = _unrated_calculation(run, was, tally, games)
                on_file[player] = games
            else:
                calculation = _rated_calculation(run.edition, was, tally, tally.own)
            if calculation.after.value is not None and on_file:
                on_file.pop(player, None)
            after[player] = calculation.after
            done[player] = calculation
    return Outcome(Standings(ratings, waiting), events, calculations)


def _unrated_calculation(
    run: BatchRun, before: Rating, tally: Tally, games: tuple[FirstGame, ...]
) -> Calculation:
    """A first rating, if a new game of the batch may bring one."""
    edition, entered, first = run.edition, tally.entered, None
    if edition.unrated_pair_waits or any(game.opponent_rating is not None for game in tally.fresh):
        first = edition.first_rating(games, run.batch.closes)
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
