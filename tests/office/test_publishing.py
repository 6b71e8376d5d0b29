"""Publishing: what comes next, a rehearsal that publishes nothing, every list or none, once."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta

import pytest
from office.published_office import CHIEF, TODAY, example, names, published
from web.small_office import client

from banzuke.core import facts
from banzuke.database.book_reader import last_entry, read_book
from banzuke.database.book_writer import Act, add_facts, open_entry
from banzuke.database.models import JournalEntry, ListRow, RatingList
from banzuke.engine.history import UnknownListError
from banzuke.office.administration.pools import Edition, open_pool
from banzuke.office.fact_rows import TABLES, record_of, replace, standing_rows
from banzuke.office.journal import Actor
from banzuke.office.json_codec import from_json, to_json
from banzuke.office.lists import coming_list
from banzuke.office.lists.coming_list import find_coming_list, today_of
from banzuke.office.lists.list_index import current_lists, latest_list, revisions_of
from banzuke.office.lists.publishing import publish
from banzuke.office.lists.recompute import recompute
from banzuke.office.lists.rehearsal import Rehearsal, rehearse
from banzuke.office.refusals import AlreadyPublishedError, MovedOnError, WindowOpenError
from banzuke.web.problem_views import games_not_counted

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("either_engine")]


class TestComing:
    def test_of_a_pool_without_lists_it_is_that_of_its_first_report(self):
        pool = example("japan")
        found = find_coming_list(pool, date(2024, 5, 20))
        assert found == ("2024-06", date(2024, 4, 21), date(2024, 5, 20), date(2024, 6, 1), False)
        assert find_coming_list(pool, date(2024, 5, 21)).is_closed

    def test_after_one_is_published_it_is_the_next_month_s(self):
        pool = published("japan")
        assert find_coming_list(pool, TODAY)[:4] == (
            "2025-06",
            date(2025, 4, 21),
            date(2025, 5, 20),
            date(2025, 6, 1),
        )

    def test_of_an_empty_pool_it_is_that_of_today(self):
        pool = open_pool("new", "New", Edition("jcf-2024", date(2024, 10, 1), {}), CHIEF)
        assert find_coming_list(pool, date(2025, 2, 20)).name == "2025-03"
        assert find_coming_list(pool, date(2025, 2, 21)).name == "2025-04"

    def test_of_a_club_it_is_the_first_event_that_waits(self):
        pool = example("hakodate")
        assert find_coming_list(pool, TODAY)[:2] == ("2025-04-opening", None)
        assert not find_coming_list(pool, date(2025, 4, 6)).is_closed
        publish(pool, names(pool)[-1], CHIEF, TODAY)
        assert find_coming_list(pool, TODAY) is None

    def test_of_fide_and_of_go(self):
        assert find_coming_list(example("us-championship-2025"), TODAY)[:4] == (
            "2025-11", date(2025, 9, 29), date(2025, 10, 29), date(2025, 11, 1),
        )  # fmt: skip
        assert find_coming_list(example("go-server"), TODAY)[:4] == (
            "2026-02", date(2026, 1, 1), date(2026, 1, 31), date(2026, 2, 1),
        )  # fmt: skip

    def test_a_month_of_go_is_over_at_midnight_by_utc(self, monkeypatch):
        """In Tokyo it is nine o'clock in the morning of the first then."""
        chess, server = example("japan"), example("go-server")
        for moment, day in (
            (datetime(2026, 1, 31, 23, 59, tzinfo=UTC), date(2026, 1, 31)),
            (datetime(2026, 2, 1, tzinfo=UTC), date(2026, 2, 1)),
        ):
            monkeypatch.setattr(coming_list, "now", lambda moment=moment: moment)
            monkeypatch.setattr(coming_list, "localdate", lambda: date(2026, 2, 1))
            assert today_of(server) == day
            assert find_coming_list(server, day).is_closed == (day > date(2026, 1, 31))
            assert today_of(chess) == date(2026, 2, 1)


class TestRehearsing:
    def test_it_shows_the_list_that_is_published_then_and_publishes_nothing(self):
        pool = example("japan")
        rehearsal = rehearse(pool, names(pool)[3], TODAY)
        assert not RatingList.objects.exists()
        assert (rehearsal.lists, rehearsal.due) == (names(pool)[:4], [])
        made = recompute(pool, read_book(pool, rehearsal.position), names(pool)[3]).wanted
        assert rehearsal.rows == made.rows
        lists = publish(pool, names(pool)[3], CHIEF, TODAY, rehearsal.position)
        assert lists[-1].sha256 == made.content_sha256(rehearsal.position)

    def test_who_moves_who_is_new_and_who_passes_a_mark(self):
        pool = published("japan", 0)
        rehearsal = rehearse(pool, names(pool)[-1], TODAY)
        moves = [abs(row.change) for row in rehearsal.movers]
        assert moves == sorted(moves, reverse=True)
        assert 0 not in moves
        rows = {(row.player_id, row.speed): row for row in rehearsal.rows}
        assert all(rows[row.player_id, row.speed].change is None for row in rehearsal.first)

    def test_who_is_no_member_is_named(self):
        pool = published("japan", 0)
        kept = from_json(Rehearsal, json.loads(json.dumps(to_json(rehearse(pool, "2025-02", TODAY)))))
        assert kept == rehearse(pool, "2025-02", TODAY)
        (left,) = [each for each in games_not_counted(pool, kept) if each.verdict == "member"]
        assert sorted(name for _, name in left.who) == ["ANDO Shota", "FUKUDA Sho", "KIMURA Akari"]
        visitor = client("officer", pool)
        visitor.post("/office/japan/board/rehearsals/2025-02/again/")
        page = visitor.get("/office/japan/board/rehearsals/2025-02/").content.decode()
        assert '<a href="/office/japan/register/members/J034/">ANDO Shota</a>' in page

    def test_the_board_names_who_is_no_member(self):
        pool = published("japan", -5)
        assert find_coming_list(pool, TODAY).name == "2025-02"
        page = client("officer", pool).get("/office/japan/board/").content.decode()
        assert '<a href="/office/japan/register/members/J034/">ANDO Shota</a>' in page

    def test_an_open_window_is_shown_as_open(self):
        pool = example("japan")
        assert not rehearse(pool, "2024-06", date(2024, 5, 20)).is_closed
        assert rehearse(pool, "2024-06", date(2024, 5, 21)).is_closed

    def test_what_is_no_list_is_refused_with_those_there_are(self):
        with pytest.raises(UnknownListError) as refused:
            rehearse(example("japan"), "2020-01", TODAY)
        assert refused.value.known.endswith("2025-05")


