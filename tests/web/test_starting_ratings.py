"""Starting ratings: entered one by one and as a table while nothing is published."""

from __future__ import annotations

import io
import re
from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from openpyxl import Workbook
from web.small_office import client, small_pool

from banzuke.core.fault import RefusedError
from banzuke.database.book_reader import read_book
from banzuke.database.ledger_folders import write_folder
from banzuke.database.models import JournalEntry, RatingList
from banzuke.ledger.folder import read_ledger
from banzuke.office.administration import uploads
from banzuke.office.journal import Actor
from banzuke.office.lists.publishing import publish
from banzuke.office.register import members, player_merge, starting_rating_table, starting_ratings
from banzuke.office.register.members import ContactDetails

pytestmark = pytest.mark.django_db
CLERK = Actor("clerk")
FIDE, JAPAN = "/office/fide/register/openings/", "/office/japan/register/openings/"

SAID = {"player_id": "F1", "speed": "standard", "rating": "2410", "games": "12", "peak": "2450"}


@pytest.fixture
def fide():
    """A pool of F1 and F2, opened without ratings."""
    return small_pool("fide")


@pytest.fixture
def officer(fide):
    return client("officer", fide)


def standing(pool):
    return {(row.player_id, getattr(row, "speed", "")): row.rating for row in starting_ratings.openings(pool)}


def table(data, name="ratings.csv"):
    return {"file": SimpleUploadedFile(name, data if isinstance(data, bytes) else data.encode())}


def sent(by, where, data, name="ratings.csv"):
    """The address of the preview of a table."""
    answer = by.post(f"{where}send/", table(data, name))
    assert answer.status_code == 302
    return answer["Location"]


class TestOneByOne:
    def test_it_stands_in_the_book_and_the_exported_ledger(self, fide, officer, tmp_path):
        assert "There are no starting ratings" in officer.get(FIDE).content.decode()
        assert officer.post(FIDE, SAID).status_code == 302
        [opening] = read_book(fide).standings
        assert opening[:6] == ("F1", 2410, 12, "standard", 2450, None)
        write_folder(fide, tmp_path / "out")
        assert read_ledger(tmp_path / "out").standings == [opening]
        [noted] = JournalEntry.objects.filter(act="enter-openings")
        assert (noted.what["added"], noted.what["changed"]) == (1, 0)

    def test_another_one_takes_its_place_and_it_can_be_taken_back(self, fide, officer):
        officer.post(FIDE, SAID)
        officer.post(FIDE, SAID | {"rating": "2400"})
        assert standing(fide) == {("F1", "standard"): 2400}
        officer.post(FIDE, SAID | {"rating": "2400"})
        assert fide.entries.filter(act="enter-openings").count() == 2
        row = starting_ratings.openings(fide).get()
        officer.post(f"{FIDE}{row.pk}/take-back/")
        assert standing(fide) == {}
        again = officer.post(f"{FIDE}{row.pk}/take-back/", follow=True).content.decode()
        assert "This starting rating was changed in the meantime" in again

    @pytest.mark.parametrize(
        ("said", "field", "sentence"),
        [
            ({"player_id": "F9"}, "player_id", "Nobody in the register has the id"),
            ({"rating": "much"}, "rating", "cannot be a rating"),
            ({"games": "-1"}, "games", "out of range"),
            ({"games": ""}, "games", "required"),
        ],
    )
    def test_what_cannot_be(self, fide, officer, said, field, sentence):
        answer = officer.post(FIDE, SAID | said)
        assert sentence in " ".join(answer.context["form"].errors[field])
        assert standing(fide) == {}

    def test_a_struck_player_has_none(self, fide, officer):
        members.add(fide, read_book(fide).players[0]._replace(player_id="F3"), ContactDetails(), CLERK)
        player_merge.merge(fide, "F1", "F3", CLERK, "", date(2025, 11, 1))
        answer = officer.post(FIDE, SAID | {"player_id": "F3"})
        assert "player_id" in answer.context["form"].errors

    @pytest.mark.parametrize(
        ("lang", "said"),
        [
            ("en", "Fewer than 30 games and K is that of a new player. [FIDE 8.3.3]"),
            ("ja", "30局未満なら新規プレイヤーのKになります。 [FIDE 8.3.3]"),
        ],
    )
    def test_the_rules_own_figures(self, fide, lang, said):
        page = client("chief", lang=lang).get(FIDE)
        assert "<code>player_id</code>" in page.content.decode()
        decides = {name: about for name, _, about in page.context["columns_asked"]}
        assert set(decides) == set(SAID)
        assert decides["games"] == said
        assert "2400" in decides["peak"]

    def test_a_club_has_one_kind_of_rating(self):
        pool = small_pool("hakodate")
        page = client("officer", pool).get("/office/hakodate/register/openings/")
        assert list(page.context["form"].fields) == ["player_id", "rating", "games", "peak"]
        assert "HCC R8" in page.content.decode()

    def test_of_a_go_server(self):
        pool = small_pool("go")
        officer = client("officer", pool)
        before = starting_ratings.openings(pool).count()
        player = read_book(pool).players[-1].player_id
        said = {"player_id": player, "rank": "1d+", "points": "40", "rated_games": "19"}
        answer = officer.post("/office/go/register/openings/", said)
        assert "20 rated games" in " ".join(answer.context["form"].errors["rated_games"])
        officer.post("/office/go/register/openings/", said | {"rated_games": "20"})
        assert starting_ratings.openings(pool).filter(player_id=player).get().rank == "1d+"
        assert starting_ratings.openings(pool).count() == before + 1


