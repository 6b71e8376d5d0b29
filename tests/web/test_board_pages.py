"""The board: rehearsing, publishing, verifying, correcting through the pages, as officer and as chief."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from datetime import UTC, date, datetime

import openpyxl
import pytest
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils.timezone import localdate
from published_pools import EXAMPLES
from repeated import entered_pool, repeated
from small_office import LEDGERS, client, small_pool

from banzuke.core import facts
from banzuke.database.book_writer import Act, open_entry
from banzuke.database.models import (
    Game,
    Inquiry,
    Job,
    JournalEntry,
    ListRow,
    Player,
    RatingList,
    Role,
    Strike,
)
from banzuke.office.fact_rows import standing_rows
from banzuke.office.jobs import job_queue, planned_publications, pool_size
from banzuke.office.journal import Actor
from banzuke.office.json_codec import from_json, to_json
from banzuke.office.lists import coming_list, corrections, publishing, rehearsal
from banzuke.office.objections.proposals import turned
from banzuke.web.pending_work import board_work

pytestmark = pytest.mark.django_db

BOARD = "/office/japan/board/"
ME = Actor("test")


@pytest.fixture
def pool():
    return small_pool("japan")


@pytest.fixture
def chief(pool):
    return client("chief", pool)


@pytest.fixture
def officer(pool):
    return client("officer", pool)


def text(answer, status=200):
    assert answer.status_code == status
    return " ".join(answer.content.decode().split())


def rehearse(who, name="2024-07", board=BOARD):
    return text(who.post(f"{board}rehearsals/{name}/again/", follow=True))


def published(pool, name="2024-07"):
    return publishing.publish(pool, name, ME, date(2026, 1, 1))


class TestTheComingList:
    def test_what_is_in_it(self, officer):
        page = text(officer.get(BOARD))
        assert "Next list: 2024-07" in page
        assert "Its window closed on 2024-06-20" in page
        assert "Events of the window 2024-05-21 to 2024-06-20" in page
        assert "Open, June" in page
        assert "fee not paid in time" in page
        assert "1 event is left out unless its fee is paid or waived" in page
        assert "No reports are waiting." in page

    def test_in_japanese(self, pool):
        page = text(client("officer", pool, lang="ja").get(BOARD))
        assert "次のリスト：2024年7月" in page
        assert "リストと訂正</a>" in page
        assert "未処理の報告はありません。" in page
        assert "更新料が期日までに未払い" in page

    @pytest.mark.parametrize("kind", ["hakodate", "fide", "go"])
    def test_of_every_kind_of_pool(self, kind):
        pool = small_pool(kind)
        who = client("chief", pool)
        assert "Next list:" in text(who.get(f"/office/{kind}/board/"))
        coming = coming_list.find_coming_list(pool, date(2026, 1, 1))
        assert f"Rehearsal of {coming.name}" in rehearse(who, coming.name, f"/office/{kind}/board/")
        url = f"/office/{kind}/board/rehearsals/{coming.name}/publish/"
        assert "is published" in text(who.post(url, {"confirm": coming.name}, follow=True))
        assert text(who.get(f"/office/{kind}/board/"))

    def test_a_list_of_one_event_is_called_by_the_event(self):
        pool = small_pool("hakodate")
        event = standing_rows(pool, facts.Event).order_by("ends", "event_id").first()
        page = text(client("officer", pool).get("/office/hakodate/board/"))
        assert f"Next list: {event.name}, {event.ends}" in page

    def test_a_ruling_is_said_in_words(self, tmp_path):
        shutil.copytree(LEDGERS / "japan", tmp_path / "ruled")
        events = tmp_path / "ruled" / "events.csv"
        first, *rows = list(csv.reader(io.StringIO(events.read_text(encoding="utf-8"))))
        with events.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([[*first, "ruling"], *([*row, "accept-late"] for row in rows)])
        pool = entered_pool("ruled", tmp_path / "ruled", "test")
        page = text(client("officer", pool).get("/office/ruled/board/"))
        assert '<span class="tag">taken although late</span>' in page
        assert "accept-late" not in page

    def test_nothing_waits(self):
        pool = small_pool("hakodate")
        last = standing_rows(pool, facts.Event).order_by("-ends", "-event_id").first()
        published(pool, last.event_id)
        assert "No events are waiting to be published." in text(
            client("officer", pool).get("/office/hakodate/board/")
        )

    def test_a_pool_without_reports(self):
        pool = small_pool("japan", "empty")
        entry = open_entry(pool, Act("test", "strike"))
        for row in Game.objects.filter(pool=pool):
            Strike.objects.create(entry=entry, pool=pool, table="games", row=row.pk, day=date(2024, 6, 1))
        assert "Next list" in text(client("officer", pool).get("/office/empty/board/"))


class TestRehearsing:
    @pytest.mark.parametrize(("speeds", "is_named"), [(["standard", "rapid"], True), ([""], False)])
    def test_the_speed_is_named_where_there_are_several(self, speeds, is_named):
        page = render_to_string("board/rows.html", {"found": {"speeds": speeds}, "rows": []})
        assert (">Speed</th>" in page) is is_named

    def test_never_publishes(self, pool, officer):
        page = rehearse(officer)
        assert "Rehearsal of 2024-07" in page
        assert "Nothing is published." in page
        assert not RatingList.objects.exists()
        assert not ListRow.objects.exists()
        assert Job.objects.get().result["name"] == "2024-07"

    def test_shows_what_an_officer_looks_at(self, chief):
        page = rehearse(chief)
        for said in ("Biggest changes", "Who passes 2000, 2300 or 2400", "First ratings", "warning"):
            assert said in page
        assert "Publish it" in page

    def test_who_passes_a_mark_is_called_as_the_page_calls_players(self, pool, monkeypatch):
        passing = rehearsal.Passing
        monkeypatch.setattr(
            rehearsal, "marks_passed", lambda rows: [passing(2000, True, row) for row in rows]
        )
        names = Player.objects.filter(pool=pool).exclude(name_native="").values_list("name_native", flat=True)
        page = rehearse(client("chief", pool, lang="ja"))
        assert any(f"<li>{name} <span" in page for name in names)

    def test_an_officer_cannot_publish(self, officer):
        assert "A chief officer can publish it now." in rehearse(officer)
        assert officer.get(f"{BOARD}rehearsals/2024-07/publish/").status_code == 403
        assert officer.post(f"{BOARD}rehearsals/2024-07/publish/", {"confirm": "2024-07"}).status_code == 403

    def test_the_whole_list_and_its_files(self, officer):
        rehearse(officer)
        assert "The list as it would be" in text(officer.get(f"{BOARD}rehearsals/2024-07/rows/"))
        answer = officer.get(f"{BOARD}rehearsals/2024-07/list.csv")
        assert "rehearsal-japan-" in answer["Content-Disposition"]
        assert answer.content.decode("utf-8-sig").startswith("player_id,")
        book = openpyxl.load_workbook(io.BytesIO(officer.get(f"{BOARD}rehearsals/2024-07/list.xlsx").content))
        said = [str(cell.value) for sheet in book for row in sheet.iter_rows() for cell in row]
        assert "2024-07 (rehearsal)" in said
        assert officer.get(f"{BOARD}rehearsals/2024-07/list.pdf").status_code == 404

    def test_of_what_is_no_list(self, officer):
        answer = officer.post(f"{BOARD}rehearsals/soon/again/", follow=True)
        assert 'class="notice error"' in text(answer)
        assert officer.get(f"{BOARD}rehearsals/soon/").status_code == 404

    def test_what_is_kept_is_what_was_told(self, pool):
        found = rehearsal.rehearse(pool, "2024-07", date(2026, 1, 1))
        assert from_json(rehearsal.Rehearsal, json.loads(json.dumps(to_json(found)))) == found

    def test_who_passes_a_mark_either_way(self):
        from banzuke.office.lists.list_rows import Row

        def row(player, rating, change):
            return Row(
                "standard", 1, player, player, "", "", "", "", True, rating, 9, change, rating, "rated", None
            )

        rows = [
            row("up", 2003, 5),
            row("down", 1999, -1),
            row("same", 2000, 0),
            row("two", 2400, 150),
            row("new", 2500, None),
        ]
        found = [(each.mark, each.is_up, each.row.player_id) for each in rehearsal.marks_passed(rows)]
        assert found == [(2000, True, "up"), (2000, False, "down"), (2300, True, "two"), (2400, True, "two")]


class TestPublishing:
    URL = f"{BOARD}rehearsals/2024-07/publish/"

    def test_the_whole_way(self, pool, chief):
        rehearse(chief)
        assert "I have checked the rehearsal" in text(chief.get(self.URL))
        assert "Tick the box to publish." in text(chief.post(self.URL))
        assert not RatingList.objects.exists()
        page = text(chief.post(self.URL, {"confirm": "2024-07"}, follow=True))
        made = RatingList.objects.get()
        assert "List 2024-07 is published" in page
        assert made.sha256 in page
        assert (made.number, made.author) == (1, Role.objects.get(kind="chief").user.get_username())
        assert "This list is already published." in text(chief.get(self.URL))
        again = text(chief.post(self.URL, {"confirm": "2024-07"}, follow=True))
        assert "was published by" in again
        assert RatingList.objects.count() == 1

    def test_at_an_hour_shown_on_the_board_and_cancelled(self, pool, chief, officer):
        rehearse(chief)
        page = text(chief.post(self.URL, {"confirm": "2024-07", "when": "later"}))
        assert "Say the day and the hour." in page
        page = text(chief.post(self.URL, {"confirm": "2024-07", "when": "later", "hour": "2020-01-01T09:00"}))
        assert "That hour is over." in page
        said = {"confirm": "2024-07", "when": "later", "hour": "2099-01-01T09:00"}
        page = text(chief.post(self.URL, said, follow=True))
        assert "List 2024-07 will be published on 2099-01-01 09:00, planned by" in page
        assert "Cancel it" not in text(officer.get(BOARD))
        assert "is already planned to be published" in text(chief.post(self.URL, said))
        planned = pool.planned_publications.get()
        page = text(chief.post(f"{BOARD}planned/{planned.pk}/cancel/", follow=True))
        assert "The planned publication is cancelled." in page
        assert not RatingList.objects.exists()
        page = text(chief.post(self.URL, said, follow=True, headers={"accept-language": "ja"}))
        assert "リスト2024年7月は指定の日時に公表されます。" in page

    def test_why_it_was_not_published_stands_on_the_board(self, pool, chief):
        rehearse(chief)
        chief.post(self.URL, {"confirm": "2024-07", "when": "later", "hour": "2099-01-01T09:00"})
        pool.planned_publications.update(at="2024-07-01T00:00:00Z")
        open_entry(pool, Act("somebody", "late-entry"))
        planned_publications.start_due_publications(datetime.now(UTC))
        job_queue.work_off()
        assert "and was not: The ledger has changed: entry" in text(chief.get(BOARD))

    def test_not_when_the_book_moved_on(self, pool, chief):
        rehearse(chief)
        open_entry(pool, Act("somebody", "late-entry"))
        assert "Rehearse again before you publish" in text(chief.get(self.URL))
        page = text(chief.post(self.URL, {"confirm": "2024-07"}, follow=True))
        assert "The ledger has changed: entry" in page
        assert not RatingList.objects.exists()

    def test_not_while_the_window_is_open(self, chief, monkeypatch):
        day = date(2024, 6, 20)
        monkeypatch.setattr("banzuke.office.lists.coming_list.localdate", lambda: day)
        assert "Its window is open until 2024-06-20" in text(chief.get(BOARD))
        assert "The window is open until 2024-06-20" in rehearse(chief)
        page = text(chief.post(self.URL, {"confirm": "2024-07"}, follow=True))
        assert "is open until 2024-06-20" in page
        assert not RatingList.objects.exists()

    def test_what_the_worker_happened_to_take_has_its_own_page(self, pool, chief, monkeypatch):
        run = job_queue.run

        def taken(job):
            Job.objects.filter(pk=job.pk).update(state=Job.State.RUNNING)
            return run(job)

        monkeypatch.setattr(job_queue, "run", taken)
        answer = chief.post(f"{BOARD}rehearsals/2024-07/again/")
        assert answer.url == f"/office/jobs/{Job.objects.get().pk}/"

    def test_in_a_large_pool_the_worker_does_it(self, pool, chief, monkeypatch):
        monkeypatch.setattr(pool_size, "AT_ONCE", 0)
        answer = chief.post(f"{BOARD}rehearsals/2024-07/again/")
        job = Job.objects.get()
        assert (answer.url, job.state) == (f"/office/jobs/{job.pk}/", Job.State.WAITING)
        assert "rehearse to see" in text(chief.get(BOARD))
        job_queue.run(job)
        assert chief.get(answer.url).url == f"{BOARD}rehearsals/2024-07/"
        assert "rehearse to see" not in text(chief.get(BOARD))
        assert "Find out what would change" in text(chief.get(f"{BOARD}revisions/"))


class TestPublishedLists:
    def test_are_verified(self, pool, officer):
        published(pool)
        page = text(officer.post(f"{BOARD}lists/2024-07/0/verify/", follow=True))
        assert "are exactly the same" in page
        assert "verified" in text(officer.get(f"{BOARD}lists/"))
        assert officer.post(f"{BOARD}lists/2024-07/1/verify/").status_code == 404

    def test_a_list_that_was_tampered_with_differs(self, pool, officer):
        published(pool)
        job = Job.objects.create(
            pool=pool, kind="verify", author="x", at="2026-01-01T00:00:00Z", state="done",
            wanted={"list": "2024-07", "revision": 0},
            result={"is_good": False, "sha256": "0" * 64, "rows": 1, "lines": 2, "differences": [["2024-07", "standard", "J1", "ABE Jun", 1500, 1400, []]]},
        )  # fmt: skip
        assert job.pk
        page = text(officer.get(f"{BOARD}lists/2024-07/0/"))
        assert "restore a backup" in page
        assert "ABE Jun" in page


def example():
    """The example federation with its first lists published."""
    from banzuke.cli.demo import EXAMPLES

    return EXAMPLES


class TestCorrecting:
    """An inquiry of 2024-08-15 about a game of list 2024-06 (published 2024-06-01)."""

    @pytest.fixture
    def pool(self):
        def make():
            pool = entered_pool("japan", EXAMPLES / "japan")
            published(pool, "2024-10")
            return pool

        return repeated("japan to 2024-10", make)

    def ask(self, who, day="2024-08-15"):
        """The address of an inquiry, whose day a second officer has confirmed."""
        url = self.record(who, day)
        corrections.confirm_day(Inquiry.objects.latest("pk"), Actor("second"))
        return url

    def record(self, who, day="2024-08-15"):
        said = {"day": day, "asked_by": "SATO Taro", "about": "Round 1 was a draw."}
        return who.post(f"{BOARD}inquiries/", said).url

    def game(self, pool, event="2024-05-golden"):
        return standing_rows(pool, facts.Game).filter(event_id=event, result="1-0").first()

    def test_a_result_through_the_pages(self, pool, chief):
        url, game = self.ask(chief), self.game(pool)
        assert "Golden Week Open" in text(chief.get(f"{url}find/?q=golden"))
        assert game.white in text(chief.get(f"{url}find/?event={game.event_id}"))
        form = text(chief.get(f"{url}change/games/{game.pk}/"))
        assert 'value="1-0" selected' in form
        assert '<option value="u1-0">1-0 (played, not rated)</option>' in form
        cells = {
            "round": game.round,
            "white": game.white,
            "black": game.black,
            "result": "1/2-1/2",
            "played": "",
        }
        if game.played:
            cells["played"] = game.played.isoformat()
        page = text(chief.post(f"{url}change/games/{game.pk}/", cells, follow=True))
        assert "Result: 1-0 → 1/2-1/2" in page
        preview = text(chief.get(f"{url}preview/"))
        assert "Ratings that change" in preview
        name = standing_rows(pool, facts.Player).get(player_id=game.white).name
        assert f'<th scope="row" class="name">{name} ({game.white})</th>' in preview
        assert f"<td>{game.event_id}</td>" not in preview
        before = list(RatingList.objects.values_list("name", flat=True))
        assert standing_rows(pool, facts.Game).filter(pk=game.pk).exists()
        page = text(chief.post(f"{url}carry-out/", {"carry-why": "the score sheet says so"}, follow=True))
        assert "the score sheet says so" in page
        revised = RatingList.objects.filter(revision=1)
        assert revised.exists()
        assert RatingList.objects.count() == len(before) + revised.count()
        assert not standing_rows(pool, facts.Game).filter(pk=game.pk).exists()
        assert set(revised.values_list("why", flat=True)) == {"the score sheet says so"}
        lists = text(chief.get(f"{BOARD}lists/"))
        assert f'href="{url}"' in lists
        assert "None. Every published list agrees with the ledger." in text(chief.get(f"{BOARD}revisions/"))
        assert chief.get(f"{url}find/").status_code == 404  # closed

    def test_the_preview_is_exactly_what_is_published(self, pool, chief):
        url, game = self.ask(chief), self.game(pool)
        chief.post(f"{url}strike/games/{game.pk}/")
        chief.get(f"{url}preview/")
        rows = chief.get(f"{url}preview.csv").content.decode("utf-8-sig").splitlines()[1:]
        told = {tuple(row.split(",")[:3]): row.split(",")[-1] for row in rows if ",rating," in row}
        assert told
        chief.post(f"{url}carry-out/", {"carry-why": "never played"})
        for (name, speed, player), after in told.items():
            found = ListRow.objects.filter(list__name=name, list__revision=1, speed=speed, player_id=player)
            assert [str(row.rating) for row in found] == ([after] if after else [])

    def test_which_lists_may_change(self, pool, chief):
        url = self.ask(chief, "2024-08-30")  # 90 days after 2024-06-01
        chief.post(f"{url}strike/games/{self.game(pool).pk}/")
        page = text(chief.get(f"{url}preview/"))
        frozen = page.partition("Frozen: 90 days or older</dt>")[2].partition("</dd>")[0]
        assert "2024-06" in frozen
        assert "2024-07" not in frozen
        other = self.ask(chief, "2024-08-29")
        chief.post(f"{other}strike/games/{self.game(pool).pk}/")
        page = text(chief.get(f"{other}preview/"))
        assert "2024-06" not in page.partition("Frozen: 90 days or older</dt>")[2].partition("</dd>")[0]

    def test_no_days_are_named_where_the_book_has_no_such_rule(self):
        pool = small_pool("hakodate")
        event = standing_rows(pool, facts.Event).order_by("ends", "event_id").first()
        published(pool, event.event_id)
        chief, board = client("chief", pool), "/office/hakodate/board/"
        said = {"day": localdate().isoformat(), "asked_by": "A", "about": "a draw"}
        url = chief.post(f"{board}inquiries/", said).url
        chief.post(f"{url}strike/games/{standing_rows(pool, facts.Game).first().pk}/")
        page = text(chief.get(f"{url}preview/"))
        assert "Can still be corrected" in page
        assert "Frozen" not in page
        assert "90 days" not in page

    def test_noted_once_though_the_form_comes_twice(self, officer, chief):
        first, again = self.record(officer), self.record(officer)
        assert first == again
        assert self.record(chief) != first
        assert self.record(officer, "2024-08-14") != first
        corrections.dismiss(Inquiry.objects.earliest("pk"), ME, "no")
        assert self.record(officer) != first

    def test_an_earlier_day_counts_once_another_officer_confirms_it(self, pool, chief, officer):
        url = self.record(chief)
        chief.post(f"{url}strike/games/{self.game(pool).pk}/")
        assert "Can still be corrected</dt><dd>none</dd>" in text(chief.get(f"{url}preview/"))
        page = text(chief.get(url))
        assert "Dated back to 2024-08-15, waits for a second officer." in page
        assert "You recorded it, so another officer must confirm." in page
        assert "Confirm that" not in page
        refused = text(chief.post(f"{url}confirm-day/", follow=True))
        assert "You recorded this inquiry yourself: another officer must confirm" in refused
        assert Inquiry.objects.get().needs_confirmation
        assert "waits for a second officer" in text(officer.get(f"{BOARD}inquiries/"))
        assert "Confirm that it was asked on 2024-08-15" in text(officer.get(url))
        page = text(officer.post(f"{url}confirm-day/", follow=True))
        assert "The inquiry now counts from 2024-08-15." in page
        assert "chief-japan recorded it on" in page
        assert "officer-japan confirmed the earlier day" in page
        assert "waits for a second officer" not in text(officer.get(f"{BOARD}inquiries/"))
        assert "Ratings that change" in text(chief.get(f"{url}preview/"))
        again = text(officer.post(f"{url}confirm-day/", follow=True))
        assert "No earlier day of this inquiry waits" in again
        assert [each.who for each in JournalEntry.objects.filter(act="confirm-day")] == ["officer-japan"]

    def test_an_earlier_day_that_nobody_confirmed_did_not_count(self, pool, officer):
        url = self.record(officer)
        corrections.dismiss(Inquiry.objects.get(), ME, "the report is right")
        assert "No second officer confirmed it" in text(officer.get(url))
        who = client("chief", pool)
        assert "The inquiry was closed by test" in text(who.post(f"{url}confirm-day/", follow=True))

    def test_an_inquiry_of_today_needs_nobody(self, officer):
        page = text(officer.get(self.record(officer, localdate().isoformat())))
        assert "Dated back" not in page

    def test_colours_swapped(self, pool, chief):
        url, game = self.ask(chief), self.game(pool)
        page = text(chief.post(f"{url}swap/{game.pk}/", follow=True))
        assert "Result: 1-0 → 0-1" in page
        names = dict(standing_rows(pool, facts.Player).values_list("player_id", "name"))
        white, black = (f"{names[each]} ({each})" for each in (game.white, game.black))
        assert f"{white} → {black}" in page
        again = text(chief.post(f"{url}strike/games/{game.pk}/", follow=True))
        assert "Take that change out first" in again
        inquiry = Inquiry.objects.get()
        assert len(inquiry.draft) == 2
        stale = chief.post(f"{url}take-back/", {"first": "0", "count": "2", "seen": "other"}, follow=True)
        assert "Somebody changed the draft meanwhile" in text(stale)
        seen = re.search(r'name="seen" value="(\w+)"', stale.text).group(1)
        chief.post(f"{url}take-back/", {"first": "0", "count": "2", "seen": seen})
        inquiry.refresh_from_db()
        assert inquiry.draft == []

    @pytest.mark.parametrize(
        "said",
        [
            {},
            {"first": "5", "count": "1"},
            {"first": "-1", "count": "1"},
            {"first": "0", "count": "9"},
            {"first": "9" * 4_301, "count": "1"},
        ],
    )
    def test_taking_back_what_is_not_there(self, pool, chief, said):
        assert chief.post(f"{self.ask(chief)}take-back/", said).status_code == 404

    @pytest.mark.parametrize(
        ("result", "other"),
        [("1-0", "0-1"), ("1/2-1/2", "1/2-1/2"), ("+/-", "-/+"), ("-/-", "-/-"), ("u0-1", "u1-0")],
    )
    def test_mirrored(self, result, other):
        assert turned(result) == other

    def test_a_birth_date_an_event_and_a_membership(self, pool, chief):
        url = self.ask(chief)
        player = standing_rows(pool, facts.Player).first()
        form = chief.get(f"{url}change/players/{player.pk}/").context["form"]
        said = {name: form.initial.get(name, "") for name in form.fields} | {"birth_date": "2009-05-05"}
        assert "Birth date: " in text(chief.post(f"{url}change/players/{player.pk}/", said, follow=True))
        event = standing_rows(pool, facts.Event).first()
        form = chief.get(f"{url}change/events/{event.pk}/").context["form"]
        said = {name: form.initial.get(name, "") for name in form.fields} | {"ruling": "exclude"}
        assert "Ruling: – → left out of the list" in text(
            chief.post(f"{url}change/events/{event.pk}/", said, follow=True)
        )
        page = text(chief.get(f"{url}add/memberships/?player=J001"))
        assert 'value="J001"' in page
        said = {"player_id": "J001", "kind": "annual", "valid_from": "2023-04-01", "valid_to": "2024-03-31"}
        assert "(J001), 2023-04-01 – 2024-03-31" in text(
            chief.post(f"{url}add/memberships/", said, follow=True)
        )
        assert "Ratings that change" in text(chief.get(f"{url}preview/"))
        assert "2009-05-05" not in str(list(pool.journal.values_list("what", flat=True)))

    def test_cells_that_are_wrong(self, pool, chief):
        url, game = self.ask(chief), self.game(pool)
        cells = {"round": "0", "white": game.white, "black": game.black, "result": "2-0", "played": "soon"}
        page = text(chief.post(f"{url}change/games/{game.pk}/", cells))
        assert page.count('class="errorlist"') == 3
        same = {"round": game.round, "white": game.white, "black": game.black, "result": game.result}
        same["played"] = game.played.isoformat() if game.played else ""
        assert "Nothing was changed." in text(chief.post(f"{url}change/games/{game.pk}/", same, follow=True))

    def test_what_would_not_hold_together_is_refused(self, pool, chief):
        url = self.ask(chief)
        said = {
            "event_id": "2024-05-golden",
            "round": "1",
            "white": "J001",
            "black": "NOBODY",
            "result": "1-0",
        }
        chief.post(f"{url}add/games/", said)
        assert "the ledger would contradict itself" in text(chief.get(f"{url}preview/"))
        page = text(chief.post(f"{url}carry-out/", {"carry-why": "x"}, follow=True))
        assert "there would be a contradiction" in page or "would contradict itself" in page
        assert Inquiry.objects.get().state == "open"
        assert not RatingList.objects.filter(revision=1).exists()

    def test_an_officer_drafts_and_the_chief_carries_out(self, pool, officer):
        url = self.ask(officer)
        page = text(officer.post(f"{url}strike/games/{self.game(pool).pk}/", follow=True))
        assert "A chief officer can carry it out." in page
        assert officer.post(f"{url}carry-out/", {"carry-why": "x"}).status_code == 403
        assert officer.post(f"{url}dismiss/", {"dismiss-why": "x"}).status_code == 403

    def test_dismissed(self, pool, chief):
        url = self.ask(chief)
        assert "This field is required." in text(chief.post(f"{url}dismiss/"))
        page = text(chief.post(f"{url}dismiss/", {"dismiss-why": "the report is right"}, follow=True))
        assert "The inquiry is dismissed." in page
        assert "the report is right" in text(chief.get(f"{BOARD}inquiries/"))
        assert "The inquiry was closed by" in text(
            chief.post(f"{url}dismiss/", {"dismiss-why": "x"}, follow=True)
        )

    def test_nobody_asks_tomorrow(self, pool, chief):
        said = {"day": "2999-01-01", "asked_by": "x", "about": "y"}
        assert "That day has not come yet." in text(chief.post(f"{BOARD}inquiries/", said))

    def test_in_japanese(self, pool):
        who = client("chief", pool, lang="ja")
        url = self.ask(who)
        page = text(who.post(f"{url}strike/games/{self.game(pool).pk}/", follow=True))
        assert "訂正の内容" in page
        assert "訂正できるリスト" in text(who.get(f"{url}preview/"))

    def test_of_another_pool_is_not_found(self, pool, chief):
        url = self.ask(chief)
        other = small_pool("fide")
        who = client("chief", other)
        assert who.get(url).status_code == 403
        assert who.get(url.replace("japan", "fide")).status_code == 404


class TestRevisionsDue:
    @pytest.fixture
    def pool(self):
        pool = small_pool("japan")
        published(pool, "2024-07")
        with_entry = open_entry(pool, Act("test", "late"))
        row = standing_rows(pool, facts.Event).get(event_id="E1")
        from banzuke.office.fact_rows import record_of, replace

        event = record_of(row, facts.Event)
        from dataclasses import replace as changed

        replace(with_entry, row, changed(event, ruling="waive-fee"), date(2024, 8, 1))
        return pool

    def test_are_shown_and_published_with_a_reason(self, pool, chief):
        assert "1 published list must be revised first" in text(chief.get(BOARD))
        page = text(chief.get(f"{BOARD}revisions/"))
        assert "The ledger now gives other figures than 1 published list." in page
        assert "This field is required." in text(chief.post(f"{BOARD}revisions/publish/"))
        text(chief.post(f"{BOARD}revisions/publish/", {"why": "the fee was waived"}, follow=True))
        assert RatingList.objects.filter(revision=1).values_list("name", "why").get() == (
            "2024-07",
            "the fee was waived",
        )
        assert "None. Every published list agrees" in text(chief.get(f"{BOARD}revisions/"))
        again = text(chief.post(f"{BOARD}revisions/publish/", {"why": "twice"}, follow=True))
        assert "There is nothing to publish." in again

    def test_come_before_the_next_list(self, pool, chief):
        page = rehearse(chief, "2024-08")
        assert "The revisions of 2024-07 must be published first." in page
        url = f"{BOARD}rehearsals/2024-08/publish/"
        page = text(chief.post(url, {"confirm": "2024-08"}, follow=True))
        assert "publish the revisions first" in page
        assert f'<a href="{BOARD}revisions/">Revisions due</a>' in page
        assert RatingList.objects.count() == 1

    def test_not_by_an_officer(self, officer):
        assert "A chief officer can publish them." in text(officer.get(f"{BOARD}revisions/"))
        assert officer.post(f"{BOARD}revisions/publish/", {"why": "x"}).status_code == 403

    def test_wait_on_the_desk(self, pool, chief):
        request = RequestFactory().get("/")
        request.user = Role.objects.get(kind="chief").user
        chief.post(f"{BOARD}inquiries/", {"day": "2024-08-15", "asked_by": "x", "about": "y"})
        found = {each.text: each.count for each in board_work(request, pool)}
        assert found == {
            "Open inquiries": 1,
            "List 2024-08 to publish": 1,
            "Lists whose revision is due": 1,
        }
        chief.post(f"{BOARD}rehearsals/soon/again/")
        assert {each.text: each.count for each in board_work(request, pool)}["Recent failures"] == 1


class TestReporters:
    def test_have_nothing_to_do_here(self, pool):
        who = client("reporter", pool, "C1")
        assert who.get(BOARD).status_code == 403
        assert who.get(f"{BOARD}inquiries/").status_code == 403
        request = RequestFactory().get("/")
        request.user = Role.objects.get(kind="reporter").user
        assert board_work(request, pool) == []