class TestPublishing:
    def test_every_list_up_to_one_is_numbered_in_order(self):
        pool = example("japan")
        lists = publish(pool, names(pool)[2], CHIEF, TODAY)
        assert [(each.name, each.number, each.revision) for each in lists] == [
            (name, number, 0) for number, name in enumerate(names(pool)[:3], 1)
        ]
        assert {each.entry_id for each in lists} == {last_entry(pool)}
        assert latest_list(pool).name == names(pool)[2]
        note = JournalEntry.objects.get(act="publish")
        assert (note.who, note.where, note.what["lists"]) == ("chief", "127.0.0.1", names(pool)[:3])

    @pytest.mark.parametrize(
        ("name", "which", "last"),
        [
            ("japan", "2024-06", date(2024, 5, 20)),
            ("us-championship-2025", "2025-11", date(2025, 10, 29)),
            ("go-server", "2026-02", date(2026, 1, 31)),
        ],
    )
    def test_the_window_must_be_over(self, name, which, last):
        pool = example(name)
        with pytest.raises(WindowOpenError) as refused:
            publish(pool, which, CHIEF, last)
        assert str(last) in refused.value.sentence("en")
        assert not RatingList.objects.exists()
        assert publish(pool, which, CHIEF, last + timedelta(days=1))

    def test_a_club_publishes_an_event_on_its_own_day(self):
        pool = example("hakodate")
        assert publish(pool, "2025-04-opening", CHIEF, date(2025, 4, 6))

    def test_of_two_late_events_only_the_one_that_was_asked_for(self):
        pool = published("hakodate")
        entry = open_entry(pool, Act("other", "report"))
        late = [
            facts.Event(f"late-{day}", "Late", on, on, on, place="Hakodate", form="meeting")
            for day in (25, 26)
            for on in (date(2025, 5, day),)
        ]
        add_facts(entry, TABLES[facts.Event], late)
        assert rehearse(pool, "late-25", TODAY).lists == ["late-25"]
        assert [each.name for each in publish(pool, "late-25", CHIEF, TODAY)] == ["late-25"]
        assert [each.name for each in publish(pool, "late-26", CHIEF, TODAY)] == ["late-26"]

    def test_of_two_officers_the_second_is_told_who_was_first(self):
        pool = published("japan", 0)
        rows = ListRow.objects.count()
        with pytest.raises(AlreadyPublishedError) as refused:
            publish(pool, names(pool)[0], Actor("second"), TODAY)
        assert refused.value.facts["author"] == "chief"
        assert "chief" in refused.value.sentence("ja")
        assert ListRow.objects.count() == rows

    def test_an_officer_whose_book_has_moved_on_is_told_so(self):
        pool = example("japan")
        seen = last_entry(pool)
        entry = open_entry(pool, Act("other", "report"))
        player = facts.Player("NEW1", "NEW One")
        add_facts(entry, TABLES[facts.Player], [player])
        with pytest.raises(MovedOnError) as refused:
            publish(pool, names(pool)[0], CHIEF, TODAY, seen)
        assert refused.value.facts == {"entry": entry.pk, "act": "report", "author": "other"}
        assert not RatingList.objects.exists()
        assert publish(pool, names(pool)[0], CHIEF, TODAY, entry.pk)

    def test_a_failure_in_the_middle_leaves_nothing(self):
        pool = example("japan")
        seen = []

        def fail(done, of, what):
            seen.append(what)
            if RatingList.objects.count() == 3:
                raise RuntimeError

        with pytest.raises(RuntimeError):
            publish(pool, names(pool)[-1], CHIEF, TODAY, None, fail)
        assert not RatingList.objects.exists()
        assert not ListRow.objects.exists()
        assert not JournalEntry.objects.filter(act="publish").exists()
        assert names(pool)[0] in seen


def test_the_book_gives_what_was_published_whatever_the_names_are_now():
    pool = published("japan")
    row = standing_rows(pool, facts.Player).first()
    entry = open_entry(pool, Act("other", "test"))
    new = record_of(row, facts.Player)._replace(name="OTHER Name")
    replace(entry, row, new, current_lists(pool).first().day)
    assert recompute(pool, read_book(pool)).due == []
    assert row.name in set(revisions_of(pool, names(pool)[0]).get().rows.values_list("name", flat=True))
