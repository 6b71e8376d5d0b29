"""What --books and --set ask for: variants with their overrides, or what is wrong with them."""

from __future__ import annotations

from datetime import date

import pytest

from banzuke.core.facts import Event
from banzuke.core.fault import RefusedError
from banzuke.core.go_facts import NO_ZONE
from banzuke.core.numbers import numbers_of
from banzuke.core.registry import BOOKS
from banzuke.lab.variants import LONG_AGO, other_books, pool_of, variants_of
from banzuke.ledger.pool_rules import EditionInForce, Pool


def edition(name, start=date(2022, 9, 1), **settings):
    book = BOOKS[name]
    return EditionInForce(book, start, book.settings(**settings), "", NO_ZONE)


JAPAN = Pool("Japan", (edition("ncs-2022", k_shared=False), edition("jcf-2024", date(2024, 10, 1))))


def names(books=(), settings=(), pool=JAPAN):
    return [variant.name for variant in variants_of(pool, books, settings)]


def changed_numbers(variant, *names, pool=JAPAN):
    """Those numbers of each edition's book."""
    return {
        edition.book.name: [edition.book.parameters.whole(name) for name in names]
        for edition in pool_of(pool, variant).editions
    }


def refused(books, settings, pool=JAPAN):
    with pytest.raises(RefusedError) as error:
        variants_of(pool, books, settings)
    return [(fault.code, fault.column, dict(fault.facts)) for fault in error.value.faults]


def test_the_pool_as_it_is_and_each_book():
    assert names(["ncs-2022", "jcf-2024"]) == ["pool", "ncs-2022", "jcf-2024"]


def test_an_override_stands_beside_its_book_as_it_is():
    assert names(["ncs-2022", "jcf-2024"], ["jcf-2024:K.normal=30"]) == [
        "pool", "ncs-2022", "jcf-2024", "jcf-2024 k_normal=30",
    ]  # fmt: skip


def test_a_name_that_both_books_have_is_overridden_in_both():
    assert names(["ncs-2022", "jcf-2024"], ["FLOOR=1200"])[3:] == [
        "ncs-2022 floor=1200",
        "jcf-2024 floor=1200",
    ]


def test_without_books_the_pools_own_are_overridden_together():
    assert names((), ["K.normal=30"]) == ["pool", "pool k_normal=30"]
    _, changed = variants_of(JAPAN, (), ["K.normal=30"])
    assert changed_numbers(changed, "k_normal") == {"ncs-2022": [30], "jcf-2024": [30]}


def test_ranges_run_through_every_combination():
    assert names(["jcf-2024"], ["K.normal=10..40:15", "k_new=40..50:10"])[2:] == [
        "jcf-2024 k_normal=10 k_new=40",
        "jcf-2024 k_normal=10 k_new=50",
        "jcf-2024 k_normal=25 k_new=40",
        "jcf-2024 k_normal=25 k_new=50",
        "jcf-2024 k_normal=40 k_new=40",
        "jcf-2024 k_normal=40 k_new=50",
    ]


def test_a_book_takes_the_settings_that_the_pool_has_for_it_from_the_first_day_on():
    _, ncs, changed = variants_of(JAPAN, ["ncs-2022"], ["fee_required=false"])
    (only,) = pool_of(JAPAN, ncs).editions
    assert (only.book.name, only.start, only.settings.k_shared) == ("ncs-2022", LONG_AGO, False)
    (only,) = pool_of(JAPAN, changed).editions
    assert (only.settings.k_shared, only.settings.fee_required) == (False, False)
    assert only.book is BOOKS["ncs-2022"]


def test_the_pool_as_it_is_keeps_its_editions():
    assert pool_of(JAPAN, variants_of(JAPAN, (), ())[0]) == JAPAN


def test_a_book_at_another_number_has_its_others_as_they_are():
    *_, changed = variants_of(JAPAN, ["jcf-2024"], ["K.normal=30"])
    own = BOOKS["jcf-2024"].parameters
    assert changed_numbers(changed, "k_normal", "k_new", "floor") == {
        "jcf-2024": [30, own.whole("k_new"), own.whole("floor")]
    }


def test_a_calendar_follows_its_number():
    *_, changed = variants_of(JAPAN, ["jcf-2024"], ["window_closes=15"])
    assert pool_of(JAPAN, changed).schedule.window_named("2025-03").closes == date(2025, 2, 15)


