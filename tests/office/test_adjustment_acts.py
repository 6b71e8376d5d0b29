"""Adjustments in an office: acts in the book, lists made with them, the log, the public ledger, backups."""

from __future__ import annotations

import hashlib
import zipfile
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from office.opened_tables import opened
from office.published_office import (
    CHIEF,
    TODAY,
    after,
    changes_csv,
    example,
    file_rows,
    inquiry,
    lists_csv,
    names,
    published,
)

from banzuke.core.facts import Adjustment
from banzuke.core.fault import RefusedError
from banzuke.database import models
from banzuke.database.book_reader import read_book
from banzuke.database.ledger_folders import enter_folder, write_folder
from banzuke.database.models import Entry, JournalEntry, LogEntry
from banzuke.engine.rating_run import rate_ledger
from banzuke.ledger.folder import read_ledger
from banzuke.office.lists import corrections
from banzuke.office.lists.adjustments import (
    adjustments_of,
    enter_adjustment,
    entered_adjustments,
    faults_of,
    free_id,
    take_back_adjustment,
)
from banzuke.office.lists.corrections import carry_out, due_revisions, revise
from banzuke.office.lists.list_index import current_lists, make_lists, names_up_to
from banzuke.office.lists.publishing import publish
from banzuke.office.lists.rehearsal import rehearse
from banzuke.office.lists.verification import verify
from banzuke.office.pages.public_ledgers import ledger_of
from banzuke.office.pages.rating_explanations import explain_rating
from banzuke.office.refusals import FrozenAdjustmentError, TakenAdjustmentError, UnknownAdjustmentError
from banzuke.office.transparency.list_contents import content_of
from banzuke.office.transparency.log_verification import verify_log
from banzuke.office.transparency.office_log import read_log
from banzuke.transparency.list_leaves import list_leaves, read_leaf, split_content
from banzuke.transparency.log_entries import AdjustmentEntry

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("either_engine")]

MAP = "1000:1400 2000:2000"


def adjustment(name, of, points=MAP, **more):
    return Adjustment(name, of, points, "Board, item 3", **more)


def logged():
    return [entry for _, entry in read_log() if isinstance(entry, AdjustmentEntry)]


def assert_as_exported(pool, folder):
    """The published lists are those of the exported ledger, and each verifies."""
    write_folder(pool, folder / "ledger")
    rate_ledger(read_ledger(folder / "ledger"), folder / "out")
    assert lists_csv(pool) == file_rows(folder / "out" / "lists.csv")
    assert changes_csv(pool) == file_rows(folder / "out" / "changes.csv")
    assert (folder / "out" / "adjusted.csv").exists()
    for each in current_lists(pool):
        assert verify(pool, each.name).is_good


class TestBeforeThePublication:
    @pytest.mark.parametrize(
        "name",
        [
            "hakodate",
            *(pytest.param(name, marks=pytest.mark.slow) for name in ("japan", "us-championship-2025")),
        ],
    )
    def test_the_list_is_published_with_it(self, name, tmp_path):
        pool = example(name)
        *before, last = names(pool)
        for each in before[-1:]:
            publish(pool, each, CHIEF, TODAY)
        entry = enter_adjustment(pool, adjustment("A1", last), CHIEF, TODAY, why="Reform of 2025")
        publish(pool, last, CHIEF, TODAY)
        assert_as_exported(pool, tmp_path)
        assert (entry.author, entry.act, entry.why) == ("chief", "adjust", "Reform of 2025")
        assert [row.added for row in read_book(pool).adjustments] == [None]
        assert adjustments_of(current_lists(pool).get(name=last)) == [adjustment("A1", last)]
        assert all(adjustments_of(each) == [] for each in pool.lists.exclude(name=last))

    @pytest.mark.slow
    def test_what_is_taken_back_before_is_as_if_it_never_was(self):
        pool = published("japan", until=-2)
        last = names(pool)[-1]
        plain = rehearse(pool, last, TODAY).rows
        enter_adjustment(pool, adjustment("A1", last), CHIEF, TODAY)
        assert rehearse(pool, last, TODAY).rows != plain
        take_back_adjustment(pool, "A1", CHIEF, TODAY)
        assert rehearse(pool, last, TODAY).rows == plain
        assert adjustments_of(publish(pool, last, CHIEF, TODAY)[0]) == []

    def test_a_pool_that_has_published_nothing(self, tmp_path):
        pool = example("hakodate")
        first = names(pool)[0]
        enter_adjustment(pool, adjustment("A1", first), CHIEF, TODAY)
        enter_adjustment(pool, adjustment("A2", first, "0:0 3000:3000"), CHIEF, TODAY)
        take_back_adjustment(pool, "A2", CHIEF, TODAY)
        publish(pool, names(pool)[-1], CHIEF, TODAY)
        assert_as_exported(pool, tmp_path)


