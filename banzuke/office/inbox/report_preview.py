"""What a report would change: every player of it before and after, in the list that takes it.

A preview need not rate a whole history again. In a pool with windows, each list of which is rated on the one
before, the standings after the last published list are kept from the first preview on. They are used only
while nothing that was entered since, nor the report, can change a list up to that one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, datetime
from typing import Any, NamedTuple

from django.db.models import Q

from banzuke.core import facts
from banzuke.core.calendar import DAY
from banzuke.core.decimals import decimal
from banzuke.core.gc_pause import uncollected
from banzuke.core.go_facts import GoLine
from banzuke.core.rating import UNRATED, Line, Standings
from banzuke.core.rulebook import ChessBook
from banzuke.database import models
from banzuke.database.book_reader import read_book, read_table
from banzuke.engine.history import RatedList, history_after, list_names
from banzuke.ledger.folder import ChessLedger
from banzuke.ledger.pool_rules import Pool as Rules
from banzuke.ledger.records import by_event
from banzuke.office.fact_rows import TABLES
from banzuke.office.inbox.review import register_of, review_report
from banzuke.office.inbox.review_findings import COMING, FROZEN, Review, ledger_with_report
from banzuke.office.lists.fast_forward import rated_after
from banzuke.office.lists.list_index import latest_list
from banzuke.office.public_names import Person, by_id_only, people, person

#: A player and a speed.
PlayerSpeed = tuple[str, str]
#: The standings of so many pools are kept in memory, and of none with more players.
MOST_POOLS, MOST_PLAYERS = 4, 200_000


class Change(NamedTuple):
    """A player of the report: the rating (Go: rank) before and after the list, and what its games change.

    The name is the id for whoever is shown by id only: the club need not know who that is. `games` are those
    of the report that count.
    """

    player_id: str
    name: str
    speed: str
    before: str
    after: str
    own: str
    games: int
    name_native: str = ""


class Preview(NamedTuple):
    """The list that takes the report (of several events: each its own), and the changes in it."""

    name: str
    changes: list[Change]
    verdicts: list[tuple[str, str, int]]


@uncollected()
def preview(report: models.Report, today: date) -> list[Preview]:
    """What would change if the report were entered today, by rating the lists with it; writes nothing.

    Nothing while something of the report is open, or where it comes into no list any more.
    """
    review = review_report(report, today)
    if not review.is_ready:
        return []
    if review.rules.is_go:
        return _preview_games(report.pool, review)
    pool, since = report.pool, find_cached_standings(report.pool, review)
    book: Any = ledger_since(pool, review.position, since) if since else read_book(pool, review.position)
    ledger = ledger_with_report(book, review)
    placements = [event.placement for event in review.events if event.placement]
    wanted = {placement.list for placement in placements if placement.kind != FROZEN}
    if not wanted:
        return []
    lists = history_since(ledger, since, wanted) if since else _rate_book(pool, ledger, review, wanted)
    hidden = by_id_only(pool)
    names = {
        each.player_id: person(each.player_id, each.name, each.name_native, hidden) for each in ledger.players
    }
    return [_preview_list(rated, names, review) for rated in lists if rated.batch.name in wanted]


def _rate_book(
    pool: models.Pool, ledger: ChessLedger, review: Review, wanted: set[str]
) -> Iterator[RatedList]:
    """Rate the lists up to the last that is wanted; the standings after the last published one are kept.

    The first ones may be missing, up to those.
    """
    names, last = list_names(ledger, None), latest_list(pool)
    needed = wanted | ({last.name} if last else set())
    places = [place for place, name in enumerate(names) if name in needed]
    until = max(map(names.index, wanted)) + 1
    for rated in rated_after(ledger, names[:until], min(places)):
        cache_standings(pool, review, rated)
        yield rated


def _preview_list(rated: RatedList, names: dict[str, Person], review: Review) -> Preview:
    own = {event.event.event_id for event in review.events if event.event}
    lines = [(of.speed, line) for of in rated.outcome.events if of.event.event_id in own for line in of.lines]
    changes = [
        Change(
            player,
            names[player].name or player,
            speed,
            *_ratings(rated, speed, player),
            decimal(total),
            games,
            names[player].name_native,
        )
        for (player, speed), (total, games) in _sum_up(
            ((line.player, speed), line.change) for speed, line in lines
        )
    ]
    return Preview(rated.batch.name, changes, _count_verdicts(line for _, line in lines))


def _preview_games(pool: models.Pool, review: Review) -> list[Preview]:
    """Every player of the report's games of Go before the first and after the last of them."""
    if not review.new_games or review.placement is None:
        return []
    lines = [line for game in review.new_games for line in (game.black, game.white)]
    first = {line.player: line.before.rank for line in reversed(lines)}
    last = {line.player: line.after.rank for line in lines}
    names = {player: known.name or player for player, known in people(pool, first).items()}
    changes = [
        Change(player, names[player], "", first[player], last[player], str(total), games)
        for (player, _), (total, games) in _sum_up(((line.player, ""), line.points) for line in lines)
    ]
    return [Preview(review.placement.list, changes, _count_verdicts(lines))]


def _sum_up(moves: Iterable[tuple[PlayerSpeed, int | None]]) -> list[tuple[PlayerSpeed, tuple[int, int]]]:
    """For each player and speed, in order, what the lines move in all and how many of them count."""
    found: dict[PlayerSpeed, tuple[int, int]] = {}
    for seat, change in moves:
        total, games = found.get(seat, (0, 0))
        found[seat] = total + (change or 0), games + (change is not None)
    return sorted(found.items())


