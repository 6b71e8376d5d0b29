"""An objection without an account: its form, its page behind a secret link, and limits against floods."""

from __future__ import annotations

import logging
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from objecting import (
    SAID,
    address_of,
    chosen,
    day_in_time,
    newest,
    officer,
    pool_with_lists,
    secret,
    sent,
    text,
    won,
)
from office.published_office import TODAY

from banzuke.core import facts
from banzuke.database.models import Contact, Entry, Inquiry, JournalEntry, Merge, Objection
from banzuke.office.fact_rows import standing_rows
from banzuke.office.objections import incoming_objections, secret_links
from banzuke.server.log_format import PlaceOnly

pytestmark = pytest.mark.django_db


@pytest.fixture
def pool():
    return pool_with_lists()


@pytest.fixture
def today(pool, monkeypatch):
    """The last day on which the newest list can be corrected."""
    return day_in_time(pool, monkeypatch)


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

    def test_of_an_event_a_player_leads_to_the_games(self, pool, today):
        line = won(pool)
        page = text(Client(), f"/japan/wrong/?event={line.event_id}&list={line.list.name}")
        assert f'<option value="{line.player_id}">' in page
        asked = {"event": line.event_id, "list": line.list.name, "player": line.player_id}
        assert 'name="game"' in Client().get("/japan/wrong/", asked).content.decode()

    def test_of_a_list_too(self, pool, today):
        line = won(pool)
        address = f"/japan/wrong/?list={line.list.name}"
        assert f'href="{address}"' in text(Client(), f"/japan/lists/{line.list.name}/{line.speed}/")
        page = secret(Client().post(address, {"about": "Somebody is missing.", "who": "A. Player"}))
        found = Objection.objects.get()
        assert (found.subject, found.list.name, found.player_id) == ("list", line.list.name, "")
        assert "Somebody is missing." in text(Client(), page)
        assert officer(pool).get(f"/office/japan/board/inquiries/{found.inquiry_id}/").status_code == 200

    def test_a_player_who_was_put_together_with_another_is_found_in_lists_of_before(self, pool, today):
        line = won(pool)
        kept = (
            standing_rows(pool, facts.Player).exclude(player_id=line.player_id).order_by("-player_id").first()
        )
        entry = Entry.objects.filter(pool=pool).last()
        Merge.objects.create(pool=pool, entry=entry, kept=kept.player_id, merged=line.player_id)
        page = Client().get(address_of(line))
        assert page.status_code == 200
        assert Client().post(address_of(line), SAID | {"game": chosen(page)}).status_code == 302
        assert Objection.objects.get().player_id == line.player_id

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

    def test_it_has_no_address_for_others_to_share_and_no_other_site_s_content(self, pool, today):
        page = text(Client(), secret(sent(won(pool))))
        token = page.partition("/objections/")[2].partition("/")[0]
        head = page.partition("<body")[0]
        assert token not in head
        assert "og:" not in head
        assert '<meta name="robots" content="noindex, nofollow">' in head
        assert re.findall(r'(?:src|action)="(?:https?:)?//', page) == []

    def test_the_log_of_errors_has_no_token(self, pool, today):
        page = secret(sent(won(pool)))
        told = logging.LogRecord(
            "django.request", logging.ERROR, "", 1, "Error: %s", (f"{page}appeal/",), None
        )
        assert PlaceOnly("%(message)s").format(told) == "Error: /objections/…/appeal/"

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
        lines = newest(pool).lines.filter(score=2)[: incoming_objections.MOST_OF_ADDRESS + 1]
        answers = [sent(line, about=f"This is wrong {line.pk}") for line in lines]
        assert [one.status_code for one in answers] == [302] * incoming_objections.MOST_OF_ADDRESS + [200]
        assert "takes 5 messages of this kind a day" in answers[-1].content.decode()
        assert Objection.objects.count() == incoming_objections.MOST_OF_ADDRESS
        assert JournalEntry.objects.filter(act="inquiry").count() == incoming_objections.MOST_OF_ADDRESS
        other = Client(REMOTE_ADDR="192.0.2.7")
        assert sent(lines[0], other).status_code == 302

    def test_a_network_of_ipv6_is_one_address(self, pool, today):
        one, other = (Client(REMOTE_ADDR=f"2001:db8::{last}") for last in (1, 2))
        sent(won(pool), one)
        sent(won(pool), other, about="Another")
        assert Objection.objects.values("sender").distinct().count() == 1
        assert "2001" not in repr(list(Objection.objects.values()))

    def test_an_address_of_ipv4_within_ipv6_is_one_by_itself(self, pool, today):
        for number in (1, 2):
            sent(won(pool), Client(REMOTE_ADDR=f"::ffff:192.0.2.{number}"), about=f"wrong {number}")
        sent(won(pool), Client(REMOTE_ADDR="192.0.2.1"), about="wrong 3")
        assert Objection.objects.values("sender").distinct().count() == 2

    def test_so_many_are_taken_in_all(self, pool, today, monkeypatch):
        monkeypatch.setattr(incoming_objections, "MOST_OF_DAY", 2)
        answers = [sent(won(pool), Client(REMOTE_ADDR=f"192.0.2.{n}")) for n in range(3)]
        assert [one.status_code for one in answers] == [302, 302, 200]

    def test_the_next_day_the_address_may_write_again(self, pool, today, monkeypatch):
        monkeypatch.setattr(incoming_objections, "MOST_OF_ADDRESS", 1)
        assert sent(won(pool)).status_code == 302
        Objection.objects.update(received_at=datetime.now(UTC) - timedelta(days=1, minutes=1))
        assert sent(won(pool), about="Another").status_code == 302

    def test_the_same_twice_is_taken_once(self, pool, today):
        assert [sent(won(pool)).status_code for _ in range(2)] == [302, 200]
        assert Inquiry.objects.count() == 1

    def test_the_same_words_about_another_game_are_taken(self, pool, today):
        lines = newest(pool).lines.filter(score=2)[:2]
        assert [sent(line).status_code for line in lines] == [302, 302]

    def test_what_the_list_has_already_is_not_what_would_be_right(self, pool, today):
        answer = sent(won(pool), change="won")
        assert "The list has this result already." in answer.content.decode()
        assert not Inquiry.objects.exists()
        assert sent(won(pool), change="other").status_code == 302

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
