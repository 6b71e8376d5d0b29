"""The standings of an event: ranks by points, then by the tie-breaks that are asked for."""

from collections.abc import Sequence
from typing import NamedTuple

from banzuke.core.fault import Fault, RefusedError, fault
from banzuke.exchange.standings import gacrux_engine
from banzuke.exchange.standings.gacrux_engine import Ranked, RankingWish
from banzuke.exchange.standings.tie_breaks import (
    EDITIONS,
    OF_RATINGS,
    SWISS,
    TieBreak,
    default_codes,
    edition_of,
    parse_codes,
)
from banzuke.exchange.standings.tournament import Entrant, Tournament, table_tournament
from banzuke.formats.events.event_table import EventTable
from banzuke.formats.events.standings_table import StandingsRow, StandingsTable

#: Quick standings: at most so many players (direct encounter looks at pairs), and players × rounds × columns.
_QUICK_PLAYERS, _QUICK_FIGURES = 1_500, 50_000
TOO_LARGE = "standings-too-large"


class StandingsWish(NamedTuple):
    """What the standings are to be by; blank, 0 and None leave it to the event.

    `tie_breaks` are codes as somebody wrote them; `edition` is a year of FIDE's rules; `unrated` counts as
    the rating of those without one; `after` is the last round that counts; `is_quick` refuses what takes
    longer than a visitor should keep a server busy.
    """

    tie_breaks: str = ""
    round_robin: bool | None = None
    edition: int = 0
    unrated: int | None = None
    after: int = 0
    is_quick: bool = False


NO_WISH = StandingsWish()


def standings(tournament: Tournament, wish: StandingsWish = NO_WISH) -> StandingsTable:
    """The standings of an event.

    Raises RefusedError for codes that are none, an event without a game, and without the extra `tie-breaks`.
    """
    asked = parse_codes(wish.tie_breaks)
    found = tournament.until(wish.after) if wish.after else tournament
    faults = [] if found.games else [fault("standings", 0, "", "standings-no-games")]
    if not gacrux_engine.is_installed():
        faults.append(fault("standings", 0, "", "standings-no-engine"))
    if wish.edition not in (0, *EDITIONS):
        faults.append(fault("standings", 0, "", "standings-edition", known=", ".join(map(str, EDITIONS))))
    if wish.is_quick and _is_large(found, len(asked) or len(SWISS)):
        players, rounds = len(found.entrants), found.rounds_played
        faults.append(fault("standings", 0, "", "standings-too-large", players=players, rounds=rounds))
    if faults:
        raise RefusedError(faults)
    is_round_robin = tournament.is_round_robin if wish.round_robin is None else wish.round_robin
    by = asked or default_codes(is_round_robin=is_round_robin)
    edition = wish.edition or edition_of(tournament.starts)
    ranked = gacrux_engine.rank(found.without_gaps(), RankingWish(by, edition, is_round_robin, wish.unrated))
    return StandingsTable(
        tuple(tie_break.code for tie_break in by),
        tuple(sorted((_row(each, ranked[each.number]) for each in found.entrants), key=_place)),
        found.rounds_played,
        is_round_robin,
        edition,
        _count_unrated(found, by) if wish.unrated is None else 0,
        found.knows_byes,
        found.is_part,
    )


class EventStandings(NamedTuple):
    """The standings of a ledger's event; None where there are none, and what is wrong with the codes."""

    table: StandingsTable | None
    faults: list[Fault]


def event_standings(
    event: EventTable, codes: str = "", *, is_quick: bool = False, is_part: bool = False
) -> EventStandings:
    """The standings of an event by its crosstable; by the usual tie-breaks where those are refused.

    `is_part` is whether other lists took games of the event.
    """
    tournament = table_tournament(event, is_part=is_part)
    try:
        return EventStandings(standings(tournament, StandingsWish(codes, is_quick=is_quick)), [])
    except RefusedError as error:
        usual = event_standings(event, is_quick=is_quick, is_part=is_part).table if codes else None
        return EventStandings(usual, error.faults)


def _is_large(tournament: Tournament, codes: int) -> bool:
    players, rounds = len(tournament.entrants), len({game.round for game in tournament.games})
    return players > _QUICK_PLAYERS or players * rounds * (codes + 1) > _QUICK_FIGURES


def _row(who: Entrant, ranked: Ranked) -> StandingsRow:
    names = who.player_id, who.name, who.name_native
    return StandingsRow(ranked.rank, who.number, *names, ranked.points, ranked.values)


def _place(row: StandingsRow) -> tuple[int, int]:
    return row.rank, row.number


def _count_unrated(tournament: Tournament, by: Sequence[TieBreak]) -> int:
    """How many have no rating, if a tie-break needs one of everybody."""
    needed = any(tie_break.name in OF_RATINGS for tie_break in by)
    return sum(entrant.rating is None for entrant in tournament.entrants) if needed else 0
