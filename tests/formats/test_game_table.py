"""The table of games: both layouts, rounds that hold, every fault by its address, and any bytes."""

from __future__ import annotations

import csv
import io
from datetime import date

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.formats.game_table import looks_like, read
from banzuke.formats.report import Report, ReportedEvent, ReportedGame, ReportedPlayer
from banzuke.words import LANGUAGES, catalogue, fault_text

SIDE = ("ID", "Name", "Kanji", "K", "Rating")
HEADINGS = ["White Point", *(f"{side} {name}" for side in ("White", "Black") for name in SIDE)]
HEADINGS += ["Date", "Time", "Source", "PGN Moves", "Rating Update Date"]
DUMP = ["id", "white_id", "white_rating", "white_k", "black_id", "black_rating", "black_k", "white_point"]
DUMP += ["start_at", "tournament_id", "time_type", "created_at", "updated_at"]
PEOPLE = {"A": ("ABE Jun", "阿部 純", 1800), "B": ("BABA Mei", "馬場 芽衣", 1500), "C": ("CHIBA Go", "", "")}


def row(white="A", black="B", **more) -> dict[str, object]:
    """A row of the table: A against B on 1 May, with cells by their headings (`_` for a blank)."""
    sides = {"White": (white, *PEOPLE[white]), "Black": (black, *PEOPLE[black])}
    cells = {
        f"{side} {name}": value
        for side, person in sides.items()
        for name, value in zip(("ID", "Name", "Kanji", "Rating"), person, strict=True)
    }
    cells |= {"White Point": 1, "Date": "2024-05-01", "Time": "ST", "Source": "クラブ"}
    cells |= {"White K": 20, "Black K": 20, "PGN Moves": "1. e4 c6", "Rating Update Date": "2024-07-01"}
    return cells | {name.replace("_", " "): value for name, value in more.items()}


def table(*rows: dict[str, object], headings=HEADINGS, delimiter=",") -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, headings, delimiter=delimiter, extrasaction="ignore", lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def reports(*rows: dict[str, object], **more) -> list[Report]:
    return read(table(*rows, **more).encode(), "g.csv")


def workbook(*tables: str) -> openpyxl.Workbook:
    """A workbook with a sheet for each table: Sheet, Sheet1, Sheet2."""
    book = openpyxl.Workbook()
    for number, text in enumerate(tables):
        sheet = book.create_sheet() if number else book.active
        for cells in csv.reader(io.StringIO(text, newline="")):
            sheet.append(cells)
    return book


def saved(book: openpyxl.Workbook) -> bytes:
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def addresses(found: list[Report]) -> list[tuple[int, str, str]]:
    return [(fault.line, fault.column, fault.code) for report in found for fault in report.faults]


class TestRealLayouts:
    def test_the_table_handed_out(self, shared):
        path = shared / "data" / "jcf" / "jcf_games_schema_dummy_2024-07-01.csv"
        assert looks_like(path.read_bytes())
        (report,) = read(path.read_bytes(), path.name)
        day = date(2024, 5, 1)
        assert report.event == ReportedEvent(
            name="チェスクラブ", speed="standard", starts=day, ends=day, rounds=1
        )
        assert report.players == (
            ReportedPlayer(
                1, "Tanaka Satoshi", "", "N01234567", line=2, name_native="田中 智", national_rating=1800
            ),
            ReportedPlayer(
                2, "Yamada Taro", "", "N01234568", line=2, name_native="山田 太郎", national_rating=1300
            ),
        )
        assert report.games == (ReportedGame(1, 1, 2, "1-0", day, 2),)
        assert report.faults == ()
        assert [remark.code for remark in report.remarks] == ["game-table-assumed"]

    def test_the_dump(self, shared):
        path = shared / "data" / "jcf" / "jcf_games_sample_1row.tsv"
        assert looks_like(path.read_bytes())
        (report,) = read(path.read_bytes(), path.name)
        assert (report.event.name, report.event.speed) == ("64", "standard")
        assert [(p.national_id, p.name, p.national_rating) for p in report.players] == [
            ("111", "", 1815),
            ("287", "", 1335),
        ]
        assert report.games == (ReportedGame(1, 1, 2, "1-0", date(2021, 10, 9), 2),)
        assert report.faults == ()

    def test_no_other_file_is_claimed(self, shared):
        for path in shared.rglob("*.*"):
            if not path.name.startswith("jcf_games_s"):
                assert not looks_like(path.read_bytes()), path


