"""Standings against those that real crosstables print: every value compared, each that differs explained."""

from __future__ import annotations

import csv
import io
from decimal import Decimal
from pathlib import Path

import pytest
from lxml import html

from banzuke.exchange.incoming_files import read_files
from banzuke.exchange.standings.standings import StandingsOptions, standings
from banzuke.exchange.standings.tournament import report_tournament

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
PAGES, TRF = DATA / "chessresults", DATA / "trf"
pytestmark = pytest.mark.skipif(not PAGES.is_dir(), reason="the shared real files are not here")


def tournament(path):
    """The event of a file, its readable part where it is under way."""
    ((name, report),) = read_files([(path.name, path.read_bytes())]).reports
    return report_tournament(report, name)


def printed(path):
    """What a crosstable prints of each number, by its headings."""
    if path.suffix == ".csv":
        rows = list(csv.reader(io.StringIO(path.read_text("utf-8"))))
    else:
        page = html.fromstring(path.read_bytes())
        rows = [["".join(cell.itertext()) for cell in row.xpath("./td|./th")] for row in page.iter("tr")]
    rows = [[cell.strip() for cell in row] for row in rows]
    heads = next(row for row in rows if "Name" in row and "TB1" in row)
    found = [row for row in rows if row != heads and len(row) == len(heads) and row[0].isdigit()]
    return {int(row[0]): dict(zip(heads, row, strict=True)) for row in found}


def number(text):
    return Decimal(text.replace("½", ",5").replace(",", ".") or "0")


def differing(path, column, code, **options):
    """How many values there are, and those that differ: number, ours, theirs."""
    table = standings(tournament(path), StandingsOptions(code, **options))
    ours, theirs = {row.number: row.values[0] for row in table.rows}, printed(path)
    assert ours.keys() == theirs.keys()
    pairs = [(no, ours[no], number(row[column])) for no, row in theirs.items()]
    return len(pairs), {no: (str(a), str(b)) for no, a, b in pairs if a != b}


class TestASwissOf209:
    """Arad 2026, nine rounds, printed by Swiss-Manager, which says the rules of its tie-breaks."""

    PAGE = PAGES / "arad2026_a_crosstable.html"

    def test_buchholz_of_2026_without_the_lowest(self):
        """All but one: the opponent in 140's first round, a point without a game, counts 3½ with them."""
        assert differing(self.PAGE, "TB4", "BH-C1", edition=2026) == (209, {140: ("42.0", "41")})

    def test_median_buchholz_of_the_rules_before(self):
        """All but the same one: an opponent of 3½ in the first round explains both."""
        assert differing(self.PAGE, "TB5", "BH-M1", edition=2024) == (209, {140: ("36.5", "35")})

    def test_the_other_edition_would_differ(self):
        assert len(differing(self.PAGE, "TB4", "BH-C1", edition=2024)[1]) == 7
        assert len(differing(self.PAGE, "TB5", "BH-M1", edition=2026)[1]) == 6

    def test_points_and_their_order(self):
        """Average performance and rating cannot be compared: the page prints no ratings."""
        rows = {row.number: row for row in standings(tournament(self.PAGE)).rows}
        theirs = printed(self.PAGE)
        assert {no: row.points for no, row in rows.items()} == {
            no: 2 * number(row["Pts."]) for no, row in theirs.items()
        }
        by_rank = sorted(theirs, key=lambda no: int(theirs[no]["Rk."]))
        assert [rows[no].points for no in by_rank] == sorted(
            (row.points for row in rows.values()), reverse=True
        )

    def test_direct_encounter_decides_nothing(self):
        """All 209 print 0: of those equal on points and average performance none has met another."""
        theirs = printed(self.PAGE)
        assert {row["TB2"] for row in theirs.values()} == {"0"}
        equal = {no: (row["Pts."], row["TB1"]) for no, row in theirs.items()}
        assert len(set(equal.values())) == 200
        games = tournament(self.PAGE).games
        assert not [game for game in games if equal[game.white] == equal[game.black]]


