"""Files that hold more than the page of a report can show."""

from __future__ import annotations

import io
import zipfile
from email.message import EmailMessage
from functools import cache
from pathlib import Path

import pytest
from repeated import entered_pool

from banzuke.core.fault import RefusedError
from banzuke.database.models import Report
from banzuke.formats.report_form.form_writer import write_form
from banzuke.office.bounded_reading import SMALL
from banzuke.office.inbox import report_contents, report_files
from banzuke.office.inbox.receiving import Sender, add_files, receive
from banzuke.office.inbox.report_contents import MOST_EVENTS, MOST_FAULTS
from banzuke.office.inbox.report_files import read
from banzuke.office.journal import Actor
from banzuke.words import LANGUAGES, fault_text

MANY = "inbox-many-players"
EXAMPLES = Path(__file__).parents[2] / "examples"


def pgn(event, round_=1):
    tags = {"Event": event, "Site": "Tokyo", "Date": "2025.05.01", "Round": str(round_)}
    tags |= {"White": "ABE Ichiro", "Black": "KATO Jiro", "Result": "1-0"}
    return "\n".join([*(f'[{key} "{value}"]' for key, value in tags.items()), "", "1-0", "", ""])


@pytest.mark.parametrize("count", [MOST_EVENTS, MOST_EVENTS + 1])
def test_events(count):
    found = read((("e.pgn", "".join(pgn(f"Cup {number}") for number in range(count)).encode()),))
    if count == MOST_EVENTS:
        assert (len(found.incoming.reports), found.faults) == (count, ())
        return
    (fault,) = found.faults
    assert not any(found.incoming)
    for lang in LANGUAGES:
        assert {str(count), str(MOST_EVENTS)} <= set(split(fault_text(fault, lang)))


def split(sentence):
    return "".join(char if char.isdigit() else " " for char in sentence).split()


def test_players_and_games(monkeypatch):
    """Within a process of its own nothing is patched, so it is read here."""
    files = (("e.pgn", (pgn("Cup") + pgn("Cup", 2)).encode()),)
    for most, codes in (({"PLAYERS": 2, "GAMES": 2}, []), ({"PLAYERS": 1}, [MANY]), ({"GAMES": 1}, [MANY])):
        with monkeypatch.context() as patched:
            for name, number in most.items():
                patched.setattr(report_contents, f"MOST_{name}", number)
            found = report_contents.read(files)
        assert [fault.code for fault in found.faults] == codes
        assert bool(found.incoming.reports) == (not codes)
    game = ("g.sgf", b"(;GM[1]SZ[19]PB[a]PW[b]RE[B+R]KM[6.5])")
    monkeypatch.setattr(report_contents, "MOST_GAMES", 0)
    assert [fault.code for fault in report_contents.read((game,)).faults] == [MANY]


def test_faults_of_one_event():
    found = read((("e.pgn", b'[Event "x"]\n' * 1_000),))
    (reported,) = (report for _, report in found.incoming.reports)
    assert len(reported.faults) == MOST_FAULTS


def test_faults_of_games_of_go():
    record = "(;GM[1]SZ[19]PB[a]PW[b])"
    found = read((("g.sgf", (record * 300).encode()),))
    assert found.incoming.go is not None
    assert len(found.incoming.go.faults) == MOST_FAULTS


@cache
def trap():
    """A report form of a few kilobytes whose cells share a text of a megabyte."""
    out, form = io.BytesIO(), zipfile.ZipFile(io.BytesIO(write_form()))
    with form, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in form.namelist():
            text = form.read(name).decode()
            if name == "xl/sharedStrings.xml":
                text = text.replace("<si>", f"<si><t>{'A' * 1_000_000}</t></si><si>", 1)
            if name.endswith("sheet1.xml"):
                row = '<row r="900">' + '<c t="s"><v>0</v></c>' * 10_000 + "</row></sheetData>"
                text = text.replace("</sheetData>", row)
            packed.writestr(name, text)
    return out.getvalue()


def in_zip(data):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("form.xlsx", data)
    return out.getvalue()


def in_mail(data):
    mail = EmailMessage()
    mail["From"], mail["Date"], mail["Subject"] = "a@b.c", "Sun, 12 Oct 2025 18:00:00 +0900", "Open"
    mail.set_content("hello")
    mail.add_attachment(data, maintype="application", subtype="octet-stream", filename="form.xlsx")
    return bytes(mail)


@pytest.mark.parametrize("pack", [bytes, in_zip, in_mail])
def test_text_that_cells_share(pack):
    data = pack(trap())
    ((_, report),) = read([("form", data)]).incoming.reports
    assert [fault.code for fault in report.faults] == ["sheet-too-large"]
    assert len(data) < 200_000


@pytest.fixture
def japan(db):
    return entered_pool("japan", EXAMPLES / "japan", "test")


class TestWhatCannotBeReadWithinTheLimits:
    def test_is_refused_at_the_door_and_not_read_again(self, japan, monkeypatch):
        before = Report.objects.count()
        monkeypatch.setattr(report_files, "SMALL", SMALL._replace(answer=0))
        sender = Sender(Actor("club", ""), None, "C01", "upload")
        for _ in range(2):
            with pytest.raises(RefusedError) as refused:
                receive(japan, [("a.pgn", pgn("Too much").encode())], {}, sender)
            assert [fault.code for fault in refused.value.faults] == ["inbox-memory"]
            monkeypatch.setattr(report_files, "SMALL", SMALL)
        assert Report.objects.count() == before
        monkeypatch.setattr(report_files, "FORGOTTEN_AFTER", -1)
        report = receive(japan, [("a.pgn", pgn("Too much").encode())], {}, sender)
        assert report.title == "Too much"

    def test_nor_is_it_added_to_a_report(self, japan, monkeypatch):
        sender = Sender(Actor("club", ""), None, "C01", "upload")
        report = receive(japan, [("b.pgn", pgn("Another").encode())], {}, sender)
        monkeypatch.setattr(report_files, "SMALL", SMALL._replace(answer=0))
        with pytest.raises(RefusedError):
            add_files(report, [("c.pgn", pgn("Another", 2).encode())], sender.actor)
        assert report.files.count() == 1

    def test_where_it_stands_already_its_page_says_so(self, japan, monkeypatch):
        sender = Sender(Actor("club", ""), None, "C01", "upload")
        report = receive(japan, [("d.pgn", pgn("Third").encode())], {}, sender)
        monkeypatch.setattr(report_files, "_known", report_files._ContentsInMemory())
        monkeypatch.setattr(report_files, "SMALL", SMALL._replace(answer=0))
        assert [fault.code for fault in report_files.read_contents(report).faults] == ["inbox-memory"]

    def test_memory_keeps_what_was_read_last(self, monkeypatch):
        monkeypatch.setattr(report_files, "_known", report_files._ContentsInMemory())
        monkeypatch.setattr(report_files, "MOST_ROWS", 320)
        files = [[("e.pgn", pgn(f"Cup {number}").encode())] for number in range(3)]
        for each in (*files, files[1]):
            read(each)
        assert len(report_files._known._kept) == 3
        read([("e.pgn", pgn("Last").encode())])
        kept = [key[0][1] for key in report_files._known._kept]
        assert kept[:2] == [report_files.sha256(files[2][0][1]), report_files.sha256(files[1][0][1])]
