"""The register of a Go pool in the office: players listed, found, entered, renamed, marked as robots, erased."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from office.live_pool import game, go_pool, play
from small_office import small_pool, user

from banzuke.core import go_facts
from banzuke.database.models import GoPlayer, JournalEntry
from banzuke.office.fact_rows import standing_rows

pytestmark = pytest.mark.django_db
REGISTER = "/office/go/live/players/"


@pytest.fixture
def pool(settings, tmp_path):
    settings.HOME = tmp_path
    made = go_pool(("kaede", "1d", 13_800, 300), ("minato", "2d"), ("sensei", "3p"))
    play(made, game("g1", 1, "kaede", "minato", "B"))
    return made


def client(who, lang="en"):
    """A client signed in with that role, which is the user's name, too."""
    made = Client(headers={"accept-language": lang})
    made.force_login(get_user_model().objects.filter(username=who).first() or user(who))
    return made


def read(address, who="officer", lang="en", status=200, **asked):
    answer = client(who, lang).get(address, asked)
    assert answer.status_code == status
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def names(pool):
    return {row.player_id: row.name for row in standing_rows(pool, go_facts.GoPlayer)}


class TestRegister:
    @pytest.mark.parametrize(
        ("lang", "said"),
        [
            (
                "en",
                ("3 players", "Players of the server", "professional", "There is no reset.", "annul a game"),
            ),
            ("ja", ("3人", "サーバーのプレイヤー", "リセットはありません。", "対局の無効化")),
        ],
    )
    def test_everybody_with_rank_and_kind(self, pool, lang, said):
        text = read(REGISTER, lang=lang)
        assert [
            part for part in (*said, "kaede", "Kaede", "1d", "2d?", "3p", "2026") if part not in text
        ] == []

    def test_found_by_a_part_of_id_or_name(self, pool):
        assert "Minato" in (text := read(REGISTER, q="INA"))
        assert "Kaede" not in text
        assert "No player matches." in read(REGISTER, q="zz 9")

    def test_a_newcomer_is_entered(self, pool):
        officer = client("officer")
        sent = {"player_id": "wakaba", "name": "若葉", "declared": "BC", "robot": "on"}
        assert officer.post(REGISTER, sent)["Location"] == f"{REGISTER}wakaba/"
        assert "robot" in read(f"{REGISTER}wakaba/")
        assert names(pool)["wakaba"] == "若葉"
        assert GoPlayer.objects.get(player_id="wakaba").entry.author == "officer"
        officer.post(REGISTER, sent)  # the same again
        assert GoPlayer.objects.filter(player_id="wakaba").count() == 1

    @pytest.mark.parametrize(
        ("player", "name", "declared"),
        [
            ("kaede", "Other", "1d"),
            ("", "A", "1d"),
            ("a\u200b", "A", "1d"),
            ("new", " ", "1d"),
            ("new", "A", "1d+"),
        ],
    )
    def test_what_is_wrong_is_said_and_nothing_entered(self, pool, player, name, declared):
        sent = {"player_id": player, "name": name, "declared": declared}
        answer = client("officer").post(REGISTER, sent)
        assert answer.status_code == 200
        assert b"errorlist" in answer.content
        assert GoPlayer.objects.count() == 3

    def test_a_pool_of_chess_has_none(self, db):
        small_pool("japan", "chess")
        assert client("officer").get("/office/chess/live/players/").status_code == 404


class TestAccount:
    def test_renamed_with_the_history(self, pool):
        officer = client("officer")
        officer.post(f"{REGISTER}kaede/", {"name": "楓", "why": "asked for it"})
        assert names(pool)["kaede"] == "楓"
        text = read(f"{REGISTER}kaede/", lang="ja")
        assert [part for part in ("楓", "Kaede", "officer", "asked for it") if part not in text] == []
        officer.post(f"{REGISTER}kaede/", {"name": "楓"})
        assert JournalEntry.objects.filter(act="rename-player").count() == 1

    def test_marked_as_a_robot_and_not(self, pool):
        officer = client("officer")
        for said, there in (("1", True), ("0", False)):
            officer.post(f"{REGISTER}minato/robot/", {"robot": said, "why": "an engine"})
            assert ("No game against a robot" in (text := read(f"{REGISTER}minato/"))) is True
            assert ("This is no robot" in text.partition("What was entered")[0]) is there

    def test_nobody(self, pool):
        read(f"{REGISTER}nobody/", status=404)
        assert client("officer").post(f"{REGISTER}nobody/robot/", {"robot": "1"}).status_code == 404


class TestErasing:
    def test_the_number_takes_the_place_of_the_id(self, pool):
        address = f"{REGISTER}kaede/erase/"
        assert read(address, status=403) is not None
        for lang, said in (
            ("en", "The number 00000001 takes the place of the id"),
            ("ja", "番号 00000001 に置き換わり"),
        ):
            assert said in read(address, "chief", lang)
        assert "birth date" not in read(address, "chief")
        chief = client("chief")
        assert b"errorlist" in chief.post(address, {"typed": "minato"}).content
        answer = chief.post(address, {"typed": "kaede"})
        assert answer["Location"] == "/go/players/00000001/"
        assert set(names(pool)) == {"00000001", "minato", "sensei"}
        for page in ("/go/players/00000001/", "/go/ranking/", REGISTER, f"{REGISTER}00000001/"):
            text = read(page, "chief")
            assert "00000001" in text
            assert "aede" not in text
        assert "nothing is entered under this id" in read(f"{REGISTER}00000001/", "chief")
        read(f"{REGISTER}kaede/", status=404)

    def test_an_erased_one_is_not_renamed(self, pool):
        client("chief").post(f"{REGISTER}kaede/erase/", {"typed": "kaede"})
        answer = client("officer").post(f"{REGISTER}00000001/", {"name": "Kaede"})
        assert b"was erased" in answer.content
        assert names(pool)["00000001"] == "00000001"
