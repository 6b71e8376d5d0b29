"""Two entries of one person are put together under one id, and taken apart again, without losing history.

What the other entry has (memberships, games) is struck and added again under the kept id, with the day of
the merge, so that lists too old to be corrected stay as they are. What the kept entry does not say (club,
birth date, FIDE id) it takes over from the other. The rows struck and added for a merge are those of its
entry; taking it apart strikes and adds them back. Starting ratings carry no day: they go with the entry
while nothing is published, and stay where they are from then on.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from banzuke.core import facts
from banzuke.database import models
from banzuke.database.book_reader import MODELS
from banzuke.database.book_writer import Act, add_facts, new_entry
from banzuke.office import player_search
from banzuke.office.erased_ids import is_erased
from banzuke.office.fact_rows import (
    TABLES,
    last_struck,
    record_of,
    replace,
    replace_all,
    standing_rows,
    strike_all,
    with_day,
    with_values,
)
from banzuke.office.journal import Actor, note
from banzuke.office.lists.coming_list import day_of_change
from banzuke.office.merged_ids import standing_merges
from banzuke.office.register import members

MERGE, UNMERGE = "merge", "unmerge"
#: The tables whose rows a merge moves.
MOVED_RECORDS: tuple[Any, ...] = (facts.Player, facts.Membership, facts.Game, facts.Bye, facts.Opening)
#: What a kept entry takes over where it is blank.
CARRIED = (
    *("name_native", "birth_date", "sex", "club_id", "fide_id"),
    *("fide_standard", "fide_rapid", "fide_blitz"),
    "title",
)
#: Why two entries cannot be one person's, or a merge cannot be undone.
SAME, EACH_OTHER, SAME_ROUND, OPENING, GONE = "same", "each-other", "same-round", "opening", "gone"
NOT_MERGED, CHANGED_SINCE, PUBLISHED_SINCE = "not-merged", "changed-since", "published-since"
ERASED = "erased"


class Obstacle(NamedTuple):
    """Why it cannot be done: a word (`SAME_ROUND`), and the event and round where that says where."""

    code: str
    event_id: str = ""
    round: int = 0


class MergeError(Exception):
    """A merge, or its undoing, that cannot be."""

    def __init__(self, obstacles: list[Obstacle]) -> None:
        super().__init__(", ".join(obstacle.code for obstacle in obstacles))
        self.obstacles = obstacles


class MergeExtent(NamedTuple):
    """What a merge would move to the kept id."""

    memberships: int
    games: int
    events: int


def obstacles(pool: models.Pool, kept: str, merged: str) -> list[Obstacle]:
    """Why the two cannot be one person; nothing where they can be."""
    if kept == merged:
        return [Obstacle(SAME)]
    if is_erased(pool, kept) or is_erased(pool, merged):
        return [Obstacle(ERASED)]
    found = [Obstacle(OPENING)] if pool.lists.exists() and _opens_only_with(pool, merged, kept) else []
    seats: dict[tuple[str, int], set[str]] = defaultdict(set)
    for game in games_of(pool, kept, merged):
        if {game.white, game.black} == {kept, merged}:
            found.append(Obstacle(EACH_OTHER, game.event_id, game.round))
        else:
            seats[game.event_id, game.round].add(kept if kept in (game.white, game.black) else merged)
    found += [Obstacle(SAME_ROUND, *seat) for seat, who in seats.items() if len(who) > 1]
    return found + [Obstacle(GONE, *place) for place in _games_with_struck_players(pool, merged)]


def _games_with_struck_players(pool: models.Pool, merged: str) -> list[tuple[str, int]]:
    """Event and round of games that would move and whose other player was struck: none may name them anew."""
    games = list(_moving_games(pool, merged))
    gone = _struck_players(pool, games)
    return [(game.event_id, game.round) for game in games if {game.white, game.black} & gone]


def _struck_players(pool: models.Pool, games: Iterable[models.Game]) -> set[str]:
    """The players of those games who stand in the register no more."""
    players = {player for game in games for player in (game.white, game.black)}
    rows = standing_rows(pool, facts.Player).filter(player_id__in=players)
    return players - set(rows.values_list("player_id", flat=True))


def _opens_only_with(pool: models.Pool, merged: str, kept: str) -> bool:
    """Whether the pool opens with a rating of the one and none of the other: that one is to be kept."""
    return _openings(pool, merged).exists() and not _openings(pool, kept).exists()


def _openings(pool: models.Pool, player_id: str) -> QuerySet[models.Opening]:
    rows: QuerySet[models.Opening] = standing_rows(pool, facts.Opening)
    return rows.filter(player_id=player_id)


def games_of(pool: models.Pool, *player_ids: str) -> QuerySet[models.Game]:
    """The standing games of those players."""
    rows: QuerySet[models.Game] = standing_rows(pool, facts.Game)
    return rows.filter(Q(white__in=player_ids) | Q(black__in=player_ids))


def _moving_games(pool: models.Pool, merged: str) -> QuerySet[models.Game]:
    """The games that a merge moves: those of events that stand."""
    return games_of(pool, merged).filter(
        event_id__in=standing_rows(pool, facts.Event).order_by().values("event_id")
    )


def _moving_byes(pool: models.Pool, merged: str) -> QuerySet[models.Bye]:
    """The byes that a merge moves: those of events that stand."""
    rows: QuerySet[models.Bye] = standing_rows(pool, facts.Bye).filter(player_id=merged)
    return rows.filter(event_id__in=standing_rows(pool, facts.Event).order_by().values("event_id"))


def _moving_memberships(pool: models.Pool, merged: str) -> QuerySet[models.Membership]:
    """The memberships that a merge moves: annual ones, and those of events that stand."""
    rows = members.memberships(pool, merged).order_by("pk")
    return rows.filter(
        Q(event_id="") | Q(event_id__in=standing_rows(pool, facts.Event).order_by().values("event_id"))
    )


def merge_extent(pool: models.Pool, merged: str) -> MergeExtent:
    """What a merge would move."""
    games = _moving_games(pool, merged)
    events = games.order_by().values("event_id").distinct().count()
    return MergeExtent(_moving_memberships(pool, merged).count(), games.count(), events)


def merge(pool: models.Pool, kept: str, merged: str, actor: Actor, why: str, today: date) -> models.Merge:
    """Put two entries together under the id `kept`. Raises UnknownMemberError, and MergeError.

    Games and memberships of an event that was struck stay under the old id: they count nowhere.
    """
    with new_entry(pool, Act(actor.name, MERGE, why)) as entry:
        members.find(pool, kept)
        row, day = members.find(pool, merged), day_of_change(pool, today)
        found = obstacles(pool, kept, merged)
        if found:
            raise MergeError(found)
        strike_all(entry, facts.Player, [row], max(day, today, _last_day_named(pool, merged)))
        _fill_up(entry, members.find(pool, kept), row, day)
        _move(entry, facts.Membership, _moving_memberships(pool, merged), (merged, kept), day)
        _move(entry, facts.Game, _moving_games(pool, merged), (merged, kept), day)
        _move(entry, facts.Bye, _moving_byes(pool, merged), (merged, kept), day)
        _move_openings(entry, kept, merged)
        _move_seeds(entry, kept, merged)
        contacts = zip(members.contact_of(pool, kept), members.contact_of(pool, merged), strict=True)
        both = members.ContactDetails._make(own or other for own, other in contacts)
        members.store_contact(entry, kept, both)
        made = models.Merge.objects.create(entry=entry, pool=pool, kept=kept, merged=merged)
        note(actor, MERGE, pool, member=kept, merged=merged, why=why, entry=entry.pk)
    return made


def fields_carried_over(kept: models.Player, merged: models.Player) -> dict[str, Any]:
    """What the kept entry would take over of the other, by field: what it does not say itself."""
    own, other = record_of(kept, facts.Player), record_of(merged, facts.Player)
    named = ((name, getattr(other, name)) for name in CARRIED if getattr(own, name) in ("", None))
    found = {name: value for name, value in named if value not in ("", None)}
    if "title" in found:
        found["title_from"] = other.title_from
    more = {name: cell for name, cell in other.more.items() if own.more.get(name) is None}
    return found | ({"more": facts.More({**own.more, **more})} if more else {})


def _fill_up(entry: models.Entry, kept: models.Player, merged: models.Player, day: date) -> None:
    found = fields_carried_over(kept, merged)
    if found:
        replace(entry, kept, with_values(record_of(kept, facts.Player), **found), day)


def fuller_entry(pool: models.Pool, one: str, other: str) -> str:
    """Of two entries the one to keep: a starting rating, games, memberships and what is known of it count."""
    return max((one, other), key=lambda player_id: _fullness(pool, player_id))


def _fullness(pool: models.Pool, player_id: str) -> tuple[int, ...]:
    row, extent = record_of(members.find(pool, player_id), facts.Player), merge_extent(pool, player_id)
    known = sum(getattr(row, name) not in ("", None) for name in CARRIED)
    return _openings(pool, player_id).count(), extent.games, extent.memberships, known


def _move_openings(entry: models.Entry, kept: str, merged: str) -> None:
    """Starting ratings go to the kept id at the speeds at which it has none; no two of one person stand."""
    if entry.pool.lists.exists():
        return
    speeds = set(_openings(entry.pool, kept).values_list("speed", flat=True))
    rows = list(_openings(entry.pool, merged))
    strike_all(entry, facts.Opening, [row for row in rows if row.speed in speeds], date.min)
    moving = [row for row in rows if row.speed not in speeds]
    _move(entry, facts.Opening, moving, (merged, kept), date.min)


def _last_day_named(pool: models.Pool, player_id: str) -> date:
    """The last day to which rows that were struck name somebody: until then they have to be there."""
    of_games = Q(white=player_id) | Q(black=player_id)
    return last_struck(pool, {facts.Membership: Q(player_id=player_id), facts.Game: of_games})


def _move(entry: models.Entry, record: Any, rows: Iterable[Any], ids: tuple[str, str], day: date) -> None:
    """The rows under another id: of `ids`, the one they have and the one they get."""
    olds = [(row, record_of(row, record)) for row in rows]
    old_id, new_id = ids
    names = [name for name in ("player_id", "white", "black") if name in record._fields]
    pairs = [
        (row, old._replace(**{name: new_id for name in names if getattr(old, name) == old_id}))
        for row, old in olds
    ]
    replace_all(entry, record, pairs, day)


def unmerge(pool: models.Pool, kept: str, merged: str, actor: Actor, why: str, today: date) -> None:
    """Take two entries apart again: what the merge added is struck, what it struck is added again.

    Raises MergeError where they are not merged, where a moved row was changed since, and where starting
    ratings were moved and lists were published since.
    """
    with new_entry(pool, Act(actor.name, UNMERGE, why)) as entry:
        made = next((m for m in standing_merges(pool, kept) if (m.kept, m.merged) == (kept, merged)), None)
        if made is None:
            raise MergeError([Obstacle(NOT_MERGED)])
        found = unmerge_obstacle(made)
        if found is not None:
            raise MergeError([found])
        day = day_of_change(pool, today)
        for record in MOVED_RECORDS:
            _move_back(entry, made, record, day)
        _move_seeds_back(entry, made)
        _take_back_contact(entry, made)
        models.Merge.objects.create(entry=entry, pool=pool, kept=kept, merged=merged, undone=True)
        player_search.index_anew(pool, kept)
        note(actor, UNMERGE, pool, member=kept, merged=merged, why=why, entry=entry.pk)


def unmerge_obstacle(made: models.Merge) -> Obstacle | None:
    """Why a merge that stands cannot be taken back any more; None where it can."""
    if is_erased(made.pool, made.kept):
        return Obstacle(ERASED)
    for record in MOVED_RECORDS:
        if (
            record is not facts.Player
            and len(_rows_added(made, record)) != _all_rows_added(made, record).count()
        ):
            return Obstacle(CHANGED_SINCE)
    if _struck_players(made.pool, _struck(made, facts.Game)) - {made.merged}:
        return Obstacle(CHANGED_SINCE)
    is_used = made.pool.lists.exists() and _struck(made, facts.Opening)
    return Obstacle(PUBLISHED_SINCE) if is_used else None


def _all_rows_added(made: models.Merge, record: Any) -> QuerySet[Any]:
    rows: QuerySet[Any] = QuerySet(MODELS[record])
    return rows.filter(entry=made.entry_id)


def _rows_added(made: models.Merge, record: Any) -> list[Any]:
    """The rows that the merge added and that stand."""
    return list(standing_rows(made.pool, record).filter(entry=made.entry_id))


def _days_struck(made: models.Merge, record: Any) -> dict[int, date]:
    """The days of the merge's strikes, by the row's number."""
    strikes = models.Strike.objects.filter(entry=made.entry_id, table=TABLES[record].name)
    return dict(strikes.values_list("row", "day"))


def _struck(made: models.Merge, record: Any) -> list[Any]:
    """The rows that the merge struck."""
    rows: QuerySet[Any] = QuerySet(MODELS[record])
    return list(rows.filter(pk__in=_days_struck(made, record)).order_by("pk"))


def _move_back(entry: models.Entry, made: models.Merge, record: Any, day: date) -> None:
    """What the merge added goes, what it struck comes back; but a kept entry that was changed since stays."""
    added, days, struck = _rows_added(made, record), _days_struck(made, record), _struck(made, record)
    if record is facts.Player and not added:
        struck = [row for row in struck if row.player_id != made.kept]
    strike_all(entry, record, added, day)
    again = [with_day(record_of(row, record), max(day, days[row.pk])) for row in struck]
    add_facts(entry, TABLES[record], again)


def _take_back_contact(entry: models.Entry, made: models.Merge) -> None:
    """What the merge filled up of the kept entry's contact goes, unless somebody has written it anew."""
    said = models.Contact.objects.filter(pool=entry.pool, player_id=made.kept).order_by("pk")
    last = said.last()
    if last is None or last.entry_id != made.entry_id:
        return
    before = said.exclude(pk=last.pk).last() or models.Contact()
    members.store_contact(entry, made.kept, members.details_of(before))


