"""Files as they come in: mails and zips opened, pages of one event put together, games of Go gathered."""

import hashlib
import io
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from banzuke.core.fault import Fault, fault
from banzuke.exchange.linked_reports import LinkedReport
from banzuke.exchange.report_details import with_details
from banzuke.formats import member_register
from banzuke.formats.chess_results.page_merge import merge_pages
from banzuke.formats.fide import fide_file
from banzuke.formats.files import mail, zip_files
from banzuke.formats.files.mail import Mail
from banzuke.formats.files.text import is_in_unknown_encoding
from banzuke.formats.format_detection import FORMATS, recognise
from banzuke.formats.report import GoReport, Report
from banzuke.formats.sgf import sgf_reader, sgf_table
from banzuke.formats.sgf.sgf_table import GoTable
from banzuke.ledger.written_text import tidy

#: The most bytes of one file: far more than any report, far less than memory.
MOST_BYTES = 256 * 1024 * 1024
#: So long is a file's name at the most, with those of what it came in. An office keeps 200 signs; where a
#: file has several events, the number of each comes to it.
LONGEST_NAME = 190
#: How the names of files of games end.
GAME = ".sgf"
#: What a report says of a player in texts.
_OF_PLAYERS = ("name", "name_native", "national_id", "fide_id")
#: Lists of people, which are no reports.
FIDE_LIST, REGISTER = "fide-list", "register"


class Incoming(NamedTuple):
    """What came in: chess reports (each with the name of its file), games of Go, and links to pages.

    `faults` are those of files that are no report at all (a report's own are in it); `remarks` name what a
    mail carried besides, and files of games that are the same.
    """

    reports: list[tuple[str, Report]]
    go: GoReport | None
    waiting: list[LinkedReport]
    faults: list[Fault]
    remarks: list[Fault]


class _Piece(NamedTuple):
    """A file, or the attachment of a mail (which says when it was reported and by whom)."""

    file: str
    data: bytes
    mail: Mail | None = None


def _name_within(outer: str, name: str) -> str:
    """A file's name with that of what it came in; one that is too long ends in a number of its own."""
    whole = f"{outer}/{name}"
    if len(whole) <= LONGEST_NAME:
        return whole
    end = f"~{hashlib.sha256(whole.encode()).hexdigest()[:16]}"
    return whole[: LONGEST_NAME - len(end)] + end


def read_files(files: Iterable[tuple[str, bytes]], form: str | None = None) -> Incoming:
    """Read files (name and content), each in the format that its content shows, or in `form`."""
    reader = _Reader(form)
    for name, data in files:
        reader.take(name, data)
    return reader.incoming()


def people_file_kind(path: Path) -> str:
    """Whether the file is a rating list of FIDE's or a register of members; a blank if it is neither."""
    if not path.is_file():
        return ""
    with path.open("rb") as stream:
        if fide_file.looks_like(stream):
            return FIDE_LIST
    return _register_in(path.read_bytes(), path.name)


def people_data_kind(data: bytes, name: str) -> str:
    """What `people_file_kind` says, of a file's content."""
    return FIDE_LIST if fide_file.looks_like(io.BytesIO(data)) else _register_in(data, name)


def _register_in(data: bytes, name: str) -> str:
    if mail.looks_like(data) or recognise(data):
        return ""
    sheet = member_register.table(data, name, [])
    found = member_register.propose(member_register.headings(sheet)) if sheet else {}
    return REGISTER if {"id", "name"} <= set(found) or {"id", "name_native"} <= set(found) else ""


class FileKind(NamedTuple):
    """What a file by itself is: of which events it is a page (`events`), games of Go or a table beside them.

    `is_report`: there is a report in it, a link to one, or a table that goes with games; else `faults` say
    why not.
    """

    events: frozenset[str]
    is_go: bool
    is_report: bool
    faults: tuple[Fault, ...]


def kind_of(name: str, data: bytes) -> FileKind:
    """What a file is, by itself."""
    reader = _Reader(None)
    reader.take(name, data)
    return reader.kind()


