"""The plain case of games sent, which the writer takes: answered as the API's own address does."""

from __future__ import annotations

import io
import json
import sys
from datetime import UTC, datetime

import pytest
from api.test_live_submissions import ADDRESS, CLERK, sent_game
from django.core.signals import request_finished, request_started
from django.db import OperationalError, close_old_connections
from office.live_pool import go_pool

from banzuke.api.auth import SERVER_LIMIT
from banzuke.api.live import fast_path, game_posts
from banzuke.api.live.game_handover import NOT_PLAIN, PostedGames, Verdict
from banzuke.database.models import Entry, GoGame, HiddenPool, LiveRefusal, Pool, Role
from banzuke.office.administration import api_keys
from banzuke.server.wsgi import application

AOI, KEI = ("aoi", "2d+", 14_900, 300), ("kei", "3d", 15_500, 300)


@pytest.fixture
def stays_connected(monkeypatch):
    """Nobody closes the connection of the test's transaction between two requests."""
    monkeypatch.setattr(game_posts, "close_old_connections", lambda: None)
    monkeypatch.setattr(fast_path, "close_old_connections", lambda: None)
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def post(db, django_user_model, settings, stays_connected):
    """`post(body, **environ)` gives the status, the headers and the document of what is answered.

    By the writer or, where that does not take it (or not `is_plain`), by the address itself.
    """
    SERVER_LIMIT.clear()
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    pool = go_pool(AOI, KEI)
    user = django_user_model.objects.create_user("igs")
    Role.objects.create(user=user, kind=Role.Kind.OFFICER)

    def posted(body, scopes=("games",), of=pool, is_plain=True, **more):
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
        if is_plain and (said := _taken(environ, data)):
            return 200, dict(fast_path.TAKEN_HEADERS), json.loads(said)
        answer = application(environ, lambda status, headers, _=None: began.append((status, dict(headers))))
        text = b"".join(answer)
        document = json.loads(text) if text.startswith(b"{") else {}
        if hasattr(answer, "close"):
            answer.close()
        return int(began[0][0].split()[0]), began[0][1], document

    return posted


def _taken(environ, data):
    """What the gate does with a request; None where the application is asked."""
    games = fast_path.read_posted_games(environ, lambda: data)
    return take_one(games) if games is not None and fast_path.count_sending(games) else None


def take_one(games):
    [said] = game_posts.take_together([games])
    assert said.verdict is not Verdict.BUSY
    return said.text if said.verdict is Verdict.TAKEN else None


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
    status, headers, document = post(game, is_plain=False)
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
        (
            413,
            json.dumps(sent_game("g1", 1, "aoi", "kei", "B")).encode() + b" " * 3_000_000,
            {"is_plain": False},
        ),
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


def test_another_host_is_refused(post):
    assert post(sent_game("g1", 1, "aoi", "kei", "B"), HTTP_HOST="evil.example")[0] == 400
    assert not GoGame.objects.exists()


def test_a_key_has_its_limit(post, monkeypatch):
    monkeypatch.setattr(SERVER_LIMIT, "most", 0)
    assert post(sent_game("g1", 1, "aoi", "kei", "B"))[0] == 429


def test_where_the_database_was_gone_for_a_moment_the_address_itself_tries_again(post, monkeypatch):
    failed = []

    def fail(*what):
        failed.append(what)
        raise OperationalError

    monkeypatch.setattr(game_posts, "send_together", fail)
    assert post(sent_game("g1", 1, "aoi", "kei", "B"))[0] == 200
    assert failed


def test_the_log_says_once_where_it_failed_and_nothing_that_was_sent(post, monkeypatch, caplog):
    def fail(_pool, submissions):
        try:
            {}.pop(private)
        except KeyError as error:
            for each in submissions:
                each.error = error

    pool, private = Pool.objects.get(), "aoi@example.org"
    monkeypatch.setattr(game_posts, "send_together", fail)
    sender = game_posts._Sender(pool, "igs", lambda: lambda: True)
    monkeypatch.setattr(game_posts, "_sender", lambda *_: sender)
    body = json.dumps(sent_game("g1", 1, "aoi", "kei", "B")).encode()
    assert game_posts.take_together([PostedGames(pool.slug, "key", body)] * 2) == [NOT_PLAIN] * 2
    [told] = [record.exc_text for record in caplog.records]
    assert told.endswith("KeyError")
    assert f'File "{__file__}", line ' in told
    assert private not in caplog.text


def test_posts_that_come_together_are_taken_or_refused_one_by_one(db, django_user_model, stays_connected):
    pool = go_pool(AOI, KEI)
    user = django_user_model.objects.create_user("igs")
    Role.objects.create(user=user, kind=Role.Kind.OFFICER)
    key, reading = (
        api_keys.make_key("igs", user, pool, (scope,), None, CLERK).text for scope in ("games", "read")
    )
    good = [sent_game(f"g{number}", number, "aoi", "kei", "B") for number in range(1, 4)]
    bodies = [good[0], sent_game("x", 4, "aoi", "nobody", "B"), good[1], "{", good[0], good[2]]
    keys = [key, key, key, key, key, reading]
    posts = [
        PostedGames(pool.slug, each, body.encode() if body == "{" else json.dumps(body).encode())
        for each, body in zip(keys, bodies, strict=True)
    ]
    said = game_posts.take_together(posts)
    taken, not_plain = Verdict.TAKEN, Verdict.NOT_PLAIN
    assert [each.verdict for each in said] == [taken, not_plain, taken, not_plain, taken, not_plain]
    new = [json.loads(each.text)["games"][0]["is_new"] for each in said if each.text]
    assert new == [True, True, False]
    assert set(GoGame.objects.values_list("game_id", flat=True)) == {"g1", "g2"}


