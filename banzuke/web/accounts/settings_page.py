"""The settings of the installation."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from banzuke.database.models import OfficeSettings
from banzuke.office.administration.office_settings import change_settings, office_settings
from banzuke.web import access

#: Ten years: further back than any program's memory.
MOST_HOURS = 87_600


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg]  # Django's takes none at run time
    """What an administrator decides for all pools."""

    class Meta:
        """Every setting there is."""

        model = OfficeSettings
        fields = ("second_factor_required", "address", "sends_notices", "late_hours")
        labels = {  # noqa: RUF012
            "second_factor_required": gettext_lazy("Officers need a second factor"),
            "address": gettext_lazy("The office's address on invoices"),
            "sends_notices": gettext_lazy("Send notices by e-mail"),
            "late_hours": gettext_lazy("How late a Go server may send a game, in hours"),
        }
        help_texts = {  # noqa: RUF012
            "second_factor_required": gettext_lazy(
                "Officers, chief officers and administrators must set up a code from an app before "
                "they can continue."
            ),
            "sends_notices": gettext_lazy("Needs a mail server (environment variable EMAIL_HOST)."),
            "late_hours": gettext_lazy(
                "Counted back from the pool's newest game, or from now if that is earlier; for "
                "games, annulments and declared ranks. Later games are rated again. Blank: no limit. "
                "Anything older is refused (409): hand the game in at the inbox, where an officer "
                "may accept it, or have it annulled in the office."
            ),
        }
        widgets = {  # noqa: RUF012
            "address": forms.Textarea({"rows": 4}),
            "late_hours": forms.NumberInput({"max": MOST_HOURS}),
        }

    def clean_late_hours(self) -> int | None:
        """As many hours as there is a use for."""
        hours: int | None = self.cleaned_data["late_hours"]
        if hours is not None and hours > MOST_HOURS:
            text = _("At most %(hours)s hours; leave it blank where any are allowed.")
            raise forms.ValidationError(text % {"hours": MOST_HOURS})
        return hours


@access.administrator
def settings_page(request: HttpRequest) -> HttpResponse:
    """The settings, to read and to change."""
    form = SettingsForm(request.POST or None, instance=office_settings())
    if request.method == "POST" and form.is_valid():
        change_settings(form.save(commit=False), access.actor(request))
        messages.success(request, _("The settings are changed."))
        return redirect("accounts-settings")
    return render(request, "accounts/settings.html", {"form": form})
