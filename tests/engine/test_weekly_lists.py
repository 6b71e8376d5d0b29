"""A book with a calendar of its own: a list every Sunday, through the readable engine."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from engine.test_history import JCF, A, B, event, ledger, ratings
from ledger.test_list_schedule import Sundays

from banzuke.core.registry import BOOKS
from banzuke.engine.history import UnknownListError, history, history_after, list_names
from banzuke.ledger.pool_rules import EditionInForce

BOOK = replace(BOOKS["jcf-2024"], name="weekly", calendar=Sundays())
WEEKLY = EditionInForce(BOOK, date(2026, 4, 1), BOOK.settings(), "", JCF.zone)
EVENTS = [event("E", "2026-04-03"), event("F", "2026-04-04"), event("G", "2026-04-20")]
GAMES = {name: ["A 1-0 B"] for name in "EFG"}


def test_a_list_every_sunday():
    of = ledger([WEEKLY], EVENTS, GAMES, [A, B])
    assert list_names(of, None) == ["2026-04-05", "2026-04-12", "2026-04-19", "2026-04-26"]
    assert list_names(of, "2026-04-12") == ["2026-04-05", "2026-04-12"]
    assert [found["A"] for found in ratings(of).values()] == [1620, 1620, 1620, 1629]


def test_a_name_that_is_no_list_is_answered_with_names_that_are():
    with pytest.raises(UnknownListError) as refused:
        list_names(ledger([WEEKLY], EVENTS, GAMES), "2026-04")
    assert refused.value.known == "2026-04-05, 2026-04-12, 2026-04-19, 2026-04-26"


def test_from_months_to_weeks_in_one_pool():
    of = ledger([JCF, WEEKLY], [event("D", "2026-03-10"), *EVENTS], GAMES | {"D": ["A 1-0 B"]}, [A, B])
    found = list(history(of, list_names(of, None)))
    assert [one.batch.name for one in found][:2] == ["2026-04", "2026-04-05"]
    assert [one.edition.book.name for one in found][:2] == ["jcf-2024", "weekly"]
    assert [one.batch.opens_edition for one in found] == [True, True, False, False, False]


def test_a_struck_row_is_out_of_every_list_where_the_calendar_has_no_days_for_corrections():
    struck = event("E", "2026-04-03", struck="2027-01-01")
    assert ratings(ledger([WEEKLY], [struck], {"E": GAMES["E"]}, [A, B])) == {
        "2026-04-05": {"A": 1600, "B": 1600}
    }


def test_the_lists_after_one():
    of = ledger([WEEKLY], EVENTS, GAMES, [A, B])
    first, *later = history(of, list_names(of, None))
    names = [one.batch.name for one in later]
    assert list(history_after(of, names, first.outcome.standings, first.batch.closes)) == later


def test_an_edition_that_rates_on_the_list_in_force():
    """An event begun in one week and ended in the next is rated on the list of its first day."""
    fide = replace(BOOKS["fide-2024"], name="weekly-fide", calendar=Sundays("ends"))
    edition = EditionInForce(fide, date(2026, 4, 1), fide.settings(), "", JCF.zone)
    events = [
        event("E", "2026-04-03", starts="2026-04-03"),
        event("F", "2026-04-13", starts="2026-04-04", ends="2026-04-13"),
    ]
    found = list(
        history(ledger([edition], events, GAMES, [A, B]), ["2026-04-05", "2026-04-12", "2026-04-19"])
    )
    (lines,) = found[-1].outcome.events
    assert [line.own for line in lines.lines] == [1600, 1600]
    assert found[-1].outcome.standings.ratings["standard"]["A"].value == 1620
