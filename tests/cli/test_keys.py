"""Keys and pools made at the command line, for an office that nobody has opened a page of."""

from __future__ import annotations

import getpass
import json

import pytest
from command_runs import EXAMPLES, banzuke

from banzuke.database.models import JournalEntry, Pool, Role
from banzuke.office.administration import pools, users
from banzuke.office.administration.api_keys import find_access
from banzuke.office.administration.users import has_people

pytestmark = pytest.mark.django_db


@pytest.fixture
def go():
    assert banzuke("new", "--pool", "go", "--book", "pandanet", "--from", "2026-01-01").status == 0
    return Pool.objects.get()


def test_only_the_key_is_printed_and_it_opens_its_pool(go):
    made = banzuke("key", "--scope", "games,read", "--pool", "go")
    access = find_access(made.out.strip(), "go")
    assert (made.status, access.user, access.scopes) == (0, "program:go", ["read", "games"])
    assert JournalEntry.objects.get(act="key-made").who == getpass.getuser()
    banzuke("key", "--scope", "read", "--pool", "go", "--until", "2999-01-01")
    assert Role.objects.get().kind == "officer"
    assert not has_people()


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("--scope", "play", "--pool", "go"), 2, "read, reports, private, games"),
        (("--scope", "games", "--pool", "chess"), 1, "there are: go"),
        (("--scope", "games", "--pool", "go", "--user", "kato"), 1, "no active user"),
        (("--scope", "games", "--pool", "go", "--until", "2020-01-01"), 2, "is past"),
    ],
)
def test_errors_say_what_would_be_right(go, words, status, said):
    ran = banzuke("key", *words)
    assert (ran.status, ran.out, said in ran.err) == (status, "", True)


def test_a_user_without_a_role_gets_no_key(go, django_user_model):
    django_user_model.objects.create_user("kato")
    ran = banzuke("key", "--scope", "games", "--pool", "go", "--user", "kato")
    assert (ran.status, "kato has no role in go" in ran.err) == (1, True)


def test_a_pool_or_a_folder(go, tmp_path):
    again = banzuke("new", "--pool", "go", "--book", "pandanet", "--from", "2026-01-01")
    assert (again.status, "already used" in again.err) == (2, True)
    assert banzuke("new", "--book", "pandanet", "--from", "2026-01-01").status == 2


@pytest.mark.parametrize(
    "words",
    [
        ("new", "--book", "pandanet", "--from", "2026-01-01"),
        ("import-ledger", EXAMPLES / "go-server"),
        ("import-ledger", EXAMPLES / "hakodate"),
    ],
)
def test_the_slower_of_two_commands_for_one_name_is_told(go, monkeypatch, words):
    looks = iter((None, None))  # the name was free when the command looked, twice
    real = pools.check_free
    monkeypatch.setattr(pools, "check_free", lambda slug: next(looks, True) and real(slug))
    ran = banzuke(*words, "--pool", "go")
    assert (ran.status, "'go' is already used" in ran.err) == (2, True)


def test_the_slower_of_two_commands_for_a_first_key_makes_one_too(go, monkeypatch):
    add = users.add_user
    monkeypatch.setattr(users, "add_user", lambda *named: (add(*named), add(*named)))
    made = banzuke("key", "--scope", "games", "--pool", "go")
    assert (made.status, Role.objects.get().user.username) == (0, "program:go")


def test_examples_are_copied_once(tmp_path):
    assert banzuke("demo", "--copy", tmp_path / "examples").status == 0
    there = sorted(path.name for path in (tmp_path / "examples").iterdir())
    assert there == sorted(path.name for path in EXAMPLES.iterdir())
    assert banzuke("demo", "--copy", tmp_path / "examples").status == 2


def test_a_new_season_opens_with_the_players_of_the_old_one(go):
    done = banzuke("new", "--pool", "go-2027", "--like", "go", "--from", "2027-01-01", "--format", "json")
    assert json.loads(done.out) == {
        "pool": "go-2027", "like": "go", "from": "2027-01-01", "players": 0, "standings": 0,
    }  # fmt: skip
    for words in (
        ("--pool", "x"),
        ("--pool", "x", "--like", "go", "--book", "pandanet"),
        ("x", "--like", "go"),
        ("--pool", "x", "--like", "nothing"),
    ):
        assert banzuke("new", *words, "--from", "2027-01-01").status != 0
