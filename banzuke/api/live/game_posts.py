"""Games as they are posted, taken in: from the bytes that were sent to the bytes that are answered."""

import logging
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import orjson
from django.db import close_old_connections
from pydantic import TypeAdapter

from banzuke.api.auth import GAMES
from banzuke.api.live.game_handover import BUSY, NOT_PLAIN, PostedGames, Verdict, WriterAnswer
from banzuke.api.live.go_bodies import GamesSent
from banzuke.api.live.go_submissions import answer_to_games, games_of
from banzuke.core.fault import RefusedError
from banzuke.core.go_facts import GoGame
from banzuke.database.models import Pool
from banzuke.database.outages import Outage, outage_of
from banzuke.database.patience import wait_no_more
from banzuke.office.administration import api_keys
from banzuke.office.live.go_rules import NotLiveError
from banzuke.office.live.pool_writer import Permission
from banzuke.office.live.submission_queue import NoPermissionError, Submission, send_together

_SENT: TypeAdapter[Any] = TypeAdapter(GamesSent)
#: Why games are not taken: what was sent, or the pool, is not right. The API's own address has words for it.
_FAULTS = (RefusedError, NotLiveError, NoPermissionError, ValueError)
#: So many senders are remembered.
MOST_SENDERS = 1_000
_log = logging.getLogger(__name__)


def opens_pool(posted: PostedGames) -> bool:
    """Whether the key opens the pool for games; not where the database does not answer."""
    try:
        close_old_connections()
        return _look_up(posted.key, posted.pool) is not None
    except Exception:  # noqa: BLE001  # the API's own address meets it again and says it
        return False


def take_together(posts: Sequence[PostedGames]) -> list[WriterAnswer]:
    """What becomes of the games that were posted into one pool; those taken are on the disk then.

    What is not plain is left to the API's own address, which takes or refuses it; so are all where something
    unexpected fails, which is logged.
    """
    try:
        close_old_connections()
        return _take(posts)
    except Exception as error:  # noqa: BLE001  # it is told by the answers
        return [_answer_to(error)] * len(posts)


def _take(posts: Sequence[PostedGames]) -> list[WriterAnswer]:
    opened = {key: _sender(key, posts[0].pool) for key in {post.key for post in posts}}
    answers = [NOT_PLAIN] * len(posts)
    pool = next((sender.pool for sender in opened.values() if sender), None)
    if pool is None:
        return answers
    sent: dict[int, Submission] = {}
    for number, post in enumerate(posts):
        sender = opened[post.key]
        if sender is not None and sender.pool.pk == pool.pk:
            try:
                games = _games(pool, post.body)
            except _FAULTS:
                continue
            sent[number] = Submission(games, sender.user, permission=sender.permission)
    send_together(pool, list(sent.values()))
    errors = {each.error for each in sent.values() if each.error is not None}
    answer_to = {error: _answer_to(error) for error in errors}  # each is logged once
    for number, submission in sent.items():
        if submission.error is not None:
            answers[number] = answer_to[submission.error]
            if not isinstance(submission.error, RefusedError):
                _senders.pop((posts[number].key, pool.slug), None)  # it is looked up again
        else:
            text = answer_to_games(submission.games, submission.result)
            answers[number] = WriterAnswer(Verdict.TAKEN, text)
    return answers


class _Sender(NamedTuple):
    """Who sends games into a pool; `permission` says within a transaction whether nothing has changed."""

    pool: Pool
    user: str
    permission: Permission


#: By key and pool, as the database said it last.
_senders: dict[tuple[str, str], _Sender] = {}


def _sender(key: str, pool: str) -> _Sender | None:
    """Who sends games into which pool, as it was when the key was looked up."""
    known = _senders.get((key, pool))
    if known is not None:
        return known
    found = _look_up(key, pool)
    if found is not None:
        if len(_senders) >= MOST_SENDERS:
            _senders.clear()
        _senders[key, pool] = found
    return found


def _look_up(key: str, pool: str) -> _Sender | None:
    """Who sends games into which pool, if the key is for that."""
    found = api_keys.find_access(key, pool)
    if found is None or found.pool is None or GAMES not in found.scopes:
        return None
    return _Sender(found.pool, found.user, partial(api_keys.ask_access_unchanged, key, pool, found))


def _games(pool: Pool, body: bytes) -> list[GoGame]:
    return games_of(pool, _SENT.validate_python(orjson.loads(body)))


def _answer_to(error: BaseException) -> WriterAnswer:
    if isinstance(error, _FAULTS):
        return NOT_PLAIN
    if outage_of(error) is Outage.BUSY:
        wait_no_more()
        return BUSY
    _log.warning("Games are left to the API's own address, as this failed.", exc_info=error)
    return NOT_PLAIN
