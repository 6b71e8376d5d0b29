"""The crosstable of an event with what it changed, from the copies of the list that took it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from banzuke.book.models import Game, Line, ListRow, Strike
from banzuke.book.reading import rules_of
from banzuke.core import facts
from banzuke.core.batch import Batch, Register
from banzuke.core.rating import Coefficient, EventLines, Outcome, Rating, Standings
from banzuke.core.rating import Line as Side
from banzuke.desk import listing
from banzuke.desk.rows import record_of
from banzuke.desk.shown import by_id_only, people
from banzuke.ledger.folder import ChessLedger
from banzuke.office.export_event import RatedEvent, event_table
from banzuke.office.history import RatedList

if TYPE_CHECKING:
    from collections.abc import Iterable

    from banzuke.book.models import Event, Pool, RatingList
    from banzuke.formats.event_table import EventTable


class Crosstable(NamedTuple):
    """An event's crosstable, the list that it is of, and all the lists that took games of the event."""

    table: EventTable
    published: RatingList
    lists: list[RatingList]


def crosstable(pool: Pool, event: Event, name: str = "") -> Crosstable | None:
    """The event as the first list that took it (or the list of that name) rated it; None: no list did."""
    current = list(listing.current(pool))
    took = set(Line.objects.filter(list__in=current, event_id=event.event_id).values_list("list", flat=True))
    lists = [published for published in reversed(current) if published.pk in took]
    wanted = next((published for published in lists if name in ("", published.name)), None)
    return None if wanted is None else Crosstable(_table(event, wanted), wanted, lists)


def _table(event: Event, published: RatingList) -> EventTable:
    rows = list(published.lines.filter(event_id=event.event_id).order_by("position"))
    rules = rules_of(published.pool, published.entry_id)
    edition = rules.edition_on(published.in_force_from)
    record = record_of(event, facts.Event)
    lines = EventLines(record, rows[0].speed, [_side(row) for row in rows])
    players = {row.player_id for row in rows}
    register = Register(_players(published.pool, players), {}, {})
    entry = facts.Entry(record, _games(published, event.event_id, rows))
    batch = Batch(published.name, published.day, published.closes, [entry], register, False, {})
    after = Standings({rows[0].speed: _ratings(published, rows[0].speed, players)})
    found = RatedEvent(RatedList(batch, edition, {}, Outcome(after, [lines], {})), entry, lines)
    return event_table(ChessLedger(rules, [], [], [], [], {}, []), found)


def _side(row: Line) -> Side:
    k = None if row.k is None else Coefficient(row.k, row.k_why, row.k_clause)
    return Side(
        row.round, row.player_id, row.opponent_id, row.score, row.own, row.opponent, row.difference,
        row.expected, k, row.change, row.verdict, row.clause,
    )  # fmt: skip


def _players(pool: Pool, ids: Iterable[str]) -> dict[str, facts.Player]:
    named = people(pool, ids, by_id_only(pool))
    return {player: facts.Player(player, person.name, person.name_native) for player, person in named.items()}


def _games(published: RatingList, event_id: str, rows: Iterable[Line]) -> list[facts.Game]:
    """The games behind the lines, as the book had them then: of a corrected one, the row that stood."""
    wanted = {(row.round, row.player_id, row.opponent_id) for row in rows}
    known = Game.objects.filter(pool=published.pool, event_id=event_id, entry_id__lte=published.entry_id)
    struck = Strike.objects.filter(pool=published.pool, table="games", entry_id__lte=published.entry_id)
    struck_rows = set(struck.filter(row__in=known.values("pk")).values_list("row", flat=True))
    found: dict[tuple[int, str, str], Game] = {}
    for game in sorted(known, key=lambda game: (game.pk not in struck_rows, game.pk)):
        found[game.round, game.white, game.black] = game
    games = [record_of(game, facts.Game) for key, game in found.items() if key in wanted]
    return sorted(games, key=lambda game: (game.round, game.white))


def _ratings(published: RatingList, speed: str, players: Iterable[str]) -> dict[str, Rating]:
    rows = ListRow.objects.filter(list=published, speed=speed, player_id__in=players)
    return {row.player_id: Rating(row.rating, row.games, row.peak, earned=False) for row in rows}
