"""FIDE's tie-breaks by Gacrux (www.gacrux.no), the tie-break checker that its author gave to FIDE.

It is the extra `tie-breaks`. Its tournament is a mapping with results as letters: W, D, L, and Z for nothing;
P is a bye worth a point. It ranks by one tie-break after the other, ours among them, for direct encounter
depends on who is still tied. Competitors are numbered from 1 without gaps, which it relies on.
"""

from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
from importlib.util import find_spec
from typing import Any, NamedTuple

from banzuke.exchange.standings.tie_breaks import US_CODES, TieBreak
from banzuke.exchange.standings.tournament import Tournament
from banzuke.exchange.standings.us_tie_breaks import US_TIE_BREAKS, half_points, rounds_of
from banzuke.formats.report import ReportedBye, ReportedGame

_LETTERS = {2: "W", 1: "D", 0: "L"}
_SCORE = {"W": Decimal(1), "D": Decimal("0.5"), "L": Decimal(0), "Z": Decimal(0)}
_SAME = {"F": "W", "H": "D", "P": "W", "A": "D", "U": "Z"}
#: A day on which an edition holds: the engine chooses the edition by the event's first day.
_DAY_OF = {2024: "2024-08-01", 2026: "2026-03-01"}


class Ranked(NamedTuple):
    """A player's rank and half points, and the tie-breaks in their order; None where there is none."""

    rank: int
    points: int
    values: tuple[Decimal | None, ...]


class RankingWish(NamedTuple):
    """By which tie-breaks, of which edition, as which system, with which rating for those without one."""

    tie_breaks: Sequence[TieBreak]
    edition: int
    is_round_robin: bool
    unrated: int | None = None


def is_installed() -> bool:
    """Whether the extra `tie-breaks` is installed."""
    return find_spec("gacrux") is not None


def rank(tournament: Tournament, wish: RankingWish) -> dict[int, Ranked]:
    """Every player's rank by points and the tie-breaks, by number."""
    from gacrux.tiebreak import tiebreak  # noqa: PLC0415 - the extra `tie-breaks` is imported when it is used

    numbers = {entrant.number: at for at, entrant in enumerate(tournament.entrants, 1)}
    described = _described(tournament, numbers, wish.edition)
    options = {
        "tiebreak": ["PTS", *(_specifier(tie_break) for tie_break in wish.tie_breaks)],
        "check": False,
        "unrated": wish.unrated,
        "pre_determined": wish.is_round_robin,
        "swiss": not wish.is_round_robin,
    }
    engine = tiebreak(described, tournament.rounds_played, options)
    engine.tiebreaklist |= {code: _of_ours(code, tournament, numbers) for code in US_CODES}
    answer = engine.compute_tiebreaks(described, options)["competitors"]
    by_place = {competitor["cid"]: _ranked(competitor) for competitor in answer}
    return {number: by_place[place] for number, place in numbers.items()}


def _ranked(competitor: dict[str, Any]) -> Ranked:
    points, *values = competitor["tiebreakScore"]
    exact = tuple(None if value is None else Decimal(value) for value in values)
    return Ranked(competitor["rank"], int(points * 2), exact)


def _specifier(tie_break: TieBreak) -> str:
    """The engine's word for a tie-break."""
    return "/".join((tie_break.name, *tie_break.cuts))


def _of_ours(code: str, tournament: Tournament, numbers: dict[int, int]) -> dict[str, Any]:
    """A tie-break of the US rule book as the engine keeps its own."""
    return {
        "name": code,
        "func": partial(_put_ours, code, tournament, numbers),
        "rev": True,
        "flag": "",
        "desc": code,
    }


def _put_ours(code: str, tournament: Tournament, numbers: dict[int, int], *engine: Any) -> str:
    """Put the values of a tie-break where the engine looks for them; gives the name there."""
    rounds, name = rounds_of(tournament), code.lower()
    function: Callable[..., Decimal] = US_TIE_BREAKS[code]
    for number, place in numbers.items():
        engine[1][place]["tbval"][f"points_{name}"] = {"val": function(rounds, rounds[number])}
    return name


def _described(tournament: Tournament, numbers: dict[int, int], edition: int) -> dict[str, Any]:
    """The event as the engine wants it."""
    games = [_game(game, numbers) for game in tournament.games]
    games += [_bye(bye, numbers) for bye in tournament.byes if bye.round <= tournament.rounds_played]
    return {
        "teamTournament": False,
        "tournamentType": "",
        "numRounds": tournament.rounds,
        "currentRound": tournament.rounds_played,
        "tournamentInfo": {"startDate": _DAY_OF[edition]},
        "scoreSystem": {"game": _SCORE | _SAME},
        "rankOrder": [],
        "competitors": [
            {"cid": numbers[entrant.number], "rank": 0, "random": 0, "rating": {"rating": entrant.rating}}
            for entrant in tournament.entrants
        ],
        "gameList": [{"id": at, **game} for at, game in enumerate(games, 1)],
        "matchList": [],
    }


def _game(game: ReportedGame, numbers: dict[int, int]) -> dict[str, Any]:
    played = game.result[0] not in "+-"
    white, black = (_LETTERS[points] for points in half_points(game.result))
    if not played:
        white, black = white.replace("L", "Z"), black.replace("L", "Z")
    return {
        "round": game.round,
        "white": {"cid": numbers[game.white], "result": white},
        "black": {"cid": numbers[game.black], "result": black},
        "played": played,
        "rated": played,
    }


def _bye(bye: ReportedBye, numbers: dict[int, int]) -> dict[str, Any]:
    whole = bye.half_points > 1
    player = {"cid": numbers[bye.player], "result": "P" if whole else "D"}
    return {"round": bye.round, "white": player, "black": {"cid": 0}, "played": whole, "rated": False}