class TestEvents:
    def test_are_told_apart_by_source_time_and_list(self):
        found = reports(
            row(),
            row(Time="RP"),
            row(Source="別のクラブ"),
            row(Rating_Update_Date="2024-08-01"),
            row(Rating_Update_Date=""),
            row("B", "C", Rating_Update_Date="2024/7/1", Time="st"),
        )
        assert [(r.event.name, r.event.speed, len(r.games)) for r in found] == [
            ("クラブ", "standard", 2),
            ("クラブ", "rapid", 1),
            ("別のクラブ", "standard", 1),
            ("クラブ", "standard", 1),
            ("クラブ", "standard", 1),
        ]

    def test_of_a_dump_by_tournament(self):
        base = {"white_id": 1, "black_id": 2, "white_point": "0.5", "time_type": "RP"}
        rows = [
            base | {"tournament_id": 7, "start_at": "2021-10-09"},
            base | {"tournament_id": 8, "start_at": "2021-10-10 18:30:00"},
        ]
        found = reports(*rows, headings=DUMP, delimiter="\t")
        assert [(r.event.name, r.event.speed, r.event.starts) for r in found] == [
            ("7", "rapid", date(2021, 10, 9)),
            ("8", "rapid", date(2021, 10, 10)),
        ]
        assert [game.result for r in found for game in r.games] == ["1/2-1/2"] * 2

    def test_run_from_the_first_to_the_last_game(self):
        (report,) = reports(row(Date="2024-05-09"), row(Date="2024-05-02"), row(Date="2024-05-04"))
        assert (report.event.starts, report.event.ends) == (date(2024, 5, 2), date(2024, 5, 9))
        facts = dict(report.remarks[0].facts)
        assert facts == {"event": "クラブ", "rounds": "3", "starts": "2024-05-02", "ends": "2024-05-09"}


class TestRounds:
    def test_by_day_then_by_the_order_of_the_file(self):
        (report,) = reports(
            row("A", "B", Date="2024-05-02"),
            row("A", "C", Date="2024-05-01"),
            row("B", "C", Date="2024-05-01"),
            row("B", "A", Date="2024-05-01"),
        )
        assert [(game.line, game.round) for game in report.games] == [(3, 1), (4, 2), (5, 3), (2, 4)]

    def test_games_side_by_side_share_one(self):
        people = [
            row(White_ID=f"N{n}", White_Name=f"W {n}", Black_ID=f"M{n}", Black_Name=f"B {n}")
            for n in range(4)
        ]
        (report,) = reports(*people)
        assert [game.round for game in report.games] == [1] * 4
        assert report.event.rounds == 1

    @settings(max_examples=examples(60))
    @given(
        st.lists(
            st.tuples(st.permutations("ABC"), st.integers(1, 5), st.sampled_from(["ST", "RP"])), min_size=1
        )
    )
    def test_nobody_plays_twice_in_one_and_days_go_forward(self, drawn):
        found = reports(*(row(a, b, Date=f"2024-05-0{day}", Time=time) for (a, b, _), day, time in drawn))
        assert sum(len(report.games) for report in found) == len(drawn)
        for report in found:
            seats = [(game.round, number) for game in report.games for number in (game.white, game.black)]
            assert len(seats) == len(set(seats))
            assert max(game.round for game in report.games) == report.event.rounds
            for number in {number for _, number in seats}:
                own = [game.played for game in report.games if number in (game.white, game.black)]
                assert own == sorted(own)


class TestPlayers:
    def test_are_numbered_as_they_come(self):
        (report,) = reports(row("B", "C"), row("A", "B"))
        assert [(p.number, p.national_id, p.line) for p in report.players] == [
            (1, "B", 2),
            (2, "C", 2),
            (3, "A", 3),
        ]

    def test_one_name_in_other_letters_is_one_name(self):
        (report,) = reports(row(), row(White_Name="Abe,  JUN", White_ID="Ａ", White_Kanji=""))
        assert report.faults == ()
        assert (report.players[0].name, report.players[0].name_native) == ("ABE Jun", "阿部 純")

    def test_without_an_id_the_name_tells_who(self):
        (report,) = reports(row(White_ID=""), row("B", "A", Black_ID=""))
        assert [(p.national_id, p.name) for p in report.players] == [("", "ABE Jun"), ("B", "BABA Mei")]
        assert report.faults == ()

    def test_a_rating_that_changes_is_left_blank(self):
        (report,) = reports(row(), row(White_Rating=1810), row("A", "C"))
        assert [p.national_rating for p in report.players] == [None, 1500, None]

    @pytest.mark.parametrize("unrated", ["", "0", "UR"])
    def test_an_unrated_player(self, unrated):
        (report,) = reports(row(White_Rating=unrated))
        assert report.players[0].national_rating is None
        assert report.faults == ()


