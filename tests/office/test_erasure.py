"""A person is erased: nothing of the person is left, and every list verifies as before."""

from __future__ import annotations

from datetime import date

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.db import IntegrityError, connection, models, transaction
from published_office import CHIEF, TODAY, erase, names, published

from banzuke.core import facts
from banzuke.database import guards
from banzuke.database.append_only import opened
from banzuke.database.book_writer import Act, open_entry
from banzuke.database.models import (
    Contact,
    Entry,
    ErasedFile,
    Erasure,
    Inquiry,
    JournalEntry,
    ListRow,
    NameWord,
    Objection,
    Player,
    Report,
    ReportFile,
    ReportStep,
)
from banzuke.office import noted_ids
from banzuke.office.erasure import erased_columns, erasing
from banzuke.office.erasure.erasing import CHANGED, erase_noted
from banzuke.office.erasure.erasure_plan import plan_erasure
from banzuke.office.erasure.redactor import KnownWords, Redactor
from banzuke.office.fact_rows import record_of, standing_rows
from banzuke.office.journal import note
from banzuke.office.lists import corrections
from banzuke.office.lists.office_verification import verify_office
from banzuke.office.lists.publishing import publish
from banzuke.office.objections.incoming_objections import ObjectionText, open_objection
from banzuke.office.objections.subjects import find_subject
from banzuke.office.player_search import bearers
from banzuke.office.refusals import AlreadyErasedError, ErasureWaitsError, MovedOnError, NobodyToEraseError
from banzuke.office.register import members

pytestmark = pytest.mark.django_db
DAY = date(2025, 6, 1)
MAIL, ADDRESS, KANA = "secret.person@private.invalid", "Himitsu-machi 7-7", "ヒミツ タロウ"


#: Columns of ids, codes and figures; of who acted for the office, which stays; and of what is made again.
CODES = {
    "player_id", "answered_by", "change", "site", "language", "subject", "token_sha256", "sender", "event_id",
    "club_id", "game_id", "adjustment_id", "points", "opponent_id", "white", "black", "kept", "merged", "slug",
    "prefix", "sha256", "before", "events_sha256", "scopes", "act", "author", "who", "where", "recorded_by",
    "confirmed_by", "ended_by", "kind", "state", "status", "source", "speed", "verdict", "clause", "k_why",
    "k_clause", "rank", "opponent_rank", "rank_after", "written", "result", "ruling", "form", "fault", "errors", "robot",
    "room", "at", "ended", "declared", "table", "window", "lines", "list", "rulebook", "stands_in", "settings",
    "rows", "figures", "packed", "leaves", "persons", "seen", "black_line", "white_line", "body", "signature",
    "tables", "former", "run", "secret", "columns", "headings", "key", "word", "organiser",
}  # fmt: skip
#: What things are called, not persons, and what the office says of itself.
NAMES_OF_THINGS = {
    "Club.name", "Club.name_native", "Event.name", "Event.name_native", "Event.place", "Event.more",
    "Sanction.name", "Sanction.name_native", "Sanction.place", "Report.title", "PoolFile.name", "PoolFile.text",
    "ObjectionMail.what", "RatingList.name", "ComingList.name", "OfficeSettings.licence", "Adjustment.decision",
    "ClubQuestion.asked_by", "ApiKey.name", "Opening.more", "ListRow.more", "OfficeSettings.address",
    "OfficeSettings.contact", "Webhook.address", "Webhook.made_by", "Webhook.failure",
}  # fmt: skip
#: What an erasure takes besides, or makes anew.
TAKEN = {
    "Player.name", "Player.name_native", "Player.sex", "Player.fide_id", "Player.title", "Player.title_from",
    "Player.more", "GoPlayer.name", "ListRow.name", "ListRow.name_native", "ListRow.sex", "ListRow.group",
    "Working.calculation", "NameWord.form", "NearWord.word", "PlayerSalt.salt", "TextSalt.salt",
    "ReportFile.data", "RegisterFile.data",
}  # fmt: skip


