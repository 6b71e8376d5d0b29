"""Verifying an office: whatever somebody with all rights changed of what was published is found."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from office.live_pool import game, go_pool, play
from office.opened_tables import opened
from office.published_office import CHIEF, EXAMPLES, TODAY, after, example, inquiry, names, published

from banzuke.core.go_facts import GoGame
from banzuke.database import models
from banzuke.database.book_reader import MissingBookError
from banzuke.database.book_writer import Act, add_facts, open_entry
from banzuke.office.fact_rows import TABLES
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.journal import note
from banzuke.office.lists import verification
from banzuke.office.lists.corrections import carry_out
from banzuke.office.lists.office_verification import verify_office
from banzuke.office.lists.publishing import publish
from banzuke.office.lists.record_hashes import EVENTS_SINCE
from banzuke.office.live.live_pool import synchronise
from banzuke.office.live.live_verification import differing_standings
from banzuke.words import LANGUAGES, fault_line

pytestmark = pytest.mark.django_db
COUNTED = 12
TRF = EXAMPLES / "hinoki-spring.trf"


@pytest.fixture(autouse=True)
def first_act(db):
    """Other tests of the process have used numbers of the journal; SQLite gives them out anew."""
    if connection.vendor == "sqlite":
        connection.cursor().execute("DELETE FROM sqlite_sequence WHERE name = 'book_journalentry'")


@pytest.fixture
def pool():
    return published("japan")


def figures_of(found):
    assert not found.is_good
    return sorted({figure.name for each in found.bad for figure in each.record})


def forget_records(*, with_migration):
    """The journal as it was before it kept hashes; with the migration, as if all had been restored since."""
    with opened():
        for act in models.JournalEntry.objects.exclude(what__records=None):
            what = {name: value for name, value in act.what.items() if name != "records"}
            models.JournalEntry.objects.filter(pk=act.pk).update(what=what)
    if with_migration:
        MigrationRecorder.Migration.objects.filter(**EVENTS_SINCE).update(applied=datetime.now(UTC))


class TestLists:
    @pytest.mark.slow
    def test_all_are_good_revisions_too(self, pool):
        carry_out(inquiry(pool, after(pool, names(pool)[0], 10)), CHIEF, "wrong result", TODAY)
        found = verify_office()
        assert found.is_good
        assert (found.good, found.bad, found.faults) == (models.RatingList.objects.count(), [], [])
        assert found.good > COUNTED

    @pytest.mark.slow
    def test_lists_after_the_last_with_events_are_good(self):
        pool = example("japan")
        publish(pool, "2025-08", CHIEF, TODAY)
        assert names(pool)[-1] == "2025-05"
        found = verify_office()
        assert found.is_good
        assert found.good == pool.lists.count() == len(names(pool)) + 3

    @pytest.mark.slow
    def test_so_are_those_of_several_pools_and_their_revisions(self):
        """In each the lists to the last with events were made from one entry, later ones from others."""
        after_the_last = {"japan": "2025-08", "us-championship-2025": "2026-01", "go-server": "2026-05"}
        for slug, last in after_the_last.items():
            pool = published(slug, 0)
            publish(pool, last, CHIEF, TODAY)
            assert last not in names(pool)
            if slug != "go-server":
                revised = carry_out(inquiry(pool, after(pool, names(pool)[0], 10)), CHIEF, "wrong", TODAY)
                assert f"{last} r1" in [str(each) for each in revised]
        published("hakodate")
        found = verify_office()
        assert (found.bad, found.faults) == ([], [])
        assert found.good == models.RatingList.objects.count()

    def test_a_list_of_a_name_that_no_list_can_have(self):
        """Whoever adds one by hand is told, however far away it is."""
        pool = published("japan", 0)
        for number, name in enumerate(("Spring Open", "9000-01"), 2):
            forged = pool.lists.get(number=1)
            forged.pk, forged.number, forged.name = None, number, name
            forged.save(force_insert=True)
        assert [each.published.name for each in verify_office().bad] == ["Spring Open", "9000-01"]

    def test_what_a_list_says_of_itself(self, pool):
        """Each of its columns, on a list of its own."""
        lists = list(pool.lists.order_by("number"))
        changes = {
            "day": "2001-01-01",
            "closes": "2001-01-01",
            "rulebook": "fide-2024",
            "in_force_from": "2001-01-01",
            "stands_in": "x",
            "settings": {**lists[5].settings, "more": True},
            "events_sha256": "0" * 64,
            "author": "nobody",
            "published_at": "2001-01-01T00:00:00+00:00",
        }
        with opened():
            for published, (column, value) in zip(lists, changes.items(), strict=False):
                models.RatingList.objects.filter(pk=published.pk).update(**{column: value})
            row = models.ListFigures.objects.filter(list=lists[-1]).first()
            row.figures["players"] += 1
            row.save()
        found = verify_office()
        said = {each.published.number: [figure.name for figure in each.record] for each in found.bad}
        assert said == {lists[-1].number: ["statistics"]} | {
            published.number: [column] for published, column in zip(lists, changes, strict=False)
        }

    @pytest.mark.slow
    def test_who_published_it_by_another_officer_of_the_journal(self, pool):
        """With the journal changed as well, the hash of neither tells; of both only a public record would."""
        with opened():
            models.JournalEntry.objects.filter(act="publish").update(who="nobody")
        assert figures_of(verify_office()) == ["author"]

    @pytest.mark.slow
    def test_the_name_of_an_event_and_who_entered_it(self, pool):
        with opened():
            models.Event.objects.filter(pk=models.Event.objects.first().pk).update(name="Another Open")
        assert figures_of(verify_office()) == ["events_sha256"]
        with opened():
            models.Entry.objects.update(author="nobody")
        assert figures_of(verify_office()) == ["events_sha256"]
        with opened():
            models.RatingList.objects.update(events_sha256=None)
        assert figures_of(verify_office()) == ["events_sha256"]

    @pytest.mark.slow
    @pytest.mark.parametrize("is_restored", [False, True])
    def test_events_whose_hash_was_taken_out(self, pool, is_restored):
        """Told by the hash that the journal has; by other signs where the act is from before it had one."""
        last = pool.lists.order_by("number").last()
        with opened():
            models.RatingList.objects.filter(pk=last.pk).update(events_sha256=None)
            models.Event.objects.filter(pk=models.Event.objects.last().pk).update(name="Another Open")
        assert figures_of(verify_office()) == ["events_sha256"]
        forget_records(with_migration=is_restored)
        assert figures_of(verify_office()) == ["events_sha256"]
        with opened():
            models.RatingList.objects.update(events_sha256=None)
        found = verify_office()
        if is_restored:  # then the log of the office alone tells
            assert "log-list-differs" in {each.code for each in found.faults}
        else:
            assert figures_of(found) == ["events_sha256"]

    def test_what_only_the_journals_hash_tells(self, pool):
        lists = list(pool.lists.order_by("number"))[:3]
        entered, at = lists[0].entry.at, lists[0].published_at
        changes = [
            ({"why": "another reason"}, "record"),
            ({"published_at": at - timedelta(seconds=30)}, "record"),
            ({"published_at": entered - timedelta(hours=1)}, "published_at"),
        ]
        with opened():
            for published, (change, _) in zip(lists, changes, strict=True):
                models.RatingList.objects.filter(pk=published.pk).update(**change)
        said = [[figure.name for figure in each.record] for each in verify_office().bad]
        assert said == [[figure] for _, figure in changes]

    def test_a_line_added_beside_its_like(self, pool):
        line = models.Line.objects.first()
        line.pk = None
        models.Line.objects.bulk_create([line])
        assert figures_of(verify_office()) == ["lines"]

    def test_a_list_taken_out(self, pool):
        middle = pool.lists.order_by("number")[5]
        last = pool.lists.order_by("number").last()
        with opened():
            for gone in (middle, last):
                for model in (
                    models.ListRow,
                    models.Line,
                    models.Working,
                    models.ListFigures,
                    models.ListContent,
                    models.ListTree,
                    models.LogEntry,
                ):
                    model.objects.filter(list=gone).delete()
                gone.delete()
        found = verify_office()
        assert [(each.code, dict(each.facts).get("list")) for each in found.faults] == [
            ("log-numbers", None),
            ("book-numbers-missing", None),
            *sorted(("book-list-missing", each.name) for each in (middle, last)),
        ]
        assert not found.is_good

    @pytest.mark.slow
    def test_a_revision_that_nobody_published(self, pool):
        """Rows can still be added; the list that counts would be another."""
        last = pool.lists.order_by("number").last()
        last.pk, last.number, last.revision = None, last.number + 1, last.revision + 1
        last.save(force_insert=True)
        assert "author" in figures_of(verify_office())

    def test_lists_of_a_book_that_is_not_installed(self, pool, monkeypatch):
        def missing(*_):
            raise MissingBookError(["theirs"])

        monkeypatch.setattr(verification, "read_book", missing)
        found = verify_office()
        assert [(each.file, each.code) for each in found.faults] == [("japan/pool.toml", "book-missing")]


class TestLiveStandings:
    """Made again of the book that they hold, whatever has come since."""

    @pytest.fixture
    def go(self):
        pool = go_pool(("a", "3d"), ("b", "2d"), ("c", "1k"))
        play(
            pool, game("g1", 1, "a", "b", "B"), game("g2", 2, "b", "c", "W"), game("g3", 3, "c", "a", "B", 2)
        )
        assert differing_standings(pool) == []
        return pool

    @pytest.mark.parametrize(
        ("change", "code", "named"),
        [
            (lambda: standing("a").update(state=standing("b").get().state), "players", "a"),
            (lambda: standing("b").update(strength=1), "players", "b"),
            (lambda: standing("c").update(rung=1), "players", "c"),
            (lambda: standing("c").delete(), "players", "c"),
            (lambda: live_game("g1").update(white_line=live_game("g2").get().white_line), "games", "g1"),
            (lambda: live_game("g2").update(at=1), "games", "g2"),
            (lambda: live_game("g2").update(stands=False), "games", "g2"),
        ],
    )
    def test_what_was_changed_is_told_and_made_again(self, go, change, code, named):
        change()
        (fault,) = differing_standings(go)
        assert (fault.file, fault.code) == ("go", f"book-live-{code}")
        assert dict(fault.facts) == {"count": "1", "named": named}
        models.LivePool.objects.filter(pool=go).delete()
        assert differing_standings(go) == []
        synchronise(go)
        assert differing_standings(go) == []

    def test_a_game_that_stands_twice_or_not_in_the_book(self, go):
        for game_id in ("g1", "g9"):
            row = live_game("g1").first()
            row.pk, row.game_id = None, game_id
            row.save(force_insert=True)
        (fault,) = verify_office().faults
        assert dict(fault.facts) == {"count": "2", "named": "g1, g9"}
        assert all("g1, g9" in fault_line(fault, lang) for lang in LANGUAGES)

    def test_what_the_standings_do_not_hold_yet_is_no_matter(self, go):
        late = game("g4", 4, "a", "b", "W")
        add_facts(open_entry(go, Act("officer", "games")), TABLES[GoGame], [late])
        assert differing_standings(go) == []


def standing(player):
    return models.LiveStanding.objects.filter(player_id=player)


def live_game(game_id):
    return models.LiveGame.objects.filter(game_id=game_id)


class TestDatabase:
    def test_triggers_that_are_missing_are_said(self, client):
        on = "" if connection.vendor == "sqlite" else " ON book_game"
        name = "book_game_no_update" if connection.vendor == "sqlite" else "book_game_stays"
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"DROP TRIGGER {name}{on}")
        found = verify_office()
        (fault,) = found.faults
        assert (fault.file, fault.code) == ("book_game", "book-trigger-missing")
        for lang in LANGUAGES:
            assert name in fault_line(fault, lang)
            assert all(fault_line(each, lang) for each in found.remarks)

    def test_a_column_or_a_table_that_is_not_there_is_said(self):
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE book_line RENAME COLUMN verdict TO said")
            cursor.execute("ALTER TABLE book_seed RENAME TO book_other")
        found = [(each.file, each.code) for each in verify_office().faults]
        assert ("book_line", "book-columns-missing") in found
        assert ("book_seed", "book-columns-missing") in found

    def test_a_report_file_that_was_changed(self):
        pool = published("japan")
        report = receive(pool, [("a.trf", TRF.read_bytes())], {}, Sender(CHIEF, None, "C01", "upload"))
        assert verify_office().is_good
        with opened():
            models.ReportFile.objects.update(data=TRF.read_bytes() + b"\n")
        (fault,) = verify_office().faults
        assert (fault.file, fault.code) == ("japan", "book-file-changed")
        assert dict(fault.facts) == {"report": str(report.pk), "name": "a.trf"}

    @pytest.mark.parametrize("gone", [[0], [2, 3], [4]])
    def test_acts_that_are_missing_in_the_journal(self, gone):
        """Between others; on SQLite the first and the last, too, as PostgreSQL skips numbers by itself."""
        made = [note(CHIEF, "sign-in").pk for _ in range(5)]
        assert verify_office().is_good
        with opened():
            models.JournalEntry.objects.filter(pk__in=[made[at] for at in gone]).delete()
        found = verify_office()
        on_sqlite = connection.vendor == "sqlite"
        said = [each for each in (*found.faults, *found.remarks) if each.code.startswith("book-journal")]
        if on_sqlite or gone == [2, 3]:
            (missing,) = said
            assert missing.code == ("book-journal-missing" if on_sqlite else "book-journal-skips")
            numbers = ", ".join(str(made[at]) for at in gone)
            assert dict(missing.facts) == {"count": str(len(gone)), "numbers": numbers}
        assert found.is_good is not on_sqlite

    @pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL skips numbers by itself")
    def test_acts_that_a_backup_did_not_have(self):
        """One that was made on PostgreSQL may lack some."""
        for number in (3, 7):
            models.JournalEntry.objects.create(pk=number, at=datetime.now(UTC), act="sign-in", what={})
        assert not verify_office().is_good
        note(CHIEF, "restore")
        note(CHIEF, "sign-in")
        assert verify_office().is_good

    def test_one_role_is_a_remark(self):
        found = verify_office()
        assert [each.code for each in found.remarks] == (
            ["book-one-role"] if connection.vendor == "postgresql" else []
        )
        assert found.is_good
