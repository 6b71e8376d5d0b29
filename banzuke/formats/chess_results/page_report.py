"""A report from a Chess-Results page: which of its tables is read, and whether the event is over.

A page has a crosstable, the pairings of a round (or of all), or the list of players. A crosstable is the
whole event; the others are parts, which `page_merge.merge_pages` puts together.

The numbers in the cells of a crosstable are those of the table's first column: start numbers in a crosstable
by starting rank, ranks in one by ranking. Where a table has both left of the names, that one is taken which
the cells answer. Points stand in the column of that name, or in a tie-break that the page's notes call
points.
"""

import re
from dataclasses import dataclass, field

from banzuke.core.fault import Fault, fault
from banzuke.formats.chess_results.event_details import Page, event_of
from banzuke.formats.chess_results.footnotes import footnote_remarks
from banzuke.formats.chess_results.headings import (
    column_of,
    plain_word,
    rounds_when_final,
    stands_after_round,
)
from banzuke.formats.chess_results.page_tables import (
    MOST_CELLS,
    MOST_NUMBER,
    MOST_ROWS,
    PAIRINGS,
    PLAYERS,
    ROUND_ROBIN,
    SWISS,
    Row,
    Table,
    find_tables,
    players_of,
)
from banzuke.formats.chess_results.pairings import Pairings, round_in
from banzuke.formats.crosstables import (
    CrossRow,
    Crosstable,
    CrosstableHeadings,
    Rounds,
    count_answers,
    read_round_robin,
    read_swiss,
)
from banzuke.formats.files.text import first_numbers, whole_number
from banzuke.formats.report import Report, ReportedEvent, ReportedPlayer, refused_report

_NOTE_OF_POINTS = re.compile(
    r"([0-9]{1,2}) ?: ?(?:points|punkte|puntos|pontos|punti|body|bod|punkty|puan|pont|очки)\b"
)
_TIE_BREAK = re.compile(r"(?:tb|wtg|des|dp|bh|доп) ?([0-9]{1,2})")
_LEFT_OUT = ("cr-bad-number", "cr-number-twice")
_Rows = dict[int, tuple[ReportedPlayer, Row]]


def under_way_fault(file: str, unfinished: dict[int, int]) -> Fault:
    """The fault of an event in which pairings have no result, by how many of which rounds."""
    rounds = ", ".join(map(str, sorted(unfinished)))
    return fault(file, 0, "", "cr-under-way", count=sum(unfinished.values()), rounds=rounds)


