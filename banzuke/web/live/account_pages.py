"""The register of a Go pool: who is in it, one player's account, newcomers; names, robots, and erasing."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from banzuke.core.fault import RefusedError
from banzuke.core.go_facts import BEGINNERS, RANK_NAMES, GoPlayer
from banzuke.database.models import Pool, Role
from banzuke.office.live import account_register, accounts
from banzuke.office.live.go_rules import NotLiveError
from banzuke.web import access
from banzuke.web.form_fields import check_id, check_written
from banzuke.web.register.erasure_pages import erasure_page
from banzuke.web.shortcuts import found_or_404, page_language, page_of, pool_page
from banzuke.words import fault_text

#: The ranks that a newcomer may declare, the highest first; then the beginners' class and professionals.
DECLARED = [
    *(name for name in reversed(RANK_NAMES) if not name.endswith("+")),
    BEGINNERS,
    *(f"{dan}p" for dan in range(1, 10)),
]
LONGEST = 100


class NewcomerForm(forms.Form):
    """A newcomer."""

    player_id = forms.CharField(label=_("Player’s id"), max_length=LONGEST, validators=[check_id])
    name = forms.CharField(label=_("Name"), max_length=LONGEST, validators=[check_written])
    declared = forms.ChoiceField(label=_("Declared rank"), choices=[(rank, rank) for rank in DECLARED])
    robot = forms.BooleanField(label=_("Is a robot: no game against it is rated"), required=False)


class NameForm(forms.Form):
    """Another name, and why."""

    name = forms.CharField(label=_("New name"), max_length=LONGEST, validators=[check_written])
    why = forms.CharField(label=_("Why (the journal keeps it)"), max_length=1000, required=False)


@access.officer
def players(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Who is in the register, found as one types; and a form for a newcomer."""
    typed = request.GET.get("q", "").strip()
    form = NewcomerForm(request.POST or None, initial={"declared": "1d"})
    try:
        found = page_of(request, account_register.search_accounts(pool, typed))
        if request.method == "POST" and form.is_valid():
            added = _add(request, pool, form)
            if added is not None:
                return added
    except NotLiveError as error:
        raise Http404 from error
    rows = account_register.account_rows(pool, list(found.object_list))
    return pool_page(request, "live/players.html", pool, typed=typed, page=found, rows=rows, form=form)


def _add(request: HttpRequest, pool: Pool, form: NewcomerForm) -> HttpResponse | None:
    """Enter a newcomer, and lead to the account; None where that is refused, as the form says."""
    said = form.cleaned_data
    declared = said["declared"]
    player = GoPlayer(said["player_id"], said["name"], declared, declared.endswith("p"))
    newcomer = accounts.Newcomer(player, said["robot"])
    try:
        (account,) = accounts.add_players(pool, [newcomer], access.actor(request).name)
    except RefusedError as error:
        form.add_error("player_id", [fault_text(each, page_language()) for each in error.faults])
        return None
    if account.is_new:
        messages.success(request, _("The player is entered."))
    else:
        messages.info(request, _("The player was there already."))
    return redirect("live-player", slug=pool.slug, player_id=player.player_id)


@access.officer
def player(request: HttpRequest, pool: Pool, player_id: str) -> HttpResponse:
    """One account: what is known, what was entered about it; another name."""
    found = _account(pool, player_id)
    form = NameForm(request.POST or None, initial={"name": found.name})
    if request.method == "POST" and form.is_valid() and _is_renamed(request, pool, player_id, form):
        return redirect("live-player", slug=pool.slug, player_id=player_id)
    context = {
        "account": found,
        "form": form,
        "history": account_register.account_history(pool, player_id),
        "is_chief": access.has_role(request, Role.Kind.CHIEF, pool),
    }
    return pool_page(request, "live/account.html", pool, **context)


def _account(pool: Pool, player_id: str) -> account_register.AccountRow:
    """The account of that id. Raises Http404."""
    try:
        return found_or_404(account_register.find_account(pool, player_id))
    except NotLiveError as error:
        raise Http404 from error


def _is_renamed(request: HttpRequest, pool: Pool, player_id: str, form: NameForm) -> bool:
    name, why = form.cleaned_data["name"], form.cleaned_data["why"]
    try:
        account = accounts.rename_player(pool, player_id, name, why, access.actor(request))
    except RefusedError as error:
        form.add_error("name", [fault_text(each, page_language()) for each in error.faults])
        return False
    if account.is_new:
        messages.success(request, _("The player has another name now. The old one stays in the history."))
    else:
        messages.info(request, _("That is the name already."))
    return True


@access.officer
@require_POST
def mark_robot(request: HttpRequest, pool: Pool, player_id: str) -> HttpResponse:
    """Say that a player is a robot, or is none."""
    is_robot, why = request.POST.get("robot") == "1", request.POST.get("why", "")[:1000]
    _account(pool, player_id)
    try:
        accounts.mark_robot(pool, player_id, is_robot, why, access.actor(request))
    except RefusedError as error:
        messages.error(request, fault_text(error.faults[0], page_language()))
    else:
        messages.success(request, _("Saved. It holds for games that come from now on."))
    return redirect("live-player", slug=pool.slug, player_id=player_id)


@access.chief
def erase(request: HttpRequest, pool: Pool, player_id: str) -> HttpResponse:
    """Erase a player, after a look at what goes and what stays."""
    found = _account(pool, player_id)
    context: dict[str, Any] = {"called": found.name, "is_go": True}
    return erasure_page(request, pool, player_id, "live-player", context)
