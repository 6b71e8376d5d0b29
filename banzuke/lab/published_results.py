"""The first exhibit: results that a federation published by rating gap, beside what its table expects.

The file has a row for each gap, such as `100~200`, and how often the higher rated player won, drew and lost.
"""

import csv
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from banzuke.core.fault import Fault, RefusedError, fault, refuse_any
from banzuke.lab.calibration import CALIBRATION, Calibration, calibration_rows, expect_with_noise, noise_notes
from banzuke.lab.intervals import each_alone
from banzuke.lab.sheets import Sheet, sheet_of
from banzuke.lab.true_expectation import NATURAL, printed_table

#: A gap as such files write it: 100~200, 100-200, 100 to 200.
GAP = re.compile(r"\s*(\d+)\s*(?:[~〜～–—-]|to)\s*(\d+)\s*")


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


#: The difference beyond which books count no more; the variance of a gap's error with the largest usual K.
MOST_COUNTED, LARGEST_ERROR = 400, 40 / NATURAL


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
    does not say how they lie); `noise` that if every rating erred as with the largest usual K; `counted` with
    differences beyond 400 counted as 400, as the rules have it. Nor does the file say which games hang
    together: they are taken as independent.
    """
    played = [row for row in rows if row.games]
    group = np.repeat(np.arange(len(played)), [row.games for row in played])
    gap = np.array([(row.gap_from + row.gap_to) / 2 for row in played])[group]
    score = np.array([each for row in played for each in np.repeat((1, 0.5, 0), row[2:])], np.float64)
    table, counted = (
        np.array([_mean_expected(row, most or row.gap_to) for row in played])[group]
        for most in (0, MOST_COUNTED)
    )
    noise = expect_with_noise(gap, printed_table(), LARGEST_ERROR)
    alone = each_alone(len(gap))
    found = [Calibration("", alone, gap, score, counted, table, noise, LARGEST_ERROR)][: len(played)]
    cells = calibration_rows(found, lambda _gap: group, lambda step: played[step][:2])
    return sheet_of("published", "published", CALIBRATION[1:], [row[1:] for row in cells], noise_notes(found))


def _mean_expected(row: GapResults, most: int) -> float:
    """The mean of the table over a gap's differences, each counted as so many points at most."""
    differences = np.minimum(np.arange(row.gap_from, row.gap_to, dtype=np.float64), most)
    return float(printed_table()(differences).mean())
