"""Pages of clubs: who is registered, who has lapsed, registering, renewing, correcting."""

from datetime import date, timedelta

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from banzuke.core.month import months_later
from banzuke.database.models import Pool
from banzuke.office.refusals import StruckRegistrationError, TakenClubError
from banzuke.office.register import clubs as desk
from banzuke.web import access
from banzuke.web.page_language import page_language
from banzuke.web.register.club_forms import ClubForm, CorrectClubForm, RenewForm

MONTHS = 12


def year_from(starts: date) -> dict[str, date]:
    """A registration of a year from a day on."""
    return {"valid_from": starts, "valid_to": months_later(starts, MONTHS) - timedelta(days=1)}


@access.chess_officer
def clubs(request: HttpRequest, pool: Pool) -> HttpResponse:
    """All clubs, those that have lapsed first; and registering one."""
    today = localdate()
    form = ClubForm(request.POST or None, initial=year_from(today))
    if request.method == "POST" and form.is_valid():
        try:
            desk.register(pool, form.club(form.cleaned_data["club_id"]), access.actor(request))
        except TakenClubError as refused:
            form.add_error("club_id", refused.sentence(page_language()))
        else:
            messages.success(request, _("The club was registered."))
            return redirect("register-clubs", slug=pool.slug)
    found = sorted(desk.clubs(pool), key=lambda club: club.row.valid_to >= today)
    rows = [(club, club.stands_on(today), club.row.valid_to < today) for club in found]
    lapsed = sum(is_lapsed for _club, _stands, is_lapsed in rows)
    context = {"pool": pool, "rows": rows, "lapsed": lapsed, "form": form, "here": "clubs"}
    return render(request, "register/clubs.html", context)


@access.chess_officer
def club(request: HttpRequest, pool: Pool, club_id: str) -> HttpResponse:
    """One club with all its registrations; renewing it."""
    found = _find(pool, club_id)
    following = max(found.row.valid_to + timedelta(days=1), localdate())
    form = RenewForm(request.POST or None, initial=year_from(following))
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        desk.renew(pool, club_id, values["valid_from"], values["valid_to"], access.actor(request))
        messages.success(request, _("The registration was renewed."))
        return redirect("register-clubs", slug=pool.slug)
    context = {"pool": pool, "club": found, "form": form, "here": "clubs"}
    return render(request, "register/club.html", context)


@access.chess_officer
def correct(request: HttpRequest, pool: Pool, club_id: str, number: int) -> HttpResponse:
    """Another name, kind or span for a registration."""
    row = next((row for row in _find(pool, club_id).rows if row.pk == number), None)
    if row is None:
        raise Http404
    initial = {name: getattr(row, name) for name in ("name", "kind", "valid_from", "valid_to")}
    form = CorrectClubForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        why = form.cleaned_data["why"]
        try:
            desk.correct(pool, number, form.club(club_id), access.actor(request), why, localdate())
        except StruckRegistrationError as refused:
            messages.error(request, refused.sentence(page_language()))
        else:
            messages.success(request, _("The registration was corrected."))
        return redirect("register-club", slug=pool.slug, club_id=club_id)
    context = {"pool": pool, "row": row, "form": form, "here": "clubs"}
    return render(request, "register/correct_club.html", context)


def _find(pool: Pool, club_id: str) -> desk.RegisteredClub:
    found = next((club for club in desk.clubs(pool) if club.row.club_id == club_id), None)
    if found is None:
        raise Http404
    return found
