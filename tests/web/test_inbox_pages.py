"""The inbox's pages: sending, the form in the browser, the report's page, decisions; and who may see what."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from lxml import html
from repeated import entered_pool
from served_office import serve
from small_office import client

from banzuke.core import facts
from banzuke.database.book_writer import Act, open_entry
from banzuke.database.ledger_folders import enter_folder
from banzuke.database.models import Contact, Event, Game, GoPlayer, JournalEntry, Report
from banzuke.formats.report_form import form_reader
from banzuke.office.inbox import bulk_acts
from banzuke.office.inbox.report_summary import ReportSummary
from banzuke.office.journal import Actor
from banzuke.office.register import members
from banzuke.office.register.members import ContactDetails

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
HINOKI = (EXAMPLES / "hinoki-spring.trf").read_bytes()


@pytest.fixture
def japan(db):
    return entered_pool("japan", EXAMPLES / "japan", "test")


@pytest.fixture
def officer(japan):
    return client("officer", japan)


@pytest.fixture
def reporter(japan):
    return client("reporter", japan, "C01")


def upload(visitor, *files, **said):
    sent = [SimpleUploadedFile(name, data) for name, data in files or [("hinoki-spring.trf", HINOKI)]]
    given = {"files": sent, "club": "C01", "event-speed": "standard"} | said
    return visitor.post("/office/japan/inbox/send/", given, follow=True)


def decide(visitor, report, act, **fields):
    return visitor.post(f"/office/japan/inbox/{report.pk}/decide/", {"act": act, **fields}, follow=True)


def told(page):
    return [str(message) for message in page.context["messages"]]


def with_blanks(pool):
    """Members whose ids begin alike, some with a blank or a full-width letter."""
    names = {"12": "OTA Emi", "12 b": "MORI Ai", "Ａ１": "KUDO Jun"}
    for player_id, name in names.items():
        members.add(pool, facts.Player(player_id, name), ContactDetails(), Actor("test"))


def text(page):
    return " ".join(page.content.decode().split())


class TestSending:
    def test_a_club_sends_files_and_reads_where_the_report_stands(self, japan, reporter):
        page = upload(reporter)
        report = Report.objects.get()
        assert page.redirect_chain == [(f"/office/japan/inbox/{report.pk}/", 302)]
        assert told(page) == [f"The report was received as number {report.pk}."]
        assert "Not rated yet: the report waits for an officer." in text(page)
        assert (report.club_id, report.source, report.user.username) == (
            "C01",
            "upload",
            "reporter-japan-C01",
        )
        listed = text(reporter.get("/office/japan/inbox/"))
        assert "Hinoki Spring Match" in listed

    def test_the_same_files_again_are_the_same_report(self, japan, reporter):
        upload(reporter)
        page = upload(reporter)
        report = Report.objects.get()
        assert told(page) == [
            f"These files are there already, as report {report.pk}: nothing was sent twice."
        ]

    def test_no_file_too_many_files(self, japan, reporter):
        assert "This field is required." in text(reporter.post("/office/japan/inbox/send/", {"club": "C01"}))
        page = upload(reporter, *[(f"{n}.trf", b"x") for n in range(60)])
        (said,) = told(page)
        assert said.startswith(
            "60 files are too many for one report (at most 50). Send the files of one event"
        )
        assert said.endswith("many games of Go in one zip.")
        thousand = upload(reporter, *[(f"{n}.trf", b"x") for n in range(1000)])
        assert thousand.status_code == 400
        assert not Report.objects.exists()

    def test_a_club_cannot_send_for_another(self, japan, reporter):
        page = upload(reporter, club="C02")
        assert "Select a valid choice" in text(page)
        assert not Report.objects.exists()

    def test_the_blank_form_is_the_report_form(self, japan, reporter):
        data = reporter.get("/office/japan/inbox/report-form.xlsx").content
        assert form_reader.looks_like(data)

    def test_files_are_given_back_as_they_came_and_that_is_noted(self, japan, reporter, officer):
        upload(reporter, ("ev'il\n<b>.trf", HINOKI))
        report, file = Report.objects.get(), Report.objects.get().files.get()
        answer = officer.get(f"/office/japan/inbox/{report.pk}/files/{file.pk}/")
        assert answer.content == HINOKI
        assert answer["Content-Disposition"].startswith("attachment;")
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert JournalEntry.objects.get(act="report-file").what == {"report": report.pk, "file": file.pk}


class TestHostile:
    def test_html_in_names_is_shown_as_text(self, japan, reporter, officer):
        bad = HINOKI.replace(b"GOTO Makoto                      ", b"<script>alert(1)</script>        ")
        bad = bad.replace(b"Hinoki Spring Match", b"<img src=x onerror=alert(2)>")
        upload(reporter, ("<svg onload=alert(3)>.trf", bad))
        report = Report.objects.get()
        for visitor in (reporter, officer):
            for where in ("", f"{report.pk}/", f"{report.pk}/changes/"):
                page = visitor.get(f"/office/japan/inbox/{where}").content.decode()
                assert not {"<script>alert", "<img src=x", "<svg onload"} & set(page.split(">")), where
                assert "<img src=x" not in page
                assert "<script>alert" not in page
                assert "<svg onload" not in page

    def test_formulas_stay_text_in_the_form_that_is_made(self, japan, reporter):
        fill(reporter, players=["=HYPERLINK(1)", "J001"], **{"event-name": "=1+1"})
        data = bytes(Report.objects.get().files.get().data)
        read = form_reader.read(data, "r.xlsx")
        assert read.event.name == "=1+1"
        assert [player.name for player in read.players] == ["=HYPERLINK(1)", "FUJIWARA Yuto"]

    def test_an_unknown_act_is_refused(self, japan, officer, reporter):
        upload(reporter)
        assert decide(officer, Report.objects.get(), "publish").status_code == 400


class TestWhoSeesWhat:
    def test_another_clubs_reporter_sees_nothing_of_a_report(self, japan, reporter):
        upload(reporter)
        report = Report.objects.get()
        other = client("reporter", japan, "C02")
        assert "Hinoki" not in text(other.get("/office/japan/inbox/"))
        for where in ("", f"files/{report.files.get().pk}/"):
            assert other.get(f"/office/japan/inbox/{report.pk}/{where}").status_code == 404
        assert decide(other, report, "save").status_code == 404

    def test_a_reporter_cannot_decide_and_reads_no_candidates(self, japan, reporter, officer):
        upload(reporter, ("h.trf", HINOKI.replace(b"ITO Kenta", b"ITO Kent ")))
        report = Report.objects.get()
        assert decide(reporter, report, "accept").status_code == 403
        assert decide(reporter, report, "refuse", why="x").status_code == 403
        page = text(reporter.get(f"/office/japan/inbox/{report.pk}/"))
        assert "J008" not in page
        assert "J008" in text(officer.get(f"/office/japan/inbox/{report.pk}/"))
        decide(
            reporter,
            report,
            "save",
            **{"e0-reported": "2020-01-01", "e0-place": "Otaru", "ruling-0": "include"},
        )
        assert [row.fields for row in report.said.order_by("pk")][1:] == [{"place": "Otaru", "file": "h.trf"}]

    def test_a_member_shown_by_id_only_has_no_name_for_reporters(self, japan, reporter, officer):
        entry = open_entry(japan, Act("t", "t"))
        Contact.objects.create(entry=entry, pool=japan, player_id="J001", by_id_only=True)
        offered = reporter.get("/office/japan/inbox/form/members/?player-1=J001").content.decode()
        assert 'value="J001"' in offered
        assert "FUJIWARA" not in offered
        for who, is_offered in ((reporter, False), (officer, True)):
            offered = who.get("/office/japan/inbox/form/members/?player-1=fujiwara+yuto").content.decode()
            assert ("J001" in offered) is is_offered
        offered = reporter.get("/office/japan/inbox/form/members/?player-1=ito+ken").content.decode()
        assert "J008 ITO Kenta" in offered


class TestDeciding:
    def test_who_is_who_is_decided_and_the_report_accepted_in_one_act(self, japan, reporter, officer):
        changed = HINOKI.replace(b"ITO Kenta", b"ITO Kent ").replace(b"GOTO Makoto", b"ZZZZ Yyyyyy")
        upload(reporter, ("h.trf", changed))
        report = Report.objects.get()
        page = text(officer.get(f"/office/japan/inbox/{report.pk}/"))
        assert "&#x27;ITO Kent&#x27; differs a little from &#x27;ITO Kenta&#x27;, in one word" in page
        done = decide(
            officer, report, "accept", **{"who-0-3": "J008", "who-0-4": "other", "who-0-4-id": "J006"}
        )
        assert told(done) == [f"Report {report.pk} is accepted and in the ledger."]
        assert Game.objects.filter(event_id__contains="hinoki-spring", white="J006").exists()
        assert "Not rated yet: Hinoki Spring Match is accepted and will be in list" in text(done)
        again = decide(officer, report, "accept")
        assert told(again)[0].startswith(f"Report {report.pk} was decided on by officer-japan on ")
        assert Event.objects.filter(event_id__contains="hinoki-spring").count() == 1

    def test_the_event_is_called_by_the_readers_language(self, japan, reporter, officer):
        upload(reporter)
        report = Report.objects.get()
        decide(officer, report, "save", **{"e0-nonmembers": "0", "e0-name_native": "ひのき杯"})
        for act in ("", "accept"):
            if act:
                decide(officer, report, act)
            here, there = (
                officer.get(f"/office/japan/inbox/{report.pk}/", headers={"accept-language": lang})
                for lang in ("ja", "en")
            )
            assert "<h1>ひのき杯</h1>" in text(here)
            assert "<h1>Hinoki Spring Match</h1>" in text(there)
        assert "ひのき杯は受理済み" in text(here)

    def test_one_member_of_a_name_spelled_otherwise_is_chosen_already(self, japan, reporter, officer):
        """An id that is typed counts more."""
        changed = HINOKI.replace(b"ITO Kenta", b"Ito,Kenta").replace(b"GOTO Makoto", b"ZZZZ Yyyyyy")
        upload(reporter, ("h.trf", changed))
        report = Report.objects.get()
        page = officer.get(f"/office/japan/inbox/{report.pk}/")
        assert 'name="who-0-3" value="J008" checked' in page.content.decode()
        assert "One player has the name of one member alone, spelled otherwise." in text(page)
        decide(officer, report, "save", **{"who-0-3": "J008", "who-0-3-id": "J009"})
        decide(officer, report, "save", **{"who-0-4": "other", "who-0-4-id": "J006"})
        found = {one.name: one.player_id for one in report.decisions.all()}
        assert (found["Ito,Kenta"], found["ZZZZ Yyyyyy"]) == ("J009", "J006")

    def test_what_blocks_is_said_and_nothing_enters(self, japan, reporter, officer):
        upload(reporter, ("h.trf", HINOKI.replace(b"GOTO Makoto", b"ZZZZ Yyyyyy")))
        report = Report.objects.get()
        page = decide(officer, report, "accept")
        assert told(page) == [f"Report {report.pk} cannot be entered yet. Problems to solve first: 1."]

    def test_hold_and_send_back_and_sent_again(self, japan, reporter, officer):
        upload(reporter)
        first = Report.objects.get()
        assert told(decide(officer, first, "hold")) == ["Say why: the club reads the reason."]
        decide(officer, first, "hold", why="Which speed?")
        assert "Which speed?" in text(reporter.get(f"/office/japan/inbox/{first.pk}/"))
        decide(officer, first, "save", **{"e0-nonmembers": "3", "e0-name_native": "ひのき杯"})
        assert "Hinoki Chess Club (C01)" in text(reporter.get(f"/office/japan/inbox/{first.pk}/"))
        decide(officer, first, "return", why="Wrong <b>round</b> 2")
        page = text(reporter.get(f"/office/japan/inbox/{first.pk}/"))
        assert "Wrong &lt;b&gt;round&lt;/b&gt; 2" in page
        for kind, cell in (("crosstable", 'name="r-5-6"'), ("swiss", 'name="r-6-5"')):
            form = text(reporter.get(f"/office/japan/inbox/form/?kind={kind}&answers={first.pk}"))
            assert 'value="FUJIWARA Yuto"' in form
            assert cell in form
        form = text(reporter.get(f"/office/japan/inbox/form/?answers={first.pk}"))
        assert 'value="FUJIWARA Yuto"' in form
        assert 'value="Hinoki Spring Match"' in form
        assert 'name="event-nonmembers" value="3"' in form
        assert 'name="event-name_native" value="ひのき杯"' in form
        upload(reporter, answers=first.pk)
        second = Report.objects.exclude(pk=first.pk).get()
        assert second.answers == first
        page = text(reporter.get(f"/office/japan/inbox/{first.pk}/"))
        assert f"It was sent again as report {second.pk}." in page
        assert "Correct it and send it again" not in page

    def test_a_report_of_several_events_is_sent_again_event_by_event(self, japan, reporter, officer):
        other = HINOKI.replace(b"Hinoki Spring Match", b"Hinoki Autumn Match").replace(
            b"FUJIWARA Yuto", b"X Y          "
        )
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as both:
            both.writestr("a.trf", HINOKI)
            both.writestr("b.trf", other)
        upload(reporter, ("both.zip", packed.getvalue()))
        first = Report.objects.get()
        decide(officer, first, "return", why="Which speeds?")
        address = f"/office/japan/inbox/form/?answers={first.pk}"
        page = text(reporter.get(address))
        assert "It has several events. This form takes one at a time" in page
        assert 'value="Hinoki Spring Match"' in page
        assert f'href="?kind=games&amp;answers={first.pk}&amp;part=2"' in page
        page = text(reporter.get(f"{address}&part=2"))
        assert 'value="Hinoki Autumn Match"' in page
        assert 'name="part" value="2"' in page
        for beyond in ("3", "x", "0"):
            assert reporter.get(f"{address}&part={beyond}").status_code == 200
        for name in ("Hinoki Spring Match", "Hinoki Autumn Match"):
            fill(reporter, **{"answers": first.pk, "event-name": name})
        assert [each.answers for each in Report.objects.order_by("pk")[1:]] == [first, first]
        assert "Correct it and send it again" in text(reporter.get(f"/office/japan/inbox/{first.pk}/"))

    def test_a_game_is_left_out_and_taken_in_again(self, japan, reporter, officer):
        upload(reporter)
        report = Report.objects.get()
        decide(officer, report, "save", **{"games-0": "1", "exclude-0": ["1-1-6"]})
        assert "Games left out by a ruling: 1" in text(officer.get(f"/office/japan/inbox/{report.pk}/"))
        decide(officer, report, "save", **{"games-0": "1"})
        assert "left out by a ruling" not in text(officer.get(f"/office/japan/inbox/{report.pk}/"))

    @pytest.mark.parametrize(
        "ruling",
        ["waive-fee", *(pytest.param(each, marks=pytest.mark.slow) for each in ("accept-late", "include"))],
    )
    def test_a_chief_waives_and_an_officer_asks_one(self, japan, reporter, officer, ruling):
        upload(reporter)
        report = Report.objects.get()
        address, chief = f"/office/japan/inbox/{report.pk}/", client("chief", japan)
        asks = "A chief officer decides whether a fee or lateness is waived: ask one."
        page = text(officer.get(address))
        assert asks in page
        assert f'value="{ruling}" disabled' in page
        assert 'value="exclude">' in page
        for act in ("save", "accept"):  # posted all the same
            page = decide(officer, report, act, **{"ruling-0": ruling, "e0-place": "Otaru"})
            assert told(page) == [f"{asks} Nothing was saved."]
        report.refresh_from_db()
        assert (report.state, report.said.filter(fields__place="Otaru").exists()) == ("waiting", False)
        page = text(chief.get(address))
        assert asks not in page
        assert "disabled" not in page
        decide(chief, report, "save", **{"ruling-0": ruling})
        assert report.said.latest("pk").fields["ruling"] == ruling
        page = text(officer.get(address))
        assert f'value="{ruling}" checked disabled' in page
        for taken_back in ("", "exclude"):
            told_to_ask = told(decide(officer, report, "save", **{"ruling-0": taken_back}))
            assert told_to_ask == [f"{asks} Nothing was saved."]
        decide(officer, report, "accept")  # as the form is sent: without what is disabled
        assert Event.objects.get(event_id__contains="hinoki-spring").ruling == ruling

    def test_an_officer_leaves_an_event_out(self, japan, reporter, officer):
        upload(reporter)
        report = Report.objects.get()
        decide(officer, report, "save", **{"ruling-0": "exclude"})
        assert report.said.latest("pk").fields["ruling"] == "exclude"
        decide(officer, report, "save", **{"ruling-0": ""})
        assert report.said.latest("pk").fields["ruling"] == ""

    def test_the_changes_are_shown(self, japan, reporter, officer):
        upload(reporter)
        report = Report.objects.get()
        address, script = f"/office/japan/inbox/{report.pk}/changes/", {"HX-Request": "true"}
        page = text(officer.get(address, headers=script))
        assert "GOTO Makoto" in page
        assert "<html" not in page
        assert "By this report: what its rated games add (+) or take away (−) in all" in page
        assert '<span class="sr">unchanged </span>±0' in page
        page = text(client("chief", japan, lang="ja").get(address, headers=script))
        assert "後藤 誠</th>" in page
        assert "GOTO Makoto" not in page

    def test_without_a_script_the_changes_stand_in_the_whole_page_before_the_decision(
        self, japan, reporter, officer
    ):
        upload(reporter)
        page = text(officer.get(f"/office/japan/inbox/{Report.objects.get().pk}/changes/"))
        places = [page.index(part) for part in ("<h1>", "By this report: what its", 'value="accept"')]
        assert places == sorted(places)
        assert 'changes/" hx-trigger' not in page

    def test_all_likely_members_are_taken_at_once_with_what_differs_shown(self, japan, reporter, officer):
        """A choice counts more; one is taken back by its box."""
        changed = HINOKI.replace(b"ITO Kenta", b"ITO Kent ").replace(b"GOTO Makoto", b"GOTO Makot ")
        upload(reporter, ("h.trf", changed))
        report = Report.objects.get()
        page = text(officer.get(f"/office/japan/inbox/{report.pk}/"))
        assert "Take all 2 likely members" in page
        assert '<th scope="row" class="name differs">' in page
        decide(officer, report, "likely", **{"who-0-4": "new"})
        found = {one.name: one.player_id for one in report.decisions.all()}
        assert found == {"ITO Kent": "J008", "GOTO Makot": "new"}
        page = text(decide(officer, report, "save", **{"who-0-3": "undo"}))
        assert "Take the likely member" in page

    def test_the_organiser_is_entered_by_name(self, japan, reporter, officer):
        upload(reporter)
        report = Report.objects.get()
        page = text(decide(officer, report, "save", **{"e0-organiser": "Kawabe chess club"}))
        assert '<option value="C02">Kawabe Chess Club</option>' in page
        assert "<dd>Kawabe Chess Club (C02) <span" in page

    def test_a_name_is_typed_in_place_of_an_id(self, japan, reporter, officer):
        upload(reporter, ("h.trf", HINOKI.replace(b"GOTO Makoto", b"ZZZZ Yyyyyy")))
        report = Report.objects.get()
        page = decide(officer, report, "save", **{"who-0-4": "other", "who-0-4-id": "ito"})
        assert told(page)[-1] == "Choose which one is meant, or type more of it."
        assert '<input type="radio" name="who-0-4-id" value="J008"> ITO Kenta' in text(page)
        decide(officer, report, "accept", **{"who-0-4": "other", "who-0-4-id": ["ito", "J008"]})
        assert [one.player_id for one in report.decisions.all()] == ["J008"]
        decide(officer, report, "save", **{"who-0-4": "other", "who-0-4-id": "goto makoto"})
        assert [one.player_id for one in report.decisions.order_by("pk")] == ["J008", "J006"]

    @pytest.mark.parametrize("act", ["hold", "return", "refuse", "accept"])
    def test_a_reason_has_so_many_letters_at_the_most(self, japan, reporter, officer, act):
        upload(reporter)
        report = Report.objects.get()
        decide(officer, report, act, why="x\r\n" * 1_500)
        assert len(report.steps.latest("pk").why) == 2_000

    @pytest.mark.parametrize("typed", ["12 b", "12 b MORI Ai"])
    def test_an_id_with_a_blank_is_one_id(self, japan, reporter, officer, typed):
        with_blanks(japan)
        upload(reporter, ("h.trf", HINOKI.replace(b"GOTO Makoto", b"ZZZZ Yyyyyy")))
        report = Report.objects.get()
        decide(officer, report, "save", **{"who-0-4": "other", "who-0-4-id": typed})
        assert [one.player_id for one in report.decisions.all()] == ["12 b"]

    def test_only_a_pool_of_go_is_asked_for_sgf(self, japan, officer):
        assert "SGF" not in text(officer.get("/office/japan/inbox/send/"))
        go = entered_pool("go", EXAMPLES / "go-server", "test")
        assert "SGF" in text(client("officer", go).get("/office/go/inbox/send/"))

    def test_nothing_waiting_is_said_in_words(self, japan, officer):
        assert '<p class="lead">No report is waiting</p>' in text(officer.get("/office/japan/inbox/"))

    def test_everything_is_there_in_japanese(self, japan, reporter):
        upload(reporter)
        report = Report.objects.get()
        page = text(client("officer", japan, "", lang="ja").get(f"/office/japan/inbox/{report.pk}/"))
        assert "まだ計算されていません：報告は担当者の確認待ちです。" in page
        assert "Accept" not in page


class TestTheInbox:
    """Its columns and filters, and deciding on several reports in one go."""

    @pytest.fixture
    def reports(self, japan, reporter, officer):
        """One with a player to be decided on, and one that can be accepted."""
        about = {"event-reported": "2025-04-28", "event-applied": "2025-04-01", "event-nonmembers": "0"}
        upload(reporter, ("unknown.trf", HINOKI.replace(b"GOTO Makoto", b"GOTO Makot ")))
        upload(officer, club="C02", **about)
        return list(Report.objects.order_by("pk"))

    def decide(self, visitor, act, *chosen, **fields):
        sent = {"act": act, "chosen": [report.pk for report in chosen], **fields}
        return visitor.post("/office/japan/inbox/decide/", sent, follow=True)

    def test_what_is_missing_and_whose_turn(self, reports, officer, reporter):
        page = text(officer.get("/office/japan/inbox/"))
        assert "1 player to decide on · " in page
        assert '<td data-label="Whose turn">the office</td>' in page
        assert "What is missing" not in text(reporter.get("/office/japan/inbox/"))

    def test_filters(self, reports, officer):
        one, other = (f"/office/japan/inbox/{report.pk}/" for report in reports)
        page = text(officer.get("/office/japan/inbox/?club=C02"))
        assert (one in page, other in page) == (False, True)
        page = text(officer.get("/office/japan/inbox/?turn=club"))
        assert (one in page, other in page) == (False, False)
        assert officer.get("/office/japan/inbox/?turn=x").status_code == 404

    def test_chosen_ones_are_accepted_and_each_refusal_is_told(self, reports, officer):
        unknown, good = reports
        page = self.decide(officer, "accept", unknown, good)
        accepted, refused = told(page)
        assert accepted == f"1 report is accepted: {good.pk} Hinoki Spring Match"
        assert refused.startswith(
            f"{unknown.pk} Hinoki Spring Match: Report {unknown.pk} cannot be entered yet."
        )
        assert JournalEntry.objects.filter(act="accept-report").count() == 1
        assert told(self.decide(officer, "accept"))[0].startswith("Choose reports first")

    def test_several_are_held_with_one_reason(self, reports, officer):
        assert told(self.decide(officer, "hold", *reports))[0].endswith("Say why: the club reads the reason.")
        assert told(self.decide(officer, "hold", *reports, why="Which?"))[0].startswith(
            "2 reports are on hold:"
        )
        assert JournalEntry.objects.filter(act="report-held").count() == 2
        page = text(officer.get("/office/japan/inbox/?state=held&turn=club"))
        assert f"/office/japan/inbox/{reports[0].pk}/" in page

    @pytest.mark.parametrize(
        ("forged", "status"),
        [
            ({"state": "x"}, 404),
            ({"turn": "x"}, 404),
            ({"act": "x"}, 400),
            ({"chosen": ["x", "9" * 30]}, 200),
        ],
    )
    def test_a_forged_form_does_nothing(self, reports, officer, forged, status):
        sent = {"act": "accept", "chosen": [reports[1].pk]} | forged
        assert officer.post("/office/japan/inbox/decide/", sent, follow=True).status_code == status
        assert not JournalEntry.objects.filter(act="accept-report").exists()

    def test_all_clean_ones_are_accepted_at_once(self, reports, officer, monkeypatch):
        """What is clean is looked at again when it is accepted; the others stay."""
        number = reports[1].pk
        clean, other = (
            ReportSummary(0, (), 0, 0, 0, is_ready=True),
            ReportSummary(0, (), 0, 0, 1, is_ready=True),
        )
        monkeypatch.setattr(bulk_acts, "review_report", lambda report, _: report.pk)
        monkeypatch.setattr(bulk_acts, "summary", lambda reviewed: clean if reviewed == number else other)
        accepted, left = told(self.decide(officer, "accept-clean"))
        assert accepted == f"1 report is accepted: {number} Hinoki Spring Match"
        assert left == f"1 has something to look at: {reports[0].pk} Hinoki Spring Match"


def fill(visitor, players=("J001", "J003", "J008"), kind="crosstable", **fields):
    given = {
        "act": "send", "kind": kind, "club": "C01", "size": str(len(players)), "event-name": "Evening Open",
        "event-starts": "2025-04-26", "event-ends": "2025-04-26", "event-speed": "rapid", "event-place": "Hakodate",
    }  # fmt: skip
    given |= {f"player-{n}": typed for n, typed in enumerate(players, 1)}
    if kind == "crosstable" and not any(name.startswith("r-") for name in fields):
        count = len(players)
        given |= {f"r-{one}-{two}": "1" for one in range(1, count + 1) for two in range(one + 1, count + 1)}
    return visitor.post("/office/japan/inbox/form/", given | fields, follow=True)


class TestTheForm:
    def test_ids_with_blanks_and_full_width_letters(self, japan, reporter):
        with_blanks(japan)
        fill(reporter, ["12 b", "12 OTA Emi", "Ａ１", "Ｊ００１", "12 b MORI Ai"])
        read = form_reader.read(bytes(Report.objects.get().files.get().data), "r")
        assert [(player.national_id, player.name) for player in read.players] == [
            ("12 b", "MORI Ai"),
            ("12", "OTA Emi"),
            ("A1", "KUDO Jun"),  # a form's ids are read in narrow letters
            ("J001", "FUJIWARA Yuto"),
            ("12 b", "MORI Ai"),
        ]

    def test_a_crosstable_becomes_a_report_by_the_way_of_all_files(self, japan, reporter):
        page = fill(reporter, **{"r-1-2": "1", "r-3-1": "5", "r-2-3": "+"})
        report = Report.objects.get()
        assert told(page) == [f"The report was received as number {report.pk}."]
        assert (report.source, report.title, report.files.get().name) == (
            "form",
            "Evening Open",
            "report.xlsx",
        )
        read = form_reader.read(bytes(report.files.get().data), "r")
        games = {frozenset((g.white, g.black)): (g.white, g.result) for g in read.games}
        assert games[frozenset((1, 2))] in {(1, "1-0"), (2, "0-1")}
        assert games[frozenset((1, 3))][1] == "1/2-1/2"
        assert games[frozenset((2, 3))] in {(2, "+/-"), (3, "-/+")}
        assert [player.national_id for player in read.players] == ["J001", "J003", "J008"]

    def test_game_by_game(self, japan, reporter):
        rows = {"round-1": "1", "white-1": "1", "black-1": "2", "result-1": "5", "played-1": "2025-04-26"}
        fill(reporter, kind="games", players=["J001", "山田 花子"], rows="3", **rows)
        read = form_reader.read(bytes(Report.objects.get().files.get().data), "r")
        assert [(g.round, g.white, g.black, g.result, str(g.played)) for g in read.games] == [
            (1, 1, 2, "1/2-1/2", "2025-04-26")
        ]
        assert read.players[1].name_native == "山田 花子"

    @pytest.mark.parametrize(
        ("fields", "said"),
        [
            ({"r-1-2": "x", "r-1-3": "1", "r-2-3": "1"}, "x"),
            ({"player-2": ""}, "Player 2 is missing: fill the rows from the top without a gap."),
            ({"r-1-2": ""}, "result"),
        ],
    )
    def test_what_cannot_be_read_of_a_crosstable_is_said(self, japan, reporter, fields, said):
        page = fill(reporter, **fields)
        assert said in told(page)[0]
        assert not Report.objects.exists()

    @pytest.mark.parametrize(
        "row", [{"white-1": "9"}, {"result-1": "7"}, {"round-1": ""}, {"played-1": "soon"}]
    )
    def test_what_cannot_be_read_of_a_game_is_said(self, japan, reporter, row):
        good = {"round-1": "1", "white-1": "1", "black-1": "2", "result-1": "1"}
        page = fill(reporter, kind="games", players=["J001", "J003"], **(good | row))
        assert told(page)[0].startswith("Game 1: ")
        assert not Report.objects.exists()

    def test_the_size_changes_and_what_was_typed_stays(self, japan, reporter):
        page = text(fill(reporter, act="size", size="5"))
        assert 'name="r-4-5"' in page
        assert 'value="J008"' in page
        assert not Report.objects.exists()


FILLING = f"""
from pathlib import Path
from web.small_office import user
from banzuke.database.ledger_folders import enter_folder
pool = enter_folder("japan", Path({str(EXAMPLES / "japan")!r}), "test")
user("reporter", pool, "C01", name="club")
"""


@pytest.mark.slow
def test_the_grid_is_typed_with_numbers_alone(browser, tmp_path):
    with serve(tmp_path, FILLING) as office:
        page = office.page(browser, "club", locale="en")
        page.goto("/office/japan/inbox/form/")
        page.get_by_label("Number of players").fill("3")
        page.get_by_role("button", name="Change the number").click()
        page.get_by_label("Event", exact=True).fill("Evening Open")
        for name in ("First day", "Last day"):
            page.get_by_label(name).fill("2025-04-26")
        page.get_by_label("Standard, rapid or blitz").select_option("rapid")
        page.get_by_label("Player 1", exact=True).click()
        for typed in ("J001", "J003", "J008"):
            page.keyboard.type(typed)
            page.keyboard.press("Enter")
        for sign in "150":
            page.keyboard.press(sign)
        cells = {
            (r, c): page.locator(f"[name=r-{r}-{c}]").input_value()
            for r in (1, 2, 3)
            for c in (1, 2, 3)
            if r != c
        }
        assert cells == {(1, 2): "1", (2, 1): "0", (1, 3): "½", (3, 1): "½", (2, 3): "0", (3, 2): "1"}
        page.locator("[name=r-1-2]").focus()
        for key in ("ArrowDown", "ArrowRight", "+"):
            page.keyboard.press(key)
        assert page.locator("[name=r-3-2]").input_value() == "+"
        assert page.locator("[name=r-2-3]").input_value() == "-"
        page.get_by_label("Player 2", exact=True).fill("yamamoto")
        page.wait_for_selector("#player-2-found option", state="attached")
        assert "J003 YAMAMOTO Itsuki" in page.locator("#player-2-found").inner_html()
        page.get_by_label("Player 2", exact=True).fill("J003 YAMAMOTO Itsuki")
        page.get_by_role("button", name="Send").click()
        page.wait_for_selector("text=The report was received as number 1.")
        page.wait_for_selector("text=an officer looks at who they are")


class TestGames:
    """Reports of games of Go."""

    @pytest.fixture
    def server(self, db):
        return enter_folder("go", EXAMPLES / "go-server", "test")

    def test_no_form_of_chess_is_offered(self, server):
        for visitor in (client("officer", server), client("reporter", server, "C01")):
            for page in ("inbox/", "inbox/send/", "club/"):
                shown = text(visitor.get(f"/office/go/{page}"))
                assert "/office/go/inbox/form/" not in shown, page
                assert "report-form.xlsx" not in shown, page
            for page in ("form/", "report-form.xlsx"):
                answer = visitor.get(f"/office/go/inbox/{page}")
                assert answer.status_code == 404
                assert "come with its games" in answer.content.decode()

    def sent(self, visitor, *games):
        said = ["file,ended\r\n"] + [f"g{n},2026-02-0{n + 1}T12:00:00Z\r\n" for n, _ in enumerate(games)]
        files = [SimpleUploadedFile("t.csv", "".join(said).encode())]
        for number, (black, white, more) in enumerate(games):
            text = f"(;GM[1]FF[4]SZ[19]KM[6.5]PB[{black}]PW[{white}]RE[B+R]{more};B[aa];W[bb])"
            files.append(SimpleUploadedFile(f"g{number}.sgf", text.encode()))
        visitor.post("/office/go/inbox/send/", {"files": files, "club": ""}, follow=True)
        return Report.objects.get()

    def decided(self, visitor, report, act, **fields):
        return visitor.post(f"/office/go/inbox/{report.pk}/decide/", {"act": act, **fields}, follow=True)

    def test_all_whom_nobody_resembles_are_new_at_once(self, server):
        officer = client("officer", server)
        games = [("one", "two", "BR[5k]WR[6k]"), ("Aosagi", "two", "BR[4k]WR[6k]")]
        report = self.sent(officer, *games)
        page = text(officer.get(f"/office/go/inbox/{report.pk}/"))
        assert "All 2 players without a match are new" in page
        assert "What each game does for both sides is shown here once" in page
        self.decided(officer, report, "save", **{"new-go": "on"})
        left = officer.get(f"/office/go/inbox/{report.pk}/").context["unknown"]
        assert [player.name for player in left] == ["Aosagi"]
        self.decided(officer, report, "save", **{"who-0-0": "aosagi"})
        page = text(officer.get(f"/office/go/inbox/{report.pk}/"))
        assert "Games to be added: 2" in page
        assert "5k?" in page
        assert told(self.decided(officer, report, "accept"))[0].startswith(f"Report {report.pk} is accepted")
        assert GoPlayer.objects.filter(pool=server, player_id__in=["one", "two"]).count() == 2

    def test_what_cannot_be_read_is_left_out_by_a_tick_that_stays(self, server):
        officer = client("officer", server)
        report = self.sent(officer, ("aosagi", "donguri", ""), ("aosagi", "donguri", "HA[99]"))
        page = text(officer.get(f"/office/go/inbox/{report.pk}/"))
        assert 'name="readable">' in page
        assert "to be settled" in page
        self.decided(officer, report, "save", faulty="1", readable="on")
        page = text(officer.get(f"/office/go/inbox/{report.pk}/"))
        assert 'name="readable" checked>' in page
        assert "Games to be added: 1" in page
        told_of = told(self.decided(officer, report, "accept", faulty="1", readable="on"))
        assert told_of[0].startswith(f"Report {report.pk} is accepted")


class TestWhatIsMissing:
    ROUNDS = b"Round,White,Black,Result\n1,YOSHIDA Itsuki,HAYASHI Haruto,1-0\n"

    def test_an_officer_enters_it_in_one_place(self, japan, officer):
        page = upload(officer, ("evening.csv", self.ROUNDS))
        tree = html.fromstring(page.content.decode())
        (missing,) = tree.xpath("//fieldset[legend='Missing in the report']")
        assert {"e0-name", "e0-starts", "e0-ends"} <= {each.get("name") for each in missing.xpath(".//input")}
        assert "The report does not say what is needed: Event, First day, Last day" in text(page)
        assert "2 players · 1 game ·" in text(page)
        days = {"e0-starts": "2026-01-10", "e0-ends": "2026-01-10"}
        page = decide(officer, Report.objects.get(), "save", **{"e0-name": "Evening"} | days)
        assert "The report does not say what is needed" not in text(page)

    def test_what_nobody_needs_is_not_called_missing(self, japan, officer):
        page = upload(officer, ("evening.csv", self.ROUNDS))
        tree = html.fromstring(page.content.decode())
        missing = tree.xpath("//dl[@class='facts']/dt[following-sibling::dd[1]/span='missing']/text()")
        assert "First day" in missing
        assert "Name in Japanese" not in missing


class TestTakingBack:
    def test_an_acceptance_is_taken_back_and_the_report_waits_again(self, officer, reporter):
        upload(reporter)
        report = Report.objects.get()
        address = f"/office/japan/inbox/{report.pk}/take-back/"
        page = decide(officer, report, "accept")
        assert "Take the acceptance back" in text(page)
        assert "Take the acceptance back" not in text(reporter.get(f"/office/japan/inbox/{report.pk}/"))
        page = officer.post(address, {"why": ""}, follow=True)
        assert Report.objects.get().state == "accepted"
        keeper = client("administrator")
        link = f'href="/office/japan/inbox/{report.pk}/#take-back"'
        assert link in text(keeper.get("/office/journal/"))
        page = officer.post(address, {"why": "the wrong file"}, follow=True)
        assert told(page) == ["The acceptance is taken back: the report waits again."]
        assert "the wrong file" in text(page)
        assert Report.objects.get().state == "waiting"
        assert told(officer.post(address, {"why": "once more"}, follow=True))[0].startswith("Report")
        assert link not in text(keeper.get("/office/journal/"))
