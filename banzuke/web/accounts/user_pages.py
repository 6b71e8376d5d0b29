"""Users: who there is, their roles, how they come in."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from banzuke.database.models import Pool, Role
from banzuke.office.administration import users as desk
from banzuke.office.journal import Actor
from banzuke.office.refusals import UnknownClubError
from banzuke.web import access
from banzuke.web.accounts.first_officer_page import plain_name
from banzuke.web.accounts.middleware import client_address
from banzuke.web.page_language import page_language

KINDS = [
    (Role.Kind.REPORTER, gettext_lazy("club reporter: sends the reports of a club")),
    (Role.Kind.OFFICER, gettext_lazy("officer: inbox, register, fees, rehearsals")),
    (Role.Kind.CHIEF, gettext_lazy("chief officer: publishes, corrects, rules")),
    (Role.Kind.ADMINISTRATOR, gettext_lazy("administrator: users, keys, settings, all pools")),
]


class NewUserForm(forms.ModelForm):  # type: ignore[type-arg]  # Django's takes none at run time
    """A new user's name."""

    class Meta:
        """The name alone: a password is chosen by invitation."""

        model = get_user_model()
        fields = ("username",)
        labels = {"username": gettext_lazy("Name of the user")}  # noqa: RUF012
        help_texts = {"username": gettext_lazy("The journal shows this name with everything the user does.")}  # noqa: RUF012

    def clean_username(self) -> str:
        """No e-mail address."""
        return plain_name(self.cleaned_data["username"])


class RoleForm(forms.Form):
    """A role, in a pool or in all."""

    kind = forms.ChoiceField(label=gettext_lazy("Role"), choices=KINDS)
    pool = forms.ModelChoiceField(
        Pool.objects.order_by("slug"),
        label=gettext_lazy("Pool"),
        required=False,
        empty_label=gettext_lazy("all pools"),
    )
    club_id = forms.CharField(
        label=gettext_lazy("Club"),
        required=False,
        help_text=gettext_lazy("For a reporter: the club's id in the register."),
    )

    def clean(self) -> dict[str, Any]:
        """A reporter acts in one pool."""
        values = self.cleaned_data
        if values.get("kind") == Role.Kind.REPORTER and not values.get("pool"):
            self.add_error("pool", gettext_lazy("A reporter belongs to a club in one pool: choose the pool."))
        return values


@access.administrator
def users(request: HttpRequest) -> HttpResponse:
    """All users with their roles; a new one."""
    form = NewUserForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        made = desk.add_user(form.cleaned_data["username"], access.actor(request))
        return redirect("accounts-user", number=made.pk)
    known = get_user_model().objects.order_by("username").prefetch_related("roles__pool")
    return render(request, "accounts/users.html", {"form": form, "users": known})


@access.administrator
def user(request: HttpRequest, number: int) -> HttpResponse:
    """One user: the roles, and what can be done for the user."""
    who = _user(number)
    form = RoleForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and _give_role(request, who, form):
        return redirect("accounts-user", number=number)
    page = {"who": who, "form": form, "has_second_factor": desk.has_second_factor(who)}
    return render(request, "accounts/user.html", page)


def _give_role(request: HttpRequest, who: User, form: RoleForm) -> bool:
    values = form.cleaned_data
    try:
        desk.give_role(
            who, Role.Kind(values["kind"]), values["pool"], values["club_id"], access.actor(request)
        )
    except UnknownClubError as refused:
        form.add_error("club_id", refused.sentence(page_language()))
        return False
    return True


@access.administrator
@require_POST
@never_cache
def invite(request: HttpRequest, number: int) -> HttpResponse:
    """A link by which the user chooses a password; it is shown this once."""
    who = _user(number)
    one, two = desk.invitation(who, access.actor(request))
    link = request.build_absolute_uri(reverse("accounts-invitation", args=[one, two]))
    return render(request, "accounts/invited.html", {"who": who, "link": link})


@access.public
@never_cache
def invitation(request: HttpRequest, who: str, token: str) -> HttpResponse:
    """Choose a password; then sign in with it."""
    user = desk.find_invited_user(who, token)
    if user is None:
        return render(request, "accounts/invitation_over.html", status=404)
    form = SetPasswordForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        desk.choose_password(
            user, form.cleaned_data["new_password1"], Actor(user.username, client_address(request))
        )
        messages.success(request, _("Your password is set. Sign in with it."))
        return redirect("account_login")
    return render(request, "accounts/invitation.html", {"form": form, "who": user})


@access.administrator
@require_POST
def close(request: HttpRequest, number: int) -> HttpResponse:
    """Close the door to a user."""
    try:
        desk.set_active(_user(number), False, access.actor(request))
    except desk.LastAdministratorError:
        messages.error(request, _("This is the last administrator: make another first."))
    return redirect("accounts-user", number=number)


@access.administrator
@require_POST
def reopen(request: HttpRequest, number: int) -> HttpResponse:
    """Open the door again."""
    desk.set_active(_user(number), True, access.actor(request))
    return redirect("accounts-user", number=number)


@access.administrator
@require_POST
def forget_factor(request: HttpRequest, number: int) -> HttpResponse:
    """Forget a second factor that was lost."""
    desk.reset_second_factor(_user(number), access.actor(request))
    messages.success(request, _("The second factor was removed."))
    return redirect("accounts-user", number=number)


@access.administrator
@require_POST
def take_role(request: HttpRequest, number: int) -> HttpResponse:
    """Take a role from a user."""
    role = get_object_or_404(Role.objects.select_related("pool", "user"), pk=number)
    try:
        desk.take_role(role, access.actor(request))
    except desk.LastAdministratorError:
        messages.error(request, _("This is the last administrator: make another first."))
    return redirect("accounts-user", number=role.user_id)


def _user(number: int) -> User:
    return get_object_or_404(get_user_model(), pk=number)
