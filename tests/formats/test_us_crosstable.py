"""The crosstable as text, two lines a player."""

from __future__ import annotations

from sample_events import EVENT

from banzuke.exchange.event_export import event_table, rated_event
from banzuke.formats.events import us_crosstable
from banzuke.formats.events.event_table import RoundCell
from banzuke.ledger.folder import read_ledger

WRITTEN = """\
春季 <Open> & Co
2025-02-01 2025-02-02
---------------------------------------------------------
Place | Name                            |Total|Round|Round|
      | ID / R: before -> after         |Pts  |  1  |  3  |
"""


def rows(text):
    """Each player's two lines, split at the bars."""
    lines = [line.split("|") for line in text.splitlines() if "|" in line][2:]
    return list(zip(lines[::2], lines[1::2], strict=True))


def test_a_table():
    text = us_crosstable.write(EVENT).decode()
    lines = text.splitlines()
    assert lines[:2] == ["春季 <Open> & Co", "2025-02-01 2025-02-02"]
    assert [line.rstrip() for line in lines[3:5]] == WRITTEN.splitlines()[3:5]
    bars = {len(line) for line in lines[2:]}
    assert bars == {len(WRITTEN.splitlines()[3])}
    assert {line for line in lines if set(line) == {"-"}} == {lines[2]}
    first, second = rows(text)[0]
    assert [cell.strip() for cell in first] == ["1", "=SATO Taro", "1.5", "W   2", "D   3", ""]
    assert [cell.strip() for cell in second] == ["", "J1 / R: 1500 -> 1515", "", "W", "B", ""]


def test_unplayed_rounds_forfeits_and_the_unrated():
    row = EVENT.rows[0]._replace(
        cells=(RoundCell(12, "w", "+", False), RoundCell(3, "b", "-", False)),
        before=None,
        after=None,
        points=2,
    )
    beside = EVENT.rows[1]._replace(points=0)
    (first, second), (other, colours) = rows(us_crosstable.write(EVENT._replace(rows=(row, beside))).decode())
    assert [cell.strip() for cell in first[2:]] == ["1.0", "X  12", "F   3", ""]
    assert [cell.strip() for cell in second[1:]] == ["J1 / R: Unrated -> Unrated", "", "", "", ""]
    assert [cell.strip() for cell in other[2:]] == ["0.0", "L   1", "U", ""]
    assert [cell.strip() for cell in colours[2:]] == ["", "B", "", ""]


def test_byes():
    row = EVENT.rows[0]._replace(cells=(RoundCell(0, "", "1", False), RoundCell(0, "", "½", False)), points=3)
    ((first, second),) = rows(us_crosstable.write(EVENT._replace(rows=(row,))).decode())
    assert [cell.strip() for cell in first[2:]] == ["1.5", "B", "H", ""]
    assert [cell.strip() for cell in second[2:]] == ["", "", "", ""]


def test_long_names_make_it_wider_and_a_player_without_a_name_has_the_id():
    long = EVENT.rows[0]._replace(name="X" * 50)
    nameless = EVENT.rows[1]._replace(name="")
    text = us_crosstable.write(EVENT._replace(rows=(long, nameless))).decode()
    assert len({len(line) for line in text.splitlines()[2:]}) == 1
    assert rows(text)[1][0][1].strip() == "J2"


def test_one_day_is_written_once():
    assert us_crosstable.write(EVENT._replace(ends=EVENT.starts)).decode().splitlines()[1] == "2025-02-01"


def test_an_event_of_a_ledger(ledger_folder):
    ledger = read_ledger(ledger_folder("hakodate"))
    event = ledger.events[0].event_id
    table = event_table(ledger, rated_event(ledger, event))
    found = rows(us_crosstable.write(table).decode())
    assert [first[1].strip() for first, _ in found] == [row.name for row in table.rows]
    wins, losses = (sum(cell.startswith(sign) for first, _ in found for cell in first[3:]) for sign in "WL")
    assert wins == losses


def test_a_bar_in_a_name_ends_no_column():
    row = EVENT.rows[0]._replace(name="SATO | Taro", cells=())
    ((first, _),) = rows(us_crosstable.write(EVENT._replace(rows=(row,), rounds=())).decode())
    assert first[1].strip() == "SATO / Taro"
