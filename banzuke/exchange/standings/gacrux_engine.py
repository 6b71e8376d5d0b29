"""FIDE's tie-breaks by Gacrux (www.gacrux.no), the tie-break checker that its author gave to FIDE.

It is the extra `tie-breaks`. Its tournament is a mapping with results as letters: W, D, L, and Z for nothing;
P is a bye worth a point. Direct encounter depends on who is still tied, so it ranks by all tie-breaks, one
after the other; those of the US rule book are given to it. It relies on competitors (`cid`) numbered from 1
without gaps: `cids` has these by the players' numbers.
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
_POINTS = {"W": Decimal(1), "D": Decimal("0.5"), "L": Decimal(0), "Z": Decimal(0)}
_OTHER_LETTERS = {"F": "W", "H": "D", "P": "W", "A": "D", "U": "Z"}
#: A day on which each edition holds: the engine chooses the edition by the event's first day.
_DAYS = {2024: "2024-08-01", 2026: "2026-03-01"}


class PlayerRank(NamedTuple):
    """A player's rank and half points, and the values of the tie-breaks; None where there is none."""

    rank: int
    points: int
    values: tuple[Decimal | None, ...]


class RankingRules(NamedTuple):
    """The tie-breaks, the edition of FIDE's rules, the system, and the rating of those without one."""

    tie_breaks: Sequence[TieBreak]
    edition: int
    is_round_robin: bool
    rating_of_unrated: int | None


def is_installed() -> bool:
    """Whether the extra `tie-breaks` is installed."""
    return find_spec("gacrux") is not None


def rank(tournament: Tournament, rules: RankingRules) -> dict[int, PlayerRank]:
    """Every player's rank by points and the tie-breaks, by number."""
    from gacrux.tiebreak import tiebreak  # noqa: PLC0415 - the extra `tie-breaks` is imported when it is used

    cids = {entrant.number: cid for cid, entrant in enumerate(tournament.entrants, 1)}
    described = _engine_tournament(tournament, cids, rules.edition)
    options = {
        "tiebreak": ["PTS", *(_specifier(tie_break) for tie_break in rules.tie_breaks)],
        "check": False,
        "unrated": rules.rating_of_unrated,
        "pre_determined": rules.is_round_robin,
        "swiss": not rules.is_round_robin,
    }
    engine = tiebreak(described, tournament.rounds_played, options)
    engine.tiebreaklist |= {code: _us_tie_break(code, tournament, cids) for code in US_CODES}
    answer = engine.compute_tiebreaks(described, options)["competitors"]
    by_cid = {competitor["cid"]: _player_rank(competitor) for competitor in answer}
    return {number: by_cid[cid] for number, cid in cids.items()}


def _player_rank(competitor: dict[str, Any]) -> PlayerRank:
    points, *values = competitor["tiebreakScore"]
    exact = tuple(None if value is None else Decimal(value) for value in values)
    return PlayerRank(competitor["rank"], int(points * 2), exact)


def _specifier(tie_break: TieBreak) -> str:
    """The engine's word for a tie-break."""
    return "/".join((tie_break.name, *tie_break.cuts))


def _us_tie_break(code: str, tournament: Tournament, cids: dict[int, int]) -> dict[str, Any]:
    """A tie-break of the US rule book as the engine keeps its own."""
    return {
        "name": code,
        "func": partial(_put_us_values, code, tournament, cids),
        "rev": True,
        "flag": "",
        "desc": code,
    }


def _put_us_values(code: str, tournament: Tournament, cids: dict[int, int], *engine: Any) -> str:
    """Put the values of a US tie-break where the engine looks for them; gives the name there."""
    rounds, name = rounds_of(tournament), code.lower()
    function: Callable[..., Decimal] = US_TIE_BREAKS[code]
    for number, cid in cids.items():
        engine[1][cid]["tbval"][f"points_{name}"] = {"val": function(rounds, rounds[number])}
    return name


def _engine_tournament(tournament: Tournament, cids: dict[int, int], edition: int) -> dict[str, Any]:
    """The event as the engine wants it."""
    games = [_game(game, cids) for game in tournament.games]
    games += [_bye(bye, cids) for bye in tournament.byes if bye.round <= tournament.rounds_played]
    return {
        "teamTournament": False,
        "tournamentType": "",
        "numRounds": tournament.rounds,
        "currentRound": tournament.rounds_played,
        "tournamentInfo": {"startDate": _DAYS[edition]},
        "scoreSystem": {"game": _POINTS | _OTHER_LETTERS},
        "rankOrder": [],
        "competitors": [
            {"cid": cids[entrant.number], "rank": 0, "random": 0, "rating": {"rating": entrant.rating}}
            for entrant in tournament.entrants
        ],
        "gameList": [{"id": number, **game} for number, game in enumerate(games, 1)],
        "matchList": [],
    }


def _game(game: ReportedGame, cids: dict[int, int]) -> dict[str, Any]:
    played = game.result[0] not in "+-"
    white, black = (_LETTERS[points] for points in half_points(game.result))
    if not played:
        white, black = white.replace("L", "Z"), black.replace("L", "Z")
    return {
        "round": game.round,
        "white": {"cid": cids[game.white], "result": white},
        "black": {"cid": cids[game.black], "result": black},
        "played": played,
        "rated": played,
    }


def _bye(bye: ReportedBye, cids: dict[int, int]) -> dict[str, Any]:
    whole = bye.half_points > 1
    player = {"cid": cids[bye.player], "result": "P" if whole else "D"}
    return {"round": bye.round, "white": player, "black": {"cid": 0}, "played": whole, "rated": False}
