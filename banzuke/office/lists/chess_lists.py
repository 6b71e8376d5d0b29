"""The lists of a chess pool as they are published."""

from collections.abc import Iterator, Sequence
from datetime import date
from functools import cached_property
from typing import Any

from banzuke.core.month import months_later
from banzuke.core.rating import FIRST, RATED, EventLines, Line
from banzuke.core.rulebook import ChessBook
from banzuke.engine import result_rows
from banzuke.engine.history import RatedList, history, list_names
from banzuke.engine.list_content import ContentHash, ListTexts, added_columns
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.explanations.chess_rating import figures, not_members_by_event
from banzuke.ledger.folder import ChessLedger
from banzuke.ledger.pool_rules import EditionInForce
from banzuke.office.lists.list_rows import (
    ACTIVE_MONTHS,
    FROM_THE_FIRST,
    CalculatedList,
    LineRow,
    ListStart,
    Row,
    WorkingRow,
    places_by_value,
    working_to_json,
)

#: From the year in which one becomes so old.
SENIOR_AGE = 65
GROUPS = JUNIOR, ADULT, SENIOR = "junior", "adult", "senior"
COUNTED = frozenset((RATED, FIRST))

#: The last day of the last event with a game that counted, by speed and player.
LastPlayed = dict[tuple[str, str], "date"]


class ChessList(CalculatedList):
    """A list of a chess pool; `rows` are its rows as the content has them."""

    def __init__(self, rated: RatedList, played: LastPlayed, rows: str) -> None:
        batch = rated.batch
        super().__init__(batch.name, batch.published, batch.closes, rated.edition)
        self._rated = rated
        self._played = played
        self._text = rows
        self._added = added_columns(rated.edition)
        self._active_since = months_later(self.day, -ACTIVE_MONTHS)

    @cached_property
    def rows(self) -> list[Row]:
        """Every player with a rating, by id and speed."""
        found = list(result_rows.list_rows(self._rated, self._added))
        ratings: dict[object, list[object]] = {}
        for _, speed, _, rating, *_ in found:
            ratings.setdefault(speed, []).append(rating)
        place = {speed: places_by_value(of_speed) for speed, of_speed in ratings.items()}
        return [self._row(row, place[row[1]][row[3]]) for row in found]

    def _row(self, row: Any, place: int) -> Row:
        _, speed, player, rating, games, change, peak, status, qualified, *added = row
        cells = zip(self._added, added, strict=True)
        member = self._rated.batch.register.players[player]
        return Row(
            speed, place, player, member.name, member.name_native, member.club_id, member.sex,
            age_group(self.edition, member.birth_date, self.day.year),
            self._played.get((speed, player), self._active_since) > self._active_since,
            rating, games, None if change == "" else change, peak, status,
            None if qualified == "" else qualified == "1",
            more={name: cell for name, cell in cells if cell is not None} or None,
        )  # fmt: skip

    @cached_property
    def lines(self) -> list[LineRow]:
        """Both sides of every game of the list's events."""
        found: list[LineRow] = []
        for event, speed, lines, _ in self._rated.outcome.events:
            found += [_line(len(found) + n, speed, event.event_id, line) for n, line in enumerate(lines)]
        return found

    @cached_property
    def not_members(self) -> dict[str, set[str]]:
        """The players whose missing membership keeps games out, by the event's id."""
        return not_members_by_event(self._rated)

    @property
    def workings(self) -> Iterator[WorkingRow]:
        """Of everybody with a line in the list, or whom the edition's floor raised."""
        for speed, player in sorted(self._worked()):
            yield WorkingRow(speed, player, working_to_json(figures(self._rated, speed, player)))

    def _worked(self) -> set[tuple[str, str]]:
        before, after = self._rated.before, self._rated.outcome.standings.ratings
        worked = {(speed, line.player) for _, speed, lines, _ in self._rated.outcome.events for line in lines}
        return worked | {
            (speed, player)
            for speed, ratings in after.items()
            for player, rating in ratings.items()
            if rating is not before[speed].get(player) and rating != before[speed].get(player)
        }

    def write_content(self, content: ContentHash) -> None:
        """Its rows of lists.csv, of changes.csv and of adjusted.csv."""
        content.add([result_rows.list_header([self.edition])])
        content.add_text(self._text)
        content.add([result_rows.CHANGES])
        content.add(result_rows.change_rows(self._rated))
        content.add_adjusted(self._rated)


def _line(position: int, speed: str, event_id: str, line: Line) -> LineRow:
    round_, player, opponent, score, own, other, difference, expected, k, change, verdict, clause = line
    why: tuple[int | None, str, str] = (None, "", "") if k is None else k
    return LineRow(
        position, speed, event_id, round_, player, opponent, score, own, other, difference, expected,
        *why, change, verdict, clause,
    )  # fmt: skip


def age_group(edition: EditionInForce, born: date | None, year: int) -> str:
    """A player's group in that year: junior as the book says, else adult or senior; blank: no birth date."""
    book = edition.book
    if born is None or not isinstance(book, ChessBook):
        return ""
    if year - born.year >= SENIOR_AGE:
        return SENIOR
    return JUNIOR if book.is_junior and book.is_junior(born, year) else ADULT


def chess_lists(
    ledger: ChessLedger,
    names: Sequence[str] | None = None,
    progress: Progress = no_progress,
    start: ListStart = FROM_THE_FIRST,
) -> Iterator[ChessList]:
    """The lists of those names (a leading run of the pool's; None: all), one after another from the start."""
    wanted = list_names(ledger, None) if names is None else names
    played = dict(start.played)
    texts = ListTexts()
    for number, rated in enumerate(history(ledger, wanted[start.passed :], start.left), start.passed):
        progress(number, len(wanted), rated.batch.name)
        for lines in rated.outcome.events:
            _note(lines, played)
        yield ChessList(rated, dict(played), texts.next(rated))
    progress(len(wanted), len(wanted), "")


def _note(lines: EventLines, played: LastPlayed) -> None:
    day = lines.event.ends
    for player in {line.player for line in lines.lines if line.verdict in COUNTED}:
        key = (lines.speed, player)
        played[key] = max(played.get(key, day), day)
