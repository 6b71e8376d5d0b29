"""Drafting a correction: finding what it is about, striking, changing and adding rows."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from banzuke.core import facts
from banzuke.database.models import Inquiry, Pool
from banzuke.formats.files.text import whole_number
from banzuke.office.fact_rows import TABLES, record_of, standing_rows
from banzuke.office.lists import correction_drafts
from banzuke.office.objections.proposals import turned
from banzuke.office.public_names import names_in_register
from banzuke.office.register import members
from banzuke.web import access
from banzuke.web.board.forms import TABLES as NAMES
from banzuke.web.board.forms import RecordForm, new_initial
from banzuke.web.board.inquiry_pages import SUBJECT_COLUMN, find_inquiry
from banzuke.web.board.row_texts import describe
from banzuke.web.look_ups import give_pool
from banzuke.web.shortcuts import page_language, pool_page, show_refusal

#: So many players, events and games are shown of what was found.
MOST = 20
MOST_GAMES = 200
#: What an inquiry adds; new players and events come by the register and the inbox.
ADDED = ("games", "memberships")


def _open(pool: Pool, number: int) -> Inquiry:
    """An inquiry that is open still. Raises Http404."""
    inquiry = find_inquiry(pool, number)
    if inquiry.state != Inquiry.State.OPEN:
        raise Http404
    return inquiry


@access.officer
def search(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Players and events by name or id; the facts and games of one."""
    inquiry, typed = _open(pool, number), request.GET.get("q", "").strip()
    player, event = request.GET.get("player", ""), request.GET.get("event", "")
    context: dict[str, Any] = {"inquiry": inquiry, "q": typed}
    if player:
        context |= _of_player(pool, player)
    elif event:
        context |= _of_event(pool, event)
    elif typed:
        context |= _matching(pool, typed)
    return pool_page(request, "board/find.html", pool, **context)


def _matching(pool: Pool, typed: str) -> dict[str, Any]:
    named = Q(name__icontains=typed) | Q(event_id__icontains=typed)
    events = standing_rows(pool, facts.Event).filter(named).order_by("-starts", "event_id")
    return {"players": members.search_members(pool, typed)[:MOST], "events": events[:MOST]}


def _of_player(pool: Pool, player: str) -> dict[str, Any]:
    row = get_object_or_404(standing_rows(pool, facts.Player), player_id=player)
    games = standing_rows(pool, facts.Game).filter(Q(white=player) | Q(black=player)).order_by("-pk")
    memberships = standing_rows(pool, facts.Membership).filter(player_id=player).order_by("valid_from")
    return {"player": row, "memberships": memberships, "games": _with_names(pool, list(games[:MOST_GAMES]))}


def _of_event(pool: Pool, event: str) -> dict[str, Any]:
    row = get_object_or_404(standing_rows(pool, facts.Event), event_id=event)
    games = standing_rows(pool, facts.Game).filter(event_id=event).order_by("round", "white")
    return {"event": row, "games": _with_names(pool, list(games[:MOST_GAMES]))}


def _with_names(pool: Pool, games: list[Any]) -> list[tuple[Any, str, str]]:
    """Games with the names of White and Black."""
    ids = {player for game in games for player in (game.white, game.black)}
    known = names_in_register(pool, ids)
    names = {id_: person.called(page_language()) for id_, person in known.items() if person.name}
    return [(game, names.get(game.white, ""), names.get(game.black, "")) for game in games]


def _record(table: str) -> Any:
    """The kind of record of a table that can be corrected. Raises Http404."""
    if table not in correction_drafts.CORRECTED:
        raise Http404
    return correction_drafts.CORRECTED[table]


def _row(pool: Pool, table: str, row: int) -> Any:
    return get_object_or_404(standing_rows(pool, _record(table)), pk=row)


@access.officer
@require_POST
def strike(request: HttpRequest, pool: Pool, number: int, table: str, row: int) -> HttpResponse:
    """Note that a row is to be struck."""
    inquiry = _open(pool, number)
    _row(pool, table, row)
    return _draft(request, inquiry, lambda: correction_drafts.draft_strike(inquiry, table, row))


def _draft(request: HttpRequest, inquiry: Inquiry, act: Callable[[], None]) -> HttpResponse:
    """Add to the draft, and say that it was done, or why not."""
    with show_refusal(request):
        act()
        messages.success(request, gettext("Added to the draft. Nothing is changed yet."))
    return redirect("board-inquiry", slug=inquiry.pool.slug, number=inquiry.pk)


@access.officer
def change(request: HttpRequest, pool: Pool, number: int, table: str, row: int) -> HttpResponse:
    """Note that a row is to be as it should have been."""
    inquiry, found = _open(pool, number), _row(pool, table, row)
    record, columns = _record(table), correction_drafts.table_in(pool, table)
    form = RecordForm(columns, record_of(found, record), SUBJECT_COLUMN[table], request.POST or None)
    give_pool(form, pool)
    if request.method == "POST" and form.is_valid():
        return _draft_changes(request, inquiry, table, row, form.changed_cells())
    is_game = table == "games"
    about = describe(pool, table, correction_drafts.cells_of(columns, record_of(found, record)))
    context = {"inquiry": inquiry, "form": form, "row": found, "is_game": is_game, "about": about}
    return pool_page(request, "board/change.html", pool, **context, table=table, name=NAMES[table])


def _draft_changes(
    request: HttpRequest, inquiry: Inquiry, table: str, row: int, values: dict[str, Any]
) -> HttpResponse:
    if values:
        return _draft(request, inquiry, lambda: correction_drafts.draft_change(inquiry, table, row, **values))
    messages.warning(request, gettext("Nothing was changed."))
    return redirect("board-inquiry", slug=inquiry.pool.slug, number=inquiry.pk)


@access.officer
@require_POST
def swap(request: HttpRequest, pool: Pool, number: int, row: int) -> HttpResponse:
    """Note that the colours of a game were the other way round; who won stays."""
    inquiry, game = _open(pool, number), _row(pool, "games", row)
    values = {"white": game.black, "black": game.white, "result": turned(game.result)}
    return _draft_changes(request, inquiry, "games", row, values)


@access.officer
def add(request: HttpRequest, pool: Pool, number: int, table: str) -> HttpResponse:
    """Note that a row is to be added."""
    inquiry = _open(pool, number)
    if table not in ADDED:
        raise Http404
    record = _record(table)
    initial = new_initial(table, request.GET.get("event", ""), request.GET.get("player", ""))
    form = RecordForm(TABLES[record], None, "", request.POST or None, initial=initial)
    give_pool(form, pool)
    if request.method == "POST" and form.is_valid():
        made = record(**form.cleaned_data)
        return _draft(request, inquiry, lambda: correction_drafts.draft_add(inquiry, made))
    context = {"inquiry": inquiry, "form": form, "table": table, "name": NAMES[table]}
    return pool_page(request, "board/change.html", pool, **context)


@access.officer
@require_POST
def take_back(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Take a change out of the draft: the places that it has there."""
    inquiry = _open(pool, number)
    first, count = (whole_number(request.POST.get(name, "")) for name in ("first", "count"))
    if first is None or count not in (1, 2) or first + count > len(inquiry.draft):
        raise Http404
    with show_refusal(request):
        correction_drafts.remove_changes(inquiry, first, count, request.POST.get("seen", ""))
    return redirect("board-inquiry", slug=pool.slug, number=number)
