"""Forms as large as their pages offer them come in whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from repeated import entered_pool
from small_office import client

from banzuke.database.models import Report
from banzuke.formats.report_form import form_reader
from banzuke.web.inbox.entry_sheet import MOST_PLAYERS, MOST_ROWS

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
EVENT = {
    "act": "send", "club": "C01", "event-name": "Long Open", "event-starts": "2025-05-01",
    "event-ends": "2025-05-01", "event-speed": "rapid", "event-place": "Hakodate",
}  # fmt: skip


@pytest.fixture
def reporter(db):
    return client("reporter", entered_pool("japan", EXAMPLES / "japan", "test"), "C01")


def sent(reporter, kind, players, **fields):
    typed = {f"player-{n}": f"PLAYER Number{n}" for n in range(1, players + 1)}
    given = EVENT | typed | {"kind": kind, "size": str(players)} | fields
    answer = reporter.post("/office/japan/inbox/form/", given)
    assert answer.status_code == 302
    return form_reader.read(bytes(Report.objects.get().files.get().data), "r")


@pytest.mark.slow
def test_the_largest_crosstable(reporter):
    count = MOST_PLAYERS["crosstable"]
    span = range(1, count + 1)
    cells = {f"r-{one}-{two}": "1" if one < two else "" for one in span for two in span}
    assert len(sent(reporter, "crosstable", count, **cells).games) == count * (count - 1) // 2


@pytest.mark.slow
def test_the_longest_sheet_of_games(reporter):
    rows = {"rows": str(MOST_ROWS)}
    for n in range(1, MOST_ROWS + 1):
        round_, pair = divmod(n - 1, 25)
        white = {f"round-{n}": str(1 + round_), f"white-{n}": str(2 * pair + 1)}
        rows |= white | {f"black-{n}": str(2 * pair + 2), f"result-{n}": "1", f"played-{n}": ""}
    assert len(sent(reporter, "games", 50, **rows).games) == MOST_ROWS