def _count_verdicts(lines: Iterable[Line | GoLine]) -> list[tuple[str, str, int]]:
    """How many lines have each verdict by each clause, the most frequent first."""
    verdicts = Counter((line.verdict, line.clause) for line in lines)
    return [(*why, count) for why, count in verdicts.most_common()]


def _ratings(rated: RatedList, speed: str, player: str) -> tuple[str, str]:
    """The ratings before and after the list; blank for none."""
    before = rated.before.get(speed, {}).get(player, UNRATED).value
    after = rated.outcome.standings.of(speed, player).value
    return "" if before is None else str(before), "" if after is None else str(after)


class CachedStandings(NamedTuple):
    """The standings after a published list and the last day of its window.

    They were made from the book as of an entry (its number and its time).
    """

    list: str
    closes: date
    entry: int
    at: datetime
    standings: Standings


_cache: dict[int, CachedStandings] = {}


def cache_standings(pool: models.Pool, review: Review, rated: RatedList) -> None:
    """Keep the standings after a list that was rated with a report, if it is the last published one."""
    last = latest_list(pool)
    standings = rated.outcome.standings
    if last is None or last.name != rated.batch.name or not _is_later(review, rated.batch.closes):
        return
    if sum(map(len, standings.ratings.values())) <= MOST_PLAYERS:
        while len(_cache) >= MOST_POOLS:
            _cache.pop(next(iter(_cache)), None)
        entry = models.Entry.objects.get(pk=review.position)
        _cache[pool.pk] = CachedStandings(last.name, rated.batch.closes, entry.pk, entry.at, standings)


def find_cached_standings(pool: models.Pool, review: Review) -> CachedStandings | None:
    """The standings after the last published list, if what was entered since leaves them as they are."""
    found, last = _cache.get(pool.pk), latest_list(pool)
    if found is None or last is None or last.name != found.list:
        return None
    is_of_book = pool.entries.filter(pk=found.entry, at=found.at).exists()
    is_good = is_of_book and _is_later(review, found.closes) and not _may_have_changed(pool, found, review)
    return found if is_good else None


def _is_later(review: Review, closes: date) -> bool:
    """Whether a report says nothing of the lists up to one that closed on that day."""
    events = all(each.placement is None or each.placement.kind == COMING for each in review.events)
    joined = all(each.added is None and each.valid_from > closes for each in review.memberships)
    return _follows_last(review.rules) and events and joined


def _follows_last(rules: Rules) -> bool:
    """Whether every list is rated on nothing but the list before it and its own window."""
    books = (edition.book for edition in rules.editions)
    on_last = all(isinstance(book, ChessBook) and not book.rates_on_list_in_force for book in books)
    return on_last and not rules.schedule.is_by_event


def _may_have_changed(pool: models.Pool, since: CachedStandings, review: Review) -> bool:
    """Whether anything entered since may change the list: struck, of its time, or known before."""
    new = {"pool": pool, "entry_id__gt": since.entry}
    events, column = models.Event.objects.filter(pool=pool), review.rules.schedule.column
    later = events.filter(**{f"{column}__gt": since.closes})
    of_before = Q(**{f"{column}__lte": since.closes})
    ids = [each.event.event_id for each in review.events if each.event]
    is_anew = Q(event_id__in=later.values("event_id")) | Q(event_id__in=ids)
    known = models.Player.objects.filter(pool=pool, entry_id__lte=since.entry).values("player_id")
    changing = (
        models.Strike.objects.filter(**new),
        models.PoolFile.objects.filter(entry__pool=pool, entry_id__gt=since.entry),
        models.Opening.objects.filter(**new),
        models.Adjustment.objects.filter(**new),
        models.Player.objects.filter(**new, player_id__in=known),
        models.Membership.objects.filter(Q(added__isnull=False) | Q(valid_from__lte=since.closes), **new),
        models.Game.objects.filter(**new).exclude(event_id__in=later.values("event_id")),
        events.filter(is_anew, of_before),
        events.filter(of_before, entry_id__gt=since.entry),
    )
    return any(rows.exists() for rows in changing)


def ledger_since(pool: models.Pool, position: int, since: CachedStandings) -> ChessLedger:
    """The pool's ledger as of an entry, of its events only those after the published list."""
    register = register_of(pool, position)
    is_later = Q(**{f"{register.pool.schedule.column}__gt": since.closes})
    later = models.Event.objects.filter(is_later, pool=pool).values("event_id")
    events = read_table(pool, TABLES[facts.Event], position, is_later)
    games = read_table(pool, TABLES[facts.Game], position, Q(event_id__in=later))
    adjustments = read_table(pool, TABLES[facts.Adjustment], position)
    return replace(register, events=events, games=by_event(games), adjustments=adjustments)


def history_since(ledger: ChessLedger, since: CachedStandings, wanted: Iterable[str]) -> Iterator[RatedList]:
    """The lists after the published one up to the last of those names."""
    schedule = ledger.pool.schedule
    last = max(map(schedule.window_named, wanted), key=lambda window: window.closes)
    windows = schedule.windows(schedule.window_on(since.closes + DAY), last)
    return history_after(ledger, [window.name for window in windows], since.standings, since.closes)
