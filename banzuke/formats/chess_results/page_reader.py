"""Reads pages of Chess-Results as saved from a browser: crosstables, pairings and results, starting ranks.

What the pages leave open is settled so:

- The page's tables are its rows in the order of the document; a row that holds a table is none itself.
- A line is that of the source. Chess-Results writes a whole table into one, so a fault names the player too.
- The event's source is the number in the page's address: of its form, its canonical link, its links.
- A page of 50 MB, of more elements than a real one has, or nested deeper than the parser goes, is refused.
"""

import re
from collections.abc import Iterator
from itertools import islice

from lxml import etree, html
from lxml.html import HtmlElement

from banzuke.core.fault import fault
from banzuke.formats.chess_results.event_details import MOST_ROUNDS, Page
from banzuke.formats.chess_results.headings import is_table_title
from banzuke.formats.chess_results.page_report import report_of
from banzuke.formats.chess_results.page_tables import MOST_COLUMNS, MOST_LETTERS, MOST_NUMBER, Row
from banzuke.formats.files.text import decode_text
from banzuke.formats.report import Report, refused_report

#: The most bytes of a page, and the most tags: beyond is a trap or a mistake.
MOST_BYTES, MOST_TAGS = 50_000_000, 300_000
_HEAD = 256 * 1024
_TITLES = ("h1", "h2", "h3", "p")
_SOURCE = re.compile(r"\btnr=?([0-9]{1,9})(?![0-9])", re.IGNORECASE)
_ASKED_ROUND = re.compile(r"[?&;]rd=([0-9]{1,3})(?![0-9])")
_SAVED_FROM, _BEGINNING = re.compile(r"saved from url=\S{0,20}(http\S{1,500})"), 4096
_START_NUMBER = re.compile(r"[?&;]snr=([0-9]{1,5})(?![0-9])")
_SERVER = re.compile(r"^chess-results(?: server)?(?: ?chess-results\.com)?(?: ?- ?|$)", re.IGNORECASE)
_ABOUT_RANKING = re.compile(r"[?&;]art=[145](?![0-9])")


def looks_like(data: bytes) -> bool:
    """Whether the beginning is HTML that names Chess-Results."""
    head = data[:_HEAD].replace(b"\0", b"").lower()
    return b"chess-results" in head and (b"<html" in head or b"<!doctype html" in head or b"<table" in head)


def read(data: bytes, file: str) -> Report:
    """Read the page in `data`; `file` names it in the faults. Raises nothing: see `Report.faults`."""
    if len(data) > MOST_BYTES or data.count(b"<") > MOST_TAGS:
        return refused_report(fault(file, 0, "", "cr-too-large"))
    text = decode_text(data if data.startswith((b"\xff\xfe", b"\xfe\xff")) else data.replace(b"\r", b""))
    if text is None:
        return refused_report(fault(file, 0, "", "cr-no-text"))
    root = _parsed(text)
    if root is None:
        return refused_report(fault(file, 0, "", "cr-broken"))
    return report_of(_page(root, text, file))


def _parsed(text: str) -> HtmlElement | None:
    """The document as browsers read it, with nothing fetched; None if it is none, or nested too deep."""
    parser = html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=False)
    try:
        root = html.document_fromstring(text.encode(), parser=parser)
    except (etree.LxmlError, ValueError, AssertionError):
        return None
    return None if any(entry.level == etree.ErrorLevels.FATAL for entry in parser.error_log) else root


def _page(root: HtmlElement, text: str, file: str) -> Page:
    name = _name(root)
    addresses = _addresses(root, text)
    asked = next((found for at in addresses if (found := _ASKED_ROUND.search(at))), None)
    linked = (link.get("href", "") for link in root.iter("a"))
    sources = (found for at in (*addresses, *linked) if (found := _SOURCE.search(at)))
    source = next((f"tnr{found[1]}" for found in sources), "")
    number = int(asked[1]) if asked else 0
    titles = islice(
        (_text(link) for link in root.iter("a") if _ABOUT_RANKING.search(link.get("href", ""))), 500
    )
    return Page(file, list(_rows(root)), name, source, number if number <= MOST_ROUNDS else 0, tuple(titles))


def _name(root: HtmlElement) -> str:
    """The event's name: the first heading that is no table's title, else what the page is called."""
    headings = (_text(title) for title in root.iter("h2"))
    called = (_SERVER.sub("", _text(title)) for title in root.iter("title"))
    return next((name for name in (*headings, *called) if name and not is_table_title(name)), "")


def _addresses(root: HtmlElement, text: str) -> list[str]:
    """The page's own address, as its form, its canonical link or the browser that saved it give it."""
    forms = [form.get("action", "") for form in islice(root.iter("form"), 20)]
    canonical = [link.get("href", "") for link in root.iter("link") if link.get("rel", "") == "canonical"]
    return [*forms, *canonical, *_SAVED_FROM.findall(text[:_BEGINNING])]


def _rows(root: HtmlElement) -> Iterator[Row]:
    """The titles, notes and rows of tables, in order."""
    tables: dict[HtmlElement, int] = {}
    for element in root.iter("tr", *_TITLES):
        row = element if element.tag == "tr" else next(element.iterancestors("tr"), None)
        inside = row is not None and next(row.iter("table"), None) is None
        if row is element and inside:
            table = next(row.iterancestors("table"), row)
            yield _row(row, tables.setdefault(table, len(tables) + 1))
        elif row is not element and not inside:
            yield Row(element.sourceline or 0, (_text(element),))


def _row(element: HtmlElement, table: int) -> Row:
    """A row of a table; a cell over several columns fills the first of them."""
    cells: list[str] = []
    links: list[int] = []
    for cell in element.iterchildren("td", "th"):
        wide = cell.get("colspan", "1").strip()
        blanks = min(int(wide) - 1, MOST_COLUMNS) if wide.isdecimal() and len(wide) < 6 else 0  # noqa: PLR2004
        cells += [_text(cell)] + [""] * blanks
        links += [_start_number(cell)] + [0] * blanks
        if len(cells) > MOST_COLUMNS:
            break
    return Row(element.sourceline or 0, tuple(cells), tuple(links), table)


def _text(element: HtmlElement) -> str:
    return " ".join(element.text_content().split())[:MOST_LETTERS]


def _start_number(cell: HtmlElement) -> int:
    """The start number in a cell's link (`snr=17`); 0 if there is none."""
    for link in cell.iter("a"):
        if found := _START_NUMBER.search(link.get("href", "")):
            return int(found[1]) if int(found[1]) <= MOST_NUMBER else 0
    return 0
