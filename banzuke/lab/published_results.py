"""The first exhibit: results that a federation published by rating gap, beside what its table expects.

The file has a row for each gap, such as `100~200`, and how often the higher rated player won, drew and lost.
"""

import csv
import math
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from banzuke.core.fault import Fault, RefusedError, fault, refuse_any
from banzuke.lab.prediction import CALIBRATION
from banzuke.lab.sheets import Cell, Sheet, note, sheet_of
from banzuke.lab.true_expectation import printed_table

#: A gap as such files write it: 100~200, 100-200, 100 to 200.
GAP = re.compile(r"\s*(\d+)\s*(?:[~〜～–—-]|to)\s*(\d+)\s*")
#: Of fewer games no interval is given: scores are too coarse for a normal one.
FEWEST_GAMES = 30
#: Standard errors to each side of a mean in an interval of 95 %.
SIDES = 1.96


class GapResults(NamedTuple):
    """How games of players so far apart ended, seen from the higher rated one."""

    gap_from: int
    gap_to: int
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """How many."""
        return self.wins + self.draws + self.losses


#: The difference beyond which books count no more.
MOST_COUNTED = 400


def read_published(path: Path) -> list[GapResults]:
    """The rows of such a file (CSV, UTF-8, one line of headings).

    Raises RefusedError with every line that is none, and OSError.
    """
    faults: list[Fault] = []
    try:
        rows = list(csv.reader(path.read_text("utf-8-sig").splitlines()))[1:]
    except (UnicodeDecodeError, csv.Error):
        raise RefusedError([fault(str(path), 0, "", "lab-published-text")]) from None
    found = [_row(row, number, str(path), faults) for number, row in enumerate(rows, 2) if any(row)]
    if not found:
        faults.append(fault(str(path), 0, "", "lab-published-empty"))
    refuse_any(faults)
    return [row for row in found if row is not None]


def _row(row: list[str], line: int, file: str, faults: list[Fault]) -> GapResults | None:
    gap = GAP.fullmatch(row[0])
    counts = [cell.strip() for cell in row[1:]]
    are_numbers = all(count.isascii() and count.isdecimal() for count in counts)
    if gap and int(gap[1]) < int(gap[2]) and are_numbers and len(counts) == len(("wins", "draws", "losses")):
        return GapResults(int(gap[1]), int(gap[2]), *map(int, counts))
    faults.append(fault(file, line, "", "lab-published-row"))
    return None


def published_sheet(rows: list[GapResults]) -> Sheet:
    """The exhibit: for each gap with games, what the table expects of the favourite, and their score.

    `table` is the mean of the table over the gap's differences, each taken as often as any other (the file
    does not say how they lie); `counted` the same with differences beyond 400 counted as 400, as the rules
    have it. The interval holds the mean of the scores in 95 % of samples, the games taken as independent.
    """
    played = [row for row in rows if row.games]
    games = sum(row.games for row in played)
    even = sum(row.games * _mean_expected(row, MOST_COUNTED) for row in played) / games if games else math.nan
    scored = sum(row.wins + row.draws / 2 for row in played) / games if games else math.nan
    notes = (note("published-games", games=f"{games:,}", counted=f"{even:.3f}", scored=f"{scored:.3f}"),)
    return sheet_of("published", "published", CALIBRATION[1:], [_cells(row) for row in played], notes)


def _cells(row: GapResults) -> tuple[Cell, ...]:
    scored = (row.wins + row.draws / 2) / row.games
    variance = (row.wins + row.draws / 4) / row.games - scored * scored
    side = SIDES * math.sqrt(variance / row.games)
    ends = (scored - side, scored + side) if row.games >= FEWEST_GAMES else (None, None)
    table, counted = _mean_expected(row, row.gap_to), _mean_expected(row, MOST_COUNTED)
    gap_from, gap_to, *results = row
    return gap_from, gap_to, row.games, *results, table, counted, scored, *ends


def _mean_expected(row: GapResults, most: int) -> float:
    """The mean of the table over a gap's differences, each counted as so many points at most."""
    differences = np.minimum(np.arange(row.gap_from, row.gap_to, dtype=np.float64), most)
    return float(printed_table()(differences).mean())
