"""The documents as pages of the office."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.urls import reverse

from banzuke.web.reference import document_pages

ROOT = Path(__file__).resolve().parents[2]
NAMES = sorted(str(path.relative_to(ROOT / "docs"))[:-3] for path in (ROOT / "docs").rglob("*.md"))
pytestmark = pytest.mark.django_db


def page(client, name, lang="en"):
    client.cookies["django_language"] = lang
    answer = client.get(reverse("document", args=[name]))
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("name", NAMES)
def test_every_link_leads_somewhere(name):
    """To a document and a heading in it, to a picture, or out of the office."""
    document = document_pages.read(name)
    for address in re.findall(r'(?:href|src)="([^"]*)"', document.text):
        if address.startswith("https://"):
            continue
        path, _, heading = address.partition("#")
        target = name if not path else path.removeprefix("/docs/").rstrip("/") or "index"
        if target.startswith("pictures/"):
            assert (ROOT / "docs" / target.removeprefix("pictures/")).is_file()
        else:
            assert target in NAMES
            assert not heading or f'id="{heading}"' in document_pages.read(target).text, address


def test_every_document_is_among_the_contents():
    listed = {"index", "ja/index"}
    for name in ("index", "ja/index"):
        listed |= {
            found.strip("/") for found in re.findall(r'href="/docs/([^"]*)"', document_pages.read(name).text)
        }
    assert set(NAMES) - listed == set()


def test_the_contents_in_the_readers_language(client):
    client.cookies["django_language"] = "en"
    assert '<article lang="en">' in client.get("/docs/").content.decode()
    client.cookies["django_language"] = "ja"
    assert '<article lang="ja">' in client.get("/docs/").content.decode()


def test_a_document_leads_to_the_same_one_in_the_other_language(client):
    link = '<a href="/docs/{}/" lang="{}" hreflang="{}">{}</a>'
    assert link.format("ja/clubs", "ja", "ja", "クラブの報告") in page(client, "clubs")
    assert link.format("clubs", "en", "en", "Reporting for a club") in page(client, "ja/clubs", "ja")
    assert "hreflang" not in page(client, "ledger")


def test_a_document_has_its_title_its_tables_and_its_code(client):
    text = page(client, "ledger")
    assert "<title>The ledger folder" in text
    assert '<div class="scroll" tabindex="0"><table class="sheet">' in text
    assert "toctree" not in page(client, "index")


def test_markup_in_a_document_is_shown_as_text(tmp_path, monkeypatch):
    (tmp_path / "odd.md").write_text("# Odd\n\n<script>alert(1)</script> [x](javascript:alert(1))\n", "utf-8")
    monkeypatch.setattr(document_pages, "_files", lambda: {"odd.md": tmp_path / "odd.md"})
    text = document_pages.read.__wrapped__("odd").text
    assert "<script" not in text
    assert 'href="javascript' not in text


@pytest.mark.parametrize(
    "name", ["nothing", "../README", "ja/../index", "conf.py", "INDEX", "ja", "ja/ja/index", "a" * 300]
)
def test_what_is_no_document_is_not_found(client, name):
    assert client.get(f"/docs/{name}/").status_code == 404


@pytest.mark.parametrize("name", ["player.png", "explain.svg"])
def test_a_picture(client, name):
    answer = client.get(f"/docs/pictures/{name}")
    assert answer.status_code == 200
    assert b"".join(answer.streaming_content) == (ROOT / "docs" / name).read_bytes()


@pytest.mark.parametrize("name", ["index.md", "conf.py", "no.png", "a" * 300 + ".png"])
def test_what_is_no_picture_is_not_found(client, name):
    assert client.get(f"/docs/pictures/{name}").status_code == 404
