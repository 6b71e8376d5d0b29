"""Patterns of farming: pairs that play on and on with one winner, closed groups that rise by their own games.

These are rules, not chances: what they find may have a good reason, and an officer knows it or asks.
"""

import numpy as np
from numpy.typing import NDArray
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
    count, players = len(ledger.ids), ledger.games.players
    pair = players.min(axis=0) * count + players.max(axis=0)
    many = [rows for rows in group_rows(pair) if len(rows) >= FARMED_GAMES]
    numbers, met = np.unique(pair, return_counts=True)
    tied = numbers[met >= TIED_GAMES]
    ties = coo_array((np.ones(len(tied)), (tied // count, tied % count)), (count, count))
    _, group = connected_components(ties, directed=False)
    sizes, played = np.bincount(group), np.bincount(players.ravel(), minlength=count)
    most = max(CLOSED_LEAST, CLOSED_MOST * (played > 0).sum())
    small = np.flatnonzero((sizes >= CLOSED_LEAST) & (sizes <= most)).tolist()
    return [
        check_of("farming", (_farming_pair(ledger, rows) for rows in many)),
        check_of("closed", (_closed_group(ledger, played, group == each) for each in small)),
    ]


def _farming_pair(ledger: LedgerGames, rows: Ints) -> Finding | None:
    """A pair of many games, nearly all won by one of them, who gained much by them and played little else."""
    games = ledger.games
    first, day = games.players[0, rows], games.day
    winner, loser = games.players[:, rows[0]].tolist()
    score = float(np.where(first == winner, games.score[rows], 2 - games.score[rows]).sum()) / 2
    if score < len(rows) / 2:
        winner, loser, score = loser, winner, len(rows) - score
    gained = float(np.where(first == winner, games.gained[0, rows], games.gained[1, rows]).sum())
    since, until = int(day[rows[0]]), int(day[rows[-1]])
    own = (games.players == winner).any(axis=0) & (day >= since) & (day <= until)
    share = len(rows) / int(own.sum())
    if score < FARMED_SCORE * len(rows) or gained < ledger.scale.farming or share < FARMED_SHARE:
        return None
    figures = FindingFigures(since, until, len(rows), score, gained=gained)
    return Finding("farming", LOOK, (winner, loser), figures, (("share", f"{100 * share:.0f}"),))


def _closed_group(ledger: LedgerGames, played: Ints, is_member: NDArray[np.bool_]) -> Finding | None:
    """A small group who play mostly among themselves, and gained much by those games."""
    games, members = ledger.games, np.flatnonzero(is_member)
    own = is_member[games.players].all(axis=0)
    share = 2 * int(own.sum()) / int(played[members].sum())
    gained = float(games.gained[:, own].sum()) / len(members)
    if share < CLOSED_SHARE or gained < ledger.scale.closed:
        return None
    days = games.day[own]
    figures = FindingFigures(int(days.min()), int(days.max()), int(own.sum()), gained=gained)
    return Finding("closed", LOOK, tuple(members.tolist()), figures, (("share", f"{100 * share:.0f}"),))