def person(pool, player_id):
    """What the register has of a player."""
    return record_of(standing_rows(pool, facts.Player).get(player_id=player_id), facts.Player)


def with_traces(pool, player_id):
    """A pool in which a player has left traces in every table that may have some."""
    known = person(pool, player_id)
    name, native = known.name, known.name_native
    entry = open_entry(pool, Act("clerk", "change-member", f"{name} moved"))
    members.store_contact(entry, player_id, members.ContactDetails(KANA, ADDRESS, MAIL, by_id_only=False))
    report = Report.objects.create(
        pool=pool, received_at=entry.at, author="clerk", source="upload", state="accepted"
    )
    data = f"{name},{native},{known.birth_date}".encode()
    ReportFile.objects.create(report=report, name=f"{name}.trf", data=data, sha256="00" * 32)
    step_entry = Entry.objects.filter(pool=pool).first()
    ReportStep.objects.create(
        report=report, at=entry.at, author="clerk", state="accepted", why=f"Ask {name}", entry=step_entry
    )
    report.decisions.create(
        at=entry.at, author="clerk", file="a.trf", number=1, name=name, player_id=player_id
    )
    report.said.create(at=entry.at, author="clerk", fields={"reporter": name})
    inquiry = Inquiry.objects.create(
        pool=pool,
        day=DAY,
        asked_by="Pochi, by a nickname",
        about=f"{name} lost",
        state="dismissed",
        draft=[{"why": name}],
    )
    Objection.objects.create(
        inquiry=inquiry,
        received_at=entry.at,
        subject="player",
        player_id=player_id,
        right="Pochi won",
        token_sha256="11" * 32,
        sender="x",
        email="other.mail@private.invalid",
        salt="somewhere-salty",
    )
    inquiry.questions.create(
        club_id="C01", asked_at=entry.at, asked_by="clerk", question=f"Did {name} play?", answer=f"{name} did"
    )
    inquiry.steps.create(at=entry.at, author="clerk", state="dismissed", why=f"{native} was wrong")
    note(CHIEF, "dismiss", pool, inquiry=inquiry.pk, why=f"No, {name}", member=player_id)
    get_user_model().objects.create_user("some-account", MAIL, first_name=name)
    return {
        name,
        native,
        str(known.birth_date),
        MAIL,
        ADDRESS,
        KANA,
        "other.mail",
        "somewhere-salty",
        "Pochi",
    }


def everything():
    """All rows of all tables, as one text."""
    found = []
    for model in apps.get_models():
        rows = models.QuerySet(model).values_list()
        found += [f"{model.__name__} " + " ".join(_text(cell) for cell in row) for row in rows]
    return "\n".join(found)


def _text(cell):
    return bytes(cell).decode("utf-8", "replace") if isinstance(cell, bytes | memoryview) else str(cell)


@pytest.fixture
def home(settings, tmp_path):
    settings.HOME = tmp_path
    return tmp_path


@pytest.fixture
def japan(home):
    return published("japan")