class TestAfterThePublication:
    def test_revisions_are_due_from_the_list_it_names_on(self, tmp_path):
        pool = published("japan")
        *_, third, second, last = names(pool)
        today = after(pool, second, 5)
        enter_adjustment(pool, adjustment("A1", second), CHIEF, today)
        (row,) = read_book(pool).adjustments
        assert row.added == today
        found = due_revisions(pool)
        assert [each.name for each in found.lists] == [second, last]
        assert any(each.list == second for each in found.differences)
        revise(pool, CHIEF, "Board, item 3")
        assert due_revisions(pool).lists == []
        assert_as_exported(pool, tmp_path)
        assert current_lists(pool).get(name=third).revision == 0

    @pytest.mark.slow
    def test_taken_back_in_time_the_lists_are_as_they_were(self):
        pool = published("japan")
        second = names(pool)[-2]
        before = {each.name: each.sha256 for each in current_lists(pool)}
        today = after(pool, second, 5)
        enter_adjustment(pool, adjustment("A1", second), CHIEF, today)
        revise(pool, CHIEF, "Board")
        entry = take_back_adjustment(pool, "A1", CHIEF, today + timedelta(days=2), why="a mistake")
        revise(pool, CHIEF, "taken back")
        assert {each.name for each in current_lists(pool)} == before.keys()
        for each in current_lists(pool):
            first = pool.lists.get(name=each.name, revision=0)
            assert content_of(each).split(b"\nentry,")[0] == content_of(first).split(b"\nentry,")[0]
        (entered,) = entered_adjustments(pool)
        assert (entered.struck_by, entered.adjustment.struck) == (entry, today + timedelta(days=2))
        with pytest.raises(UnknownAdjustmentError):
            take_back_adjustment(pool, "A1", CHIEF, today)

    @pytest.mark.slow
    def test_a_list_whose_days_are_over(self):
        pool = published("japan")
        first = names(pool)[0]
        enter_adjustment(pool, adjustment("A0", names(pool)[-1]), CHIEF, after(pool, names(pool)[-1], 1))
        with pytest.raises(FrozenAdjustmentError) as refused:
            enter_adjustment(pool, adjustment("A1", first), CHIEF, after(pool, first, 90))
        assert refused.value.sentence("en").startswith(f"The list {first} is published, and the days")
        assert enter_adjustment(pool, adjustment("A1", first), CHIEF, after(pool, first, 89))
        with pytest.raises(FrozenAdjustmentError):
            take_back_adjustment(pool, "A1", CHIEF, after(pool, first, 90))

    @pytest.mark.slow
    def test_a_correction_maps_the_new_figures(self, tmp_path):
        pool = published("japan")
        second = names(pool)[-3]
        today = after(pool, second, 3)
        enter_adjustment(pool, adjustment("A1", second), CHIEF, today)
        revise(pool, CHIEF, "Board")
        wrong = inquiry(pool, after(pool, "2024-08", 20), result="1/2-1/2")
        changed = corrections.preview(wrong, TODAY)
        done = carry_out(wrong, CHIEF, "a slip", TODAY)
        assert [each.name for each in done] == [each.name for each in changed.lists]
        assert_as_exported(pool, tmp_path)


