"""Games rated as they end, and rated again from where one came late.

What a game does depends on the states of its two players alone. A game that is later than all that the book
has of both is rated upon their seats. One that is not leads over the later games in order: those of players
whose state has become another are rated again, and a player whose state is what it had been is left in peace.
"""

from __future__ import annotations

from heapq import merge
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.go import PROVISIONAL
from banzuke.desk.live.tables import Kept, Place, Seat, place_of
from banzuke.desk.live.written import after, before, micros, texts_of
from banzuke.rulebooks import pandanet
from banzuke.rulebooks.pandanet_ranks import declared

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from banzuke.core.go import Declaration, GoGame, GoLine, GoState
    from banzuke.ledger.pool import Pool


class Rated(NamedTuple):
    """A game and both its lines, Black's first; as they are kept; and the row that told of it before."""

    place: Place
    game: GoGame
    lines: tuple[GoLine, GoLine]
    texts: tuple[str, str]
    was: Kept | None = None


class Done(NamedTuple):
    """What rating has made: games with their lines in order, and the seats of their players."""

    rated: list[Rated]
    seats: dict[str, Seat]


def is_late(games: Iterable[GoGame], seats: Mapping[str, Seat]) -> bool:
    """Whether one of the games is not later than all that is known of its players."""
    return any(max(seats[game.black].place, seats[game.white].place) >= place_of(game) for game in games)


def rated_on(rules: Pool, games: Iterable[GoGame], seats: Mapping[str, Seat]) -> Done:
    """Games in order, each later than its players' seats."""
    done = Done([], dict(seats))
    for game in games:
        place = place_of(game)
        lines = _rate(rules, game, done.seats[game.black].state, done.seats[game.white].state)
        done.seats.update((line.player, Seat(line.after, place)) for line in lines)
        done.rated.append(Rated(place, game, lines, texts_of(lines)))
    return done


class Again:
    """Rating in the middle of what is there.

    `seats` are those of the players of new games; `later` gives the games that are kept from a place on;
    `seat_before` a player's seat after his last game before a place, declarations of after it left out;
    `declarations` those of some players, in order.
    """

    def __init__(
        self,
        rules: Pool,
        seats: Mapping[str, Seat],
        later: Callable[[Place], Iterator[Kept]],
        seat_before: Callable[[str, Place], Seat],
        declarations: Callable[[Collection[str]], list[Declaration]],
    ) -> None:
        self._rules = rules
        self._seats = seats
        self._later = later
        self._seat_before = seat_before
        self._declarations = declarations
        self._declared: dict[str, list[Declaration]] = {}
        self._now: dict[str, Seat] = {}
        self._passed: dict[str, tuple[str, Place]] = {}
        self._done = Done([], {})

    def rate(self, games: Iterable[GoGame], voided: Iterable[Kept], declared: Iterable[Declaration]) -> Done:
        """Put in games, annul some, and take declarations; everybody's seat who is other for it."""
        fresh = sorted((place_of(game), game) for game in games)
        self._look_up({player for _, game in fresh for player in (game.black, game.white)})
        annulled = {each.place for each in voided}
        sooner = sorted((Place(micros(each.at), ""), each.player_id) for each in declared)
        starts = [
            *(place for place, _ in fresh[:1]),
            *sorted(annulled)[:1],
            *(place for place, _ in sooner[:1]),
        ]
        stored: Iterator[tuple[Place, Kept | GoGame]] = (
            (kept.place, kept) for kept in self._later(min(starts))
        )
        last = max([*(place for place, _ in fresh[-1:]), *annulled, *(place for place, _ in sooner[-1:])])
        for place, found in merge(stored, fresh, key=itemgetter(0)):
            while sooner and sooner[0][0] < place:
                self._wake(*sooner.pop(0))
            if place > last and not self._now:
                return self._done
            if not isinstance(found, Kept):
                self._game(place, found, None)
            elif place in annulled or not self._now.keys().isdisjoint(found.players):
                self._game(place, found.game, found)
            else:
                black, white = found.players
                self._passed[black] = found.black, place
                self._passed[white] = found.white, place
        for each in sooner:
            self._wake(*each)
        self._done.seats.update((player, self._at(player, None)) for player in self._now)
        return self._done

    def _look_up(self, players: Collection[str]) -> None:
        self._declared.update((player, []) for player in players)
        for each in self._declarations(players):
            self._declared[each.player_id].append(each)

    def _wake(self, place: Place, player: str) -> None:
        if player not in self._now:
            self._now[player] = self._seat(player, place)

    def _seat(self, player: str, place: Place) -> Seat:
        """Where a player whom nothing has touched stood before a place."""
        passed, seat = self._passed.get(player), self._seats.get(player)
        if passed is not None:
            return Seat(after(passed[0]), passed[1])
        return seat if seat is not None and seat.place < place else self._seat_before(player, place)

    def _game(self, place: Place, game: GoGame, kept: Kept | None) -> None:
        black = self._before(game.black, place, kept and kept.black)
        white = self._before(game.white, place, kept and kept.white)
        lines = _rate(self._rules, game, black, white)
        texts = texts_of(lines)
        if kept is None or texts != (kept.black, kept.white):
            self._done.rated.append(Rated(place, game, lines, texts, kept))
        for line, was in zip(lines, (kept and kept.black, kept and kept.white), strict=True):
            if was is not None and line.after == after(was):
                self._now.pop(line.player, None)
                self._passed[line.player] = was, place
            else:
                self._now[line.player] = Seat(line.after, place)

    def _before(self, player: str, place: Place, was: str | None) -> GoState:
        if player not in self._now:
            if was is not None:
                return before(was)
            self._now[player] = self._seat(player, place)
        return self._at(player, place).state

    def _at(self, player: str, place: Place | None) -> Seat:
        """The seat of a player with the declarations that he made since, up to a place (None: all)."""
        seat = self._now[player]
        if seat.state.kind != PROVISIONAL:  # nobody else's declarations count
            return seat
        if player not in self._declared:
            self._look_up([player])
        for each in self._declared[player]:
            made = Place(micros(each.at), "")
            if made > seat.place and (place is None or made < place):
                seat = Seat(declared(seat.state, each) or seat.state, made)
        return seat


def _rate(rules: Pool, game: GoGame, black: GoState, white: GoState) -> tuple[GoLine, GoLine]:
    return pandanet.rate(game, black, white, rules.edition_at(game.ended).zone)
