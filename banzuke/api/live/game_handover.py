"""How games that were posted come from the processes that serve pages to the one that writes them, and back.

So the games of all of them go into common transactions, and no page that is being made keeps a game waiting.
They go over a Unix socket, `settings.GAME_WRITER`, in messages: a number, by which the answer is known, and
bytes.
"""

from enum import IntEnum
from struct import Struct
from typing import NamedTuple

import orjson

#: Bytes that are read at once.
BLOCK = 64 << 10
#: A message's number and the length of its bytes.
_HEAD = Struct("!QI")


class PostedGames(NamedTuple):
    """Games as they were posted: the word of the pool, the key, and the request's body."""

    pool: str
    key: str
    body: bytes

    def to_bytes(self) -> bytes:
        """As the writer gets them."""
        return orjson.dumps([self.pool, self.key]) + b"\n" + self.body

    @classmethod
    def from_bytes(cls, data: bytes) -> "PostedGames":
        """As they were made to bytes."""
        about, _, body = data.partition(b"\n")
        pool, key = orjson.loads(about)
        return cls(pool, key, body)


class Verdict(IntEnum):
    """What became of them: taken, not plain (the API's own address is asked), or the database is busy."""

    TAKEN = 0
    NOT_PLAIN = 1
    BUSY = 2


class WriterAnswer(NamedTuple):
    """What the writer says; `text` is what is answered for games that were taken."""

    verdict: Verdict
    text: bytes = b""

    def to_bytes(self) -> bytes:
        """As a process that serves pages gets it."""
        return bytes([self.verdict]) + self.text

    @classmethod
    def from_bytes(cls, data: bytes) -> "WriterAnswer":
        """As it was made to bytes."""
        return cls(Verdict(data[0]), data[1:])


NOT_PLAIN, BUSY = WriterAnswer(Verdict.NOT_PLAIN), WriterAnswer(Verdict.BUSY)


def message(number: int, data: bytes) -> bytes:
    """A message as it goes over the socket."""
    return _HEAD.pack(number, len(data)) + data


class MessageReader:
    """Puts messages together from what comes over the socket, in whatever pieces."""

    def __init__(self) -> None:
        self._came = bytearray()

    def add(self, data: bytes | memoryview) -> list[tuple[int, bytes]]:
        """The messages that are whole now, each with its number."""
        self._came += data
        whole, start = [], 0
        while len(self._came) - start >= _HEAD.size:
            number, size = _HEAD.unpack_from(self._came, start)
            end = start + _HEAD.size + size
            if len(self._came) < end:
                break
            whole.append((number, bytes(self._came[start + _HEAD.size : end])))
            start = end
        del self._came[:start]
        return whole
