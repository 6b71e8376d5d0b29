"""Forms: a report's files, and the fields of its event."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _

from banzuke.core import facts
from banzuke.formats.report_form.form_layout import CHOICES, MOST_MINUTES, MOST_NONMEMBERS, MOST_SECONDS
from banzuke.web.form_fields import check_event_day, day_field, event_label
from banzuke.web.shortcuts import page_language

LONGEST = 200
#: The fields of an event that a form asks for, in its order.
WORDS = ("name", "name_native", "place", "organiser", "responsible", "reporter")
COUNTS = {"base_minutes": MOST_MINUTES, "increment_seconds": MOST_SECONDS, "nonmembers": MOST_NONMEMBERS}
CHOSEN = {"form": CHOICES["form"], "speed": CHOICES["speed"]}
ORDER = (
    "name", "name_native", "starts", "ends", "place", "organiser", "responsible", "reporter", "form",
    "base_minutes", "increment_seconds", "speed", "fide_rated", "nonmembers",
    "reported", "applied", "notified", "paid", "event_id",
)  # fmt: skip
#: The fields that only an officer fills in.
OFFICERS = frozenset(("reported", "paid", "event_id"))
RULINGS = (
    ("", _("none")),
    (facts.ACCEPT_LATE, _("accept the late report")),
    (facts.WAIVE_FEE, _("waive the fee")),
    (facts.INCLUDE, _("include it, late or unpaid")),
    (facts.EXCLUDE, _("leave the event out")),
)
#: The rulings that waive a fee or lateness: a chief officer decides on them, here as in the fees' pages.
WAIVERS = frozenset((facts.ACCEPT_LATE, facts.WAIVE_FEE, facts.INCLUDE))


def fields_for(*, is_officer: bool) -> list[str]:
    """The fields that a visitor is asked for."""
    return [name for name in ORDER if is_officer or name not in OFFICERS]


def _choice_text(kind: str, value: str) -> str:
    return str(getattr(CHOICES[kind][value], page_language()))


_lazy_choice_text = lazy(_choice_text, str)


def _choices(kind: str, values: Iterable[str]) -> list[tuple[str, Any]]:
    return [("", "–"), *((value, _lazy_choice_text(kind, value)) for value in values)]


def _field(name: str) -> forms.Field:
    words: dict[str, Any] = {"label": event_label(name), "required": False}
    if name in CHOSEN:
        return forms.ChoiceField(choices=_choices(name, CHOSEN[name]), **words)
    if name in COUNTS:
        return forms.IntegerField(min_value=0, max_value=COUNTS[name], **words)
    if name == "fide_rated":
        yes_no = _choices("yes-no", ("1", "0"))
        return forms.TypedChoiceField(choices=yes_no, empty_value=None, coerce=lambda v: v == "1", **words)
    if name == "organiser":
        named = forms.TextInput({"list": "clubs", "autocomplete": "off"})
        return forms.CharField(max_length=LONGEST, widget=named, **words)
    if name in (*WORDS, "event_id"):
        return forms.CharField(max_length=LONGEST, **words)
    return day_field(validators=[check_event_day], **words)


class EventForm(forms.Form):
    """What is known of an event, to be completed or corrected; `asked` are the fields that it has."""

    def __init__(self, *args: Any, asked: Iterable[str] = ORDER, **words: Any) -> None:
        super().__init__(*args, **words)
        for name in asked:
            self.fields[name] = _field(name)

    def changed_fields(self) -> dict[str, Any]:
        """The fields sent that changed; a blank takes an earlier value back."""
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
            "TRF, Chess-Results, Swiss-Manager, PGN, the report form, mails. You can choose or drop several. "
            "Each event becomes a report of its own."
        ),
    )

    def __init__(self, *args: Any, is_go: bool, events: Sequence[tuple[str, str]] = (), **words: Any) -> None:
        super().__init__(*args, **words)
        if events:
            self.fields["of_event"] = forms.ChoiceField(
                label=_("Event applied for"),
                required=False,
                choices=[("", _("as the files say")), *events],
                help_text=_("Its name, days, venue and speed are known then."),
            )
        if is_go:
            self.fields["files"].help_text = _(
                "SGF files or a zip of them, with a table (CSV or XLSX) of when each ended: "
                "file or game_id, ended (2026-01-04T21:30:00+09:00), "
                "and where needed room, pair, robot, fault, black, white, moves."
            )
