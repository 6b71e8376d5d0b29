"""banzuke export: every format from the command line, and what is refused with a clear line."""

from __future__ import annotations

import csv
import io
import json
import os
from concurrent.futures import ThreadPoolExecutor

import openpyxl
import pytest
from command_runs import EXAMPLES, banzuke, ledger, no_traceback, outside

from banzuke.exchange import list_files
from banzuke.formats import pdf_fonts
from banzuke.formats.fide import fide_text
from banzuke.formats.trf import trf_reader
from banzuke.formats.workbook import TooLargeError
from banzuke.ledger.folder import read_ledger
from banzuke.words import LANGUAGES

JAPAN, CLUB, GO = EXAMPLES / "japan", EXAMPLES / "hakodate", EXAMPLES / "go-server"
EVENT = "2025-01-newyear"
TEXTS = ("csv", "json", "fide-txt", "fide-xml", "swiss-manager")
BORN = "1998-04-01"


@pytest.fixture
def born(tmp_path):
    """A club in which everybody was born on one day."""
    return ledger(
        tmp_path / "born",
        "hakodate",
        players=f"player_id,name,birth_date,sex,fide_id\n1,=SATO,{BORN},f,77\n2,ITO,{BORN},,",
        events="event_id,name,starts,ends,reported\nE,Cup,2024-01-06,2024-01-06,2024-01-06",
        games="event_id,round,white,black,result\nE,1,1,2,1-0",
        standings="player_id,rating,games\n1,1500,30\n2,1400,30",
    )


class TestLists:
    @pytest.mark.parametrize("kind", TEXTS)
    def test_texts_go_to_standard_output_or_a_file_alike(self, kind, tmp_path):
        said = banzuke("export", JAPAN, "--format", kind, "--federation", "JPN")
        out = tmp_path / "out"
        ran = banzuke("export", JAPAN, "--format", kind, "--federation", "JPN", "--out", out)
        assert (said.status, said.err, ran.status) == (0, "", 0)
        assert ran.out == f"Written: {out}\n"
        assert (
            said.out == out.read_bytes().decode().replace("\r\n", "\n")
            or said.out == out.read_bytes().decode()
        )
        assert "FUJIWARA Yuto" in said.out

    def test_csv(self):
        ran = banzuke("export", JAPAN, "--format", "csv", "--list", "2025-03")
        row = next(csv.DictReader(io.StringIO(ran.out.removeprefix("\ufeff"))))
        assert (row["player_id"], row["name_native"]) == ("J001", "藤原 悠斗")

    def test_json_says_which_list(self):
        listed = banzuke("export", JAPAN, "--format", "json", "--list", "2025-03").json
        assert (listed["list"], listed["rulebook"], listed["speeds"]) == (
            "2025-03",
            "jcf-2024",
            ["standard", "rapid"],
        )

    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_xlsx_in_the_readers_language(self, lang, tmp_path):
        out = tmp_path / "list.xlsx"
        assert banzuke("export", JAPAN, "--format", "xlsx", "--out", out, "--lang", lang).status == 0
        heading = openpyxl.load_workbook(out).worksheets[0]["A1"].value
        assert heading == {"en": "Id", "ja": "会員番号"}[lang]

    def test_fide_and_swiss_manager_are_read_by_their_readers(self, tmp_path):
        faults = []
        text = tmp_path / "list.txt"
        banzuke("export", JAPAN, "--format", "fide-txt", "--federation", "JPN", "--out", text)
        with text.open("rb") as stream:
            players = list(fide_text.read_txt(stream, "list.txt", faults))
        assert (faults, players[0].fide_id, players[0].standard) == ([], "J001", 2400)
        national = tmp_path / "list.csv"
        banzuke("export", JAPAN, "--format", "swiss-manager", "--speed", "rapid", "--out", national)
        with national.open(encoding="utf-8-sig", newline="") as stream:
            member = next(csv.DictReader(stream, delimiter=";"))
        assert (member["ID_No"], member["Rtg_Nat"]) == ("J001", "2331")

    def test_pdf(self, tmp_path):
        pytest.importorskip("typst")
        out = tmp_path / "list.pdf"
        ran = banzuke("export", JAPAN, "--format", "pdf", "--out", out)
        if ran.status == 1:
            assert ran.err.startswith("No Japanese font")
        else:
            assert out.read_bytes().startswith(b"%PDF")

    def test_from_a_file_with_the_names_of_a_ledger(self, tmp_path):
        banzuke("rate", JAPAN, "--out", tmp_path)
        bare = banzuke("export", tmp_path / "lists.csv", "--format", "json").json
        assert bare["players"][0].keys() == {"player_id", "ratings"}
        named = banzuke("export", tmp_path / "lists.csv", "--format", "json", "--players", JAPAN).json
        whole = banzuke("export", JAPAN, "--format", "json").json
        assert named["players"] == whole["players"]

    def test_of_go(self):
        ran = banzuke("export", GO, "--format", "csv")
        assert ran.lines[0].endswith("place,player_id,name,rank,points,rated_games")
        assert ran.lines[1] == "1,kazehaya,kazehaya,8d,19242,656"


