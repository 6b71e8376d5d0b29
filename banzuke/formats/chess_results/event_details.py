"""What a Chess-Results page or export says of its event, outside its tables."""

import re
from datetime import date
from typing import NamedTuple

from banzuke.core.fault import Fault, fault
from banzuke.formats.chess_results.headings import (
    detail_of,
    is_table_title,
    plain_word,
    rounds_when_final,
    speed_of,
)
from banzuke.formats.chess_results.page_tables import Row
from banzuke.formats.files.text import plain, whole_number
from banzuke.formats.notation import parse_day
from banzuke.formats.report import ReportedEvent

#: The most rounds of an event.
MOST_ROUNDS = 400
DAY = re.compile(
    r"[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}\. ?[0-9]{1,2}\. ?[0-9]{4}"
    r"|[0-9]{1,2}[-/][0-9]{1,2}[-/][0-9]{4}"
)
_SOURCE = re.compile(r"\btnr([0-9]{1,9})(?:\.aspx|\b)", re.IGNORECASE)
_OF_ROUNDS = re.compile(r"(?:^|[ ,])[^\W\d_]{1,9}\.? ?([0-9]{1,3})/([0-9]{1,3})(?= ?,|$)")
_CODE = re.compile(r"\( ?([A-Z]{3}) ?\)")


class Page(NamedTuple):
    """A page as rows, and what only HTML says: name, source, the round asked for, linked titles."""

    file: str
    rows: list[Row]
    name: str = ""
    source: str = ""
    round: int = 0
    titles: tuple[str, ...] = ()


def event_of(page: Page, faults: list[Fault]) -> ReportedEvent:
    """What the page says of its event; `rounds` is 0 if it does not say how many there are."""
    values = _details(page.rows)
    place, arbiter = values.get("place", _NOTHING), values.get("responsible", _NOTHING)
    control, days = values.get("time_control", _NOTHING), values.get("days", _NOTHING)
    starts, ends = _span(page.file, days, faults)
    federation = values.get("federation", _NOTHING).text
    code = _CODE.search(federation)
    return ReportedEvent(
        name=page.name or _name(page.rows),
        place=place.text,
        federation=code[1] if code else federation,
        organiser=values.get("organiser", _NOTHING).text,
        responsible=arbiter.text,
        speed=speed_of(control.label),
        time_control=control.text,
        fide_rated=_is_fide_rated(values.get("rated", _NOTHING).text),
        starts=starts,
        ends=ends,
        rounds=_rounds(page, values.get("rounds", _NOTHING)),
        source=page.source or _source(page.rows),
    )


class _Detail(NamedTuple):
    label: str
    text: str
    line: int


_NOTHING = _Detail("", "", 0)


def _details(rows: list[Row]) -> dict[str, _Detail]:
    """The details by what they are; a label and its text stand in two cells, or parted by a colon in one."""
    found: dict[str, _Detail] = {}
    for row in rows:
        label, _, text = row.alone().partition(":")
        filled = [cell for cell in row.cells if cell]
        if len(filled) == 2:  # noqa: PLR2004 - a label and its text
            label, text = filled
        if text and (kind := detail_of(label)):
            found.setdefault(kind, _Detail(label, " ".join(text.split()), row.line))
    return found


def _name(rows: list[Row]) -> str:
    """The event's name in an export: its first line that is not the server's own, nor a table's title."""
    alone = (" ".join(row.alone().split()) for row in rows[:20])
    name = next((text for text in alone if text and "chess-results" not in text.lower()), "")
    return "" if is_table_title(name) else name


def _source(rows: list[Row]) -> str:
    found = (_SOURCE.search(cell) for row in rows for cell in row.cells if "tnr" in cell)
    return next((f"tnr{match[1]}" for match in found if match), "")


def _span(file: str, days: _Detail, faults: list[Fault]) -> tuple[date | None, date | None]:
    """The first and the last day in a text such as `2026/08/01 to 2026/08/09`."""
    named = [parse_day(text.replace(" ", "")) for text in DAY.findall(plain(days.text))]
    sound = [day for day in named if day]
    if days.text and (not sound or len(sound) < len(named) or sound[0] > sound[-1]):
        faults.append(fault(file, days.line, days.label, "cr-bad-days", text=days.text))
        return None, None
    return (sound[0], sound[-1]) if sound else (None, None)


def _is_fide_rated(text: str) -> bool | None:
    return ("internat" in plain_word(text) or "fide" in plain_word(text)) if text else None


def _rounds(page: Page, detail: _Detail) -> int:
    """How many rounds the event has: by its details, the links to its rounds (`Rd.6/9`), a final title."""
    counted = [whole_number(detail.text, MOST_ROUNDS) or 0]
    for row in page.rows:
        for done, whole in _OF_ROUNDS.findall(row.cells[1]) if len(row.cells) == 2 else ():  # noqa: PLR2004
            counted.append(int(whole) if int(done) <= int(whole) <= MOST_ROUNDS else 0)
    counted += [rounds_when_final(title) or 0 for title in page.titles]
    return next((number for number in counted if 0 < number <= MOST_ROUNDS), 0)
