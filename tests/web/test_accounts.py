"""The house's door: passwords, lock-out, the second factor, sessions, headers, invitations, keys, the journal."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from axes.models import AccessAttempt
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.test import Client
from migrated_office import migrated
from small_office import PASSWORD, client, small_pool, user, visitor

from banzuke.database.models import ApiKey, Club, JournalEntry, OfficeSettings, Role
from banzuke.office.administration import api_keys, users
from banzuke.office.administration.licences import licence
from banzuke.office.administration.office_settings import office_settings
from banzuke.office.jobs.heartbeat import beat, note_restart
from banzuke.office.journal import Actor, note
from banzuke.server import settings as office
from banzuke.web.accounts import health_check
from banzuke.web.accounts.middleware import FirstOfficerMiddleware
from banzuke.web.accounts.sign_in_delay import SignInDelay

pytestmark = pytest.mark.django_db
BOSS = Actor("boss")


@pytest.fixture(autouse=True)
def _fresh_limits():
    cache.clear()


def with_password(kind=None, pool=None, club_id="", name=None):
    made = user(kind, pool, club_id, name)
    made.set_password(PASSWORD)
    made.save()
    return made


def sign_in(browser, name, password=PASSWORD, **how):
    return browser.post("/accounts/login/", {"login": name, "password": password}, **how)


def with_factor(somebody):
    """Set up a second factor; its secret."""
    secret = totp.generate_totp_secret()
    totp.TOTP.activate(somebody, secret)
    RecoveryCodes.activate(somebody)
    return secret


def code_of(secret):
    return totp.format_hotp_value(totp.hotp_value(secret, int(time.time()) // 30))


def reauthenticate(browser):
    assert browser.post("/accounts/reauthenticate/", {"password": PASSWORD}).status_code == 302


def acts():
    return list(JournalEntry.objects.order_by("pk").values_list("act", "who"))


class TestPasswords:
    def test_they_are_kept_by_argon2(self):
        """By Django's own hasher, whose cost only the tests lower."""
        assert with_password(name="aoi").password.startswith("argon2$argon2id$")
        assert office.PASSWORD_HASHERS[0] == "django.contrib.auth.hashers.Argon2PasswordHasher"

    @pytest.mark.parametrize("bad", ["short 1", "password123", "1234567890", "yoshiko-tanaka"])
    def test_weak_ones_are_refused(self, bad):
        somebody = user(name="yoshiko-tanaka")
        link = "/accounts/invitation/{}/{}/".format(*users.invitation(somebody, BOSS))
        answer = visitor().post(link, {"new_password1": bad, "new_password2": bad})
        assert answer.context["form"].errors["new_password2"]
        somebody.refresh_from_db()
        assert not somebody.has_usable_password()

    def test_one_is_changed_by_its_user(self):
        with_password(name="aoi")
        browser = visitor()
        sign_in(browser, "aoi")
        said = {"oldpassword": PASSWORD, "password1": "another one 77", "password2": "another one 77"}
        assert browser.post("/accounts/password/change/", said).status_code == 302
        assert ("password-changed", "aoi") in acts()
        assert sign_in(visitor(), "aoi", "another one 77").status_code == 302


class TestSigningIn:
    def test_it_leads_where_one_was_going(self):
        pool = small_pool("japan")
        with_password("officer", pool, name="aoi")
        answer = visitor().get("/office/japan/settings/")
        assert answer["Location"] == "/accounts/login/?next=/office/japan/settings/"
        said = {"login": "aoi", "password": PASSWORD, "next": "/office/japan/settings/"}
        assert visitor().post(answer["Location"], said)["Location"] == "/office/japan/settings/"

    def test_it_leads_nowhere_else(self):
        with_password("officer", name="aoi")
        said = {"login": "aoi", "password": PASSWORD, "next": "https://elsewhere.example/"}
        assert visitor().post("/accounts/login/", said)["Location"] == "/office/"

    def test_coming_and_going_and_failing_are_journalled(self):
        with_password("officer", name="aoi")
        browser = visitor()
        sign_in(browser, "aoi", "wrong")
        sign_in(browser, "somebody@example.org", "wrong")
        sign_in(browser, "aoi", REMOTE_ADDR="192.0.2.7")
        browser.post("/accounts/logout/")
        assert acts() == [
            ("sign-in-failed", "aoi"),
            ("sign-in-failed", ""),  # nobody's name: it may be a password, or an address
            ("sign-in", "aoi"),
            ("sign-out", "aoi"),
        ]
        assert JournalEntry.objects.get(act="sign-in").where == "192.0.2.7"

    def test_who_is_closed_out_stays_out(self):
        somebody = with_password("officer", name="aoi")
        browser = visitor()
        sign_in(browser, "aoi")
        user("administrator", name="boss")
        users.set_active(somebody, False, BOSS)
        assert browser.get("/office/").status_code == 302
        assert sign_in(browser, "aoi").status_code == 200

    def test_a_session_does_not_outlive_its_closed_user(self):
        somebody, other = client("officer", small_pool("japan")), client("administrator")
        closed = get_user_model().objects.get(username="officer-japan")
        users.set_active(closed, False, BOSS)
        users.set_active(closed, True, BOSS)
        assert somebody.get("/office/").status_code == 302
        assert other.get("/office/").status_code == 200

    def test_a_password_changed_in_the_admin_is_in_the_journal(self):
        with_password("administrator", name="aoi")
        browser = visitor()
        sign_in(browser, "aoi")
        new = "another kanban 99"
        said = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
        assert browser.post("/office/admin/password_change/", said | {"old_password": "x"}).status_code == 200
        assert ("password-changed", "aoi") not in acts()
        assert browser.post("/office/admin/password_change/", said).status_code == 302
        assert ("password-changed", "aoi") in acts()

    def test_nobody_signs_up(self):
        assert visitor().get("/accounts/signup/").status_code == 404


