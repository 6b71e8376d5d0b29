"""Who qualifies by a list, who is seeded past a qualifier, and start lists as files for pairing programs."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from django.db.models import Max, QuerySet

from banzuke.core import facts
from banzuke.core.facts import STANDARD
from banzuke.database import models
from banzuke.database.book_reader import rules_of
from banzuke.database.book_writer import Act, new_entry
from banzuke.database.models import ListRow, Player
from banzuke.database.two_names import name_here
from banzuke.exchange.event_export import reported_player
from banzuke.exchange.list_files import fide_players, national_players
from banzuke.formats.fide import fide_text
from banzuke.formats.lists import list_table
from banzuke.formats.lists.rating_list import ListedPlayer, RatingList, SpeedRating
from banzuke.formats.report import Report, ReportedEvent
from banzuke.formats.swiss_manager import national_list
from banzuke.formats.trf import trf_writer
from banzuke.ledger.pool_rules import Pool as Rules
from banzuke.office.fact_rows import record_of, standing_rows
from banzuke.office.journal import Actor, note
from banzuke.office.refusals import UnknownEventError
from banzuke.office.register import clubs, members

SEED, UNSEED = "note-seed", "take-back-seed"
WRITE_START_LIST = "write-start-list"
#: What a start list is written as: TRF16, Swiss-Manager's list, a table, FIDE's layout. TRF has birth dates.
TRF, SWISS_MANAGER, CSV, FIDE = "trf", "swiss-manager", "csv", "fide"
START_LISTS = {
    TRF: "start-list.trf",
    SWISS_MANAGER: "start-list.csv",
    CSV: "start-list-table.csv",
    FIDE: "start-list.txt",
}
#: So many entrants are taken at once; for so many unknown ones members with like names are shown.
MOST_ENTRANTS, MOST_UNKNOWN = 1_000, 20


class SeededPlayer(NamedTuple):
    """Somebody seeded past a qualifier."""

    player_id: str
    name: str
    name_native: str
    kind: str


def qualified_players(listed: models.RatingList) -> QuerySet[models.ListRow]:
    """Those whose standard rating may be used for qualification, the highest first."""
    rows = models.ListRow.objects.filter(list=listed, speed=STANDARD, qualified=True)
    return rows.order_by("place", "player_id")


def seeds(pool: models.Pool, event_id: str) -> list[SeededPlayer]:
    """Who is seeded past a regional qualifier, national seeds first, then by id."""
    said = models.Seed.objects.filter(pool=pool, event_id=event_id)
    last = said.order_by().values("player_id").annotate(last=Max("pk")).values("last")
    kinds = {row.player_id: row.kind for row in models.Seed.objects.filter(pk__in=last) if row.kind}
    rows = standing_rows(pool, facts.Player).filter(player_id__in=kinds)
    names = {row.player_id: (row.name, row.name_native) for row in rows}
    found = [SeededPlayer(one, *names.get(one, (one, "")), kind) for one, kind in kinds.items()]
    return sorted(found, key=lambda seed: (seed.kind != models.Seed.Kind.NATIONAL, seed.player_id))


def seeded_events(pool: models.Pool) -> list[str]:
    """The events of which seeds were reported, the last first."""
    events = models.Seed.objects.filter(pool=pool).order_by().values("event_id").annotate(last=Max("pk"))
    return list(events.order_by("-last").values_list("event_id", flat=True))


def note_seed(
    pool: models.Pool, event_id: str, player_id: str, kind: models.Seed.Kind | None, actor: Actor
) -> None:
    """Write down a reported seed, or (None) take it back. Raises UnknownMemberError, UnknownEventError."""
    act = UNSEED if kind is None else SEED
    with new_entry(pool, Act(actor.name, act)) as entry:
        members.find(pool, player_id)
        if event_name(pool, event_id) is None:
            raise UnknownEventError(event=event_id)
        models.Seed.objects.create(
            entry=entry, pool=pool, event_id=event_id, player_id=player_id, kind=kind or ""
        )
        note(actor, act, pool, event=event_id, member=player_id, entry=entry.pk)


def event_name(pool: models.Pool, event_id: str) -> str | None:
    """The name of an event of the book, or of one applied for; None for neither."""
    row = standing_rows(pool, facts.Event).filter(event_id=event_id).last()
    asked = models.Sanction.objects.filter(pool=pool, event_id=event_id).last()
    found = row or asked
    return name_here(found.name, found.name_native) if found else None


class Entrant(NamedTuple):
    """A chosen member and their rating at the speed (None: unrated)."""

    row: Player
    rating: int | None


class EntrantChoice(NamedTuple):
    """The entrants chosen by lines: members found, lines that mean several, lines that mean nobody.

    `near` are the lines of nobody that are like names of members, with these members.
    """

    entrants: tuple[Entrant, ...]
    doubtful: tuple[tuple[str, tuple[Player, ...]], ...]
    unknown: tuple[str, ...]
    near: tuple[tuple[str, tuple[Player, ...]], ...]


def choose_entrants(
    pool: models.Pool,
    asked: Iterable[str],
    listed: models.RatingList | None,
    speed: str,
    meant: Collection[str] = (),
    *,
    hidden: Collection[str] = frozenset(),
    find_near: Callable[[str], Sequence[str]] = lambda _line: (),
) -> EntrantChoice:
    """The members whom lines of ids or names mean, the highest rating first; a member once.

    `listed` is the list whose ratings are taken (None: nobody has one). Where a line means several, or only
    has members near, those whose ids are in `meant` were chosen; `find_near` gives the ids of members with
    names like a line. The `hidden` are found by their ids alone, and go without a name.
    """
    lines = list(dict.fromkeys(line.strip() for line in asked if line.strip()))[:MOST_ENTRANTS]
    found = _members_named(pool, lines, hidden)
    unknown = [line for line, rows in found.items() if not rows]
    near = _members_near(pool, {line: find_near(line) for line in unknown[:MOST_UNKNOWN]})
    chosen = {line: [row for row in rows if row.player_id in meant] for line, rows in (found | near).items()}
    found = {line: chosen[line] or rows for line, rows in found.items()}
    sure = {rows[0].player_id: rows[0] for rows in found.values() if len(rows) == 1}
    return EntrantChoice(
        _with_ratings(
            [_without_name(row) if row.player_id in hidden else row for row in sure.values()], listed, speed
        ),
        tuple((line, tuple(rows)) for line, rows in found.items() if len(rows) > 1),
        tuple(line for line, rows in found.items() if not rows),
        tuple((line, tuple(rows)) for line, rows in near.items() if not found[line]),
    )


def _members_named(
    pool: models.Pool, lines: Sequence[str], hidden: Collection[str]
) -> dict[str, Sequence[Player]]:
    """The members whose id or name each line is; the hidden by their ids alone."""
    by_id = {row.player_id: row for row in standing_rows(pool, facts.Player).filter(player_id__in=lines)}
    found = {line: [by_id[line]] if line in by_id else members.find_by_name(pool, line) for line in lines}
    return {
        line: [row for row in rows if row.player_id == line or row.player_id not in hidden]
        for line, rows in found.items()
    }


def _members_near(pool: models.Pool, ids: dict[str, Sequence[str]]) -> dict[str, list[Player]]:
    """The members of the ids by line; a line that has none is left out."""
    rows = standing_rows(pool, facts.Player).filter(player_id__in={one for of in ids.values() for one in of})
    members_by_id = {row.player_id: row for row in rows}
    near = {line: [members_by_id[one] for one in of if one in members_by_id] for line, of in ids.items()}
    return {line: members for line, members in near.items() if members}


def _without_name(row: Player) -> Player:
    """A member as who is shown by id only."""
    return Player(pool=row.pool, player_id=row.player_id, name=row.player_id, fide_id="")


def _with_ratings(
    rows: Iterable[Player], listed: models.RatingList | None, speed: str
) -> tuple[Entrant, ...]:
    players = list(rows)
    ids = [row.player_id for row in players]
    of_list = ListRow.objects.filter(list=listed, speed=speed, player_id__in=ids)
    ratings = dict(of_list.values_list("player_id", "rating"))
    entrants = [Entrant(row, ratings.get(row.player_id)) for row in players]
    return tuple(sorted(entrants, key=lambda e: (e.rating is None, -(e.rating or 0), e.row.player_id)))


class StartListOptions(NamedTuple):
    """What a start list is written for: the event's name, the speed, the federation's code (`JPN`).

    `birth_dates`: it has them, where its format does; for officers alone.
    """

    name: str
    speed: str
    federation: str
    birth_dates: bool = True


def write_start_list(
    pool: models.Pool, entrants: Sequence[Entrant], wanted: StartListOptions, kind: str, actor: Actor
) -> bytes:
    """The file, which the journal notes. Raises RefusedError for what its format cannot hold."""
    data = _encode(pool, entrants, wanted, kind)
    has_days = kind == TRF and wanted.birth_dates
    note(actor, WRITE_START_LIST, pool, format=kind, players=len(entrants), birth_dates=has_days)
    return data


def _encode(pool: models.Pool, entrants: Sequence[Entrant], wanted: StartListOptions, kind: str) -> bytes:
    rules = rules_of(pool)
    if kind == TRF:
        report = _report_of(entrants, wanted, is_fide=rules.has_fide_ids)
        return trf_writer.write(report, version=16, federation_code=wanted.federation)
    listed = _rating_list(pool, rules, entrants, wanted)
    if kind == FIDE:
        return b"".join(fide_text.write_txt(fide_players(listed, wanted.federation), wanted.name))
    if kind == SWISS_MANAGER:
        speed = wanted.speed or STANDARD
        return national_list.write(national_players(listed, speed, wanted.federation))
    return list_table.write_csv(listed)


def _report_of(entrants: Sequence[Entrant], wanted: StartListOptions, *, is_fide: bool) -> Report:
    """The event with nobody paired yet; start ranks in the order given.

    In a FIDE pool ids and ratings are FIDE's, in any other they are national ones.
    """
    players = tuple(
        reported_player(
            record_of(row, facts.Player), number, rating, birth_dates=wanted.birth_dates, is_fide=is_fide
        )._replace(federation=wanted.federation)
        for number, (row, rating) in enumerate(entrants, 1)
    )
    return Report(ReportedEvent(wanted.name, federation=wanted.federation), players, ())


def _rating_list(
    pool: models.Pool, rules: Rules, entrants: Sequence[Entrant], wanted: StartListOptions
) -> RatingList:
    names = clubs.names(pool)
    players = tuple(
        ListedPlayer(
            row.player_id,
            (None if rating is None else SpeedRating(rating, 0),),
            row.name,
            row.name_native,
            row.sex,
            names.get(row.club_id, row.club_id),
            facts.fide_number(row, has_fide_ids=rules.has_fide_ids),
        )
        for row, rating in entrants
    )
    return RatingList(pool.name, wanted.name, rules.editions[-1].book.name, (wanted.speed,), players)
