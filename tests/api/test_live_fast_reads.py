"""What a Go server asks in the plain case goes past Django's handling: the same bytes as the address itself gives."""

from __future__ import annotations

import io
import re
import sys
from datetime import date, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from api.test_live_fast_path import stays_connected  # noqa: F401  # a fixture
from api.test_live_queries import CLERK, START
from django.core.cache import caches
from django.db import OperationalError, transaction
from office.live_pool import KEY, game, go_pool, play
from repeated import entered_pool

from banzuke.api.auth import SERVER_LIMIT
from banzuke.api.live import fast_path, fast_reads, go_answers
from banzuke.core.go_facts import GoPlayer
from banzuke.database.book_reader import files_of, read_book
from banzuke.database.book_writer import Act, open_entry
from banzuke.database.models import Contact, Merge, PoolFile, Role
from banzuke.office.administration import api_keys
from banzuke.office.lists.list_index import names_of
from banzuke.office.lists.publishing import publish
from banzuke.office.live import accounts, go_rules
from banzuke.office.live.players_now import read_players
from banzuke.office.raw_sql import Statements
from banzuke.server.wsgi import application

POOL = "/api/v1/pools/go"
EXAMPLES = Path(__file__).parents[2] / "examples"
#: To the microsecond.
MOMENT = START + timedelta(minutes=4, microseconds=123_456)


@pytest.fixture(scope="module")
def made(django_db_setup, django_db_blocker):
    """A pool, and one of chess, made once; each test's own changes are taken back."""
    with django_db_blocker.unblock(), transaction.atomic():
        entered_pool("hakodate", EXAMPLES / "hakodate", "clerk")
        ranked = (
            ("aoi", "2d+", 14_900, 300),
            ("kei", "3d", 15_300, 59),
            ("mio", "4k"),
            ("ren", "BC"),
            ("sho", "3p"),
        )
        pool = go_pool(*ranked, ("a/b", "5k"), ("..", "5k"))
        accounts.add_players(pool, [accounts.Newcomer(GoPlayer("青 い+&=", "青い", "5k"))], KEY)
        play(pool, game("G1", 1, "aoi", "kei", "W", 0, 7), game("G2", 2, "mio", "aoi", "W", 5, 1))
        late = game("G4", 4, "aoi", "kei", "B")._replace(ended=MOMENT)
        play(pool, game("G3", 3, "ren", "mio", "B"), late)
        yield pool
        transaction.set_rollback(True)


@pytest.fixture
def server(made, db, settings, stays_connected):  # noqa: F811
    SERVER_LIMIT.clear()
    caches["default"].clear()
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    return made


@pytest.fixture
def key(server, django_user_model):
    """`key("read")` is the header of a key with that scope."""

    def made(*scopes, of=server):
        user, _ = django_user_model.objects.get_or_create(username="igs")
        Role.objects.get_or_create(user=user, kind=Role.Kind.OFFICER)
        return "Bearer " + api_keys.make_key("igs", user, of, scopes, None, CLERK).text

    return made


def asked(address, authorization, **more):
    path, _, query = address.partition("?")
    environ = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": (path if path.startswith("/api") else f"{POOL}/{path}").encode().decode("latin-1"),
        "QUERY_STRING": query,
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "127.0.0.1",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.input": io.BytesIO(),
        "wsgi.url_scheme": "http",
        "wsgi.errors": sys.stderr,
    } | more
    if authorization:
        environ["HTTP_AUTHORIZATION"] = authorization
    began = []
    answer = application(environ, lambda status, headers, _=None: began.append((status, dict(headers))))
    text = b"".join(answer)
    if hasattr(answer, "close"):
        answer.close()
    return int(began[0][0].split()[0]), began[0][1], text


