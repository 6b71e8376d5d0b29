"""Nothing that a visitor can get has a member's private data, wherever a link leads, nor what is logged of it.

A crawler follows every link from the front page, in both languages; `private_marks` says what is looked for.
What no link leads to, and the API, are asked in `test_private_bytes`.
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from urllib.parse import urldefrag, urljoin, urlsplit

import lxml.html
import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from marked_office import CLERK, marked_office
from private_marks import PrivateWords
from properties import is_whole

from banzuke.core import facts
from banzuke.database import models
from banzuke.office.register import members


@pytest.fixture(scope="module")
def office(django_db_setup, django_db_blocker, tmp_path_factory):
    """An office with one pool, a chess one, and every mark."""
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock(), transaction.atomic():
        patch.setattr(settings, "HOME", tmp_path_factory.mktemp("home"))
        made = marked_office(tmp_path_factory.mktemp("ledgers"), ["marked"])
        made.words = PrivateWords(made.secrets)
        yield made
        transaction.set_rollback(True)


def links(address, answer):
    """Where a page leads: links, pictures, scripts, forms that ask, what scripts fetch."""
    if not answer.get("Content-Type", "").startswith("text/html") or answer.status_code != 200:
        return
    page = lxml.html.fromstring(answer.content)
    told = page.xpath(
        "//@href | //@src | //form[@method='get' or not(@method)]/@action | //@hx-get | //@data-src"
    )
    for each in told:
        to = urldefrag(urljoin(address, each)).url
        if not urlsplit(to).netloc:
            yield to


def crawl(client, first):
    """Every address that can be reached, with its answer; of what one page may be asked (`?sort=name`), some."""
    waiting, seen, asked = [first], {first}, Counter()
    while waiting:
        address = waiting.pop()
        answer = client.get(address)
        yield address, answer
        for to in links(address, answer):
            if to not in seen and not to.startswith(("/static/", "/accounts/", "/office/")):
                seen.add(to)
                path, _, question = to.partition("?")
                asked[path] += bool(question)
                if not question or is_whole() or asked[path] % 3 == 1:
                    waiting.append(to)


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_no_page_or_file_has_private_data(office, db, lang, caplog):
    visitor = Client(headers={"accept-language": lang})
    found, kinds, addresses = {}, set(), []
    with caplog.at_level("DEBUG"):
        for address, answer in crawl(visitor, "/"):
            addresses.append(address)
            kinds.add(answer.get("Content-Type", "").partition(";")[0])
            assert answer.status_code < 400 or address.startswith("/marked/"), (address, answer.status_code)
            assert answer.status_code < 500, address
            if marks := office.words.found_in(address, answer):
                found[address] = marks
    assert found == {}
    assert office.words.found(caplog.text) == []
    # The crawler has really been everywhere.
    for part in (
        "/marked/lists/2025-01/",
        "/marked/players/A/",
        "/marked/players/F/",
        "/marked/events/E0/",
        "revision=0",
    ):
        assert any(part in address for address in addresses), part
    assert {"text/html", "text/csv", "application/json"} <= kinds
    assert any("spreadsheet" in kind for kind in kinds)


@pytest.mark.parametrize(
    "address",
    [
        "/marked/players/Z/",
        "/marked/lists/1921/",
        "/nowhere/",
        "/api/v1/nowhere",
        "/office/marked/register/members/A/",
    ],
)
def test_no_page_that_is_none_has_private_data(office, db, address):
    answer = Client(raise_request_exception=False).get(address)
    assert answer.status_code in {302, 404}
    assert office.words.found_in("", answer) in ([], ["1921"] if "1921" in address else [])


def test_a_failure_shows_nothing_of_what_it_worked_on(office, db, monkeypatch, client):
    def fail(*_, **__):
        member = members.find(office.pools["marked"], "A")
        raise RuntimeError(member.birth_date)

    for target in (
        "banzuke.web.public.player_pages.load_standing",
        "banzuke.api.players.player_standing.load_standing",
    ):
        monkeypatch.setattr(target, fail)
    client.raise_request_exception = False
    for address in ("/marked/players/A/", "/api/v1/pools/marked/players/A"):
        answer = client.get(address)
        assert answer.status_code == 500
        assert office.words.found_in(address, answer) == []


def test_the_officers_acts_leave_no_private_data_in_journal_and_log(office, db, caplog):
    pool, before = office.pools["marked"], models.JournalEntry.objects.latest("pk").pk
    born = date(1921, 7, 19)
    secret = members.ContactDetails("ヒミツ", "Himitsu-machi 9", "kakushi.z@private.invalid")
    with caplog.at_level("DEBUG"):
        members.add(pool, facts.Player("Z", "ZZUNO Taro", birth_date=born), secret, CLERK)
        members.change(
            pool,
            facts.Player("Z", "ZZUNO Jiro", birth_date=date(1922, 7, 19)),
            secret,
            CLERK,
            "",
            date(2025, 1, 5),
        )
    told = [f"{entry.what}{entry.act}" for entry in models.JournalEntry.objects.filter(pk__gt=before)]
    assert len(told) == 2
    assert office.words.found("\n".join(told)) == []
    queries_aside = "\n".join(
        record.getMessage() for record in caplog.records if record.name != "django.db.backends"
    )
    assert office.words.found(queries_aside) == []
