"""FIDE's lists as text: real rows, the layout found by its headings, every fault by its address, round trips."""

from __future__ import annotations

import io
import random
import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from banzuke.core.fault import Fault, RefusedError
from banzuke.formats.fide.fide_player import FidePlayer
from banzuke.formats.fide.fide_text import looks_like_txt, read_txt, write_txt
from banzuke.words import LANGUAGES, fault_line

COMBINED = (
    "ID Number      Name                                                         Fed Sex Tit  WTit "
    "OTit           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)
SINGLE = COMBINED.partition("SRtng")[0] + "JAN23 Gms K  B-day Flag"


def row(
    fide_id="1503014", name="Carlsen, Magnus", fed="NOR", sex="M", tit="", wtit="", otit="", foa="", rest=""
):
    return (
        f"{fide_id:<15}"
        + (name if name.endswith(" ") else f"{name:<61}")
        + f"{fed:<4}{sex:<4}{tit:<5}{wtit:<5}{otit:<15}{foa:<4}{rest}"
    )


def in_bytes(name):
    """The name with as many blanks as its column has left if bytes are counted."""
    return name + " " * (61 - len(name.encode()))


def ratings(*cells):
    widths = (6, 4, 3, 6, 4, 3, 6, 4, 3, 6, 4)
    return "".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=False))


def read(*lines, file="list.txt", end="\r\n", encoding="utf-8", speed=None):
    data = "".join(line + end for line in lines).encode(encoding)
    return read_bytes(data, file, speed)


def read_bytes(data: bytes, file="list.txt", speed=None) -> tuple[list[FidePlayer], list[Fault]]:
    faults: list[Fault] = []
    return list(read_txt(io.BytesIO(data), file, faults, speed)), faults


def addresses(faults):
    return [(fault.line, fault.column, fault.code) for fault in faults]


class TestRows:
    def test_the_real_rows_of_a_list_of_one_speed(self, shared):
        data = (shared / "data" / "fide" / "fide_txt_fixedwidth_sample.txt").read_bytes()
        players, faults = read_bytes(data, "standard_jan23frl.txt")
        assert faults == []
        assert players == [
            FidePlayer("25121731", "A C J John", "IND", "M", standard=1063, standard_games=0, standard_k=40, birth_year=1987, flag="i"),
            FidePlayer("5045886", "A K, Kalshyan", "IND", "M", standard=1671, standard_games=0, standard_k=20, birth_year=1964),
            FidePlayer("4804929", "A-ALI, Sali Abbas Abdulzahra", "IRQ", "F", "WFM", "WFM", standard=1876, standard_games=13, standard_k=20, birth_year=2001, flag="w"),
        ]  # fmt: skip

    def test_a_row_with_everything(self):
        rest = ratings(2837, 9, 10, 2819, 0, 10, 2886, 12, 10, 1990, "wi")
        players, faults = read(COMBINED, row(tit="GM", wtit="WGM", otit="FI,IA", foa="AFM", rest=rest))
        assert faults == []
        assert players == [
            FidePlayer(
                *("1503014", "Carlsen, Magnus", "NOR", "M", "GM", "WGM", "FI,IA", "AFM"),
                *(2837, 9, 10, 2819, 0, 10, 2886, 12, 10, 1990, "wi"),
            )
        ]

    def test_a_row_may_end_early(self):
        players, faults = read(COMBINED, "7              Ann", row()[:80].rstrip(), row(rest="1500"))
        assert addresses(faults) == []
        assert [(p.name, p.federation, p.sex, p.standard) for p in players] == [
            ("Ann", "", "", None),
            ("Carlsen, Magnus", "NOR", "", None),
            ("Carlsen, Magnus", "NOR", "M", 1500),
        ]

    def test_zeros_are_no_ratings_but_numbers_of_games(self):
        [player], faults = read(COMBINED, row(rest=ratings(*[0] * 10)))
        assert faults == []
        assert player[8:] == (None, 0, None, None, 0, None, None, 0, None, None, "")

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_any_line_ends_and_blank_lines(self, end):
        players, faults = read("", COMBINED, row("1"), "", row("2"), "   ", end=end)
        assert ([p.fide_id for p in players], faults) == (["1", "2"], [])

    def test_the_last_line_needs_no_end(self):
        players, faults = read_bytes(f"{COMBINED}\n{row('1')}".encode())
        assert ([p.fide_id for p in players], faults) == (["1"], [])

    def test_a_list_longer_than_the_blocks_it_is_read_by(self):
        players, faults = read(COMBINED, *(row(str(number)) for number in range(1, 20_001)))
        assert faults == []
        assert [p.fide_id for p in players] == [str(number) for number in range(1, 20_001)]

    def test_a_national_id_has_letters(self):
        players, faults = read(COMBINED, row("N01234567"))
        assert ([p.fide_id for p in players], faults) == (["N01234567"], [])

    def test_a_player_may_lack_a_name_but_not_a_federation_too(self):
        players, faults = read(COMBINED, row(name=""), row(name="", fed=""))
        assert len(players) == 1
        assert addresses(faults) == [(3, "16", "fide-bad-name")]


