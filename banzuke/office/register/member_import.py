"""Registers of members sent as files, and first FIDE ratings, taken over once somebody has looked."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import UTC, date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from django.db import transaction

from banzuke.core import facts
from banzuke.core.fault import refuse_any
from banzuke.database import models
from banzuke.database.book_reader import last_entry, read_register
from banzuke.database.book_writer import Act, add_facts, new_entry
from banzuke.database.models import Game, Pool
from banzuke.database.models.facts import CHARS
from banzuke.exchange.fide_lookup import RatingMatch, compare_ratings, find_ids
from banzuke.exchange.register_import import Plan, Register, changed_fields, plan_for_ledger
from banzuke.formats.fide.fide_player import FidePlayer, Speed
from banzuke.formats.member_register import FIELDS, STRUCK, read, read_examples, read_headings
from banzuke.formats.rating_columns import read_ratings
from banzuke.ledger.records import Rows
from banzuke.office.bounded_reading import SMALL, Limits, read_bounded, read_with_progress
from banzuke.office.erased_ids import erased_ids
from banzuke.office.fact_rows import TABLES, record_of, replace_all, standing_rows
from banzuke.office.journal import Actor, note
from banzuke.office.lists.coming_list import day_of_addition, day_of_change
from banzuke.office.refusals import NoFileError, OutdatedError
from banzuke.office.register import starting_ratings
from banzuke.office.register.table_columns import EVERY_GAMES, check_columns, known_columns, ratings_of

SEND, TAKE_OVER, PUT_AWAY = "send-register", "import-members", "put-away-register"
#: The largest file that is looked at: 20,000 members take 2 MB.
MOST_BYTES = 20 * 1024 * 1024
#: So many cells of a column are shown where it is asked what it is.
MOST_EXAMPLES = 3
TAKE_OVER_FIDE = "take-fide-ratings"
#: A list of FIDE's: within a request, and all of it (1.9 million players, 500 MB) on a slow machine.
FIDE_BY_PAGE, FIDE_BY_WORKER = Limits(20, 512), Limits(900, 512)
_FROM_FIDE = ("fide_standard", "fide_rapid", "fide_blitz", "title", "title_from")


class Preview(NamedTuple):
    """What a register would do, the headings not read, and the book's position it was planned for.

    `ratings` is what it would do to the starting ratings (None: it has none); `published` is the first list
    where one is published, after which they are not taken.
    """

    plan: Plan
    unread: tuple[str, ...]
    position: int
    ratings: starting_ratings.Plan | None = None
    published: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to be written."""
        return self.plan.is_empty and (self.ratings is None or self.ratings.is_empty)


def store_file(pool: models.Pool, name: str, data: bytes, actor: Actor) -> models.RegisterFile:
    """Keep a register until it is taken over; its columns are those said for the same headings before.

    Raises RefusedError for a file in which no headings are found, or far too many that are not known.
    """
    found = read_bounded(SMALL, read_headings, data, name)
    check_columns(pool, name, found)
    with transaction.atomic():
        note(actor, SEND, pool, file=name[:CHARS])
        return models.RegisterFile.objects.create(
            pool=pool,
            at=datetime.now(UTC),
            author=actor.name,
            name=name[:CHARS],
            data=data,
            headings=found,
            columns=known_columns(pool, found),
        )


def set_columns(sent: models.RegisterFile, columns: Mapping[str, str], valid_from: date | None) -> None:
    """Which heading each field has, and the first day of memberships of which only the last is said."""
    sent.columns, sent.valid_from = dict(columns), valid_from
    sent.save(update_fields=["columns", "valid_from"])


def reading_of(sent: models.RegisterFile) -> str:
    """A mark of how the register is read: another one once somebody says something else of its columns."""
    said = json.dumps([sent.columns, str(sent.valid_from)], sort_keys=True)
    return sha256(said.encode()).hexdigest()


def preview(sent: models.RegisterFile) -> Preview:
    """What the register would do; nothing is written.

    Raises RefusedError with the register's faults, NoFileError where it was taken over or put away.
    """
    register, position = _register(sent), last_entry(sent.pool)
    plan = plan_for_ledger(read_register(sent.pool, position), register)
    unread = [name for name in register.headings if name and name not in (sent.columns or {}).values()]
    seen = Preview(plan, tuple(unread), position)
    rows = _ratings(sent)
    if rows is None:
        return seen
    if published := starting_ratings.first_published(sent.pool):
        return seen._replace(published=published)
    return seen._replace(ratings=starting_ratings.plan(sent.pool, rows, plan.added))


def examples(sent: models.RegisterFile) -> dict[str, list[str]]:
    """What stands under each heading at first. Raises RefusedError, NoFileError."""
    if sent.data is None:
        raise NoFileError
    return read_bounded(SMALL, read_examples, bytes(sent.data), sent.name, MOST_EXAMPLES)


def _ratings(sent: models.RegisterFile) -> Rows | None:
    """The starting ratings that the register has; None where no column is one. Raises as `preview`."""
    said = sent.columns or {}
    wanted = {field: heading for field, heading in said.items() if field in ratings_of(sent.pool)}
    if sent.data is None or not any(field.endswith("rating") for field in wanted):
        return None
    columns = {"id": said["id"], **wanted}
    sheet = read_bounded(SMALL, read_ratings, bytes(sent.data), sent.name, columns)
    return starting_ratings.rows_of_sheet(sent.pool, sent.name, sheet, said.get(EVERY_GAMES, ""))


def _register(sent: models.RegisterFile) -> Register:
    if sent.data is None or sent.columns is None:
        raise NoFileError
    columns = {field: sent.columns[field] for field in (*FIELDS, STRUCK) if field in sent.columns}
    members, faults = read_bounded(SMALL, read, bytes(sent.data), sent.name, columns)
    refuse_any(faults)
    return Register(sent.name, sent.headings, columns, members, sent.valid_from)


