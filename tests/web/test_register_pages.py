"""The register's pages: members, memberships, merges, files, clubs, events applied for, lists, taking out."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, date, datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from languages import IN_TURN
from small_office import client, small_pool

from banzuke.core import facts
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ChessBook
from banzuke.database.models import (
    Job,
    JournalEntry,
    ListRow,
    Player,
    Pool,
    RatingList,
    RegisterFile,
    Sanction,
    Strike,
)
from banzuke.office.jobs import job_queue
from banzuke.office.journal import Actor
from banzuke.office.merged_ids import standing_merges
from banzuke.office.register import members, player_merge, starting_ratings
from banzuke.office.register.members import ContactDetails
from banzuke.web.pending_work import register_work
from banzuke.web.register import register_upload_pages
from banzuke.words import catalogue

pytestmark = pytest.mark.django_db
HANAKO = Actor("hanako")


@pytest.fixture
def japan():
    return small_pool("japan")


@pytest.fixture
def officer(japan):
    return client("officer", japan)


def at(name, **words):
    return reverse(f"register{name}", kwargs={"slug": "japan"} | words)


def text(answer):
    assert answer.status_code == 200, answer
    return answer.content.decode()


def publish(pool, name="2025-03"):
    return RatingList.objects.create(
        pool=pool,
        name=name,
        number=1,
        revision=0,
        entry=pool.entries.latest("pk"),
        day=date(2025, 3, 1),
        closes=date(2025, 2, 20),
        rulebook="jcf-2024",
        in_force_from=date(2024, 10, 1),
        settings={},
        published_at=datetime.now(UTC),
        author="chief",
        sha256="0" * 64,
    )


PAGES = [
    at(""),
    at("-newcomers"),
    at("-new"),
    at("-member", player_id="A"),
    at("-change", player_id="A"),
    at("-add-membership", player_id="A"),
    at("-merge", player_id="A") + "?q=BABA",
    at("-merge", player_id="A") + "?keep=1&other=B",
    at("-merge", player_id="C") + "?keep=1&other=B",
    at("-send"),
    at("-clubs"),
    at("-club", club_id="C1"),
    at("-events"),
    at("-new-event"),
    at("-qualified"),
    at("-seeds"),
    at("-seeds-of", event_id="E1"),
    at("-start-list"),
    at("-files"),
]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("lang", IN_TURN)
@pytest.mark.slow
def test_every_page_in_both_languages(japan, page, lang):
    shown = text(client("officer", japan, lang=lang).get(page))
    assert f'<html lang="{lang}">' in shown
    assert shown.count("<h1") == 1


def test_a_go_pool_has_no_register():
    pool = small_pool("go")
    answer = client("officer", pool).get(reverse("register", kwargs={"slug": "go"}))
    assert answer.status_code == 404
    assert "come with its games" in answer.content.decode()


class TestMembers:
    def test_found_as_one_types(self, officer):
        shown = text(officer.get(at(""), {"q": "馬場次郎"}))
        assert "BABA Jiro" in shown
        assert "CHIBA" not in shown

    def test_a_new_member_gets_the_next_id(self, officer, japan):
        members.add(japan, facts.Player("J011", "X Y"), ContactDetails(), HANAKO)
        assert 'value="J012"' in text(officer.get(at("-new")))
        answer = officer.post(
            at("-new"),
            {"player_id": "J012", "name": "NEW Person", "birth_date": "2001-02-03", "email": "n@example.org"},
        )
        assert answer["Location"] == at("-member", player_id="J012")
        assert members.find(japan, "J012").birth_date == date(2001, 2, 3)
        assert members.contact_of(japan, "J012").email == "n@example.org"

    def test_a_taken_id_and_a_control_character_are_refused_in_words(self, officer, japan):
        assert "already used" in text(officer.post(at("-new"), {"player_id": "A", "name": "X Y"}))
        assert "control character" in text(officer.post(at("-new"), {"player_id": "Z", "name": "X\tY"}))
        assert Player.objects.count() == 3

    def test_a_change_and_its_history(self, officer, japan):
        wanted = {
            "name": "ABE Ichiro",
            "name_native": "阿部 一郎",
            "birth_date": "1990-05-06",
            "fide_standard": "1800",
        }
        answer = officer.post(
            at("-change", player_id="A"), wanted | {"why": "letter of 3 March"}, follow=True
        )
        shown = text(answer)
        assert "1990-05-05" in shown  # the struck row stays readable
        assert "letter of 3 March" in shown
        row = members.find(japan, "A")
        assert (row.name, row.birth_date, row.fide_standard) == ("ABE Ichiro", date(1990, 5, 6), 1800)

    def test_the_form_keeps_what_it_was_given(self, officer, japan):
        """A change of nothing is a change of nothing: the form's initial values are the member's."""
        shown = officer.get(at("-change", player_id="A"))
        initial = {
            name: value
            for name, value in shown.context["form"].initial.items()
            if value not in (None, "", False)
        }
        answer = officer.post(at("-change", player_id="A"), initial, follow=True)
        assert "Nothing was different" in text(answer)
        assert not Strike.objects.exists()

    def test_a_birth_date_changed_after_publishing_points_to_the_board(self, officer, japan):
        publish(japan)
        wanted = {"name": "ABE Ichiro", "birth_date": "1990-05-06", "fide_standard": "1800"}
        shown = text(officer.post(at("-change", player_id="A"), wanted, follow=True))
        assert reverse("board", kwargs={"slug": "japan"}) in shown

    @pytest.mark.parametrize("day", ["2099-01-01", "9999-12-31", "0001-01-01", "1849-12-31"])
    def test_a_birth_date_is_one_of_somebody_who_may_live(self, officer, japan, day):
        refused = text(officer.post(at("-change", player_id="A"), {"name": "ABE Ichiro", "birth_date": day}))
        assert "Nobody who plays was born on that day." in refused
        assert members.find(japan, "A").birth_date == date(1990, 5, 5)

    def test_a_name_against_the_rules_is_warned_about(self, officer):
        assert "JCF note 4" in text(officer.get(at("-member", player_id="A")))

    def test_ids_of_any_kind(self, officer, japan):
        members.add(japan, facts.Player("J/1 ?ü", "X Y"), ContactDetails(), HANAKO)
        assert "J/1 ?ü" in text(officer.get(at("-member", player_id="J/1 ?ü")))

    def test_nobody(self, officer):
        assert officer.get(at("-member", player_id="X")).status_code == 404


class TestMemberships:
    def test_added_corrected_taken_back(self, officer, japan):
        span = {"kind": "annual", "valid_from": "2025-04-01", "valid_to": "2026-03-31"}
        officer.post(at("-add-membership", player_id="C"), span)
        row = members.memberships(japan, "C").get()
        officer.post(at("-membership", number=row.pk), span | {"valid_to": "2025-09-30", "why": "left"})
        row = members.memberships(japan, "C").get()
        assert row.valid_to == date(2025, 9, 30)
        for why, said in (
            ("", "This field is required."),
            ("x" * 201, "at most 200 characters (it has 201)"),
        ):
            strike = at("-strike-membership", number=row.pk)
            shown = text(officer.post(strike, {"strike-why": why}, follow=True))
            assert said in shown
            assert "Why: " in shown
        assert members.memberships(japan, "C").exists()
        officer.post(at("-strike-membership", number=row.pk), {"strike-why": "never paid"})
        assert not members.memberships(japan, "C").exists()

    def test_sent_twice_is_entered_once(self, officer, japan):
        span = {"kind": "annual", "valid_from": "2025-04-01", "valid_to": "2026-03-31"}
        add = at("-add-membership", player_id="C")
        officer.post(add, span)
        assert "has this membership already" in text(officer.post(add, span))
        assert members.memberships(japan, "C").count() == 1

    def test_one_that_another_officer_took_back_a_moment_ago(self, officer, japan, monkeypatch):
        wanted = facts.Membership("C", "annual", date(2025, 4, 1), date(2026, 3, 31))
        members.add_membership(japan, wanted, HANAKO, date(2025, 4, 1))
        number, strike = members.memberships(japan, "C").get().pk, members.strike_membership

        def strike_twice(*asked):
            strike(*asked)
            strike(*asked)

        monkeypatch.setattr(members, "strike_membership", strike_twice)
        asked = officer.post(at("-strike-membership", number=number), {"strike-why": "never paid"})
        assert asked.status_code == 404

    @pytest.mark.parametrize(
        ("said", "sentence"),
        [
            (
                {"kind": "annual", "valid_from": "2025-04-01", "valid_to": "2025-03-31"},
                "before the first day",
            ),
            ({"kind": "event", "valid_from": "2025-04-01", "valid_to": "2025-04-01"}, "Which event"),
            (
                {"kind": "event", "valid_from": "2025-04-01", "valid_to": "2025-04-01", "event_id": "E9"},
                "No event E9 is in the ledger",
            ),
        ],
    )
    def test_what_cannot_be(self, officer, japan, said, sentence):
        assert sentence in text(officer.post(at("-add-membership", player_id="C"), said))
        assert not members.memberships(japan, "C").exists()


class TestMerges:
    def test_seen_merged_and_taken_apart(self, officer, japan):
        page = at("-merge", player_id="C")
        assert "2 games and 1 memberships of B" in text(officer.get(page, {"other": "B", "keep": 1}))
        shown = text(officer.post(page, {"other": "B", "why": "one person"}, follow=True))
        assert "The entry B was merged" in shown
        assert standing_merges(japan)
        led = officer.get(at("-member", player_id="B"))
        assert (led.status_code, led["Location"]) == (302, at("-member", player_id="C"))
        unmerge = at("-unmerge", player_id="C")
        long = text(officer.post(unmerge, {"other": "B", "why": "x" * 201}, follow=True))
        assert "Why: Ensure this value has at most 200 characters (it has 201)." in long
        officer.post(unmerge, {"other": "B", "why": "two after all"})
        assert not standing_merges(japan)
        assert members.find(japan, "B")

    def test_a_member_is_not_merged_with_himself(self, officer):
        answer = officer.get(at("-merge", player_id="A"), {"other": "A"})
        assert answer.status_code == 200
        assert "register/merge_whom.html" in [each.name for each in answer.templates]

    @pytest.mark.parametrize("kind", ["japan", "hakodate"])
    def test_days_are_named_where_the_book_has_such_a_rule(self, kind):
        pool = Pool.objects.filter(slug=kind).first() or small_pool(kind)
        for player_id in ("X1", "X2"):
            members.add(pool, facts.Player(player_id, "SAME Name"), ContactDetails(), HANAKO)
        page = reverse("register-merge", kwargs={"slug": kind, "player_id": "X1"})
        shown = text(client("officer", pool).get(page, {"other": "X2", "keep": 1}))
        assert "The merge can be undone" in shown
        assert ("Lists too old to be corrected (90 days)" in shown) == (kind == "japan")
        assert ("90" in shown) == (kind == "japan")

    def test_who_met_is_not_one(self, officer, japan):
        shown = text(officer.get(at("-merge", player_id="A"), {"other": "B"}))
        assert 'They played each other in <a href="/japan/events/E1/">Open, June</a>, round 1.' in shown
        officer.post(at("-merge", player_id="A"), {"other": "B", "why": "x"})
        assert not standing_merges(japan)

    @pytest.mark.parametrize("act", [(player_merge, "merge"), (members, "change")])
    def test_who_was_merged_a_moment_ago_is_not_found(self, officer, japan, monkeypatch, act):
        merge, (module, name) = player_merge.merge, act
        do = getattr(module, name)

        def faster(*asked):
            merge(japan, "C", "B", Actor("another"), "", date(2025, 1, 10))
            return do(*asked)

        monkeypatch.setattr(module, name, faster)
        if name == "merge":
            answer = officer.post(at("-merge", player_id="C"), {"other": "B", "why": "one person"})
        else:
            said = {"name": "BABA Jiro", "why": "misspelt"}
            answer = officer.post(at("-change", player_id="B"), said)
        assert answer.status_code == 404


class TestSending:
    REGISTER = b"No;Name;Club\nA;ABE Ichiro;\nN;NEW Person;C1\n"

    def sent(self, officer):
        answer = officer.post(at("-send"), {"file": SimpleUploadedFile("m.csv", self.REGISTER)})
        return RegisterFile.objects.get(), answer["Location"]

    def test_columns_preview_and_taking_over(self, officer, japan):
        found, page = self.sent(officer)
        assert "What is this column?" in text(officer.get(page))
        shown = text(
            officer.post(
                page + "?columns", {"column-0": "id", "column-1": "name", "column-2": "club_id"}, follow=True
            )
        )
        assert "New members: 1. Changed: 1. Unchanged: 0." in shown
        assert Player.objects.count() == 3
        position = japan.entries.latest("pk").pk
        officer.post(at("-take", number=found.pk), {"position": position})
        assert members.find(japan, "N").club_id == "C1"
        assert members.find(japan, "A").name == "ABE Ichiro"
        assert officer.get(page).status_code == 404

    def test_members_and_ratings_in_one_sheet(self, officer, japan):
        table = "会員番号,ローマ字,Standard,Heft\nN,NEW Person,1600,7\n".encode()
        where = officer.post(at("-send"), {"file": SimpleUploadedFile("wide.csv", table)})["Location"]
        form = officer.get(where).context["form"]
        assert [(field.label, field.help_text) for field in form.unknown_columns()] == [("Heft", "7")]
        assert [field.label for field in form.known_columns()] == ["会員番号", "ローマ字", "Standard"]
        said = {field.html_name: field.initial for field in form.known_columns()}
        refused = officer.post(f"{where}?columns", said)
        assert set(refused.context["form"].errors) == {"column-3", "every_games"}
        shown = officer.post(f"{where}?columns", said | {"column-3": "-", "every_games": "30"}, follow=True)
        assert "Starting ratings: 1 new, 0 change" in text(shown)
        assert "left out: Heft" in text(shown)
        officer.post(f"{where}take/", {"position": shown.context["seen"].position})
        row = starting_ratings.openings(japan).get(player_id="N")
        assert (row.speed, row.rating, row.games) == ("standard", 1600, 30)

    def test_a_table_with_hundreds_of_unknown_columns_is_refused(self, officer):
        headings = ["会員番号", *(f"Heft {number}" for number in range(201))]
        table = f"{','.join(headings)}\n{'N,' * 201}N\n".encode()
        shown = text(officer.post(at("-send"), {"file": SimpleUploadedFile("wide.csv", table)}))
        assert "201 columns of the table are not known (Heft 0, Heft 1, Heft 2 …). At most 200" in shown
        assert not RegisterFile.objects.exists()
        officer.post(at("-send"), {"file": SimpleUploadedFile("wide.csv", table.replace(b",Heft 200", b""))})
        assert RegisterFile.objects.exists()

    def test_fide_ratings_taken_over_before_stay(self, officer):
        table = b"player_id,name,fide_standard,fide_rapid\nN,NEW Person,1900,\n"
        where = officer.post(at("-send"), {"file": SimpleUploadedFile("m.csv", table)})["Location"]
        officer.post(f"{where}take/", {"position": officer.get(where).context["seen"].position})
        assert Player.objects.get(player_id="N").fide_standard == 1900
        later = SimpleUploadedFile("m.csv", table.replace(b"1900,", b"1910,1800"))
        shown = text(officer.post(at("-send"), {"file": later}, follow=True))
        assert "1 member has other FIDE ratings in this file. Those taken over before stay" in shown

    def test_not_on_a_book_that_moved(self, officer, japan):
        found, page = self.sent(officer)
        officer.post(page + "?columns", {"column-0": "id", "column-1": "name", "column-2": "-"})
        position = japan.entries.latest("pk").pk
        members.add(japan, facts.Player("X", "X Y"), ContactDetails(), HANAKO)
        shown = text(officer.post(at("-take", number=found.pk), {"position": position}, follow=True))
        assert "has changed since" in shown
        assert not Player.objects.filter(player_id="N").exists()

    def test_not_where_another_officer_has_said_something_else_of_the_columns(self, officer, japan):
        found, page = self.sent(officer)
        officer.post(page + "?columns", {"column-0": "id", "column-1": "name", "column-2": "-"})
        seen = officer.get(page).context
        officer.post(page + "?columns", {"column-0": "id", "column-1": "name_native", "column-2": "name"})
        sent = {"position": seen["seen"].position, "reading": seen["reading"]}
        shown = text(officer.post(at("-take", number=found.pk), sent, follow=True))
        assert "has changed since" in shown
        assert not Player.objects.filter(player_id="N").exists()

    def test_put_away(self, officer):
        found, _page = self.sent(officer)
        officer.post(at("-put-away", number=found.pk))
        found.refresh_from_db()
        assert found.data is None

    def test_no_register(self, officer):
        shown = text(officer.post(at("-send"), {"file": SimpleUploadedFile("m.xlsx", b"PK\x03\x04nothing")}))
        assert 'role="alert"' in shown
        shown = text(officer.post(at("-send"), {"file": SimpleUploadedFile("m.exe", b"x")}))
        assert "errorlist" in shown
        assert not RegisterFile.objects.exists()


class TestClubs:
    def test_registered_renewed_corrected(self, officer, japan):
        span = {"valid_from": "2025-04-01", "valid_to": "2026-03-31"}
        officer.post(at("-clubs"), span | {"club_id": "C2", "name": "Second", "kind": "student"})
        officer.post(at("-club", club_id="C2"), {"valid_from": "2026-04-01", "valid_to": "2027-03-31"})
        shown = text(officer.get(at("-club", club_id="C2")))
        assert shown.count("student circle") == 2
        again = officer.post(
            at("-club", club_id="C2"), {"valid_from": "2026-04-01", "valid_to": "2027-03-31"}
        )
        assert "Nothing was entered twice" in text(again)
        row = japan.entries.latest("pk")
        assert row.act == "renew-club"
        assert "already used" in text(
            officer.post(at("-clubs"), span | {"club_id": "C2", "name": "Other", "kind": "club"})
        )
        number = officer.get(at("-club", club_id="C2")).context["club"].rows[0].pk
        officer.post(
            at("-correct-club", club_id="C2", number=number),
            span | {"name": "2nd", "kind": "club", "why": "slip"},
        )
        assert "2nd" in text(officer.get(at("-club", club_id="C2")))

    @pytest.mark.parametrize("last", ["9999-12-31", "9999-03-31"])
    def test_one_that_is_registered_for_ever(self, officer, last):
        span = {"valid_from": "2025-04-01", "valid_to": last}
        officer.post(at("-clubs"), span | {"club_id": "C2", "name": "Second", "kind": "club"})
        page = officer.get(at("-club", club_id="C2"))
        assert last in text(page)
        assert page.context["form"].initial == {}


WANTED = {
    "name": "Spring Open",
    "organiser": "C1",
    "starts": "2025-04-05",
    "ends": "2025-04-06",
    "place": "Tokyo",
    "responsible": "ABE Ichiro",
    "speed": "standard",
}


class TestEvents:
    def test_a_club_applies_and_the_office_decides(self, officer, japan):
        reporter = client("reporter", japan, "C1")
        answer = reporter.post(at("-new-event"), WANTED)
        asked = Sanction.objects.get()
        assert answer["Location"] == at("-event", number=asked.pk)
        assert "not decided yet" in text(reporter.get(answer["Location"]))
        assert "JCF 3(4)" in text(reporter.get(answer["Location"]))  # applied for today, long after
        assert reporter.post(at("-decide", number=asked.pk), {"decision": "grant"}).status_code == 403
        officer.post(at("-decide", number=asked.pk), {"decision": "refuse", "why": ""})
        asked.refresh_from_db()
        assert asked.state == "asked"
        officer.post(at("-decide", number=asked.pk), {"decision": "refuse", "why": "no hall named"})
        assert "no hall named" in text(reporter.get(answer["Location"]))

    def test_on_days_that_are_believed(self, japan):
        reporter = client("reporter", japan, "C1")
        for days in ({"starts": "0001-01-01"}, {"ends": "9999-12-31"}):
            assert "This is not a valid day for an event." in text(
                reporter.post(at("-new-event"), WANTED | days)
            )
        assert not Sanction.objects.exists()

    def test_a_reason_has_so_many_letters_at_the_most(self, officer, japan):
        officer.post(at("-new-event"), WANTED)
        asked, long = Sanction.objects.get(), "x\r\n" * 1_500
        officer.post(at("-cancel-event", number=asked.pk), {"decision": "cancel", "why": long})
        assert len(asked.steps.latest("pk").why) == 2_000
        officer.post(at("-cancel-event", number=asked.pk), {"decision": "resume"})
        officer.post(at("-decide", number=asked.pk), {"decision": "refuse", "why": long})
        assert len(asked.steps.latest("pk").why) == 2_000

    def test_only_for_the_own_club(self, japan):
        reporter = client("reporter", japan, "C2")
        assert "errorlist" in text(reporter.post(at("-new-event"), WANTED))
        assert not Sanction.objects.exists()

    def test_another_clubs_is_not_there(self, officer, japan):
        officer.post(at("-new-event"), WANTED | {"applied": "2025-03-01"})
        number = Sanction.objects.get().pk
        assert client("reporter", japan, "C2").get(at("-event", number=number)).status_code == 404
        assert Sanction.objects.get().applied == date(2025, 3, 1)


class TestLists:
    def test_who_qualifies_with_files(self, officer, japan):
        listed = publish(japan)
        ListRow.objects.create(
            list=listed, speed="standard", place=1, player_id="A", name="=HYPERLINK(1)", active=True,
            rating=1800, games=20, status="rated", qualified=True,
        )  # fmt: skip
        assert "1 member qualifies" in text(officer.get(at("-qualified")))
        csv = officer.get(at("-qualified"), {"format": "csv"})
        assert "'=HYPERLINK" in csv.content.decode("utf-8-sig")
        assert officer.get(at("-qualified"), {"format": "xlsx"}).content[:2] == b"PK"

    def test_seeds(self, officer):
        officer.post(at("-seeds"), {"event_id": "E1", "player_id": "A", "kind": "local"})
        page = at("-seeds-of", event_id="E1")
        assert "ABE, Ichiro" in text(officer.get(page))
        assert "ABE, Ichiro" in officer.get(page, {"format": "csv"}).content.decode()
        officer.post(at("-unseed", event_id="E1"), {"player_id": "A"})
        assert "There are no seeds" in text(officer.get(page))
        assert "Nobody in the register" in text(
            officer.post(at("-seeds"), {"event_id": "E1", "player_id": "X", "kind": "local"})
        )

    def test_a_start_list(self, officer, japan):
        members.add(japan, facts.Player("B2", "BABA Jiro"), ContactDetails(), HANAKO)
        said = {"entrants": "A\nBABA Jiro\n", "name": "Open", "federation": "JPN", "speed": "standard"}
        slip = said | {"entrants": "A\nBABA Jirou\nNOBODY Atall\nBABA Jrio"}
        shown = text(officer.post(at("-start-list"), slip))
        assert "Not found in the register: BABA Jirou, NOBODY Atall, BABA Jrio" in shown
        assert "Is BABA Jirou one of these?" in shown
        assert "Is BABA Jrio one of these?" in shown
        assert "Is NOBODY Atall one of these?" not in shown
        assert "You can download the list once every line is found." in shown
        shown = text(officer.post(at("-start-list"), slip | {"meant": "B2"}))
        assert "Not found in the register: NOBODY Atall<" in shown
        shown = text(officer.post(at("-start-list"), said | {"format": "trf"}))
        assert "Who is BABA Jiro?" in shown
        assert "TRF16" not in shown
        shown = text(officer.post(at("-start-list"), said | {"meant": "B2"}))
        assert "2 entrants" in shown
        answer = officer.post(at("-start-list"), said | {"entrants": "A\nB2", "format": "trf"})
        assert b"1990/05/05" in answer.content
        assert answer["Content-Disposition"] == 'attachment; filename="start-list.trf"'
        shown = text(officer.post(at("-start-list"), said | {"entrants": "A", "format": "fide"}))
        assert 'role="alert"' in shown

    def test_the_federation_is_chosen_once(self, officer):
        chosen = '<option value="FRA" selected>'
        assert chosen not in text(officer.get(at("-start-list")))
        said = {"entrants": "A", "name": "Open", "federation": "FRA", "speed": "standard"}
        officer.post(at("-start-list"), said)
        assert chosen in text(officer.get(at("-start-list")))


class TestTakingOut:
    def test_the_ledger_and_an_event(self, officer):
        with zipfile.ZipFile(io.BytesIO(officer.post(at("-ledger")).content)) as packed:
            assert "japan/players.csv" in packed.namelist()
        answer = officer.post(at("-event-file"), {"event_id": "E1", "federation": "JPN"})
        assert answer.content.startswith(b"012 Open, June")
        assert 'role="alert"' in text(
            officer.post(at("-event-file"), {"event_id": "E9", "federation": "JPN"})
        )
        assert set(JournalEntry.objects.values_list("act", flat=True)) == {"export-ledger", "export-event"}

    @pytest.mark.parametrize(("lang", "birth_date"), [("en", "1990-05-05"), ("ja", "1990年5月5日")])
    def test_everything_held(self, japan, lang, birth_date):
        answer = client("officer", japan, lang=lang).post(at("-held", player_id="A"))
        with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
            page = packed.read("held.html").decode()
        assert birth_date in page
        assert f'lang="{lang}"' in page

    def test_by_posting_only(self, officer):
        assert officer.get(at("-ledger")).status_code == 405
        assert officer.get(at("-held", player_id="A")).status_code == 405


def test_what_waits(japan, rf):
    """A newcomer, an event, a lapsed club: each once; for a reporter nothing."""
    office = client("officer", japan)
    office.post(at("-new-event"), WANTED)
    request = rf.get("/")
    request.user = office.get(at("")).wsgi_request.user
    found = {each.url: each.count for each in register_work(request, japan)}
    assert found == {at("-events"): 1, at("-clubs"): 1}


def test_no_birth_date_in_the_journal(officer, japan):
    officer.post(
        at("-new"),
        {
            "player_id": "N",
            "name": "X Y",
            "birth_date": "1977-07-17",
            "email": "n@example.org",
            "address": "Kyoto 7",
        },
    )
    officer.post(at("-change", player_id="N"), {"name": "X Y", "birth_date": "1978-08-18"})
    officer.post(
        at("-start-list"),
        {"entrants": "N", "name": "Open", "federation": "JPN", "speed": "standard", "format": "trf"},
    )
    officer.post(at("-held", player_id="N"))
    said = str([row | {"at": ""} for row in JournalEntry.objects.values()])  # a moment's digits may be these
    for private in ("1977", "1978", "example.org", "Kyoto"):
        assert private not in said


def test_a_large_register_is_taken_over_by_the_worker(officer, japan, monkeypatch):
    monkeypatch.setattr(register_upload_pages, "AT_ONCE", 10)
    given = SimpleUploadedFile("m.csv", b"player_id,name\nN1,NAKANO Ichiro\nN2,NAKANO Jiro\n")
    where = officer.post(at("-send"), {"file": given})["Location"]
    position = officer.get(where).context["seen"].position
    going = officer.post(f"{where}take/", {"position": position})["Location"]
    assert not Player.objects.filter(player_id="N1").exists()
    assert job_queue.work_off().result == {"added": 2}
    assert officer.get(going)["Location"] == at("")
    assert Player.objects.filter(player_id__in=["N1", "N2"]).count() == 2
    again = job_queue.run(job_queue.start("members", japan, Job.objects.get().wanted, HANAKO))
    assert "is no longer here" in again.result["refused"]["en"]


def test_the_federation_of_the_rule_book_is_proposed(japan):
    assert 'value="JPN" selected' in text(client("officer", japan).get(at("-files")))
    assert 'value="JPN" selected' in text(client("reporter", japan, "C1").get(at("-start-list")))


@pytest.mark.parametrize(("lang", "proposed"), [("en", False), ("ja", True)])
def test_else_japan_is_proposed_to_who_reads_japanese(lang, proposed):
    officer = client("officer", small_pool("fide"), lang=lang)
    for page in ("files", "start-list"):
        shown = text(officer.get(f"/office/fide/register/{page}/"))
        assert ('value="JPN" selected' in shown) is proposed


def test_the_federations_of_rule_books_can_be_chosen():
    codes = {book.federation for book in BOOKS.values() if isinstance(book, ChessBook)} - {""}
    assert codes <= set(catalogue("federations"))


def test_a_federation_is_chosen_by_its_name(officer):
    page = officer.get("/office/japan/register/start-list/")
    choices = dict(page.context["form"].fields["federation"].choices)
    assert choices["JPN"] == "Japan (JPN)"
    assert choices["KOR"] == "South Korea (KOR)"
