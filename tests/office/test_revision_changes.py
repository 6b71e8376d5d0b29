"""What a revised list says of the correction that led to it."""

from __future__ import annotations

import pytest
from published_office import CHIEF, TODAY, after, inquiry, names, published
from web.published_pools import hide

from banzuke.core import facts
from banzuke.office.fact_rows import standing_rows
from banzuke.office.lists import correction_drafts, corrections, list_index
from banzuke.office.lists.revision_changes import NOTHING, EventChange, changes_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def japan():
    return published("japan")


def asked_of(pool):
    """An inquiry in time for the first list, and an event in that list."""
    found = corrections.open_inquiry(pool, after(pool, names(pool)[0], 10), "A. Member", "", CHIEF)
    return found, list_index.find_list(pool, names(pool)[0]).lines.first().event_id


def corrected(pool, asked):
    """What the first revision of that correction says."""
    return changes_of(corrections.carry_out(asked, CHIEF, "wrong", TODAY)[0])


def test_a_result(japan):
    row = standing_rows(japan, facts.Game).filter(result="1-0").first()
    found = corrected(japan, inquiry(japan, after(japan, names(japan)[0], 10)))
    (game,) = found.games
    assert (game.event_id, game.round) == (row.event_id, row.round)
    assert (game.white.player_id, game.black.player_id) == (row.white, row.black)
    assert (game.before, game.after, game.is_turned) == ("1-0", "1/2-1/2", False)
    assert game.event == standing_rows(japan, facts.Event).get(event_id=row.event_id).name
    assert not found.events
    assert not found.has_members


@pytest.mark.parametrize(("was", "turned"), [("1-0", "0-1"), ("1/2-1/2", "1/2-1/2"), ("0-1", "1-0")])
def test_colours_that_were_exchanged(japan, was, turned):
    asked, _ = asked_of(japan)
    row = standing_rows(japan, facts.Game).filter(result=was).first()
    correction_drafts.draft_change(asked, "games", row.pk, white=row.black, black=row.white, result=was)
    (game,) = corrected(japan, asked).games
    assert game.is_turned
    assert (game.white.player_id, game.black.player_id) == (row.black, row.white)
    assert game.before == turned


def test_a_game_that_was_struck(japan):
    asked, event = asked_of(japan)
    row = standing_rows(japan, facts.Game).filter(event_id=event).first()
    correction_drafts.draft_strike(asked, "games", row.pk)
    (game,) = corrected(japan, asked).games
    assert (game.before, game.after) == (row.result, None)


def test_an_event_that_was_struck_is_named_without_its_games(japan):
    asked, event = asked_of(japan)
    row = standing_rows(japan, facts.Event).get(event_id=event)
    correction_drafts.draft_strike(asked, "events", row.pk)
    found = corrected(japan, asked)
    assert found.events == [EventChange(event, row.name, stands=False)]
    assert not found.games


def test_of_a_member_nothing_is_said_but_that_something_was(japan):
    asked, event = asked_of(japan)
    line = list_index.find_list(japan, names(japan)[0]).lines.filter(event_id=event).first()
    row = standing_rows(japan, facts.Player).get(player_id=line.player_id)
    correction_drafts.draft_change(asked, "players", row.pk, fide_standard=2222)
    correction_drafts.draft_strike(
        asked, "games", standing_rows(japan, facts.Game).filter(event_id=event).first().pk
    )
    found = corrected(japan, asked)
    assert found.has_members
    assert not found.events


def test_who_is_shown_by_id_only_has_no_name(japan):
    row = standing_rows(japan, facts.Game).filter(result="1-0").first()
    found = corrections.carry_out(inquiry(japan, after(japan, names(japan)[0], 10)), CHIEF, "wrong", TODAY)[0]
    hide(japan, row.white)
    (game,) = changes_of(found).games
    assert game.white.name == ""
    assert game.black.name


def test_a_first_list_and_a_revision_of_another_cause_say_nothing(japan):
    assert changes_of(list_index.latest_list(japan)) == NOTHING