def take_over(sent: models.RegisterFile, position: int, actor: Actor, today: date) -> Preview:
    """Do what was planned for that position of the book, all of it or nothing.

    Raises OutdatedError where the book has moved on, and what `preview` raises.
    """
    seen = preview(sent)
    if seen.position != position:
        raise OutdatedError
    with new_entry(sent.pool, Act(actor.name, TAKE_OVER, sent.name)) as entry:
        if sent.pool.entries.exclude(pk=entry.pk).latest("pk").pk != position:
            raise OutdatedError
        _carry_out(entry, seen.plan, today)
        rows = None if seen.ratings is None or seen.ratings.is_empty else _ratings(sent)
        if rows is not None:
            starting_ratings.enter_with(entry, rows, actor)
        _drop(sent)
        counts = {name: len(getattr(seen.plan, name)) for name in ("added", "changes", "memberships")}
        note(actor, TAKE_OVER, sent.pool, file=sent.name, entry=entry.pk, **counts)
    return seen


def discard_file(sent: models.RegisterFile, actor: Actor) -> None:
    """Drop a file that is not taken over; what its columns are stays known."""
    with transaction.atomic():
        _drop(sent)
        note(actor, PUT_AWAY, sent.pool, file=sent.name)


def _drop(sent: models.RegisterFile) -> None:
    sent.data = None
    sent.save(update_fields=["data"])


def _carry_out(entry: models.Entry, plan: Plan, today: date) -> None:
    pool, erased = entry.pool, erased_ids(entry.pool)
    changes = {player: fields for player, fields in changed_fields(plan).items() if player not in erased}
    changed = [
        (row, record_of(row, facts.Player)._replace(**changes[row.player_id]))
        for row in standing_rows(pool, facts.Player).iterator()
        if row.player_id in changes
    ]
    replace_all(entry, facts.Player, changed, day_of_change(pool, today))
    add_facts(entry, TABLES[facts.Player], plan.added)
    starts = {row.valid_from for row in plan.memberships}
    days = {start: day_of_addition(pool, start, today) for start in starts}
    coming = (row for row in plan.memberships if row.player_id not in erased)
    added = [row._replace(added=days[row.valid_from]) for row in coming]
    add_facts(entry, TABLES[facts.Membership], added)


class TakeOverCount(NamedTuple):
    """How many members got ratings, were changed since the comparison and got none, got a title alone."""

    taken: int
    changed_since: int
    titled: int = 0


def compare_with_fide_list(
    pool: Pool,
    path: Path,
    speed: Speed | None,
    progress: Callable[[int, int, str], None],
    *,
    in_request: bool = False,
) -> dict[str, Any]:
    """What a list says of the members, as plain JSON; nothing is written.

    `taken` are those who would get first FIDE ratings, `doubtful` those whose FIDE id has another's name in
    the list, `titled` those who would get a title alone; `unrated`, `missing` and `left` are counted.
    Raises RefusedError for a list with faults.
    """
    limits = FIDE_BY_PAGE if in_request else FIDE_BY_WORKER

    def look_up(ids: Collection[str]) -> dict[str, FidePlayer]:
        return read_with_progress(limits, progress, find_ids, path, ids, speed)

    found = compare_ratings(read_register(pool), look_up)
    numbers = dict(standing_rows(pool, facts.Player).values_list("player_id", "pk"))
    playing = _players_with_games(pool) if found.taken or found.doubtful else set[str]()
    return {
        "taken": [_to_json(taken, numbers, playing) for taken in found.taken],
        "doubtful": [_to_json(taken, numbers, playing) for taken in found.doubtful],
        "titled": [_to_json(one, numbers, playing) | {"title_only": True} for one in found.titled],
        "unrated": len(found.unrated),
        "missing": len(found.missing),
        "left": len(found.left),
    }


def _players_with_games(pool: Pool) -> set[str]:
    games = Game.objects.filter(pool=pool).order_by()
    return {player for side in ("white", "black") for player in games.values_list(side, flat=True).distinct()}


def _to_json(taken: RatingMatch, numbers: dict[str, int], playing: Collection[str]) -> dict[str, Any]:
    player, listed = taken.player, taken.listed
    return {
        "row": numbers[player.player_id],
        "player_id": player.player_id,
        "name": player.name,
        "fide_id": listed.fide_id,
        "listed": listed.name,
        **{name: getattr(player, name) for name in _FROM_FIDE},
        "has_games": player.player_id in playing,
    }


def take_over_fide_ratings(
    pool: Pool, wanted: Iterable[dict[str, Any]], actor: Actor, today: date
) -> TakeOverCount:
    """Give members what `compare_with_fide_list` says of them; who was changed since is left as they are."""
    wanted = list(wanted)
    titles = {row["row"] for row in wanted if row.get("title_only")}
    ratings = {row["row"]: {name: row[name] for name in _FROM_FIDE if name in row} for row in wanted}
    with new_entry(pool, Act(actor.name, TAKE_OVER_FIDE)) as entry:
        rows = [row for row in standing_rows(pool, facts.Player).iterator() if row.pk in ratings]
        pairs = [(row, record_of(row, facts.Player)._replace(**ratings[row.pk])) for row in rows]
        if pairs:
            replace_all(entry, facts.Player, pairs, day_of_change(pool, today))
            note(actor, TAKE_OVER_FIDE, pool, changed=len(pairs), entry=entry.pk)
        else:
            transaction.set_rollback(True)
    titled = sum(row.pk in titles for row, _ in pairs)
    return TakeOverCount(len(pairs) - titled, len(ratings) - len(pairs), titled)
