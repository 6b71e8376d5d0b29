"""A Go server's pool as it stands now: terms before a game, a player's games, the feed of what was rated."""

from typing import Annotated, Any, NoReturn

from django.http import HttpRequest
from django.utils.timezone import now
from ninja import Query, Router
from ninja.errors import HttpError

from banzuke.api import asked, live_answers
from banzuke.api.live_told import change_of, game_of, terms_of
from banzuke.api.telling import person_of
from banzuke.api.visitors import LIVE_LIMITS, anybody, pool_of
from banzuke.desk.live.changes import changes as changes_after
from banzuke.desk.live.played import played
from banzuke.desk.live.rules import NotLiveError
from banzuke.desk.live.standing import has_player
from banzuke.desk.live.terms import NoSuchPlayerError, SamePlayerError
from banzuke.desk.live.terms import terms as terms_for
from banzuke.desk.public_names import go_people

router = Router(tags=["go"], auth=anybody, throttle=LIVE_LIMITS)

MOST_CHANGES = 1_000


@router.get("/pools/{slug:pool}/terms", response=live_answers.TermsNow)
def terms(
    request: HttpRequest,
    pool: asked.PoolWord,
    white: Annotated[str, asked.word("Who takes White: a player's id", least=1)],
    black: Annotated[str, asked.word("Who takes Black: a player's id", least=1)],
    handicap: asked.Handicap = None,
    komi: asked.Komi = None,
) -> Any:
    """Regular terms of two players, and what a game on given ones would win or lose each of them now."""
    of = pool_of(pool)
    try:
        found = terms_for(of, black, white, now(), handicap, asked.half_points(komi))
    except NotLiveError:
        _no_live_games()
    except SamePlayerError:
        raise HttpError(422, "Nobody plays himself: `white` and `black` are one player.") from None
    except NoSuchPlayerError as error:
        raise HttpError(404, f"The pool has no player {error.player}.") from None
    return terms_of(found, go_people(of, [black, white]))


@router.get("/pools/{slug:pool}/players/{id:player}/games", response=live_answers.GamesOfPlayer)
def games(
    request: HttpRequest,
    pool: asked.PoolWord,
    player: asked.PlayerId,
    after: Annotated[str, asked.word("Begin after this game: `next` of the page before")] = "",
    limit: asked.Limit = asked.MOST_ROWS,
) -> Any:
    """A player's games, the newest first, each with what it did for both sides."""
    of = pool_of(pool)
    try:
        found = played(of, player, after, limit)
    except NotLiveError:
        _no_live_games()
    except LookupError:
        raise HttpError(404, f"The pool has no game {after}.") from None
    if not found.games and not has_player(of, player):
        raise HttpError(404, f"The pool has no player {player}.")
    told = [game_of(each) for each in found.games]
    return person_of(go_people(of, [player])[player]) | {"games": told, "next": found.next or None}


@router.get("/pools/{slug:pool}/changes", response=live_answers.Changes)
def changes(
    request: HttpRequest,
    pool: asked.PoolWord,
    after: Annotated[
        int, Query(ge=0, le=2**63 - 1, description="Begin after this change: the last `next`")
    ] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST_CHANGES)] = MOST_CHANGES,
) -> Any:
    """What was rated after a change, in order: poll it with the last answer's `next`."""
    try:
        found = changes_after(pool_of(pool), after, limit)
    except NotLiveError:
        _no_live_games()
    return {"changes": [change_of(each) for each in found], "next": found[-1].number if found else after}


def _no_live_games() -> NoReturn:
    """Raise HttpError for a pool of chess."""
    raise HttpError(
        404, "This is a pool of chess: its ratings move list by list, and no game by itself."
    ) from None
