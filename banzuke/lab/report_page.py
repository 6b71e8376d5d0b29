"""What the laboratory found as one page: figures first, each plot with its words and the table behind it.

`body` is the page's content, as it stands in the office's frame; `page` is a file for itself, with the
office's stylesheet and the script that copies tables within it, so that it looks the same without a network.
Every text is escaped, and the page forbids itself whatever it does not hold.
"""

import base64
import hashlib
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from html import escape
from importlib.resources import files
from typing import NamedTuple

from banzuke.lab.board_findings import Shown, board_plots
from banzuke.lab.plots import PLOTS, Plot, code_text, column_name, plots_of
from banzuke.lab.sheets import Cell, Columns, Note, Sheet, estimate_text, figure_text
from banzuke.words import LANGUAGES, Language, catalogue, say

Address = Callable[[str, str], str | None]

#: So many rows of a table stand in the page; all of them are in its file.
MOST_ROWS = 300
#: The columns that may hold several ids, and what stands between them; how reasons are named; days.
PLAYERS, EVENTS, SEVERAL, REASON, DAYS = "players", "events", ", ", "reason", ("since", "until", "list")
#: How the key of a series is drawn that is no plain line.
KEYS = {"dashed": ("dashed",), "dots": ("dots",)}
LOOKS, COPYING = "web/static/banzuke/banzuke.css", "web/static/banzuke/copy.js"


def no_address(_column: str, _cell: str) -> str | None:
    """No cell leads on."""
    return None


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
    policy = f"default-src 'none'; style-src '{_hash(looks)}'; script-src '{_hash(copying)}'"
    title, made = escape(sentence(report.title, lang)), say("lab", "made-by", lang)
    return f"""<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{looks}</style>
</head>
<body>
<main id="main">
<h1>{title}</h1>
{body(report, lang)}
</main>
<footer class="foot"><p>{escape(made)}</p></footer>
<script>{copying}</script>
</body>
</html>
""".encode()


def _hash(text: str) -> str:
    """The source of what stands in the page itself, as a content security policy names it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def body(report: Report, lang: Language, address: Address = no_address) -> str:
    """The content under the heading: what a board asks, then an exhibit for each sheet, folded.

    `address` leads on from a cell by its column and text; None: there is no page of it.
    """
    figures = "".join(
        f"<div><dt>{escape(say('lab', key, lang))}</dt><dd>{escape(cell_text(cell, lang))}</dd></div>"
        for key, cell in report.figures
    )
    parts = [
        f'<p class="lead">{escape(sentence(report.lead, lang))}</p>',
        f'<dl class="figures">{figures}</dl>' if figures else "",
        *(f"<p>{escape(sentence(note, lang))}</p>" for note in report.remarks),
        _findings(board_plots(report.sheets, lang), lang),
        _contents(report.sheets, lang),
        *(exhibit(sheet, lang, address) for sheet in report.sheets),
    ]
    return "\n".join(part for part in parts if part)


def _findings(shown: Sequence[Shown], lang: Language) -> str:
    """The plots for a board, each under its sentence, with the way to its table."""
    if not shown:
        return ""
    more = escape(say("lab", "found-more", lang))
    parts = [
        f'<section class="found"><h3>{escape(each.finding)}</h3>{_figure(each.plot)}'
        f'<p class="small noprint"><a href="#{escape(each.sheet)}">{more}</a></p></section>'
        for each in shown
    ]
    heading = escape(say("lab", "found", lang))
    return f'<h2 class="sr">{heading}</h2>\n<div class="plots findings">{"".join(parts)}</div>'


def sentence(note: Note, lang: Language) -> str:
    """A note in the reader's language: codes among its facts in words, `said_en` as `said` in English."""
    facts = {name.removesuffix(f"_{lang}"): code_text(name, fact, lang) for name, fact in note.facts}
    return say("lab", note.key, lang, **facts)


def _contents(sheets: Sequence[Sheet], lang: Language) -> str:
    rows = "".join(
        f'<li><a href="#{escape(sheet.name)}">{escape(title_of(sheet, lang))}</a></li>' for sheet in sheets
    )
    name = escape(say("lab", "contents", lang))
    rest = escape(say("lab", "found-rest", lang))
    ways = f'<nav class="noprint" aria-label="{name}"><ul class="plain">{rows}</ul></nav>'
    return f'<h2 class="noprint">{rest}</h2>\n{ways}'


