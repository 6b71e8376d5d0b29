"""What holds for every template and static file: nothing inline, nothing from elsewhere, a title and one heading."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "banzuke" / "web"
PAGES = WEB / "templates"
TEMPLATES = sorted(PAGES.rglob("*.html"))
STATIC = sorted(path for path in (WEB / "static").rglob("*") if path.suffix in {".css", ".js", ".svg"})
ELSEWHERE = re.compile(r"(?:https?:)?//[a-z0-9]", re.IGNORECASE)
TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", re.DOTALL)
EXTENDS = re.compile(r'\{% extends "([^"]+)" %\}')
INCLUDE = re.compile(r'\{% include "([^"]+)"')


def name(path: Path) -> str:
    return str(path.relative_to(WEB))


class Inline(HTMLParser):
    """Collects what a strict content security policy refuses, or what would be fetched from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []

    def handle_starttag(self, tag, attrs):
        given = {word: value or "" for word, value in attrs}
        if tag == "style" or (tag == "script" and "src" not in given):
            self.faults.append(f"<{tag}>")
        self.faults += [word for word in given if word == "style" or re.match(r"on|hx-on|hx-vars", word)]
        fetched = {"src", "srcset", "action", "formaction", "data"} | ({"href"} if tag != "a" else set())
        self.faults += [value for word, value in given.items() if word in fetched and ELSEWHERE.match(value)]
        self.faults += [
            value for value in given.values() if value.strip().lower().startswith(("javascript:", "js:"))
        ]


def faults(source: str) -> list[str]:
    page = Inline()
    page.feed(TAG.sub("", source))
    return page.faults


@pytest.mark.parametrize(
    "source",
    [
        "<script>alert(1)</script>",
        "<style>p {}</style>",
        "<p style='color: red'>",
        "<p onclick='x()'>",
        "<p hx-on:click='x()'>",
        "<img src='//a.example/x.png'>",
        "<link href='https://a.example/x.css'>",
        "<a href='javascript:x()'>",
    ],
)
def test_what_is_refused_is_seen(source):
    assert len(faults(source)) == 1


def test_links_to_elsewhere_and_scripts_of_ours_are_no_fault():
    assert faults('<a href="https://a.example/">a</a><script src="{% static "a.js" %}" defer></script>') == []


@pytest.mark.parametrize("path", TEMPLATES, ids=name)
def test_templates_have_nothing_inline_and_nothing_from_elsewhere(path):
    assert faults(path.read_text("utf-8")) == []


@pytest.mark.parametrize("path", STATIC, ids=name)
def test_static_files_fetch_nothing_from_elsewhere(path):
    text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
    without_remarks = re.sub(r"/\*.*?\*/|^\s*//.*$", "", text, flags=re.DOTALL | re.MULTILINE)
    assert [found[0] for found in re.finditer(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}", without_remarks)] == []
    assert not re.search(r"@import|\beval\(|new Function\(", without_remarks)


def is_page(source: str) -> bool:
    return bool(EXTENDS.search(source)) or "<html" in source


def chain(path: Path) -> list[str]:
    """A template's source with those it extends and includes."""
    source = path.read_text("utf-8")
    others = [PAGES / found for found in EXTENDS.findall(source) + INCLUDE.findall(source)]
    return [source] + [text for other in others if other.is_file() for text in chain(other)]


def one_way_through(source: str) -> str:
    """A template's source without what stands after an `else` or `elif`."""
    other_way = re.compile(r"\{% el(?:se|if)\b(?:(?!\{% (?:if|endif)\b).)*(?=\{% endif %\})", re.DOTALL)
    whole_if = re.compile(r"\{% if\b[^%]*%\}((?:(?!\{% (?:if|el|endif)).)*)\{% endif %\}", re.DOTALL)
    while (shorter := whole_if.sub(r"\1", other_way.sub("", source))) != source:
        source = shorter
    return source


def test_only_one_way_through_a_template_counts():
    source = "a{% if x %}b{% if y %}c{% elif z %}d{% else %}e{% endif %}{% else %}f{% endif %}g"
    assert one_way_through(source) == "abcg"


FRAMES = {PAGES / "web" / "base.html", PAGES / "error_frame.html"}
BARE = {*FRAMES, PAGES / "web" / "error.html"}
WHOLE = [path for path in TEMPLATES if is_page(path.read_text("utf-8")) and path not in BARE]


@pytest.mark.parametrize("path", WHOLE, ids=name)
def test_a_page_has_a_title_of_its_own_and_one_heading(path):
    frames = {frame.read_text("utf-8") for frame in FRAMES}
    own = [source for source in chain(path) if source not in frames]
    assert any("{% block title %}" in source or "<title>" in source for source in own)
    assert sum(len(re.findall(r"<h1\b", one_way_through(source))) for source in own) == 1
