"""What must hold whatever an office did in whatever order: the export checks, rates to the lists, verifies."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

import pytest
from public_downloads import assert_verified
from random_office import ACTS, FIRST_DAY, WITH_ADJUSTMENTS, AnyOrder

from banzuke.core import facts
from banzuke.database.book_writer import Act, open_entry
from banzuke.database.models import Event, Membership
from banzuke.formats.report import Report, ReportedEvent, ReportedGame, ReportedPlayer
from banzuke.formats.trf import trf_writer
from banzuke.office.fact_rows import record_of, replace, standing_rows, with_values
from banzuke.office.inbox import reports
from banzuke.office.inbox.problems import BLOCKS
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.inbox.review import review_report
from banzuke.office.journal import Actor
from banzuke.office.lists import correction_drafts, corrections, publishing
from banzuke.office.refusals import ReportNotReadyError
from banzuke.office.register import members, player_merge
from banzuke.office.register.player_merge import MergeError, Obstacle

pytestmark = pytest.mark.django_db
OFFICER = Actor("officer")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "acts"),
    [*((seed, ACTS) for seed in (3, 7, 21, 24, 30, 307)), *((seed, WITH_ADJUSTMENTS) for seed in (1, 2, 5))],
)
def test_whatever_was_done(seed, acts, settings, tmp_path):
    settings.HOME = tmp_path
    office = AnyOrder(Random(seed), acts=acts)
    for number in range(90):
        office.does_something()
        if number % 4 == 3:
            office.is_sound()
    office.agrees()
    assert_verified(office.pool)


@pytest.fixture
def office():
    return AnyOrder(Random(0))


def entered(office, reported, games=(("M000", "M005"), ("M002", "M006")), **said):
    """A report of one day's games, each in a round of its own, entered today; the step."""
    report = sent(office, reported, games, **said)
    return reports.accept(report, OFFICER, office.today)


def sent(office, reported, games=(("M000", "M005"), ("M002", "M006")), **said):
    office.number += 1
    names = dict(standing_rows(office.pool, facts.Player).values_list("player_id", "name"))
    ids = sorted({player for game in games for player in game})
    players = tuple(ReportedPlayer(n, names[one]) for n, one in enumerate(ids, 1))
    played = tuple(
        ReportedGame(n, ids.index(one) + 1, ids.index(two) + 1, "1-0")
        for n, (one, two) in enumerate(games, 1)
    )
    event = ReportedEvent(f"Open {office.number}", "Tokyo", starts=reported, ends=reported, rounds=9)
    data = trf_writer.write(Report(event, players, played), version=16)
    about = {"speed": "standard", "reported": reported, "paid": reported} | said
    return receive(office.pool, [(f"{office.number}.trf", data)], about, Sender(OFFICER, None, "", "upload"))


def blocks(report, today):
    return [p.fault.code for p in review_report(report, today).problems if p.weight == BLOCKS]


def corrected(office, table, row, day, **changed):
    """An inquiry of that day carried out: a row changed, or struck where nothing is said."""
    asked = corrections.open_inquiry(office.pool, day, "A. Member", "", OFFICER)
    if changed:
        correction_drafts.draft_change(asked, table, row.pk, **changed)
    else:
        correction_drafts.draft_strike(asked, table, row.pk)
    return corrections.carry_out(asked, OFFICER, "found wrong", office.today)


class TestReports:
    def test_an_event_that_was_struck_is_reported_anew_under_its_id(self, office):
        entered(office, FIRST_DAY, event_id="cup")
        corrected(office, "events", Event.objects.get(), FIRST_DAY)
        office.is_sound()
        entered(office, FIRST_DAY, event_id="cup")
        office.is_sound()
        assert standing_rows(office.pool, facts.Event).get().added == FIRST_DAY
        assert standing_rows(office.pool, facts.Game).count() == 2
        office.today = date(2024, 8, 2)
        publishing.publish(office.pool, "2024-08", OFFICER, office.today)
        office.agrees()

    def test_an_id_under_which_games_were_left_is_not_free(self, office):
        entered(office, FIRST_DAY, event_id="cup")
        asked = corrections.open_inquiry(office.pool, FIRST_DAY, "A. Member", "", OFFICER)
        correction_drafts.draft_strike(asked, "events", Event.objects.get().pk)
        assert [change["table"] for change in asked.draft] == ["events", "games", "games"]
        correction_drafts.remove_changes(asked, 2)
        corrections.carry_out(asked, OFFICER, "", FIRST_DAY)
        assert blocks(sent(office, FIRST_DAY, event_id="cup"), FIRST_DAY) == ["inbox-event-id"]

    def test_ids_that_the_office_gives_were_never_given_before(self, office):
        entered(office, FIRST_DAY)
        corrected(office, "events", Event.objects.get(), FIRST_DAY)
        office.number = 0  # the same name again
        entered(office, FIRST_DAY, (("M000", "M006"), ("M002", "M005")))
        found = standing_rows(office.pool, facts.Event).get().event_id
        assert found == f"{FIRST_DAY}-open-1-2"

    def test_no_list_takes_what_is_of_before_the_first_published_one(self, office):
        entered(office, FIRST_DAY)
        office.today = date(2024, 8, 2)
        publishing.publish(office.pool, "2024-08", OFFICER, office.today)
        report = sent(office, date(2024, 6, 20))
        assert blocks(report, office.today) == ["inbox-before"]
        with pytest.raises(ReportNotReadyError):
            reports.accept(report, OFFICER, office.today)
        reports.set_fields(report, {"reported": date(2024, 6, 21)}, OFFICER)
        reports.accept(report, OFFICER, office.today)
        office.agrees()


