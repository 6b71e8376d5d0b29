"""The rankings of a Go server as they are published: one at the beginning of each month.

The ranking `2025-03` is published on 1 March 2025 and holds what ended before that day began in UTC, by which
the server's editions go too.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from banzuke.core.month import Month, month_of, months_later, parse_month
from banzuke.engine import result_rows
from banzuke.engine.go_history import GoRun, games_until, history, opening
from banzuke.engine.go_ranking import strength
from banzuke.engine.history import UnknownListError
from banzuke.engine.rating_run import silent
from banzuke.office.lists.list_content import Content
from banzuke.office.lists.list_rows import ACTIVE_MONTHS, LineRow, Row, WorkingRow, places
from banzuke.rulebooks.pandanet import pandanet

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from banzuke.core.go_facts import GoLine, GoState
    from banzuke.engine.go_history import RatedGame, States
    from banzuke.engine.rating_run import Progress
    from banzuke.ledger.folder import GoLedger
    from banzuke.ledger.pool_rules import EditionInForce

#: Points are kept in hundredths, as every change is.
HUNDREDTHS = 100


class GoStart(NamedTuple):
    """After how many rankings the making of rankings begins, and what these left; None: as the pool opens.

    `played` is the last day of a game that counted, `so_far` the number of games, of everybody who had one.
    """

    passed: int
    states: States | None
    played: dict[str, date]
    so_far: dict[str, int]


FROM_THE_OPENING = GoStart(0, None, {}, {})


def list_of(moment: datetime) -> Month:
    """The ranking that holds what ended at that moment."""
    return month_of(moment.astimezone(UTC).date()).plus(1)


def last_moment(of: Month) -> datetime:
    """The last moment that a month's ranking holds."""
    return datetime.combine(of.first_day, time(), UTC) - timedelta(microseconds=1)


def go_names(ledger: GoLedger, until: str | None) -> list[str]:
    """The rankings that the server's games make. Raises UnknownListError for an `until` that is no month."""
    if not ledger.games:
        return []
    moments = [game.ended for game in ledger.games]
    of, last = list_of(min(moments)), list_of(max(moments))
    if until is not None:
        try:
            last = parse_month(until)
        except ValueError:
            raise UnknownListError(until, "YYYY-MM") from None
    names = []
    while of <= last:
        names.append(str(of))
        of = of.plus(1)
    return names


class GoList:
    """A ranking that was made; `games` are those of its month, `so_far` counts each player's to its end."""

    def __init__(
        self, ledger: GoLedger, name: str, states: Mapping[str, GoState], games: list[RatedGame]
    ) -> None:
        self._states = states
        self._games = games
        self._names = {player.player_id: player.name for player in ledger.players}
        self.played: dict[str, date] = {}
        self.so_far: dict[str, int] = {}
        self.name = name
        self.day: date = parse_month(name).first_day
        self.closes: date = self.day - timedelta(days=1)
        self.edition: EditionInForce = ledger.pool.edition_at(last_moment(parse_month(name)))

    @cached_property
    def rows(self) -> list[Row]:
        """Who has come by then, by id; places go from the best certified down, then the provisional."""
        place = places(map(strength, self._states.values()))
        return [
            self._row(player, self._states[player], place[strength(self._states[player])])
            for player in sorted(self._states)
        ]

    def _row(self, player: str, state: GoState, place: int) -> Row:
        row: Any = result_rows.go_standing_row(player, state)
        _, rank, points, rated_games, wins = row
        since = months_later(self.day, -ACTIVE_MONTHS)
        return Row(
            "", place, player, self._names[player], "", "", "", "", self.played.get(player, since) > since,
            points, rated_games, None, None, state.kind, None, rank, wins,
        )  # fmt: skip

    @cached_property
    def lines(self) -> list[LineRow]:
        """Both sides of every game of the month, Black's first."""
        sides = [(rated.game.game_id, line) for rated in self._games for line in (rated.black, rated.white)]
        return [_line(number, game_id, line) for number, (game_id, line) in enumerate(sides)]

    @property
    def workings(self) -> Iterator[WorkingRow]:
        """Of everybody with a game in the month: the states before and after each, and the games so far."""
        found: dict[str, dict[str, Any]] = {}
        for rated in self._games:
            for line in (rated.black, rated.white):
                found.setdefault(line.player, {})[rated.game.game_id] = [
                    _state(line.before),
                    _state(line.after),
                ]
        for player, states in sorted(found.items()):
            yield WorkingRow("", player, {"games": self.so_far[player], "states": states})

    @cached_property
    def _content(self) -> Content:
        content = Content(self.name, self.edition)
        content.add([result_rows.GO_STANDINGS])
        content.add(
            result_rows.go_standing_row(player, self._states[player]) for player in sorted(self._states)
        )
        content.add([result_rows.GO_CHANGES])
        content.add(row for rated in self._games for row in result_rows.go_change_rows(rated))
        return content

    def content_sha256(self, entry: int) -> str:
        """The hash of its content, made from the book as of that entry."""
        return self._content.sha256(entry)


