"""Pages of who may what: those who qualify, seeds of a qualifier, a start list."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from banzuke.core.fault import RefusedError
from banzuke.database.models import Pool, RatingList, Seed
from banzuke.office import table_files
from banzuke.office.lists.list_index import current_lists
from banzuke.office.refusals import UnknownEventError
from banzuke.office.register import members, qualification
from banzuke.web import access
from banzuke.web.downloads import TABLES, as_file
from banzuke.web.page_language import page_language
from banzuke.web.register.list_forms import SEEDS, SeedForm, StartListForm


@access.chess_officer
def qualified(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Those whose rating may be used for qualification."""
    lists = list(current_lists(pool))
    wanted = request.GET.get("list")
    listed = next((each for each in lists if wanted in (None, each.name)), None)
    rows = [] if listed is None else list(qualification.qualified_players(listed))
    kind = request.GET.get("format")
    if kind in TABLES and listed is not None:
        return _table_file(_qualified_table(listed, rows), f"qualified-{listed.name}", kind)
    context = {"pool": pool, "lists": lists[:12], "listed": listed, "rows": rows, "here": "qualified"}
    return render(request, "register/qualified.html", context)


def _qualified_table(listed: RatingList, rows: list[Any]) -> table_files.Table:
    headings = (_("Place"), _("Id"), _("Name"), _("Name in kanji"), _("Rating"), _("Games"))
    cells = [(r.place, r.player_id, r.name, r.name_native, r.rating, r.games) for r in rows]
    return table_files.Table(_("Qualified players, list %(list)s") % {"list": listed.name}, headings, cells)


def _table_file(table: table_files.Table, name: str, kind: str) -> HttpResponse:
    return as_file(table_files.write(table, kind), f"{name}.{kind}", TABLES[kind])


@access.chess_officer
def seeds(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The events that qualify, of which seeds were reported; and reporting one."""
    form = SeedForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and _note_seed(request, pool, form):
        messages.success(request, _("The seed was recorded."))
        return redirect("register-seeds-of", slug=pool.slug, event_id=form.cleaned_data["event_id"])
    events = [
        (i, qualification.event_name(pool, i), qualification.seeds(pool, i))
        for i in qualification.seeded_events(pool)
    ]
    return render(
        request, "register/seeds.html", {"pool": pool, "events": events, "form": form, "here": "seeds"}
    )


def _note_seed(request: HttpRequest, pool: Pool, form: SeedForm) -> bool:
    values = form.cleaned_data
    kind = Seed.Kind(values["kind"])
    try:
        qualification.note_seed(pool, values["event_id"], values["player_id"], kind, access.actor(request))
    except members.UnknownMemberError:
        form.add_error("player_id", _("Nobody in the register has this id."))
    except UnknownEventError as refused:
        form.add_error("event_id", refused.sentence(page_language()))
    return form.is_valid()


@access.chess_officer
def seeds_of(request: HttpRequest, pool: Pool, event_id: str) -> HttpResponse:
    """Who is seeded past an event."""
    name = qualification.event_name(pool, event_id)
    if name is None:
        raise Http404
    found, kind = qualification.seeds(pool, event_id), request.GET.get("format")
    rows = [(seed, SEEDS[Seed.Kind(seed.kind)]) for seed in found]
    if kind in TABLES:
        cells = [(seed.player_id, seed.name, seed.name_native, str(values)) for seed, values in rows]
        headings = (_("Id"), _("Name"), _("Name in kanji"), _("Seed"))
        title = _("Seeds of %(event)s") % {"event": name}
        return _table_file(table_files.Table(title, headings, cells), "seeds", kind)
    context = {"pool": pool, "event_id": event_id, "name": name, "rows": rows, "here": "seeds"}
    return render(
        request, "register/seeds_of.html", context | {"form": SeedForm(initial={"event_id": event_id})}
    )


@access.chess_officer
@require_POST
def unseed(request: HttpRequest, pool: Pool, event_id: str) -> HttpResponse:
    """Take a seed back."""
    try:
        qualification.note_seed(
            pool, event_id, request.POST.get("player_id", ""), None, access.actor(request)
        )
    except (members.UnknownMemberError, UnknownEventError):
        raise Http404 from None
    messages.success(request, _("The seed was removed."))
    return redirect("register-seeds-of", slug=pool.slug, event_id=event_id)


@access.chess_officer
def starts(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Choose entrants by ids and names, see them with their ratings, take the list for a pairing program."""
    form = StartListForm(pool, request.POST or None)
    context: dict[str, Any] = {
        "pool": pool,
        "form": form,
        "here": "starts",
        "formats": qualification.START_LISTS,
    }
    if request.method == "POST" and form.is_valid():
        chosen = form.chosen(request.POST.getlist("meant"))
        is_sure, kind = not (chosen.doubtful or chosen.unknown), request.POST.get("format")
        if kind in qualification.START_LISTS and is_sure and chosen.entrants:
            try:
                data = qualification.write_start_list(
                    pool, chosen.entrants, form.wanted(), kind, access.actor(request)
                )
            except RefusedError as refused:
                context["faults"] = refused.faults
            else:
                return as_file(data, qualification.START_LISTS[kind])
        context |= {"form": _form_again(pool, form, chosen), "chosen": chosen, "is_sure": is_sure}
    return render(request, "register/start_list.html", context)


def _form_again(pool: Pool, form: StartListForm, chosen: qualification.EntrantChoice) -> StartListForm:
    """The form with the ids of those who were found."""
    found = [entrant.row.player_id for entrant in chosen.entrants]
    lines = [*found, *(line for line, _rows in chosen.doubtful), *chosen.unknown]
    return StartListForm(pool, initial=form.cleaned_data | {"entrants": "\n".join(lines)})
