"""What a Go server sends as it happens: games that have ended, newcomers, declarations, games annulled."""

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any

from django.db import Error, ProgrammingError
from django.http import HttpRequest, HttpResponse
from ninja import Body, Router

from banzuke.api import params
from banzuke.api.auth import GAMES, SERVER_LIMIT, Key, caller
from banzuke.api.live.go_bodies import (
    DeclarationSent,
    ErasureSent,
    GameSent,
    GamesSent,
    NameSent,
    PlayersSent,
    RobotSent,
    VoidSent,
)
from banzuke.api.live.go_schemas import (
    AnnulledGame,
    DeclarationTaken,
    PlayerErased,
    PlayersTaken,
    PlayerTaken,
    TakenGames,
)
from banzuke.api.live.go_serializers import answer, as_json, sides_of, state_of
from banzuke.api.players import router as players_router
from banzuke.api.problems import problem
from banzuke.core.decimals import halves
from banzuke.core.fault import Fault, RefusedError
from banzuke.core.go_facts import Declaration, GoGame, GoPlayer, GoState
from banzuke.database.book_reader import MissingBookError, SpoiledRulesError
from banzuke.database.models import Pool
from banzuke.database.roles import is_forbidden
from banzuke.engine.agreed_terms import RanksBefore
from banzuke.office.administration import api_keys
from banzuke.office.erasure import erasing
from banzuke.office.jobs.pool_size import is_small
from banzuke.office.journal import Actor
from banzuke.office.live import accounts, pool_events, service_figures, submission_queue
from banzuke.office.live.accounts import Account, Newcomer
from banzuke.office.live.game_endings import GameWithReason, read_reasons
from banzuke.office.live.game_rating import GameRating
from banzuke.office.live.go_rules import NotLiveError, go_rules_of
from banzuke.office.live.submission_queue import AcceptedGame, SubmissionResult
from banzuke.office.refusals import NobodyToEraseError, NotDoneError
from banzuke.words import fault_text

LOG = logging.getLogger(__name__)
router = Router(tags=["go server"], auth=Key(GAMES), throttle=[SERVER_LIMIT])
#: Faults of what would be good if the office did not know better: another thing is there, or it is too late.
CONFLICTS = {"other-game", "struck-game", "too-late", "other-player", "other-declaration", "erased-player"}
#: Faults of an act on what is not there, with the kind of problem that they are.
MISSING = {"unknown-game": "unknown-game", "no-such-player": "unknown-player"}
#: All others: something in what was sent has to be corrected. The table in docs/live.md has these, too.
WRONG = {
    "unknown-player", "self-play", "future-game", "no-edition", "fault-winner", "fault-moves",
    "reason-result", "reason-fault", "reason-moves", "not-confirmed",
}  # fmt: skip

View = Callable[..., HttpResponse]


def report_refusals(view: View) -> View:
    """A view whose refusals are problem documents, and kept for who runs the server."""

    @wraps(view)
    def reported(request: HttpRequest, *args: Any, **words: Any) -> HttpResponse:
        try:
            return view(request, *args, **words)
        except NotLiveError:
            return problem(request, "chess-pool", "This is a pool of chess: games come to it in reports.")
        except (MissingBookError, SpoiledRulesError):  # nothing is wrong with what was sent
            raise
        except RefusedError as error:
            return _refusal(request, error.faults)

    return reported


def _refusal(request: HttpRequest, faults: list[Fault]) -> HttpResponse:
    codes = {each.code for each in faults}
    missing = [kind for code, kind in MISSING.items() if code in codes]
    kind = "conflict" if codes & CONFLICTS else missing[0] if missing else "invalid"
    errors = [
        {"where": f"{each.line - 1}.{each.column}", "message": fault_text(each, "en"), "code": each.code}
        for each in faults
    ]
    server = caller(request)
    answer = problem(request, kind, errors=errors)
    try:
        service_figures.note_refusal(server.pool, server.user, answer.status_code, faults[0])
    except Error as error:  # the program is to hear what was wrong, though the page will not show it
        LOG.warning("A refusal was not noted: %s", type(error).__name__)
    return answer


@router.post("/pools/{slug:pool}/games", response=TakenGames)
@report_refusals
def games(request: HttpRequest, pool: params.PoolWord, sent: Body[GamesSent]) -> HttpResponse:
    """Games that have ended: all are taken and rated, or none; answered when they are on the disk.

    What is there already is answered as it stands, so a sending may be repeated.
    """
    server = caller(request)
    entered = games_of(server.pool, sent)
    taken = submission_queue.send(server.pool, entered, server.user)
    return answer(answer_to_games(entered, taken))


def games_of(pool: Pool, sent: GamesSent) -> list[GoGame]:
    """What was sent, a game or several, as the ledger has it. Raises RefusedError and NotLiveError."""
    several = sent if isinstance(sent, list) else [sent]
    return read_reasons(pool, (GameWithReason(_game(each), each.reason) for each in several))


def answer_to_games(games: Sequence[GoGame], result: SubmissionResult) -> bytes:
    """What is answered for the games of a sending, by what became of them."""
    accepted = zip(games, result.games, strict=True)
    before = result.ranks_before
    return as_json(
        {
            "games": [_accepted_game(game, each, before.get(game.game_id)) for game, each in accepted],
            "players": _moved(result.effect.states),
            "rated_again": _rated_again(result.effect.rated_again),
        }
    )


def _moved(states: Mapping[str, tuple[GoState, GoState]]) -> list[dict[str, Any]]:
    return [
        {"player": player, "before": state_of(before), "after": state_of(after)}
        for player, (before, after) in states.items()
    ]


