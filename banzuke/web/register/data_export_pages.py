"""Pages of files that hold what is not public: the ledger, an event for FIDE, everything held on a member."""

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.timezone import localtime
from django.views.decorators.http import require_POST

from banzuke.core.fault import RefusedError
from banzuke.database.models import Pool
from banzuke.office.register import data_exports, members
from banzuke.web import access
from banzuke.web.downloads import ZIP, as_file
from banzuke.web.register.field_labels import PARTS, labelled_fields
from banzuke.web.register.qualification_pages import EventFileForm
from banzuke.web.shortcuts import pool_page


@access.officer
def files(request: HttpRequest, pool: Pool) -> HttpResponse:
    """What can be taken out."""
    return pool_page(request, "register/files.html", pool, form=EventFileForm(pool), here="files")


@access.officer
@require_POST
def ledger(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The pool's ledger, zipped."""
    return as_file(data_exports.ledger_zip(pool, access.actor(request)), f"{pool.slug}.zip", ZIP)


@access.chess_officer
@require_POST
def event(request: HttpRequest, pool: Pool) -> HttpResponse:
    """An event as TRF16, with birth dates."""
    form = EventFileForm(pool, request.POST)
    context = {"form": form, "here": "files"}
    if form.is_valid():
        event_id, federation = form.cleaned_data["event_id"], form.cleaned_data["federation"]
        try:
            data = data_exports.event_trf(pool, event_id, federation, access.actor(request))
        except RefusedError as refused:
            return pool_page(request, "register/files.html", pool, **context, faults=refused.faults)
        return as_file(data, "event.trf")
    return pool_page(request, "register/files.html", pool, **context)


@access.chess_officer
@require_POST
def personal_data_file(request: HttpRequest, pool: Pool, player_id: str) -> HttpResponse:
    """All personal data of a member, for the member: a page to read, and the same for programs."""
    row = members.find(pool, player_id)
    parts = data_exports.personal_data(pool, player_id)
    printed = [
        (PARTS[part], [labelled_fields(each.items()) for each in rows]) for part, rows in parts.items()
    ]
    context = {"pool": pool, "row": row, "parts": printed, "at": localtime()}
    page = render_to_string("register/held.html", context, request)
    data = data_exports.personal_zip(pool, player_id, parts, page, access.actor(request))
    return as_file(data, "held.zip", ZIP)
