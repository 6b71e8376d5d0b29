"""The laboratory in the office: asked by an officer, answered by the worker, shown with ways to the members."""

from __future__ import annotations

import csv
import re
import shutil
from typing import ClassVar

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from published_pools import EXAMPLES, published_pool
from repeated import entered_pool
from small_office import client, small_pool, visitor

from banzuke.database.ledger_folders import enter_folder
from banzuke.database.models import Job, JournalEntry, ListRow, Player
from banzuke.lab.report_page import Report
from banzuke.lab.sheets import note, sheet_of
from banzuke.office.jobs import job_queue
from banzuke.office.journal import Actor
from banzuke.office.rating_errors import show_errors, shown_errors
from banzuke.web import laboratory_pages

pytestmark = pytest.mark.django_db

LAB = "/office/japan/lab/"
REFORM = 'name = "K of 32"\nfrom = 2026-04-01\n[set]\n"jcf.k_new" = 32\n'


@pytest.fixture
def pool():
    return entered_pool("japan", EXAMPLES / "japan", "test")


@pytest.fixture
def officer(pool):
    return client("officer", pool)


def text(answer, status=200):
    assert answer.status_code == status
    return " ".join(answer.content.decode().split())


def ask(who, lab=LAB, **asked) -> Job:
    """Ask, and let the worker answer."""
    answer = who.post(lab, asked)
    assert answer.status_code == 302, text(answer)
    job = job_queue.work_off()
    assert answer["Location"] == f"/office/jobs/{job.pk}/"
    return job


class TestAsking:
    def test_an_officer_is_led_from_the_question_to_the_answer(self, officer):
        job = ask(officer, question="compare", books=["jcf-2024"], settings="K.normal=30")
        assert job.state == Job.State.DONE, job.result
        page = text(officer.get(f"/office/jobs/{job.pk}/", follow=True))
        assert "<h1>Example Chess Federation under other rules</h1>" in page
        assert re.search(r'<a href="/office/japan/register/members/J\d+/">J\d+</a>', page)
        assert "<code>K.normal=30</code>" in page
        assert "jcf-2024 k_normal=30" in page

    def test_nothing_of_the_book_or_the_lists_changes(self, officer, pool):
        before = pool.entries.count(), pool.lists.count(), ListRow.objects.count()
        ask(officer, question="compare", books=["ncs-2022"])
        assert (pool.entries.count(), pool.lists.count(), ListRow.objects.count()) == before

    def test_predictions_in_japanese(self, pool):
        officer = client("officer", pool, lang="ja")
        ask(officer, question="predict")
        page = text(officer.get(f"{LAB}predict/"))
        assert "<h3>レーティング差ごとの期待値と結果</h3>" in page
        assert "Log loss" not in page

    @pytest.mark.slow
    def test_what_cannot_be_believed_of_a_go_server(self):
        server = small_pool("go")
        officer = client("officer", server)
        page = text(officer.get("/office/go/lab/"))
        assert 'value="anomalies"' in page
        assert ask(officer, "/office/go/lab/", question="anomalies").state == Job.State.DONE
        assert "suspicious results" in text(officer.get("/office/go/lab/anomalies/"))

    def test_which_constants_of_a_go_server_can_be_tried(self):
        officer = client("officer", small_pool("go"))
        page = text(officer.get("/office/go/lab/"))
        assert 'value="compare"' in page
        assert 'value="account"' not in page
        assert "what-would-change" not in page
        assert 'name="books"' not in page
        assert "<td>zone_slack</td>" in page
        refused = text(officer.post("/office/go/lab/", {"question": "compare", "settings": "widest_ranks=4"}))
        assert "widest_ranks can be tried from 0 to 3." in refused

    @pytest.mark.slow
    def test_other_constants_of_a_go_server(self):
        officer = client("officer", small_pool("go"))
        job = ask(officer, "/office/go/lab/", question="compare", settings="later.multiplier=20")
        assert job.state == Job.State.DONE, job.result
        assert "pool later_multiplier=20" in text(officer.get("/office/go/lab/compare/"))
        assert ask(officer, "/office/go/lab/", question="predict").state == Job.State.DONE
        assert "how well ratings predict results" in text(officer.get("/office/go/lab/predict/"))

    def test_findings_lead_to_the_players_and_the_events(self, tmp_path):
        folder = tmp_path / "twice"
        shutil.copytree(EXAMPLES / "japan", folder)
        events, games = (
            list(csv.DictReader((folder / f"{name}.csv").open())) for name in ("events", "games")
        )
        first = next(row for row in events if row["event_id"] == games[0]["event_id"])
        events.append(first | {"event_id": "elsewhere", "name": "Elsewhere", "place": "Far away"})
        game = games[0] | {"event_id": "elsewhere", "round": "1"}
        for name, rows in (("events", events), ("games", [*games, game])):
            with (folder / f"{name}.csv").open("w", newline="") as stream:
                writer = csv.DictWriter(stream, list(rows[0]))
                writer.writeheader()
                writer.writerows(rows)
        officer = client("officer", enter_folder("twice", folder, "test"))
        ask(officer, "/office/twice/lab/", question="anomalies")
        page = text(officer.get("/office/twice/lab/anomalies/"))
        assert f'<a href="/office/twice/register/members/{game["white"]}/">{game["white"]}</a>' in page
        links = [f'<a href="/twice/events/{each}/">{each}</a>' for each in (first["event_id"], "elsewhere")]
        assert any(f"<td>{', '.join(both)}</td>" in page for both in (links, links[::-1]))
        assert officer.get("/twice/events/elsewhere/").status_code == 200

    def test_the_account_and_the_soundness_of_a_pool(self, officer):
        assert ask(officer, question="account").state == Job.State.DONE
        assert "Example Chess Federation: who makes the points" in text(officer.get(f"{LAB}account/"))
        assert ask(officer, question="soundness").state == Job.State.DONE
        assert "how sound the ratings are" in text(officer.get(f"{LAB}soundness/"))
        paper = officer.get(f"{LAB}soundness/report.pdf")
        assert paper.content.startswith(b"%PDF")
        assert officer.get(f"{LAB}predict/report.pdf").status_code == 404


