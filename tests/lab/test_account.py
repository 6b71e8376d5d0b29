"""The points account of a pool as tables: years, groups, leavers, and what carries over from one to the other."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from lab.synthetic_ledgers import chess_ledger as small_ledger
from lab.synthetic_ledgers import event

from banzuke.core.facts import Game
from banzuke.core.fault import RefusedError
from banzuke.core.registry import BOOKS
from banzuke.engine.columnar.account_sums import GROUPS, POOL_PARTS, TOTALS, YEARS
from banzuke.engine.history import history, list_names
from banzuke.lab.account import account_sheets, find_account
from banzuke.lab.answers import report_account
from banzuke.lab.comparison import Question
from banzuke.lab.sheets import csv_bytes, header_of, sheet_of
from banzuke.ledger.folder import read_ledger, write_ledger
from banzuke.testing.random_ledgers import chess_ledger

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PARTS = (*POOL_PARTS, "won")


def sheets_of(folder, **asked):
    found = find_account(folder, Question(**asked), lambda *_: None)
    return {sheet.name: rows_of(sheet) for sheet in account_sheets(found)}


def rows_of(sheet):
    return [dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows]


def hundredths(*values):
    return [round(100 * value) for value in values]


def sums_of_lists(folder):
    """The pool's points by speed, before the first list and after the last one of each year."""
    ledger, found = read_ledger(folder), {}
    for rated in history(ledger, list_names(ledger, None)):
        for speed, ratings in rated.outcome.standings.ratings.items():
            year = rated.batch.published.year
            found[speed, year] = 100 * sum(r.value for r in ratings.values() if r.value is not None)
    return found


@pytest.fixture(scope="module", params=["japan", "hakodate", "us-championship-2025", "icu", "us-chess"])
def folder(request, tmp_path_factory):
    """An example, or a made ledger of a book with a list for each event."""
    if (EXAMPLES / request.param).is_dir():
        return EXAMPLES / request.param
    made = tmp_path_factory.mktemp("made") / request.param
    ledger = chess_ledger(BOOKS[request.param], 3, players=14, events=14)
    (made.parent / "pool").mkdir()
    text = f'name = "Made"\n[[edition]]\nrulebook = "{request.param}"\nfrom = 2025-01-01\n'
    write_ledger(ledger, {"pool.toml": text}, made)
    return made


@pytest.mark.parametrize(
    ("name", "own"), [("account", TOTALS), ("account_years", YEARS), ("account_groups", GROUPS)]
)
def test_a_sheet_has_the_columns_that_the_engine_fills(name, own):
    assert header_of(name) == ("variant", "speed", *own)


class TestOfAPool:
    def test_every_year_adds_up_to_the_hundredth(self, folder):
        points = sums_of_lists(folder)
        for row in sheets_of(folder)["account_years"]:
            change, before, after = hundredths(row["change"], row["points_before"], row["points"])
            assert sum(hundredths(*(row[part] for part in POOL_PARTS))) == change == after - before
            assert after == points[row["speed"], row["year"]]
            assert sum(hundredths(row["change"], row["left"])) == hundredths(row["in_play"])[0]

    def test_groups_and_parts_add_up_to_the_years(self, folder):
        sheets = sheets_of(folder)
        for row in sheets["account_years"]:
            for kind in ("age", "activity", "band"):
                own = [
                    each
                    for each in sheets["account_groups"]
                    if (each["speed"], each["year"], each["kind"]) == (row["speed"], row["year"], kind)
                ]
                for part in (*POOL_PARTS, "change", "left"):
                    assert sum(hundredths(*(each[part] for each in own))) == hundredths(row[part])[0], part
                assert sum(hundredths(*(each["won"] for each in own))) == 0
                for each in own:
                    assert sum(hundredths(*(each[part] for part in PARTS))) == hundredths(each["change"])[0]
        for row in sheets["account"]:
            years = [each for each in sheets["account_years"] if each["speed"] == row["speed"]]
            assert sum(hundredths(*(each[row["part"]] for each in years))) == hundredths(row["points"])[0]


