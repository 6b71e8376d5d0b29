"""The US Chess rules once more, from the page alone, in floating point and by bisection: to compare with."""

from __future__ import annotations

from math import sqrt


def effective(rating, games):
    most = 50 / sqrt(0.662 + 0.00000739 * (2569 - rating) ** 2) if rating <= 2355 else 50
    return min(games, most)


def pw(rating, opponent):
    return min(1, max(0, 0.5 + (rating - opponent) / 800))


def special(rating, weight, games, sided=""):
    own, points = rating, sum(score for _, score in games) + weight / 2
    if sided == "won":
        own, points = rating - 400, points + weight / 2
    if sided == "lost":
        own, points = rating + 400, points - weight / 2

    def excess(at):
        return weight * pw(at, own) + sum(pw(at, opponent) for opponent, _ in games) - points

    if abs(excess(rating)) < 1e-12:
        return max(100, min(2700, rating))
    below = excess(rating) < 0
    low, high = (rating, 9000) if below else (-9000, rating)
    for _ in range(90):
        middle = (low + high) / 2
        if excess(middle) < -1e-12 if below else excess(middle) <= 1e-12:
            low = middle
        else:
            high = middle
    return max(100, min(2700, low))


def standard(rating, games_before, games, b, dual):
    count = len(games)
    expected = sum(1 / (1 + 10 ** ((opponent - rating) / 400)) for opponent, _ in games)
    k = 800
    if dual and rating > 2200:
        k = 800 * (6.5 - 0.0025 * rating) if rating < 2500 else 200
    surplus = k / (effective(rating, games_before) + count) * (sum(score for _, score in games) - expected)
    return max(100, rating + surplus + (max(0, surplus - b * sqrt(max(4, count))) if b else 0))


def event(players, games, b, dual=False):
    """New ratings by player; players as (rating, games, sided), games as (white, black, White's score)."""
    own = {player: [] for player in players}
    for white, black, score in games:
        own[white].append((black, score))
        own[black].append((white, 1 - score))
    own = {player: of for player, of in own.items() if of}

    def against(player, figures):
        return [(figures[opponent], score) for opponent, score in own[player]]

    def step(player, figures):
        rating, before, sided = players[player]
        if before <= 8 or sided:
            sided = sided if before else ""
            return special(rating, effective(rating, before), against(player, figures), sided)
        met = [opponent for opponent, _ in own[player]]
        may = len(met) >= 3 and all(met.count(opponent) <= 2 for opponent in met)
        return standard(rating, before, against(player, figures), b if may else 0, dual)

    before = {player: rating for player, (rating, _, _) in players.items()}
    first = {
        player: before[player] if players[player][1] else special(before[player], 1, against(player, before))
        for player in own
    }
    second = {player: step(player, first) for player in own}
    return {player: step(player, second) for player in own}
