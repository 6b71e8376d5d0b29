"""What a Go pool takes beside games and players: declarations, annulments; and what an annulment changed.

Each is taken whole or not at all, and may be sent again: what is there already changes nothing. A program
reaches back as far as the office allows; an officer (`is_officer`) as far as needed.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from django.db.models import Max, QuerySet, Subquery

from banzuke.core.fault import Fault, fault, refuse_any
from banzuke.core.go_facts import Declaration, GoState
from banzuke.database import models
from banzuke.database.book_reader import standing_voids
from banzuke.database.book_writer import add_facts
from banzuke.engine.go_windows import day_of
from banzuke.ledger.pool_rules import go_book
from banzuke.office.erased_ids import is_erased
from banzuke.office.fact_rows import TABLES
from banzuke.office.journal import Actor, note
from banzuke.office.live.erased_players import erased_fault
from banzuke.office.live.game_rating import RatingResult
from banzuke.office.live.go_rules import go_rules_of
from banzuke.office.live.live_codec import micros, state_after
from banzuke.office.live.live_pool import lock_current_pool, synchronise
from banzuke.office.live.live_rows import TimeKey
from banzuke.office.live.moment_limits import refuse_late
from banzuke.office.live.pool_writer import PoolWriter
from banzuke.office.live.rated_games import PlayedGame, earlier_rows, find_games
from banzuke.office.public_names import Person, names_in_register
from banzuke.office.refusals import AnnulmentPublishedError, NoReasonError, NotAnnulledError, NotDoneError

#: The words for what is sent, in faults.
SENT_VOID, DECLARATIONS = "void", "declarations"
#: The same as acts in the book.
GAME_VOID, GAME_RESTORED = "game-void", "game-restored"
DECLARATION = "declaration"
#: So many players are shown by name; so many first cells of a state are what people read.
MOST_SHOWN, READABLE_CELLS = 200, 6


class VoidEffect(NamedTuple):
    """What annulling did: games rated again (`was`: what they had been), and whose state changed.

    `states` have each of them before and after.
    """

    done: RatingResult
    states: dict[str, tuple[GoState, GoState]]


class DeclarationEffect(NamedTuple):
    """A declaration that was taken: the player's state now; `counts` if the player was provisional then."""

    state: GoState
    counts: bool


def void_game(pool: models.Pool, game_id: str, author: str, why: str) -> VoidEffect:
    """Annul a game: what came after and was touched by it is rated again. Raises RefusedError."""
    with lock_current_pool(pool) as writer:
        return _void(writer, game_id, author, why, is_officer=False) or VoidEffect(RatingResult([], {}), {})


def _void(writer: PoolWriter, game_id: str, author: str, why: str, *, is_officer: bool) -> VoidEffect | None:
    """Annul a game; None where it was annulled before."""
    stored = writer.standing_games([game_id]).get(game_id)
    if stored is None:
        refuse_any([fault(SENT_VOID, 1, "game_id", "unknown-game", id=game_id)])
    if stored is None or standing_annulment(writer.pool, game_id):
        return None
    _refuse_late(writer, SENT_VOID, "game_id", stored.game.ended, is_officer=is_officer)
    entry = writer.add_entry(author, GAME_VOID, why)
    models.GoVoid.objects.create(pool=writer.pool, entry_id=entry, game_id=game_id)
    annulled = writer.standing_games([game_id]).values()
    return _effect(writer, entry, writer.rerating({}).rate([], annulled, []))


def standing_annulment(pool: models.Pool, game_id: str) -> models.GoVoid | None:
    """The annulment of a game that stands."""
    return standing_voids(pool).filter(game_id=game_id).select_related("entry").last()


def restore_game(pool: models.Pool, game_id: str, why: str, actor: Actor) -> VoidEffect:
    """Take an annulment back, as long as no published ranking rests on it: all is rated again.

    Raises NotLiveError, NoReasonError, NotAnnulledError (somebody was faster), AnnulmentPublishedError.
    """
    go_rules_of(pool)
    if not why.strip():
        raise NoReasonError
    with lock_current_pool(pool) as writer:
        void = standing_annulment(pool, game_id)
        refusal = why_not_restored(pool, game_id, void)
        if void is None or refusal is not None:
            raise refusal or NotAnnulledError(game=game_id)
        entry = writer.add_entry(actor.name, GAME_RESTORED, why.strip())
        day = datetime.now(UTC).date()
        models.Strike.objects.create(pool=pool, entry_id=entry, table=models.VOIDS, row=void.pk, day=day)
        restored = writer.standing_games([game_id]).values()
        done = _effect(writer, entry, writer.rerating({}).rate([], restored, []))
        note(actor, GAME_RESTORED, pool, game=game_id, why=why.strip(), entry=entry)
    return done


def why_not_restored(pool: models.Pool, game_id: str, void: models.GoVoid | None) -> NotDoneError | None:
    """Why a game's annulment cannot be taken back; None where it can."""
    if void is None:
        return NotAnnulledError(game=game_id)
    game = models.GoGame.objects.filter(pool=pool, game_id=game_id).last()
    ended = day_of(datetime.fromisoformat(game.ended)) if game else date.max
    used = pool.lists.filter(entry_id__gte=void.entry_id, closes__gte=ended).order_by("number").first()
    return AnnulmentPublishedError(game=game_id, list=used.name) if used else None


