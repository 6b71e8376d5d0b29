"""A client of a Go pool's stream that begins again after its last number, however often the stream ends."""

from __future__ import annotations

import http.client
import json
import threading
import time
from typing import TYPE_CHECKING, Any

from office import live_service

if TYPE_CHECKING:
    from office.live_service import Service

#: Seconds without a line, after which the client takes the stream for dead; a comment comes before.
SILENCE = 40


class StreamReader:
    """Reads in a thread of its own; `changes` are what came, in order."""

    def __init__(self, service: Service, player: str = "") -> None:
        self.changes: list[dict[str, Any]] = []
        self.begun = 0
        self.wrong: list[str] = []
        self._service = service
        self._player = player
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._read_all, daemon=True)
        self._thread.start()

    @property
    def last(self) -> int:
        """The number of the last change."""
        return self.changes[-1]["number"] if self.changes else 0

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join(SILENCE + 1)

    def _read_all(self) -> None:
        while not self._stopped.is_set():
            line = http.client.HTTPConnection("127.0.0.1", self._service.port, timeout=SILENCE)
            try:
                self._read(line)
            except (OSError, http.client.HTTPException, ValueError):
                pass  # it was cut off, within an event perhaps
            finally:
                line.close()
            time.sleep(0.05)

    def _read(self, line: http.client.HTTPConnection) -> None:
        asked = f"?player={self._player}" if self._player else ""
        path = f"/api/v1/pools/{live_service.POOL}/changes/stream{asked}"
        line.request("GET", path, headers={"Last-Event-ID": str(self.last)})
        answer = line.getresponse()
        if answer.status != http.client.OK:
            return
        self.begun += 1
        number, data = "", b""
        while not self._stopped.is_set() and (said := answer.readline()):
            if said.startswith(b"id: "):
                number = said[4:].decode().strip()
            elif said.startswith(b"data: "):
                data = said[6:]
            elif said == b"\n" and data:
                self._take(int(number), json.loads(data))
                number, data = "", b""

    def _take(self, number: int, change: dict[str, Any]) -> None:
        if number != change["number"]:
            self.wrong.append(f"{number} is {change['number']}")
        if number <= self.last:
            self.wrong.append(f"{number} after {self.last}")
        self.changes.append(change)
