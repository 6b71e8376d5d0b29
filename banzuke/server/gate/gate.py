"""The gate itself: each request on its way to a thread of its kind."""

import asyncio
import errno
import logging
import os
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from io import BytesIO
from typing import IO, Any
from wsgiref.types import WSGIApplication, WSGIEnvironment

from django.db import Error, close_old_connections

from banzuke.api.live import fast_path, game_posts
from banzuke.api.live.game_handover import PostedGames
from banzuke.database.outages import outage_of
from banzuke.server.gate.bodies import MOST_OF_STRANGERS, BodyReader, TurnedAwayError
from banzuke.server.gate.body_limits import (
    STRANGER,
    Sender,
    length_of,
    may_be_known,
    sender_of,
    sender_of_games,
)
from banzuke.server.gate.feed_streams import FeedStreams
from banzuke.server.gate.known_keys import KnownKeys
from banzuke.server.gate.posted_games import PostedGamesQueue
from banzuke.server.gate.request_threads import CrowdedError, Places, RequestThreads
from banzuke.server.gate.shared_places import SharedPlaces, pool_in
from banzuke.server.gate.turned_away import API, CLOSE, answer_to, busy
from banzuke.server.gate.wsgi_calls import Answer, answer_of, environ_of, plain

LOG = logging.getLogger(__name__)
HEALTH = "/healthz"
#: Requests that change nothing. They have threads of their own, so that whoever writes never takes all.
READING = ("GET", "HEAD", "OPTIONS")
READERS, WRITERS, CHECKS = Places(6, 256, 5.0), Places(12, 64, 2.0), Places(1, 8, 4.0)
#: Of those who write, what one pool may have: the others' threads are for other pools and for pages.
ONE_POOL = Places(8, 32, 2.0)
#: So many large bodies are taken in at once; of them, what one key or user may have: slow ones leave some.
LARGE, ONE_SENDER = 8, Places(4, 32, 2.0)
#: What the API answers for what was sent, and not for who sends it.
ABOUT_BODY = (HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY)
#: Seconds within which the server opens a file that it is to send.
SOON = 60
#: A supervisor's question, as this machine itself would ask it.
_QUESTION = {
    "REQUEST_METHOD": "GET",
    "PATH_INFO": HEALTH,
    "QUERY_STRING": "",
    "SERVER_NAME": "localhost",
    "SERVER_PORT": "80",
    "SERVER_PROTOCOL": "HTTP/1.1",
    "HTTP_HOST": "localhost",
    "wsgi.url_scheme": "http",
}