@pytest.fixture
def both(monkeypatch, key):
    """Asks in both ways, and gives what is answered, and whether the plain way answered it."""

    def ask(address, authorization=None, **more):
        authorization = key("games") if authorization is None else authorization
        answered = []
        real = fast_path.answer

        def noting(environ):
            answered.append(real(environ))
            return answered[-1]

        with monkeypatch.context() as patched:
            patched.setattr(fast_path, "answer", noting)
            status, headers, text = asked(address, authorization, **more)
            patched.setattr(fast_path, "answer", lambda _: None)
            own = asked(address, authorization, **more)
        assert (own[0], own[2]) == (status, text)
        if answered[0] is not None:
            assert set(headers.pop("Vary").split(", ")) <= set(own[1]["Vary"].split(", "))
            assert headers.items() <= own[1].items()
        return status, text, answered[0] is not None

    return ask


TERMS = [
    *(f"terms?black={black}&white={white}" for black in ("aoi", "mio", "ren", "sho") for white in ("kei", "aoi", "mio", "sho") if black != white),
    *(f"terms?black=aoi&white=kei&handicap={stones}" for stones in (0, 2, 9)),
    *(f"terms?komi={komi}&white=kei&black=mio" for komi in ("6.5", "-5.5", "0", "3.0", "-0", "12")),
    "terms?black=%E9%9D%92%20%E3%81%84%2B%26%3D&white=aoi",
    "terms?black=%E9%9D%92+%E3%81%84%2B%26%3D&white=aoi",
    "terms?black=a/b&white=..",
]  # fmt: skip
CHANGES = [
    "changes",
    "changes?after=0",
    "changes?after=0&limit=2",
    "changes?limit=1000",
    "changes?after=999999999",
    "changes?after=00",
]
PLAYERS = [
    "players/aoi",
    "players/kei?lang=ja",
    "players/mio?lang=en",
    "players/ren",
    "players/sho",
    "players/青 い+&=",
]


@pytest.mark.parametrize("address", [*TERMS, *CHANGES, *PLAYERS])
@pytest.mark.parametrize("scope", ["games", "read"])
def test_plain_questions(both, key, address, scope):
    status, text, is_plain = both(address, key(scope))
    assert (status, is_plain) == (200, True)
    assert text.startswith(b"{")


@pytest.mark.parametrize("address", [TERMS[0], CHANGES[0], PLAYERS[0]])
def test_head_is_plain_too(both, key, address):
    authorization = key("games")
    _, headers, whole = asked(address, authorization)
    assert both(address, authorization, REQUEST_METHOD="HEAD") == (200, b"", True)
    assert asked(address, authorization, REQUEST_METHOD="HEAD") == (200, headers, b"")
    assert headers["Content-Length"] == str(len(whole))


@pytest.mark.parametrize(
    ("status", "address"),
    [
        (404, "terms?black=aoi&white=nobody"),
        (422, "terms?black=aoi&white=aoi"),
        (422, "terms?black=aoi"),
        (422, "terms?black=&white=kei"),
        (422, "terms?black=aoi&white=kei&handicap=10"),
        (422, "terms?black=aoi&white=kei&handicap=x"),
        (422, "terms?black=aoi&white=kei&komi=6.4"),
        (422, "terms?black=aoi&white=kei&komi=6.5%0A"),
        (422, "terms?black=aoi&white=k%0Aei"),
        (422, "terms?black=aoi&white=" + "k" * 101),
        (422, "changes?after=x"),
        (422, "changes?after=-1"),
        (422, "changes?after=9223372036854775808"),
        (422, "changes?limit=1001"),
        (422, "changes?limit=0"),
        (404, "players/nobody"),
        (422, "players/aoi?lang=fr"),
        (404, "players/a~2fb"),
        (404, "players/"),
        (404, "terms/"),
        (404, "/api/v1/pools/none/changes"),
    ],
)
def test_what_is_wrong_is_said_by_the_address_itself(both, key, status, address):
    found, text, is_plain = both(address, key("games", of=None))
    assert (found, is_plain) == (status, False)
    assert str(status).encode() in text


@pytest.mark.parametrize(
    "address",
    [
        "terms?black=aoi&white=kei&handicap=%2B2",
        "terms?black=aoi&white=kei&other=1",
        "terms?black=mio&black=aoi&white=kei",
        "terms?black=aoi&&white=kei",
        "terms?black=aoi&white=kei&handicap=+5",
        "changes?after=9223372036854775807",
        "changes?after=%201",
        "players/a~2Fb",
        "players/~2E~2E",
        "players/aoi?other",
    ],
)
def test_what_is_odd_is_answered_by_the_address_itself(both, address):
    assert both(address)[::2] == (200, False)


