"""Two published lists compared: who came, left and moved; movements in bands; clubs and groups at the top."""

from __future__ import annotations

from collections import Counter

import pytest
from published_office import published

from banzuke.core.go_facts import HALF_OF
from banzuke.office.lists import list_index
from banzuke.office.lists.list_comparison import Movement, compare_lists, in_order
from banzuke.office.lists.movement_bands import Band, movement_bands
from banzuke.office.lists.top_lists import TEAM, club_standings, groups_of


@pytest.fixture
def japan(db):
    return published("japan")


def listed(published_list, speed, column="rating"):
    rows = published_list.rows.filter(speed=speed).order_by("place", "player_id")
    return dict(rows.values_list("player_id", column))


class TestComparison:
    @pytest.mark.parametrize("speed", ["standard", "rapid"])
    def test_everybody_is_in_one_part(self, japan, speed):
        first, last = list_index.find_list(japan, "2024-06"), list_index.latest_list(japan)
        found = compare_lists(first, last, speed)
        before, after = listed(first, speed), listed(last, speed)
        assert found.came == [player for player in after if player not in before]
        assert found.left == [player for player in before if player not in after]
        moved = {player: after[player] - before[player] for player in before if player in after}
        assert {each.player_id: each.size for each in found.moved} == {p: n for p, n in moved.items() if n}
        assert found.stayed == list(moved.values()).count(0)
        sizes = [each.size for each in found.moved]
        assert sizes == sorted(sizes, reverse=True)
        assert found.came
        assert found.moved
        assert found.sizes == Counter(moved.values())

    def test_from_one_list_to_the_next_it_is_the_change(self, japan):
        last = list_index.latest_list(japan)
        found = compare_lists(list_index.list_before(last), last, "standard")
        changes = {player: n for player, n in listed(last, "standard", "change").items() if n}
        assert {each.player_id: each.size for each in found.moved} == changes

    def test_a_list_and_itself(self, japan):
        last = list_index.latest_list(japan)
        assert compare_lists(last, last, "standard")[:3] == ([], [], [])

    def test_the_earlier_one_is_the_earlier_one(self, japan):
        first, last = list_index.find_list(japan, "2024-06"), list_index.latest_list(japan)
        assert in_order(last, first) == in_order(first, last) == (first, last)

    def test_it_is_asked_for_once(self, japan, django_assert_num_queries):
        first, last = list_index.find_list(japan, "2024-07"), list_index.latest_list(japan)
        with django_assert_num_queries(2):
            compare_lists(first, last, "standard")
        with django_assert_num_queries(0):
            compare_lists(first, last, "standard")

    def test_go_ranks_move_by_half_ranks(self, db, monkeypatch):
        pool = published("go-server")
        (ranking,) = list_index.current_lists(pool)
        later = type(ranking).objects.create(
            pool=pool, name="2026-03", number=2, revision=0, entry=ranking.entry, day="2026-04-01", closes="2026-03-31",
            rulebook=ranking.rulebook, in_force_from=ranking.in_force_from, settings={}, published_at=ranking.published_at,
            author="test", sha256="b" * 64,
        )  # fmt: skip
        rows = list(ranking.rows.order_by("place", "player_id"))
        amateurs = [row for row in rows if row.written.rstrip("?") in HALF_OF]
        risen = amateurs[-1]
        half = HALF_OF[risen.written.rstrip("?")]
        names = {number: name for name, number in HALF_OF.items()}
        for row in rows[:-1] if rows[-1] != risen else rows:
            row.written = names[half + 2] if row == risen else row.written
            row.pk, row.list = None, later
            row.save()
        found = compare_lists(ranking, later, "")
        assert found.moved == [Movement(risen.player_id, half, half + 2)]


class TestListBefore:
    def test_months_follow_one_another(self, japan):
        assert list_index.list_before(list_index.find_list(japan, "2025-01")).name == "2024-12"
        assert list_index.list_before(list_index.find_list(japan, "2024-06")) is None

    def test_so_do_events(self, db):
        pool = published("hakodate")
        assert list_index.list_before(list_index.latest_list(pool)).name == "2025-11-autumn"


class TestBands:
    def test_single_points(self):
        assert movement_bands({2: 1, 0: 5, -1: 3}) == [
            Band(2, 2, 1),
            Band(1, 1, 0),
            Band(0, 0, 5),
            Band(-1, -1, 3),
        ]

    def test_a_few_far_ones_do_not_hide_the_others(self):
        sizes = Counter(dict.fromkeys(range(1, 31), 10)) + Counter({400: 2, -12: 1})
        bands = movement_bands(sizes)
        assert bands[0] == Band(26, None, 52)
        assert bands[5] == Band(1, 5, 50)
        assert bands[-1] == Band(-15, -11, 1)
        assert sum(band.players for band in bands) == sum(sizes.values())

    def test_falls_beyond(self):
        assert movement_bands({-1: 99, -900: 1}) == [Band(0, 0, 0), *(
            Band(-at, -at, 99 if at == 1 else 0) for at in range(1, 6)), Band(None, -6, 1)]  # fmt: skip

    def test_nobody(self):
        assert movement_bands({}) == [Band(0, 0, 0)]


class TestTopLists:
    def test_groups_of_the_example(self, japan):
        assert groups_of(list_index.latest_list(japan), "standard", frozenset()) == (True, False, True, True)

    def test_a_club_without_birth_dates_has_none(self, db):
        latest = list_index.latest_list(published("hakodate"))
        assert groups_of(latest, "", frozenset()) == (False, False, False, False)

    def test_clubs_by_their_best_four(self, japan):
        latest = list_index.latest_list(japan)
        found = club_standings(latest, "standard", frozenset())
        assert [club.strength for club in found] == sorted((club.strength for club in found), reverse=True)
        for club in found:
            rows = latest.rows.filter(speed="standard", club_id=club.club_id).order_by("place", "player_id")
            ratings = [row.rating for row in rows]
            assert club.players == len(ratings)
            assert club.best == rows[0]
            assert abs(club.strength * TEAM - sum(ratings[:TEAM])) <= TEAM // 2

    def test_who_is_shown_by_id_only_has_no_club(self, japan):
        latest = list_index.latest_list(japan)
        first = club_standings(latest, "standard", frozenset())[0]
        without = club_standings(latest, "standard", frozenset([first.best.player_id]))
        now = next(club for club in without if club.club_id == first.club_id)
        assert now.players == first.players - 1
        assert now.best != first.best