class TestTable:
    GOOD = "ID,Name,Speed,Rating,Games,Peak\nF1,Adams,standard,2410,40,2450\nF2,Baker,standard,2100,3,\n"

    def test_seen_before_it_is_written(self, fide, officer):
        where = sent(officer, FIDE, self.GOOD)
        page = officer.get(where).content.decode()
        assert "2 starting ratings are new" in page
        assert standing(fide) == {}
        officer.post(where, {"position": officer.get(where).context["position"]})
        assert standing(fide) == {("F1", "standard"): 2410, ("F2", "standard"): 2100}
        assert officer.get(where).status_code == 404

    def test_what_differs_is_shown_beside_what_stands(self, fide, officer):
        officer.post(FIDE, SAID)
        where = sent(officer, FIDE, self.GOOD)
        plan = officer.get(where).context["plan"]
        assert [(row.rating, row.games, new.rating, new.games) for row, new in plan.changed] == [
            (2410, 12, 2410, 40)
        ]
        assert [new.player_id for new in plan.added] == ["F2"]

    def test_a_workbook_with_japanese_headings(self, fide, officer):
        book = Workbook()
        for row in (
            ["開設時レーティング"],
            ["会員番号", "種目", "レーティング", "局数"],
            ["F1", "ラピッド", 1810, 20],
        ):
            book.active.append(row)
        stream = io.BytesIO()
        book.save(stream)
        where = sent(officer, FIDE, stream.getvalue(), "持ち点.xlsx")
        officer.post(where, {"position": officer.get(where).context["position"]})
        assert standing(fide) == {("F1", "rapid"): 1810}

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("ID,Rating,Games,Speed\nF9,2000,3,standard\n", "Nobody in the register has the id"),
            ("ID,Rating,Games,Speed\nF1,x,3,standard\n", "cannot be a rating"),
            ("ID,Rating,Games\nF1,2000,3\n", "no rating at the speed"),
            ("ID,Rating,Speed\nF1,2000,standard\n", "column is missing"),
            ("ID,Rating,Games,Speed\nF1,2000,3,rapid\nF1,2001,3,rapid\n", "has a row already"),
            ("nothing at all\n", "header"),
        ],
    )
    def test_faults_are_said_with_their_places(self, fide, officer, text, sentence):
        page = officer.get(sent(officer, FIDE, text)).content.decode()
        assert sentence in page, page
        assert ">Import<" not in page

    def test_neither_a_second_sheet_nor_a_row_after_an_open_quotation_mark_is_lost(self):
        book, heading = Workbook(), ["ID", "Rating", "Games", "Speed"]
        for sheet, speed in ((book.active, "standard"), (book.create_sheet("two"), "rapid")):
            sheet.append(heading)
            sheet.append(["F1", 2000, 3, speed])
        stream = io.BytesIO()
        book.save(stream)
        open_mark = f'{",".join(heading)}\nF1,2000,3,standard\nF1,2000,3,"rapid\nF2,1,1,standard\n'.encode()
        for data, line, code in ((stream.getvalue(), 0, "sheet-alike"), (open_mark, 3, "sheet-csv")):
            with pytest.raises(RefusedError) as refused:
                starting_rating_table.read(data, "x", is_go=False)
            assert [(fault.line, fault.code) for fault in refused.value.faults] == [(line, code)]

    def test_a_sheet_with_other_columns_is_passed_over(self):
        book = Workbook()
        for sheet, rows in (
            (book.active, [["player_id", "rating", "speed", "date", "games"], ["F1", 2000, "rapid", "", 3]]),
            (book.create_sheet("Members"), [["id", "name", "rating"], ["F1", "Adams", 2000]]),
        ):
            for row in rows:
                sheet.append(row)
        stream = io.BytesIO()
        book.save(stream)
        read = starting_rating_table.read(stream.getvalue(), "x", is_go=False)
        assert [record.player_id for record in read.records] == ["F1"]

    def test_no_other_book_than_was_looked_at(self, fide, officer):
        where = sent(officer, FIDE, self.GOOD)
        position = officer.get(where).context["position"]
        officer.post(FIDE, SAID)
        assert "changed since" in officer.post(where, {"position": position}, follow=True).content.decode()
        assert standing(fide) == {("F1", "standard"): 2410}

    def test_a_file_is_known_by_its_word_only(self, officer):
        word = uploads.keep("../../x.csv", [b"x"])
        assert uploads.find(word).name == "x.csv"
        uploads.drop("..")
        for wrong in ("..", "a" * 22):
            assert officer.get(f"{FIDE}sent/{wrong}/").status_code == 404


