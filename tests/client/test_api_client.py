"""ApiClient an office over HTTP, held against a server on loopback that answers whatever it is told to."""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from banzuke.client import api_client
from banzuke.client.api_client import (
    AddressError,
    ApiClient,
    AwayError,
    RefusedByOfficeError,
    changes,
    parse_pool_address,
    quote_id,
)
from banzuke.client.ledger_replay import Post, send


class Answering(BaseHTTPRequestHandler):
    """Takes its answers from the server's list, the last one again and again; None: cuts the line."""

    protocol_version = "HTTP/1.1"

    def answer(self):
        size = int(self.headers.get("Content-Length", 0))
        self.server.asked.append(
            (self.command, self.path, self.headers.get("Authorization"), self.rfile.read(size))
        )
        answers = self.server.answers
        said = answers.pop(0) if len(answers) > 1 else answers[0]
        if said is None:
            self.close_connection = True
            return
        status, headers, text = said
        self.send_response(status)
        for name, value in (headers | {"Content-Length": str(len(text))}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())

    do_GET = do_POST = answer  # noqa: N815  # the names that the server's class wants

    def log_message(self, *_):
        """Nothing."""


@pytest.fixture
def answering():
    """A maker of an office that answers so; it keeps what it was asked."""
    servers = []

    def make(*answers):
        server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        server.answers, server.asked = list(answers), []
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
        return server

    yield make
    for server in servers:
        server.shutdown()
        server.server_close()


def asking(server, key="", patience=5.0, waiting=lambda _: None):
    return ApiClient(
        parse_pool_address(f"http://127.0.0.1:{server.server_port}/rated", "go"), key, patience, waiting
    )


def good(value):
    return (200, {}, json.dumps(value))


#: Answers of who is no office.
ODD = [
    (200, {}, "[]"),
    (200, {}, "5"),
    (200, {}, "[" * 200_000),
    (200, {}, "{}"),
    (200, {}, '{"changes": 5, "next": 0}'),
    (200, {}, '{"changes": [], "next": "x"}'),
    (422, {}, '{"errors": 5}'),
    (422, {}, '{"errors": ["x"]}'),
]


@pytest.mark.parametrize("said", ODD)
def test_who_is_no_office_is_told_so(answering, said):
    with pytest.raises(RefusedByOfficeError) as told:
        list(changes(asking(answering(said)), 0))
    assert (told.value.status, told.value.faults) == (said[0], [])


def test_a_wait_beyond_all_measure_is_not_kept(monkeypatch, answering):
    waits = []
    monkeypatch.setattr(time, "sleep", waits.append)
    server = answering((429, {"Retry-After": "9" * 30}, ""), good({"a": 1}))
    assert asking(server).get("changes") == {"a": 1}
    assert waits == [3_600.0]


