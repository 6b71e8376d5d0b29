"""What a reform would have done: the pool's last list as it is, and as if the reform had been in force.

Numbers are tried on the lists of the last year, an adjustment alone on the last list. Nothing is published,
and nobody is named in what is made public: `Effect` has counts and sums alone.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import chain
from typing import NamedTuple

from banzuke.core.calendar import Window
from banzuke.core.gc_pause import uncollected
from banzuke.core.rating import Ratings
from banzuke.core.rounding import rounded
from banzuke.core.rulebook import ChessBook
from banzuke.database.book_reader import last_entry, read_book
from banzuke.database.models import Pool
from banzuke.engine.history import list_names
from banzuke.engine.points_account import GAMES, PARTS, POINT, PointsAccount
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.ledger.folder import ChessLedger
from banzuke.ledger.pool_rules import chess_book
from banzuke.ledger.reforms import Reform
from banzuke.office.lists.fast_forward import rated_after
from banzuke.office.lists.list_index import latest_list, names_up_to
from banzuke.office.lists.movement_bands import Band, movement_bands
from banzuke.office.reforms.reform_files import adjustment_of, tried_from
from banzuke.office.refusals import NothingToRehearseError

#: Numbers are tried on the lists of so long before the last one, that one included.
TRIED = timedelta(days=365)
#: So many of the biggest movers are named to officers.
MOST_MOVERS = 20
#: Where a book has no classes, the levels that count are hundreds.
HUNDRED = 100
#: Classes are looked for up to this rating.
HIGHEST = 4000


class Level(NamedTuple):
    """How many reach a level only under the reform, and how many only without it."""

    level: int
    reached: int
    lost: int


class Hundred(NamedTuple):
    """How many are rated from `low` to `low` + 99, without the reform and with it."""

    low: int
    before: int
    after: int


class AccountPart(NamedTuple):
    """A part of the points account of the tried lists, in hundredths, without the reform and with it."""

    part: str
    before: int
    after: int


class SpeedEffect(NamedTuple):
    """What it does at a speed: who is rated both ways, who moves; means in hundredths of a point.

    `only_before` and `only_after` have a rating one way alone. `size` is the mean of how far those who are
    rated both ways move, without sign.
    """

    speed: str
    rated: int
    up: int
    down: int
    only_before: int
    only_after: int
    size: int
    mean_before: int
    mean_after: int
    bands: list[Band]
    levels: list[Level]
    hundreds: list[Hundred]
    account: list[AccountPart]


class Effect(NamedTuple):
    """The effect on the list `last`, tried on so many `lists` from `first` on, as of the entry `position`."""

    first: str
    last: str
    lists: int
    position: int
    speeds: list[SpeedEffect]


class Pair(NamedTuple):
    """A player's ratings at a speed, without the reform and with it; None: no rating."""

    speed: str
    player_id: str
    before: int | None
    after: int | None


class Rehearsed(NamedTuple):
    """The effect, those who move most, and everybody's ratings."""

    effect: Effect
    movers: list[Pair]
    pairs: list[Pair]


@uncollected()
def rehearse(pool: Pool, reform: Reform, progress: Progress = no_progress) -> Rehearsed:
    """The effect of a reform on a chess pool. Raises NothingToRehearseError where no list can show it."""
    position = last_entry(pool)
    ledger = read_book(pool, position)
    if not isinstance(ledger, ChessLedger):
        raise NothingToRehearseError
    names, passed = _lists(pool, ledger, reform)
    first = _windows(ledger, names[passed : passed + 1])[0]
    tried = _tried(pool, ledger, reform, first)
    own, own_account = _rated(ledger, names, passed, progress, 0)
    new, new_account = _rated(tried, names, passed, progress, 1)
    book, pairs = chess_book(ledger.pool.editions[-1]), list(_pairs(ledger.pool.speeds, own, new))
    speeds = [
        _effect(book, speed, [pair for pair in pairs if pair.speed == speed], own_account, new_account)
        for speed in ledger.pool.speeds
    ]
    effect = Effect(names[passed], names[-1], len(names) - passed, position, speeds)
    return Rehearsed(effect, _movers(pairs), pairs)


# What is tried


def _lists(pool: Pool, ledger: ChessLedger, reform: Reform) -> tuple[list[str], int]:
    """The names of the pool's lists up to the last one, and how many of them are passed."""
    last = latest_list(pool)
    names = (names_up_to(ledger, [last.name]) if last else []) or list_names(ledger, None)
    if not names:
        raise NothingToRehearseError
    if not reform.changes:
        return names, len(names) - 1
    windows = _windows(ledger, names)
    own, since = ledger.pool.edition_on(reform.start).book.name, windows[-1].closes - TRIED
    for place, window in enumerate(windows):
        edition = ledger.pool.schedule.edition_of(window)
        if window.closes > since and edition and edition.book.name == own:
            return names, place
    raise NothingToRehearseError


def _windows(ledger: ChessLedger, names: Sequence[str]) -> list[Window]:
    schedule = ledger.pool.schedule
    if not schedule.is_by_event:
        return [schedule.window_named(name) for name in names]
    events = {event.event_id: event for event in ledger.events}
    return [schedule.window_of(events[name]) for name in names]


