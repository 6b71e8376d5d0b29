"""The tie-breaks of the US rule book (34E), from points in halves.

The points of opponents are adjusted: each round that an opponent did not play counts a half. A round that the
player did not play counts as an opponent with 0. Of nine rounds or more, two opponents are cut where of fewer
one is.
"""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import NamedTuple

from banzuke.exchange.standings.tournament import Tournament

_TWO_ARE_CUT_FROM = 9
_KASHDAN = {2: 4, 1: 2, 0: 1}
_WIN = 2
_POINTS = {"1-0": (2, 0), "1/2-1/2": (1, 1), "0-1": (0, 2), "+/-": (2, 0), "-/+": (0, 2), "-/-": (0, 0)}


class Round(NamedTuple):
    """A player's round: half points, the opponent (0: none), whether it was played, and as White."""

    points: int = 0
    opponent: int = 0
    is_played: bool = False
    is_white: bool = True


Rounds = dict[int, list[Round]]


def rounds_of(tournament: Tournament) -> Rounds:
    """Every player's rounds, of all that have been played."""
    last = tournament.rounds_played
    found = {entrant.number: [Round()] * last for entrant in tournament.entrants}
    for bye in tournament.byes:
        if bye.round <= last:
            found[bye.player][bye.round - 1] = Round(bye.half_points)
    for game in tournament.games:
        sides = game.white, game.black
        for at, points in enumerate(half_points(game.result)):
            played = game.result[0] not in "+-"
            found[sides[at]][game.round - 1] = Round(points, sides[1 - at], played, at == 0)
    return found


def half_points(result: str) -> tuple[int, int]:
    """The half points of White and Black, forfeits and games that are not rated too."""
    return _POINTS[result.removeprefix("u")]


def _total(rounds: list[Round]) -> int:
    return sum(each.points for each in rounds)


def _adjusted_points(rounds: list[Round]) -> int:
    """Half points; each round that was not played counts a draw."""
    return sum(each.points if each.is_played else 1 for each in rounds)


def _opponent_points(all_rounds: Rounds, rounds: list[Round]) -> list[int]:
    """The opponents' adjusted points, the fewest first."""
    return sorted(_adjusted_points(all_rounds[each.opponent]) if each.is_played else 0 for each in rounds)


def _cut_count(rounds: list[Round]) -> int:
    return 2 if len(rounds) >= _TWO_ARE_CUT_FROM else 1


def modified_median(all_rounds: Rounds, rounds: list[Round]) -> Decimal:
    """Opponents' points: without the lowest for over half the points, the highest for less, both at half."""
    opponents, cut = _opponent_points(all_rounds, rounds), _cut_count(rounds)
    lead = _total(rounds) - len(rounds)
    low, high = cut if lead >= 0 else 0, cut if lead <= 0 else 0
    return _halves(sum(opponents[low : len(opponents) - high]))


def solkoff(all_rounds: Rounds, rounds: list[Round]) -> Decimal:
    """All opponents' points."""
    return _halves(sum(_opponent_points(all_rounds, rounds)))


def median(all_rounds: Rounds, rounds: list[Round]) -> Decimal:
    """Opponents' points without the highest and the lowest (Harkness)."""
    cut, opponents = _cut_count(rounds), _opponent_points(all_rounds, rounds)
    return _halves(sum(opponents[cut : len(opponents) - cut]))


def cumulative(_: Rounds, rounds: list[Round]) -> Decimal:
    """The sum of the points after each round, less one for each win that was not played."""
    return _halves(_cumulative(rounds))


def _cumulative(rounds: list[Round]) -> int:
    running = sum(each.points * (len(rounds) - place) for place, each in enumerate(rounds))
    return running - sum(_WIN for each in rounds if not each.is_played and each.points == _WIN)


def opponents_cumulative(all_rounds: Rounds, rounds: list[Round]) -> Decimal:
    """The opponents' cumulative scores."""
    return _halves(sum(_cumulative(all_rounds[each.opponent]) for each in rounds if each.is_played))


def most_blacks(_: Rounds, rounds: list[Round]) -> Decimal:
    """Games played with Black."""
    return Decimal(sum(each.is_played and not each.is_white for each in rounds))


def kashdan(_: Rounds, rounds: list[Round]) -> Decimal:
    """Four for a win, two for a draw, one for a loss, nothing for a round that was not played."""
    return Decimal(sum(_KASHDAN[each.points] for each in rounds if each.is_played))


def _halves(number: int) -> Decimal:
    return Decimal(number) / 2


#: Each code's function, of everybody's rounds and the player's.
US_TIE_BREAKS: Mapping[str, Callable[[Rounds, list[Round]], Decimal]] = {
    "MMED": modified_median,
    "SOLK": solkoff,
    "CUM": cumulative,
    "OCUM": opponents_cumulative,
    "MED": median,
    "MB": most_blacks,
    "KASH": kashdan,
}
