"""The forms of clubs and of the events that they apply for."""

from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from banzuke.core import facts
from banzuke.database.models import Pool
from banzuke.office.register import clubs
from banzuke.web.form_fields import day_field
from banzuke.web.register.member_forms import SPEEDS, check_span, text, why
from banzuke.web.rule_clauses import in_brackets

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


class _NamedForm(RenewForm):
    """A registration with the club's name and kind."""

    name = text(_("Club's name"))
    kind = forms.ChoiceField(label=_("Kind"), choices=KINDS)

    def club(self, club_id: str) -> facts.Club:
        """The registration as a row of clubs."""
        values = self.cleaned_data
        return facts.Club(club_id, values["name"], values["kind"], values["valid_from"], values["valid_to"])


class ClubForm(_NamedForm):
    """A club that is registered for the first time."""

    club_id = text(_("Club's id"))
    field_order = ("club_id", "name", "kind")


class CorrectClubForm(_NamedForm):
    """A registration as it should have been."""

    why = why()
    field_order = ("name", "kind")


class EventForm(forms.Form):
    """An event that a club applies for."""

    name = text(_("Name of the event"))
    organiser = forms.ChoiceField(label=_("Organiser"))
    starts = day_field(_("First day"))
    ends = day_field(_("Last day"))
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
    event_id = text(_("Id for the event"), required=False, help_text=_("Blank: the office gives one."))
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
