"""An objection without an account: from the form to its page, the officers, the club, and an appeal."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from office.published_office import TODAY, published
from web.small_office import user

from banzuke.core import facts
from banzuke.database.models import (
    ClubQuestion,
    Contact,
    Entry,
    Inquiry,
    InquiryStep,
    JournalEntry,
    Objection,
    OfficeSettings,
    RatingList,
)
from banzuke.office.fact_rows import standing_rows
from banzuke.office.lists.list_index import current_lists, known_until
from banzuke.office.objections import objections, secret_links
from banzuke.office.objections.numbers import numbers_of_list, numbers_of_pool

pytestmark = pytest.mark.django_db
SAID = {"about": "The score sheet says that it was a draw.", "who": "A. Player", "change": "drawn"}


@pytest.fixture
def pool():
    cache.clear()
    return published("japan", 1)


@pytest.fixture
def today(pool, monkeypatch):
    """A day within the correction days of the newest list."""
    day = known_until(newest(pool)) - timedelta(days=1)
    for where in (
        "banzuke.web.public.objection_pages",
        "banzuke.web.board.inquiry_pages",
        "banzuke.web.board.jobs",
    ):
        monkeypatch.setattr(f"{where}.today_of", lambda _: day, raising=False)
    return day


def newest(pool):
    """The newest list that has a won game."""
    return next(
        one for one in current_lists(pool) if one.lines.filter(score=2, change__isnull=False).exists()
    )


def won(pool):
    """A line of a won game in the newest list."""
    return newest(pool).lines.filter(score=2, change__isnull=False).order_by("position").first()


def address_of(line):
    return (
        f"/japan/wrong/?player={line.player_id}&event={line.event_id}&round={line.round}"
        f"&opponent={line.opponent_id}&list={line.list.name}&speed={line.speed}"
    )


def sent(line, client=None, **said):
    """The form about a game, filled in and sent."""
    client = client or Client()
    address = address_of(line)
    page = client.get(address).content.decode()
    chosen = re.search(r'name="game" value="([^"]+)"[^>]*checked', page)
    data = SAID | ({"game": chosen[1]} if chosen else {}) | said
    return client.post(address, data)


def secret(answer):
    assert answer.status_code == 302, answer.content.decode()[-3000:]
    return answer["Location"]


def officer(pool, name="boss", kind="chief", club=""):
    client = Client()
    client.force_login(user(kind, pool, club, name=name))
    return client


def text(client, address):
    return client.get(address).content.decode()


class TestWriting:
    def test_the_form_has_the_game_chosen_and_opens_an_inquiry_of_today(self, pool, today):
        line = won(pool)
        page = secret(sent(line))
        found = Objection.objects.get()
        assert (found.round, found.opponent_id, found.list) == (line.round, line.opponent_id, line.list)
        assert (found.inquiry.day, found.inquiry.asked_by) == (today, "A. Player")
        assert f"Inquiry {found.inquiry_id}" in text(Client(), page)
        assert "received" in text(Client(), page)

    def test_every_game_event_and_player_has_the_link(self, pool):
        line = won(pool)
        for address in (
            f"/japan/players/{line.player_id}/{line.list.name}/{line.speed}/",
            f"/japan/players/{line.player_id}/?opponent={line.opponent_id}",
            f"/japan/events/{line.event_id}/",
        ):
            links = re.findall(r'href="(/japan/wrong/\?[^"]+)"', text(Client(), address))
            assert links
            for link in links[:4]:
                assert Client().get(link.replace("&amp;", "&")).status_code == 200, link

    @pytest.mark.parametrize("asked", ["", "?player=nobody", "?event=none", "?player=nobody&event=none"])
    def test_of_what_no_page_shows_there_is_no_form(self, pool, asked):
        assert Client().get(f"/japan/wrong/{asked}").status_code == 404

    def test_until_which_day_the_list_can_change_is_said(self, pool, today):
        assert f"If you write by {today}" in text(Client(), address_of(won(pool)))

    def test_after_that_day_too(self, pool, monkeypatch):
        monkeypatch.setattr("banzuke.web.public.objection_pages.today_of", lambda _: TODAY)
        assert "What you write can still change the lists that come" in text(Client(), address_of(won(pool)))

    def test_a_hidden_person_s_name_is_nowhere(self, pool, today):
        line = won(pool)
        row = standing_rows(pool, facts.Player).get(player_id=line.opponent_id)
        entry = Entry.objects.filter(pool=pool).last()
        Contact.objects.create(pool=pool, entry=entry, player_id=row.player_id, by_id_only=True)
        page = text(Client(), address_of(line))
        assert row.name not in page
        assert row.player_id in page
        answer = sent(line)
        assert row.name not in text(Client(), secret(answer))


class TestSecretLink:
    def test_the_page_is_kept_by_nobody_and_listed_nowhere(self, pool, today):
        answer = Client().get(secret(sent(won(pool))))
        assert answer["Cache-Control"] == "no-store"
        assert answer["X-Robots-Tag"] == "noindex, nofollow"
        assert answer["Referrer-Policy"] == "same-origin"
        assert "ETag" not in answer

    def test_the_database_has_no_token(self, pool, today):
        token = secret(sent(won(pool))).split("/")[2]
        found = Objection.objects.get()
        assert len(token) == secret_links.LENGTH
        assert token not in repr(Objection.objects.values().get())
        assert found.token_sha256 == secret_links.hash_of(token)
        assert found.salt == found.site == ""

    @pytest.mark.parametrize("wrong", ["x" * 43, "", "0", "A" * 500, "%00", "../", "тест"])
    def test_another_token_leads_nowhere(self, pool, today, wrong):
        token = secret(sent(won(pool))).split("/")[2]
        assert Client().get(f"/objections/{wrong}/").status_code in (400, 404)
        assert Client().get(f"/objections/{token[:-1]}/").status_code == 404
        assert Client().get(f"/objections/{token.swapcase()}/").status_code == 404
        hashed = Objection.objects.get().token_sha256
        assert Client().get(f"/objections/{hashed}/").status_code == 404

    def test_no_public_page_lists_them(self, pool, today):
        token = secret(sent(won(pool))).split("/")[2]
        line = won(pool)
        pages = ["/japan/", "/japan/objections/", "/japan/objections.csv", "/japan/lists/", "/objections/"]
        pages += [f"/japan/lists/{line.list.name}/{line.speed}/", "/api/v1/pools/japan/objections"]
        for page in pages:
            body = text(Client(), page)
            assert token not in body
            assert "A. Player" not in body
            assert "score sheet" not in body

    def test_without_the_csrf_token_nothing_is_taken(self, pool, today):
        client = Client(enforce_csrf_checks=True)
        assert client.post(address_of(won(pool)), SAID).status_code == 403
        assert not Objection.objects.exists()
        page = secret(sent(won(pool)))
        assert client.post(f"{page}appeal/", {"why": "no"}).status_code == 403


class TestFloods:
    def test_an_address_has_so_many_a_day(self, pool, today):
        lines = newest(pool).lines.filter(score=2)[: objections.MOST_OF_ADDRESS + 1]
        answers = [sent(line, about=f"This is wrong {line.pk}") for line in lines]
        assert [one.status_code for one in answers] == [302] * objections.MOST_OF_ADDRESS + [200]
        assert "takes 5 messages of this kind a day" in answers[-1].content.decode()
        assert Objection.objects.count() == objections.MOST_OF_ADDRESS
        assert JournalEntry.objects.filter(act="inquiry").count() == objections.MOST_OF_ADDRESS
        other = Client(REMOTE_ADDR="192.0.2.7")
        assert sent(lines[0], other).status_code == 302

    def test_a_network_of_ipv6_is_one_address(self, pool, today):
        one, other = (Client(REMOTE_ADDR=f"2001:db8::{last}") for last in (1, 2))
        sent(won(pool), one)
        sent(won(pool), other, about="Another")
        assert Objection.objects.values("sender").distinct().count() == 1
        assert "2001" not in repr(list(Objection.objects.values()))

    def test_so_many_are_taken_in_all(self, pool, today, monkeypatch):
        monkeypatch.setattr(objections, "MOST_OF_DAY", 2)
        answers = [sent(won(pool), Client(REMOTE_ADDR=f"192.0.2.{n}")) for n in range(3)]
        assert [one.status_code for one in answers] == [302, 302, 200]

    def test_the_next_day_the_address_may_write_again(self, pool, today, monkeypatch):
        monkeypatch.setattr(objections, "MOST_OF_ADDRESS", 1)
        assert sent(won(pool)).status_code == 302
        Objection.objects.update(received_at=datetime.now(UTC) - timedelta(days=1, minutes=1))
        assert sent(won(pool), about="Another").status_code == 302

    def test_the_same_twice_is_taken_once(self, pool, today):
        assert [sent(won(pool)).status_code for _ in range(2)] == [302, 200]
        assert Inquiry.objects.count() == 1

    def test_what_a_program_fills_in_is_refused(self, pool, today):
        assert "only programs fill it in" in sent(won(pool), website="http://spam.example").content.decode()
        assert not Inquiry.objects.exists()

    def test_texts_have_a_length(self, pool, today):
        answer = sent(won(pool), about="x" * 10_000)
        assert answer.status_code == 200
        assert not Inquiry.objects.exists()

    def test_signs_that_nobody_sees_are_left_out(self, pool, today):
        odd = "\u202eevil\u200b \x07line\x1b[31m\nthe next one \u2066x\u2069"
        secret(sent(won(pool), about=odd, who="\u202eA.\u00a0Player\n\n"))
        inquiry = Inquiry.objects.get()
        assert inquiry.about == "evil line[31m\nthe next one x"
        assert inquiry.asked_by == "A. Player"
        assert sent(won(pool), about="\u200b\u2066 \n").status_code == 200
        assert sent(won(pool), who="<script>alert(1)</script>", about="b").status_code == 302
        assert "<script>alert" not in text(officer(pool), "/office/japan/board/inquiries/")


class TestDeciding:
    def test_upheld_the_proposal_is_drafted_carried_out_and_shown_to_the_writer(self, pool, today):
        line = won(pool)
        page, client = secret(sent(line)), officer(pool)
        number = Inquiry.objects.get().pk
        inquiry = f"/office/japan/board/inquiries/{number}/"
        shown = text(client, inquiry)
        assert "As rated" in shown
        assert "No report brought this" in shown
        client.post(f"{inquiry}uphold/", {"uphold-why": "The sheet says so.", "uphold-clause": "§5"})
        strike, add = Inquiry.objects.get().draft
        assert (strike["act"], add["record"]["result"]) == ("strike", "1/2-1/2")
        assert "you are right" in text(Client(), page)
        assert "The sheet says so." in text(Client(), page)
        client.post(f"{inquiry}carry-out/", {"carry-why": "a wrong result"})
        assert Inquiry.objects.get().state == "corrected"
        assert RatingList.objects.filter(name=line.list.name, revision=1).exists()
        assert f"/japan/lists/{line.list.name}/?revision=1" in text(Client(), page)

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
        assert "another officer decides" in text(first, inquiry)
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


class TestClub:
    def club(self, pool, line):
        return standing_rows(pool, facts.Event).get(event_id=line.event_id).organiser or "C1"

    def test_the_club_is_asked_and_answers_and_the_writer_sees_that_it_did(self, pool, today):
        line = won(pool)
        page, chief = secret(sent(line)), officer(pool)
        number, club = Inquiry.objects.get().pk, self.club(pool, line)
        inquiry = f"/office/japan/board/inquiries/{number}/"
        asked = {"ask-club": club, "ask-question": "Was it drawn?"}
        chief.post(f"{inquiry}ask-club/", asked)
        chief.post(f"{inquiry}ask-club/", asked)
        question = ClubQuestion.objects.get()
        assert "with the club" in text(Client(), page)
        assert "with the club" in text(chief, "/office/japan/board/inquiries/")
        member, stranger = officer(pool, "club", "reporter", club), officer(pool, "far", "reporter", "C999")
        shown = text(member, "/office/japan/club/questions/")
        assert "Was it drawn?" in shown
        assert "A. Player" not in shown
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
            assert "照会" in mail.subject
        now = datetime.now(UTC)
        assert objections.forget_addresses(now + objections.KEPT - timedelta(minutes=1)) == 0
        assert objections.forget_addresses(now + objections.KEPT + timedelta(minutes=1)) == 1
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
        assert found == (3, 1, 1, 1, 0)
        assert numbers_of_pool(pool)[0] == found
        said = "3 objections received: 1 upheld, 1 refused, 1 open."
        assert said in text(Client(), f"/japan/lists/{name}/{lines[0].speed}/")
        assert said in text(Client(), "/japan/objections/")
        assert f"{name},3,1,1,1,0" in text(Client(), "/japan/objections.csv")
        api = Client().get("/api/v1/pools/japan/objections").json()
        assert api["lists"] == [
            {"list": name, "received": 3, "upheld": 1, "refused": 1, "open": 1, "median_days": 0}
        ]

    def test_of_a_pool_without_any_too(self, pool):
        assert "Nobody has objected" in text(Client(), "/japan/objections/")
