"""What goes out has the figures of `rate`: lists, rankings, events; and nobody's birth date unasked."""

from __future__ import annotations

import csv
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from banzuke.core import facts
from banzuke.core.facts import SPEEDS
from banzuke.core.fault import RefusedError
from banzuke.core.go_facts import HALF_OF
from banzuke.engine import result_rows
from banzuke.engine.history import UnknownListError
from banzuke.engine.rating_run import rate_ledger
from banzuke.exchange import list_export
from banzuke.exchange.event_export import event_report, event_table, rated_event, reported_player
from banzuke.exchange.export_headings import event_wording, fixed_wording, list_wording
from banzuke.exchange.list_export import ledger_ranking
from banzuke.exchange.list_files import fide_players, national_players
from banzuke.formats.lists import list_table, list_xlsx
from banzuke.formats.lists.rating_list import MEASURES, PERSON, RANKED, measure_key, statuses
from banzuke.formats.trf import trf_reader, trf_writer
from banzuke.ledger.folder import read_ledger
from banzuke.words import LANGUAGES, catalogue

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CHESS = ("japan", "hakodate", "us-championship-2025")


def rated(name, out, **options):
    rate_ledger(read_ledger(EXAMPLES / name), out, **options)
    return out


def rows(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def as_rows(listed):
    """An exported list in the rows of lists.csv."""
    return {
        tuple(_cell(cell) for cell in (listed.name, speed, player.player_id, *rating))
        for player in listed.players
        for speed, rating in zip(listed.speeds, player.ratings, strict=True)
        if rating is not None
    }


def _cell(value):
    return "" if value is None else str(int(value) if isinstance(value, bool) else value)


@pytest.fixture(scope="module")
def japan():
    return read_ledger(EXAMPLES / "japan")


@pytest.fixture(scope="module")
def changes(tmp_path_factory):
    out = tmp_path_factory.mktemp("out")
    return {name: rows(rated(name, out / name) / "changes.csv") for name in CHESS}


class TestFigures:
    @pytest.mark.parametrize("name", CHESS)
    def test_of_every_list_are_those_that_rate_writes(self, name, tmp_path):
        ledger = read_ledger(EXAMPLES / name)
        written = rows(rated(name, tmp_path / "out") / "lists.csv")
        for listed in sorted({row["list"] for row in written}):
            expected = {tuple(row.values()) for row in written if row["list"] == listed}
            assert as_rows(list_export.ledger_list(ledger, listed, birth_dates=False)) == expected

    def test_the_last_list_is_the_one_meant(self, japan):
        assert list_export.ledger_list(japan, None, birth_dates=False).name == "2025-05"

    @pytest.mark.parametrize("parquet", [False, True])
    @pytest.mark.parametrize("name", CHESS)
    def test_from_a_file_of_rate_are_those_of_the_ledger(self, name, parquet, tmp_path):
        ledger = read_ledger(EXAMPLES / name)
        path = rated(name, tmp_path, as_parquet=parquet) / ("lists.parquet" if parquet else "lists.csv")
        listed = list_export.ledger_list(ledger, None, birth_dates=True)
        found = list_export.file_list(path, None, list_export.people_of(ledger), birth_dates=True)
        assert as_rows(found) == as_rows(listed)
        assert found.speeds == {"us-championship-2025": ("standard",)}.get(name, listed.speeds)
        assert [p[:1] + p[2:] for p in found.players] == [p[:1] + p[2:] for p in listed.players]

    def test_of_a_go_ranking_are_those_that_rate_writes(self, tmp_path):
        ledger = read_ledger(EXAMPLES / "go-server")
        ranking = ledger_ranking(ledger, None)
        written = {
            (row["player_id"], row["rank"], row["points"], row["rated_games"])
            for row in rows(rated("go-server", tmp_path) / "standings.csv")
        }
        assert {
            (p.player_id, p.rank, "" if p.points is None else str(p.points), str(p.rated_games))
            for p in ranking.players
        } == written


class TestOrder:
    def test_is_from_the_top_of_the_first_speed_then_the_next(self, japan):
        players = list_export.ledger_list(japan, None, birth_dates=False).players
        standard = [player.ratings[0].rating for player in players if player.ratings[0]]
        assert standard == sorted(standard, reverse=True)
        assert [p.ratings[0] is None for p in players] == sorted(p.ratings[0] is None for p in players)

    def test_of_a_ranking_is_by_rank_and_points_and_only_the_certified_have_places(self):
        players = ledger_ranking(read_ledger(EXAMPLES / "go-server"), None).players
        certified = [p for p in players if p.points is not None]
        assert players[: len(certified)] == tuple(certified)
        keys = [(HALF_OF[p.rank], p.points) for p in certified]
        assert keys == sorted(keys, reverse=True)
        assert [p.place for p in certified] == [1 + keys.index(key) for key in keys]
        assert {p.place for p in players[len(certified) :]} == {None}

    def test_a_ranking_at_a_time_is_of_the_games_until_then(self):
        ledger = read_ledger(EXAMPLES / "go-server")
        early = ledger_ranking(ledger, "2026-01-10T00:00:00+09:00")
        assert early.name == "2026-01-10T00:00:00+09:00"
        assert sum(p.rated_games for p in early.players) < sum(
            p.rated_games for p in ledger_ranking(ledger, None).players
        )


class TestPeople:
    def test_have_the_names_and_the_club(self, japan):
        player = list_export.ledger_list(japan, None, birth_dates=False).players[0]
        assert player[2:] == ("FUJIWARA Yuto", "藤原 悠斗", "", "Hinoki Chess Club", "", None)

    def test_have_birth_dates_only_if_asked(self, japan):
        asked = list_export.ledger_list(japan, None, birth_dates=True)
        assert any(player.birth_date for player in asked.players)
        unasked = list_export.ledger_list(japan, None, birth_dates=False)
        assert not any(player.birth_date for player in unasked.players)

    def test_are_ids_alone_without_a_ledger(self, tmp_path):
        path = rated("japan", tmp_path) / "lists.csv"
        listed = list_export.file_list(path, "2025-03", list_export.NO_PEOPLE, birth_dates=True)
        assert listed.name == "2025-03"
        assert {player[2:] for player in listed.players} == {("", "", "", "", "", None)}


class TestFiles:
    def write(self, path, japan, kind):
        listed = list_export.ledger_list(japan, None, birth_dates=True)
        data = {
            "csv": lambda: list_table.write_csv(listed),
            "json": lambda: list_table.write_json(listed),
            "parquet": lambda: list_table.write_parquet(listed),
            "xlsx": lambda: list_xlsx.write(listed, list_wording(listed, "ja")),
        }[kind]()
        path.write_bytes(data)
        return listed

    @pytest.mark.parametrize("kind", ["csv", "json", "parquet", "xlsx"])
    def test_an_exported_list_is_read_again(self, japan, kind, tmp_path):
        listed = self.write(tmp_path / "list", japan, kind)
        found = list_export.file_list(tmp_path / "list", None, list_export.NO_PEOPLE, birth_dates=True)
        assert found.players == listed.players
        assert kind == "csv" or found == listed

    def test_but_its_birth_dates_stay_where_they_are(self, japan, tmp_path):
        self.write(tmp_path / "list", japan, "json")
        found = list_export.file_list(tmp_path / "list", None, list_export.NO_PEOPLE, birth_dates=False)
        assert not any(player.birth_date for player in found.players)

    def test_another_list_than_the_files_is_unknown(self, japan, tmp_path):
        self.write(tmp_path / "list", japan, "json")
        with pytest.raises(UnknownListError):
            list_export.file_list(tmp_path / "list", "2020-01", list_export.NO_PEOPLE, birth_dates=False)
        path = rated("japan", tmp_path / "out") / "lists.csv"
        with pytest.raises(UnknownListError):
            list_export.file_list(path, "2020-01", list_export.NO_PEOPLE, birth_dates=False)

    def test_every_fault_of_a_file_of_rate_is_found(self, tmp_path):
        path = tmp_path / "lists.csv"
        path.write_text(
            ",".join(result_rows.LISTS) + "\n2025-01,standard,1,x,1,,,rated,\n2025-01,fast,2,1,1,,,rised,\n"
        )
        with pytest.raises(RefusedError) as refused:
            list_export.file_list(path, None, list_export.NO_PEOPLE, birth_dates=False)
        assert [(f.line, f.column, f.code) for f in refused.value.faults] == [
            (2, "rating", "cell-whole"),
            (3, "speed", "cell-word"),
            (3, "status", "cell-word"),
        ]

    @pytest.mark.parametrize("data", [b"", b"PAR1", b"\xff\xff", b"PK\x03\x04", b"a,b\n"])
    def test_what_is_no_list_is_refused(self, data, tmp_path):
        (tmp_path / "list").write_bytes(data)
        with pytest.raises(RefusedError):
            list_export.file_list(tmp_path / "list", None, list_export.NO_PEOPLE, birth_dates=False)


class TestUnknownLists:
    @pytest.mark.parametrize("name", ["2020-01", "spring"])
    def test_of_a_ledger(self, japan, name):
        with pytest.raises(UnknownListError):
            list_export.ledger_list(japan, name, birth_dates=False)


class TestEvent:
    @pytest.mark.parametrize("name", CHESS)
    def test_sums_are_those_of_changes_csv(self, name, changes):
        ledger = read_ledger(EXAMPLES / name)
        for event_id in dict.fromkeys(row["event_id"] for row in changes[name]):
            table = event_table(ledger, rated_event(ledger, event_id))
            lines = [row for row in changes[name] if (row["event_id"], row["list"]) == (event_id, table.list)]
            for row in table.rows:
                own = [line for line in lines if line["player_id"] == row.player_id]
                moved = [line["change"] for line in own if line["change"]]
                assert Decimal(row.change or 0) == 100 * sum(map(Decimal, moved))
                assert (row.change is None) == (not moved)
                counted = [line for line in own if line["verdict"] in ("rated", "first")]
                assert row.rated == len(counted)
                halves = {"1": 2, "0.5": 1, "0": 0}
                assert row.scored == sum(halves[line["score"]] for line in counted)
                assert [cell.is_rated for cell in row.cells if cell] == [line in counted for line in own]
                assert str(row.before or "") == own[0]["own"]

    def test_after_is_the_rating_on_the_list(self, japan):
        table = event_table(japan, rated_event(japan, "2025-01-newyear"))
        listed = list_export.ledger_list(japan, table.list, birth_dates=False)
        on_list = {p.player_id: p.ratings[0].rating for p in listed.players if p.ratings[0]}
        assert {row.player_id: row.after for row in table.rows} == {
            row.player_id: on_list.get(row.player_id) for row in table.rows
        }

    def test_rows_stand_by_points_and_cells_name_them(self, japan):
        table = event_table(japan, rated_event(japan, "2025-01-newyear"))
        assert [row.number for row in table.rows] == list(range(1, 19))
        assert [row.points for row in table.rows] == sorted((row.points for row in table.rows), reverse=True)
        for row in table.rows:
            for at, cell in enumerate(row.cells):
                if cell is not None:
                    other = table.rows[cell.opponent - 1].cells[at]
                    assert other.opponent == row.number
                    assert {cell.colour, other.colour} == {"w", "b"}
                    signs = {"1": "0", "0": "1", "½": "½", "+": "-", "-": "+"}
                    assert other.result == signs[cell.result]

    def test_points_are_those_of_the_cells(self, japan):
        table = event_table(japan, rated_event(japan, "2025-01-newyear"))
        worth = {"1": 2, "+": 2, "½": 1}
        for row in table.rows:
            assert row.points == sum(worth.get(cell.result, 0) for cell in row.cells if cell)

    def test_an_event_that_is_none_is_refused(self, japan):
        with pytest.raises(RefusedError) as refused:
            rated_event(japan, "nowhere")
        assert [fault.code for fault in refused.value.faults] == ["export-event"]

    def test_of_another_list_is_refused(self, japan):
        assert rated_event(japan, "2025-01-newyear", "2025-02").rated.batch.name == "2025-02"
        with pytest.raises(RefusedError):
            rated_event(japan, "2025-01-newyear", "2025-03")

    @pytest.mark.parametrize(
        ("lang", "days"), [("en", "2025-01-11–2025-01-13"), ("ja", "2025年1月11日～2025年1月13日")]
    )
    def test_facts_of_the_event(self, japan, lang, days):
        table = event_table(japan, rated_event(japan, "2025-01-newyear"))
        assert days in event_wording(table, lang)["facts"]


class TestReport:
    def test_is_read_back_from_trf_with_national_records(self, japan):
        found = rated_event(japan, "2025-01-newyear")
        report = event_report(found, "JPN", birth_dates=False)
        for version in (16, 26):
            read = trf_reader.read(trf_writer.write(report, version=version, federation_code="JPN"), "e.trf")
            assert read.faults == ()
            assert [p.national_id for p in read.players] == [p.national_id for p in report.players]
            assert [p.national_rating for p in read.players] == [p.national_rating for p in report.players]
            assert {game[:4] for game in read.games} == {game[:4] for game in report.games}
            assert {p.birth_date for p in read.players} == {None}

    @pytest.mark.parametrize(("title", "written"), [("GM", "GM"), ("WIM", "WIM"), ("Shodan", "")])
    def test_has_fides_titles(self, title, written):
        player = facts.Player("J1", "SATO Taro", title=title)
        assert reported_player(player, 1, None, birth_dates=False, is_fide=False).title == written

    def test_has_birth_dates_only_if_asked(self, japan):
        found = rated_event(japan, "2025-01-newyear")
        asked = event_report(found, "JPN", birth_dates=True)
        assert any(p.birth_date for p in asked.players)
        assert not any(p.birth_date for p in event_report(found, "JPN", birth_dates=False).players)

    def test_of_a_fide_pool_has_fides_ids_and_ratings(self):
        ledger = read_ledger(EXAMPLES / "us-championship-2025")
        found = rated_event(ledger, ledger.events[0].event_id)
        first = event_report(found, "USA", birth_dates=False).players[0]
        assert first[:5] == (1, "Caruana, Fabiano", "2020009", "", 2789)
        assert first.national_rating is None


class TestPlayers:
    def test_in_fides_layout(self, japan):
        listed = list_export.ledger_list(japan, None, birth_dates=True)
        first = next(fide_players(listed, "JPN"))
        assert first[:4] == ("J001", "FUJIWARA Yuto", "JPN", "")
        assert (first.standard, first.rapid, first.blitz, first.standard_games) == (2400, 2331, None, None)
        born = {p.player_id: p.birth_date for p in japan.players}["J001"]
        assert first.birth_year == (born.year if born else None)

    def test_for_swiss_manager(self, japan):
        listed = list_export.ledger_list(japan, None, birth_dates=True)
        listed = listed._replace(
            players=(listed.players[0]._replace(sex="F", birth_date=date(1990, 5, 31)), *listed.players[1:])
        )
        first = next(national_players(listed, "rapid", "JPN"))
        assert first[:4] == ("J001", "FUJIWARA Yuto", "w", "JPN")
        assert (first.club_name, first.birthday, first.rating) == ("Hinoki Chess Club", "31/5/1990", 2331)

    def test_of_a_club_stand_as_standard(self):
        listed = list_export.ledger_list(read_ledger(EXAMPLES / "hakodate"), None, birth_dates=False)
        assert next(fide_players(listed, "")).standard == listed.players[0].ratings[0].rating
        assert next(national_players(listed, "standard", "")).rating == listed.players[0].ratings[0].rating

    def test_what_has_no_such_ratings_is_refused(self, japan):
        listed = list_export.ledger_list(japan, None, birth_dates=False)
        ranking = ledger_ranking(read_ledger(EXAMPLES / "go-server"), None)
        for players, code in (
            (national_players(listed, "blitz", ""), "export-speed"),
            (national_players(ranking, "standard", ""), "export-go"),
            (fide_players(ranking, ""), "export-go"),
        ):
            with pytest.raises(RefusedError) as refused:
                next(players)
            assert [fault.code for fault in refused.value.faults] == [code]


class TestWords:
    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_every_column_has_its_heading(self, lang):
        words = fixed_wording(lang)
        of_speeds = {measure_key(speed, measure) for speed in (*SPEEDS, "") for measure in MEASURES}
        assert {*PERSON, *RANKED, *of_speeds} <= set(words)

    def test_none_is_unused(self):
        """Every key is a column's or a status of a rule book, or stands in the code."""
        known = {*PERSON, *RANKED, *MEASURES, *statuses()}
        code = "".join(
            path.read_text("utf-8")
            for folder in ("words", "formats", "exchange", "web")
            for path in (EXAMPLES.parent / "banzuke" / folder).rglob("*.py")
        )
        prefixes = {"speed-": SPEEDS, "title-": (), "subtitle-": (), "event-": ()}
        for key in catalogue("export"):
            start = next((prefix for prefix in prefixes if key.startswith(prefix)), "")
            assert key in known or f'"{key.removeprefix(start)}"' in code or f'"{key}"' in code, key