class TestOnePerson:
    def test_nothing_is_left_and_everything_verifies(self, japan):
        assert verify_office().is_good
        marks = with_traces(japan, "J004")
        before = everything()
        assert all(mark in before for mark in marks)
        contents = list(japan.lists.order_by("number").values_list("sha256", flat=True))
        done = erase(japan, "J004")
        assert done.ids == ("J004",)
        after = everything()
        assert [mark for mark in marks if mark in after] == []
        assert list(japan.lists.order_by("number").values_list("sha256", flat=True)) == contents
        found = verify_office()
        assert found.faults == []
        assert found.bad == []
        assert guards.gaps() == []

    def test_ids_games_and_figures_stay(self, japan):
        with_traces(japan, "J004")
        rows = list(ListRow.objects.filter(player_id="J004").values_list("list", "speed", "rating", "games"))
        games = plan_erasure(japan, "J004").games
        erase(japan, "J004")
        assert (
            list(ListRow.objects.filter(player_id="J004").values_list("list", "speed", "rating", "games"))
            == rows
        )
        assert games > 0
        assert Contact.objects.filter(player_id="J004").last().by_id_only
        row = Player.objects.filter(player_id="J004").last()
        assert (row.name, row.name_native, row.sex, row.fide_id, row.title or "") == ("J004", "", "", "", "")
        assert (row.birth_date.month, row.birth_date.day) == (7, 1)

    def test_others_stay_as_they_are(self, japan):
        with_traces(japan, "J004")
        others = list(Player.objects.exclude(player_id="J004").order_by("pk").values_list())
        rows = list(ListRow.objects.exclude(player_id="J004").order_by("pk").values_list())
        erase(japan, "J004")
        assert list(Player.objects.exclude(player_id="J004").order_by("pk").values_list()) == others
        assert list(ListRow.objects.exclude(player_id="J004").order_by("pk").values_list()) == rows

    def test_a_tombstone_tells_what_was_done(self, japan):
        with_traces(japan, "J004")
        erase(japan, "J004")
        made = Erasure.objects.get()
        assert (made.player_id, made.author, made.entry.act) == ("J004", CHIEF.name, "erase-person")
        assert made.rows["Player"] == {"columns": sorted(made.rows["Player"]["columns"]), "rows": 1}
        file = ErasedFile.objects.get()
        assert (bytes(file.file.data), file.file.sha256, file.size > 20) == (b"", "00" * 32, True)
        assert japan.journal.latest("pk").act == "erase-person"
        with pytest.raises(IntegrityError), transaction.atomic():
            Erasure.objects.all().delete()
        with pytest.raises(AlreadyErasedError):
            erase(japan, "J004")

    def test_a_list_that_is_published_meanwhile_ends_it(self, home, monkeypatch):
        changes = erasing.list_changes

        def publish_behind(pool, *asked):
            yield from changes(pool, *asked)
            publish(pool, names(pool)[-1], CHIEF, TODAY)

        monkeypatch.setattr(erasing, "list_changes", publish_behind)
        with pytest.raises(MovedOnError):
            erase(published("japan", -2), "J004")

    def test_is_found_by_the_id_alone(self, japan):
        name = person(japan, "J004").name
        assert bearers(japan, name).filter(player_id="J004").exists()
        erase(japan, "J004")
        assert not bearers(japan, name).filter(player_id="J004").exists()
        assert bearers(japan, "J004").filter(player_id="J004").exists()
        forms = NameWord.objects.filter(player_id="J004").values_list("form", flat=True)
        assert {bytes(form).decode() for form in forms} == {"j004", "zy004"}  # as the id is spelt

    def test_the_account_with_the_mail_is_closed(self, japan):
        with_traces(japan, "J004")
        erase(japan, "J004")
        user = get_user_model().objects.get(username="some-account")
        assert (user.is_active, user.email, user.first_name) == (False, "", "")

    def test_nobody(self, japan):
        with pytest.raises(NobodyToEraseError):
            erase(japan, "J999")


class TestWhatWaits:
    def test_an_open_inquiry_is_decided_first(self, japan):
        inquiry = Inquiry.objects.create(pool=japan, day=DAY, asked_by="J004", about="a result")
        with pytest.raises(ErasureWaitsError) as refused:
            erase(japan, "J004")
        assert refused.value.facts["inquiries"] == str(inquiry.pk)
        assert "J004" in refused.value.sentence("ja")
        assert not Erasure.objects.exists()

    def test_an_objection_about_the_player_is_decided_first_though_it_names_nobody(self, japan):
        statement = ObjectionText("The result is wrong", "A. Friend")
        subject = find_subject(japan, "J004")
        written = open_objection(japan, subject, None, statement, "192.0.2.1", DAY, "").objection
        with pytest.raises(ErasureWaitsError) as refused:
            erase(japan, "J004")
        assert refused.value.facts["inquiries"] == str(written.inquiry_id)
        corrections.dismiss(written.inquiry, CHIEF, "no")
        erase(japan, "J004")
        assert Erasure.objects.exists()

    def test_an_open_report_is_decided_first(self, japan):
        report = Report.objects.create(
            pool=japan, received_at=japan.entries.first().at, author="clerk", source="upload"
        )
        report.decisions.create(
            at=report.received_at, author="clerk", file="a", number=1, name="x", player_id="J004"
        )
        with pytest.raises(ErasureWaitsError) as refused:
            erase(japan, "J004")
        assert refused.value.facts["reports"] == str(report.pk)