@pytest.mark.parametrize("spoil", ["revoked", "expired", "inactive", "no role", "a reporter", "hidden pool"])
def test_a_key_that_has_just_lost_its_right_enters_nothing(
    db, django_user_model, stays_connected, monkeypatch, spoil
):
    pool = go_pool(AOI, KEI)
    keys = []
    for name in ("igs", "ogs"):
        user = django_user_model.objects.create_user(name)
        Role.objects.create(user=user, kind=Role.Kind.OFFICER)
        keys.append(api_keys.make_key(name, user, pool, ("games",), None, CLERK))

    def verdicts(*games):
        bodies = [json.dumps(sent_game(game, 1, "aoi", "kei", "B")).encode() for game in games]
        posts = [PostedGames(pool.slug, each.text, body) for each, body in zip(keys, bodies, strict=True)]
        return [said.verdict for said in game_posts.take_together(posts)]

    assert verdicts("g1", "g2") == [Verdict.TAKEN] * 2
    lost, first_entry = keys[0].key, Entry.objects.latest("pk").pk
    if spoil == "revoked":
        api_keys.revoke_key(lost, CLERK)
    elif spoil == "expired":
        type(lost).objects.filter(pk=lost.pk).update(expires_at=datetime.now(UTC))
    elif spoil == "inactive":
        django_user_model.objects.filter(pk=lost.user_id).update(is_active=False)
    elif spoil == "no role":
        Role.objects.filter(user=lost.user).delete()
    elif spoil == "a reporter":
        Role.objects.filter(user=lost.user).update(kind=Role.Kind.REPORTER)
    else:
        HiddenPool.objects.create(pool=pool)
    other = Verdict.NOT_PLAIN if spoil == "hidden pool" else Verdict.TAKEN
    looked_up = []
    monkeypatch.setattr(game_posts, "_look_up", lambda key, pool: looked_up.append(key))
    assert verdicts("g3", "g4") == [Verdict.NOT_PLAIN, other]
    assert looked_up == []  # both were remembered: the transaction itself has seen it
    assert verdicts("g5", "g6") == [Verdict.NOT_PLAIN, other]
    assert not Entry.objects.filter(pk__gt=first_entry, author=lost.user.username).exists()
    assert keys[0].text in looked_up  # it is not remembered any more


def test_who_sent_something_wrong_is_remembered(db, django_user_model, stays_connected, monkeypatch):
    pool = go_pool(AOI, KEI)
    user = django_user_model.objects.create_user("igs")
    Role.objects.create(user=user, kind=Role.Kind.OFFICER)
    key = api_keys.make_key("igs", user, pool, ("games",), None, CLERK).text

    def verdict(black):
        body = json.dumps(sent_game("g", 1, black, "kei", "B")).encode()
        return game_posts.take_together([PostedGames(pool.slug, key, body)])[0].verdict

    assert verdict("nobody") is Verdict.NOT_PLAIN
    monkeypatch.setattr(game_posts, "_look_up", lambda *_: pytest.fail("it is remembered"))
    assert [verdict("nobody"), verdict("aoi")] == [Verdict.NOT_PLAIN, Verdict.TAKEN]


def test_only_so_many_senders_are_remembered(db, django_user_model, stays_connected, monkeypatch):
    monkeypatch.setattr(game_posts, "MOST_SENDERS", 2)
    pool = go_pool(AOI, KEI)
    user = django_user_model.objects.create_user("igs")
    Role.objects.create(user=user, kind=Role.Kind.OFFICER)
    for number in range(5):
        key = api_keys.make_key("igs", user, pool, ("games",), None, CLERK).text
        body = json.dumps(sent_game(f"g{number}", 1, "aoi", "kei", "B")).encode()
        assert game_posts.take_together([PostedGames(pool.slug, key, body)])[0].verdict is Verdict.TAKEN
        assert len(game_posts._senders) <= 2


def test_nobody_may_send_anything(db, django_user_model, stays_connected, monkeypatch):
    pool = go_pool(AOI, KEI)
    assert game_posts.take_together([PostedGames(pool.slug, "no key", b"")]) == [NOT_PLAIN]
    user = django_user_model.objects.create_user("igs")
    Role.objects.create(user=user, kind=Role.Kind.OFFICER)
    good = api_keys.make_key("igs", user, pool, ("games",), None, CLERK).text
    assert api_keys.has_form_of_key(good)
    bad = ("", good + "\n", good.upper(), good + "é", "bzk_a b_c", good * 9)
    assert not any(map(api_keys.has_form_of_key, bad))
    posts = [(pool.slug, good), (pool.slug, "x"), ("none", good), ("", good), ("\0", good)]
    assert [game_posts.opens_pool(PostedGames(*each, b"")) for each in posts] == [True] + [False] * 4
    monkeypatch.setattr(game_posts, "api_keys", None)
    assert not game_posts.opens_pool(PostedGames(pool.slug, good, b""))
