"""Made-up ledgers on which a rule book is tried: the same for the same seed."""

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from banzuke.core.facts import (
    ANNUAL,
    FEDERATION,
    SCORES,
    Club,
    Event,
    Game,
    Membership,
    More,
    Opening,
    Player,
)
from banzuke.core.fault import RefusedError
from banzuke.core.go_facts import NO_ZONE, RANK_NAMES, Declaration, GoGame, GoPlayer
from banzuke.core.rulebook import EXACT_RATING, ChessBook, ExtraColumn, Finding, GoBook, RuleBook
from banzuke.engine.history import history, list_names
from banzuke.ledger.folder import ChessLedger, GoLedger
from banzuke.ledger.pool_rules import EditionInForce, Pool

#: The editions of made-up ledgers are in force from that day; events begin half a year later.
START = date(2025, 1, 1)
#: This share of the cells in columns that a book adds is filled.
SHARE_FILLED = 0.3
#: Two games of three are played.
RESULTS = (*SCORES, *3 * ("1-0", "1/2-1/2", "0-1"))
#: Minutes and seconds a move: each speed, and both sides of the borders that rules draw.
TIMES = ((90, 30), (60, 0), (45, 0), (25, 10), (10, 0), (3, 2))


def pool_of(book: RuleBook) -> Pool:
    """A pool of that book alone, with its settings as they are by default."""
    zone = book.default_zone() if isinstance(book, GoBook) else NO_ZONE
    return Pool("Made up", (EditionInForce(book, START, book.settings(), "", zone),))


def chess_ledger(book: ChessBook, seed: int, players: int = 12, events: int = 6) -> ChessLedger:
    """A chess ledger with newcomers, juniors, forfeits, late reports and non-members, refused by no check.

    If the book refuses to rate it, everybody gets a birth date and a long membership, and the events that it
    still refuses are left out.
    """
    ledger = _draw_ledger(book, seed, players, events)
    if _refused_list(ledger) is None:
        return ledger
    ledger = _with_birth_dates_and_memberships(ledger)
    while (name := _refused_list(ledger)) is not None:
        window = ledger.pool.schedule.window_of
        ledger = replace(ledger, events=[e for e in ledger.events if window(e).name != name])
    return ledger


def _with_birth_dates_and_memberships(ledger: ChessLedger) -> ChessLedger:
    born = {p.player_id: p.birth_date or date(1980, 7, 1 + len(p.name) % 9) for p in ledger.players}
    return replace(
        ledger,
        players=[player._replace(birth_date=born[player.player_id]) for player in ledger.players],
        memberships=[
            Membership(player, ANNUAL, date(2010 + number % 15, 1, 1), date(2100, 1, 1))
            for number, player in enumerate(born)
        ],
    )


def _refused_list(ledger: ChessLedger) -> str | None:
    """The first list of the ledger that its book refuses to rate; None: it rates all of them."""
    names = list_names(ledger, None)
    lists = history(ledger, names)
    for name in names:
        try:
            next(lists)
        except RefusedError:
            return name
    return None


