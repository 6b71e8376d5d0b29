"""Changing how a Go server's pool is rated on its page: at once in a small pool, as a job in a large one."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from office.live_pool import game, go_pool, play
from office.live_service import border_zone
from small_office import client

from banzuke.database.book_reader import rules_of
from banzuke.database.models import Job
from banzuke.office.administration import pools
from banzuke.office.jobs import job_queue, pool_size
from banzuke.office.live.live_verification import differing_standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def pool():
    found = go_pool(("aoi", "1k", 13_000, 300), ("kei", "1k", 13_000, 300))
    play(found, game("a", 0, "aoi", "kei", "B"))
    return found


def change(pool, lang="en"):
    table = SimpleUploadedFile("zone.toml", border_zone(1000).encode())
    start = pools.editions(pool)[0].start.isoformat()
    form = {"name": "Go", "why": "our own", "edition-1-start": start, "edition-1-border_zone": table}
    answer = client("chief", pool, lang=lang).post(f"/office/{pool.slug}/settings/", form)
    assert answer.status_code == 302, answer.content.decode()
    return answer


def zone_of(pool):
    return rules_of(pool).editions[0].zone.source


def test_a_small_pool_is_rated_at_once(pool):
    assert change(pool).status_code == 302
    assert zone_of(pool) != ""
    assert differing_standings(pool) == []


@pytest.mark.parametrize(
    ("lang", "title"), [("en", "Rating all games by other rules"), ("ja", "すべての対局の計算")]
)
def test_a_large_one_by_a_job_until_which_the_rules_in_use_hold(pool, monkeypatch, lang, title):
    monkeypatch.setattr(pool_size, "AT_ONCE", 0)
    asked = change(pool, lang)
    job = Job.objects.get()
    assert asked.url == f"/office/jobs/{job.pk}/"
    assert title in client("officer", pool, lang=lang).get(asked.url).content.decode()
    assert zone_of(pool) == ""
    play(pool, game("b", 1, "aoi", "kei", "W"))
    assert job_queue.work_off().state == Job.State.DONE
    assert zone_of(pool) != ""
    assert differing_standings(pool) == []


@pytest.mark.parametrize(("lang", "said"), [("en", "changed by somebody else"), ("ja", "別の人が部門の規程")])
def test_a_job_is_refused_where_somebody_else_changed_the_rules(pool, monkeypatch, lang, said):
    monkeypatch.setattr(pool_size, "AT_ONCE", 0)
    change(pool)
    pools.change_rules(pool, "Renamed", pools.editions(pool), pools.Actor("other"), "a name", {})
    job = job_queue.work_off()
    assert (job.state, said in job.result["refused"][lang]) == (Job.State.FAILED, True)
    assert zone_of(pool) == ""
