"""banzuke import: tournament reports into a ledger."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from banzuke.cli.printing import (
    NO,
    Format,
    FormatOption,
    LangOption,
    complain,
    guarded,
    language,
    print_json,
    print_line,
    text,
)
from banzuke.formats import trf
from banzuke.office.receive import (
    ADDED,
    BY_FIDE_ID,
    EventFields,
    Match,
    Received,
    UnknownPlayersError,
    receive,
)

Files = Annotated[
    list[Path], typer.Argument(metavar="FILE...", help=text("import-files"), exists=True, dir_okay=False)
]
Into = Annotated[Path, typer.Option("--into", metavar="LEDGER", help=text("import-into"))]
Add = Annotated[bool, typer.Option("--add-players", help=text("import-add"))]
EventId = Annotated[str | None, typer.Option("--event-id", help=text("import-event-id"))]
Day = Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help=text("import-field"))]
Count = Annotated[int | None, typer.Option(min=0, help=text("import-field"))]
Form = Annotated[Literal["tournament", "meeting"] | None, typer.Option(help=text("import-field"))]
Speed = Annotated[Literal["standard", "rapid", "blitz"] | None, typer.Option(help=text("import-field"))]
Word = Annotated[str | None, typer.Option(help=text("import-field"))]
Switch = Annotated[bool | None, typer.Option(help=text("import-field"))]


@guarded
def import_reports(
    files: Files,
    into: Into,
    add_players: Add = False,
    event_id: EventId = None,
    reported: Day = None,
    name: Word = None,
    starts: Day = None,
    ends: Day = None,
    speed: Speed = None,
    base_minutes: Count = None,
    increment_seconds: Count = None,
    fide_rated: Switch = None,
    form: Form = None,
    organiser: Word = None,
    place: Word = None,
    responsible: Word = None,
    reporter: Word = None,
    applied: Day = None,
    notified: Day = None,
    paid: Day = None,
    nonmembers: Count = None,
    output_format: FormatOption = Format.TEXT,
    lang: LangOption = None,
) -> None:
    """Take TRF16 reports into a ledger."""
    given = {name: _plain(value) for name, value in locals().items() if name in EventFields._fields}
    said = EventFields(**given)
    language(lang)
    reports = [(path.name, trf.read(path.read_bytes(), path.name)) for path in files]
    try:
        received = receive(into, reports, said, add_players=add_players)
    except UnknownPlayersError as error:
        _show_unknown(error, output_format)
        raise typer.Exit(NO) from None
    _show_received(received, output_format)


def _plain(value: Any) -> Any:
    """An option's value; a day without the midnight that the option gives it."""
    return value.date() if isinstance(value, datetime) else value


def _show_unknown(error: UnknownPlayersError, output_format: Format) -> None:
    if output_format is Format.JSON:
        print_json({"unknown": [{"file": file, **player._asdict()} for file, player in error.unknown]})
        return
    for file, player in error.unknown:
        complain(
            f"{file}:{player.line}: {player.number} {player.name} {player.fide_id or '-'} {player.federation}"
        )
    complain(text("import-unknown", count=len(error.unknown)))


def _show_received(received: list[Received], output_format: Format) -> None:
    if output_format is Format.JSON:
        print_json([_facts(taken) for taken in received])
        return
    for taken in received:
        added = len(taken.added)
        matched = len(taken.matches) - added
        facts = {"file": taken.file, "event": taken.event.event_id, "games": len(taken.games)}
        print_line(text("import-done", matched=matched, added=added, **facts))
        for match in taken.matches:
            if match.is_doubtful:
                _show_doubt(taken.file, match)


def _show_doubt(file: str, match: Match) -> None:
    reported = match.reported
    facts = {"file": file, "line": reported.line, "name": reported.name, "known": match.known_as}
    how = text("import-by-fide" if match.how == BY_FIDE_ID else "import-by-national")
    complain(text("import-doubtful", id=match.player_id, how=how, **facts))


def _facts(taken: Received) -> dict[str, object]:
    return {
        "file": taken.file,
        "event_id": taken.event.event_id,
        "games": len(taken.games),
        "players": [
            {
                "number": m.reported.number,
                "name": m.reported.name,
                "player_id": m.player_id,
                "how": m.how,
                "doubtful": m.is_doubtful,
            }
            for m in taken.matches
        ],
        "added": [m.player_id for m in taken.matches if m.how == ADDED],
    }
