"""Pages of events applied for: a club's own, and what the office says of them."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from banzuke.database.models import Pool, Sanction
from banzuke.office.register import clubs, event_applications
from banzuke.web import access
from banzuke.web.page_language import page_language
from banzuke.web.register.club_forms import EventForm
from banzuke.web.register.member_forms import WhyForm
from banzuke.words import fault_text

A_PAGE = 50


@access.reporter
@access.of_chess
def events(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The events that were applied for; a reporter sees those of the reporter's clubs."""
    own = access.clubs_of(request, pool)
    found = Paginator(event_applications.applications(pool, own), A_PAGE).get_page(request.GET.get("page"))
    names = clubs.names(pool)
    rows = [
        (application, names.get(application.organiser, application.organiser))
        for application in found.object_list
    ]
    waiting = event_applications.applications(pool, own).filter(state=Sanction.State.ASKED).count()
    context = {"pool": pool, "page": found, "rows": rows, "waiting": waiting, "is_officer": own is None}
    return render(request, "register/events.html", context | {"here": "events"})


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
    context = {"pool": pool, "form": form, "is_officer": own is None, "here": "events"}
    return render(request, "register/new_event.html", context)


@access.reporter
@access.of_chess
def event(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """One application: what was applied for, what the rules say, what the office said."""
    own = access.clubs_of(request, pool)
    application = get_object_or_404(event_applications.applications(pool, own), pk=number)
    context = {
        "pool": pool,
        "application": application,
        "club": clubs.names(pool).get(application.organiser, application.organiser),
        "doubts": [
            fault_text(found, page_language()) for found in event_applications.doubts(pool, application)
        ],
        "steps": application.steps.order_by("pk"),
        "is_officer": own is None,
        "may_decide": own is None and application.state == Sanction.State.ASKED,
        "form": WhyForm(),
    }
    return render(request, "register/event.html", context | {"here": "events"})


@access.chess_officer
@require_POST
def decide(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Grant or refuse an application; a refusal says why."""
    get_object_or_404(Sanction, pool=pool, pk=number)
    why, grant = request.POST.get("why", "").strip(), request.POST.get("decision") == "grant"
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
