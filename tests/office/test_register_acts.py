"""Clubs by the year, events applied for, seeds, who qualifies, start lists, taking out."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from repeated import entered_pool

from banzuke.core import facts
from banzuke.core.fault import RefusedError
from banzuke.database import models
from banzuke.database.ledger_folders import write_folder
from banzuke.engine.rating_run import rate_ledger
from banzuke.engine.rule_warnings import warnings
from banzuke.formats.trf import trf_reader
from banzuke.ledger.folder import read_ledger
from banzuke.office.journal import Actor
from banzuke.office.refusals import (
    HeldRegistrationError,
    SpanError,
    StruckRegistrationError,
    TakenClubError,
    UnknownClubError,
    UnknownEventError,
)
from banzuke.office.register import (
    clubs,
    data_exports,
    event_applications,
    members,
    qualification,
)
from banzuke.office.register.event_applications import AboutEvent
from banzuke.office.register.members import ContactDetails
from banzuke.words import fault_text

pytestmark = pytest.mark.django_db
SMALL = Path(__file__).parents[1] / "ledger" / "small"
HANAKO = Actor("hanako", "10.0.0.1")
TODAY = date(2025, 3, 10)


@pytest.fixture
def japan():
    return entered_pool("japan", SMALL / "japan", "test")


def published(pool, name="2025-03", rulebook="jcf-2024"):
    return models.RatingList.objects.create(
        pool=pool,
        name=name,
        number=1,
        revision=0,
        entry=pool.entries.latest("pk"),
        day=date(2025, 3, 1),
        closes=date(2025, 2, 20),
        rulebook=rulebook,
        in_force_from=date(2024, 10, 1),
        settings={},
        published_at=datetime.now(UTC),
        author="chief",
        sha256="0" * 64,
    )


def row(listed, player_id, rating, *, qualified=None, place=1, speed="standard"):
    models.ListRow.objects.create(
        list=listed,
        speed=speed,
        place=place,
        player_id=player_id,
        name=player_id,
        active=True,
        rating=rating,
        games=20,
        status="rated",
        qualified=qualified,
    )


class TestClubs:
    def test_a_renewal_is_a_further_row_that_the_ledger_accepts(self, japan, tmp_path):
        """C1 was registered until the end of 2025; an event of 2026 is recognised by the renewal alone."""
        entry = models.Entry.objects.create(pool=japan, at=datetime.now(UTC), author="t", act="report")
        event = {
            "event_id": "E3",
            "name": "New Year",
            "organiser": "C1",
            "place": "Tokyo",
            "responsible": "X Y",
        }
        days = dict.fromkeys(("starts", "ends", "reported"), date(2026, 1, 10)) | {
            "applied": date(2025, 12, 1)
        }
        models.Event.objects.create(
            entry=entry,
            pool=japan,
            speed="rapid",
            base_minutes=25,
            increment_seconds=10,
            nonmembers=0,
            **event,
            **days,
        )
        for round_, is_recognised in ((1, False), (2, True)):
            write_folder(japan, tmp_path / str(round_))
            ledger = read_ledger(tmp_path / str(round_))
            of_event = [found.code for found in warnings(ledger) if found.column == "E3"]
            assert ("warn-organiser" not in of_event) is is_recognised
            rate_ledger(ledger, tmp_path / f"out{round_}", None)
            clubs.renew(japan, "C1", date(2026, 1, 1), date(2026, 12, 31), HANAKO) if round_ == 1 else None
        assert len(ledger.clubs) == 2

    def test_who_has_lapsed(self, japan):
        assert clubs.lapsed_clubs(japan, date(2025, 12, 31)) == []
        assert [club.row.club_id for club in clubs.lapsed_clubs(japan, date(2026, 1, 1))] == ["C1"]
        clubs.renew(japan, "C1", date(2026, 1, 1), date(2026, 12, 31), HANAKO)
        assert clubs.lapsed_clubs(japan, date(2026, 1, 1)) == []
        with pytest.raises(HeldRegistrationError):
            clubs.renew(japan, "C1", date(2026, 1, 1), date(2026, 12, 31), HANAKO)

    def test_a_registration_is_corrected(self, japan, tmp_path):
        [club] = clubs.clubs(japan)
        wanted = facts.Club("C1", "Small Chess Club", "student", date(2024, 1, 1), date(2025, 6, 30))
        clubs.correct(japan, club.row.pk, wanted, HANAKO, "renamed", TODAY)
        write_folder(japan, tmp_path / "out")
        assert read_ledger(tmp_path / "out").clubs == [wanted]
        assert clubs.names(japan) == {"C1": "Small Chess Club"}

    def test_what_cannot_be(self, japan):
        club = facts.Club("C1", "Other", "club", TODAY, TODAY)
        short, [row] = club._replace(club_id="C2", valid_to=date(2025, 3, 9)), clubs.clubs(japan)
        for refusal, act in (
            (TakenClubError, lambda: clubs.register(japan, club, HANAKO)),
            (SpanError, lambda: clubs.register(japan, short, HANAKO)),
            (UnknownClubError, lambda: clubs.renew(japan, "C9", TODAY, TODAY, HANAKO)),
            (SpanError, lambda: clubs.renew(japan, "C1", TODAY, date(2025, 3, 9), HANAKO)),
            (StruckRegistrationError, lambda: clubs.correct(japan, 0, club, HANAKO, "why", TODAY)),
            (
                SpanError,
                lambda: clubs.correct(japan, row.row.pk, short._replace(club_id="C1"), HANAKO, "why", TODAY),
            ),
        ):
            with pytest.raises(refusal):
                act()
        assert japan.entries.count() == 1


WANTED = {
    "event_id": "",
    "name": "Spring Open",
    "organiser": "C1",
    "place": "Tokyo",
    "responsible": "ABE Ichiro",
    "speed": "standard",
    "fide_rated": False,
    "starts": date(2025, 4, 5),
    "ends": date(2025, 4, 6),
    "applied": date(2025, 3, 10),
    "notified": None,
}


class TestSanctions:
    def test_granted_it_says_what_the_report_needs(self, japan):
        asked = event_applications.apply(japan, WANTED, Actor("reporter"))
        assert asked.event_id == "20250405-C1"
        assert event_applications.granted_fields(japan, AboutEvent("20250405-C1")) == {}
        event_applications.decide(japan, asked.pk, HANAKO, "", grant=True)
        days = {"starts": date(2025, 4, 5), "ends": date(2025, 4, 6)}
        said = event_applications.granted_fields(japan, AboutEvent(name="Spring Open", **days))
        assert said == event_applications.granted_fields(japan, AboutEvent("20250405-C1"))
        of_club = [
            AboutEvent(name="The Spring Open", **days, club_id="C1"),
            AboutEvent(**days, club_id="C1"),
            AboutEvent(name="SPRING  open", club_id="C1"),
        ]
        assert all(said == event_applications.granted_fields(japan, about) for about in of_club)
        assert (said["applied"], said["organiser"], said["fide_rated"]) == (date(2025, 3, 10), "C1", False)
        assert "notified" not in said
        others = [
            AboutEvent(name="Spring Open", starts=date(2025, 4, 6)),
            AboutEvent(name="Spring Rapid", **days, club_id="C1"),
            AboutEvent(name="The Spring Open", **days, club_id="C2"),
            AboutEvent(name="The Spring Open", club_id="C1"),
            AboutEvent(club_id="C1"),
        ]
        assert [event_applications.granted_fields(japan, about) for about in others] == [{}] * 5

    def test_ids_are_given_once(self, japan):
        names = ("Spring Open", "Spring Rapid")
        assert [
            event_applications.apply(japan, WANTED | {"name": name}, HANAKO).event_id for name in names
        ] == [
            "20250405-C1",
            "20250405-C1-2",
        ]
        assert event_applications.apply(japan, WANTED | {"event_id": "E1"}, HANAKO).event_id == "E1-2"

    def test_the_very_same_again_is_one_application_until_it_is_decided_on(self, japan):
        asked = event_applications.apply(japan, WANTED, HANAKO)
        assert event_applications.apply(japan, WANTED, HANAKO) == asked
        assert asked.steps.count() == 1
        event_applications.decide(japan, asked.pk, HANAKO, "no hall", grant=False)
        assert event_applications.apply(japan, WANTED, HANAKO).event_id == "20250405-C1-2"

    def test_decided_once_with_its_steps(self, japan):
        asked = event_applications.apply(japan, WANTED, Actor("reporter"))
        event_applications.decide(japan, asked.pk, HANAKO, "no hall", grant=False)
        with pytest.raises(event_applications.AlreadyDecidedError):
            event_applications.decide(japan, asked.pk, HANAKO, "", grant=True)
        assert list(asked.steps.order_by("pk").values_list("author", "state", "why")) == [
            ("reporter", "asked", ""),
            ("hanako", "refused", "no hall"),
        ]

    def test_five_days_before(self, japan):
        for applied, codes in ((date(2025, 3, 31), []), (date(2025, 4, 1), ["warn-applied"])):
            asked = event_applications.apply(japan, WANTED | {"applied": applied}, HANAKO)
            found = event_applications.doubts(japan, asked)
            assert [fault.code for fault in found] == codes
        assert "JCF 3(4)" in fault_text(found[0], "en")

    def test_fide_two_months_before_by_ncs(self, japan):
        days = {"starts": date(2024, 6, 10), "ends": date(2024, 6, 10), "fide_rated": True}
        for notified, codes in ((date(2024, 4, 10), []), (date(2024, 4, 11), ["warn-notified"])):
            asked = event_applications.apply(japan, WANTED | days | {"notified": notified}, HANAKO)
            assert [fault.code for fault in event_applications.doubts(japan, asked)] == codes

    def test_a_club_that_has_lapsed(self, japan):
        days = {"starts": date(2026, 4, 5), "ends": date(2026, 4, 6)}
        asked = event_applications.apply(japan, WANTED | days, HANAKO)
        assert [fault.code for fault in event_applications.doubts(japan, asked)] == ["warn-organiser"]

    def test_a_club_sees_its_own(self, japan):
        event_applications.apply(japan, WANTED, HANAKO)
        assert event_applications.applications(japan, {"C1"}).count() == 1
        assert event_applications.applications(japan, {"C2"}).count() == 0
        assert event_applications.applications(japan, None).count() == 1


class TestEntitled:
    def test_who_qualifies(self, japan):
        listed = published(japan)
        row(listed, "A", 1800, qualified=True)
        row(listed, "B", 1900, qualified=False, place=2)
        row(listed, "C", 1700, qualified=True, speed="rapid")
        assert [found.player_id for found in qualification.qualified_players(listed)] == ["A"]

    def test_seeds_of_a_qualifier(self, japan):
        kinds = models.Seed.Kind
        for player, kind in (("C", kinds.LOCAL), ("B", kinds.NATIONAL), ("A", kinds.NATIONAL), ("A", None)):
            qualification.note_seed(japan, "E1", player, kind, HANAKO)
        assert [(seed.player_id, seed.kind) for seed in qualification.seeds(japan, "E1")] == [
            ("B", "national"),
            ("C", "local"),
        ]
        assert qualification.seeded_events(japan) == ["E1"]

    def test_seeds_of_nothing_and_nobody(self, japan):
        with pytest.raises(UnknownEventError):
            qualification.note_seed(japan, "E9", "A", models.Seed.Kind.LOCAL, HANAKO)
        with pytest.raises(members.UnknownMemberError):
            qualification.note_seed(japan, "E1", "X", models.Seed.Kind.LOCAL, HANAKO)


class TestStartList:
    def test_by_ids_and_names_the_highest_first(self, japan):
        listed = published(japan)
        row(listed, "A", 1800)
        row(listed, "C", 1900, place=2)
        members.add(japan, facts.Player("B2", "BABA Jiro"), ContactDetails(), HANAKO)
        chosen = qualification.choose_entrants(
            japan, ["A", "chiba saburo", " ", "A", "BABA Jiro", "NOBODY Here"], listed, "standard"
        )
        assert [(entrant.row.player_id, entrant.rating) for entrant in chosen.entrants] == [
            ("C", 1900),
            ("A", 1800),
        ]
        assert [(line, len(rows)) for line, rows in chosen.doubtful] == [("BABA Jiro", 2)]
        assert chosen.unknown == ("NOBODY Here",)

    def test_trf_has_birth_dates_and_is_journalled(self, japan):
        listed = published(japan)
        row(listed, "A", 1800)
        entrants = qualification.choose_entrants(japan, ["A", "B"], listed, "standard").entrants
        wanted = qualification.StartListOptions("Open", "standard", "JPN")
        report = trf_reader.read(
            qualification.write_start_list(japan, entrants, wanted, "trf", HANAKO), "s.trf"
        )
        assert [(p.number, p.national_id, p.national_rating, p.birth_date) for p in report.players] == [
            (1, "A", 1800, date(1990, 5, 5)),
            (2, "B", None, date(2010, 1, 2)),
        ]
        assert models.JournalEntry.objects.get().what == {"format": "trf", "players": 2, "birth_dates": True}

    @pytest.mark.parametrize("kind", ["swiss-manager", "csv"])
    def test_the_others_have_none(self, japan, kind):
        entrants = qualification.choose_entrants(japan, ["A", "B"], None, "standard").entrants
        data = qualification.write_start_list(
            japan, entrants, qualification.StartListOptions("Open", "standard", "JPN"), kind, HANAKO
        )
        assert b"BABA" in data
        assert b"1990" not in data
        assert b"2010" not in data

    def test_fides_layout_takes_ids_that_are_numbers(self, japan):
        members.add(
            japan,
            facts.Player("N0000017", "DOI Shiro", birth_date=date(1990, 1, 1)),
            ContactDetails(),
            HANAKO,
        )
        wanted = qualification.StartListOptions("Open", "standard", "JPN")
        entrants = qualification.choose_entrants(japan, ["N0000017"], None, "standard").entrants
        data = qualification.write_start_list(japan, entrants, wanted, "fide", HANAKO)
        assert b"N0000017" in data
        assert b"1990" not in data
        with pytest.raises(RefusedError):
            qualification.write_start_list(
                japan, qualification.choose_entrants(japan, ["A"], None, "").entrants, wanted, "fide", HANAKO
            )

    def test_swiss_manager_takes_it(self, japan):
        entrants = qualification.choose_entrants(japan, ["A", "B"], None, "standard").entrants
        data = qualification.write_start_list(
            japan,
            entrants,
            qualification.StartListOptions("Open", "standard", "JPN"),
            "swiss-manager",
            HANAKO,
        )
        players = csv.DictReader(io.StringIO(data.decode("utf-8-sig")), delimiter=";")
        assert [player["ID_No"] for player in players] == ["A", "B"]


class TestTakingOut:
    def test_the_ledger_by_the_browser_rates_as_the_folder_does(self, japan, tmp_path):
        with zipfile.ZipFile(io.BytesIO(data_exports.ledger_zip(japan, HANAKO))) as packed:
            packed.extractall(tmp_path)
        write_folder(japan, tmp_path / "folder")
        for name in ("players.csv", "games.csv", "pool.toml"):
            assert (tmp_path / "japan" / name).read_bytes() == (tmp_path / "folder" / name).read_bytes()
        assert models.JournalEntry.objects.get().act == "export-ledger"

    def test_an_event_for_fide(self, japan):
        report = trf_reader.read(data_exports.event_trf(japan, "E1", "JPN", HANAKO), "e.trf")
        assert (len(report.players), len(report.games)) == (3, 2)
        with pytest.raises(RefusedError):
            data_exports.event_trf(japan, "E9", "JPN", HANAKO)

    def test_everything_held_on_a_member(self, japan):
        a = members.find(japan, "A")
        wanted = facts.Player(
            *(getattr(a, n) for n in facts.Player._fields if n not in ("struck", "more"))
        )._replace(sex="m")
        members.change(japan, wanted, ContactDetails(email="a@b.example"), HANAKO, "asked", TODAY)
        row(published(japan), "A", 1800)
        held = data_exports.personal_data(japan, "A")
        assert [len(held[part]) for part in ("players", "memberships", "games", "standings")] == [2, 1, 3, 2]
        assert held["players"][0]["struck_by"] == "hanako"
        assert held["contact"][0]["email"] == "a@b.example"
        assert [found["rating"] for found in held["lists"]] == [1800]
        assert [act["act"] for act in held["journal"]] == ["change-member"]

    def test_what_was_written_about_them_with_no_address_but_theirs(self, japan):
        members.change(
            japan,
            facts.Player("B", "BABA Jiro", "馬場 次郎", date(2010, 1, 2)),
            ContactDetails(email="b@b.example"),
            HANAKO,
            "",
            TODAY,
        )
        for number, (player, email) in enumerate([("B", "b@b.example"), ("A", "a@b.example")]):
            inquiry = models.Inquiry.objects.create(
                pool=japan, day=TODAY, asked_by="x", about=f"wrong {number}"
            )
            models.Objection.objects.create(
                inquiry=inquiry,
                received_at=datetime.now(UTC),
                subject="game",
                player_id=player,
                opponent_id="B" if player == "A" else "A",
                email=email,
                token_sha256=str(number) * 64,
                sender="x",
            )
        held = data_exports.personal_data(japan, "B")["objections"]
        assert [(one["about"], one["email"]) for one in held] == [("wrong 0", "b@b.example"), ("wrong 1", "")]
        assert data_exports.personal_data(japan, "C")["objections"] == []

    def test_nothing_of_others(self, japan):
        members.change(
            japan,
            facts.Player("B", "BABA Jiro", "馬場 次郎", date(2010, 1, 2), sex="m"),
            ContactDetails(address="Kyoto"),
            HANAKO,
            "",
            TODAY,
        )
        text = str(data_exports.personal_data(japan, "C"))
        assert "Kyoto" not in text
        assert "2010" not in text

    def test_the_archive(self, japan):
        held = data_exports.personal_data(japan, "A")
        data = data_exports.personal_zip(japan, "A", held, "<p>page</p>", HANAKO)
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            document = json.loads(packed.read("held.json"))
            assert packed.read("held.html") == b"<p>page</p>"
        assert document["players"][0]["birth_date"] == "1990-05-05"
        assert models.JournalEntry.objects.get().what == {"member": "A"}