def title_of(sheet: Sheet, lang: Language) -> str:
    """What a sheet is called."""
    return say("lab", sheet.title_key, lang)


def exhibit(sheet: Sheet, lang: Language, address: Address) -> str:
    """A sheet, folded: what it is, how it is read, its plots, what must be known of it, the table."""
    key = f"read-{sheet.name}"
    reading = say("lab", key, lang) if key in catalogue("lab") else ""
    notes = [sentence(note, lang) for note in sheet.notes]
    return "\n".join(
        [
            f'<details class="exhibit" id="{escape(sheet.name)}">',
            f"<summary><h3>{escape(title_of(sheet, lang))}</h3></summary>",
            f"<p>{escape(reading)}</p>" if reading else "",
            _plots(plots_of(sheet, lang)),
            *(f'<p class="quiet">{escape(note)}</p>' for note in notes),
            _table(sheet, lang, address),
            "</details>",
        ]
    )


def _plots(plots: Sequence[Plot]) -> str:
    """Plots side by side where there is room."""
    if not plots:
        return ""
    return f'<div class="plots">{"".join(_figure(plot) for plot in plots)}</div>'


def _figure(plot: Plot) -> str:
    keys = " ".join(
        f'<span class="{" ".join(("key", f"key-{index}", *KEYS.get(style, ())))}">{escape(name)}</span>'
        for index, name, style in plot.keys
    )
    legend = f'<p class="small">{keys}</p>'
    caption = f"<figcaption>{escape(plot.caption)}</figcaption>"
    return f'<figure class="chart drawn">{caption}{legend}{plot.svg}</figure>'


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


def _table(sheet: Sheet, lang: Language, address: Address) -> str:
    """The table behind the plots, folded (open where it is all there is); a long one in part."""
    if not sheet.rows:
        return f'<p class="quiet">{escape(say("lab", "table-empty", lang))}</p>'
    sheet, is_alone = _translate(sheet, lang), sheet.name not in PLOTS
    rows, name = sheet.rows, f"table-{escape(sheet.name)}"
    label = escape(say("lab", "table-rows", lang, rows=f"{len(rows):,}"))
    part = say("lab", "table-part", lang, shown=MOST_ROWS, rows=f"{len(rows):,}", file=f"{sheet.name}.csv")
    numeric = _number_columns(sheet.columns)
    head = "".join(
        _heading(column_name(column, lang, sheet.name), numeric[column]) for column in sheet.columns
    )
    cells = "\n".join(_row(sheet.columns, row, lang, address) for row in rows[:MOST_ROWS])
    caption = escape(title_of(sheet, lang))
    return f"""<details{" open" if is_alone else ""}><summary>{label}</summary>
{f"<p>{escape(part)}</p>" if len(rows) > MOST_ROWS else ""}
{_copy_button(name, lang)}
<div class="scroll" tabindex="0" role="region" aria-label="{caption}"><table class="sheet" id="{name}">
<caption class="sr">{caption}</caption>
<thead><tr>{head}</tr></thead>
<tbody>{cells}</tbody></table></div></details>"""


def _copy_button(name: str, lang: Language) -> str:
    """The button that copies a table, as the office's pages have it."""
    label, done = escape(say("lab", "copy", lang)), escape(say("lab", "copied", lang))
    how = f'type="button" class="plain" data-copy="{name}" data-copied="{done}" hidden'
    return f'<p class="acts noprint"><button {how}>{label}</button></p>'


def _number_columns(columns: Columns) -> dict[str, bool]:
    """Which columns are numbers."""
    kinds = {name: {type(cell) for cell in column if cell is not None} for name, column in columns.items()}
    return {name: bool(found) and found <= {int, float} for name, found in kinds.items()}


def _heading(name: str, is_number: bool) -> str:
    label = escape(name)
    return f'<th scope="col" class="n">{label}</th>' if is_number else f'<th scope="col">{label}</th>'


def _row(columns: Iterable[str], row: Iterable[Cell], lang: Language, address: Address) -> str:
    cells = (_cell(column, cell, lang, address) for column, cell in zip(columns, row, strict=True))
    return f"<tr>{''.join(cells)}</tr>"


def _cell(column: str, cell: Cell, lang: Language, address: Address) -> str:
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


def _link(column: str, cell: str, label: str, address: Address) -> str:
    """A text, as a link where it leads on."""
    onward = address(column, cell)
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
