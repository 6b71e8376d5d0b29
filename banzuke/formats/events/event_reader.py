"""Reads the crosstables that `event_xlsx` and `event_html` write, as a report of the event.

- Of the workbook the first sheet is read; the line above the table gives place, days and speed.
- An id is FIDE's or a national one by its heading, and so is the rating before.
- A star (a game that is not rated) tells nothing of the game; `u` is a game of less than one move each.
- Rounds without a game are not in the table; so the last round with one is the event's last.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from lxml import etree, html
from lxml.html import HtmlElement

from banzuke.core.facts import SPEEDS
from banzuke.core.fault import Fault, fault
from banzuke.formats.crosstables import CrossRow, Rounds, read_swiss
from banzuke.formats.files.spreadsheet import first_texts, is_workbook, read_sheets
from banzuke.formats.files.text import decode_text, whole_number
from banzuke.formats.report import (
    MOST_RATING,
    Report,
    ReportedEvent,
    ReportedGame,
    ReportedPlayer,
    refused_report,
)

#: What the page says of itself.
GENERATOR = "Banzuke crosstable"
#: The headings by which the columns are known, and the speeds, in both languages.
HEADINGS = {
    "number": ("No.", "番号"),
    "id": ("Id", "会員番号"),
    "fide_id": ("FIDE id", "FIDE番号"),
    "name": ("Name", "氏名"),
    "before": ("Before", "大会前"),
    "points": ("Points", "得点"),
}
SPEED_WORDS = {
    "standard": ("Standard", "スタンダード"),
    "rapid": ("Rapid", "ラピッド"),
    "blitz": ("Blitz", "ブリッツ"),
}
ROUND = re.compile(r"R([0-9]{1,3})|第([0-9]{1,3})回戦")
#: The most bytes of a file, its most rows, and the most letters of what it says of the event.
MOST_BYTES, MOST_ROWS, _MOST_LETTERS = 8_000_000, 20_000, 2000
_PARTED = " · "
_DAY = r"(?:\d{4}-\d\d-\d\d|\d{4}年\d\d?月\d\d?日)"
_DAYS = re.compile(rf"({_DAY})(?:[–～]({_DAY}))?", re.ASCII)
_HEAD, _HEADING_ROW = 4096, 3
_BY_HEADING = {heading: kind for kind, headings in HEADINGS.items() for heading in headings}


def looks_like(data: bytes) -> bool:
    """Whether it is a page that says so, or a workbook that begins with an event and our headings."""
    if not is_workbook(data):
        return f'content="{GENERATOR}"'.encode() in data[:_HEAD].replace(b"\0", b"")
    texts = first_texts(data)[:4]
    if len(texts) < 4:  # noqa: PLR2004 - the event, what there is to say of it, two headings
        return False
    kinds = [_BY_HEADING.get(text) for text in texts[2:]]
    return kinds[0] == "number" and kinds[1] in ("id", "fide_id") and _days_in(texts[1]) is not None


def read(data: bytes, file: str) -> Report:
    """Read the crosstable in `data`; `file` names it in the faults. Raises nothing: see `Report.faults`."""
    if len(data) > MOST_BYTES:
        return refused_report(fault(file, 0, "", "event-too-large"))
    faults: list[Fault] = []
    found = _of_workbook(data, file, faults) if is_workbook(data) else _of_page(data)
    if found is None or faults:
        return refused_report(*(faults or [fault(file, 0, "", "event-broken")]))
    return _report(found, file)


class _Row(NamedTuple):
    """A row: its line in the file, and its cells."""

    line: int
    cells: Sequence[str]

    def cell(self, index: int) -> str:
        return self.cells[index] if 0 <= index < len(self.cells) else ""


class _Found(NamedTuple):
    """The event's name, what is said of it, and the table with its headings."""

    name: str
    facts: str
    headings: Sequence[str]
    rows: list[_Row]


def _of_workbook(data: bytes, file: str, faults: list[Fault]) -> _Found | None:
    sheets = read_sheets(data, file, faults)
    rows = sheets[0].rows if sheets else []
    if len(rows) <= _HEADING_ROW or not rows[0]:
        return None
    table = []
    for line, cells in enumerate(rows[_HEADING_ROW + 1 :], _HEADING_ROW + 2):
        if not any(cells):
            break
        table.append(_Row(line, cells))
    return _Found(rows[0][0], rows[1][0], rows[_HEADING_ROW], table)


def _of_page(data: bytes) -> _Found | None:
    text = decode_text(data)
    try:
        parser = html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=False)
        root = html.document_fromstring((text or "").encode(), parser=parser)
    except (etree.LxmlError, ValueError, AssertionError):
        return None
    table = next(root.iter("table"), None)
    if table is None:
        return None
    head, *rows = [_page_row(row) for row in table.iter("tr")] or [_Row(0, ())]
    is_fide = table.get("data-ids") == "fide"
    headings = [HEADINGS["fide_id" if is_fide else "id"][0], *head.cells[1:]]
    return _Found(_first(root, "h1"), _first(root, "p"), headings, rows)


