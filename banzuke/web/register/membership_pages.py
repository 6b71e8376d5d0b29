"""Pages of memberships: adding, correcting, taking one back."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from banzuke.database.models import Pool
from banzuke.office.refusals import EventNotInBookError, HeldMembershipError
from banzuke.office.register import members
from banzuke.web import access
from banzuke.web.register.member_forms import CorrectMembershipForm, MembershipForm, WhyForm
from banzuke.web.register.member_pages import say_lists_may_change
from banzuke.web.shortcuts import page_language, pool_page, show_errors


@access.chess_officer
def add(request: HttpRequest, pool: Pool, player_id: str) -> HttpResponse:
    """A new membership."""
    row, form = members.find(pool, player_id), MembershipForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        wanted = form.membership(player_id)
        if _try(form, lambda: members.add_membership(pool, wanted, access.actor(request), localdate())):
            return _back(request, pool, player_id, _("The membership was added."))
    return pool_page(request, "register/membership.html", pool, row=row, form=form, here="members")


@access.chess_officer
def correct(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Another span, kind or event for a membership that stands, or none at all."""
    row = members.find_membership(pool, number)
    initial = {name: getattr(row, name) for name in ("kind", "valid_from", "valid_to", "event_id")}
    form = CorrectMembershipForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        wanted, why = form.membership(row.player_id), form.cleaned_data["why"]
        actor = access.actor(request)
        if _try(form, lambda: members.correct_membership(pool, number, wanted, actor, why, localdate())):
            return _back(request, pool, row.player_id, _("The membership was corrected."))
    member, strike_form = members.find(pool, row.player_id), WhyForm(prefix="strike")
    context = {"row": member, "form": form, "membership": row, "strike_form": strike_form}
    return pool_page(request, "register/membership.html", pool, **context, here="members")


@access.chess_officer
@require_POST
def strike(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Take back a membership that never was."""
    row, form = members.find_membership(pool, number), WhyForm(request.POST, prefix="strike")
    if not form.is_valid():
        show_errors(request, form)
        return redirect("register-membership", slug=pool.slug, number=number)
    members.strike_membership(pool, number, access.actor(request), form.cleaned_data["why"], localdate())
    return _back(request, pool, row.player_id, _("The membership was removed."))


def _try(form: MembershipForm, act: Callable[[], None]) -> bool:
    """Whether the act went through; a fault stands in the form."""
    try:
        act()
    except EventNotInBookError as refused:
        form.add_error("event_id", refused.sentence(page_language()))
    except HeldMembershipError as refused:
        form.add_error(None, refused.sentence(page_language()))
    return form.is_valid()


def _back(request: HttpRequest, pool: Pool, player_id: str, message: str) -> HttpResponse:
    messages.success(request, message)
    say_lists_may_change(request, pool)
    return redirect("register-member", slug=pool.slug, player_id=player_id)