@pytest.mark.parametrize(
    "name",
    [
        "us-championship-2025",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("hakodate", "go-server")),
    ],
)
def test_other_books(home, name):
    pool = published(name)
    ids = ListRow.objects.filter(list__pool=pool).order_by("place").values_list("player_id", flat=True)
    for player in dict.fromkeys(ids[:40:13]):
        erase(pool, player)
    found = verify_office()
    assert (found.faults, found.bad) == ([], [])


def test_whoever_is_erased_is_erased_again_in_an_older_backup(japan):
    erase(japan, "J004")
    (noted,) = noted_ids.noted_ids()
    assert noted[:2] == ("japan", "J004")
    assert noted_ids.path().stat().st_mode & 0o777 == 0o600
    assert erase_noted(CHIEF) == 0


class TestClosedTables:
    def test_are_closed_again_whatever_happens(self, japan):
        def stop():
            with transaction.atomic(), opened(connection, CHANGED):
                Player.objects.all().update(name="")
                raise RuntimeError("stop")

        with pytest.raises(RuntimeError, match="stop"):
            stop()
        assert guards.gaps() == []
        assert not Player.objects.filter(name="").exists()

    def test_every_text_of_the_database_is_accounted_for(self):
        """A new column of a text must be said to name nobody, or be searched for the person's words."""
        found = {
            f"{model.__name__}.{field.name}"
            for model in apps.get_app_config("book").get_models()
            for field in model._meta.concrete_fields
            if isinstance(field, models.TextField | models.CharField | models.JSONField | models.BinaryField)
        }
        both = (erased_columns.FREE_TEXTS, erased_columns.BLANKED)
        known = {f"{table}.{name}" for columns in both for table, names in columns.items() for name in names}
        known |= NAMES_OF_THINGS | TAKEN
        assert {one for one in found - known if one.partition(".")[2] not in CODES} == set()
        assert {one.partition(".")[2] for one in found} >= CODES
        assert known <= found


def test_words_are_found_however_they_are_written():
    words = KnownWords(frozenset({"YAMADA Taro", "山田 太郎"}), frozenset({"a@b.invalid"}))
    redactor = Redactor(words, "J1")
    assert (
        redactor.text("Taro Yamada, yamada,  taro; 山田太郎と山田　太郎 A@B.invalid") == "J1, J1; J1とJ1 J1"
    )
    assert redactor.text("Yamadas Tarot and Yamada") == "Yamadas Tarot and Yamada"
    assert redactor.text("会員YAMADA Taroさん、\nTaro Yamada") == "会員J1さん、\nJ1"
    assert redactor.value({"YAMADA Taro": ["x", 1, "by Yamada Taro"]}) == {"J1": ["x", 1, "by J1"]}


