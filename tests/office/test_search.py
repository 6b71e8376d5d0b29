"""One search: players, events, clubs and lists, in any script, with slips; who is shown by id only by id alone."""

from __future__ import annotations

import csv
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from office.published_office import erase
from properties import examples
from web.published_pools import EXAMPLES, hide, published_pool

from banzuke.core import facts
from banzuke.database.book_writer import Act, add_facts, new_entry, open_entry
from banzuke.database.models import FoundUpTo, NearWord
from banzuke.exchange import name_likeness
from banzuke.exchange.name_likeness import spelt_words
from banzuke.office.fact_rows import TABLES, record_of, replace, standing_rows, with_values
from banzuke.office.journal import Actor
from banzuke.office.lists.coming_list import today_of
from banzuke.office.near_names import near_players
from banzuke.office.register import members
from banzuke.office.register.player_merge import merge
from banzuke.office.search import search_index
from banzuke.office.search.found_players import find_players
from banzuke.office.search.office_search import Most, cleaned, search_all, search_pool

pytestmark = pytest.mark.django_db
CLERK = Actor("clerk", "127.0.0.1")
CHESS = (
    "japan",
    *(pytest.param(name, marks=pytest.mark.slow) for name in ("hakodate", "us-championship-2025")),
)
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def indexed(pool):
    """The pool with all of its names in the index."""
    while search_index.index_some():
        pass
    return pool


def players(pool, typed, most=20):
    """The ids of who is found, the exact ones first."""
    found = find_players(pool, cleaned(typed), most, search_index.find_unindexed(pool).players)
    return [one.person.player_id for one in (*found.exact, *found.near)]