class TestRefusals:
    @pytest.mark.parametrize(
        ("wrong", "code"),
        [
            ({"points": "1000:1400"}, "points-form"),
            ({"points": "1000:1400 2000:1999"}, "points-last"),
            ({"list": "2025-13"}, "adjustment-list"),
            ({"speed": "blitz"}, "adjustment-speed"),
            ({"decision": ""}, "cell-blank"),
            ({"adjustment_id": "a\u200bb"}, "cell-unseen"),
        ],
    )
    def test_what_no_ledger_can_have(self, wrong, code):
        pool = published("japan", until=0)
        asked = adjustment("A1", "2025-05")._replace(**wrong)
        assert [found.code for found in faults_of(pool, asked)] == [code]
        with pytest.raises(RefusedError):
            enter_adjustment(pool, asked, CHIEF, TODAY)
        assert entered_adjustments(pool) == []
        assert not Entry.objects.filter(pool=pool, act="adjust").exists()

    def test_an_event_that_there_is_not(self):
        pool = published("hakodate", until=0)
        assert [found.code for found in faults_of(pool, adjustment("A1", "nowhere"))] == ["unknown-event"]
        assert faults_of(pool, adjustment("A1", names(pool)[-1])) == []

    def test_a_pool_of_go(self):
        pool = example("go-server")
        assert [found.code for found in faults_of(pool, adjustment("A1", "2026-02"))] == ["go-adjustments"]

    def test_an_id_that_was_used(self):
        pool = published("japan", until=-2)
        last = names(pool)[-1]
        assert free_id(pool) == "A1"
        enter_adjustment(pool, adjustment(free_id(pool), last), CHIEF, TODAY)
        take_back_adjustment(pool, "A1", CHIEF, TODAY)
        with pytest.raises(TakenAdjustmentError):
            enter_adjustment(pool, adjustment("A1", last), CHIEF, TODAY)
        assert free_id(pool) == "A2"

    def test_the_database_keeps_every_row(self):
        pool = published("japan", until=-2)
        enter_adjustment(pool, adjustment("A1", names(pool)[-1]), CHIEF, TODAY)
        for statement in ("UPDATE book_adjustment SET points = '0:0 1:1'", "DELETE FROM book_adjustment"):
            with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
                connection.cursor().execute(statement)


class TestWhatIsSaid:
    def test_the_explanation_of_a_player_with_games_and_of_one_without(self):
        pool = published("japan", until=-2)
        last = names(pool)[-1]
        enter_adjustment(pool, adjustment("A1", last), CHIEF, TODAY)
        (made,) = publish(pool, last, CHIEF, TODAY)
        played = set(made.lines.values_list("player_id", flat=True))
        moved = made.rows.exclude(change=0).filter(change__isnull=False)
        for row in (moved.filter(player_id__in=played).first(), moved.exclude(player_id__in=played).first()):
            texts = str(explain_rating(made, row.player_id, row.speed, "en"))
            assert "All ratings of this list were adjusted (Board, item 3): " in texts
            assert f"becomes {row.rating}" in texts
            assert f"After this list: {row.rating}." in texts
            assert "Board, item 3" in str(explain_rating(made, row.player_id, row.speed, "ja"))

    def test_the_leaf_of_a_player_has_what_was_adjusted(self):
        pool = published("japan", until=-2)
        last = names(pool)[-1]
        enter_adjustment(pool, adjustment("A1", last), CHIEF, TODAY)
        (made,) = publish(pool, last, CHIEF, TODAY)
        split = split_content(content_of(made))
        people = dict.fromkeys(split.players, "0" * 64)
        events = {event: event for of in split.players.values() for event in of.events}
        leaves = {leaf.player: leaf for leaf in map(read_leaf, list_leaves(split, people, events))}
        row = made.rows.first()
        steps = [step for step in leaves[row.player_id].adjusted if step["speed"] == row.speed]
        assert [(step["list"], step["adjustment_id"], step["after"]) for step in steps] == [
            (last, "A1", str(row.rating))
        ]
        assert sum(len(leaf.adjusted) for leaf in leaves.values()) == made.rows.count()

    def test_a_list_without_one_has_the_content_that_it_always_had(self):
        pool = published("japan")
        content = content_of(pool.lists.first()).decode()
        assert "adjustment_id" not in content

    def test_the_journal(self):
        pool = published("japan", until=-2)
        last = names(pool)[-1]
        enter_adjustment(pool, adjustment("A1", last), CHIEF, TODAY)
        take_back_adjustment(pool, "A1", CHIEF, TODAY)
        acts = JournalEntry.objects.filter(pool=pool, act__in=("adjust", "take-back-adjustment")).order_by(
            "pk"
        )
        assert [(act.act, act.who, act.what["adjustment"], act.what["list"]) for act in acts] == [
            ("adjust", "chief", "A1", last), ("take-back-adjustment", "chief", "A1", last),
        ]  # fmt: skip


