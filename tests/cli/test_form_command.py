"""banzuke form: an empty form, with or without members, never over a filled one by accident."""

from __future__ import annotations

import io

import openpyxl
import pytest
from command_runs import EXAMPLES, banzuke, no_traceback
from languages import IN_TURN

from banzuke.formats.report_form.form_reader import looks_like, read

JAPAN, GO = EXAMPLES / "japan", EXAMPLES / "go-server"


def sheets(path):
    book = openpyxl.load_workbook(io.BytesIO(path.read_bytes()))
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book}


#: Rows enough for tests that do not count them: to write a form of the usual size takes half a second.
SMALL = ("--players", 3, "--games", 3)


class TestForm:
    def test_is_empty_and_is_a_form(self, tmp_path):
        out = tmp_path / "report.xlsx"
        ran = banzuke("form", out)
        assert (ran.status, ran.err) == (0, "")
        assert ran.out == f"{out}: a form for 100 players and 500 games, with 0 members to look up.\n"
        assert looks_like(out.read_bytes())
        assert [fault.code for fault in read(out.read_bytes(), "report.xlsx").faults] == ["form-empty"]
        assert [path.name for path in tmp_path.iterdir()] == ["report.xlsx"]

    def test_rows(self, tmp_path):
        ran = banzuke("form", tmp_path / "f.xlsx", "--players", 3, "--games", 4, "--format", "json")
        assert ran.json == {"form": str(tmp_path / "f.xlsx"), "players": 3, "games": 4, "members": 0}
        found = sheets(tmp_path / "f.xlsx")
        assert (len(found["選手 players"]), len(found["対局 games"])) == (4 + 3, 4 + 4)

    def test_members_by_id_and_names_only(self, tmp_path):
        ran = banzuke("form", tmp_path / "f.xlsx", *SMALL, "--ledger", JAPAN, "--format", "json")
        rows = sheets(tmp_path / "f.xlsx")["会員 members"]
        assert ran.json["members"] == len(rows) - 1 > 10
        assert rows[0] == (
            "会員番号 / Member ID",
            "氏名（ローマ字 姓 名） / Name (FAMILY Given)",
            "氏名（漢字） / Name in kanji",
        )
        assert [row[0] for row in rows[1:]] == sorted(row[0] for row in rows[1:])
        assert ("J004", "HAYASHI Haruto", "林 陽翔") in rows

    @pytest.mark.parametrize("lang", IN_TURN)
    def test_a_file_that_is_there_stays_unless_asked(self, tmp_path, lang):
        out = tmp_path / "f.xlsx"
        out.write_bytes(b"filled in")
        ran = banzuke("form", out, lang=lang)
        assert ran.status == 2
        assert "--overwrite" in no_traceback(ran)
        assert out.read_bytes() == b"filled in"
        assert banzuke("form", out, "--overwrite", *SMALL, lang=lang).status == 0
        assert looks_like(out.read_bytes())

    def test_refusals(self, tmp_path):
        assert banzuke("form", tmp_path / "f.xlsx", "--ledger", GO).err == (
            f"{GO}: This is a Go pool's ledger; name that of a chess pool.\n"
            "Refused. Faults: 1. Nothing was written.\n"
        )
        for words in (
            ["--ledger", tmp_path / "none"],
            ["--ledger", GO],
            ["--players", 0],
            ["--games", 10**9],
        ):
            ran = banzuke("form", tmp_path / "f.xlsx", *words)
            assert ran.status == 2
            assert "Traceback" not in ran.err
        assert banzuke("form", tmp_path / "no" / "f.xlsx", *SMALL).status == 2
        assert list(tmp_path.iterdir()) == []
