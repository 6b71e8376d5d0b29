"""Every public page of the examples, in both languages: no link, anchor, picture or file of them is dead."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
from web.published_pools import published_pool
from web.small_office import visitor

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

EXAMPLES = ("japan", "hakodate", "go-server", "us-championship-2025")
#: Attributes that hold an address.
ADDRESSES = frozenset(("href", "src", "action", "hx-get"))


class Page(HTMLParser):
    """The addresses in a page, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        """Note what the element leads to, and what it is called."""
        found = dict(attrs)
        self.ids += [found["id"]] if found.get("id") else []
        if tag == "form" and found.get("method") == "post":
            return
        self.links |= {found[name] or "" for name in ADDRESSES if name in found}


class Crawl:
    """The pages that lead from the first one, each asked for once."""

    def __init__(self, lang: str) -> None:
        self.client = visitor(lang)
        self.wrong: list[str] = []
        self.ids: dict[str, set[str]] = {}
        self.anchors: list[Link] = []
        self.count = 0

    def walk(self, start: str) -> None:
        """Ask for everything that can be reached.

        Of the links on a page that was asked for with a question (sorted, filtered, a page of a list), only
        those without one are followed.
        """
        waiting, met = [Link(start, "")], {start}
        while waiting:
            link = waiting.pop()
            for found in self._links_of(link):
                address, anchor = urldefrag(found)
                if anchor:
                    self.anchors.append(Link(found, link.address))
                is_far = "?" in address and "?" in link.address
                if address not in met and not is_far:
                    met.add(address)
                    waiting.append(Link(address, link.address))
        for address, page in self.anchors:
            target, anchor = urldefrag(address)
            if target in self.ids and unquote(anchor) not in self.ids[target]:
                self.wrong.append(f"no {anchor} in {target}: {page}")

    def _links_of(self, link: Link) -> list[str]:
        self.count += 1
        answer = self.client.get(link.address, follow=True)
        if answer.status_code != 200:
            self.wrong.append(f"{answer.status_code} {link.address} on {link.page}")
        if not answer["content-type"].startswith("text/html") or answer.streaming:
            answer.close()
            return []
        if answer.get("Content-Disposition"):
            return []
        page = Page(answer.content.decode())
        if len(page.ids) != len(set(page.ids)):
            self.wrong.append(f"an id twice in {link.address}")
        self.ids[link.address] = set(page.ids)
        addresses = (urljoin(link.address, found) for found in page.links)
        return sorted(one for one in addresses if one.startswith("/") and not urlsplit(one).netloc)


class Link(NamedTuple):
    """An address, and the page that leads to it."""

    address: str
    page: str


def walked(lang, examples):
    """The crawl of an office with these examples, begun at its first page."""
    for example in examples:
        published_pool(example)
    crawl = Crawl(lang)
    crawl.walk("/")
    return crawl


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_nothing_is_dead(lang):
    crawl = walked(lang, EXAMPLES)
    assert crawl.wrong == []
    assert crawl.count > 1_500


def test_a_small_office_has_no_dead_link():
    crawl = walked("ja", ["us-championship-2025"])
    assert crawl.wrong == []
    assert crawl.count > 50
