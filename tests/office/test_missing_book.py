"""A pool whose rule book is not installed any more: its lists are read, and nothing is calculated again."""

from __future__ import annotations

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from office.published_office import CHIEF, inquiry
from office.test_own_calendars import pool_by
from sample_books import SUNDAY_2026, uninstall

from banzuke.core import facts
from banzuke.database.book_reader import MissingBookError, rules_of
from banzuke.database.models import Job, Role
from banzuke.office.administration import pools
from banzuke.office.fact_rows import standing_rows
from banzuke.office.jobs import job_queue
from banzuke.office.lists import coming_list, corrections, publishing, rehearsal
from banzuke.office.lists.list_index import latest_list
from banzuke.office.lists.verification import verify
from banzuke.office.pages.list_files import kinds_of
from banzuke.words import LANGUAGES

pytestmark = pytest.mark.django_db
TODAY = date(2026, 1, 1)


@pytest.fixture
def read(client):
    """The text of what an address answers, as anybody sees it; the answer itself with `whole`."""

    def get(address, **words):
        answer = client.get(reverse(address, kwargs=words) if words else address)
        assert answer.status_code == 200, (address, words, answer.status_code)
        return b"".join(answer) if answer.streaming else answer.content

    return get


@pytest.fixture
def pool(install_books, monkeypatch, tmp_path, settings):
    """A pool with lists published, and then without its book."""
    settings.HOME = tmp_path
    install_books(SUNDAY_2026)
    pool = pool_by(SUNDAY_2026, tmp_path)
    publishing.publish(pool, "2024-06-30", CHIEF, TODAY)
    asked = inquiry(pool, date(2024, 7, 1))
    uninstall(monkeypatch, SUNDAY_2026.name)
    pool.inquiry = asked
    return pool


class TestWhatIsRead:
    def test_pages(self, pool, read):
        published, slug = latest_list(pool), pool.slug
        player = published.rows.filter(speed="standard").first().player_id
        event = published.pool.lists.get(name="2024-05-12").lines.first().event_id
        assert "2024-06-30" in read("/").decode()
        assert "2024-06-30" in read("public-pool", slug=slug).decode()
        assert "2024-06-30" in read("public-lists", slug=slug).decode()
        for speed in ("standard", "rapid"):
            page = read("public-list-speed", slug=slug, name="2024-06-30", speed=speed)
            assert published.rows.filter(speed=speed).first().name in page.decode()
        assert player in read("public-player", slug=slug, player=player).decode()
        assert event in read("public-event", slug=slug, event=event).decode()
        assert b"1." in read("public-event-page", slug=slug, event=event)

    def test_a_player_with_an_event_that_no_list_has(self, install_books, monkeypatch, tmp_path, read):
        install_books(SUNDAY_2026)
        pool = pool_by(SUNDAY_2026, tmp_path)
        publishing.publish(pool, "2024-05-12", CHIEF, TODAY)
        waiting = standing_rows(pool, facts.Event).order_by("ends").last()
        player = standing_rows(pool, facts.Game).filter(event_id=waiting.event_id).first().white
        words = {"slug": pool.slug, "player": player}
        assert b'id="in-office"' in read("public-player", **words)
        uninstall(monkeypatch, SUNDAY_2026.name)
        assert b'id="in-office"' not in read("public-player", **words)

    def test_how_a_rating_came_about_says_what_is_missing(self, pool, read):
        line = pool.lists.get(name="2024-05-12").lines.first()
        words = {"slug": pool.slug, "player": line.player_id, "name": "2024-05-12", "speed": "standard"}
        page = read("public-working-speed", **words).decode()
        assert "sunday-2026 is not installed" in page
        assert line.event_id in page

    def test_files(self, pool, read):
        published = latest_list(pool)
        assert published.speeds == ("standard", "rapid")
        for kind in set(kinds_of(published)) - {"pdf"}:
            data = read(
                "public-list-speed-file", slug=pool.slug, name="2024-06-30", speed="standard", kind=kind
            )
            assert data

    def test_the_api(self, pool, read):
        address = f"/api/v1/pools/{pool.slug}/lists"
        assert b"2024-06-30" in read(address)
        for part in ("", "/rows", "/lines", "/events"):
            assert b"sunday-2026" in read(f"{address}/2024-06-30{part}")


class TestWhatIsRefused:
    def test_each_act_names_the_book(self, pool):
        acts = (
            lambda: verify(pool, "2024-06-30"),
            lambda: rehearsal.rehearse(pool, "2024-07-07", TODAY),
            lambda: publishing.publish(pool, "2024-07-07", CHIEF, TODAY),
            lambda: corrections.preview(pool.inquiry, TODAY),
            lambda: corrections.revise(pool, CHIEF, "why"),
            lambda: coming_list.find_coming_list(pool, TODAY),
            lambda: pools.editions(pool),
            lambda: rules_of(pool),
        )
        for act in acts:
            with pytest.raises(MissingBookError) as refused:
                act()
            assert refused.value.books == ["sunday-2026"]

    @pytest.mark.parametrize("kind", ["verify", "rehearse", "revise", "due"])
    def test_a_job_says_so_in_both_languages(self, pool, kind):
        wanted = {"list": "2024-06-30", "revision": 0, "why": "why", "today": "2026-01-01"}
        job = job_queue.run(job_queue.start(kind, pool, wanted, CHIEF))
        assert job.state == Job.State.FAILED
        assert set(job.result["refused"]) == set(LANGUAGES)
        assert "sunday-2026 is not installed here: install the package" in job.result["refused"]["en"]
        assert "sunday-2026" in job.result["refused"]["ja"]

    def test_an_officer_s_page_says_so(self, pool, client):
        user = User.objects.create_user("chief")
        Role.objects.create(user=user, pool=pool, kind=Role.Kind.CHIEF)
        client.force_login(user)
        client.raise_request_exception = False
        for page in ("board", "accounts-pool-settings"):
            answer = client.get(reverse(page, kwargs={"slug": pool.slug}))
            text = answer.content.decode()
            assert (answer.status_code, text.count("sunday-2026")) == (503, 2)
            assert "install the package" in text
            assert "インストール" in text


def test_rules_are_read_once_while_the_same_books_are_installed(install_books, monkeypatch, tmp_path):
    install_books(SUNDAY_2026)
    pool = pool_by(SUNDAY_2026, tmp_path)
    rules = rules_of(pool)
    assert rules_of(pool) is rules
    uninstall(monkeypatch, SUNDAY_2026.name)
    with pytest.raises(MissingBookError):
        rules_of(pool)