def _draw_ledger(book: ChessBook, seed: int, players: int, events: int) -> ChessLedger:
    """A chess ledger, the same for the same seed."""
    dice, cell_dice = random.Random(seed), random.Random(-seed - 1)
    added = book.columns.ledger
    people = [
        _with_columns(_player(dice, number), added.get("players", ()), book.checks.player, cell_dice)
        for number in range(players)
    ]
    ids = [player.player_id for player in people]
    reported = [
        _with_columns(_event(dice, book, number), added.get("events", ()), book.checks.event, cell_dice)
        for number in range(events)
    ]
    reported = [event for event in reported if not list(book.checks.event(event))]
    memberships = [
        Membership(player, ANNUAL, START, START + timedelta(days=dice.choice((200, 2000, 2000, 2000))))
        for player in ids
        if dice.random() < 0.9
    ]
    openings = [
        Opening(player, rating, dice.choice((3, 12, 25, 60)), speed, max(rating, dice.randrange(1000, 2500)))
        for player in ids[: 2 * players // 3]
        for speed in book.speeds
        for rating in [dice.randrange(900, 2450)]
    ]
    openings = [row._replace(peak=None) if list(book.checks.opening(row)) else row for row in openings]
    openings = [
        _with_columns(opening, added.get("standings", ()), book.checks.opening, cell_dice)
        for opening in openings
    ]
    by_id = {player.player_id: player for player in people}
    openings = [row for row in openings if not list(book.checks.opening_of(by_id[row.player_id], row))]
    return ChessLedger(
        pool_of(book),
        people,
        [Club("F", "Federation", FEDERATION, START, date(2100, 1, 1))],
        memberships,
        reported,
        {event.event_id: _games(dice, event, ids) for event in reported},
        openings,
    )


#: What is written into the columns that a book adds, by their kind.
CELLS: dict[str, Callable[[random.Random], Any]] = {
    "text": lambda dice: dice.choice(("first", "second")),
    "date": lambda dice: date(dice.randrange(1990, 2025), dice.randrange(1, 13), 15),
    "count": lambda dice: dice.randrange(5),
    "rating": lambda dice: dice.randrange(900, 2450),
    "decimal": lambda dice: Decimal(dice.randrange(9_000_000, 24_500_000)) / 10_000,
    "flag": lambda dice: dice.choice((True, False)),
}


def _with_columns(
    record: Any, added: Iterable[ExtraColumn], faults: Callable[[Any], Iterable[Finding]], dice: random.Random
) -> Any:
    """The row with some cells in the columns that its book adds; none where the book does not take them."""
    cells = {column.name: CELLS[column.kind](dice) for column in added if dice.random() < SHARE_FILLED}
    if isinstance(record, Opening) and EXACT_RATING.name in cells:
        cells[EXACT_RATING.name] = record.rating + Decimal(dice.randrange(-4999, 5000)) / 10_000
    more = More(cells)
    new = record._replace(more=more) if hasattr(record, "_replace") else replace(record, more=more)
    return record if list(faults(new)) else new


def _player(dice: random.Random, number: int) -> Player:
    born = date(dice.randrange(1950, 2016), dice.randrange(1, 13), dice.randrange(1, 29))
    return Player(
        f"P{number:03}",
        f"PLAYER Number{number}",
        birth_date=born if dice.random() < 0.9 else None,
        fide_standard=dice.choice((None, None, None, 1501, 1999)),
        fide_rapid=dice.choice((None, None, None, 1622)),
    )


def _event(dice: random.Random, book: ChessBook, number: int) -> Event:
    starts = START + timedelta(days=180 + 11 * number + dice.randrange(9))
    ends = starts + timedelta(days=dice.randrange(4))
    minutes, seconds = dice.choice(TIMES)
    return Event(
        f"E{number:03}",
        f"Event {number}",
        starts,
        ends,
        ends + timedelta(days=dice.choice((1, 2, 9, 40, 120))),
        organiser="F",
        place="Town",
        responsible="Somebody",
        speed="" if book.speeds == ("",) else dice.choice(("", "", *book.speeds)),
        base_minutes=minutes,
        increment_seconds=seconds,
        applied=starts - timedelta(days=dice.choice((2, 30))),
        paid=ends,
        nonmembers=0,
    )


def _games(dice: random.Random, event: Event, ids: list[str]) -> list[Game]:
    """Rounds in which each player meets another at random; now and then somebody rests."""
    games = []
    for round_ in range(1, dice.randrange(2, 10)):
        seats = dice.sample(ids, len(ids) - dice.randrange(3))
        for white, black in zip(seats[::2], seats[1::2], strict=False):
            games.append(Game(event.event_id, round_, white, black, dice.choice(RESULTS)))
    return games


def go_ledger(book: GoBook, seed: int, players: int = 8, games: int = 150) -> GoLedger:
    """A Go ledger with players of every strength, even games and handicaps, some not rated."""
    dice = random.Random(seed)
    people = [GoPlayer(f"P{number:03}", f"Player {number}", _rank(dice)) for number in range(players)]
    begin = datetime(2025, 7, 1, tzinfo=UTC)
    played = []
    for number in range(games):
        black, white = dice.sample(people, 2)
        ended = begin + timedelta(minutes=37 * number + dice.randrange(30))
        stones, komi = dice.choice((book.regular_terms(dice.randrange(6)), (0, 13)))
        played.append(
            GoGame(
                f"G{number:05}",
                ended,
                black.player_id,
                white.player_id,
                dice.choice("BWBWBWd").replace("d", "draw"),
                stones,
                komi,
                dice.choice((19, 19, 19, 13)),
                dice.choice((0, 1, 150, 210)),
            )
        )
    declared = [
        Declaration(player.player_id, begin + timedelta(days=dice.randrange(3)), dice.choice(RANK_NAMES[::2]))
        for player in people[:2]
    ]
    return GoLedger(pool_of(book), people, played, declared, [])


def _rank(dice: random.Random) -> str:
    return dice.choice(("BC", "3p", *RANK_NAMES[10:44:2]))
