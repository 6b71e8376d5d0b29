"""Weekly lists, a largest change and an adjustment, tried of any book of chess."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from lab.test_crossed_books import ledger
from lab.test_variants import refused

from banzuke.columnar.batch_columns import MISSING
from banzuke.core.calendar import EachWeek
from banzuke.core.facts import Adjustment
from banzuke.core.registry import BOOKS
from banzuke.engine.columnar.chess_reader import read_columns
from banzuke.lab.chess_histories import rated_lists
from banzuke.lab.variants import edition_of, variants_of
from banzuke.ledger.pool_rules import Pool
from banzuke.ledger.reforms import read_reform

ICU, SERVER = (Pool("Made", (edition_of(BOOKS[name]),)) for name in ("icu", "pandanet"))


@pytest.fixture(scope="module")
def pool(tmp_path_factory):
    return read_columns(ledger(tmp_path_factory.mktemp("pool"), "jcf-2024"))


def lists(pool, *settings, books=()):
    """The lists of the pool by its own rules, and with those settings."""
    variants = variants_of(pool.pool, books, settings)
    return [[made.rated for made in rated_lists(pool, each)] for each in (variants[0], variants[-1])]


def test_a_list_every_monday():
    calendar = EachWeek(1)
    window = calendar.window_on(date(2026, 4, 5))  # a Sunday
    assert (window.name, window.opens, window.closes) == ("2026-04-06", date(2026, 3, 30), date(2026, 4, 5))
    assert calendar.window_on(date(2026, 4, 6)).name == "2026-04-13"
    assert calendar.window_named("2026-04-13").opens == date(2026, 4, 6)
    assert EachWeek(3).window_on(date(2026, 4, 4)).name == "2026-04-13"
    with pytest.raises(ValueError, match="2026-04-14"):
        calendar.window_named("2026-04-14")


@pytest.mark.parametrize("book", ["jcf-2024", "fide-2024"])
def test_weekly_lists_take_each_event_within_days(pool, book):
    """Every event has a list of its own, its players on the ratings of the list before."""
    own, weekly = lists(pool, "calendar=weekly", books=[book])
    assert {made.batch.published.weekday() for made in weekly} == {0}
    assert sorted(event.event_id for made in weekly for event in made.batch.events) == list(pool.event_ids)
    assert (
        max((made.batch.published - event.ends).days for made in weekly for event in made.batch.events) <= 9
    )
    assert len(weekly) > 3 * len(own)


def test_nobodys_rating_changes_by_more_in_a_list(pool):
    (first, *_), limited = lists(pool, "most_change=12")
    known = (first.before.value[0] != MISSING) & (first.after.value[0] != MISSING)
    change = (first.after.value - first.before.value)[0, known]
    assert np.abs(change).max() > 12
    assert (limited[0].after.value - limited[0].before.value)[0, known].tolist() == np.clip(
        change, -12, 12
    ).tolist()
    for made in limited:
        both = (made.before.value != MISSING) & (made.after.value != MISSING)
        assert np.abs(made.after.value - made.before.value)[both].max() <= 12


def test_the_first_list_is_adjusted(pool):
    own, adjusted = lists(pool, "adjustment=1000:1400,2000:2000")
    value = own[0].after.value[0]
    known = value != MISSING
    mapped = np.where(value < 2000, np.floor(1400 + (np.maximum(value, 1000) - 1000) * 0.6 + 0.5), value)
    assert adjusted[0].after.value[0, known].tolist() == mapped[known].tolist()
    assert np.array_equal(adjusted[0].lines.change, own[0].lines.change)


def test_an_adjustment_of_the_pool_comes_with_the_first_weekly_list_after_it(pool):
    with_one = pool._replace(adjustments=[Adjustment("A", "2025-04", "1000:1300 2000:2000", "board")])
    without, weekly = (lists(each, "calendar=weekly")[1] for each in (pool, with_one))
    moved = [
        one.batch.name
        for one, other in zip(weekly, without, strict=True)
        if not np.array_equal(one.after.value, other.after.value)
    ]
    assert moved[0] == "2025-04-07"


@pytest.mark.parametrize(
    ("setting", "pool", "code"),
    [
        ("calendar=daily", ICU, "lab-constant"),
        ("version=7", ICU, "lab-choice"),
        ("bonus_halves=odd", ICU, "lab-choice"),
        ("adjustment=1400", ICU, "points-form"),
        ("adjustment=1400:1500,2000:2010", ICU, "points-last"),
        ("calendar=weekly", SERVER, "lab-constant"),
    ],
)
def test_what_cannot_be_tried_is_refused(setting, pool, code):
    assert [found for found, _, _ in refused((), [setting], pool)] == [code]


def test_a_calendar_that_is_none_is_refused(pool):
    ((code, _, facts),) = refused((), ["calendar=daily"], pool.pool)
    assert (code, facts) == ("lab-choice", {"known": "weekly"})


@pytest.mark.parametrize("speed", ["", "standard", "rapid"])
def test_a_reform_adjusts_as_the_setting_does(pool, speed):
    """The adjustment of a reform's file is of its speed alone."""
    where = f'speed = "{speed}"\n' if speed else ""
    text = f'name = "Made"\nfrom = 2026-04-01\n[adjustment]\npoints = "1000:1400 2000:2000"\n{where}'
    reform = read_reform(text.encode(), [])
    own, tried = (
        [made.rated for made in rated_lists(pool, each)] for each in variants_of(pool.pool, (), (), [reform])
    )
    _, by_setting = lists(pool, "adjustment=1000:1400,2000:2000")
    for at, name in enumerate(pool.pool.speeds):
        wanted = by_setting if speed in ("", name) else own
        assert (tried[0].after.value[at] == wanted[0].after.value[at]).all()
