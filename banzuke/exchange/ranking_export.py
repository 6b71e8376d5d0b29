"""A Go pool's ranking for export."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from banzuke.core.gc_pause import uncollected
from banzuke.core.go_facts import CERTIFIED
from banzuke.engine import go_history, result_rows
from banzuke.engine.go_ranking import strength
from banzuke.engine.rating_run import no_progress
from banzuke.formats.lists.rating_list import RankedPlayer, Ranking

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from banzuke.core.go_facts import GoState
    from banzuke.engine.rating_run import Progress
    from banzuke.ledger.folder import GoLedger

#: Progress is told every so many games.
_STEP = 10_000


def ledger_ranking(ledger: GoLedger, until: str | None, progress: Progress = no_progress) -> Ranking:
    """The ranking of a Go pool at an ISO time (None: after its last game).

    The certified come first, by rank and points, with places that equals share; then the provisional, the
    beginners and the professionals, who have none. Raises UnknownListError for what is no time.
    """
    at = go_history.moment(until)
    run, last = go_history.opening(ledger), at
    with uncollected():
        for number, rated in enumerate(go_history.history(ledger, run, at)):
            if number % _STEP == 0:
                progress(number, len(ledger.games), rated.game.game_id)
            last = at or rated.game.ended
    edition = ledger.pool.edition_at(last) if last else ledger.pool.editions[-1]
    names = {player.player_id: player.name for player in ledger.players}
    ranked = sorted(run.states.items(), key=lambda item: (-strength(item[1]), item[0]))
    name = last.isoformat() if last else ""
    return Ranking(ledger.pool.name, name, edition.book.name, tuple(_ranked(ranked, names)))


def _ranked(states: Sequence[tuple[str, GoState]], names: Mapping[str, str]) -> Iterator[RankedPlayer]:
    """The rows of the ranking, column by column as `rate` writes the standings."""
    place, before = 0, None
    for number, (player, state) in enumerate(states, 1):
        row: Any = result_rows.go_standing_row(player, state)
        _, rank, points, games, _ = row
        if (state.half, points) != before:
            place, before = number, (state.half, points)
        own_place = place if state.kind == CERTIFIED else None
        yield RankedPlayer(own_place, player, names[player], rank, points, games)
