"""Forms: a report's files, and what is said of its event."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from django import forms
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _

from banzuke.core import facts
from banzuke.formats.report_form.form_layout import CHOICES, MOST_MINUTES, MOST_NONMEMBERS, MOST_SECONDS
from banzuke.web.column_labels import event_label
from banzuke.web.form_fields import day_field
from banzuke.web.page_language import page_language

LONGEST = 200
EARLIEST, LATEST = date(1850, 1, 1), date(2199, 12, 31)
#: The fields of an event that a form asks for, in its order.
WORDS = ("name", "place", "organiser", "responsible", "reporter")
COUNTS = {"base_minutes": MOST_MINUTES, "increment_seconds": MOST_SECONDS, "nonmembers": MOST_NONMEMBERS}
CHOSEN = {"form": CHOICES["form"], "speed": CHOICES["speed"]}
ORDER = (
    *("name", "starts", "ends", "place", "organiser", "responsible", "reporter", "form"),
    *("base_minutes", "increment_seconds", "speed", "fide_rated", "nonmembers"),
    *("reported", "applied", "notified", "paid", "event_id"),
)
#: What only an officer says of an event.
OFFICERS = frozenset(("reported", "paid", "event_id"))
RULINGS = (
    ("", _("none")),
    (facts.ACCEPT_LATE, _("accept the late report")),
    (facts.WAIVE_FEE, _("waive the fee")),
    (facts.INCLUDE, _("include it, late or unpaid")),
    (facts.EXCLUDE, _("leave the event out")),
)


def fields_for(*, is_officer: bool) -> list[str]:
    """The fields that a visitor is asked for."""
    return [name for name in ORDER if is_officer or name not in OFFICERS]


def _choice(kind: str, value: str) -> str:
    return str(getattr(CHOICES[kind][value], page_language()))


_choice_lazy = lazy(_choice, str)


def _word(name: str) -> forms.Field:
    return forms.CharField(label=event_label(name), max_length=LONGEST, required=False)


def _day(name: str) -> forms.Field:
    return day_field(event_label(name), required=False, validators=[_within])


def _within(given: date) -> None:
    """Days in which events are believed."""
    if not EARLIEST <= given <= LATEST:
        raise forms.ValidationError(_("This is not a valid day for an event."))


def _count(name: str) -> forms.Field:
    return forms.IntegerField(label=event_label(name), min_value=0, max_value=COUNTS[name], required=False)


def _choice_field(name: str) -> forms.Field:
    choices = [("", "–"), *((value, _choice_lazy(name, value)) for value in CHOSEN[name])]
    return forms.ChoiceField(label=event_label(name), choices=choices, required=False)


def _yes_no(name: str) -> forms.Field:
    choices = [("", "–"), *((value, _choice_lazy("yes-no", value)) for value in ("1", "0"))]
    return forms.TypedChoiceField(
        label=event_label(name), choices=choices, required=False, empty_value=None, coerce=lambda v: v == "1"
    )


def _field(name: str) -> forms.Field:
    if name in CHOSEN:
        return _choice_field(name)
    if name in COUNTS:
        return _count(name)
    if name == "fide_rated":
        return _yes_no(name)
    return _word(name) if name in (*WORDS, "event_id") else _day(name)


class EventForm(forms.Form):
    """What is known of an event, to be completed or corrected; `asked` are the fields that it has."""

    def __init__(self, *args: Any, asked: Iterable[str] = ORDER, **words: Any) -> None:
        super().__init__(*args, **words)
        for name in asked:
            self.fields[name] = _field(name)

    def changed_fields(self) -> dict[str, Any]:
        """What is said anew: the fields sent that changed; a blank takes back what was said."""
        sent = [name for name in self.changed_data if self.add_prefix(name) in self.data]
        values = {name: self.cleaned_data[name] for name in sent}
        return {name: "" if value is None else value for name, value in values.items()}


def initial_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """An event's values as the form has them at first."""
    return {name: int(value) if isinstance(value, bool) else value for name, value in values.items()}


class FilesInput(forms.ClearableFileInput):
    """Several files at once."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """One file or more; their number and size are the inbox's matter."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        """The files that were sent."""
        one = super().clean
        return [one(each, initial) for each in (data or [None])]


class ClubForm(forms.Form):
    """The club that a report is of; whoever sends it chooses among their own."""

    def __init__(self, *args: Any, clubs: Sequence[tuple[str, str]], **words: Any) -> None:
        super().__init__(*args, **words)
        self.fields["club"] = forms.ChoiceField(
            label=_("Club"), required="" not in dict(clubs), choices=clubs
        )


class SendForm(ClubForm):
    """A report by upload: its files, the club it is of."""

    files = FilesField(  # type: ignore[assignment]  # no attribute of the form: Django takes it out of the class
        label=_("Files"),
        help_text=_(
            "All files of one event: TRF, Chess-Results, Swiss-Manager, PGN, the report form, mails; "
            "for Go, SGF files or a zip of them, with a table (CSV or XLSX) of when each ended: "
            "file or game_id, ended (2026-01-04T21:30:00+09:00), "
            "and where needed room, pair, robot, fault, black, white, moves."
        ),
    )