def people_of(example):
    """The players of an example as its file has them: id, and the names there are."""
    with (EXAMPLES / example / "players.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    return [(row["player_id"], [row[key] for key in ("name", "name_native") if row.get(key)]) for row in rows]


def turned(name):
    """The name with its words in the other order, without commas."""
    words = name.replace(",", " ").split()
    return " ".join([*words[1:], words[0]])


def slipped(name, at, kind, letter):
    """The name with one letter more, less or another, or with two turned round."""
    places = [place for place, sign in enumerate(name) if sign.isalpha()]
    place = places[at % len(places)]
    before, after = name[:place], name[place:]
    return {
        "more": before + letter + after,
        "less": before + after[1:],
        "another": before + letter + after[1:],
        "turned": before + after[1:2] + after[:1] + after[2:],
    }[kind]


@pytest.mark.parametrize("is_indexed", [pytest.param(False, marks=pytest.mark.slow), True])
@pytest.mark.parametrize("example", CHESS)
def test_everybody_is_found_in_each_script_and_order(example, is_indexed):
    pool = published_pool(example)
    if is_indexed:
        indexed(pool)
    for player, names in people_of(example):
        assert players(pool, player)[0] == player
        for name in names:
            for typed in (turned(name), name.casefold().replace(" ", "　")):
                assert player in players(pool, typed)[:3], typed


def test_without_blanks_in_kanji_and_in_kana():
    pool = indexed(published_pool())
    for typed in (
        "村田満",
        "満村田",
        "村田　満",
        "むらた みつる",
        "ミツル ムラタ",
        "murata mitsuru",
        "Murata, M",
    ):
        assert players(pool, typed)[0] == "J013", typed


@pytest.mark.parametrize("is_indexed", [False, True])
@pytest.mark.parametrize(
    ("typed", "player"),
    [
        ("Fujiwra", "J001"),
        ("murata mitsru", "J013"),
        ("mitsru murata", "J013"),
        ("suzki", "J002"),
        ("muratamitsuru", "J013"),
        ("mura ta mitsuru", "J013"),
        ("村田充", "J013"),
        ("山木樹", "J003"),
        ("ふじわら ゆうと", "J001"),
        ("ふじわらゆうと", "J001"),
        ("むらたみつる", "J013"),
        ("hasegava", "J017"),
    ],
)
def test_with_slips(typed, player, is_indexed):
    pool = published_pool()
    if is_indexed:
        indexed(pool)
    assert player in players(pool, typed)[:5]


@pytest.fixture
def _no_tail(monkeypatch):
    """The index alone: nothing is looked through name by name."""
    monkeypatch.setattr(search_index, "LAST_ROWS", 0)


@pytest.mark.parametrize("example", CHESS)
@pytest.mark.usefixtures("_no_tail")
def test_three_slips_each_are_found_among_the_first_five(example):
    pool = indexed(published_pool(example))
    missed = []
    for number, (player, (name, *_)) in enumerate(people_of(example)):
        for kind, at in (("less", number), ("another", 3 * number + 1), ("turned", 5 * number + 2)):
            typed = slipped(name, at, kind, "k")
            missed += [] if player in players(pool, typed)[:5] else [(name, typed)]
    assert missed == []


@pytest.mark.usefixtures("_no_tail")
def test_one_slip_anywhere_is_found_among_the_first_five():
    pool, everybody = indexed(published_pool()), people_of("japan")
    kinds = st.sampled_from(["more", "less", "another", "turned"])

    @settings(max_examples=examples(300))
    @given(st.sampled_from(everybody), st.integers(0, 30), kinds, st.sampled_from(LETTERS))
    def found(person, at, kind, letter):
        player, (name, *_) = person
        typed = slipped(name, at, kind, letter)
        assert player in players(pool, typed)[:5], typed

    found()


def test_the_exact_ones_come_first_and_the_near_ones_apart():
    pool = indexed(published_pool())
    found = search_pool(pool, "takada", Most()).players
    assert [one.person.player_id for one in found.exact] == ["J035"]
    assert found.near == []
    found = search_pool(pool, "takasa ren", Most()).players
    assert not found.exact
    assert found.near[0].person.player_id == "J035"


def test_of_what_is_longer_than_names_in_kanji_nothing_is_near(django_assert_num_queries):
    pool = published_pool()
    with django_assert_num_queries(0):
        assert near_players(pool, "伊" * 200) == []


class TestMarksThatRepeat:
    """佐々木, さゝき, いすゞ: as they are written and as they are spoken, with an index of now or of before."""

    @pytest.fixture(params=["of now", "of before"])
    def pool(self, request, monkeypatch):
        pool = published_pool()
        for player, name, native in (
            ("J900", "SASAKI Misuzu", "佐々木 美鈴"),
            ("J901", "さゝき みすゞ", "佐々木 美鈴"),
        ):
            member = facts.Player(player, name, native, None, "", "", "")
            members.add(pool, member, members.ContactDetails(), CLERK)
        if request.param == "of now":
            return indexed(pool)
        with monkeypatch.context() as before:
            before.setattr(name_likeness, "_MARK", re.compile("(?!)"))
            return indexed(pool)

    @pytest.mark.usefixtures("_no_tail")
    def test_find_who_bears_them(self, pool):
        for typed in ("佐々木", "佐々木美鈴", "佐々木美玲", "さゝき みすゞ"):
            assert "J901" in players(pool, typed), typed
        found = search_pool(pool, "佐々木美鈴", Most()).players.exact
        assert [(one.person.player_id, one.namesakes) for one in found] == [("J900", 2), ("J901", 2)]

    def test_of_who_is_erased_no_word_stays(self, pool, settings, tmp_path):
        settings.HOME = tmp_path
        erase(pool, "J901")
        words = NearWord.objects.filter(pool=pool, word__in=("saゝki", "misuゝ"))
        assert not words.exists()

    def test_are_found_as_they_are_spoken(self):
        pool = published_pool()
        member = facts.Player("J901", "さゝき みすゞ", "佐々木 美鈴", None, "", "", "")
        members.add(pool, member, members.ContactDetails(), CLERK)
        for typed in ("sasaki misuzu", "ささき", "佐佐木"):
            assert "J901" in players(indexed(pool), typed), typed

    def test_an_event_is_found_by_them(self, monkeypatch):
        pool = published_pool()
        event = next(iter(standing_rows(pool, facts.Event)))
        with new_entry(pool, Act("clerk", "correct")) as entry:
            replace(entry, event, with_values(record_of(event, facts.Event), name="いすゞ杯"), today_of(pool))
        with monkeypatch.context() as before:
            before.setattr(name_likeness, "_MARK", re.compile("(?!)"))
            indexed(pool)
        (found,) = search_pool(pool, "いすゞ杯", Most()).events.exact
        assert found.event_id == event.event_id


class TestMembers:
    def test_who_was_never_rated_is_found_and_said_to_be_unrated(self):
        pool = published_pool()
        (ando,) = search_pool(pool, "ando", Most()).players.exact
        assert (ando.person.player_id, ando.ratings, ando.was_rated) == ("J034", (), False)

    def test_a_new_member_is_found_at_once_and_after_indexing(self):
        pool = indexed(published_pool())
        member = facts.Player("J900", "QUIGLEY Xavier", "", None, "", "", "")
        members.add(pool, member, members.ContactDetails(), CLERK)
        for typed in ("quigley", "xavier quigley", "quigly", "J900"):
            assert players(pool, typed) == ["J900"], typed
        indexed(pool)
        assert search_index.find_unindexed(pool) == ([], [], False)
        for typed in ("quigley", "xavier quigley", "quigly", "J900"):
            assert players(pool, typed) == ["J900"], typed

    def test_a_changed_name_is_found(self):
        pool = indexed(published_pool())
        row = members.find(pool, "J034")
        changed = facts.Player(
            "J034", "KURODA Shota", row.name_native, row.birth_date, row.sex, row.club_id, ""
        )
        members.change(pool, changed, members.ContactDetails(), CLERK, "married", today_of(pool))
        assert players(pool, "kuroda") == ["J034"]
        assert players(indexed(pool), "kurodda") == ["J034"]

    def test_a_merged_id_leads_to_the_kept_one(self):
        pool = indexed(published_pool())
        member = facts.Player("J900", "ANDOH Syota", "", None, "", "", "")
        members.add(pool, member, members.ContactDetails(), CLERK)
        indexed(pool)
        merge(pool, "J034", "J900", CLERK, "the same", today_of(pool))
        assert players(pool, "J900") == ["J034"]
        assert players(pool, "andoh syota") == ["J034"]
        assert search_pool(pool, "ando", Most()).players.exact[0].namesakes == 1

    def test_one_of_several_of_a_name(self):
        pool = indexed(published_pool())
        member = facts.Player("J900", "ANDO Shota", "安藤 翔太", None, "", "", "")
        members.add(pool, member, members.ContactDetails(), CLERK)
        indexed(pool)
        found = search_pool(pool, "ando shota", Most()).players.exact
        assert [(one.person.player_id, one.namesakes) for one in found] == [("J034", 2), ("J900", 2)]
        hide(pool, "J900")
        (found,) = search_pool(pool, "ando shota", Most()).players.exact
        assert found.namesakes == 1

    @pytest.mark.parametrize("is_indexed", [False, True])
    def test_who_is_shown_by_id_only_is_never_found_by_name(self, is_indexed):
        pool = published_pool()
        hide(pool, "J013")
        if is_indexed:
            indexed(pool)
        names = ("murata", "murata mitsuru", "村田満", "満", "むらた", "mitsru", "murata mitsru", "村田充")
        for typed in (*names, "muratamitsuru"):
            assert "J013" not in players(pool, typed), typed
        (found,) = search_pool(pool, "j013", Most()).players.exact
        assert (found.person.name, found.person.name_native, found.club_id) == ("", "", "")
        assert [
            one.person.player_id for each in search_all("j013", Most()) for one in each.players.exact
        ] == ["J013"]

    def test_a_go_server_has_ranks(self):
        pool = published_pool("go-server")
        (found,) = search_pool(pool, "tetsubin", Most()).players.exact
        assert [one.written for one in found.ratings] == ["2k"]
        assert "tetsubin" in players(pool, "tetsbin")
        assert "tetsubin" in players(indexed(pool), "tetsbin")


class TestOthers:
    def test_events_by_words_of_name_place_and_id(self):
        pool = published_pool()
        for made in (pool, indexed(pool)):
            for typed in ("golden week", "week golden", "golden 2024", "2024-05-golden", "golde"):
                found = search_pool(made, typed, Most()).events.exact
                assert [one.event_id for one in found] == ["2024-05-golden"], typed
            near = search_pool(made, "goldn week", Most()).events
            assert not near.exact
            assert near.near[0].event_id == "2024-05-golden"

    def test_clubs(self):
        pool = published_pool()
        for typed in ("hinoki", "hinoki chess", "C01", "chess hinoki"):
            assert "C01" in [one.club_id for one in search_pool(pool, typed, Most()).clubs], typed
        (found,) = search_pool(pool, "kawabbe", Most()).clubs
        assert (found.club_id, found.is_near) == ("C02", True)

    @pytest.mark.parametrize(
        "typed", ["2025-05", "2025年5月", "２０２５年５月", "May 2025", "202505", "2025/5", "令和7年5月"]
    )
    def test_a_month_is_its_list(self, typed):
        assert [one.name for one in search_pool(published_pool(), typed, Most()).lists] == ["2025-05"]

    def test_a_year_is_its_lists_and_events(self):
        found = search_pool(published_pool(), "2025", Most())
        assert [one.name for one in found.lists] == [f"2025-{month:02}" for month in (5, 4, 3, 2, 1)]
        assert {one.ends.year for one in found.events.exact} == {2025}


#: What nobody means and somebody types: nothing, a sign, ten thousand signs, signs of SQL, half signs.
ODD = [
    *("", " ", "%", "_", "\\", "'", '"', "\0", "a\0b", "😀", "s", "村", "-", "é", "~", "\ud800", "0" * 5),
    *("x" * 10_000, "村" * 10_000, "a " * 5_000, "a b c d e f g h", "2025-13", "9999-12", "0000-00"),
    *("令和99年99月", "0000", "jan 0000"),
]


class TestAnyText:
    @pytest.mark.parametrize("is_indexed", [False, True])
    @pytest.mark.slow
    def test_whatever_is_typed_is_answered(self, is_indexed):
        pool = published_pool()
        if is_indexed:
            indexed(pool)
        for typed in ODD:
            text = cleaned(typed)
            assert len(text) <= 100
            if text:
                search_pool(pool, text, Most())
                search_pool(pool, typed[:100].replace("\0", " ").strip() or "a", Most())


class TestIndex:
    def test_it_is_filled_in_parts_and_once(self, monkeypatch):
        pool = published_pool()
        monkeypatch.setattr(search_index, "AT_ONCE", 10)
        counts = []
        while count := search_index.index_some():
            counts.append(count)
        assert len(counts) > 3
        assert search_index.index_some() == 0
        keys = NearWord.objects.count()
        FoundUpTo.objects.all().delete()
        indexed(pool)
        assert NearWord.objects.count() == keys
        words = {word for _, names in people_of("japan") for word in spelt_words(names[0])}
        assert words == set(NearWord.objects.filter(kind="p").values_list("word", flat=True))

    def test_a_pool_that_is_behind_says_so(self, monkeypatch):
        pool = published_pool()
        assert not search_pool(pool, "takada", Most()).is_behind
        monkeypatch.setattr(search_index, "LAST_ROWS", 10)
        assert search_pool(pool, "takada", Most()).is_behind
        assert not search_pool(indexed(pool), "takada", Most()).is_behind

    def test_the_index_alone_finds_the_near_ones(self):
        assert near_players(indexed(published_pool()), "murata mitsru")[0] == "J013"

    def test_an_entry_without_names_is_no_work(self):
        pool = indexed(published_pool())
        open_entry(pool, Act("test", "nothing"))
        assert search_index.index_some() == 0
        entry = open_entry(pool, Act("test", "add"))
        add_facts(entry, TABLES[facts.Player], [facts.Player("J901", "New One", "", None, "", "", "")])
        assert search_index.index_some() == 1

    def test_a_number_of_questions_that_does_not_grow(self, django_assert_max_num_queries):
        pool = indexed(published_pool())
        for typed in ("s", "murata mitsru", "hinki", "村田充"):
            with django_assert_max_num_queries(30):
                search_pool(pool, typed, Most())
