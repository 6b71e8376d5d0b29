"""Patterns of farming: pairs that play on and on with one winner, closed groups that rise by their own games.

These are rules, not chances: what they find may have a good reason, and an officer knows it or asks.
"""

from collections.abc import Mapping

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from banzuke.lab.encounters import LedgerGames, group_rows
from banzuke.lab.findings import LOOK, CheckResult, Finding, FindingFigures, check_of
from banzuke.lab.true_expectation import Ints

#: Farming: so many games of a pair, so large a share of its points, of the winner's games.
FARMED_GAMES, FARMED_SCORE, FARMED_SHARE = 12, 0.85, 0.3
#: A closed group: pairs of so many games hang together; so large a share of the members' games is their own;
#: so many members at least, and at most this share of the players.
TIED_GAMES, CLOSED_SHARE, CLOSED_LEAST, CLOSED_MOST = 5, 0.6, 3, 0.1


def farming_patterns(ledger: LedgerGames) -> list[CheckResult]:
    """Farming pairs and closed groups."""
    count, players, day = len(ledger.ids), ledger.games.players, ledger.games.day
    pair = players.min(axis=0) * count + players.max(axis=0)
    many = [rows for rows in group_rows(pair) if len(rows) >= FARMED_GAMES]
    days = _days_of_players(players, day)
    numbers, met = np.unique(pair, return_counts=True)
    tied = numbers[met >= TIED_GAMES]
    ties = coo_array((np.ones(len(tied)), (tied // count, tied % count)), (count, count))
    _, group = connected_components(ties, directed=False)
    played = np.bincount(players.ravel(), minlength=count)
    most = max(CLOSED_LEAST, CLOSED_MOST * (played > 0).sum())
    small = [own for own in group_rows(group) if CLOSED_LEAST <= len(own) <= most]
    inside = np.flatnonzero(group[players[0]] == group[players[1]])
    within = group[players[0, inside]]
    games = {int(within[rows[0]]): inside[rows] for rows in group_rows(within)}
    return [
        check_of("farming", (_farming_pair(ledger, rows, day[rows], days) for rows in many)),
        check_of("closed", (_closed_group(ledger, played, own, games[group[own[0]]], day) for own in small)),
    ]


def _days_of_players(players: Ints, day: Ints) -> dict[int, Ints]:
    """The days of each player's games, in their order."""
    sides = players.T.ravel()
    return {int(sides[rows[0]]): day[rows // 2] for rows in group_rows(sides)}


def _farming_pair(ledger: LedgerGames, rows: Ints, day: Ints, days: Mapping[int, Ints]) -> Finding | None:
    """A pair of many games, nearly all won by one of them, who gained much by them and played little else.

    `day` are those of the games, `days` those of all games of each player.
    """
    games = ledger.games
    first = games.players[0, rows]
    winner, loser = games.players[:, rows[0]].tolist()
    score = float(np.where(first == winner, games.score[rows], 2 - games.score[rows]).sum()) / 2
    if score < len(rows) / 2:
        winner, loser, score = loser, winner, len(rows) - score
    gained = float(np.where(first == winner, games.gained[0, rows], games.gained[1, rows]).sum())
    if score < FARMED_SCORE * len(rows) or gained < ledger.scale.farming:
        return None
    since, until = int(day[0]), int(day[-1])
    own = days[winner]
    share = len(rows) / int(np.searchsorted(own, until, "right") - np.searchsorted(own, since))
    if share < FARMED_SHARE:
        return None
    figures = FindingFigures(since, until, len(rows), score, gained=gained)
    return Finding("farming", LOOK, (winner, loser), figures, (("share", f"{100 * share:.0f}"),))


def _closed_group(ledger: LedgerGames, played: Ints, members: Ints, own: Ints, day: Ints) -> Finding | None:
    """A small group who play mostly among themselves, and gained much by those games (`own`)."""
    share = 2 * len(own) / int(played[members].sum())
    gained = float(ledger.games.gained[:, own].sum()) / len(members)
    if share < CLOSED_SHARE or gained < ledger.scale.closed:
        return None
    days = day[own]
    figures = FindingFigures(int(days.min()), int(days.max()), len(own), gained=gained)
    return Finding("closed", LOOK, tuple(members.tolist()), figures, (("share", f"{100 * share:.0f}"),))