@pytest.mark.parametrize(
    ("status", "more"),
    [
        (200, {"HTTP_COOKIE": "django_language=ja"}),
        (200, {"HTTP_IF_MATCH": '"other"'}),
        (405, {"REQUEST_METHOD": "DELETE"}),
        (400, {"HTTP_HOST": "evil.example"}),
    ],
    ids=["cookie", "condition", "method", "host"],
)
def test_a_request_that_is_not_plain(both, status, more):
    found, _, is_plain = both("players/aoi", **more)
    assert (found, is_plain) == (status, False)


def test_languages(both):
    for said, is_japanese in (
        ("ja", True),
        ("ja-JP,en;q=0.5", True),
        ("en,ja;q=0.9", False),
        ("fr", False),
        ("*", False),
    ):
        status, text, is_plain = both("players/aoi", HTTP_ACCEPT_LANGUAGE=said)
        assert (status, is_plain, "実際".encode() in text) == (200, True, is_japanese)


class TestKeys:
    def test_none_and_wrong_ones(self, both, key):
        assert both("changes", "")[::2] == (200, False)
        assert both("changes", "Bearer bzk_no_key")[::2] == (401, False)
        assert both("changes", "Basic x")[::2] == (401, False)

    def test_the_scope(self, both, key):
        assert both("changes", key("reports"))[::2] == (403, False)

    def test_another_pools(self, both, key):
        other = go_pool(("one", "5k"), slug="other")
        assert both("changes", key("games", of=other))[::2] == (401, False)

    def test_it_has_its_limit(self, key, monkeypatch):
        monkeypatch.setattr(SERVER_LIMIT, "most", 2)
        known = key("games")
        assert [asked("changes", known)[0] for _ in range(3)] == [200, 200, 429]


def test_an_answer_that_is_there_already(both, key):
    tag = asked("changes", key("games"))[1]["ETag"]
    for said in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        assert both("changes", HTTP_IF_NONE_MATCH=said) == (304, b"", True)
    assert both("changes", HTTP_IF_NONE_MATCH='"other"')[::2] == (200, True)


class TestNames:
    def test_who_is_shown_by_id_only(self, both, server):
        entry = open_entry(server, Act("clerk", "contact"))
        Contact.objects.create(entry=entry, pool=server, player_id="aoi", by_id_only=True)
        for address in ("players/aoi", "terms?black=aoi&white=kei"):
            status, text, is_plain = both(address)
            assert (status, is_plain) == (200, True)
            assert b"Aoi" not in text

    def test_who_was_put_together_with_another(self, both, server):
        entry = open_entry(server, Act("clerk", "merge"))
        Merge.objects.create(entry=entry, pool=server, kept="kei", merged="aoi")
        assert both("players/aoi")[::2] == (307, False)
        assert both("players/kei")[::2] == (200, True)


def test_lists_too(both, server):
    publish(server, names_of(read_book(server))[-1], CLERK, date(2026, 3, 1))
    status, text, is_plain = both("players/aoi")
    assert (status, is_plain) == (200, True)
    assert b'"list":"2026-02"' in text


def test_what_lists_say_is_kept_until_one_of_their_rows_comes(server, monkeypatch):
    """As outside a transaction: within one nothing is kept."""
    monkeypatch.setattr(go_answers, "_listed", lambda *asked: go_answers._kept_listed(*asked, 0))
    go_answers._kept_listed.cache_clear()
    try:
        before = go_answers.player_text(server, "aoi", "en")
        assert b'"ratings":[]' in before
        publish(server, names_of(read_book(server))[-1], CLERK, date(2026, 3, 1))
        assert b'"name":"Aoi"' in (listed := go_answers.player_text(server, "aoi", "en"))
        assert b'"list":"2026-02"' in listed
        entry = open_entry(server, Act("clerk", "contact"))
        Contact.objects.create(entry=entry, pool=server, player_id="aoi", by_id_only=True)
        assert b"Aoi" not in go_answers.player_text(server, "aoi", "en")
        assert go_answers._kept_listed.cache_info().misses == 3
    finally:
        go_answers._kept_listed.cache_clear()


