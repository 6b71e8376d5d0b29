"""Member registers: the real one, proposals in two languages, every fault by its address, any bytes."""

from __future__ import annotations

import io
from datetime import date

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.core.fault import RefusedError
from banzuke.formats.member_register import (
    FIELDS,
    ReportedMember,
    headings,
    propose,
    read,
    read_headings,
    table,
)
from banzuke.formats.rating_columns import propose_ratings
from banzuke.words import LANGUAGES, catalogue, fault_text

JAPANESE = [
    "会員番号",
    "氏名",
    "フリガナ",
    "ローマ字",
    "生年月日",
    "性別",
    "FIDE ID",
    "所属クラブ",
    "有効期限",
]
ALL = {field: field for field in FIELDS}
HEAD = ",".join(FIELDS)


def read_text(text: str, columns=None, encoding="utf-8"):
    return read(text.encode(encoding), "m.csv", ALL if columns is None else columns)


def workbook(sheets, hidden="") -> bytes:
    """A workbook with these sheets, one of them perhaps hidden."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
        sheet.sheet_state = "hidden" if name == hidden else "visible"
    book.active = next(at for at, name in enumerate(sheets) if name != hidden)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def addresses(faults) -> list[tuple[int, str, str]]:
    return [(fault.line, fault.column, fault.code) for fault in faults]


@pytest.mark.parametrize("heading", ["Title", "タイトル", "称号", "Tit", "title"])
def test_a_title_by_its_heading(heading):
    names = ["ID_No", "Name", heading, "Rtg_Nat"]
    assert propose(names) == {"id": "ID_No", "name": "Name", "title": heading}
    data = "\n".join([",".join(names), "1,ABE,GM,2000", "2,BABA,-,"]).encode()
    members, faults = read(data, "m.csv", propose(names))
    assert ([member.title for member in members], faults) == (["GM", ""], [])


@pytest.mark.parametrize(
    "named",
    [("Id", "Name", "Name in kanji", "Rating", "Games"), ("ID", "氏名", "漢字氏名", "レーティング", "対局")],
)
def test_the_headings_of_our_own_table_of_who_qualifies(named):
    names = ["id", "name", "name_native"]
    assert propose(list(named)) == dict(zip(names, named, strict=False))
    ratings = {"standard_rating": named[3], "standard_games": named[4]}
    assert propose_ratings(named, ["standard"]) == ratings


class TestRealRegister:
    def test_of_2189_members(self, shared):
        path = shared / "data" / "jcf" / "jcf_players_ncs_id.csv"
        faults = []
        columns = propose(headings(table(path.read_bytes(), path.name, faults)))
        assert columns == {"id": "ncs_id", "name": "name_en", "name_native": "name_jp"}
        members, faults = read(path.read_bytes(), path.name, columns)
        assert faults == []
        assert len(members) == len({member.id for member in members}) == 2189
        assert members[0] == ReportedMember("N03330834", "Abe Taro", "阿部 太郎", line=2)
        assert all(member.name and member.name_native for member in members)
        # Names that two people bear are theirs: only ids tell members apart.
        assert len({member.name for member in members}) < 2189


class TestProposal:
    @pytest.mark.parametrize(
        ("names", "columns"),
        [
            (
                JAPANESE,
                {
                    "id": "会員番号",
                    "name": "ローマ字",
                    "name_native": "氏名",
                    "birth_date": "生年月日",
                    "sex": "性別",
                    "club_id": "所属クラブ",
                    "fide_id": "FIDE ID",
                    "valid_to": "有効期限",
                },
            ),
            (["会員番号", "氏名"], {"id": "会員番号", "name": "氏名"}),
            (
                ["ID", "氏名(漢字)", "氏名(ローマ字)"],
                {"id": "ID", "name": "氏名(ローマ字)", "name_native": "氏名(漢字)"},
            ),
            (
                ["NCS-ID", "Name", "Date of Birth"],
                {"id": "NCS-ID", "name": "Name", "birth_date": "Date of Birth"},
            ),
            (["player_id", "ID"], {"id": "player_id"}),
            (["a", "b"], {}),
            ([], {}),
            (list(FIELDS), ALL),
        ],
    )
    def test_of_headings(self, names, columns):
        assert propose(names) == columns

    @given(st.lists(st.sampled_from([*JAPANESE, "name", "id", "", "x"]) | st.text(max_size=4), max_size=12))
    def test_names_headings_that_are_there_once_each(self, names):
        columns = propose(names)
        assert set(columns.values()) <= set(names)
        assert len(set(columns.values())) == len(columns)


class TestReading:
    def test_every_field(self):
        members, faults = read_text(
            f"{HEAD}\nN1,ABE Jun,阿部 純,1990-05-31,m,C1,7000001,2025-04-01,2026-03-31,annual\n"
        )
        assert faults == []
        assert members == [
            ReportedMember(
                "N1",
                "ABE Jun",
                "阿部 純",
                date(1990, 5, 31),
                "m",
                "C1",
                "7000001",
                date(2025, 4, 1),
                date(2026, 3, 31),
                "annual",
                2,
            )
        ]

    @pytest.mark.parametrize("encoding", ["cp932", "utf-8-sig", "utf-16"])
    def test_japanese_in_the_wild(self, encoding):
        text = f"{','.join(JAPANESE)}\r\nＮ００１,阿部 純,アベ ジュン,ABE Jun,1990年5月31日,女性,７０,札幌,2026/3/31\r\n"
        members, faults = read_text(text, propose(JAPANESE), encoding)
        assert faults == []
        assert members == [
            ReportedMember(
                "N001",
                "ABE Jun",
                "阿部 純",
                date(1990, 5, 31),
                "w",
                "札幌",
                "70",
                None,
                date(2026, 3, 31),
                "",
                2,
            )
        ]

    def test_blank_cells_say_nothing(self):
        assert read_text(f"{HEAD}\nN1,,,,,,0,,,\n")[0] == [ReportedMember("N1", line=2)]

    def test_only_the_year_of_birth(self):
        assert read_text("id,born\nN1,1990\nN2,1990/00/00\n", {"id": "id", "birth_date": "born"})[0] == [
            ReportedMember("N1", line=2),
            ReportedMember("N2", line=3),
        ]

    def test_a_title_above_blank_rows_and_short_ones(self):
        text = "会員名簿\n\n会員番号,氏名,性別\nN1,阿部 純\n\nN2,馬場,男\n"
        members, faults = read_text(text, {"id": "会員番号", "name": "氏名", "sex": "性別"})
        assert faults == []
        assert [(m.id, m.sex, m.line) for m in members] == [("N1", "", 4), ("N2", "m", 6)]

    def test_a_workbook_with_a_cover_sheet(self):
        book = openpyxl.Workbook()
        book.active["A1"] = "会員名簿"
        sheet = book.create_sheet("list")
        for row in (["会員番号", "生年月日"], [12, date(1990, 5, 31)]):
            sheet.append(row)
        stream = io.BytesIO()
        book.save(stream)
        members, faults = read(stream.getvalue(), "m.xlsx", {"id": "会員番号", "birth_date": "生年月日"})
        assert faults == []
        assert members == [ReportedMember("12", birth_date=date(1990, 5, 31), line=2)]

    def test_sheets_with_the_same_columns_are_refused(self):
        columns = {"id": "会員番号", "name": "氏名"}
        heading, row = ["会員番号", "氏名"], [12, "阿部"]
        names = {"A-M": [heading, row], "blank": [heading], "clubs": [["クラブ番号", "場所"], [1, "函館"]]}
        assert read(workbook(names), "m.xlsx", columns)[1] == []
        names |= {"old": [heading, [13, "馬場"]]}
        assert read(workbook(names, hidden="old"), "m.xlsx", columns)[1] == []
        names |= {"N-Z": [[*heading, "備考"], [14, "千葉"]]}
        members, (found,) = read(workbook(names, hidden="old"), "m.xlsx", columns)
        assert (members, found.code, dict(found.facts)) == ([], "sheet-alike", {"sheets": "A-M, N-Z"})
        with pytest.raises(RefusedError):
            read_headings(workbook(names), "m.xlsx")
        assert all("{" not in fault_text(found, lang) for lang in LANGUAGES)

    def test_the_sheet_that_is_shown_goes_before_a_hidden_one(self):
        sheets = {"old": [["id", "name"], [1, "ABE"]], "now": [["id", "name"], [2, "BABA"]]}
        members, faults = read(workbook(sheets, hidden="old"), "m.xlsx", {"id": "id", "name": "name"})
        assert ([member.name for member in members], faults) == (["BABA"], [])

    def test_lines_where_a_cell_runs_over_several(self):
        text = 'id,note,birth_date\n1,"since\n2001",\n2,,soon\n'
        _, faults = read_text(text, {"id": "id", "birth_date": "birth_date"})
        assert addresses(faults) == [(4, "C", "register-bad-day")]

    def test_a_quotation_mark_that_is_not_closed(self):
        text = 'id,name\n1,ABE Jun\n2,"BABA Mei\n3,CHIBA Go\n'
        assert addresses(read_text(text, {"id": "id", "name": "name"})[1]) == [(3, "", "sheet-csv")]

    def test_kinds_of_membership(self):
        members, _ = read_text("id,kind\n1,年会員\n2,Annual\n3,\n", {"id": "id", "kind": "kind"})
        assert [member.kind for member in members] == ["annual", "annual", ""]


@pytest.mark.parametrize(
    ("heading", "field"),
    [
        *(
            ("FIDE Standard", "fide_standard"),
            ("FIDE rating (rapid)", "fide_rapid"),
            ("FIDE Blitz", "fide_blitz"),
        ),
        *(
            ("FIDEラピッド", "fide_rapid"),
            ("FIDEレーティング", "fide_standard"),
            ("Rtg_Int", "fide_standard"),
        ),
    ],
)
def test_fide_ratings_by_their_headings(heading, field):
    names = ["ID_No", "Name", heading]
    assert propose(names) == {"id": "ID_No", "name": "Name", field: heading}
    text = f"{','.join(names)}\n1,A B,2105\n2,C D,0\n3,E F,UR\n4,G H,much\n5,I J,3501\n".encode()
    members, faults = read(text, "m.csv", propose(names))
    assert [getattr(member, field) for member in members] == [2105, None, None]
    assert addresses(faults) == [(5, "C", "register-bad-rating"), (6, "C", "register-bad-rating")]


@pytest.mark.parametrize("cell", ["00", "0.0", "−", "ー", "‐‐", "なし", "０"])
def test_who_has_no_fide_rating(cell):
    members, faults = read_text(
        f"id,fide_standard\n1,{cell}\n", {"id": "id", "fide_standard": "fide_standard"}
    )
    assert ([member.fide_standard for member in members], faults) == ([None], [])


FAULTY = [
    ("N1,A B,,31/31/1990,,,,,,", [(2, "D", "register-bad-day")]),
    ("N1,A B,,,x,,,,,", [(2, "E", "register-bad-sex")]),
    ("N1,A B,,,,,7a,,,", [(2, "G", "register-bad-fide-number")]),
    (f"N1,A B,,,,,{'9' * 5000},,,", [(2, "G", "register-bad-fide-number")]),
    (f"N1,A B{',' * 11}much", [(2, "M", "register-bad-rating")]),
    ("N1,A B,,,,,,soon,,", [(2, "H", "register-bad-day")]),
    ("N1,A B,,,,,,2025-04-01,2025-03-31,", [(2, "I", "register-ends-before-start")]),
    ("N1,A B,,,,,,,,honorary", [(2, "J", "register-bad-kind")]),
    ("N1,A B,,,,,,,,event", [(2, "J", "register-one-event")]),
    (",A B,,,,,,,,", [(2, "A", "register-no-id")]),
    ('N1,"A\nB",,,,,,,,', [(2, "B", "register-control")]),
    (
        "N1,A B,,x,x,,x,,,x",
        [
            (2, c, code)
            for c, code in zip(
                "DEGJ",
                ("register-bad-day", "register-bad-sex", "register-bad-fide-number", "register-bad-kind"),
                strict=True,
            )
        ],
    ),
]


class TestFaults:
    @pytest.mark.parametrize(("row", "found"), FAULTY)
    def test_by_address_and_the_member_is_left_out(self, row, found):
        members, faults = read_text(f"{HEAD}\n{row}\nN2,C D,,,,,,,,\n")
        assert addresses(faults) == found
        assert [member.id for member in members] == ["N2"]

    def test_an_id_twice(self):
        members, faults = read_text(f"{HEAD}\nN1,A B,,,,,70,,,\nN2,C D,,,,,７０,,,\nＮ１,E F,,,,,,,,\n")
        assert addresses(faults) == [(3, "G", "register-twice"), (4, "A", "register-twice")]
        assert [dict(fault.facts) for fault in faults] == [
            {"id": "70", "first": "2"},
            {"id": "N1", "first": "2"},
        ]
        assert len(members) == 1

    @pytest.mark.parametrize(
        ("text", "columns", "code"),
        [
            ("", ALL, "register-no-headings"),
            ("just one\ncolumn\n", ALL, "register-no-headings"),
            ("id,name\n1,A\n", {"id": "no"}, "register-no-heading"),
            ("id,id\n1,A\n", {"id": "id"}, "register-heading-twice"),
            ("id,name\n1,A\n", {"name": "name"}, "register-no-id-column"),
            ("id,name\n", {"id": "id"}, "register-empty"),
        ],
    )
    def test_of_the_register_as_a_whole(self, text, columns, code):
        members, faults = read_text(text, columns)
        assert (members, [fault.code for fault in faults]) == ([], [code])

    def test_every_sentence_has_its_facts(self):
        found = [fault for row, _ in FAULTY for fault in read_text(f"{HEAD}\n{row}\n")[1]]
        found += read_text(f"{HEAD}\nN1,,,,,,,,,\nN1,,,,,,,,,\n")[1]
        for case in self.test_of_the_register_as_a_whole.pytestmark[0].args[1]:
            found += read_text(*case[:2])[1]
        assert {fault.code for fault in found} == set(catalogue("faults/register"))
        for fault in found:
            assert all("{" not in fault_text(fault, lang) for lang in LANGUAGES)


class TestAnyBytes:
    def test_of_endless_faults_a_thousand_are_told(self):
        members, faults = read_text(
            "id,sex\n" + "".join(f"{n},x\n" for n in range(5000)), {"id": "id", "sex": "sex"}
        )
        assert (members, len(faults)) == ([], 1000)

    GOOD = f"{HEAD}\nN1,ABE Jun,阿部 純,1990-05-31,m,C1,7000001,2025-04-01,2026-03-31,annual\n".encode()

    @given(st.binary(max_size=300))
    def test_noise(self, noise):
        faults = []
        sheet = table(noise, "m", faults)
        if sheet is None:
            assert faults
        else:
            propose(headings(sheet))
        read(noise, "m", ALL)

    @settings(max_examples=examples(200))
    @given(st.integers(0, len(GOOD) - 1), st.binary(max_size=6), st.integers(0, 6))
    def test_damaged_registers(self, at, noise, cut):
        data = self.GOOD[:at] + noise + self.GOOD[at + cut :]
        members, faults = read(data, "m", ALL)
        assert members or faults
        assert all(member.id for member in members)