def _rated_again(rated: Sequence[GameRating]) -> list[dict[str, Any]]:
    return [{"game": each.game.game_id} | sides_of(*each.lines) for each in rated]


def _game(sent: GameSent) -> GoGame:
    return GoGame(
        sent.game_id, sent.ended, sent.black, sent.white, sent.result, sent.handicap, sent.komi, sent.board,
        sent.moves, sent.room, sent.pair, sent.robot, sent.fault,
    )  # fmt: skip


def _accepted_game(game: GoGame, taken: AcceptedGame, before: RanksBefore | None) -> dict[str, Any]:
    black, white = taken.now
    return {
        "game": taken.game_id,
        "is_new": taken.is_new,
        "number": taken.number,
        "handicap": game.handicap,
        "komi": halves(game.komi),
        "regular_before": before and before._asdict(),
        **sides_of(*taken.lines),
        "black_now": state_of(black),
        "white_now": state_of(white),
    }


@players_router.post(  # where players are asked for, too: one router has an address
    "/pools/{slug:pool}/players",
    response=PlayerTaken | PlayersTaken,
    auth=Key(GAMES),
    throttle=[SERVER_LIMIT],
    tags=router.tags,
)
@report_refusals
def join(request: HttpRequest, pool: params.PoolWord, sent: Body[PlayersSent]) -> HttpResponse:
    """A newcomer with a declared rank, or several: all are taken, or none.

    Who is there already is answered as the player stands now, so it may be sent again.
    """
    server = caller(request)
    several = sent if isinstance(sent, list) else [sent]
    newcomers = [
        Newcomer(GoPlayer(each.player_id, each.name, each.declared, each.professional), each.robot)
        for each in several
    ]
    answers = [_account(each) for each in accounts.add_players(server.pool, newcomers, server.user)]
    return answer(as_json({"players": answers} if isinstance(sent, list) else answers[0]))


@router.post("/pools/{slug:pool}/players/{id:player}/name", response=PlayerTaken)
@report_refusals
def rename(
    request: HttpRequest, pool: params.PoolWord, player: params.PlayerId, sent: Body[NameSent]
) -> HttpResponse:
    """Another name for a player: the id stays; the old name is kept, with who changed it, and when."""
    of, actor = caller(request).pool, _actor(request)
    return answer(as_json(_account(accounts.rename_player(of, player, sent.name, sent.why, actor))))


@router.post("/pools/{slug:pool}/players/{id:player}/robot", response=PlayerTaken)
@report_refusals
def mark_robot(
    request: HttpRequest, pool: params.PoolWord, player: params.PlayerId, sent: Body[RobotSent]
) -> HttpResponse:
    """Says that a player is a robot, or is none, in games that come from now on."""
    of, actor = caller(request).pool, _actor(request)
    return answer(as_json(_account(accounts.mark_robot(of, player, sent.robot, sent.why, actor))))


@router.post("/pools/{slug:pool}/players/{id:player}/erase", response=PlayerErased)
@report_refusals
def erase_player(
    request: HttpRequest, pool: params.PoolWord, player: params.PlayerId, sent: Body[ErasureSent]
) -> HttpResponse:
    """Erases a player's personal data for good; for keys of chief officers. Games and figures stay."""
    server = caller(request)
    go_rules_of(server.pool)
    if not api_keys.is_chief(server.user, server.pool):
        return problem(request, "no-right", "Only a chief officer's key can erase a player.")
    accounts.refuse_unconfirmed(player, sent.confirm)
    at_machine = f"banzuke erase {server.pool.slug} {player}"
    if not is_small(server.pool):
        return problem(request, "at-machine", at_machine)
    try:
        done = erasing.erase(server.pool, player, _actor(request))
    except NobodyToEraseError as refused:
        return problem(request, "unknown-player", refused.sentence("en"))
    except NotDoneError as refused:
        return problem(request, "conflict", refused.sentence("en"))
    except ProgrammingError as error:
        if not is_forbidden(error):
            raise
        return problem(request, "at-machine", at_machine)
    return answer(as_json({"player": done.ids[0], "rows": done.rows, "bytes_gone": done.bytes_gone}))


def _actor(request: HttpRequest) -> Actor:
    return Actor(caller(request).user, request.META.get("REMOTE_ADDR", ""))


def _account(found: Account) -> dict[str, Any]:
    about = {"player": found.player.player_id, "name": found.player.name, "robot": found.robot}
    about["is_new"] = found.is_new
    return about | state_of(found.state)


@router.post("/pools/{slug:pool}/declarations", response=DeclarationTaken)
@report_refusals
def declare(request: HttpRequest, pool: params.PoolWord, sent: Body[DeclarationSent]) -> HttpResponse:
    """A provisional rank that a player declares; one by who is not provisional then changes nothing."""
    server = caller(request)
    declared = pool_events.add_declaration(
        server.pool, Declaration(sent.player_id, sent.at, sent.rank), server.user
    )
    return answer(as_json({"player": sent.player_id, "counts": declared.counts} | state_of(declared.state)))


@router.post("/pools/{slug:pool}/void", response=AnnulledGame)
@report_refusals
def void(request: HttpRequest, pool: params.PoolWord, sent: Body[VoidSent]) -> HttpResponse:
    """A game is annulled: everything after it that it touched is rated again, and answered."""
    server = caller(request)
    changed = pool_events.void_game(server.pool, sent.game_id, server.user, sent.why)
    again = _rated_again(changed.done.rated)
    return answer(as_json({"game": sent.game_id, "players": _moved(changed.states), "rated_again": again}))
