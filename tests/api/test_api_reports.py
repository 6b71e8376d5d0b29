"""Reports sent by a program: taken in for the key's user and club, seen by nobody else."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from pathlib import Path

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from banzuke.api.problems import AGAIN
from banzuke.database.models import JournalEntry, LiveGame, Report, Role
from banzuke.office.bounded_reading import ReadersBusyError
from banzuke.office.inbox import receiving, report_files
from banzuke.office.inbox import reports as inbox
from banzuke.office.inbox.reports import accept
from banzuke.office.journal import Actor

TRF = Path(__file__).parents[2] / "examples" / "hinoki-spring.trf"
REPORTS = "/api/v1/pools/japan/reports"


@pytest.fixture
def send(office, db):
    cache.clear()

    def send(headers, *files, address=REPORTS, **said):
        sent = [SimpleUploadedFile(name, data) for name, data in files or [("spring.trf", TRF.read_bytes())]]
        return Client().post(address, {"files": sent, **said}, headers=headers)

    return send


def test_a_report_is_taken_in(send, key, office):
    answer = send(key("reporter", "reports"), speed="standard", place="Hakodate")
    assert answer.status_code == 201
    told = answer.json()
    assert (told["state"], told["club"], told["files"]) == ("waiting", "C01", ["spring.trf"])
    assert {problem["weight"] for problem in told["problems"]} <= {"blocks", "excludes", "warns"}
    report = Report.objects.get(pk=told["report"])
    assert (report.user, report.source, report.author) == (office.users["reporter"], "api", "reporter")
    assert bytes(report.files.get().data) == TRF.read_bytes()
    assert report.said.get().fields == {"speed": "standard", "place": "Hakodate"}
    assert JournalEntry.objects.filter(act="report-in", who="reporter", where="127.0.0.1").count() == 1


def test_sent_again_it_is_the_same_report(send, key):
    headers = key("reporter", "reports")
    first, again = send(headers, place="Hakodate"), send(headers, place="Hakodate")
    assert first.json()["report"] == again.json()["report"]
    assert (first.status_code, again.status_code, send(headers).status_code) == (201, 200, 200)
    assert Report.objects.count() == 1


def test_sent_again_with_what_was_never_said_it_is_refused(send, key):
    """It would be dropped in silence. What was said and then corrected is no news."""
    headers = key("reporter", "reports")
    number = send(headers, speed="standard", starts="2025-04-12").json()["report"]
    inbox.set_fields(Report.objects.get(), {"speed": "rapid"}, Actor("officer"))
    assert send(headers, speed="standard", starts="2025-04-12").status_code == 200
    assert send(headers, speed="rapid").status_code == 200
    answer = send(headers, speed="blitz", starts="2025-04-12", nonmembers=0)
    assert (answer.status_code, answer.json()["type"]) == (409, "urn:banzuke:problem:conflict")
    assert [each["where"] for each in answer.json()["errors"]] == ["form.speed", "form.nonmembers"]
    assert str(number) in answer.json()["detail"]
    assert Report.objects.get().said.count() == 2


def test_what_is_said_with_a_page_that_a_mail_announced_is_kept(send, key, monkeypatch):
    """The page joins the mail's report."""
    headers = key("reporter", "reports")
    number = send(headers).json()["report"]
    monkeypatch.setattr(receiving, "_find_waiting", lambda *_: Report.objects.get())
    more = TRF.read_bytes().replace(b"Hinoki Spring", b"Hinoki Summer")
    answer = send(headers, ("summer.trf", more), place="Hakodate", name="")
    assert (answer.status_code, answer.json()["report"]) == (200, number)
    assert Report.objects.get().said.get().fields == {"place": "Hakodate"}


def test_one_file_of_a_reporter_is_read_at_a_time(send, key, monkeypatch):
    """Whoever sends many at once is told when to come again; what is read counts as the sender's."""

    def busy(*_, whose):
        whose_files.append(whose)
        raise ReadersBusyError

    whose_files = []
    monkeypatch.setattr(report_files, "read_bounded", busy)
    monkeypatch.setattr(report_files, "_known", report_files._ContentsInMemory())
    answer = send(key("reporter", "reports"))
    assert (answer.status_code, answer["Retry-After"]) == (503, str(AGAIN))
    assert "Try again in a minute" in answer.json()["detail"]
    assert (whose_files, Report.objects.count()) == (["reporter"], 0)