class TestEvents:
    @pytest.mark.parametrize("kind", ["trf16", "trf26"])
    def test_report(self, kind, tmp_path):
        out = tmp_path / "e.trf"
        ran = banzuke(
            "export", JAPAN, "--event", EVENT, "--format", kind, "--federation", "JPN", "--out", out
        )
        assert (ran.status, ran.err) == (0, "")
        report = trf_reader.read(out.read_bytes(), "e.trf")
        assert (report.faults, len(report.players)) == ((), 18)
        assert report.players[0].national_id == "J001"

    def test_report_without_a_federation_says_what_it_lacks(self):
        ran = banzuke("export", JAPAN, "--event", EVENT, "--format", "trf16")
        assert (ran.status, len(ran.err.splitlines())) == (0, 1)
        assert ran.err == (
            "Written without the event's federation and without the players' national ids and ratings; "
            "--federation CODE adds them, CODE being your federation's three letters.\n"
        )
        assert not any(line.startswith("JPN") for line in ran.lines)

    def test_report_of_a_fide_pool_says_whose_ids_it_lacks(self, ledger_folder):
        folder = ledger_folder("fide")
        (event, *_), words = read_ledger(folder).events, ("--format", "trf16")
        ran = banzuke("export", folder, "--event", event.event_id, *words)
        assert ran.err == (
            "Written without the event's federation and without the ids of players who have no FIDE id; "
            "--federation CODE adds them, as national ids, CODE being your federation's three letters.\n"
        )
        assert "JPN" not in ran.out + ran.err
        added = banzuke("export", folder, "--event", event.event_id, *words, "--federation", "SWE")
        assert (added.err, any(line.startswith("SWE") for line in added.lines)) == ("", True)

    def test_page_and_workbook(self, tmp_path):
        page = banzuke("export", JAPAN, "--event", EVENT, "--format", "html", "--lang", "ja")
        assert page.out.startswith("<!doctype html>")
        assert "藤原 悠斗" in page.out
        out = tmp_path / "e.xlsx"
        assert banzuke("export", JAPAN, "--event", EVENT, "--format", "xlsx", "--out", out).status == 0
        assert openpyxl.load_workbook(out).worksheets[0]["A1"].value == "New Year Open"


EVENTS = ("--event", "E")
#: Options, and how a birth date is shown if asked for; a page never shows it.
WITH_BIRTH_DATES = [
    ("csv", (), BORN),
    ("json", (), BORN),
    ("fide-txt", (), "1998"),
    ("fide-xml", (), "1998"),
    ("swiss-manager", (), "1/4/1998"),
    ("trf16", EVENTS, "1998/04/01"),
    ("trf26", EVENTS, "1998/04/01"),
    ("html", EVENTS, None),
]


