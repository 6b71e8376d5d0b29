"""The kinds of problem documents (RFC 9457): the word that ends each `type`, its status, and what it says."""

from http import HTTPStatus
from typing import Any, NamedTuple

#: What a `type` begins with.
PREFIX = "urn:banzuke:problem:"


class ProblemType(NamedTuple):
    """A kind of problem: the HTTP status, and what it means."""

    status: int
    says: str


TYPES = {
    "merged-player": ProblemType(
        307, "The player was put together with another: `Location` is the address of the one who is kept."
    ),
    "unreadable": ProblemType(400, "The request cannot be read."),
    "no-key": ProblemType(401, "A key is needed here."),
    "wrong-key": ProblemType(401, "The key does not hold (any more), or not for this pool."),
    "no-right": ProblemType(
        403, "The key does not have the scope that this needs, or its user not the role."
    ),
    "at-machine": ProblemType(403, "This is done at the office's machine; `detail` has the command."),
    "unknown-address": ProblemType(404, "The API has no such address."),
    "unknown-pool": ProblemType(404, "There is no pool of this word."),
    "unknown-list": ProblemType(404, "There is no such list, revision or speed."),
    "unknown-player": ProblemType(404, "There is no player of this id, or none in this list."),
    "unknown-event": ProblemType(404, "No published list has taken an event of this id."),
    "unknown-game": ProblemType(404, "The pool has no game of this id."),
    "unknown-report": ProblemType(404, "There is no report of this number that the key may read."),
    "chess-pool": ProblemType(404, "This is a pool of chess: its ratings move list by list, not by games."),
    "wrong-method": ProblemType(405, "This cannot be done here; `Allow` says what can."),
    "slow": ProblemType(408, "The request came too slowly."),
    "conflict": ProblemType(
        409, "The office has something else under this id, or it comes too late; `errors` says which."
    ),
    "no-length": ProblemType(411, "A request with a body needs its length (`Content-Length`)."),
    "too-large": ProblemType(413, "The request is too large."),
    "invalid": ProblemType(
        422, "Something that was asked or sent is not as it should be; `errors` says what."
    ),
    "same-player": ProblemType(422, "White and Black are one player."),
    "k-or-games": ProblemType(
        422, "The rule book needs `k`, or `own_games`, or has no place for one; `detail` says it."
    ),
    "no-club": ProblemType(
        422,
        "The key's user reports for several clubs and `club` must say which; or there is none of that id.",
    ),
    "no-report": ProblemType(422, "A file is no report; `detail` says why."),
    "too-many": ProblemType(429, "Too many requests; `Retry-After` says for how many seconds to wait."),
    "failed": ProblemType(500, "The office failed; its log says why."),
    "busy": ProblemType(503, "Something else has been writing to the office's database for too long."),
    "crowded": ProblemType(503, "The office is answering as many requests as it can; nothing was taken."),
    "unanswered": ProblemType(
        503,
        "No answer came in time; what was sent may have been taken. Send it again: what is there already is "
        "not entered twice.",
    ),
    "readers-busy": ProblemType(503, "The office is reading as many files as it can; nothing was taken."),
    "full": ProblemType(503, "The office cannot write: its disk is full."),
    "read-only": ProblemType(503, "The office cannot write: its database or folder is read only."),
    "away": ProblemType(503, "The office's database does not answer."),
    "no-rule-book": ProblemType(503, "The pool's rule book is not installed."),
    "spoiled-rules": ProblemType(503, "The pool's rules in the office's database cannot be used."),
}


def answers() -> dict[int, str]:
    """How a question may fail, by HTTP status."""
    found: dict[int, list[str]] = {}
    for word, kind in TYPES.items():
        found.setdefault(kind.status, []).append(f"`{word}`: {kind.says}")
    return {status: " ".join(said) for status, said in found.items()}


def document(kind: str, address: str, detail: str = "") -> dict[str, Any]:
    """A problem document of that kind; `detail` says more than the kind does."""
    found = TYPES[kind]
    return {
        "type": uri(kind),
        "title": HTTPStatus(found.status).phrase,
        "status": found.status,
        "detail": detail or found.says,
        "instance": address,
    }


def uri(word: str) -> str:
    """The `type` of that kind."""
    return PREFIX + word
