"""A new season of a Go pool: a new pool that opens with another one's players, their ranks and points."""

from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from banzuke.core.go_facts import BEGINNER, BEGINNERS, CERTIFIED, GoOpening, GoPlayer, GoState
from banzuke.database.book_reader import files_of, rules_from
from banzuke.database.book_writer import Act, enter_ledger
from banzuke.database.models import GoRobot, LiveStanding, Pool
from banzuke.database.write_turns import writers_turn
from banzuke.ledger.folder import GoLedger
from banzuke.ledger.pool_rules import FILE, go_book
from banzuke.office.administration.pools import NEW, check_free, editions, entering, make_ready, toml_of
from banzuke.office.erased_ids import erased_ids
from banzuke.office.fact_rows import record_of, standing_rows
from banzuke.office.journal import Actor, note
from banzuke.office.live.live_codec import state_from
from banzuke.office.live.live_pool import synchronise
from banzuke.office.live.robots import find_robots
from banzuke.office.live.whole_standings import open_standings, rate_ledger
from banzuke.office.transparency.office_log import note_rules


class NewSeason(NamedTuple):
    """What was opened: the pool, how many players came over, and how many of them with their standing."""

    pool: Pool
    players: int
    standings: int


def open_season(old: Pool, slug: str, name: str, start: date, actor: Actor) -> NewSeason:
    """A new pool by the rules that are in force in another, with its players as they stand now.

    Who is certified, or was before falling into the beginners' class, keeps rank, points and rated games. The
    others begin with the rank that they have now as their declared one. Erased players do not come over.
    Raises NotLiveError, TakenError, and RefusedError for a day on which the rules cannot begin.
    """
    check_free(slug)
    book = go_book(synchronise(old).editions[-1])
    edition = editions(old)[-1]._replace(start=start, stands_in="")
    named = {edition.border_zone, edition.reform}
    files = {file: text for file, text in files_of(old).items() if file in named}
    files[FILE] = toml_of(name, [edition])
    players = list(_players(old))
    openings = [
        opening for player, state in players if (opening := _opening(player, state, book.certifying_games))
    ]
    ledger = GoLedger(rules_from(files), [player for player, _ in players], [], [], openings)
    robots = find_robots(old).now
    with writers_turn(), entering(slug):
        pool = enter_ledger(slug, ledger, files, Act(actor.name, NEW, f"after {old.slug}"))
        entry = pool.entries.get()
        rows = [GoRobot(entry=entry, pool=pool, player_id=each.player_id, robot=True) for each, _ in players]
        GoRobot.objects.bulk_create([row for row in rows if row.player_id in robots])
        open_standings(pool, rate_ledger(ledger))
        note(actor, NEW, pool, source=old.slug)
        note_rules(pool)
    make_ready(pool)
    return NewSeason(pool, len(players), len(openings))


def _players(old: Pool) -> Iterator[tuple[GoPlayer, GoState]]:
    """The players of a pool by id, each with the rank of now as the declared one, and where they stand."""
    states = dict(LiveStanding.objects.filter(pool=old).values_list("player_id", "state"))
    erased = erased_ids(old)
    for row in standing_rows(old, GoPlayer).order_by("player_id", "pk"):
        if row.player_id in states and row.player_id not in erased:
            state = state_from(states[row.player_id])
            player: GoPlayer = record_of(row, GoPlayer)
            yield player._replace(declared=state.rank.rstrip("?+")), state


def _opening(player: GoPlayer, state: GoState, certifying_games: int) -> GoOpening | None:
    """What the new pool opens with; None for who begins with a declared rank."""
    if state.kind == CERTIFIED:
        return GoOpening(player.player_id, state.rank, state.rated_games, state.points)
    if state.kind == BEGINNER and state.rated_games >= certifying_games:
        return GoOpening(player.player_id, BEGINNERS, state.rated_games, None, state.wins_in_bc)
    return None
