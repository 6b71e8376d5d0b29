"""banzuke import: reports of any format into a ledger."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from banzuke.cli.command import NO, Format, command, leave
from banzuke.cli.fide import take_ratings_over
from banzuke.cli.name_lookup import candidate_facts, candidate_lines
from banzuke.cli.output import complain, complain_of, fault_lines, print_json, print_line, text, wants_json
from banzuke.cli.register import take_register
from banzuke.core.fault import refuse_any
from banzuke.engine.output_file import write_export
from banzuke.exchange import decision_table
from banzuke.exchange.go_import import UnknownGoPlayersError, receive_go
from banzuke.exchange.incoming_files import FIDE_LIST, Incoming, people_file_kind, read_files
from banzuke.exchange.player_identities import ADDED, Decision, UndecidedPlayer, proposals
from banzuke.exchange.report_import import EventFields, ReceivedReport, UndecidedPlayersError, receive
from banzuke.formats.format_detection import FORMATS
from banzuke.formats.game_list import NAMES_LIKE_IDS
from banzuke.formats.report import GoReport


def _format(word: str) -> str:
    """What `--format` says: how to print, or in which format the files are."""
    if word not in (*Format, *FORMATS):
        raise typer.BadParameter(text("import-bad-format", word=word, known=", ".join((*Format, *FORMATS))))
    return word


Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help=text("import-files"), exists=True)]
Into = Annotated[Path, typer.Option("--into", metavar="LEDGER", help=text("import-into"))]
Form = Annotated[
    list[str] | None,
    typer.Option("--format", metavar="FORMAT", parser=_format, help=text("import-format")),
]
Add = Annotated[bool, typer.Option("--add-players", help=text("import-add"))]
Readable = Annotated[bool, typer.Option("--readable-part", help=text("import-readable"))]
Who = Annotated[Path | None, typer.Option("--who", metavar="TABLE", help=text("import-who"), dir_okay=False)]
EventId = Annotated[str | None, typer.Option("--event-id", help=text("import-event-id"))]
Day = Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help=text("import-field"))]
Count = Annotated[int | None, typer.Option(min=0, help=text("import-field"))]
Meeting = Annotated[Literal["tournament", "meeting"] | None, typer.Option(help=text("import-field"))]
Speed = Annotated[Literal["standard", "rapid", "blitz"] | None, typer.Option(help=text("import-field"))]
Word = Annotated[str | None, typer.Option(help=text("import-field"))]
Switch = Annotated[bool | None, typer.Option(help=text("import-field"))]


@command
def import_reports(
    files: Files,
    into: Into,
    add_players: Add = False,
    readable_part: Readable = False,
    who: Who = None,
    event_id: EventId = None,
    reported: Day = None,
    name: Word = None,
    starts: Day = None,
    ends: Day = None,
    speed: Speed = None,
    base_minutes: Count = None,
    increment_seconds: Count = None,
    fide_rated: Switch = None,
    form: Meeting = None,
    organiser: Word = None,
    place: Word = None,
    responsible: Word = None,
    reporter: Word = None,
    applied: Day = None,
    notified: Day = None,
    paid: Day = None,
    nonmembers: Count = None,
    output_format: Form = None,
) -> None:
    """Take files into a ledger: reports of events, games of Go, a list of FIDE's, a register of members."""
    given = {name: _plain(value) for name, value in locals().items() if name in EventFields._fields}
    forced = next((word for word in output_format or () if word in FORMATS), None)
    people = people_file_kind(files[0]) if len(files) == 1 and forced is None else ""
    if people:
        if people == FIDE_LIST:
            take_ratings_over(files[0], into, speed)
        else:
            take_register(files[0], into)
        return
    incoming = read_files(_contents(files), forced)
    refuse_any(incoming.faults)
    complain_of(incoming.remarks)
    how = {"add_players": add_players, "readable_part": readable_part}
    if incoming.go is not None:
        _take_games(into, incoming.go, **how)
    else:
        _take_events(into, incoming, EventFields(**given), who, **how)


def _plain(value: Any) -> Any:
    """An option's value; a day without the midnight that the option gives it."""
    return value.date() if isinstance(value, datetime) else value


