"""Points for byes, kept in a ledger's folder for the reports written of its events; no rating needs them.

They stand in byes.csv: event, round, player, points (`1` or `0.5`). A row of somebody who has a game in the
round, or is not in the register any more, says nothing.
"""

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from banzuke.core.fault import RefusedError, fault
from banzuke.engine.output_file import write_atomically
from banzuke.formats.files.text import csv_text
from banzuke.formats.report import Report

FILE = "byes.csv"
COLUMNS = ["event_id", "round", "player_id", "points"]
_HALF_POINTS = {"1": 2, "0.5": 1}
_POINTS = {half_points: text for text, half_points in _HALF_POINTS.items()}
_MOST_ROUNDS = 999


class KeptBye(NamedTuple):
    """Points of a player for a round without an opponent: 2 half points, or 1."""

    event_id: str
    round: int
    player_id: str
    half_points: int


def byes_of(event_id: str, report: Report, ids: Mapping[int, str]) -> tuple[KeptBye, ...]:
    """The byes of a report, between players whose ids are known, by number."""
    return tuple(
        KeptBye(event_id, bye.round, ids[bye.player], bye.half_points)
        for bye in report.byes
        if bye.player in ids and 1 <= bye.round <= _MOST_ROUNDS
    )


def read(folder: Path, event_id: str | None = None) -> list[KeptBye]:
    """The byes of a ledger, or of one of its events. Raises RefusedError for a damaged file."""
    path = folder / FILE
    if not path.is_file():
        return []
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            rows = [_bye(*cells) for cells in list(csv.reader(stream))[1:] if cells]
    except (ValueError, TypeError, KeyError, csv.Error):
        raise RefusedError([fault(FILE, 0, "", "byes-damaged", columns=", ".join(COLUMNS))]) from None
    return [row for row in rows if event_id in (None, row.event_id)]


def _bye(event_id: str, round_: str, player_id: str, points: str) -> KeptBye:
    number = int(round_)
    if not 1 <= number <= _MOST_ROUNDS:
        raise ValueError(round_)
    return KeptBye(event_id, number, player_id, _HALF_POINTS[points])


def add(folder: Path, byes: Iterable[KeptBye]) -> None:
    """Keep these byes too: the whole file, or it stays as it was; no file where there are none."""
    new = list(byes)
    if not new:
        return
    events = {bye.event_id for bye in new}
    rows = sorted([*(bye for bye in read(folder) if bye.event_id not in events), *new])
    cells = [[bye.event_id, str(bye.round), bye.player_id, _POINTS[bye.half_points]] for bye in rows]
    write_atomically(folder / FILE, csv_text([COLUMNS, *cells]).encode())
