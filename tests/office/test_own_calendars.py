"""The whole office for pools whose books have calendars of their own: from the report to the revision."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import date, timedelta

import pytest
from office.published_office import CHIEF, EXAMPLES, inquiry, names
from office.test_inbox import hinoki, taken
from sample_books import JCF_2026, SUNDAY_2026, Sundays

from banzuke.core import facts
from banzuke.core.registry import BOOKS
from banzuke.database.book_reader import read_book
from banzuke.database.book_writer import Act, add_facts, open_entry
from banzuke.database.ledger_folders import enter_folder
from banzuke.database.models import RatingList
from banzuke.office.administration import pools
from banzuke.office.administration.pools import Edition
from banzuke.office.fact_rows import TABLES, standing_rows
from banzuke.office.fees import dues
from banzuke.office.inbox.report_preview import preview
from banzuke.office.inbox.reports import accept, status_of
from banzuke.office.inbox.review import review_report
from banzuke.office.lists import coming_list, corrections
from banzuke.office.lists.coming_list import day_of_change
from banzuke.office.lists.list_index import CURRENT, current_lists, find_list, known_until
from banzuke.office.lists.publishing import publish
from banzuke.office.lists.rehearsal import rehearse
from banzuke.office.lists.verification import verify
from banzuke.office.refusals import WindowOpenError

pytestmark = pytest.mark.django_db
REPORTED, SUNDAY = date(2025, 5, 2), date(2025, 5, 4)
RULES = """name = "Example Chess Federation"
[[edition]]
rulebook = "{book}"
from = 2022-09-01
"""


def pool_by(book, folder):
    """The example federation, rated by that book from its first report on."""
    ledger = shutil.copytree(EXAMPLES / "japan", folder / "ledger")
    (ledger / "pool.toml").write_text(RULES.format(book=book.name))
    return enter_folder("japan", ledger, "test")


def names_of_current(pool):
    return [each.name for each in current_lists(pool)]


@pytest.fixture
def sundays(install_books, tmp_path):
    install_books(SUNDAY_2026)
    return pool_by(SUNDAY_2026, tmp_path)


class TestAListEverySunday:
    @pytest.mark.slow
    def test_from_the_report_to_the_revision(self, sundays):
        week = timedelta(days=7)
        publish(sundays, "2025-04-27", CHIEF, date(2025, 4, 28))
        assert names_of_current(sundays)[:2] == ["2025-04-27", "2025-04-20"]

        report = taken(sundays)
        (event,) = review_report(report, REPORTED).events
        assert event.placement[:2] == ("2025-05-04", "coming")
        assert [each.name for each in preview(report, REPORTED)] == ["2025-05-04"]
        rated_whole = preview(report, REPORTED)[0]
        accept(report, CHIEF, REPORTED)
        (standing,) = status_of(report).events
        assert (standing.list, standing.closes, standing.published) == ("2025-05-04", date(2025, 5, 3), None)

        coming = coming_list.find_coming_list(sundays, REPORTED)
        assert coming == ("2025-05-04", date(2025, 4, 27), date(2025, 5, 3), SUNDAY, False)
        assert [each.games for each in coming_list.events_of(sundays, coming)] == [15]
        assert coming_list.furthest_list(sundays, coming, SUNDAY + week) == ""
        with pytest.raises(WindowOpenError):
            publish(sundays, coming.name, CHIEF, date(2025, 5, 3))
        rehearsal = rehearse(sundays, coming.name, SUNDAY)
        assert (rehearsal.is_closed, rehearsal.lists) == (True, ["2025-05-04"])
        (made,) = publish(sundays, coming.name, CHIEF, SUNDAY, rehearsal.position)
        assert (made.day, made.closes, find_list(sundays, CURRENT)) == (SUNDAY, date(2025, 5, 3), made)
        assert verify(sundays, made.name).is_good
        gained = {
            row.player_id: row.change for row in made.rows.filter(speed="standard", change__isnull=False)
        }
        assert {
            each.player_id: int(each.after) - int(each.before) for each in rated_whole.changes
        }.items() <= (gained.items())
        assert status_of(report).is_rated

        assert known_until(made) == SUNDAY + timedelta(days=30)

    @pytest.mark.slow
    def test_a_correction_changes_the_lists_of_thirty_days(self, sundays):
        first, *_, last = names(sundays)
        publish(sundays, last, CHIEF, date(2030, 1, 1))
        at = date.fromisoformat(first) + timedelta(days=20)
        asked = inquiry(sundays, at)
        found = corrections.preview(asked, date(2030, 1, 1))
        assert (found.frozen, len(found.may_change)) == ([], len(names(sundays)))
        changed = corrections.carry_out(asked, CHIEF, "wrong result", date(2030, 1, 1))
        assert [changed[0].name, changed[0].revision] == [first, 1]
        assert {each.name for each in changed} <= {each.name for each in found.may_change}
        assert verify(sundays, first).is_good
        assert verify(sundays, first, 0).is_good

        late = inquiry(sundays, date.fromisoformat(first) + timedelta(days=30))
        found = corrections.preview(late, date(2030, 1, 1))
        assert [each.name for each in found.frozen] == [first]

    def test_what_comes_for_a_published_week(self, sundays):
        publish(sundays, "2025-04-27", CHIEF, date(2025, 4, 28))
        for reported, kind, clause in (
            (date(2025, 4, 26), "correction", ""),
            (date(2025, 3, 1), "frozen", "JCF 7(3)"),
            (date(2024, 4, 1), "before", ""),
        ):
            report = taken(sundays, hinoki(Hinoki_Spring_Match=f"Match {kind}"), reported=reported)
            (event,) = review_report(report, REPORTED).events
            assert (event.placement.kind, event.placement.clause) == (kind, clause)
        assert event.placement.list == "2024-04-07"
        assert day_of_change(sundays, date(2025, 12, 1)) == date(2025, 6, 2)

    def test_a_revision_that_is_due(self, sundays):
        publish(sundays, "2025-04-27", CHIEF, date(2025, 4, 28))
        game = standing_rows(sundays, facts.Game).filter(event_id="2025-04-kawabe").first()
        more = facts.Game(game.event_id, 9, game.white, game.black, "1-0")
        entry = open_entry(sundays, Act("test", "import-ledger"))
        add_facts(entry, TABLES[facts.Game], [more])
        changed = corrections.revise(sundays, CHIEF, "a game was missing")
        assert changed
        assert all(verify(sundays, each.name).is_good for each in changed)


class TestASuccessorThatClosesEarlier:
    """The window closes on the 20th; from 1 March 2025 on, on the 15th."""

    EDITIONS = (Edition("jcf-2024", date(2022, 9, 1), {}), Edition("jcf-2026", date(2025, 3, 1), {}))

    @pytest.fixture
    def pool(self, install_books, tmp_path):
        install_books(JCF_2026)
        pool = pool_by(BOOKS["jcf-2024"], tmp_path)
        publish(pool, "2025-03", CHIEF, date(2025, 2, 21))
        pools.change_rules(pool, "Example Chess Federation", self.EDITIONS, CHIEF, "the new rules", {})
        return pool

    def test_the_lists_go_on(self, pool):
        assert coming_list.find_coming_list(pool, date(2025, 3, 15))[:4] == (
            "2025-04", date(2025, 2, 21), date(2025, 3, 15), date(2025, 4, 1),
        )  # fmt: skip
        made = publish(pool, "2025-05", CHIEF, date(2025, 4, 16))
        assert [(each.name, each.rulebook, each.closes) for each in made] == [
            ("2025-04", "jcf-2026", date(2025, 3, 15)),
            ("2025-05", "jcf-2026", date(2025, 4, 15)),
        ]
        assert min(made[0].rows.values_list("rating", flat=True)) >= 1100
        lists = RatingList.objects.filter(pool=pool)
        assert all(verify(pool, each.name, each.revision).is_good for each in lists)

    def test_a_report_on_the_sixteenth_waits_a_month(self, pool):
        for day, wanted in ((15, "2025-05"), (16, "2025-06")):
            report = taken(pool, hinoki(Hinoki_Spring_Match=f"Match {day}"), reported=date(2025, 4, day))
            (event,) = review_report(report, REPORTED).events
            assert event.placement.list == wanted

    def test_a_correction_reaches_the_lists_of_both(self, pool):
        publish(pool, "2025-05", CHIEF, date(2025, 4, 16))
        asked = inquiry(pool, date(2025, 5, 2))
        found = corrections.preview(asked, REPORTED)
        assert [each.name for each in found.may_change] == ["2025-03", "2025-04", "2025-05"]


@pytest.mark.slow
def test_from_months_to_sundays(install_books, tmp_path):
    weekly = replace(SUNDAY_2026, series="japan")
    install_books(weekly)
    pool = pool_by(BOOKS["jcf-2024"], tmp_path)
    publish(pool, "2025-04", CHIEF, date(2025, 3, 21))
    editions = (Edition("jcf-2024", date(2022, 9, 1), {}), Edition(weekly.name, date(2025, 4, 1), {}))
    pools.change_rules(pool, "Example Chess Federation", editions, CHIEF, "weekly", {})
    coming = coming_list.find_coming_list(pool, date(2025, 4, 5))
    assert (coming.name, coming.opens) == ("2025-04-06", date(2025, 3, 21))
    made = publish(pool, "2025-04-20", CHIEF, date(2025, 4, 21))
    assert [each.name for each in made] == ["2025-04-06", "2025-04-13", "2025-04-20"]
    assert names_of_current(pool)[:4] == ["2025-04-20", "2025-04-13", "2025-04-06", "2025-04"]
    assert all(verify(pool, name).is_good for name in names_of_current(pool))
    assert read_book(pool).pool.schedule.window_named("2025-04").closes == date(2025, 3, 20)


def test_fees_are_owed_by_the_week(install_books, tmp_path):
    install_books(replace(BOOKS["ncs-2022"], name="weekly-fees", calendar=Sundays(), twin=None))
    pool = pool_by(BOOKS["weekly-fees"], tmp_path)
    found = dues.window_names(pool, date(2024, 6, 12))
    assert found[:2] == ["2024-06-16", "2024-06-09"]
    window = dues.find_window(pool, "2024-06-16")
    assert (window.opens, window.closes, window.pay_by) == (
        date(2024, 6, 9), date(2024, 6, 15), date(2024, 6, 15),
    )  # fmt: skip
    with pytest.raises(ValueError, match="2024-06"):
        dues.find_window(pool, "2024-06")
