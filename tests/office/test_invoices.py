"""Invoices, payments and waivers, and what they make of the events."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from django.db import DatabaseError, transaction
from fee_pool import EVENTS, GAMES, fee_pool

from banzuke.core import facts
from banzuke.database.book_reader import read_book
from banzuke.database.book_writer import Act, add_facts, new_entry
from banzuke.database.models import Entry, Invoice, JournalEntry
from banzuke.engine.history import history, list_names
from banzuke.office import fact_rows
from banzuke.office.fact_rows import record_of, standing_rows, with_values
from banzuke.office.fees import dues, invoices
from banzuke.office.journal import Actor

pytestmark = pytest.mark.django_db

JULY, TODAY = "2024-07", date(2024, 6, 25)
ME = Actor("officer", "127.0.0.1")


@pytest.fixture
def pool():
    return fee_pool()


def july(pool):
    return dues.find_window(pool, JULY)


def account(pool, club="C2"):
    return next(each for each in invoices.accounts(pool, july(pool)) if each.owed.club_id == club)


def invoice(pool, club="C2", today=TODAY):
    return invoices.create_invoice(pool, july(pool), club, ME, today)


def pay(made, amount, day=TODAY, note=""):
    return invoices.note_payment(made, amount, day, note, ME, TODAY)


def paid(pool):
    rows = standing_rows(pool, facts.Event)
    return {row.event_id: row.paid for row in rows if row.paid}


def change(pool, event_id, **values):
    """Correct an event in the book."""
    row = standing_rows(pool, facts.Event).get(event_id=event_id)
    with new_entry(pool, Act("officer", "correct")) as entry:
        fact_rows.replace(entry, row, with_values(record_of(row, facts.Event), **values), TODAY)


def strike_game(pool, event_id, number, white):
    """Annul a game."""
    row = standing_rows(pool, facts.Game).get(event_id=event_id, round=number, white=white)
    with new_entry(pool, Act("officer", "correct")) as entry:
        fact_rows.strike(entry, facts.Game, row.pk, TODAY)


def verdicts(pool):
    """The verdicts of list 2024-07 by event."""
    book = read_book(pool)
    [july] = [made for made in history(book, list_names(book, JULY)) if made.batch.name == JULY]
    return {of.event.event_id: {line.verdict for line in of.lines} for of in july.outcome.events}


class TestInvoices:
    def test_say_what_is_owed(self, pool):
        made = invoice(pool)
        assert (made.number, made.club_id, made.window, made.amount) == (1, "C2", JULY, 1000)
        assert [
            (line["event"], line["participants"], line["charged"], line["yen"]) for line in made.lines
        ] == [
            ("meet-1", 2, 2, 400),
            ("meet-2", 2, 1, 200),
            ("cup", 2, 2, 400),
        ]
        assert invoice(pool, "C1").number == 2
        assert [state.due for state in account(pool).states] == [1000]
        assert (account(pool).lines, account(pool).open) == ([], 1000)

    def test_nothing_is_invoiced_twice(self, pool):
        invoice(pool)
        with pytest.raises(invoices.NothingOwedError):
            invoice(pool)
        with pytest.raises(invoices.NothingOwedError):
            invoice(pool, "C3")

    def test_numbers_are_each_pool_s_own(self, pool):
        assert [invoice(pool).number, invoice(fee_pool("other")).number] == [1, 1]

    def test_are_never_changed(self, pool):
        made = invoice(pool)
        with pytest.raises(DatabaseError), transaction.atomic():
            Invoice.objects.filter(pk=made.pk).update(amount=1)

    def test_what_was_paid_as_the_ledger_says_is_not_invoiced(self):
        days = {"meet-1": date(2024, 6, 5), "cup": date(2024, 6, 14)}
        pool = fee_pool(events=[replace(e, paid=days.get(e.event_id)) for e in EVENTS])
        assert [(line["event"], line["yen"]) for line in invoice(pool).lines] == [("meet-2", 200)]

    def test_less_becomes_due_and_more_goes_on_another(self, pool):
        made = invoice(pool)
        invoices.waive_fee(pool, "meet-1", ME, "the hall burnt down", TODAY)
        # 400 less for the first meeting; player A is now charged at the second: 200 more there
        [state] = account(pool).states
        assert (state.invoice.amount, state.due) == (1000, 600)
        assert [(line["event"], line["yen"]) for line in account(pool).lines] == [("meet-2", 200)]
        second = invoice(pool)
        assert (second.number, second.amount) == (2, 200)
        assert [state.due for state in account(pool).states] == [600, 200]
        assert [state.due for state in invoices.states(pool, [second, made])] == [200, 600]

    def test_are_in_the_journal(self, pool):
        pay(invoice(pool), 1000)
        found = [(row.act, row.what) for row in JournalEntry.objects.order_by("pk")]
        assert found == [
            ("invoice", {"number": 1, "club": "C2", "window": JULY, "amount": 1000}),
            ("payment", {"number": 1, "amount": 1000, "day": "2024-06-25"}),
        ]


class TestPayments:
    def test_mark_the_events_when_all_is_paid(self, pool):
        made = invoice(pool)
        pay(made, 600, date(2024, 6, 22))
        assert paid(pool) == {}
        pay(made, 400, date(2024, 6, 24))
        day = date(2024, 6, 24)
        assert paid(pool) == {"meet-1": day, "meet-2": day, "cup": day}
        assert Entry.objects.filter(pool=pool, act="payment").count() == 1
        assert account(pool).open == 0

    def test_paid_events_are_rated_and_others_are_not(self, pool):
        pay(invoice(pool), 1000)
        assert verdicts(pool) == {
            "open": {"fee"},
            "meet-1": {"first"},
            "meet-2": {"first"},
            "blitz": {"speed"},
            "cup": {"first", "forfeit"},
        }

    def test_paid_too_late_is_not_rated(self, pool):
        pay(invoice(pool, "C1"), 800, TODAY)
        assert verdicts(pool)["open"] == {"first"}
        other = fee_pool("other")
        invoices.note_payment(invoice(other, "C1"), 800, date(2024, 7, 1), "", ME, date(2024, 7, 2))
        assert verdicts(other)["open"] == {"fee"}

    def test_a_wrong_one_is_taken_back(self, pool):
        made = invoice(pool)
        pay(made, 1000)
        pay(made, -1000, note="another club's")
        assert paid(pool) == {}
        assert verdicts(pool)["meet-1"] == {"fee"}
        assert account(pool).open == 1000

    def test_all_of_it_was_there_from_the_day_of_the_last_part(self, pool):
        """The parts are noted in the other order."""
        made = invoice(pool)
        pay(made, 400, date(2024, 6, 24))
        pay(made, made.amount - 400, date(2024, 6, 22))
        assert set(paid(pool).values()) == {date(2024, 6, 24)}

    def test_one_noted_wrongly_and_taken_back_delays_nothing(self, pool):
        made = invoice(pool)
        pay(made, made.amount, date(2024, 6, 24))
        pay(made, made.amount, date(2024, 6, 22))
        pay(made, -made.amount, date(2024, 6, 24))
        assert invoices.complete_on(made, made.amount) == date(2024, 6, 22)

    def test_what_is_left_open_is_waived(self, pool):
        """The others were paid when the money came, not when the officer waived the rest."""
        made = invoice(pool)
        left = next(line for line in made.lines if line["event"] == "cup")
        pay(made, made.amount - left["yen"], date(2024, 6, 23))
        invoices.waive_fee(pool, "cup", ME, "a present", date(2024, 7, 10))
        assert paid(pool)["meet-1"] == date(2024, 6, 23)

    def test_no_more_is_taken_back_than_came(self, pool):
        made = invoice(pool)
        pay(made, 300)
        with pytest.raises(invoices.TooMuchTakenBackError):
            pay(made, -301)
        assert [payment.amount for payment in made.payments.all()] == [300]

    def test_too_much_is_shown(self, pool):
        made = invoice(pool)
        pay(made, 1200)
        assert (account(pool).states[0].open, account(pool).states[0].over) == (-200, 200)
        assert set(paid(pool)) == {"meet-1", "meet-2", "cup"}
        pay(made, -200, note="sent back")
        assert set(paid(pool)) == {"meet-1", "meet-2", "cup"}

    def test_a_further_meeting_of_who_is_paid_for_costs_nothing_and_is_paid_at_once(self):
        day = date(2024, 6, 5)
        pool = fee_pool("meetings", events=[replace(EVENTS[1], event_id="cup", paid=day), EVENTS[1]])
        made = invoice(pool)
        assert (made.amount, [line["event"] for line in made.lines]) == (0, ["meet-1"])
        assert paid(pool) == {"cup": day, "meet-1": TODAY}


class TestWaivers:
    def test_an_event_is_rated_without_its_fee(self, pool):
        invoices.waive_fee(pool, "open", ME, "a gift", TODAY)
        assert verdicts(pool)["open"] == {"first"}
        entry = Entry.objects.get(act="waive-fee")
        assert (entry.author, entry.why) == ("officer", "a gift")

    @pytest.mark.parametrize(("ruling", "waived"), [("", "waive-fee"), ("accept-late", "include")])
    def test_stand_beside_what_was_ruled_of_lateness(self, ruling, waived):
        pool = fee_pool(events=[replace(EVENTS[0], ruling=ruling)])
        row = standing_rows(pool, facts.Event)
        invoices.waive_fee(pool, "open", ME, "a gift", TODAY)
        assert row.get().ruling == waived
        invoices.demand_fee(pool, "open", ME, "no gift", TODAY)
        assert row.get().ruling == ruling

    @pytest.mark.parametrize("ruling", ["exclude", "waive-fee", "include"])
    def test_nothing_to_waive(self, ruling):
        pool = fee_pool(events=[replace(EVENTS[0], ruling=ruling)])
        with pytest.raises(invoices.NothingToWaiveError):
            invoices.waive_fee(pool, "open", ME, "a gift", TODAY)
        assert not Entry.objects.filter(act="waive-fee").exists()

    def test_nothing_to_take_back(self, pool):
        for name in ("open", "unknown"):
            with pytest.raises(invoices.NothingToWaiveError):
                invoices.demand_fee(pool, name, ME, "no gift", TODAY)

    def test_complete_an_invoice_that_was_paid_but_for_it(self, pool):
        made = invoice(pool)
        pay(made, 600)
        assert paid(pool) == {}
        invoices.waive_fee(pool, "cup", ME, "a gift", TODAY)
        assert set(paid(pool)) == {"meet-1", "meet-2"}

    def test_taken_back_leave_nothing_paid_that_is_not(self, pool):
        made = invoice(pool)
        pay(made, 600)
        invoices.waive_fee(pool, "cup", ME, "a gift", TODAY)
        invoices.demand_fee(pool, "cup", ME, "no gift", TODAY)
        assert [(state.due, state.paid) for state in account(pool).states] == [(1000, 600)]
        assert paid(pool) == {}
        assert verdicts(pool)["meet-1"] == {"fee"}
        pay(made, 400)
        assert set(paid(pool)) == {"meet-1", "meet-2", "cup"}

    def test_taken_back_of_what_was_paid_all_the_same(self, pool):
        made = invoice(pool)
        invoices.waive_fee(pool, "cup", ME, "a gift", TODAY)
        pay(made, 1000, date(2024, 6, 23))
        assert set(paid(pool)) == {"meet-1", "meet-2"}
        invoices.demand_fee(pool, "cup", ME, "no gift", TODAY)
        assert paid(pool) == dict.fromkeys(("meet-1", "meet-2", "cup"), date(2024, 6, 23))

    def test_taken_back_leave_alone_what_was_marked_without_an_invoice(self, pool):
        """An invoice that is open before and after is none of its business."""
        invoice(pool)
        change(pool, "meet-1", paid=date(2024, 6, 22))
        invoices.waive_fee(pool, "cup", ME, "a gift", TODAY)
        invoices.demand_fee(pool, "cup", ME, "no gift", TODAY)
        assert paid(pool) == {"meet-1": date(2024, 6, 22)}

    def test_an_invoice_that_was_wholly_waived_is_settled(self, pool):
        invoice(pool, "C1")
        invoices.waive_fee(pool, "open", ME, "a gift", TODAY)
        assert [(state.due, state.open) for state in account(pool, "C1").states] == [(0, 0)]


class TestLessIsDue:
    """By a correction, a merge or a ruling: nothing is waived."""

    def test_an_officer_settles_the_invoice(self, pool):
        made = invoice(pool, "C1")
        pay(made, 400, date(2024, 6, 22))
        assert not invoices.state_of(made).is_to_settle
        strike_game(pool, "open", 1, "C")
        strike_game(pool, "open", 2, "A")
        state = invoices.state_of(made)
        assert (state.due, state.open, state.is_to_settle) == (400, 0, True)
        assert paid(pool) == {}
        invoices.settle(made, ME, TODAY)
        assert paid(pool) == {"open": date(2024, 6, 22)}
        assert not invoices.state_of(made).is_to_settle
        assert verdicts(pool)["open"] == {"first"}
        assert JournalEntry.objects.get(act="settle-invoice").what == {"number": made.number}

    def test_what_is_open_is_not_settled(self, pool):
        made = invoice(pool, "C1")
        pay(made, 400)
        invoices.settle(made, ME, TODAY)
        assert paid(pool) == {}
        assert not JournalEntry.objects.filter(act="settle-invoice").exists()

    def test_what_is_due_again_is_settled_again(self, pool):
        """The games were annulled by mistake."""
        made = invoice(pool, "C1")
        pay(made, 400)
        strike_game(pool, "open", 1, "C")
        strike_game(pool, "open", 2, "A")
        invoices.settle(made, ME, TODAY)
        with new_entry(pool, Act("officer", "correct")) as entry:
            add_facts(entry, fact_rows.TABLES[facts.Game], [GAMES["open"][1], GAMES["open"][2]])
        state = invoices.state_of(made)
        assert (state.open, state.is_to_settle) == (400, True)
        invoices.settle(made, ME, TODAY)
        assert paid(pool) == {}
        assert not invoices.state_of(made).is_to_settle

    def test_what_was_marked_without_an_invoice_is_left_alone(self, pool):
        made = invoice(pool)
        change(pool, "meet-1", paid=date(2024, 6, 22))
        assert not invoices.state_of(made).is_to_settle

    def test_an_excluded_event_is_not_marked(self, pool):
        made = invoice(pool)
        pay(made, 600)
        change(pool, "cup", ruling="exclude")
        invoices.settle(made, ME, TODAY)
        assert set(paid(pool)) == {"meet-1", "meet-2"}


class TestAnotherOrganiser:
    """The organiser of an event was written wrongly."""

    def test_owes_its_fee(self, pool):
        made = invoice(pool, "C1")
        pay(made, 800, date(2024, 6, 22))
        change(pool, "open", organiser="C3")
        assert account(pool, "C1").states[0].over == 800
        assert [(line["event"], line["yen"]) for line in account(pool, "C3").lines] == [("open", 800)]
        assert paid(pool) == {"open": date(2024, 6, 22)}
        other = invoice(pool, "C3")
        assert paid(pool) == {}
        pay(made, -800, note="sent back")
        assert paid(pool) == {}
        pay(other, 800, date(2024, 6, 24))
        assert paid(pool) == {"open": date(2024, 6, 24)}
        assert account(pool, "C3").lines == []

    def test_owes_it_where_the_money_was_sent_back_first(self, pool):
        made = invoice(pool, "C1")
        pay(made, 800)
        change(pool, "open", organiser="C3")
        pay(made, -800)
        assert account(pool, "C3").to_invoice == 800

    def test_owes_nothing_where_it_was_noted_as_paid(self, pool):
        invoice(pool, "C1")
        change(pool, "open", organiser="C3", paid=date(2024, 6, 22))
        assert account(pool, "C3").lines == []

    def test_and_back_again(self, pool):
        made = invoice(pool, "C1")
        pay(made, 800)
        change(pool, "open", organiser="C3")
        change(pool, "open", organiser="C1")
        assert (account(pool, "C1").lines, account(pool, "C1").open) == ([], 0)
        assert paid(pool) == {"open": TODAY}


class TestReading:
    def test_of_a_club_s_invoices_takes_no_other_club_s_games(self, pool, monkeypatch):
        """A desk shows many invoices: what is read grows with its own club's events only."""
        first, second = invoice(pool, "C1"), invoice(pool)
        read = []
        events = dues._events
        monkeypatch.setattr(
            dues, "_events", lambda *args: read.extend(row.event_id for row in args[2]) or events(*args)
        )
        assert invoices.state_of(first).due == 800
        assert read == ["open"]
        read.clear()
        assert [state.due for state in invoices.states(pool, [second, first])] == [1000, 800]
        assert sorted(read) == ["blitz", "cup", "meet-1", "meet-2", "open"]
