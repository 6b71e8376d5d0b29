"""The SGF reader: servers' dialects, every fault by its address, collections, and files as they come."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.formats.report import ReportedGoGame
from banzuke.formats.sgf.sgf_reader import looks_like, merge_reports, read
from banzuke.words import LANGUAGES, catalogue, say

if TYPE_CHECKING:
    import random

AREA = "faults/sgf"
DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "go"
REAL = sorted(DATA.glob("*.sgf"))
needs_data = pytest.mark.skipif(
    not REAL, reason=f"needs the shared folder of real files beside the project: there is no {DATA}"
)

IGS = """(;
GM[1]EV[Internet Go Server game: ann vs ben]
US[Brought to you by IGS]
CoPyright[
  Some (c) notice [1\\]
]
GN[ann-ben(B) IGS]RE[W+34.5]
PW[ann]WR[11k+]NW[18]
PB[ben]BR[12k ]NB[17]
PC[IGS:  igs.example 6969]DT[2020-04-10]
SZ[19]TM[60]KM[0.500000]LT[]
RR[Normal]
HA[2]AB[pd][dp]C[
 ben 12k : gg
]
;W[pp]WL[45]
;B[dc]BL[56]
;W[ce]WL[40]
;TW[aa][bb]TB[ss]
)
"""


def game(moves: str = ";B[pd];W[dp]", **said: str | None) -> str:
    known = {"GM": "1", "SZ": "19", "KM": "6.5", "PB": "ben", "PW": "ann", "RE": "B+R"} | said
    root = "".join(f"{name}[{value}]" for name, value in known.items() if value is not None)
    return f"(;{root}\n{moves})"


def one(text: str) -> ReportedGoGame:
    report = read(text.encode(), "x.sgf")
    assert report.faults == ()
    return report.games[0]


def addresses(text: str | bytes) -> list[tuple[int, str, str]]:
    data = text.encode() if isinstance(text, str) else text
    return [(f.line, f.column, f.code) for f in read(data, "x.sgf").faults]


@needs_data
class TestRealGames:
    def test_of_the_server(self):
        (found,) = read((DATA / "igs_2020_katrain_panda1.sgf").read_bytes(), "igs/one.sgf").games
        assert found == ReportedGoGame(
            "one", "player2", "player1", "W", 2, 1, 19, 5, date(2020, 4, 10),
            black_rank="12k", white_rank="11k+", file="igs/one.sgf",
        )  # fmt: skip

    def test_of_gopanda(self):
        (found,) = read((DATA / "gopanda2_2020_Andrius_blit_header.sgf").read_bytes(), "two.sgf").games
        assert found == ReportedGoGame(
            "two", "blit", "Andrius", "W", 0, 1, 19, 8, date(2020, 1, 21),
            black_rank="3d+", white_rank="4d", file="two.sgf",
        )  # fmt: skip

    @settings(max_examples=examples(60))
    @given(st.randoms(use_true_random=False), st.sampled_from(REAL), st.integers(1, 12))
    def test_mutated_raise_nothing(self, rnd: random.Random, path, changes):
        data = bytearray(path.read_bytes())
        for _ in range(changes):
            at = rnd.randrange(len(data))
            data[at : at + rnd.randrange(3)] = bytes(
                rnd.choices(b"[]();\\+-.:?\n\0\x83\xff9", k=rnd.randrange(4))
            )
        for fault in read(bytes(data), "x.sgf").faults:
            assert say(AREA, fault.code, "en", **dict(fault.facts))


class TestDialects:
    def test_the_servers(self):
        assert one(IGS) == ReportedGoGame(
            "x", "ben", "ann", "W", 2, 1, 19, 3, date(2020, 4, 10),
            black_rank="12k", white_rank="11k+", file="x.sgf",
        )  # fmt: skip

    def test_full_names_of_properties(self):
        text = "(;GaMe[1]SiZe[19]KoMi[-5.500000]PlayerWhite[a]PlayerBlack[b]REsult[B+T];Black[aa])"
        assert (one(text).komi, one(text).result, one(text).moves) == (-11, "B", 1)

    def test_q5go(self):
        text = game(";W[dd];B[pp];W[];B[tt];W[]", FF="4", HA="3", AB="pd][dp][pq", KM="0.500000", WR="3d+")
        assert (one(text).handicap, one(text).moves, one(text).white_rank) == (3, 5, "3d+")

    def test_handicap_stones_given_as_moves(self):
        moves = ";B[pd];B[dp];B[pp];W[dd];B[cc]"
        assert (one(game(moves, HA="3")).handicap, one(game(moves, HA="3")).moves) == (3, 2)

    def test_fox(self):
        data = game(AP="foxwq", BR="15级", PB="柯洁", CA=None, HA="0").encode("gb18030")
        (found,) = read(data, "x").games
        assert (found.black, found.black_rank, found.handicap) == ("柯洁", "15级", 0)

    def test_stones_without_a_handicap_are_one(self):
        assert one(game(";W[dd]", AB="pd][dp")).handicap == 2
        assert one(game(";W[dd]", AB="pd:pe")).handicap == 2
        assert one(game(";AB[pd][dp][pp];W[dd]")).handicap == 3

    @pytest.mark.parametrize(("said", "expected"), [("0", 0), ("1", 1), ("", 0), ("９", None)])
    def test_handicaps_without_stones(self, said, expected):
        assert [g.handicap for g in read(game(HA=said).encode(), "x").games] == (
            [] if expected is None else [expected]
        )

    @pytest.mark.parametrize(
        ("said", "halves"),
        [
            ("6.5", 13),
            ("0.500000", 1),
            ("-5.5", -11),
            ("−5.50", -11),
            ("６．５", 13),
            ("7", 14),
            ("0", 0),
            ("6,5", 13),
            (".5", 1),
            ("+6.5", 13),
            ("-0.5", -1),
            ("100.5", 201),
        ],
    )
    def test_komi(self, said, halves):
        assert one(game(KM=said)).komi == halves

    @pytest.mark.parametrize(
        ("said", "expected"),
        [
            ("W+34.5", "W"),
            ("B+Resign", "B"),
            ("B+R", "B"),
            ("B+Time", "B"),
            ("W+T", "W"),
            ("b+", "B"),
            ("0", "draw"),
            ("Draw", "draw"),
            ("Jigo", "draw"),
            ("Void", "void"),
            ("White+2", "W"),
            ("黒中押し勝ち", "B"),
            ("白胜1又3/4子", "W"),
            ("Ｗ＋Ｒ", "W"),
        ],
    )
    def test_results(self, said, expected):
        assert one(game(RE=said)).result == expected

    @pytest.mark.parametrize(
        ("said", "day"),
        [
            ("2020-04-10", date(2020, 4, 10)),
            ("2020-04-10,11", date(2020, 4, 10)),
            ("2020/04/10", date(2020, 4, 10)),
            ("2020-04-10 21:30", date(2020, 4, 10)),
            ("Apr 10, 2020", date(2020, 4, 10)),
            ("2020-04", None),
            ("2020", None),
            ("", None),
        ],
    )
    def test_days(self, said, day):
        assert one(game(DT=said)).day == day

    def test_only_the_main_line_counts(self):
        assert one(game(";B[pd];W[dp](;B[aa];W[bb];C[end])(;B[cc];W[dd];B[ee])")).moves == 4

    def test_what_is_missing_and_may_be(self):
        found = one(game(GM=None, SZ=None))
        assert (found.board, found.day, found.black_rank) == (19, None, "")
        assert one(game(SZ="13:13")).board == 13


FAULTS: list[tuple[str, str, list[tuple[int, str]]]] = [
    ("sgf-no-text", "\0", [(0, "")]),
    ("sgf-no-game", "Dear office, (enclosed) ;", [(0, "")]),
    ("sgf-broken", "x\n(;GM[1]PB[ben", [(2, "")]),
    ("sgf-broken", "(;GM[1]PB[ben];B[aa]\n", [(1, "")]),
    ("sgf-broken", "(;[ben]GM[1];B[aa])", [(1, "")]),
    ("sgf-too-long", game(C="x" * 1_000_000), [(1, "")]),
    ("sgf-not-go", game(GM="2"), [(1, "GM")]),
    ("sgf-said-twice", game(RE="B+R]RE[W+R"), [(1, "RE")]),
    ("sgf-nameless", game(PB="", PW=None), [(1, "PB"), (1, "PW")]),
    ("sgf-same-player", game(PB="x", PW="x"), [(1, "PB")]),
    ("sgf-no-result", game(RE="?") + "\n" + game(RE=None), [(1, "RE"), (3, "RE")]),
    ("sgf-bad-result", game(RE="Ended") + game(RE="+5"), [(1, "RE"), (2, "RE")]),
    ("sgf-no-komi", game(KM=None) + game(KM=""), [(1, "KM"), (2, "KM")]),
    (
        "sgf-bad-komi",
        "\n".join(game(KM=text) for text in ("375", "3.75", "six", "-", "6.5.5", "9" * 5000, "1e1")),
        [(n, "KM") for n in range(1, 14, 2)],
    ),
    (
        "sgf-bad-size",
        game(SZ="0") + game(SZ="19:13") + game(SZ="99") + game(SZ="x"),
        [(n, "SZ") for n in (1, 2, 3, 4)],
    ),
    ("sgf-bad-handicap", game(HA="10") + game(HA="two") + game(HA="-1"), [(n, "HA") for n in (1, 2, 3)]),
    (
        "sgf-handicap",
        game(HA="3", AB="pd][dp") + game(HA="0", AB="dd][pp") + game(HA="2"),
        [(n, "HA") for n in (1, 2, 3)],
    ),
    ("sgf-handicap", game(";B[pd];B[dp];W[pp]"), [(1, "HA")]),
    ("sgf-setup", game(AW="dd") + game(AB="aa:ss"), [(1, "AB"), (2, "AB")]),
    ("sgf-bad-day", game(DT="2020-13-01") + game(DT="spring"), [(1, "DT"), (2, "DT")]),
    ("sgf-bad-day", "(;GM[1]KM[6.5]RE[B+R]\nC[DT[x\\]\n]PB[a]PW[b]\nDaTe [spring])", [(4, "DT")]),
]


class TestFaults:
    @pytest.mark.parametrize(
        ("code", "text", "places"), FAULTS, ids=[f"{n}-{f[0]}" for n, f in enumerate(FAULTS)]
    )
    def test_by_line_and_property(self, code, text, places):
        assert addresses(text) == [(line, name, code) for line, name in places]

    def test_names_in_another_encoding_than_stated(self):
        data = game(CA="UTF-8", PB="山下").encode("cp932")
        assert addresses(data) == [(1, "PB", "sgf-encoding")]

    def test_too_many_games(self, monkeypatch):
        monkeypatch.setattr("banzuke.formats.sgf.sgf_reader.MOST_GAMES", 2)
        report = read((game() + "\n").encode() * 3, "x")
        assert [(f.line, f.code) for f in report.faults] == [(5, "sgf-too-many")]
        assert len(report.games) == 2

    def test_facts(self):
        (fault,) = read(game(HA="3", AB="pd][dp").encode(), "x").faults
        assert fault.facts == (("text", "3"), ("stones", "2"))
        (fault,) = read(game(KM="375").encode(), "x").faults
        assert fault.facts == (("text", "375"), ("most", "100"))

    def test_a_game_with_several_faults_shows_all(self):
        assert [code for _, _, code in addresses(game(KM=None, RE="?", SZ="x"))] == [
            "sgf-no-result",
            "sgf-no-komi",
            "sgf-bad-size",
        ]

    def test_every_code_has_a_case_and_a_sentence(self):
        codes = {code for code, _, _ in FAULTS} | {"sgf-encoding", "sgf-too-many", "sgf-same-id"}
        assert codes == set(catalogue(AREA))

    def test_every_fault_can_be_said(self):
        for _, text, _ in FAULTS:
            for fault in read(text.encode(), "x").faults:
                for lang in LANGUAGES:
                    assert "{" not in say(AREA, fault.code, lang, **dict(fault.facts)).replace(text, "")


class TestFiles:
    def test_several_games_in_one(self):
        report = read((game() + "\n" + game(RE="W+R") + " text ( between " + IGS).encode(), "dir/club.sgf")
        assert [(g.game_id, g.result) for g in report.games] == [
            ("club-1", "B"),
            ("club-2", "W"),
            ("club-3", "W"),
        ]

    def test_a_broken_game_does_not_hide_the_next(self):
        broken = game().removesuffix(")")
        report = read((game() + broken + "\n" + game()).encode(), "x")
        assert [g.game_id for g in report.games] == ["x-1", "x-3"]
        assert [(f.line, f.code) for f in report.faults] == [(2, "sgf-broken")]

    def test_a_folder(self):
        files = [
            ("a/1.sgf", game().encode()),
            ("a/2.sgf", game(RE="?").encode()),
            ("b/1.sgf", game().encode()),
        ]
        report = merge_reports(read(data, file) for file, data in files)
        assert [(g.game_id, g.file) for g in report.games] == [("1", "a/1.sgf")]
        assert [(f.file, f.code, f.facts) for f in report.faults] == [
            ("a/2.sgf", "sgf-no-result", ()),
            ("b/1.sgf", "sgf-same-id", (("id", "1"), ("first", "a/1.sgf"))),
        ]

    @pytest.mark.parametrize(
        ("charset", "encoding"),
        [
            ("UTF-8", "utf-8"),
            (None, "utf-8"),
            (None, "utf-8-sig"),
            (None, "utf-16"),
            (None, "cp932"),
            ("Shift_JIS", "shift_jis"),
            ("EUC-JP", "euc-jp"),
            ("GB18030", "gb18030"),
            ("no-such", "utf-8"),
            ("zip", "utf-8"),
            ("punycode", "utf-8"),
        ],
    )
    def test_encodings(self, charset, encoding):
        data = game(CA=charset, PB="本因坊表", PW="山下ソ").encode(encoding)
        (found,) = read(data, "x").games
        assert (found.black, found.white) == ("本因坊表", "山下ソ")
        assert looks_like(data)

    def test_what_it_claims(self):
        assert looks_like(IGS.encode())
        for other in (b"", b"(;)", b'[Event "x"]', b"From: a\n\n(;GM[1])", b"(define x)", b"PK\x03\x04"):
            assert not looks_like(other)

    @pytest.mark.slow
    def test_hostile_nesting_and_brackets(self):
        for text in (
            "(;" * 300_000,
            "(;GM" + "[" * 500_000,
            "(;C[" + "\\" * 500_001,
            "(;)" * 20_000,
            "(;A[]" * 9999 + ")" * 9999,
        ):
            read(text.encode(), "x")
        assert addresses(game(AB="][".join(["aa:zz"] * 100_000))) == [(1, "AB", "sgf-setup")]

    @given(st.binary(max_size=200))
    def test_any_bytes_give_a_report(self, data):
        looks_like(data)
        read(b"(;" + data, "x")

    @given(st.text("()[];\\BWGMKA \n", max_size=60))
    def test_any_structure_gives_a_report(self, text):
        read(("(;" + text).encode(), "x")

    @given(
        st.integers(-200, 200),
        st.integers(0, 9),
        st.integers(0, 30),
        st.sampled_from("BW"),
        st.text("ab]\\:;()", min_size=1),
    )
    def test_made_up_games_come_back(self, halves, stones, moves, winner, name):
        escaped = name.replace("\\", "\\\\").replace("]", "\\]")
        points = "][".join(f"{chr(97 + n)}a" for n in range(stones)) if stones > 1 else None
        found = one(
            game(
                "".join(f";{'WB'[n % 2]}[]" for n in range(moves)),
                KM=str(halves / 2),
                HA=str(stones),
                AB=points,
                RE=f"{winner}+R",
                PB="p" + escaped,
            )
        )
        assert (found.komi, found.handicap, found.moves, found.result) == (halves, stones, moves, winner)
        assert found.black == "p" + name
