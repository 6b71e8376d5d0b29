"""Two entries of one person: put together and taken apart, and what the exported ledger rates either way."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from repeated import entered_pool

from banzuke.core import facts
from banzuke.database import models
from banzuke.database.book_reader import read_book
from banzuke.database.book_writer import Act, add_facts, new_entry, open_entry
from banzuke.database.ledger_folders import enter_folder, write_folder
from banzuke.engine.rating_run import rate_ledger
from banzuke.ledger.folder import read_ledger
from banzuke.office import player_search
from banzuke.office.fact_rows import TABLES, record_of, replace, standing_rows, strike_all, with_values
from banzuke.office.journal import Actor
from banzuke.office.lists import corrections, publishing
from banzuke.office.lists.recompute import recompute
from banzuke.office.merged_ids import kept_id, standing_merges
from banzuke.office.register import members, player_merge, qualification
from banzuke.office.register.members import ContactDetails
from banzuke.office.register.player_merge import MergeError, Obstacle
from banzuke.office.search.search_index import index_pool

pytestmark = pytest.mark.django_db
EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = Path(__file__).parents[1] / "ledger" / "small"
HANAKO = Actor("hanako")


@pytest.fixture
def japan():
    """A plays B and C in E1 and B in E2; B and C never meet."""
    return entered_pool("japan", SMALL / "japan", "test")


def publish(pool, name, closes):
    models.RatingList.objects.create(
        pool=pool,
        name=name,
        number=1,
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


def rated(pool, place):
    """The result files that rating the exported ledger gives."""
    write_folder(pool, place / "ledger")
    rate_ledger(read_ledger(place / "ledger"), place / "out", None)
    return {name: (place / "out" / name).read_text() for name in ("lists.csv", "changes.csv")}


def lists_with(text, player):
    return {row.split(",")[0] for row in text.splitlines() if player in row.split(",")}


def openings(pool):
    rows = standing_rows(pool, facts.Opening)
    return {(row.player_id, row.speed): row.rating for row in rows}


def seeded(pool, event):
    return {seed.player_id: seed.kind for seed in qualification.seeds(pool, event)}


class TestMerge:
    def test_games_and_memberships_go_to_the_kept_id(self, japan):
        assert player_merge.merge_extent(japan, "B") == player_merge.MergeExtent(
            memberships=1, games=2, events=2
        )
        player_merge.merge(japan, "C", "B", HANAKO, "one person", date(2025, 1, 10))
        games = standing_rows(japan, facts.Game).order_by("event_id", "round", "white")
        assert [(g.event_id, g.round, g.white, g.black) for g in games] == [
            ("E1", 1, "A", "C"),
            ("E1", 2, "C", "A"),
            ("E2", 1, "A", "C"),
        ]
        assert [row.kind for row in members.memberships(japan, "C")] == ["event"]
        with pytest.raises(members.UnknownMemberError):
            members.find(japan, "B")
        assert [(m.kept, m.merged) for m in standing_merges(japan, "B")] == [("C", "B")]
        assert models.JournalEntry.objects.get().what["merged"] == "B"

    def test_with_published_lists_the_rows_carry_the_day(self, japan, tmp_path):
        publish(japan, "2025-01", date(2024, 12, 20))
        day = date(2025, 1, 10)
        player_merge.merge(japan, "C", "B", HANAKO, "", day)
        write_folder(japan, tmp_path / "out")
        ledger = read_ledger(tmp_path / "out")
        assert {(g.white, g.black, g.added, g.struck) for g in ledger.games["E2"]} == {
            ("A", "B", None, day),
            ("A", "C", day, None),
        }
        assert next(p for p in ledger.players if p.player_id == "B").struck == day

    def test_a_title_is_carried_over_with_where_it_is_from(self, japan):
        for player_id, title, read in (("B", "WIM", "FIDE list of May"), ("C", "", "")):
            new = record_of(members.find(japan, player_id), facts.Player)
            new = new._replace(title=title, title_from=read)
            members.change(japan, new, ContactDetails(), HANAKO, "", date(2025, 1, 10))
        player_merge.merge(japan, "C", "B", HANAKO, "", date(2025, 1, 10))
        kept = members.find(japan, "C")
        assert (kept.title, kept.title_from) == ("WIM", "FIDE list of May")
        player_merge.unmerge(japan, "C", "B", HANAKO, "two", date(2025, 1, 10))
        assert not members.find(japan, "C").title

    def test_refused_where_both_met(self, japan):
        with pytest.raises(MergeError) as refused:
            player_merge.merge(japan, "A", "B", HANAKO, "", date(2025, 1, 10))
        assert Obstacle("each-other", "E1", 1) in refused.value.obstacles
        assert japan.entries.count() == 1
        assert not models.Strike.objects.exists()

    def test_refused_where_both_played_in_one_round(self, japan):
        entry = open_entry(japan, Act("test", "report"))
        add_facts(entry, TABLES[facts.Player], [facts.Player("D", "DOI Shiro")])
        add_facts(entry, TABLES[facts.Game], [facts.Game("E1", 1, "C", "D", "1-0")])
        assert player_merge.obstacles(japan, "C", "B") == [Obstacle("same-round", "E1", 1)]

    def test_the_one_with_an_opening_rating_is_kept(self, japan):
        members.add(japan, facts.Player("N", "ABE Ichiro"), ContactDetails(), HANAKO)
        assert player_merge.obstacles(japan, "N", "A") == []
        publish(japan, "2025-01", date(2024, 12, 20))
        assert player_merge.obstacles(japan, "N", "A") == [Obstacle("opening")]
        assert player_merge.obstacles(japan, "A", "N") == []

    @pytest.mark.parametrize(("kept", "merged"), [("A", "N"), ("N", "A")])
    def test_before_the_first_list_starting_ratings_go_with_the_entry(self, japan, kept, merged, tmp_path):
        members.add(japan, facts.Player("N", "ABE Ichiro"), ContactDetails(), HANAKO)
        entry = open_entry(japan, Act("test", "opening"))
        add_facts(entry, TABLES[facts.Opening], [facts.Opening("N", 1900, 5, "standard")])
        before = openings(japan)
        assert before == {("A", "standard"): 1810, ("A", "rapid"): 1790, ("N", "standard"): 1900}
        player_merge.merge(japan, kept, merged, HANAKO, "", date(2025, 1, 10))
        own = {"A": 1810, "N": 1900}[kept]
        assert openings(japan) == {(kept, "standard"): own, (kept, "rapid"): 1790}
        assert merged not in rated(japan, tmp_path / "merged")["lists.csv"]
        player_merge.unmerge(japan, kept, merged, HANAKO, "", date(2025, 1, 11))
        assert openings(japan) == before

    def test_moved_starting_ratings_stay_once_lists_rest_on_them(self, japan):
        members.add(japan, facts.Player("N", "ABE Ichiro"), ContactDetails(), HANAKO)
        player_merge.merge(japan, "N", "A", HANAKO, "", date(2025, 1, 10))
        publish(japan, "2025-01", date(2024, 12, 20))
        with pytest.raises(MergeError) as refused:
            player_merge.unmerge(japan, "N", "A", HANAKO, "", date(2025, 1, 11))
        assert refused.value.obstacles == [Obstacle("published-since")]

    @pytest.mark.parametrize(("kept", "merged"), [("C", "B"), ("B", "C")])
    def test_seeds_go_with_the_entry_and_come_back(self, japan, kept, merged):
        local, national = models.Seed.Kind.LOCAL, models.Seed.Kind.NATIONAL
        for event, player, kind in (("E1", "B", local), ("E1", "C", national), ("E2", "B", local)):
            qualification.note_seed(japan, event, player, kind, HANAKO)
        before = [seeded(japan, event) for event in ("E1", "E2")]
        assert before == [{"B": "local", "C": "national"}, {"B": "local"}]
        player_merge.merge(japan, kept, merged, HANAKO, "", date(2025, 1, 10))
        assert seeded(japan, "E1") == {kept: before[0][kept]}
        assert seeded(japan, "E2") == {kept: "local"}
        player_merge.unmerge(japan, kept, merged, HANAKO, "", date(2025, 1, 11))
        assert [seeded(japan, event) for event in ("E1", "E2")] == before

    def test_a_seed_said_since_stays_when_they_are_taken_apart(self, japan):
        qualification.note_seed(japan, "E1", "B", models.Seed.Kind.LOCAL, HANAKO)
        player_merge.merge(japan, "C", "B", HANAKO, "", date(2025, 1, 10))
        qualification.note_seed(japan, "E1", "C", models.Seed.Kind.NATIONAL, HANAKO)
        player_merge.unmerge(japan, "C", "B", HANAKO, "", date(2025, 1, 11))
        assert seeded(japan, "E1") == {"B": "local", "C": "national"}

    def test_an_entry_is_kept_under_the_last_id_of_a_row_of_merges(self, japan):
        members.add(japan, facts.Player("N", "ABE Ichiro"), ContactDetails(), HANAKO)
        player_merge.merge(japan, "C", "B", HANAKO, "", date(2025, 1, 10))
        player_merge.merge(japan, "N", "C", HANAKO, "", date(2025, 1, 10))
        assert [kept_id(japan, player) for player in ("A", "B", "C", "N")] == ["A", "N", "N", "N"]
        player_merge.unmerge(japan, "N", "C", HANAKO, "", date(2025, 1, 11))
        assert [kept_id(japan, player) for player in ("B", "C")] == ["C", "C"]

    def test_nobody_with_himself(self, japan):
        assert player_merge.obstacles(japan, "A", "A") == [Obstacle("same")]

    def test_contact_is_filled_up_and_by_id_only_stays(self, japan):
        for player, said in (
            ("C", ContactDetails("ちば")),
            ("B", ContactDetails("ばば", "Kyoto", "b@example.org", by_id_only=True)),
        ):
            row = members.find(japan, player)
            record = facts.Player(
                *(getattr(row, n) for n in facts.Player._fields if n not in ("struck", "more"))
            )
            members.change(japan, record, said, HANAKO, "", date(2025, 1, 10))
        player_merge.merge(japan, "C", "B", HANAKO, "", date(2025, 1, 10))
        assert members.contact_of(japan, "C") == ContactDetails(
            "ちば", "Kyoto", "b@example.org", by_id_only=True
        )
        player_merge.unmerge(japan, "C", "B", HANAKO, "", date(2025, 1, 11))
        assert members.contact_of(japan, "C") == ContactDetails("ちば")
        assert members.contact_of(japan, "B").by_id_only


class TestUnmerge:
    @pytest.mark.parametrize("published", [None, ("2025-01", date(2024, 12, 20))])
    @pytest.mark.parametrize("undone", [date(2025, 1, 10), date(2025, 2, 20), date(2025, 6, 1)])
    def test_gives_the_same_lists_as_before(self, japan, tmp_path, published, undone):
        if published:
            publish(japan, *published)
        before = rated(japan, tmp_path / "before")
        player_merge.merge(japan, "C", "B", HANAKO, "", date(2025, 1, 10))
        merged = rated(japan, tmp_path / "merged")
        player_merge.unmerge(japan, "C", "B", HANAKO, "", undone)
        after = rated(japan, tmp_path / "after")
        assert merged != before
        if undone < date(2025, 4, 1):  # the list of 2025-01 still knows of it
            assert after == before
        assert standing_merges(japan) == []
        assert members.find(japan, "B").name == "BABA Jiro"

    def test_of_the_example_ledger(self, tmp_path):
        """Two of a national pool who never met: merged and parted, every figure is as it was."""
        pool = enter_folder("nation", EXAMPLES / "japan", "test")
        ids = list(standing_rows(pool, facts.Player).values_list("player_id", flat=True))
        pairs = (
            (kept, merged) for kept in ids for merged in ids if not player_merge.obstacles(pool, kept, merged)
        )
        kept, merged = next(pair for pair in pairs if player_merge.merge_extent(pool, pair[1]).games)
        before = rated(pool, tmp_path / "before")
        player_merge.merge(pool, kept, merged, HANAKO, "", date(2025, 3, 1))
        while_merged = rated(pool, tmp_path / "merged")
        assert merged not in while_merged["changes.csv"]
        player_merge.unmerge(pool, kept, merged, HANAKO, "", date(2025, 3, 2))
        assert rated(pool, tmp_path / "after") == before

    def test_frozen_lists_keep_the_other_id(self, tmp_path):
        """Merged 100 days after the first list: that list stays, the later ones know the kept id alone."""
        pool = enter_folder("nation", EXAMPLES / "japan", "test")
        write_folder(pool, tmp_path / "ledger")
        first = rated(pool, tmp_path / "before")["changes.csv"]
        names = sorted({row.split(",")[0] for row in first.splitlines()[1:]})
        publish(pool, names[-1], date(2100, 1, 1))
        ids = list(standing_rows(pool, facts.Player).values_list("player_id", flat=True))
        kept, merged = next(
            (kept, merged)
            for kept in ids
            for merged in ids
            if len(lists_with(first, merged)) > 1 and not player_merge.obstacles(pool, kept, merged)
        )
        day = date.fromisoformat(f"{min(lists_with(first, merged))}-01").toordinal() + 100
        player_merge.merge(pool, kept, merged, HANAKO, "", date.fromordinal(day))
        after = rated(pool, tmp_path / "after")["changes.csv"]
        assert min(lists_with(first, merged)) in lists_with(after, merged)
        assert lists_with(after, merged) < lists_with(first, merged)

    def test_not_after_a_moved_game_was_corrected(self, japan):
        player_merge.merge(japan, "C", "B", HANAKO, "", date(2025, 1, 10))
        entry = open_entry(japan, Act("chief", "correct"))
        strike_all(
            entry,
            facts.Game,
            [player_merge.games_of(japan, "C").filter(event_id="E2").get()],
            date(2025, 1, 11),
        )
        with pytest.raises(MergeError) as refused:
            player_merge.unmerge(japan, "C", "B", HANAKO, "", date(2025, 1, 12))
        assert refused.value.obstacles == [Obstacle("changed-since")]

    def test_not_what_was_never_merged(self, japan):
        with pytest.raises(MergeError) as refused:
            player_merge.unmerge(japan, "C", "B", HANAKO, "", date(2025, 1, 12))
        assert refused.value.obstacles == [Obstacle("not-merged")]

    def test_a_name_that_the_other_brought_finds_nobody_else(self, japan):
        """The kept entry had no name in kanji, took over the other's, and lost it again."""
        with new_entry(japan, Act("hanako", "change-member")) as entry:
            for player, native in (("B", "鈴木 花子"), ("C", "")):
                found = members.find(japan, player)
                named = with_values(record_of(found, facts.Player), name_native=native)
                replace(entry, found, named, date(2025, 1, 1))
        player_merge.merge(japan, "C", "B", HANAKO, "", date(2025, 1, 10))
        index_pool(japan, 1000)
        assert {each.player_id for each in player_search.bearers(japan, "鈴木花子")} == {"B", "C"}
        player_merge.unmerge(japan, "C", "B", HANAKO, "", date(2025, 1, 12))
        for _ in range(2):
            assert {each.player_id for each in player_search.bearers(japan, "鈴木花子")} == {"B"}
            assert {each.player_id for each in player_search.bearers(japan, "C")} >= {"C"}
            models.FoundUpTo.objects.update(player=0)  # as an erasure does
            index_pool(japan, 1000)

    def test_merged_again_after_it_was_undone(self, japan, tmp_path):
        before = rated(japan, tmp_path / "before")
        for day in (10, 11):
            player_merge.merge(japan, "C", "B", HANAKO, "", date(2025, 1, day))
            player_merge.unmerge(japan, "C", "B", HANAKO, "", date(2025, 1, day))
        assert rated(japan, tmp_path / "after") == before