def _contents(paths: list[Path]) -> list[tuple[str, bytes]]:
    """The files by name; a folder stands for the files in it."""
    found = [file for path in paths for file in ([path] if path.is_file() else _files_of(path))]
    return [(path.name, path.read_bytes()) for path in found]


def _files_of(folder: Path) -> list[Path]:
    """The files in a folder and its folders; a folder without any is refused."""
    found = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    if not found:
        leave(text("import-empty-folder", folder=folder))
    return found


def _take_events(into: Path, incoming: Incoming, said: EventFields, who: Path | None, **how: bool) -> None:
    decisions = (
        decision_table.read_decisions(who.read_bytes(), who.name) if who is not None and who.exists() else []
    )
    try:
        received = receive(into, incoming.reports, said, decisions, incoming.waiting, **how)
    except UndecidedPlayersError as error:
        _show_undecided(error.undecided, who, decisions)
        complain_of(f for _, report in incoming.reports for f in report.remarks if f.code == NAMES_LIKE_IDS)
        raise typer.Exit(NO) from None
    if wants_json():
        print_json([_facts(taken) for taken in received])
        return
    for taken in received:
        _show_received(taken)
    for link in incoming.waiting:
        if all(link.source != report.event.source for _, report in incoming.reports):
            print_line(text("import-waiting", source=link.source, reported=link.reported))


def _take_games(into: Path, report: GoReport, **how: bool) -> None:
    try:
        received = receive_go(into, report, **how)
    except UnknownGoPlayersError as error:
        if wants_json():
            print_json({"unknown": [player._asdict() for player in error.unknown]})
        else:
            for player in error.unknown:
                complain(
                    f"{player.file}: {player.name} {player.rank} {', '.join(player.candidates)}".rstrip()
                )
            complain(text("import-unknown-go", count=len(error.unknown)))
        raise typer.Exit(NO) from None
    if wants_json():
        ids = [game.game_id for game in received.games], [player.player_id for player in received.added]
        print_json({"games": ids[0], "added": ids[1], "remarks": fault_lines(received.remarks)})
        return
    complain_of(received.remarks)
    print_line(text("import-done-go", games=len(received.games), added=len(received.added)))


def _show_undecided(undecided: list[UndecidedPlayer], who: Path | None, decisions: list[Decision]) -> None:
    """Who is to be decided on, with the members that they may be; and the table for it, if one is wanted."""
    if who is not None and not who.exists():
        write_export(who, decision_table.write_decisions(undecided))
    if wants_json():
        proposed = proposals(undecided)
        print_json({"undecided": [_undecided_facts(one, proposed) for one in undecided]})
        return
    for one in undecided:
        player = one.reported
        ids = player.national_id or player.fide_id or "-"
        place = f"{one.file}:{player.line}" if player.line else one.file  # a binary file has no lines
        complain(f"{place}: {player.number} {player.name} {ids} {player.federation}".rstrip())
        for line in candidate_lines(one.candidates):
            complain(f"    {line}")
    unknown = sum(not one.candidates for one in undecided)
    complain(text("import-undecided", unknown=unknown, unsure=len(undecided) - unknown))
    if who is None:
        complain(text("import-who-hint"))
    else:
        complain(text("import-who-more" if decisions else "import-who-written", table=who))


def _undecided_facts(one: UndecidedPlayer, proposed: Mapping[tuple[str, int], str]) -> dict[str, object]:
    candidates = [candidate_facts(candidate) for candidate in one.candidates]
    likely = proposed.get((one.file, one.reported.number), "")
    return {"file": one.file, **one.reported._asdict(), "candidates": candidates, "proposed": likely}


def _show_received(taken: ReceivedReport) -> None:
    added = sum(match.how == ADDED for match in taken.matches)
    facts = {"file": taken.file, "event": taken.event.event_id, "games": len(taken.games)}
    print_line(text("import-done", matched=len(taken.matches) - added, added=added, **facts))
    complain_of(taken.remarks)


def _facts(taken: ReceivedReport) -> dict[str, object]:
    return {
        "file": taken.file,
        "event_id": taken.event.event_id,
        "games": len(taken.games),
        "players": [
            {"number": m.reported.number, "name": m.reported.name, "player_id": m.player_id, "how": m.how}
            for m in taken.matches
        ],
        "added": [match.player_id for match in taken.matches if match.how == ADDED],
        "remarks": fault_lines(taken.remarks),
    }
