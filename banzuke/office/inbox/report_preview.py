"""What a report would change: every player of it before and after, in the list that takes it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from banzuke.core.decimals import decimal
from banzuke.core.gc_pause import uncollected
from banzuke.core.rating import UNRATED
from banzuke.database.book_reader import read_book
from banzuke.engine.history import list_names
from banzuke.office.inbox.list_placement import FROZEN
from banzuke.office.inbox.review import review
from banzuke.office.inbox.review_findings import ledger_with
from banzuke.office.inbox.standings_cache import find_standings, history_since, ledger_since, store_standings
from banzuke.office.lists.fast_forward import rated_after
from banzuke.office.lists.list_index import latest
from banzuke.office.public_names import by_id_only, people

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from banzuke.core.go_facts import GoLine
    from banzuke.core.rating import Line
    from banzuke.database.models import Pool, Report
    from banzuke.engine.history import RatedList
    from banzuke.ledger.folder import ChessLedger
    from banzuke.office.inbox.review_findings import Review

Who = TypeVar("Who")


class Change(NamedTuple):
    """A player of the report: his rating before and after the list, and what the report's games change of it.

    Who is shown by id only has his id for a name: a club that reports a game of his need not know who he is.
    For Go, ranks; `games` are those of the report that count.
    """

    player_id: str
    name: str
    speed: str
    before: str
    after: str
    own: str
    games: int


class Preview(NamedTuple):
    """The list that takes the report (of several events: each its own), and the changes in it."""

    name: str
    changes: list[Change]
    verdicts: list[tuple[str, str, int]]


@uncollected()
def preview(report: Report, today: date) -> list[Preview]:
    """What would change if the report were entered today, by rating the lists with it; writes nothing.

    Nothing while something of the report is open, or where it comes into no list any more.
    """
    examined = review(report, today)
    if not examined.is_ready:
        return []
    if examined.rules.is_go:
        return _of_games(report.pool, examined)
    pool, since = report.pool, find_standings(report.pool, examined)
    book: Any = (
        read_book(pool, examined.position) if since is None else ledger_since(pool, examined.position, since)
    )
    ledger, hidden = ledger_with(book, examined), by_id_only(pool)
    placements = [event.placement for event in examined.events if event.placement]
    wanted = {placement.list for placement in placements if placement.kind != FROZEN}
    if not wanted:
        return []
    lists = _whole(pool, ledger, examined, wanted) if since is None else history_since(ledger, since, wanted)
    called = _names(ledger, hidden)
    return [_of_list(rated, called, examined) for rated in lists if rated.batch.name in wanted]


def _whole(pool: Pool, ledger: ChessLedger, examined: Review, wanted: set[str]) -> Iterator[RatedList]:
    """The lists up to the last that is wanted; what the last published one leaves is kept.

    The first ones may be missing, up to those.
    """
    names, last = list_names(ledger, None), latest(pool)
    asked = wanted | ({last.name} if last else set())
    places = [place for place, name in enumerate(names) if name in asked]
    until = max(map(names.index, wanted)) + 1
    for rated in rated_after(ledger, names[:until], min(places)):
        store_standings(pool, examined, rated)
        yield rated


def _names(ledger: ChessLedger, hidden: frozenset[str]) -> dict[str, str]:
    """What players are called, by id."""
    return {player.player_id: player.name for player in ledger.players} | {one: one for one in hidden}


def _of_list(rated: RatedList, names: dict[str, str], examined: Review) -> Preview:
    own = {event.event.event_id for event in examined.events if event.event}
    events = [of for of in rated.outcome.events if of.event.event_id in own]
    totals, games = _summed(((line.player, of.speed), line.change) for of in events for line in of.lines)
    changes = [
        Change(
            player,
            names[player],
            speed,
            *_ratings(rated, speed, player),
            decimal(total),
            games[player, speed],
        )
        for (player, speed), total in sorted(totals.items())
    ]
    return Preview(rated.batch.name, changes, _counted(line for of in events for line in of.lines))


def _summed(moved: Iterable[tuple[Who, int | None]]) -> tuple[Counter[Who], Counter[Who]]:
    """What lines move in all, of everybody whose they are; and how many of them count."""
    totals: Counter[Who] = Counter()
    counting: Counter[Who] = Counter()
    for who, change in moved:
        totals[who] += change or 0
        counting[who] += change is not None
    return totals, counting


def _counted(lines: Iterable[Line | GoLine]) -> list[tuple[str, str, int]]:
    """How many lines have each verdict by each clause, the most frequent first."""
    verdicts = Counter((line.verdict, line.clause) for line in lines)
    return [(verdict, clause, count) for (verdict, clause), count in verdicts.most_common()]


def _ratings(rated: RatedList, speed: str, player: str) -> tuple[str, str]:
    """The ratings before and after the list; blank for none."""
    before = rated.before.get(speed, {}).get(player, UNRATED).value
    after = rated.outcome.standings.of(speed, player).value
    return "" if before is None else str(before), "" if after is None else str(after)


def _of_games(pool: Pool, examined: Review) -> list[Preview]:
    """Every player of the report's games before the first and after the last of them."""
    if not examined.foretold or examined.placement is None:
        return []
    lines = [line for game in examined.foretold for line in (game.black, game.white)]
    first = {line.player: line.before for line in reversed(lines)}
    last = {line.player: line.after for line in lines}
    names = {one: person.name or one for one, person in people(pool, first).items()}
    points, games = _summed((line.player, line.points) for line in lines)
    changes = [
        Change(one, names[one], "", first[one].rank, last[one].rank, str(points[one]), games[one])
        for one in sorted(first)
    ]
    return [Preview(examined.placement.list, changes, _counted(lines))]
