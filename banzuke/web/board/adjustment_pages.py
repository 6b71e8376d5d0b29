"""The page on which a chief officer takes back an adjustment of ratings."""

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from banzuke.database.models import Pool
from banzuke.office.lists.adjustments import entered_adjustments, take_back_adjustment
from banzuke.office.lists.coming_list import today_of
from banzuke.web import access
from banzuke.web.form_fields import reason_field
from banzuke.web.public.adjustment_pages import ShownAdjustment, shown_adjustments
from banzuke.web.shortcuts import pool_page, show_refusal


class TakeBackForm(forms.Form):
    """Why an adjustment is taken back."""

    why = reason_field(1000)


@access.chief
def take_back(request: HttpRequest, pool: Pool, adjustment_id: str) -> HttpResponse:
    """Take back an adjustment, with a reason. Raises Http404 where none of that id stands."""
    form = TakeBackForm(request.POST or None)
    shown = _find(pool, adjustment_id)
    if request.method == "POST" and form.is_valid():
        with show_refusal(request):
            actor, why = access.actor(request), form.cleaned_data["why"]
            take_back_adjustment(pool, adjustment_id, actor, today_of(pool), why)
            messages.success(request, _("The adjustment is taken back."))
        return redirect("board-revisions" if shown.published else "reforms", slug=pool.slug)
    return pool_page(request, "board/take_back_adjustment.html", pool, shown=shown, form=form)


def _find(pool: Pool, adjustment_id: str) -> ShownAdjustment:
    for each in entered_adjustments(pool):
        if each.adjustment.adjustment_id == adjustment_id and each.struck_by is None:
            return shown_adjustments(pool, [each])[0]
    raise Http404
