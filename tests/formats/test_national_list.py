"""Swiss-Manager's national list: written, read back, as federations write it, and every fault by its address."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
import xlsxwriter
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.formats.swiss_manager.national_list import NationalPlayer, read, write
from banzuke.words import LANGUAGES, catalogue, say

AREA = "faults/swiss_manager_list"
HEADER = "ID_No;Name;Sex;Fed;Clubnumber;ClubName;Birthday;Rtg_Nat;Fide_No;Rtg_Int"
YAMADA = NationalPlayer("N00123", "Yamada, Hanako", "w", "JPN", "7", "東京クラブ", "", 1650, "7000001", 1700)


def listed(*rows: str, header: str = HEADER, encoding: str = "utf-8") -> bytes:
    return "\r\n".join((header, *rows, "")).encode(encoding)


def addresses(data: bytes) -> list[tuple[int, str, str]]:
    return [(fault.line, fault.column, fault.code) for fault in read(data, "x")[1]]


class TestWriting:
    def test_the_bytes(self) -> None:
        unrated = NationalPlayer("2", "Sato", birthday="31/5/1990")
        assert write([YAMADA, unrated]).decode() == (
            "\ufeffID_No;Name;Sex;Fed;Clubnumber;ClubName;Birthday;Rtg_Nat;Fide_No;Rtg_Int\r\n"
            "N00123;Yamada, Hanako;f;JPN;7;東京クラブ;;1650;7000001;1700\r\n"
            "2;Sato;;;;;31/5/1990;0;;0\r\n"
        )

    def test_no_players(self) -> None:
        assert write([]).decode("utf-8-sig") == HEADER + "\r\n"
        assert read(write([]), "x") == ([], [])

    @pytest.mark.parametrize("name", ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "'=x", "''=x", "'quoted"])
    def test_formulas_are_never_written_and_names_come_back(self, name: str) -> None:
        data = write([NationalPlayer("1", name, club_name=name)])
        cells = data.decode("utf-8-sig").split("\r\n")[1].split(";")
        assert all(cell[:1] not in ("=", "+", "-", "@") for cell in cells)
        (player,), faults = read(data, "x")
        assert (player.name, player.club_name, faults) == (name, name, [])

    def test_tabs_and_line_ends_become_blanks(self) -> None:
        data = write([NationalPlayer("1", "\tSato\r\nKen")])
        assert read(data, "x")[0][0].name == "Sato Ken"

    def test_semicolons_and_quotes_are_kept(self) -> None:
        player = NationalPlayer("1", 'Sato; "Ken"')
        assert read(write([player]), "x") == ([player], [])


class TestReading:
    def test_as_a_federation_writes_it(self) -> None:
        header = HEADER.replace(";", ",")
        row = "10,Несытова Анастасия,f,RUS,23,Краснодарский край,1997,2213,4164970,2201"
        players, faults = read(listed(row, "1,Переверткин,,RUS,77,Москва,,,,", header=header), "x")
        assert faults == []
        assert players[0] == NationalPlayer(
            "10", "Несытова Анастасия", "w", "RUS", "23", "Краснодарский край", "1997", 2213, "4164970", 2201
        )
        assert (players[1].rating, players[1].fide_no, players[1].sex) == (0, "", "")

    def test_more_columns_in_another_order_with_a_semicolon_at_the_end(self) -> None:
        header = (
            "ID_No;Name;Fed;Sex;Clubnumber;ClubName;Birthday;Rtg_Nat;Fide_No;Rtg_Int;Title;Type;Status;K;"
        )
        players, faults = read(
            listed("7;Reis, Paulo;BRA;;29;Salvador (BA);1973-01-01;2348;7;2300;FM;;;30;", header=header), "x"
        )
        assert faults == []
        assert players == [
            NationalPlayer(
                "7", "Reis, Paulo", "", "BRA", "29", "Salvador (BA)", "1973-01-01", 2348, "7", 2300
            )
        ]

    def test_last_and_first_name(self) -> None:
        header = "id_no;LAST NAME;First_Name;rtg_nat"
        players, faults = read(listed("1;Yamada;Taro;1500", "2;Sato;;1400", header=header), "x")
        assert ([player.name for player in players], faults) == (["Yamada, Taro", "Sato"], [])

    def test_a_workbook(self) -> None:
        stream = io.BytesIO()
        with xlsxwriter.Workbook(stream, {"in_memory": True}) as book:
            sheet = book.add_worksheet()
            sheet.write_row(0, 0, HEADER.split(";"))
            sheet.write_row(1, 0, [12, "山田花子", "w", "JPN", 7, "東京", 1990, 1650, 7000001, 0])
        assert read(stream.getvalue(), "x") == (
            [NationalPlayer("12", "山田花子", "w", "JPN", "7", "東京", "1990", 1650, "7000001", 0)],
            [],
        )

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp932"])
    def test_encodings(self, encoding: str) -> None:
        rows = [f"{n};山田花子;f;JPN;7;東京クラブ;;1650;;" for n in range(1, 4)]
        players, faults = read(listed(*rows, encoding=encoding), "x")
        assert ({player.name for player in players}, faults) == ({"山田花子"}, [])

    def test_blank_rows_and_short_rows(self) -> None:
        players, faults = read(listed("1;Sato", ";;;;;;;;;", "", "2;Kato"), "x")
        assert ([player.id_no for player in players], faults) == (["1", "2"], [])

    @pytest.mark.parametrize("text", ["31/5/1990", "1990", "1990/00/00", "1990-05-31", "", "0"])
    def test_birthdays_stand_as_written(self, text: str) -> None:
        players, faults = read(listed(f"1;Sato;;;;;{text};0;;0"), "x")
        assert ([player.birthday for player in players], faults) == ([text], [])


class TestFaults:
    @pytest.mark.parametrize(
        ("row", "column", "code"),
        [
            (";Kato;;;;;;0;;0", "A", "swiss-manager-list-no-id"),
            ("1;Kato;;;;;;0;;0", "A", "swiss-manager-list-id-twice"),
            ("2;;;;;;;0;;0", "B", "swiss-manager-list-nameless"),
            ("2;Kato;x;;;;;0;;0", "C", "swiss-manager-list-sex"),
            ("2;Kato;;;;;31.31.1990;0;;0", "G", "swiss-manager-list-birthday"),
            ("2;Kato;;;;;;fast;;0", "H", "swiss-manager-list-number"),
            ("2;Kato;;;;;;0;12x;0", "I", "swiss-manager-list-number"),
            ("2;Kato;;;;;;0;;10000", "J", "swiss-manager-list-number"),
        ],
    )
    def test_the_address(self, row: str, column: str, code: str) -> None:
        data = listed("1;Sato;;;;;;1500;;0", row)
        assert addresses(data) == [(3, column, code)]
        assert [player.name for player in read(data, "x")[0]] == ["Sato"]

    def test_every_fault_of_a_row(self) -> None:
        assert len(addresses(listed(";;x;;;;x;x;x;x"))) == 7

    @pytest.mark.parametrize(
        ("header", "missing"),
        [
            ("a;b", "ID_No, Name, Rtg_Nat"),
            ("ID_No;First Name;Rtg_Nat", "Name"),
            ("ID_No;Last Name", "Rtg_Nat"),
        ],
    )
    def test_headings(self, header: str, missing: str) -> None:
        players, (fault,) = read(listed("1;2;3", header=header), "x")
        assert (players, fault.line, fault.code) == ([], 1, "swiss-manager-list-headings")
        assert fault.facts == (("missing", missing),)

    def test_an_empty_file(self) -> None:
        assert addresses(b"") == [(1, "", "swiss-manager-list-headings")]

    def test_what_is_no_text_has_one_fault(self) -> None:
        assert addresses(b"ID_No;Name\0") == [(0, "", "sheet-no-text")]


TEXTS = st.text("abcXYZ '=+-@;\"éß山田\t", max_size=12).map(lambda s: " ".join(s.split()))
PLAYERS = st.lists(
    st.builds(
        NationalPlayer,
        TEXTS.filter(bool),
        TEXTS.filter(bool),
        st.sampled_from(["", "w"]),
        st.sampled_from(["", "JPN"]),
        TEXTS,
        TEXTS,
        st.sampled_from(["", "1990", "31/5/1990"]),
        st.integers(0, 3000),
        st.one_of(st.just(""), st.integers(1, 10**10).map(str)),
        st.integers(0, 3000),
    ),
    max_size=6,
    unique_by=lambda player: player.id_no,
)


class TestRoundTrip:
    @settings(max_examples=examples(300))
    @given(PLAYERS)
    def test_what_is_written_is_read_back(self, players: list[NationalPlayer]) -> None:
        assert read(write(players), "x") == (players, [])

    @settings(max_examples=examples(200))
    @given(st.binary(max_size=300), st.booleans())
    def test_any_bytes_never_raise(self, data: bytes, headed: bool) -> None:
        _, faults = read(listed() + data if headed else data, "x")
        for fault in faults:
            area = AREA if fault.code.startswith("swiss-manager-list") else "faults/sheet"
            for lang in LANGUAGES:
                assert say(area, fault.code, lang, **dict(fault.facts))

    def test_every_code_is_exercised(self) -> None:
        spoken = Path(__file__).read_text("utf-8")
        assert [code for code in catalogue(AREA) if f'"{code}"' not in spoken] == []
