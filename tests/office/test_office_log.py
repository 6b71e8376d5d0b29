"""The office's log: an entry for every publication, in its transaction, numbered without gaps."""

from __future__ import annotations

import hashlib

import pytest
from django.db import DatabaseError, transaction
from office.opened_tables import opened
from office.published_office import CHIEF, TODAY, after, example, inquiry, names, published

from banzuke.database.book_reader import files_of, last_entry
from banzuke.database.models import ListContent, ListTree, LogEntry, PlayerSalt, RatingList
from banzuke.office import office_key
from banzuke.office.administration import pools
from banzuke.office.erasure.erasing import erase
from banzuke.office.jobs import late_lists
from banzuke.office.lists.corrections import carry_out, dismiss
from banzuke.office.lists.publishing import publish
from banzuke.office.transparency import book_hashes, office_log
from banzuke.office.transparency.book_hashes import EntryRange, book_sha256, persons_sha256
from banzuke.office.transparency.erasure_hashes import left_sha256, tombstone_sha256
from banzuke.office.transparency.list_contents import content_of
from banzuke.office.transparency.list_trees import (
    event_names,
    person_in,
    persons_of,
    stored_hashes,
    tree_hashes,
    tree_of_hashes,
)
from banzuke.office.transparency.office_log import append, read_log
from banzuke.office.transparency.player_salts import known_salts
from banzuke.transparency.list_leaves import list_leaves, read_leaf, split_content
from banzuke.transparency.log_entries import ErasureEntry, FinalEntry, KeyEntry, ListEntry, RulesEntry
from banzuke.transparency.merkle_tree import check_inclusion, leaf_hash

pytestmark = pytest.mark.django_db


def entries(kind=None):
    return [entry for _, entry in read_log() if kind is None or isinstance(entry, kind)]


def forget_log():
    """The office as it was before it kept a log."""
    with opened():
        for model in (LogEntry, ListTree, ListContent):
            model.objects.all().delete()
        PlayerSalt.objects.all().delete()


