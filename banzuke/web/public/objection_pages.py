"""What players say is wrong: the form, the page behind the secret link with the appeal, the numbers."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from banzuke.database.book_reader import MissingBookError, rules_of
from banzuke.database.models import Objection, Pool
from banzuke.office import table_files
from banzuke.office.administration.office_settings import office_settings
from banzuke.office.lists.coming_list import today_of
from banzuke.office.lists.list_index import known_until
from banzuke.office.objections import incoming_objections, writer_acts
from banzuke.office.objections.numbers import numbers_of_pool
from banzuke.office.objections.progress import steps_of
from banzuke.office.objections.secret_links import find_objection
from banzuke.office.objections.subjects import Subject, find_subject, game_of, subject_of
from banzuke.office.pages.event_lists import note_event_names
from banzuke.office.refusals import NotDoneError
from banzuke.web.access import public
from banzuke.web.downloads import CSV, as_file
from banzuke.web.public.caching import conditional_on_objections
from banzuke.web.public.objection_forms import AppealForm, ObjectionForm, game_text, proposed_text
from banzuke.web.rule_clauses import inquiry_clause
from banzuke.web.shortcuts import found_or_404, page_language, pool_page, show_refusal

View = Callable[..., HttpResponseBase]
#: What the address of the form may say.
ASKED = ("player", "event", "list", "speed")


def _kept_by_nobody(view: View) -> View:
    """A page that no cache keeps, no search engine lists, and whose address goes to no other site."""

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **words: Any) -> HttpResponseBase:
        answer = view(request, *args, **words)
        answer["Cache-Control"] = "no-store"
        answer["X-Robots-Tag"] = "noindex, nofollow"
        answer["Referrer-Policy"] = "same-origin"
        return answer

    return page


@_kept_by_nobody
@public
def wrong(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Say that a game, an event or a player's data are wrong. Raises Http404 where there is no such thing."""
    subject = _asked_subject(request, pool)
    has_mail = office_settings().sends_notices
    initial = {"game": _chosen_key(request, subject)}
    words: dict[str, Any] = {"is_go": _is_go(pool), "has_mail": has_mail, "initial": initial}
    form = ObjectionForm(subject, request.POST or None, **words)
    if request.method == "POST" and form.is_valid():
        receipt = _receive(request, pool, subject, form)
        if receipt is not None:
            return redirect("objection", token=receipt.token)
    return pool_page(request, "public/wrong.html", pool, form=form, **_about(pool, subject))


def _asked_subject(request: HttpRequest, pool: Pool) -> Subject:
    player, event, name, speed = (request.GET.get(key, "").strip() for key in ASKED)
    return found_or_404(find_subject(pool, player, event, name, speed))


def _chosen_key(request: HttpRequest, subject: Subject) -> str:
    """The game that stands in the address by its round and opponent."""
    asked = request.GET.get("round", ""), request.GET.get("opponent", "")
    found = (one for one in subject.games if (str(one.line.round), one.line.opponent_id) == asked)
    return next((one.key for one in found), "")


def _receive(
    request: HttpRequest, pool: Pool, subject: Subject, form: ObjectionForm
) -> incoming_objections.Receipt | None:
    """Take the objection in; None where it was not taken, and the form says why."""
    address, site = request.META.get("REMOTE_ADDR", ""), request.build_absolute_uri("/").rstrip("/")
    try:
        return incoming_objections.open_objection(
            pool, subject, form.chosen_game, form.statement, address, today_of(pool), site
        )
    except NotDoneError as refusal:
        form.add_error(None, refusal.sentence(page_language()))
        return None


def _about(pool: Pool, subject: Subject) -> dict[str, Any]:
    """What the page says of the subject: what is shown of it, and up to which day its list may change."""
    if subject.list is not None:
        note_event_names([subject.list])
    only = game_text(subject.games[0]) if len(subject.games) == 1 else ""
    lang = page_language()
    called = subject.player.called(lang) if subject.player else ""
    players = sorted((one.called(lang), one.player_id) for one in subject.players)
    return {
        "subject": subject,
        "called": called,
        "players": [(player, name) for name, player in players],
        "only": only,
        "is_go": _is_go(pool),
        **_last_day(pool, subject),
    }


