"""A rehearsed list as a file, marked as a rehearsal; for the office, so everybody stands in it by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from banzuke.core import facts
from banzuke.core.rulebook import GoBook
from banzuke.database.book_reader import book_named
from banzuke.exchange.list_export import ListRow, People, listed_players
from banzuke.exchange.list_files import list_file
from banzuke.formats.lists.rating_list import AnyList, Ranking, RatingList
from banzuke.office.pages.list_files import ranked
from banzuke.office.register import clubs

if TYPE_CHECKING:
    from banzuke.database.models import Pool
    from banzuke.office.lists.rehearsal import Rehearsal
    from banzuke.words import Language

#: The kinds of files in which a rehearsal is given.
KINDS = ("csv", "xlsx")


def rehearsal_file(pool: Pool, of: Rehearsal, kind: str, lang: Language, mark: str) -> bytes:
    """The whole list as a file; `mark` says in the reader's language that it is a rehearsal."""
    return list_file(_listed(pool, of, f"{of.name} ({mark})"), kind, lang, facts.STANDARD)


def _listed(pool: Pool, of: Rehearsal, name: str) -> AnyList:
    book = book_named(of.rulebook)
    if isinstance(book, GoBook):
        rows = sorted(of.rows, key=lambda row: (row.place, row.player_id))
        return Ranking(pool.name, name, of.rulebook, tuple(ranked(row, row.name) for row in rows))
    people = {
        r.player_id: facts.Player(r.player_id, r.name, r.name_native, sex=r.sex, club_id=r.club_id)
        for r in of.rows
    }
    figures = [
        ListRow(
            of.name, r.speed, r.player_id, r.rating or 0, r.games, r.change, r.peak, r.status, r.qualified
        )
        for r in of.rows
    ]
    players = listed_players(figures, book.speeds, People(people, clubs.names(pool)), birth_dates=False)
    return RatingList(pool.name, name, of.rulebook, book.speeds, players)
