"""The rankings of a Go server as they are published, each with what ended until its window closed."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Any

from banzuke.core.calendar import Window
from banzuke.core.go_facts import GoLine, GoState
from banzuke.core.month import months_later
from banzuke.engine import result_rows
from banzuke.engine.go_history import GoRun, RatedGame, history, opening
from banzuke.engine.go_ranking import strength
from banzuke.engine.go_windows import by_window, day_of, first_seen, go_names, last_moment, opening_players
from banzuke.engine.list_content import ContentHash
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.ledger.folder import GoLedger
from banzuke.ledger.pool_rules import go_book
from banzuke.office.lists.list_rows import (
    ACTIVE_MONTHS,
    FROM_THE_FIRST,
    CalculatedList,
    LineRow,
    ListStart,
    Row,
    WorkingRow,
    places_by_value,
)

#: Points are kept in hundredths, as every change is.
HUNDREDTHS = 100


class GoRanking(CalculatedList):
    """A ranking of a Go server; `games` are those of its window, `so_far` counts each player's to its end.

    `unseen` are those who have not played or declared anything by then. Who never has is on it, too, as
    nobody knows when they came. So newcomers would change every published ranking, and again with their first
    game: such a ranking is compared with those of the unseen whom it has (`content_for`).
    """

    def __init__(
        self,
        ledger: GoLedger,
        window: Window,
        states: Mapping[str, GoState],
        unseen: Mapping[str, GoState],
        games: list[RatedGame],
    ) -> None:
        edition = ledger.pool.edition_at(last_moment(window.closes))
        super().__init__(window.name, window.published, window.closes, edition)
        self._states = states
        self._unseen = unseen
        self._games = games
        self._names = {player.player_id: player.name for player in ledger.players}
        self.played: dict[str, date] = {}
        self.so_far: dict[str, int] = {}

    @cached_property
    def rows(self) -> list[Row]:
        """Who has come by then, by id; places go from the best certified down, then the provisional."""
        place = places_by_value(map(strength, self._states.values()))
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
        """Both sides of every game of the window, Black's first."""
        sides = [(rated.game.game_id, line) for rated in self._games for line in (rated.black, rated.white)]
        return [_line(number, game_id, line) for number, (game_id, line) in enumerate(sides)]

    @property
    def workings(self) -> Iterator[WorkingRow]:
        """Of everybody with a game in the window: the states before and after each, and the games so far."""
        found: dict[str, dict[str, Any]] = {}
        for rated in self._games:
            for line in (rated.black, rated.white):
                found.setdefault(line.player, {})[rated.game.game_id] = [
                    _state(line.before),
                    _state(line.after),
                ]
        for player, states in sorted(found.items()):
            yield WorkingRow("", player, {"games": self.so_far[player], "states": states})

    def write_content(self, content: ContentHash) -> None:
        """Its standings, and its rows of changes.csv."""
        self._write(content, self._states)

    def content_for(self, listed: Collection[str]) -> ContentHash:
        """What its hash is made of where of the unseen those who are listed are on it, and no others."""
        there = {player: state for player, state in self._states.items() if player not in self._unseen}
        there |= {player: self._unseen[player] for player in self._unseen.keys() & set(listed)}
        content = ContentHash(self.name, self.edition)
        self._write(content, there)
        return content

    def _write(self, content: ContentHash, states: Mapping[str, GoState]) -> None:
        content.add([result_rows.GO_STANDINGS])
        content.add(result_rows.go_standing_row(player, states[player]) for player in sorted(states))
        content.add([result_rows.GO_CHANGES])
        content.add(row for rated in self._games for row in result_rows.go_change_rows(rated))


def _state(state: GoState) -> list[object]:
    """What a working keeps of a state beside the rank: kind, points, rated games, wins as a beginner."""
    return [state.kind, state.points, state.rated_games, state.wins_in_bc]


def _line(position: int, game_id: str, line: GoLine) -> LineRow:
    score = None if line.won is None else 2 * line.won
    points = None if line.points is None else line.points * HUNDREDTHS
    return LineRow(
        position, "", game_id, 0, line.player, line.opponent, score, None, None, line.difference, None,
        None, "", "", points, line.verdict, line.clause,
        line.before.rank, line.opponent_before.rank, line.after.rank, line.upper,
    )  # fmt: skip


def go_lists(
    ledger: GoLedger,
    names: Sequence[str] | None = None,
    progress: Progress = no_progress,
    start: ListStart = FROM_THE_FIRST,
) -> Iterator[GoRanking]:
    """The rankings of those names (a leading run of the pool's; None: all), in order, from the start."""
    wanted = go_names(ledger, None) if names is None else names
    run = opening(ledger) if start.left is None else GoRun(dict(start.left), [])
    windows = [ledger.pool.schedule.window_named(name) for name in wanted]
    after = last_moment(windows[start.passed - 1].closes) if start.passed else None
    firsts, opened = first_seen(ledger), opening_players(ledger)
    played, so_far = dict(start.played), dict(start.games)
    parts, counts = by_window(ledger, windows), go_book(ledger.pool.editions[-1]).counts
    for number, window in enumerate(windows[start.passed :], start.passed):
        progress(number, len(wanted), window.name)
        until = last_moment(window.closes)
        games = list(history(parts[number], run, until, after))
        _note(games, played, so_far, counts)
        states = {player: state for player, state in run.states.items() if firsts.get(player, until) <= until}
        seen = opened | {player for player, first in firsts.items() if first <= until}
        unseen = {player: state for player, state in run.states.items() if player not in seen}
        made = GoRanking(ledger, window, states, unseen, games)
        made.played, made.so_far = dict(played), dict(so_far)
        after = until
        yield made
    progress(len(wanted), len(wanted), "")


def _note(
    games: list[RatedGame],
    played: dict[str, date],
    so_far: dict[str, int],
    counts: Callable[[str, str], bool],
) -> None:
    for rated in games:
        for line in (rated.black, rated.white):
            so_far[line.player] = so_far.get(line.player, 0) + 1
            if counts(line.verdict, line.clause):
                played[line.player] = day_of(rated.game.ended)
