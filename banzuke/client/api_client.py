"""A client of an office's API, over one connection that is kept open.

With the standard library's client: it costs the command line no time to start, and keeps a connection as well
as others do. Whatever is asked here may be asked again, so a connection that is cut, and an office that is
away or full, are waited out.
"""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from secrets import token_hex
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode, urlsplit

#: Answers after which one asks again.
_LATER = frozenset((HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.BAD_GATEWAY))
#: Seconds: how long an answer may take; the first wait, which doubles, the longest; how long all may take.
ANSWERS_WITHIN, FIRST_WAIT, LONGEST_WAIT, PATIENCE = 120, 0.1, 5.0, 120.0
#: Seconds: the longest wait that is asked for and kept to.
MOST_ASKED_FOR = 3_600.0


class AddressError(ValueError):
    """What is no address of an office; the text is that address."""


class AwayError(Exception):
    """Nobody answers at the address, and it was waited long enough; the text says what happened."""


class RefusedByOfficeError(Exception):
    """The office answers that it does not do that."""

    def __init__(self, status: int, detail: str, faults: list[str]) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.faults = faults


class Pool(NamedTuple):
    """A pool of an office: the office's address (`https://ratings.example`), and the pool's word."""

    office: str
    word: str

    @property
    def path(self) -> str:
        """Where the API tells of the pool."""
        return f"{urlsplit(self.office).path.rstrip('/')}/api/v1/pools/{quote(self.word, safe='')}"


def parse_pool_address(office: str, word: str) -> Pool:
    """The pool of that word at an office. Raises AddressError."""
    try:
        parts = urlsplit(office)
        is_good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        (parts.hostname or "").encode("idna")
        is_good = is_good and parts.path.isascii() and parts.path.isprintable() and " " not in parts.path
    except ValueError:
        is_good = None
    if not is_good or parts.query or parts.fragment:
        raise AddressError(office)
    return Pool(office.rstrip("/"), word)


def quote_id(written: str) -> str:
    """An id as a part of an address."""
    if written in {".", ".."}:
        return written.replace(".", "~2E")
    return quote(written.replace("~", "~7E").replace("/", "~2F"), safe="")


class ApiClient:
    """Asks of one pool; not for several threads at once.

    `patience` is how many seconds to wait for an office that is away; `waiting` is told before each wait what
    happened.
    """

    def __init__(
        self,
        pool: Pool,
        key: str = "",
        patience: float = PATIENCE,
        waiting: Callable[[str], None] = lambda _: None,
    ) -> None:
        parts = urlsplit(pool.office)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._connection = kind(parts.hostname or "", parts.port, timeout=ANSWERS_WITHIN)
        self._pool = pool
        self._headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        self._patience = patience
        self._waiting = waiting

    def get(self, path: str, **asked: object) -> Any:
        """What a question (`changes`, after=7) is answered. Raises AwayError and RefusedByOfficeError."""
        return self._request("GET", f"{path}?{urlencode(asked)}" if asked else path, None)

    def post(self, path: str, body: object) -> Any:
        """What is answered to something sent. Raises as `get` does."""
        return self._request("POST", path, json.dumps(body).encode())

    def post_files(self, path: str, files: Iterable[tuple[str, bytes]], fields: Mapping[str, str]) -> Any:
        """What is answered to files that are sent as a browser sends them. Raises as `get` does."""
        mark = token_hex(16)
        return self._request(
            "POST", path, _form_body(mark, files, fields), f"multipart/form-data; boundary={mark}"
        )

    def close(self) -> None:
        """Close the connection; the next question opens it again."""
        self._connection.close()

    def _request(self, method: str, path: str, body: bytes | None, kind: str = "application/json") -> Any:
        wait, until = FIRST_WAIT, time.monotonic() + self._patience
        while True:
            try:
                answer, text = self._exchange(method, path, body, kind)
            except (OSError, HTTPException) as error:
                self.close()
                happened, longer = str(error) or type(error).__name__, 0.0
            else:
                if answer.status not in _LATER:
                    return _document(answer, text)
                happened, longer = _happened(answer, text), _seconds(answer)
                if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
                    until += longer  # the office is there, and answers others
            if time.monotonic() + max(wait, longer) > until:
                raise AwayError(happened)
            self._waiting(happened)
            time.sleep(max(wait, longer))
            wait = min(2 * wait, LONGEST_WAIT)

    def _exchange(self, method: str, path: str, body: bytes | None, kind: str) -> tuple[HTTPResponse, bytes]:
        headers = self._headers | ({"Content-Type": kind} if body is not None else {})
        self._connection.request(method, f"{self._pool.path}/{path}", body, headers)
        answer = self._connection.getresponse()
        return answer, answer.read()


