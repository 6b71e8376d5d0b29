"""Users: the first officer of an office, who there is, their roles, how they come in."""

from typing import Any

from allauth.account.internal.flows.reauthentication import reauthenticate_by_password
from django import forms
from django.contrib import messages
from django.contrib.auth import get_user_model, login
from django.contrib.auth.forms import BaseUserCreationForm, SetPasswordForm
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from banzuke.database.models import OfficeSettings, Pool, Role
from banzuke.office.administration import setup_code
from banzuke.office.administration import users as user_accounts
from banzuke.office.administration.office_settings import change_settings
from banzuke.office.administration.users import add_first_officer
from banzuke.office.journal import Actor
from banzuke.office.refusals import UnknownClubError
from banzuke.office.register import clubs as club_register
from banzuke.office.search import look_ups
from banzuke.office.search.look_ups import LookUpKind
from banzuke.web import access
from banzuke.web.accounts.middleware import client_address
from banzuke.web.accounts.sign_in_delay import SignInDelay
from banzuke.web.shortcuts import page_language

BACKEND = "django.contrib.auth.backends.ModelBackend"


def name_without_address(name: str) -> str:
    """A user's name that is no e-mail address: names stand in the journal. Raises ValidationError."""
    if "@" in name:
        raise forms.ValidationError(_("Choose a name that is not an e-mail address."))
    return name


