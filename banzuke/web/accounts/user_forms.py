"""The forms of users: a new one, a role."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth import get_user_model
from django.utils.translation import gettext_lazy as _

from banzuke.database.models import Pool, Role
from banzuke.web.accounts.first_officer_page import plain_name

KINDS = [
    (Role.Kind.REPORTER, _("club reporter: sends the reports of a club")),
    (Role.Kind.OFFICER, _("officer: inbox, register, fees, rehearsals")),
    (Role.Kind.CHIEF, _("chief officer: publishes, corrects, rules")),
    (Role.Kind.ADMINISTRATOR, _("administrator: users, keys, settings, all pools")),
]


class NewUserForm(forms.ModelForm):  # type: ignore[type-arg]  # Django's takes none at run time
    """A new user's name."""

    class Meta:
        """The name alone: a password is chosen by invitation."""

        model = get_user_model()
        fields = ("username",)
        labels = {"username": _("Name of the user")}  # noqa: RUF012
        help_texts = {"username": _("It stands in the journal beside all that the user does.")}  # noqa: RUF012

    def clean_username(self) -> str:
        """No e-mail address."""
        return plain_name(self.cleaned_data["username"])


class RoleForm(forms.Form):
    """A role, in a pool or in all."""

    kind = forms.ChoiceField(label=_("Role"), choices=KINDS)
    pool = forms.ModelChoiceField(
        Pool.objects.order_by("slug"), label=_("Pool"), required=False, empty_label=_("all pools")
    )
    club_id = forms.CharField(
        label=_("Club"), required=False, help_text=_("Of a reporter: the club's id in the register.")
    )

    def clean(self) -> dict[str, Any]:
        """A reporter acts in one pool."""
        said = self.cleaned_data
        if said.get("kind") == Role.Kind.REPORTER and not said.get("pool"):
            self.add_error("pool", _("A reporter acts for a club of one pool."))
        return said
