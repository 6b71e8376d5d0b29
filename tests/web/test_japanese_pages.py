"""Every page in Japanese: no day of another style, no hyphen for a minus, no word that was left in English."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from address_list import VISITORS, address, client_of, fill, walked

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


class Read(HTMLParser):
    """What a person reads: the texts of a page, and what is read out of its attributes."""

    SILENT = ("code", "pre", "script", "style", "option", "textarea", "template")

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.inside: list[bool] = []

    def handle_starttag(self, tag, attrs):
        said = dict(attrs)
        is_silent = tag in self.SILENT or bool(
            {"id", "address", "hash"} & set((said.get("class") or "").split())
        )
        self.inside.append(is_silent or said.get("lang") == "en")
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
    return "\n".join(page.texts)


#: Names of the office that is walked, of programs and formats, and words of code that officers write.
NAMES = frozenset(
    re.findall(
        r"\S+",
        """
        Banzuke English Enter Glossary The Small Federation Pool Winter Rapid ABE BABA CHIBA Jiro Saburo FIDE
        JCF NCS Gacrux HTML CSV XLSX TRF PDF PGN XML ZIP TXT EMAIL HOST iCal Atom Asia Tokyo Chess-Results Swiss-Manager boss
        somebody visitor KASH MMED OCUM SOLK APPO APRO CODE BH-C BH-M K-new banzuke office-key restore example
        folder ledger private open note upload fide-txt fide-xml json parquet swiss-manager xlsx read reports
        revisions content people record erased-ids
        """,
    )
)
#: Reasons and remarks that the walked office was given, and words of its journal and keys.
SAID = {
    "Club",
    "Open",
    "Spring",
    "June",
    "Ichiro",
    "player",
    "game",
    "games",
    "program",
    "test",
    "rate",
    "japan",
    "name",
    "wrong",
    "Player",
}
#: The laboratory, the pages of settings, of data and of the log show what is written into files.
OF_FILES = ("data", "log", "lab", "reform-new", "reform-change", "accounts-pool-settings", "accounts-backup")
WORD = re.compile(r"[A-Za-z][A-Za-z'-]*[A-Za-z]")
HEX = re.compile(r"[a-f]+")
DAY = re.compile(r"(?<![\w-])(?:\d{4}-\d\d-\d\d|-[1-9])(?![\d½、-])")
#: A month in place of a list's title.
MONTH = re.compile(r"(?<![\w-])\d{4}-\d\d(?![\w-])")
#: A Latin mark behind a Japanese word.
MARK = re.compile(r"[ぁ-んァ-ヶー一-龠][.,:;](?=\s|$)")
LONG = 4


def foreign(text: str) -> set[str]:
    """Words that nobody translated: longer than an abbreviation, and no name."""
    words = {word for word in WORD.findall(text) if len(word) >= LONG and not HEX.fullmatch(word)}
    return words - NAMES - SAID


def test_days_minus_signs_and_words():
    world = fill()
    boss = client_of(VISITORS["administrator"], world, headers={"accept-language": "ja"})
    wrong = []
    for page in walked():
        if page.row.get("post") or page.name.startswith(("admin:", "reading-", *OF_FILES)):
            continue
        answer = boss.get(address(page, world))
        if answer.status_code != 200 or not answer["Content-Type"].startswith("text/html"):
            continue
        text = read(answer.content.decode())
        found = set(DAY.findall(text)) | set(MONTH.findall(text)) | set(MARK.findall(text)) | foreign(text)
        wrong += [f"{page.name}: {word}" for word in sorted(found)]
    assert not wrong, "\n".join(wrong)
