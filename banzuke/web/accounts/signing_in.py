"""Signing in: how allauth behaves here, second factors that open once, and what the journal keeps of it."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.signals import password_changed, user_logged_in
from allauth.core.internal.cryptokit import compare_user_code
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authentication_failed, authenticator_added, authenticator_removed
from allauth.mfa.totp.internal import auth as totp
from allauth.mfa.utils import decrypt
from axes.signals import user_locked_out
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_out, user_login_failed
from django.core.exceptions import ValidationError
from django.db import transaction
from django.dispatch import Signal, receiver
from django.http import HttpRequest
from django.utils.translation import gettext as _

from banzuke.office.journal import Actor, note
from banzuke.web.accounts.middleware import client_address
from banzuke.web.accounts.sign_in_delay import SignInDelay


class OfficeAccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # it has no types
    """Users are made by administrators only."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002
        """Never."""
        return False

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Nothing is counted here: by allauth's count of a name alone anybody could lock an officer out.

        Failures of a name from an address are counted by the lock-out, attempts of an address by the page,
        those at a name from all addresses by `SignInDelay`.
        """

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """The user of that name and password. Raises ValidationError where it is not the address's turn."""
        delay = SignInDelay(credentials.get("username") or "", client_address(request))
        seconds = delay.seconds()
        if seconds:
            raise ValidationError(_waiting(seconds))
        user = super().authenticate(request, **credentials)
        if user is not None:
            delay.succeed()
        return user

    def get_client_ip(self, request: HttpRequest) -> str:
        """The address behind a trusted proxy, as everywhere."""
        return client_address(request) or "127.0.0.1"


def _waiting(seconds: int) -> str:
    """That somebody guesses at the name, and what its user can do."""
    return _(
        "Too many attempts to sign in with this name failed. From here it can be tried again after a pause "
        "(seconds: %(seconds)s). Where you signed in before, you can sign in now. An administrator of the "
        "office can end the pause."
    ) % {"seconds": seconds}


#: Where an authenticator keeps the last half minute of which a code was used.
LAST = "last"


class _OneTimeCodeForm(forms.BaseAuthenticateForm):  # type: ignore[misc]  # it has no types
    """A form that takes no code twice."""

    def clean_code(self) -> str:
        """A code that holds, and that nobody has used."""
        code: str = super().clean_code()
        if self.authenticator.type == Authenticator.Type.TOTP and not _use_up(self.authenticator, code):
            raise get_adapter().validation_error("incorrect_code")
        return code


class AuthenticateForm(_OneTimeCodeForm, forms.AuthenticateForm):  # type: ignore[misc]  # it has no types
    """The code after the password."""


class ReauthenticateForm(_OneTimeCodeForm, forms.ReauthenticateForm):  # type: ignore[misc]  # it has no types
    """The code before what wants it anew."""


def _use_up(authenticator: Authenticator, code: str) -> bool:
    """Use a code up; False if it, or a later one, was used before."""
    with transaction.atomic():
        own = Authenticator.objects.select_for_update().get(pk=authenticator.pk)
        now = _half_minute(decrypt(own.data["secret"]), code)
        if now <= own.data.get(LAST, 0):
            return False
        own.data[LAST] = now
        own.save(update_fields=["data"])
        return True


def _half_minute(secret: str, code: str) -> int:
    """The half minute of which a code is, counted from 1970; 0 for none of those that hold now."""
    fits = [
        counter
        for counter in totp.yield_hotp_counters_from_time()
        if compare_user_code(actual=code, expected=totp.format_hotp_value(totp.hotp_value(secret, counter)))
    ]
    return max(fits, default=0)


#: The acts of a user who is known, by allauth's and Django's signals.
_ACTS = {
    user_logged_in: "sign-in",
    user_logged_out: "sign-out",
    password_changed: "password-changed",
    authentication_failed: "second-factor-failed",
    authenticator_added: "second-factor-added",
    authenticator_removed: "second-factor-removed",
}


@receiver(list(_ACTS))
def _note_act(
    signal: Signal, request: HttpRequest, user: User | None, authenticator: Any = None, **_: Any
) -> None:
    is_change = signal in (authenticator_added, authenticator_removed)
    if user is not None:
        _note(_ACTS[signal], request, user.username, **{"type": str(authenticator.type)} if is_change else {})


@receiver(authenticator_added)
def _use_up_first_code(request: HttpRequest, authenticator: Authenticator, **_: Any) -> None:
    """The code by which a second factor was set up opens nothing any more."""
    if authenticator.type == Authenticator.Type.TOTP:
        _use_up(authenticator, request.POST.get("code", ""))


@receiver(user_login_failed)
def _note_failure(credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    _note("sign-in-failed", request, _user_name(credentials.get("username") or ""))


@receiver(user_locked_out)
def _note_lock_out(request: HttpRequest, username: str, **_: Any) -> None:
    _note("locked-out", request, _user_name(username))


def _note(act: str, request: HttpRequest | None, name: str, **what: Any) -> None:
    note(Actor(name, client_address(request) if request else ""), act, **what)


def _user_name(name: str) -> str:
    """The name if a user has it: what else was typed may be a password or an address."""
    return name if get_user_model().objects.filter(username=name).exists() else ""
