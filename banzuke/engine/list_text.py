"""The text of lists.csv, one list after another.

Every list has a line for everybody who is rated, and most of them did not play in it. Their line is that of
the list before but for the list's name, so it is kept: only the lines of those who moved are made anew.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from banzuke.engine.result_rows import list_cells

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from banzuke.core.rating import Rating
    from banzuke.engine.history import RatedList
    from banzuke.engine.result_rows import Row
    from banzuke.ledger.pool_rules import EditionInForce


class ListText:
    """Makes the lines of the lists of one history, which come in their order."""

    def __init__(self, more: Sequence[str]) -> None:
        """`more` are the columns that books add to the file."""
        self._more = more
        self._edition: EditionInForce | None = None
        self._start_anew()

    def _start_anew(self) -> None:
        #: The lines after the list's name, by player and place of the speed; these keys in their order; and
        #: those that came with this list.
        self._ends: dict[tuple[str, int], str] = {}
        self._order: list[tuple[str, int]] = []
        self._new: list[tuple[str, int]] = []
        #: By speed: the states that the lines show, and whose lines tell of a move in the last list.
        self._shown: dict[str, Mapping[str, Rating]] = {}
        self._moved: dict[str, set[str]] = {}

    def lines(self, rated: RatedList) -> str:
        """The lines of a list, in the order of `result_rows.list_rows`."""
        if rated.edition is not self._edition:
            self._edition = rated.edition
            self._start_anew()
        for place, speed in enumerate(rated.edition.book.speeds):
            self._follow(rated, place, speed)
        self._put_in_order()
        start = csv_line((rated.batch.name, ""))[:-1]
        return "".join([start + self._ends[key] for key in self._order])

    def _follow(self, rated: RatedList, place: int, speed: str) -> None:
        """Make the lines anew of who moved in this list, or did in the one before it."""
        ratings = rated.outcome.standings.ratings.get(speed, {})
        shown = self._shown.get(speed, {})
        moved = {player for player, rating in ratings.items() if shown.get(player) is not rating}
        moved.update(rated.outcome.calculations.get(speed, ()), shown.keys() - ratings.keys())
        for player in moved | self._moved.get(speed, set()):
            rating = ratings.get(player)
            if rating is None or rating.value is None:
                self._ends.pop((player, place), None)
            else:
                row = list_cells(rated, speed, player, rating, self._more)
                self._put((player, place), csv_line(row[1:]))
        self._shown[speed], self._moved[speed] = ratings, moved

    def _put(self, key: tuple[str, int], end: str) -> None:
        if key not in self._ends:
            self._new.append(key)
        self._ends[key] = end

    def _put_in_order(self) -> None:
        """The order after a list, whose keys are not moved one by one: there may be very many."""
        if len(self._order) + len(self._new) > len(self._ends):
            self._order = [key for key in self._order if key in self._ends]
        if self._new:
            self._order += self._new
            self._order.sort()
            self._new = []


def csv_line(row: Row) -> str:
    """A row as a line of CSV."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerow(row)
    return text.getvalue()