class _Reader:
    """What has come in so far."""

    def __init__(self, form: str | None) -> None:
        self._form = form
        self._reports: list[tuple[str, Report]] = []
        self._go: list[GoReport] = []
        self._go_files: dict[bytes, str] = {}
        self._tables: list[_Piece] = []
        self._waiting: list[LinkedReport] = []
        self._faults: list[Fault] = []
        self._remarks: list[Fault] = []

    def take(self, name: str, data: bytes) -> None:
        """Take a file; of a mail, its attachments, or the link that stands for them; of a zip, its files."""
        if len(data) > MOST_BYTES:
            self._faults.append(fault(name, 0, "", "incoming-too-large", most=MOST_BYTES >> 20))
        elif self._form is None and mail.looks_like(data):
            self._open(name, mail.read(data, name))
        elif self._form is None and zip_files.looks_like(data):
            if not self._unpack(_Piece(name, data)):
                self._faults.append(fault(name, 0, "", "incoming-empty-zip", formats=", ".join(FORMATS)))
        else:
            self._read(_Piece(name, data))

    def _open(self, name: str, opened: Mail) -> None:
        self._faults += opened.faults
        pieces = [_Piece(_name_within(name, part), data, opened) for part, data in opened.attachments]
        zips = [piece for piece in pieces if zip_files.looks_like(piece.data)]
        reports = [piece for piece in pieces if piece in zips or recognise(piece.data)]
        self._remarks += [
            fault(piece.file, 0, "", "incoming-passed-over") for piece in pieces if piece not in reports
        ]
        found = [(self._unpack if piece in zips else self._read)(piece) for piece in reports]
        if opened.faults or any(found):
            return
        if not opened.links:
            self._faults.append(fault(name, 0, "", "incoming-empty-mail"))
        elif opened.received is None:
            self._faults.append(fault(name, 0, "", "incoming-no-day"))
        else:
            self._waiting += [
                LinkedReport(link, opened.received, opened.sender_name) for link in opened.links
            ]

    def _unpack(self, piece: _Piece) -> bool:
        """Take the files of a zip; one that is no report is passed over, unless it is called a game.

        False if there was nothing in it to take, and nothing wrong with it.
        """
        found = zip_files.read(piece.data, piece.file)
        self._faults += found.faults
        passed_over = 0
        for name, data in found.files:
            part = _Piece(_name_within(piece.file, name), data, piece.mail)
            if recognise(data) or name.lower().endswith(GAME):
                self._read(part)
            else:
                passed_over += 1
                self._remarks.append(fault(part.file, 0, "", "packed-passed-over"))
        return bool(found.faults) or passed_over < len(found.files)

    def _read(self, piece: _Piece) -> bool:
        """Read a file, or note that it is in no known format."""
        form = self._form or recognise(piece.data)
        if form is None and is_in_unknown_encoding(piece.data):
            self._faults.append(fault(piece.file, 0, "", "incoming-encoding"))
        elif form is None:
            self._faults.append(fault(piece.file, 0, "", "incoming-unknown", formats=", ".join(FORMATS)))
        elif (read := FORMATS[form].read) is None:
            self._tables.append(piece)
        else:
            found = read(piece.data, piece.file)
            if isinstance(found, GoReport):
                self._go.append(found)
                self._remark_copy(piece)
            else:
                self._add(piece, [found] if isinstance(found, Report) else found)
        return True

    def _remark_copy(self, piece: _Piece) -> None:
        """A remark where another file of games holds just the same."""
        first = self._go_files.setdefault(hashlib.sha256(piece.data).digest(), piece.file)
        if first != piece.file:
            self._remarks.append(fault(piece.file, 0, "", "incoming-same-file", first=first))

    def _add(self, piece: _Piece, reports: list[Report]) -> None:
        """Note the reports of a file under its name; of several, each under a name of its own."""
        path = PurePath(piece.file)
        for number, report in enumerate(reports, 1):
            numbered = str(path.with_name(f"{path.stem}-{number}{path.suffix}"))
            name = piece.file if len(reports) == 1 else numbered
            self._reports.append((name, _with_mail(report, piece.mail)))

    def kind(self) -> FileKind:
        """What has come in, if it is one file."""
        reports = [report for _, report in self._reports]
        pages = {_event_of(report) for report in reports if report.part is not None or report.event.source}
        is_go = bool(self._go or self._tables)
        is_report = is_go or bool(reports or self._waiting)
        return FileKind(frozenset(pages), is_go, is_report, tuple(self._faults))

    def incoming(self) -> Incoming:
        """All that has come in."""
        whole = [(name, _tidied(report)) for name, report in _whole_events(self._reports)]
        reports = [(name, with_details(report, name)) for name, report in whole]
        games = self._all_games()
        if games is not None and reports:
            self._faults.append(fault(reports[0][0], 0, "", "incoming-both"))
        return Incoming(reports, games, self._waiting, self._faults, self._remarks)

    def _all_games(self) -> GoReport | None:
        """The games of all SGF files in one report, with what the tables beside them say."""
        if not self._go:
            self._faults += [fault(piece.file, 0, "", "incoming-only-table") for piece in self._tables]
            return None
        self._faults += [fault(piece.file, 0, "", "incoming-two-tables") for piece in self._tables[1:]]
        tables = [sgf_table.read_table(piece.data, piece.file) for piece in self._tables]
        return sgf_table.add_table(
            sgf_reader.merge_reports(self._go), tables[0] if tables else GoTable("", ())
        )


def _tidied(report: Report) -> Report:
    """The report, its names and ids without signs that nobody sees."""
    players = tuple(player._replace(**_tidied_texts(player, _OF_PLAYERS)) for player in report.players)
    texts = _tidied_texts(report.event, report.event._fields)
    return report._replace(players=players, event=report.event._replace(**texts))


def _tidied_texts(record: NamedTuple, names: Iterable[str]) -> dict[str, Any]:
    found = {name: getattr(record, name) for name in names}
    return {name: tidy(text) for name, text in found.items() if isinstance(text, str)}


def _with_mail(report: Report, opened: Mail | None) -> Report:
    """The report with the day of its mail, which is the day it was reported, and its sender."""
    if opened is None:
        return report
    reporter = report.event.reporter or opened.sender_name
    return report._replace(event=report.event._replace(reported=opened.received, reporter=reporter))


def _whole_events(reports: list[tuple[str, Report]]) -> list[tuple[str, Report]]:
    """The reports, those that are pages of one event put together under the first page's name.

    A report of the whole event is put together with pages that name the same source: its list of players.
    """
    parts = {_event_of(report) for _, report in reports if report.part is not None}
    pages: dict[str, list[tuple[str, Report]]] = {}
    for number, (name, report) in enumerate(reports):
        key = _event_of(report)
        is_page = report.part is not None or (report.event.source and key in parts)
        pages.setdefault(key if is_page else f"\0{number}", []).append((name, report))
    return [
        (
            of_it[0][0],
            merge_pages([report for _, report in of_it], of_it[0][0]) if key in parts else of_it[0][1],
        )
        for key, of_it in pages.items()
    ]


def _event_of(report: Report) -> str:
    return report.event.source or report.event.name
