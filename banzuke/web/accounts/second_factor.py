"""The second factor's codes: each opens once, in whatever process it is asked for.

A code holds for a minute and a half; allauth remembers a used one for half a minute, each process for itself.
"""

from allauth.core.internal.cryptokit import compare_user_code
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from allauth.mfa.utils import decrypt
from django.db import transaction

#: Where an authenticator keeps the last half minute of which a code was used.
LAST = "last"


class _Once(forms.BaseAuthenticateForm):  # type: ignore[misc]  # it has no types
    """A form that takes no code twice."""

    def clean_code(self) -> str:
        """A code that holds, and that nobody has used."""
        code: str = super().clean_code()
        if self.authenticator.type == Authenticator.Type.TOTP and not _spent(self.authenticator, code):
            raise get_adapter().validation_error("incorrect_code")
        return code


class AuthenticateForm(_Once, forms.AuthenticateForm):  # type: ignore[misc]  # it has no types
    """The code after the password."""


class ReauthenticateForm(_Once, forms.ReauthenticateForm):  # type: ignore[misc]  # it has no types
    """The code before what wants it anew."""


def _spent(authenticator: Authenticator, code: str) -> bool:
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
