"""The page on which an officer says which list takes an event that was registered late."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.timezone import localdate
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from banzuke.core import facts
from banzuke.database.models import Pool
from banzuke.office.fact_rows import standing_rows
from banzuke.office.lists import late_events
from banzuke.office.lists.late_events import ListChoice
from banzuke.office.refusals import ListTakenError
from banzuke.web import access
from banzuke.web.form_fields import reason_field
from banzuke.web.shortcuts import page_language, pool_page
from banzuke.web.templatetags.ratings import list_of_name


class EventListForm(forms.Form):
    """The list that takes an event, and why."""

    listed = forms.ChoiceField(label=_("List"))
    why = reason_field(1000)

    def __init__(self, choice: ListChoice, data: Any) -> None:
        super().__init__(data, initial={"listed": choice.taken_by})
        own = gettext("%(list)s (by the days of the event)") % {"list": list_of_name(choice.own)}
        names = [(name, own if name == choice.own else list_of_name(name)) for name in choice.names]
        self.fields["listed"].choices = names  # type: ignore[attr-defined]


@access.chess_officer
def event_list(request: HttpRequest, pool: Pool, event_id: str) -> HttpResponse:
    """Say which list takes an event, while that is open."""
    if not late_events.has_late_lists(pool):
        raise Http404
    row = get_object_or_404(standing_rows(pool, facts.Event), event_id=event_id)
    choice = late_events.list_choice(pool, event_id)
    form = None if choice is None else EventListForm(choice, request.POST or None)
    if request.method == "POST" and form and form.is_valid():
        name, why = form.cleaned_data["listed"], form.cleaned_data["why"]
        try:
            late_events.choose_list(pool, event_id, name, access.actor(request), why, localdate())
        except ListTakenError as error:
            messages.warning(request, error.sentence(page_language()))
        else:
            told = gettext("The event is taken by list %(list)s.") % {"list": list_of_name(name)}
            messages.success(request, told)
        return redirect("board", slug=pool.slug)
    return pool_page(request, "board/event_list.html", pool, event=row, choice=choice, form=form)