class TestErrorsOnPlayersPages:
    ROWS: ClassVar = [
        {"variant": "pool", "speed": "standard", "rests_on": 10, "error": 61.6, "clusters": 20},
        {"variant": "pool", "speed": "standard", "rests_on": 30, "error": 40.2, "clusters": 16},
        {"variant": "pool", "speed": "standard", "rests_on": 50, "error": 5.0, "clusters": 15},
        {"variant": "pool", "speed": "standard", "rests_on": 100, "error": None, "clusters": 90},
        {"variant": "other", "speed": "standard", "rests_on": 30, "error": 90.0, "clusters": 90},
    ]

    def test_what_few_players_tell_of_is_not_shown(self):
        rows = [tuple(row.values()) for row in self.ROWS]
        found = laboratory_pages.errors_for_players(
            Report(
                note("t"),
                note("l"),
                (),
                (),
                [sheet_of("rating_errors", "rating_errors", list(self.ROWS[0]), rows)],
            )
        )
        assert found == {"standard": [[10, 62], [30, 40]]}

    def test_a_player_sees_the_error_only_while_the_office_shows_it(self):
        pool = published_pool()
        row = ListRow.objects.filter(list__pool=pool, speed="standard", rating__isnull=False).latest("pk")
        address = f"/japan/players/{row.player_id}/"
        etag = visitor().get(address)["ETag"]
        for errors, said in (
            ({"standard": [[1, 50], [row.games, 40], [row.games + 1, 9]]}, True),
            ({}, False),
        ):
            show_errors(pool, errors, Actor("chief"))
            answer = visitor().get(address, headers={"if-none-match": etag})
            page, etag = text(answer), answer["ETag"]
            assert (
                f"Ratings that rest on {row.games} games or more are off by about 40 points" in page
            ) == said
            assert "How sure is it?" in page or not said

    def test_an_officer_shows_it_from_the_report_and_takes_it_back(self, officer, pool, monkeypatch):
        ask(officer, question="soundness")
        monkeypatch.setattr(laboratory_pages, "ENOUGH", 1)
        shown = text(officer.post(f"{LAB}soundness/show/", {"show": ""}, follow=True))
        assert "Players&#x27; pages show it." in shown
        assert shown_errors(pool).errors["standard"]
        assert "Show it no more" in shown
        officer.post(f"{LAB}soundness/show/")
        assert shown_errors(pool) is None
        assert JournalEntry.objects.filter(act="rating-errors", pool=pool).count() == 2

    def test_which_numbers_predict_best(self, officer):
        asked = {"question": "fit", "settings": "k_normal\ntable_scale=400..600:100"}
        assert ask(officer, **asked).state == Job.State.DONE
        assert "which numbers predict best" in text(officer.get(f"{LAB}fit/"))

    def test_one_book_at_a_time_is_fitted_and_no_reform(self, officer):
        both = {"question": "fit", "books": ["ncs-2022", "jcf-2024"]}
        assert "One rule book at a time" in text(officer.post(LAB, both))
        assert "Proposed rules are judged by" in text(
            officer.post(LAB, {"question": "fit", "reform": REFORM})
        )

    def test_a_constant_that_no_book_has_is_refused_beside_its_field(self, officer):
        page = text(officer.post(LAB, {"question": "compare", "settings": "K.enormous=3"}))
        assert "No constant or setting of these rule books" in page
        assert Job.objects.count() == 0

    def test_a_question_that_makes_no_sense_is_refused(self, officer):
        refused = text(officer.post(LAB, {"question": "compare"}))
        assert "Choose at least one rule book or enter a number." in refused
        for given in ({"books": "jcf-2024"}, {"settings": "K.normal=30"}, {"reform": REFORM}):
            refused = text(officer.post(LAB, {"question": "anomalies"} | given))
            assert "Suspicious results are looked for in the games as they are" in refused
        assert Job.objects.count() == 0

    def test_the_form_has_an_example_of_each_field(self, officer):
        page = text(officer.get(LAB))
        assert re.search(r'placeholder="\w+=\d+"', page)
        assert re.search(r"from = 2027-04-01 \[set\] &quot;jcf\.\w+&quot; = \d+", page)

    def test_a_reform_is_tried_as_text_or_as_a_file(self, officer):
        job = ask(officer, question="compare", reform=REFORM)
        assert job.state == Job.State.DONE, job.result
        page = text(officer.get(f"{LAB}compare/"))
        assert "pool K of 32" in page
        assert "The reform “K of 32” is to come into force on 2026-04-01." in page
        file = SimpleUploadedFile("k32.toml", REFORM.encode())
        assert ask(officer, question="predict", reform_file=file).state == Job.State.DONE
        assert "pool K of 32" in text(officer.get(f"{LAB}predict/"))

    def test_a_reform_with_a_fault_is_refused_beside_its_field(self, officer):
        page = text(officer.post(LAB, {"question": "compare", "reform": REFORM.replace("k_new", "k_old")}))
        assert "set: jcf.k_old" in page
        assert "The book has no such number" in page
        file = SimpleUploadedFile("k32.toml", b"\xff\xfe")
        page = text(officer.post(LAB, {"question": "compare", "reform_file": file}))
        assert "The file is not UTF-8 text." in page
        file = SimpleUploadedFile("k32.toml", b"#" * 20_001)
        page = text(officer.post(LAB, {"question": "compare", "reform_file": file}))
        assert "The file is too long for a reform." in page
        assert Job.objects.count() == 0

    def test_the_numbers_of_the_pools_book_stand_beside_the_form(self, officer):
        page = text(officer.get(LAB))
        assert "Numbers of jcf-2024" in page
        assert '<td>k_new</td><td class="n">40</td><td>K of new players</td><td>JCF 5(1)K-new</td>' in page

    def test_a_book_of_another_kind_is_refused(self, officer):
        page = text(officer.post(LAB, {"question": "compare", "books": ["pandanet"]}))
        assert "errorlist" in page
        assert Job.objects.count() == 0

    def test_the_last_answers_are_led_to(self, officer):
        assert text(officer.get(LAB)).count("not asked yet") == 6
        ask(officer, question="anomalies")
        page = text(officer.get(LAB))
        assert page.count("not asked yet") == 5
        assert f'href="{LAB}anomalies/"' in page

    def test_what_was_never_asked_is_not_there(self, officer):
        assert [
            officer.get(f"{LAB}{at}").status_code for at in ("predict/", "what/", "predict/report.html")
        ] == [404] * 3


