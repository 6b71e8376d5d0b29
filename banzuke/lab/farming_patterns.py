"""Patterns of farming: pairs that play on and on with one winner, closed groups that rise by their own games.

These are rules, not chances: what they find may have a good reason, and an officer knows it or asks.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from banzuke.lab.encounters import GameColumns, LedgerGames, group_rows
from banzuke.lab.findings import LOOK, CheckResult, Finding, FindingFigures
from banzuke.lab.true_expectation import Ints

#: Farming: so many games of a pair, so large a share of its points, of the winner's games.
FARMED_GAMES, FARMED_SCORE, FARMED_SHARE = 12, 0.85, 0.3
#: A closed group: pairs of so many games hang together; so large a share of the members' games is their own;
#: so many members at least, and at most this share of the players.
TIED_GAMES, CLOSED_SHARE, CLOSED_LEAST, CLOSED_MOST = 5, 0.6, 3, 0.1


def farming_patterns(ledger: LedgerGames) -> list[CheckResult]:
    """Farming pairs and closed groups."""
    return [_farming(ledger), _closed_groups(ledger)]


def _farming(ledger: LedgerGames) -> CheckResult:
    """Pairs of many games, nearly all won by one of them, who gained much by them."""
    many = [rows for rows in group_rows(_pair(ledger)) if len(rows) >= FARMED_GAMES]
    found = [finding for finding in (_farming_pair(ledger, rows) for rows in many) if finding is not None]
    return CheckResult("farming", len(many), found)


def _pair(ledger: LedgerGames) -> Ints:
    """A number for the two players of each game."""
    games = ledger.games
    low, high = np.minimum(games.one, games.other), np.maximum(games.one, games.other)
    numbers: Ints = low * len(ledger.ids) + high
    return numbers


def _farming_pair(ledger: LedgerGames, rows: Ints) -> Finding | None:
    games = ledger.games
    one = int(games.one[rows[0]])
    is_one = games.one[rows] == one
    score = float(np.where(is_one, games.score[rows], 2 - games.score[rows]).sum()) / 2
    gained = np.where(is_one, games.gained[:, rows], games.gained[::-1, rows]).sum(axis=1)
    winner, loser = one, int(games.other[rows[0]])
    if score < len(rows) / 2:
        winner, loser, score, gained = loser, winner, len(rows) - score, gained[::-1]
    since, until = int(games.day[rows[0]]), int(games.day[rows[-1]])
    share = len(rows) / _played(games, winner, since, until)
    if score < FARMED_SCORE * len(rows) or gained[0] < ledger.scale.farming or share < FARMED_SHARE:
        return None
    figures = FindingFigures(since, until, len(rows), score, gained=float(gained[0]))
    return Finding("farming", LOOK, (winner, loser), figures, (("share", f"{100 * share:.0f}"),))


def _played(games: GameColumns, player: int, since: int, until: int) -> int:
    """How many games the player had from day to day."""
    own = (games.one == player) | (games.other == player)
    return int((own & (games.day >= since) & (games.day <= until)).sum())


def _closed_groups(ledger: LedgerGames) -> CheckResult:
    """Small groups who play mostly among themselves, and gained much by those games."""
    games, count = ledger.games, len(ledger.ids)
    played = np.bincount(np.append(games.one, games.other), minlength=count)
    pairs, met = np.unique(_pair(ledger), return_counts=True)
    tied = pairs[met >= TIED_GAMES]
    ties = coo_array((np.ones(len(tied)), (tied // count, tied % count)), (count, count))
    _, group = connected_components(ties, directed=False)
    sizes = np.bincount(group)
    most = max(CLOSED_LEAST, CLOSED_MOST * (played > 0).sum())
    looked = np.flatnonzero((sizes >= CLOSED_LEAST) & (sizes <= most)).tolist()
    groups = [_closed_group(ledger, played, group == each) for each in looked]
    found = [finding for finding in groups if finding is not None]
    return CheckResult("closed", len(looked), found)


def _closed_group(ledger: LedgerGames, played: Ints, is_member: NDArray[np.bool_]) -> Finding | None:
    games = ledger.games
    own = is_member[games.one] & is_member[games.other]
    members = np.flatnonzero(is_member)
    share = 2 * int(own.sum()) / int(played[members].sum())
    gained = float(games.gained[:, own].sum()) / len(members)
    if share < CLOSED_SHARE or gained < ledger.scale.closed:
        return None
    days = games.day[own]
    figures = FindingFigures(int(days.min()), int(days.max()), int(own.sum()), gained=gained)
    return Finding("closed", LOOK, tuple(members.tolist()), figures, (("share", f"{100 * share:.0f}"),))
