"""The register in the database: members, memberships, newcomers, the day that a change carries."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from repeated import entered_pool

from banzuke.core import facts
from banzuke.database import models
from banzuke.database.book_reader import last_entry, rules_of
from banzuke.database.ledger_folders import enter_folder, write_folder
from banzuke.engine.rule_warnings import name_warnings
from banzuke.ledger.folder import read_ledger
from banzuke.office.journal import Actor
from banzuke.office.lists.coming_list import day_of_addition, day_of_change
from banzuke.office.refusals import EventNotInBookError, SpanError
from banzuke.office.register import members
from banzuke.office.register.data_exports import register_history
from banzuke.office.register.members import ContactDetails
from banzuke.office.search import search_index
from banzuke.words import fault_text

pytestmark = pytest.mark.django_db
SMALL = Path(__file__).parents[1] / "ledger" / "small"
HANAKO = Actor("hanako", "10.0.0.1")
TODAY = date(2025, 3, 10)


@pytest.fixture
def japan():
    """Members A, B, C; club C1; events E1 (June 2024) and E2 (December 2024)."""
    return entered_pool("japan", SMALL / "japan", "test")


def published(pool, name="2025-03", closes=date(2025, 2, 20)):
    """A published list without rows."""
    return models.RatingList.objects.create(
        pool=pool,
        name=name,
        number=models.RatingList.objects.count() + 1,
        revision=0,
        entry=pool.entries.latest("pk"),
        day=date.fromisoformat(f"{name}-01"),
        closes=closes,
        rulebook="jcf-2024",
        in_force_from=date(2024, 10, 1),
        settings={},
        published_at=datetime.now(UTC),
        author="chief",
        sha256="0" * 64,
    )


def record(pool, player_id="A"):
    row = members.find(pool, player_id)
    return facts.Player(
        *(getattr(row, name) for name in facts.Player._fields if name not in ("struck", "more"))
    )


class TestDayOfChange:
    def test_nothing_published_no_day(self, japan):
        assert day_of_change(japan, TODAY) == date.min
        assert day_of_addition(japan, date(2020, 1, 1), TODAY) is None

    def test_with_lists_today(self, japan):
        published(japan)
        assert day_of_change(japan, TODAY) == TODAY

    @pytest.mark.parametrize(
        ("today", "day"),
        [
            (date(2025, 6, 29), date(2025, 6, 29)),
            (date(2025, 6, 30), date(2025, 6, 29)),
            (date(2026, 6, 1), date(2025, 6, 29)),
        ],
    )
    def test_the_next_list_always_knows(self, japan, today, day):
        """The list of 2025-04-01 knows inquiries made before 2025-06-30."""
        published(japan)
        assert day_of_change(japan, today) == day

    def test_what_begins_after_the_last_window_needs_none(self, japan):
        published(japan)
        assert day_of_addition(japan, date(2025, 2, 21), TODAY) is None
        assert day_of_addition(japan, date(2025, 2, 20), TODAY) == TODAY


class TestMembers:
    def test_a_new_member(self, japan):
        members.add(
            japan, facts.Player("N1", "NEW Person"), ContactDetails("しん", "Kyoto", "n@example.org"), HANAKO
        )
        assert members.find(japan, "N1").name == "NEW Person"
        assert members.contact_of(japan, "N1") == ContactDetails("しん", "Kyoto", "n@example.org")
        assert models.JournalEntry.objects.get().what == {"member": "N1", "entry": last_entry(japan)}

    def test_an_id_is_given_once(self, japan):
        with pytest.raises(members.TakenIdError):
            members.add(japan, facts.Player("A", "OTHER One"), ContactDetails(), HANAKO)
        assert japan.entries.count() == 1

    def test_a_change_is_a_struck_row_and_an_added_one(self, japan):
        published(japan)
        changed = members.change(
            japan,
            record(japan)._replace(birth_date=date(2001, 2, 3)),
            ContactDetails(email="a@b.example"),
            HANAKO,
            "slip",
            TODAY,
        )
        assert changed == ("birth_date", "email")
        old, new = models.Player.objects.filter(player_id="A").order_by("pk")
        strike = models.Strike.objects.get()
        assert (strike.table, strike.row, strike.day) == ("players", old.pk, TODAY)
        assert (new.birth_date, new.added) == (date(2001, 2, 3), TODAY)

    def test_the_journal_names_fields_and_no_values(self, japan):
        members.change(
            japan,
            record(japan)._replace(birth_date=date(2001, 2, 3)),
            ContactDetails(email="a@b.example"),
            HANAKO,
            "",
            TODAY,
        )
        what = models.JournalEntry.objects.get().what
        assert what["fields"] == ["birth_date", "email"]
        assert "2001" not in str(what)
        assert "example" not in str(what)

    def test_before_the_first_list_the_old_row_never_stood(self, japan, tmp_path):
        """A birth date corrected today decides K in lists of years ago that are not published yet."""
        members.change(
            japan, record(japan)._replace(birth_date=date(2009, 1, 1)), ContactDetails(), HANAKO, "", TODAY
        )
        write_folder(japan, tmp_path / "out")
        rows = [p for p in read_ledger(tmp_path / "out").players if p.player_id == "A"]
        assert [(p.birth_date, p.added, p.struck) for p in rows] == [
            (date(1990, 5, 5), None, date.min),
            (date(2009, 1, 1), None, None),
        ]

    def test_changed_twice_the_ledger_still_checks(self, japan, tmp_path):
        published(japan)
        for year in (2001, 2002):
            members.change(
                japan,
                record(japan)._replace(birth_date=date(year, 1, 1)),
                ContactDetails(),
                HANAKO,
                "",
                TODAY,
            )
        write_folder(japan, tmp_path / "out")
        rows = [p for p in read_ledger(tmp_path / "out").players if p.player_id == "A"]
        assert [(p.added, p.struck) for p in rows] == [(None, TODAY), (TODAY, TODAY), (TODAY, None)]

    def test_what_changes_nothing_is_not_written(self, japan):
        assert members.change(japan, record(japan), ContactDetails(), HANAKO, "", TODAY) == ()
        assert japan.entries.count() == 1
        assert not models.JournalEntry.objects.exists()

    def test_nobody(self, japan):
        with pytest.raises(members.UnknownMemberError):
            members.find(japan, "X")

    def test_the_last_word_counts_of_a_contact(self, japan):
        for email in ("one@example.org", ""):
            members.change(
                japan, record(japan), ContactDetails(email=email, by_id_only=True), HANAKO, "", TODAY
            )
        assert members.contact_of(japan, "A") == ContactDetails(by_id_only=True)

    def test_a_name_with_a_comma_is_warned_about_with_its_clause(self, japan):
        [found] = name_warnings(rules_of(japan), facts.Player("A", "ABE, Ichiro"))
        assert "JCF note 4" in fault_text(found, "en")
        assert name_warnings(rules_of(japan), facts.Player("A", "ABE Ichiro")) == []

    def test_namesakes(self, japan):
        assert [row.player_id for row in members.namesakes(japan, facts.Player("Z", "X Y", "馬場 次郎"))] == [
            "B"
        ]
        assert members.namesakes(japan, record(japan, "B")) == []

    def test_history_has_struck_rows_with_who_and_why(self, japan):
        members.change(japan, record(japan)._replace(sex="m"), ContactDetails(), HANAKO, "asked him", TODAY)
        rows = [row for row in register_history(japan, "A") if row["table"] is facts.Player]
        assert [(row["sex"], row["by"], row.get("struck_by"), row.get("struck_why")) for row in rows] == [
            ("m", "hanako", None, None),
            ("", "test", "hanako", "asked him"),
        ]


class TestSearch:
    @pytest.mark.parametrize(
        ("typed", "ids"),
        [
            ("", "ABC"),
            ("abe", "A"),
            ("ichiro abe", "A"),
            ("馬場", "B"),
            ("馬場次郎", "B"),
            ("CHIBA　Saburo", "C"),
            ("xyz", ""),
            ("%", ""),
        ],
    )
    def test_by_name(self, japan, typed, ids):
        assert "".join(row.player_id for row in members.search_members(japan, typed)) == ids

    def test_by_kana_and_fide_id(self, japan):
        members.change(
            japan,
            record(japan, "C")._replace(fide_id="7000123"),
            ContactDetails("ちば さぶろう"),
            HANAKO,
            "",
            TODAY,
        )
        for typed in ("ちば", "7000123"):
            assert [row.player_id for row in members.search_members(japan, typed)] == ["C"]

    def test_near_names_where_nobody_is_named_so(self, japan):
        while search_index.index_some():
            pass
        for typed, ids in (("abbe ichiro", "A"), ("chiba sabro", "C"), ("馬場四郎", "B"), ("xyz", "")):
            assert "".join(row.player_id for row in members.search_members(japan, typed)) == ids, typed

    def test_exactly(self, japan):
        assert [row.player_id for row in members.find_by_name(japan, "abe ichiro")] == ["A"]
        assert members.find_by_name(japan, "abe") == []


class TestMemberships:
    def test_before_any_list(self, japan):
        members.add_membership(
            japan, facts.Membership("C", "annual", date(2024, 4, 1), date(2025, 3, 31)), HANAKO, TODAY
        )
        assert members.memberships(japan, "C").get().added is None

    def test_one_that_a_published_list_could_have_used_carries_the_day(self, japan):
        published(japan)
        members.add_membership(
            japan, facts.Membership("C", "annual", date(2025, 1, 1), date(2025, 12, 31)), HANAKO, TODAY
        )
        assert members.memberships(japan, "C").get().added == TODAY

    def test_a_membership_of_one_event_needs_the_event(self, japan):
        wanted = facts.Membership("C", "event", date(2024, 6, 1), date(2024, 6, 2), "E1")
        members.add_membership(japan, wanted, HANAKO, TODAY)
        with pytest.raises(EventNotInBookError):
            members.add_membership(japan, wanted._replace(event_id="E9"), HANAKO, TODAY)

    def test_no_end_before_the_beginning(self, japan):
        with pytest.raises(SpanError):
            members.add_membership(
                japan, facts.Membership("C", "annual", TODAY, date(2025, 3, 9)), HANAKO, TODAY
            )

    def test_an_end_is_a_correction(self, japan):
        published(japan)
        row = members.memberships(japan, "A").get()
        wanted = facts.Membership("A", "annual", row.valid_from, date(2024, 5, 31))
        members.correct_membership(japan, row.pk, wanted, HANAKO, "left", TODAY)
        assert members.memberships(japan, "A").get().valid_to == date(2024, 5, 31)
        assert models.Strike.objects.get().day == TODAY
        with pytest.raises(members.StruckMembershipError):
            members.correct_membership(japan, row.pk, wanted, HANAKO, "again", TODAY)

    def test_struck(self, japan):
        members.strike_membership(
            japan, members.memberships(japan, "A").get().pk, HANAKO, "never paid", TODAY
        )
        assert not members.memberships(japan, "A").exists()


class TestNewcomers:
    def report(self, pool, entry):
        report = models.Report.objects.create(
            pool=pool, received_at=datetime.now(UTC), author="c", source="upload"
        )
        report.steps.create(at=datetime.now(UTC), author="o", state="accepted", entry=entry)

    def test_who_came_by_a_report_until_all_is_complete(self, japan):
        members.add(japan, facts.Player("N1", "NEW Person"), ContactDetails(), HANAKO)
        assert members.newcomers(japan) == []
        self.report(japan, japan.entries.latest("pk"))
        [found] = members.newcomers(japan)
        assert (found.row.player_id, found.missing) == ("N1", ("name_native", "birth_date", "contact"))
        wanted = record(japan, "N1")._replace(name_native="新 人", birth_date=date(2000, 1, 1))
        members.change(japan, wanted, ContactDetails(), HANAKO, "", TODAY)
        assert members.newcomers(japan)[0].missing == ("contact",)
        members.change(japan, wanted, ContactDetails(email="n@example.org"), HANAKO, "", TODAY)
        assert members.newcomers(japan) == []

    def test_what_somebody_else_filled_in_meanwhile_stays(self, japan):
        members.add(japan, facts.Player("N1", "NEW Person"), ContactDetails(), HANAKO)
        self.report(japan, japan.entries.latest("pk"))
        [found] = members.newcomers(japan)
        wanted = record(japan, "N1")._replace(name="NEW Taro", name_native="新 人", sex="m")
        members.change(japan, wanted, ContactDetails(email="n@example.org"), HANAKO, "", TODAY)
        said = {"name_native": "別 人", "birth_date": date(2000, 1, 1), "email": "other@example.org"}
        assert members.complete(japan, found, said, HANAKO, TODAY) == ("birth_date",)
        now = record(japan, "N1")
        assert (now.name, now.name_native, now.sex, now.birth_date) == (
            "NEW Taro",
            "新 人",
            "m",
            date(2000, 1, 1),
        )
        assert members.contact_of(japan, "N1").email == "n@example.org"

    def test_ids(self, japan):
        assert next(members.new_ids(japan)) == "P00001"
        for player_id in ("J007", "J011", "K5", "J9999"):
            members.add(japan, facts.Player(player_id, "X Y"), ContactDetails(), HANAKO)
        assert next(members.new_ids(japan)) == "J012"
        members.add(japan, facts.Player("J012", "X Y"), ContactDetails(), HANAKO)
        assert next(members.new_ids(japan)) == "J013"

    def test_no_id_looks_like_fides(self, ledger_folder):
        pool = enter_folder("fide", ledger_folder("fide", "fide"), "test")
        for player_id in ("7000123", "7000124", "7000125"):
            members.add(pool, facts.Player(player_id, "X Y"), ContactDetails(), HANAKO)
        assert next(members.new_ids(pool)) == "F3"
