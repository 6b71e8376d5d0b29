"""What a process keeps of players' last lines: the answers are those of who reads them all again."""

from __future__ import annotations

import random
from datetime import timedelta
from types import SimpleNamespace
from typing import ClassVar

import pytest
from office.live_pool import KEY, START, game, go_pool

from banzuke.core.go_facts import Declaration
from banzuke.core.registry import BOOKS
from banzuke.office.live import earlier_ranks, pool_events, recent_lines
from banzuke.office.live.earlier_ranks import GameWithLines, find_ranks_before
from banzuke.office.live.game_rating import GameRating
from banzuke.office.live.live_rows import Seat, TimeKey
from banzuke.office.live.live_tables import LiveTables
from banzuke.office.live.recent_lines import PlayerLines
from banzuke.office.live.submission_queue import Submission, send_together

CERTIFIED = (("aoi", "2d", 14_750, 300), ("kei", "3d+", 15_450, 300), ("mio", "3d", 15_400, 300))
PLAYERS = ["aoi", "kei", "mio", "sho", "uta", "yui"]


@pytest.fixture
def pool(db, monkeypatch):
    """A pool whose lines are kept, though the test's own transaction is not committed."""
    monkeypatch.setattr(recent_lines, "connection", SimpleNamespace(in_atomic_block=False))
    made = go_pool(*CERTIFIED, ("sho", "1d"), ("uta", "2d"), ("yui", "BC"))
    recent_lines.recent_lines(made).forget()
    yield made
    recent_lines.recent_lines(made).forget()


@pytest.fixture
def read_lines(monkeypatch):
    """How many players' lines were read, one number for each time."""
    counts, ask = [], earlier_ranks.ask_last_lines

    def counted(tables, wanted, most):
        counts.append(len(wanted))
        return ask(tables, wanted, most)

    monkeypatch.setattr(earlier_ranks, "ask_last_lines", counted)
    return counts


def send(pool, *sendings):
    """Sendings that go into one transaction: the earlier ranks that are answered, by the game's id."""
    sent = [Submission(games, KEY) for games in sendings]
    send_together(pool, sent)
    assert [each.error for each in sent] == [None] * len(sent)
    return {game_id: ranks for each in sent for game_id, ranks in each.result.ranks_before.items()}


def read_again(pool, games):
    stored = LiveTables(pool).games_by_id([each.game_id for each in games])
    return find_ranks_before(
        pool, [GameWithLines(stored[each.game_id].game, stored[each.game_id].lines) for each in games]
    )


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 8))]
)
def test_the_answers_are_those_of_who_reads_all_again(pool, read_lines, seed):
    rng, book, minute, sent, found = random.Random(seed), BOOKS["pandanet"], 0, [], 0
    for number in range(120):
        minute += rng.choice([1, 5, 30, 600])
        chance = rng.random()
        if chance < 0.12:
            at = START + timedelta(minutes=minute)
            rank = rng.choice(["3d", "2d", "1k"])
            pool_events.add_declaration(pool, Declaration(rng.choice(PLAYERS[3:]), at, rank), KEY)
        elif chance < 0.15 and sent:
            pool_events.void_game(pool, rng.choice(sent).game_id, KEY, "")
        elif chance < 0.18:
            recent_lines.recent_lines(pool).forget()
        games = []
        for beside in range(rng.choice([1, 1, 2, 3])):
            black, white = rng.sample(PLAYERS, 2)
            late = rng.choice([0] * 12 + [90])
            terms = book.regular_terms(rng.randrange(5))
            result = rng.choice("BW")
            games.append(game(f"G{number}-{beside}", max(0, minute - late), black, white, result, *terms))
        again = [each for each in sent[-3:] if rng.random() < 0.1]
        answered = send(pool, *([each] for each in [*games, *again]))
        assert answered == read_again(pool, [*games, *again])
        found += len(answered)
        sent += games
    assert found > 3
    assert sum(read_lines) > 0


def test_lines_that_are_kept_are_not_read_again(pool, read_lines):
    """The first game follows none of the last day, so it is known that there is nothing before it."""
    terms = BOOKS["pandanet"].regular_terms(4)
    for number in range(30):
        send(pool, [game(f"G{number}", number, "aoi", "kei", "BW"[number % 2], *terms)])
    assert sum(read_lines) == 0
    recent_lines.recent_lines(pool).forget()
    for number in range(30, 40):
        send(pool, [game(f"G{number}", number, "aoi", "kei", "BW"[number % 2], *terms)])
    assert read_lines[30:] == [2] * 6 + [0] * 4, "until six games are known before one"


