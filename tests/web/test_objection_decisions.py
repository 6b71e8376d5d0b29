"""An objection on its way: the club's answer, the decision, the correction, an appeal, its mails, the numbers."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from objecting import SAID, address_of, day_in_time, newest, officer, pool_with_lists, secret, sent, text, won
from office.published_office import CHIEF, names

from banzuke.core import facts
from banzuke.database.models import (
    ClubQuestion,
    Inquiry,
    InquiryStep,
    JournalEntry,
    Objection,
    OfficeSettings,
    RatingList,
)
from banzuke.office.fact_rows import standing_rows
from banzuke.office.lists.correction_drafts import draft_strike
from banzuke.office.lists.list_index import current_lists, known_until
from banzuke.office.lists.publishing import publish
from banzuke.office.objections import kept_addresses, writer_acts
from banzuke.office.objections.numbers import numbers_of_list, numbers_of_pool

pytestmark = pytest.mark.django_db


@pytest.fixture
def pool():
    return pool_with_lists()


@pytest.fixture
def today(pool, monkeypatch):
    """The last day on which the newest list can be corrected. (Steps are dated by the clock, years later.)"""
    monkeypatch.setattr(writer_acts, "LEAST", timedelta(days=-9999))
    return day_in_time(pool, monkeypatch)


class TestDeciding:
    def test_upheld_the_proposal_is_drafted_carried_out_and_shown_to_the_writer(self, pool, today):
        line = won(pool)
        page, client = secret(sent(line)), officer(pool)
        number = Inquiry.objects.get().pk
        inquiry = f"/office/japan/board/inquiries/{number}/"
        shown = text(client, inquiry)
        assert "As rated" in shown
        assert "No report brought this" in shown
        assert "has not decided yet" in text(Client(), page)
        client.post(f"{inquiry}uphold/", {"uphold-why": "The sheet says so.", "uphold-clause": "§5"})
        assert "has not decided yet" not in text(Client(), page)
        strike, add = Inquiry.objects.get().draft
        assert (strike["act"], add["record"]["result"]) == ("strike", "1/2-1/2")
        assert "you are right" in text(Client(), page)
        assert "The sheet says so." in text(Client(), page)
        client.post(f"{inquiry}carry-out/", {"carry-why": "a wrong result"})
        assert Inquiry.objects.get().state == "corrected"
        assert RatingList.objects.filter(name=line.list.name, revision=1).exists()
        assert f"/japan/lists/{line.list.name}/?revision=1" in text(Client(), page)

    def test_a_list_published_afterwards_is_no_revision_that_it_led_to(self, pool, today):
        line = won(pool)
        page, client = secret(sent(line)), officer(pool)
        inquiry = f"/office/japan/board/inquiries/{Inquiry.objects.get().pk}/"
        client.post(f"{inquiry}uphold/", {"uphold-why": "so"})
        client.post(f"{inquiry}carry-out/", {"carry-why": "so"})
        later = names(pool)[2]
        publish(pool, later, CHIEF, date(2027, 1, 1))
        assert RatingList.objects.get(name=later).entry == InquiryStep.objects.latest("pk").entry
        for shown in (text(Client(), page), text(client, inquiry)):
            assert f"/japan/lists/{line.list.name}/" in shown
            assert f"/japan/lists/{later}/" not in shown

    @pytest.mark.parametrize("change", ["colours", "lost", "strike"])
    def test_other_proposals_become_drafts(self, pool, today, change):
        sent(won(pool), change=change)
        client, number = officer(pool), Inquiry.objects.get().pk
        client.post(f"/office/japan/board/inquiries/{number}/uphold/", {"uphold-why": "so"})
        draft = Inquiry.objects.get().draft
        assert [each["act"] for each in draft] == (["strike"] if change == "strike" else ["strike", "add"])

    def test_a_player_s_name_is_drafted(self, pool, today):
        player = won(pool).player_id
        said = SAID | {"change": "name_native", "right": "山田 太郎"}
        assert Client().post(f"/japan/wrong/?player={player}", said).status_code == 302
        client, number = officer(pool), Inquiry.objects.get().pk
        client.post(f"/office/japan/board/inquiries/{number}/uphold/", {"uphold-why": "so"})
        assert Inquiry.objects.get().draft[1]["record"]["name_native"] == "山田 太郎"

    def test_a_game_that_was_corrected_since_is_said_to_be_gone(self, pool, today):
        sent(won(pool), change="strike")
        inquiry = Inquiry.objects.get()
        client = officer(pool)
        client.post(f"/office/japan/board/inquiries/{inquiry.pk}/uphold/", {"uphold-why": "so"})
        client.post(f"/office/japan/board/inquiries/{inquiry.pk}/carry-out/", {"carry-why": "so"})
        assert "no longer stands in the ledger" in text(
            client, f"/office/japan/board/inquiries/{inquiry.pk}/"
        )

    def test_a_refusal_is_appealed_once_and_decided_by_another(self, pool, today):
        page = secret(sent(won(pool)))
        first, second = officer(pool), officer(pool, "other")
        inquiry = f"/office/japan/board/inquiries/{Inquiry.objects.get().pk}/"
        assert "You can appeal" not in text(Client(), page)
        first.post(f"{inquiry}dismiss/", {"dismiss-why": "The report says so.", "dismiss-clause": "§1"})
        shown = text(Client(), page)
        assert f"You can appeal once, until {today}." in shown
        assert "The report says so." in shown
        answers = [Client().post(f"{page}appeal/", {"why": "It is forged."}) for _ in range(2)]
        assert [one.status_code for one in answers] == [302, 302]
        assert InquiryStep.objects.filter(state="appealed").count() == 1
        assert "another chief officer decides" in text(first, inquiry)
        for act in ("dismiss", "uphold"):
            first.post(f"{inquiry}{act}/", {f"{act}-why": "still"})
        assert Inquiry.objects.get().state == "open"
        second.post(f"{inquiry}dismiss/", {"dismiss-why": "It is not forged."})
        assert Inquiry.objects.get().state == "dismissed"
        shown = text(Client(), page)
        assert "It is not forged." in shown
        assert "cannot be appealed any more" in shown
        assert Client().post(f"{page}appeal/", {"why": "again"}).status_code == 302
        assert Inquiry.objects.get().state == "dismissed"

    def test_whoever_was_appealed_against_is_not_offered_to_refuse_again(self, pool, today):
        page = secret(sent(won(pool)))
        first, second = officer(pool), officer(pool, "other")
        inquiry = f"/office/japan/board/inquiries/{Inquiry.objects.get().pk}/"
        first.post(f"{inquiry}dismiss/", {"dismiss-why": "The report says so."})
        Client().post(f"{page}appeal/", {"why": "It is forged."})
        second.post(f"{inquiry}uphold/", {"uphold-why": "It is forged indeed."})
        assert "Dismiss the inquiry" in text(second, inquiry)
        assert "Dismiss the inquiry" not in text(first, inquiry)

    def test_after_the_book_s_days_there_is_no_appeal(self, pool, today, monkeypatch):
        page = secret(sent(won(pool)))
        number = Inquiry.objects.get().pk
        officer(pool).post(f"/office/japan/board/inquiries/{number}/dismiss/", {"dismiss-why": "so"})
        late = today + timedelta(days=1)
        monkeypatch.setattr("banzuke.web.public.objection_pages.today_of", lambda _: late)
        assert "cannot be appealed any more" in text(Client(), page)
        Client().post(f"{page}appeal/", {"why": "late"})
        assert Inquiry.objects.get().state == "dismissed"

    def test_of_two_officers_one_decides(self, pool, today):
        sent(won(pool))
        inquiry = f"/office/japan/board/inquiries/{Inquiry.objects.get().pk}/"
        officer(pool).post(f"{inquiry}dismiss/", {"dismiss-why": "no"})
        officer(pool, "other").post(f"{inquiry}uphold/", {"uphold-why": "yes"})
        assert list(InquiryStep.objects.values_list("state", flat=True)) == ["dismissed"]
        assert Inquiry.objects.get().draft == []

    def test_the_clause_on_inquiries_is_filled_in_the_others_are_offered_and_it_is_linked(self, pool, today):
        page, client = secret(sent(won(pool))), officer(pool)
        inquiry = f"/office/japan/board/inquiries/{Inquiry.objects.get().pk}/"
        shown = text(client, inquiry)
        assert shown.count('value="NCS 3(7)" list="clauses"') == 2
        assert '<option value="NCS 1(1)">' in shown
        client.post(f"{inquiry}uphold/", {"uphold-why": "so", "uphold-clause": "NCS 3(7)"})
        client.post(f"{inquiry}dismiss/", {"dismiss-why": "after all", "dismiss-clause": "our statutes, 5"})
        shown = text(Client(), page)
        assert 'href="/japan/rules/ncs-2022/#ncs-37">NCS 3(7)</a>' in shown
        assert "<b>decided: nothing is corrected</b> our statutes, 5" in shown

    def test_the_page_shows_the_game_as_it_was_when_it_was_written_about(self, pool, today):
        line = won(pool)
        page, client = secret(sent(line)), officer(pool)
        inquiry = f"/office/japan/board/inquiries/{Inquiry.objects.get().pk}/"
        client.post(f"{inquiry}uphold/", {"uphold-why": "so"})
        client.post(f"{inquiry}carry-out/", {"carry-why": "so"})
        (list_now,) = RatingList.objects.filter(name=line.list.name, revision=1)
        assert (
            list_now.lines.get(player_id=line.player_id, event_id=line.event_id, round=line.round).score == 1
        )
        shown = text(Client(), page)
        assert re.search(r"<dt>Game</dt><dd>[^<]*\(1\)</dd>", shown)
        assert "the game was drawn" in shown
        assert f"revision 1 of list {line.list.name}" in shown

    def test_what_came_too_late_for_every_list_says_that_none_changes(self, pool, monkeypatch):
        line = won(pool)
        late = known_until(line.list) + timedelta(days=400)
        for where in ("web.public.objection_pages", "web.board.inquiry_pages", "web.board.jobs"):
            monkeypatch.setattr(f"banzuke.{where}.today_of", lambda _: late, raising=False)
        page, client = secret(sent(line)), officer(pool)
        inquiry = f"/office/japan/board/inquiries/{Inquiry.objects.get().pk}/"
        client.post(f"{inquiry}uphold/", {"uphold-why": "so"})
        client.post(f"{inquiry}carry-out/", {"carry-why": "so"})
        assert Inquiry.objects.get().state == "corrected"
        assert "No published list changes by it; lists that come will." in text(Client(), page)

    @pytest.mark.slow
    def test_of_two_about_one_game_the_second_is_closed_by_the_first_one_s_correction(self, pool, today):
        line = won(pool)
        other = line.list.lines.get(
            player_id=line.opponent_id, event_id=line.event_id, round=line.round, speed=line.speed
        )
        pages = [secret(sent(line)), secret(sent(other, about="It was a draw.", who="The other"))]
        first, second = (f"/office/japan/board/inquiries/{one.pk}/" for one in Inquiry.objects.order_by("pk"))
        client = officer(pool)
        assert f'href="{second}"' in text(client, first)
        assert f'href="{first}"' in text(client, second)
        client.post(f"{first}uphold/", {"uphold-why": "so"})
        client.post(f"{first}carry-out/", {"carry-why": "a wrong result"})
        client.post(f"{second}uphold/", {"uphold-why": "so, too"})
        number = Inquiry.objects.order_by("pk")[0].pk
        shown = text(client, second)
        assert f'<option value="{number}">Inquiry {number}: {SAID["about"]}</option>' in shown
        refused = client.post(f"{second}corrected-by/", {"by-by": "999", "by-why": "x"})
        assert refused.status_code == 200
        client.post(f"{second}corrected-by/", {"by-by": number, "by-why": "As the first one."})
        assert [one.state for one in Inquiry.objects.all()] == ["corrected"] * 2
        assert all(f"revision 1 of list {line.list.name}" in text(Client(), page) for page in pages)
        assert numbers_of_list(line.list)[:3] == (2, 2, 0)

    def test_what_is_open_can_be_withdrawn(self, pool, today):
        page, client = secret(sent(won(pool))), officer(pool)
        assert "Withdraw the inquiry" in text(Client(), page)
        assert Client().get(f"{page}withdraw/").status_code == 405
        strict = Client(enforce_csrf_checks=True)
        assert strict.post(f"{page}withdraw/").status_code == 403
        assert [Client().post(f"{page}withdraw/").status_code for _ in range(2)] == [302, 302]
        assert InquiryStep.objects.values_list("state", "author").get() == ("withdrawn", "")
        shown = text(Client(), page)
        assert "<b>withdrawn</b>" in shown
        assert "Withdraw the inquiry" not in shown
        assert "withdrawn" in text(client, "/office/japan/board/inquiries/")
        inquiry = f"/office/japan/board/inquiries/{Inquiry.objects.get().pk}/"
        client.post(f"{inquiry}dismiss/", {"dismiss-why": "late"})
        assert Inquiry.objects.get().state == "withdrawn"
        assert numbers_of_pool(pool)[0] == (1, 0, 0, 1, 0, None)
        assert "0 refused, 1 withdrawn, 0 open." in text(Client(), "/japan/objections/")

    @pytest.mark.slow
    def test_an_event_that_is_struck_since_leaves_both_pages(self, pool, today):
        line = won(pool)
        client, visitor = officer(pool), Client()
        address = f"/japan/wrong/?event={line.event_id}&list={line.list.name}"
        page = secret(visitor.post(address, {"about": "It never took place.", "who": "A. Player"}))
        number = Inquiry.objects.get().pk
        row = standing_rows(pool, facts.Event).get(event_id=line.event_id)
        draft_strike(Inquiry.objects.get(), "events", row.pk)
        client.post(f"/office/japan/board/inquiries/{number}/carry-out/", {"carry-why": "It never was."})
        assert not standing_rows(pool, facts.Event).filter(event_id=line.event_id).exists()
        assert client.get(f"/office/japan/board/inquiries/{number}/").status_code == 200
        shown = text(visitor, page)
        assert line.event_id in shown
        assert f"revision 1 of list {line.list.name}" in shown
        assert visitor.get(address).status_code == 404


class TestClub:
    def club(self, pool, line):
        return standing_rows(pool, facts.Event).get(event_id=line.event_id).organiser or "C1"

    def test_the_club_is_asked_and_answers_and_the_writer_sees_that_it_did(self, pool, today):
        line = won(pool)
        page, chief = secret(sent(line)), officer(pool)
        number, club = Inquiry.objects.get().pk, self.club(pool, line)
        inquiry = f"/office/japan/board/inquiries/{number}/"
        asked = {"ask-club": club, "ask-question": "Was it drawn?"}
        alone = chief.post(f"{inquiry}ask-club/", asked, follow=True).content.decode()
        assert "Nobody reports for this club in the office: ask it yourself." in alone
        chief.post(f"{inquiry}ask-club/", asked)
        question = ClubQuestion.objects.get()
        assert "with the club" in text(Client(), page)
        assert "with the club" in text(chief, "/office/japan/board/inquiries/")
        member, stranger = officer(pool, "club", "reporter", club), officer(pool, "far", "reporter", "C999")
        shown = text(member, "/office/japan/club/questions/")
        assert "Was it drawn?" in shown
        assert "A. Player" not in shown
        event = standing_rows(pool, facts.Event).get(event_id=line.event_id)
        assert event.name in shown
        japanese = member.get("/office/japan/club/questions/", headers={"accept-language": "ja"})
        assert event.name_native in japanese.content.decode()
        assert "/office/japan/club/questions/" in text(member, "/office/japan/club/")
        assert "Was it drawn?" not in text(stranger, "/office/japan/club/questions/")
        answer = f"/office/japan/club/questions/{question.pk}/answer/"
        assert stranger.post(answer, {f"{question.pk}-answer": "no"}).status_code == 404
        member.post(answer, {f"{question.pk}-answer": "Yes, drawn."})
        member.post(answer, {f"{question.pk}-answer": "No."})
        assert ClubQuestion.objects.get().answer == "Yes, drawn."
        assert "the club has answered" in text(Client(), page)
        assert "Yes, drawn." not in text(Client(), page)
        assert "Yes, drawn." in text(chief, inquiry)

    def test_lines_count_as_the_browser_counts_them_and_a_text_too_long_is_kept(self, pool, today):
        line = won(pool)
        sent(line)
        number, club = Inquiry.objects.get().pk, self.club(pool, line)
        member, chief = officer(pool, "club", "reporter", club), officer(pool)
        inquiry, page = f"/office/japan/board/inquiries/{number}/", "/office/japan/club/questions/"
        assert "The club also reads what the inquiry is about." in text(chief, inquiry)
        lines = "\r\n".join(["x" * 99] * 20)  # 1,999 letters with ends of one letter, 2,018 as sent
        chief.post(f"{inquiry}ask-club/", {"ask-club": club, "ask-question": lines})
        question = ClubQuestion.objects.get()
        assert question.question == lines.replace("\r\n", "\n")
        long = "the score sheet " * 130
        refused = member.post(f"{page}{question.pk}/answer/", {f"{question.pk}-answer": long})
        assert "Ensure this value has at most 2000 characters" in refused.content.decode()
        assert long in refused.content.decode()
        member.post(f"{page}{question.pk}/answer/", {f"{question.pk}-answer": lines})
        assert ClubQuestion.objects.get().answer == lines.replace("\r\n", "\n")

    def test_a_mail_at_each_step_leads_to_the_page_until_the_address_is_deleted(
        self, pool, today, mailoutbox, django_capture_on_commit_callbacks
    ):
        OfficeSettings.objects.update_or_create(pk=1, defaults={"sends_notices": True})
        with django_capture_on_commit_callbacks(execute=True):
            page = secret(sent(won(pool), email="player@example.org"))
        number = Inquiry.objects.get().pk
        with django_capture_on_commit_callbacks(execute=True):
            officer(pool).post(f"/office/japan/board/inquiries/{number}/dismiss/", {"dismiss-why": "no"})
        assert [mail.to for mail in mailoutbox] == [["player@example.org"]] * 2
        for mail in mailoutbox:
            assert f"http://testserver{page}" in mail.body
            assert "A. Player" not in mail.body
            assert "照会" not in mail.subject
        over, minute = datetime.now(UTC) + kept_addresses.KEPT, timedelta(minutes=1)
        assert kept_addresses.forget_addresses(over - minute) == 0
        assert kept_addresses.forget_addresses(over + minute) == 1
        found = Objection.objects.get()
        assert (found.email, found.salt, found.site) == ("", "", "")
        assert Client().get(page).status_code == 200
        assert "player@example.org" not in repr(list(JournalEntry.objects.values()))

    def test_an_office_without_mail_asks_for_no_address(self, pool, today):
        OfficeSettings.objects.update(sends_notices=False)
        assert 'name="email"' not in text(Client(), address_of(won(pool)))


class TestNumbers:
    def test_what_became_of_them_is_public(self, pool, today):
        lines = newest(pool).lines.filter(score=2)[:3]
        for line in lines:
            sent(line, about=f"wrong {line.pk}")
        client, (first, second, _) = officer(pool), Inquiry.objects.order_by("pk")
        client.post(f"/office/japan/board/inquiries/{first.pk}/dismiss/", {"dismiss-why": "no"})
        client.post(f"/office/japan/board/inquiries/{second.pk}/uphold/", {"uphold-why": "yes"})
        client.post(f"/office/japan/board/inquiries/{second.pk}/carry-out/", {"carry-why": "yes"})
        name = lines[0].list.name
        found = numbers_of_list(current_lists(pool).get(name=name))
        assert found == (3, 1, 1, 0, 1, 0)
        assert numbers_of_pool(pool)[0] == found
        said = "3 objections received: 1 upheld, 1 refused, 1 open."
        assert said in text(Client(), f"/japan/lists/{name}/{lines[0].speed}/")
        assert said in text(Client(), "/japan/objections/")
        assert f"{name},3,1,1,0,1,0" in text(Client(), "/japan/objections.csv")
        api = Client().get("/api/v1/pools/japan/objections").json()
        assert api["lists"] == [
            {
                "list": name,
                "received": 3,
                "upheld": 1,
                "refused": 1,
                "withdrawn": 0,
                "open": 1,
                "median_days": 0,
            }
        ]

    def test_of_a_pool_without_any_too(self, pool):
        assert "Nobody has objected" in text(Client(), "/japan/objections/")
