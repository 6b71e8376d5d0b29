"""Players: found, where they stand, and how their ratings came about."""

from collections.abc import Iterable
from itertools import groupby
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router

from banzuke.api import params, schemas
from banzuke.api.auth import LIVE_LIMITS, optional_key, pool_of
from banzuke.api.lists import find_list, speed_of
from banzuke.api.live.go_answers import player_text
from banzuke.api.live.go_serializers import answer
from banzuke.api.player_ratings import ratings_of
from banzuke.api.problems import KeptElsewhereError, ProblemError
from banzuke.api.serializers import lines_of, list_of, person_of, row_of
from banzuke.database.models import ListRow, Pool, RatingList
from banzuke.office import player_search
from banzuke.office.lists import list_index
from banzuke.office.live.go_rules import NotLiveError
from banzuke.office.merged_ids import kept_id
from banzuke.office.pages import player_standing, rating_explanations
from banzuke.office.pages.public_pool import public_pool
from banzuke.office.public_names import by_id_only, people, person
from banzuke.words import Language

router = Router(tags=["players"], auth=optional_key)


@router.get("/pools/{slug:pool}/players", response=schemas.Players)
def players(
    request: HttpRequest,
    pool: params.PoolWord,
    q: Annotated[str, params.word("Names or ids that begin so, in any script", least=1)],
    after: params.After = "",
    limit: Annotated[int, Query(ge=1, le=50, description="How many players")] = 20,
) -> Any:
    """Players of the newest list whose names or ids begin so, by id."""
    of = pool_of(pool)
    newest = list_index.latest_list(of)
    hidden = by_id_only(of)
    rows = [] if newest is None else _matching_rows(newest, q, after, limit, hidden)
    by_player = [(player, list(group)) for player, group in groupby(rows, lambda row: row.player_id)]
    found = [
        person_of(person(player, group[0].name, group[0].name_native, hidden))
        | {"rows": [row_of(row, hidden) for row in group]}
        for player, group in by_player[:limit]
    ]
    return {"players": found, "next": found[-1]["player"] if len(by_player) > limit else None}


def _matching_rows(
    newest: RatingList, q: str, after: str, limit: int, hidden: frozenset[str]
) -> Iterable[ListRow]:
    """The rows of one player more than wanted."""
    rows = player_search.find_rows(newest.rows.filter(player_id__gt=after), newest.pool, q, hidden)
    ids = rows.order_by("player_id").values_list("player_id", flat=True).distinct()[: limit + 1]
    return newest.rows.filter(player_id__in=list(ids)).order_by("player_id", "place", "speed")


@router.get("/pools/{slug:pool}/players/{id:player}", response=schemas.Player, throttle=LIVE_LIMITS)
def player(
    request: HttpRequest, pool: params.PoolWord, player: params.PlayerId, lang: params.Lang = None
) -> Any:
    """A player's place at each speed in the lists; on a Go server, also where the player stands now."""
    of = pool_of(pool)
    try:
        text = player_text(of, player, language(request, lang))
    except NotLiveError:
        found = _standing(of, player)
        return person_of(found.person) | {"ratings": ratings_of(of, found), "live": None}
    if text is None:
        raise ProblemError("unknown-player")
    return answer(text)


@router.get("/pools/{slug:pool}/players/{id:player}/history", response=schemas.History)
def history(
    request: HttpRequest,
    pool: params.PoolWord,
    player: params.PlayerId,
    limit: params.Limit = params.MOST_ROWS,
    offset: params.Offset = 0,
) -> Any:
    """A player's rows list by list, the newest first."""
    of = pool_of(pool)
    found, hidden = _standing(of, player), by_id_only(of)
    rows = [
        {"list": each.published.name, "day": each.published.day, "row": row_of(row, hidden)}
        for each in found.history
        for row in each.rows
        if row is not None
    ]
    return person_of(found.person) | {"rows": rows[offset : offset + limit]}


@router.get("/pools/{slug:pool}/players/{id:player}/workings/{id:name}", response=schemas.Working)
def working(
    request: HttpRequest,
    pool: params.PoolWord,
    player: params.PlayerId,
    name: params.ListName,
    speed: params.AtSpeed = None,
    revision: params.Revision = None,
    lang: params.Lang = None,
) -> Any:
    """How a player's rating in a list came about: the lines of the games, and sentences with clauses."""
    published = find_list(pool, name, revision)
    at = speed_of(published, speed)
    lines = published.lines.filter(player_id=player, speed=at).order_by("position")
    if not lines.exists() and not published.rows.filter(player_id=player, speed=at).exists():
        _refuse_merged(published.pool, player)
        raise ProblemError("unknown-player")
    found_now = rating_explanations.explain_rating(published, player, at, language(request, lang))
    who = people(published.pool, [player])[player]
    about = {"list": list_of(published), "speed": at, "lines": lines_of(published, lines)}
    return person_of(who) | about | {"sections": found_now.sections}


def language(request: HttpRequest, lang: Language | None) -> Language:
    """The language that is asked for, else the visitor's."""
    if lang is not None:
        return lang
    return "ja" if getattr(request, "LANGUAGE_CODE", "en").startswith("ja") else "en"


def _standing(pool: Pool, player: str) -> player_standing.PlayerStanding:
    """A player of the lists. Raises ProblemError and KeptElsewhereError."""
    _refuse_merged(pool, player)
    found = player_standing.load_standing(public_pool(pool), player)
    if not found.speeds:
        raise ProblemError("unknown-player")
    return found


def _refuse_merged(pool: Pool, player: str) -> None:
    """Raise KeptElsewhereError for a player who was put together with another."""
    kept = kept_id(pool, player)
    if kept != player:
        raise KeptElsewhereError(kept)