def _is_go(pool: Pool) -> bool:
    try:
        return rules_of(pool).is_go
    except MissingBookError:
        return False


def _last_day(pool: Pool, subject: Subject) -> dict[str, Any]:
    """Up to which day the book lets the list change, and by which clause."""
    published = subject.list
    try:
        known = known_until(published) if published else None
        clause = inquiry_clause(pool, published.rulebook) if published else ""
    except MissingBookError:
        return {}
    if known is None:
        return {}
    last = known - known.resolution
    return {"last_day": last, "is_over": today_of(pool) > last, "clause": f" ({clause})" if clause else ""}


def _find(token: str) -> Objection:
    return found_or_404(find_objection(token))


@_kept_by_nobody
@public
def objection(request: HttpRequest, token: str) -> HttpResponse:
    """What became of an objection, for whoever has its address."""
    return _page(request, _find(token), AppealForm(), token)


@_kept_by_nobody
@public
@require_POST
def appeal(request: HttpRequest, token: str) -> HttpResponse:
    """Appeal the decision, once."""
    found, form = _find(token), AppealForm(request.POST)
    if not form.is_valid():
        return _page(request, found, form, token)
    with show_refusal(request):
        writer_acts.appeal(found, form.cleaned_data["why"], today_of(found.inquiry.pool))
        messages.success(request, gettext("Your appeal has been received. Another officer decides on it."))
    return redirect("objection", token=token)


@_kept_by_nobody
@public
@require_POST
def withdraw(request: HttpRequest, token: str) -> HttpResponse:
    """Withdraw an objection that is not decided."""
    with show_refusal(request):
        writer_acts.withdraw(_find(token))
        messages.success(request, gettext("The inquiry is withdrawn and closed."))
    return redirect("objection", token=token)


def _page(request: HttpRequest, found: Objection, form: AppealForm, token: str) -> HttpResponse:
    inquiry, subject = found.inquiry, subject_of(found)
    pool, game = inquiry.pool, game_of(found, subject)
    last = writer_acts.last_day_to_appeal(found)
    context = {
        "objection": found,
        "inquiry": inquiry,
        "token": token,
        "steps": steps_of(found),
        "game": game_text(game) if game else "",
        "may_appeal": writer_acts.may_appeal(found, today_of(pool)),
        "is_appealed": writer_acts.is_appealed(inquiry),
        "may_withdraw": writer_acts.may_withdraw(inquiry),
        "address": request.build_absolute_uri(reverse("objection", kwargs={"token": token})),
        "last_day": last,
        "form": form,
        "has_mail": bool(found.email),
        "book": found.list.rulebook if found.list else "",
    }
    called = subject.player.called(page_language()) if subject and subject.player else found.player_id
    context["proposed"] = proposed_text(found, called, game.opponent.called(page_language()) if game else "")
    if subject is not None:
        context |= {key: value for key, value in _about(pool, subject).items() if key not in context}
    return pool_page(request, "public/objection.html", pool, **context)


@public
@conditional_on_objections
def numbers(request: HttpRequest, pool: Pool) -> HttpResponse:
    """What became of objections, list by list."""
    total, lists = numbers_of_pool(pool)
    note_event_names(one.list for one in lists if one.list)
    return pool_page(request, "public/objections.html", pool, total=total, lists=lists)


COLUMNS = ("list", "received", "upheld", "refused", "withdrawn", "open", "median_days")


@public
@conditional_on_objections
def numbers_file(_request: HttpRequest, pool: Pool) -> HttpResponse:
    """The same as a table for a spreadsheet. Raises Http404 where nothing was ever received."""
    total, lists = numbers_of_pool(pool)
    if not total.received:
        raise Http404
    rows = [
        (one.list.name if one.list else "", *("" if cell is None else str(cell) for cell in one.numbers))
        for one in lists
    ]
    data = table_files.write(table_files.Table("", COLUMNS, rows), table_files.CSV)
    return as_file(data, f"objections-{pool.slug}.csv", CSV)