class TestTheAnswer:
    @pytest.mark.parametrize(
        "kept", [{}, {"title": 1}, {"title": ["a", []]}, {"title": ["a", {}], "lead": None}]
    )
    def test_what_is_kept_and_is_no_report_is_not_there(self, officer, pool, kept):
        job_queue.start("laboratory", pool, {"question": "compare"}, Actor("a"))
        Job.objects.update(state=Job.State.DONE, result=kept)
        for page in ("", "report.html"):
            assert officer.get(f"/office/{pool.slug}/lab/compare/{page}").status_code == 404

    def test_as_one_file_it_is_the_page_without_the_office(self, officer):
        ask(officer, question="compare", books=["jcf-2024"])
        answer = officer.get(f"{LAB}compare/report.html")
        page = text(answer)
        assert answer["Content-Disposition"] == 'attachment; filename="japan-compare.html"'
        assert answer["Cache-Control"] == "no-store"
        assert "/office/" not in page
        assert "default-src 'none'" in page

    def test_has_no_private_data(self, officer, pool):
        born = {day.isoformat() for day in Player.objects.values_list("birth_date", flat=True) if day}
        assert len(born) > 10
        for question in ("compare", "predict", "anomalies"):
            ask(officer, question=question, **({"books": ["ncs-2022"]} if question == "compare" else {}))
            page = text(officer.get(f"{LAB}{question}/")) + text(officer.get(f"{LAB}{question}/report.html"))
            assert [day for day in born if day in page] == []

    def test_a_hostile_name_is_text(self, tmp_path):
        hostile = "<script>alert(1)</script>"
        enter_folder("evil", called(hostile, tmp_path / "evil"), "test")
        boss = client("administrator")
        ask(boss, "/office/evil/lab/", question="compare", books=["jcf-2024"])
        page = boss.get("/office/evil/lab/compare/").content.decode()
        assert "&lt;script&gt;alert(1)" in page
        assert hostile not in page


def called(name, folder):
    """The example ledger with every player called so."""
    shutil.copytree(EXAMPLES / "japan", folder)
    with (folder / "players.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    with (folder / "players.csv").open("w", encoding="utf-8", newline="") as stream:
        table = csv.DictWriter(stream, rows[0])
        table.writeheader()
        table.writerows(row | {"name": name} for row in rows)
    return folder


class TestWithoutTheExtra:
    def test_the_page_says_what_to_install(self, officer, monkeypatch):
        monkeypatch.setattr(laboratory_pages, "is_installed", lambda: False)
        page = text(officer.get(LAB))
        assert "pip install &#x27;.[lab]&#x27;" in page
        assert "<form" not in page.split("<main")[1]

    def test_a_job_from_before_is_refused_in_words(self, officer, monkeypatch):
        monkeypatch.setattr("banzuke.office.laboratory.is_installed", lambda: False)
        job = ask(officer, question="anomalies")
        assert job.state == Job.State.FAILED
        assert "pip install" in job.result["refused"]["ja"]


def test_only_officers(pool):
    assert visitor().get(LAB).status_code == 302
    assert client("reporter", pool, "C1").get(LAB).status_code == 403
    assert client("officer", small_pool("fide")).get(LAB).status_code == 403