class TestLog:
    def test_an_entry_for_each_act_with_the_hash_of_its_rows(self):
        pool = published("japan", until=-2)
        last = names(pool)[-1]
        entry = enter_adjustment(pool, adjustment("A1", last), CHIEF, TODAY)
        back = take_back_adjustment(pool, "A1", CHIEF, TODAY)
        header = "adjustment_id,list,speed,points,decision,added,struck\n"
        (row,) = read_book(pool).adjustments
        texts = [f'A1,{last},,{MAP},"Board, item 3",,\n', f'A1,{last},,{MAP},"Board, item 3",,{row.struck}\n']
        assert [(each.pool, each.entry, each.rows, each.sha256) for each in logged()] == [
            ("japan", number, 1, hashlib.sha256((header + text).encode()).hexdigest())
            for number, text in zip((entry.pk, back.pk), texts, strict=True)
        ]

    def test_an_act_that_fails_leaves_none(self):
        pool = published("japan", until=-2)
        with pytest.raises(RefusedError):
            enter_adjustment(pool, adjustment("A1", "2025-13"), CHIEF, TODAY)
        assert logged() == []

    @pytest.mark.slow
    def test_a_ledger_that_comes_with_some(self, tmp_path):
        pool = published("japan", until=-2)
        enter_adjustment(pool, adjustment("A1", names(pool)[-1]), CHIEF, TODAY)
        enter_adjustment(pool, adjustment("A2", names(pool)[-1]), CHIEF, TODAY)
        write_folder(pool, tmp_path / "ledger")
        other = enter_folder("other", tmp_path / "ledger", "test")
        assert read_book(other).adjustments == read_book(pool).adjustments
        assert len(logged()) == 2
        publish(other, names(other)[0], CHIEF, TODAY)
        assert [(each.pool, each.rows) for each in logged()[2:]] == [("other", 2)]
        assert verify_log().faults == []

    @pytest.mark.parametrize(
        "act", ["change", *(pytest.param(act, marks=pytest.mark.slow) for act in ("remove", "add", "forget"))]
    )
    def test_what_is_changed_past_the_office_is_found(self, act):
        pool = published("japan", until=-2)
        last = names(pool)[-1]
        enter_adjustment(pool, adjustment("A1", last), CHIEF, TODAY)
        publish(pool, last, CHIEF, TODAY)
        assert verify_log().faults == []
        rows = models.Adjustment.objects.filter(pool=pool)
        with opened():
            if act == "change":
                rows.update(points="1000:1500 2000:2000")
            elif act == "remove":
                rows.delete()
            elif act == "add":
                entry = Entry.objects.filter(pool=pool).first()
                models.Adjustment.objects.create(
                    pool=pool, entry=entry, adjustment_id="X", list=last, points=MAP, decision="nobody's"
                )
            else:
                LogEntry.objects.filter(body__contains='"adjustment"').delete()
        codes = {found.code for found in verify_log().faults}
        assert codes & {"log-adjustment-changed", "log-adjustment-missing"}
        assert codes & {"log-book-changed", "log-numbers"}


class TestPublicLedger:
    @pytest.fixture(autouse=True)
    def home(self, tmp_path, monkeypatch):
        monkeypatch.setattr(settings, "HOME", tmp_path)

    @pytest.mark.parametrize("name", [pytest.param("japan", marks=pytest.mark.slow), "hakodate"])
    def test_each_list_is_made_again_from_it(self, name, tmp_path):
        pool = published(name, until=-3)
        *_, second, last = names(pool)
        enter_adjustment(pool, adjustment("A1", second), CHIEF, TODAY)
        enter_adjustment(pool, adjustment("A2", last, "900:700 2600:2600"), CHIEF, TODAY)
        publish(pool, second, CHIEF, TODAY)
        made = current_lists(pool).get(name=second)
        ledger = self.unpacked(made, tmp_path / "second")
        assert [row.adjustment_id for row in ledger.adjustments] == ["A1"]
        publish(pool, last, CHIEF, TODAY)
        for each in current_lists(pool)[:3]:
            ledger = self.unpacked(each, tmp_path / str(each.pk))
            *_, again = make_lists(ledger, names_up_to(ledger, {each.name}))
            assert again.content_sha256(each.entry_id) == each.sha256

    def unpacked(self, each, folder):
        with zipfile.ZipFile(ledger_of(each).path) as archive:
            archive.extractall(folder)
        return read_ledger(folder)
