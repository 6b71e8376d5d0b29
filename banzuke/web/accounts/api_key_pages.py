"""Keys for programs: made, shown once, revoked."""

from datetime import UTC, date, datetime, time
from functools import partial

from django import forms
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from banzuke.database.models import ApiKey, Pool, Role
from banzuke.office.administration import api_keys
from banzuke.web import access
from banzuke.web.form_fields import day_field

SCOPES = [
    ("read", _("read: lists, players and workings, with a higher limit than visitors have")),
    ("reports", _("reports: send reports and ask where they stand")),
    ("private", _("private: birth dates and addresses in exports")),
    ("games", _("games: a Go server's finished games")),
]


#: Where a session has the words of the forms that came, and how many of them.
CAME, MOST_NOTED = "key_forms", 20


class KeyForm(forms.Form):
    """A new key; by its `word` a form is known that is sent again."""

    name = forms.CharField(label=_("What it is for"), max_length=200)
    user = forms.ModelChoiceField(
        get_user_model().objects.filter(is_active=True).order_by("username"),
        label=_("Works for the user"),
        help_text=_("A key may never do more than its user."),
    )
    pool = forms.ModelChoiceField(
        Pool.objects.order_by("slug"), label=_("Pool"), required=False, empty_label=_("all pools")
    )
    scopes = forms.MultipleChoiceField(label=_("It may"), choices=SCOPES, widget=forms.CheckboxSelectMultiple)
    expires = day_field(_("Last day"), required=False)
    word = forms.CharField(
        required=False, max_length=64, widget=forms.HiddenInput, initial=partial(get_random_string, 22)
    )

    def clean_expires(self) -> date | None:
        """A day to come."""
        last: date | None = self.cleaned_data["expires"]
        if last and last < timezone.localdate():
            raise forms.ValidationError(_("This day is past."))
        return last

    def clean(self) -> None:
        """A key for what its user may do there."""
        values = super().clean() or self.cleaned_data
        if {"user", "scopes"} <= values.keys():
            role = api_keys.find_role(values["user"], values.get("pool"))
            if role is None:
                self.add_error("user", _("This user has no role there."))
            elif role is Role.Kind.REPORTER and api_keys.OFFICERS.intersection(values["scopes"]):
                self.add_error("scopes", _("Games and private data are for keys of an officer."))


@access.administrator
@never_cache
def keys(request: HttpRequest) -> HttpResponse:
    """All keys; a new one, whose text is shown this once."""
    form, made = KeyForm(request.POST or None), None
    if request.method == "POST" and form.is_valid():
        if _is_sent_again(request, form.cleaned_data["word"]):
            messages.info(request, _("The key of this form was made before. Its text is shown only once."))
            return redirect("accounts-keys")
        made, form = _make_key(request, form), KeyForm()
    known = ApiKey.objects.select_related("user").prefetch_related("pool").order_by("-made_at")
    return render(
        request, "accounts/keys.html", {"form": form, "made": made, "keys": known, "now": datetime.now(UTC)}
    )


def _is_sent_again(request: HttpRequest, word: str) -> bool:
    """Whether the form of that word came before, as where its answer is loaded again; else it is noted."""
    came = request.session.get(CAME, [])
    if word and word not in came:
        request.session[CAME] = [*came, word][-MOST_NOTED:]
    return word in came


def _make_key(request: HttpRequest, form: KeyForm) -> api_keys.NewKey:
    values = form.cleaned_data
    last = values["expires"]
    ends = timezone.make_aware(datetime.combine(last, time.max)) if last else None
    return api_keys.make_key(
        values["name"], values["user"], values["pool"], values["scopes"], ends, access.actor(request)
    )


@access.administrator
@require_POST
def revoke(request: HttpRequest, number: int) -> HttpResponse:
    """A key opens nothing any more."""
    api_keys.revoke_key(get_object_or_404(ApiKey, pk=number), access.actor(request))
    return redirect("accounts-keys")
