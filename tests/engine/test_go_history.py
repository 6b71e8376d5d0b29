"""A Go pool's history: declarations and games in the order of time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from banzuke.core.go_facts import Declaration, GoGame, GoOpening, GoPlayer
from banzuke.core.registry import BOOKS
from banzuke.engine.go_history import games_until, history, moment, opening
from banzuke.engine.history import UnknownListError
from banzuke.ledger.folder import GoLedger
from banzuke.ledger.pool_rules import EditionInForce, Pool
from banzuke.rulebooks.pandanet.ranks import default_zone

TOKYO = timezone(timedelta(hours=9))
ZONE = default_zone()


def at(hour, zone=TOKYO, day=11):
    return datetime(2025, 1, day, hour, tzinfo=zone)


def edition(start="2005-04-01", zone=ZONE):
    book = BOOKS["pandanet"]
    return EditionInForce(book, datetime.fromisoformat(start).date(), book.settings(), "", zone)


def game(game_id, ended, black="A", white="B", result="B", **facts):
    known = {"handicap": 0, "komi": 13, "board": 19, "moves": 200} | facts
    return GoGame(game_id, ended, black, white, result, **known)


def ledger(games, declarations=(), standings=(), editions=None):
    players = [
        GoPlayer("A", "A", "5k"),
        GoPlayer("B", "B", "5k"),
        GoPlayer("P", "P", "3p", professional=True),
    ]
    return GoLedger(
        Pool("Go", tuple(editions or [edition()])), players, games, list(declarations), list(standings)
    )


def rated(of, until=None):
    run = opening(of)
    return list(history(of, run, until)), run


CERTIFIED = (GoOpening("A", "5k", 200, points=9700), GoOpening("B", "5k", 200, points=9700))


class TestOpening:
    def test_standings_stand_over_what_was_declared(self):
        run = opening(ledger([], standings=CERTIFIED[:1]))
        assert {player: state.rank for player, state in run.states.items()} == {
            "A": "5k",
            "B": "5k?",
            "P": "3p",
        }
        assert run.states["A"].points == 9700
        assert run.ignored == []


class TestOrder:
    def test_by_the_moment_of_the_end_then_by_id(self):
        games = [game("b", at(12)), game("a", at(12)), game("c", at(2, UTC)), game("d", at(13))]
        assert [one.game_id for one in games_until(ledger(games), None)] == ["c", "a", "b", "d"]

    def test_until_is_included(self):
        games = [game("a", at(12)), game("b", at(13))]
        assert [one.game_id for one in games_until(ledger(games), at(12))] == ["a"]
        assert [one.game_id for one in games_until(ledger(games), at(3, UTC))] == ["a"]
        assert games_until(ledger(games), at(2, UTC)) == []

    def test_points_move_at_once(self):
        lines, run = rated(ledger([game("b", at(13), "B", "A"), game("a", at(12))], standings=CERTIFIED))
        assert [(one.game.game_id, one.black.player, one.black.before.points) for one in lines] == [
            ("a", "A", 9700), ("b", "B", 9600),
        ]  # fmt: skip
        assert {player: run.states[player].points for player in "AB"} == {"A": 9700, "B": 9700}
        assert run.states["A"] is lines[1].white.after


class TestDeclarations:
    def test_the_very_time_of_a_games_end_comes_before_it(self):
        games = [game("a", at(12)), game("b", at(13))]
        (first, second), run = rated(ledger(games, [Declaration("A", at(12), "3k")]))
        assert first.black.before.rank == "3k?"
        (first, second), run = rated(ledger(games, [Declaration("A", at(13), "3k")]))
        assert (first.black.before.rank, second.black.before.rank) == ("5k?", "3k?")
        assert run.ignored == []

    def test_in_their_order(self):
        later = [Declaration("A", at(11), "2k"), Declaration("A", at(10), "3k")]
        (only,), _ = rated(ledger([game("a", at(12))], later))
        assert only.black.before.rank == "2k?"

    def test_after_the_last_game(self):
        _, run = rated(ledger([game("a", at(12))], [Declaration("A", at(13), "3k")]))
        assert run.states["A"].rank == "3k?"

    def test_none_after_until(self):
        games = [game("a", at(12)), game("b", at(14))]
        of = ledger(games, [Declaration("A", at(13), "3k"), Declaration("B", at(14), "3k")])
        lines, run = rated(of, at(13))
        assert [one.game.game_id for one in lines] == ["a"]
        assert (run.states["A"].rank, run.states["B"].rank) == ("3k?", "5k?")

    def test_those_who_are_not_provisional_are_reported(self):
        late = [Declaration("P", at(10), "1d"), Declaration("A", at(9), "1d"), Declaration("B", at(9), "1d")]
        _, run = rated(ledger([], late, CERTIFIED[:1]))
        assert run.ignored == [late[1], late[0]]
        assert (run.states["A"].rank, run.states["B"].rank) == ("5k", "1d?")


class TestEditions:
    def test_the_zone_of_the_day_in_utc_however_it_is_written(self):
        """A later table of lines, in force from 12 January."""
        wide = ZONE._replace(up=tuple(None if up is None else up + 10_000 for up in ZONE.up))
        near = (GoOpening("A", "5k", 200, points=9950), GoOpening("B", "5k", 200, points=9700))
        editions = [edition(), edition("2025-01-12", wide)]
        for ended, rank in (
            (at(23), "5k+"),
            (at(8, day=12), "5k+"),
            (at(9, day=12), "5k"),
            (at(23, UTC), "5k+"),
        ):
            (only,), _ = rated(ledger([game("a", ended)], standings=near, editions=editions))
            assert (only.black.after.rank, only.black.after.points) == (rank, 10050)


class TestUntil:
    def test_a_moment_with_its_offset(self):
        assert moment("2025-01-11T12:00:00+09:00") == at(12)
        assert moment("2025-01-11T12:00:00Z") == at(12, UTC)
        assert moment(None) is None

    @pytest.mark.parametrize("until", ["2025-01-11T12:00:00", "2025-01", "2025-01-11", "G1", ""])
    def test_anything_else_is_refused(self, until):
        with pytest.raises(UnknownListError) as refused:
            moment(until)
        assert (refused.value.name, refused.value.known) == (until, "2025-03-01T12:00:00+09:00")
