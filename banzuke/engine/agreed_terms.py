"""Games on terms that were not regular by the ranks when they ended, but by those of shortly before.

Nobody says when a game began. So beside the rank that a player had when it ended, the rank before the last
change of it counts, if that change (by a game or a declaration) was less than a day before the end, and the
player had ended no more than five games since, that one included.
"""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple, Protocol

from banzuke.core.go_facts import HALF_OF, HALF_RANKS, PROVISIONAL, Declaration, GoGame, GoLine
from banzuke.core.rating import RATED
from banzuke.core.rulebook import GoBook
from banzuke.engine.go_history import RatedGame, States

#: How long before the end of a game a change of rank may have come into it.
SPAN = timedelta(days=1)
#: By which of the player's last games at the most.
LAST_GAMES = 5


class Rank(NamedTuple):
    """A rank: the half rank, and as it is written."""

    half: int
    written: str


class RankChange(NamedTuple):
    """When a player's rank changed, and the rank before that (None: the player had none)."""

    at: datetime
    before: Rank | None


class RanksBefore(NamedTuple):
    """The ranks of Black and White by which the terms of a game were regular, as they are written."""

    black: str
    white: str


class HasRank(Protocol):
    """What has a rank: a state, or the first of its cells."""

    @property
    def rank(self) -> str:
        """As it is written."""

    @property
    def half(self) -> int | None:
        """The half rank."""


def rank_of(state: HasRank) -> Rank | None:
    """The rank of a state; None for one without."""
    return None if state.half is None else Rank(state.half, state.rank)


def declared_rank(declaration: Declaration) -> Rank:
    """The rank that a player has after a declaration."""
    return Rank(HALF_OF[declaration.rank], f"{declaration.rank}?")


def is_same(one: Rank | None, other: Rank | None) -> bool:
    """Whether two ranks are one for the terms of a game; certified or not makes no difference."""
    return (one and one.half) == (other and other.half)


def may_be_regular_before(book: GoBook, game: GoGame, lines: tuple[GoLine, GoLine]) -> bool:
    """Whether a game's terms are not regular by the states when it ended, but would be by other ranks.

    Only a game that is rated for a side, or is not because of the difference, is asked about.
    """
    black, white = lines[0].before.half, lines[1].before.half
    return (
        black is not None
        and white is not None
        and any(line.verdict == RATED or line.clause == book.cites["difference"] for line in lines)
        and not _is_regular(book, game, black, white)
        and _terms(game) in _every_regular(book.regular_terms)
    )


def ranks_before(
    book: GoBook, game: GoGame, lines: tuple[GoLine, GoLine], change_of: Callable[[str], RankChange | None]
) -> RanksBefore | None:
    """The earlier ranks by which the terms were regular; None if they are regular, or were not.

    `change_of` gives the last change of a player's rank before the game's end. Black's earlier rank alone is
    tried first, then White's alone, then both.
    """
    if not may_be_regular_before(book, game, lines):
        return None
    now = rank_of(lines[0].before), rank_of(lines[1].before)
    before = tuple(_within_span(game, change_of(player)) for player in (game.black, game.white))
    for one, other in ((before[0], now[1]), (now[0], before[1]), before):
        if one and other and _is_regular(book, game, one.half, other.half):
            return RanksBefore(one.written, other.written)
    return None


def _within_span(game: GoGame, change: RankChange | None) -> Rank | None:
    return change.before if change and game.ended - change.at < SPAN else None


def _is_regular(book: GoBook, game: GoGame, black: int, white: int) -> bool:
    """Whether the terms are the regular ones, by which the stronger takes White."""
    return white >= black and _terms(game) == book.regular_terms(white - black)


def _terms(game: GoGame) -> tuple[int, int]:
    """Stones and komi; one stone is none."""
    return game.handicap if game.handicap > 1 else 0, game.komi


@cache
def _every_regular(regular_terms: Callable[[int], tuple[int, int]]) -> frozenset[tuple[int, int]]:
    return frozenset(map(regular_terms, range(HALF_RANKS)))


class RankChanges:
    """The last change of each player's rank in a history, which is told of its games one by one."""

    def __init__(self, states: States, declarations: Iterable[Declaration]) -> None:
        self._ranks = {player: rank_of(state) for player, state in states.items()}
        self._changes: dict[str, tuple[RankChange, int]] = {}
        self._games: dict[str, int] = {}
        self._declared: dict[str, list[Declaration]] = {}
        for each in sorted(declarations, key=lambda one: one.at, reverse=True):
            self._declared.setdefault(each.player_id, []).append(each)

    def ranks_before(self, book: GoBook, rated: RatedGame) -> RanksBefore | None:
        """The earlier ranks by which the game's terms were regular (None: there are none); takes it in."""
        lines = rated.black, rated.white
        for line in lines:
            self._declare(line, rated.game.ended)
        found = ranks_before(book, rated.game, lines, self._last_change)
        for line in lines:
            self._note(line.player, rank_of(line.after), rated.game.ended)
            self._games[line.player] = self._games.get(line.player, 0) + 1
        return found

    def _last_change(self, player: str) -> RankChange | None:
        change, before = self._changes.get(player, (None, 0))
        return change if self._games.get(player, 0) - before <= LAST_GAMES else None

    def _declare(self, line: GoLine, until: datetime) -> None:
        """Take in what a player has declared by then; what was ignored is left out."""
        declared = self._declared.get(line.player, [])
        while declared and declared[-1].at <= until:
            each = declared.pop()
            if line.before.kind == PROVISIONAL:
                self._note(line.player, declared_rank(each), each.at)

    def _note(self, player: str, rank: Rank | None, at: datetime) -> None:
        if not is_same(rank, self._ranks[player]):
            change = RankChange(at, self._ranks[player])
            self._changes[player] = change, self._games.get(player, 0)
        self._ranks[player] = rank
