"""A form that is sent when the session has ended is there after signing in, also without a script."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from small_office import PASSWORD, small_pool, user

from banzuke.database.models import JournalEntry
from banzuke.web.accounts import interrupted_forms

pytestmark = pytest.mark.django_db
NEW = "/office/japan/register/new/"
SAID = {"player_id": "N1", "name": "NEW One", "why": ""}


@pytest.fixture
def officer():
    made = user("officer", small_pool("japan"), name="officer")
    made.set_password(PASSWORD)
    made.save()
    return made


def hidden(page):
    """The hidden fields of the form in the middle of a page."""
    main = page.content.decode().partition("<main")[2]
    fields = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', main)
    return {name: value for name, value in fields if name != "csrfmiddlewaretoken"}


def sign_in(client, page, password=PASSWORD):
    said = {"login": "officer", "password": password} | hidden(page)
    return client.post("/accounts/login/", said, follow=True)


def test_what_was_sent_is_there_after_signing_in_and_is_sent_by_a_button(officer):
    client = Client(headers={"accept-language": "en"})
    page = client.post(NEW, SAID, headers={"referer": f"http://testserver{NEW}"})
    assert page.status_code == 401
    assert "What you have sent is not lost" in page.content.decode()
    page = sign_in(client, page, "wrong")
    assert "carried" in hidden(page)
    page = sign_in(client, page)
    assert page.redirect_chain == [("/accounts/interrupted/", 302)]
    assert hidden(page) == SAID
    assert f'action="{NEW}" data-sends="{NEW}"' in page.content.decode()
    assert not JournalEntry.objects.filter(act="add-member").exists()
    client.post(NEW, hidden(page))
    assert JournalEntry.objects.filter(act="add-member").count() == 1


def test_nothing_is_kept_of_who_does_not_sign_in(officer):
    client = Client()
    client.post(NEW, SAID)
    assert "sessionid" not in client.cookies
    client.force_login(officer)
    assert client.get("/accounts/interrupted/")["Location"] == "/office/"


@pytest.mark.parametrize("said", [{}, {"password1": "x"}, {"name": "x" * (interrupted_forms.MOST + 1)}])
def test_what_is_not_carried_leads_to_signing_in(officer, said):
    assert Client().post(NEW, said)["Location"].startswith("/accounts/login/?next=")


def test_what_we_have_not_signed_is_not_taken(officer):
    client = Client()
    client.force_login(officer)
    client.post("/accounts/login/", {"login": "officer", "password": PASSWORD, "carried": "forged"})
    assert interrupted_forms.CARRIED not in client.session


def test_who_has_signed_in_elsewhere_meanwhile_has_it_too(officer):
    client = Client()
    page = client.post(NEW, SAID)
    client.force_login(officer)
    assert hidden(sign_in(client, page)) == SAID


def test_what_an_officer_left_on_a_shared_machine_is_not_the_next_one_s(officer, settings):
    client = Client()
    client.force_login(user("officer", name="another"))
    client.get(NEW)
    settings.OFFICERS_IDLE = timedelta(seconds=-1)
    page = client.post(NEW, SAID)
    assert page.status_code == 401
    settings.OFFICERS_IDLE = timedelta(hours=1)
    assert sign_in(client, page).redirect_chain[-1][0] == "/office/"
    assert SAID["name"] not in client.get("/accounts/interrupted/", follow=True).content.decode()
