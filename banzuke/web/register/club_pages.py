"""Clubs: who is registered, who has lapsed, registering, renewing, correcting."""

from datetime import date, timedelta

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.timezone import localdate
from django.utils.translation import gettext_lazy as _

from banzuke.core import facts
from banzuke.core.month import months_later
from banzuke.database.models import Club, Pool
from banzuke.office.refusals import HeldRegistrationError, StruckRegistrationError, TakenClubError
from banzuke.office.register import clubs as club_register
from banzuke.web import access
from banzuke.web.form_fields import day_field, native_name
from banzuke.web.register.member_forms import check_span, new_id, text, why
from banzuke.web.shortcuts import found_or_404, page_language, pool_page

KINDS = [
    (facts.CLUB, _("recognised club")),
    (facts.STUDENT, _("student circle")),
    (facts.FEDERATION, _("the federation itself")),
]


class RenewForm(forms.Form):
    """A registration's span."""

    valid_from = day_field(_("Registered from"))
    valid_to = day_field(_("Registered until"))

    def clean(self) -> None:
        """An end that is not before the beginning."""
        check_span(self, "valid_from", "valid_to")


#: What is entered of a registration.
COLUMNS = ("name", "name_native", "kind", "valid_from", "valid_to")


class _NamedForm(RenewForm):
    """A registration with the club's name and kind."""

    name = text(_("Club's name"))
    name_native = native_name()
    kind = forms.ChoiceField(label=_("Kind"), choices=KINDS)

    def club(self, club_id: str) -> facts.Club:
        """The registration as a row of clubs."""
        values = self.cleaned_data
        return facts.Club(club_id=club_id, **{name: values[name] for name in COLUMNS})


class ClubForm(_NamedForm):
    """A club that is registered for the first time."""

    club_id = new_id(_("Club's id"))
    field_order = ("club_id", "name", "name_native", "kind")


class CorrectClubForm(_NamedForm):
    """A registration as it should have been."""

    why = why()
    field_order = ("name", "name_native", "kind")


MONTHS = 12


def year_from(starts: date) -> dict[str, date]:
    """A registration of a year from a day on."""
    return {"valid_from": starts, "valid_to": months_later(starts, MONTHS) - timedelta(days=1)}


def _following_year(row: Club) -> dict[str, date]:
    """The year after a registration, not before today; nothing where no calendar goes that far."""
    try:
        return year_from(max(row.valid_to + timedelta(days=1), localdate()))
    except (OverflowError, ValueError):
        return {}


@access.chess_officer
def clubs(request: HttpRequest, pool: Pool) -> HttpResponse:
    """All clubs, those that have lapsed first; and registering one."""
    today = localdate()
    form = ClubForm(request.POST or None, initial=year_from(today))
    if request.method == "POST" and form.is_valid():
        try:
            club_register.register(pool, form.club(form.cleaned_data["club_id"]), access.actor(request))
        except TakenClubError as refused:
            form.add_error("club_id", refused.sentence(page_language()))
        else:
            messages.success(request, _("The club was registered."))
            return redirect("register-clubs", slug=pool.slug)
    found = sorted(club_register.clubs(pool), key=lambda club: club.row.valid_to >= today)
    rows = [(club, club.stands_on(today), club.row.valid_to < today) for club in found]
    lapsed = sum(is_lapsed for _club, _stands, is_lapsed in rows)
    return pool_page(request, "register/clubs.html", pool, rows=rows, lapsed=lapsed, form=form, here="clubs")


@access.chess_officer
def club(request: HttpRequest, pool: Pool, club_id: str) -> HttpResponse:
    """One club with all its registrations; renewing it."""
    found = _find_club(pool, club_id)
    form = RenewForm(request.POST or None, initial=_following_year(found.row))
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        try:
            club_register.renew(
                pool, club_id, values["valid_from"], values["valid_to"], access.actor(request)
            )
        except HeldRegistrationError as refused:
            form.add_error(None, refused.sentence(page_language()))
        else:
            messages.success(request, _("The registration was renewed."))
            return redirect("register-clubs", slug=pool.slug)
    return pool_page(request, "register/club.html", pool, club=found, form=form, here="clubs")


@access.chess_officer
def correct(request: HttpRequest, pool: Pool, club_id: str, number: int) -> HttpResponse:
    """Another name, kind or span for a registration."""
    row = found_or_404(next((row for row in _find_club(pool, club_id).rows if row.pk == number), None))
    initial = {name: getattr(row, name) for name in COLUMNS}
    form = CorrectClubForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        why = form.cleaned_data["why"]
        try:
            club_register.correct(pool, number, form.club(club_id), access.actor(request), why, localdate())
        except StruckRegistrationError as refused:
            messages.error(request, refused.sentence(page_language()))
        else:
            messages.success(request, _("The registration was corrected."))
        return redirect("register-club", slug=pool.slug, club_id=club_id)
    return pool_page(request, "register/correct_club.html", pool, row=row, form=form, here="clubs")


def _find_club(pool: Pool, club_id: str) -> club_register.RegisteredClub:
    return found_or_404(
        next((each for each in club_register.clubs(pool) if each.row.club_id == club_id), None)
    )
