"""Games rated as they end, and rated again where one came late.

What a game does depends on the states of its two players alone. A game that is later than all that the book
has of both is rated on their seats. For one that is not, the later games of its players follow in order:
the games of each player whose state has changed are rated again, until it is what it had been.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import count, islice
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from banzuke.core.go_facts import CERTIFIED, PROFESSIONAL, Declaration, GoGame, GoLine, GoState
from banzuke.ledger.pool_rules import Pool, go_book
from banzuke.office.live.live_codec import micros, state_after, state_before, texts_of
from banzuke.office.live.live_rows import Brief, Seat, StoredGame, TimeKey, place_of
from banzuke.office.live.live_tables import LiveTables

#: A game with its place.
PlacedGame = tuple[TimeKey, GoGame]


class RemovedEvent(NamedTuple):
    """That something of a player is gone from a place: what came before it holds there."""

    place: TimeKey
    player: str


#: What comes in order of time: a new game, a declaration, a game that is there, or that one is gone.
TimedEvent = GoGame | Declaration | StoredGame | RemovedEvent
#: At most so many stored games are read at once, or so many for each player: enough for games a little late.
MOST_READ, READ_FOR_EACH = 1_000, 25
_PLACE = attrgetter("place")


class GameRating(NamedTuple):
    """A game with both its lines (Black's first), their texts, and the row that it replaces."""

    place: TimeKey
    game: GoGame
    lines: tuple[GoLine, GoLine]
    texts: tuple[str, str]
    was: StoredGame | None = None


class RatingResult(NamedTuple):
    """The games with their lines, in order, and the seats of their players."""

    rated: list[GameRating]
    seats: dict[str, Seat]


def place_of_first_late(games: Iterable[PlacedGame], seats: Mapping[str, Seat]) -> TimeKey | None:
    """The place of the first of the games, in order, that is late: not after all there is of its players."""
    return next((place for place, game in games if _is_late(place, game.black, game.white, seats)), None)


def _is_late(place: TimeKey, black: str, white: str, seats: Mapping[str, Seat]) -> bool:
    return seats[black].place >= place or seats[white].place >= place


class SplitGames(NamedTuple):
    """New games that can be rated on their players' seats, those that cannot, and what these touch.

    `touched` holds the numbers of games that are there.
    """

    free: list[PlacedGame]
    late: list[GoGame]
    touched: list[int]


def split_games(
    games: Iterable[PlacedGame], seats: Mapping[str, Seat], stored: Iterable[Brief]
) -> SplitGames:
    """Split new games into those that can be rated on their players' seats and those that cannot.

    A late game may change the states of its players, so each of their later games is touched too, and through
    it their opponents. `stored` are the stored games from the first late one on.
    """
    coming: list[tuple[Any, str, str, GoGame | int]] = [
        (place, game.black, game.white, game) for place, game in games
    ]
    coming += stored
    touched: set[str] = set()
    found = SplitGames([], [], [])
    for place, black, white, game in sorted(coming, key=itemgetter(0)):
        is_touched = black in touched or white in touched
        if isinstance(game, int):
            if is_touched:
                found.touched.append(game)
        elif is_touched or _is_late(place, black, white, seats):
            is_touched = True
            found.late.append(game)
        else:
            found.free.append((place, game))
        if is_touched:
            touched.update((black, white))
    return found


def rate_on_seats(rules: Pool, games: Sequence[PlacedGame], seats: Mapping[str, Seat]) -> RatingResult:
    """Games in order, each later than its players' seats."""
    now: dict[str, Seat] = {}
    rated: list[GameRating] = []
    for place, game in games:
        black, white = game.black, game.white
        lines = _rate(
            rules, game, (now.get(black) or seats[black]).state, (now.get(white) or seats[white]).state
        )
        now[black], now[white] = Seat(lines[0].after, place), Seat(lines[1].after, place)
        rated.append(GameRating(place, game, lines, texts_of(lines)))
    return RatingResult(rated, now)


class Rerating:
    """Rates late games, annulments and declarations, and again every later game that they change.

    `seats` are those of the players of new games; `later` gives a player's games that are kept after a place,
    in order; `seat_before` the seat after the last game before a place, declarations of after it left out;
    `declarations` those of some players, in order. The cost grows only with the games of
    players whose state changes. `voided` games are to be read as what they have become.
    """

    def __init__(
        self,
        rules: Pool,
        seats: Mapping[str, Seat],
        later: Callable[[str, TimeKey], Iterator[StoredGame]],
        seat_before: Callable[[str, TimeKey], Seat],
        declarations: Callable[[Collection[str]], list[Declaration]],
    ) -> None:
        self._rules = rules
        self._seats = seats
        self._later = later
        self._seat_before = seat_before
        self._declarations = declarations
        self._declared: dict[str, list[Declaration]] = {}
        self._removed: dict[str, list[TimeKey]] = {}
        self._now: dict[str, Seat] = {}
        self._games: dict[str, Iterator[StoredGame]] = {}
        self._numbers = count()
        self._coming: list[tuple[TimeKey, int, str, TimedEvent]] = []
        self._done = RatingResult([], {})

    def rate(
        self,
        games: Iterable[GoGame],
        voided: Iterable[StoredGame],
        declared: Iterable[Declaration],
        removed: Iterable[RemovedEvent] = (),
    ) -> RatingResult:
        """Rate new games, annulled ones and declarations, and what was removed.

        The seats are those of all whom they change.
        """
        fresh, annulled = list(games), {each.place: each for each in voided}
        self._look_up({player for game in fresh for player in (game.black, game.white)})
        for game in fresh:
            self._add(place_of(game), game)
        for place, stored in annulled.items():
            self._add(place, stored)
        for each in declared:
            self._add(TimeKey(micros(each.at), ""), each)
        for gone in removed:
            self._removed.setdefault(gone.player, []).append(gone.place)
            self._add(gone.place, gone)
        last = None
        while self._coming:
            place, _, player, found = heappop(self._coming)
            # a game of two who are touched comes twice
            if place != last or not place.game_id or isinstance(found, RemovedEvent):
                self._take(place, found, is_annulled=place in annulled)
            last = place
            self._follow(player)
        self._done.seats.update(
            (player, self._declared_since(player, seat, None)) for player, seat in self._now.items()
        )
        return self._done

    def _declarations_of(self, player: str) -> list[Declaration]:
        if player not in self._declared:
            self._look_up([player])
        return self._declared[player]

    def _add(self, place: TimeKey, found: TimedEvent, player: str = "") -> None:
        heappush(self._coming, (place, next(self._numbers), player, found))

    def _take(self, place: TimeKey, found: TimedEvent, *, is_annulled: bool) -> None:
        if isinstance(found, StoredGame):
            if is_annulled or not self._now.keys().isdisjoint(found.players):
                self._game(place, found.game, found)
        elif isinstance(found, RemovedEvent):
            if found.player not in self._now:
                self._touch(place, self._seat_before(found.player, place), found.player)
        elif isinstance(found, Declaration):
            if found.player_id not in self._now:
                self._touch(place, self._seat(found.player_id, place), found.player_id)
        else:
            self._game(place, found, None)

    def _touch(self, place: TimeKey, seat: Seat, player: str) -> None:
        """Note that a player's state has changed; their later games are rated in turn."""
        is_new = player not in self._now
        self._now[player] = seat
        if is_new:
            self._games[player] = iter(()) if self._is_last(player, place) else self._later(player, place)
            self._follow(player)

    def _is_last(self, player: str, place: TimeKey) -> bool:
        """Whether there is nothing of a player after a place."""
        return player in self._seats and self._seats[player].place < place

    def _follow(self, player: str) -> None:
        """Queue the next game of a player whose state has changed."""
        if player in self._now and (stored := next(self._games[player], None)) is not None:
            self._add(stored.place, stored, player)

    def _look_up(self, players: Collection[str]) -> None:
        self._declared.update((player, []) for player in players)
        for each in self._declarations(players):
            self._declared[each.player_id].append(each)

    def _seat(self, player: str, place: TimeKey) -> Seat:
        """Where an untouched player stood before a place: the next game says it, if any."""
        if self._is_last(player, place):
            return self._seats[player]
        stored = next(self._later(player, place), None)
        if stored is None or self._is_changed(player, place, stored.place):
            return self._seat_before(player, place)
        return Seat(state_before(stored.text_of(player)), place)

    def _is_changed(self, player: str, since: TimeKey, until: TimeKey) -> bool:
        """Whether something between two of a player's games counts that is no game, or is gone."""
        declared = (TimeKey(micros(each.at), "") for each in self._declarations_of(player))
        return any(since <= place < until for place in (*declared, *self._removed.get(player, ())))

    def _game(self, place: TimeKey, game: GoGame, stored: StoredGame | None) -> None:
        black = self._before(game.black, place, stored and stored.black)
        white = self._before(game.white, place, stored and stored.white)
        lines = _rate(self._rules, game, black, white)
        texts = texts_of(lines)
        if stored is None or texts != (stored.black, stored.white):
            self._done.rated.append(GameRating(place, game, lines, texts, stored))
        for line, was in zip(lines, (stored and stored.black, stored and stored.white), strict=True):
            if was is not None and line.after == state_after(was):
                self._now.pop(line.player, None)
            else:
                self._touch(place, Seat(line.after, place), line.player)

    def _before(self, player: str, place: TimeKey, was: str | None) -> GoState:
        if player not in self._now and was is not None:
            return state_before(was)
        return self._declared_since(player, self._now.get(player) or self._seat(player, place), place).state

    def _declared_since(self, player: str, seat: Seat, place: TimeKey | None) -> Seat:
        """A seat with the declarations that its player made since, up to a place (None: all)."""
        if seat.state.kind in (CERTIFIED, PROFESSIONAL):  # who will never be provisional again
            return seat
        for each in self._declarations_of(player):
            made = TimeKey(micros(each.at), "")
            if made > seat.place and (place is None or made < place):
                book = go_book(self._rules.edition_at(each.at))
                seat = Seat(book.declared(seat.state, each) or seat.state, made)
        return seat


def _rate(rules: Pool, game: GoGame, black: GoState, white: GoState) -> tuple[GoLine, GoLine]:
    edition = rules.edition_at(game.ended)
    return go_book(edition).rate(game, black, white, edition.zone)


def group_by_player(games: Iterable[StoredGame]) -> Callable[[str, TimeKey], Iterator[StoredGame]]:
    """What gives a player's games after a place; these games, in order, are all that are asked for."""
    few: dict[str, list[StoredGame]] = {}
    for stored in games:
        for player in stored.players:
            few.setdefault(player, []).append(stored)

    def of(player: str, place: TimeKey) -> Iterator[StoredGame]:
        found = few.get(player, [])
        return islice(found, bisect_right(found, place, key=_PLACE), None)

    return of


def most_read_at_once(players: int) -> int:
    """How many games are read at once where so many players are at hand."""
    return max(MOST_READ, players * READ_FOR_EACH)


class LaterGames:
    """The stored games of players, asked for in order of time: none from before the first question.

    How many players are at hand (`players`) says how much is read at once.
    """

    def __init__(self, tables: LiveTables, players: int) -> None:
        self._tables = tables
        self._most = most_read_at_once(players)
        self._of: Callable[[str, TimeKey], Iterator[StoredGame]] | None = None

    def of(self, player: str, place: TimeKey) -> Iterator[StoredGame]:
        """A player's games after a place, in order."""
        if self._of is None:
            games = self._tables.games_from(place, self._most)
            self._of = group_by_player(games) if len(games) < self._most else self._tables.games_of_player
        return self._of(player, place)
