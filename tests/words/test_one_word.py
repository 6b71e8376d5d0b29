"""One word a thing (docs/glossary.md): what no Japanese sentence, of the pages or of the words, calls it."""

from __future__ import annotations

import re
from pathlib import Path

import polib
import pytest

import banzuke

SOURCE = Path(banzuke.__file__).parent
SENTENCES = sorted([*(SOURCE / "words").rglob("*.toml"), *(SOURCE / "web" / "locale").rglob("django.po")])
#: The glossary's word, and what must not stand for it; a championship and a sheet's name are names.
INSTEAD = {
    "プレイヤー": r"選手(?!権| players)|プレーヤー|棋士",
    "公表": "発表",
    "会員": "メンバー",
    "規程": "規定",
    "対戦表": "クロステーブル",
    "組み合わせ": "組合せ",
    "報告": "レポート",
    "初期レーティング": "初回レーティング",
}


def spoken(path: Path) -> str:
    """What a file says, without the English beside it."""
    if path.suffix == ".po":
        entries = polib.pofile(str(path))
        return "\n".join(text for one in entries for text in (one.msgstr, *one.msgstr_plural.values()))
    return path.read_text("utf-8")


def strayed(text: str) -> list[str]:
    return [found for other in INSTEAD.values() for found in re.findall(other, text)]


def test_the_glossary_has_these_words():
    glossary = (Path(__file__).parents[2] / "docs" / "glossary.md").read_text("utf-8")
    assert [word for word in INSTEAD if word not in glossary] == []


def test_other_words_are_seen():
    assert strayed("全日本選手権の選手を「選手 players」に") == ["選手"]
    assert strayed("公表を発表") == ["発表"]


@pytest.mark.parametrize("path", SENTENCES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_sentence_uses_another(path):
    assert strayed(spoken(path)) == []


@pytest.mark.parametrize("path", SENTENCES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_an_extra_is_installed_from_the_projects_folder(path):
    """The package is in no registry: `pip install '.[bulk]'`."""
    assert not re.search(r"pip install '?banzuke", path.read_text("utf-8"))
