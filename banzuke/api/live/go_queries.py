"""A Go server's pool as it stands now: terms before a game, a player's games, the feed of what was rated."""

from collections.abc import Sequence
from typing import Annotated, Any, NoReturn

from django.http import HttpRequest, HttpResponse
from ninja import Header, Query, Router

from banzuke.api import params
from banzuke.api.auth import LIVE_LIMITS, caller, optional_key, pool_of
from banzuke.api.live import go_schemas
from banzuke.api.live.feed_events import TYPE, FeedRequest, FeedResponse
from banzuke.api.live.go_answers import MOST_CHANGES, changes_text, terms_text
from banzuke.api.live.go_serializers import answer, as_json, game_of
from banzuke.api.problems import ProblemError
from banzuke.api.serializers import person_of
from banzuke.database.models import Pool
from banzuke.engine.agreed_terms import RanksBefore
from banzuke.office.live.earlier_ranks import GameWithLines, find_ranks_before
from banzuke.office.live.game_terms import NoSuchPlayerError, SamePlayerError
from banzuke.office.live.go_rules import NotLiveError
from banzuke.office.live.go_standing import has_player
from banzuke.office.live.live_pool import synchronise
from banzuke.office.live.pool_events import find_game
from banzuke.office.live.rated_games import PlayedGame, games_of_player
from banzuke.office.public_names import go_people

router = Router(tags=["go"], auth=optional_key, throttle=LIVE_LIMITS)


@router.get("/pools/{slug:pool}/terms", response=go_schemas.TermsNow)
def terms(
    request: HttpRequest,
    pool: params.PoolWord,
    white: Annotated[str, params.word("Who takes White: a player's id", least=1)],
    black: Annotated[str, params.word("Who takes Black: a player's id", least=1)],
    handicap: params.Handicap = None,
    komi: params.Komi = None,
) -> Any:
    """Regular terms of two players, and what a game on given ones would win or lose each of them now."""
    try:
        return answer(terms_text(pool_of(pool), black, white, handicap, params.half_points(komi)))
    except NotLiveError:
        _no_live_games()
    except SamePlayerError:
        raise ProblemError("same-player", "`white` and `black` are one player.") from None
    except NoSuchPlayerError as error:
        raise ProblemError("unknown-player", f"The pool has no player {error.player}.") from None


@router.get("/pools/{slug:pool}/players/{id:player}/games", response=go_schemas.GamesOfPlayer)
def games(
    request: HttpRequest,
    pool: params.PoolWord,
    player: params.PlayerId,
    after: Annotated[str, params.word("Begin after this game: `next` of the page before")] = "",
    limit: params.Limit = params.MOST_ROWS,
) -> Any:
    """A player's games, the newest first, each with what it did for both sides."""
    of = pool_of(pool)
    try:
        found = games_of_player(of, player, after, limit)
    except NotLiveError:
        _no_live_games()
    except LookupError:
        raise ProblemError("unknown-game", f"The pool has no game {after}.") from None
    if not found.games and not has_player(of, player):
        raise ProblemError("unknown-player", f"The pool has no player {player}.")
    before = _ranks_before(of, found.games)
    rows = [game_of(each, before.get(each.game.game_id)) for each in found.games]
    who = person_of(go_people(of, [player])[player])
    return answer(as_json(who | {"games": rows, "next": found.next or None}))


@router.get("/pools/{slug:pool}/games/{id:game}", response=go_schemas.GameOfPlayer)
def game(request: HttpRequest, pool: params.PoolWord, game: params.GameId) -> Any:
    """A game as it stands, with what it did for both sides."""
    of = pool_of(pool)
    try:
        found = find_game(of, game)
    except NotLiveError:
        _no_live_games()
    if found is None:
        raise ProblemError("unknown-game", f"The pool has no game {game}.")
    return answer(as_json(game_of(found, _ranks_before(of, [found]).get(game))))


Number = Annotated[int, Query(ge=0, le=2**63 - 1, description="Begin after this change: the last `next`")]


@router.get("/pools/{slug:pool}/changes", response=go_schemas.Changes)
def changes(
    request: HttpRequest,
    pool: params.PoolWord,
    after: Number = 0,
    limit: Annotated[int, Query(ge=1, le=MOST_CHANGES, description="How many changes")] = MOST_CHANGES,
) -> Any:
    """What was rated after a change, in order: poll it with the last answer's `next`."""
    try:
        return answer(changes_text(pool_of(pool), after, limit))
    except NotLiveError:
        _no_live_games()


#: What the stream sends, as OpenAPI has it.
_EVENT = {
    "type": "object",
    "description": "An event: `id` is the change's number, `data` the change as `changes` has it.",
    "properties": {
        "id": {"type": "string", "pattern": "^[0-9]+$"},
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": {"$ref": f"#/components/schemas/{go_schemas.ChangedGame.__name__}"},
        },
    },
    "required": ["id", "data"],
}
_EVENTS = {"description": "Events without end.", "content": {TYPE: {"schema": _EVENT}}}


@router.get("/pools/{slug:pool}/changes/stream", openapi_extra={"responses": {200: _EVENTS}})
def changes_stream(
    request: HttpRequest,
    pool: params.PoolWord,
    after: Number = 0,
    player: Annotated[str, params.word("Only games of this player, by id")] = "",
    last_event_id: Annotated[
        int | None,
        Header(alias="Last-Event-ID", ge=0, le=2**63 - 1, description="Begin after it, not after `after`"),
    ] = None,
) -> HttpResponse:
    """What was rated after a change, then everything the moment it is rated, as server-sent events."""
    of = pool_of(pool)
    try:
        synchronise(of)
        is_there = not player or has_player(of, player)
    except NotLiveError:
        _no_live_games()
    if not is_there:
        raise ProblemError("unknown-player", f"The pool has no player {player}.")
    key = caller(request).prefix
    who = key or request.META.get("REMOTE_ADDR", "")
    first = after if last_event_id is None else last_event_id
    return FeedResponse(FeedRequest(of, first, player, who, bool(key)))  # type: ignore[return-value]


def _ranks_before(pool: Pool, games: Sequence[PlayedGame]) -> dict[str, RanksBefore]:
    return find_ranks_before(pool, (GameWithLines(each.game, (each.black, each.white)) for each in games))


def _no_live_games() -> NoReturn:
    """Raise ProblemError for a pool of chess."""
    raise ProblemError("chess-pool") from None
