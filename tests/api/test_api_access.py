"""Every address of the API as everybody: with no key, with keys of each scope, with a session and no key."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.test import Client

from banzuke.api import auth
from banzuke.api.v1 import api as the_api
from banzuke.database.models import ApiKey, Report
from banzuke.office.administration import api_keys
from banzuke.office.journal import Actor

V1 = "/api/v1"
WORDS = {
    "pool": "japan", "name": "2025-02", "player": "J004", "event": "2025-01-newyear", "report": "999999",
}  # fmt: skip
#: The words for what only a Go server's pool has.
GO_WORDS = WORDS | {"pool": "go-server", "player": "aosagi", "game": "G0001"}
ASKED = {
    "/pools/{pool}/terms": "?black=aosagi&white=donguri",
    "/pools/{pool}/players": "?q=a",
    "/pools/{pool}/search": "?q=a",
    "/calculators/change": "?rulebook=hakodate&own=1&opponent=1&score=1",
    "/calculators/event": "?rulebook=hakodate&own=1&games=1:1",
    "/calculators/first": "?rulebook=hakodate&games=1:1",
    "/calculators/performance": "?games=1:1",
    "/calculators/go": "?white=1d&black=1d",
}
#: What each address answers to anybody, to keys with the scopes `read`, `reports`, `games`, and to a key for
#: another pool, in which its user has no role.
READ, NO_POOL = (200, 200, 403, 200, 401), (200, 200, 200, 200, 401)
REPORTS, GAMES = (401, 403, 422, 403, 401), (401, 403, 403, 400, 401)
OF_GO = {
    ("get", "/pools/{pool}/terms"): READ,
    ("get", "/pools/{pool}/players/{player}/games"): READ,
    ("get", "/pools/{pool}/games/{game}"): READ,
    ("get", "/pools/{pool}/changes"): READ,
    ("get", "/pools/{pool}/changes/stream"): READ,
    ("post", "/pools/{pool}/games"): GAMES,
    ("post", "/pools/{pool}/players"): GAMES,
    ("post", "/pools/{pool}/players/{player}/name"): GAMES,
    ("post", "/pools/{pool}/players/{player}/robot"): GAMES,
    ("post", "/pools/{pool}/players/{player}/erase"): GAMES,
    ("post", "/pools/{pool}/declarations"): GAMES,
    ("post", "/pools/{pool}/void"): GAMES,
}
TABLE = OF_GO | {
    ("get", "/pools"): NO_POOL,
    ("get", "/pools/{pool}/lists"): READ,
    ("get", "/pools/{pool}/objections"): READ,
    ("get", "/pools/{pool}/lists/{name}"): READ,
    ("get", "/pools/{pool}/lists/{name}/rows"): READ,
    ("get", "/pools/{pool}/lists/{name}/events"): READ,
    ("get", "/pools/{pool}/lists/{name}/lines"): READ,
    ("get", "/pools/{pool}/search"): READ,
    ("get", "/pools/{pool}/players"): READ,
    ("get", "/pools/{pool}/players/{player}"): READ,
    ("get", "/pools/{pool}/players/{player}/history"): READ,
    ("get", "/pools/{pool}/players/{player}/workings/{name}"): READ,
    ("get", "/pools/{pool}/events/{event}"): READ,
    ("get", "/pools/{pool}/reports"): (401, 403, 200, 403, 401),
    ("post", "/pools/{pool}/reports"): REPORTS,
    ("get", "/pools/{pool}/reports/{report}"): (401, 403, 404, 403, 401),
    ("get", "/calculators/change"): NO_POOL,
    ("get", "/calculators/event"): NO_POOL,
    ("get", "/calculators/first"): NO_POOL,
    ("get", "/calculators/performance"): NO_POOL,
    ("get", "/calculators/go"): NO_POOL,
}


def words_of(question):
    """The words for an address of things that there are."""
    return GO_WORDS if question in OF_GO else WORDS


def every_question():
    paths = the_api.get_openapi_schema(path_prefix="")["paths"]
    return {(method, path) for path, methods in paths.items() for method in methods}


def test_the_table_has_every_address():
    assert set(TABLE) == every_question()


@pytest.mark.parametrize("question", TABLE)
def test_who_may_what(question, office, key):
    cache.clear()
    method, path = question
    words = words_of(question)
    holders = {"read": "reporter", "reports": "reporter", "games": "officer"}
    keys_of_pool = [key(user, scope, pool=words["pool"]) for scope, user in holders.items()]
    visitors = ({}, *keys_of_pool, key("reporter", "read", "reports", "games", pool="hakodate"))
    address = V1 + path.format(**words) + (ASKED.get(path, "") if method == "get" else "")
    answers = [getattr(Client(), method)(address, headers=headers) for headers in visitors]
    assert tuple(answer.status_code for answer in answers) == TABLE[question]
    for answer in answers:
        good = "text/event-stream" if path.endswith("/stream") else "application/json"
        kind = good if answer.status_code == 200 else "application/problem+json"
        assert answer["Content-Type"].startswith(kind)
        assert ("WWW-Authenticate" in answer) == (answer.status_code == 401)


def test_a_key_for_all_pools(office, key, api):
    headers = key("reporter", "read", pool=None)
    for pool, status in {"japan": 200, "go-server": 200, "hakodate": 401}.items():
        assert api(f"/pools/{pool}/lists", headers=headers).status_code == status, "as its user has a role"


def test_a_reporters_key_enters_no_games(office, key):
    """They count at once; what a reporter sends is decided on by an officer."""
    for pool, status in {"go-server": 403, None: 403, "hakodate": 401}.items():
        headers = key("reporter", "games", pool=pool)
        answer = Client().post(
            f"{V1}/pools/{pool or 'go-server'}/games", "[]", content_type="application/json", headers=headers
        )
        assert answer.status_code == status


@pytest.mark.parametrize("spoil", ["revoked", "expired", "inactive", "altered", "no key", "no bearer"])
def test_a_key_that_does_not_hold(office, key, api, spoil):
    headers = key("reporter", "read")
    made = ApiKey.objects.get()
    if spoil == "revoked":
        api_keys.revoke_key(made, Actor("clerk"))
    elif spoil == "expired":
        ApiKey.objects.update(expires_at=datetime.now(UTC) - timedelta(seconds=1))
    elif spoil == "inactive":
        made.user.is_active = False
        made.user.save()
    else:
        text = headers["authorization"]
        spoiled = {
            "altered": text[:-1] + "_",
            "no key": "Bearer",
            "no bearer": text.replace("Bearer", "Basic"),
        }
        headers = {"authorization": spoiled[spoil]}
    for asked in ("/pools/japan/lists", "/pools", "/calculators/go?white=1d&black=1d"):
        answer = api(asked, headers=headers)
        assert (answer.status_code, answer["Content-Type"]) == (401, "application/problem+json"), asked


def test_a_key_of_a_user_without_a_role_holds_nowhere(office, key, api):
    bound, free = key("reporter", "read"), key("reporter", "read", pool=None)
    assert [api("/pools", headers=each).status_code for each in (bound, free)] == [200, 200]
    office.users["reporter"].roles.filter(pool__slug="japan").delete()
    assert [api("/pools", headers=each).status_code for each in (bound, free)] == [401, 200]
    office.users["reporter"].roles.all().delete()
    assert api("/pools", headers=free).status_code == 401


@pytest.mark.parametrize(
    "shown", ["", "Bearer ", "Bearer \xe9", "Basic YTpi", "Bearer bzk_", "Bearer bzk_%_%"]
)
def test_what_is_no_key(api, shown):
    assert api("/pools", headers={"authorization": shown}).status_code == 401


def test_a_session_alone_sends_nothing(office, db):
    client = Client(enforce_csrf_checks=True)
    client.force_login(office.users["officer"])
    trf = Path(__file__).parents[2] / "examples" / "hinoki-spring.trf"
    with trf.open("rb") as file:
        answer = client.post(f"{V1}/pools/japan/reports", {"files": [file]})
    assert answer.status_code == 401
    assert not Report.objects.exists()


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_other_methods(office, db, method):
    cache.clear()
    answer = getattr(Client(), method)(f"{V1}/pools/japan/reports")
    assert (answer.status_code, answer["Content-Type"]) == (405, "application/problem+json")
    assert set(answer["Allow"].split(", ")) == {"GET", "HEAD", "POST"}


def test_a_failure_says_nothing_of_itself(api, monkeypatch, caplog):
    def fail(*_):
        raise RuntimeError("born 1950-01-01")

    monkeypatch.setattr("banzuke.api.lists.list_index.current_lists", fail)
    answer = api("/pools/japan/lists")
    assert (answer.status_code, answer["Content-Type"]) == (500, "application/problem+json")
    assert b"1950" not in answer.content
    assert [record.exc_info[0] for record in caplog.records] == [RuntimeError]


class TestLimits:
    @pytest.fixture(autouse=True)
    def within_a_minute(self, monkeypatch):
        monkeypatch.setattr(time, "time", lambda: 1_800_000_000.0)

    def test_of_an_address(self, api):
        answers = [api("/calculators/go", white="1d", black="1d") for _ in range(121)]
        assert [answer.status_code for answer in answers] == [200] * 120 + [429]
        assert 1 <= int(answers[-1]["Retry-After"]) <= 60
        assert answers[-1].json()["title"] == "Too Many Requests"

    def test_of_each_by_itself(self, api, key, office):
        for _ in range(121):
            last = api("/pools/japan/lists", limit=1)
        assert last.status_code == 429
        assert api("/pools/japan/lists", limit=1, headers=key("reporter", "read")).status_code == 200
        elsewhere = Client(REMOTE_ADDR="192.0.2.7").get(f"{V1}/pools/japan/lists")
        assert elsewhere.status_code == 200

    def test_what_a_visitor_says_of_the_address_does_not_count(self, api):
        for number in range(121):
            last = api("/pools", limit=1, headers={"x-forwarded-for": f"192.0.2.{number}"})
        assert last.status_code == 429


def test_wrong_keys_are_slowed_and_a_good_one_still_opens(api, key, monkeypatch):
    monkeypatch.setattr(auth, "time", SimpleNamespace(time=lambda: 90.0))
    wrong = {"authorization": "Bearer bzk_00000000_nothing"}
    answers = [api("/pools/japan/lists", headers=wrong) for _ in range(22)]
    assert [each.status_code for each in answers] == [401] * 20 + [429] * 2
    assert answers[-1]["Retry-After"] == "30"
    assert api("/pools/japan/lists", headers=key("officer", "read")).status_code == 200
    elsewhere = Client().get(f"{V1}/pools/japan/lists", headers=wrong, REMOTE_ADDR="192.0.2.9")
    assert elsewhere.status_code == 401
