"""Publishing a ranking while games come in: what changes it stops it, what does not is no matter."""

from __future__ import annotations

import sys
from datetime import UTC, date, datetime, timedelta

import pytest
from office.published_office import CHIEF, TODAY, example, names

from banzuke.core.go_facts import Declaration, GoGame, GoOpening, GoPlayer
from banzuke.database import models
from banzuke.database.book_reader import files_of, last_entry
from banzuke.database.book_writer import Act, add_facts, open_entry
from banzuke.office.erasure.erasing import erase
from banzuke.office.fact_rows import TABLES
from banzuke.office.lists import fast_forward, list_storage, publishing, recompute, staleness
from banzuke.office.lists.corrections import revise
from banzuke.office.lists.list_index import current_lists
from banzuke.office.lists.office_verification import verify_office
from banzuke.office.lists.publishing import publish
from banzuke.office.lists.rehearsal import rehearse
from banzuke.office.lists.staleness import find_entry_since
from banzuke.office.lists.verification import verify
from banzuke.office.live import accounts, pool_events, submission_queue
from banzuke.office.refusals import MovedOnError, NothingToDoError, RevisionsDueError
from banzuke.office.transparency.office_log import rules_in_log

pytestmark = pytest.mark.django_db

#: The example's ranking holds January 2026.
NAME = "2026-02"
MARCH = date(2026, 3, 2)
LATER = datetime(2026, 2, 3, 12, tzinfo=UTC)
WITHIN = datetime(2026, 1, 31, 23, 59, tzinfo=UTC)


def game(game_id, ended):
    return GoGame(game_id, ended, "aosagi", "donguri", "B", 0, 13, 19, 200)


def ends(pool, game_id, ended):
    submission_queue.send(pool, [game(game_id, ended)], "server")


@pytest.fixture
def pool():
    found = example("go-server")
    assert names(found)[-1] == NAME
    return found


@pytest.fixture
def live(pool):
    """A pool that a server sends its games to."""
    ends(pool, "before", LATER)
    return pool


class TestGamesBetweenRehearsalAndPublishing:
    def test_later_games_newcomers_and_their_declarations_are_no_matter(self, live):
        seen = rehearse(live, NAME, TODAY)
        ends(live, "later", LATER)
        accounts.add_players(live, [accounts.Newcomer(GoPlayer("new", "New", "3k"))], "server")
        pool_events.add_declaration(live, Declaration("new", LATER, "5k"), "server")
        published = publish(live, NAME, CHIEF, TODAY, seen.position)
        assert [each.name for each in published] == [NAME]
        assert verify(live, NAME).is_good
        assert "new" not in set(published[0].rows.values_list("player_id", flat=True))
        with pytest.raises(NothingToDoError):
            revise(live, CHIEF, "nothing")

    def test_the_same_where_officers_entered_the_games(self, pool):
        seen = rehearse(pool, NAME, TODAY)
        entry = open_entry(pool, Act("officer", "games"))
        add_facts(entry, TABLES[GoGame], [game("later", LATER)])
        assert publish(pool, NAME, CHIEF, TODAY, seen.position)

    @pytest.mark.parametrize(
        "enter",
        [
            lambda pool: ends(pool, "late", WITHIN),
            lambda pool: pool_events.add_declaration(pool, Declaration("donguri", WITHIN, "5k"), "server"),
            lambda pool: pool_events.void_game(
                pool, models.GoGame.objects.first().game_id, "server", "a mistake"
            ),
            lambda pool: add_facts(
                open_entry(pool, Act("server", "games")), TABLES[GoGame], [game("late", WITHIN)]
            ),
            lambda pool: add_facts(
                open_entry(pool, Act("server", "standing")),
                TABLES[GoOpening],
                [GoOpening("donguri", "3k", 50, 0)],
            ),
            lambda pool: models.PoolFile.objects.create(
                entry=open_entry(pool, Act("server", "rules")), name="note.toml", text=""
            ),
        ],
        ids=["late-game", "late-declaration", "annulled", "officer-s-game", "opening", "rules"],
    )
    def test_what_changes_the_ranking_refuses_it_and_says_what(self, live, enter):
        seen = rehearse(live, NAME, TODAY)
        enter(live)
        entry = last_entry(live)
        ends(live, "last", LATER)
        with pytest.raises(MovedOnError) as refused:
            publish(live, NAME, CHIEF, TODAY, seen.position)
        assert refused.value.facts["entry"] == entry
        assert not live.lists.exists()
        assert publish(live, NAME, CHIEF, TODAY, last_entry(live))

    def test_an_annulled_game_of_later_is_no_matter(self, live):
        seen = rehearse(live, NAME, TODAY)
        pool_events.void_game(live, "before", "server", "a mistake")
        assert publish(live, NAME, CHIEF, TODAY, seen.position)

    def test_a_name_that_is_no_month_is_of_no_ranking(self, live):
        assert find_entry_since(live, 0, "nothing") is not None  # its rules came since then
        ends(live, "later", LATER)
        assert find_entry_since(live, last_entry(live) - 1, "nothing") is None


