"""Every text of the pages in Japanese: extracted from templates and code, and held against the catalogues."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import defaultdict
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path

import polib
import pytest
from django.template.base import Lexer, TokenType

PACKAGE = Path(__file__).parents[2] / "banzuke"
PAGES = PACKAGE / "web" / "templates"
CATALOGUES = sorted((PACKAGE / "web" / "locale").glob("*/ja/LC_MESSAGES/django.po"))
#: What templates say as it is, beside abbreviations (FIDE, SHA-256): the names of languages in themselves.
AS_IT_IS = {"Banzuke", "English", "日本語", "番付"}
#: Pages of last resort speak both languages at once; all others that of the request.
SPOKEN = sorted(
    path
    for path in PAGES.rglob("*.html")
    if path.name
    not in {"400.html", "500.html", "503.html", "book_missing.html", "spoiled_rules.html", "turned_away.html"}
)
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]|%[sd]|\{(\w*)\}")

Key = tuple[str, str]


def key(entry: polib.POEntry) -> Key:
    return (entry.msgctxt or "", entry.msgid)


def catalogue_name(path: Path) -> str:
    return path.parts[-4]


def japanese(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


@pytest.fixture(scope="module")
def extracted(tmp_path_factory) -> dict[Key, polib.POEntry]:
    """Every message of the pages, the API and the desk, as Django's own makemessages finds them."""
    if not shutil.which("xgettext"):
        pytest.skip("GNU gettext is not installed")
    copy = tmp_path_factory.mktemp("messages")
    for part in ("web", "api", "office"):
        leave = shutil.ignore_patterns("locale", "static", "__pycache__")
        shutil.copytree(PACKAGE / part, copy / part, ignore=leave)
    (copy / "locale").mkdir()
    command = [sys.executable, "-m", "django", "makemessages", "-l", "ja", "-e", "html,txt,py"]
    subprocess.run(command, cwd=copy, check=True, capture_output=True)
    return {key(entry): entry for entry in polib.pofile(str(copy / "locale/ja/LC_MESSAGES/django.po"))}


@pytest.fixture(scope="module")
def translated() -> dict[Key, dict[str, polib.POEntry]]:
    """What the catalogues say of each message, by catalogue."""
    found: dict[Key, dict[str, polib.POEntry]] = defaultdict(dict)
    for path in CATALOGUES:
        for entry in polib.pofile(str(path)):
            if not entry.obsolete:
                found[key(entry)][catalogue_name(path)] = entry
    return found


def elsewhere() -> set[Key]:
    """Messages of Django and allauth, which a catalogue of ours may say better."""
    found = set()
    for package, inside in (("django", "conf/locale"), ("allauth", "locale")):
        root = Path(next(iter(find_spec(package).submodule_search_locations)))
        found |= {
            key(entry)
            for path in (root / inside).glob("ja/**/django.po")
            for entry in polib.pofile(str(path))
        }
    return found


def test_there_is_something_to_translate(extracted):
    assert ("", "Sign in") in extracted
    assert ("change", "up") in extracted


def test_every_message_is_in_japanese(extracted, translated):
    missing = [
        f"{' '.join(place for place, _ in entry.occurrences[:1])}: {entry.msgid}"
        for found, entry in extracted.items()
        if not any(one.translated() and not one.fuzzy for one in translated.get(found, {}).values())
    ]
    assert not missing, "\n".join(sorted(missing))


def test_no_translation_is_left_over(extracted, translated):
    known = extracted.keys() | elsewhere()
    left = [
        f"{name}: {msgid}"
        for (context, msgid), by in translated.items()
        for name in by
        if (context, msgid) not in known
    ]
    assert not left, "\n".join(sorted(left))


def test_a_message_is_said_in_one_way(translated):
    torn = [
        f"{found[1]}: {[(name, japanese(entry)) for name, entry in by.items()]}"
        for found, by in translated.items()
        if len({tuple(japanese(entry)) for entry in by.values()}) > 1
    ]
    assert not torn, "\n".join(torn)


@pytest.mark.parametrize("path", CATALOGUES, ids=catalogue_name)
def test_placeholders_are_the_same_in_both_languages(path):
    def placeholders(text: str) -> list[str]:
        return sorted({found[0] for found in PLACEHOLDER.finditer(text)})

    differing = [
        entry.msgid
        for entry in polib.pofile(str(path))
        for said in japanese(entry)
        if not entry.obsolete and placeholders(entry.msgid_plural or entry.msgid) != placeholders(said)
    ]
    assert differing == []


@pytest.mark.parametrize("path", CATALOGUES, ids=catalogue_name)
def test_compiled_catalogues_are_what_their_sources_say(path):
    def content(file: polib.POFile | polib.MOFile) -> dict[Key, list[str]]:
        return {
            key(entry): japanese(entry)
            for entry in file
            if all(japanese(entry)) and not getattr(entry, "fuzzy", False)
        }

    source = content(polib.pofile(str(path)))
    compiled = path.with_suffix(".mo")
    assert compiled.is_file() == bool(source), "msgfmt -o django.mo django.po"
    assert not source or content(polib.mofile(str(compiled))) == source, "msgfmt -o django.mo django.po"


class Readable(HTMLParser):
    """The texts of a page that a person reads: between tags, and in the attributes that are read out."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def handle_data(self, data):
        self.texts.append(data)

    def handle_starttag(self, tag, attrs):
        self.texts += [
            value or ""
            for name, value in attrs
            if name in {"title", "placeholder", "aria-label", "alt", "data-copied"}
        ]


def plain_texts(source: str) -> list[str]:
    """What a template says outside its translated texts; variables and tags are left out."""
    bare, inside = [], False
    for token in Lexer(source).tokenize():
        word = token.contents.split()[0] if token.contents.split() else ""
        if token.token_type == TokenType.BLOCK and word in {"blocktranslate", "blocktrans", "comment"}:
            inside = True
        elif token.token_type == TokenType.BLOCK and word in {
            "endblocktranslate",
            "endblocktrans",
            "endcomment",
        }:
            inside = False
        elif token.token_type == TokenType.TEXT and not inside:
            bare.append(token.contents)
    page = Readable()
    page.feed("".join(bare))
    words = (word for text in page.texts for word in re.findall(r"[^\W\d_](?:[\w-]*\w)+", text))
    return [word for word in words if word not in AS_IT_IS and not word.isupper()]


def test_plain_texts_are_seen():
    source = "<p title='over'>{{ x }} &amp; Hello{% blocktranslate %}not me{% endblocktranslate %} {% translate \"nor\" %}</p>"
    assert plain_texts(source) == ["over", "Hello"]


@pytest.mark.parametrize("path", SPOKEN, ids=lambda path: str(path.relative_to(PAGES)))
def test_templates_say_nothing_past_the_catalogues(path):
    assert plain_texts(path.read_text("utf-8")) == []
