"""Every address as every visitor: what each gets is what the table access.toml says."""

from __future__ import annotations

import pytest
from address_list import TABLE, VISITORS, address, client_of, filled, pages, walked
from django.db import transaction

from banzuke.office.jobs import heartbeat

pytestmark = pytest.mark.django_db
#: Who may see most pages: each walk takes many seconds.
IN_THE_FAST_TIER = ("public",)
LEVELS = ("public", "user", "reporter", "officer", "chief", "administrator")


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    """An office with something behind every address; what a test changes is taken back."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield filled()
        transaction.set_rollback(True)


def expected(page, name, visitor) -> str:
    """What the table says that a visitor gets."""
    if name in page.row:
        return page.row[name]
    good = page.row.get("page", "page")
    needed = LEVELS.index(page.row["who"])
    if needed == 0:
        return good
    if visitor.level == "public":
        return "sign-in"
    is_elsewhere = "slug" in page.words and needed > 1 and visitor.pool not in ("", "japan")
    return "403" if is_elsewhere or LEVELS.index(visitor.level) < needed else good


def got(client, page, where, **how) -> str:
    """What came of it, and nothing stays changed."""
    with transaction.atomic():
        answer = client.post(where, **how) if page.row.get("post") else client.get(where, **how)
        if answer.status_code == 302 and answer["Location"].startswith("/office/admin/login/"):
            answer = client.get(answer["Location"])
            answer = client.get(answer["Location"]) if answer.status_code == 302 else answer
        transaction.set_rollback(True)
    if answer.status_code == 302 and answer["Location"].startswith("/accounts/login/"):
        return "sign-in"
    return {200: "page", 301: "page", 302: "page", 304: "page", 400: "page"}.get(answer.status_code) or str(
        answer.status_code
    )


def test_every_address_is_in_the_table_and_no_other():
    names = {page.name for page in pages() if not page.name.startswith("admin:")}
    assert names == {name for name in TABLE if not name.startswith("admin:")}


def test_the_table_says_nothing_that_is_not_understood():
    known = {"who", "post", "args", "page", *VISITORS}
    assert {key for each in TABLE.values() for key in each} <= known
    assert {each["who"] for each in TABLE.values()} <= set(LEVELS)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name not in IN_THE_FAST_TIER)) for name in VISITORS],
)
def test_who_gets_what(name, world):
    client = client_of(VISITORS[name], world)
    session = client.cookies.copy()
    wrong = []
    for page in walked():
        heartbeat.beat()  # the walk may take longer than a worker may be silent
        client.cookies = session.copy()
        where = address(page, world)
        found, wanted = got(client, page, where), expected(page, name, VISITORS[name])
        if found != wanted:
            wrong.append(f"{page.name} {where}: {found}, not {wanted}")
    assert not wrong, "\n".join(wrong)


def test_acts_want_the_csrf_token(world):
    client = client_of(VISITORS["administrator"], world, enforce_csrf_checks=True)
    acts = [page for page in walked() if page.row.get("post")]
    found = {page.name: got(client, page, address(page, world)) for page in acts}
    assert len(found) > 5
    assert found == dict.fromkeys(found, "403")


#: What only a script asks for: what stands in a list while one types.
OPTIONS = {"inbox-members", "look-up"}


@pytest.mark.slow
def test_a_browser_by_itself_is_given_whole_pages(world):
    """However slow a script is: what it would put into a page has the page around it."""
    client, parts = client_of(VISITORS["administrator"], world), set()
    for page in walked():
        heartbeat.beat()
        if not page.row.get("post") and not page.name.startswith("admin:"):
            answer = client.get(address(page, world))
            is_html = answer.get("Content-Type", "").startswith("text/html")
            if answer.status_code == 200 and is_html and b"</html>" not in answer.getvalue():
                parts.add(page.name)
    assert parts == OPTIONS