class TestLists:
    def test_each_publication_has_an_entry(self):
        pool = published("japan")
        lists = list(pool.lists.order_by("number"))
        found = entries(ListEntry)
        for each, entry in zip(lists, found, strict=True):
            assert (entry.pool, entry.list, entry.revision, entry.number) == (
                "japan",
                each.name,
                each.revision,
                each.number,
            )
            assert (entry.day, entry.entry, entry.sha256) == (
                each.day.isoformat(),
                each.entry_id,
                each.sha256,
            )
            assert (entry.events_sha256, entry.late) == (each.events_sha256, False)
            assert hashlib.sha256(content_of(each)).hexdigest() == entry.sha256
            assert entry.published == each.published_at.strftime("%Y-%m-%dT%H:%M:%SZ")
            assert each.log_entry.body == office_log.entry_body(entry)
        assert [number for number, _ in read_log()] == list(range(len(lists) + 2))
        assert [type(entry) for entry in entries()[:2]] == [KeyEntry, RulesEntry]

    def test_revisions_have_entries(self):
        pool = published("japan")
        before = len(entries())
        revised = carry_out(inquiry(pool, after(pool, names(pool)[3], 1)), CHIEF, "wrong", TODAY)
        assert [(entry.list, entry.revision) for entry in entries()[before:]] == [
            (each.name, 1) for each in revised
        ]

    def test_what_fails_leaves_none(self, monkeypatch):
        pool = example("hakodate")
        monkeypatch.setattr("banzuke.office.lists.publishing.note", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            publish(pool, names(pool)[0], CHIEF, TODAY)
        assert entries() == []

    def test_an_entry_needs_the_transaction_of_its_act(self, transactional_db):
        with pytest.raises(RuntimeError):
            append("final", {"pool": "japan", "list": "2025-01", "revision": 0})

    def test_it_is_closed(self):
        published("hakodate")
        last = LogEntry.objects.order_by("-number")[0]
        for act in (
            lambda: LogEntry.objects.filter(pk=last.pk).update(body="{}"),
            lambda: LogEntry.objects.filter(pk=last.pk)._raw_delete("default"),
            lambda: LogEntry.objects.create(number=last.number, body="{}", secret=b""),
        ):
            with pytest.raises(DatabaseError), transaction.atomic():
                act()

    @pytest.mark.parametrize("name", ["japan", "go-server"])
    def test_a_tree_has_a_leaf_for_each_player(self, name):
        pool = published(name)
        for each, entry in zip(pool.lists.order_by("number"), entries(ListEntry), strict=True):
            hashes, split = stored_hashes(each), split_content(content_of(each))
            people = dict(zip(split.players, (one.hex() for one in hashes.persons), strict=True))
            leaves = list(list_leaves(split, people, event_names(each, split)))
            assert [leaf_hash(leaf) for leaf in leaves] == hashes.leaves
            tree = tree_of_hashes(hashes.leaves)
            assert (tree.root().hex(), tree.size) == (entry.root, entry.players)
            assert tree_hashes(each, split, known_salts(pool), persons_of(each)) == hashes
            for at, (player, leaf) in enumerate(zip(split.players, leaves, strict=True)):
                said = read_leaf(leaf)
                assert (said.player, said.name) == (player, each.name)
                check_inclusion(leaf_hash(leaf), at, tree.size, tree.inclusion_path(at), tree.root())
                row = each.rows.filter(player_id=player).first()
                person = person_in(each, player, said.person)
                facts = (row.name, row.name_native, row.club_id, row.sex, row.group) if row else ("",) * 5
                assert person.facts == facts

    def test_nobody_opens_a_person_without_the_salt(self):
        pool = published("japan")
        each = pool.lists.first()
        player, commitment = (
            next(iter(split_content(content_of(each)).players)),
            stored_hashes(each).persons[0].hex(),
        )
        assert person_in(each, player, commitment)
        PlayerSalt.objects.filter(pool=pool, player_id=player).update(salt=b"another")
        assert person_in(each, player, commitment) is None
        PlayerSalt.objects.filter(pool=pool, player_id=player).delete()
        assert person_in(each, player, commitment) is None


class TestBook:
    def test_the_hashes_of_the_entries_make_up_the_book(self):
        pool = published("japan", 2)
        open_one = inquiry(pool, after(pool, names(pool)[1], 1))
        carry_out(open_one, CHIEF, "wrong", TODAY)
        publish(pool, names(pool)[-1], CHIEF, TODAY)
        until = 0
        for row in LogEntry.objects.exclude(list=None).order_by("number").select_related("list"):
            entry = office_log.read_entry(row.body.encode())
            of = EntryRange(pool, until, entry.entry)
            assert entry.book == book_sha256(of, bytes(row.secret))
            assert entry.persons == persons_sha256(of, bytes(row.secret))
            until = max(until, entry.entry)
        assert until == last_entry(pool)
        dismiss(inquiry(pool, TODAY), CHIEF, "no")

    def test_a_column_that_comes_later_changes_no_hash(self, monkeypatch):
        """Its cells in the rows of before have no value."""
        of = EntryRange(pool := published("japan"), 0, last_entry(pool))
        before = book_sha256(of, b"secret"), persons_sha256(of, b"secret")
        columns = book_hashes.columns_of

        def earlier(model):
            return [name for name in columns(model) if model.objects.exclude(**{name: None}).exists()]

        monkeypatch.setattr(book_hashes, "columns_of", earlier)
        assert any(len(earlier(model)) < len(columns(model)) for model in book_hashes._tables())
        assert (book_sha256(of, b"secret"), persons_sha256(of, b"secret")) == before


class TestOtherEntries:
    def test_rules_are_entered_when_they_change(self):
        pool = published("hakodate", 0)
        before = entries(RulesEntry)
        assert [dict(each.files) for each in before] == [
            {name: hashlib.sha256(text.encode()).hexdigest() for name, text in files_of(pool).items()}
        ]
        pools.change_rules(pool, "Another name", pools.editions(pool), CHIEF, "a name", {})
        now = entries(RulesEntry)
        assert len(now) == 2
        assert now[1].files["pool.toml"] == hashlib.sha256(files_of(pool)["pool.toml"].encode()).hexdigest()
        assert isinstance(entries()[-1], RulesEntry)

    def test_a_new_pool_brings_its_rules(self):
        pool = example("hakodate")
        edition = pools.editions(pool)[0]
        pools.open_pool("new", "New", edition, CHIEF)
        assert [each.pool for each in entries(RulesEntry)] == ["new"]

    def test_a_key_above_the_first_is_entered(self, tmp_path, settings):
        settings.HOME = tmp_path
        pool = published("hakodate", 0)
        pools.change_rules(pool, "Another name", pools.editions(pool), CHIEF, "a name", {})
        (first,) = entries(KeyEntry)[-1].keys
        older = office_key.key_path().read_bytes()
        office_key.key_path().unlink()
        office_key.office_key()
        office_key.key_path().write_bytes(office_key.key_path().read_bytes() + older)
        pools.change_rules(pool, "A third name", pools.editions(pool), CHIEF, "a name", {})
        newest, second = entries(KeyEntry)[-1].keys
        assert second == first
        assert newest.split("+")[0] == first.split("+")[0]

    def test_parts_that_come_later_append_by_the_kind(self):
        published("hakodate", 0)
        with transaction.atomic():
            append("final", {"pool": "hakodate", "list": "2025-01", "revision": 0})
        assert isinstance(entries()[-1], FinalEntry)

    def test_an_erasure_has_hashes_of_what_was_noted_and_of_what_is_left(self, settings, tmp_path):
        settings.HOME = tmp_path
        pool = published("japan", 0)
        erased = erase(pool, "J004", CHIEF)
        (entry,) = entries(ErasureEntry)
        row = LogEntry.objects.get(body=office_log.entry_body(entry))
        assert (entry.rows, entry.entry) == (erased.rows, last_entry(pool))
        secret = bytes(row.secret)
        assert entry.book == tombstone_sha256(pool, entry.entry, secret)
        assert entry.persons == left_sha256(pool, entry.entry, secret, {}, pool.lists.all())


class TestListsOfBefore:
    @pytest.mark.slow
    def test_the_worker_enters_them(self, monkeypatch):
        pool = published("japan", 3)
        carry_out(inquiry(pool, after(pool, names(pool)[3], 1)), CHIEF, "wrong", TODAY)
        publish(pool, names(pool)[-1], CHIEF, TODAY)
        contents = {each.pk: content_of(each) for each in pool.lists.all()}
        forget_log()
        assert content_of(pool.lists.first()) is None
        monkeypatch.setattr(late_lists, "PATIENCE", -1)
        steps = [late_lists.enter_late_lists() for _ in range(pool.lists.count() + 1)]
        assert steps.count(0) == 1
        assert {each.pk: content_of(each) for each in pool.lists.all()} == contents
        found = entries(ListEntry)
        assert all(entry.late for entry in found)
        assert sorted((entry.list, entry.revision) for entry in found) == sorted(
            pool.lists.values_list("name", "revision")
        )

    @pytest.mark.slow
    def test_the_next_publication_does_not_wait(self):
        pool = published("japan", 3)
        forget_log()
        publish(pool, names(pool)[-1], CHIEF, TODAY)
        assert not any(entry.late for entry in entries(ListEntry))
        while late_lists.enter_late_lists():
            pass
        assert [entry.late for entry in entries(ListEntry)] == [False] * (pool.lists.count() - 4) + [True] * 4

    def test_one_that_cannot_be_made_again_is_left_out(self, caplog):
        pool = published("japan", 3)
        forget_log()
        with opened():
            RatingList.objects.filter(pk=pool.lists.order_by("number")[1].pk).update(sha256="0" * 64)
        while late_lists.enter_late_lists():
            pass
        assert [each.number for each in late_lists.lists_without_entry(pool)] == [2]
        late_lists._not_made.clear()
