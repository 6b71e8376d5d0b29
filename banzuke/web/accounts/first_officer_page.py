"""The first officer of an office that has nobody yet."""

from typing import Any

from django import forms
from django.contrib.auth import get_user_model, login
from django.contrib.auth.forms import BaseUserCreationForm
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _

from banzuke.office.administration import setup_code
from banzuke.office.administration.users import add_first_officer
from banzuke.web import access
from banzuke.web.accounts.middleware import client_address

BACKEND = "django.contrib.auth.backends.ModelBackend"


def plain_name(name: str) -> str:
    """A user's name that is no e-mail address: names stand in the journal. Raises ValidationError."""
    if "@" in name:
        raise forms.ValidationError(_("Choose a name that is not an e-mail address."))
    return name


class FirstForm(BaseUserCreationForm):  # type: ignore[type-arg]  # Django's takes none at run time
    """Name, password, and the code of whoever started the office."""

    code = forms.CharField(
        label=_("Code"),
        help_text=_("“banzuke serve” prints it in the terminal where the office was started."),
    )

    def __init__(self, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        self.fields["username"].help_text = _("The journal shows this name with everything you do.")
        self.fields["password1"].help_text = _("At least ten characters, and not a common password.")

    def clean_username(self) -> str:
        """No e-mail address."""
        return plain_name(self.cleaned_data["username"])

    def clean_code(self) -> str:
        """The code of this office."""
        values: str = self.cleaned_data["code"]
        if not setup_code.fits(values):
            raise forms.ValidationError(_("This is not the code of this office."))
        return values


@access.public
def first(request: HttpRequest) -> HttpResponse:
    """Make the first officer, who is the administrator; once there is one, sign in instead."""
    if get_user_model().objects.exists():
        return redirect("desk")
    form = FirstForm(request.POST or None, initial={"code": request.GET.get("code", "")})
    if request.method == "POST" and form.is_valid():
        if not setup_code.spend():
            raise PermissionDenied
        values = form.cleaned_data
        login(
            request,
            add_first_officer(values["username"], values["password1"], client_address(request)),
            BACKEND,
        )
        return redirect("accounts-new-pool")
    return render(request, "accounts/first.html", {"form": form})
