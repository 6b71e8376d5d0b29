"""The crosstable of an event with what it changed, from the copies of the list that took it."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db.models import Q

from banzuke.core import facts
from banzuke.core.rating import MEMBER, EventLines, Rating
from banzuke.core.rating import Line as Side
from banzuke.core.registry import BOOKS
from banzuke.database.book_reader import name_of, read_byes, read_table
from banzuke.database.models import Event, Line, ListRow, Pool, RatingList
from banzuke.database.two_names import name_here
from banzuke.exchange.event_export import EventByes, build_event_table, sound_byes
from banzuke.explanations.chess_rating import not_members
from banzuke.formats.events.event_table import EventTable
from banzuke.ledger.records import standing_records
from banzuke.office.fact_rows import TABLES, record_of, with_values
from banzuke.office.lists import list_index
from banzuke.office.lists.list_rows import LINE_COLUMNS, line_of
from banzuke.office.pages.bonuses import bonuses_in
from banzuke.office.pages.list_registers import register_of_players
from banzuke.office.pages.played_games import COUNTED
from banzuke.office.public_names import people


class Reason(NamedTuple):
    """Why a game that was played does not count for a side: the verdict, and its clause."""

    verdict: str
    clause: str


class Crosstable(NamedTuple):
    """An event's crosstable, the list that it is of, and all the lists that took games of the event.

    `why` has the reason of each side that does not count, by round and player; `not_members` are the players
    whose missing membership keeps games out.
    """

    table: EventTable
    published: RatingList
    lists: list[RatingList]
    why: dict[tuple[int, str], Reason]
    not_members: frozenset[str]


def crosstable(pool: Pool, event: Event, name: str = "") -> Crosstable | None:
    """The event as the first list that took it (or the list of that name) rated it; None: no list did."""
    current = list(list_index.current_lists(pool))
    took = set(Line.objects.filter(list__in=current, event_id=event.event_id).values_list("list", flat=True))
    lists = [published for published in reversed(current) if published.pk in took]
    wanted = next((published for published in lists if name in ("", published.name)), None)
    if wanted is None:
        return None
    stored = wanted.lines.filter(event_id=event.event_id).order_by("position")
    rows = list(stored.values_list("speed", *LINE_COLUMNS))
    sides = [line_of(columns) for _, *columns in rows]
    why = {
        (side.round, side.player): Reason(side.verdict, side.clause)
        for side in sides
        if side.verdict not in COUNTED and side.score is not None
    }
    record = with_values(record_of(event, facts.Event), name=name_here(event.name, event.name_native))
    entry = facts.Entry(record, _games(wanted, event.event_id, sides))
    table = _table(entry, wanted, rows[0][0], sides)
    return Crosstable(table, wanted, lists, why, _not_members(wanted, entry, sides))


def _not_members(published: RatingList, entry: facts.Entry, sides: list[Side]) -> frozenset[str]:
    """The players whose missing membership keeps games out; none of a list without its rule book."""
    left = [side for side in sides if side.verdict == MEMBER]
    book = BOOKS.get(published.rulebook)
    if not left or book is None:
        return frozenset()
    register = register_of_players(published, {side.player for side in left})
    days = {(game.round, game.white): game.played or entry.event.starts for game in entry.games}
    return frozenset(
        player
        for side in left
        if (day := days.get((side.round, side.player)))
        for player in not_members(book, register, entry.event, side, day)
    )


def _table(entry: facts.Entry, published: RatingList, speed: str, sides: list[Side]) -> EventTable:
    pool = published.pool
    byes = _byes(published, entry, speed)
    players = {side.player for side in sides} | byes.before.keys()
    return build_event_table(
        (name_of(pool, published.entry_id), published.name, published.rulebook),
        entry,
        EventLines(entry.event, speed, sides),
        _players(pool, players),
        _ratings(published, speed, players),
        {of.player: bonus for of, bonus in bonuses_in([published], players).items() if of.speed == speed},
        byes,
    )


def _byes(published: RatingList, entry: facts.Entry, speed: str) -> EventByes:
    """The event's byes, as the list knew them, and what their players had before it."""
    known = read_byes(published.pool, published.entry_id, entry.event.event_id)
    ids = {bye.player_id for bye in known}
    members = _standing(published, facts.Player, Q(player_id__in=ids)) if ids else []
    byes = tuple(sound_byes(entry, {player.player_id for player in members}, known))
    rows = ListRow.objects.filter(list=published, speed=speed, player_id__in=ids).exclude(change=None)
    before = {row.player_id: (row.rating or 0) - (row.change or 0) for row in rows}
    return EventByes(byes, {bye.player_id: before.get(bye.player_id) for bye in byes})


def _players(pool: Pool, ids: Iterable[str]) -> dict[str, facts.Player]:
    named = people(pool, ids)
    return {player: facts.Player(player, person.name, person.name_native) for player, person in named.items()}


def _games(published: RatingList, event_id: str, sides: list[Side]) -> list[facts.Game]:
    """The games behind the lines."""
    rows = _standing(published, facts.Game, Q(event_id=event_id))
    wanted = {(side.round, side.player, side.opponent) for side in sides}
    games = [game for game in rows if (game.round, game.white, game.black) in wanted]
    return sorted(games, key=lambda game: (game.round, game.white))


def _standing(published: RatingList, record: Any, only: Q) -> list[Any]:
    """Rows of a kind of record as the list knew them; as they stand now, without its rule book."""
    known = list_index.known_until(published) if published.rulebook in BOOKS else None
    return standing_records(read_table(published.pool, TABLES[record], published.entry_id, only), known)


def _ratings(published: RatingList, speed: str, players: Iterable[str]) -> dict[str, Rating]:
    rows = ListRow.objects.filter(list=published, speed=speed, player_id__in=players)
    figures = rows.values_list("player_id", "rating", "games", "peak")
    return {player: Rating(rating, games, peak, earned=False) for player, rating, games, peak in figures}