def _tried(pool: Pool, ledger: ChessLedger, reform: Reform, first: Window) -> ChessLedger:
    """The ledger with the reform in force from that list on."""
    rules, adjustments = ledger.pool, list(ledger.adjustments)
    if reform.changes:
        rules = tried_from(rules, reform, first)
    if reform.adjustment is not None:
        adjustments.append(adjustment_of(pool, reform, reform.name)._replace(list=first.name))
    return replace(ledger, pool=rules, adjustments=adjustments)


def _rated(
    ledger: ChessLedger, names: Sequence[str], passed: int, progress: Progress, run: int
) -> tuple[Ratings, PointsAccount]:
    """The ratings after the last of those lists, and the account of those that are not passed."""
    account, tried, ratings = PointsAccount(), set(names[passed:]), Ratings()
    for rated in rated_after(ledger, names, passed):
        if rated.batch.name in tried:
            account.enter(rated)
        ratings = rated.outcome.standings.ratings
        done = run * len(names) + names.index(rated.batch.name) + 1
        progress(done, 2 * len(names), rated.batch.name)
    return ratings, account


# What became of it


def _pairs(speeds: Iterable[str], before: Ratings, after: Ratings) -> Iterator[Pair]:
    """Who is rated one way or the other, by speed and id."""
    for speed in speeds:
        own, new = before.get(speed, {}), after.get(speed, {})
        for player in sorted(own.keys() | new.keys()):
            values = [of[player].value if player in of else None for of in (own, new)]
            if values != [None, None]:
                yield Pair(speed, player, *values)


def _movers(pairs: Iterable[Pair]) -> list[Pair]:
    """Who moves most, up or down."""
    moved = [(abs(size), pair) for pair in pairs if (size := _size(pair))]
    return [pair for _, pair in sorted(moved, key=lambda each: (-each[0], each[1][:2]))[:MOST_MOVERS]]


def _size(pair: Pair) -> int | None:
    """How far somebody moves; None for who is rated one way alone."""
    return None if pair.before is None or pair.after is None else pair.after - pair.before


def _effect(
    book: ChessBook, speed: str, pairs: Sequence[Pair], before: PointsAccount, after: PointsAccount
) -> SpeedEffect:
    own = [pair.before for pair in pairs if pair.before is not None]
    new = [pair.after for pair in pairs if pair.after is not None]
    sizes = [size for pair in pairs if (size := _size(pair)) is not None]
    return SpeedEffect(
        speed=speed,
        rated=len(sizes),
        up=sum(size > 0 for size in sizes),
        down=sum(size < 0 for size in sizes),
        only_before=sum(pair.after is None for pair in pairs),
        only_after=sum(pair.before is None for pair in pairs),
        size=_mean(list(map(abs, sizes))),
        mean_before=_mean(own),
        mean_after=_mean(new),
        bands=movement_bands(Counter(sizes)) if sizes else [],
        levels=_levels(book, pairs),
        hundreds=_hundreds(own, new),
        account=_account(_parts(before, speed), _parts(after, speed)),
    )


def _mean(values: Sequence[int]) -> int:
    """In hundredths; 0 of nobody."""
    return rounded(POINT * sum(values), len(values)) if values else 0


def _levels(book: ChessBook, pairs: Sequence[Pair]) -> list[Level]:
    """The levels that somebody reaches one way alone; who has no rating reaches none."""
    figures = [(pair.before or 0, pair.after or 0) for pair in pairs]
    highest = max(chain.from_iterable(figures), default=0)
    counted = [
        Level(level, sum(a < level <= b for a, b in figures), sum(b < level <= a for a, b in figures))
        for level in _levels_of(book, highest)
    ]
    return [each for each in counted if each.reached or each.lost]


def _levels_of(book: ChessBook, highest: int) -> list[int]:
    """The lowest ratings of the book's classes, or round hundreds."""
    if book.prize_class is None:
        return list(range(HUNDRED, highest + 1, HUNDRED))
    classes = list(map(book.prize_class, range(HIGHEST)))
    return [at for at in range(1, HIGHEST) if classes[at] != classes[at - 1]]


def _hundreds(before: Iterable[int], after: Iterable[int]) -> list[Hundred]:
    own, new = (Counter(value // HUNDRED * HUNDRED for value in values) for values in (before, after))
    lows = own.keys() | new.keys()
    if not lows:
        return []
    return [Hundred(low, own[low], new[low]) for low in range(min(lows), max(lows) + 1, HUNDRED)]


def _parts(account: PointsAccount, speed: str) -> Counter[str]:
    """The parts of all players and years at a speed."""
    found = Counter[str]()
    for (of, _, _), year in account.years.items():
        if of == speed:
            found.update({part: amount for part, amount in year.parts.items() if part != GAMES})
    return found


def _account(before: Mapping[str, int], after: Mapping[str, int]) -> list[AccountPart]:
    """The parts that are not nothing."""
    found = (AccountPart(part, before.get(part, 0), after.get(part, 0)) for part in PARTS)
    return [each for each in found if each.before or each.after]
