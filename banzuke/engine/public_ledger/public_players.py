"""The players of a public ledger: names as the public may know them, and what ratings asked of the rest."""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator
from datetime import date
from typing import Any

from banzuke.core.facts import More, Player
from banzuke.core.private_facts import DayClause, Participation
from banzuke.engine.public_ledger.published_events import PublishedEvent
from banzuke.engine.public_ledger.stand_in_days import Question, StandInDays
from banzuke.ledger.folder import ChessLedger

#: What is public of everybody who is shown by name.
SHOWN = ("name_native", "sex", "club_id", "fide_id", "title", "title_from")
_BORN = "birth_date"
#: By column what was asked of it.
Asked = dict[str, set[Question]]
#: By column the value of a row, and what was asked of it.
AskedColumns = dict[str, tuple[Any, set[Question]]]


class PublicPlayers:
    """Collects what the published lists asked of the players, and makes their public rows of it."""

    def __init__(self, ledger: ChessLedger, hidden: Collection[str]) -> None:
        self._rows = ledger.players
        self._hidden = hidden
        self._known = {id(row) for row in ledger.players}
        self._speeds = frozenset(ledger.pool.speeds)
        self._rated: dict[str, set[str]] = defaultdict(set)
        for opening in ledger.standings:
            self._rated[opening.player_id].add(opening.speed)
        self._asked: dict[int, Asked] = defaultdict(lambda: defaultdict(set))
        self._true_days: dict[tuple[int, str], date | None] = {}
        self._asked_before: set[str] = set()
        self._last = date.min
        self._stand_ins = StandInDays()

    def note(self, published: PublishedEvent) -> None:
        """What an event asks of those who play in it."""
        self._last = max(self._last, published.known)
        facts = published.book.private_facts
        for player, games in published.games_by_player().items():
            row = published.register.players[player]
            if id(row) not in self._known:
                continue  # struck: the list knew nothing but the id
            unrated = self._speeds - self._rated[player]
            is_new = unrated == self._speeds and player not in self._asked_before
            of = Participation(row, published.event, games, published.edition.settings, unrated, is_new)
            for column, question in facts.asked(of):
                self._asked_before.add(player)
                clause = facts.days.get(column)
                self._asked[id(row)][column].add((clause, question))
                if clause is not None and clause.true_day is not None:
                    self._true_days[id(row), column] = clause.true_day(published.register, player)

    def questions(self) -> set[tuple[str, DayClause, Hashable]]:
        """What was asked of days: the column, the clause, and what it takes."""
        return {
            (column, clause, question)
            for asked in self._asked.values()
            for column, questions in asked.items()
            for clause, question in questions
            if clause is not None
        }

    def asked_of(self, row: Player) -> AskedColumns:
        """What was asked of a row of the ledger: by column the true value, and what each time was asked."""
        asked = {_BORN: set[Question](), **self._asked.get(id(row), {})}
        return {column: (self._value(row, column), questions) for column, questions in asked.items()}

    def rows(self, wanted: Collection[str]) -> Iterator[Player]:
        """The public rows of these players, in the ledger's order."""
        of_player: dict[str, list[Player]] = defaultdict(list)
        for row in self._rows:
            if row.player_id in wanted:
                of_player[row.player_id].append(row)
        for rows in of_player.values():
            named = next((row for row in reversed(rows) if row.struck is None), rows[-1])
            yield from _joined(self._public(row, named) for row in self._standing(rows))

    def _standing(self, rows: list[Player]) -> list[Player]:
        """Those that some published list knew, or what is left where none did."""
        if self._last in {date.min, date.max}:  # nothing was rated, or corrections have no day
            found = [row for row in rows if row.struck is None]
            return found or [rows[-1]._replace(added=None, struck=None)]
        found = [row for row in rows if row.added is None or row.added < self._last]
        if not any(row.struck is None or row.struck >= self._last for row in found):
            return rows
        return found

    def _public(self, row: Player, named: Player) -> Player:
        public = nameless_row(row, self.asked_of(row), self._stand_ins)
        if row.player_id not in self._hidden:
            public = public._replace(name=named.name, **{name: getattr(named, name) for name in SHOWN})
        if public.struck is not None and public.struck >= self._last:
            public = public._replace(struck=None)
        return public

    def _value(self, row: Player, column: str) -> Any:
        value = getattr(row, column) if column in Player._fields else row.more.get(column)
        return self._true_days.get((id(row), column), value)


def nameless_row(row: Player, asked: AskedColumns, stand_ins: StandInDays) -> Player:
    """A row of which nothing is left but the id and what was asked of it: of days stand-ins."""
    cells: dict[str, Any] = {
        column: stand_ins.stand_in(value, questions) if isinstance(value, date) else value
        for column, (value, questions) in asked.items()
    }
    own = {column: value for column, value in cells.items() if column in Player._fields}
    more = {column: value for column, value in cells.items() if column not in own and value is not None}
    return Player(row.player_id, row.player_id, added=row.added, struck=row.struck, more=More(more), **own)


def _joined(rows: Iterable[Player]) -> Iterator[Player]:
    """Rows of one player; where a correction changed nothing that is public, one in place of two."""
    last: Player | None = None
    for row in rows:
        if last is None:
            last = row
        elif last.struck is not None and row == last._replace(added=last.struck, struck=row.struck):
            last = last._replace(struck=row.struck)
        else:
            yield last
            last = row
    if last is not None:
        yield last
