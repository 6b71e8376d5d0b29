"""A start list: chosen entrants with their ratings, as files for pairing programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from banzuke.core import facts
from banzuke.core.facts import STANDARD
from banzuke.database.models import ListRow, Player
from banzuke.exchange.list_files import WOMAN, fide_players, national_players
from banzuke.formats.fide import fide_text
from banzuke.formats.lists import list_table
from banzuke.formats.lists.rating_list import ListedPlayer, RatingList, SpeedRating
from banzuke.formats.report import Report, ReportedEvent, ReportedPlayer
from banzuke.formats.swiss_manager import national_list
from banzuke.formats.trf import trf_writer
from banzuke.office.fact_rows import standing_rows
from banzuke.office.journal import note
from banzuke.office.register import clubs, member_search

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from banzuke.database import models
    from banzuke.office.journal import Actor

WRITE = "write-start-list"
#: What a start list is written as: TRF16, Swiss-Manager's list, a table, FIDE's layout. TRF has birth dates.
TRF, SWISS_MANAGER, CSV, FIDE = "trf", "swiss-manager", "csv", "fide"
FORMATS = {
    TRF: "start-list.trf",
    SWISS_MANAGER: "start-list.csv",
    CSV: "start-list-table.csv",
    FIDE: "start-list.txt",
}
#: So many entrants are taken at once.
MOST = 1_000


class Entrant(NamedTuple):
    """A chosen member with his rating at the speed (None: unrated)."""

    row: Player
    rating: int | None


class Chosen(NamedTuple):
    """What became of what was asked for: members found, lines that mean several, lines that mean nobody."""

    entrants: tuple[Entrant, ...]
    doubtful: tuple[tuple[str, tuple[Player, ...]], ...]
    unknown: tuple[str, ...]


def choose(
    pool: models.Pool,
    asked: Iterable[str],
    listed: models.RatingList | None,
    speed: str,
    meant: Collection[str] = (),
) -> Chosen:
    """The members whom lines of ids or names mean, the highest rating first; a member once.

    `listed` is the list whose ratings are taken (None: nobody has one). Of a line that may mean several,
    those among `meant` (ids) are.
    """
    lines = list(dict.fromkeys(line.strip() for line in asked if line.strip()))[:MOST]
    by_id = {row.player_id: row for row in standing_rows(pool, facts.Player).filter(player_id__in=lines)}
    found = {line: [by_id[line]] if line in by_id else member_search.exactly(pool, line) for line in lines}
    found = {line: [row for row in rows if row.player_id in meant] or rows for line, rows in found.items()}
    sure = {rows[0].player_id: rows[0] for rows in found.values() if len(rows) == 1}
    return Chosen(
        _rated(sure.values(), listed, speed),
        tuple((line, tuple(rows)) for line, rows in found.items() if len(rows) > 1),
        tuple(line for line, rows in found.items() if not rows),
    )


def _rated(rows: Iterable[Player], listed: models.RatingList | None, speed: str) -> tuple[Entrant, ...]:
    players = list(rows)
    ids = [row.player_id for row in players]
    of_list = ListRow.objects.filter(list=listed, speed=speed, player_id__in=ids)
    ratings = dict(of_list.values_list("player_id", "rating"))
    entrants = [Entrant(row, ratings.get(row.player_id)) for row in players]
    return tuple(sorted(entrants, key=lambda e: (e.rating is None, -(e.rating or 0), e.row.player_id)))


class Wanted(NamedTuple):
    """What a start list is written for: the event's name, the speed, the federation's code (`JPN`)."""

    name: str
    speed: str
    federation: str


def write(pool: models.Pool, entrants: Sequence[Entrant], wanted: Wanted, kind: str, actor: Actor) -> bytes:
    """The file, which the journal notes. Raises RefusedError for what its format cannot hold."""
    data = _written(pool, entrants, wanted, kind)
    note(actor, WRITE, pool, format=kind, players=len(entrants), birth_dates=kind == TRF)
    return data


def _written(pool: models.Pool, entrants: Sequence[Entrant], wanted: Wanted, kind: str) -> bytes:
    if kind == TRF:
        return trf_writer.write(_report(entrants, wanted), version=16, federation_code=wanted.federation)
    listed = _listed(pool, entrants, wanted)
    if kind == FIDE:
        return b"".join(fide_text.write_txt(fide_players(listed, wanted.federation), wanted.name))
    if kind == SWISS_MANAGER:
        speed = wanted.speed or STANDARD
        return national_list.write(national_players(listed, speed, wanted.federation))
    return list_table.write_csv(listed)


def _report(entrants: Sequence[Entrant], wanted: Wanted) -> Report:
    """The event with nobody paired yet; ratings are national ones, start ranks in the order given."""
    players = tuple(
        ReportedPlayer(
            number,
            row.name,
            fide_id=row.fide_id,
            national_id=row.player_id,
            federation=wanted.federation,
            sex="w" if row.sex.lower() in WOMAN else "m" if row.sex else "",
            birth_date=row.birth_date,
            name_native=row.name_native,
            national_rating=rating,
        )
        for number, (row, rating) in enumerate(entrants, 1)
    )
    return Report(ReportedEvent(wanted.name, federation=wanted.federation), players, ())


def _listed(pool: models.Pool, entrants: Sequence[Entrant], wanted: Wanted) -> RatingList:
    names = clubs.names(pool)
    players = tuple(
        ListedPlayer(
            row.player_id,
            (None if rating is None else SpeedRating(rating, 0),),
            row.name,
            row.name_native,
            row.sex,
            names.get(row.club_id, row.club_id),
            row.fide_id,
        )
        for row, rating in entrants
    )
    return RatingList(pool.name, wanted.name, "", (wanted.speed,), players)
