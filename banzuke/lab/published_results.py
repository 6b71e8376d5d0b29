"""The first exhibit: results that a federation published by rating gap, beside what its table expects.

The file has a row for each gap, such as `100~200`, and how often the higher rated player won, drew and lost.
"""

import csv
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from banzuke.core.fault import Fault, RefusedError, fault, refuse_any
from banzuke.lab.calibration import Calibration, calibration_rows, expect_with_noise, noise_notes
from banzuke.lab.intervals import each_alone
from banzuke.lab.sheets import Sheet, named_sheet
from banzuke.lab.true_expectation import NATURAL, printed_table

#: A gap as such files write it: 100~200, 100-200, 100 to 200.
GAP = re.compile(r"\s*(\d{1,4})\s*(?:[~〜～–—-]|to)\s*(\d{1,4})\s*")
#: How often games ended so: no federation has more, and a slip of the pen must not fill a machine.
COUNT = re.compile(r"\s*[0-9]{1,7}\s*")
#: The difference beyond which books count no more; the variance of a gap's error with the largest usual K.
MOST_COUNTED, LARGEST_ERROR = 400, 40 / NATURAL


class GapResults(NamedTuple):
    """How games of players so far apart ended, seen from the higher rated one."""

    gap_from: int
    gap_to: int
    wins: int
    draws: int
    losses: int


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
    are_counts = all(COUNT.fullmatch(cell) for cell in row[1:])
    if gap and int(gap[1]) < int(gap[2]) and are_counts and len(row[1:]) == len(GapResults._fields[2:]):
        return GapResults(int(gap[1]), int(gap[2]), *map(int, row[1:]))
    faults.append(fault(file, line, "", "lab-published-row"))
    return None


def published_sheet(rows: list[GapResults]) -> Sheet:
    """The exhibit: for each gap with games, what the table expects of the favourite, and their score.

    `table` is the mean of the table over the gap's differences, each taken as often as any other (the file
    does not say how they lie); `noise` that if every rating erred as with the largest usual K; `counted` with
    differences beyond 400 counted as 400, as the rules have it. Nor does the file say which games hang
    together: they are taken as independent.
    """
    expects = printed_table()

    def mean_of(row: GapResults, most: float) -> float:
        differences = np.arange(row.gap_from, row.gap_to, dtype=np.float64)
        return float(expects(np.minimum(differences, most)).mean())

    played = [row for row in rows if any(row[2:])]
    group = np.repeat(np.arange(len(played)), [sum(row[2:]) for row in played])
    gap = np.array([(row.gap_from + row.gap_to) / 2 for row in played])[group]
    score = np.concatenate([np.zeros(0), *(np.repeat((1, 0.5, 0), row[2:]) for row in played)])
    table, counted = (
        np.array([mean_of(row, most) for row in played])[group] for most in (np.inf, MOST_COUNTED)
    )
    noise, alone = expect_with_noise(gap, expects, LARGEST_ERROR), each_alone(len(gap))
    found = [Calibration("", alone, gap, score, counted, table, noise, LARGEST_ERROR)][: len(played)]
    cells = calibration_rows(found, lambda _gap: group, lambda step: played[step][:2])
    return named_sheet("published", [row[1:] for row in cells], noise_notes(found))
