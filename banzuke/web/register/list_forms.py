"""The forms of seeds, start lists and exports."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool, Seed
from banzuke.office.lists.list_index import current_lists
from banzuke.office.register import qualification
from banzuke.office.register.qualification import EntrantChoice, StartListOptions
from banzuke.web.register.member_forms import SPEEDS, text

_FEDERATION = RegexValidator("^[A-Z]{3}$", _("Three capital letters, such as JPN."))
SEEDS = {
    Seed.Kind.NATIONAL: _("national seed"),
    Seed.Kind.LOCAL: _("national seed of the local places"),
}


class SeedForm(forms.Form):
    """Somebody seeded past an event that qualifies."""

    event_id = text(_("Event"), help_text=_("Its id, as in the ledger or in the application."))
    player_id = text(_("Member's id"))
    kind = forms.ChoiceField(label=_("Seed"), choices=list(SEEDS.items()))


def federation(**words: Any) -> forms.CharField:
    """A federation's code."""
    return forms.CharField(
        label=_("Federation's code"), max_length=3, initial="JPN", validators=[_FEDERATION], **words
    )


class StartListForm(forms.Form):
    """Entrants, a line each; and what the list is for."""

    entrants = forms.CharField(
        label=_("Entrants"),
        widget=forms.Textarea({"rows": 12}),
        max_length=100_000,
        help_text=_("An id or a name a line, in Latin letters or kanji."),
    )
    name = text(_("Name of the event"))
    speed = forms.ChoiceField(label=_("Ratings"), required=False)
    listed = forms.ChoiceField(label=_("From list"), required=False)
    federation = federation()

    def __init__(self, pool: Pool, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        self._pool = pool
        speeds = rules_of(pool).speeds
        self.fields["speed"].choices = [(speed, SPEEDS[speed]) for speed in speeds]  # type: ignore[attr-defined]
        self._lists = {each.name: each for each in current_lists(pool)}
        self.fields["listed"].choices = [(name, name) for name in self._lists] or [("", "–")]  # type: ignore[attr-defined]

    def chosen(self, meant: Collection[str]) -> EntrantChoice:
        """Whom the lines mean."""
        values = self.cleaned_data
        lines = values["entrants"].splitlines()
        return qualification.choose_entrants(
            self._pool, lines, self._lists.get(values["listed"]), values["speed"], meant
        )

    def wanted(self) -> StartListOptions:
        """What the list is written for."""
        values = self.cleaned_data
        return qualification.StartListOptions(values["name"], values["speed"], values["federation"])


class EventFileForm(forms.Form):
    """An event that is taken out for FIDE."""

    event_id = text(_("Event"), help_text=_("Its id."))
    federation = federation()
