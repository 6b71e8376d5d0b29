"""Publishing and verifying from the command line."""

from __future__ import annotations

import getpass

import pytest
from command_runs import EXAMPLES, banzuke
from django.db import connection
from repeated import entered_pool

from banzuke.database.models import JournalEntry, ListRow, PreliminaryList, RatingList

pytestmark = pytest.mark.django_db
TRIGGER = "book_game_no_update" if connection.vendor == "sqlite" else "book_game_stays ON book_game"


@pytest.fixture(autouse=True)
def _japan():
    entered_pool("japan", EXAMPLES / "japan")


def test_without_a_list_the_coming_one_is_published():
    ran = banzuke("publish", "japan")
    found = RatingList.objects.get()
    assert ran.out == f"{found.name}: published as number 1, SHA-256 {found.sha256}.\n"
    assert (found.author, ran.status) == (getpass.getuser(), 0)
    assert JournalEntry.objects.get(act="publish").what["lists"] == [found.name]


def test_a_list_is_preliminary_up_to_a_day():
    banzuke("publish", "japan", "--preliminary-until", "2030-06-12")
    assert [one.until.isoformat() for one in PreliminaryList.objects.all()] == ["2030-06-12"]
    refused = banzuke("publish", "japan", "--preliminary-until", "2020-01-01")
    assert (refused.status, RatingList.objects.count()) == (1, 1)


def test_with_one_every_list_up_to_it():
    ran = banzuke("publish", "japan", "2024-09", "--format", "json").json
    assert [each["list"] for each in ran["lists"]] == ["2024-06", "2024-07", "2024-08", "2024-09"]
    assert [each["number"] for each in ran["lists"]] == [1, 2, 3, 4]
    again = banzuke("publish", "japan", "2024-09")
    assert (again.status, again.out) == (1, "")
    assert again.err.startswith(f"List 2024-09 was published by {getpass.getuser()} on 20")


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("publish", "nobody"), 1, "There is no pool 'nobody'; there are: japan"),
        (("publish", "japan", "1999-01"), 2, "2025-05"),
        (("publish", "japan", "2099-01"), 1, "The window of list 2099-01 is open until 2098-12-20"),
        (("verify", "japan", "2024-06"), 2, "2024-06"),
    ],
)
def test_what_is_refused(words, status, said):
    ran = banzuke(*words)
    assert (ran.status, ran.out) == (status, "")
    assert said in ran.err
    assert not RatingList.objects.exists()


def test_a_club_without_an_event_that_waits_has_nothing_to_publish():
    banzuke("import-ledger", EXAMPLES / "hakodate", "--pool", "club")
    assert banzuke("publish", "club", "2025-12-evening").status == 0
    assert banzuke("publish", "club").err == "club: no events are waiting to be published.\n"


@pytest.mark.slow
def test_a_published_list_is_what_its_ledger_gives():
    banzuke("publish", "japan", "2024-09")
    ran = banzuke("verify", "japan", "2024-09")
    assert ran.status == 0
    assert ran.out.startswith("2024-09 (revision 0): ")
    facts = banzuke("verify", "japan", "2024-09", "--revision", "0", "--format", "json").json
    assert facts["is_good"]
    assert facts["made_again"] == facts["sha256"] == RatingList.objects.get(name="2024-09").sha256
    assert facts["rows"] == ListRow.objects.filter(list__name="2024-09").count()
    assert banzuke("verify", "japan", "2024-09", "--revision", "1").status == 2
    ran = banzuke("verify", "--all")
    assert (ran.status, ran.out) == (0, f"Lists as they were published: {RatingList.objects.count()}.\n")
    for words in (("japan",), ("japan", "2024-09", "--all"), ("--all", "--revision", "0"), ()):
        assert banzuke("verify", *words).status == 2
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {TRIGGER}")
    row = ListRow.objects.first()
    row.pk, row.player_id = None, "GHOST"
    row.save(force_insert=True)
    ran = banzuke("verify", "--all")
    assert ran.status == 1
    assert "Lists that differ: 1; other faults: 1." in ran.out
    assert "book_game" in ran.err
    facts = banzuke("verify", "--all", "--format", "json").json
    assert not facts["is_good"]
    assert [each["list"] for each in facts["differ"]] == [row.list.name]