def _form_body(mark: str, files: Iterable[tuple[str, bytes]], fields: Mapping[str, str]) -> bytes:
    """Fields and files (as `files`) as the parts of a form."""
    parts = [(f'name="{name}"', value.encode()) for name, value in fields.items()]
    parts += [(f'name="files"; filename="{_quoted(name)}"', data) for name, data in files]
    lines = [
        f"--{mark}\r\nContent-Disposition: form-data; {about}\r\n\r\n".encode() + data + b"\r\n"
        for about, data in parts
    ]
    return b"".join([*lines, f"--{mark}--\r\n".encode()])


def _quoted(name: str) -> str:
    """A file's name as browsers write it into a form; bytes in it that are no text (UTF-8) become `?`."""
    name = name.encode("utf-8", "replace").decode()
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def _happened(answer: HTTPResponse, text: bytes) -> str:
    """What an office that is to be asked again says of itself."""
    said, detail = f"{answer.status} {answer.reason}", str(_refusal(answer, _read(text)))
    return said if detail == answer.reason else f"{said}: {detail}"


def _seconds(answer: HTTPResponse) -> float:
    """How long the office asks one to wait."""
    wait = answer.getheader("Retry-After") or ""
    return min(float(wait), MOST_ASKED_FOR) if wait.isascii() and wait.isdecimal() else 0.0


def _document(answer: HTTPResponse, text: bytes) -> Any:
    """The document of a good answer. Raises RefusedByOfficeError for others, and for what no office sends."""
    document = _read(text)
    if answer.status < HTTPStatus.MULTIPLE_CHOICES and isinstance(document, dict):
        return document
    raise _refusal(answer, document)


def _read(text: bytes) -> Any:
    """What JSON says; None for other text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _refusal(answer: HTTPResponse, document: object) -> RefusedByOfficeError:
    """What an answer that is no good one says, by its problem document if it has one."""
    problem = document if isinstance(document, dict) else {}
    return RefusedByOfficeError(
        answer.status, str(problem.get("detail") or answer.reason), list(_faults(problem.get("errors")))
    )


def _faults(errors: object) -> Iterator[str]:
    """What a problem document says is wrong, and where; of anything else nothing."""
    for each in errors if isinstance(errors, list) else ():
        if isinstance(each, dict):
            yield f"{each.get('where', '')}: {each.get('message', '')}"


# A live Go pool: the feed of games that were rated, and where a player stands


#: Seconds between two looks at a feed that has nothing new.
STEP = 1


def changes(office: ApiClient, after: int, *, follow: bool = False) -> Iterator[dict[str, Any]]:
    """The games that were rated after that number; with `follow` those to come, too, without end.

    Raises as `ApiClient.get` does, and RefusedByOfficeError for what is no feed.
    """
    while True:
        answer = office.get("changes", after=after)
        rated, last = answer.get("changes"), answer.get("next")
        if not isinstance(rated, list) or not isinstance(last, int):
            raise RefusedByOfficeError(HTTPStatus.OK, HTTPStatus.OK.phrase, [])
        yield from rated
        if rated:
            after = last
        elif follow:
            time.sleep(STEP)
        else:
            return


def live_standing(office: ApiClient, player: str) -> dict[str, Any] | None:
    """How a player stands; None for one whom the office does not know. Raises as `ApiClient.get` does."""
    try:
        found: dict[str, Any] = office.get(f"players/{quote_id(player)}")["live"]
    except RefusedByOfficeError as error:
        if error.status == HTTPStatus.NOT_FOUND:
            return None
        raise
    return found
