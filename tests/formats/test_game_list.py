"""The plain list of games: headings, results, rounds, every fault by its address, and any bytes."""

from __future__ import annotations

import io
from datetime import date, datetime, time

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.exchange.incoming_files import read_files
from banzuke.formats.format_detection import recognise
from banzuke.formats.game_list import looks_like, read
from banzuke.words import LANGUAGES, fault_text

LIST = "Round,White,Black,Result\n1,SATO Hana,SUZUKI Ren,1-0\n1,ITO Sora,TANAKA Yui,1/2\n2,Suzuki  Ren,ITO Sora,0\n"


def games(text):
    report = read(text.encode(), "april.csv")
    names = {player.number: player.name for player in report.players}
    assert not report.faults
    return [(game.round, names[game.white], names[game.black], game.result) for game in report.games]


def addresses(text):
    return [(fault.line, fault.column, fault.code) for fault in read(text.encode(), "april.csv").faults]


def workbook(**sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def hide(data, name):
    """The workbook with a sheet hidden, and before all others."""
    book = openpyxl.load_workbook(io.BytesIO(data))
    book.move_sheet(name, -len(book.sheetnames))
    book[name].sheet_state = "hidden"
    book.active = 1
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


class TestWhatIsRead:
    def test_a_list_as_a_club_types_it(self):
        assert recognise(LIST.encode()) == "game-list"
        assert games(LIST) == [
            (1, "SATO Hana", "SUZUKI Ren", "1-0"),
            (1, "ITO Sora", "TANAKA Yui", "1/2-1/2"),
            (2, "SUZUKI Ren", "ITO Sora", "0-1"),
        ]
        (report,) = read_files([("april.csv", LIST.encode())]).reports
        assert (report[1].event.rounds, report[1].remarks) == (2, ())

    @pytest.mark.parametrize("headings", ["白,黒,結果", "White,Black,Result"])
    def test_ids_under_the_headings_of_names_are_remarked(self, headings):
        report = read(f"{headings}\n1,2,1-0\nJ003,1,0-1\n".encode(), "a.csv")
        assert [(f.line, f.code) for f in report.remarks] == [(1, "game-list-ids"), (0, "game-list-assumed")][
            ::-1
        ]
        assert not [f for f in read(f"{headings}\n1,Sato 2,1-0\n".encode(), "a.csv").remarks if f.line]

    @pytest.mark.parametrize("headings", ["白番会員番号,黒番会員番号,結果", "White_ID,Black ID,Result"])
    def test_ids_without_names(self, headings):
        text = f"{headings}\n1,2,1-0\n".encode()
        assert (recognise(text), recognise(workbook(a=[headings.split(","), ["1", "2", "1-0"]]))) == (
            "game-list",
        ) * 2
        report = read(text, "a.csv")
        assert [(player.national_id, player.name) for player in report.players] == [("1", ""), ("2", "")]
        assert [f.code for f in report.remarks] == ["game-list-assumed"]
        wrong = read(f"{headings}\n1,,1-0\n1,1,1-0\n".encode(), "a.csv").faults
        assert [(f.line, f.column, f.code) for f in wrong] == [
            (2, "B", "game-list-nobody"),
            (3, "", "game-list-plays-self"),
        ]

    def test_in_japanese_with_ids_and_days_below_a_title(self):
        text = "四月例会;;;;;\n回戦;日付;白;白番会員番号;黒;黒番会員番号;結果\n１;2026年4月5日;佐藤;12;鈴木;3;½-½\n2;2026/4/6;鈴木;3;佐藤;12;+/-\n"
        report = read(text.replace("½-½", "0.5-0.5").encode("cp932"), "a.csv")
        assert report.faults == ()
        assert [(player.national_id, player.name, player.line) for player in report.players] == [
            ("12", "佐藤", 3),
            ("3", "鈴木", 3),
        ]
        assert [(game.round, game.white, game.result, game.played) for game in report.games] == [
            (1, 1, "1/2-1/2", date(2026, 4, 5)),
            (2, 2, "+/-", date(2026, 4, 6)),
        ]
        assert (report.event.starts, report.event.ends) == (date(2026, 4, 5), date(2026, 4, 6))

    @pytest.mark.parametrize(
        ("said", "result"),
        [("1", "1-0"), ("1.0", "1-0"), ("0", "0-1"), ("0.5", "1/2-1/2"), ("0,5", "1/2-1/2"), ("½", "1/2-1/2"),
         ("1:0", "1-0"), ("０－１", "0-1"), ("-/+", "-/+"), ("u1-0", "u1-0"), ("= - =", "1/2-1/2")],
    )  # fmt: skip
    def test_results(self, said, result):
        assert games(f'White;Black;Result\nA;B;"{said}"\n') == [(1, "A", "B", result)]

    @pytest.mark.parametrize(
        ("days", "remarked"),
        [
            (["2/3/2025", "03/04/2025", "05/05/2025"], "2/3/2025"),
            (["3/3/2025", "03/04/2025"], "03/04/2025"),
            (["03/04/2025", "13/04/2025"], None),
            (["2025/03/04", "03.04.2025", "4/4/2025"], None),
            (["03/04/2025 10:00"], "03/04/2025"),
            (["03-04-2025"], "03-04-2025"),
            (["03-04-2025", "13-04-2025 9:00"], None),
        ],
    )
    def test_days_that_may_have_the_month_first(self, days, remarked):
        rows = "".join(f"{n},A,B,1,{day}\n" for n, day in enumerate(days, 1))
        report = read(f"Round,White,Black,Result,Date\n{rows}".encode(), "a.csv")
        assert report.faults == ()
        assert [(f.code, dict(f.facts)["text"]) for f in report.remarks] == (
            [("sheet-day-order", remarked)] if remarked else []
        )

    def test_the_remark_on_a_day_says_how_to_write_the_other(self):
        (remark,) = read(b"Round,White,Black,Result,Date\n1,A,B,1,03/04/2025\n", "a.csv").remarks
        assert dict(remark.facts) == {"text": "03/04/2025", "day": "2025-04-03", "other": "2025-03-04"}
        assert all("2025-03-04" in fault_text(remark, lang) for lang in LANGUAGES)

    def test_without_rounds_nobody_plays_twice_in_one(self):
        text = "White,Black,Result\nA,B,1\nC,A,0\nC,D,1\nD,B,1\nD,C,0\n"
        assert [game[:3] for game in games(text)] == [
            (1, "A", "B"), (2, "C", "A"), (3, "C", "D"), (4, "D", "B"), (5, "D", "C"),
        ]  # fmt: skip
        (remark,) = read(text.encode(), "a.csv").remarks
        assert (remark.code, dict(remark.facts)) == ("game-list-assumed", {"rounds": "5"})

    @pytest.mark.parametrize("row", ["2,ITO Sora,BYE,1-0", "2,Bye,ITO Sora,0-1", "2,ITO Sora,bye*,1"])
    def test_a_round_without_an_opponent_is_no_game(self, row):
        text = f"{LIST}{row}\n"
        assert games(text) == games(LIST)
        assert len(read(text.encode(), "april.csv").players) == 4

    def test_a_long_list_in_japanese_is_known_by_its_headings(self):
        for more in range(4):
            rows = [f"{number},藤原 悠斗,高橋 {number},1-0\n" for number in range(1, 200)]
            text = f"ラウンド,白番,黒番,結果\n{'x' * more},,,\n" + "".join(rows)
            assert all(looks_like(text.encode(encoding)) for encoding in ("utf-8", "utf-8-sig", "cp932"))

    def test_a_footnote_mark_is_no_part_of_a_name(self):
        assert games("Round,White,Black,Result\n1,Hebden *,B†,1-0\n") == [(1, "Hebden", "B", "1-0")]

    def test_of_a_workbook_the_first_list(self):
        heading = ["Round", "White", "Black", "Result"]
        data = workbook(
            April=[["April meeting"], [], heading, [1, "A", "B", "1-0"]],
            Notes=[["April"], ["nothing here"]],
            May=[heading, [1, "B", "A", 0.5]],
        )
        assert looks_like(data)
        report = read(data, "club.xlsx")
        assert (report.faults, len(report.games), report.players[0].line) == ((), 1, 4)
        (remark,) = report.remarks
        assert dict(remark.facts) == {"read": "April", "others": "May"}

    def test_many_lists_and_many_headings_alike_are_cut(self):
        heading = ["White", "Black", "Result"]
        data = workbook(**{f"s{n}": [heading, ["A", "B", "1-0"]] for n in range(30)})
        others = dict(read(data, "club.xlsx").remarks[0].facts)["others"]
        assert (others[:7], others[-8:], others.count(",")) == ("s1, s2,", " s20 ...", 19)
        (twice,) = read(f"{'White,' * 30}Black,Result\n".encode(), "a.csv").faults
        assert dict(twice.facts)["columns"].endswith(", T ...")

    def test_a_hidden_list_only_where_none_is_shown(self):
        heading = ["Round", "White", "Black", "Result"]
        data = workbook(Old=[heading, [1, "X", "Y", "1-0"]], Now=[heading, [1, "A", "B", "1-0"]])
        report = read(hide(data, "Old"), "club.xlsx")
        assert ([player.name for player in report.players], report.remarks) == (["A", "B"], ())
        data = workbook(Old=[heading, [1, "X", "Y", "1-0"]], Now=[["see elsewhere"]])
        assert [player.name for player in read(hide(data, "Old"), "club.xlsx").players] == ["X", "Y"]

    def test_headings_alone_are_passed_over_where_another_sheet_has_games(self):
        heading = ["Round", "White", "Black", "Result"]
        report = read(workbook(Blank=[heading], May=[heading, [1, "A", "B", "1-0"]]), "club.xlsx")
        assert (len(report.games), report.faults, report.remarks) == (1, (), ())

    def test_a_day_with_a_time_of_day(self):
        heading = ["White", "Black", "Result", "Date"]
        data = workbook(a=[heading, ["A", "B", "1-0", datetime.combine(date(2025, 2, 28), time(18, 30))]])
        assert read(data, "a.xlsx").games[0].played == date(2025, 2, 28)
        for day in ("2025-02-28T18:30", "2025/2/28 9:05", "2025年2月28日 18:30:00"):
            text = f"White,Black,Result,Date\nA,B,1-0,{day}\n"
            assert read(text.encode(), "a.csv").games[0].played == date(2025, 2, 28)

    def test_columns_that_are_not_read_are_remarked(self):
        text = "April,,,,,,,\nRound,White,Black,Result,Rated,Forfeit,Date,Day,\n1,A,B,1-0,no,yes,2025-05-03,Sat,late\n"
        report = read(text.encode(), "a.csv")
        (remark,) = report.remarks
        assert (remark.line, remark.code, dict(remark.facts)) == (
            2,
            "game-list-unread",
            {"headings": "Rated, Forfeit, I"},
        )

    @pytest.mark.parametrize(
        "headings",
        [
            "Board,White Elo,Black Rating,ECO,Moves,Weekday,Event,Site",
            "卓,白レーティング,黒番所属,備考,曜日,No.,#,大会名",
        ],
    )
    def test_columns_that_nobody_misses_are_passed_over(self, headings):
        cells = ",".join("x" for _ in headings.split(","))
        report = read(f"Round,White,Black,Result,{headings}\n1,A,B,1-0,{cells}\n".encode(), "a.csv")
        assert (report.faults, report.remarks) == ((), ())

    def test_many_columns_that_are_not_read_are_cut(self):
        odd = [f"{n}{'x' * 300}" for n in range(500)]
        report = read(f"Round,White,Black,Result,Extra,{','.join(odd)},Extra\n1,A,B,1-0\n".encode(), "a.csv")
        (remark,) = report.remarks
        names = dict(remark.facts)["headings"]
        assert names.startswith(f"Extra, 0{'x' * 39}..., 1x")
        assert names.endswith(" ...")
        assert len(names) < 1000

    @pytest.mark.parametrize("headings", ["Day,Date,White No.,White ID", "Date,Day,White ID,White No."])
    def test_of_two_headings_for_the_same_the_plainer_one(self, headings):
        cells = {"Day": "Sat", "Date": "2025-05-03", "White No.": "7", "White ID": "N1"}
        row = ",".join(cells[name] for name in headings.split(","))
        report = read(f"Round,White,Black,Result,{headings}\n1,A,B,1-0,{row}\n".encode(), "a.csv")
        assert (report.faults, report.remarks) == ((), ())
        assert (report.games[0].played, report.players[0].national_id) == (date(2025, 5, 3), "N1")

    def test_the_same_row_twice_is_remarked_where_rounds_do_not_tell(self):
        text = "White,Black,Result,Date\nA,B,1,2025-05-03\nB,A,1,2025-05-03\n a,B,1-0,2025/5/3\nA,B,1,2025-05-04\n"
        report = read(text.encode(), "a.csv")
        assert len(report.games) == 4
        told = [(f.line, dict(f.facts)) for f in report.remarks if f.code == "game-twice"]
        assert told == [(4, {"first": "2"})]

    def test_not_at_another_time_of_day(self):
        times = ["2025-05-03 10:00", "2025/5/3 20:00", "2025-05-03", "2025/5/3T10:00:00", "2025-05-03 00:00"]
        rows = "".join(f"A,B,1,{time}\n" for time in times)
        report = read(f"White,Black,Result,Date\n{rows}".encode(), "a.csv")
        told = [(f.line, dict(f.facts)["first"]) for f in report.remarks if f.code == "game-twice"]
        assert told == [(5, "2"), (6, "4")]

    def test_lines_where_a_cell_runs_over_several(self):
        heading, odd = ["White", "Black", "Result", "Note"], ["A", "B", "1-0", "good\ngame"]
        text = 'White,Black,Result,Note\nA,B,1-0,"good\ngame"\nA,B,won,\n'
        assert addresses(text) == [(4, "C", "game-list-bad-result")]
        report = read(workbook(a=[heading, odd, ["A", "B", "won", ""]]), "a.xlsx")
        assert [fault.line for fault in report.faults] == [3]


class TestWhatIsRefused:
    @pytest.mark.parametrize(
        ("row", "fault"),
        [
            ("1,A,B,won", (2, "D", "game-list-bad-result")),
            ("1,A,B,", (2, "D", "game-list-bad-result")),
            ("first,A,B,1-0", (2, "A", "game-list-bad-round")),
            ("0,A,B,1-0", (2, "A", "game-list-bad-round")),
            ("1000,A,B,1-0", (2, "A", "game-list-bad-round")),
            ("1,,B,1-0", (2, "B", "game-list-nobody")),
            ("1,A, * ,1-0", (2, "C", "game-list-nobody")),
            ("1,A,a,1-0", (2, "C", "game-list-plays-self")),
        ],
    )
    def test_a_row(self, row, fault):
        assert addresses(f"Round,White,Black,Result\n{row}\n") == [fault]

    def test_a_day(self):
        assert addresses("White,Black,Result,Date\nA,B,1-0,some day\n") == [(2, "D", "game-list-bad-day")]

    @pytest.mark.parametrize("ending", ['"good game\n', '"good\n" game\n', '"good game\nA,B,1-0,"x" y\n'])
    @pytest.mark.parametrize("rest", ["C,D,0-1,\nD,A,0-1,\n", ""])
    def test_a_quotation_mark_that_is_not_closed(self, ending, rest):
        text = f"White,Black,Result,Note\nA,B,1-0,\nB,C,1-0,{ending}{rest}"
        assert addresses(text) == [(3, "", "sheet-csv")]

    def test_text_behind_a_quotation_mark_that_is_closed(self):
        rows = ('1,"Taz" Yamada,B,1-0,', '2,B,F,1-0,"a\nb"', '1,C,"D" E,1-0,', '2,"Yamada, A",C,won,')
        report = read("\n".join(("Round,White,Black,Result,Note", *rows)).encode(), "a.csv")
        assert [player.name for player in report.players][:5] == ["Taz Yamada", "B", "F", "C", "D E"]
        assert [(f.line, f.code) for f in report.faults] == [(6, "game-list-bad-result")]

    def test_a_blank_before_a_quotation_mark(self):
        assert games('Round,White,Black,Result\n1, "Yamada, Taro", B,1-0\n') == [
            (1, "Yamada, Taro", "B", "1-0")
        ]

    def test_two_boards_side_by_side(self):
        text = "Round,White,Black,Result,White,black,Result\n1,A,B,1-0,C,D,1-0\n"
        report = read(text.encode(), "a.csv")
        assert report.games == ()
        assert [(f.line, f.column, f.code, dict(f.facts)) for f in report.faults] == [
            (1, second, "sheet-heading-twice", {"heading": heading, "columns": f"{first}, {second}"})
            for heading, first, second in [("White", "B", "E"), ("Black", "C", "F"), ("Result", "D", "G")]
        ]

    @pytest.mark.parametrize("heading", ["Event", "Tournament", "大会名"])
    def test_several_events(self, heading):
        text = f"White,Black,Result,{heading}\nA,B,1-0,\nA,B,1-0,May\nB,A,1-0,ＭＡＹ\nA,B,1-0,June\n"
        assert addresses(text) == [(5, "D", "game-list-events")]
        one = read(text.replace("June", "May").encode(), "a.csv")
        assert (one.faults, len(one.games)) == ((), 4)

    def test_headings_alone(self):
        assert addresses("White,Black,Result\n\n") == [(0, "", "game-list-empty")]
        assert addresses("a,b\n1,2\n") == [(0, "", "game-list-no-headings")]

    @pytest.mark.parametrize(
        "text",
        [
            "event_id,round,white,black,result\nE,1,A,B,1-0\n",
            "Round,White,Result\n1,A,1-0\n",
            "",
            "White Black Result\n",
        ],
    )
    def test_what_is_no_such_list(self, text):
        assert not looks_like(text.encode())

    def test_no_more_than_a_thousand_faults(self):
        text = "White,Black,Result\n" + "A,B,won\n" * 3000
        assert len(addresses(text)) == 1000

    def test_every_fault_is_told_in_both_languages(self):
        report = read(b"White,Black,Result,Date,Round,Event\nA,a,won,x,y,May\n,,1,,1,June\n", "a.csv")
        found = [*report.faults, *read(b"White,Black,Result,White\n", "a.csv").faults]
        found += read(b"White,Black,Result,Rated\nA,B,1\nA,B,1\n", "a.csv").remarks
        assert {fault.code for fault in found} == {
            *("game-list-bad-result", "game-list-bad-day", "game-list-bad-round", "game-list-plays-self"),
            *("game-list-nobody", "game-list-events", "sheet-heading-twice"),
            *("game-list-unread", "game-twice", "game-list-assumed"),
        }
        for fault in found:
            texts = {fault_text(fault, lang) for lang in LANGUAGES}
            assert len(texts) == len(LANGUAGES)
            assert not any("{" in text for text in texts)


@settings(max_examples=examples(100))
@given(
    st.binary(max_size=300)
    | st.text(max_size=200).map(lambda text: ("White,Black,Result\n" + text).encode("utf-8", "replace"))
)
def test_any_bytes_are_read_or_refused(data):
    looks_like(data)
    report = read(data, "x.csv")
    numbers = {player.number for player in report.players}
    for game in report.games:
        assert {game.white, game.black} <= numbers
        assert game.white != game.black
        assert game.round >= 1