def test_problems_in_the_language_that_is_asked_for(send, key):
    headers = key("reporter", "reports")
    number = send(headers).json()["report"]
    english = Client().get(f"{REPORTS}/{number}", headers=headers).json()["problems"]
    japanese = Client().get(f"{REPORTS}/{number}?lang=ja", headers=headers).json()["problems"]
    assert len(english) == len(japanese) > 0
    assert english != japanese


def test_where_it_stands(send, key, office):
    headers = key("reporter", "reports")
    number = send(headers).json()["report"]
    inbox.send_back(Report.objects.get(pk=number), Actor("officer"), "The last round is missing.")
    told = Client().get(f"{REPORTS}/{number}", headers=headers).json()
    assert (told["state"], told["why"], told["is_rated"]) == ("returned", "The last round is missing.", False)
    assert told["problems"] == []
    assert Client().get(REPORTS, {"state": "waiting"}, headers=headers).json()["reports"] == []
    assert [each["report"] for each in Client().get(REPORTS, headers=headers).json()["reports"]] == [number]


def test_another_club_s_report_is_not_there(send, key, office):
    number = send(key("officer", "reports"), club="C02").json()["report"]
    headers = key("reporter", "reports")
    assert Client().get(f"{REPORTS}/{number}", headers=headers).status_code == 404
    assert Client().get(REPORTS, headers=headers).json()["reports"] == []


def test_a_report_of_the_club_is_seen_by_its_reporters_and_by_officers(send, key):
    number = send(key("officer", "reports"), club="C01").json()["report"]
    assert send(key("reporter", "reports")).json()["report"] == number  # sent again, by another
    for user in ("reporter", "officer"):
        assert Client().get(f"{REPORTS}/{number}", headers=key(user, "reports")).json()["report"] == number


def test_who_reports_for_the_club_no_more_sees_its_reports_no_more(send, key, office):
    headers = key("reporter", "reports")
    number = send(headers).json()["report"]
    roles = Role.objects.filter(user=office.users["reporter"])
    roles.update(club_id="C02")
    assert Client().get(f"{REPORTS}/{number}", headers=headers).status_code == 404
    assert Client().get(REPORTS, headers=headers).json() == {"reports": [], "next": None}
    roles.delete()
    assert Client().get(REPORTS, headers=headers).status_code == 401


def test_an_officer_names_any_club(send, key):
    assert send(key("officer", "reports"), club="C02").json()["club"] == "C02"


def test_an_officer_names_no_club_that_there_is_not(send, key):
    answer = send(key("officer", "reports"), club="C99")
    assert (answer.status_code, answer.json()["type"]) == (422, "urn:banzuke:problem:no-club")
    assert "C99" in answer.json()["detail"]
    assert not Report.objects.exists()


def test_a_report_that_leaves_the_state_meanwhile_hides_no_other(send, key):
    headers, spring = key("reporter", "reports"), TRF.read_bytes()
    sent = [(f"{n}.trf", spring.replace(b"Hinoki Spring", b"Hinoki %d" % n)) for n in (3, 2, 1)]
    last, middle, first = reversed([send(headers, one).json()["report"] for one in sent])

    def page(**asked):
        answer = Client().get(REPORTS, {"state": "waiting", "limit": 1, **asked}, headers=headers).json()
        return [each["report"] for each in answer["reports"]], answer["next"]

    assert page() == ([last], last)
    inbox.send_back(Report.objects.get(pk=last), Actor("officer"), "The last round is missing.")
    assert page(before=last) == ([middle], middle)
    assert page(before=middle) == page(offset=1) == ([first], None)


def test_a_reporter_names_no_other_club(send, key):
    assert send(key("reporter", "reports"), club="C02").status_code == 403
    assert not Report.objects.exists()


def test_who_has_no_role_reports_nothing(send, key):
    assert send(key("nobody", "reports")).status_code == 401


@pytest.mark.parametrize("name", ["ruling", "reported", "paid", "excluded", "event_id"])
def test_what_only_an_officer_says_is_passed_over(send, key, name):
    send(key("reporter", "reports"), **{name: "2020-01-01", "place": "Tokyo"})
    assert Report.objects.get().said.get().fields == {"place": "Tokyo"}


@pytest.mark.parametrize(
    "said",
    [
        {"speed": "fast"},
        {"starts": "yesterday"},
        {"starts": "0"},
        {"ends": "86400"},
        {"starts": "2025-03-01T00:00:00"},
        {"starts": "2025-02-30"},
        {"base_minutes": "-1"},
        {"place": "x" * 101},
        {"name": "a\x00"},
    ],
)
def test_what_is_said_wrongly_is_refused(send, key, said):
    answer = send(key("reporter", "reports"), **said)
    assert (answer.status_code, answer["Content-Type"]) == (422, "application/problem+json")
    assert not Report.objects.exists()


