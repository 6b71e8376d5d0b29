"""The standings of an event: ranks by points, then by the tie-breaks that are asked for."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from banzuke.core.fault import Fault, RefusedError, fault, refuse_any
from banzuke.exchange.standings import gacrux_engine
from banzuke.exchange.standings.gacrux_engine import PlayerRank, RankingRules
from banzuke.exchange.standings.tie_breaks import (
    EDITIONS,
    NEED_RATINGS,
    SWISS,
    TieBreak,
    default_codes,
    edition_of,
    parse_codes,
)
from banzuke.exchange.standings.tournament import Entrant, Tournament, table_tournament
from banzuke.formats.events.event_table import EventTable
from banzuke.formats.events.standings_table import StandingsRow, StandingsTable

#: Quick standings have at most so many players (direct encounter looks at pairs of them), and this product of
#: players, rounds and columns.
_QUICK_PLAYERS, _QUICK_FIGURES = 1_500, 50_000
TOO_LARGE = "standings-too-large"


class StandingsOptions(NamedTuple):
    """How standings are to be made; blank, 0 and None leave it to the event.

    `tie_breaks` are codes as somebody wrote them; `edition` is a year of FIDE's rules; players without a
    rating have `rating_of_unrated`; `last_round` is the last that counts. With `is_quick`, standings that
    would keep a server busy for longer than a visitor should are refused.
    """

    tie_breaks: str = ""
    is_round_robin: bool | None = None
    edition: int = 0
    rating_of_unrated: int | None = None
    last_round: int = 0
    is_quick: bool = False


USUAL_OPTIONS = StandingsOptions()


def standings(tournament: Tournament, options: StandingsOptions = USUAL_OPTIONS) -> StandingsTable:
    """The standings of an event.

    Raises RefusedError for codes that are none, an event without a game, and without the extra `tie-breaks`.
    """
    chosen = parse_codes(options.tie_breaks)
    counted = tournament.until_round(options.last_round) if options.last_round else tournament
    refuse_any(list(_faults(counted, options, len(chosen) or len(SWISS))))
    is_round_robin = tournament.is_round_robin if options.is_round_robin is None else options.is_round_robin
    tie_breaks = chosen or default_codes(is_round_robin=is_round_robin)
    edition = options.edition or edition_of(tournament.starts)
    rules = RankingRules(tie_breaks, edition, is_round_robin, options.rating_of_unrated)
    ranks = gacrux_engine.rank(counted.without_gaps(), rules)
    rows = (_row(entrant, ranks[entrant.number]) for entrant in counted.entrants)
    return StandingsTable(
        tuple(tie_break.code for tie_break in tie_breaks),
        tuple(sorted(rows, key=_place)),
        counted.rounds_played,
        is_round_robin,
        edition,
        _count_unrated(counted, tie_breaks) if options.rating_of_unrated is None else 0,
        counted.knows_byes,
        counted.lacks_games,
    )


def _faults(counted: Tournament, options: StandingsOptions, columns: int) -> Iterator[Fault]:
    """Why there can be no standings of these games with so many tie-breaks."""
    if not counted.games:
        yield fault("standings", 0, "", "standings-no-games")
    if not gacrux_engine.is_installed():
        yield fault("standings", 0, "", "standings-no-engine")
    if options.edition not in (0, *EDITIONS):
        yield fault("standings", 0, "", "standings-edition", known=", ".join(map(str, EDITIONS)))
    if options.is_quick and _is_large(counted, columns):
        facts = {"players": len(counted.entrants), "rounds": counted.rounds_played}
        yield fault("standings", 0, "", "standings-too-large", **facts)


class EventStandings(NamedTuple):
    """The standings of a ledger's event; None where there are none, and what is wrong with the codes."""

    table: StandingsTable | None
    faults: list[Fault]


def event_standings(
    event: EventTable, codes: str = "", *, is_quick: bool = False, lacks_games: bool = False
) -> EventStandings:
    """The standings of an event by its crosstable; by the usual tie-breaks where the codes are refused.

    `lacks_games` is whether the event has games that are not in the crosstable.
    """
    tournament = table_tournament(event, lacks_games=lacks_games)
    try:
        return EventStandings(standings(tournament, StandingsOptions(codes, is_quick=is_quick)), [])
    except RefusedError as error:
        usual = event_standings(event, is_quick=is_quick, lacks_games=lacks_games).table if codes else None
        return EventStandings(usual, error.faults)


def _is_large(tournament: Tournament, columns: int) -> bool:
    players, rounds = len(tournament.entrants), len({game.round for game in tournament.games})
    return players > _QUICK_PLAYERS or players * rounds * (columns + 1) > _QUICK_FIGURES


def _row(entrant: Entrant, found: PlayerRank) -> StandingsRow:
    names = entrant.player_id, entrant.name, entrant.name_native
    return StandingsRow(found.rank, entrant.number, *names, found.points, found.values)


def _place(row: StandingsRow) -> tuple[int, int]:
    return row.rank, row.number


def _count_unrated(tournament: Tournament, tie_breaks: Sequence[TieBreak]) -> int:
    """How many have no rating, if a tie-break needs one of everybody."""
    needs_ratings = any(tie_break.name in NEED_RATINGS for tie_break in tie_breaks)
    return sum(entrant.rating is None for entrant in tournament.entrants) if needs_ratings else 0
