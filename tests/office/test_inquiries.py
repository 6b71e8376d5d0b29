"""Inquiries: which lists they may still change, what they would change, and that all of it happens or nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from office.published_office import CHIEF, TODAY, after, changes_csv, inquiry, lists_csv, names, published

from banzuke.core import facts
from banzuke.database.book_reader import last_entry, read_book
from banzuke.database.book_writer import Act, add_facts, open_entry
from banzuke.database.models import Game, Inquiry, JournalEntry, RatingList, Strike
from banzuke.office.fact_rows import TABLES, standing_rows
from banzuke.office.journal import Actor
from banzuke.office.lists import correction_drafts, corrections
from banzuke.office.lists.list_index import current_lists, revisions_of
from banzuke.office.lists.publishing import publish
from banzuke.office.lists.verification import verify
from banzuke.office.refusals import (
    AlreadyDraftedError,
    AlreadyPublishedError,
    DayNotWaitingError,
    DraftChangedError,
    EmptyDraftError,
    FaultyDraftError,
    InquiryClosedError,
    InquiryDayError,
    NothingToDoError,
    RevisionsDueError,
    SameOfficerError,
    StaleDraftError,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("either_engine")]


@pytest.fixture
def japan():
    return published("japan")


def shown(lists):
    return [str(each) for each in lists]


class TestNinetyDays:
    @pytest.mark.parametrize(("days", "is_open"), [(89, True), (90, False), (91, False)])
    def test_a_list_may_change_until_the_ninetieth_day(self, japan, days, is_open):
        first = names(japan)[0]
        asked = inquiry(japan, after(japan, first, days))
        preview = corrections.preview(asked, TODAY)
        assert (first in [each.name for each in preview.may_change]) is is_open
        assert (first in [each.name for each in preview.frozen]) is not is_open
        assert len(preview.may_change) + len(preview.frozen) == len(names(japan))
        assert {each.name for each in preview.lists} <= {each.name for each in preview.may_change}
        assert (first in {each.list for each in preview.lines}) is is_open
        lists = corrections.carry_out(asked, CHIEF, "wrong result", TODAY)
        assert [each.name for each in lists] == [each.name for each in preview.lists]
        assert (first in [each.name for each in lists]) is is_open

    @pytest.mark.parametrize("name", ["hakodate", "us-championship-2025"])
    def test_other_books_set_no_limit(self, name):
        pool = published(name)
        asked = inquiry(pool, after(pool, names(pool)[0], 1000))
        preview = corrections.preview(asked, TODAY)
        assert preview.frozen == []
        assert names(pool)[0] in [each.name for each in preview.lists]


class TestDatedBack:
    def dated_back(self, japan, days=10, came=500):
        """A drafted inquiry that came in so many days after the first list, dated back to an earlier day."""
        first = names(japan)[0]
        asked = (japan, after(japan, first, came), "A. Member", "", CHIEF, after(japan, first, days))
        found = corrections.open_inquiry(*asked)
        row = standing_rows(japan, facts.Game).filter(result="1-0").first()
        correction_drafts.draft_change(found, "games", row.pk, result="1/2-1/2")
        return found

    def test_the_day_that_it_came_in_counts_until_a_second_officer_confirms(self, japan):
        asked = self.dated_back(japan)
        assert asked.counted_day == asked.recorded_on == after(japan, names(japan)[0], 500)
        assert corrections.preview(asked, TODAY).may_change == []
        with pytest.raises(SameOfficerError):
            corrections.confirm_day(asked, CHIEF)
        looked_at = corrections.hash_of(asked)
        asked = corrections.confirm_day(asked, Actor("second"))
        assert corrections.hash_of(asked) != looked_at  # what was previewed before is looked at anew
        assert asked.counted_day == asked.day == after(japan, names(japan)[0], 10)
        assert names(japan)[0] in [each.name for each in corrections.preview(asked, TODAY).may_change]
        with pytest.raises(DayNotWaitingError):
            corrections.confirm_day(asked, Actor("third"))
        noted = JournalEntry.objects.get(act="confirm-day")
        assert (noted.who, noted.what) == (
            "second",
            {"inquiry": asked.pk, "day": asked.day.isoformat()},
        )

    def test_unconfirmed_it_is_carried_out_as_of_the_day_that_it_came_in(self, japan):
        asked = self.dated_back(japan)
        corrections.carry_out(asked, CHIEF, "wrong result", TODAY)
        assert Strike.objects.latest("pk").day == asked.recorded_on
        assert Game.objects.get(entry=last_entry(japan)).added == asked.recorded_on
        with pytest.raises(InquiryClosedError):
            corrections.confirm_day(asked, Actor("second"))

    def test_a_day_confirmed_while_the_lists_are_made_counts(self, japan, monkeypatch):
        """The revisions are made again: what is published is what the entered rows give."""
        asked, recompute = self.dated_back(japan), corrections.recompute

        def meanwhile(*args):
            if Inquiry.objects.get(pk=asked.pk).needs_confirmation:
                corrections.confirm_day(asked, Actor("second"))
            return recompute(*args)

        monkeypatch.setattr(corrections, "recompute", meanwhile)
        lists = corrections.carry_out(asked, CHIEF, "wrong result", TODAY)
        assert names(japan)[0] in [each.name for each in lists]
        assert corrections.due_revisions(japan).lists == []

    def test_one_of_before_this_rule_keeps_its_day(self, japan):
        asked = self.dated_back(japan)
        Inquiry.objects.filter(pk=asked.pk).update(recorded_on=None, recorded_by="")
        asked.refresh_from_db()
        assert asked.counted_day == asked.day


class TestPreview:
    def test_it_says_exactly_what_the_revisions_will_be(self, japan):
        asked = inquiry(japan, after(japan, names(japan)[0], 10))
        before = {(row[0], row[1], row[2]): row[3:] for row in lists_csv(japan)}
        preview = corrections.preview(asked, TODAY)
        assert RatingList.objects.filter(revision=1).count() == 0
        corrections.carry_out(asked, CHIEF, "wrong result", TODAY)
        after_it = {(row[0], row[1], row[2]): row[3:] for row in lists_csv(japan)}
        changed = {key for key in before | after_it if before.get(key) != after_it.get(key)}
        assert changed
        assert {(each.list, each.speed, each.player) for each in preview.differences} == changed
        for each in preview.differences:
            key = (each.list, each.speed, each.player)
            assert (str(each.before), str(each.after)) == (before[key][0], after_it[key][0])

    def test_it_shows_the_games_whose_figures_change(self, japan):
        asked = inquiry(japan, after(japan, names(japan)[0], 10))
        before = changes_csv(japan)
        preview = corrections.preview(asked, TODAY)
        corrections.carry_out(asked, CHIEF, "wrong result", TODAY)
        changed = {tuple(row[:6]) for row in {*map(tuple, before)} ^ {*map(tuple, changes_csv(japan))}}
        shown = {
            (each.list, each.event_id, str(each.round), each.player, each.opponent) for each in preview.lines
        }
        assert shown == {(row[0], *row[2:]) for row in changed}

    def test_nothing_is_written_by_looking(self, japan):
        asked = inquiry(japan, after(japan, names(japan)[0], 10))
        at, games, journal = last_entry(japan), Game.objects.count(), JournalEntry.objects.count()
        corrections.preview(asked, TODAY)
        assert (last_entry(japan), Game.objects.count(), JournalEntry.objects.count()) == (at, games, journal)

    def test_a_correction_that_would_break_the_ledger_shows_its_faults_and_cannot_be_carried_out(self, japan):
        asked = corrections.open_inquiry(japan, after(japan, names(japan)[0], 10), "A. Member", "", CHIEF)
        row = standing_rows(japan, facts.Game).first()
        correction_drafts.draft_change(asked, "games", row.pk, white="NOBODY")
        preview = corrections.preview(asked, TODAY)
        assert [fault.code for fault in preview.faults] == ["unknown-player"]
        assert preview.lists == []
        at = last_entry(japan)
        with pytest.raises(FaultyDraftError) as refused:
            corrections.carry_out(asked, CHIEF, "why", TODAY)
        assert "games.csv" in refused.value.sentence("en")
        assert "矛盾" in refused.value.sentence("ja")
        assert last_entry(japan) == at


class TestCarryingOut:
    def test_facts_and_revisions_and_the_step_come_together(self, japan):
        asked = inquiry(japan, after(japan, names(japan)[0], 10))
        lists = corrections.carry_out(asked, CHIEF, "wrong result", TODAY)
        asked.refresh_from_db()
        step = asked.steps.get()
        assert (asked.state, step.author, step.why) == ("corrected", "chief", "wrong result")
        assert {each.entry_id for each in lists} == {step.entry_id} == {last_entry(japan)}
        assert {(each.revision, each.why, each.author) for each in lists} == {(1, "wrong result", "chief")}
        assert Strike.objects.get(entry=step.entry).day == asked.day
        assert Game.objects.get(entry=step.entry).added == asked.day
        said = JournalEntry.objects.get(act="correct")
        assert said.what["lists"] == [each.name for each in lists]
        assert said.where == "127.0.0.1"

    def test_old_revisions_stay_and_all_verify(self, japan):
        before = {each.name: each.sha256 for each in current_lists(japan)}
        asked = inquiry(japan, after(japan, names(japan)[0], 10))
        for each in corrections.carry_out(asked, CHIEF, "wrong result", TODAY):
            assert shown(revisions_of(japan, each.name)) == [f"{each.name} r0", f"{each.name} r1"]
            assert revisions_of(japan, each.name)[0].sha256 == before[each.name] != each.sha256
        for each in RatingList.objects.filter(pool=japan):
            assert verify(japan, each.name, each.revision).is_good

    def test_an_inquiry_is_closed_once(self, japan):
        asked = inquiry(japan, after(japan, names(japan)[0], 10))
        corrections.carry_out(asked, CHIEF, "wrong result", TODAY)
        at = last_entry(japan)
        for again in (
            lambda: corrections.carry_out(asked, CHIEF, "again", TODAY),
            lambda: corrections.dismiss(asked, CHIEF, "again"),
        ):
            with pytest.raises(InquiryClosedError) as refused:
                again()
            assert refused.value.sentence("en").startswith("The inquiry was closed by chief on 20")
        assert last_entry(japan) == at

    def test_dismissed_it_changes_nothing(self, japan):
        asked = inquiry(japan, after(japan, names(japan)[0], 10))
        at = last_entry(japan)
        corrections.dismiss(asked, CHIEF, "the result was right")
        asked.refresh_from_db()
        assert (asked.state, asked.steps.get().why, last_entry(japan)) == (
            "dismissed",
            "the result was right",
            at,
        )

    def test_a_draft_without_changes_and_one_of_tomorrow_are_refused(self, japan):
        asked = corrections.open_inquiry(japan, TODAY, "A. Member", "", CHIEF)
        with pytest.raises(EmptyDraftError):
            corrections.preview(asked, TODAY)
        tomorrow = inquiry(japan, TODAY + timedelta(days=1))
        for act in (
            lambda: corrections.preview(tomorrow, TODAY),
            lambda: corrections.carry_out(tomorrow, CHIEF, "", TODAY),
        ):
            with pytest.raises(InquiryDayError):
                act()

    def test_a_row_that_another_correction_struck_is_not_struck_again(self, japan):
        one = inquiry(japan, after(japan, names(japan)[0], 10))
        other = inquiry(japan, after(japan, names(japan)[0], 11))
        corrections.carry_out(one, CHIEF, "wrong result", TODAY)
        for act in (
            lambda: corrections.preview(other, TODAY),
            lambda: corrections.carry_out(other, CHIEF, "", TODAY),
        ):
            with pytest.raises(StaleDraftError):
                act()
        assert Inquiry.objects.get(pk=other.pk).state == "open"

    @pytest.mark.parametrize(
        ("record", "table", "changed"),
        [
            (facts.Player, "players", {"fide_standard": 2222}),
            pytest.param(
                *(facts.Membership, "memberships", {"valid_from": TODAY, "valid_to": TODAY}),
                marks=pytest.mark.slow,
            ),
            pytest.param(facts.Event, "events", {"ruling": "exclude"}, marks=pytest.mark.slow),
            (facts.Game, "games", {"ruling": "exclude"}),
        ],
    )
    def test_every_table_can_be_corrected(self, japan, record, table, changed):
        asked = corrections.open_inquiry(japan, after(japan, names(japan)[0], 10), "A. Member", "", CHIEF)
        event = current_lists(japan).get(name=names(japan)[0]).lines.first()
        own = (
            {"player_id": event.player_id}
            if table in ("players", "memberships")
            else {"event_id": event.event_id}
        )
        row = standing_rows(japan, record).filter(**own).first()
        correction_drafts.draft_change(asked, table, row.pk, **changed)
        corrections.carry_out(asked, CHIEF, "wrong", TODAY)
        found = standing_rows(japan, record).get(entry_id=last_entry(japan))
        assert {name: getattr(found, name) for name in changed} == changed
        assert found.added == asked.day
        for each in current_lists(japan):
            assert verify(japan, each.name).is_good


class TestDrafts:
    def test_a_change_is_a_strike_and_an_addition_and_may_be_taken_back(self, japan):
        asked = inquiry(japan, after(japan, names(japan)[0], 10))
        strike, add = asked.draft
        assert (strike["act"], strike["table"]) == ("strike", "games")
        assert (add["act"], add["record"]["result"]) == ("add", "1/2-1/2")
        assert "added" not in add["record"]
        correction_drafts.remove_changes(asked, 0)
        asked.refresh_from_db()
        assert asked.draft == [add]

    def test_of_two_officers_who_draft_at_once_neither_loses_a_change(self, japan):
        opened = corrections.open_inquiry(japan, TODAY, "A. Member", "", CHIEF)
        one, two = (Inquiry.objects.get(pk=opened.pk) for _ in range(2))
        games = standing_rows(japan, facts.Game).order_by("pk")
        first, second, third = (game.pk for game in games[:3])
        correction_drafts.draft_strike(one, "games", first)
        correction_drafts.draft_change(two, "games", second, result="0-0")
        correction_drafts.draft_add(one, facts.Game("E9", 1, "J1", "J2", "1-0"))
        shown = correction_drafts.hash_of_draft(one.draft)
        correction_drafts.remove_changes(two, 0)
        opened.refresh_from_db()
        assert [change["act"] for change in opened.draft] == ["strike", "add", "add"]
        with pytest.raises(DraftChangedError):
            correction_drafts.remove_changes(one, 1, 2, seen=shown)
        with pytest.raises(DraftChangedError):
            correction_drafts.remove_changes(one, 3)
        with pytest.raises(AlreadyDraftedError):
            correction_drafts.draft_strike(one, "games", second)
        corrections.dismiss(opened, CHIEF, "no")
        with pytest.raises(InquiryClosedError):
            correction_drafts.draft_strike(two, "games", third)
        opened.refresh_from_db()
        assert len(opened.draft) == 3

    def test_a_row_that_does_not_stand_cannot_be_struck(self, japan):
        asked = corrections.open_inquiry(japan, TODAY, "A. Member", "", CHIEF)
        with pytest.raises(StaleDraftError):
            correction_drafts.draft_strike(asked, "games", 0)
        with pytest.raises(StaleDraftError):
            correction_drafts.draft_change(asked, "events", 0, ruling="exclude")


def late_game(pool):
    """A game that entered the book without an inquiry, in an event of the first list."""
    event = current_lists(pool).get(name=names(pool)[0]).lines.first().event_id
    players = list(standing_rows(pool, facts.Player).values_list("player_id", flat=True)[:2])
    entry = open_entry(pool, Act("other", "test"))
    add_facts(entry, TABLES[facts.Game], [facts.Game(event, 99, *players, "1-0")])
    return entry


class TestPublishedMeanwhile:
    """To publish opens no entry; what was calculated before it is calculated again nevertheless."""

    @pytest.fixture
    def meanwhile(self, monkeypatch):
        """What another officer does as soon as the lists are made, once."""
        recompute, acts = corrections.recompute, []

        def made(*args):
            found = recompute(*args)
            while acts:
                acts.pop()()
            return found

        monkeypatch.setattr(corrections, "recompute", made)
        return acts.append

    def test_a_correction_revises_the_list_too(self, meanwhile):
        pool = published("japan", 5)
        last = names(pool)[6]
        asked = inquiry(pool, after(pool, names(pool)[0], 10))
        meanwhile(lambda: publish(pool, last, Actor("other"), TODAY))
        lists = corrections.carry_out(asked, CHIEF, "wrong result", TODAY)
        assert f"{last} r1" in shown(lists)
        assert corrections.due_revisions(pool).lists == []

    def test_revisions_are_published_once(self, meanwhile):
        pool = published("japan", 5)
        late_game(pool)
        meanwhile(lambda: corrections.revise(pool, Actor("other"), "a game was missing"))
        with pytest.raises(NothingToDoError):
            corrections.revise(pool, CHIEF, "a game was missing")
        assert {each.revision for each in current_lists(pool)} == {1}

    def test_a_preview_says_which_list_was_the_last(self, japan):
        """By that a page sees that it is no longer what would be done."""
        asked = inquiry(japan, after(japan, names(japan)[0], 10))
        assert corrections.preview(asked, TODAY).number == len(names(japan))
        corrections.carry_out(asked, CHIEF, "wrong result", TODAY)
        assert corrections.due_revisions(japan).number == RatingList.objects.count() > len(names(japan))


class TestRevisionsDue:
    def test_they_come_before_anything_else(self):
        pool = published("japan", 5)
        late_game(pool)
        with pytest.raises(RevisionsDueError) as refused:
            publish(pool, names(pool)[6], CHIEF, TODAY)
        assert names(pool)[0] in refused.value.sentence("en")
        lists = corrections.revise(pool, CHIEF, "a game was missing")
        assert lists[0].name == names(pool)[0]
        assert {each.why for each in lists} == {"a game was missing"}
        (published_now,) = publish(pool, names(pool)[6], CHIEF, TODAY)
        assert published_now.number == 7 + len(lists)
        for each in current_lists(pool):
            assert verify(pool, each.name).is_good

    def test_without_any_there_is_nothing_to_revise(self, japan):
        with pytest.raises(NothingToDoError):
            corrections.revise(japan, CHIEF, "")

    def test_a_list_that_is_published_is_not_published_again(self, japan):
        with pytest.raises(AlreadyPublishedError):
            publish(japan, names(japan)[0], CHIEF, TODAY)

    def test_a_club_s_event_that_was_struck_leaves_an_empty_revision(self):
        pool = published("hakodate")
        asked = corrections.open_inquiry(pool, after(pool, names(pool)[-1], 5), "A. Member", "", CHIEF)
        last = names(pool)[-1]
        row = standing_rows(pool, facts.Event).get(event_id=last)
        correction_drafts.draft_strike(asked, "events", row.pk)
        games = standing_rows(pool, facts.Game).filter(event_id=last).count()
        assert [change["table"] for change in asked.draft] == ["events", *["games"] * games]
        (gone,) = corrections.carry_out(asked, CHIEF, "never played", TODAY)
        assert (str(gone), gone.rows.count(), gone.lines.count()) == (f"{last} r1", 0, 0)
        assert verify(pool, last).is_good
        assert verify(pool, last, 0).is_good
        with pytest.raises(NothingToDoError):
            corrections.revise(pool, CHIEF, "")


def test_the_ledger_that_a_preview_is_made_from_is_the_one_that_is_written(japan):
    asked = inquiry(japan, after(japan, names(japan)[0], 10))
    thought = correction_drafts.apply_draft(asked, read_book(japan))
    corrections.carry_out(asked, CHIEF, "wrong result", TODAY)
    assert read_book(japan) == thought