class TestLockOut:
    def failing(self, browser, times, **how):
        return [sign_in(browser, "aoi", "wrong", **how).status_code for _ in range(times)]

    def test_after_five_failures_even_the_right_password_waits(self):
        with_password(name="aoi")
        assert self.failing(visitor(), 5) == [200] * 4 + [429]
        answer = sign_in(visitor(), "aoi")
        assert answer.status_code == 429
        assert "15 minutes" in answer.content.decode()
        assert ("locked-out", "aoi") in acts()
        assert "aoi" not in AccessAttempt.objects.get().post_data

    def test_it_says_so_in_japanese(self):
        with_password(name="aoi")
        self.failing(visitor(), 5)
        assert "15分" in sign_in(visitor("ja"), "aoi").content.decode()

    def test_others_go_on(self):
        with_password(name="aoi")
        with_password(name="ren")
        self.failing(visitor(), 5)
        assert sign_in(visitor(), "ren").status_code == 302
        assert sign_in(visitor(), "aoi", REMOTE_ADDR="192.0.2.9").status_code == 302

    def test_strangers_lock_nobody_else_out(self):
        with_password(name="aoi")
        found = [self.failing(visitor(), 1, REMOTE_ADDR=f"192.0.2.{last}") for last in range(12)]
        assert found == [[200]] * 12
        assert sign_in(visitor(), "aoi").status_code == 302

    def test_another_way_of_writing_a_name_tries_nobodys_password(self):
        with_password(name="aoi")
        assert [sign_in(visitor(), name).status_code for name in ("AOI", "ａｏｉ")] == [200] * 2

    def test_it_ends_after_a_quarter_of_an_hour(self):
        with_password(name="aoi")
        self.failing(visitor(), 5)
        AccessAttempt.objects.update(attempt_time=datetime.now(UTC) - timedelta(minutes=16))
        assert sign_in(visitor(), "aoi").status_code == 302

    def test_an_administrator_unlocks(self):
        with_password(name="aoi")
        self.failing(visitor(), 5)
        attempt = AccessAttempt.objects.get()
        where = f"/office/admin/axes/accessattempt/{attempt.pk}/delete/"
        assert client("administrator").post(where, {"post": "yes"}).status_code == 302
        assert sign_in(visitor(), "aoi").status_code == 302
        assert ("unlocked", "administrator") in acts()


class TestGuessingFromManyAddresses:
    """A growing delay of one name, whatever address it is tried from."""

    def guess(self, times, name="aoi"):
        """Attempts that fail, each from another address; how long the last one had to wait."""
        return [SignInDelay(name, f"198.51.100.{number}").seconds() for number in range(times)][-1]

    def page(self, last, lang="en"):
        """What a page says to the right password from a new address."""
        answer = sign_in(visitor(lang), "aoi", REMOTE_ADDR=f"203.0.113.{last}")
        return "" if answer.status_code == 302 else answer.content.decode()

    @pytest.fixture
    def clock(self, monkeypatch):
        """The time of day, which the test moves."""
        now = [time.time()]
        monkeypatch.setattr(time, "time", lambda: now[0])
        return now

    def test_it_is_slowed_down(self, clock):
        with_password(name="aoi")
        self.guess(19)
        for number in range(4):
            answer = sign_in(visitor(), "aoi", "wrong", REMOTE_ADDR=f"192.0.2.{number}")
            assert answer.status_code == 200
        assert "after a pause (seconds: 1)" in answer.content.decode()
        assert AccessAttempt.objects.count() == 2, "the twentieth, and the first turn"
        for moved, seconds in ((1, 2), (2, 4), (4, 8)):
            clock[0] += moved
            assert self.guess(3) == seconds
        clock[0] += 8
        assert self.page(9) == ""

    def test_nobody_waits_longer_than_a_quarter_of_an_hour(self, clock):
        with_password(name="aoi")
        self.guess(20)
        for _ in range(12):
            clock[0] += 900
            self.guess(2)
        assert "900秒後" in self.page(9, "ja")
        clock[0] += 900
        assert self.page(9) == ""
        assert self.page(10) == "", "and a success ends the wait"

    @pytest.mark.parametrize("moved", [86_400, 3600, 10 * 365 * 86_400])
    def test_a_clock_that_is_set_back_lengthens_no_wait(self, clock, moved):
        with_password(name="aoi")
        clock[0] += moved
        assert self.guess(25) == 1
        clock[0] -= moved
        assert self.page(9) == "", "the turn that a wrong clock gave is free"
        waits = []
        for _ in range(14):
            waits.append(self.guess(2))
            clock[0] += waits[-1]
        assert waits == [min(2**turn, 900) for turn in range(1, 15)]
        assert self.page(8) == ""

    def test_who_signed_in_there_before_is_not_shut_out(self, clock):
        with_password(name="aoi")
        assert sign_in(visitor(), "aoi", REMOTE_ADDR="203.0.113.9").status_code == 302
        self.guess(40)
        assert self.page(9) == ""
        known = [sign_in(visitor(), "aoi", "wrong", REMOTE_ADDR="203.0.113.9").status_code for _ in range(5)]
        assert known == [200] * 4 + [429], "it has a count of its own"
        assert "after a pause" in self.page(10)

    def test_an_address_of_another_user_or_of_long_ago_is_not_known(self):
        with_password(name="aoi")
        long_ago = datetime.now(UTC) - timedelta(days=91)
        JournalEntry.objects.create(at=long_ago, who="aoi", where="203.0.113.9", act="sign-in")
        note(Actor("ren", "203.0.113.8"), "sign-in")
        note(Actor("aoi", "203.0.113.7"), "sign-in-failed")
        self.guess(22)
        assert all("after a pause" in self.page(last) for last in (7, 8, 9))

    def test_who_moves_about_and_types_well_never_waits(self):
        with_password(name="aoi")
        self.guess(19)
        assert [self.page(last) for last in range(4)] == [""] * 4

    def test_others_and_a_name_that_nobody_has(self):
        with_password(name="aoi")
        with_password(name="ren")
        assert self.guess(22) > 0
        assert sign_in(visitor(), "ren", REMOTE_ADDR="203.0.113.9").status_code == 302
        assert self.guess(22, name="nobody-at-all") > 0, "it does not tell which names there are"

    def test_an_administrator_ends_it_and_so_does_a_new_password(self):
        somebody = with_password(name="aoi")
        sign_in(visitor(), "aoi", "wrong", REMOTE_ADDR="192.0.2.1")
        self.guess(22)
        attempt = AccessAttempt.objects.get()
        where = f"/office/admin/axes/accessattempt/{attempt.pk}/delete/"
        assert client("administrator").post(where, {"post": "yes"}).status_code == 302
        assert self.page(9) == ""
        assert self.guess(30) > 0
        somebody.refresh_from_db()
        link = "/accounts/invitation/{}/{}/".format(*users.invitation(somebody, BOSS))
        assert visitor().post(link, {"new_password1": PASSWORD, "new_password2": PASSWORD}).status_code == 302
        assert self.page(10) == ""

    def test_whoever_has_a_session_guesses_no_faster(self):
        with_password(name="aoi")
        browser = visitor()
        sign_in(browser, "aoi")
        self.guess(22)
        answer = browser.post("/accounts/reauthenticate/", {"password": PASSWORD}, REMOTE_ADDR="203.0.113.9")
        assert "after a pause" in answer.content.decode()
        reauthenticate(browser)

    def test_of_attempts_at_the_same_moment_one_has_the_turn(self):
        with_password(name="aoi")
        self.guess(19)
        delays = [SignInDelay("aoi", f"203.0.113.{number}") for number in range(30)]
        seen = cache.get
        cache.get = lambda name, default=None: 19 if "count" in name else seen(name, default)
        try:
            assert [delay.seconds() for delay in delays].count(0) == 2, "the twentieth, and the first turn"
        finally:
            del cache.get


