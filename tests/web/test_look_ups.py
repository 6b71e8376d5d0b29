"""Names typed in place of ids, wherever an officer fills in an id: with a script, without one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.http import QueryDict
from repeated import entered_pool
from small_office import client, user

from banzuke.core import facts
from banzuke.database.models import GoGame, Role, Seed
from banzuke.office.journal import Actor
from banzuke.office.register import members
from banzuke.office.search.look_ups import LookUpKind, look_up, offers
from banzuke.web.look_ups import LookUpInput

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def text(page):
    return " ".join(page.content.decode().split())


@pytest.fixture
def japan(db):
    return entered_pool("japan", EXAMPLES / "japan", "test")


@pytest.fixture
def officer(japan):
    return client("officer", japan)


@pytest.mark.parametrize(
    ("kind", "typed", "found"),
    [
        (LookUpKind.MEMBER, "J008", "J008"),
        (LookUpKind.MEMBER, "ito kenta", "J008"),
        (LookUpKind.MEMBER, "伊藤健太", ""),
        (LookUpKind.MEMBER, "J008 ITO Kenta", "J008"),
        (LookUpKind.MEMBER, "J008 SAITO Isamu", ""),
        (LookUpKind.MEMBER, "kenta", ""),
        (LookUpKind.CLUB, "hinoki chess club", "C01"),
        (LookUpKind.MEMBER, "", ""),
    ],
)
def test_an_id_or_a_whole_name_is_one(japan, kind, typed, found):
    assert look_up(kind, japan, typed).id == found


def test_an_id_with_a_blank_is_found_before_its_beginning(japan):
    for player_id, name in (("12", "OTA Emi"), ("12 b", "MORI Ai")):
        members.add(japan, facts.Player(player_id, name), members.ContactDetails(), Actor("test"))
    for typed, found in (
        ("12 b", "12 b"),
        ("12 b MORI Ai", "12 b"),
        ("12 OTA Emi", "12"),
        ("12 MORI Ai", ""),
    ):
        assert look_up(LookUpKind.MEMBER, japan, typed).id == found


def test_parts_of_a_name_offer_whom_they_may_mean(japan):
    told = {one.id: one.about for one in offers(LookUpKind.MEMBER, japan, "ito")}
    assert told["J008"] == "伊藤 健太 1987 Hinoki Chess Club"
    assert not look_up(LookUpKind.MEMBER, japan, "nobody at all").offers


def test_what_is_chosen_counts_more_than_what_is_typed():
    sent = QueryDict("who=ito&who=J008")
    assert LookUpInput().value_from_datadict(sent, None, "who") == "J008"
    assert LookUpInput().value_from_datadict({"who": "ito"}, None, "who") == "ito"


def test_a_seed_by_names_without_a_script(japan, officer):
    event = offers(LookUpKind.EVENT, japan, "hokkaido") or offers(LookUpKind.EVENT, japan, "2024")
    sent = {"event_id": event[0].id, "kind": Seed.Kind.NATIONAL, "player_id": "ito"}
    page = text(officer.post("/office/japan/register/seeds/", sent))
    assert '<input type="radio" name="player_id" value="J008">' in page
    assert "Choose which one is meant, or type more of it." in page
    assert not Seed.objects.exists()
    officer.post("/office/japan/register/seeds/", sent | {"player_id": ["ito", "J008"]})
    assert Seed.objects.get().player_id == "J008"
    page = text(officer.post("/office/japan/register/seeds/", sent | {"player_id": "J999 Nobody"}))
    assert "Nobody in the register has this id." in page


def test_a_script_is_offered_what_is_meant(japan, officer):
    page = text(officer.get("/office/japan/look-up/member/", {"player_id": "ito"}))
    assert '<option value="J008 ITO Kenta">伊藤 健太 1987 Hinoki Chess Club</option>' in page
    assert officer.get("/office/japan/look-up/x/").status_code == 404
    assert text(officer.get("/office/japan/look-up/event/", {"e": "j"})) == ""


@pytest.mark.parametrize("address", ["register/seeds/", "register/files/", "register/openings/"])
def test_forms_ask_for_names(japan, officer, address):
    assert 'hx-get="/office/japan/look-up/' in text(officer.get(f"/office/japan/{address}"))


def test_a_field_says_what_is_typed_in_it(japan):
    page = text(client("officer", japan, lang="ja").get("/office/japan/register/seeds/"))
    found = dict(re.findall(r'name="(event_id|player_id)"[^>]* placeholder="([^"]+)"', page))
    assert found == {"event_id": "名称またはID", "player_id": "氏名または会員番号"}


def test_a_reporters_club_by_name(japan):
    boss, who = client("administrator"), user(name="mori")
    address = f"/office/users/{who.pk}/"
    assert '<option value="C01 Hinoki Chess Club">' in text(boss.get(address))
    boss.post(address, {"kind": "reporter", "pool": japan.pk, "club_id": "hinoki chess club"})
    assert Role.objects.get(user=who).club_id == "C01"
    page = text(boss.post(address, {"kind": "reporter", "pool": japan.pk, "club_id": "chess"}))
    assert "Which club is meant?" in page


def test_a_game_to_be_annulled_is_found_by_a_player(db):
    go = entered_pool("go", EXAMPLES / "go-server", "test")
    player = GoGame.objects.filter(pool=go).first().black
    page = text(client("officer", go).get("/office/go/live/annul/", {"game": player}))
    assert '<a href="?game=G' in page
