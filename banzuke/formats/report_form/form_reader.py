"""Reads the report form (`form_layout`) as people and their programs give it back.

Open points are settled so:

- Sheets, fields and columns are found by their headings, in either language; the addresses in faults
  name the sheet and the column's letters, `games!C`.
- Two sheets, columns or fields for the same thing are a fault: nobody can tell which one is meant. A hidden
  sheet counts only where no sheet that is shown is for the same thing.
- A day may be a date or a text that names one day; a number may be a text, in full-width digits too.
- After a thousand faults the rest of a table is not read.
- What the form looks up or checks by itself is not read, but for the names that it finds by an id.
- A row of the players with nothing but a number, and a row of the games without an entry, are free.
- Of the event nothing is asked for here: what is missing is blank, and the office asks for it.
- A game without a day has none here.
- Where a player's number cannot be read or is another's too, games with a number that nobody has, or with
  that number, are left out without a fault of their own.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from banzuke.core.fault import Fault, fault
from banzuke.formats.files.headings import columns_of, headings_twice, shown
from banzuke.formats.files.spreadsheet import (
    HEADING_ROWS,
    NO_SHEET,
    Sheet,
    cell_day,
    column_letter,
    read_sheets,
)
from banzuke.formats.files.text import plain, whole_number
from banzuke.formats.files.zip_files import first_bytes
from banzuke.formats.notation import day_order_remarks, parse_result
from banzuke.formats.report import (
    MOST_FAULTS,
    Report,
    ReportedEvent,
    ReportedGame,
    ReportedPlayer,
    refused_report,
)
from banzuke.formats.report_form import form_layout as form
from banzuke.formats.report_form.form_layout import EVENT, GAMES, PLAYERS, TABS, Field

_UNREAD: Any = object()


def looks_like(data: bytes) -> bool:
    """Whether the bytes are a workbook with the form's sheets."""
    names = first_bytes(data, "xl/workbook.xml") if data.startswith(b"PK") else b""
    return all(TABS[tab].encode() in names for tab in (EVENT, GAMES))


def read(data: bytes, file: str) -> Report:
    """Read the report form in `data`; `file` names it in the faults. Raises nothing: see `Report.faults`."""
    reader = _Reader(file)
    sheets = read_sheets(data, file, reader.faults)
    if reader.faults:
        return refused_report(*reader.faults)
    found = {name: reader.sheet(name, sheets) for name in (EVENT, PLAYERS, GAMES)}
    event = reader.event(found[EVENT])
    players = reader.players(found[PLAYERS])
    games = reader.games(found[GAMES], event)
    if not (players or games or reader.faults):
        reader.faults.append(fault(file, 0, "", "form-empty"))
    rounds = max((game.round for game in games), default=0)
    remarks = tuple(day_order_remarks(file, reader.days))
    return Report(event._replace(rounds=rounds), tuple(players), tuple(games), tuple(reader.faults), remarks)


def _tab(name: str) -> str:
    """Which of the form's sheets has that name; blank if none."""
    words = set(plain(name).lower().split())
    return next((tab for tab, full in TABS.items() if words & set(full.split())), "")


def _player(row: int, number: int, fields: dict[str, Any]) -> ReportedPlayer:
    """The player of a row, as far as it can be read."""
    values = {name: None if value is _UNREAD else value for name, value in fields.items()}
    return ReportedPlayer(
        number,
        values["name"] or "",
        str(values["fide_id"] or ""),
        values["national_id"] or "",
        sex=values["sex"] or "",
        birth_date=values["birth_date"],
        line=row,
        name_native=values["name_native"] or "",
    )


