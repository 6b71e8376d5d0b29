"""Swiss-Manager's national list: its bytes, and what a program reads from them."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.formats.files.text import unescape_formula
from banzuke.formats.swiss_manager.national_list import NationalPlayer, write

HEADER = "ID_No;Name;Sex;Fed;Clubnumber;ClubName;Birthday;Rtg_Nat;Fide_No;Rtg_Int"
YAMADA = NationalPlayer("N00123", "Yamada, Hanako", "w", "JPN", "7", "東京クラブ", "", 1650, "7000001", 1700)


def rows_of(data: bytes) -> list[list[str]]:
    """The rows below the headings, each cell as it was meant."""
    table = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=";")
    return [[unescape_formula(cell) for cell in row] for row in table][1:]


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

    @pytest.mark.parametrize("name", ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "'=x", "''=x", "'quoted"])
    def test_formulas_are_never_written_and_names_come_back(self, name: str) -> None:
        data = write([NationalPlayer("1", name, club_name=name)])
        cells = data.decode("utf-8-sig").split("\r\n")[1].split(";")
        assert all(cell[:1] not in ("=", "+", "-", "@") for cell in cells)
        (row,) = rows_of(data)
        assert (row[1], row[5]) == (name, name)

    def test_tabs_and_line_ends_become_blanks(self) -> None:
        assert rows_of(write([NationalPlayer("1", "\tSato\r\nKen")]))[0][1] == "Sato Ken"

    def test_semicolons_and_quotes_are_kept(self) -> None:
        assert rows_of(write([NationalPlayer("1", 'Sato; "Ken"')]))[0][1] == 'Sato; "Ken"'


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
)


class TestRoundTrip:
    @settings(max_examples=examples(300))
    @given(PLAYERS)
    def test_what_is_written_is_read_back(self, players: list[NationalPlayer]) -> None:
        expected = [player._replace(sex="f" if player.sex else "") for player in players]
        assert rows_of(write(players)) == [[str(cell) for cell in player] for player in expected]