def test_the_files_have_hundredths(tmp_path):
    found = report_account(EXAMPLES / "japan", Question())
    (years,) = (sheet for sheet in found.sheets if sheet.name == "account_years")
    assert b"pool,standard,2024,41777,4129,3028,113.7," in csv_bytes(years)


@pytest.mark.parametrize(
    ("amounts", "key", "said"),
    [
        ({"floor": 100.0, "one_sided": -412.0, "juniors": 568.0}, "lead-account", ("256", "juniors", "568")),
        ({"floor": 771.0, "adjustments": -819.0}, "lead-account-loss", ("48.0", "adjustments", "−819")),
        ({"floor": 20.0, "rounding": -20.0, "newcomers": 1500.0}, "lead-account-none", None),
        ({}, "lead-account-none", None),
    ],
)
def test_the_largest_part_went_the_way_of_the_whole(monkeypatch, amounts, key, said):
    rows = [("pool", "", *row) for row in amounts.items()]
    sheet = sheet_of("account", "account", ("variant", "speed", "part", "points"), rows)
    monkeypatch.setattr("banzuke.lab.account.account_sheets", lambda found: [sheet])
    lead = report_account(EXAMPLES / "hakodate", Question()).lead
    facts = dict(lead.facts)
    assert lead.key == key
    assert said is None or (facts["made"], facts["part"], facts["points"]) == said


def test_a_reform_has_an_account_of_its_own():
    rows = sheets_of(EXAMPLES / "japan", settings=["k_junior=20"])["account"]
    by_variant = {row["variant"]: row["points"] for row in rows if row["part"] == "juniors"}
    assert list(by_variant) == ["pool", "pool k_junior=20"]
    assert 0 <= by_variant["pool k_junior=20"] < by_variant["pool"]


def test_who_left_carries_the_points_off(tmp_path):
    """L plays in the first year alone of five, S in the second to last, N never."""
    days = {year: date(year, 5, 5) for year in range(2021, 2026)}
    pairs = {2021: "AL", 2022: "AB", 2023: "AB", 2024: "AS", 2025: "AB"}
    games = {str(year): [Game(str(year), 1, *pair, "1/2-1/2")] for year, pair in pairs.items()}
    events = [event(str(year), day) for year, day in days.items()]
    ledger = small_ledger(dict.fromkeys("ABLNS", 1500), events, games)
    text = 'name = "Made"\n[[edition]]\nrulebook = "jcf-2024"\nfrom = 2020-01-01\n'
    write_ledger(ledger, {"pool.toml": text}, tmp_path / "made")
    sheets = sheets_of(tmp_path / "made")
    left = {row["year"]: row["left"] for row in sheets["account_years"] if row["speed"] == "standard"}
    assert left == {2021: -1500, 2022: 0, 2023: 0, 2024: 0, 2025: 0}
    assert all(row["points"] == 7500 for row in sheets["account_years"] if row["speed"] == "standard")


def test_finished_accounts_are_read_again(tmp_path, monkeypatch):
    first = sheets_of(EXAMPLES / "hakodate", kept=tmp_path)
    monkeypatch.setattr("banzuke.lab.account.account_columns", None)
    assert sheets_of(EXAMPLES / "hakodate", kept=tmp_path) == first


@pytest.mark.parametrize(
    "asked",
    [
        {"books": ["us-chess", "fide-2024"]},
        {"settings": ["most_change=8", "adjustment=1000:1400,2000:2000", "calendar=weekly"]},
    ],
)
def test_other_books_and_policies_have_an_account(asked):
    rows = sheets_of(EXAMPLES / "japan", **asked)["account_years"]
    variants = {row["variant"] for row in rows}
    assert len(variants) > 1
    if "settings" in asked:
        assert any(row["capped"] for row in rows)
        assert any(row["adjustments"] for row in rows)
    for row in rows:
        change, before, after = hundredths(row["change"], row["points_before"], row["points"])
        assert sum(hundredths(*(row[part] for part in POOL_PARTS))) == change == after - before


def test_go_has_no_account():
    with pytest.raises(RefusedError):
        sheets_of(EXAMPLES / "go-server")
