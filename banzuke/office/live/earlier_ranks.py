"""Games whose terms were regular by the ranks of shortly before, as the live tables tell it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import NamedTuple

from banzuke.core.go_facts import PROVISIONAL, Declaration, GoGame, GoLine
from banzuke.database.models import Pool
from banzuke.engine.agreed_terms import (
    LAST_GAMES,
    SPAN,
    Rank,
    RankChange,
    RanksBefore,
    declared_rank,
    is_same,
    may_be_regular_before,
    rank_of,
    ranks_before,
)
from banzuke.ledger.pool_rules import go_book
from banzuke.office.live.go_rules import known_rules
from banzuke.office.live.last_lines import LinesWanted, ask_last_lines
from banzuke.office.live.live_codec import has_one_rank, micros, moment_of, ranks_in
from banzuke.office.live.live_rows import AT_FIRST, TimeKey, place_of
from banzuke.office.live.live_tables import LiveTables
from banzuke.office.live.pool_writer import unlocked_pool
from banzuke.office.live.recent_lines import PlayerLines

_SPAN = SPAN // timedelta(microseconds=1)


class GameWithLines(NamedTuple):
    """A game with Black's line and White's."""

    game: GoGame
    lines: tuple[GoLine, GoLine]


class _Event(NamedTuple):
    """What may have changed a player's rank: a game (`before` known) or a declaration.

    `is_provisional`: the player was so before it.
    """

    place: TimeKey
    after: Rank | None
    before: Rank | None
    is_game: bool
    is_provisional: bool


def _event(place: TimeKey, text: str) -> _Event:
    """A game by its line's text."""
    before, after = ranks_in(text)
    return _Event(place, rank_of(after), rank_of(before), True, before.kind == PROVISIONAL)


def find_ranks_before(pool: Pool, games: Iterable[GameWithLines]) -> dict[str, RanksBefore]:
    """The earlier ranks by which a game's terms were regular, by the game's id; of all others nothing.

    Asks the database only where terms were not regular by the ranks at the end, but are by some. Raises
    NotLiveError.
    """
    return ask_ranks_before(pool, games, {})()


def ask_ranks_before(
    pool: Pool, games: Iterable[GameWithLines], known: Mapping[str, PlayerLines]
) -> Callable[[], dict[str, RanksBefore]]:
    """Ask the database what `find_ranks_before` needs; gives a function that fetches it and answers.

    Lines that are `known` are not asked for, if they reach back as far as they count.
    """
    rules = known_rules(pool)
    wanted = []
    for each in games:
        book = go_book(rules.edition_at(each.game.ended))
        if may_be_regular_before(book, each.game, each.lines):
            wanted.append((book, each))
    if not wanted:
        return dict[str, RanksBefore]
    changes = _Changes(pool, [each for _, each in wanted], known)

    def found() -> dict[str, RanksBefore]:
        changes.fetch()
        before = {
            each.game.game_id: ranks_before(book, each.game, each.lines, changes.of(each).get)
            for book, each in wanted
        }
        return {game_id: ranks for game_id, ranks in before.items() if ranks}

    return found


class _Changes:
    """The last changes of rank before games; they are asked for at once, and fetched later."""

    def __init__(self, pool: Pool, games: Sequence[GameWithLines], known: Mapping[str, PlayerLines]) -> None:
        self._pool = pool
        self._rows: dict[str, set[tuple[TimeKey, str]]] = {}
        self._declared: dict[str, list[Declaration]] = {}
        tables, asked = LiveTables(pool), set[LinesWanted]()
        sides = [(line.player, place_of(each.game)) for each in games for line in each.lines]
        for player, place in sides:
            since = place.at - _SPAN
            if player in known and known[player].reaches_back(place, since):
                self._rows.setdefault(player, set()).update(known[player].lines)
            else:
                asked.add(LinesWanted(player, since, place))
        # One more, by which it is seen whether a declaration was long before.
        self._fetch_lines = ask_last_lines(tables, sorted(asked), LAST_GAMES + 1)
        self._fetch_declarations = tables.ask_declarations({player for player, _ in sides})

    def fetch(self) -> None:
        """Fetch what was asked for."""
        for place, player, text in self._fetch_lines():
            self._rows.setdefault(player, set()).add((place, text))
        for made in self._fetch_declarations():
            self._declared.setdefault(made.player_id, []).append(made)

    def of(self, game: GameWithLines) -> dict[str, RankChange]:
        """The last change of rank of each of a game's players before it, if it was within the span."""
        place = place_of(game.game)
        changes = ((line.player, self._last(line, place)) for line in game.lines)
        return {player: change for player, change in changes if change is not None}

    def _last(self, line: GoLine, until: TimeKey) -> RankChange | None:
        if self._has_one_rank(line):
            return None
        rank, declared = rank_of(line.before), None
        for event in self._events(line, until):
            if declared is not None and not is_same(event.after, rank):
                return RankChange(moment_of(declared.at), event.after)
            if event.is_game and not is_same(event.before, rank):
                return RankChange(moment_of(event.place.at), event.before)
            declared = None if event.is_game else event.place
        if declared is None:
            return None
        before = self._rank_before(line.player, declared)
        return None if is_same(before, rank) else RankChange(moment_of(declared.at), before)

    def _has_one_rank(self, line: GoLine) -> bool:
        """Whether the player declared none, and had that of the line before and after every game at hand."""
        texts = (text for _, text in self._rows.get(line.player, ()))
        return line.player not in self._declared and has_one_rank(texts, line.before)

    def _events(self, line: GoLine, until: TimeKey) -> list[_Event]:
        """What may have changed the player's rank within the span and the last games, the last first."""
        since = until.at - _SPAN
        games = sorted(each for each in self._rows.get(line.player, ()) if each[0] < until)
        rows = [_event(*each) for each in games[-LAST_GAMES:] if each[0].at > since]
        before = games[-LAST_GAMES - 1][0] if len(games) > LAST_GAMES else AT_FIRST
        counts = until if line.before.kind == PROVISIONAL else _last_provisional(rows)
        declared = (
            _Event(TimeKey(micros(made.at), ""), declared_rank(made), None, False, True)
            for made in self._declared.get(line.player, ())
        )
        made = [each for each in declared if before < each.place < counts and each.place.at > since]
        return sorted([*rows, *made], key=lambda each: each.place, reverse=True)

    def _rank_before(self, player: str, place: TimeKey) -> Rank | None:
        """The rank before a declaration, of a player who did nothing else in the span."""
        seat = unlocked_pool(self._pool).seat_before(player, place)
        earlier = [
            made
            for made in self._declared[player]
            if seat.place < TimeKey(micros(made.at), "") < place and seat.state.kind == PROVISIONAL
        ]
        return declared_rank(earlier[-1]) if earlier else rank_of(seat.state)


def _last_provisional(rows: Iterable[_Event]) -> TimeKey:
    """The place of the last game before which the player was provisional; later declarations are ignored."""
    return max((each.place for each in rows if each.is_provisional), default=AT_FIRST)
