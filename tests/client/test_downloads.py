"""Downloads from a server that answers in every way it may: on the way, late, cut short, without end."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import contextmanager, suppress

import pytest

from banzuke.client import downloads
from banzuke.client.api_client import AddressError, AwayError, RefusedByOfficeError
from banzuke.client.downloads import Downloads, TooLargeError, beside, download


@contextmanager
def server(*answers):
    """A server that gives these bytes, one after another (the last again and again); `asked` are the paths.

    An answer may be a function that is given the connection.
    """
    listening, asked = socket.create_server(("127.0.0.1", 0)), []

    def serve():
        left = list(answers)
        with suppress(OSError):
            while True:
                connection, _ = listening.accept()
                answer = left.pop(0) if len(left) > 1 else left[0]
                with connection, suppress(OSError):
                    request = connection.recv(65536)
                    if not request:  # its time was up before it asked
                        continue
                    asked.append(request.split(b" ")[1].decode())
                    if callable(answer):
                        answer(connection)
                    else:
                        connection.sendall(answer)

    threading.Thread(target=serve, daemon=True).start()
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    try:
        yield address, asked
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()


def answer(data=b"", status="200 OK", **headers):
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(data)}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + data


class TestGood:
    def test_the_bytes_and_where_they_were(self):
        with server(answer(b"abc")) as (address, asked):
            found = Downloads().get(f"{address}/a%20b/ö?revision=0#part", 3)
            assert found == (f"{address}/a%20b/ö?revision=0#part", b"abc")
            assert asked == ["/a%20b/%C3%B6?revision=0"]

    def test_one_is_sent_on_within_the_office(self):
        moved = [answer(status="302 Found", Location="../there"), answer(status="308 x", Location="/end?x=1")]
        with server(*moved, answer(b"abc")) as (address, asked):
            assert Downloads().get(f"{address}/a/b", 9) == (f"{address}/end?x=1", b"abc")
            assert asked == ["/a/b", "/there", "/end?x=1"]

    def test_what_is_being_made_is_waited_for(self, monkeypatch):
        waits, monkeypatched = [], []
        monkeypatch.setattr(downloads.time, "sleep", monkeypatched.append)
        later = answer(b"soon", "503 Service Unavailable", Retry_After="15", Content_Type="text/plain")
        often = answer(b"", "429 Too Many Requests", Retry_After="9999")
        with server(later, often, answer(b"abc")) as (address, _):
            assert Downloads(waiting=waits.append).get(address, 9).data == b"abc"
        assert waits == monkeypatched == [15, downloads.LONGEST_WAIT]

    def test_one_does_not_ask_again_and_again_without_waiting(self, monkeypatch):
        monkeypatch.setattr(downloads.time, "sleep", lambda _: None)
        waits, now = [], answer(b"", "503 x", Retry_After="0")
        with server(now, now, answer(b"abc")) as (address, _):
            assert Downloads(waiting=waits.append).get(address, 9).data == b"abc"
        assert waits == [1, 1]

    def test_letters_of_any_kind_in_an_address(self):
        with server(answer(b"abc")) as (address, asked):
            assert Downloads().get(f"{address}/?list=é x&from=a/b?c%20d", 3).data == b"abc"
            assert asked == ["/?list=%C3%A9%20x&from=a/b?c%20d"]

    def test_a_chunked_answer(self):
        whole = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
        with server(whole) as (address, _):
            assert download(address, 3) == b"abc"


class TestRefused:
    def test_with_the_reason_that_the_office_gives(self):
        for wait in ({}, {"Retry_After": "15"}):
            given = answer("理由\n".encode(), "503 x", Content_Type="text/plain; charset=utf-8", **wait)
            with server(given) as (address, _), pytest.raises(RefusedByOfficeError) as refused:
                download(address, 9)
            assert (refused.value.status, refused.value.detail) == (503, "理由")

    def test_a_page_is_no_reason(self):
        given = answer(b"<html>", "404 Not Found", Content_Type="text/html")
        with server(given) as (address, _), pytest.raises(RefusedByOfficeError) as refused:
            download(address, 9)
        assert (refused.value.status, refused.value.detail) == (404, "Not Found")

    @pytest.mark.parametrize("wait", ["15", "9" * 6_000])
    def test_where_waiting_would_take_longer_than_there_is_time(self, wait):
        given = answer(b"", "503 x", Retry_After=wait)
        with server(given) as (address, _), pytest.raises(RefusedByOfficeError):
            Downloads(5, waiting=print).get(address, 9)

    @pytest.mark.parametrize(
        "address", ["ftp://a/", "a", "http://", "http://a:b/", "http://[::1/", "file:///etc/passwd", ""]
    )
    def test_what_is_no_address(self, address):
        with pytest.raises(AddressError):
            download(address, 9)

    @pytest.mark.parametrize(
        "elsewhere",
        ["http://127.0.0.2/", "//localhost/x", "file:///etc/passwd", "ftp://127.0.0.1", "http://[", "//[::1"],
    )
    def test_being_sent_elsewhere(self, elsewhere):
        given = answer(status="302 Found", Location=elsewhere)
        with server(given) as (address, asked):
            with pytest.raises(AddressError):
                download(address, 9)
            assert len(asked) == 1

    @pytest.mark.parametrize("headers", [{"Location": "/"}, {}])
    def test_being_sent_round_and_round(self, headers):
        with server(answer(status="301 x", **headers)) as (address, asked):
            with pytest.raises(AwayError):
                download(address, 9)
            assert len(asked) == downloads.MOST_REDIRECTS + 1

    def test_a_file_beside_is_of_the_same_office(self):
        assert beside("https://a.example:8/x/y", "../z?q=1") == "https://a.example:8/z?q=1"
        for elsewhere in ("http://a.example:8/", "https://a.example/", "//b.example/", "file:///x", "//["):
            with pytest.raises(AddressError):
                beside("https://a.example:8/x/y", elsewhere)


class TestAway:
    def test_nobody_listens(self):
        with socket.create_server(("127.0.0.1", 0)) as listening:
            port = listening.getsockname()[1]
        with pytest.raises(AwayError):
            download(f"http://127.0.0.1:{port}/", 9)

    @pytest.mark.parametrize(
        "given",
        [
            b"",
            b"SSH-2.0-x\r\n",
            b"HTTP/1.1 2x0 OK\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nabc",
            b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1_000,
            b"HTTP/1.1 200 OK\r\nX: " + b"y" * 100_000,
        ],
    )
    def test_what_is_no_answer_or_cut_short(self, given):
        with server(given) as (address, _), pytest.raises(AwayError):
            download(address, 9)

    @pytest.mark.parametrize(
        "begin", [b"", b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\n\r\n", answer(b"x" * 9_999)[:80]]
    )
    def test_what_comes_drop_by_drop_ends_in_time(self, begin):
        def drip(connection):
            connection.sendall(begin)
            while True:
                connection.sendall(b"x")
                time.sleep(0.02)

        started = time.monotonic()
        with server(drip) as (address, _), pytest.raises(AwayError):
            Downloads(0.3).get(address, 10**9)
        assert time.monotonic() - started < 5

    def test_all_downloads_share_the_time(self):
        with server(answer(b"abc")) as (address, asked):
            several = Downloads(0.2)
            assert several.get(address, 3).data == b"abc"
            time.sleep(0.25)
            with pytest.raises(AwayError):
                several.get(address, 3)
            assert len(asked) <= 2


class TestTooLarge:
    @pytest.mark.parametrize(
        "given",
        [
            answer(b"abcd"),
            b"HTTP/1.1 200 OK\r\n\r\nabcd",
            b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nabcd",
        ],
    )
    def test_no_more_is_read_than_was_asked_for(self, given):
        with server(given) as (address, _), pytest.raises(TooLargeError):
            download(address, 3)

    def test_without_end(self):
        def flood(connection):
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            while True:
                connection.sendall(b"x" * 65_536)

        with server(flood) as (address, _), pytest.raises(TooLargeError):
            download(address, 2**20)
