"""The inbox: what a report shows at once, its way through the office, and entering it."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from pathlib import Path

import pytest
from repeated import entered_pool

from banzuke.core import facts
from banzuke.core.fault import RefusedError
from banzuke.database.book_reader import last_entry, read_book
from banzuke.database.book_writer import Act, add_facts, open_entry
from banzuke.database.ledger_folders import enter_folder
from banzuke.database.models import Club, Event, Game, GoGame, JournalEntry, Player, Report
from banzuke.exchange.player_identities import NEW, Decision
from banzuke.office.fact_rows import TABLES, standing_rows
from banzuke.office.inbox import reports
from banzuke.office.inbox.event_fields import EXCLUDED, READABLE, RULING
from banzuke.office.inbox.problems import BLOCKS, EXCLUDES, WARNS, problem_text
from banzuke.office.inbox.receiving import Sender, add_files, receive
from banzuke.office.inbox.report_files import read
from banzuke.office.inbox.report_preview import preview
from banzuke.office.inbox.reports import status_of
from banzuke.office.inbox.review import review_for_club, review_report
from banzuke.office.journal import Actor
from banzuke.office.lists.list_index import names_of
from banzuke.office.lists.publishing import publish
from banzuke.office.refusals import NoReasonError, ReportClosedError, ReportNotReadyError
from banzuke.words import LANGUAGES

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CLUB, OFFICER = Actor("club", "127.0.0.1"), Actor("officer", "127.0.0.1")
TODAY = date(2025, 5, 2)
SAID = {"speed": "standard", "reported": date(2025, 5, 2), "organiser": "F01", "applied": date(2025, 4, 1)}
pytestmark = pytest.mark.django_db


@pytest.fixture
def japan():
    return entered_pool("japan", EXAMPLES / "japan", "test")


def hinoki(name="hinoki-spring.trf", **changes):
    """The report; of its time control, which says 90 minutes and 30 seconds, it says nothing plain here."""
    text = (EXAMPLES / "hinoki-spring.trf").read_text().replace("90 min + 30 sec", "as always     ")
    for written, wanted in changes.items():
        old = written.replace("_", " ")
        assert old in text
        text = text.replace(old, wanted.replace("_", " ").ljust(len(old)))
    return [(name, text.encode())]


def taken(pool, files=None, club_id="C01", answers=None, **said):
    return receive(
        pool, files or hinoki(), SAID | said, Sender(CLUB, None, club_id, "upload"), answers=answers
    )


def refused(pool, files):
    """Why files are refused at the door."""
    with pytest.raises(RefusedError) as refusal:
        taken(pool, files)
    return [one.code for one in refusal.value.faults]


def codes(report, today=TODAY, weight=None):
    review = review_report(report, today)
    return [p.fault.code for p in review.problems if weight in (None, p.weight)]


def sentences(report, code, today=TODAY, lang="en"):
    found = [p for p in review_report(report, today).problems if p.fault.code == code]
    for problem in found:
        for each in LANGUAGES:
            assert "{" not in problem_text(problem, each)
    return [problem_text(problem, lang) for problem in found]


def rows(pool):
    return [model.objects.filter(pool=pool).count() for model in (Event, Game, Player)]


class TestWhatAReportShows:
    def test_a_good_report_is_ready_and_says_whence_each_field_is(self, japan):
        report = taken(japan)
        review = review_report(report, TODAY)
        (event,) = review.events
        whence = {
            field.name: (str(field.value), field.origin, field.author)
            for field in event.known.fields.values()
        }
        assert whence["name"] == ("Hinoki Spring Match", "file", "")
        assert whence["speed"] == ("standard", "said", "club")
        assert whence["event_id"] == ("2025-04-26-hinoki-spring-match", "arrival", "")
        assert whence["base_minutes"] == ("None", "", "")
        assert [match.player_id for match in event.matches] == [
            "J001",
            "J003",
            "J008",
            "J006",
            "J007",
            "J004",
        ]
        assert len(event.games) == 15
        assert event.placement.list == "2025-06"
        assert review.is_ready
        assert (report.title, str(report.starts), str(report.ends)) == (
            "Hinoki Spring Match",
            "2025-04-26",
            "2025-04-27",
        )

    def test_what_is_said_of_one_of_two_events_is_not_said_of_the_other(self, japan):
        other = hinoki("b.trf", Hinoki_Spring_Match="Kaede Match", **{"2025/04/26": "2025/04/19"})
        report = taken(japan, [*hinoki("a.trf"), *other])
        assert str(report.starts) == "2025-04-19"
        reports.set_fields(report, {"name": "Kaede Open", "starts": date(2025, 4, 20)}, OFFICER, "b.trf")
        report.refresh_from_db()
        assert (report.title, str(report.starts), str(report.ends)) == (
            "Hinoki Spring Match",
            "2025-04-20",
            "2025-04-27",
        )

    def test_files_are_kept_byte_for_byte(self, japan):
        files = [("a.trf", b"012 Open\r\n\xff\x00"), ("b.trf", b"012 \x81\n")]
        report = taken(japan, files)
        assert [(f.name, bytes(f.data)) for f in report.files.order_by("pk")] == files

    def test_the_day_of_arrival_is_the_day_of_the_report(self, japan):
        report = receive(japan, hinoki(), {}, Sender(CLUB, None, "C01", "upload"))
        fields = review_report(report, TODAY).events[0].known.fields
        assert fields["reported"].origin == "arrival"

    def test_the_organiser_is_known_by_name_or_else_the_club_that_sent_it(self, japan):
        report = receive(japan, hinoki(), {"speed": "standard"}, Sender(CLUB, None, "C02", "upload"))
        fields = review_report(report, TODAY).events[0].known.fields
        assert (fields["organiser"].value, fields["organiser"].origin) == ("C02", "club")

    def test_a_missing_field_blocks_and_what_is_said_settles_it(self, japan):
        report = receive(japan, hinoki(), {}, Sender(CLUB, None, "C01", "upload"))
        assert sentences(report, "inbox-field") == [
            "Standard, rapid or blitz: The report does not say this, and it is needed. Enter it below."
        ]
        reports.set_fields(report, {"speed": "standard"}, OFFICER)
        assert "inbox-field" not in codes(report)
        reports.set_fields(report, {"speed": ""}, OFFICER)
        assert "inbox-field" in codes(report)

    def test_what_the_rules_warn_of_has_its_clause(self, japan):
        report = taken(japan, organiser="C02", applied=date(2025, 4, 24))
        found = {p.fault.code: (p.weight, p.clause) for p in review_report(report, TODAY).problems}
        assert found["warn-applied"] == (WARNS, "JCF 3(4)")
        assert found["warn-missing"] == (WARNS, "JCF 4(3)")
        assert found["warn-organiser"] == (WARNS, "JCF 3(3)")
        assert sentences(report, "warn-missing") == [
            "The report lacks: Base time (minutes), Number of non-members (JCF 4(3))."
        ]
        assert sentences(report, "warn-missing", lang="ja") == [
            "報告に欠けている項目：持ち時間（分）、非会員の人数（JCF 4(3)）。"
        ]

    def test_two_months_notice_of_fide(self, japan):
        days = {"starts": date(2024, 9, 1), "ends": date(2024, 9, 2), "reported": date(2024, 9, 3)}
        moved = {"25/04/26": "24/09/01", "25/04/27": "24/09/02"}
        report = taken(japan, hinoki(**moved), fide_rated=True, notified=date(2024, 8, 1), **days)
        found = {p.fault.code: p.clause for p in review_report(report, date(2024, 9, 3)).problems}
        assert found["warn-notified"] == "NCS 2(3)"
        assert found["inbox-fee"] == "NCS 3(5)"

    def test_a_player_who_is_no_member_on_the_day(self, japan):
        report = taken(japan, hinoki(GOTO_Makoto="ZZZZ Yyyy"))
        decide(report, 4, "ZZZZ Yyyy", NEW)
        assert sentences(report, "inbox-member") == [
            "ZZZZ Yyyy (J036) is not a member on 2025-04-26. Games that are not rated for this: 5 (JCF 3(5))."
        ]
        (problem,) = [p for p in review_report(report, TODAY).problems if p.fault.code == "inbox-member"]
        assert (problem.weight, problem.clause, problem.player_id) == (EXCLUDES, "JCF 3(5)", "J036")

    def test_a_late_report_stays_out_unless_it_is_ruled_in(self, japan):
        report = taken(japan, reported=date(2025, 9, 1))
        assert sentences(report, "inbox-late") == [
            (
                "Games reported too late, on 2025-09-01: 15. "
                "They are not rated unless a ruling accepts the late report (JCF 3(7)). "
                "If the report came earlier, enter that day."
            )
        ]
        reports.set_fields(report, {RULING: "accept-late"}, OFFICER)
        assert "inbox-late" not in codes(report)

    def test_a_speed_that_does_not_fit_the_time_blocks(self, japan):
        report = taken(japan, base_minutes=10, increment_seconds=5)
        review = review_report(report, TODAY)
        assert [(p.fault.code, p.clause) for p in review.problems if p.weight == BLOCKS] == [
            ("event-speed", "JCF 2(2)")
        ]

    def test_blitz_makes_no_list(self, japan):
        report = taken(japan, speed="blitz")
        found = {p.fault.code: (p.weight, p.clause) for p in review_report(report, TODAY).problems}
        assert found["inbox-no-list"] == (EXCLUDES, "JCF 2(2)")

    def test_forfeits_are_counted(self, japan):
        assert sentences(taken(japan), "inbox-forfeits") == [
            "Pairings that were not played and are not rated: 1 (JCF 5(1)C-zero)."
        ]

    def test_somebody_new_is_asked_for_more(self, japan):
        report = taken(japan, hinoki(GOTO_Makoto="ZZZZ Yyyy"))
        decide(report, 4, "ZZZZ Yyyy", NEW)
        (problem,) = [p for p in review_report(report, TODAY).problems if p.fault.code == "inbox-newcomer"]
        assert problem.clause == "JCF 4(3)b"

    def test_players_are_matched_to_be_decided_on_or_unknown(self, japan):
        report = taken(japan, hinoki(GOTO_Makoto="ZZZZ Yyyy", ITO_Kenta="ITOH Kent"))
        review = review_report(report, TODAY)
        kent, nobody = review.undecided
        assert [(c.player_id, c.reasons[0].code) for c in kent.candidates] == [("J008", "name-close")]
        assert nobody.candidates == ()
        assert sentences(report, "inbox-undecided") == [
            "hinoki-spring.trf: Players to decide on: 2. Of these, without a match in the register: 1."
        ]

    def test_the_same_event_again_blocks(self, japan):
        reports.accept(taken(japan), OFFICER, TODAY)
        again = taken(japan, hinoki("other.trf", Sapporo="Otaru"))
        assert "inbox-reported" in codes(again, weight=BLOCKS)

    def test_the_same_games_under_another_name_and_a_player_in_two_places(self, japan):
        reports.accept(taken(japan), OFFICER, TODAY)
        again = taken(japan, hinoki("other.trf", Sapporo="Otaru", Hinoki_Spring_Match="Another Open"))
        found = sentences(again, "inbox-double-game")
        assert len(found) == 15
        assert found[0] == (
            "The game FUJIWARA Yuto against HAYASHI Haruto in round 1 is already in the ledger, "
            "in 'Hinoki Spring Match' (2025-04-26-hinoki-spring-match); leave it out here if it is the same."
        )
        one = taken(japan, [("one.trf", trf_of("J001 FUJIWARA Yuto", "J002 SHIMIZU Riku", "Kushiro"))])
        assert sentences(one, "inbox-two-places") == [
            "FUJIWARA Yuto (J001) also played in 'Hinoki Spring Match' on 2025-04-26, in another place."
        ]
        same_place = taken(japan, [("two.trf", trf_of("J001 FUJIWARA Yuto", "J002 SHIMIZU Riku", "Sapporo"))])
        assert "inbox-two-places" not in codes(same_place)

    def test_two_reports_of_one_event_know_of_each_other(self, japan):
        first = taken(japan)
        second = taken(japan, hinoki("copy.trf", Sapporo="Otaru"), club_id="C02")
        assert sentences(second, "inbox-other-report")[0].startswith(
            f"Report {first.pk} is about the same event"
        )
        told = {problem.fault.code for problem in review_for_club(second, TODAY).problems}
        assert "inbox-other-report" not in told, "of another club's report nothing is said"
        third = taken(japan, hinoki("third.trf", Hinoki_Spring_Match="Another Open"))
        assert sentences(third, "inbox-other-game") == [
            f"Report {n} ('Hinoki Spring Match') has games of this one too: 15."
            for n in (first.pk, second.pk)
        ]
        reports.refuse(first, OFFICER, "twice")
        assert len(sentences(third, "inbox-other-game")) == 1

    def test_a_report_of_a_published_list_enters_as_a_correction_or_is_frozen(self, japan):
        publish(japan, "2025-04", OFFICER, date(2025, 4, 1))
        days = {"starts": date(2025, 3, 8), "ends": date(2025, 3, 9), "reported": date(2025, 3, 10)}
        report = taken(japan, hinoki(**{"25/04/26": "25/03/08", "25/04/27": "25/03/09"}), **days)
        assert sentences(report, "inbox-correction", date(2025, 5, 2)) == [
            (
                "List 2025-04 is published already: if the report is accepted, it becomes a correction "
                "(day: 2025-05-02), and revisions of 2025-04 are due."
            )
        ]
        late = date(2025, 7, 30)
        assert "inbox-correction" not in codes(report, late)
        assert sentences(report, "inbox-frozen", late)[0].startswith("List 2025-04, whose window")
        reports.accept(report, OFFICER, date(2025, 5, 2))
        assert Event.objects.get(event_id__contains="hinoki-spring").added == date(2025, 5, 2)
        assert set(
            Game.objects.filter(event_id__contains="hinoki-spring").values_list("added", flat=True)
        ) == {date(2025, 5, 2)}

    def test_the_preview_says_every_player_before_and_after(self, japan):
        (found,) = preview(taken(japan), TODAY)
        assert found.name == "2025-06"
        by_id = {change.player_id: change for change in found.changes}
        assert by_id["J006"] == ("J006", "GOTO Makoto", "standard", "1820", "1840", "20.4", 5, "後藤 誠")
        assert ("rated", "JCF 5(1)", 28) in found.verdicts
        assert last_entry(japan) == japan.entries.get().pk

    def test_a_list_of_members_is_handed_to_the_register(self, japan):
        members = [("members.csv", b"player_id,name\nJ001,FUJIWARA Yuto\n")]
        assert refused(japan, members) == ["inbox-register"]

    def test_games_of_go_in_a_pool_of_chess(self, japan):
        sgf = b"(;GM[1]FF[4]SZ[19]PB[a]PW[b]RE[B+R];B[aa])"
        assert "inbox-go" in codes(taken(japan, [("g.sgf", sgf)]))


def decide(report, number, name, player_id, file="hinoki-spring.trf"):
    reports.decide(report, [Decision(file, number, name, player_id)], OFFICER)


def trf_of(white, black, place):
    """A report of one game on 2025-04-26, its players by name."""
    row = "001 {:4} {:1}{:>3} {:33} {:4} JPN {:>11} {:10} {:4.1f} {:4}  {:4} {} {}"
    one, two = (who.partition(" ")[2] for who in (white, black))
    lines = ["012 Evening Game", f"022 {place}", "042 2025/04/26", "052 2025/04/26"]
    lines += [
        row.format(1, "", "", one, "", "", "", 1.0, 1, 2, "w", "1"),
        row.format(2, "", "", two, "", "", "", 0.0, 2, 1, "b", "0"),
    ]
    return "\n".join([*lines, ""]).encode()


class TestAtTheDoor:
    def test_limits(self, japan):
        for files, code in (
            ([], "inbox-no-file"),
            ([(f"{n}.trf", b"x") for n in range(1000)], "inbox-many-files"),
            ([("big.trf", b"x" * (21 << 20))], "inbox-large-file"),
            ([(f"{n}.trf", b"x" * (16 << 20)) for n in range(4)], "inbox-large"),
        ):
            with pytest.raises(RefusedError) as refused:
                receive(japan, files, {}, Sender(CLUB, None, "C01", "upload"))
            assert [fault.code for fault in refused.value.faults] == [code]
        assert not Report.objects.exists()

    def test_names_lose_their_folders_and_what_cannot_be_seen(self, japan):
        names = ["../../etc/passwd", "C:\\x\\a.trf", "nul\x00.trf", "a.trf", "", "..", "x" * 300 + ".trf"]
        report = taken(japan, [(name, f"012 {place}".encode()) for place, name in enumerate(names)])
        kept = list(report.files.order_by("pk").values_list("name", flat=True))
        assert kept[:6] == ["passwd", "a.trf", "nul.trf", "a-2.trf", "file", "file-2"]
        assert kept[6].endswith(".trf")
        assert len(kept[6]) == 100

    def test_a_zip_that_unpacks_to_too_much_is_not_opened(self, japan):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as bomb:
            bomb.writestr("xl/workbook.xml", b" " * (101 << 20))
        assert refused(japan, [("bomb.xlsx", packed.getvalue())]) == ["inbox-unpacks"]
        assert refused(japan, [("bomb.eml", mail_with(packed.getvalue()))]) == ["inbox-unpacks"]

    def test_the_same_files_of_the_same_club_are_one_report(self, japan):
        first = taken(japan)
        assert taken(japan).pk == first.pk
        assert taken(japan, club_id="C02").pk != first.pk
        reports.send_back(first, OFFICER, "which speed?")
        again = taken(japan, answers=first)
        assert again.pk != first.pk
        assert status_of(first).answered_by == again.pk

    def test_who_is_who_stays_decided_in_the_corrected_report(self, japan):
        ((_, data),) = hinoki(ITO_Kenta="ITOH Kent")
        first = taken(japan, [("first.trf", data)])
        (one,) = review_report(first, TODAY).undecided
        decide(first, one.reported.number, "ITOH Kent", "J008", "first.trf")
        reports.send_back(first, OFFICER, "round 2 is missing")
        again = taken(
            japan, [("second.trf", data.replace(b"Hinoki Spring", b"Hinoki Summer"))], answers=first
        )
        assert not review_report(again, TODAY).undecided
        (row,) = again.decisions.all()
        assert (row.file, row.player_id, row.author) == ("second.trf", "J008", OFFICER.name)
        twice = data.replace(b"GOTO Makoto", b"ITOH Kent  ")
        other = taken(japan, [("twice.trf", twice)], answers=first)
        assert not other.decisions.exists()

    @pytest.mark.parametrize("beside", [[], hinoki()])
    def test_what_is_no_report_is_refused_and_nothing_is_kept(self, japan, beside):
        readme = (EXAMPLES.parent / "README.md").read_bytes()
        picture = (EXAMPLES.parent / "docs" / "list.png").read_bytes()
        for file in (("x.bin", b"\x00\x01\x02"), ("e.txt", b""), ("README.md", readme), ("p.png", picture)):
            assert refused(japan, [*beside, file]) == ["inbox-unknown"]
        assert refused(japan, [*beside, ("paper.pdf", b"%PDF-1.7\n%\xe2\xe3\n1 0 obj")]) == ["inbox-unknown"]
        assert not Report.objects.exists()
        report = taken(japan)
        with pytest.raises(RefusedError):
            add_files(report, [("p.png", picture)], CLUB)
        assert report.files.count() == 1

    def test_a_mail_with_a_link_alone_is_held_until_its_page_comes(self, japan, shared):
        report = taken(japan, [("link.eml", LINK)])
        assert report.state == Report.State.HELD
        assert sentences(report, "inbox-link") == [
            (
                "The mail of 2026-05-03 announces the page tnr1394532 of Chess-Results; "
                "the report waits until the page is saved and added."
            )
        ]
        page = (shared / "data/chessresults/ussa2026_roundrobin_crosstable.html").read_bytes()
        source = read((("p.html", page),)).incoming.reports[0][1].event.source
        assert source
        other = taken(japan, [("link2.eml", LINK.replace(b"tnr1394532", source.encode()))])
        joined = taken(japan, [("page.html", page)])
        assert (joined.pk, joined.state, joined.files.count()) == (other.pk, Report.State.WAITING, 2)
        assert "inbox-link" not in codes(joined)
        fields = review_report(joined, TODAY).events[0].known.fields
        assert fields["reporter"].value == "Kato"


LINK = b"""From: Kato <kato@example.org>
To: office@example.org
Subject: report
Date: Sun, 3 May 2026 10:00:00 +0900
Message-ID: <1@example.org>
Content-Type: text/plain

