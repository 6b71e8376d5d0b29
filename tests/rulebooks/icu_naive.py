"""The rules once more, in floating point and as plainly as the page has them, to compare whole events with.

A player is (kind, rating, games, k); a game (one, other, the first one's score). Players are named by number.
"""

from __future__ import annotations

import math
from itertools import count

VERSIONS = {0: (30, 1, 0.5), 1: (30, 30, 0.5), 2: (30, 30, 0.1), 3: (50, 50, 0.1)}


def half_away(number):
    return int(math.copysign(math.floor(abs(number) + 0.5), number))


class UnstableError(Exception):
    pass


class Naive:
    def __init__(self, players, games, version, cap=2100, halves="away"):
        self.players, self.version, self.cap, self.halves = players, version, cap, halves
        self.met = {number: [] for number in players}
        for one, other, score in games:
            self.met[one].append((other, score))
            self.met[other].append((one, 1 - score))
        self.met = {number: met for number, met in self.met.items() if met}
        self.perf = dict.fromkeys(self.met)
        self.lifted, self.bonus = {}, dict.fromkeys(self.met, 0)
        self.change, self.expected, self.rounds = {}, {}, []
        self.run()

    def run(self):
        first, second, self.threshold = VERSIONS[self.version]
        self.iterate(first)
        for number in sorted(self.met):
            self.expect(number)
        if not self.test_bonuses():
            return
        for number in sorted(self.met):
            self.expect(number)
            if self.version >= 2 and number in self.lifted:
                self.lifted[number] = self.players[number][1] + self.change[number] + self.bonus[number]
        self.iterate(second)
        if self.version <= 1:
            self.test_bonuses()

    def worth(self, number):
        kind, rating, _, _ = self.players[number]
        if number in self.lifted:
            return self.lifted[number]
        return rating if kind in ("rated", "fixed") else self.perf[number]

    def iterate(self, limit):
        for done in count(1):
            new = {}
            for number, met in self.met.items():
                kind, rating, games, _ = self.players[number]
                values = [(self.worth(o), s) for o, s in met if self.worth(o) is not None]
                total = sum(value + 400 * (2 * score - 1) for value, score in values)
                n = len(values)
                if kind == "provisional":
                    total, n = total + rating * games, n + games
                new[number] = total / n if values else None
            moved = [
                number
                for number, old in self.perf.items()
                if (old is None) != (new[number] is None)
                or (old is not None and abs(old - new[number]) >= self.threshold)
            ]
            self.perf = new
            if not moved or done == limit:
                break
        if moved and limit > 1:
            raise UnstableError
        self.rounds.append(done)

    def expect(self, number):
        kind, rating, _, k = self.players[number]
        if kind != "rated":
            return
        found = [(self.worth(o), s) for o, s in self.met[number] if self.worth(o) is not None]
        es = [1 / (1 + 10 ** ((value - rating) / 400)) for value, _ in found]
        self.expected[number] = es
        self.change[number] = sum(k * (score - e) for (_, score), e in zip(found, es, strict=True))

    def test_bonuses(self):
        anybody = False
        for number in sorted(self.met):
            kind, rating, _, k = self.players[number]
            if kind != "rated":
                continue
            change, n = self.change[number], len(self.met[number])
            if k <= 24 or n < 5 or rating >= 2100 or change <= 35 or rating + change >= 2100:
                continue
            bonus = half_away(change - (32 + 3 * (n - 4)))
            if bonus <= 0:
                continue
            if k >= 40:
                bonus = round(1.25 * bonus) if self.halves == "even" else half_away(1.25 * bonus)
            for most in (self.cap, self.perf[number]):
                if rating + change + bonus >= most:
                    bonus = half_away(most - rating - change)
            if bonus > 0:
                self.bonus[number] = bonus
                self.lifted[number] = rating + change + bonus
                anybody = True
        return anybody

    def new(self, number):
        kind, rating, games, _ = self.players[number]
        perf = self.perf[number]
        n = sum(self.worth(o) is not None for o, _ in self.met[number])
        if kind == "rated":
            return rating + half_away(self.change[number]) + self.bonus[number], games + n
        return (rating, games) if perf is None else (half_away(perf), games + n)
