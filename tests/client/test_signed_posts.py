"""A signed message posted to an address: what it is signed by, and what may come of it."""

from __future__ import annotations

import base64
import socket
import threading
from contextlib import contextmanager

import pytest

from banzuke.client.signed_posts import WebhookMessage, post, signature

SECRET = bytes(range(32))


@contextmanager
def listener(act):
    """A machine on loopback that does something with each connection."""
    server = socket.create_server(("127.0.0.1", 0))
    done = threading.Event()

    def serve():
        while True:
            try:
                one, _ = server.accept()
            except OSError:
                return
            with one:
                act(one, done)

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/x"
    finally:
        done.set()
        server.close()


def read_all(one):
    """The whole message: a line closed before all was read is not closed but reset."""
    said = b""
    while not said.endswith(b"}"):
        said += one.recv(65536)
    return said


def answers(head):
    def act(one, _):
        read_all(one)
        one.sendall(head)

    return act


def test_it_is_signed_as_the_specification_has_it():
    """The specification's own libraries test with these: id, second, body and secret give that signature."""
    secret = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    message = WebhookMessage("msg_p5jXN8AQM9LWM0D4loKWxJek", b'{"test": 2432232314}')
    assert signature(secret, message, 1614265330) == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_what_is_sent():
    seen = []

    def act(one, _):
        seen.append(read_all(one))
        one.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")

    with listener(act) as address:
        assert post(f"{address}?a=b", SECRET, WebhookMessage("m-1", b'{"a": 1}')).failure == ""
    head, _, body = seen[0].partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    assert lines[0] == "POST /x?a=b HTTP/1.1"
    assert {"Content-Type: application/json", "webhook-id: m-1", "Content-Length: 8"} <= set(lines)
    assert body == b'{"a": 1}'


@pytest.mark.parametrize(
    ("head", "failure", "facts"),
    [
        (b"HTTP/1.1 500 No\r\n\r\n", "status", {"status": "500"}),
        (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n", "moved", {"status": "302"}),
        (b"HTTP/1.1 410 Gone\r\n\r\n", "status", {"status": "410"}),
        (b"rubbish\r\n\r\n", "network", {"why": "BadStatusLine"}),
        (b"", "network", {"why": "Remote end closed connection without response"}),
        (b"HTTP/1.1 200 OK\r\n" + b"A: " + b"x" * 70_000 + b"\r\n\r\n", "network", None),
    ],
)
def test_an_answer_that_is_none(head, failure, facts):
    with listener(answers(head)) as address:
        found = post(address, SECRET, WebhookMessage("m", b"{}"))
    assert found.failure == failure
    if facts is not None:
        assert found.facts == facts
    assert found.is_gone == (b"410" in head)


@pytest.mark.parametrize(
    ("said", "seconds"),
    [("7", 7), ("-1", 0), ("Wed, 21 Oct 2026 07:28:00 GMT", 0), ("9" * 30, 0), ("\u0663", 0)],
)
def test_how_long_it_wants_to_be_left_alone(said, seconds):
    head = f"HTTP/1.1 503 Busy\r\nRetry-After: {said}\r\n\r\n".encode()
    with listener(answers(head)) as address:
        assert post(address, SECRET, WebhookMessage("m", b"{}")).wait == seconds


def test_a_long_body_of_an_answer_is_not_read():
    def act(one, done):
        one.recv(65536)
        one.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
        done.wait(20)

    with listener(act) as address:
        assert post(address, SECRET, WebhookMessage("m", b"{}")).failure == ""


@pytest.mark.parametrize("trickles", [False, True])
def test_nobody_is_waited_for_longer(trickles):
    """Not even who says a little again and again."""

    def act(one, done):
        one.recv(65536)
        while not done.wait(0.05):
            if trickles:
                try:
                    one.sendall(b"H")
                except OSError:
                    return

    with listener(act) as address:
        found = post(address, SECRET, WebhookMessage("m", b"{}"), within=0.3)
    assert (found.failure, found.facts) == ("timeout", {"seconds": "0.3"})


def test_nobody_is_there():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{one.getsockname()[1]}/"
        assert post(address, SECRET, WebhookMessage("m", b"{}")).failure == "network"
    assert post("http://nowhere.invalid/", SECRET, WebhookMessage("m", b"{}")).failure == "network"


def test_what_does_not_speak_tls():
    def act(one, _):
        one.recv(65536)
        one.sendall(b"HTTP/1.1 200 OK\r\n\r\n")

    with listener(act) as address:
        found = post(address.replace("http:", "https:"), SECRET, WebhookMessage("m", b"{}"))
    assert found.failure == "tls"
