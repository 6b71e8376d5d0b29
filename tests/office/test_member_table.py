"""One sheet with members and ratings: columns known by their headings, asked once, our own exports fed back."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from repeated import entered_pool

from banzuke.core import facts
from banzuke.core.fault import RefusedError
from banzuke.database.ledger_folders import enter_folder
from banzuke.exchange.list_export import ledger_list
from banzuke.exchange.list_files import list_file
from banzuke.ledger.folder import read_chess_ledger
from banzuke.office.fact_rows import standing_rows
from banzuke.office.journal import Actor
from banzuke.office.lists.publishing import publish
from banzuke.office.register import member_import, starting_ratings
from banzuke.office.register.table_columns import known_columns, meanings

pytestmark = pytest.mark.django_db
SMALL = Path(__file__).parents[1] / "ledger" / "small"
JAPAN = Path(__file__).resolve().parents[2] / "examples" / "japan"
HANAKO = Actor("hanako")
TODAY = date(2025, 3, 10)
WIDE = """会員番号,氏名,ローマ字,所属クラブ,スタンダード,スタンダード局数,ラピッド レーティング,ラピッド対局数,K
N1,新 一郎,NII Ichiro,,1850,40,UR,,20
N2,新 二郎,NII Jiro,,,,1500,12,40
A,,,,2100,55,0,,20
"""


@pytest.fixture
def japan(db):
    """A pool of four members, without starting ratings or lists."""
    return entered_pool("japan", SMALL / "japan", "test")


def sent(pool, data, name="m.csv"):
    return member_import.store_file(pool, name, data if isinstance(data, bytes) else data.encode(), HANAKO)


def taken(pool, file):
    return member_import.take_over(file, member_import.preview(file).position, HANAKO, TODAY)


def ratings(pool):
    return {(row.player_id, row.speed): (row.rating, row.games) for row in starting_ratings.openings(pool)}


def test_members_and_ratings_come_with_one_sheet(japan):
    before = ratings(japan)
    file = sent(japan, WIDE)
    seen = member_import.preview(file)
    assert [player.player_id for player in seen.plan.added] == ["N1", "N2"]
    assert ratings(japan) == before
    assert seen.unread == ("K",)
    taken(japan, file)
    assert ratings(japan) == before | {
        ("N1", "standard"): (1850, 40),
        ("N2", "rapid"): (1500, 12),
        ("A", "standard"): (2100, 55),
    }
    assert japan.entries.filter(act="import-members").count() == 1


def test_fide_ratings_come_with_the_sheet_and_are_no_starting_ratings(japan):
    before = ratings(japan)
    table = (
        "会員番号,ローマ字,FIDE Standard,FIDEラピッド,Rating,Games\nN1,NII Ichiro,1990,,1850,40\nB,,,1640,,\n"
    )
    taken(japan, sent(japan, table))
    players = standing_rows(japan, facts.Player)
    assert [players.get(player_id=one).fide_standard for one in ("N1", "A", "B")] == [1990, 1800, None]
    assert players.get(player_id="B").fide_rapid == 1640
    assert ratings(japan) == before | {("N1", "standard"): (1850, 40)}


def test_an_unknown_column_is_asked_once(japan):
    table = "会員番号,Wer,Farbe\nN1,NII Ichiro,blau\n"
    assert known_columns(japan, ["会員番号", "Wer", "Farbe"]) is None
    assert meanings(japan, ["会員番号", "Wer", "Farbe"]) == {"会員番号": "id"}
    file = sent(japan, table)
    assert file.columns is None
    member_import.set_columns(file, {"id": "会員番号", "name": "Wer"}, None)
    assert known_columns(japan, ["Wer", "会員番号", "Farbe", "性別"]) == {
        "name": "Wer",
        "id": "会員番号",
        "sex": "性別",
    }
    member_import.set_columns(file, {"id": "会員番号", "name_native": "Wer"}, None)  # said otherwise
    assert known_columns(japan, ["Wer", "会員番号"]) == {"name_native": "Wer", "id": "会員番号"}


def test_how_many_games_is_asked_where_no_column_says_it(japan):
    table = "member id,Rating\nA,1700\n"
    file = sent(japan, table)
    assert file.columns is None
    member_import.set_columns(
        file, {"id": "member id", "standard_rating": "Rating", "every_games": "30"}, None
    )
    taken(japan, file)
    assert ratings(japan)["A", "standard"] == (1700, 30)


def test_a_rating_that_is_none_is_a_fault_with_its_line(japan):
    file = sent(japan, "member id,Rating,Games\nA,much,3\n")
    with pytest.raises(RefusedError) as refused:
        member_import.preview(file)
    assert [(one.code, one.line) for one in refused.value.faults] == [("cell-rating", 2)]


def test_rows_that_the_ledger_struck_are_passed_over(japan):
    table = "player_id,name,added,struck\nA,ABE Old,,2025-01-01\nA,ABE Ichiro,2025-01-01,\nN,NEW Person,,\n"
    seen = member_import.preview(sent(japan, table, "players.csv"))
    assert [player.player_id for player in seen.plan.added] == ["N"]
    assert [change.new for change in seen.plan.changes if change.field == "name"] in ([], ["ABE Ichiro"])


@pytest.fixture(scope="module")
def listed():
    """A list of the example federation, as it leaves the house."""
    return ledger_list(read_chess_ledger(JAPAN), "2024-10", birth_dates=False)


@pytest.mark.parametrize(("kind", "lang"), [("csv", "en"), ("xlsx", "ja"), ("swiss-manager", "en")])
def test_our_own_lists_can_be_fed_back(japan, listed, kind, lang):
    data = list_file(listed, kind, lang, facts.STANDARD)
    ending = "csv" if kind == "swiss-manager" else kind
    file = sent(japan, data, f"list.{ending}")
    if kind == "swiss-manager":  # it does not say how many games
        assert file.columns is None
        columns = {
            field: heading for heading, field in meanings(japan, file.headings).items() if field != "-"
        }
        member_import.set_columns(file, columns | {"every_games": "30"}, None)
    done = taken(japan, file)
    assert len(done.plan.added) == len(listed.players)
    said = ratings(japan)
    for player in listed.players:
        known = standing_rows(japan, facts.Player).get(player_id=player.player_id)
        assert known.name == player.name
        for speed, rating in zip(listed.speeds, player.ratings, strict=True):
            if rating is not None and (kind != "swiss-manager" or speed == facts.STANDARD):
                assert said[player.player_id, speed][0] == rating.rating


def test_ratings_are_not_taken_after_the_first_list(japan):
    name = publish_first(japan)
    file = sent(japan, WIDE)
    seen = member_import.preview(file)
    assert (seen.published, seen.ratings) == (name, None)
    before = ratings(japan)
    assert len(taken(japan, file).plan.added) == 2
    assert ratings(japan) == before


def publish_first(pool):
    from banzuke.office.lists.coming_list import find_coming_list

    coming = find_coming_list(pool, date(2026, 12, 1))
    return publish(pool, coming.name, HANAKO, date(2026, 12, 1))[0].name


def test_of_a_club_there_is_one_rating(db):
    pool = enter_folder("club", SMALL / "hakodate", "test")
    known = known_columns(pool, ["会員番号", "氏名", "レーティング", "局数"])
    assert known == {"id": "会員番号", "name": "氏名", "rating": "レーティング", "games": "局数"}
