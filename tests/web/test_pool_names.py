"""A pool is called by its name wherever a person reads of it; its slug stands in addresses alone."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from address_list import VISITORS, address, client_of, fill, walked

pytestmark = pytest.mark.django_db
#: What shows a slug as the slug: the administrator's tables, and the word for a new pool's addresses.
AS_IT_IS = ("admin:", "accounts-new-pool")


class Read(HTMLParser):
    """The texts of a page, and what is read out of its attributes; without users' names and code."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.inside: list[str] = []

    def handle_starttag(self, tag, attrs):
        said = dict(attrs)
        self.inside.append("" if tag != "code" and "id" not in (said.get("class") or "").split() else tag)
        self.texts += [said[name] or "" for name in ("aria-label", "title", "placeholder") if name in said]

    def handle_endtag(self, tag):
        if self.inside:
            self.inside.pop()

    def handle_data(self, data):
        if not any(self.inside):
            self.texts.append(data)


def read(html: str) -> str:
    page = Read()
    page.feed(re.sub(r"<(?:meta|link|input|br|hr|img)\b[^>]*>", "", html))
    return " ".join(page.texts)


@pytest.mark.slow
def test_the_slug_is_nowhere_and_the_name_on_every_page_of_the_pool():
    world = fill()
    boss = client_of(VISITORS["administrator"], world)
    unnamed, slugs = [], []
    for page in walked():
        if page.name.startswith(AS_IT_IS) or page.row.get("post"):
            continue
        answer = boss.get(address(page, world))
        if answer.status_code != 200 or not answer["Content-Type"].startswith("text/html"):
            continue
        html = answer.content.decode()
        text = read(html)
        slugs += [page.name] if re.search(r"(?<![\w/-])japan(?![\w/-])", text) else []
        unnamed += (
            [page.name] if "slug" in page.words and "<html" in html and "Small Federation" not in text else []
        )
    assert slugs == []
    assert unnamed == []
