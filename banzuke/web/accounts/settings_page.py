"""The settings of the installation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from banzuke.book.models import OfficeSettings
from banzuke.desk.administration.office_settings import change_settings, office_settings
from banzuke.web import access

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg]  # Django's takes none at run time
    """What an administrator decides for all pools."""

    class Meta:
        """Every setting there is."""

        model = OfficeSettings
        fields = ("second_factor_required", "address", "sends_notices")
        labels = {  # noqa: RUF012
            "second_factor_required": gettext_lazy("Officers need a second factor"),
            "address": gettext_lazy("The office's address on invoices"),
            "sends_notices": gettext_lazy("Send notices by e-mail"),
        }
        help_texts = {  # noqa: RUF012
            "second_factor_required": gettext_lazy(
                "Officers, chief officers and administrators set up a code from an app before they go on."
            ),
            "sends_notices": gettext_lazy("Needs the mail server's address in the environment."),
        }
        widgets = {"address": forms.Textarea({"rows": 4})}  # noqa: RUF012


@access.administrator
def settings_page(request: HttpRequest) -> HttpResponse:
    """The settings, to read and to change."""
    form = SettingsForm(request.POST or None, instance=office_settings())
    if request.method == "POST" and form.is_valid():
        change_settings(form.save(commit=False), access.actor(request))
        messages.success(request, _("The settings are changed."))
        return redirect("accounts-settings")
    return render(request, "accounts/settings.html", {"form": form})