https://chess-results.com/tnr1394532.aspx
"""


def mail_with(data):
    from email.message import EmailMessage

    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "a@example.org", "b@example.org", "report"
    mail["Date"] = "Sun, 3 May 2026 10:00:00 +0900"
    mail.set_content("here")
    mail.add_attachment(data, maintype="application", subtype="zip", filename="r.xlsx")
    return mail.as_bytes()


class TestItsWay:
    def test_held_sent_back_refused_need_a_reason(self, japan):
        report = taken(japan)
        for act in (reports.hold, reports.send_back, reports.refuse):
            with pytest.raises(NoReasonError):
                act(report, OFFICER, "  ")
        reports.hold(report, OFFICER, "which club?")
        reports.send_back(report, OFFICER, "wrong file")
        steps = [(s.state, s.author, s.why) for s in report.steps.order_by("pk")]
        assert steps == [
            ("waiting", "club", ""),
            ("held", "officer", "which club?"),
            ("returned", "officer", "wrong file"),
        ]

    @pytest.mark.parametrize("last", [reports.send_back, reports.refuse])
    def test_what_is_closed_stays_closed(self, japan, last):
        report = taken(japan)
        last(report, OFFICER, "no")
        for act in (
            lambda: reports.hold(report, OFFICER, "x"),
            lambda: reports.refuse(report, OFFICER, "x"),
            lambda: reports.accept(report, OFFICER, TODAY),
            lambda: reports.set_fields(report, {"speed": "rapid"}, OFFICER),
            lambda: decide(report, 1, "x", "J001"),
            lambda: add_files(report, [("a", b"b")], OFFICER),
        ):
            with pytest.raises(ReportClosedError):
                act()
        assert rows(japan)[0] == Event.objects.exclude(event_id__contains="hinoki-spring").count()

    def test_counts_and_clubs(self, japan):
        taken(japan)
        reports.hold(taken(japan, club_id="C02"), OFFICER, "x")
        assert reports.counts(japan, None)["waiting"] == 1
        assert reports.counts(japan, {"C02"}) == {
            "waiting": 0,
            "held": 1,
            "returned": 0,
            "accepted": 0,
            "refused": 0,
            "withdrawn": 0,
        }

    def test_a_list_that_is_published_meanwhile_is_seen(self, japan, monkeypatch):
        report, reviews = taken(japan), []

        def publish_behind(*asked):
            reviews.append(review_report(*asked))
            if len(reviews) == 1:
                publish(japan, names_of(read_book(japan))[0], OFFICER, TODAY)
            return reviews[-1]

        monkeypatch.setattr(reports, "review_report", publish_behind)
        reports.accept(report, OFFICER, TODAY)
        assert len(reviews) == 2

    def test_a_club_takes_its_report_back_until_it_is_accepted(self, japan):
        report = taken(japan)
        step = reports.withdraw(report, CLUB, " the wrong file ")
        assert (step.state, step.why) == ("withdrawn", "the wrong file")
        with pytest.raises(ReportClosedError):
            reports.accept(report, OFFICER, TODAY)
        again = taken(japan)
        assert again.pk != report.pk
        reports.accept(again, OFFICER, TODAY)
        with pytest.raises(ReportClosedError):
            reports.withdraw(again, CLUB)


class TestAccepting:
    def test_event_games_and_newcomers_enter_together(self, japan):
        report = taken(japan, hinoki(GOTO_Makoto="ZZZZ Yyyy"))
        decide(report, 4, "ZZZZ Yyyy", NEW)
        before = rows(japan)
        step = reports.accept(report, OFFICER, TODAY)
        assert [now - then for now, then in zip(rows(japan), before, strict=True)] == [1, 15, 1]
        assert step.entry.act == "accept-report"
        event = Event.objects.get(entry=step.entry)
        assert (event.event_id, event.organiser, event.speed) == (
            "2025-04-26-hinoki-spring-match",
            "F01",
            "standard",
        )
        assert Player.objects.get(entry=step.entry).player_id == "J036"
        noted = JournalEntry.objects.get(act="accept-report")
        assert noted.who == "officer"
        assert noted.what == {
            "report": report.pk,
            "entry": step.entry.pk,
            "events": [event.event_id],
            "games": 15,
            "new": ["J036"],
            "excluded": 0,
        }
        read_book(japan)

    def test_twice_is_told_and_enters_once(self, japan):
        report = taken(japan)
        reports.accept(report, OFFICER, TODAY)
        before = rows(japan)
        with pytest.raises(ReportClosedError) as told:
            reports.accept(report, Actor("another"), TODAY)
        assert told.value.sentence("en").startswith(f"Report {report.pk} was decided on by officer on ")
        assert rows(japan) == before

    def test_what_is_not_settled_is_not_entered(self, japan):
        report = taken(japan, hinoki(GOTO_Makoto="ZZZZ Yyyy"))
        before = rows(japan)
        with pytest.raises(ReportNotReadyError):
            reports.accept(report, OFFICER, TODAY)
        assert rows(japan) == before
        assert Report.objects.get().state == "waiting"

    def test_it_is_looked_at_again_when_the_book_moves_on(self, japan, monkeypatch):
        report, looks = taken(japan), []

        def look(*args):
            found = inbox_accepting_look(*args)
            looks.append(found.position)
            if len(looks) == 1:
                enter_club(japan)
            return found

        inbox_accepting_look = reports.review_report
        monkeypatch.setattr(reports, "review_report", look)
        reports.accept(report, OFFICER, TODAY)
        assert len(looks) == 2
        assert standing_rows(japan, facts.Event).filter(event_id__contains="hinoki-spring").count() == 1

    def test_rulings_are_recorded(self, japan):
        report = taken(japan, reported=date(2025, 9, 1))
        reports.set_fields(report, {RULING: "accept-late", EXCLUDED: [(1, 1, 6)]}, OFFICER)
        assert sentences(report, "inbox-ruled-out") == ["Games left out by a ruling: 1 (JCF 3(8))."]
        step = reports.accept(report, OFFICER, TODAY)
        assert Event.objects.get(entry=step.entry).ruling == "accept-late"
        games = Game.objects.filter(entry=step.entry, ruling="exclude")
        assert [(game.round, game.white, game.black) for game in games] == [(1, "J001", "J004")]

    def test_the_readable_part_of_a_faulty_file(self, japan):
        report = taken(japan, hinoki(**{"2_w_=": "2_w_x"}))
        assert codes(report, weight=BLOCKS)
        reports.set_fields(report, {READABLE: True}, OFFICER)
        assert not codes(report, weight=BLOCKS)
        step = reports.accept(report, OFFICER, TODAY)
        assert 0 < Game.objects.filter(entry=step.entry).count() < 15

    def test_is_it_rated_yet(self, japan):
        report = taken(japan)
        assert status_of(report).state == "waiting"
        reports.accept(report, OFFICER, TODAY)
        (waits,) = status_of(report).events
        assert (waits.list, waits.published) == ("2025-06", None)
        publish(japan, "2025-06", OFFICER, date(2025, 6, 1))
        standing = status_of(report)
        (rated,) = standing.events
        assert standing.is_rated
        assert (rated.published.name, rated.rated, rated.games) == ("2025-06", 28, 30)

    def test_a_file_of_the_wild_goes_from_upload_to_the_book(self, shared, ledger_folder):
        pool = enter_folder("club", ledger_folder("hakodate"), "test")
        path = shared / "data/trf/chesspairing_basic.trf"
        report = receive(pool, [(path.name, path.read_bytes())], {}, Sender(CLUB, None, "", "upload"))
        review = review_report(report, TODAY)
        reports.decide(
            report,
            [Decision(u.file, u.reported.number, u.reported.name, NEW) for u in review.undecided],
            OFFICER,
        )
        needed = {
            f.fault.column for f in review_report(report, TODAY).problems if f.fault.code == "inbox-field"
        }
        reports.set_fields(report, {name: value for name, value in FILLED.items() if name in needed}, OFFICER)
        step = reports.accept(report, OFFICER, TODAY)
        assert Game.objects.filter(entry=step.entry).count() == len(
            read(((path.name, path.read_bytes()),)).incoming.reports[0][1].games
        )


FILLED = {"name": "An Open", "starts": date(2025, 1, 4), "ends": date(2025, 1, 9)}


def enter_club(pool):
    club = facts.Club("X9", "Another", "club", date(2025, 1, 1), date(2025, 12, 31))
    add_facts(open_entry(pool, Act("another", "add-club")), TABLES[facts.Club], [club])
    assert Club.objects.filter(club_id="X9").exists()


class TestGo:
    @pytest.fixture
    def server(self):
        return enter_folder("go", EXAMPLES / "go-server", "test")

    def files(self, black, white, ended="2025-06-01T12:00:00+00:00"):
        sgf = f"(;GM[1]FF[4]SZ[19]KM[6.5]PB[{black}]PW[{white}]BR[5k]WR[5k]RE[B+R];B[aa];W[bb])"
        table = f"file,ended\ngame.sgf,{ended}\n"
        return [("game.sgf", sgf.encode()), ("games.csv", table.encode())]

    def test_games_enter_by_handle(self, server):
        one, two = Event.objects.none(), list(read_book(server).players[:2])
        assert not one
        report = receive(
            server, self.files(two[0].player_id, two[1].player_id), {}, Sender(CLUB, None, "", "upload")
        )
        review = review_report(report, TODAY)
        assert not [p for p in review.problems if p.weight == BLOCKS], [
            problem_text(p, "en") for p in review.problems
        ]
        assert {change.player_id for change in preview(report, TODAY)[0].changes} == {
            p.player_id for p in two
        }
        step = reports.accept(report, OFFICER, TODAY)
        assert GoGame.objects.get(entry=step.entry).result == "B"
        assert status_of(report).events[0].list == "2025-07"

    def test_an_unknown_handle_is_decided_on(self, server):
        two = list(read_book(server).players[:2])
        report = receive(
            server, self.files("nobody99", two[1].player_id), {}, Sender(CLUB, None, "", "upload")
        )
        assert "inbox-undecided" in codes(report)
        reports.decide(report, [Decision("game.sgf", 0, "nobody99", NEW)], OFFICER)
        review = review_report(report, TODAY)
        assert [player.player_id for player in review.go.added] == ["nobody99"]
        reports.decide(report, [Decision("game.sgf", 0, "nobody99", two[0].player_id)], OFFICER)
        assert [game.black for game in review_report(report, TODAY).go.games] == [two[0].player_id]

    def test_a_newcomer_is_on_no_ranking_of_before(self, server):
        (ranking,) = publish(server, "2026-02", OFFICER, date(2026, 7, 1))
        known = next(iter(read_book(server).players)).player_id
        files = self.files("nobody99", known, "2026-03-16T12:00:00+09:00")
        report = receive(server, files, {}, Sender(CLUB, None, "", "upload"))
        reports.decide(report, [Decision("game.sgf", 0, "nobody99", NEW)], OFFICER)
        reports.accept(report, OFFICER, date(2026, 7, 1))
        assert [made.name for made in publish(server, "2026-04", OFFICER, date(2026, 7, 1))] == [
            "2026-03",
            "2026-04",
        ]
        on = server.lists.filter(rows__player_id="nobody99")
        assert list(on.values_list("name", flat=True)) == ["2026-04"]
        assert ranking.rows.count() == 25
