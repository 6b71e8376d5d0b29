"""Games that are posted, handed to the process that writes them; they wait in the event loop."""

import asyncio
from collections import defaultdict
from http import HTTPStatus

from django.conf import settings

from banzuke.api.live.fast_path import count_sending
from banzuke.api.live.game_handover import (
    BLOCK,
    MessageReader,
    PostedGames,
    Verdict,
    WriterAnswer,
    message,
)
from banzuke.server.gate.bodies import TurnedAwayError
from banzuke.server.gate.known_keys import MOST_BYTES, KnownKeys
from banzuke.server.gate.request_threads import CrowdedError
from banzuke.server.gate.shared_timeout import SharedTimeout
from banzuke.server.gate.turned_away import busy

#: Seconds within which the writer answers: it gives up on a database that is busy long before.
ANSWERS_WITHIN = 20
#: Of one pool so many posts may wait (of all together MOST_BYTES).
MOST_OF_POOL = 256


class PostedGamesQueue:
    """What a process has handed over and has no answer to yet."""

    def __init__(self, keys: KnownKeys, loop: asyncio.AbstractEventLoop) -> None:
        self._keys = keys
        self._loop = loop
        self._timeout = SharedTimeout(ANSWERS_WITHIN, loop)
        self._opening = asyncio.Lock()
        self._connection: _WriterConnection | None = None
        self._waiting: defaultdict[str, int] = defaultdict(int)
        self._bytes = 0

    async def hand_over(self, games: PostedGames) -> bytes | None:
        """The answer to games that are on the disk now; None: the API's own address is to be asked.

        That is so where the key opens no such pool or has used its limit up, where the games are not plain,
        and where there is no writer, or it ends meanwhile: sending or writing games again enters none twice.
        Raises CrowdedError, and TurnedAwayError where the database is busy or no answer comes in time.
        """
        if not await self._keys.opens_pool(games) or not count_sending(games):
            return None
        size = len(games.body)
        if self._waiting[games.pool] >= MOST_OF_POOL or self._bytes + size > MOST_BYTES:
            raise CrowdedError
        self._waiting[games.pool] += 1
        self._bytes += size
        try:
            answer = await self._ask(games)
        except OSError:
            return None
        finally:
            self._bytes -= size
            self._waiting[games.pool] -= 1
        if answer.verdict is Verdict.BUSY:
            raise busy()
        return answer.text if answer.verdict is Verdict.TAKEN else None

    async def _ask(self, games: PostedGames) -> WriterAnswer:
        """What the writer says. Raises OSError where there is none, TurnedAwayError if it is late."""
        connection = self._connection
        if connection is None or connection.is_closed:
            connection = await self._open()
        try:
            return await self._timeout.wait(connection.ask(games.to_bytes()))
        except TimeoutError:
            connection.close_if_silent()
            raise TurnedAwayError(HTTPStatus.SERVICE_UNAVAILABLE, "unanswered") from None

    async def _open(self) -> "_WriterConnection":
        async with self._opening:
            if self._connection is None or self._connection.is_closed:
                if not settings.GAME_WRITER:
                    raise ConnectionError
                _, self._connection = await self._loop.create_unix_connection(
                    lambda: _WriterConnection(self._loop), settings.GAME_WRITER
                )
            return self._connection


class _WriterConnection(asyncio.BufferedProtocol):
    """The connection to the writer."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._buffer = memoryview(bytearray(BLOCK))
        self._reader = MessageReader()
        self._answers: dict[int, asyncio.Future[WriterAnswer]] = {}
        self._number = 0
        self._unsent: list[bytes] = []
        self._heard = loop.time()
        self.is_closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: asyncio.WriteTransport = transport  # type: ignore[assignment]

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002  # the name is asyncio's
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._heard = self._loop.time()
        for number, data in self._reader.add(self._buffer[:nbytes]):
            answer = self._answers.pop(number, None)
            if answer is not None and not answer.done():
                answer.set_result(WriterAnswer.from_bytes(data))

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # the name is asyncio's
        self.is_closed = True
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(ConnectionError())
        self._answers.clear()

    def ask(self, data: bytes) -> asyncio.Future[WriterAnswer]:
        """Send a message; its answer comes, or ConnectionError."""
        self._number += 1
        answer = self._answers[self._number] = self._loop.create_future()
        if not self._unsent:
            self._loop.call_soon(self._send)
        self._unsent.append(message(self._number, data))
        return answer

    def _send(self) -> None:
        """Send all messages of this turn of the loop together."""
        self._transport.write(b"".join(self._unsent))
        self._unsent.clear()

    def close_if_silent(self) -> None:
        """Give this connection up if the writer has said nothing for too long, to no pool."""
        if self._loop.time() - self._heard >= ANSWERS_WITHIN:
            self.is_closed = True
            self._transport.abort()
