"""Reports of games of Go beside a live server: the verdict of each game before it is taken, and taken once."""

from __future__ import annotations

import io
import random
import zipfile
from datetime import UTC, date, datetime, timedelta

import pytest
from office.published_office import example

from banzuke.core.go_facts import Declaration, GoGame, GoPlayer
from banzuke.database import models
from banzuke.database.book_reader import last_entry, read_book
from banzuke.database.book_writer import Act, open_entry
from banzuke.engine.go_history import history, opening
from banzuke.exchange.player_identities import NEW, Decision
from banzuke.office.inbox import reports
from banzuke.office.inbox.event_fields import READABLE
from banzuke.office.inbox.problems import BLOCKS, problem_text
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.inbox.report_preview import preview
from banzuke.office.inbox.review import review_report
from banzuke.office.journal import Actor
from banzuke.office.live import accounts, pool_events, submission_queue
from banzuke.office.live.live_codec import line_text
from banzuke.office.refusals import ReportNotReadyError

pytestmark = pytest.mark.django_db

TODAY = date(2026, 7, 1)
OFFICER = Actor("officer", "127.0.0.1")
NOON = datetime(2026, 2, 10, 12, tzinfo=UTC)


def sgf(black, white, result="B+R", komi="6.5", more=""):
    return f"(;GM[1]FF[4]SZ[19]KM[{komi}]PB[{black}]PW[{white}]RE[{result}]{more};B[aa];W[bb])".encode()


