"""Signing in and out, and second factors, into the journal. Only names of users that exist are written."""

from typing import Any

from allauth.account.signals import password_changed
from allauth.account.signals import user_logged_in as signed_in
from allauth.mfa.signals import authentication_failed, authenticator_added, authenticator_removed
from axes.signals import user_locked_out
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_out, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from banzuke.office.journal import Actor, note
from banzuke.web.accounts.middleware import client_address


def _note(act: str, request: HttpRequest | None, name: str, **what: Any) -> None:
    note(Actor(name, client_address(request) if request else ""), act, **what)


def _known(name: str) -> str:
    """The name if a user has it: what else was typed may be a password or an address."""
    return name if get_user_model().objects.filter(username=name).exists() else ""


@receiver(signed_in)
def _signed_in(request: HttpRequest, user: User, **_words: Any) -> None:
    _note("sign-in", request, user.username)


@receiver(user_logged_out)
def _signed_out(request: HttpRequest, user: User | None, **_words: Any) -> None:
    if user is not None:
        _note("sign-out", request, user.username)


@receiver(user_login_failed)
def _failed(credentials: dict[str, Any], request: HttpRequest | None = None, **_words: Any) -> None:
    _note("sign-in-failed", request, _known(credentials.get("username") or ""))


@receiver(user_locked_out)
def _locked_out(request: HttpRequest, username: str, **_words: Any) -> None:
    _note("locked-out", request, _known(username))


@receiver(authentication_failed)
def _factor_failed(request: HttpRequest, user: User, **_words: Any) -> None:
    _note("second-factor-failed", request, user.username)


@receiver(authenticator_added)
def _factor_added(request: HttpRequest, user: User, authenticator: Any, **_words: Any) -> None:
    _note("second-factor-added", request, user.username, type=str(authenticator.type))


@receiver(authenticator_removed)
def _factor_removed(request: HttpRequest, user: User, authenticator: Any, **_words: Any) -> None:
    _note("second-factor-removed", request, user.username, type=str(authenticator.type))


@receiver(password_changed)
def _password_changed(request: HttpRequest, user: User, **_words: Any) -> None:
    _note("password-changed", request, user.username)