class TestOtherTitlesThatRunOver:
    """FIDE's list has rows of 163 characters: OTit is too long, and all that follows is moved."""

    REST = ratings(2300, 0, 10, 2200, 3, 20, 2100, 0, 20, 1970, "i")

    @pytest.mark.parametrize("foa", ["", "AFM"])
    @pytest.mark.parametrize("title", ["FI,FA,IO,NI,LSI", "FI,FA,IO,NI,LSI,DI", "FI,FA,IO,NI,IA"])
    def test_with_a_blank_after_it(self, title, foa):
        [player], faults = read(COMBINED, row(otit=f"{title:<14} ", foa=foa, rest=self.REST))
        assert faults == []
        assert player == FidePlayer(
            *("1503014", "Carlsen, Magnus", "NOR", "M", "", "", title, foa),
            *(2300, 0, 10, 2200, 3, 20, 2100, 0, 20, 1970, "i"),
        )

    @pytest.mark.parametrize("title", ["FI,FA,IO,NI,LSI", "FI,FA,IO,NI,LSI,DI"])
    def test_without_a_blank_of_its_own(self, title):
        [player], faults = read(COMBINED, row(otit=title, rest=self.REST))
        assert faults == []
        assert (player.o_title, player.foa_title, player.standard, player.flag) == (title, "", 2300, "i")

    def test_in_a_row_that_ends_early(self):
        [player], faults = read(COMBINED, row(otit="FI,FA,IO,NI,LSI ", rest="2300").rstrip())
        assert faults == []
        assert (player.o_title, player.standard, player.rapid) == ("FI,FA,IO,NI,LSI", 2300, None)

    def test_in_a_list_of_one_speed(self):
        line = row(otit="FI,FA,IO,NI,LSI ", rest="1876  13  20 2001  w")
        [player], faults = read(SINGLE, line, speed="blitz")
        assert faults == []
        assert (player.o_title, player.blitz, player.blitz_games, player.flag) == (
            "FI,FA,IO,NI,LSI",
            1876,
            13,
            "w",
        )


