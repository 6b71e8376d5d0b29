"""`banzuke push` against an office: a report sent from the laptop, sent again, asked after, and refused."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from cli.command_runs import banzuke
from django.core.cache import cache
from django.http import HttpResponse, JsonResponse
from django.test import Client
from django.utils.timezone import localdate

from banzuke.client.api_client import ApiClient
from banzuke.database.models import Report
from banzuke.office.inbox import reports
from banzuke.office.inbox.inbox_rows import inbox_rows
from banzuke.office.inbox.waiting_reports import keep_waiting_reports
from banzuke.office.journal import Actor

ROOT = Path(__file__).parents[2]
TRF = ROOT / "examples" / "hinoki-spring.trf"
OFFICE = ("--office", "http://127.0.0.1:8000", "--pool", "japan")
OFFICER = Actor("officer")


class Answered:
    """An answer as `http.client` gives it."""

    def __init__(self, answer):
        self.status, self.reason = answer.status_code, answer.reason_phrase
        self.headers = answer.headers

    def getheader(self, name):
        return self.headers.get(name)


@pytest.fixture
def push(office, key, monkeypatch):
    """The command with a reporter's key; what it sends comes to this process's office."""
    cache.clear()
    monkeypatch.setenv("BANZUKE_KEY", key("reporter", "reports")["authorization"].removeprefix("Bearer "))

    def exchange(self, method, path, body, kind):
        where = f"{urlsplit(self._pool.path).path}/{path}"
        headers = dict(self._headers)
        answer = Client().generic(method, where, body or b"", content_type=kind, headers=headers)
        return Answered(answer), answer.content

    monkeypatch.setattr(ApiClient, "_exchange", exchange)
    return lambda *words, lang="en": banzuke("push", *words, *OFFICE, lang=lang)


def test_sent_again_and_asked_after(push):
    ran = push(TRF)
    report = Report.objects.get()
    assert ran.status == 1  # the number of non-members is asked
    assert ran.lines[0].startswith(
        f"Report {report.pk}, Hinoki Spring Match: Not rated yet: the report is in"
    )
    assert "- The report lacks: Number of non-members (JCF 4(3))." in ran.lines
    assert ran.lines[-1] == f"Ask again: banzuke push --report {report.pk} {' '.join(OFFICE)}"
    assert f"/office/japan/inbox/{report.pk}/" in ran.lines[-2]
    reports.set_fields(report, {"nonmembers": 0, "reported": "2025-05-01"}, OFFICER)
    again = push(TRF, "--format", "json")
    assert (again.status, again.json["report"], again.json["turn"]) == (0, report.pk, "office")
    assert Report.objects.count() == 1
    reports.send_back(report, OFFICER, "Round 2 is missing.")
    asked = push("--report", report.pk, lang="ja")
    assert asked.status == 1
    assert "差し戻されました" in asked.lines[0]
    assert asked.lines[1] == "事務局から：Round 2 is missing."


@pytest.mark.parametrize(("club", "turn", "status"), [("", "office", 0), ("C01", "club", 1)])
def test_an_officers_key_hears_what_the_inbox_says(push, key, monkeypatch, club, turn, status):
    monkeypatch.setenv("BANZUKE_KEY", key("officer", "reports")["authorization"].removeprefix("Bearer "))
    ran = push(TRF, *(["--club", club] if club else []), "--format", "json")
    assert (ran.status, ran.json["turn"]) == (status, turn)
    report = Report.objects.get()
    keep_waiting_reports(report.pool, localdate())
    (row,) = inbox_rows(report.pool, [report])
    assert row.turn == turn


def test_what_is_refused(push, monkeypatch):
    ran = push(ROOT / "README.md")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(
        "http://127.0.0.1:8000 refuses (422). This is not a file that a report can be read"
    )
    assert ran.err.endswith("with one of these.\n")
    assert push("--report", 999).status == 2
    assert "no such pool 'japan' or report" in push("--report", 999).err
    assert "Name the files to send" in push().err
    assert "Name the files to send" in push(TRF, "--report", 1).err
    monkeypatch.delenv("BANZUKE_KEY")
    assert "A key is needed" in push(TRF).err
    assert not Report.objects.exists()


@pytest.mark.parametrize("said", [b"{}", b'{"report": 1, "problems": [1]}'])
def test_what_is_no_office(push, monkeypatch, said):
    monkeypatch.setattr(ApiClient, "_exchange", lambda *_: (Answered(HttpResponse(said)), said))
    ran = push(TRF)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "http://127.0.0.1:8000 answers, but not as an office does: is the address right?\n"


def test_why_it_waits_is_said(push, monkeypatch):
    answered, exchange = [], ApiClient._exchange

    def full_at_first(self, *given):
        answered.append(exchange(self, *given))
        if len(answered) == 1:
            return Answered(JsonResponse({"detail": "The disk is full."}, status=503)), b"{}"
        return answered[-1]

    monkeypatch.setattr(ApiClient, "_exchange", full_at_first)
    ran = push(TRF)
    assert "Hinoki Spring Match" in ran.out
    assert ran.err == "The office does not answer as it should (503 Service Unavailable); trying again ...\n"


def test_a_file_of_an_odd_name_comes_as_it_is(push, tmp_path):
    odd = tmp_path / 'a "春" %22.trf'
    odd.write_bytes(TRF.read_bytes())
    push(odd)
    assert Report.objects.get().files.get().name.endswith(".trf")
    assert bytes(Report.objects.get().files.get().data) == TRF.read_bytes()


def test_it_runs_as_printed(push, monkeypatch, tmp_path):
    (tmp_path / "spring.trf").write_bytes(TRF.read_bytes())
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "commands.md").read_text("utf-8")
    (block,) = [one for one in re.findall("```sh\n(.*?)```", text, re.DOTALL) if "banzuke push" in one]
    _, first, second = block.splitlines()
    assert "Hinoki Spring Match" in banzuke(*shlex.split(first)[1:]).out
    number = str(Report.objects.get().pk)
    assert "Hinoki Spring Match" in banzuke(*shlex.split(second.replace(" 17 ", f" {number} "))[1:]).out