def _effect(writer: PoolWriter, entry: int, done: RatingResult) -> VoidEffect:
    before = writer.seats(done.seats)
    writer.write(entry, done)
    states = {player: (before[player].state, seat.state) for player, seat in sorted(done.seats.items())}
    return VoidEffect(done, {player: both for player, both in states.items() if both[0] != both[1]})


def add_declaration(
    pool: models.Pool, declaration: Declaration, author: str, *, is_officer: bool = False
) -> DeclarationEffect:
    """A provisional rank that a player declares. Raises RefusedError."""
    player = declaration.player_id
    with lock_current_pool(pool) as writer:
        seats = writer.seats([player])
        if is_erased(pool, player):
            refuse_any([erased_fault(DECLARATIONS, 1, "player_id", player)])
        if player not in seats:
            refuse_any([fault(DECLARATIONS, 1, "player_id", "unknown-player", id=player)])
        if not _is_declared(writer, declaration):
            _refuse_late(writer, DECLARATIONS, "at", declaration.at, is_officer=is_officer)
            entry = writer.add_entry(author, DECLARATION)
            add_facts(models.Entry.objects.get(pk=entry), TABLES[Declaration], [declaration])
            writer.write(entry, writer.rerating({}).rate([], [], [declaration]))
        before = writer.seat_before(player, TimeKey(micros(declaration.at), ""))
        book = go_book(writer.rules.edition_at(declaration.at))
        counts = book.declared(before.state, declaration) is not None
        return DeclarationEffect(writer.seats([player])[player].state, counts)


def _is_declared(writer: PoolWriter, declaration: Declaration) -> bool:
    """Whether it was declared already. Raises RefusedError for another declaration at that moment."""
    for each in writer.declarations([declaration.player_id]):
        if each.at == declaration.at and each.rank != declaration.rank:
            facts = {"id": each.player_id, "rank": each.rank}
            refuse_any([fault(DECLARATIONS, 1, "at", "other-declaration", **facts)])
        if each.at == declaration.at:
            return True
    return False


def _refuse_late(writer: PoolWriter, file: str, column: str, at: datetime, *, is_officer: bool) -> None:
    faults: list[Fault] = []
    if not is_officer:
        refuse_late(writer.locked, file, 1, column, at, faults)
    refuse_any(faults)


class StateChange(NamedTuple):
    """A player's state after the last game that was rated again, as it had been and as it is now."""

    person: Person
    before: GoState
    now: GoState


class Annulment(NamedTuple):
    """That a game was annulled, under which entry; how many games were rated again; whom it moved.

    `others` are more who were moved, less than these; `why_not` says why it cannot be taken back.
    """

    entry: models.Entry
    games: int
    moved: list[StateChange]
    others: int
    why_not: NotDoneError | None


def find_game(pool: models.Pool, game_id: str) -> PlayedGame | None:
    """A game of the pool as it stands; None where there is none of that id. Raises NotLiveError."""
    synchronise(pool)
    games = find_games(pool, [game_id])
    return games[0] if games else None


def annul_game(pool: models.Pool, game_id: str, why: str, actor: Actor) -> None:
    """Annul a game, whenever it was played; one that is annulled already stays so. Raises RefusedError."""
    with lock_current_pool(pool) as writer:
        if _void(writer, game_id, actor.name, why, is_officer=True) is not None:
            note(actor, GAME_VOID, pool, game=game_id, why=why)


def find_annulment(pool: models.Pool, game_id: str) -> Annulment | None:
    """What annulling a game changed; None unless it was annulled."""
    fact = standing_annulment(pool, game_id)
    if fact is None:
        return None
    rows = list(_rated_again(pool, fact.entry))
    moved = _state_changes(rows)
    people = names_in_register(pool, (player for player, *_ in moved[:MOST_SHOWN]))
    shown = [StateChange(people[player], before, now) for player, before, now in moved[:MOST_SHOWN]]
    refusal = why_not_restored(pool, game_id, fact)
    return Annulment(fact.entry, len(rows), shown, len(moved) - len(shown), refusal)


def _rated_again(pool: models.Pool, entry: models.Entry) -> QuerySet[models.LiveGame]:
    """The games as they were rated under an entry, in order; `was` is the number of each one's row before."""
    last = earlier_rows(pool).order_by().values("game_id").annotate(last=Max("pk")).values("last")
    return models.LiveGame.objects.filter(entry=entry).annotate(was=Subquery(last)).order_by("at", "game_id")


def _state_changes(rows: Iterable[Any]) -> list[tuple[str, GoState, GoState]]:
    """Whose state changed by the last of those games; those whose points moved most come first."""
    were = models.LiveGame.objects.in_bulk([row.was for row in rows if row.was])
    states: dict[str, tuple[GoState, GoState]] = {}
    for row in rows:
        if row.was:
            was = were[row.was]
            states[row.black] = state_after(was.black_line), state_after(row.black_line)
            states[row.white] = state_after(was.white_line), state_after(row.white_line)
    moved = [
        (player, *both)
        for player, both in states.items()
        if both[0][:READABLE_CELLS] != both[1][:READABLE_CELLS]
    ]
    return sorted(moved, key=lambda one: (-abs((one[1].points or 0) - (one[2].points or 0)), one[0]))
