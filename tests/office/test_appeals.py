"""Until when a refused objection can be appealed, and what its writer may do else."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.cache import cache
from django.utils.timezone import get_current_timezone
from office.published_office import CHIEF, published

from banzuke.database.models import Inquiry, Objection, RatingList
from banzuke.office.journal import Actor
from banzuke.office.lists import corrections
from banzuke.office.lists.list_index import latest_list
from banzuke.office.objections import incoming_objections, writer_acts
from banzuke.office.objections.incoming_objections import ObjectionText
from banzuke.office.objections.kept_addresses import forget_addresses
from banzuke.office.objections.subjects import find_subject
from banzuke.office.refusals import AppealClosedError, AppealOfficerError, NotWithdrawnError

pytestmark = pytest.mark.django_db
RECEIVED = date(2024, 8, 1)


def written(name="japan", player="J001"):
    """An objection to a player's data in the newest list."""
    cache.clear()
    pool = published(name, 1)
    subject = find_subject(pool, player)
    statement = ObjectionText("The name is wrong", "A. Player")
    return incoming_objections.open_objection(pool, subject, None, statement, "", RECEIVED, "").objection


def refused(objection, day):
    """Its refusal at noon of that day."""
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=get_current_timezone())
    objection.inquiry.steps.create(at=noon, author="chief", state="dismissed", why="no")
    Inquiry.objects.filter(pk=objection.inquiry_id).update(state="dismissed")
    objection.inquiry.refresh_from_db()
    return objection


class TestLastDay:
    def test_it_is_the_last_on_which_the_list_may_change(self):
        found = written()
        day = found.list.day + timedelta(days=89)
        assert writer_acts.last_day_to_appeal(refused(found, RECEIVED)) == day
        assert writer_acts.may_appeal(found, day)
        assert not writer_acts.may_appeal(found, day + timedelta(days=1))
        with pytest.raises(AppealClosedError):
            writer_acts.appeal(found, "late", day + timedelta(days=1))
        writer_acts.appeal(found, "in time", day)
        assert Inquiry.objects.get().state == "open"

    @pytest.mark.parametrize(
        ("day", "last"),
        [
            (date(2023, 12, 1), date(2024, 2, 28)),  # 90 days are over before the leap day
            (date(2023, 12, 2), date(2024, 2, 29)),
            (date(2023, 12, 3), date(2024, 3, 1)),
            (date(2025, 3, 15), date(2025, 6, 12)),
        ],
    )
    def test_it_is_counted_over_leap_days(self, day, last):
        found = written()
        found.list = RatingList(rulebook=found.list.rulebook, day=day)
        assert writer_acts.last_day_to_appeal(found) == last

    @pytest.mark.parametrize("late", [-14, -13, 0, 40])
    def test_a_refusal_that_comes_late_leaves_two_weeks(self, late):
        found = written()
        last = found.list.day + timedelta(days=89)
        day = last + timedelta(days=late)
        assert writer_acts.last_day_to_appeal(refused(found, day)) == max(last, day + timedelta(days=14))

    def test_a_book_without_such_days_sets_none(self):
        found = refused(written("hakodate", "H01"), RECEIVED)
        assert writer_acts.last_day_to_appeal(found) is None
        assert writer_acts.may_appeal(found, date(2090, 1, 1))

    def test_without_the_book_there_is_none_either(self):
        found = written()
        found.list = RatingList(rulebook="not-installed", day=RECEIVED)
        assert writer_acts.last_day_to_appeal(found) is None

    def test_what_no_list_has_sets_none(self):
        found = written()
        found.list = None
        assert writer_acts.last_day_to_appeal(found) is None

    def test_a_revision_of_the_list_does_not_move_it(self):
        found = written()
        assert found.list == latest_list(found.inquiry.pool)
        again = RatingList(rulebook=found.list.rulebook, day=found.list.day, revision=1)
        before, found.list = writer_acts.last_day_to_appeal(found), again
        assert writer_acts.last_day_to_appeal(found) == before


class TestTheAddress:
    """It is deleted 30 days after the inquiry is closed, or after the last day to appeal where that is later."""

    def kept_until(self, found):
        Objection.objects.update(email="a@example.org")
        noon = datetime(RECEIVED.year, RECEIVED.month, RECEIVED.day, 12, tzinfo=get_current_timezone())
        days = (day for day in range(400) if forget_addresses(noon + timedelta(days=day, minutes=-1)))
        return RECEIVED + timedelta(days=next(days) - 1)

    def test_of_a_refusal_it_is_there_while_that_can_be_appealed(self):
        found = refused(written(), RECEIVED)
        last = writer_acts.last_day_to_appeal(found)
        assert last > RECEIVED
        assert self.kept_until(found) == last + timedelta(days=30)

    @pytest.mark.parametrize("name", ["appealed", "carried out", "withdrawn"])
    def test_where_nothing_can_be_appealed_the_closing_counts(self, name):
        found = refused(written(), RECEIVED)
        if name == "appealed":
            found.inquiry.steps.create(at=found.inquiry.steps.get().at, state="appealed", why="no")
        else:
            state = "corrected" if name == "carried out" else "withdrawn"
            Inquiry.objects.update(state=state)
        assert self.kept_until(found) == RECEIVED + timedelta(days=30)

    def test_where_an_appeal_has_no_last_day_too(self):
        found = refused(written("hakodate", "H01"), RECEIVED)
        assert self.kept_until(found) == RECEIVED + timedelta(days=30)


class TestTheOfficerAppealedAgainst:
    def test_refuses_no_more_even_what_another_upheld_but_may_carry_it_out(self):
        found, first, second = written(), Actor("first"), Actor("second")
        corrections.dismiss(found.inquiry, first, "no")
        writer_acts.appeal(found, "look again", RECEIVED)
        inquiry = found.inquiry
        corrections.uphold(inquiry, second, "yes")
        with pytest.raises(AppealOfficerError):
            corrections.dismiss(inquiry, first, "still not")
        assert Inquiry.objects.get().state == "open"
        corrections.refuse_first_officer(inquiry, first)  # what carries it out asks this
        corrections.dismiss(inquiry, second, "after all not")
        assert Inquiry.objects.get().state == "dismissed"


class TestWithdrawing:
    def test_it_closes_the_inquiry_once(self):
        found = written()
        assert writer_acts.may_withdraw(found.inquiry)
        writer_acts.withdraw(found)
        assert Inquiry.objects.get().state == "withdrawn"
        with pytest.raises(NotWithdrawnError):
            writer_acts.withdraw(found)
        with pytest.raises(AppealClosedError):
            writer_acts.appeal(Objection.objects.get(), "after all", RECEIVED)

    def test_what_is_decided_stays_so(self):
        found = written()
        corrections.uphold(found.inquiry, CHIEF, "yes")
        with pytest.raises(NotWithdrawnError):
            writer_acts.withdraw(found)
        corrections.dismiss(found.inquiry, CHIEF, "after all not")
        with pytest.raises(NotWithdrawnError):
            writer_acts.withdraw(found)
        assert Inquiry.objects.get().state == "dismissed"

    def test_an_appeal_can_be_withdrawn(self):
        found = refused(written(), datetime.now(UTC).date())
        writer_acts.appeal(found, "why", RECEIVED)
        writer_acts.withdraw(found)
        assert Inquiry.objects.get().state == "withdrawn"
