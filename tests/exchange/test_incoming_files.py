"""Files as they come in: recognised, mails opened, pages put together, games of Go with their table."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from email.message import EmailMessage

import pytest
import xlsxwriter

from banzuke.exchange import incoming_files
from banzuke.exchange.incoming_files import FIDE_LIST, REGISTER, people_file_kind, read_files
from banzuke.exchange.linked_reports import LinkedReport
from banzuke.formats.format_detection import FORMATS, recognise
from banzuke.formats.report import Report, ReportedEvent, ReportedGame, ReportedPlayer
from banzuke.formats.report_form import form_writer
from banzuke.formats.trf import trf_writer
from banzuke.words import fault_line

DAY = date(2025, 2, 1)
PEOPLE = (ReportedPlayer(1, "SATO Keiko", "7000001"), ReportedPlayer(2, "MORI Kazuya", "7000002"))
REPORT = Report(
    ReportedEvent("Open", "Tokyo", starts=DAY, ends=DAY, rounds=1),
    PEOPLE,
    (ReportedGame(1, 1, 2, "1-0", DAY),),
)
TRF = trf_writer.write(REPORT, version=16)
SGF = "(;GM[1]FF[4]SZ[19]PB[{black}]PW[white]BR[5k]WR[5k]KM[6.5]RE[B+R]DT[2025-02-01];B[aa];W[bb])"
A, B = (SGF.format(black=name).encode() for name in "ab")
PAGE = """<html><head><title>Chess-Results</title></head><body><a href="tnr77.aspx?lan=1">x</a><h2>Open</h2>
<h3>Round {round} on 2025/02/0{round}</h3><table>
<tr><th>Bo.</th><th>No.</th><th>White</th><th>Result</th><th>Black</th><th>No.</th></tr>
<tr><td>1</td><td>1</td><td>Sato, Keiko</td><td>1 - 0</td><td>Mori, Kazuya</td><td>2</td></tr>
</table><table><tr><td>Number of rounds</td><td>2</td></tr></table></body></html>"""


def mail(text="see attached", *attachments):
    message = EmailMessage()
    message["From"], message["To"] = "Club A <club@example.org>", "office@example.org"
    message["Date"], message["Subject"] = "Mon, 03 Feb 2025 23:30:00 +0900", "報告"
    message.set_content(text)
    for name, data in attachments:
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()


def zipped(files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return stream.getvalue()


def lines(faults):
    return [fault_line(found, "en") for found in faults]


def test_long_names_of_packed_files_are_told_apart_and_can_be_kept():
    """PostgreSQL keeps 200 signs."""
    long = "長" * 190
    files = {f"{long}{number}.trf": TRF for number in range(2)}
    names = [name for name, _ in read_files([("a" * 96 + ".zip", zipped(files))]).reports]
    assert len(set(names)) == 2
    assert {len(name) for name in names} == {190}
    assert read_files([("a.zip", zipped({"b.trf": TRF}))]).reports[0][0] == "a.zip/b.trf"


class TestRecognised:
    @pytest.mark.parametrize(
        ("data", "form"),
        [
            (TRF, "trf"),
            (form_writer.write_form(REPORT, players=4, games=4), "report-form"),
            (SGF.format(black="b").encode(), "sgf"),
            (b'[Event "Open"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1-0\n', "pgn"),
            (PAGE.format(round=1).encode(), "chess-results"),
            (b"file,ended\na.sgf,2025-02-01T10:00+09:00\n", "sgf-table"),
            (b"White Point,White ID,White Name,Black ID,Black Name,Date,Time,Source\n", "game-table"),
            (b"", None),
            (b"hello", None),
            (b"PK\x03\x04", None),
            (b"\0" * 1000, None),
        ],
    )
    def test_by_content(self, data, form):
        assert recognise(data) == form

    def test_real_files(self, shared):
        folders = {
            "trf": "trf",
            "swissmanager": "swiss-manager",
            "go": "sgf",
            "chessresults": "chess-results",
        }
        for folder, form in folders.items():
            for path in sorted((shared / "data" / folder).iterdir()):
                found = recognise(path.read_bytes())
                if path.suffix != ".csv":
                    assert found == form, path.name
                else:
                    assert found == ("chess-results-export" if folder == "chessresults" else None), path.name

    def test_every_format_has_a_reader_or_is_the_table_of_one(self):
        assert [name for name, form in FORMATS.items() if form.read is None] == ["sgf-table"]

    def test_a_file_in_no_format_is_refused_by_name(self):
        found = read_files([("x.docx", b"hello"), ("open.trf", TRF)])
        assert len(found.reports) == 1
        (line,) = lines(found.faults)
        assert line.startswith("x.docx: This is in none of the known formats (")
        assert all(form in line for form in FORMATS)

    def test_a_format_may_be_forced(self):
        found = read_files([("x", b"hello")], "pgn")
        assert found.faults == []
        assert found.reports[0][1].faults

    def test_a_file_too_large(self, monkeypatch):
        monkeypatch.setattr(incoming_files, "MOST_BYTES", 5)
        assert lines(read_files([("x", b"123456")]).faults)[0].startswith("x: The file has more than 0 MiB")


class TestMail:
    def test_attachments_are_reports_of_the_day_it_came(self):
        found = read_files([("m.eml", mail("", ("春.trf", TRF), ("b.trf", TRF)))])
        assert [name for name, _ in found.reports] == ["m.eml/春.trf", "m.eml/b.trf"]
        assert {report.event.reported for _, report in found.reports} == {date(2025, 2, 3)}
        assert {report.event.reporter for _, report in found.reports} == {"Club A"}

    def test_what_else_is_attached_is_passed_over_and_told(self):
        found = read_files([("m.eml", mail("", ("logo.png", b"\x89PNG"), ("b.trf", TRF)))])
        assert (len(found.reports), found.faults) == (1, [])
        assert lines(found.remarks) == [
            "m.eml/logo.png: This attachment is not a report in a known format and was skipped."
        ]

    def test_a_link_alone_waits(self):
        found = read_files([("m.eml", mail("https://chess-results.com/tnr77.aspx?lan=1"))])
        assert (found.reports, found.faults) == ([], [])
        assert found.waiting == [LinkedReport("tnr77", date(2025, 2, 3), "Club A")]

    def test_a_link_of_no_day(self):
        data = mail("https://chess-results.com/tnr77.aspx?lan=1").replace(b"Mon, 03 Feb 2025", b"Monday")
        found = read_files([("m.eml", data)])
        assert found.waiting == []
        assert lines(found.faults)[0].startswith(
            "m.eml: The mail has only a link to Chess-Results and does not"
        )

    def test_an_attachment_of_no_day_lacks_only_its_day(self):
        data = mail("", ("b.trf", TRF)).replace(b"Mon, 03 Feb 2025", b"Monday")
        found = read_files([("m.eml", data)])
        assert (found.reports[0][1].event.reported, found.faults) == (None, [])

    def test_neither_report_nor_link(self):
        assert lines(read_files([("m.eml", mail("hello"))]).faults)[0].startswith(
            "m.eml: The mail has neither a report attached nor a link"
        )


class TestPages:
    def test_of_one_event_are_put_together(self):
        files = [(f"r{n}.html", PAGE.format(round=n).encode()) for n in (1, 2)]
        ((name, report),) = read_files(files).reports
        assert (name, report.part, report.faults) == ("r1.html", None, ())
        assert [game.round for game in report.games] == [1, 2]
        assert report.event.source == "tnr77"

    def test_a_crosstable_and_its_list_of_players(self, shared):
        folder = shared / "data" / "chessresults"
        names = ("british2026_champ_crosstable_final.html", "british2026_champ_startingrank.html")
        ((name, report),) = read_files([(name, (folder / name).read_bytes()) for name in names]).reports
        assert (name, len(report.players), len(report.games)) == (names[0], 108, 421)
        assert sum(bool(player.fide_id) for player in report.players) == 108

    def test_a_round_alone_lacks_the_others(self):
        ((_, report),) = read_files([("r1.html", PAGE.format(round=1).encode())]).reports
        assert [found.code for found in report.faults] == ["joining-rounds-missing"]

    def test_whole_reports_of_one_name_stay_apart(self):
        assert len(read_files([("open.trf", TRF), ("open.trf", TRF)]).reports) == 2

    def test_several_events_of_a_file_have_names_of_their_own(self):
        game = (
            '[Event "{}"]\n[Site "X"]\n[Date "2025.02.01"]\n[Round "1"]\n[White "A"]\n[Black "B"]\n'
            '[Result "1-0"]\n\n1-0\n\n'
        )
        found = read_files([("two.pgn", (game.format("One") + game.format("Two")).encode())])
        assert [name for name, _ in found.reports] == ["two-1.pgn", "two-2.pgn"]


class TestZipWithoutReport:
    def test_is_refused(self):
        found = read_files([("g.zip", zipped({"event.ini": b"[Event]", "event.trn": b"\x00\x01"}))])
        assert [(f.file, f.code) for f in found.faults] == [("g.zip", "incoming-empty-zip")]
        assert len(found.remarks) == 2

    def test_in_a_mail_is_no_report(self):
        found = read_files([("m.eml", mail("photos", ("g.zip", zipped({"photo.txt": b"x"}))))])
        assert [(f.file, f.code) for f in found.faults] == [("m.eml", "incoming-empty-mail")]


class TestGo:
    TABLE = b"file,ended\na.sgf,2025-02-01T10:00+09:00\nb.sgf,2025-02-01T11:00+09:00\n"

    def test_games_and_their_table(self):
        files = [("t.csv", self.TABLE), *((f"{n}.sgf", SGF.format(black=n).encode()) for n in "ab")]
        found = read_files(files)
        assert (found.faults, found.go.faults) == ([], ())
        assert [(game.game_id, game.black, game.ended) for game in found.go.games] == [
            ("a", "a", "2025-02-01T10:00:00+09:00"),
            ("b", "b", "2025-02-01T11:00:00+09:00"),
        ]

    def test_a_zip_of_games_with_their_table(self):
        found = read_files(
            [("g.zip", zipped({"t.csv": self.TABLE, "d/a.sgf": A, "d/b.sgf": B, "note.txt": b"hi"}))]
        )
        assert (found.faults, found.go.faults) == ([], ())
        assert [(game.game_id, game.file) for game in found.go.games] == [
            ("a", "g.zip/d/a.sgf"),
            ("b", "g.zip/d/b.sgf"),
        ]
        assert lines(found.remarks) == [
            "g.zip/note.txt: This file of the zip is not a report in a known format and was skipped."
        ]

    def test_games_of_one_name_in_two_folders_are_told(self):
        found = read_files([("g.zip", zipped({"t.csv": self.TABLE, "1/a.sgf": A, "2/a.sgf": B}))])
        assert [(f.file, f.code) for f in found.go.faults] == [
            ("g.zip/2/a.sgf", "sgf-same-id"),
            ("g.zip/t.csv", "sgf-table-no-game"),
        ]

    def test_what_is_called_a_game_and_is_none_is_not_passed_over(self):
        found = read_files([("g.zip", zipped({"a.sgf": b"lost"}))])
        assert [(f.file, f.code) for f in found.faults] == [("g.zip/a.sgf", "incoming-unknown")]

    def test_a_file_of_games_under_two_names_is_remarked(self):
        found = read_files([("a.sgf", A), ("b.sgf", A), ("c.sgf", B)])
        (line,) = lines(found.remarks)
        assert line.startswith("b.sgf: The file is the same as a.sgf; if it is the same game, leave one ")

    def test_a_text_that_cannot_be_read_is_said(self):
        table = "ラウンド,白番,黒番,結果\n1,藤原,鈴木,1-0\n"
        assert [f.code for f in read_files([("t.csv", table.encode("euc_jp"))]).faults] == [
            "incoming-encoding"
        ]
        found = read_files([("t.csv", table.encode("iso2022_jp"))])
        assert [player.name for player in found.reports[0][1].players] == ["藤原", "鈴木"]

    def test_the_table_may_be_a_workbook(self):
        stream = io.BytesIO()
        book = xlsxwriter.Workbook(stream)
        sheet = book.add_worksheet()
        for number, row in enumerate(self.TABLE.decode().splitlines()):
            sheet.write_row(number, 0, row.split(","))
        book.close()
        found = read_files([("g.zip", zipped({"t.xlsx": stream.getvalue(), "a.sgf": A, "b.sgf": B}))])
        assert (found.faults, found.go.faults, found.remarks) == ([], (), [])
        assert [game.ended for game in found.go.games] == [
            "2025-02-01T10:00:00+09:00",
            "2025-02-01T11:00:00+09:00",
        ]

    def test_a_zip_that_comes_by_mail(self):
        letter = mail("games", ("g.zip", zipped({"t.csv": self.TABLE, "a.sgf": A, "b.sgf": B})))
        found = read_files([("m.eml", letter)])
        assert [game.file for game in found.go.games] == ["m.eml/g.zip/a.sgf", "m.eml/g.zip/b.sgf"]

    def test_games_without_a_table_lack_their_end(self):
        found = read_files([("a.sgf", SGF.format(black="a").encode())])
        assert [fault.code for fault in found.go.faults] == ["sgf-no-ending"]

    def test_a_table_without_games(self):
        assert lines(read_files([("t.csv", self.TABLE)]).faults) == [
            "t.csv: This is a table of facts about Go games; give the SGF files with it."
        ]

    def test_chess_and_go_at_once(self):
        files = [("a.sgf", SGF.format(black="a").encode()), ("open.trf", TRF)]
        assert lines(read_files(files).faults)[0].startswith("open.trf: Reports of chess and games of Go")

    def test_two_tables(self):
        files = [("t.csv", self.TABLE), ("u.csv", self.TABLE), ("a.sgf", SGF.format(black="a").encode())]
        assert lines(read_files(files).faults) == [
            "u.csv: A second table about the same Go games; put the rows of both into one."
        ]


class TestLists:
    @pytest.mark.parametrize(
        ("name", "data", "found"),
        [
            ("members.csv", "会員番号,氏名\nJ1,佐藤 恵子\n".encode("cp932"), REGISTER),
            ("players.csv", b"player_id,name\nJ1,SATO Keiko\n", REGISTER),
            ("open.trf", TRF, ""),
            ("x.csv", b"a,b\n1,2\n", ""),
            ("m.eml", mail("hello"), ""),
            ("empty", b"", ""),
        ],
    )
    def test_of_people_are_no_reports(self, tmp_path, name, data, found):
        path = tmp_path / name
        path.write_bytes(data)
        assert people_file_kind(path) == found

    def test_of_fide(self, shared):
        assert people_file_kind(shared / "data" / "fide" / "fide_txt_fixedwidth_sample.txt") == FIDE_LIST


def test_an_event_without_a_game_is_a_fault():
    bare = trf_writer.write(REPORT._replace(games=()), version=16)
    ((_, report),) = read_files([("bare.trf", bare)]).reports
    assert [fault.code for fault in report.faults] == ["incoming-no-games"]
    assert lines(report.faults)[0].startswith("bare.trf: The report has no game")
    ((_, report),) = read_files([("whole.trf", TRF)]).reports
    assert report.faults == ()


class TestDetails:
    """What a report says of its event elsewhere than in the fields for it."""

    @staticmethod
    def read(**more):
        event = REPORT.event._replace(starts=None, ends=None, rounds=2)._replace(**more)
        games = tuple(
            ReportedGame(number, 1, 2, "1-0", date(2025, 2, day)) for number, day in ((1, 1), (2, 8))
        )
        data = trf_writer.write(Report(event, PEOPLE, games), version=16)
        ((_, report),) = read_files([("x.trf", data)]).reports
        return report.event

    def test_the_days_of_the_rounds_are_the_events(self):
        event = self.read()
        assert (event.starts, event.ends) == (date(2025, 2, 1), date(2025, 2, 8))
        assert self.read(ends=date(2025, 2, 9)).ends == date(2025, 2, 9)

    def test_only_the_first_and_the_last_rounds(self):
        assert (self.read(rounds=3).starts, self.read(rounds=3).ends) == (date(2025, 2, 1), None)

    def test_minutes_in_words(self):
        event = self.read(time_control="45 min + 15s Bonus")
        assert (event.base_minutes, event.increment_seconds) == (45, 15)
        assert self.read(time_control="40/120, 60").base_minutes is None