def _page_row(row: HtmlElement) -> _Row:
    """A row; its id, which the page does not show, stands before the other cells."""
    cells = (" ".join(cell.text_content().split()) for cell in row.iterchildren("td", "th"))
    return _Row(row.sourceline or 0, (row.get("data-id", ""), *cells))


def _first(root: HtmlElement, tag: str) -> str:
    return next((" ".join(found.text_content().split()) for found in root.iter(tag)), "")


def _days_in(facts: str) -> int | None:
    """The place of the days among the parts of the line about the event; None without days."""
    parts = facts[:_MOST_LETTERS].split(_PARTED)
    return next((place for place, part in enumerate(parts) if _DAYS.fullmatch(part)), None)


def _event(found: _Found, rounds: int) -> ReportedEvent:
    event = ReportedEvent(name=found.name, rounds=rounds)
    place, parts = _days_in(found.facts), found.facts.split(_PARTED)
    if place is None or not (days := _DAYS.fullmatch(parts[place])):
        return event
    words = {word: speed for speed in SPEEDS for word in SPEED_WORDS[speed]}
    after = parts[place + 1 : place + 2]
    return event._replace(
        place=_PARTED.join(parts[:place]),
        speed=words.get(after[0], "") if after else "",
        starts=_day(days[1]),
        ends=_day(days[2] or days[1]),
    )


def _day(text: str) -> date | None:
    """A day as either language writes it: `2026-05-03`, `2026年5月3日`. None for none."""
    year, month, day = map(int, re.findall(r"\d+", text))
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _report(found: _Found, file: str) -> Report:
    columns = {_BY_HEADING.get(heading, ""): place for place, heading in enumerate(found.headings)}
    shown = [(place, match) for place, text in enumerate(found.headings) if (match := ROUND.fullmatch(text))]
    numbers = tuple(int(match[1] or match[2]) for _, match in shown)
    if not {"number", "name", "points"} <= columns.keys() or not numbers or len(set(numbers)) < len(numbers):
        return refused_report(fault(file, 0, "", "event-broken"))
    if len(found.rows) > MOST_ROWS:
        return refused_report(fault(file, 0, "", "event-too-large"))
    faults: list[Fault] = []
    players = list(_players(found.rows, columns, file, faults))
    cells = {player.number: [row.cell(place) for place, _ in shown] for player, row in players}
    rows = [
        CrossRow(
            row.line, player.number, tuple(map(_plain, cells[player.number])), row.cell(columns["points"])
        )
        for player, row in players
    ]
    rounds = Rounds(numbers, tuple(match[0] for _, match in shown), found.headings[columns["points"]])
    read = read_swiss(file, rows, rounds, whole=not faults)
    games = tuple(_marked(game, cells[game.white][numbers.index(game.round)]) for game in read.games)
    event, everybody = _event(found, max(numbers)), tuple(player for player, _ in players)
    return Report(event, everybody, games, (*faults, *read.faults), byes=read.byes)


def _plain(cell: str) -> str:
    """A cell without the mark behind its result."""
    return cell.rstrip("*u")


def _marked(game: ReportedGame, cell: str) -> ReportedGame:
    """The game, by White's cell; of less than one move each where that says so."""
    is_short = cell.endswith("u") and game.result[0] not in "+-"
    return game._replace(result=f"u{game.result}") if is_short else game


def _players(
    rows: Iterable[_Row], columns: dict[str, int], file: str, faults: list[Fault]
) -> Iterator[tuple[ReportedPlayer, _Row]]:
    """The players with their rows; rows without a number of their own are noted and left out."""
    taken: set[int] = set()
    for row in rows:
        text, name = row.cell(columns["number"]), row.cell(columns["name"])
        number = whole_number(text, MOST_ROWS)
        if not number or number in taken:
            faults.append(fault(file, row.line, "", "event-bad-number", text=text, name=name))
        else:
            taken.add(number)
            yield _player(row, columns, number), row


def _player(row: _Row, columns: dict[str, int], number: int) -> ReportedPlayer:
    own, fide_id = row.cell(columns.get("id", -1)), row.cell(columns.get("fide_id", -1))
    before = whole_number(row.cell(columns.get("before", -1)), MOST_RATING) or None
    is_fide, is_number = "fide_id" in columns, fide_id.isdecimal() and fide_id.isascii()
    return ReportedPlayer(
        number,
        row.cell(columns["name"]),
        fide_id=fide_id if is_number else "",
        national_id=own or ("" if is_number else fide_id),
        rating=before if is_fide else None,
        line=row.line,
        national_rating=None if is_fide else before,
    )
