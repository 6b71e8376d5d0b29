"""How an event is rated: who plays in it and by which K, and the new ratings."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import localcontext

from banzuke.core.batch import Batch, Register
from banzuke.core.facts import SCORES, Entry, Event, More
from banzuke.core.fault import Fault, RefusedError, fault, refuse_any
from banzuke.core.rating import (
    RATED,
    UNRATED,
    Calculation,
    FirstGame,
    FirstWorking,
    Outcome,
    Rating,
    Standings,
)
from banzuke.rulebooks.icu.arithmetic import CONTEXT, whole
from banzuke.rulebooks.icu.event_lines import event_lines
from banzuke.rulebooks.icu.event_steps import Entrant, EventFigures, NotStableError, reckon_event
from banzuke.rulebooks.icu.explanation_facts import explanation_facts
from banzuke.rulebooks.icu.icu import (
    CITES,
    FIXED,
    HIGH_RATING,
    ONE_LIST,
    UNRATED_KIND,
    VERSIONS,
    Mean,
    PlayedGame,
    Settings,
    coefficient,
    fixed_rating,
    id_order,
    joined_on,
    kind_of,
    new_rating,
    value_of_opponent,
    was_played,
)

Ratings = Mapping[str, Rating]


def rate(standings: Standings, batch: Batch, settings: Settings) -> Outcome:
    """ICU 8, 9: the batch's one event. Raises RefusedError for one that the rules cannot rate."""
    (entry,) = batch.entries
    ratings = standings.ratings.get(ONE_LIST, {})
    with localcontext(CONTEXT):
        entrants = entrants_of(ratings, entry, batch.register)
        figures = _figures(entrants, entry.event, settings)
        calculations = {
            entrant.player: _calculation(figures, number, ratings.get(entrant.player, UNRATED), entry.event)
            for number, entrant in enumerate(entrants)
        }
        lines = event_lines(entry, ratings, batch.register, figures)
    after = {player: each.after for player, each in calculations.items() if each.after.value is not None}
    return Outcome(Standings({ONE_LIST: {**ratings, **after}}), [lines], {ONE_LIST: calculations})


def entrants_of(ratings: Ratings, entry: Entry, register: Register) -> list[Entrant]:
    """ICU 1, 3: the players of an event in the order of their ids, each with the games that were entered.

    Raises RefusedError where a K cannot be told, or a fixed player has a rating besides.
    """
    games = [game for game in entry.games if was_played(entry.event, game)]
    ids = sorted({game.white for game in games} | {game.black for game in games}, key=id_order)
    faults: list[Fault] = []
    entrants = [_entrant(id_, ratings, register, entry.event, faults) for id_ in ids]
    refuse_any(faults)
    numbers = {player: number for number, player in enumerate(ids)}
    for game in games:
        white, black = SCORES[game.result]
        entrants[numbers[game.white]].played.append(PlayedGame(numbers[game.black], white or 0, game.round))
        entrants[numbers[game.black]].played.append(PlayedGame(numbers[game.white], black or 0, game.round))
    return entrants


def _entrant(player: str, ratings: Ratings, register: Register, event: Event, faults: list[Fault]) -> Entrant:
    rating, fixed = ratings.get(player, UNRATED), fixed_rating(register, player)
    kind = kind_of(rating, fixed)
    if kind == FIXED:
        if rating.value is not None:
            faults.append(fault("standings.csv", 0, "player_id", "icu-fixed-standing", player=player))
        return Entrant(player, kind, fixed, 0, None)
    k = None
    if kind == RATED and rating.value is not None:
        born, joined = register.players[player].birth_date, joined_on(register, player)
        k = coefficient(rating.value, born, joined, event.starts)
        if k is None:
            faults += _missing_days(player, event, born, joined)
    return Entrant(player, kind, rating.value, rating.games, k)


def _missing_days(player: str, event: Event, born: date | None, joined: date | None) -> Iterator[Fault]:
    """What is missing for K, by column."""
    facts = {"player": player, "event": event.event_id, "below": HIGH_RATING}
    if born is None:
        yield fault("players.csv", 0, "birth_date", "icu-no-birth-date", **facts)
    if joined is None:
        yield fault("players.csv", 0, "joined", "icu-no-joined", **facts)


def _figures(entrants: Sequence[Entrant], event: Event, settings: Settings) -> EventFigures:
    """What the steps give by the event's version, else by the pool's. [reading: version-of-an-event]"""
    version = VERSIONS[event.more.get("version", settings.version)]
    try:
        return reckon_event(entrants, version, settings)
    except NotStableError as error:
        facts = {"event": event.event_id, "rounds": error.rounds, "version": version.number}
        raise RefusedError([fault("events.csv", 0, "version", "icu-not-stable", **facts)]) from error


# The new ratings


def _calculation(figures: EventFigures, number: int, before: Rating, event: Event) -> Calculation:
    """ICU 9: how a player's rating came about; a provisional or unrated player's is the performance."""
    entrant, mean = figures.entrants[number], figures.phases[-1].means[number]
    total, shift, first, after = 0, 0, None, before
    if entrant.kind == RATED and before.value is not None:
        bonus = figures.bonuses[number]
        total = sum([game.hundredths[1] for game in figures.games[number] if game])
        shift, value = new_rating(before.value, figures.changes[number], bonus.points if bonus else 0)
        after = _after(before, value, mean)
    elif entrant.kind != FIXED and mean is not None:
        after = _after(before, whole(mean.performance), mean)
        first = _first_working(figures, number, mean, event) if entrant.kind == UNRATED_KIND else None
    more = More(explanation_facts(figures, number, mean))
    return Calculation(entrant.player, before, before, "", total, shift, False, first, after, more)


def _first_working(figures: EventFigures, number: int, mean: Mean, event: Event) -> FirstWorking:
    """ICU 6: a newcomer's games with the opponents' values, in whole points."""
    before = figures.phases[-1].before
    values = [
        (played, value)
        for played in figures.entrants[number].played
        if (value := value_of_opponent(played.opponent, figures.values, before)) is not None
    ]
    games = tuple(
        FirstGame(
            event.event_id,
            played.round,
            event.starts,
            figures.entrants[played.opponent].player,
            whole(value),
            played.score,
        )
        for played, value in values
    )
    points = sum(game.score for game in games)
    quotient = whole(mean.total), mean.games
    return FirstWorking(games, quotient, points, 0, 0, whole(mean.performance), "", CITES["performance"])


def _after(before: Rating, value: int, mean: Mean | None) -> Rating:
    """The new state; games against a defined opponent are added. [reading: games-of-rated]"""
    peak = value if before.peak is None else max(value, before.peak)
    games = before.games + (mean.games if mean else 0)
    return Rating(value, games, peak, before.earned, before.more)
