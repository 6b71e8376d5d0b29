"""A list a page at a time: whatever the column and direction, the pages together are the list."""

from __future__ import annotations

from datetime import UTC, date, datetime
from random import Random

import pytest
from web.small_office import small_pool

from banzuke.database.models import ListRow, RatingList
from banzuke.office.pages import list_pages
from banzuke.office.pages.list_pages import COLUMNS, PageRequest, load_page

pytestmark = pytest.mark.django_db
NOBODY = frozenset()


@pytest.fixture
def published():
    """A list of 57 players with many equal values, some without a change or a peak."""
    pool = small_pool()
    now = datetime(2025, 1, 1, tzinfo=UTC)
    made = RatingList.objects.create(
        pool=pool, name="2025-01", number=1, revision=0, entry=pool.entries.get(), day=date(2025, 1, 1),
        closes=date(2024, 12, 20), rulebook="jcf-2024", in_force_from=date(2024, 10, 1), settings={},
        published_at=now, author="test", sha256="0" * 64,
    )  # fmt: skip
    rng = Random(5)
    for number in range(57):
        ListRow.objects.create(
            list=made, speed="standard", place=rng.randrange(1, 20), player_id=f"P{number:02}",
            name=rng.choice(("ABE", "BABA", "CHIBA", "DATE")), club_id=rng.choice(("", "C1", "C2")),
            sex=rng.choice(("f", "F", "女", "m", "男", "")), group=rng.choice(("junior", "adult", "senior", "")),
            active=rng.random() < 0.5, rating=1500, games=rng.randrange(5),
            change=rng.choice((None, -3, 0, 0, 7)), peak=rng.choice((None, 1500, 1600)), status="rated",
        )  # fmt: skip
    return made


def walked(published, monkeypatch, hidden=NOBODY, **asked):
    """The ids of the list as the pages give them, forwards."""
    monkeypatch.setattr(list_pages, "PAGE", 10)
    found = load_page(published, "standard", PageRequest(**asked), hidden)
    assert not found.has_before
    ids = [row.player_id for row in found.rows]
    while found.has_after:
        found = load_page(published, "standard", PageRequest(**asked, after=ids[-1]), hidden)
        assert found.has_before
        assert len(found.rows) <= 10
        ids += [row.player_id for row in found.rows]
    return ids


def walked_back(published, hidden=NOBODY, **asked):
    found = load_page(published, "standard", PageRequest(**asked, last=True), hidden)
    assert not found.has_after
    ids = [row.player_id for row in found.rows]
    while found.has_before:
        found = load_page(published, "standard", PageRequest(**asked, before=ids[0]), hidden)
        assert found.has_after
        ids = [row.player_id for row in found.rows] + ids
    return ids


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("sign", ["", "-"])
def test_the_pages_together_are_the_list_in_order(published, monkeypatch, column, sign):
    ids = walked(published, monkeypatch, sort=sign + column)
    assert len(ids) == len(set(ids)) == 57
    assert walked_back(published, sort=sign + column) == ids
    rows = {row.player_id: row for row in published.rows.all()}
    values = [getattr(rows[player], COLUMNS[column]) for player in ids]
    given = [value for value in values if value is not None]
    assert values[: len(given)] == given, "blanks are last in both directions"
    assert given == sorted(given, reverse=(sign == "-") != (column == "rating"))


@pytest.mark.parametrize("column", ["name", "club"])
@pytest.mark.parametrize("sign", ["", "-"])
def test_where_names_sort_who_has_none_in_public_is_last(published, monkeypatch, column, sign):
    hidden = frozenset(("P07", "P31"))
    ids = walked(published, monkeypatch, hidden, sort=sign + column)
    assert set(ids[-2:]) == hidden
    assert len(set(ids)) == 57
    assert walked_back(published, hidden, sort=sign + column) == ids


def test_filters(published, monkeypatch):
    rows = list(published.rows.all())

    def ids(**asked):
        return set(walked(published, monkeypatch, **asked))

    assert ids(club="C1") == {row.player_id for row in rows if row.club_id == "C1"}
    assert ids(group="junior") == {row.player_id for row in rows if row.group == "junior"}
    assert ids(sex="f") == {row.player_id for row in rows if row.sex in ("f", "F", "女")}
    assert ids(sex="m") == {row.player_id for row in rows if row.sex in ("m", "男")}
    assert ids(active="yes") == {row.player_id for row in rows if row.active}
    assert ids(active="no") == {row.player_id for row in rows if not row.active}
    assert ids(place=12) == {row.player_id for row in rows if row.place >= 12}
    assert ids(club="C1", active="yes", sort="-change") == ids(club="C1") & ids(active="yes")


@pytest.mark.parametrize("asked", [{"club": "C1"}, {"group": "junior"}, {"sex": "f"}])
def test_no_filter_tells_of_who_is_shown_by_id_only(published, monkeypatch, asked):
    open_to_all = walked(published, monkeypatch, **asked)
    hidden = frozenset(open_to_all[:2])
    assert walked(published, monkeypatch, hidden, **asked) == open_to_all[2:]


def test_beside_a_player_who_is_not_there_it_is_the_first_page(published):
    assert load_page(published, "standard", PageRequest(after="nobody"), NOBODY).rows[0].place == 1


def test_what_is_no_group_sex_or_column_is_not_asked(published, monkeypatch):
    assert len(walked(published, monkeypatch, sort="secret", group="old", sex="x")) == 57


@pytest.mark.parametrize("sort", ["place", "-change", "name", "club"])
def test_a_page_takes_a_bounded_number_of_queries(published, sort, django_assert_max_num_queries):
    with django_assert_max_num_queries(6):
        load_page(published, "standard", PageRequest(sort=sort, after="P20"), frozenset(("P07",)))
