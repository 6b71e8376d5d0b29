"""A pool whose rules were changed in the database, past the office: pages say so, and no file is touched."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from django.test import Client
from web.published_pools import published_pool
from web.small_office import client, small_pool, user

from banzuke.database.models import Entry, PoolFile
from banzuke.office.administration import api_keys
from banzuke.office.journal import Actor

pytestmark = pytest.mark.django_db

#: A name and a text that somebody writes into the database.
SPOILED = {
    "a way out": ("../../evil.toml", "x = 1\n"),
    "a whole path": ("/tmp/evil.toml", "x = 1\n"),
    "a Windows path": ("..\\evil.toml", "x = 1\n"),
    "lines for the log": ("a\nforged line\x1b[2J", "x = 1\n"),
    "no TOML": ("pool.toml", "name = ["),
    "nesting": ("pool.toml", "name = " + "[" * 9000),
    "no table": ("pool.toml", 'name = "X"\nedition = 1\n'),
    "nothing": ("pool.toml", ""),
}


def spoil(pool, how):
    name, text = SPOILED[how]
    PoolFile.objects.create(entry=Entry.objects.filter(pool=pool).latest("pk"), name=name, text=text)


@pytest.fixture
def no_files(monkeypatch):
    """Nothing is opened with a name like those above."""
    opened = Path.open

    def watched(self, *args, **words):
        assert "evil" not in str(self)
        return opened(self, *args, **words)

    monkeypatch.setattr(Path, "open", watched)


def quiet():
    return Client(raise_request_exception=False)


@pytest.mark.parametrize("how", SPOILED)
def test_a_page_of_anybody_says_so_in_both_languages(how, no_files, caplog):
    pool = small_pool("japan")
    spoil(pool, how)
    with caplog.at_level(logging.ERROR, "django.request"):
        answer = quiet().get("/japan/calculators/")
    page = answer.content.decode()
    assert answer.status_code == 503
    assert "The rules of this pool cannot be used" in page
    assert "この部門の規則を使えません" in page
    assert "evil" not in page
    [said] = [r.getMessage() for r in caplog.records if "cannot be used: " in r.getMessage()]
    assert "'japan'" in said
    assert said.isprintable()
    assert not Path("/tmp/evil.toml").exists()


@pytest.mark.parametrize("how", ["a way out", "no TOML"])
def test_the_other_pools_go_on(how):
    spoil(published_pool(), how)
    small_pool("fide")
    assert quiet().get("/").status_code == 200
    assert quiet().get("/fide/rules/").status_code == 200
    assert {quiet().get(f"/japan/{each}").status_code for each in ("", "lists/2025-05/standard/")} <= {
        200,
        503,
    }


@pytest.mark.parametrize("how", ["a way out", "no TOML"])
def test_no_page_of_the_pool_breaks(how):
    pool = published_pool()
    spoil(pool, how)
    chief = client("chief", pool)
    chief.raise_request_exception = False
    tried = (
        "/office/japan/settings/",
        "/office/japan/inbox/",
        "/office/",
        "/office/japan/lists/",
        "/japan/events/",
    )
    assert {each: chief.get(each).status_code for each in tried if chief.get(each).status_code == 500} == {}


@pytest.mark.parametrize("how", ["a way out", "no TOML"])
def test_the_desk_says_it_beside_the_other_pools(how):
    spoil(small_pool("japan"), how)
    small_pool("fide")
    boss = client("administrator")
    corners = {each.pool.slug: each for each in boss.get("/office/").context["corners"]}
    assert corners["japan"].spoiled
    assert corners["fide"].steps
    assert not corners["fide"].spoiled


def test_the_api_answers_503_too(caplog):
    spoil(small_pool("japan"), "a way out")
    answers = [quiet().get(f"/api/v1/pools{each}") for each in ("", "/japan/lists")]
    assert {answer.status_code for answer in answers} <= {200, 503}
    assert b"evil" not in b"".join(answer.content for answer in answers)


def test_a_go_server_is_told_to_come_again():
    """Not that its games are wrong: it would never send them again."""
    pool = small_pool("go")
    secret = api_keys.make_key("igs", user("officer", pool), pool, ["games"], None, Actor("boss")).text
    spoil(pool, "a way out")
    headers = {"authorization": f"Bearer {secret}"}
    sent = {"player_id": "new", "name": "Newcomer", "declared": "5k"}
    answer = quiet().post("/api/v1/pools/go/players", sent, content_type="application/json", headers=headers)
    assert answer.status_code == 503, answer.content
