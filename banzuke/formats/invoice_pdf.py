"""An invoice as PDF, set by Typst (extra `pdf`) as the printed list is: its texts are data, never markup."""

import json
from importlib.resources import files
from typing import NamedTuple

from banzuke.formats.pdf_fonts import fonts


class Paper(NamedTuple):
    """An invoice as it is printed, every text in the reader's language.

    `facts` are names and values under the title; `rows` have as many cells as `columns`, of which those after
    the second are numbers; `sum` is what the sum is called, and how much it is.
    """

    lang: str
    title: str
    to: str
    sender: str
    facts: list[tuple[str, str]]
    columns: list[str]
    rows: list[list[str]]
    sum: tuple[str, str]
    note: str


def write(paper: Paper) -> bytes:
    """The invoice as a PDF. Raises NoFontError, and ModuleNotFoundError without the extra `pdf`."""
    import typst

    data = paper._asdict()
    text = json.dumps(data | fonts(data), ensure_ascii=False)
    template = files(__package__).joinpath("invoice_pdf.typ").read_bytes()
    return typst.compile(template, format="pdf", sys_inputs={"data": text}, timestamp=0)
