"""A receiver of webhooks on loopback: it checks each signature and keeps every change once, by its number."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self


class Posted(NamedTuple):
    """A message that came, with the answer that it got."""

    id: str
    numbers: list[int]
    status: int
    headers: dict[str, str]
    body: bytes


def check(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """Whether a message is signed by that secret, and not old."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    is_signed = any(
        hmac.compare_digest(each, f"v1,{wanted}") for each in headers["webhook-signature"].split()
    )
    return is_signed and abs(time.time() - int(headers["webhook-timestamp"])) < 300


class Receiver:
    """Answers 200, or by what `answers` holds first; as a context it listens."""

    def __init__(self) -> None:
        self.secret = ""
        self.answers: list[Any] = []
        self.posted: list[Posted] = []
        self.changes: dict[int, dict[str, Any]] = {}
        self.last = 0
        self.doubled = 0
        self.wrong: list[str] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                receiver.take(self)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}/results?from=office"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def take(self, request: BaseHTTPRequestHandler) -> None:
        """One message: what it holds counts if it is signed and answered 200."""
        body = request.rfile.read(int(request.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in request.headers.items()}
        answer = self.answers.pop(0) if self.answers else 200
        status, more = answer if isinstance(answer, tuple) else (answer, {})
        changes = json.loads(body)["data"]["changes"]
        self.posted.append(
            Posted(headers["webhook-id"], [each["number"] for each in changes], status, headers, body)
        )
        if not check(self.secret, headers, body):
            self.wrong.append("signature")
        if status == 200:
            for change in changes:
                self._keep(change)
        if status == 0:  # what came is kept, but no answer goes out
            for change in changes:
                self._keep(change)
            request.close_connection = True
            return
        request.send_response(status)
        for name, value in more.items():
            request.send_header(name, value)
        request.send_header("Content-Length", "0")
        request.end_headers()

    def _keep(self, change: dict[str, Any]) -> None:
        """Numbers that are known are passed over; an unknown one is never before the last."""
        number = change["number"]
        if number in self.changes:
            self.doubled += 1
            if self.changes[number]["game"] != change["game"]:
                self.wrong.append(f"{number} is another change")
            return
        if number < self.last:
            self.wrong.append(f"{number} after {self.last}")
        self.changes[number], self.last = change, number
