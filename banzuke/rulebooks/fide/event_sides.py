"""FIDE regulations: which games are rated, on which list, and what an event is for each side.

The part of `fide_2024` that stands before the calculation: rate of play, unplayed games, the list
in force (FIDE 1, 5, 7.1; RB 1, 4, 6, 7.2.1).
"""

from importlib.resources import files
from typing import NamedTuple

from banzuke.core.facts import BLITZ, EXCLUDE, RAPID, SCORES, STANDARD, Entry, Event, Game
from banzuke.core.parameters import read_parameters
from banzuke.core.rating import (
    AGAINST_UNRATED,
    FIRST,
    FORFEIT,
    RATED,
    RULING,
    UNRATED,
    FirstGame,
    Rating,
    Ratings,
)

PARAMETERS = read_parameters(files(__package__), "fide_2024")

STANDARD_MINUTES, BLITZ_MINUTES = PARAMETERS.whole("standard_minutes"), PARAMETERS.whole("blitz_minutes")


# Rate of play, unplayed games


def speed_of(event: Event) -> str:
    """FIDE 1.1, RB 1.1.1, RB 1.1.2: as declared, else by the minutes for 60 moves; blank: unknown.

    [reading: declared-against-time]
    """
    if event.speed or event.minutes is None:
        return event.speed
    return speed_for(event.minutes)


def speed_for(minutes: int) -> str:
    """FIDE 1.1, RB 1.1.1, RB 1.1.2: the speed that a time for 60 moves makes. [reading: three-minutes]"""
    if minutes >= STANDARD_MINUTES:
        return STANDARD
    return RAPID if minutes > BLITZ_MINUTES else BLITZ


def reason(event: Event, game: Game, own: int | None, other: int | None) -> str:
    """FIDE 5.1, 8.2: only games that were played, against rated opponents."""
    if EXCLUDE in (event.ruling, game.ruling):
        return RULING
    if SCORES[game.result][0] is None:
        return FORFEIT
    if other is None:
        return AGAINST_UNRATED
    return RATED if own is not None else FIRST


def in_force(ratings: Ratings, player: str, speed: str) -> Rating:
    """FIDE 7.1, RB 7.2.1: the player's state; unrated at rapid or blitz, the standard rating is used."""
    own = ratings.get(speed, {}).get(player, UNRATED)
    if own.value is not None or speed == STANDARD:
        return own
    standard = ratings.get(STANDARD, {}).get(player, UNRATED).value
    if standard is None:
        return own
    return own._replace(value=standard, peak=max(standard, own.peak or standard))


class Side(NamedTuple):
    """One side of a game, with the ratings of the list in force on the event's first day."""

    game: Game
    player: str
    opponent: str
    score: int | None
    own: int | None
    other: int | None
    verdict: str


class EventSheet(NamedTuple):
    """An event with the players' states in the list in force, and both sides of every game."""

    event: Event
    speed: str
    states: dict[str, Rating]
    sides: list[Side]


class Tally:
    """A player's list at one speed while it is being added up.

    `rated` games give a change; `held` is the highest rating they were rated on; `fresh` has a
    list an event of the games played without a rating.
    """

    __slots__ = ("fresh", "held", "rated", "total")

    def __init__(self) -> None:
        self.rated = 0
        self.total = 0
        self.held = 0
        self.fresh: list[list[FirstGame]] = []


Tallies = dict[str, dict[str, Tally]]


def sheet_of(entry: Entry, ratings: Ratings) -> EventSheet:
    """FIDE 7.1: the event seen through the list in force on its first day."""
    event, speed = entry.event, speed_of(entry.event)
    players = {player for game in entry.games for player in (game.white, game.black)}
    states = {player: in_force(ratings, player, speed) for player in players}
    sides = []
    for game in entry.games:
        white, black = states[game.white].value, states[game.black].value
        of_white, of_black = SCORES[game.result]
        why = reason(event, game, white, black)
        sides.append(Side(game, game.white, game.black, of_white, white, black, why))
        why = reason(event, game, black, white)
        sides.append(Side(game, game.black, game.white, of_black, black, white, why))
    return EventSheet(event, speed, states, sides)


def count_rated_games(sheet: EventSheet, tallies: dict[str, Tally]) -> None:
    """How many games give each player a change in this list (for the limit of K)."""
    for side in sheet.sides:
        if side.verdict in (RATED, FIRST):
            if side.player not in tallies:
                tallies[side.player] = Tally()
            tallies[side.player].rated += side.verdict == RATED


def put_on_file(sheet: EventSheet, tallies: dict[str, Tally]) -> None:
    """The event's games of unrated players against rated ones."""
    event = sheet.event
    fresh: dict[str, list[FirstGame]] = {}
    for side in sheet.sides:
        if side.verdict == FIRST and side.score is not None:
            played = side.game.played or event.starts
            game = FirstGame(event.event_id, side.game.round, played, side.opponent, side.other, side.score)
            fresh.setdefault(side.player, []).append(game)
    for player, games in fresh.items():
        tallies[player].fresh.append(games)