def test_what_lists_say_is_not_kept_for_long(server, monkeypatch):
    """On PostgreSQL a row may be seen later than one with a greater id, by which its table was known."""
    clock = [0.0]
    monkeypatch.setattr(go_answers, "monotonic", lambda: clock[0])
    monkeypatch.setattr(go_answers, "connection", SimpleNamespace(in_atomic_block=False))
    monkeypatch.setattr(
        go_answers, "_find_listed", lambda _, player: go_answers._Listed(player, False, b"[]")
    )
    go_answers._kept_listed.cache_clear()
    for seconds, misses in ((0, 1), (go_answers.KEPT_FOR - 1, 1), (go_answers.KEPT_FOR, 2)):
        clock[0] = seconds
        go_answers._listed(server, "aoi", (1, 2, 3, 4))
        assert go_answers._kept_listed.cache_info().misses == misses
    go_answers._kept_listed.cache_clear()


def test_rules_are_read_again_by_a_file_that_is_seen_later_than_one_with_a_greater_id(
    server, django_capture_on_commit_callbacks
):
    """As on PostgreSQL, where another pool's file may be committed first."""
    rules, last = files_of(server), PoolFile.objects.latest("pk").pk
    entry = open_entry(server, Act("clerk", "rules"))
    other = open_entry(go_pool(("one", "5k"), slug="other"), Act("clerk", "rules"))
    PoolFile.objects.create(pk=last + 20, entry=other, name="note.toml", text="")
    with django_capture_on_commit_callbacks(execute=True):  # as if what was read were committed
        assert read_players(server, ["aoi"]).rules.name != "Another"
    text = re.sub('name = "[^"]*"', 'name = "Another"', rules["pool.toml"], count=1)
    PoolFile.objects.create(pk=last + 10, entry=entry, name="pool.toml", text=text)
    assert read_players(server, ["aoi"]).rules.name == "Another"
    go_rules._known_rules._kept.clear()


def test_a_moment_is_told_in_full(both):
    moment = MOMENT.isoformat().replace("+00:00", "Z")
    assert f'"ended":"{moment}"'.encode() in both("changes?after=0")[1]
    assert f'"last_at":"{moment}"'.encode() in both("players/aoi")[1]


def test_where_the_database_was_gone_for_a_moment_the_address_itself_asks_again(key, monkeypatch):
    real, failed = fast_reads.changes_text, []

    def once(*what, **words):
        if not failed:
            failed.append(what)
            raise OperationalError
        return real(*what, **words)

    monkeypatch.setattr(fast_reads, "changes_text", once)
    assert asked("changes", key("games"))[0] == 200
    assert failed


@pytest.mark.parametrize(
    ("status", "address"), [(404, "changes"), (404, "terms?black=J004&white=J005"), (404, "players/nobody")]
)
def test_a_pool_of_chess(both, key, status, address):
    assert both(f"/api/v1/pools/hakodate/{address}", key("games", of=None))[::2] == (status, False)


def test_each_is_asked_of_the_database_at_few_times(key, monkeypatch):
    """As outside a transaction, where what lists say is kept; the last of them is where a player is placed."""
    monkeypatch.setattr(go_answers, "_listed", lambda *asked: go_answers._kept_listed(*asked, 0))
    texts = []
    for name in ("execute", "repeat"):
        real = getattr(Statements, name)

        def noting(self, text, values, real=real):
            texts.append(text)
            return real(self, text, values)

        monkeypatch.setattr(Statements, name, noting)
    known = key("games")
    go_answers._kept_listed.cache_clear()
    try:
        for address, most in (
            (TERMS[0], 2),
            (PLAYERS[0], 3),
            ("changes?after=999999999", 2),
            (CHANGES[0], 4),
        ):
            asked(address, known)
            texts.clear()
            assert asked(address, known)[0] == 200
            assert len(texts) == most
    finally:
        go_answers._kept_listed.cache_clear()