@dataclass(slots=True)
class CrosstablePage:
    """A page with a crosstable; `report` reads it."""

    page: Page
    event: ReportedEvent
    table: Table
    faults: list[Fault]
    remarks: list[Fault] = field(default_factory=list)

    def report(self) -> Report:
        """Read the players, the games, and whether it is the whole event."""
        found: list[Fault] = []
        rows = players_of(self.table, _reference(self.table), self.page.file, found)
        self.faults += found
        if not rows and not found:
            self._note("cr-no-players")
        whole = not any(one.code in _LEFT_OUT for one in found)
        read = self._swiss(rows, whole=whole) if self.table.layout.kind == SWISS else self._round_robin(rows)
        self.faults += read.faults
        if read.unfinished:
            self.faults.append(under_way_fault(self.page.file, read.unfinished))
        players = tuple(player for player, _ in rows.values())
        return Report(
            self.event,
            players,
            tuple(read.games),
            tuple(self.faults),
            tuple(self.remarks),
            byes=read.byes,
        )

    def _note(self, code: str, column: str = "", **facts: object) -> None:
        """Note a fault of the table as a whole, at its headings."""
        self.faults.append(fault(self.page.file, self.table.heading.line, column, code, **facts))

    def _remark(self, code: str, **facts: object) -> None:
        self.remarks.append(fault(self.page.file, 0, "", code, **facts))

    def _headings(self) -> tuple[str, ...]:
        return tuple(self.table.heading_of(i) for i in self.table.layout.results)

    def _cross_rows(self, rows: _Rows) -> list[CrossRow]:
        points, results = self._points(), self.table.layout.results
        return [
            CrossRow(row.line, number, tuple(row.cell(i) for i in results), row.cell(points))
            for number, (_, row) in rows.items()
        ]

    def _points(self) -> int:
        """The column of points; -1 if there is none."""
        if "points" in self.table.layout.columns:
            return self.table.layout.columns["points"]
        notes = " ".join(plain_word(row.alone()) for row in self.page.rows)
        called = set(_NOTE_OF_POINTS.findall(notes))
        breaks = [_TIE_BREAK.fullmatch(plain_word(cell)) for cell in self.table.heading.cells]
        return next((i for i, found in enumerate(breaks) if found and found[1] in called), -1)

    def _swiss(self, rows: _Rows, *, whole: bool) -> Crosstable:
        layout = self.table.layout
        twice = [place for place, number in enumerate(layout.rounds) if number in layout.rounds[:place]]
        if twice:
            self._note("cr-round-twice", self._headings()[twice[0]], round=layout.rounds[twice[0]])
            return Crosstable([], [], {})
        self._check_rounds(set(layout.rounds))
        rounds = Rounds(layout.rounds, self._headings(), self.table.heading_of(self._points()))
        return read_swiss(self.page.file, self._cross_rows(rows), rounds, whole=whole)

    def _check_rounds(self, there: set[int]) -> None:
        """Hold the rounds of the columns against the number of rounds that the page gives, if it does."""
        last, title = max(there), self.table.title
        expected = self.event.rounds or rounds_when_final(title) or 0
        rounds = expected or last
        missing = sorted(set(range(1, rounds + 1)) - there)
        self.event = self.event._replace(rounds=max(rounds, last))
        if missing:
            self._note("cr-rounds-missing", rounds=first_numbers(missing), expected=rounds)
        elif last > rounds:
            self._note("cr-more-rounds", last=last, expected=rounds)
        elif not expected and stands_after_round(title):
            self._note("cr-not-final", title=title)
        elif not expected and rounds_when_final(title) is None:
            self._remark("cr-rounds-unknown", rounds=last)

    def _round_robin(self, rows: _Rows) -> Crosstable:
        """The games; another number of rounds than so many players have is a fault."""
        headings = self._headings()
        cycles = 2 if headings[0].lower().endswith("a") else 1
        ordered = sorted(self._cross_rows(rows), key=lambda row: row.number)
        read = read_round_robin(
            self.page.file,
            ordered,
            CrosstableHeadings(headings, cycles, self.table.heading_of(self._points())),
        )
        once = max(len(rows) + len(rows) % 2 - 1, 1)
        last = max([game.round for game in read.games] + list(read.unfinished), default=0)
        rounds = -(-last // once) * once
        if self.event.rounds and rounds and self.event.rounds != rounds:
            self._note("cr-rounds-do-not-fit", said=self.event.rounds, players=len(rows), rounds=rounds)
        self.event = self.event._replace(rounds=rounds or self.event.rounds)
        by_rank = column_of(self.table.heading.cell(self.table.layout.numbers[0])) == "rank"
        self._remark("cr-rounds-by-rank" if by_rank else "cr-rounds-by-berger")
        return read


def _reference(table: Table) -> int:
    """The column whose numbers the cells mean: the first, unless another one is answered more often."""
    columns = table.layout.numbers
    if table.layout.kind != SWISS or len(columns) == 1:
        return columns[0]
    counted = [count_answers(_numbered_rows(table, column)) for column in columns]
    return columns[counted.index(max(counted))]


def _numbered_rows(table: Table, column: int) -> list[CrossRow]:
    numbers = [(whole_number(row.cell(column), MOST_NUMBER), row) for row in table.rows]
    return [CrossRow(0, n, tuple(row.cell(i) for i in table.layout.results)) for n, row in numbers if n]


def report_of(page: Page) -> Report:
    """The report of a page; a page without a table that is read, or with two of a kind, is a fault."""
    if len(page.rows) > MOST_ROWS:
        return refused_report(fault(page.file, 0, "", "cr-too-large"))
    faults: list[Fault] = []
    found = find_tables(page.rows)
    inside = {id(row) for table in found for row in table.rows}
    event = event_of(page._replace(rows=[row for row in page.rows if id(row) not in inside]), faults)
    for kinds, reads in (
        ((SWISS, ROUND_ROBIN), _crosstable),
        ((PAIRINGS,), _pairings),
        ((PLAYERS,), _players),
    ):
        chosen = [table for table in found if table.layout.kind in kinds]
        if sum(len(table.rows) * len(table.layout.results) for table in chosen) > MOST_CELLS:
            return Report(event, (), (), (*faults, fault(page.file, 0, "", "cr-too-large")))
        if chosen:
            report = reads(page, event, chosen, faults)
            return report._replace(remarks=(*report.remarks, *_footnotes(page, chosen)))
    return Report(event, (), (), (*faults, fault(page.file, 0, "", "cr-no-table")))


def _footnotes(page: Page, chosen: list[Table]) -> list[Fault]:
    """What the marks behind the names of the tables mean."""
    kinds = ("name", "white", "black")
    columns = (
        (table, table.layout.columns[kind])
        for table in chosen
        for kind in kinds
        if kind in table.layout.columns
    )
    names = (row.cell(column) for table, column in columns for row in table.rows)
    return footnote_remarks(page.file, names, (row.alone() for row in page.rows))


def _only(page: Page, chosen: list[Table], faults: list[Fault]) -> Table:
    """The one table of its kind; a second one is noted, and not read."""
    if len(chosen) > 1:
        faults.append(fault(page.file, chosen[1].heading.line, "", "cr-second-table", count=len(chosen)))
    return chosen[0]


def _players(page: Page, event: ReportedEvent, chosen: list[Table], faults: list[Fault]) -> Report:
    table = _only(page, chosen, faults)
    players = players_of(table, table.layout.numbers[0], page.file, faults)
    if not players and not faults:
        faults.append(fault(page.file, table.heading.line, "", "cr-no-players"))
    return Report(event, tuple(p for p, _ in players.values()), (), tuple(faults), part=frozenset())


def _pairings(page: Page, event: ReportedEvent, chosen: list[Table], faults: list[Fault]) -> Report:
    """The report of rounds' pairings; each table's round stands in its title, or in the page's address."""
    pairings = Pairings(page.file, faults)
    for table in chosen:
        number, day = round_in(table.title)
        number = number or (page.round if len(chosen) == 1 else 0)
        if not number:
            faults.append(fault(page.file, table.heading.line, "", "cr-no-round", title=table.title))
        elif number in pairings.rounds:
            faults.append(fault(page.file, table.heading.line, "", "cr-round-twice", round=number))
        else:
            pairings.take(table, number, day)
    if pairings.unfinished:
        faults.append(under_way_fault(page.file, pairings.unfinished))
    games = tuple(sorted(pairings.games, key=lambda game: game.round))
    remarks = (fault(page.file, 0, "", "cr-numbered-here"),) if pairings.numbered_here else ()
    players = tuple(pairings.players[number] for number in sorted(pairings.players))
    rounds = frozenset(pairings.rounds)
    return Report(event, players, games, tuple(faults), remarks, rounds, tuple(pairings.byes))


def _crosstable(page: Page, event: ReportedEvent, chosen: list[Table], faults: list[Fault]) -> Report:
    return CrosstablePage(page, event, _only(page, chosen, faults), faults).report()
