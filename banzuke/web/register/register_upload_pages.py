"""Pages of registers sent as files: which column is what, what it would change, taking it over."""

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from banzuke.core.fault import RefusedError
from banzuke.database.models import Pool, RegisterFile
from banzuke.exchange.register_import import Change
from banzuke.formats.files.text import whole_number
from banzuke.office.jobs import job_queue
from banzuke.office.refusals import OpeningsPublishedError, OutdatedError
from banzuke.office.register import member_import
from banzuke.office.register.table_columns import EVERY_GAMES
from banzuke.web import access
from banzuke.web.form_fields import label
from banzuke.web.register.member_forms import SPEEDS, ColumnsForm, SendForm, column_labels
from banzuke.web.register.member_pages import say_lists_may_change
from banzuke.web.shortcuts import page_language, pool_page

#: Of what a file would change, and of its faults, so many are shown; the rest is counted.
MOST_SHOWN = 200
#: Up to here (2,000 members) a register is taken over within the request: in a second.
AT_ONCE = 200 * 1024


@access.chess_officer
@access.takes_files(member_import.MOST_BYTES >> 20)
def send(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Send a register; nothing is written yet."""
    form = SendForm(request.POST or None, request.FILES or None)
    context: dict[str, Any] = {"form": form, "here": "send"}
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data["file"]
        try:
            sent = member_import.store_file(pool, given.name, given.read(), access.actor(request))
        except RefusedError as refused:
            context["faults"] = refused.faults
        else:
            return redirect("register-sent", slug=pool.slug, number=sent.pk)
    waiting = RegisterFile.objects.filter(pool=pool, data__isnull=False).defer("data").order_by("-pk")
    return pool_page(request, "register/send.html", pool, **context, waiting=waiting)


@access.chess_officer
def review(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """What a register would change; before that, which of its columns is what."""
    found = _find_file(pool, number)
    if found.columns is None or "columns" in request.GET:
        return _columns(request, found)
    context: dict[str, Any] = {"file": found, "here": "send", "reading": member_import.reading_of(found)}
    try:
        seen = member_import.preview(found)
    except RefusedError as refused:
        context |= {"faults": refused.faults[:MOST_SHOWN], "count": len(refused.faults)}
    else:
        changes = seen.plan.changes
        context |= {
            "seen": seen,
            "changes": _named(changes[:MOST_SHOWN]),
            "added": seen.plan.added[:MOST_SHOWN],
        }
        context |= {"changed": len({change.player_id for change in changes})}
        context |= {"remarks": seen.plan.remarks[:MOST_SHOWN]}
        context |= {"read": _read_as(found), "ratings": _ratings(seen)}
    return pool_page(request, "register/sent.html", pool, **context)


def _named(changes: Iterable[Change]) -> list[Change]:
    """The changes with their fields as the pages call them."""
    return [change._replace(field=str(label("players", change.field))) for change in changes]


def _read_as(found: RegisterFile) -> list[tuple[str, str]]:
    """The columns that are read: heading and what it is."""
    labels = column_labels(page_language())
    return [(heading, labels[field]) for field, heading in (found.columns or {}).items() if field in labels]


def _ratings(seen: member_import.Preview) -> list[tuple[str, Any, Any, Any, Any]]:
    """The first starting ratings that are new or change: who, of which speed, rating, games, peak."""
    plan = seen.ratings
    rows = [] if plan is None else [*plan.added, *(new for _, new in plan.changed)]
    return [(row.player_id, SPEEDS[row.speed], row.rating, row.games, row.peak) for row in rows[:MOST_SHOWN]]


def _columns(request: HttpRequest, found: RegisterFile) -> HttpResponse:
    initial = {"valid_from": found.valid_from, "every_games": (found.columns or {}).get(EVERY_GAMES)}
    form = ColumnsForm(found, page_language(), request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        member_import.set_columns(found, form.cleaned_data["columns"], form.cleaned_data["valid_from"])
        return redirect("register-sent", slug=found.pool.slug, number=found.pk)
    return pool_page(request, "register/columns.html", found.pool, file=found, form=form, here="send")


@access.chess_officer
@require_POST
def take_over(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Write what was shown."""
    found, position = _find_file(pool, number), whole_number(request.POST.get("position", "")) or 0
    reading = member_import.reading_of(found)
    if request.POST.get("reading", reading) != reading:  # somebody has said something else of the columns
        return _tell_outdated(request, found)
    if len(found.data or b"") > AT_ONCE:
        return _by_the_worker(request, found, position)
    try:
        done = member_import.take_over(found, position, access.actor(request), localdate())
    except (OutdatedError, OpeningsPublishedError, RefusedError):
        return _tell_outdated(request, found)
    count = {"count": len(done.plan.added)}
    if done.ratings is None or done.ratings.is_empty:
        messages.success(request, _("Imported: %(count)s new members.") % count)
    else:
        count["ratings"] = len(done.ratings.added) + len(done.ratings.changed)
        text = _("Imported: %(count)s new members and %(ratings)s starting ratings.")
        messages.success(request, text % count)
    if done.plan.changes or done.plan.memberships:
        say_lists_may_change(request, pool)
    return redirect("register", slug=pool.slug)


def _tell_outdated(request: HttpRequest, found: RegisterFile) -> HttpResponse:
    messages.error(request, OutdatedError().sentence(page_language()))
    return redirect("register-sent", slug=found.pool.slug, number=found.pk)


def _by_the_worker(request: HttpRequest, found: RegisterFile, position: int) -> HttpResponse:
    wanted = {"register": found.pk, "position": position, "today": localdate().isoformat()}
    onward = reverse("register", kwargs={"slug": found.pool.slug})
    job = job_queue.start("members", found.pool, wanted | {"next": onward}, access.actor(request))
    return redirect("board-job", number=job.pk)


@access.chess_officer
@require_POST
def put_away(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Drop a register that was sent."""
    member_import.discard_file(_find_file(pool, number), access.actor(request))
    messages.success(request, _("The file was discarded. Nothing was saved."))
    return redirect("register-send", slug=pool.slug)


def _find_file(pool: Pool, number: int) -> RegisterFile:
    return get_object_or_404(RegisterFile, pool=pool, pk=number, data__isnull=False)