class TestBirthDates:
    """Nowhere unasked; with the option wherever the format has room for them."""

    @pytest.mark.parametrize(("kind", "more", "shown"), WITH_BIRTH_DATES)
    def test_of_texts(self, kind, more, shown, born):
        words = ("export", born, "--format", kind, "--federation", "JPN", *more)
        assert "1998" not in banzuke(*words).out
        asked = banzuke(*words, "--birth-dates").out
        assert "1998" not in asked if shown is None else shown in asked

    def test_of_workbooks(self, born, tmp_path):
        for more, known in (((), False), (("--birth-dates",), True)):
            out = tmp_path / "out.xlsx"
            banzuke("export", born, "--format", "xlsx", "--out", out, *more)
            cells = [str(cell.value) for row in openpyxl.load_workbook(out).worksheets[0] for cell in row]
            assert any("1998" in cell for cell in cells) == known


def test_a_crosstable_as_clubs_in_the_united_states_have_it():
    ran = banzuke("export", JAPAN, "--event", EVENT, "--format", "us-crosstable")
    assert (ran.status, ran.lines[3][:15]) == (0, "Place | Name   ")


class TestRefused:
    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("--format", "xlsx"), "xlsx is no text: name a file with --out."),
            (("--format", "trf16"), "trf16 is a format of events: say which with --event."),
            (
                ("--format", "csv", "--event", EVENT),
                "csv is no format of events; these are: trf16, trf26, html, us-crosstable, xlsx.",
            ),
            (
                ("--format", "csv", "--federation", "jp"),
                "'jp' is no federation's code; write three capital letters, such as JPN.",
            ),
        ],
    )
    def test_options_that_do_not_go_together(self, words, said):
        ran = banzuke("export", JAPAN, *words)
        assert (ran.status, ran.out, ran.err) == (2, "", f"{said}\n")

    @pytest.mark.parametrize(
        ("source", "words", "code"),
        [
            (JAPAN, ("--format", "csv", "--list", "2020-01"), "'2020-01' is not a list of this ledger"),
            (JAPAN, ("--format", "csv", "--list", "x"), "'x' is not a list of this ledger"),
            (JAPAN, ("--format", "html", "--event", "x"), "No event 'x'"),
            (JAPAN, ("--format", "swiss-manager", "--speed", "blitz"), "no blitz ratings"),
            (GO, ("--format", "fide-txt"), "A Go ranking has no ratings"),
            (GO, ("--format", "html", "--event", "x"), "This is a Go pool"),
            (GO, ("--format", "csv", "--list", "soon"), "'soon' is not a list of this ledger"),
            (EXAMPLES, ("--format", "csv"), "pool.toml"),
            (EXAMPLES / "README.md", ("--format", "csv"), "columns"),
            (JAPAN / "nowhere", ("--format", "csv"), "nowhere"),
        ],
    )
    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_what_is_not_there(self, source, words, code, lang):
        ran = banzuke("export", source, *words, lang=lang)
        assert (ran.status, ran.out) == (2, "")
        assert code in no_traceback(ran) or lang == "ja"

    def test_nothing_is_written_into_a_ledger(self, ledger_folder):
        folder = ledger_folder("japan")
        before = (folder / "players.csv").read_bytes()
        ran = banzuke("export", folder, "--format", "csv", "--out", folder / "players.csv")
        assert ran.status == 2
        assert "This folder is a ledger" in ran.err
        assert (folder / "players.csv").read_bytes() == before

    def test_an_existing_file_stays_where_writing_fails(self, tmp_path, monkeypatch):
        out = tmp_path / "list.xlsx"
        out.write_text("old")

        def too_large(*_):
            raise TooLargeError

        monkeypatch.setattr(list_files.list_xlsx, "write", too_large)
        ran = banzuke("export", JAPAN, "--format", "xlsx", "--out", out)
        assert (ran.status, out.read_text()) == (2, "old")
        assert "does not fit" in ran.err
        assert [path.name for path in tmp_path.iterdir()] == ["list.xlsx"]

    def test_an_existing_file_is_replaced(self, tmp_path):
        out = tmp_path / "list.json"
        out.write_text("old")
        out.chmod(0o600)
        assert banzuke("export", CLUB, "--format", "json", "--out", out).status == 0
        assert json.loads(out.read_text())["rulebook"] == "hakodate"
        assert out.stat().st_mode & 0o777 == 0o600
        assert [path.name for path in tmp_path.iterdir()] == ["list.json"]

    def test_a_new_file_is_as_the_user_wants_new_files(self, tmp_path):
        for mask, mode in ((0o077, 0o600), (0o022, 0o644)):
            out, before = tmp_path / f"{mask}.csv", os.umask(mask)
            try:
                assert banzuke("export", CLUB, "--format", "csv", "--out", out).status == 0
                assert os.umask(mask) == mask, "it stays as it was"
            finally:
                os.umask(before)
            assert out.stat().st_mode & 0o777 == mode

    @pytest.mark.parametrize("kind", [("csv",), ("trf16", "--event", "E")])
    def test_a_new_file_with_birth_dates_is_read_by_its_owner_only(self, kind, born, tmp_path):
        out = tmp_path / "out"
        assert banzuke("export", born, "--birth-dates", "--out", out, "--format", *kind).status == 0
        assert b"1998" in out.read_bytes()
        assert out.stat().st_mode & 0o777 == 0o600

    def test_no_folder_to_write_into(self, tmp_path):
        out = tmp_path / "no" / "x.csv"
        ran = banzuke("export", CLUB, "--format", "csv", "--out", out)
        assert (ran.status, ran.err) == (2, f"Cannot read or write {out}: No such file or directory\n")

    def test_a_folder_is_no_file_to_write(self, tmp_path):
        ran = banzuke("export", CLUB, "--format", "csv", "--out", tmp_path)
        assert (ran.status, ran.err) == (2, f"Cannot read or write {tmp_path}: Is a directory\n")
        assert list(tmp_path.iterdir()) == []

    def test_a_pipe_is_written_to_and_stays_one(self, tmp_path):
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        with ThreadPoolExecutor() as pool:
            read = pool.submit(pipe.read_text, "utf-8-sig")
            assert banzuke("export", CLUB, "--format", "csv", "--out", pipe).status == 0
            assert read.result(60).startswith("player_id,")
        assert [path.is_fifo() for path in tmp_path.iterdir()] == [True]

    def test_no_font(self, tmp_path, monkeypatch):
        pytest.importorskip("typst")
        monkeypatch.setattr(pdf_fonts, "families", frozenset)
        ran = banzuke("export", JAPAN, "--format", "pdf", "--out", tmp_path / "x.pdf")
        assert (ran.status, list(tmp_path.iterdir())) == (1, [])
        assert "fonts-noto-cjk" in ran.err

    @pytest.mark.parametrize(("kind", "extra"), [("parquet", "bulk"), ("pdf", "pdf")])
    def test_without_an_extra(self, kind, extra, tmp_path, monkeypatch):
        monkeypatch.setattr(list_files, "find_spec", lambda _: None)
        ran = banzuke("export", JAPAN, "--format", kind, "--out", tmp_path / "x")
        assert ran.status == 2
        assert f"pip install '.[{extra}]'" in ran.err


class TestPipe:
    def test_the_bytes_of_a_text_are_those_of_the_file(self, tmp_path):
        ran = outside("export", JAPAN, "--format", "csv", LC_ALL="C")
        assert ran.status == 0
        assert ran.out.startswith("\ufeffplayer_id,")
        assert "藤原 悠斗" in ran.out
