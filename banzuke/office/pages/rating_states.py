"""A player's states as the newest list left them: at each speed the rating, and the games on file.

They are what the engine holds after that list, put together from what is stored with the lists: the working
of the player's last list, the pool's starting ratings, the lines of games that wait for a first rating.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from django.db.models import Q

from banzuke.core import facts
from banzuke.core.rating import FIRST, UNRATED, FirstGame, Rating
from banzuke.database.models import Line, ListRow, Pool, RatingList, Working
from banzuke.engine.history import opening_peak
from banzuke.ledger.pool_rules import Pool as Rules
from banzuke.ledger.pool_rules import chess_book
from banzuke.office.fact_rows import record_of, standing_rows
from banzuke.office.lists.list_rows import working_from_json


class RatingState(NamedTuple):
    """The state at one speed: the rating, and the games that wait for a first one, in order of entry."""

    rating: Rating
    on_file: tuple[FirstGame, ...] = ()


def load_states(
    pool: Pool, rules: Rules, player_id: str, lists: Sequence[RatingList], rows: Iterable[ListRow]
) -> dict[str, RatingState]:
    """The states by speed; `lists` are the current lists, newest first, `rows` the player's in them."""
    newest_first = [published.pk for published in lists]
    found = _worked(player_id, newest_first, rules.speeds)
    opened = _openings(pool, rules, player_id) if len(found) < len(rules.speeds) else {}
    ratings = {speed: found.get(speed) or opened.get(speed, UNRATED) for speed in rules.speeds}
    waiting = [speed for speed, rating in ratings.items() if rating.value is None]
    on_file = _on_file(pool, player_id, newest_first, rows, waiting) if waiting and newest_first else {}
    return {speed: RatingState(rating, on_file.get(speed, ())) for speed, rating in ratings.items()}


def _worked(player_id: str, newest_first: list[int], speeds: Sequence[str]) -> dict[str, Rating]:
    """The states after the last list that has a working of the player."""
    rows = Working.objects.filter(list__in=newest_first, speed__in=speeds, player_id=player_id)
    last: dict[str, tuple[int, int]] = {}
    for speed, published, number in rows.values_list("speed", "list", "pk"):
        place = newest_first.index(published)
        last[speed] = min(last.get(speed, (place, number)), (place, number))
    stored = Working.objects.filter(pk__in=[number for _, number in last.values()])
    return {row.speed: working_from_json(row.calculation).after for row in stored}


def _openings(pool: Pool, rules: Rules, player_id: str) -> dict[str, Rating]:
    """The states that the pool opened with."""
    least = chess_book(rules.editions[0]).peak_from_games
    rows = standing_rows(pool, facts.Opening).filter(player_id=player_id)
    records: list[facts.Opening] = [record_of(row, facts.Opening) for row in rows]
    return {
        row.speed: Rating(row.rating, row.games, opening_peak(row, least), bool(row.earned), row.more)
        for row in records
    }


def _on_file(
    pool: Pool, player_id: str, newest_first: list[int], rows: Iterable[ListRow], speeds: list[str]
) -> dict[str, tuple[FirstGame, ...]]:
    """The games since the player was rated last that are kept for a first rating."""
    place = {published: number for number, published in enumerate(newest_first)}
    rated: dict[str, int] = {}
    for row in rows:
        rated[row.speed] = min(rated.get(row.speed, len(place)), place[row.list_id])
    lines = Line.objects.filter(
        player_id=player_id, list__in=newest_first, verdict=FIRST, own=None, speed__in=speeds
    )
    since = [line for line in lines if place[line.list_id] < rated.get(line.speed, len(place))]
    since.sort(key=lambda line: (-place[line.list_id], line.position))
    days = _days(pool, player_id, since)
    found: dict[str, list[FirstGame]] = {}
    for line in since:
        key = (line.event_id, line.round, line.opponent_id)
        if key in days and line.score is not None:
            game = FirstGame(*key[:2], days[key], line.opponent_id, line.opponent, line.score)
            found.setdefault(line.speed, []).append(game)
    return {speed: tuple(games) for speed, games in found.items()}


def _days(pool: Pool, player_id: str, lines: Iterable[Line]) -> dict[tuple[str, int, str], date]:
    """The days of those games that stand, by event, round and opponent."""
    ids = {line.event_id for line in lines}
    events = standing_rows(pool, facts.Event).filter(event_id__in=ids)
    starts = dict(events.values_list("event_id", "starts"))
    mine = Q(white=player_id) | Q(black=player_id)
    games = standing_rows(pool, facts.Game).filter(mine, event_id__in=ids)
    cells = games.values_list("event_id", "round", "played", "white", "black")
    return {
        (event, number, black if white == player_id else white): played or starts[event]
        for event, number, played, white, black in cells
        if event in starts
    }
