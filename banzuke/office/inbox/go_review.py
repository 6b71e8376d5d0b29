"""Reviewing a report of Go games, on the live standings: nothing of the history is rated for it."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db.models import Q

from banzuke.core import go_facts
from banzuke.core.fault import Fault, fault
from banzuke.core.go_facts import GoGame
from banzuke.database import models
from banzuke.database.book_reader import read_table
from banzuke.engine.go_history import RatedGame
from banzuke.exchange.go_import import GoEntries, Handles, entry_of, go_entries, moment_of, rank_remarks
from banzuke.exchange.player_identities import NEW
from banzuke.formats.report import GoReport, ReportedGoGame
from banzuke.ledger.checks import check_game
from banzuke.ledger.csv_table import cell_faults
from banzuke.ledger.folder import GoLedger
from banzuke.ledger.pool_rules import Pool as Rules
from banzuke.office.erased_ids import is_erased
from banzuke.office.fact_rows import TABLES
from banzuke.office.inbox.event_fields import takes_readable_part
from banzuke.office.inbox.problems import BLOCKS, WARNS, Problem, problem_of_fault
from banzuke.office.inbox.report_contents import Contents
from banzuke.office.inbox.review_findings import (
    Review,
    decisions,
    file_problems,
    placement_of_games,
    placement_problems,
    sort_problems,
    undecided_problem,
)
from banzuke.office.live.accounts import PLAYER
from banzuke.office.live.erased_players import erased_fault
from banzuke.office.live.live_codec import micros
from banzuke.office.live.live_pool import rate_if_entered, synchronise
from banzuke.office.live.live_rows import StoredGame
from banzuke.office.live.live_tables import LiveTables
from banzuke.office.live.moment_limits import refuse_future
from banzuke.office.live.pool_events import DECLARATION, GAME_VOID
from banzuke.office.live.robots import Robots, find_robots
from banzuke.office.live.submission_queue import GAMES

#: So many ids are asked for at once.
CHUNK = 500
#: The acts by which programs enter into a pool's book.
BY_PROGRAMS = (GAMES, PLAYER, DECLARATION, GAME_VOID)


class _Comparison(NamedTuple):
    """A report compared with the book: its games that are new, those that the book has, and what is wrong.

    `partly` is wrong with games that can be left out, `wholly` with what is left.
    """

    entries: GoEntries
    known: list[StoredGame]
    partly: list[Fault]
    wholly: list[Fault]


def review_go_report(report: models.Report, contents: Contents, position: int) -> Review:
    """A report of games of Go; a decision about a handle counts in all its games."""
    pool, incoming = report.pool, contents.incoming
    rules, readable = synchronise(pool), takes_readable_part(report)
    found = list(file_problems(contents, go_wanted=True, readable=readable))
    review = Review(
        position, rules, [], None, None, [], incoming.waiting, contents.people, sort_problems(found)
    )
    if incoming.go is None:
        return review
    compared = _compare_with_book(report, rules, incoming.go, position)
    entries = compared.entries
    rated = [] if compared.wholly else rate_if_entered(pool, rules, entries.games, entries.added)
    placement = placement_of_games(pool, rules, entries.games)
    found += _problems(compared, readable=readable)
    found += [problem_of_fault(one, WARNS) for one in rank_remarks(rated, entries.reported)]
    found += placement_problems(None, placement)
    return review._replace(
        go=entries,
        placement=placement,
        problems=sort_problems(found),
        new_games=tuple(rated),
        known_games=tuple(RatedGame(each.game, *each.lines) for each in compared.known),
        has_leftovers=bool(compared.partly or incoming.faults),
    )


def _compare_with_book(report: models.Report, rules: Rules, came: GoReport, position: int) -> _Comparison:
    """The games compared with the book; those that it has under their ids are no entries."""
    decided = {decision.name: decision.player_id for decision in decisions(report)}
    games = _as_decided(came, decided)
    known = LiveTables(report.pool).games_by_id(game.game_id for game in games.games)
    ledger = _ledger_around(report.pool, rules, games, position)
    robots = find_robots(report.pool)
    there, others = _find_known(games, known, Handles(ledger), robots)
    new = games._replace(games=tuple(game for game in games.games if game.game_id not in known))
    faults: list[Fault] = []
    unknown = go_entries(ledger, new, [], add_players=False).unknown
    asked = [one for one in unknown if decided.get(one.name) != NEW]
    entries = go_entries(ledger, new, faults, add_players=not asked)._replace(unknown=asked)
    entries = entries._replace(games=[robots.marked(game) for game in entries.games])
    erased = [player.player_id for player in entries.added if is_erased(report.pool, player.player_id)]
    faults += [erased_fault("", 0, "", player) for player in erased]
    wholly = [*faults, *_ledger_faults(rules, entries)]
    return _Comparison(entries, there, [*games.faults, *others], wholly)


def _problems(compared: _Comparison, *, readable: bool) -> Iterator[Problem]:
    """What is wrong with the games; `readable`: those that can be left out are."""
    yield from (problem_of_fault(one, WARNS if readable else BLOCKS) for one in compared.partly)
    yield from map(problem_of_fault, compared.wholly)
    if unknown := compared.entries.unknown:
        yield undecided_problem(unknown)
    if not compared.entries.reported and (readable or not compared.partly):
        code = "inbox-go-there" if compared.known else "inbox-nothing"
        yield Problem(BLOCKS, fault("", 0, "", code, games=len(compared.known)))


def _ledger_around(pool: models.Pool, rules: Rules, report: GoReport, position: int) -> GoLedger:
    """What a report is compared with: players whose handles may be its, and games that ended when its did."""
    handles = {name.casefold() for game in report.games for name in (game.black, game.white)}
    players = [
        player
        for player in read_table(pool, TABLES[go_facts.GoPlayer], position, Q())
        if not handles.isdisjoint((player.player_id.casefold(), player.name.casefold()))
    ]
    moments = sorted({micros(moment_of(game)) for game in report.games if game.ended})
    games = [stored.game for stored in LiveTables(pool).games_ended_at(moments)]
    return GoLedger(rules, players, games, [], [])


def _find_known(
    report: GoReport, known: Mapping[str, StoredGame | None], handles: Handles, robots: Robots
) -> tuple[list[StoredGame], list[Fault]]:
    """The games that the book has already, and a fault for each of an id that it has otherwise."""
    there, faults = [], []
    for game in report.games:
        stored = known.get(game.game_id)
        if stored is not None and _is_same(stored.game, game, handles, robots):
            there.append(stored)
        elif game.game_id in known:
            code = "struck-game" if stored is None else "other-game"
            faults.append(fault(game.file, 0, "game_id", code, id=game.game_id))
    return there, faults


def _is_same(there: GoGame, reported: ReportedGoGame, handles: Handles, robots: Robots) -> bool:
    """Whether a reported game is the one that the book has, which may have been annulled meanwhile."""
    if not (reported.ended and handles.bearers(reported.black) and handles.bearers(reported.white)):
        return False
    sent = robots.as_there(entry_of(reported, handles), there)
    if there.result == "void":
        sent = sent._replace(result=there.result, fault=there.fault)
    return there._replace(pair=bool(there.pair)) == sent._replace(pair=bool(sent.pair))


def _ledger_faults(rules: Rules, entries: GoEntries) -> list[Fault]:
    """What a ledger cannot hold of games of Go and their new players, and what it would be refused for."""
    rows = [(go_facts.GoPlayer, row) for row in entries.added] + [
        (go_facts.GoGame, row) for row in entries.games
    ]
    faults = [found for record, row in rows for found in cell_faults(TABLES[record], row)]
    files = {game.game_id: game.file for game in entries.reported}
    now = datetime.now(UTC)
    for game in entries.games:
        check_game(rules, files[game.game_id], game, 0, lambda _: False, faults)
        refuse_future(files[game.game_id], 0, game.ended, now, faults)
    return faults


def is_current(pool: models.Pool, review: Review) -> bool:
    """Whether a review of a report still holds, in a pool that is locked.

    What a server sends of other players and at other moments changes nothing of it.
    """
    since: dict[str, Any] = {"pool": pool, "entry_id__gt": review.position}
    if review.go is None:
        return True
    by_others = pool.entries.filter(pk__gt=review.position).exclude(act__in=BY_PROGRAMS)
    if by_others.exists():
        return False
    handles = {name.casefold() for game in review.go.reported for name in (game.black, game.white)}
    come = models.GoPlayer.objects.filter(**since).values_list("player_id", "name")
    if any(not handles.isdisjoint((player_id.casefold(), name.casefold())) for player_id, name in come):
        return False
    ids = {game.game_id for game in review.go.games}
    met = {(game.ended, game.black, game.white) for game in review.go.games}
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
