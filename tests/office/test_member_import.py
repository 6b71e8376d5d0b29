"""A register sent as a file: nothing is written before it is taken over, and then what was shown is done."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from banzuke.core import facts
from banzuke.core.fault import RefusedError
from banzuke.database import models
from banzuke.database.ledger_folders import enter_folder, write_folder
from banzuke.ledger.folder import read_ledger
from banzuke.office.fact_rows import standing_rows
from banzuke.office.journal import Actor
from banzuke.office.refusals import NoFileError, OutdatedError
from banzuke.office.register import member_import, members
from banzuke.office.register.members import ContactDetails

pytestmark = pytest.mark.django_db
SMALL = Path(__file__).parents[1] / "ledger" / "small"
HANAKO = Actor("hanako")
TODAY = date(2025, 3, 10)
REGISTER = """会員番号,氏名,ローマ字,生年月日,会員期限
A,阿部 一郎,ABE Ichiro,1990-05-05,2026-03-31
B,馬場 次郎,BABA Jiro,2010-01-02,
N,新 人,NEW Person,2001-02-03,2026-03-31
""".encode()
COLUMNS = {
    "id": "会員番号",
    "name": "ローマ字",
    "name_native": "氏名",
    "birth_date": "生年月日",
    "valid_to": "会員期限",
}


@pytest.fixture
def japan():
    return enter_folder("japan", SMALL / "japan", "test")


@pytest.fixture
def sent(japan):
    sent = member_import.store_file(japan, "members.csv", REGISTER, HANAKO)
    member_import.set_columns(sent, COLUMNS, date(2025, 4, 1))
    return sent


def counts(pool):
    return pool.entries.count(), models.Player.objects.count(), models.Strike.objects.count()


def test_the_preview_writes_nothing(japan, sent):
    before = counts(japan)
    seen = member_import.preview(sent)
    assert [player.player_id for player in seen.plan.added] == ["N"]
    assert [(change.player_id, change.field) for change in seen.plan.changes] == [("A", "name")]
    assert [row.player_id for row in seen.plan.memberships] == ["A", "N"]
    assert seen.unread == ()
    assert counts(japan) == before


def test_taken_over_is_what_was_shown(japan, sent, tmp_path):
    member_import.take_over(sent, member_import.preview(sent).position, HANAKO, TODAY)
    assert members.find(japan, "A").name == "ABE Ichiro"
    assert members.find(japan, "N").birth_date == date(2001, 2, 3)
    assert [row.valid_to for row in members.memberships(japan, "N")] == [date(2026, 3, 31)]
    assert models.JournalEntry.objects.get(act="import-members").what == {
        "file": "members.csv",
        "entry": japan.entries.latest("pk").pk,
        "added": 1,
        "changes": 1,
        "memberships": 2,
    }
    sent.refresh_from_db()
    assert sent.data is None
    write_folder(japan, tmp_path / "out")
    assert len(read_ledger(tmp_path / "out").players) == 5  # A's old row, struck, among them


def test_not_twice(japan, sent):
    position = member_import.preview(sent).position
    member_import.take_over(sent, position, HANAKO, TODAY)
    with pytest.raises(NoFileError):
        member_import.take_over(sent, position, HANAKO, TODAY)
    assert standing_rows(japan, facts.Player).count() == 4


def test_not_after_the_book_moved_on(japan, sent):
    position = member_import.preview(sent).position
    members.add(japan, facts.Player("X", "X Y"), ContactDetails(), HANAKO)
    before = counts(japan)
    with pytest.raises(OutdatedError):
        member_import.take_over(sent, position, HANAKO, TODAY)
    assert counts(japan) == before


def test_columns_are_remembered_by_pool_and_headings(japan, sent):
    member_import.discard_file(sent, HANAKO)
    assert member_import.store_file(japan, "next.csv", REGISTER, HANAKO).columns == COLUMNS
    other = enter_folder("other", SMALL / "japan", "test")
    assert member_import.store_file(other, "next.csv", REGISTER, HANAKO).columns == COLUMNS  # by their names
    odd = REGISTER.replace("ローマ字".encode(), b"Who")
    assert member_import.store_file(other, "odd.csv", odd, HANAKO).columns is None


def test_the_ledgers_own_columns_need_no_saying(japan):
    own = b"player_id,name\nA,ABE Ichiro\n"
    assert member_import.store_file(japan, "players.csv", own, HANAKO).columns == {
        "id": "player_id",
        "name": "name",
    }


def test_a_file_without_headings_is_refused(japan):
    with pytest.raises(RefusedError):
        member_import.store_file(japan, "x.csv", b"\n\n", HANAKO)
    assert not models.RegisterFile.objects.exists()


def test_faults_of_the_register_are_said(japan):
    sent = member_import.store_file(
        japan, "m.csv", b"player_id,name,birth_date\nA,ABE Ichiro,1990-13-05\n", HANAKO
    )
    with pytest.raises(RefusedError) as refused:
        member_import.preview(sent)
    assert [fault.code for fault in refused.value.faults] == ["register-bad-day"]


@pytest.mark.slow
def test_twenty_thousand_rows_are_read_and_written_in_a_few_statements(japan, django_assert_max_num_queries):
    rows = "".join(f"M{number:05},MEMBER N{number},1980-01-01\n" for number in range(20_000))
    data = f"player_id,name,birth_date\n{rows}".encode()
    first = member_import.store_file(japan, "m.csv", data, HANAKO)
    with django_assert_max_num_queries(600):
        member_import.take_over(first, member_import.preview(first).position, HANAKO, TODAY)
    again = member_import.store_file(japan, "m.csv", data.replace(b"1980-", b"1981-"), HANAKO)
    with django_assert_max_num_queries(600):
        plan = member_import.take_over(again, member_import.preview(again).position, HANAKO, TODAY).plan
    assert len(plan.changes) == 20_000
    assert standing_rows(japan, facts.Player).count() == 20_003
