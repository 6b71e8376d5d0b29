"""What the rules warn about without excluding anything, each with its clause."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from banzuke.core.facts import Club, Player
from banzuke.core.fault import Fault, fault
from banzuke.core.go_facts import Declaration
from banzuke.engine.go_history import ignored_declarations
from banzuke.ledger.folder import ChessLedger, GoLedger, Ledger
from banzuke.ledger.pool_rules import Pool, chess_book, go_book


def warnings(ledger: Ledger) -> list[Fault]:
    """The warnings, in the order of the tables; the address is the row's id."""
    if isinstance(ledger, GoLedger):
        return declaration_warnings(ledger.pool, ignored_declarations(ledger))
    names = [name_warnings(ledger.pool, player) for player in ledger.players if player.struck is None]
    return [
        *_births(ledger),
        *_never_standing(ledger),
        *_peaks(ledger),
        *(warning for of_player in names for warning in of_player),
        *_of_events(ledger),
    ]


def _births(ledger: ChessLedger) -> Iterator[Fault]:
    """Players born after an event that they played: a slip that would make juniors."""
    starts = {event.event_id: event.starts for event in ledger.events}
    first = min(starts.values(), default=None)
    born = {
        p.player_id: p.birth_date for p in ledger.players if p.birth_date and first and p.birth_date > first
    }
    for games in ledger.games.values() if born else ():
        for game in games:
            day = starts[game.event_id]
            for player in (game.white, game.black):
                if player in born and born[player] > day:
                    facts = {"born": born.pop(player), "starts": day, "event": game.event_id}
                    yield fault("players.csv", 0, player, "warn-born", **facts)


def _never_standing(ledger: ChessLedger) -> Iterator[Fault]:
    """Rows that were struck before they were added."""
    games = [game for of_event in ledger.games.values() for game in of_event]
    for file, column, rows in (
        ("players.csv", "player_id", ledger.players),
        ("memberships.csv", "player_id", ledger.memberships),
        ("events.csv", "event_id", ledger.events),
        ("games.csv", "event_id", games),
    ):
        for row in rows:
            if row.added is not None and row.struck is not None and row.struck <= row.added:
                facts = {"added": row.added, "struck": row.struck}
                yield fault(file, 0, getattr(row, column), "warn-never-stands", **facts)


def _peaks(ledger: ChessLedger) -> Iterator[Fault]:
    """Opening standings whose peak is below the rating."""
    for row in ledger.standings:
        if row.peak is not None and row.peak < row.rating:
            facts = {"peak": row.peak, "rating": row.rating, "speed": row.speed}
            yield fault("standings.csv", 0, row.player_id, "warn-peak", **facts)


def name_warnings(pool: Pool, player: Player) -> list[Fault]:
    """What the pool's last edition says of how the player's name is written."""
    found = chess_book(pool.editions[-1]).checks.name(player.name)
    return [fault("players.csv", 0, player.player_id, code, **facts) for _, code, facts in found]


def _of_events(ledger: ChessLedger) -> Iterator[Fault]:
    """The warnings of each event that stands, by the edition that rates it."""
    clubs: dict[str, list[Club]] = defaultdict(list)
    for club in ledger.clubs:
        clubs[club.club_id].append(club)
    schedule = ledger.pool.schedule
    for event in ledger.events:
        edition = None if event.struck else schedule.edition_of(schedule.window_of(event))
        if edition is not None:
            found = chess_book(edition).checks.warnings(event, clubs.get(event.organiser, []))
            for _, code, facts in found:
                yield fault("events.csv", 0, event.event_id, code, **facts)


def declaration_warnings(pool: Pool, ignored: Iterable[Declaration]) -> list[Fault]:
    """Declarations that change nothing, by the edition of their day."""
    return [_ignored(d, go_book(pool.edition_at(d.at)).declaration_clause) for d in ignored]


def _ignored(declaration: Declaration, clause: str) -> Fault:
    facts = {"rank": declaration.rank, "at": declaration.at.isoformat(), "clause": clause}
    return fault("declarations.csv", 0, declaration.player_id, "warn-declaration", **facts)