def _move_seeds(entry: models.Entry, kept: str, merged: str) -> None:
    """The kept entry is seeded past what the other was; where both were, as it was itself."""
    of_kept, of_merged = seeds_of(entry.pool, kept), seeds_of(entry.pool, merged)
    for event_id, kind in of_merged.items():
        if event_id not in of_kept:
            _note_seed(entry, event_id, kept, kind)
        _note_seed(entry, event_id, merged, "")


def _move_seeds_back(entry: models.Entry, made: models.Merge) -> None:
    """What a merge moved goes back, unless somebody has said otherwise of it since."""
    for row in models.Seed.objects.filter(entry=made.entry_id).order_by("pk"):
        said = models.Seed.objects.filter(pool=entry.pool, event_id=row.event_id, player_id=row.player_id)
        if said.latest("pk") == row:
            before = said.exclude(pk=row.pk).order_by("pk").last()
            _note_seed(entry, row.event_id, row.player_id, before.kind if before else "")


def seeds_of(pool: models.Pool, player_id: str) -> dict[str, str]:
    """The kind of seed by the events that a player is seeded past."""
    said = models.Seed.objects.filter(pool=pool, player_id=player_id).order_by("pk")
    last = dict(said.values_list("event_id", "kind"))
    return {event_id: kind for event_id, kind in last.items() if kind}


def _note_seed(entry: models.Entry, event_id: str, player_id: str, kind: str) -> None:
    models.Seed.objects.create(
        entry=entry, pool=entry.pool, event_id=event_id, player_id=player_id, kind=kind
    )
