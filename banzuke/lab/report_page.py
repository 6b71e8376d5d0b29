"""What the laboratory found as one page: figures first, each plot with its words and the table behind it.

`body` is the page's content (`report_body.html`), as it stands in the office's frame; `page` is a file for
itself (`report_page.html`), with the office's stylesheet and the script that copies tables within it, so that
it looks the same without a network. Every text is escaped, and the page forbids itself whatever it does not
hold. Django's templates need no settings here.
"""

import base64
import hashlib
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from banzuke.lab.board_findings import board_plots
from banzuke.lab.plots import PLOTS, code_text, column_name, plots_of
from banzuke.lab.sheets import Cell, Note, Sheet, estimate_text, figure_text
from banzuke.words import LANGUAGES, Language, catalogue, say

Address = Callable[[str, str], str | None]

#: So many rows of a table stand in the page; all of them are in its file.
MOST_ROWS = 300
#: The columns that may hold several ids, and what stands between them; how reasons are named; days.
PLAYERS, EVENTS, SEVERAL, REASON, DAYS = "players", "events", ", ", "reason", ("since", "until", "list")
LOOKS, COPYING = "web/static/banzuke/banzuke.css", "web/static/banzuke/copy.js"
#: The words of the page itself, by their keys in the catalogue.
WORDS = ("made-by", "contents", "found", "found-more", "found-rest", "copy", "copied", "table-empty")


class Report(NamedTuple):
    """What was asked and found, in no language yet.

    `title` and `lead` are notes, as is what must be known of how it was found (`remarks`); `figures` are the
    three or four numbers that one asks first, each by the key of its name. The sheets come in the order of
    reading.
    """

    title: Note
    lead: Note
    figures: Sequence[tuple[str, Cell]]
    remarks: Sequence[Note]
    sheets: Sequence[Sheet]


def page(report: Report, lang: Language) -> bytes:
    """The report as one HTML file, UTF-8, which fetches nothing."""
    looks, copying = (files("banzuke").joinpath(name).read_text("utf-8") for name in (LOOKS, COPYING))
    whole = {"lang": lang, "title": sentence(report.title, lang), "looks": looks, "copying": copying}
    hashes = {"looks_hash": _hash(looks), "copying_hash": _hash(copying)}
    return _fill_in("report_page.html", whole | hashes | _content(report, lang)).encode()


def _hash(text: str) -> str:
    """The source of what stands in the page itself, as a content security policy names it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def body(report: Report, lang: Language, address: Address | None = None) -> str:
    """The content under the heading: what a board asks, then an exhibit for each sheet, folded.

    `address` leads on from a cell by its column and text; None: there is no page of it.
    """
    return _fill_in("report_body.html", _content(report, lang, address))


def _fill_in(template: str, content: dict[str, Any]) -> str:
    from django.template import Context, Engine

    engine = Engine(dirs=[str(Path(__file__).parent)])
    return engine.get_template(template).render(Context(content, use_l10n=False))


def _content(report: Report, lang: Language, address: Address | None = None) -> dict[str, Any]:
    return {
        "words": {key.replace("-", "_"): say("lab", key, lang) for key in WORDS},
        "lead": sentence(report.lead, lang),
        "figures": [(say("lab", key, lang), cell_text(cell, lang)) for key, cell in report.figures],
        "remarks": [sentence(note, lang) for note in report.remarks],
        "shown": board_plots(report.sheets, lang),
        "exhibits": [_exhibit(sheet, lang, address) for sheet in report.sheets],
    }


def sentence(note: Note, lang: Language) -> str:
    """A note in the reader's language: codes among its facts in words, `said_en` as `said` in English."""
    facts = {name.removesuffix(f"_{lang}"): code_text(name, fact, lang) for name, fact in note.facts}
    return say("lab", note.key, lang, **facts)


def title_of(sheet: Sheet, lang: Language) -> str:
    """What a sheet is called."""
    return say("lab", sheet.title_key, lang)


