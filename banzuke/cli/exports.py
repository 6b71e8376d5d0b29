"""banzuke export: a rating list, or an event with its changes, as a file for others."""

import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import typer

from banzuke.cli.command import NO, command, leave
from banzuke.cli.output import Bar, complain, print_line, text
from banzuke.engine.output_file import write_export
from banzuke.exchange.event_export import event_report, event_table, lacks_games, rated_event
from banzuke.exchange.export_headings import event_wording
from banzuke.exchange.list_export import NO_PEOPLE, file_list, ledger_list, ledger_ranking, people_of
from banzuke.exchange.list_files import can_write, list_file
from banzuke.exchange.standings.standings import event_standings
from banzuke.exchange.standings.wording import file_wording
from banzuke.formats.events import event_html, event_xlsx, us_crosstable
from banzuke.formats.lists.rating_list import AnyList
from banzuke.formats.pdf_fonts import NoFontError
from banzuke.formats.trf import trf_writer
from banzuke.formats.workbook import TooLargeError
from banzuke.ledger.byes import read_byes
from banzuke.ledger.folder import GoLedger, read_chess_ledger, read_ledger
from banzuke.words import Language, preferred_language


class FileFormat(StrEnum):
    """The kinds of files that can be written."""

    CSV = "csv"
    XLSX = "xlsx"
    JSON = "json"
    PARQUET = "parquet"
    PDF = "pdf"
    FIDE_TXT = "fide-txt"
    FIDE_XML = "fide-xml"
    SWISS_MANAGER = "swiss-manager"
    TRF16 = "trf16"
    TRF26 = "trf26"
    HTML = "html"
    US_CROSSTABLE = "us-crosstable"


OF_EVENTS = (
    FileFormat.TRF16,
    FileFormat.TRF26,
    FileFormat.HTML,
    FileFormat.US_CROSSTABLE,
    FileFormat.XLSX,
)
NO_TEXT = (FileFormat.XLSX, FileFormat.PARQUET, FileFormat.PDF)
FEDERATION = re.compile("[A-Z]{3}")

Source = Annotated[Path, typer.Argument(metavar="LIST_OR_LEDGER", help=text("export-source"))]
Wanted = Annotated[FileFormat, typer.Option("--format", help=text("export-format"))]
Out = Annotated[Path | None, typer.Option("--out", metavar="FILE", help=text("export-out"))]
Name = Annotated[str | None, typer.Option("--list", metavar="LIST", help=text("export-list"))]
EventId = Annotated[str | None, typer.Option("--event", metavar="ID", help=text("export-event"))]
Players = Annotated[Path | None, typer.Option("--players", metavar="LEDGER", help=text("export-players"))]
Speed = Annotated[Literal["standard", "rapid", "blitz"], typer.Option("--speed", help=text("export-speed"))]
Code = Annotated[str, typer.Option("--federation", metavar="CODE", help=text("export-federation"))]
BirthDates = Annotated[bool, typer.Option("--birth-dates", help=text("export-birth-dates"))]


class ExportOptions(NamedTuple):
    """What is to be written of whom, as the options say."""

    source: Path
    file_format: FileFormat
    name: str | None
    event_id: str | None
    players: Path | None
    speed: str
    federation: str
    birth_dates: bool
    lang: Language


@command
def export(
    source: Source,
    output_format: Wanted,
    out: Out = None,
    name: Name = None,
    event_id: EventId = None,
    players: Players = None,
    speed: Speed = "standard",
    federation: Code = "",
    birth_dates: BirthDates = False,
) -> None:
    """Write a list, or an event with its changes, as a file for others."""
    options = ExportOptions(
        source, output_format, name, event_id, players, speed, federation, birth_dates, preferred_language()
    )
    why_not = _refusal(options, out)
    if why_not:
        leave(why_not)
    try:
        data = _list_file(options) if event_id is None else _event_file(options, event_id)
    except TooLargeError:
        leave(text("export-too-large"))
    except NoFontError:
        leave(text("no-font"), NO)
    if out is None:
        typer.echo(data, nl=False)
        return
    write_export(out, data, is_private=birth_dates)
    print_line(text("export-done", out=out))


def _refusal(options: ExportOptions, out: Path | None) -> str:
    """What is wrong with the options, or missing for them; blank: nothing."""
    file_format = options.file_format
    if options.event_id is None and file_format in OF_EVENTS and file_format is not FileFormat.XLSX:
        return text("export-needs-event", format=file_format.value)
    if options.event_id is not None and file_format not in OF_EVENTS:
        return text("export-no-event", format=file_format.value, formats=", ".join(OF_EVENTS))
    if options.federation and not FEDERATION.fullmatch(options.federation):
        return text("export-bad-federation", code=options.federation)
    if out is None and file_format in NO_TEXT:
        return text("export-needs-out", format=file_format.value)
    if not can_write(file_format):
        return text("no-pdf" if file_format is FileFormat.PDF else "no-bulk")
    return ""


def _list_file(options: ExportOptions) -> bytes:
    return list_file(_list_of(options), options.file_format, options.lang, options.speed, options.federation)


def _list_of(options: ExportOptions) -> AnyList:
    """The list to be exported."""
    if options.source.is_file():
        people = NO_PEOPLE if options.players is None else people_of(read_chess_ledger(options.players))
        return file_list(options.source, options.name, people, birth_dates=options.birth_dates)
    ledger = read_ledger(options.source)
    with Bar() as progress:
        if isinstance(ledger, GoLedger):
            return ledger_ranking(ledger, options.name, progress)
        return ledger_list(ledger, options.name, birth_dates=options.birth_dates, progress=progress)


def _event_file(options: ExportOptions, event_id: str) -> bytes:
    ledger = read_chess_ledger(options.source)
    with Bar() as progress:
        found = rated_event(ledger, event_id, options.name, progress)
    byes = read_byes(options.source, event_id)
    if options.file_format in (FileFormat.TRF16, FileFormat.TRF26):
        report = event_report(found, options.federation, birth_dates=options.birth_dates, byes=byes)
        version: Literal[16, 26] = 16 if options.file_format is FileFormat.TRF16 else 26
        has_national = any(player.national_id for player in report.players)
        if has_national and not options.federation:
            is_fide = ledger.pool.has_fide_ids
            complain(text("export-no-federation-fide" if is_fide else "export-no-federation"))
        code = options.federation if has_national else ""
        return trf_writer.write(report, version=version, federation_code=code)
    table = event_table(ledger, found, byes)
    if options.file_format is FileFormat.US_CROSSTABLE:
        return us_crosstable.write(table)
    write = event_html.write if options.file_format is FileFormat.HTML else event_xlsx.write
    standings = event_standings(table, lacks_games=lacks_games(ledger, found)).table
    words = event_wording(table, options.lang) | file_wording(standings, options.lang)
    return write(table, words, standings)
