"""Before a game of two Go players: who they are, the regular terms, and what given ones move for each."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from banzuke.core.go_facts import (
    BEGINNERS,
    BLACK,
    HALF_OF,
    WHITE,
    GoGame,
    GoLine,
    GoOpening,
    GoPlayer,
    GoState,
)
from banzuke.core.rulebook import GoBook
from banzuke.database.models import LiveStanding, Pool
from banzuke.ledger.pool_rules import EditionInForce, go_book
from banzuke.office.live import live_ranking
from banzuke.office.live.live_codec import state_from
from banzuke.office.live.players_now import PlayersNow
from banzuke.office.public_names import Person, people

#: As many players are named to choose from.
MOST_NAMED = 5


class SamePlayerError(Exception):
    """White and Black are one player."""


class NoSuchPlayerError(Exception):
    """The pool has no player of that id."""

    def __init__(self, player: str) -> None:
        super().__init__(player)
        self.player = player


class GameTerms(NamedTuple):
    """Who takes which colour, stones, and komi in half points, as Black gives it."""

    black: str
    white: str
    stones: int
    komi: int

    @property
    def is_reverse(self) -> bool:
        """Whether White gives the komi."""
        return self.komi < 0


class ResultForBoth(NamedTuple):
    """What a result does for both."""

    black: GoLine
    white: GoLine


class Terms(NamedTuple):
    """Terms of a game. `regular` is None where one of them has no rank; the stronger takes White.

    `difference` is the size of d in 24ths with the given terms, None without ranks; `upper` is the player who
    is the upper side with them, blank for neither.
    """

    black: GoState
    white: GoState
    regular: GameTerms | None
    given: GameTerms
    difference: int | None
    upper: str
    if_black_wins: ResultForBoth
    if_white_wins: ResultForBoth


def find_terms(
    there: PlayersNow,
    black: str,
    white: str,
    now: datetime,
    stones: int | None = None,
    komi: int | None = None,
) -> Terms:
    """The terms of a game of two players, and what each result would do if the game ended now.

    Stones and komi that are not given are the regular ones, or those of an even game if Black is the stronger
    or a player has no rank.
    Raises SamePlayerError and NoSuchPlayerError.
    """
    if black == white:
        raise SamePlayerError
    for player in (black, white):
        if player not in there.seats:
            raise NoSuchPlayerError(player)
    states = {player: seat.state for player, seat in there.seats.items()}
    edition, robot = there.rules.edition_at(now), there.robots.side(black, white)
    return terms_between(black, white, states, edition, now, stones, komi, robot)


def terms_between(
    black: str,
    white: str,
    states: Mapping[str, GoState],
    edition: EditionInForce,
    now: datetime,
    stones: int | None,
    komi: int | None,
    robot: str = "",
) -> Terms:
    """The terms of two players with these states; what is not given is chosen as in `find_terms`.

    `robot` is the side that a robot plays.
    """
    book = go_book(edition)
    regular = _regular(book, black, white, states)
    usual = regular if regular and regular.white == white else GameTerms(black, white, *book.regular_terms(0))
    given = GameTerms(
        black, white, usual.stones if stones is None else stones, usual.komi if komi is None else komi
    )
    if_black_wins, if_white_wins = (
        ResultForBoth(*book.rate(game, states[black], states[white], edition.zone))
        for game in (_game(book, given, result, now, robot) for result in (BLACK, WHITE))
    )
    line = if_white_wins.white
    upper = "" if line.upper is None else white if line.upper else black
    return Terms(
        states[black], states[white], regular, given, line.difference, upper, if_black_wins, if_white_wins
    )


def _regular(book: GoBook, black: str, white: str, states: Mapping[str, GoState]) -> GameTerms | None:
    """The stronger takes White; of two equal ones, whoever was said to."""
    halves = {player: state.half for player, state in states.items()}
    of_black, of_white = halves[black], halves[white]
    if of_black is None or of_white is None:
        return None
    stones, komi = book.regular_terms(abs(of_white - of_black))
    upper, lower = (white, black) if of_white >= of_black else (black, white)
    return GameTerms(lower, upper, stones, komi)


def _game(book: GoBook, given: GameTerms, result: str, now: datetime, robot: str) -> GoGame:
    """A game of the usual kind on those terms, with a result."""
    usual = book.usual_game
    return GoGame("", now, given.black, given.white, result, given.stones, given.komi, *usual, robot=robot)


# Whom the adviser is asked about: players of the pool, by id or name, or ranks alone


class AdvisedPlayer(NamedTuple):
    """One who is to play: a player with the state, or (`person` None) somebody of a rank."""

    person: Person | None
    state: GoState


class SeveralPlayersError(Exception):
    """More than one player is meant; `some` are the first of them."""

    def __init__(self, some: list[Person]) -> None:
        super().__init__(some)
        self.some = some


def side_of_rank(word: str, number: int, edition: EditionInForce) -> AdvisedPlayer | None:
    """Somebody of that rank (`5k+`, `5k?`, `BC`), certified ones before their rated game of that number.

    None for what is no rank.
    """
    book = go_book(edition)
    if word in HALF_OF:
        opening = GoOpening("", word, number - 1, edition.zone.start[HALF_OF[word]])
        return AdvisedPlayer(None, book.reopened(opening))
    plain = word.removesuffix("?")
    if word == BEGINNERS or (plain in HALF_OF and not plain.endswith("+")):
        return AdvisedPlayer(None, book.entered(GoPlayer("", "", plain)))
    return None


def side_of_player(pool: Pool, typed: str, now: datetime) -> AdvisedPlayer:
    """The player of that id, or the one whose id or name begins so.

    Raises NotLiveError, NoSuchPlayerError and SeveralPlayersError.
    """
    known = LiveStanding.objects.filter(pool=pool, player_id=typed).first()
    if known is not None:
        return AdvisedPlayer(people(pool, [typed])[typed], state_from(known.state))
    rows = live_ranking.page(pool, live_ranking.RankingQuery(typed=typed), now).rows
    exact = [row for row in rows if typed.casefold() == row.person.name.casefold()]
    rows = exact or rows
    if not rows:
        raise NoSuchPlayerError(typed)
    if len(rows) > 1:
        raise SeveralPlayersError([row.person for row in rows[:MOST_NAMED]])
    return AdvisedPlayer(rows[0].person, rows[0].state)
