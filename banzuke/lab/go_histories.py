"""The history of a Go ledger rated by a variant of its rules, and its findings, by which variants compare.

Findings are small, and numbers alone: a row for each player at the end, each certification, each year (of
UTC) and each verdict. Ranks are numbers as in `columnar.go_columns`, differences of ranks in ranks.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from banzuke.columnar.batch_columns import Flags
from banzuke.columnar.go_columns import NO_LINE, GoGames, Rows
from banzuke.columnar.twin import twin_of
from banzuke.core.go_facts import HALF_RANKS
from banzuke.engine import go_history
from banzuke.engine.columnar.go_columnar_history import RunningGoHistory
from banzuke.engine.columnar.go_reader import A_DAY, GoColumns
from banzuke.engine.parallel_runs import Findings
from banzuke.lab.chess_histories import FindingRow, count_mean, drift_cells
from banzuke.lab.encounters import MONDAY, WEEK
from banzuke.lab.sheets import header_of
from banzuke.lab.synthetic_go_pools import VALUES
from banzuke.lab.true_expectation import Floats
from banzuke.lab.variants import Variant, pool_of
from banzuke.ledger.pool_rules import go_book

#: The columns of the findings, by name.
COLUMNS = {
    "final": ("player", "rank", "points", "games"),
    "firsts": ("year", "player", "half", "thought"),
    "years": header_of("inflation_ranks")[1:],
    "verdicts": ("judgement", "lines"),
}


class Year(NamedTuple):
    """A year's games with their LINEs, and the PLAYERs before and after it."""

    year: int
    games: GoGames
    lines: Rows
    before: Rows
    after: Rows


def open_history(columns: GoColumns, variant: Variant) -> RunningGoHistory:
    """A ledger before its first game, to be rated as a variant says.

    Where the variant has another border-zone table, the opening points stand as far from those that their
    rank starts with as its zone allows, so that everybody opens at their own rank.
    """
    changed = pool_of(columns.pool, variant)
    past = RunningGoHistory(columns._replace(pool=changed))
    own, other = (pool.editions[0].zone for pool in (columns.pool, changed))
    if own[:3] != other[:3]:
        players, up = past.states.players, [NO_LINE if line is None else line for line in other.up]
        certified = np.flatnonzero(players["rank"] < HALF_RANKS)
        half, points = (players[name][certified] for name in ("rank", "points"))
        moved = points - np.array(own.start)[half] + np.array(other.start)[half]
        players["points"][certified] = np.clip(moved, np.array(other.down)[half] + 1, np.array(up)[half] - 1)
    return past


def rated_years(columns: GoColumns, variant: Variant, until: str | None = None) -> Iterator[Year]:
    """The years that have games, as a variant rates them, one after another.

    Declarations since the last games of a year go with the next one; those after the last games, with them.
    Raises UnknownListError for an `until` that is no moment.
    """
    past = open_history(columns, variant)
    games, declarations = past.rows_until(go_history.moment(until))
    ended, at = columns.games.ended[:games], columns.declarations.at[:declarations]
    years = ended.astype("datetime64[us]").astype("datetime64[Y]").astype(np.int64) + 1970
    found, first = np.unique(years, return_index=True)
    declared = np.searchsorted(at, ended[first[1:]], "right").tolist()
    last = [*zip(first[1:].tolist(), declared, strict=True), (games, declarations)]
    for year, rows in zip(found.tolist(), last, strict=False):  # without a game there is no year
        before = past.states.players.copy()
        stretch, rated = past.rate(*rows)
        if rated.lines is not None:
            yield Year(year, stretch.games, rated.lines, before, past.states.players.copy())


def findings(columns: GoColumns, variant: Variant, until: str | None = None) -> Findings:
    """The findings of a ledger rated by a variant: arrays of the columns in COLUMNS."""
    twin = twin_of(go_book(columns.pool.editions[0]))
    years, firsts, counts = [], [np.zeros((0, 4))], np.zeros(len(twin.judgements), np.int64)
    players = open_history(columns, variant).states.players
    for year in rated_years(columns, variant, until):
        years.append(_year_row(year, twin.forecasts.rated))
        firsts.append(_first_rows(year))
        counts += np.bincount(year.lines["judgement"], minlength=len(counts))
        players = year.after
    final = np.arange(len(players)), *(players[name] for name in ("rank", "points", "rated_games"))
    return {
        "final": np.column_stack(final).astype(np.float64),
        "firsts": np.concatenate(firsts),
        "years": np.array(years, np.float64).reshape(len(years), len(COLUMNS["years"])),
        "verdicts": np.column_stack([np.flatnonzero(counts), counts[counts > 0]]).astype(np.float64),
    }


def _first_rows(year: Year) -> Floats:
    """Who is certified for the first time, at which half rank, and the provisional one before it."""
    rank, after = year.lines["rank"], year.lines["rank_after"]
    rows = np.flatnonzero((rank >= HALF_RANKS) & (rank < 2 * HALF_RANKS) & (after < HALF_RANKS))
    players = np.column_stack([year.games.black, year.games.white]).ravel()[rows]
    columns = np.full(len(rows), year.year), players, after[rows], rank[rows] - HALF_RANKS
    return np.column_stack(columns).astype(np.float64)


def _year_row(year: Year, rated: tuple[int, ...]) -> FindingRow:
    """The year: those certified before it and after it, and how far those moved who were both."""
    (was, old), (is_now, new) = (_certified_ranks(players) for players in (year.before, year.after))
    played = was & is_now & (year.after["rated_games"] > year.before["rated_games"])
    points = year.after["points"].astype(np.float64) - year.before["points"]
    entered = is_now & ~was
    rank, after = year.lines["rank"], year.lines["rank_after"]
    both = (rank < HALF_RANKS) & (after < HALF_RANKS)
    is_rated = np.isin(year.lines["judgement"], rated)
    sides = np.stack([year.games.black, year.games.white])
    moves = np.where(both, VALUES[after % HALF_RANKS] - VALUES[rank % HALF_RANKS], 0).reshape(-1, 2).T
    weeks = (year.games.ended // A_DAY + MONDAY) // WEEK
    drift = drift_cells(np.where(played, new - old, 0), played, weeks, sides, moves)
    return (
        year.year, *count_mean(old, was), *count_mean(new, is_now), *drift,
        count_mean(points, played)[1], *count_mean(new, entered),
        int(is_rated.sum()), int((both & (after > rank)).sum()), int((both & (after < rank)).sum()),
    )  # fmt: skip


def _certified_ranks(players: Rows) -> tuple[Flags, Floats]:
    """Who is certified, and their rank's value in ranks; not a number for the others."""
    is_certified: Flags = players["rank"] < HALF_RANKS
    return is_certified, np.where(is_certified, VALUES[np.where(is_certified, players["rank"], 0)], np.nan)
