"""Pages call pools, clubs and events by the reader's language; forms take both names."""

from __future__ import annotations

import pytest
from django.utils.translation import override
from published_pools import published_pool
from small_office import client, small_pool, visitor

from banzuke.core import facts
from banzuke.core.fault import fault
from banzuke.database.book_writer import Act, new_entry
from banzuke.database.models import Pool, RatingList, Sanction
from banzuke.office.fact_rows import record_of, replace, standing_rows, with_values
from banzuke.office.pages.rating_explanations import explain_rating
from banzuke.office.register import clubs
from banzuke.web.problem_views import warnings_of_list

pytestmark = pytest.mark.django_db


@pytest.fixture
def japan() -> Pool:
    pool = small_pool("japan")
    row = standing_rows(pool, facts.Event).get(event_id="E1")
    with new_entry(pool, Act("boss", "test")) as entry:
        replace(entry, row, with_values(record_of(row, facts.Event), name_native="六月大会"), row.ends)
    return pool


def test_the_event_by_the_readers_language(japan):
    for address in ("/japan/events/", "/japan/search/?q=June", "/japan/search/?q=六月"):
        ja, en = (visitor(lang).get(address).content.decode() for lang in ("ja", "en"))
        assert "六月大会" in ja, address
        assert "Open, June" in en, address
        assert "六月大会" not in en.partition("<main")[2].replace('value="六月"', ""), address


@pytest.mark.parametrize(("lang", "called"), [("ja", "六月大会"), ("en", "Open, June")])
def test_a_share_card_and_a_warning_call_the_event_so(japan, lang, called):
    html = visitor(lang).get("/japan/events/E1/").content.decode()
    assert f'og:title" content="{called} ·' in html
    with override(lang):
        (warning,) = warnings_of_list(japan, [fault("events.csv", 2, "E1", "warn-no-organiser", clause="1")])
    assert warning.of == called


def test_the_sentences_of_a_working_call_the_event_so():
    pool = published_pool()
    row = standing_rows(pool, facts.Event).get(event_id="2024-05-golden")
    with new_entry(pool, Act("boss", "test")) as entry:
        replace(entry, row, with_values(record_of(row, facts.Event), name_native="黄金週間大会"), row.ends)
    published = RatingList.objects.get(pool=pool, name="2024-06")
    published.entry = entry  # as if the list had been made after that
    for lang, called in (("ja", "黄金週間大会"), ("en", "Golden Week Open")):
        sentences = explain_rating(published, "J006", "standard", lang).sections[0].sentences
        assert [one.text for one in sentences if one.text.startswith(called)], lang


def test_a_pool_takes_a_japanese_name(japan):
    chief = client("chief", japan)
    page = chief.get("/office/japan/settings/")
    forms = page.context["forms"]
    data = {"name": "Small Federation", "name_native": "小さな連盟", "why": "two languages"}
    for form in forms.editions:
        initial = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
        data |= {
            form.add_prefix(name): value for name, value in initial.items() if value not in (None, False)
        }
    assert chief.post("/office/japan/settings/", data).status_code == 302
    assert "小さな連盟" in visitor("ja").get("/japan/").content.decode()
    assert "小さな連盟" not in visitor("en").get("/japan/").content.decode()
    answer = visitor("ja").get("/api/v1/pools").json()["pools"][0]
    assert (answer["name"], answer["name_native"]) == ("Small Federation", "小さな連盟")


def test_a_club_and_an_application_take_a_japanese_name(japan):
    officer = client("officer", japan)
    days = {"valid_from": "2025-01-01", "valid_to": "2025-12-31"}
    club = {"club_id": "C9", "name": "Hinoki", "name_native": "ひのき会", "kind": "club"}
    assert officer.post("/office/japan/register/clubs/", club | days).status_code == 302
    assert clubs.both_names(japan)["C9"] == ("Hinoki", "ひのき会")
    event = {"name": "Open", "name_native": "公開大会", "organiser": "C9", "starts": "2025-05-01"}
    more = {"ends": "2025-05-02", "place": "Tokyo", "responsible": "A", "speed": "standard"}
    officer.post("/office/japan/register/events/new/", event | more)
    assert Sanction.objects.get().name_native == "公開大会"
    page = officer.get("/office/japan/register/events/", headers={"accept-language": "ja"})
    assert "公開大会" in page.content.decode()


@pytest.mark.parametrize("name", ["公開\x1b大会", "\u202e会大開公"])
def test_a_japanese_name_is_held_to_what_a_ledger_takes(japan, name):
    officer = client("officer", japan)
    event = {"name": "Open", "name_native": name, "organiser": "C1", "starts": "2025-05-01"}
    more = {"ends": "2025-05-02", "place": "Tokyo", "responsible": "A", "speed": "standard"}
    assert officer.post("/office/japan/register/events/new/", event | more).status_code == 200
    assert not Sanction.objects.exists()