def _exhibit(sheet: Sheet, lang: Language, address: Address | None) -> dict[str, Any]:
    """What stands of a sheet: how it is read, its plots, what must be known of it, its table.

    A long table stands in part; it is folded, but open where it is all there is.
    """
    key, own, count = f"read-{sheet.name}", _translate(sheet, lang), f"{len(sheet.rows):,}"
    part = say("lab", "table-part", lang, shown=MOST_ROWS, rows=count, file=f"{sheet.name}.csv")
    return {
        "name": sheet.name,
        "title": title_of(sheet, lang),
        "reading": say("lab", key, lang) if key in catalogue("lab") else "",
        "plots": plots_of(sheet, lang),
        "notes": [sentence(note, lang) for note in sheet.notes],
        "is_alone": sheet.name not in PLOTS,
        "label": say("lab", "table-rows", lang, rows=count),
        "part": part if len(sheet.rows) > MOST_ROWS else "",
        "columns": [
            (column_name(name, lang, sheet.name), _is_number(column)) for name, column in own.columns.items()
        ],
        "rows": "\n".join(_row(own.columns, row, lang, address) for row in own.rows[:MOST_ROWS]),
    }


def _translate(sheet: Sheet, lang: Language) -> Sheet:
    """The sheet as it is read: without columns in another language, the reason beside the players."""
    others = tuple(f"_{other}" for other in LANGUAGES if other != lang)
    names = [name for name in sheet.columns if not name.endswith(others)]
    reasons = [name for name in names if name.startswith(REASON)]
    if reasons:
        names = [name for name in names if name not in reasons]
        at = names.index(PLAYERS) + 1 if PLAYERS in names else 0
        names[at:at] = reasons
    return replace(sheet, columns={name: sheet.columns[name] for name in names})


def _is_number(column: Iterable[Cell]) -> bool:
    """Whether all that a column has are numbers."""
    kinds = {type(cell) for cell in column if cell is not None}
    return bool(kinds) and kinds <= {int, float}


def _row(columns: Iterable[str], row: Iterable[Cell], lang: Language, address: Address | None) -> str:
    cells = (_cell(column, cell, lang, address) for column, cell in zip(columns, row, strict=True))
    return f"<tr>{''.join(cells)}</tr>"


def _cell(column: str, cell: Cell, lang: Language, address: Address | None) -> str:
    """A cell; what a spreadsheet gets where that is more than is shown; the page it leads on to."""
    label = escape(cell_text(cell, lang))
    if isinstance(cell, bool) or cell is None:
        return f"<td>{label}</td>"
    if isinstance(cell, float):
        return f'<td class="n" data-value="{figure_text(cell)}">{label}</td>'
    if isinstance(cell, int):
        return f'<td class="n">{label}</td>'
    if column in (PLAYERS, EVENTS):
        return f"<td>{SEVERAL.join(_link(column, each, each, address) for each in cell.split(SEVERAL))}</td>"
    label = code_text(column, cell, lang)
    is_short = label != cell or column in DAYS
    kind = ' class="text"' if column.startswith(REASON) else ' class="tight"' if is_short else ""
    return f"<td{kind}>{_link(column, cell, label, address)}</td>"


def _link(column: str, cell: str, label: str, address: Address | None) -> str:
    """A text, as a link where it leads on."""
    onward = address(column, cell) if address else None
    return f'<a href="{escape(onward)}">{escape(label)}</a>' if onward else escape(label)


def cell_text(cell: Cell, lang: Language) -> str:
    """A cell as a reader sees it: blank, yes or no, a number with a true minus sign, a text as it is."""
    match cell:
        case None:
            return ""
        case bool():
            return say("lab", "yes" if cell else "no", lang)
        case float():
            return estimate_text(cell) if math.isfinite(cell) else "–"
        case int():
            return str(cell).replace("-", "−")
        case _:
            return cell