class TestPublished:
    """With lists that the office really published: what is due after a merge, and after taking it apart."""

    @pytest.fixture
    def nation(self):
        pool = enter_folder("nation", EXAMPLES / "japan", "test")
        publishing.publish(pool, "2025-03", HANAKO, date(2025, 3, 2))
        return pool

    def content(self, pool):
        """Every figure of the latest revision of each list."""
        latest = {listed.name: listed for listed in pool.lists.order_by("revision")}
        rows = models.ListRow.objects.filter(list__in=latest.values()).order_by(
            "list__name", "speed", "player_id"
        )
        return list(rows.values_list("list__name", "speed", "player_id", "rating", "games", "change", "peak"))

    def due(self, pool):
        return [due.published.name for due in recompute(pool, read_book(pool)).due]

    def merged(self, pool, day):
        """Two who never met, of whom one goes; nothing is published by that."""
        ids = list(standing_rows(pool, facts.Player).values_list("player_id", flat=True))
        pairs = (
            (kept, merged) for kept in ids for merged in ids if not player_merge.obstacles(pool, kept, merged)
        )
        kept, merged = next(pair for pair in pairs if player_merge.merge_extent(pool, pair[1]).games)
        count = pool.lists.count()
        player_merge.merge(pool, kept, merged, HANAKO, "one person", day)
        assert pool.lists.count() == count
        return kept, merged

    @pytest.mark.slow
    def test_revisions_are_due_and_due_again_when_taken_apart(self, nation):
        before = self.content(nation)
        kept, merged = self.merged(nation, date(2025, 3, 10))
        due = self.due(nation)
        assert due
        assert min(due) > "2024-12"  # older than 90 days: 2024-12-01 and before
        corrections.revise(nation, HANAKO, "merged")
        assert self.due(nation) == []
        assert self.content(nation) != before
        player_merge.unmerge(nation, kept, merged, HANAKO, "two after all", date(2025, 3, 11))
        assert self.due(nation) == due
        corrections.revise(nation, HANAKO, "taken apart")
        assert self.content(nation) == before

    def test_nothing_is_due_when_it_was_undone_before_anything_was_revised(self, nation):
        kept, merged = self.merged(nation, date(2025, 3, 10))
        player_merge.unmerge(nation, kept, merged, HANAKO, "", date(2025, 3, 10))
        assert self.due(nation) == []

    def test_an_address_and_a_name_make_no_revision(self, nation):
        row = standing_rows(nation, facts.Player).first()
        record = facts.Player(
            *(getattr(row, name) for name in facts.Player._fields if name not in ("struck", "more"))
        )
        members.change(nation, record, ContactDetails(address="Kyoto"), HANAKO, "", date(2025, 3, 10))
        assert self.due(nation) == []