class TestLetters:
    @pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
    def test_of_utf_8_and_latin(self, encoding):
        players, faults = read(COMBINED, row(name="Müller, José", rest="1500"), encoding=encoding)
        assert faults == []
        assert [(p.name, p.federation, p.standard) for p in players] == [("Müller, José", "NOR", 1500)]

    def test_of_windows(self):
        players, faults = read(COMBINED, row(name="Šimek, Žofie"), encoding="cp1252")
        assert ([p.name for p in players], faults) == (["Šimek, Žofie"], [])

    def test_columns_are_counted_in_letters(self):
        players, faults = read("\ufeff" + COMBINED, row(name="山田　太郎", fed="JPN", rest="1500"))
        assert faults == []
        assert [(p.name, p.federation, p.standard) for p in players] == [("山田　太郎", "JPN", 1500)]

    @pytest.mark.parametrize("name", ["山田　太郎", "Müller, José", "Иванов, Пётр"])
    def test_or_in_bytes_where_only_so_a_federation_stands_at_its_place(self, name):
        players, faults = read(COMBINED, row(name=in_bytes(name), rest=ratings(1500, 0, 40)))
        assert faults == []
        assert [(p.name, p.federation, p.sex, p.standard) for p in players] == [(name, "NOR", "M", 1500)]

    def test_an_unrated_name_of_13_cyrillic_letters_counted_in_bytes_has_no_year_for_a_rating(self):
        name = "Иванов Андрей"
        [player], faults = read(COMBINED, row(name=in_bytes(name), rest=" " * 39 + "1987  i"))
        assert faults == []
        assert (player.name, player.federation, player.blitz, player.birth_year) == (name, "NOR", None, 1987)

    def test_an_ideographic_blank_belongs_to_a_name_and_a_control_does_not(self):
        players, faults = read(COMBINED, row(name="山田　太郎"), row(name="A\x07nn"), row(name="Ann\u2028"))
        assert [p.name for p in players] == ["山田　太郎", "Ann"]
        assert addresses(faults) == [(3, "16", "fide-bad-name")]


class TestHeadings:
    @pytest.mark.parametrize("speed", ["standard", "rapid", "blitz"])
    def test_a_list_of_one_speed_says_which_in_its_files_name(self, speed):
        [player], faults = read(
            SINGLE, row(rest="1876  13  20 2001  w"), file=f"{speed.title()}_jan23frl.txt"
        )
        assert faults == []
        told = {speed: 1876, f"{speed}_games": 13, f"{speed}_k": 20}
        assert (
            player._asdict()
            == FidePlayer("1503014", "Carlsen, Magnus", "NOR", "M", birth_year=2001, flag="w")
            ._replace(**told)
            ._asdict()
        )

    def test_or_the_caller_says_it(self):
        [player], faults = read(SINGLE, row(rest="1876"), file="standard_jan23frl.txt", speed="rapid")
        assert (faults, player.standard, player.rapid) == ([], None, 1876)

    def test_else_it_is_a_fault(self):
        players, faults = read(SINGLE, row(rest="1876"))
        assert players == []
        assert addresses(faults) == [(1, "114", "fide-which-speed")]
        assert dict(faults[0].facts)["heading"] == "JAN23"

    def test_columns_are_found_by_name_and_unknown_ones_passed_over(self):
        header = "ID Number  Fed Club   Name                SRtng RRtng"
        players, faults = read(header, "12345      JPN Hinoki Abe, Ichiro         1500  1600")
        assert faults == []
        assert players == [FidePlayer("12345", "Abe, Ichiro", "JPN", standard=1500, rapid=1600)]

    @pytest.mark.parametrize(
        "header",
        [
            COMBINED.replace("ID Number", "Id_Number"),
            COMBINED.replace("Fed", "Nat"),
            "ID Number      Name     Fed Sex B-day",
            COMBINED.replace("BRtng", "SRtng"),
            "12345          Abe, Ichiro",
            "\x00\x01",
        ],
    )
    def test_what_is_no_heading_line_is_refused_once(self, header):
        players, faults = read(header, row(), row())
        assert players == []
        assert addresses(faults) == [(1, "", "fide-bad-header")]

    def test_a_list_without_players(self):
        assert addresses(read(COMBINED)[1]) == [(0, "", "fide-no-players")]
        assert addresses(read_bytes(b"")[1]) == [(0, "", "fide-no-players")]