def test_nonsense_is_refused_with_the_reason_and_not_kept(send, key):
    answer = send(key("reporter", "reports"), ("x.bin", b"\x00\xff" * 100))
    assert answer.status_code == 422
    assert "not a file that a report can be read from" in answer.json()["detail"]
    assert not Report.objects.exists()


def test_a_name_with_a_path_is_only_a_name(send, key):
    told = send(key("reporter", "reports"), ("../../etc/pass\nwd", b"012 Cup\n")).json()
    assert all("/" not in name and name.isprintable() for name in told["files"])


def test_no_file_and_too_many(send, key):
    headers = key("reporter", "reports")
    assert Client().post(REPORTS, {"place": "x"}, headers=headers).status_code == 422
    many = send(headers, *((f"{number}.txt", b"x") for number in range(51)))
    assert (many.status_code, "50" in many.json()["detail"]) == (422, True)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data; boundary=x", b"--x\r\nnonsense"),
        ("multipart/form-data", b"x"),
        ("application/json", b"{"),
    ],
)
def test_a_body_that_cannot_be_read(key, office, kind, body):
    answer = Client().post(REPORTS, body, content_type=kind, headers=key("reporter", "reports"))
    assert answer.status_code in {400, 422}
    assert answer["Content-Type"] == "application/problem+json"


def test_a_reporter_of_no_club_neither_sends_nor_sees(send, key, office):
    number = send(key("officer", "reports")).json()["report"]
    Role.objects.filter(user=office.users["reporter"]).update(club_id="")
    headers = key("reporter", "reports")
    assert send(headers).status_code == 403
    assert Client().get(f"{REPORTS}/{number}", headers=headers).status_code == 404


def test_a_zip_of_games_of_go_with_what_each_does(send, key, office):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        packed.writestr("g1.sgf", "(;GM[1]FF[4]SZ[19]KM[6.5]PB[momiji_go]PW[hoshikuzu]RE[B+R];B[aa];W[bb])")
        packed.writestr("table.csv", "file,ended\ng1,2026-02-01T21:00:00+09:00\n")
    headers = key("officer", "reports", pool="go-server")
    answer = send(headers, ("g.zip", stream.getvalue()), address="/api/v1/pools/go-server/reports")
    assert answer.status_code == 201
    (game,) = answer.json()["games"]
    assert (game["game"], game["is_new"]) == ("g1", True)
    assert (game["black"]["points"], game["white"]["points"]) == (100, -120)
    assert (game["white"]["rank_before"], game["white"]["clause"]) == ("1d+", "PN 3(1)")
    accept(Report.objects.get(), Actor("officer"), date(2026, 7, 1))
    assert "g1" in LiveGame.objects.values_list("game_id", flat=True)


def test_a_club_s_answer_hangs_on_no_birth_date(send, key):
    """An officer's key for private data reads who is undecided; the club and other keys read the same,
    whichever birth date they send."""
    trf = TRF.read_text(encoding="utf-8")
    row = next(line for line in trf.splitlines() if "FUJIWARA Yuto" in line)
    told = {}
    for user, *scopes in (("reporter", "reports"), ("officer", "reports"), ("officer", "reports", "private")):
        for born in ("1998/04/02", "1998/04/03"):
            guess = trf.replace(row, row[:69].ljust(69) + born + row[79:]).encode()
            answer = send(key(user, *scopes), (f"{user}{born[-1]}.trf", guess), club="C01").json()
            told[user, len(scopes), born[-1]] = [each["text"] for each in answer["problems"]]
    assert told["reporter", 1, "2"] == told["reporter", 1, "3"] == told["officer", 1, "2"] != []
    assert told["officer", 1, "2"] == told["officer", 1, "3"]
    assert told["officer", 2, "2"] != told["officer", 2, "3"]


def test_only_a_key_for_private_data_reads_birth_dates(send, key):
    """A first day before the members were born has an officer told when that was."""
    told = {}
    for scopes in (("reports",), ("reports", "private")):
        answer = send(key("officer", *scopes), starts="1901-01-01", speed="standard").json()
        told[scopes] = " ".join(each["text"] for each in answer["problems"])
    assert "Born on" not in told[("reports",)]
    assert "Born on" in told["reports", "private"]
