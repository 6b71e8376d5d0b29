"""Events applied for: a club's own, and the office's decisions."""

from datetime import date
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.timezone import localdate
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from banzuke.core import facts
from banzuke.database.models import Pool, Sanction
from banzuke.formats.files.text import whole_number
from banzuke.office import event_cancelling
from banzuke.office.register import clubs, event_applications
from banzuke.web import access
from banzuke.web.form_fields import check_event_day, day_field, native_name
from banzuke.web.problem_views import doubts_of_application
from banzuke.web.register.member_forms import SPEEDS, WhyForm, check_span, new_id, text
from banzuke.web.rule_clauses import in_brackets
from banzuke.web.shortcuts import page_of, pool_page, sent_reason


def application_named(request: HttpRequest, pool: Pool) -> Sanction | None:
    """The event applied for that the address names (`?event=`), if it is of the visitor's clubs."""
    number = whole_number(request.GET.get("event", ""))
    own = access.clubs_of(request, pool)
    return event_applications.applications(pool, own).filter(pk=number).first() if number else None


class EventForm(forms.Form):
    """An event that a club applies for."""

    name = text(_("Name of the event"))
    name_native = native_name()
    organiser = forms.ChoiceField(label=_("Organiser"))
    starts = day_field(_("First day"), validators=[check_event_day])
    ends = day_field(_("Last day"), validators=[check_event_day])
    place = text(_("Venue"))
    responsible = text(_("Person responsible"), help_text=_("An annual member."))
    speed = forms.ChoiceField(
        label=_("Kind of rating"),
        choices=[(speed, SPEEDS[speed]) for speed in (facts.STANDARD, facts.RAPID)],
        help_text=_("The announcement must say it too."),
    )
    fide_rated = forms.BooleanField(
        label=_("Rated by FIDE too"),
        required=False,
        help_text=_("Applying here is the notice."),
    )
    event_id = new_id(_("Id for the event"), required=False, help_text=_("Blank: the office gives one."))
    applied = day_field(_("Applied on"), required=False)

    def __init__(self, pool: Pool, own: set[str] | None, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        names = clubs.names(pool)
        mine = names if own is None else {club_id: names.get(club_id, club_id) for club_id in sorted(own)}
        self.fields["organiser"].choices = list(mine.items())  # type: ignore[attr-defined]
        self.fields["speed"].help_text += in_brackets(pool, "application")
        self.fields["fide_rated"].help_text += in_brackets(pool, "fide-notice")
        if own is not None:
            del self.fields["applied"], self.fields["event_id"]

    def clean(self) -> None:
        """An end that is not before the beginning."""
        check_span(self, "starts", "ends")

    def wanted(self, today: date) -> dict[str, Any]:
        """The application's fields; the day of the notice is that of the application."""
        values = {"event_id": "", "applied": None} | self.cleaned_data
        applied = values["applied"] or today
        return values | {"applied": applied, "notified": applied if values["fide_rated"] else None}


@access.reporter
@access.of_chess
def events(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The events that were applied for; a reporter sees those of the reporter's clubs."""
    own = access.clubs_of(request, pool)
    found = page_of(request, event_applications.applications(pool, own))
    names = clubs.names(pool)
    rows = [
        (application, names.get(application.organiser, application.organiser))
        for application in found.object_list
    ]
    waiting = event_applications.applications(pool, own).filter(state=Sanction.State.ASKED).count()
    context = {"page": found, "rows": rows, "waiting": waiting, "is_officer": own is None}
    return pool_page(request, "register/events.html", pool, **context, here="events")


@access.reporter
@access.of_chess
def new(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Apply for an event."""
    own = access.clubs_of(request, pool)
    form = EventForm(pool, own, request.POST or None, initial={"applied": localdate()})
    if request.method == "POST" and form.is_valid():
        made = event_applications.apply(pool, form.wanted(localdate()), access.actor(request))
        messages.success(request, _("The office has your application."))
        return redirect("register-event", slug=pool.slug, number=made.pk)
    context = {"form": form, "is_officer": own is None, "here": "events"}
    return pool_page(request, "register/new_event.html", pool, **context)


@access.reporter
@access.of_chess
def event(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """One application: the event, what the rules say of it, and the office's decision."""
    own = access.clubs_of(request, pool)
    application = get_object_or_404(event_applications.applications(pool, own), pk=number)
    doubts = event_applications.doubts(pool, application)
    context = {
        "application": application,
        "club": clubs.names(pool).get(application.organiser, application.organiser),
        "doubts": doubts_of_application(pool, doubts, is_officer=own is None),
        "steps": application.steps.order_by("pk"),
        "is_officer": own is None,
        "may_decide": own is None and application.state == Sanction.State.ASKED,
        "may_cancel": event_cancelling.may_cancel(application),
        "form": WhyForm(),
    }
    return pool_page(request, "register/event.html", pool, **context, here="events")


@access.chess_officer
@require_POST
def decide(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Grant or refuse an application; a refusal needs a reason."""
    get_object_or_404(Sanction, pool=pool, pk=number)
    why, grant = sent_reason(request), request.POST.get("decision") == "grant"
    if not (grant or why):
        messages.error(request, _("Say why it is refused: the club reads it."))
        return redirect("register-event", slug=pool.slug, number=number)
    try:
        event_applications.decide(pool, number, access.actor(request), why, grant=grant)
    except event_applications.AlreadyDecidedError:
        messages.error(request, _("It has already been decided."))
    else:
        messages.success(request, _("Granted.") if grant else _("Refused."))
    return redirect("register-event", slug=pool.slug, number=number)


@access.reporter
@access.of_chess
@require_POST
def cancel(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Say that an event does not take place, with a reason; or that it does after all."""
    get_object_or_404(event_applications.applications(pool, access.clubs_of(request, pool)), pk=number)
    why, resumed = sent_reason(request), request.POST.get("decision") == "resume"
    if not (resumed or why):
        messages.error(request, _("Say why it does not take place: the club and the office read it."))
        return redirect("register-event", slug=pool.slug, number=number)
    try:
        if resumed:
            event_cancelling.resume(pool, number, access.actor(request))
        else:
            event_cancelling.cancel(pool, number, access.actor(request), why)
    except event_cancelling.NotCancelledError:
        messages.error(request, _("That is not possible any more: see where the event stands."))
    else:
        messages.success(request, _("It takes place after all.") if resumed else _("Cancelled."))
    return redirect("register-event", slug=pool.slug, number=number)
