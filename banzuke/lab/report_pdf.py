"""The report for a board's table, on A4: the answer, the figures, the plots with their findings.

It is set by Typst (extra `pdf`). Every text goes there as data and is never read as its markup.
"""

import json
from importlib.resources import files

from banzuke.exchange.list_files import can_write
from banzuke.formats.pdf_fonts import fonts
from banzuke.lab.board_findings import board_plots
from banzuke.lab.plots import PLOTS, Plot
from banzuke.lab.report_page import Report, cell_text, sentence
from banzuke.words import Language, say

#: The colours of the plots on paper, in the order of the stylesheet's series.
COLOURS = ("#c2361c", "#1b5e8c", "#0b6b57", "#7a5a00")
_STYLE = files(__package__).joinpath("report_pdf.css").read_text("utf-8") + "".join(
    f".s{at} {{ stroke: {colour} }} .s{at}.dot {{ fill: {colour} }}" for at, colour in enumerate(COLOURS, 1)
)


def has_paper(report: Report) -> bool:
    """Whether there is something to put before a board: tables alone are none."""
    return can_write("pdf") and any(sheet.rows for sheet in report.sheets if sheet.name in PLOTS)


def report_pdf(report: Report, lang: Language) -> bytes:
    """The report as a PDF. Raises NoFontError, and ModuleNotFoundError without the extra `pdf`."""
    import typst

    shown = board_plots(report.sheets, lang)
    data = {
        "lang": lang,
        "title": sentence(report.title, lang),
        "lead": sentence(report.lead, lang),
        "remarks": [sentence(note, lang) for note in report.remarks],
        "figures": [
            {"name": say("lab", key, lang), "value": cell_text(cell, lang)} for key, cell in report.figures
        ],
        "foot": say("lab", "made-by", lang),
    }
    chosen = fonts(data | {"findings": [each.finding for each in shown]})
    plots = [
        {
            "finding": each.finding,
            "caption": each.plot.caption,
            "keys": [{"colour": COLOURS[at - 1], "name": name} for at, name, _ in each.plot.keys],
            "svg": _painted(each.plot, chosen["fonts"][0]),
        }
        for each in shown
    ]
    template = files(__package__).joinpath("report_pdf.typ").read_bytes()
    text = json.dumps(data | chosen | {"plots": plots}, ensure_ascii=False)
    return typst.compile(template, format="pdf", sys_inputs={"data": text}, timestamp=0, pdf_tags=False)


def _painted(plot: Plot, font: str) -> str:
    """A drawing with its colours within it."""
    head, _, rest = plot.svg.partition(">")
    style = _STYLE.replace("{font}", font)
    return f'{head} xmlns="http://www.w3.org/2000/svg"><style>{style}</style>{rest}'