class TestGamesDuringPublishing:
    def test_a_later_game_stops_nothing(self, live):
        position = last_entry(live)

        def play(done, of, what):
            ends(live, f"during-{done}", LATER)

        published = publish(live, NAME, CHIEF, TODAY, position, play)
        assert published[0].entry_id == position
        assert last_entry(live) > position
        assert verify(live, NAME).is_good

    def test_a_late_one_is_refused_where_the_officer_has_not_seen_it(self, live):
        def play(done, of, what):
            ends(live, "during", WITHIN)

        with pytest.raises(MovedOnError):
            publish(live, NAME, CHIEF, TODAY, last_entry(live), play)

    def test_a_late_one_is_in_it_for_who_takes_whatever_there_is(self, live):
        def play(done, of, what):
            ends(live, "during", WITHIN)

        published = publish(live, NAME, CHIEF, TODAY, None, play)
        assert published[0].lines.filter(event_id="during").count() == 2
        assert verify(live, NAME).is_good


class TestGamesThatKeepComing:
    """They come when a list is made, and nothing of it is stored."""

    @pytest.fixture
    def come(self, live, monkeypatch):
        """What comes each time before a list is stored; the numbers of the times."""
        times = []

        def meanwhile(what):
            def lock(pool):
                times.append(len(times) + 1)
                what(times[-1])
                staleness.lock_publications(pool)

            monkeypatch.setattr(list_storage, "lock_publications", lock)
            return times

        return meanwhile

    def test_publishing_ends_and_what_comes_last_is_for_a_revision(self, live, come):
        times = come(lambda time: ends(live, f"late-{time}", WITHIN))
        (published,) = publish(live, NAME, CHIEF, TODAY)
        assert times == [1, 2, 3]
        assert games_in(published) == {"late-1", "late-2"}
        assert verify_office().is_good
        (revised,) = revise(live, CHIEF, "late games")
        assert times == [1, 2, 3, 4, 5, 6]
        assert games_in(revised) == {f"late-{time}" for time in range(1, 6)}
        assert verify_office().is_good

    def test_a_game_that_comes_once_is_in_the_list_as_a_whole(self, live, come):
        times = come(lambda time: ends(live, "late", WITHIN) if time == 1 else None)
        (published,) = publish(live, NAME, CHIEF, TODAY)
        assert times == [1, 2]
        assert published.lines.filter(event_id="late").count() == 2
        assert verify_office().is_good

    def test_who_is_erased_when_the_list_is_made_is_not_named_in_it(self, live, come):
        late = [lambda: ends(live, "late-1", WITHIN), lambda: ends(live, "late-2", WITHIN)]
        acts = [*late, lambda: erase(live, "aosagi", CHIEF), lambda: None]
        times = come(lambda time: acts[time - 1]())
        (published,) = publish(live, NAME, CHIEF, TODAY)
        assert times == [1, 2, 3, 4]
        assert not published.rows.filter(name="aosagi").exists()
        assert verify(live, NAME).is_good

    def test_rules_that_come_last_are_those_of_the_list(self, live, come):
        def enter(time):
            if time <= 3:
                entry = open_entry(live, Act("server", "rules"))
                models.PoolFile.objects.create(entry=entry, name=f"note-{time}.toml", text="")

        times = come(enter)
        (published,) = publish(live, NAME, CHIEF, TODAY)
        assert times == [1, 2, 3, 4]
        assert rules_in_log(live).keys() == files_of(live, published.entry_id).keys()
        assert verify_office().is_good


