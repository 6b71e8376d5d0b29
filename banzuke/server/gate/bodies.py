"""What a client sends, read whole before anybody looks at it, within limits of size and time."""

import asyncio
from http import HTTPStatus
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import IO, Any

#: Bytes that anybody may send: a form to sign in, a choice of language. Up to so many are read at once.
ANYBODYS = 64 << 10
#: Bytes that are kept in memory; of more, so many are written to the temporary folder in one go.
IN_MEMORY, BLOCK = 1 << 20, 256 << 10
#: A body has so many seconds, and one more for every so many bytes that have come.
PATIENCE, PER_SECOND = 10.0, 16 << 10


class TurnedAwayError(Exception):
    """A request that no page sees: the answer's status, and why (a word that its page has a text for)."""

    def __init__(self, status: HTTPStatus, why: str) -> None:
        super().__init__(why)
        self.status = status
        self.why = why


class BodyReader:
    """Reads the body of one request (`protocol` is the server's)."""

    def __init__(self, protocol: Any, length: int) -> None:
        self._protocol = protocol
        self._length = length
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()

    async def read(self) -> IO[bytes]:
        """All of it. Raises TurnedAwayError for one that is slow, or ends before its length."""
        try:
            return await (self._small() if self._length <= ANYBODYS else self._large())
        except TimeoutError:
            raise TurnedAwayError(HTTPStatus.REQUEST_TIMEOUT, "slow") from None

    async def _small(self) -> IO[bytes]:
        async with asyncio.timeout(PATIENCE):
            try:
                data: bytes = await self._protocol()
            except RuntimeError:  # the server's, of a connection that was closed
                data = b""
        self._check(len(data))
        return BytesIO(data)

    async def _large(self) -> IO[bytes]:
        into: IO[bytes] = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  # closed with the request
        try:
            came, waiting = 0, bytearray()
            chunks = self._protocol.__aiter__()
            while came < self._length and (chunk := await self._next(chunks, came)):
                came += len(chunk)
                waiting += chunk
                if len(waiting) >= BLOCK or came >= self._length:
                    await self._loop.run_in_executor(None, into.write, bytes(waiting))
                    waiting.clear()
            self._check(came)
            into.seek(0)
        except BaseException:
            into.close()
            raise
        return into

    async def _next(self, chunks: Any, came: int) -> bytes:
        async with asyncio.timeout_at(self._began + PATIENCE + came / PER_SECOND):
            chunk: bytes = await anext(chunks, b"")
        return chunk

    def _check(self, came: int) -> None:
        if came != self._length:
            raise TurnedAwayError(HTTPStatus.BAD_REQUEST, "short")
