"""Which format a report is in, by its content alone, and the reader of each.

A format's module has `looks_like(data)`, which is quick and looks at the beginning, and `read`. They are
asked in the order of the table, those with the surest marks first; the first that says yes reads the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from banzuke.formats import (
    chess_results,
    chess_results_sheet,
    game_table,
    pgn,
    report_form_reader,
    sgf,
    sgf_table,
    swiss_manager,
    trf,
    upload_xml,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from banzuke.formats.report import GoReport, Report

    Reader = Callable[[bytes, str], Report | list[Report] | GoReport]


class FileFormat(NamedTuple):
    """A format of reports; `read` gives the report of a file (or those, where a file may hold several).

    None reads a table that says more about the games of other files.
    """

    looks_like: Callable[[bytes], bool]
    read: Reader | None


FORMATS: dict[str, FileFormat] = {
    "swiss-manager": FileFormat(swiss_manager.looks_like, swiss_manager.read),
    "report-form": FileFormat(report_form_reader.looks_like, report_form_reader.read),
    "upload-xml": FileFormat(upload_xml.looks_like, upload_xml.read),
    "chess-results": FileFormat(chess_results.looks_like, chess_results.read),
    "pgn": FileFormat(pgn.looks_like, pgn.read),
    "sgf": FileFormat(sgf.looks_like, sgf.read),
    "trf": FileFormat(trf.looks_like, trf.read),
    "game-table": FileFormat(game_table.looks_like, game_table.read),
    "sgf-table": FileFormat(sgf_table.looks_like, None),
    "chess-results-export": FileFormat(chess_results_sheet.looks_like, chess_results_sheet.read),
}


def recognise(data: bytes) -> str | None:
    """The name of the format in which the file is; None if it is none of those known."""
    return next((name for name, form in FORMATS.items() if form.looks_like(data)), None)