def zipped(games, ended):
    """A zip of games by id, with a table of when they ended."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for game_id, data in games.items():
            packed.writestr(f"games/{game_id}.sgf", data)
        rows = [f"{game_id},{at.isoformat()}" for game_id, at in ended.items()]
        packed.writestr("table.csv", "\n".join(["game_id,ended", *rows]))
    return [("games.zip", stream.getvalue())]


def taken(pool, games, ended=None):
    ended = ended or {game_id: NOON + timedelta(minutes=n) for n, game_id in enumerate(games)}
    return receive(pool, zipped(games, ended), {}, Sender(OFFICER, None, "", "upload"))


def codes(report):
    return [one.fault.code for one in review_report(report, TODAY).problems]


def played(game_id, at=NOON, black="aosagi", white="donguri"):
    return GoGame(game_id, at, black, white, "B", 0, 13, 19, 2, pair=False)


def lines(pool):
    rows = models.LiveGame.objects.filter(pool=pool, stands=True)
    return {row.game_id: (row.black_line, row.white_line) for row in rows}


def batch(pool):
    ledger = read_book(pool)
    rated = history(ledger, opening(ledger), None)
    return {each.game.game_id: (line_text(each.black), line_text(each.white)) for each in rated}


@pytest.fixture
def pool():
    return example("go-server")


class TestForetold:
    @pytest.mark.parametrize("seed", range(6))
    def test_what_is_shown_is_what_comes_to_pass_wherever_the_games_lie(self, pool, seed):
        dice = random.Random(seed)
        players = [player.player_id for player in read_book(pool).players]
        ends = sorted(game.ended for game in read_book(pool).games)
        span = int((ends[-1] - ends[0]).total_seconds())
        pool_events.add_declaration(
            pool, Declaration(players[3], ends[0] + timedelta(seconds=span // 2), "7k"), "server"
        )
        games, ended = {}, {}
        for number in range(30):
            black, white = dice.sample(players, 2)
            games[f"z{number}"] = sgf(
                black, white, dice.choice(["B+R", "W+2.5", "0"]), dice.choice(["6.5", "0.5"])
            )
            ended[f"z{number}"] = ends[0] + timedelta(seconds=dice.randrange(span))
        report = taken(pool, games, ended)
        review = review_report(report, TODAY)
        assert [problem_text(one, "en") for one in review.problems if one.weight == BLOCKS] == []
        shown = {
            each.game.game_id: (line_text(each.black), line_text(each.white)) for each in review.new_games
        }
        assert set(shown) == set(games)
        reports.accept(report, OFFICER, TODAY)
        now = lines(pool)
        assert {game_id: now[game_id] for game_id in games} == shown
        assert now == batch(pool)

    def test_newcomers_begin_with_the_rank_of_their_first_game(self, pool):
        report = taken(
            pool,
            {"n1": sgf("newbie", "donguri", more="BR[9k]"), "n2": sgf("aosagi", "newbie", more="WR[9k]")},
        )
        assert codes(report) == ["inbox-undecided"]
        reports.decide(report, [Decision("games.zip/games/n1.sgf", 0, "newbie", NEW)], OFFICER)
        review = review_report(report, TODAY)
        assert [each.black.before.rank for each in review.new_games] == ["9k?", "4k"]
        shown = {each.game.game_id: line_text(each.white) for each in review.new_games}
        reports.accept(report, OFFICER, TODAY)
        assert {game_id: lines(pool)[game_id][1] for game_id in shown} == shown

    def test_nothing_is_written_by_looking(self, pool):
        report = taken(pool, {"n1": sgf("aosagi", "donguri")})
        review_report(report, TODAY)
        before = last_entry(pool), lines(pool)
        assert preview(report, TODAY)[0].changes
        assert (last_entry(pool), lines(pool)) == before


class TestThereAlready:
    def test_the_same_game_is_shown_and_passed_over(self, pool):
        submission_queue.send(pool, [played("s1")], "server")
        report = taken(pool, {"s1": sgf("aosagi", "donguri"), "s2": sgf("donguri", "aosagi")})
        review = review_report(report, TODAY)
        assert ([each.game.game_id for each in review.known_games], codes(report)) == (["s1"], [])
        assert [each.game.game_id for each in review.new_games] == ["s2"]
        before = lines(pool)["s1"]
        reports.accept(report, OFFICER, TODAY)
        assert models.GoGame.objects.filter(pool=pool, game_id__in=["s1", "s2"]).count() == 2
        assert lines(pool)["s1"] == before
        assert lines(pool) == batch(pool)

    def test_a_robot_is_marked_here_too_and_its_game_is_the_same_without_the_mark(self, pool):
        accounts.mark_robot(pool, "donguri", True, "", OFFICER)
        submission_queue.send(pool, [played("s1")], "server")
        report = taken(pool, {"s1": sgf("aosagi", "donguri"), "s2": sgf("donguri", "aosagi")})
        assert [each.game.game_id for each in review_report(report, TODAY).known_games] == ["s1"]
        reports.accept(report, OFFICER, TODAY)
        marked = models.GoGame.objects.filter(pool=pool, game_id__in=["s1", "s2"]).order_by("game_id")
        assert list(marked.values_list("robot", flat=True)) == ["white", "black"]
        assert lines(pool) == batch(pool)

    def test_a_report_of_nothing_else_cannot_be_accepted(self, pool):
        submission_queue.send(pool, [played("s1")], "server")
        report = taken(pool, {"s1": sgf("aosagi", "donguri")})
        assert codes(report) == ["inbox-go-there"]
        with pytest.raises(ReportNotReadyError):
            reports.accept(report, OFFICER, TODAY)

    def test_an_annulled_one_is_there_too(self, pool):
        submission_queue.send(pool, [played("s1")], "server")
        pool_events.void_game(pool, "s1", "server", "a mistake")
        report = taken(pool, {"s1": sgf("aosagi", "donguri")})
        assert codes(report) == ["inbox-go-there"]
        assert review_report(report, TODAY).known_games[0].black.clause == "PN 2(3)"

    def test_another_game_of_that_id_is_refused(self, pool):
        submission_queue.send(pool, [played("s1")], "server")
        report = taken(pool, {"s1": sgf("aosagi", "donguri", "W+R")})
        assert codes(report) == ["other-game"]

    def test_one_that_was_struck_is_refused(self, pool):
        submission_queue.send(pool, [played("s1")], "server")
        row = models.GoGame.objects.get(pool=pool, game_id="s1")
        entry = open_entry(pool, Act("officer", "correct"))
        models.Strike.objects.create(entry=entry, pool=pool, table="games", row=row.pk, day=TODAY)
        assert codes(taken(pool, {"s1": sgf("aosagi", "donguri")})) == ["struck-game"]

    def test_the_same_meeting_under_another_id_is_told(self, pool):
        submission_queue.send(pool, [played("s1")], "server")
        assert codes(taken(pool, {"other": sgf("aosagi", "donguri")}, {"other": NOON})) == [
            "import-go-reported"
        ]

    def test_what_a_ledger_would_be_refused_for(self, pool):
        report = taken(pool, {"old": sgf("aosagi", "donguri")}, {"old": datetime(1990, 1, 1, tzinfo=UTC)})
        assert "inbox-no-edition" in codes(report)


class TestReadablePart:
    """Of hundreds of games some may be broken: the others can be taken without them."""

    def test_what_is_broken_stands_in_the_way_until_it_is_left_out(self, pool):
        report = taken(pool, {"n1": sgf("aosagi", "donguri"), "n2": b"(;GM[1]PB[x", "n3": b"lost"})
        review = review_report(report, TODAY)
        assert not review.is_ready
        assert [each.game.game_id for each in review.new_games] == ["n1"]
        with pytest.raises(ReportNotReadyError):
            reports.accept(report, OFFICER, TODAY)
        reports.set_fields(report, {READABLE: True}, OFFICER)
        assert review_report(report, TODAY).is_ready
        reports.set_fields(report, {READABLE: False}, OFFICER)
        assert not review_report(report, TODAY).is_ready
        reports.set_fields(report, {READABLE: True}, OFFICER)
        reports.accept(report, OFFICER, TODAY)
        assert "n1" in lines(pool)
        assert lines(pool) == batch(pool)

    def test_another_game_of_a_known_id_can_be_left_out_too(self, pool):
        submission_queue.send(pool, [played("s1")], "server")
        report = taken(pool, {"s1": sgf("aosagi", "donguri", "W+R"), "s2": sgf("donguri", "aosagi")})
        reports.set_fields(report, {READABLE: True}, OFFICER)
        step = reports.accept(report, OFFICER, TODAY)
        assert list(models.GoGame.objects.filter(entry=step.entry).values_list("game_id", flat=True)) == [
            "s2"
        ]

    def test_where_nothing_can_be_read_there_is_nothing_to_take(self, pool):
        report = taken(pool, {"n2": b"(;GM[1]PB[x"})
        reports.set_fields(report, {READABLE: True}, OFFICER)
        assert "inbox-nothing" in codes(report)
        assert not review_report(report, TODAY).is_ready


class TestAccepting:
    def between(self, monkeypatch, enter):
        """Something that happens between looking and entering, once."""
        done = []

        def look(report, today):
            found = review_report(report, today)
            if not done:
                done.append(enter())
            return found

        monkeypatch.setattr(reports, "review_report", look)

    def test_games_of_others_meanwhile_are_no_matter(self, pool, monkeypatch):
        report = taken(pool, {"n1": sgf("aosagi", "donguri")})

        def server():
            for number in range(7):
                submission_queue.send(
                    pool, [played(f"s{number}", NOON + timedelta(hours=number + 1))], "server"
                )
            accounts.add_players(pool, [accounts.Newcomer(GoPlayer("come", "Come", "3k"))], "server")

        self.between(monkeypatch, server)
        step = reports.accept(report, OFFICER, TODAY)
        assert list(models.GoGame.objects.filter(entry=step.entry).values_list("game_id", flat=True)) == [
            "n1"
        ]
        assert lines(pool) == batch(pool)

    def test_the_same_game_sent_meanwhile_is_not_taken_twice(self, pool, monkeypatch):
        report = taken(pool, {"n1": sgf("aosagi", "donguri"), "n2": sgf("donguri", "aosagi")})
        self.between(monkeypatch, lambda: submission_queue.send(pool, [played("n1")], "server"))
        step = reports.accept(report, OFFICER, TODAY)
        assert list(models.GoGame.objects.filter(entry=step.entry).values_list("game_id", flat=True)) == [
            "n2"
        ]

    def test_a_newcomer_who_comes_by_himself_meanwhile_is_not_added_twice(self, pool, monkeypatch):
        report = taken(pool, {"n1": sgf("newbie", "donguri", more="BR[9k]")})
        reports.decide(report, [Decision("games.zip/games/n1.sgf", 0, "newbie", NEW)], OFFICER)
        self.between(
            monkeypatch,
            lambda: accounts.add_players(
                pool, [accounts.Newcomer(GoPlayer("newbie", "newbie", "8k"))], "server"
            ),
        )
        reports.accept(report, OFFICER, TODAY)
        assert models.GoPlayer.objects.filter(pool=pool, player_id="newbie").get().declared == "8k"
        assert lines(pool) == batch(pool)

    def test_they_are_in_the_live_standings_at_once(self, pool):
        report = taken(pool, {"n1": sgf("aosagi", "donguri")})
        reports.accept(report, OFFICER, TODAY)
        assert models.LivePool.objects.get(pool=pool).entry == last_entry(pool)
        assert "n1" in lines(pool)


def test_games_of_the_wild(pool, shared):
    """Files as Pandanet's programs write them, in a zip with their table."""
    files = {path.stem: path.read_bytes() for path in sorted((shared / "data" / "go").glob("*.sgf"))}
    one, two = sorted(files)
    ended = {one: datetime(2020, 1, 21, 3, tzinfo=UTC), two: datetime(2020, 4, 10, 12, tzinfo=UTC)}
    report = taken(pool, files, ended)
    assert codes(report) == ["inbox-undecided"]
    named = review_report(report, TODAY).go.unknown
    assert [(each.name, each.rank) for each in named] == [
        ("blit", "3d+"),
        ("Andrius", "4d"),
        ("player2", "12k"),
        ("player1", "11k+"),
    ]
    reports.decide(report, [Decision(each.file, 0, each.name, NEW) for each in named], OFFICER)
    review = review_report(report, TODAY)
    assert review.is_ready
    assert [(each.black.before.rank, each.white.before.rank) for each in review.new_games] == [
        ("3d?", "4d?"),
        ("12k?", "11k?"),
    ]
    reports.accept(report, OFFICER, TODAY)
    assert lines(pool) == batch(pool)