def _state(state: GoState) -> list[object]:
    """What is told of a state beside its rank: kind, points, rated games, wins in the beginners' class."""
    return [state.kind, state.points, state.rated_games, state.wins_in_bc]


def _line(position: int, game_id: str, line: GoLine) -> LineRow:
    score = None if line.won is None else 2 * line.won
    points = None if line.points is None else line.points * HUNDREDTHS
    return LineRow(
        position, "", game_id, 0, line.player, line.opponent, score, None, None, line.difference, None,
        None, "", "", points, line.verdict, line.clause,
        line.before.rank, line.opponent_before.rank, line.after.rank, line.upper,
    )  # fmt: skip


def counted(line: GoLine) -> bool:
    """Whether the game did something for this side."""
    return is_counted(line.verdict, line.clause)


def is_counted(verdict: str, clause: str) -> bool:
    """Whether by these a game did something for a side."""
    return not verdict.startswith(pandanet.NOT) or clause == pandanet.WIN_IN_BC


def go_lists(
    ledger: GoLedger,
    names: Sequence[str] | None = None,
    progress: Progress = silent,
    start: GoStart = FROM_THE_OPENING,
) -> Iterator[GoList]:
    """The rankings of those names (a leading run of the pool's; None: all), in order, from the start."""
    wanted = go_names(ledger, None) if names is None else names
    run = opening(ledger) if start.states is None else GoRun(dict(start.states), [])
    after = last_moment(parse_month(wanted[start.passed - 1])) if start.passed else None
    firsts, played, so_far = _firsts(ledger), dict(start.played), dict(start.so_far)
    months = _by_month(ledger, wanted)
    for number, name in enumerate(wanted[start.passed :], start.passed):
        progress(number, len(wanted), name)
        until = last_moment(parse_month(name))
        games = list(history(months[number], run, until, after))
        _note(games, played, so_far)
        states = {player: state for player, state in run.states.items() if firsts.get(player, until) <= until}
        made = GoList(ledger, name, states, games)
        made.played, made.so_far = dict(played), dict(so_far)
        after = until
        yield made
    progress(len(wanted), len(wanted), "")


def _by_month(ledger: GoLedger, names: Sequence[str]) -> list[GoLedger]:
    """The ledger with the games of each of those rankings, so that no game is looked at for every month."""
    games, found, first = games_until(ledger, None), [], 0
    for name in names:
        last = bisect_right(games, last_moment(parse_month(name)), key=attrgetter("ended"))
        found.append(replace(ledger, games=games[first:last]))
        first = last
    return found


def _firsts(ledger: GoLedger) -> dict[str, datetime]:
    """When somebody was first seen, of all with whom the server did not open; who never was is left out.

    Who comes later is not on the rankings of before, so that those published stay as they are.
    """
    moments = [(player, game.ended) for game in ledger.games for player in (game.black, game.white)]
    moments += [(declaration.player_id, declaration.at) for declaration in ledger.declarations]
    opened = {row.player_id for row in ledger.standings}
    firsts: dict[str, datetime] = {}
    for player, moment in moments:
        if player not in opened:
            firsts[player] = min(moment, firsts.get(player, moment))
    return firsts


def _note(games: list[RatedGame], played: dict[str, date], so_far: dict[str, int]) -> None:
    for rated in games:
        for line in (rated.black, rated.white):
            so_far[line.player] = so_far.get(line.player, 0) + 1
            if counted(line):
                played[line.player] = rated.game.ended.astimezone(UTC).date()