class TestARoundRobin:
    """USSA 2026: nine players, by direct encounter, wins, Sonneborn-Berger and Koya."""

    PAGE = PAGES / "ussa2026_roundrobin_crosstable.html"

    @pytest.mark.parametrize(("column", "code"), [("TB1", "DE"), ("TB2", "WIN"), ("TB4", "KS")])
    def test_values(self, column, code):
        assert differing(self.PAGE, column, code) == (9, {})

    def test_sonneborn_berger(self):
        """One differs: 2 won by forfeit, and they count that against 2's own 5 points, not 8's 2½."""
        assert differing(self.PAGE, "TB3", "SB") == (9, {2: ("17.5", "20")})
        assert Decimal("17.5") - Decimal("2.5") + 5 == 20

    def test_ranks(self):
        rows = standings(tournament(self.PAGE)).rows
        assert {row.number: row.rank for row in rows} == {
            no: int(row["Rk."]) for no, row in printed(self.PAGE).items()
        }


class TestAfterARound:
    """Jeddah 2026 after its first round: the page's Buchholz is set to older rules, with virtual opponents."""

    PAGE = PAGES / "jeddah2026_crosstable.html"

    def test_direct_encounter(self):
        assert differing(self.PAGE, "TB1", "DE") == (32, {})

    def test_buchholz(self):
        """Four without a game differ: two lost by forfeit, one had the bye, one was absent."""
        count, wrong = differing(self.PAGE, "TB2", "BH", edition=2026)
        assert count == 32
        assert wrong == {21: ("0", "1"), 22: ("0", "1"), 31: ("0.5", "0"), 32: ("0", "1")}

    def test_buchholz_without_the_lowest(self):
        assert differing(self.PAGE, "TB3", "BH-C1") == (32, {})


class TestAnExportUnderWay:
    """Stockholm 2026 after four rounds, with adjourned games; the export does not name its tie-breaks."""

    PAGE = PAGES / "seniorschack_stockholm_km_2026_after_r4_export.csv"

    def test_the_third_is_the_number_of_wins(self):
        """With byes, but without the one win by forfeit, which FIDE's WIN counts."""
        assert differing(self.PAGE, "TB3", "WIN") == (40, {7: ("2", "1")})

    def test_the_second_is_direct_encounter_among_those_equal_on_the_first(self):
        """37 beat 38, the only pair that is equal on points and the first tie-break and has met."""
        assert differing(self.PAGE, "TB2", "DE") == (40, {37: ("0", "1")})

    def test_the_first_is_not_known(self):
        """Median Buchholz is nearest; adjourned games have no result yet, and how they count is not said."""
        count, wrong = differing(self.PAGE, "TB1", "BH-M1")
        assert (count, len(wrong)) == (40, 14)


class TestPointsOfReports:
    """TRF files print points and ranks, but no tie-breaks: no rank beside equal points can be compared."""

    @pytest.mark.parametrize(
        ("name", "players"),
        [
            ("bbp_issue_7", 60),
            ("chesspairing_basic", 5),
            ("donostia_gros_2010_52p_mid_event", 52),
            ("fide_tec_trf26_grandmommys_cup_team", 249),
            ("karl_mala_2005_frankfurt_284p", 284),
            ("lichess_swiss_2020_06_QLM", 13),
            ("sharly_trf-import-test", 16),
        ],
    )
    def test_points(self, name, players):
        path = TRF / f"{name}.trf"
        ours = {row.number: row.points for row in standings(tournament(path), StandingsOptions("WIN")).rows}
        lines = path.read_bytes().decode("utf-8", "replace").splitlines()
        theirs = {
            int(line[4:8]): 2 * Decimal(line[80:84].strip())
            for line in lines
            if line.startswith("001") and line[4:8].strip().isdigit()
        }
        assert (ours, len(ours)) == (theirs, players)


def test_points_of_a_crosstable_that_has_no_tie_breaks():
    """The British Championship of 2026 in its last round: its only TB1 is the points."""
    page = PAGES / "british2026_champ_crosstable_final.html"
    rows = standings(tournament(page), StandingsOptions("WIN")).rows
    assert {row.number: row.points for row in rows} == {
        no: 2 * number(row["TB1"]) for no, row in printed(page).items()
    }
