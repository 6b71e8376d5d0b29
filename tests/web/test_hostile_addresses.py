"""Every address with hostile words, in hostile ways: the answer says what is wrong, and is never a fault.

Each address is asked in every way of asking, with words of the list below in its parts and in its questions;
which, is drawn by lot, and the same each time. `.ci/run` asks each address in a third of the ways, of which every
address has others than the one before.
"""

from __future__ import annotations

import random
from urllib.parse import quote, quote_from_bytes

import pytest
from address_list import VISITORS, address, client_of, filled, walked
from django.core.cache import cache
from django.db import transaction
from properties import some_of

pytestmark = pytest.mark.django_db
NOT_UNICODE = b"\xff\xfe"
WORDS = [
    "", ".", "..", "~", "~2F", "-1", "1.5", "٣", "²", str(2**31), str(2**63), "9" * 5000, "x" * 3000, "a " * 1500,
    "%_\\%", "'\"", "<script>", "{}", "a\0b", "\r\nSet-Cookie: a=b", "\ud800", "\u202etxt", "0000-00",
    "99999-01", "10000-01-01", "current", NOT_UNICODE,
]  # fmt: skip
METHODS = ("HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "get")
#: Words by which some page or other is asked.
KEYS = (
    "q", "page", "revision", "after", "before", "place", "sort", "club", "group", "active", "list", "event",
    "player", "limit", "offset", "begin", "state", "answers", "kind", "pool", "act", "who", "other", "own",
    "book", "games", "opponents", "stones", "code", "next", "player-1", "first", "count", "position", "why",
)  # fmt: skip
HEADERS = (
    {"accept-language": "ja;q=9999999999,\xff,*;q=-1," + "x" * 600},
    {"host": "elsewhere.example"},
    {"host": "[::1"},
    {"if-none-match": 'W/"x", *,', "if-modified-since": "Thu, 99 Foo 99999"},
    {"cookie": 'sessionid="\\000\\000\\000\\000\\000\\000\\000\\000"; csrftoken=%; messages=x:y'},
    {"hx-request": "true", "range": "bytes=9-1"},
)
BODIES = (
    ("application/json", b"{"),
    ("multipart/form-data", b"x"),
    ("multipart/form-data; boundary=x", b"--x\r\n"),
    ("application/x-www-form-urlencoded; charset=utf-16", b"\xff"),
)


def written(word) -> str:
    return quote_from_bytes(word) if isinstance(word, bytes) else quote(word, safe="", errors="surrogatepass")


def spoiled(where, lot) -> str:
    """The address with a hostile word in the place of one of its parts."""
    parts = where.split("/")
    parts[lot.randrange(1, len(parts))] = written(lot.choice(WORDS))
    return "/".join(parts)


def asked(lot) -> str:
    return "&".join(f"{key}={written(lot.choice(WORDS))}" for key in lot.sample(KEYS, 8))


def questions(page, where, lot):
    """What a page is asked, as words of Client.generic."""
    form = {"content_type": "application/x-www-form-urlencoded"}
    yield {"method": "GET", "path": spoiled(where, lot)}
    yield {"method": "GET", "path": f"{where}?{asked(lot)}"}
    if not page.name.startswith("admin:"):
        yield {"method": "POST", "path": where, "data": asked(lot), **form}
        yield {"method": lot.choice(METHODS), "path": where}
        yield {"method": "GET", "path": where, "headers": lot.choice(HEADERS)}
        kind, body = lot.choice(BODIES)
        yield {"method": "POST", "path": where, "data": body, "content_type": kind}


def fault(client, how) -> str | None:
    """What went wrong with a question, and nothing stays changed."""
    cache.clear()
    with transaction.atomic():
        answer = client.generic(**how)
        transaction.set_rollback(True)
    if answer.status_code < 500 or (how["path"].startswith("/healthz") and answer.status_code == 503):
        return None
    raised = getattr(answer, "exc_info", None)
    return f"{how['method']} {how['path'][:120]}: {answer.status_code} {raised and raised[1]!r:.200}"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["public", "administrator"])
def test_every_address_answers(name):
    world = filled()
    lot, client = random.Random(name), client_of(VISITORS[name], world)
    session, wrong, count = client.cookies.copy(), [], 0
    for number, page in enumerate(walked()):
        where = address(page, world)
        if name == "public" and where.startswith("/office/"):
            continue  # a stranger is sent away before anything is read; test_access.py sees to it
        for how in some_of(questions(page, where, lot), number):
            client.cookies = session.copy()
            wrong.append(fault(client, how))
            count += 1
    assert count > 150
    assert not any(wrong), "\n".join(filter(None, wrong))


@pytest.mark.parametrize(
    "how",
    [
        {"path": "/japan/players/a%00b/"},
        {"path": "/japan/lists/current/?club=a%00b"},
        {"path": "/", "headers": {"cookie": 'sessionid="\\000\\000\\000\\000\\000\\000\\000\\000"'}},
        {"path": "/accounts/login/", "method": "POST", "data": "login=a%00b"},
        {
            "path": "/accounts/login/",
            "method": "POST",
            "data": b'--x\r\nContent-Disposition: form-data; name="login"\r\n\r\n\\ud800\r\n--x--\r\n',
            "content_type": "multipart/form-data; boundary=x; charset=unicode_escape",
        },
    ],
    ids=["address", "question", "cookie", "form", "surrogate"],
)
def test_what_is_no_text_is_refused(client, how):
    form = {"method": "GET", "content_type": "application/x-www-form-urlencoded"}
    assert client.generic(**(form | how)).status_code == 400