class TestSecondFactor:
    def test_required_it_comes_before_every_office_page(self):
        pool = small_pool("japan")
        OfficeSettings.objects.create(second_factor_required=True)
        officer, reporter = client("officer", pool), client("reporter", pool, "C1")
        for where in ("/office/", "/office/japan/settings/"):
            assert officer.get(where)["Location"] == "/accounts/2fa/totp/activate/"
        assert client("administrator").get("/office/admin/")["Location"].startswith("/office/admin/login/")
        assert reporter.get("/office/")["Location"] == "/office/japan/club/"

    def test_it_is_set_up_with_an_app(self, django_capture_on_commit_callbacks):
        OfficeSettings.objects.create(second_factor_required=True)
        somebody = with_password("officer", small_pool("japan"), name="aoi")
        browser = visitor()
        sign_in(browser, "aoi")
        assert browser.get("/accounts/2fa/totp/activate/")["Location"].startswith("/accounts/reauthenticate/")
        reauthenticate(browser)
        page = browser.get("/accounts/2fa/totp/activate/")
        assert "<svg" in page.content.decode()
        secret = page.context["form"].secret
        with django_capture_on_commit_callbacks(execute=True):
            code = code_of(secret)
            answer = browser.post("/accounts/2fa/totp/activate/", {"code": code})
        assert answer["Location"] == "/accounts/2fa/recovery-codes/"
        assert len(browser.get("/accounts/2fa/recovery-codes/").context["unused_codes"]) == 10
        assert browser.get("/office/").status_code == 200
        assert users.has_second_factor(somebody)
        assert ("second-factor-added", "aoi") in acts()
        for shown in (page, browser.get("/accounts/2fa/recovery-codes/")):
            assert shown["Cache-Control"] == "no-store"
        cache.clear()
        again = visitor()
        sign_in(again, "aoi")
        used = again.post("/accounts/2fa/authenticate/", {"code": code})
        assert used.status_code == 200, "the code of the set-up opens nothing"

    def test_a_wrong_code_does_not_set_it_up(self):
        somebody = with_password("officer", name="aoi")
        browser = visitor()
        sign_in(browser, "aoi")
        reauthenticate(browser)
        browser.get("/accounts/2fa/totp/activate/")
        assert browser.post("/accounts/2fa/totp/activate/", {"code": "000000"}).context["form"].errors
        assert not users.has_second_factor(somebody)

    def test_the_password_alone_opens_nothing(self):
        somebody = with_password("officer", small_pool("japan"), name="aoi")
        secret = with_factor(somebody)
        browser = visitor()
        assert sign_in(browser, "aoi")["Location"].startswith("/accounts/2fa/authenticate/")
        assert browser.get("/office/").status_code == 302
        wrong = browser.post("/accounts/2fa/authenticate/", {"code": "123"})
        assert wrong.context["form"].errors["code"]
        assert ("second-factor-failed", "aoi") in acts()
        assert browser.post("/accounts/2fa/authenticate/", {"code": code_of(secret)}).status_code == 302
        assert browser.get("/office/").status_code == 200

    @pytest.mark.parametrize("later", [0, 40])
    def test_a_code_opens_once_in_whatever_process(self, later, monkeypatch):
        secret = with_factor(with_password("officer", small_pool("japan"), name="aoi"))
        now = time.time()
        monkeypatch.setattr(time, "time", lambda: now)
        for expected, after in ((302, 0), (200, later)):
            browser = visitor()
            sign_in(browser, "aoi")
            monkeypatch.setattr(time, "time", lambda: now + after)  # noqa: B023  # called at once
            code = totp.format_hotp_value(totp.hotp_value(secret, int(now) // 30))
            assert browser.post("/accounts/2fa/authenticate/", {"code": code}).status_code == expected
            cache.clear()  # what the first process remembers

    def test_a_code_that_was_used_does_not_confirm_either(self):
        secret = with_factor(with_password("officer", small_pool("japan"), name="aoi"))
        browser, code = visitor(), code_of(secret)
        sign_in(browser, "aoi")
        assert browser.post("/accounts/2fa/authenticate/", {"code": code}).status_code == 302
        cache.clear()
        assert browser.post("/accounts/2fa/reauthenticate/", {"code": code}).context["form"].errors["code"]

    def test_a_recovery_code_opens_once(self):
        somebody = with_password("officer", small_pool("japan"), name="aoi")
        with_factor(somebody)
        codes = Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()
        for expected in (302, 200):
            browser = visitor()
            sign_in(browser, "aoi")
            answer = browser.post("/accounts/2fa/authenticate/", {"code": codes[0]})
            assert answer.status_code == expected

    def test_an_administrator_forgets_one_that_is_lost(self):
        somebody = with_password("officer", name="aoi")
        with_factor(somebody)
        client("administrator").post(f"/office/users/{somebody.pk}/second-factor/")
        assert not Authenticator.objects.exists()
        assert ("second-factor-reset", "administrator") in acts()


class TestSessions:
    def test_an_officers_ends_when_nobody_uses_it(self, settings):
        pool = small_pool("japan")
        officer = client("officer", pool)
        assert officer.get("/office/").status_code == 200
        session = officer.session
        session["banzuke-used"] -= 3601
        session.save()
        assert officer.get("/office/")["Location"].startswith("/accounts/login/")
        assert acts()[-1] == ("sign-out", "officer-japan")

    def test_use_keeps_it_alive(self):
        officer = client("officer", small_pool("japan"))
        officer.get("/office/")
        session = officer.session
        session["banzuke-used"] -= 3500
        session.save()
        assert officer.get("/office/").status_code == 200
        assert officer.session["banzuke-used"] > datetime.now(UTC).timestamp() - 60

    @pytest.mark.parametrize("ahead", [120, 3 * 3600, 400 * 86_400])
    def test_an_officers_ends_when_the_clock_is_set_back(self, ahead):
        officer = client("officer", small_pool("japan"))
        officer.get("/office/")
        session = officer.session
        session["banzuke-used"] += ahead
        session.save()
        assert officer.get("/office/")["Location"].startswith("/accounts/login/")

    @pytest.mark.parametrize("ahead", [30, 86_400])
    def test_a_use_in_the_future_becomes_one_of_now(self, ahead):
        """An officer's, of a clock that was set right by less than a minute; a reporter's always."""
        kind = "officer" if ahead < 60 else "reporter"
        browser = client(kind, small_pool("japan"), "C1")
        page = "/office/" if kind == "officer" else "/office/japan/club/"
        browser.get(page)
        session = browser.session
        session["banzuke-used"] += ahead
        session.save()
        by_itself = {"HTTP_X_BY_ITSELF": "1"}
        assert browser.get(page, **by_itself).status_code == 200
        assert browser.session["banzuke-used"] <= datetime.now(UTC).timestamp()

    def test_a_reporters_lasts(self):
        reporter = client("reporter", small_pool("japan"), "C1")
        reporter.get("/office/japan/club/")
        session = reporter.session
        session["banzuke-used"] -= 24 * 3600
        session.save()
        assert reporter.get("/office/japan/club/").status_code == 200

    def test_it_ends_after_two_weeks(self):
        with_password(name="aoi")
        cookie = sign_in(visitor(), "aoi").cookies["sessionid"]
        assert (cookie["max-age"], cookie["httponly"], cookie["samesite"]) == (14 * 86400, True, "Lax")


POLICY = {
    "default-src 'self'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'", "object-src 'none'",
}  # fmt: skip


class TestHeaders:
    @pytest.mark.parametrize("where", ["/", "/accounts/login/", "/office/", "/nothing/here/", "/healthz"])
    def test_every_page_says_what_a_browser_may_do(self, where):
        answer = visitor().get(where)
        assert set(answer["Content-Security-Policy"].split("; ")) == POLICY
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["X-Frame-Options"] == "DENY"
        assert answer["Referrer-Policy"] == "same-origin"
        assert "camera=()" in answer["Permissions-Policy"]

    @pytest.mark.parametrize("where", ["/accounts/login/", "/accounts/2fa/totp/activate/", "/office/users/"])
    def test_no_page_has_what_the_policy_refuses(self, where):
        with_password("administrator", name="aoi")
        browser = visitor()
        if where != "/accounts/login/":
            sign_in(browser, "aoi")
            reauthenticate(browser)
        page = browser.get(where).content.decode()
        assert "<h1>" in page
        assert not re.search(r"<script>|<style|\sstyle=|\son\w+=|https?://(?!www\.w3\.org)", page)

    @pytest.mark.slow
    def test_behind_tls(self, tmp_path):
        source = """
from django.core.management import call_command
from django.test import Client
from banzuke.server.office_opening import open_office
open_office()
from django.contrib.auth import get_user_model
get_user_model().objects.create_user("keeper")
from django.conf import settings
def ask(**more):
    answer = Client(SERVER_NAME="localhost").get("/accounts/login/", **more)
    return answer.headers.get("Strict-Transport-Security"), answer.cookies["csrftoken"]["secure"]
print(ask(HTTP_X_FORWARDED_PROTO="https"), ask(HTTP_X_FORWARDED_PROTO="https", REMOTE_ADDR="192.0.2.1"), settings.SESSION_COOKIE_SECURE)
"""
        env = os.environ | {"BANZUKE_TLS": "1", "DATABASE_URL": "", "BANZUKE_HOME": str(migrated(tmp_path))}
        done = subprocess.run(
            [sys.executable, "-c", source], env=env, capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == "('max-age=31536000', True) (None, True) True"

    def test_without_tls_nothing_is_promised(self):
        answer = visitor().get("/accounts/login/", HTTP_X_FORWARDED_PROTO="https")
        assert "Strict-Transport-Security" not in answer.headers
        assert not answer.cookies["csrftoken"]["secure"]

    def test_a_form_needs_its_token(self):
        with_password(name="aoi")
        refused = sign_in(Client(enforce_csrf_checks=True), "aoi")
        assert refused.status_code == 403
        assert "the proxy in front of the office may not pass on the address" in refused.text


class TestWhereFrom:
    @pytest.mark.parametrize(
        ("trusted", "connected", "said", "found"),
        [
            ([], "127.0.0.1", "192.0.2.1", "127.0.0.1"),
            (["127.0.0.1"], "127.0.0.1", "192.0.2.1", "192.0.2.1"),
            (["127.0.0.1"], "127.0.0.1", "1.1.1.1, 192.0.2.1", "192.0.2.1"),
            (["127.0.0.1", "10.0.0.0/8"], "127.0.0.1", "192.0.2.1, 10.1.2.3", "192.0.2.1"),
            (["127.0.0.1"], "198.51.100.4", "192.0.2.1", "198.51.100.4"),
            (["127.0.0.1"], "127.0.0.1", "nonsense", "127.0.0.1"),
            (["127.0.0.1"], "127.0.0.1", "", "127.0.0.1"),
            (["::1"], "::1", "2001:db8::5", "2001:db8::5"),
        ],
    )
    def test_a_trusted_proxy_is_believed_and_nobody_else(self, settings, trusted, connected, said, found):
        settings.TRUSTED_PROXIES = trusted
        with_password(name="aoi")
        sign_in(visitor(), "aoi", REMOTE_ADDR=connected, HTTP_X_FORWARDED_FOR=said)
        assert JournalEntry.objects.get(act="sign-in").where == found


class TestUsers:
    def test_a_name_that_another_one_got_a_moment_ago(self, monkeypatch):
        add = users.add_user

        def add_twice(*about):
            add(*about)
            return add(*about)

        monkeypatch.setattr(users, "add_user", add_twice)
        answer = client("administrator").post("/office/users/", {"username": "aoi"})
        assert "username" in answer.context["form"].errors

    def test_one_is_added_invited_and_comes_in(self):
        small_pool("japan")
        boss = client("administrator")
        boss.post("/office/users/", {"username": "aoi"})
        made = get_user_model().objects.get(username="aoi")
        said = {"kind": "reporter", "pool": "", "club_id": "C1"}
        assert boss.post(f"/office/users/{made.pk}/", said).context["form"].errors["pool"]
        pool = small_pool("fide", "second")
        said["pool"] = Club.objects.get().pool_id
        assert boss.post(f"/office/users/{made.pk}/", said).status_code == 302
        link = boss.post(f"/office/users/{made.pk}/invite/").context["link"]
        where = link.removeprefix("http://testserver")
        browser = visitor()
        assert browser.get(where).status_code == 200
        said = {"new_password1": PASSWORD, "new_password2": PASSWORD}
        assert browser.post(where, said)["Location"] == "/accounts/login/"
        assert browser.get(where).status_code == 404
        sign_in(browser, "aoi")
        assert browser.get("/office/", follow=True).context["pool"].slug == "japan"
        assert browser.get(f"/office/{pool.slug}/club/").status_code == 403
        done = [act for act, _who in acts()]
        assert done == ["user-added", "role-given", "user-invited", "password-chosen", "sign-in"]

    def test_a_club_that_the_pool_does_not_have(self):
        pool, somebody = small_pool("japan"), user(name="aoi")
        said = {"kind": "reporter", "pool": pool.pk, "club_id": "C9"}
        answer = client("administrator").post(f"/office/users/{somebody.pk}/", said)
        assert answer.context["form"].errors["club_id"] == ["The pool has no club with the id C9."]
        assert not somebody.roles.exists()

    def test_a_reporter_may_be_told_by_e_mail_and_no_longer(self):
        pool, somebody = small_pool("japan"), user(name="aoi")
        said = {"kind": "reporter", "pool": pool.pk, "club_id": "C1"}
        boss, page = client("administrator"), f"/office/users/{somebody.pk}/"
        answer = boss.post(page, said | {"notices_to": "aoi@example.org"}, follow=True)
        assert "notices by e-mail" in answer.text
        somebody.refresh_from_db()
        assert (somebody.email, somebody.roles.get().wants_notices) == ("aoi@example.org", True)
        changed = boss.post(page, said | {"notices_to": "mori@example.org"}, follow=True)
        assert "Notices are now sent to the new address." in changed.text
        boss.post(page, said | {"notices_to": "mori@example.org"})  # the same again: nothing is done
        ended = boss.post(page, said, follow=True)
        assert "No notices are sent for this role any more" in ended.text
        somebody.refresh_from_db()
        assert (somebody.email, somebody.roles.get().wants_notices) == ("", False)
        noted = JournalEntry.objects.filter(act__startswith="notices-").order_by("pk")
        assert [each.act for each in noted] == ["notices-begin", "notices-change", "notices-end"]
        assert {(each.who, each.pool) for each in noted} == {("administrator", pool)}
        assert "example.org" not in str([each.what for each in JournalEntry.objects.all()])

    def test_an_address_stays_while_another_role_needs_it(self):
        one, other, somebody = small_pool("japan"), small_pool("japan", "second"), user(name="aoi")
        roles = [users.give_role(somebody, Role.Kind.REPORTER, pool, "C1", BOSS) for pool in (one, other)]
        for role in roles:
            users.send_notices_to(role, "aoi@example.org", BOSS)
        user("administrator")
        users.take_role(roles[0], BOSS)
        somebody.refresh_from_db()
        assert somebody.email == "aoi@example.org"
        users.take_role(Role.objects.get(user=somebody), BOSS)
        somebody.refresh_from_db()
        assert somebody.email == ""
        assert JournalEntry.objects.filter(act="notices-end").count() == 2

    def test_an_invitation_holds_when_an_address_is_entered(self):
        pool, somebody = small_pool("japan"), user(name="aoi")
        role = users.give_role(somebody, Role.Kind.REPORTER, pool, "C1", BOSS)
        who, token = users.invitation(somebody, BOSS)
        users.send_notices_to(role, "aoi@example.org", BOSS)
        assert users.find_invited_user(who, token) == somebody
        users.choose_password(somebody, PASSWORD, BOSS)
        assert users.find_invited_user(who, token) is None

    def test_who_is_closed_meanwhile_stays_closed(self):
        somebody = user(name="aoi")
        same = get_user_model().objects.get(pk=somebody.pk)
        user("administrator", name="boss")
        users.set_active(same, False, BOSS)
        users.choose_password(somebody, PASSWORD, BOSS)
        now = get_user_model().objects.get(pk=somebody.pk)
        assert not now.is_active
        assert now.check_password(PASSWORD)
        users.set_active(same, True, BOSS)
        assert get_user_model().objects.get(pk=somebody.pk).check_password(PASSWORD)

    def test_a_name_is_no_address(self):
        answer = client("administrator").post("/office/users/", {"username": "aoi@example.org"})
        assert answer.context["form"].errors["username"]

    def test_an_administrators_role_is_for_all_pools(self):
        role = users.give_role(user(name="aoi"), Role.Kind.ADMINISTRATOR, small_pool("japan"), "", BOSS)
        assert role.pool is None

    def test_an_old_role_for_one_pool_does_not_run_the_installation(self):
        pool = small_pool("japan")
        assert client("administrator", pool).get("/office/users/").status_code == 403
        assert client("chief", pool).get("/office/japan/settings/").status_code == 200

    def test_the_last_administrator_stays(self):
        boss = client("administrator")
        administrator = get_user_model().objects.get(username="administrator")
        boss.post(f"/office/roles/{administrator.roles.get().pk}/take/")
        boss.post(f"/office/users/{administrator.pk}/close/")
        assert Role.objects.filter(user=administrator).exists()
        administrator.refresh_from_db()
        assert administrator.is_active
        assert acts() == []

    def test_an_invitation_ends_when_a_password_was_chosen(self):
        somebody = user(name="aoi")
        who, token = users.invitation(somebody, BOSS)
        users.choose_password(somebody, PASSWORD, BOSS)
        assert users.find_invited_user(who, token) is None
        assert users.find_invited_user("!!", token) is None
        assert visitor().get(f"/accounts/invitation/{who}/{token}/").status_code == 404


class TestFirstOfficer:
    SAID = {"username": "aoi", "password1": PASSWORD, "password2": PASSWORD}  # noqa: RUF012

    @pytest.fixture(autouse=True)
    def _nobody(self, monkeypatch, settings, tmp_path):
        monkeypatch.setattr(FirstOfficerMiddleware, "has_officer", False)
        settings.HOME = tmp_path

    @pytest.mark.parametrize("where", ["/", "/office/", "/japan/", "/accounts/login/", "/office/admin/"])
    def test_every_page_leads_there(self, where):
        assert visitor().get(where)["Location"] == "/office/first/"

    @pytest.mark.parametrize("code", ["", "aaaa-aaaa-aaaa"])
    def test_without_the_code_nobody_is_made(self, code):
        from banzuke.office.administration.setup_code import first_code

        assert first_code() != code
        answer = visitor().post("/office/first/", self.SAID | {"code": code})
        assert answer.context["form"].errors["code"]
        assert not get_user_model().objects.exists()

    def test_with_it_the_office_opens(self):
        from banzuke.office.administration.setup_code import first_code, fits

        code = first_code()
        assert first_code() == code
        browser = visitor()
        assert browser.get(f"/office/first/?code={code}").context["form"].initial["code"] == code
        answer = browser.post("/office/first/", self.SAID | {"code": code.upper()})
        assert answer["Location"] == "/office/new/"
        assert browser.get("/office/new/").status_code == 200
        assert browser.get("/office/users/").status_code == 200
        assert not fits(code)
        assert acts() == [("first-officer", "aoi")]
        assert visitor().get("/office/first/")["Location"] == "/office/"
        assert not office_settings().second_factor_required, "it was unticked"

    def test_where_a_pool_was_made_by_commands_the_open_tasks_come_next(self):
        from banzuke.office.administration.setup_code import first_code

        small_pool("hakodate")
        code = first_code()
        assert "A pool with its rule book" not in visitor().get("/office/first/").content.decode()
        answer = visitor().post("/office/first/", self.SAID | {"code": code})
        assert answer["Location"] == "/office/"

    def test_in_a_new_office_chief_and_administrator_set_a_second_factor_up_at_once(self):
        """From the first account as its page stands, and from a chief's first sign-in."""
        from banzuke.office.administration.setup_code import first_code

        browser = visitor()
        form = browser.get(f"/office/first/?code={first_code()}").context["form"]
        said = {name: form[name].initial for name in form.fields if form[name].initial}
        answer = browser.post("/office/first/", self.SAID | said)
        assert browser.get(answer["Location"])["Location"] == "/accounts/2fa/totp/activate/"
        page = browser.get("/accounts/2fa/totp/activate/")
        assert page.status_code == 200, "the password that was just chosen is not asked for again"
        with_password("chief", small_pool("japan"), name="ren")
        browser = visitor()
        for where in (sign_in(browser, "ren")["Location"], "/office/japan/inbox/", "/office/japan/board/"):
            assert browser.get(where)["Location"] == "/accounts/2fa/totp/activate/"

    def test_a_second_factor_is_asked_for_unless_it_is_unticked(self):
        from banzuke.office.administration.setup_code import first_code

        code, browser = first_code(), visitor()
        assert 'name="second_factor"' in browser.get("/office/first/").content.decode()
        assert browser.get("/office/first/").context["form"]["second_factor"].initial is True
        browser.post("/office/first/", self.SAID | {"code": code, "second_factor": "on"})
        assert office_settings().second_factor_required
        assert browser.get("/office/users/")["Location"] == "/accounts/2fa/totp/activate/"
        assert ("office-settings", "aoi") in acts()

    def test_weak_passwords_are_refused_here_too(self):
        from banzuke.office.administration.setup_code import first_code

        said = {"username": "aoi", "password1": "12345", "password2": "12345", "code": first_code()}
        assert visitor().post("/office/first/", said).context["form"].errors["password2"]

    def test_the_code_is_for_its_owner_alone(self, tmp_path):
        from banzuke.office.administration.setup_code import first_code

        first_code()
        assert (tmp_path / "first-officer-code").stat().st_mode & 0o777 == 0o600


class TestKeys:
    def test_it_is_shown_once_and_kept_as_a_hash(self):
        pool = small_pool("japan")
        somebody, boss = user("reporter", pool, "C1", name="aoi"), client("administrator")
        said = {
            "name": "site",
            "user": somebody.pk,
            "pool": pool.pk,
            "scopes": ["reports", "read"],
            "expires": "",
        }
        said["word"] = boss.get("/office/keys/").context["form"]["word"].value()
        made = boss.post("/office/keys/", said).context["made"]
        key = ApiKey.objects.get()
        again = boss.post("/office/keys/", said, follow=True)  # the page is loaded again
        assert again.redirect_chain == [("/office/keys/", 302)]
        assert "The key of this form was made before." in again.content.decode()
        assert ApiKey.objects.get() == key
        assert api_keys.find_access(made.text, "japan").prefix == key.prefix
        assert key.scopes == ["read", "reports"]
        assert made.text not in boss.get("/office/keys/").content.decode()
        assert made.text not in str(vars(key))
        assert made.text not in str(JournalEntry.objects.values_list("what", flat=True))

    def made(self, pool=None, scopes=("read",), ends=None):
        return api_keys.make_key("a", user("officer", pool, name="aoi"), pool, scopes, ends, BOSS)

    def test_it_opens_what_it_is_for(self):
        japan, go = small_pool("japan"), small_pool("go")
        text = self.made(japan).text
        opened = api_keys.find_access(text, "japan")
        assert (opened.scopes, opened.pool) == (["read"], japan)
        assert api_keys.find_access(text, go.slug) is None
        assert api_keys.find_access(text, "") is None
        assert api_keys.find_access(text + "x", "japan") is None
        assert api_keys.find_access("", "japan") is None

    def test_one_for_all_pools(self):
        text = self.made().text
        assert api_keys.find_access(text, "")
        assert api_keys.find_access(text, small_pool("japan").slug).pool

    def test_revoked_expired_or_of_a_closed_user_it_opens_nothing(self):
        made = self.made(ends=datetime.now(UTC) + timedelta(minutes=1))
        assert api_keys.find_access(made.text, "")
        ApiKey.objects.update(expires_at=datetime.now(UTC) - timedelta(minutes=1))
        assert api_keys.find_access(made.text, "") is None
        ApiKey.objects.update(expires_at=None)
        user("administrator", name="boss")
        users.set_active(made.key.user, False, BOSS)
        assert api_keys.find_access(made.text, "") is None
        users.set_active(made.key.user, True, BOSS)
        assert api_keys.find_access(made.text, "")
        client("administrator").post(f"/office/keys/{made.key.pk}/revoke/")
        assert api_keys.find_access(made.text, "") is None

    def test_with_the_role_the_keys_go(self):
        japan, other = small_pool("japan"), small_pool("japan", "other")
        somebody = user("reporter", japan, "C1", name="aoi")
        user("administrator", name="boss")
        Role.objects.create(user=somebody, pool=other, kind=Role.Kind.REPORTER, club_id="C1")
        texts = [
            api_keys.make_key("a", somebody, of, ["read"], None, BOSS).text for of in (japan, other, None)
        ]
        for pool, left in ((japan, [False, True, True]), (other, [False, False, False])):
            users.take_role(Role.objects.get(user=somebody, pool=pool), BOSS)
            opened = [
                any(api_keys.find_access(text, slug) for slug in ("japan", "other", "")) for text in texts
            ]
            assert opened == left
        assert acts().count(("key-revoked", BOSS.name)) == 3

    def test_it_opens_what_its_user_may_there(self):
        """Asked anew each time: in a pool without a role nothing, a reporter neither games nor private data."""
        japan, go, other = small_pool("japan"), small_pool("go"), small_pool("japan", "other")
        somebody = user("reporter", japan, "C1", name="aoi")
        Role.objects.create(user=somebody, pool=go, kind=Role.Kind.OFFICER)
        text = api_keys.make_key("a", somebody, None, api_keys.SCOPES, None, BOSS).text
        assert api_keys.find_access(text, "japan").scopes == ["read", "reports"]
        assert api_keys.find_access(text, "go").scopes == list(api_keys.SCOPES)
        assert api_keys.find_access(text, "other") is None
        assert api_keys.find_access(text, "").scopes == list(api_keys.SCOPES)
        Role.objects.filter(pool=go).delete()
        assert api_keys.find_access(text, "go") is None
        Role.objects.update(pool=None)
        assert api_keys.find_access(text, other.slug).scopes == ["read", "reports"]
        Role.objects.all().delete()
        assert not any(api_keys.find_access(text, slug) for slug in ("japan", "go", "other", "nothing", ""))

    @pytest.mark.parametrize(
        ("kind", "scope", "of", "field"),
        [
            (None, "read", "japan", "user"),
            ("reporter", "read", "go", "user"),
            ("reporter", "games", "japan", "scopes"),
            ("reporter", "private", None, "scopes"),
            ("officer", "games", None, None),
        ],
    )
    def test_one_for_more_than_its_user_may(self, kind, scope, of, field):
        pools = {"japan": small_pool("japan"), "go": small_pool("go")}
        somebody = user(kind, pools["japan"], name="aoi")
        said = {"name": "site", "user": somebody.pk, "scopes": [scope], "pool": pools[of].pk if of else ""}
        answer = client("administrator").post("/office/keys/", said)
        assert list(answer.context["form"].errors) == ([field] if field else [])
        assert ApiKey.objects.exists() is (field is None)

    def test_a_day_that_is_past(self):
        somebody = user("officer", small_pool("japan"), name="aoi")
        said = {"name": "site", "user": somebody.pk, "scopes": ["read"], "expires": "2001-01-01"}
        answer = client("administrator").post("/office/keys/", said)
        assert answer.context["form"].errors["expires"] == ["This day is past."]
        assert not ApiKey.objects.exists()

    def test_a_scope_that_there_is_not(self):
        with pytest.raises(ValueError, match="everything"):
            self.made(scopes=["everything"])


class TestJournal:
    def filled(self):
        japan, go = small_pool("japan"), small_pool("go")
        note(Actor("aoi", "192.0.2.1"), "published", japan, list="2025-01")
        note(Actor("ren"), "published", go, list="2026-02")
        note(Actor("aoi"), "=cmd()", go, list="+1+1")

    @pytest.mark.parametrize(
        ("wanted", "found"),
        [
            ("", ["=cmd()", "published", "published"]),
            ("pool=go", ["=cmd()", "published"]),
            ("act=published&who=aoi", ["published"]),
            ("who=nobody", []),
            ("pool=nowhere", []),
        ],
    )
    def test_it_is_searched(self, wanted, found):
        self.filled()
        page = client("administrator").get(f"/office/journal/?{wanted}").context["page"]
        assert [entry.act for entry in page] == found

    def test_page_by_page(self):
        for number in range(51):
            note(BOSS, f"act-{number}")
        boss = client("administrator")
        assert len(boss.get("/office/journal/").context["page"]) == 50
        assert [e.act for e in boss.get("/office/journal/?page=2").context["page"]] == ["act-0"]

    def test_as_a_table_without_formulas(self):
        self.filled()
        text = client("administrator").get("/office/journal.csv?pool=go").content.decode("utf-8-sig")
        rows = list(csv.reader(io.StringIO(text)))
        assert rows[0] == ["at", "who", "where", "pool", "act", "what"]
        assert [row[1:5] for row in rows[1:]] == [
            ["aoi", "", "go", "'=cmd()"],
            ["ren", "", "go", "published"],
        ]
        assert json.loads(rows[1][5]) == {"list": "+1+1"}
        assert acts()[-1] == ("journal-exported", "administrator")


class TestSettings:
    def test_they_are_changed_and_the_journal_does_not_repeat_them(self):
        boss = client("administrator")
        said = {"second_factor_required": "", "address": "1-2-3 Kasumi, Tokyo", "sends_notices": "on"}
        assert boss.post("/office/settings/", said).status_code == 302
        kept = OfficeSettings.objects.get()
        assert (kept.second_factor_required, kept.address, kept.sends_notices) == (
            False,
            said["address"],
            True,
        )
        assert JournalEntry.objects.get().what == {"changed": ["address", "sends_notices"]}
        boss.post("/office/settings/", said | {"address": "another", "contact": "ratings@example.org"})
        assert OfficeSettings.objects.get().contact == "ratings@example.org"
        assert OfficeSettings.objects.count() == 1

    def test_how_far_back_a_program_may_reach_and_that_is_in_the_journal(self):
        boss = client("administrator")
        assert office_settings().late_hours is None
        assert boss.post("/office/settings/", {"late_hours": "48"}).status_code == 302
        assert office_settings().late_hours == 48
        assert JournalEntry.objects.get().what == {"changed": ["late_hours"], "late_hours": 48}
        for wrong in ("-1", "87601", "a week"):
            assert boss.post("/office/settings/", {"late_hours": wrong}).status_code == 200
        assert office_settings().late_hours == 48
        boss.post("/office/settings/", {"late_hours": ""})
        assert office_settings().late_hours is None

    def test_the_licence_of_the_data_is_one_of_those_there_are(self):
        boss = client("administrator")
        assert licence() is None
        assert boss.post("/office/settings/", {"licence": "CC-BY-4.0"}).status_code == 302
        assert licence().name == "CC BY 4.0"
        assert JournalEntry.objects.get().what == {"changed": ["licence"], "licence": "CC-BY-4.0"}
        assert boss.post("/office/settings/", {"licence": "WTFPL"}).status_code == 200
        assert licence().spdx == "CC-BY-4.0"

    def test_what_it_does_is_said_in_both_languages(self):
        boss = client("administrator")
        assert "an officer can still accept such a game" in boss.get("/office/settings/").content.decode()
        japanese = boss.get("/office/settings/", headers={"accept-language": "ja"}).content.decode()
        assert "空欄：制限なし" in japanese


class TestHealth:
    def test_with_a_worker(self, settings, tmp_path):
        settings.HOME = tmp_path
        beat()
        answer = visitor().get("/healthz")
        assert (answer.status_code, answer.json()) == (
            200, {"database": "ok", "disk": "ok", "writing": "ok", "migrations": "ok", "jobs": "ok"},
        )  # fmt: skip

    def test_a_worker_that_was_started_again(self, settings, tmp_path):
        settings.HOME = tmp_path
        beat()
        boss = client("administrator")
        assert "ended by itself" not in boss.get("/office/").text
        note_restart()
        answer = visitor().get("/healthz")
        assert (answer.status_code, answer.json()["worker_restarts"]) == (200, 1)
        assert "1 × in the last 24 hours" in boss.get("/office/").text
        assert "ended by itself" not in client("officer").get("/office/").text

    def test_without_one(self, settings, tmp_path):
        settings.HOME = tmp_path
        assert (visitor().get("/healthz").status_code, visitor().get("/healthz").json()["jobs"]) == (
            503,
            "failed",
        )

    def test_a_worker_that_died(self, settings, tmp_path):
        settings.HOME = tmp_path
        beat()
        os.utime(tmp_path / "worker-beat", (1, 1))
        assert visitor().get("/healthz").json()["jobs"] == "failed"

    @pytest.mark.parametrize("least", [health_check.LEAST, 10**18])
    def test_without_room(self, least, settings, tmp_path, monkeypatch):
        monkeypatch.setattr(health_check, "LEAST", least)
        settings.HOME = tmp_path if least == 10**18 else tmp_path / "nothing"
        answer = visitor().get("/healthz")
        assert (answer.status_code, answer.json()["disk"]) == (503, "failed")

    def test_without_room_for_what_is_sent(self, settings, tmp_path, monkeypatch):
        settings.HOME = tmp_path
        monkeypatch.setattr(health_check.tempfile, "gettempdir", lambda: str(tmp_path / "nothing"))
        assert visitor().get("/healthz").json()["disk"] == "failed"

    def test_a_database_from_before(self, settings, tmp_path):
        from django.db.migrations.recorder import MigrationRecorder

        settings.HOME = tmp_path
        MigrationRecorder.Migration.objects.filter(app="book").last().delete()
        assert visitor().get("/healthz").json()["migrations"] == "failed"

    @pytest.mark.parametrize(("app", "told"), [("book", "failed"), ("mfa", "ok")])
    def test_a_database_of_a_newer_version(self, app, told, settings, tmp_path):
        """Of apps that are not ours, migrations that were joined into one have their rows still."""
        from django.db.migrations.recorder import MigrationRecorder

        settings.HOME = tmp_path
        MigrationRecorder.Migration.objects.create(app=app, name="0999_future")
        answer = visitor().get("/healthz")
        assert (answer.status_code, answer.json()["migrations"]) == (503, told), "503: no worker here"


def test_neither_error_page_nor_terminal_repeat_what_was_typed(monkeypatch, caplog):
    from banzuke.web.accounts import pool_pages

    def broken(request, _form):
        raise RuntimeError(request.POST["name"])

    monkeypatch.setattr(pool_pages, "_make_pool", broken)
    boss = client("administrator")
    boss.raise_request_exception = False
    said = {
        "slug": "north",
        "name": "1990-05-05 aoi@example.org",
        "rulebook": "ncs-2022",
        "start": "2024-01-01",
    }
    answer = boss.post("/office/new/", said)
    assert answer.status_code == 500
    assert not re.search("1990|example.org|Traceback", answer.content.decode())
    assert "/office/new/" in caplog.text
    assert "RuntimeError" in caplog.text
    assert not re.search("1990|example.org", caplog.text)