def test_entries_of_rows_have_names_and_bounds():
    book = BOOKS["pandanet"]
    server = Pool("Go", (EditionInForce(book, date(2005, 4, 1), book.settings(), "", book.default_zone()),))
    *_, changed = variants_of(server, (), ["lower.wins.1=120", "multipliers_1_tenths=13"])
    (only,) = pool_of(server, changed).editions
    assert only.book.parameters.row("lower_wins")[:3] == (100, 120, 116)
    assert only.book.parameters.row("multipliers") == ((50, 15), (100, 13))
    assert numbers_of(book)["lower_wins_1"].bounds == (0, 200)
    assert [code for code, *_ in refused((), ["lower_wins_1=201"], server)] == ["lab-bounds"]
    (only,) = pool_of(server, variants_of(server, (), ["zone_slack=350"])[1]).editions
    assert only.zone.down[1] == 400 - 350


@pytest.mark.parametrize(
    ("book", "value", "code"),
    [
        *(("us-chess", f"{number}=0", "lab-value") for number in ("logistic", "half_width", "floor_step")),
        ("icu", "versions_3_version=9999", "reform-broken"),
        ("icu", "versions_3_version=2", "reform-broken"),
    ],
)
def test_what_no_game_could_be_rated_with_is_refused(book, value, code):
    of = BOOKS[book]
    pool = Pool("Made", (EditionInForce(of, date(2025, 1, 1), of.settings(), "", NO_ZONE),))
    assert [code for code, *_ in refused((), [value], pool)] == [code]


def test_a_number_that_a_book_cannot_be_built_with_is_refused():
    book = BOOKS["pandanet"]
    server = Pool("Go", (EditionInForce(book, date(2005, 4, 1), book.settings(), "", book.default_zone()),))
    assert [code for code, *_ in refused((), ["zone_start=400"], server)] == ["reform-broken"]


def test_an_unknown_constant_is_answered_with_those_there_are():
    ((code, text, facts),) = refused(["jcf-2024"], ["K.old=3"])
    assert (code, text) == ("lab-constant", "K.old=3")
    assert facts["known"].startswith("jcf-2024: standard_minutes=45, ")
    (_, _, facts), *_ = refused(["ncs-2022"], ["K.old=3"])
    assert "ur_counts_as=1000" in facts["known"]
    assert "k_shared=" in facts["known"]


def test_an_override_of_a_book_that_is_not_compared():
    ((code, _, facts),) = refused(["jcf-2024"], ["ncs-2022:K.normal=30"])
    assert (code, facts) == ("lab-constant", {"known": "jcf-2024"})


@pytest.mark.parametrize(
    "value", ["", "x", "1.5", "-1", "10000", "10..", "10..40:", "40..10", "10..40:0", "1e3", "true"]
)
def test_what_is_no_value(value):
    assert [code for code, _, _ in refused(["jcf-2024"], [f"K.normal={value}"])] == ["lab-value"]


def test_a_flag_takes_true_or_false():
    assert [code for code, _, _ in refused(["ncs-2022"], ["k_shared=1"])] == ["lab-value"]
    assert [code for code, _, _ in refused(["jcf-2024"], ["most_change=-5..5:5"])] == ["lab-value"]


def test_books_of_another_kind_are_refused():
    ((code, text, facts),) = refused(["pandanet"], [])
    assert (code, text) == ("lab-book", "pandanet")
    assert facts["known"].split(", ") == [name for name in BOOKS if name != "pandanet"]


def test_too_many_variants():
    ((code, _, facts),) = refused(["jcf-2024"], ["K.normal=1..2000"])
    assert (code, facts["most"]) == ("lab-many", "1000")


def test_ranges_of_too_many_combinations_are_counted_and_not_made():
    ((code, _, facts),) = refused(["jcf-2024"], [f"{name}=0..999" for name in ("k_normal", "k_new", "floor")])
    assert (code, facts["count"]) == ("lab-many", "1000000002")


def test_what_is_set_twice():
    assert refused(["jcf-2024"], ["K.normal=10", "k_new=30", "jcf-2024:K.normal=20"]) == [
        ("lab-twice", "jcf-2024:K.normal=20", {"name": "k_normal", "book": "jcf-2024"})
    ]


def test_values_that_differ_by_book_are_told_with_it():
    asked = ["jcf-2024:K.normal=20..30:10", "ncs-2022:K.normal=20"]
    assert names((), asked)[1:] == ["pool k_normal=20", "pool jcf-2024:k_normal=30 ncs-2022:k_normal=20"]


@pytest.mark.parametrize(
    ("ends", "editions"),
    [((2017, 5, 1), ["2017"]), ((2023, 2, 1), ["2017", "2023"]), ((2025, 1, 1), ["2017", "2023", "2025"])],
)
def test_other_books_have_their_numbers_by_the_first_event(ends, editions):
    """The editions of US Chess begin with their bonus; an earlier event they refuse."""
    day = date(*ends)
    events = [Event(name, name, day, each, day) for name, each in (("E1", date(2026, 1, 1)), ("E2", day))]
    pool = Pool("America", (edition("us-chess"),))
    assert other_books(pool, events) == [f"us-chess-{year}" for year in editions]