def test_what_somebody_else_wrote_is_read(pool, read_lines):
    terms = BOOKS["pandanet"].regular_terms(4)
    for number in range(3):
        send(pool, [game(f"G{number}", number, "aoi", "kei", "B", *terms)])
    pool_events.add_declaration(pool, Declaration("sho", START + timedelta(minutes=5), "3d"), KEY)
    send(pool, [game("G3", 6, "aoi", "kei", "B", *terms)])
    assert read_lines == [0, 0, 0, 2]


def line(at):
    return TimeKey(at, "G"), str(at)


@pytest.mark.parametrize(
    ("after", "count", "reaches"),
    [(0, 0, True), (10, 0, True), (11, 0, False), (11, 5, False), (11, 6, True)],
)
def test_lines_reach_back_to_a_moment_or_over_enough_games(after, count, reaches):
    lines = PlayerLines(after, tuple(line(20 + number) for number in range(count)))
    assert lines.reaches_back(TimeKey(20 + count, "G"), 10) is reaches


def test_of_many_lines_the_last_are_kept_and_of_one_moment_all_or_none():
    lines = PlayerLines(0, ())
    for at in (1, 2, 3, 3, *range(4, 11)):
        lines = lines.with_line(*line(at))
    assert lines == PlayerLines(2, tuple(map(line, (3, 3, *range(4, 11)))))
    lines = lines.with_line(*line(11)).with_line(*line(12))
    assert lines == PlayerLines(3, tuple(map(line, range(4, 13)))), "of one moment some would be missing"


def test_of_who_was_seated_last_at_that_moment_not_all_lines_are_known():
    assert PlayerLines(5, ()).with_line(*line(5)) == PlayerLines(5, ())


class TestWhatIsKept:
    """Two players who have played; the entry is 7 after it."""

    FOUND: ClassVar = {"aoi": PlayerLines(0, (line(5),)), "kei": PlayerLines(0, (line(5),))}

    @pytest.fixture(autouse=True)
    def committed(self, monkeypatch):
        monkeypatch.setattr(recent_lines, "connection", SimpleNamespace(in_atomic_block=False))

    def writer(self, live, in_force=None, *, is_current=True):
        return SimpleNamespace(is_current=is_current, locked=SimpleNamespace(live=live, in_force=in_force))

    def next_lines(self, kept, writer, last=5):
        """Those of a game that follows, of a player whose last was at that moment."""
        played = game("G", 0, "aoi", "kei", "B")
        rating = GameRating(TimeKey(9, "G"), played, None, ("9", "9"))
        seats = dict.fromkeys(("aoi", "kei"), Seat(None, TimeKey(last, "G")))
        found = kept.find(writer, [rating], seats)
        assert found["aoi"] == found["kei"]
        return found["aoi"]

    @pytest.mark.parametrize("in_force", [None, 3])
    def test_it_is_good_where_nothing_came_between(self, in_force):
        kept = recent_lines.RecentLines()
        kept.keep(self.writer(6, in_force), 7, self.FOUND)
        fresh, known = PlayerLines(5, (line(9),)), PlayerLines(0, (line(5), line(9)))
        assert self.next_lines(kept, self.writer(7)) == (fresh if in_force else known)
        assert self.next_lines(kept, self.writer(8)) == fresh, "somebody else wrote"
        assert self.next_lines(kept, self.writer(7, is_current=False)) == fresh, "something was entered"
        assert self.next_lines(kept, self.writer(7), last=6) == PlayerLines(6, (line(9),)), "a declaration"

    def test_what_others_made_old_is_dropped(self):
        kept = recent_lines.RecentLines()
        kept.keep(self.writer(6), 7, self.FOUND)
        kept.keep(self.writer(8), 9, {"mio": PlayerLines(0, (line(5),))})
        assert self.next_lines(kept, self.writer(9)) == PlayerLines(5, (line(9),))

    def test_who_played_long_ago_is_dropped(self, monkeypatch):
        monkeypatch.setattr(recent_lines, "MOST_PLAYERS", 3)
        kept = recent_lines.RecentLines()
        kept.keep(self.writer(6), 7, self.FOUND)
        others = {f"P{number}": PlayerLines(0, (line(5),)) for number in range(3)}
        kept.keep(self.writer(7), 8, others)
        assert self.next_lines(kept, self.writer(8)) == PlayerLines(5, (line(9),))


def test_what_is_not_committed_is_not_kept(db, read_lines):
    pool, terms = go_pool(*CERTIFIED), BOOKS["pandanet"].regular_terms(4)
    for number in range(10):
        send(pool, [game(f"G{number}", number, "aoi", "kei", "B", *terms)])
    assert min(read_lines[1:]) == 2, "a number that is rolled back is given again"