class TestFaults:
    @pytest.mark.parametrize(
        ("line", "address", "text"),
        [
            ("Total players", ("1", "fide-bad-id"), "Total players"),
            (row("12 34"), ("1", "fide-bad-id"), "12 34"),
            (row("１２３"), ("1", "fide-bad-id"), "１２３"),
            (row("ABC"), ("1", "fide-bad-id"), "ABC"),
            (row(fed="jpn"), ("77", "fide-bad-federation"), "jpn"),
            (row(fed="JP"), ("77", "fide-bad-federation"), "JP"),
            (row(name="A" * 61), ("76", "fide-misplaced"), "ANOR M"),
            (row(sex="MF"), ("81", "fide-bad-sex"), "MF"),
            (row(tit="G\x1fM"), ("85", "fide-bad-text"), "G\x1fM"),
            (row(rest="15OO"), ("114", "fide-bad-number"), "15OO"),
            (row(rest="-100"), ("114", "fide-bad-number"), "-100"),
            (row(rest="１５００"), ("114", "fide-bad-number"), "１５００"),
            (row(rest=ratings(1500, "", "", 1400, 1, "x")), ("137", "fide-bad-number"), "x"),
            (row(rest=" " * 39 + "19"), ("153", "fide-bad-year"), "19"),
            (row(rest=" " * 45 + "x" * 31), ("159", "fide-bad-text"), "x" * 31),
            (row(otit="A" * 31), ("95", "fide-bad-text"), "A" * 31),
            (" " + row(rest="1500"), ("113", "fide-misplaced"), None),
        ],
    )  # fmt: skip
    def test_each_with_its_line_and_column(self, line, address, text):
        players, faults = read(COMBINED, row("1"), line, row("2"))
        assert [p.fide_id for p in players] == ["1", "2"]
        if text is None:
            assert [fault.line for fault in faults] == [3]
        else:
            assert addresses(faults) == [(3, *address)]
            assert dict(faults[0].facts)["text"] == text[:40]
        assert all(fault_line(fault, lang) for fault in faults for lang in LANGUAGES)

    def test_after_a_hundred_it_stops(self):
        players, faults = read(COMBINED, *["x"] * 150, row("1"))
        assert players == []
        assert [fault.line for fault in faults] == list(range(2, 102))

    def test_earlier_faults_of_the_caller_do_not_count(self):
        faults = [Fault("other", 1, "", "fide-no-list")] * 100
        data = f"{COMBINED}\nx\n{row('1')}\n".encode()
        assert len(list(read_txt(io.BytesIO(data), "f", faults))) == 1
        assert len(faults) == 101

    def test_a_line_that_never_ends_is_not_held_in_memory(self):
        class Endless(io.RawIOBase):
            asked = 0

            def read(self, size=-1):
                self.asked += 1
                return (COMBINED + "\n").encode() if self.asked == 1 else b"1" * size

        stream, faults = Endless(), []
        assert list(read_txt(stream, "f", faults)) == []
        assert addresses(faults) == [(2, "", "fide-line-too-long")]
        assert stream.asked < 5


class TestLooksLike:
    def test_a_list(self):
        assert looks_like_txt(COMBINED.encode())
        assert looks_like_txt(b"\xef\xbb\xbf" + SINGLE.encode())

    @pytest.mark.parametrize(
        "data",
        [b"", b"<playerslist>", b"012 Open\n001    1", b"ID_No;Name;Sex;Fed", b"Name ID Number Fed", b"ID Number,Name,Fed"],
    )  # fmt: skip
    def test_nothing_else(self, data):
        assert not looks_like_txt(data)


LETTERS = st.sampled_from(string.ascii_letters + "éüšñóæЖ山田ひカ-'.")
NAMES = (
    st.lists(st.text(LETTERS, min_size=1, max_size=12), min_size=1, max_size=4)
    .map(", ".join)
    .map(lambda n: n[:60].strip())
)
TITLES = st.sampled_from(["", "GM", "WFM", "CM"])
OTHERS = st.lists(st.sampled_from(["FI", "FA", "IO", "NI", "LSI"]), max_size=7).map(",".join)
RATING = st.tuples(
    st.none() | st.integers(1, 9999), st.none() | st.integers(0, 999), st.none() | st.integers(1, 99)
)
PLAYERS = st.builds(
    lambda fide_id, name, fed, sex, t, w, o, f, s, r, b, born, flag: FidePlayer(
        *(fide_id, name, fed, sex, t, w, o, f), *s, *r, *b, born, flag
    ),
    st.from_regex(r"[A-Z]?[0-9]{1,13}", fullmatch=True),
    NAMES,
    st.from_regex("[A-Z]{3}", fullmatch=True),
    st.sampled_from(["", "M", "F"]),
    TITLES, TITLES, OTHERS, st.sampled_from(["", "AFM"]),
    RATING, RATING, RATING,
    st.none() | st.integers(1000, 9999),
    st.sampled_from(["", "i", "w", "wi"]),
)  # fmt: skip


