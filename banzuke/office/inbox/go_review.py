"""A report of games of Go looked at, beside the live standings: nothing of the history is rated for it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Q

from banzuke.core import go_facts
from banzuke.core.fault import Fault, fault
from banzuke.database import models
from banzuke.database.book_reader import read_some
from banzuke.exchange.go_import import Handles, entry_of, go_entries, moment_of, rank_remarks
from banzuke.exchange.player_identities import NEW
from banzuke.ledger.checks import check_game
from banzuke.ledger.csv_table import cell_faults
from banzuke.ledger.folder import GoLedger
from banzuke.office.fact_rows import TABLES
from banzuke.office.inbox.event_fields import is_readable_taken
from banzuke.office.inbox.list_placement import placement_of_games
from banzuke.office.inbox.problems import BLOCKS, WARNS, Problem, of_fault
from banzuke.office.inbox.review_findings import Review, decisions, in_order, of_files, of_placement
from banzuke.office.live import queries
from banzuke.office.live.live_codec import micros
from banzuke.office.live.pool_events import DECLARATION, GAME_VOID, PLAYER
from banzuke.office.live.submission_queue import GAMES
from banzuke.office.live.synchronisation import up_to_date
from banzuke.office.live.what_if import rate_if_entered, stored_as_rated
from banzuke.office.raw_sql import Statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from banzuke.core.go_facts import GoGame
    from banzuke.exchange.go_import import GoEntries
    from banzuke.formats.report import GoReport, ReportedGoGame
    from banzuke.ledger.pool_rules import Pool as Rules
    from banzuke.office.inbox.report_files import Contents
    from banzuke.office.live.queries import StoredGame

#: So many ids are asked for at once.
CHUNK = 500
#: The acts by which programs enter into a pool's book.
BY_PROGRAMS = (GAMES, PLAYER, DECLARATION, GAME_VOID)


class _Beside(NamedTuple):
    """A report held against the book: its games that are new, those that the book has, and what is wrong.

    `partly` is wrong with games that can be left out, `wholly` with what is left.
    """

    entries: GoEntries
    there: list[StoredGame]
    partly: list[Fault]
    wholly: list[Fault]


def review_games(report: models.Report, contents: Contents, position: int) -> Review:
    """A report of games of Go; a decision about a handle counts in all its games."""
    pool, incoming = report.pool, contents.incoming
    rules, readable = up_to_date(pool), is_readable_taken(report)
    found = list(of_files(contents, go_wanted=True, readable=readable))
    looked = Review(position, rules, [], None, None, [], incoming.waiting, contents.people, in_order(found))
    if incoming.go is None:
        return looked
    beside = _held_against(report, rules, incoming.go, position)
    entries = beside.entries
    rated = [] if beside.wholly else rate_if_entered(pool, rules, entries.games, entries.added)
    placement = placement_of_games(pool, rules, entries.games)
    found += _problems(beside, readable=readable)
    found += [of_fault(one, WARNS) for one in rank_remarks(rated, entries.reported)]
    found += of_placement(None, placement)
    return looked._replace(
        go=entries,
        placement=placement,
        problems=in_order(found),
        foretold=tuple(rated),
        there=tuple(stored_as_rated(beside.there)),
        is_partly=bool(beside.partly or incoming.faults),
    )


def _held_against(report: models.Report, rules: Rules, came: GoReport, position: int) -> _Beside:
    """The games held against the book; those that it has under their ids are no entries."""
    decided = {decision.name: decision.player_id for decision in decisions(report)}
    games = _as_decided(came, decided)
    known = _known(report.pool, sorted({game.game_id for game in games.games}))
    ledger = _ledger_beside(report.pool, rules, games, position)
    there, others = _there(games, known, Handles(ledger))
    new = games._replace(games=tuple(game for game in games.games if game.game_id not in known))
    asked = go_entries(ledger, new, [], add_players=False).unknown
    faults: list[Fault] = []
    asked = [one for one in asked if decided.get(one.name) != NEW]
    entries = go_entries(ledger, new, faults, add_players=not asked)._replace(unknown=asked)
    wholly = [*faults, *_unwritable(entries), *_unfit(rules, entries)]
    return _Beside(entries, there, [*games.faults, *others], wholly)


def _problems(beside: _Beside, *, readable: bool) -> Iterator[Problem]:
    """What is wrong with the games; `readable`: those that can be left out are."""
    yield from (of_fault(one, WARNS if readable else BLOCKS) for one in beside.partly)
    yield from map(of_fault, beside.wholly)
    if unknown := beside.entries.unknown:
        counts = {"players": len(unknown), "unknown": sum(not one.candidates for one in unknown)}
        yield Problem(BLOCKS, fault("", 0, "", "inbox-undecided", **counts))
    if not beside.entries.reported and (readable or not beside.partly):
        code = "inbox-go-there" if beside.there else "inbox-nothing"
        yield Problem(BLOCKS, fault("", 0, "", code, games=len(beside.there)))


def _ledger_beside(pool: models.Pool, rules: Rules, report: GoReport, position: int) -> GoLedger:
    """What a report is held against: players whose handles may be its, and games that ended when its did."""
    handles = {name.casefold() for game in report.games for name in (game.black, game.white)}
    players = [
        player
        for player in read_some(pool, TABLES[go_facts.GoPlayer], position, Q())
        if not handles.isdisjoint((player.player_id.casefold(), player.name.casefold()))
    ]
    moments = sorted({micros(moment_of(game)) for game in report.games if game.ended})
    live = models.LiveGame.objects.filter(pool=pool, stands=True)
    ids = [
        game_id
        for some in _chunks(moments)
        for game_id in live.filter(at__in=some).values_list("game_id", flat=True)
    ]
    games = [game for some in _chunks(ids) for game in _kept_games(pool, some)]
    return GoLedger(rules, players, games, [], [])


def _kept_games(pool: models.Pool, ids: Sequence[str]) -> Iterator[GoGame]:
    return (kept.game for kept in _known(pool, ids).values() if kept is not None)


def _known(pool: models.Pool, ids: Sequence[str]) -> dict[str, StoredGame | None]:
    """Those of the games that the book has, by id; None for one that was struck."""
    found: dict[str, StoredGame | None] = {}
    for some in _chunks(ids):
        found |= queries.games_by_id(Statements(), pool.pk, some)
    return found


def _chunks(of: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (of[begin : begin + CHUNK] for begin in range(0, len(of), CHUNK))


def _there(
    report: GoReport, known: Mapping[str, StoredGame | None], handles: Handles
) -> tuple[list[StoredGame], list[Fault]]:
    """The games that the book has already, and a fault for each of an id that it has otherwise."""
    there, faults = [], []
    for game in report.games:
        kept = known.get(game.game_id)
        if kept is not None and _is_same(kept.game, game, handles):
            there.append(kept)
        elif game.game_id in known:
            code = "struck-game" if kept is None else "other-game"
            faults.append(fault(game.file, 0, "game_id", code, id=game.game_id))
    return there, faults


def _is_same(there: GoGame, reported: ReportedGoGame, handles: Handles) -> bool:
    """Whether a reported game is the one that the book has, which may have been annulled meanwhile."""
    if not (reported.ended and handles.bearers(reported.black) and handles.bearers(reported.white)):
        return False
    sent = entry_of(reported, handles)
    if there.result == "void":
        sent = sent._replace(result=there.result, fault=there.fault)
    return there._replace(pair=bool(there.pair)) == sent._replace(pair=bool(sent.pair))


def _unwritable(entries: GoEntries) -> Iterator[Fault]:
    """What a ledger cannot hold of games of Go and their new players."""
    for player in entries.added:
        yield from cell_faults(TABLES[go_facts.GoPlayer], player)
    for game in entries.games:
        yield from cell_faults(TABLES[go_facts.GoGame], game)


def _unfit(rules: Rules, entries: GoEntries) -> Iterable[Fault]:
    """What a ledger would be refused for."""
    files = {game.game_id: game.file for game in entries.reported}
    faults: list[Fault] = []
    for game in entries.games:
        check_game(rules, files[game.game_id], game, 0, lambda _: False, faults)
    return faults


def is_current(pool: models.Pool, examined: Review) -> bool:
    """Whether a report still is what it was when it was looked at, in a pool that is locked.

    What a server sends of other players and at other moments changes nothing of it.
    """
    since: dict[str, Any] = {"pool": pool, "entry_id__gt": examined.position}
    if examined.go is None:
        return True
    by_others = pool.entries.filter(pk__gt=examined.position).exclude(act__in=BY_PROGRAMS)
    if by_others.exists():
        return False
    handles = {name.casefold() for game in examined.go.reported for name in (game.black, game.white)}
    come = models.GoPlayer.objects.filter(**since).values_list("player_id", "name")
    if any(not handles.isdisjoint((player_id.casefold(), name.casefold())) for player_id, name in come):
        return False
    ids = {game.game_id for game in examined.go.games}
    met = {(game.ended, game.black, game.white) for game in examined.go.games}
    ended = models.GoGame.objects.filter(**since).values_list("game_id", "ended", "black", "white")
    return not any(
        game_id in ids or (datetime.fromisoformat(at), black, white) in met
        for game_id, at, black, white in ended.iterator(chunk_size=CHUNK)
    )


def _as_decided(report: GoReport, decided: dict[str, str]) -> GoReport:
    """The games with the ids that were decided on in place of handles."""
    ids = {name: player_id for name, player_id in decided.items() if player_id != NEW}
    games = [
        game._replace(black=ids.get(game.black, game.black), white=ids.get(game.white, game.white))
        for game in report.games
    ]
    return report._replace(games=tuple(games))
