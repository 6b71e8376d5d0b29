"""The plain case of games sent, which goes past Django's handling: answered as the API's own address does."""

from __future__ import annotations

import io
import json
import sys

import pytest
from api.test_live_submissions import ADDRESS, CLERK, sent_game
from django.core.cache import caches
from django.core.signals import request_finished, request_started
from django.db import OperationalError, close_old_connections
from office.live_pool import go_pool

from banzuke.api.auth import SERVER_LIMIT
from banzuke.api.live import fast_path
from banzuke.database.models import GoGame, LiveRefusal, Role
from banzuke.office.administration import api_keys
from banzuke.office.live import submission_queue
from banzuke.server.wsgi import application

AOI, KEI = ("aoi", "2d+", 14_900, 300), ("kei", "3d", 15_500, 300)


@pytest.fixture
def stays_connected(monkeypatch):
    """Nobody closes the connection of the test's transaction between two requests."""
    monkeypatch.setattr(fast_path, "close_old_connections", lambda: None)
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def post(db, django_user_model, settings, stays_connected):
    """`post(body, **environ)` gives the status, the headers and the document of what a server answers."""
    caches["memory"].clear()
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    pool = go_pool(AOI, KEI)
    user = django_user_model.objects.create_user("igs")
    Role.objects.create(user=user, kind=Role.Kind.OFFICER)

    def posted(body, scopes=("games",), of=pool, **more):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        key = api_keys.make_key("igs", user, of, scopes, None, CLERK).text
        environ = {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": f"{ADDRESS}/games",
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": "127.0.0.1",
            "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(data)),
            "HTTP_AUTHORIZATION": f"Bearer {key}",
            "wsgi.input": io.BytesIO(data),
            "wsgi.url_scheme": "http",
            "wsgi.errors": sys.stderr,
        } | more
        began = []
        answer = application(environ, lambda status, headers, _=None: began.append((status, dict(headers))))
        text = b"".join(answer)
        document = json.loads(text) if text.startswith(b"{") else {}
        if hasattr(answer, "close"):
            answer.close()
        return int(began[0][0].split()[0]), began[0][1], document

    return posted


@pytest.fixture
def only_plain(monkeypatch):
    """No other address than the plain one answers."""
    monkeypatch.setattr("banzuke.server.wsgi._pages", None)


def test_is_answered_as_by_the_address_itself(post, monkeypatch):
    game = sent_game("g1", 1, "aoi", "kei", "B")
    assert post(game)[2]["games"][0]["is_new"]
    with monkeypatch.context() as patched:
        patched.setattr("banzuke.server.wsgi._pages", None)
        plain = post(game)
    monkeypatch.setattr(fast_path, "answer", lambda environ: None)
    status, headers, document = post(game)
    assert (status, document) == (plain[0], plain[2])
    assert set(plain[1].pop("Vary").split(", ")) <= set(headers["Vary"].split(", "))
    assert plain[1].items() <= headers.items()


def test_one_game_and_several(post, only_plain):
    assert post(sent_game("g1", 1, "aoi", "kei", "B"))[0] == 200
    several = [sent_game(f"g{number}", number, "kei", "aoi", "W") for number in range(2, 5)]
    assert [each["game"] for each in post(several)[2]["games"]] == ["g2", "g3", "g4"]
    assert GoGame.objects.count() == 4


@pytest.mark.parametrize(
    ("status", "body", "more"),
    [
        (422, sent_game("g1", 1, "aoi", "nobody", "B"), {}),
        (422, sent_game("g1", 1, "aoi", "kei", "X"), {}),
        (400, b"{", {}),
        (422, b"", {}),
        (422, [], {}),
        (401, sent_game("g1", 1, "aoi", "kei", "B"), {"HTTP_AUTHORIZATION": ""}),
        (401, sent_game("g1", 1, "aoi", "kei", "B"), {"HTTP_AUTHORIZATION": "Bearer bzk_no_key"}),
        (403, sent_game("g1", 1, "aoi", "kei", "B"), {"scopes": ("read",)}),
        (404, sent_game("g1", 1, "aoi", "kei", "B"), {"PATH_INFO": f"{ADDRESS}/games/"}),
        (404, sent_game("g1", 1, "aoi", "kei", "B"), {"PATH_INFO": "/api/v1/pools/none/games", "of": None}),
        (413, json.dumps(sent_game("g1", 1, "aoi", "kei", "B")).encode() + b" " * 3_000_000, {}),
    ],
    ids=[
        "player",
        "result",
        "cut",
        "empty",
        "no-games",
        "no-key",
        "wrong-key",
        "scope",
        "address",
        "pool",
        "size",
    ],
)
def test_what_is_not_plain_is_refused_by_the_address_itself(post, status, body, more):
    found, headers, document = post(body, **more)
    assert (found, headers["Content-Type"].split(";")[0]) == (status, "application/problem+json")
    assert document["status"] == status
    assert not GoGame.objects.exists()


def test_a_refusal_is_noted_once(post):
    post(sent_game("g1", 1, "aoi", "nobody", "B"))
    assert LiveRefusal.objects.count() == 1


def test_a_body_without_a_length_is_looked_at_by_the_address_itself(post):
    assert post(sent_game("g1", 1, "aoi", "kei", "B"), CONTENT_LENGTH="")[0] == 422


def test_another_host_is_refused(post):
    assert post(sent_game("g1", 1, "aoi", "kei", "B"), HTTP_HOST="evil.example")[0] == 400
    assert not GoGame.objects.exists()


def test_a_body_is_not_waited_for_without_a_key(post):
    class Slow(io.BytesIO):
        def read(self, *_):
            raise AssertionError

    game = sent_game("g1", 1, "aoi", "kei", "B")
    more = {"HTTP_AUTHORIZATION": "Bearer bzk_no_key", "wsgi.input": Slow()}
    assert post(game, **more)[0] == 401


def test_a_key_has_its_limit(post, monkeypatch):
    monkeypatch.setattr(SERVER_LIMIT, "most", 0)
    assert post(sent_game("g1", 1, "aoi", "kei", "B"))[0] == 429


def test_where_the_database_was_gone_for_a_moment_the_address_itself_tries_again(post, monkeypatch):
    real, failed = submission_queue.send, []

    def send(*what):
        if not failed:
            failed.append(what)
            raise OperationalError
        return real(*what)

    monkeypatch.setattr(submission_queue, "send", send)
    assert post(sent_game("g1", 1, "aoi", "kei", "B"))[0] == 200
    assert failed
