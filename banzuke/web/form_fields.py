"""What forms of several areas share: the labels of the ledger's columns, and fields of one kind."""

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import lazy
from django.utils.timezone import localdate
from django.utils.translation import gettext_lazy as _

from banzuke.core.fault import fault
from banzuke.ledger.cells import CellError, Kind
from banzuke.ledger.written_text import ID, TEXT
from banzuke.office.inbox.problems import field_label
from banzuke.office.page_words import page_text
from banzuke.web.shortcuts import one_letter_ends, page_language

#: Days in which events and births are believed; of births those to come are not.
EARLIEST, LATEST = date(1850, 1, 1), date(2199, 12, 31)
LABELS: dict[str, Any] = {
    "player_id": _("Member's id"),
    "name": _("Name in Latin letters"),
    "name_native": _("Name in kanji"),
    "birth_date": _("Birth date"),
    "sex": _("Sex"),
    "club_id": _("Club"),
    "fide_id": _("FIDE id"),
    "fide_standard": _("FIDE standard taken over"),
    "fide_rapid": _("FIDE rapid taken over"),
    "fide_blitz": _("FIDE blitz taken over"),
    "kind": _("Kind of membership"),
    "valid_from": _("First day"),
    "valid_to": _("Last day"),
    "event_id": _("Event"),
    "title": _("Title"),
    "title_from": _("Where the title is from"),
    "ruling": _("Ruling"),
    "round": _("Round"),
    "played": _("Played on (blank: the first day)"),
    "white": _("White (id)"),
    "black": _("Black (id)"),
    "result": _("Result"),
}


def label(table: str, column: str) -> Any:
    """What a column of a table is called."""
    return LABELS.get(column, column) if table != "events" or column == "ruling" else event_label(column)


def _event_label(column: str) -> str:
    return field_label(column, page_language())


event_label = lazy(_event_label, str)


def check_written(text: str) -> None:
    """Raise ValidationError for what a ledger's cell does not hold."""
    _check(text, TEXT)


def check_id(text: str) -> None:
    """Raise ValidationError for what no id may be."""
    _check(text, ID)


def _check(text: str, kind: Kind) -> None:
    try:
        kind.read(text)
    except CellError as error:
        found = fault("", 0, "", error.code, **error.facts)
        raise ValidationError(page_text(found, page_language())) from None


def native_name() -> forms.CharField:
    """A name in Japanese beside the one that every page has."""
    return forms.CharField(
        label=_("Name in Japanese"),
        required=False,
        max_length=200,
        validators=[check_written],
        help_text=_("Shown on Japanese pages. Blank: the name above."),
    )


def day_field(label: Any, **words: Any) -> forms.DateField:
    """A day, picked or typed as 2025-03-10."""
    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    return forms.DateField(label=label, widget=widget, **words)


def _check_born(day: date) -> None:
    if not EARLIEST <= day <= localdate():
        raise ValidationError(_("Nobody who plays was born on that day."))


def birth_date_field(**words: Any) -> forms.DateField:
    """A birth date of somebody who lives, or did not long ago; it may be unknown."""
    return day_field(LABELS["birth_date"], required=False, validators=[_check_born], **words)


def check_event_day(day: date) -> None:
    """Raise ValidationError for a day on which no event is believed to be."""
    if not EARLIEST <= day <= LATEST:
        raise ValidationError(_("This is not a valid day for an event."))


def seen_field() -> forms.CharField:
    """What a page showed, by which it is known whether that still stands when the form comes."""
    return forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)


class LinesField(forms.CharField):
    """A text in which the end of a line is one letter, as browsers count it; they send two."""

    def to_python(self, value: Any) -> str:
        """The text with such ends."""
        return one_letter_ends(super().to_python(value) or "")


def lines_field(label: Any, most: int, rows: int = 3, **words: Any) -> LinesField:
    """A text of several lines, in up to so many letters."""
    return LinesField(label=label, max_length=most, widget=forms.Textarea(attrs={"rows": rows}), **words)


def reason_field(most: int, **words: Any) -> LinesField:
    """Why something is done, in up to so many letters."""
    return lines_field(_("Reason"), most, **words)