class TestWhatIsCarriedOver:
    """What the kept entry does not say, it takes over; taken apart, both are as they were."""

    def both(self, pool):
        kept = models.Player.objects.get(pool=pool, player_id="B")
        entry = open_entry(pool, Act("test", "change-member"))
        other = facts.Player("B2", "B TWIN", name_native="双子", club_id="C1", fide_id="7000001", sex="m")
        add_facts(entry, TABLES[facts.Player], [other])
        return record_of(kept, facts.Player), other

    def test_blank_fields_are_filled_up_and_blank_again(self, japan):
        before, other = self.both(japan)
        player_merge.merge(japan, "B", "B2", HANAKO, "one person", date(2025, 1, 1))
        row = members.find(japan, "B")
        assert (row.name, row.name_native, row.fide_id) == (
            before.name, before.name_native or "双子", before.fide_id or "7000001",
        )  # fmt: skip
        player_merge.unmerge(japan, "B", "B2", HANAKO, "two", date(2025, 1, 1))
        again = record_of(members.find(japan, "B"), facts.Player)
        assert again._replace(added=before.added) == before
        again = record_of(members.find(japan, "B2"), facts.Player)
        assert again._replace(added=None) == other

    def test_what_somebody_wrote_since_stays(self, japan):
        self.both(japan)
        player_merge.merge(japan, "B", "B2", HANAKO, "one person", date(2025, 1, 1))
        changed = record_of(members.find(japan, "B"), facts.Player)._replace(name="B ANEW")
        members.change(japan, changed, ContactDetails(), HANAKO, "", date(2025, 1, 1))
        player_merge.unmerge(japan, "B", "B2", HANAKO, "two", date(2025, 1, 1))
        assert (members.find(japan, "B").name, members.find(japan, "B2").name) == ("B ANEW", "B TWIN")

    def test_the_entry_with_games_is_the_fuller_one(self, japan):
        self.both(japan)
        assert player_merge.fuller_entry(japan, "B2", "B") == "B"
        assert player_merge.fuller_entry(japan, "B", "B2") == "B"