class Gate:
    """What the server calls; `application` is the office's WSGI application."""

    def __init__(self, application: WSGIApplication) -> None:
        self._application = application
        self._large = 0
        self._check: asyncio.Task[Answer] | None = None

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start the threads: the server calls this once."""
        self._loop = loop
        loop.set_exception_handler(_log_place)
        self._readers = RequestThreads("reader", READERS, loop)
        self._writers = RequestThreads("writer", WRITERS, loop)
        self._checks = RequestThreads("check", CHECKS, loop)
        self._bodies = BodyReader(loop)
        self._pools, self._senders = SharedPlaces(ONE_POOL), SharedPlaces(ONE_SENDER)
        self._keys = KnownKeys(game_posts.opens_pool, loop)
        self._games = PostedGamesQueue(self._keys, loop)
        self._streams = FeedStreams(loop)

    def end_streams(self) -> None:
        """End what would keep the process from stopping; from whichever thread."""
        self._loop.call_soon_threadsafe(self._streams.end_all)

    async def __rsgi__(self, scope: Any, protocol: Any) -> None:
        """Answer a request: the server calls this for each."""
        if scope.proto != "http":
            protocol.close(HTTPStatus.NOT_FOUND)
            return
        environ = environ_of(scope)
        try:
            answer = await self._answer(environ, protocol)
            if answer is not None and answer.feed is not None:
                await self._streams.send(answer.feed, answer, protocol)
                return
        except TurnedAwayError as error:
            answer = answer_to(error, scope.path)
        except CrowdedError:
            answer = answer_to(TurnedAwayError(HTTPStatus.SERVICE_UNAVAILABLE, "crowded"), scope.path)
        except Exception:
            LOG.exception("Error: %s", scope.path)  # the server would print its text, which may hold a name
            answer = plain(HTTPStatus.INTERNAL_SERVER_ERROR, [], b"")
        if answer is not None:
            protocol.response_bytes(answer.status, answer.headers, answer.body)

    async def _answer(self, environ: WSGIEnvironment, protocol: Any) -> Answer | None:
        """The answer; None where the thread has sent it itself, which saves a way through the loop.

        A stream is sent by the loop, as it would keep the thread.
        """
        length = length_of(environ)
        is_reading = environ["REQUEST_METHOD"] in READING
        if environ["PATH_INFO"] == HEALTH and is_reading and not length:
            return await self._health()
        sender = await self._sender(environ) if length > MOST_OF_STRANGERS else STRANGER
        if length > sender.most:
            return await self._answer_without_body(environ, sender)
        body = await self._body(protocol, length, sender) if length else BytesIO()
        games = fast_path.read_posted_games(environ, body.read)
        if games is not None and (answer := await self._answer_to_games(games, body)) is not None:
            return answer
        work = partial(self._respond, environ, body, protocol)
        try:
            stream: Answer | None = await (
                self._readers.run(work) if is_reading else self._write(environ, work)
            )
        except CrowdedError:
            body.close()
            raise
        return stream

    async def _write(self, environ: WSGIEnvironment, work: Callable[[], Any]) -> Any:
        """What the work gives, done in a thread for those who write. Raises CrowdedError."""
        pool = pool_in(environ["PATH_INFO"])
        if pool is None:
            return await self._writers.run(work)
        async with self._pools.place(pool):
            return await self._writers.run(work)

    async def _answer_without_body(self, environ: WSGIEnvironment, sender: Sender) -> Answer:
        """The answer to who may not send so much. Raises TurnedAwayError where that is all there is to say.

        Of a program whose key opens nothing the API says so, as it would of a small body.
        """
        too_large = TurnedAwayError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "large")
        is_program = environ["PATH_INFO"].startswith(API) and environ["REQUEST_METHOD"] not in READING
        if sender != STRANGER or not is_program:
            raise too_large
        without_body = environ | {"CONTENT_LENGTH": "0"}
        answer: Answer = await self._write(
            environ, partial(answer_of, self._application, without_body, BytesIO())
        )
        if answer.status < HTTPStatus.BAD_REQUEST or answer.status in ABOUT_BODY:
            raise too_large
        return answer._replace(headers=[*answer.headers, CLOSE])  # the body is not read

    async def _answer_to_games(self, games: PostedGames, body: IO[bytes]) -> Answer | None:
        """The answer to games that the writer has put on the disk; None: the application is asked.

        Raises TurnedAwayError and CrowdedError.
        """
        try:
            text = await self._games.hand_over(games)
        except BaseException:
            body.close()
            raise
        if text is None:
            body.seek(0)
            return None
        body.close()
        return plain(HTTPStatus.OK, fast_path.TAKEN_HEADERS, text)

    def _respond(self, environ: WSGIEnvironment, body: IO[bytes], protocol: Any) -> Answer | None:
        """Send the answer, unless it is a stream, which is given back."""
        answer = answer_of(self._application, environ, body)
        if answer.feed is not None:
            return answer
        if answer.file is None:
            protocol.response_bytes(answer.status, answer.headers, answer.body)
        else:  # the server opens it anew by its number, and soon
            self._loop.call_soon_threadsafe(self._loop.call_later, SOON, os.close, answer.file)
            protocol.response_file(answer.status, answer.headers, f"/dev/fd/{answer.file}")
        return None

    async def _sender(self, environ: WSGIEnvironment) -> Sender:
        """Who sends a large body. Raises CrowdedError, and TurnedAwayError where the database is away."""
        games = fast_path.read_posted_games(environ, bytes)  # still without their body
        if games is not None and await self._keys.opens_pool(games):
            return sender_of_games(games)
        if not may_be_known(environ):
            return STRANGER
        sender: Sender = await self._readers.run(partial(_find_sender, environ))
        return sender

    async def _body(self, protocol: Any, length: int, sender: Sender) -> IO[bytes]:
        """What is sent. Raises TurnedAwayError if it comes too slowly, CrowdedError if too many send much."""
        if length <= MOST_OF_STRANGERS:
            return await self._bodies.read(protocol, length)
        async with self._senders.place(sender.name):
            return await self._large_body(protocol, length)

    async def _large_body(self, protocol: Any, length: int) -> IO[bytes]:
        if self._large >= LARGE:
            raise CrowdedError
        self._large += 1
        try:
            return await self._bodies.read(protocol, length)
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            LOG.error("What was sent could not be kept: the temporary folder's disk is full.")  # noqa: TRY400
            raise TurnedAwayError(HTTPStatus.SERVICE_UNAVAILABLE, "full") from None
        finally:
            self._large -= 1

    async def _health(self) -> Answer:
        """One look answers everybody who asks meanwhile, so asking often keeps nobody from an answer."""
        if self._check is None or self._check.done():
            self._check = asyncio.ensure_future(self._checks.run(self._look))
        return await asyncio.shield(self._check)  # who goes away does not end it for the others

    def _look(self) -> Answer:
        return answer_of(self._application, {**_QUESTION}, BytesIO())


def _log_place(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """An error that nobody waited for; what asyncio says of it repeats the error's text."""
    LOG.error("Error in the event loop", exc_info=context.get("exception"))


def _find_sender(environ: WSGIEnvironment) -> Sender:
    """Raises TurnedAwayError where the database does not say who asks."""
    close_old_connections()
    try:
        return sender_of(environ)
    except Error as error:
        if outage_of(error) is None:
            raise
        raise busy() from error