class TestInTheWild:
    @pytest.mark.parametrize("encoding", ["cp932", "utf-8-sig", "utf-8", "utf-16"])
    @pytest.mark.parametrize("delimiter", [",", "\t", ";"])
    def test_encodings_and_delimiters(self, encoding, delimiter):
        data = table(row(), row("B", "C"), delimiter=delimiter).encode(encoding)
        assert looks_like(data)
        assert read(data, "g.csv") == reports(row(), row("B", "C"))

    def test_headings_below_a_title(self):
        data = ("Games of May\n\n" + table(row())).encode()
        assert looks_like(data)
        assert len(read(data, "g.csv")[0].games) == 1

    def test_days_that_may_have_the_month_first(self):
        found = reports(row(Date="03/04/2024"), row("B", "C", Date="04/04/2024"))[-1].remarks
        assert [f.code for f in found] == ["game-table-assumed", "sheet-day-order"]

    def test_a_workbook(self):
        book = workbook(table(row(), row("B", "C")))
        book.active["L2"] = date(2024, 5, 1)
        book.active["A2"] = 1
        assert looks_like(saved(book))
        assert read(saved(book), "g.csv") == reports(row(), row("B", "C"))

    def test_of_a_workbook_the_first_table_that_is_shown(self):
        book = workbook(*(table(row(Source=month)) for month in ("old", "May", "June")), table())
        book.worksheets[0].sheet_state = "hidden"
        book.active = 1
        (report,) = read(saved(book), "g.xlsx")
        assert report.event.name == "May"
        remark, _ = report.remarks
        assert (remark.code, dict(remark.facts)) == (
            "game-sheets-unread",
            {"read": "Sheet1", "others": "Sheet2"},
        )

    def test_full_width_and_other_days(self):
        cells = {"White_Point": "０．５", "Date": "２０２４年５月１日", "White_Rating": "１８００"}
        assert reports(row(**cells)) == reports(row(White_Point="0.5"))

    @pytest.mark.parametrize(
        ("point", "result"),
        [("1", "1-0"), ("1.0", "1-0"), ("0", "0-1"), ("½", "1/2-1/2"), ("0,5", "1/2-1/2")],
    )
    def test_points(self, point, result):
        assert reports(row(White_Point=point))[0].games[0].result == result

    def test_blank_rows_and_a_title_above(self):
        text = "対局一覧\r\n" + table(row()) + "\r\n,,,\r\n" + table(row("B", "C")).split("\r\n", 1)[1]
        (report,) = read(text.encode(), "g.csv")
        assert [game.line for game in report.games] == [3, 6]

    def test_moves_over_several_lines_shift_the_lines_after_them(self):
        (report,) = reports(row(PGN_Moves="1. e4\n2. d4\n3. c4"), row("B", "C"))
        assert [game.line for game in report.games] == [2, 5]
        (report,) = read(saved(workbook(table(row(PGN_Moves="1. e4\n2. d4"), row("B", "C")))), "g.xlsx")
        assert [game.line for game in report.games] == [2, 3]

    def test_a_game_twice_is_remarked(self):
        (report,) = reports(
            row(Date="2024-05-01 18:30"),
            row(Date="2024-05-01 19:30"),
            row(Date="2024-05-01 18:30"),
            row("B", "A", Date="2024-05-01 18:30"),
            row(Date="2024-05-01"),
            row(Date="2024/05/01"),
        )
        assert len(report.games) == 6
        told = [(f.line, dict(f.facts)) for f in report.remarks if f.code == "game-twice"]
        assert told == [(4, {"first": "2"}), (7, {"first": "6"})]

    def test_columns_in_any_order_and_none_that_is_not_needed(self):
        needed = ["Source", "Time", "Date", "Black ID", "White ID", "White Point"]
        (report,) = reports(row(), headings=needed)
        assert [p.national_id for p in report.players] == ["A", "B"]
        assert report.games == (ReportedGame(1, 1, 2, "1-0", date(2024, 5, 1), 2),)