class TestWriting:
    def test_a_line_is_as_fide_lays_it_out(self):
        rest = ratings(2837, 9, 10, "", "", "", 2886, 12, 10, 1990, "wi")
        player = FidePlayer(
            *("1503014", "Carlsen, Magnus", "NOR", "M", "GM", "", "FI,IA", "AFM"),
            *(2837, 9, 10, None, None, None, 2886, 12, 10, 1990, "wi"),
        )
        lines = list(write_txt([player], "out.txt"))
        assert lines == [
            f"{COMBINED}\r\n".encode(),
            (row(tit="GM", otit="FI,IA", foa="AFM", rest=rest) + "\r\n").encode(),
        ]
        assert {len(line) for line in lines} == {164}

    @given(st.lists(PLAYERS, min_size=1, max_size=5))
    def test_what_is_written_reads_back(self, players):
        assert read_bytes(b"".join(write_txt(players, "out.txt"))) == (players, [])

    def test_a_name_is_cut_to_its_column(self):
        written = b"".join(write_txt([FidePlayer("1", "山" * 80, "JPN")], "out.txt"))
        assert [p.name for p in read_bytes(written)[0]] == ["山" * 60]

    @pytest.mark.parametrize(
        ("field", "value", "code", "heading"),
        [
            ("fide_id", "123456789012345", "fide-too-long", "ID Number"),
            ("fide_id", "12 34", "fide-bad-id", "ID Number"),
            ("name", "A\nB", "fide-bad-name", "Name"),
            ("federation", "JAPAN", "fide-bad-federation", "Fed"),
            ("sex", "man", "fide-bad-sex", "Sex"),
            ("title", "GRANDMASTER", "fide-too-long", "Tit"),
            ("o_title", "FIDE Instructor", "fide-too-long", "OTit"),
            ("standard", -5, "fide-bad-number", "SRtng"),
            ("blitz_k", 100, "fide-too-long", "BK"),
            ("birth_year", 12, "fide-bad-year", "B-day"),
        ],
    )
    def test_what_no_column_holds_is_refused(self, field, value, code, heading):
        players = [FidePlayer("1", "Ann"), FidePlayer("2", "Bob")._replace(**{field: value})]
        with pytest.raises(RefusedError) as refused:
            list(write_txt(players, "out.txt"))
        [fault] = refused.value.faults
        assert (fault.file, fault.line, fault.column, fault.code) == ("out.txt", 3, heading, code)
        assert dict(fault.facts) == {"text": str(value), "heading": heading}


class TestHostile:
    @given(st.binary(max_size=2000))
    @example(b"\xef\xbb\xbf")
    def test_random_bytes_raise_nothing(self, data):
        for given_ in (data, COMBINED.encode() + b"\n" + data):
            _, faults = read_bytes(given_)
            assert len(faults) <= 100

    def test_mutated_lists_raise_nothing_and_lose_no_line_silently(self):
        rng = random.Random(5)
        rest = ratings(2837, 9, 10, 2819, 0, 10, 2886, 12, 10, 1990, "wi")
        sound = [row(str(n), f"Müller, Ann {n}", otit="FI,IA", rest=rest).encode() for n in range(1, 9)]
        for _ in range(3000):
            lines = list(sound)
            at = rng.randrange(len(lines))
            line = bytearray(lines[at])
            for _ in range(rng.randint(1, 4)):
                line[rng.randrange(len(line))] = rng.choice(b"\x00\x1a \t0A\x80\xe5\xff-.,")
            lines[at] = bytes(line)
            players, faults = read_bytes(b"\n".join([COMBINED.encode(), *lines]))
            assert len(players) + len(faults) == len(lines)
