"""banzuke standings: who is first in an event, with tie-breaks."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

import typer

from banzuke.cli.command import command
from banzuke.cli.output import AS_JSON, Bar, complain_of, print_json, print_line, print_table, text
from banzuke.core.decimals import half_sign, halves
from banzuke.core.fault import RefusedError, fault, refuse_any
from banzuke.exchange.event_export import event_table, lacks_games, rated_event
from banzuke.exchange.incoming_files import read_files
from banzuke.exchange.standings.standings import StandingsOptions, standings
from banzuke.exchange.standings.tournament import Tournament, report_tournament, table_tournament
from banzuke.exchange.standings.wording import code_list, notes_of, standings_wording
from banzuke.formats.events.standings_table import StandingsRow, StandingsTable, value_text
from banzuke.formats.files.text import spreadsheet_csv
from banzuke.formats.report import Report
from banzuke.ledger.byes import read_byes
from banzuke.ledger.folder import read_chess_ledger
from banzuke.words import Language, preferred_language, say


class StandingsFormat(StrEnum):
    """How standings are printed."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"


Source = Annotated[Path, typer.Argument(metavar="FILE_OR_LEDGER", help=text("standings-source"), exists=True)]
EventId = Annotated[str | None, typer.Option("--event", metavar="ID", help=text("standings-event"))]
ListName = Annotated[str | None, typer.Option("--list", metavar="LIST", help=text("standings-list"))]
Codes = Annotated[str, typer.Option("--tie-breaks", metavar="CODES", help=text("standings-tie-breaks"))]
System = Annotated[
    Literal["swiss", "round-robin"] | None, typer.Option("--system", help=text("standings-system"))
]
Edition = Annotated[int | None, typer.Option("--edition", metavar="YEAR", help=text("standings-edition"))]
Unrated = Annotated[
    int | None, typer.Option("--unrated", min=1, max=4000, metavar="RATING", help=text("standings-unrated"))
]
After = Annotated[int | None, typer.Option("--after", min=1, metavar="ROUND", help=text("standings-after"))]
Readable = Annotated[bool, typer.Option("--readable-part", help=text("standings-readable"))]
Form = Annotated[StandingsFormat, typer.Option("--format", help=text("standings-format"))]


@command
def show_standings(
    source: Source,
    event_id: EventId = None,
    list_name: ListName = None,
    tie_breaks: Codes = "",
    system: System = None,
    edition: Edition = None,
    unrated: Unrated = None,
    after: After = None,
    readable_part: Readable = False,
    output_format: Form = StandingsFormat.TEXT,
) -> None:
    """Print the standings of an event: of a file in any format that is read, or of a ledger."""
    AS_JSON.set(output_format is StandingsFormat.JSON)
    is_round_robin = None if system is None else system == "round-robin"
    options = StandingsOptions(tie_breaks, is_round_robin, edition or 0, unrated, after or 0)
    title, tournament = (
        _read_ledger_event(source, event_id or "", list_name)
        if source.is_dir()
        else _read_file_event(source, event_id, readable_part=readable_part)
    )
    table, lang = standings(tournament, options), preferred_language()
    if output_format is StandingsFormat.CSV:
        typer.echo(_csv(table), nl=False)
    elif output_format is StandingsFormat.JSON:
        print_json(_facts(title, table))
    else:
        _print(title, table, lang)


def _read_ledger_event(folder: Path, event_id: str, list_name: str | None) -> tuple[str, Tournament]:
    if not event_id:
        raise RefusedError([fault("events.csv", 0, "event_id", "standings-no-event")])
    ledger = read_chess_ledger(folder)
    with Bar() as progress:
        found = rated_event(ledger, event_id, list_name, progress)
    table = event_table(ledger, found, read_byes(folder, event_id))
    return table.name, table_tournament(table, lacks_games=lacks_games(ledger, found))


def _read_file_event(path: Path, number: str | None, *, readable_part: bool) -> tuple[str, Tournament]:
    incoming = read_files([(path.name, path.read_bytes())])
    refuse_any(incoming.faults)
    file, report = _choose_report(path.name, incoming.reports, number)
    if not readable_part:
        refuse_any(list(report.faults))
    complain_of(report.faults)
    return report.event.name or file, report_tournament(report, file)


def _choose_report(file: str, reports: list[tuple[str, Report]], number: str | None) -> tuple[str, Report]:
    """The file's only event, or the one of that number."""
    if len(reports) == 1 and number in (None, "1"):
        return reports[0]
    if number and number.isdecimal() and 0 < int(number) <= len(reports):
        return reports[int(number) - 1]
    if not reports:
        raise RefusedError([fault(file, 0, "", "standings-no-games")])
    names = "; ".join(f"{at} {report.event.name}" for at, (_, report) in enumerate(reports, 1))
    raise RefusedError([fault(file, 0, "", "standings-which-event", count=len(reports), events=names)])


def _print(title: str, table: StandingsTable, lang: Language) -> None:
    words = standings_wording(table, lang)
    heads = [*(words[key] for key in ("rank", "number", "name", "points")), *table.codes]
    rows = [(row.rank, row.number, _name(row, lang), half_sign(row.points), *row.texts) for row in table.rows]
    print_table(title, heads, rows, numbers=len(table.codes) + 1)
    print_line(words["legend"])
    for note in notes_of(table, lang):
        print_line(note)


def _name(row: StandingsRow, lang: Language) -> str:
    return (row.name_native if lang == "ja" else "") or row.name or row.player_id


def _csv(table: StandingsTable) -> bytes:
    heads = ["rank", "number", "player_id", "name", "name_native", "points", *table.codes]
    rows = (
        (*_player_facts(row).values(), halves(row.points), *(text or "" for text in _texts(row)))
        for row in table.rows
    )
    return spreadsheet_csv([heads, *rows])


def _player_facts(row: StandingsRow) -> dict[str, object]:
    return {
        "rank": row.rank,
        "number": row.number,
        "player_id": row.player_id,
        "name": row.name,
        "name_native": row.name_native,
    }


def _texts(row: StandingsRow) -> list[str | None]:
    return [None if value is None else value_text(value) for value in row.values]


def _facts(title: str, table: StandingsTable) -> dict[str, object]:
    about = {"rounds": table.rounds, "round_robin": table.is_round_robin, "edition": table.edition}
    about |= {"knows_byes": table.knows_byes, "part": table.lacks_games, "unrated": table.unrated_count}
    return {"event": title, **about, "standings": [_row_facts(table, row) for row in table.rows]}


def _row_facts(table: StandingsTable, row: StandingsRow) -> dict[str, object]:
    tie_breaks = dict(zip(table.codes, _texts(row), strict=True))
    return {**_player_facts(row), "points": halves(row.points), "tie_breaks": tie_breaks}


def extend_epilog(epilog: str) -> str:
    """The help's last words; after them every code with what it counts, and the cuts."""
    lang = preferred_language()
    blocks = [epilog]
    for title, codes in code_list(lang):
        lines = (f"{code:5} {name}: {about}" for code, name, about in codes)
        blocks.append("\n".join(("\b", title, *lines)))
    return "\n\n".join((*blocks, say("tie_breaks", "cuts", lang)))