def test_of_who_is_erased_while_a_list_is_calculated_nothing_is_stored(live, monkeypatch):
    calculate, times = publishing.recompute, []

    def erased_meanwhile(*args):
        found = calculate(*args)
        times.append(len(times) + 1)
        if times == [1]:
            erase(live, "aosagi", CHIEF)
        return found

    monkeypatch.setattr(publishing, "recompute", erased_meanwhile)
    (published,) = publish(live, NAME, CHIEF, TODAY)
    assert times == [1, 2]
    assert not models.PlayerSalt.objects.filter(player_id="aosagi").exists()
    assert published.rows.count() > 1
    assert verify(live, NAME).is_good


def games_in(published):
    """The games that came meanwhile and are in a list."""
    return {event for event in published.lines.values_list("event_id", flat=True) if "late" in event}


def test_revisions_are_published_beside_later_games(live):
    publish(live, NAME, CHIEF, TODAY)
    ends(live, "late", WITHIN)

    def play(done, of, what):
        ends(live, f"during-{done}", LATER)

    revised = revise(live, CHIEF, "a late game", play)
    assert [(each.name, each.revision) for each in revised] == [(NAME, 1)]
    assert verify(live, NAME).is_good
    assert current_lists(live).get().revision == 1


class TestNewcomersAfterPublishing:
    """Who never played is on a ranking; nobody who comes later changes one that is published."""

    @pytest.mark.parametrize("by_columns", [False, True])
    def test_the_next_ranking_is_published_whatever_newcomers_do(self, pool, monkeypatch, by_columns):
        monkeypatch.setattr(fast_forward, "FROM_GAMES", 0 if by_columns else sys.maxsize)
        publish(pool, NAME, CHIEF, TODAY)
        newcomers = [accounts.Newcomer(GoPlayer(name, name, "5k")) for name in ("idle", "later", "soon")]
        accounts.add_players(pool, newcomers, "server")
        submission_queue.send(pool, [game("first", LATER)._replace(black="soon")], "server")
        [march] = publish(pool, "2026-03", CHIEF, MARCH)
        on_it = set(march.rows.values_list("player_id", flat=True))
        assert {"idle", "later", "soon"} <= on_it
        late = game("second", LATER + timedelta(days=28))
        submission_queue.send(pool, [late._replace(black="later")], "server")
        accounts.add_players(pool, [accounts.Newcomer(GoPlayer("new", "new", "5k"))], "server")
        passed = []
        start_after = recompute.start_after
        monkeypatch.setattr(recompute, "start_after", lambda *a: passed.append(start_after(*a)) or passed[-1])
        [april] = publish(pool, "2026-04", CHIEF, MARCH + timedelta(days=31))
        assert passed[0].passed == (2 if by_columns else 0)
        assert april.rows.filter(player_id="new").exists()
        assert all(verify(pool, name).is_good for name in (NAME, "2026-03", "2026-04"))

    @pytest.mark.parametrize("by_columns", [False, True])
    def test_a_game_that_comes_late_makes_a_revision_due(self, pool, monkeypatch, by_columns):
        monkeypatch.setattr(fast_forward, "FROM_GAMES", 0 if by_columns else sys.maxsize)
        publish(pool, NAME, CHIEF, TODAY)
        accounts.add_players(pool, [accounts.Newcomer(GoPlayer("idle", "idle", "5k"))], "server")
        ends(pool, "late", WITHIN)
        ends(pool, "later", LATER)
        with pytest.raises(RevisionsDueError):
            publish(pool, "2026-03", CHIEF, MARCH)
