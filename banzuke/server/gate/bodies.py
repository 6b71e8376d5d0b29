"""What a client sends, read whole before anybody looks at it, within limits of size and time."""

import asyncio
from http import HTTPStatus
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from banzuke.server.gate.shared_timeout import SharedTimeout

#: The longest body that the office takes from whom it does not know: a form to sign in, a choice of language.
#: One of up to this size is read in one piece.
MOST_OF_STRANGERS = 64 << 10
#: Bytes that are kept in memory; of more, so many are written to the temporary folder in one go.
IN_MEMORY, BLOCK = 1 << 20, 256 << 10
#: A body has so many seconds, and one more for every so many bytes that have come.
COMES_WITHIN, BYTES_A_SECOND = 10.0, 16 << 10


class TurnedAwayError(Exception):
    """A request that no page sees: the answer's status, and why (a word that its page has a text for)."""

    def __init__(self, status: HTTPStatus, why: str) -> None:
        super().__init__(why)
        self.status = status
        self.why = why


class BodyReader:
    """Reads the bodies of requests; `protocol` is the server's side of one."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._timeout = SharedTimeout(COMES_WITHIN, loop)

    async def read(self, protocol: Any, length: int) -> IO[bytes]:
        """All of one. Raises TurnedAwayError for one that is slow, or ends before its length."""
        try:
            return await (self._small if length <= MOST_OF_STRANGERS else self._large)(protocol, length)
        except TimeoutError:
            raise TurnedAwayError(HTTPStatus.REQUEST_TIMEOUT, "slow") from None

    async def _small(self, protocol: Any, length: int) -> IO[bytes]:
        try:
            data: bytes = await self._timeout.wait(protocol())
        except RuntimeError:  # the server's, of a connection that was closed
            data = b""
        _check(len(data), length)
        return BytesIO(data)

    async def _large(self, protocol: Any, length: int) -> IO[bytes]:
        into: IO[bytes] = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  # closed with the request
        try:
            began, came, waiting = self._loop.time(), 0, bytearray()
            chunks = protocol.__aiter__()
            while came < length and (
                chunk := await _next(chunks, began + COMES_WITHIN + came / BYTES_A_SECOND)
            ):
                came += len(chunk)
                waiting += chunk
                if len(waiting) >= BLOCK or came >= length:
                    await self._loop.run_in_executor(None, into.write, bytes(waiting))
                    waiting.clear()
            _check(came, length)
            into.seek(0)
        except BaseException:
            into.close()
            raise
        return into


async def _next(chunks: Any, until: float) -> bytes:
    async with asyncio.timeout_at(until):
        chunk: bytes = await anext(chunks, b"")
    return chunk


def _check(came: int, length: int) -> None:
    if came != length:
        raise TurnedAwayError(HTTPStatus.BAD_REQUEST, "short")