class TestMerges:
    def test_games_that_were_struck_before_still_have_their_player(self, office):
        entered(office, FIRST_DAY)
        corrected(office, "games", standing_rows(office.pool, facts.Game).first(), FIRST_DAY, result="0-1")
        player_merge.merge(office.pool, "M002", "M005", OFFICER, "", FIRST_DAY)
        office.is_sound()
        player_merge.unmerge(office.pool, "M002", "M005", OFFICER, "", FIRST_DAY)
        office.is_sound()

    def test_games_of_an_event_that_was_struck_stay(self, office):
        entered(office, FIRST_DAY)
        asked = corrections.open_inquiry(office.pool, FIRST_DAY, "A. Member", "", OFFICER)
        correction_drafts.draft_strike(asked, "events", Event.objects.get().pk)
        correction_drafts.remove_changes(asked, 2)
        correction_drafts.remove_changes(asked, 1)
        corrections.carry_out(asked, OFFICER, "", FIRST_DAY)
        assert player_merge.merge_extent(office.pool, "M005").games == 0
        player_merge.merge(office.pool, "M004", "M005", OFFICER, "", FIRST_DAY + timedelta(days=1))
        office.is_sound()

    def test_nobody_moves_whose_opponent_was_struck(self, office):
        entered(office, FIRST_DAY)
        corrected(office, "players", members.find(office.pool, "M000"), FIRST_DAY)
        assert player_merge.obstacles(office.pool, "M004", "M005") == [
            Obstacle(player_merge.GONE, Event.objects.get().event_id, 1)
        ]

    def test_nobody_moves_back_either(self, office):
        entered(office, FIRST_DAY)
        player_merge.merge(office.pool, "M004", "M005", OFFICER, "", FIRST_DAY)
        corrected(office, "players", members.find(office.pool, "M000"), FIRST_DAY)
        with pytest.raises(MergeError) as refused:
            player_merge.unmerge(office.pool, "M004", "M005", OFFICER, "", FIRST_DAY)
        assert refused.value.obstacles == [Obstacle(player_merge.CHANGED_SINCE)]
        office.is_sound()


class TestCorrections:
    def test_of_what_was_changed_since_the_inquiry(self, office):
        """Asked on the 5th, paid on the 10th, corrected on the 12th."""
        entered(office, FIRST_DAY)
        office.today = date(2024, 8, 2)
        publishing.publish(office.pool, "2024-08", OFFICER, office.today)
        event = Event.objects.get()

        replace(
            open_entry(office.pool, Act("officer", "payment")),
            event,
            with_values(record_of(event, facts.Event), paid=date(2024, 7, 20)),
            date(2024, 8, 10),
        )
        office.today = date(2024, 8, 12)
        corrected(
            office, "events", standing_rows(office.pool, facts.Event).get(), date(2024, 8, 5), speed="rapid"
        )
        assert standing_rows(office.pool, facts.Event).get().added == date(2024, 8, 10)
        office.agrees()
        assert {line.speed for line in office.pool.lists.latest("number").lines.all()} == {"rapid"}

    def test_a_membership_of_an_event_goes_with_it(self, office):
        entered(office, FIRST_DAY, event_id="cup")
        wanted = facts.Membership("M009", facts.ONE_EVENT, FIRST_DAY, FIRST_DAY, "cup")
        members.add_membership(office.pool, wanted, OFFICER, FIRST_DAY)
        corrected(office, "events", Event.objects.get(), FIRST_DAY)
        assert not standing_rows(office.pool, facts.Membership).filter(event_id="cup").exists()
        assert Membership.objects.filter(event_id="cup").count() == 1
