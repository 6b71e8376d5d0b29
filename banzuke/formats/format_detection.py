"""Which format a report is in, by its content alone, and the reader of each.

A format's module has `looks_like(data)`, which is quick and looks at the beginning, and `read`. They are
asked in the order of the table, those with the surest marks first; the first that says yes reads the file.
"""

from collections.abc import Callable
from typing import NamedTuple

from banzuke.formats import game_list, game_table
from banzuke.formats.chess_results import export_reader, page_reader, upload_xml
from banzuke.formats.events import event_reader
from banzuke.formats.pgn import pgn_reader
from banzuke.formats.report import GoReport, Report
from banzuke.formats.report_form import form_reader
from banzuke.formats.sgf import sgf_reader, sgf_table
from banzuke.formats.swiss_manager import tournament_file
from banzuke.formats.trf import trf_reader

Reader = Callable[[bytes, str], Report | list[Report] | GoReport]


class FileFormat(NamedTuple):
    """A format of reports; `read` gives the report of a file (or those, where a file may hold several).

    None reads a table that says more about the games of other files.
    """

    looks_like: Callable[[bytes], bool]
    read: Reader | None


FORMATS: dict[str, FileFormat] = {
    "swiss-manager": FileFormat(tournament_file.looks_like, tournament_file.read),
    "report-form": FileFormat(form_reader.looks_like, form_reader.read),
    "event-table": FileFormat(event_reader.looks_like, event_reader.read),
    "upload-xml": FileFormat(upload_xml.looks_like, upload_xml.read),
    "chess-results": FileFormat(page_reader.looks_like, page_reader.read),
    "pgn": FileFormat(pgn_reader.looks_like, pgn_reader.read),
    "sgf": FileFormat(sgf_reader.looks_like, sgf_reader.read),
    "trf": FileFormat(trf_reader.looks_like, trf_reader.read),
    "game-table": FileFormat(game_table.looks_like, game_table.read),
    "sgf-table": FileFormat(sgf_table.looks_like, None),
    "chess-results-export": FileFormat(export_reader.looks_like, export_reader.read),
    "game-list": FileFormat(game_list.looks_like, game_list.read),
}


def recognise(data: bytes) -> str | None:
    """The name of the format in which the file is; None if it is none of those known."""
    return next((name for name, form in FORMATS.items() if form.looks_like(data)), None)
