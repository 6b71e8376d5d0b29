"""Pages of who may what: those who qualify, seeds of a qualifier, a start list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from banzuke.book.models import RatingList, Seed
from banzuke.core.fault import RefusedError
from banzuke.desk import tables
from banzuke.desk.lists.listing import current
from banzuke.desk.refusals import UnknownEventError
from banzuke.desk.register import entitled, members, start_list
from banzuke.web import access
from banzuke.web.downloads import TABLES, as_file
from banzuke.web.language import page_language
from banzuke.web.register.chess import officer
from banzuke.web.register.list_forms import SEEDS, SeedForm, StartListForm

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from banzuke.book.models import Pool


@officer
def qualified(request: HttpRequest, pool: Pool) -> HttpResponse:
    """NCS 6(3): those whose standard rating may be used for qualification."""
    lists = list(current(pool))
    wanted = request.GET.get("list")
    listed = next((each for each in lists if wanted in (None, each.name)), None)
    rows = [] if listed is None else list(entitled.qualified(listed))
    kind = request.GET.get("format")
    if kind in TABLES and listed is not None:
        return _table_file(_qualified_table(listed, rows), f"qualified-{listed.name}", kind)
    shown = {"pool": pool, "lists": lists[:12], "listed": listed, "rows": rows, "here": "qualified"}
    return render(request, "register/qualified.html", shown)


def _qualified_table(listed: RatingList, rows: list[Any]) -> tables.Table:
    headings = (_("Place"), _("Id"), _("Name"), _("Name in kanji"), _("Rating"), _("Games"))
    cells = [(r.place, r.player_id, r.name, r.name_native, r.rating, r.games) for r in rows]
    return tables.Table(_("Those who qualify, list %(list)s") % {"list": listed.name}, headings, cells)


def _table_file(table: tables.Table, name: str, kind: str) -> HttpResponse:
    return as_file(tables.write(table, kind), f"{name}.{kind}", TABLES[kind])


@officer
def seeds(request: HttpRequest, pool: Pool) -> HttpResponse:
    """NCS 4(8): the events that qualify, of which seeds were reported; and reporting one."""
    form = SeedForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and _noted(request, pool, form):
        messages.success(request, _("The seed was noted."))
        return redirect("register-seeds-of", slug=pool.slug, event_id=form.cleaned_data["event_id"])
    events = [
        (i, entitled.event_name(pool, i), entitled.seeds(pool, i)) for i in entitled.seeded_events(pool)
    ]
    return render(
        request, "register/seeds.html", {"pool": pool, "events": events, "form": form, "here": "seeds"}
    )


def _noted(request: HttpRequest, pool: Pool, form: SeedForm) -> bool:
    said = form.cleaned_data
    kind = Seed.Kind(said["kind"])
    try:
        entitled.note_seed(pool, said["event_id"], said["player_id"], kind, access.actor(request))
    except members.UnknownMemberError:
        form.add_error("player_id", _("Nobody in the register has this id."))
    except UnknownEventError as refused:
        form.add_error("event_id", refused.told(page_language()))
    return form.is_valid()


@officer
def seeds_of(request: HttpRequest, pool: Pool, event_id: str) -> HttpResponse:
    """Who is seeded past an event."""
    name = entitled.event_name(pool, event_id)
    if name is None:
        raise Http404
    found, kind = entitled.seeds(pool, event_id), request.GET.get("format")
    rows = [(seed, SEEDS[Seed.Kind(seed.kind)]) for seed in found]
    if kind in TABLES:
        cells = [(seed.player_id, seed.name, seed.name_native, str(said)) for seed, said in rows]
        headings = (_("Id"), _("Name"), _("Name in kanji"), _("Seed"))
        title = _("Seeds of %(event)s") % {"event": name}
        return _table_file(tables.Table(title, headings, cells), "seeds", kind)
    shown = {"pool": pool, "event_id": event_id, "name": name, "rows": rows, "here": "seeds"}
    return render(
        request, "register/seeds_of.html", shown | {"form": SeedForm(initial={"event_id": event_id})}
    )


@officer
@require_POST
def unseed(request: HttpRequest, pool: Pool, event_id: str) -> HttpResponse:
    """Take a seed back."""
    try:
        entitled.note_seed(pool, event_id, request.POST.get("player_id", ""), None, access.actor(request))
    except (members.UnknownMemberError, UnknownEventError):
        raise Http404 from None
    messages.success(request, _("The seed was taken back."))
    return redirect("register-seeds-of", slug=pool.slug, event_id=event_id)


@officer
def starts(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Choose entrants by ids and names, see them with their ratings, take the list for a pairing program."""
    form = StartListForm(pool, request.POST or None)
    shown: dict[str, Any] = {"pool": pool, "form": form, "here": "starts", "formats": start_list.FORMATS}
    if request.method == "POST" and form.is_valid():
        chosen = form.chosen(request.POST.getlist("meant"))
        is_sure, kind = not (chosen.doubtful or chosen.unknown), request.POST.get("format")
        if kind in start_list.FORMATS and is_sure and chosen.entrants:
            try:
                data = start_list.write(pool, chosen.entrants, form.wanted(), kind, access.actor(request))
            except RefusedError as refused:
                shown["faults"] = refused.faults
            else:
                return as_file(data, start_list.FORMATS[kind])
        shown |= {"form": _again(pool, form, chosen), "chosen": chosen, "is_sure": is_sure}
    return render(request, "register/start_list.html", shown)


def _again(pool: Pool, form: StartListForm, chosen: start_list.Chosen) -> StartListForm:
    """The form with the ids of those who were found."""
    found = [entrant.row.player_id for entrant in chosen.entrants]
    lines = [*found, *(line for line, _rows in chosen.doubtful), *chosen.unknown]
    return StartListForm(pool, initial=form.cleaned_data | {"entrants": "\n".join(lines)})
