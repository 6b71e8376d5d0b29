"""Erasing a person: what goes, what stays, what is to be decided first; the id is typed to confirm it."""

from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.db import ProgrammingError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from banzuke.database.models import Pool
from banzuke.database.roles import is_forbidden
from banzuke.office.bounded_reading import ReadersBusyError
from banzuke.office.erasure.erasing import erase
from banzuke.office.erasure.erasure_plan import ErasurePlan, TableCount, plan_erasure
from banzuke.office.jobs.pool_size import is_small
from banzuke.office.merged_ids import kept_id
from banzuke.office.page_words import page_line
from banzuke.office.refusals import AlreadyErasedError, NobodyToEraseError
from banzuke.office.register import members
from banzuke.web import access
from banzuke.web.accounts.column_names import column_name
from banzuke.web.accounts.table_names import NAMES
from banzuke.web.shortcuts import page_language, pool_page, show_refusal
from banzuke.web.templatetags.banzuke import page_name
from banzuke.words import comma_list


class ConfirmForm(forms.Form):
    """The id of who is erased, typed."""

    typed = forms.CharField(max_length=200)

    def __init__(self, player: str, data: Any) -> None:
        super().__init__(data)
        self._player = player
        self.fields["typed"].label = _("Type the id to confirm")

    def clean_typed(self) -> str:
        """The id. Raises ValidationError for another one."""
        typed = str(self.cleaned_data["typed"]).strip()
        if typed != self._player:
            raise forms.ValidationError(_("This is not the id."))
        return typed


class Taken(NamedTuple):
    """What a table loses, in words."""

    table: str
    columns: str
    rows: int


@access.chief
@access.of_chess
def erase_member(request: HttpRequest, pool: Pool, player_id: str) -> HttpResponse:
    """Erase a person, after a look at what goes and what stays. Raises Http404 for nobody."""
    row = members.find(pool, kept_id(pool, player_id))
    return erasure_page(request, pool, player_id, "register-member", {"called": page_name(row)})


def erasure_page(
    request: HttpRequest, pool: Pool, player_id: str, account: str, context: dict[str, Any]
) -> HttpResponse:
    """The page of an erasure; `account` is the name of the person's page for officers."""
    try:
        plan = plan_erasure(pool, player_id)
    except NobodyToEraseError:
        raise Http404 from None
    except AlreadyErasedError as refusal:
        messages.info(request, refusal.sentence(page_language()))
        return redirect(account, slug=pool.slug, player_id=player_id)
    except ReadersBusyError as refused:
        messages.error(request, page_line(refused.faults[0], page_language()))
        return redirect(account, slug=pool.slug, player_id=player_id)
    form = ConfirmForm(plan.player, request.POST or None)
    command = f"banzuke erase {pool.slug} {plan.player}"
    at_machine = "" if is_small(pool) else command
    if request.method == "POST" and form.is_valid() and not at_machine:
        answer = _erase(request, plan)
        if answer is not None:
            return answer
        at_machine = command
    context |= {"plan": plan, "taken": [*map(_taken, plan.counts)], "form": form, "at_machine": at_machine}
    return pool_page(request, "register/erase.html", pool, **context, account=account, here="members")


def _erase(request: HttpRequest, plan: ErasurePlan) -> HttpResponse | None:
    """Erase, and lead to what is left; None where only the owner of the tables may do it."""
    pool, player = plan.pool, plan.player
    try:
        with show_refusal(request):
            done = erase(pool, plan.player, access.actor(request))
            player = done.ids[0]
            messages.success(request, _("The person is erased."))
            if done.bytes_gone is False:
                busy = _("The database is still being read: restart the office, and old bytes are gone.")
                messages.warning(request, busy)
    except ProgrammingError as error:
        if not is_forbidden(error):
            raise
        return None
    return redirect("public-player", slug=pool.slug, player=player)


def _taken(count: TableCount) -> Taken:
    names = (str(column_name(count.table, name) or name) for name in count.columns)
    return Taken(str(NAMES[count.table][1]), comma_list(names, page_language()), count.rows)