class TestMeanwhile:
    """What is written between the look through the office and the erasure, which makes no entry in the book."""

    def plan(self):
        pool = published("hakodate", 0)
        player = standing_rows(pool, facts.Player).first().player_id
        return plan_erasure(pool, player), person(pool, player).name

    def test_texts_are_changed_too(self):
        plan, name = self.plan()
        waiting = Inquiry.objects.create(
            pool=plan.pool, day=DAY, asked_by=name, about=name, draft=[name], state="dismissed"
        )
        note(CHIEF, "look", plan.pool, about=name)
        before = JournalEntry.objects.latest("pk")
        at = plan.pool.entries.latest("pk").at
        report = Report.objects.create(
            pool=plan.pool, received_at=at, author="x", source="upload", state="refused"
        )
        file = ReportFile.objects.create(report=report, name="a.txt", data=name.encode(), sha256="00" * 32)
        done = erasing.carry_out(plan, CHIEF)
        for each in (waiting, before, file):
            each.refresh_from_db()
        assert (waiting.asked_by, waiting.about, waiting.draft) == (plan.player, plan.player, [plan.player])
        assert before.what["about"] == plan.player
        assert bytes(file.data) == b""
        assert done.files == len(plan.files) + 1

    def test_a_text_that_changed_is_not_overwritten(self):
        pool = published("hakodate", 0)
        player = standing_rows(pool, facts.Player).first().player_id
        name = person(pool, player).name
        asked = Inquiry.objects.create(
            pool=pool, day=DAY, asked_by="x", about="y", draft=[name], state="dismissed"
        )
        plan = plan_erasure(pool, player)
        Inquiry.objects.filter(pk=asked.pk).update(draft=["another", name])
        erasing.carry_out(plan, CHIEF)
        asked.refresh_from_db()
        assert asked.draft == ["another", player]

    def test_what_is_to_be_decided_on_stops_it(self):
        plan, name = self.plan()
        asked = Inquiry.objects.create(pool=plan.pool, day=DAY, asked_by=name, about="x", draft=[])
        with pytest.raises(ErasureWaitsError) as refused:
            erasing.carry_out(plan, CHIEF)
        assert str(asked.pk) in refused.value.sentence("en")
        assert person(plan.pool, plan.player).name == name
        assert not Erasure.objects.exists()


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [
        ("Müller Jürgen", "Müller, Jürgen says so; Jürgenson Müller", "J1 says so; Jürgenson Müller"),
        ("O’Brien, Pat", "Pat O’Brien and O’Brien,Pat", "J1 and J1"),
        ("Bö Li", "Bö Li, Bö Lima, Rambö Li", "J1, Bö Lima, Rambö Li"),
        ("田中一郎", "田中 一郎と田中\u3000一郎", "J1とJ1"),
        ("田中、一郎", "一郎田中さん", "J1さん"),
        ("ジョン スミス", "ジョン・スミス", "J1"),
        ("TANAKA Ichiro", "TANAKA Ichiro = ＴＡＮＡＫＡ\u3000Ｉｃｈｉｒｏ", "J1 = J1"),
        ("ﾀﾅｶ ﾀﾛｳ", "タナカタロウ", "J1"),
        ("Ｔａｎａｋａ Ｉｃｈｉｒｏ", "tanaka ichiro", "J1"),
        ("田中 Taro", "田中Taro, 田中Tarot", "J1, 田中Tarot"),
        ("สมชาย ใจดี", "คุณสมชาย ใจดีมาก", "คุณJ1มาก"),
    ],
)
def test_a_name_is_found_in_other_spellings(name, text, left):
    redactor = Redactor(KnownWords(frozenset({name})), "J1")
    assert redactor.text(text) == left
    assert redactor.is_in(text)
    assert not redactor.is_in(left)


def test_a_text_names_somebody_wherever_the_name_stands():
    """A line of its own is how letters are signed."""
    pool = published("hakodate", 0)
    player = standing_rows(pool, facts.Player).first().player_id
    entry = open_entry(pool, Act("clerk", "change-member"))
    members.store_contact(entry, player, members.ContactDetails(KANA, ADDRESS, MAIL, by_id_only=False))
    made = {}
    for before in ("The result is wrong.\n", "(", "「", "said:\t", "会員"):
        for word in (person(pool, player).name, MAIL, player):
            said = {"pool": pool, "day": DAY, "asked_by": "x", "draft": [{"why": f"{before}{word}"}]}
            made[Inquiry.objects.create(about=f"{before}{word}さん", **said)] = before
    assert plan_erasure(pool, player).inquiries == list(made)
    Inquiry.objects.update(state="dismissed")
    erase(pool, player)
    for waiting, before in made.items():
        waiting.refresh_from_db()
        assert waiting.about == f"{before}{player}さん"
        assert waiting.draft == [{"why": f"{before}{player}"}]