FAULTY = [
    (row(White_Point="2"), [(2, "A", "game-table-bad-point")]),
    (row(White_Point=""), [(2, "A", "game-table-bad-point")]),
    (row(White_ID="", White_Name=""), [(2, "B", "game-table-nobody")]),
    (row(White_Rating="1500?"), [(2, "F", "game-table-bad-rating")]),
    (row(White_Rating="9" * 5000), [(2, "F", "game-table-bad-rating")]),
    (row(Black_ID="A", Black_Name="ABE Jun", Black_Kanji="阿部 純"), [(2, "G", "game-table-plays-self")]),
    (row(Date=""), [(2, "L", "game-table-bad-day")]),
    (row(Date="5/1"), [(2, "L", "game-table-bad-day")]),
    (row(Time="slow"), [(2, "M", "game-table-bad-time")]),
    (row(Source=" "), [(2, "N", "game-table-no-source")]),
    (row(Rating_Update_Date="July"), [(2, "P", "game-table-bad-day")]),
    (
        row(White_Point="x", Date="x", Time="x"),
        [(2, "M", "game-table-bad-time"), (2, "A", "game-table-bad-point"), (2, "L", "game-table-bad-day")],
    ),
]


class TestFaults:
    @pytest.mark.parametrize(("cells", "found"), FAULTY)
    def test_by_address_and_the_game_is_left_out(self, cells, found):
        got = reports(cells, row("B", "C"))
        assert addresses(got) == found
        assert [game.line for report in got for game in report.games] == [3]

    def test_two_names_of_one_id(self):
        (report,) = reports(row(), row(White_Name="Abe Ken"), row(White_Kanji="安倍 純"), row("A", "C"))
        assert addresses([report]) == [(3, "C", "game-table-two-names"), (4, "D", "game-table-two-names")]
        assert dict(report.faults[0].facts) == {
            "id": "A",
            "name": "Abe Ken",
            "known": "ABE Jun",
            "first": "2",
        }
        assert [game.line for game in report.games] == [2, 5]

    def test_one_name_of_two_ids_is_two_people(self):
        (report,) = reports(row(Black_Name="ABE Jun"))
        assert report.faults == ()
        assert len(report.players) == 2

    @pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "White Point,White ID\n1,A\n"])
    def test_no_headings(self, text):
        assert addresses(read(text.encode(), "g.csv")) == [(0, "", "game-table-no-headings")]

    def test_of_two_columns_for_the_same_the_one_of_the_table_handed_out(self):
        cells = {"start_at": "2020-01-01", "tournament_id": "7"}
        for headings in ([*cells, *HEADINGS], [*HEADINGS, *cells]):
            (report,) = reports(row() | cells, headings=headings)
            assert (report.faults, report.event.name) == ((), "クラブ")
            assert report.games[0].played == date(2024, 5, 1)

    def test_a_heading_twice(self):
        found = reports(row(), headings=[*HEADINGS, "white id"])
        assert addresses(found) == [(1, "Q", "sheet-heading-twice")]
        assert found[0].games == ()

    def test_a_quotation_mark_that_is_not_closed(self):
        text = table(row(), row("B", "C"), row("A", "C")).replace("CHIBA Go", '"CHIBA Go', 1)
        (report,) = read(text.encode(), "g.csv")
        assert (addresses([report]), report.games) == ([(3, "", "sheet-csv")], ())

    def test_no_games(self):
        assert addresses(reports()) == [(0, "", "game-table-empty")]

    def test_every_sentence_has_its_facts(self):
        found = [fault for cells, _ in FAULTY for report in reports(cells) for fault in report.faults]
        (report,) = reports(row(), row(White_Name="Abe Ken"))
        found += [*report.faults, *report.remarks, *reports()[0].faults, *read(b"", "g")[0].faults]
        assert {fault.code for fault in found} == set(catalogue("faults/game_table"))
        for fault in found:
            assert all("{" not in fault_text(fault, lang) for lang in LANGUAGES)


class TestAnyBytes:
    def test_of_endless_faults_a_thousand_are_told(self):
        found = reports(*(row(Time="x", Source=n % 3 or "") for n in range(5000)))
        assert 1000 <= len(addresses(found)) < 1010

    GOOD = table(row(), row("B", "C"), row("A", "C", Time="RP")).encode()

    @given(st.binary(max_size=300))
    def test_noise(self, noise):
        looks_like(noise)
        assert addresses(read(noise, "g"))

    @settings(max_examples=examples(200))
    @given(st.integers(0, len(GOOD) - 1), st.binary(max_size=6), st.integers(0, 6))
    def test_damaged_tables(self, at, noise, cut):
        data = self.GOOD[:at] + noise + self.GOOD[at + cut :]
        looks_like(data)
        for report in read(data, "g"):
            numbers = {player.number for player in report.players}
            assert all({game.white, game.black} <= numbers for game in report.games)
            assert all(game.white != game.black for game in report.games)

    @given(st.lists(st.lists(st.text(max_size=5), max_size=17), max_size=5))
    def test_any_cells(self, rows):
        text = io.StringIO()
        csv.writer(text).writerows([HEADINGS, *rows])
        read(text.getvalue().encode("utf-8", "replace"), "g")