def test_kinds_of_rating_and_what_was_earned_are_told_in_words():
    pool = small_pool("japan")
    officer = client("officer", pool)
    officer.post(JAPAN, {"player_id": "C", "speed": "rapid", "rating": "1500", "games": "9", "earned": "on"})
    cells = officer.get(JAPAN, headers={"accept-language": "ja"}).content.decode()
    assert re.search(r'<td class="n">ラピッド</td>.*<td class="n">はい</td></?t', cells)
    assert not {"rapid</td>", "True</td>", "False</td>"} & set(re.findall(r"\w+</td>", cells))


class TestOncePublished:
    def test_nothing_is_entered_changed_or_taken_back(self):
        pool = small_pool("japan")
        officer, before = client("officer", pool), standing(pool)
        where = sent(officer, JAPAN, "ID,Speed,Rating,Games\nC,standard,1500,9\n")
        position = officer.get(where).context["position"]
        publish(pool, "2025-01", CLERK, date(2025, 2, 1))
        assert RatingList.objects.exists()
        page = officer.get(JAPAN).content.decode()
        assert "<button>Enter it" not in page
        first = RatingList.objects.filter(pool=pool).order_by("number").first().name
        said = {"player_id": "C", "speed": "standard", "rating": "1500", "games": "9"}
        refusal = f"List {first} is published. All lists depend on"
        assert refusal in " ".join(officer.post(JAPAN, said).context["form"].errors["__all__"])
        assert refusal in officer.post(where, {"position": position}, follow=True).content.decode()
        row = starting_ratings.openings(pool).first()
        assert refusal in officer.post(f"{JAPAN}{row.pk}/take-back/", follow=True).content.decode()
        assert standing(pool) == before
