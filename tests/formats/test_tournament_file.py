"""The reader of Swiss-Manager's files against real files and their decoded tables, and made-up ones."""

from __future__ import annotations

import csv
import struct
from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.formats.swiss_manager.tournament_file import looks_like, read
from banzuke.words import LANGUAGES, catalogue, say

if TYPE_CHECKING:
    from banzuke.formats.report import Report

AREA = "faults/swiss_manager"
DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "swissmanager"
REAL = sorted(DATA.glob("*.T??X"))
needs_data = pytest.mark.skipif(
    not REAL, reason=f"needs the shared folder of real files beside the project: there is no {DATA}"
)
SCORES = {"1-0": "1.0", "1/2-1/2": "0.5", "0-1": "0.0"}
BYE, NOT_PAIRED = 0xFFFF, 0xFFFE


def mark(letter: int) -> bytes:
    return bytes([letter]) + b"\xff\x89\x44"


def text(said: str) -> bytes:
    letters = said.encode("utf-16-le", "surrogatepass")
    return struct.pack("<H", len(letters) // 2) + letters


def numbers(size: int, **at: int) -> bytes:
    """Zeros but for `h30=1` (two bytes at 30) and `i38=...` (four bytes at 38)."""
    block = bytearray(size)
    for place, number in at.items():
        struct.pack_into("<" + place[0].upper(), block, int(place[1:]), number)
    return bytes(block)


def texts(count: int, at: dict[int, str]) -> bytes:
    return b"".join(text(at.get(index, "")) for index in range(count))


def player(last: str, first: str = "", national: str = "", fed: str = "", **at: int) -> bytes:
    return texts(18, {0: last, 1: first, 5: national, 10: fed}) + numbers(134, **at)


@dataclass
class Made:
    """A made-up file: what stands in it, and what is put wrong."""

    players: list[bytes] = field(default_factory=lambda: [player("A"), player("B"), player("C"), player("D")])
    rounds: list[list[tuple[int, int, int]]] = field(default_factory=lambda: [[(1, 2, 1), (3, 4, 2)]])
    about: dict[int, str] = field(default_factory=lambda: {0: "Cup"})
    days: list[int] = field(default_factory=list)
    event_days: tuple[int, int] = (0, 0)
    kind: int = 0
    key: int = 0
    said_players: int | None = None
    said_rounds: int | None = None
    extra: bytes = b""

    def bytes(self) -> bytes:
        head = mark(0x93) + numbers(104, i28=self.key)
        said = texts(132, self.about)
        count = len(self.players) if self.said_players is None else self.said_players
        rounds = len(self.rounds) if self.said_rounds is None else self.said_rounds
        config = {"h11": self.kind, "h19": count, "h23": rounds}
        config |= {"i71": self.event_days[0], "i75": self.event_days[1]}
        schedule = mark(0xA3)
        for index, pairings in enumerate(self.rounds):
            day = self.days[index] if self.days else 0
            schedule += texts(16, {0: "10:00"}) + numbers(76, i0=day, h6=len(pairings))
        records = mark(0xA5) + b"".join(self.players)
        paired = mark(0xB3) + b"".join(
            struct.pack("<3H15x", *pairing) for pairings in self.rounds for pairing in pairings
        )
        parts = [
            head + said + mark(0x95) + numbers(1300, **config),
            schedule,
            records,
            paired + self.extra,
        ]
        ends = [sum(map(len, parts[: n + 1])) for n in range(len(parts))]
        directory = struct.pack("<7I", *ends, 0, 0, 0)
        return b"".join(parts) + mark(0xD3) + directory + mark(0xE3)


def addresses(report: Report) -> list[tuple[int, str]]:
    assert all(fault.line == 0 for fault in report.faults)
    return [(int(fault.column), fault.code) for fault in report.faults]


def codes(made: Made) -> list[str]:
    return [fault.code for fault in read(made.bytes(), "x").faults]


def rows(name: str) -> list[list[str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as table:
        return list(csv.reader(table))[1:]


@needs_data
class TestRealFiles:
    @pytest.mark.parametrize("path", REAL, ids=lambda path: path.suffix)
    def test_players_and_games_are_those_of_the_decoded_tables(self, path: Path) -> None:
        report = read(path.read_bytes(), path.name)
        assert report.faults == ()
        players = [[str(p.number), p.name, p.national_id] for p in report.players]
        assert players == rows(f"{path.name}_players.csv")
        played = [[str(g.white), str(g.black), SCORES[g.result]] for g in report.games if g.result in SCORES]
        assert played == rows(f"{path.name}_games.csv")

    @pytest.mark.parametrize(
        ("name", "players", "rounds", "expected"),
        [
            (
                "round_robin_6players.TURX",
                *(6, {1: 3, 2: 3, 3: 3, 4: 3, 5: 3}),
                {"1-0": 4, "0-1": 3, "1/2-1/2": 3, "+/-": 4, "-/+": 1},
            ),
            (
                "swiss_system_18players.TUNX",
                *(18, {1: 6, 2: 8, 3: 8, 4: 7, 5: 6, 6: 8}),
                {"1-0": 15, "0-1": 21, "1/2-1/2": 6, "-/+": 1},
            ),
            (
                "swiss_team_93players.TUMX",
                *(93, {1: 32, 2: 31, 3: 31, 4: 31, 5: 32, 6: 30}),
                {"1-0": 70, "0-1": 53, "1/2-1/2": 60, "+/-": 3, "-/+": 1},
            ),
        ],
    )
    def test_counts(self, name: str, players: int, rounds: dict[int, int], expected: dict[str, int]) -> None:
        report = read((DATA / name).read_bytes(), name)
        assert len(report.players) == players
        assert Counter(game.round for game in report.games) == rounds
        assert Counter(game.result for game in report.games) == expected

    @pytest.mark.parametrize("path", REAL, ids=lambda path: path.suffix)
    def test_nobody_plays_twice_in_a_round(self, path: Path) -> None:
        report = read(path.read_bytes(), path.name)
        sides = Counter((g.round, side) for g in report.games for side in (g.white, g.black))
        assert set(sides.values()) == {1}

    def test_the_event(self) -> None:
        name = "swiss_team_93players.TUMX"
        event = read((DATA / name).read_bytes(), name).event
        assert (event.name, event.federation, event.organiser) == (
            "48 Interclubes FEXERJ 2025",
            "BRA",
            "FEXERJ",
        )
        assert event.place == "ASP CMUN – Salão 6 And- R. Haddock Lobo, 359 - Tijuca, RJ"
        assert (event.responsible, event.time_control) == ("IA Marcelo Einhorn", "45 min + 30s bonus")
        assert (event.starts, event.ends) == (date(2025, 7, 26), date(2025, 7, 27))
        assert (event.rounds, event.source) == (6, "tnr1224148")

    def test_days_of_the_rounds(self) -> None:
        name = "round_robin_6players.TURX"
        days = {game.round: game.played for game in read((DATA / name).read_bytes(), name).games}
        assert [day.isoformat() for day in days.values() if day] == [
            *("2025-06-24", "2025-07-01", "2025-07-08", "2025-07-15", "2025-07-22")
        ]

    def test_ratings_and_sexes(self) -> None:
        name = "swiss_team_93players.TUMX"
        players = read((DATA / name).read_bytes(), name).players
        assert [p.name for p in players if p.sex] == [
            "Novak De Souza, Camila",
            "Lagrange Moutinho Dos Reis, Virginia",
        ]
        assert (players[0].national_rating, players[0].rating, players[0].federation) == (2496, None, "BRA")
        assert all(player.national_rating for player in players)

    def test_that_names_were_turned_is_said(self) -> None:
        name = "round_robin_6players.TURX"
        (remark,) = read((DATA / name).read_bytes(), name).remarks
        assert (remark.code, remark.facts) == (
            "swiss-manager-names-turned",
            (("example", "Roberto Oliveira Lima, Marcio"),),
        )

    @pytest.mark.parametrize("path", REAL, ids=lambda path: path.suffix)
    def test_a_file_cut_anywhere_is_refused_whole(self, path: Path) -> None:
        data = path.read_bytes()
        for size in range(4, len(data), 97):
            report = read(data[:size], "x")
            assert addresses(report) == [(size, "swiss-manager-cut")]
            assert (report.players, report.games) == ((), ())


class TestPlayers:
    def test_names_and_numbers(self) -> None:
        record = player("Yamada", "Taro", "N00123", "JPN", h32=1850, h34=1790, i38=19900531, i48=7000001)
        women = player("Sato", h30=1, i38=19850000)
        report = read(Made(players=[record, women], rounds=[[(1, 2, 3)]]).bytes(), "x")
        assert (report.faults, report.remarks) == ((), ())
        first, second = report.players
        assert (first.number, first.name, first.federation) == (1, "Yamada, Taro", "JPN")
        assert (first.fide_id, first.national_id) == ("7000001", "N00123")
        assert (first.rating, first.national_rating) == (1850, 1790)
        assert (first.birth_date, first.sex) == (date(1990, 5, 31), "")
        assert (second.name, second.birth_date, second.sex) == ("Sato", None, "w")
        assert (second.fide_id, second.rating, second.national_rating) == ("", None, None)

    @pytest.mark.parametrize(
        ("names", "expected"),
        [
            ([("Marco", "De Castro Coutinho"), ("Ivan", "Frolov")], "De Castro Coutinho, Marco"),
            ([("De Castro", "Marco"), ("Frolov", "Ivan")], "De Castro, Marco"),
            ([("Nguyen", "Thi Thanh An"), ("Le", "Quang Liem")], "Nguyen, Thi Thanh An"),
            ([("Silva", "Maria do Carmo"), ("Costa", "Rui"), ("Mota", "Ana")], "Silva, Maria do Carmo"),
            ([("Silva", "Joao Carlos da"), ("Costa", "Rui de")], "Silva, Joao Carlos da"),
        ],
    )
    def test_names_are_turned_only_where_surnames_stand_second(
        self, names: list[tuple[str, str]], expected: str
    ) -> None:
        made = Made(players=[player(*name) for name in names], rounds=[[(1, 2, 1)]])
        report = read(made.bytes(), "x")
        assert report.players[0].name == expected
        assert len(report.remarks) == (not expected.startswith(names[0][0]))

    def test_nameless(self) -> None:
        made = Made(players=[player("A"), player(""), player("", national="7"), player("", i48=1)])
        report = read(made.bytes(), "x")
        assert [(f.code, f.facts) for f in report.faults] == [("swiss-manager-nameless", (("number", "2"),))]

    @pytest.mark.parametrize("born", [20250231, 19901301, 99999999, 4294967295])
    def test_a_birth_date_that_is_no_day(self, born: int) -> None:
        report = read(Made(players=[player("A", i38=born), player("B")], rounds=[[(1, 2, 1)]]).bytes(), "x")
        assert [(f.code, f.facts) for f in report.faults] == [
            ("swiss-manager-bad-day", (("number", str(born)),))
        ]
        assert report.players[0].birth_date is None


class TestRounds:
    def test_every_result(self) -> None:
        rounds = [[(1, 2, code), (4, 3, 1)] for code in range(1, 7)]
        report = read(Made(rounds=rounds).bytes(), "x")
        assert report.faults == ()
        assert [g.result for g in report.games if g.white == 1] == [
            "1-0",
            "1/2-1/2",
            "0-1",
            "+/-",
            "-/+",
            "-/-",
        ]
        assert [g.round for g in report.games if g.white == 4] == [1, 2, 3, 4, 5, 6]

    @pytest.mark.parametrize("nobody", [BYE, NOT_PAIRED, 0])
    @pytest.mark.parametrize("result", [0, 1, 2, 3, 4, 7, 9])
    def test_without_an_opponent_there_is_no_game(self, nobody: int, result: int) -> None:
        report = read(Made(rounds=[[(1, 2, 1), (3, nobody, result), (nobody, 4, result)]]).bytes(), "x")
        assert (report.faults, len(report.games)) == ((), 1)

    @pytest.mark.parametrize("nobody", [BYE, NOT_PAIRED, 0])
    def test_what_a_round_without_an_opponent_is_worth(self, nobody: int) -> None:
        """By the result of the side that is there; the fourth player's is Black's."""
        worth = {0: (), 1: (2, 0), 2: (1, 1), 3: (0, 2), 4: (2, 0), 5: (0, 2), 6: ()}
        for result, points in worth.items():
            made = Made(rounds=[[(1, 2, 1), (3, nobody, result), (nobody, 4, result)]])
            expected = [(1, number, half) for number, half in zip((3, 4), points, strict=False) if half]
            assert [tuple(bye) for bye in read(made.bytes(), "x").byes] == expected

    def test_empty_boards_of_teams_are_no_games(self) -> None:
        report = read(Made(kind=2, rounds=[[(1, 2, 1), (0, 0, 0), (0, 0, 0)]]).bytes(), "x")
        assert (report.faults, len(report.games)) == ((), 1)

    @pytest.mark.parametrize("code", [7, 8, 9, 255, 65535])
    def test_a_result_that_is_not_known(self, code: int) -> None:
        report = read(Made(rounds=[[(1, 2, 1), (3, 4, code)]]).bytes(), "x")
        (fault,) = report.faults
        assert (fault.code, dict(fault.facts)["result"]) == ("swiss-manager-result", str(code))
        assert len(report.games) == 1

    def test_a_result_that_is_missing(self) -> None:
        made = Made(rounds=[[(1, 2, 1), (3, 4, 0)]])
        (fault,) = read(made.bytes(), "x").faults
        assert fault.code == "swiss-manager-no-result"
        at = int(fault.column)
        assert struct.unpack_from("<3H", made.bytes(), at) == (3, 4, 0)

    @pytest.mark.parametrize("later", [[], [(1, 2, 0), (3, 4, 0)], [(1, NOT_PAIRED, 0)], [(0, 0, 0)]])
    def test_an_event_under_way(self, later: list[tuple[int, int, int]]) -> None:
        report = read(Made(rounds=[[(1, 2, 1)], later, later]).bytes(), "x")
        assert [(f.code, f.facts) for f in report.faults] == [
            ("swiss-manager-under-way", (("round", "2"), ("rounds", "3")))
        ]
        assert len(report.games) == 1

    def test_an_event_without_rounds(self) -> None:
        made = Made(rounds=[])
        at = made.bytes().index(mark(0xA3))
        report = read(made.bytes(), "x")
        assert (report.games, report.event.rounds) == ((), 0)
        assert addresses(report) == [(at, "swiss-manager-under-way")]

    def test_a_player_who_is_not_there(self) -> None:
        report = read(Made(rounds=[[(1, 5, 1), (3, 4, 1)]]).bytes(), "x")
        (fault,) = report.faults
        assert (fault.code, dict(fault.facts)["players"]) == ("swiss-manager-no-such-player", "4")
        assert [(g.white, g.black) for g in report.games] == [(3, 4)]

    def test_paired_twice(self) -> None:
        report = read(Made(rounds=[[(1, 2, 1), (3, 1, 1), (4, NOT_PAIRED, 3)]]).bytes(), "x")
        assert [f.code for f in report.faults] == ["swiss-manager-paired-twice"] * 2
        assert report.games == ()

    def test_plays_against_himself(self) -> None:
        assert codes(Made(rounds=[[(1, 1, 1), (3, 4, 1)]])) == ["swiss-manager-plays-self"]

    def test_days(self) -> None:
        made = Made(rounds=[[(1, 2, 1)]] * 2, days=[20250726, 0], event_days=(20250726, 20250727))
        report = read(made.bytes(), "x")
        assert [g.played for g in report.games] == [date(2025, 7, 26), None]
        assert (report.event.starts, report.event.ends) == (date(2025, 7, 26), date(2025, 7, 27))

    def test_days_that_are_none(self) -> None:
        assert codes(Made(days=[20250230])) == ["swiss-manager-bad-day"]
        assert codes(Made(event_days=(20250001, 20250727))) == ["swiss-manager-bad-day"]
        assert codes(Made(event_days=(20250728, 20250727))) == ["swiss-manager-ends-before-start"]

    def test_every_fault_is_found_in_the_order_of_the_file(self) -> None:
        made = Made(event_days=(20250728, 20250727), rounds=[[(1, 2, 7), (3, 3, 1)]], days=[1])
        report = read(made.bytes(), "x")
        assert [fault.code for fault in report.faults] == [
            *("swiss-manager-ends-before-start", "swiss-manager-bad-day"),
            *("swiss-manager-result", "swiss-manager-plays-self"),
        ]
        assert addresses(report) == sorted(addresses(report))


class TestLayout:
    def test_other_files(self) -> None:
        assert addresses(read(b"012 Cup", "x")) == [(0, "swiss-manager-other-file")]
        assert not looks_like(b"012 Cup")
        assert looks_like(Made().bytes())

    def test_too_large(self) -> None:
        data = mark(0x93) + bytes(8 * 1024 * 1024)
        assert addresses(read(data, "x")) == [(8 * 1024 * 1024, "swiss-manager-too-large")]

    @pytest.mark.parametrize("place", range(7))
    def test_a_directory_that_points_elsewhere(self, place: int) -> None:
        data = bytearray(Made().bytes())
        at = len(data) - 32 + 4 * place
        struct.pack_into("<I", data, at, struct.unpack_from("<I", data, at)[0] + 1)
        assert addresses(read(bytes(data), "x")) == [(len(data) - 32, "swiss-manager-layout")]

    def test_settings_that_are_not_there_or_not_known(self) -> None:
        made = Made()
        at = made.bytes().index(mark(0x95))
        data = made.bytes().replace(mark(0x95), mark(0x96))
        assert addresses(read(data, "x")) == [(at, "swiss-manager-layout")]
        assert addresses(read(Made(kind=4).bytes(), "x")) == [(at, "swiss-manager-layout")]

    def test_a_text_that_runs_past_its_part(self) -> None:
        data = bytearray(Made().bytes())
        at = data.index(mark(0xA5)) + 4
        data[at : at + 2] = b"\xff\xff"
        assert addresses(read(bytes(data), "x")) == [(at + 2, "swiss-manager-overrun")]

    @pytest.mark.parametrize("said", ["\ud83d", "A\0B"])
    def test_a_text_that_is_none(self, said: str) -> None:
        made = Made(players=[player(said), player("B")], rounds=[[(1, 2, 1)]])
        at = made.bytes().index(mark(0xA5)) + 4
        assert addresses(read(made.bytes(), "x")) == [(at, "swiss-manager-text")]

    def test_counts_that_do_not_agree(self) -> None:
        data = Made().bytes()
        players, rounds = data.index(mark(0xA5)), data.index(mark(0xA3))
        assert addresses(read(Made(said_players=3).bytes(), "x")) == [(players, "swiss-manager-player-count")]
        assert addresses(read(Made(said_rounds=2).bytes(), "x")) == [(rounds, "swiss-manager-round-count")]
        left = data.index(mark(0xD3))
        made = Made(extra=bytes(21))
        assert addresses(read(made.bytes(), "x")) == [(left, "swiss-manager-pairing-count")]


NAMES = st.text("abcXYZ'-éß山", min_size=1, max_size=20)
PLAYED = {1: "1-0", 2: "1/2-1/2", 3: "0-1", 4: "+/-", 5: "-/+", 6: "-/-"}


@st.composite
def events(draw: st.DrawFn) -> tuple[Made, list[tuple[str, str, int, int]], list[tuple[int, int, int, str]]]:
    """A file, its players (name, id, rating, FIDE id) and its games (round, white, black, result)."""
    about = draw(
        st.lists(
            st.tuples(NAMES, NAMES, st.integers(0, 3000), st.integers(0, 2**32 - 1)), min_size=2, max_size=9
        )
    )
    made = Made(players=[player(n, "", i, h32=r, i48=f) for n, i, r, f in about], rounds=[])
    games = []
    for number in range(1, draw(st.integers(1, 5)) + 1):
        order = draw(st.permutations(range(1, len(about) + 1)))
        pairs = draw(st.integers(1, len(order) // 2))
        pairings = [
            (w, b, draw(st.integers(1, 6)))
            for w, b in zip(order[:pairs], order[pairs : 2 * pairs], strict=True)
        ]
        games += [(number, w, b, PLAYED[code]) for w, b, code in pairings]
        rest = [(idle, draw(st.sampled_from([BYE, NOT_PAIRED, 0])), 3) for idle in order[2 * pairs :]]
        made.rounds.append(pairings + rest)
    return made, about, games


class TestMadeUpEvents:
    @settings(max_examples=examples(200))
    @given(events())
    def test_are_read_back(self, event) -> None:
        made, about, games = event
        report = read(made.bytes(), "x")
        assert report.faults == ()
        assert [(p.name, p.national_id, p.rating or 0, int(p.fide_id or 0)) for p in report.players] == about
        assert [(g.round, g.white, g.black, g.result) for g in report.games] == games


class TestAnyBytes:
    def test_every_code_is_exercised_in_both_languages(self) -> None:
        spoken = Path(__file__).read_text("utf-8")
        assert [code for code in catalogue(AREA) if f'"{code}"' not in spoken] == []

    @settings(max_examples=examples(300))
    @given(st.binary(max_size=400), st.booleans())
    def test_never_raise(self, data: bytes, headed: bool) -> None:
        assert read(mark(0x93) + data if headed else data, "x").faults

    @settings(max_examples=examples(300))
    @given(st.data())
    def test_mutated_files_never_raise(self, data: st.DataObject) -> None:
        source = bytearray(data.draw(st.sampled_from([Made().bytes(), *(p.read_bytes() for p in REAL)])))
        for _ in range(data.draw(st.integers(1, 6))):
            at = data.draw(st.integers(0, len(source) - 1))
            new = data.draw(st.binary(min_size=1, max_size=4))
            source[at : at + len(new)] = new
        report = read(bytes(source), "x")
        for fault in report.faults + report.remarks:
            assert 0 <= int(fault.column) <= len(source)
            for lang in LANGUAGES:
                assert say(AREA, fault.code, lang, **dict(fault.facts))