class FirstOfficerForm(BaseUserCreationForm):  # type: ignore[type-arg]  # Django's takes none at run time
    """Name, password, and the code of whoever started the office."""

    code = forms.CharField(
        label=_("Code"),
        help_text=_("“banzuke serve” prints it in the terminal where the office was started."),
    )
    second_factor = forms.BooleanField(
        label=_("Officers need a second factor"),
        required=False,
        initial=True,
        help_text=_(
            "A code from an app beside the password. To try the office out, untick it; see Settings."
        ),
    )

    def __init__(self, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        self.fields["username"].help_text = _("The journal shows this name with everything you do.")
        self.fields["password1"].help_text = _("At least ten characters, and not a common password.")

    def clean_username(self) -> str:
        """No e-mail address."""
        return name_without_address(self.cleaned_data["username"])

    def clean_code(self) -> str:
        """The code of this office."""
        values: str = self.cleaned_data["code"]
        if not setup_code.fits(values):
            raise forms.ValidationError(_("This is not the code of this office."))
        return values


@access.public
def first(request: HttpRequest) -> HttpResponse:
    """Make the first officer, who is the administrator; once there is one, sign in instead."""
    if user_accounts.has_people():
        return redirect("desk")
    form = FirstOfficerForm(request.POST or None, initial={"code": request.GET.get("code", "")})
    has_pools = Pool.objects.exists()  # by the command line
    if request.method == "POST" and form.is_valid():
        if not setup_code.spend():
            raise PermissionDenied
        values = form.cleaned_data
        login(
            request,
            add_first_officer(values["username"], values["password1"], client_address(request)),
            BACKEND,
        )
        # the password was typed just now: setting up a second factor does not ask for it again
        reauthenticate_by_password(request)
        if values["second_factor"]:
            change_settings(OfficeSettings(second_factor_required=True), access.actor(request))
        return redirect("desk" if has_pools else "accounts-new-pool")
    return render(request, "accounts/first.html", {"form": form, "has_pools": has_pools})


KINDS = [
    (Role.Kind.REPORTER, _("club reporter: sends the reports of a club")),
    (Role.Kind.OFFICER, _("officer: inbox, register, fees, rehearsals")),
    (Role.Kind.CHIEF, _("chief officer: publishes, corrects, rules")),
    (Role.Kind.ADMINISTRATOR, _("administrator: users, keys, settings, all pools")),
]


#: What is said when a reporter's address for notices changes.
NOTICES = {
    user_accounts.NOTICES_BEGIN: _("Notices are now sent to the address."),
    user_accounts.NOTICES_CHANGE: _("Notices are now sent to the new address."),
    user_accounts.NOTICES_END: _("No notices are sent for this role any more: no address was given."),
}


class NewUserForm(forms.ModelForm):  # type: ignore[type-arg]  # Django's takes none at run time
    """A new user's name."""

    class Meta:
        """The name alone: a password is chosen by invitation."""

        model = get_user_model()
        fields = ("username",)
        labels = {"username": _("Name of the user")}  # noqa: RUF012
        help_texts = {"username": _("The journal shows this name with everything the user does.")}  # noqa: RUF012

    def clean_username(self) -> str:
        """No e-mail address."""
        return name_without_address(self.cleaned_data["username"])


class RoleForm(forms.Form):
    """A role, in a pool or in all."""

    kind = forms.ChoiceField(label=_("Role"), choices=KINDS)
    pool = forms.ModelChoiceField(
        Pool.objects.order_by("slug"),
        label=_("Pool"),
        required=False,
        empty_label=_("all pools"),
    )
    club_id = forms.CharField(
        label=_("Club"),
        required=False,
        help_text=_("For a reporter: the club's name or id in the register."),
        widget=forms.TextInput(attrs={"list": "clubs", "autocomplete": "off"}),
    )
    notices_to = forms.EmailField(
        label=_("E-mail address for notices"),
        required=False,
        help_text=_(
            "A reporter is told what becomes of the club's reports, an officer of objections, appeals and "
            "answers of clubs that come in, and what becomes of lists that are to be published at an hour."
        ),
    )

    def clean(self) -> dict[str, Any]:
        """A reporter acts in one pool."""
        values = self.cleaned_data
        if values.get("kind") == Role.Kind.REPORTER and not values.get("pool"):
            self.add_error("pool", _("A reporter belongs to a club in one pool: choose the pool."))
        elif values.get("pool") and values.get("club_id"):
            values["club_id"] = self._club(values["pool"], values["club_id"])
        return values

    def _club(self, pool: Pool, typed: str) -> str:
        """The id of the club that is meant; what is no club's stays as it was typed."""
        found = look_ups.look_up(LookUpKind.CLUB, pool, typed)
        if found.offers:
            names = ", ".join(f"{one.name} ({one.id})" for one in found.offers)
            self.add_error("club_id", _("Which club is meant? %(clubs)s") % {"clubs": names})
        return found.id or typed


@access.administrator
def users(request: HttpRequest) -> HttpResponse:
    """All users with their roles; a new one."""
    form = NewUserForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = user_accounts.add_user(form.cleaned_data["username"], access.actor(request))
        except user_accounts.TakenNameError:  # a moment ago: the form says so by now
            form = NewUserForm(request.POST)
        else:
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
    pools = Pool.objects.order_by("slug")
    clubs = [(pool, club_id, name) for pool in pools for club_id, name in club_register.names(pool).items()]
    page = {
        "who": who,
        "form": form,
        "clubs": clubs,
        "has_second_factor": user_accounts.has_second_factor(who),
    }
    return render(request, "accounts/user.html", page)


def _give_role(request: HttpRequest, who: User, form: RoleForm) -> bool:
    values = form.cleaned_data
    try:
        role = user_accounts.give_role(
            who, Role.Kind(values["kind"]), values["pool"], values["club_id"], access.actor(request)
        )
    except UnknownClubError as refused:
        form.add_error("club_id", refused.sentence(page_language()))
        return False
    if role.kind == Role.Kind.REPORTER or role.wants_notices or values["notices_to"]:
        act = user_accounts.send_notices_to(role, values["notices_to"], access.actor(request))
        if act:
            messages.success(request, NOTICES[act])
    return True


@access.administrator
@require_POST
@never_cache
def invite(request: HttpRequest, number: int) -> HttpResponse:
    """A link by which the user chooses a password; it is shown this once."""
    who = _user(number)
    one, two = user_accounts.invitation(who, access.actor(request))
    link = request.build_absolute_uri(reverse("accounts-invitation", args=[one, two]))
    return render(request, "accounts/invited.html", {"who": who, "link": link})


@access.public
@never_cache
def invitation(request: HttpRequest, who: str, token: str) -> HttpResponse:
    """Choose a password; then sign in with it."""
    user = user_accounts.find_invited_user(who, token)
    if user is None:
        return render(request, "accounts/invitation_over.html", status=404)
    form = SetPasswordForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        user_accounts.choose_password(
            user, form.cleaned_data["new_password1"], Actor(user.username, client_address(request))
        )
        SignInDelay(user.username).forget()
        messages.success(request, _("Your password is set. Sign in with it."))
        return redirect("account_login")
    return render(request, "accounts/invitation.html", {"form": form, "who": user})


@access.administrator
@require_POST
def close(request: HttpRequest, number: int) -> HttpResponse:
    """Close the door to a user."""
    try:
        user_accounts.set_active(_user(number), False, access.actor(request))
    except user_accounts.LastAdministratorError:
        messages.error(request, _("This is the last administrator: make another first."))
    return redirect("accounts-user", number=number)


@access.administrator
@require_POST
def reopen(request: HttpRequest, number: int) -> HttpResponse:
    """Open the door again."""
    user_accounts.set_active(_user(number), True, access.actor(request))
    return redirect("accounts-user", number=number)


@access.administrator
@require_POST
def forget_factor(request: HttpRequest, number: int) -> HttpResponse:
    """Forget a second factor that was lost."""
    user_accounts.reset_second_factor(_user(number), access.actor(request))
    messages.success(request, _("The second factor was removed."))
    return redirect("accounts-user", number=number)


@access.administrator
@require_POST
def take_role(request: HttpRequest, number: int) -> HttpResponse:
    """Take a role from a user."""
    role = get_object_or_404(Role.objects.select_related("pool", "user"), pk=number)
    try:
        user_accounts.take_role(role, access.actor(request))
    except user_accounts.LastAdministratorError:
        messages.error(request, _("This is the last administrator: make another first."))
    return redirect("accounts-user", number=role.user_id)


def _user(number: int) -> User:
    return get_object_or_404(get_user_model(), pk=number)
