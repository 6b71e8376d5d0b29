"""A small Go server's pool, played into by its service, for the tests of what is read of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from office.live_service import POOL_TOML

from banzuke.core.go_facts import GoGame, GoOpening, GoPlayer
from banzuke.database.book_reader import read_book, rules_from
from banzuke.database.book_writer import Act, enter_ledger
from banzuke.engine.agreed_terms import RankChanges
from banzuke.engine.go_history import history, opening
from banzuke.ledger.folder import GoLedger
from banzuke.ledger.pool_rules import go_book
from banzuke.office.live.submission_queue import send

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
NOW = datetime(2026, 1, 2, tzinfo=UTC)
KEY = "server"


def go_pool(*players, slug="go", more=None):
    """A pool of players as `(id, rank)` who declared it, or `(id, rank, points, rated games)`.

    `more` are files beside pool.toml, or another one.
    """
    files = {"pool.toml": POOL_TOML} | (more or {})
    named = [
        GoPlayer(player, player.title(), _whole(rank), rank.endswith("p")) for player, rank, *_ in players
    ]
    standings = [GoOpening(player, rank, rest[1], rest[0]) for player, rank, *rest in players if rest]
    ledger = GoLedger(rules_from(files), named, [], [], standings)
    return enter_ledger(slug, ledger, files, Act("clerk", "import-ledger"))


def _whole(rank):
    return rank.removesuffix("+")


def game(game_id, minute, black, white, result, stones=0, komi=13, **more):
    """A game that ended so many minutes after the start; komi in half points."""
    words = {"board": 19, "moves": 200} | more
    return GoGame(game_id, START + timedelta(minutes=minute), black, white, result, stones, komi, **words)


def play(pool, *games):
    """Games sent by the server, one after another."""
    for each in games:
        send(pool, [each], KEY)


def ranks_before_of_ledger(pool):
    """The earlier ranks by which games' terms were regular, by id, as the ledger tells them."""
    ledger = read_book(pool)
    run = opening(ledger)
    changes = RankChanges(run.states, ledger.declarations)
    found = {
        rated.game.game_id: changes.ranks_before(go_book(ledger.pool.edition_at(rated.game.ended)), rated)
        for rated in history(ledger, run, None)
    }
    return {game_id: ranks for game_id, ranks in found.items() if ranks}
