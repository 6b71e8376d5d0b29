"""Pools of the example ledgers with lists published, and the result files rebuilt from what is stored."""

from __future__ import annotations

import csv
from datetime import date, timedelta
from pathlib import Path

from django.test import TestCase
from repeated import entered_pool, repeated

from banzuke.core import facts
from banzuke.core.decimals import decimal, two_decimals
from banzuke.database.book_reader import read_book
from banzuke.engine.result_rows import SCORE, ranks
from banzuke.office.erasure import erasing
from banzuke.office.fact_rows import standing_rows
from banzuke.office.journal import Actor
from banzuke.office.lists import correction_drafts, fast_forward
from banzuke.office.lists.corrections import open_inquiry
from banzuke.office.lists.list_index import current_lists, names_of
from banzuke.office.lists.list_rows import LineRow, Row
from banzuke.office.lists.publishing import publish

EXAMPLES = Path(__file__).parents[2] / "examples"
CHESS = ("japan", "hakodate", "us-championship-2025")
TODAY = date(2030, 1, 1)
CHIEF = Actor("chief", "127.0.0.1")


def example(name):
    """A pool with an example's ledger, nothing published."""
    return entered_pool(name, EXAMPLES / name, "test")


def names(pool):
    return names_of(read_book(pool))


def published(name, until=-1):
    """A pool with an example's ledger and its lists published, to the one of that place."""

    def make():
        pool = example(name)
        publish(pool, names(pool)[until], CHIEF, TODAY)
        return pool

    return repeated(("desk", name, until, fast_forward.FROM_GAMES), make)


def inquiry(pool, day, **changed):
    """An inquiry of that day about the first won game of the pool, drawn instead (or otherwise changed)."""
    found = open_inquiry(pool, day, "A. Member", "a result", CHIEF)
    row = standing_rows(pool, facts.Game).filter(result="1-0").first()
    correction_drafts.draft_change(found, "games", row.pk, **(changed or {"result": "1/2-1/2"}))
    return found


def erase(pool, player_id, actor=CHIEF):
    """Erase somebody, and note it in the office's folder, as is done once it is committed."""
    with TestCase.captureOnCommitCallbacks(execute=True):
        return erasing.erase(pool, player_id, actor)


def after(pool, name, days):
    """The day so many days after a list."""
    return current_lists(pool).get(name=name).day + timedelta(days=days)


def lists_csv(pool):
    """The rows of lists.csv as the published lists have them, cell by cell."""
    return [row for found in _in_order(pool) for row in _list_rows(found)]


def changes_csv(pool):
    """The rows of changes.csv as the published lists have them, cell by cell."""
    return [row for found in _in_order(pool) for row in _change_rows(found)]


def _in_order(pool):
    return current_lists(pool).order_by("closes", "name")


def rows_of(published):
    """The rows that are stored of a list."""
    return [Row(*row) for row in published.rows.order_by("pk").values_list(*Row._fields)]


def lines_of(published):
    """The lines that are stored of a list."""
    return [LineRow(*line) for line in published.lines.order_by("position").values_list(*LineRow._fields)]


def _list_rows(found):
    for row in rows_of(found):
        cells = (row.speed, row.player_id, row.rating, row.games, row.change, row.peak, row.status)
        yield [_cell(cell) for cell in (found.name, *cells, row.qualified)]


def _change_rows(found):
    for line in lines_of(found):
        yield [
            found.name, line.speed, line.event_id, str(line.round), line.player_id, line.opponent_id,
            SCORE[line.score], _cell(line.own), _cell(line.opponent), _cell(line.difference),
            "" if line.expected is None else two_decimals(line.expected), _cell(line.k),
            "" if line.change is None else decimal(line.change), line.verdict, line.clause,
        ]  # fmt: skip


def go_standings_csv(found):
    """The rows of standings.csv as a published ranking has them."""
    cells = [(row.player_id, row.written, row.rating, row.games, row.wins_in_bc) for row in rows_of(found)]
    return [[_cell(cell) for cell in row] for row in cells]


def go_changes_csv(pool):
    """The rows of changes.csv as the published rankings have them."""
    return [_go_row(line) for found in _in_order(pool) for line in lines_of(found)]


def _go_row(line):
    return [
        line.event_id, line.player_id, line.opponent_id, line.rank, line.opponent_rank,
        "" if line.difference is None else ranks(line.difference), _cell(line.upper),
        "" if line.score is None else str(line.score // 2), "" if line.change is None else decimal(line.change),
        line.verdict, line.rank_after, line.clause,
    ]  # fmt: skip


def _cell(value):
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, bool) else str(value)


def file_rows(path):
    """The rows of a result file, without its header."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream))[1:]