@dataclass(slots=True)
class _Reader:
    """The faults so far, and the players by number with the row of each; numbers that are in doubt.

    `days` are the cells with days of the event and its games.
    """

    file: str
    faults: list[Fault] = field(default_factory=list)
    rows: dict[int, int] = field(default_factory=dict)
    doubtful: set[int] = field(default_factory=set)
    lost_numbers: bool = False
    days: list[str] = field(default_factory=list)

    def fault(self, at: tuple[str, int, int], code: str, **facts: object) -> None:
        """Note a fault in a cell: its sheet, its row (from 1), its column (from 0)."""
        sheet, row, column = at
        self.faults.append(fault(self.file, row, f"{sheet}!{column_letter(column)}", code, **facts))

    def value(self, at: tuple[str, int, int], column: Field, cell: str) -> Any:
        """What a cell says, by the kind of its column; `_UNREAD` if it cannot be read, None if blank."""
        if not plain(cell):
            return None
        if column.kind == "text":
            return cell
        if column.kind == "id":
            return plain(cell)
        if column.kind == "day" and at[0] != PLAYERS:
            self.days.append(cell)
        value = self._parse(column, cell)
        if value is not None:
            return value
        if column.kind == "day":
            self.fault(at, "form-bad-day", text=cell, heading=column.label.text)
        elif column.kind == "number":
            self.fault(at, "form-bad-number", text=cell, heading=column.label.text, most=column.most)
        else:
            choices = ", ".join(label.text for label in form.CHOICES[column.kind].values())
            code = "form-bad-result" if column.kind == form.RESULT else "form-bad-choice"
            self.fault(at, code, text=cell, heading=column.label.text, choices=choices)
        return _UNREAD

    def _parse(self, column: Field, cell: str) -> Any:
        if column.kind == "day":
            return cell_day(cell)
        if column.kind == "number":
            return whole_number(cell, column.most)
        return (
            parse_result(cell)
            if column.kind == form.RESULT
            else form.SAID[column.kind].get(form.key_of(cell))
        )

    def sheet(self, name: str, sheets: list[Sheet]) -> Sheet:
        """The form's sheet of that name; with a fault a blank one, if there is none or more than one."""
        found = shown([sheet for sheet in sheets if _tab(sheet.name) == name], lambda sheet: sheet)
        if len(found) == 1:
            return found[0]
        if found:
            facts = {"sheet": TABS[name], "sheets": ", ".join(sheet.name for sheet in found)}
            self.faults.append(fault(self.file, 0, "", "form-sheet-twice", **facts))
        else:
            self.faults.append(fault(self.file, 0, "", "form-no-sheet", sheet=TABS[name]))
        return NO_SHEET

    def event(self, sheet: Sheet) -> ReportedEvent:
        """The event: a field a row, its heading in the first column, what is said in the second."""
        values: dict[str, Any] = {}
        places: dict[str, int] = {}
        for row, cells in enumerate(sheet.rows, 1):
            label, cell = (*cells, "", "")[:2]
            found = form.HEADINGS[EVENT].get(form.key_of(label))
            if found and found.name in places:
                if plain(cell):
                    self.fault((EVENT, row, 0), "form-field-twice", heading=label, first=places[found.name])
            elif found:
                places[found.name] = row
                value = self.value((EVENT, row, 1), found, cell)
                if value not in (None, _UNREAD):
                    values[found.name] = value
        if "fide_rated" in values:
            values["fide_rated"] = values["fide_rated"] == "1"
        event = ReportedEvent(**values)
        if event.starts and event.ends and event.ends < event.starts:
            at = (EVENT, places["ends"], 1)
            self.fault(at, "form-ends-before-start", starts=event.starts, ends=event.ends)
            return event._replace(starts=None, ends=None)
        return event

    def _columns(self, name: str, sheet: Sheet) -> tuple[int, dict[str, int]]:
        """The row (from 1) of a table's headings, and the column of each that is there once."""

        def name_of(cell: str) -> str:
            column = form.HEADINGS[name].get(form.key_of(cell))
            return column.name if column else ""

        best: tuple[int, dict[str, list[int]]] = (1, {})
        for row, cells in enumerate(sheet.rows[:HEADING_ROWS], 1):
            columns = columns_of(cells, name_of)
            if len(columns) > len(best[1]):
                best = (row, columns)
        row, columns = best
        missing = [c.label.text for c in form.FIELDS[name] if c.name not in columns]
        if missing and sheet.name:
            self.faults.append(fault(self.file, row, name, "form-no-column", headings=", ".join(missing)))
        if columns:
            self.faults += headings_twice(self.file, row, sheet.rows[row - 1], columns, name)
        return row, {column: at[0] for column, at in columns.items() if len(at) == 1}

    def _rows(self, name: str, sheet: Sheet) -> Iterator[tuple[int, dict[str, int], dict[str, Any]]]:
        """The rows in use: their number, the columns' places, what they say by column (None: nothing)."""
        heading, places = self._columns(name, sheet)
        columns = [column for column in form.FIELDS[name] if column.name in places]
        if len(columns) < len(form.FIELDS[name]):
            self.lost_numbers = True
            return
        for row, cells in enumerate(sheet.rows[heading:], heading + 1):
            if len(self.faults) >= MOST_FAULTS:
                return
            texts = {c.name: cells[at] if (at := places[c.name]) < len(cells) else "" for c in columns}
            if any(plain(text) for column, text in texts.items() if column != "number"):
                yield (
                    row,
                    places,
                    {c.name: self.value((name, row, places[c.name]), c, texts[c.name]) for c in columns},
                )

    def players(self, sheet: Sheet) -> list[ReportedPlayer]:
        """The players, in the order of the rows; no number, member's id or FIDE id is given twice."""
        players = []
        seen: dict[tuple[str, str], int] = {}
        for row, places, values in self._rows(PLAYERS, sheet):
            number = self._number(row, places["number"], values["number"])
            player = _player(row, number or 0, values)
            for name in ("national_id", "fide_id"):
                key = getattr(player, name)
                first = seen.setdefault((name, key), row)
                if key and first != row:
                    self.fault((PLAYERS, row, places[name]), "form-id-twice", id=key, first=first)
            if not any((player.name, player.name_native, player.national_id, values["fide_id"])):
                self.fault((PLAYERS, row, places["name"]), "form-nameless")
            if number is not None:
                players.append(player)
        return players

    def _number(self, row: int, column: int, number: Any) -> int | None:
        """A player's own number; None, with a fault, if it is blank, unreadable or given twice."""
        if number is None:
            self.fault((PLAYERS, row, column), "form-blank", heading=form.PLAYER_COLUMNS[0].label.text)
        if number is None or number is _UNREAD:
            self.lost_numbers = True
            return None
        first = self.rows.setdefault(number, row)
        if first != row:
            self.lost_numbers = True
            self.doubtful.add(number)
            self.fault((PLAYERS, row, column), "form-number-twice", number=number, first=first)
            return None
        return int(number)

    def games(self, sheet: Sheet, event: ReportedEvent) -> list[ReportedGame]:
        """The games, in the order of the rows; nobody plays against themselves, or twice in a round."""
        games: list[ReportedGame] = []
        places: dict[str, int] = {}
        for row, found, values in self._rows(GAMES, sheet):
            places = found
            game = self._game(row, places, values)
            if game and self._is_in_event(game, event, places["played"]) and self._are_players(game, places):
                games.append(game)
        return self._once_a_round(games, places)

    def _game(self, row: int, places: dict[str, int], values: dict[str, Any]) -> ReportedGame | None:
        """The game of a row; None, with faults, if something is missing or cannot be read."""
        for column in form.GAME_COLUMNS:
            if values[column.name] is None and column.name != "played":
                self.fault((GAMES, row, places[column.name]), "form-blank", heading=column.label.text)
                values[column.name] = _UNREAD
        if values["round"] == 0:
            label = form.GAME_COLUMNS[0].label
            facts = {"text": "0", "heading": label.text, "most": form.MOST_NUMBER}
            self.fault((GAMES, row, places["round"]), "form-bad-number", **facts)
            return None
        return None if _UNREAD in values.values() else ReportedGame(**values, line=row)

    def _is_in_event(self, game: ReportedGame, event: ReportedEvent, column: int) -> bool:
        day = game.played
        if day is None or (event.starts or day) <= day <= (event.ends or day):
            return True
        facts = {"day": day, "starts": event.starts or "", "ends": event.ends or ""}
        self.fault((GAMES, game.line, column), "form-outside-event", **facts)
        return False

    def _are_players(self, game: ReportedGame, places: dict[str, int]) -> bool:
        """Whether both sides are players of the form whose number is not in doubt, and two."""
        for side in ("white", "black"):
            number = getattr(game, side)
            if number not in self.rows and not self.lost_numbers:
                self.fault((GAMES, game.line, places[side]), "form-no-such-player", number=number)
        if game.white == game.black:
            self.fault((GAMES, game.line, places["black"]), "form-plays-self", number=game.white)
        sides = {game.white, game.black}
        return len(sides) > 1 and all(number in self.rows for number in sides) and not sides & self.doubtful

    def _once_a_round(self, games: list[ReportedGame], places: dict[str, int]) -> list[ReportedGame]:
        """The games without those of a player who has two in a round."""
        seats: dict[tuple[int, int], list[ReportedGame]] = defaultdict(list)
        for game in games:
            for number in (game.white, game.black):
                seats[game.round, number].append(game)
        clashing = set()
        for (round_number, number), found in seats.items():
            for game in found[1:]:
                side = "white" if game.white == number else "black"
                facts = {"number": number, "round": round_number, "first": found[0].line}
                self.fault((GAMES, game.line, places[side]), "form-twice-in-round", **facts)
            if len(found) > 1:
                clashing |= {game.line for game in found}
        return [game for game in games if game.line not in clashing]