class TestAsking:
    def test_what_goes_out_and_comes_back(self, answering):
        server = answering(good({"next": 7}))
        office = asking(server, "bzk_x")
        assert office.get("changes", after=3) == {"next": 7}
        assert office.post("players", {"name": "あ"}) == {"next": 7}
        get, post = server.asked
        assert get == ("GET", "/rated/api/v1/pools/go/changes?after=3", "Bearer bzk_x", b"")
        assert post[:2] == ("POST", "/rated/api/v1/pools/go/players")
        assert json.loads(post[3]) == {"name": "あ"}

    def test_a_line_that_is_cut_and_an_office_that_is_full_are_waited_for(self, answering):
        server, waited = answering(None, (503, {}, ""), (429, {"Retry-After": "1"}, ""), good({"a": 1})), []
        begun = time.monotonic()
        assert asking(server, waiting=waited.append).post("games", {"game_id": "1"}) == {"a": 1}
        assert time.monotonic() - begun > 1
        assert len(waited) == 3
        assert waited[1:] == ["503 Service Unavailable", "429 Too Many Requests"]
        assert len({asked[3] for asked in server.asked}) == 1

    @pytest.mark.parametrize("said", [None, (503, {}, "")])
    def test_patience_ends(self, answering, said):
        server = answering(said)
        with pytest.raises(AwayError):
            asking(server, patience=0.3).get("changes")
        assert len(server.asked) > 1
        with pytest.raises(AwayError):
            asking(server, patience=0).get("changes")

    def test_being_asked_to_wait_is_no_absence(self, answering):
        server = answering((429, {"Retry-After": "1"}, ""), good({}))
        assert asking(server, patience=0.5).get("changes") == {}

    def test_an_office_that_cannot_write_is_not_waited_for_longer(self, answering):
        """Nothing is sent to it again and again for hours because it says when to come again."""
        full = json.dumps({"detail": "The disk is full."})
        server, waited = answering((503, {"Retry-After": "1"}, full)), []
        with pytest.raises(AwayError, match=r"503 Service Unavailable: The disk is full\."):
            asking(server, patience=1.5, waiting=waited.append).post("reports", {})
        assert len(server.asked) == 2
        assert waited == ["503 Service Unavailable: The disk is full."]

    def test_a_refusal_is_told(self, answering):
        problem = {"detail": "Too late.", "errors": [{"where": "0.ended", "message": "earlier than ..."}]}
        server = answering((409, {"Content-Type": "application/problem+json"}, json.dumps(problem)))
        with pytest.raises(RefusedByOfficeError, match=r"Too late\.") as refused:
            asking(server).get("changes")
        assert (refused.value.status, refused.value.faults) == (409, ["0.ended: earlier than ..."])

    @pytest.mark.parametrize(
        "said", [(200, {}, "<html>"), (302, {"Location": "/"}, ""), (500, {}, "[]"), (404, {}, "{}")]
    )
    def test_what_no_office_says(self, answering, said):
        with pytest.raises(RefusedByOfficeError) as refused:
            asking(answering(said)).get("changes")
        assert refused.value.status == said[0]


class TestAddresses:
    @pytest.mark.parametrize(
        ("office", "word", "path"),
        [
            ("http://a", "go", "/api/v1/pools/go"),
            ("https://a:8443/rated/", "go", "/rated/api/v1/pools/go"),
            ("http://[::1]:8000", "a b/c", "/api/v1/pools/a%20b%2Fc"),
        ],
    )
    def test_a_pool(self, office, word, path):
        assert parse_pool_address(office, word).path == path

    @pytest.mark.parametrize(
        "office", ["", "a", "127.0.0.1:80", "ftp://a", "http://a:b", "http://a?b", "http://[a"]
    )
    def test_no_address(self, office):
        with pytest.raises(AddressError):
            parse_pool_address(office, "go")

    def test_ids_in_addresses(self):
        assert [quote_id(each) for each in ("a/b", "~", "..", "あ b")] == [
            "a~2Fb",
            "~7E",
            "~2E~2E",
            "%E3%81%82%20b",
        ]


class TestFeed:
    def test_it_goes_on_until_there_is_no_more(self, answering):
        pages = [good({"changes": [{"number": n}], "next": n}) for n in (5, 9)]
        server = answering(*pages, good({"changes": [], "next": 9}))
        assert [each["number"] for each in changes(asking(server), 2)] == [5, 9]
        assert [asked[1].partition("?")[2] for asked in server.asked] == ["after=2", "after=5", "after=9"]


class TestSend:
    def test_each_once_and_in_order_by_one_client(self, answering):
        server, sent = answering(good({})), []
        send([Post("games", number, 2) for number in range(20)], [asking(server)], sent.append)
        assert [json.loads(asked[3]) for asked in server.asked] == list(range(20))
        assert sent == [2] * 20

    def test_each_once_by_several(self, answering):
        server = answering(good({}))
        clients = [asking(server) for _ in range(4)]
        send([Post("games", number, 1) for number in range(50)], clients, lambda _: None)
        assert sorted(json.loads(asked[3]) for asked in server.asked) == list(range(50))

    def test_a_refusal_ends_all(self, answering):
        server = answering(good({}), (422, {}, '{"detail": "no"}'))
        clients = [asking(server) for _ in range(3)]
        with pytest.raises(RefusedByOfficeError):
            send((Post("games", number, 1) for number in range(10_000)), clients, lambda _: None)
        assert len(server.asked) < 10


def test_a_file_whose_name_is_no_text_is_sent_all_the_same():
    body = api_client._form_body("mark", [('bad\udcff".trf', b"x")], {})
    assert b'filename="bad?%22.trf"' in body
