"""A Go pool rated over columns: the files of the readable engine, byte for byte."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, time
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from banzuke.rulebooks.pandanet.columnar import pandanet_twin as pandanet
from banzuke.columnar.batch_columns import MISSING
from banzuke.columnar.go_columns import IN_BC, rank_words, states_of, zones_of
from banzuke.rulebooks.pandanet.columnar.lookup_tables import FIGURES
from banzuke.core.go_facts import HALF_RANKS
from banzuke.engine import go_history, result_rows
from banzuke.table_writer.coded_columns import Column, Numbers, Table
from banzuke.engine.columnar.moment_columns import microseconds
from banzuke.engine.columnar.result_files import go_sheets
from banzuke.engine.rating_run import Summary, silent

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from banzuke.columnar.batch_columns import Int32s
    from banzuke.columnar.go_columns import GoDeclarations, GoGames, GoStates, Rows
    from banzuke.engine.columnar.go_reader import GoColumns
    from banzuke.engine.rating_run import Progress
    from banzuke.ledger.pool_rules import Pool

#: Games rated and written at a time.
STRETCH = 1 << 15

VERDICTS, CLAUSES = (tuple(words) for words in zip(*pandanet.JUDGEMENTS, strict=True))


class Stretch(NamedTuple):
    """Games from row `first` until row `last`, and the declarations that go with them."""

    first: int
    last: int
    games: GoGames
    declarations: GoDeclarations


def rate_go(
    columns: GoColumns,
    stage: Path,
    until: str | None = None,
    progress: Progress = silent,
    *,
    as_parquet: bool = False,
) -> Summary:
    """Write changes and standings into the folder `stage`, and say what was done.

    `progress(done, all, game)` is called between stretches of games. Raises UnknownListError for an `until`
    that is none, and OSError.
    """
    at = go_history.moment(until)
    words = rank_words(columns.opening)
    states = states_of(columns.opening, words, FIGURES.certifying_games)
    zones = zones_in_force(columns.pool)
    verdicts: Counter[str] = Counter()
    ignored, games = 0, len(columns.games.ended)
    with go_sheets(stage, as_parquet=as_parquet) as sheets:
        for stretch in _stretches(columns, at):
            if stretch.last > stretch.first:
                progress(stretch.first, games, columns.game_ids[stretch.first].as_py())
            rated = pandanet.rate(states, stretch.games, stretch.declarations, zones)
            ignored += rated.ignored
            if rated.lines is not None and len(rated.lines):
                _count(rated.lines["judgement"], verdicts)
                sheets.append("changes", change_table(columns, stretch, rated.lines, words))
        sheets.append("standings", standing_table(columns, states, words))
    progress(games, games, "")
    return Summary([], verdicts.total(), verdicts, ignored)


def zones_in_force(pool: Pool) -> Rows:
    """The border-zone tables of the pool's editions; each is in force from its day in UTC."""
    since = [microseconds(datetime.combine(edition.start, time(), UTC)) for edition in pool.editions]
    return zones_of([edition.zone for edition in pool.editions], since)


def _stretches(columns: GoColumns, until: datetime | None) -> Iterator[Stretch]:
    """The games until that moment, in order; declarations after the last game are in the last stretch."""
    ended, at = columns.games.ended, columns.declarations.at
    games, said_last = len(ended), len(at)
    if until is not None:
        moment = microseconds(until)
        games, said_last = (int(np.searchsorted(times, moment, "right")) for times in (ended, at))
    said = 0
    for first in range(0, max(games, 1), STRETCH):
        last = min(first + STRETCH, games)
        before = said
        said = said_last if last == games else int(np.searchsorted(at, ended[last - 1], "right"))
        yield Stretch(
            first, last, columns.games.between(first, last), columns.declarations.between(before, said)
        )


def _count(judgements: Int32s, verdicts: Counter[str]) -> None:
    """The verdicts, in the order in which they first appear."""
    codes, firsts, counts = np.unique(judgements, return_index=True, return_counts=True)
    for place in np.argsort(firsts).tolist():
        verdicts[VERDICTS[codes[place]]] += int(counts[place])


# Rows


def change_table(columns: GoColumns, stretch: Stretch, lines: Rows, ranks: tuple[str, ...]) -> Table:
    """Both lines of every game, Black's first."""
    ids = tuple(columns.game_ids[stretch.first : stretch.last].to_pylist())
    sides = np.column_stack((stretch.games.black, stretch.games.white))
    before = lines["rank"].reshape(-1, 2)
    cells = (
        Column(np.repeat(np.arange(len(ids), dtype=np.int32), 2), ids),
        Column(sides.ravel(), columns.player_ids),
        Column(_other_side(sides), columns.player_ids),
        _said(before.ravel(), ranks),
        _said(_other_side(before), ranks),
        Numbers(_column(lines, "difference"), result_rows.ranks),
        Numbers(_column(lines, "upper")),
        Numbers(_column(lines, "won")),
        Numbers(_column(lines, "points")),
        _said(lines["judgement"], VERDICTS),
        _said(lines["rank_after"], ranks),
        _said(lines["judgement"], CLAUSES),
    )
    return Table(dict(zip(result_rows.GO_CHANGES, cells, strict=True)))


def standing_table(
    columns: GoColumns, states: GoStates, ranks: tuple[str, ...], who: Int32s | None = None
) -> Table:
    """The players of those numbers (None: every one) as they stand."""
    numbered = np.arange(len(columns.player_ids), dtype=np.int32) if who is None else who
    players = states.players[numbered]
    points = np.where(players["rank"] < HALF_RANKS, players["points"], np.int32(MISSING))
    wins = np.where(players["rank"] == IN_BC, players["wins_in_bc"], np.int8(0))
    cells = (
        Column(numbered, columns.player_ids),
        _said(players["rank"], ranks),
        Numbers(points),
        Numbers(_column(players, "rated_games")),
        Numbers(wins.astype(np.int32)),
    )
    return Table(dict(zip(result_rows.GO_STANDINGS, cells, strict=True)))


def _other_side(of_sides: Int32s) -> Int32s:
    """What each side's row says of the other one."""
    return np.ascontiguousarray(of_sides[:, ::-1]).ravel()


def _column(rows: Rows, name: str) -> Int32s:
    return np.ascontiguousarray(rows[name])


def _said(codes: Int32s, words: tuple[str, ...]) -> Column:
    """A column of words of which several codes may say the same one."""
    places, distinct = _distinct(words)
    return Column(places[codes], distinct)


@lru_cache(maxsize=8)
def _distinct(words: tuple[str, ...]) -> tuple[Int32s, tuple[str, ...]]:
    """The words once each, and the place among them of each code's word."""
    distinct = tuple(dict.fromkeys(words))
    place = {word: number for number, word in enumerate(distinct)}
    return np.array([place[word] for word in words], np.int32), distinct
