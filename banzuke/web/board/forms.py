"""Forms of the board: inquiries, reasons, and the facts that a correction changes."""

from collections.abc import Iterable
from datetime import date
from operator import itemgetter
from typing import Any

from django import forms
from django.utils.timezone import get_current_timezone_name, localdate, now
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from banzuke.core.facts import ANNUAL, EXCLUDE, FORMS, MEMBERSHIPS, RULINGS, SCORES, SPEEDS, More
from banzuke.core.fault import fault
from banzuke.database.models import Pool
from banzuke.ledger.cells import DATE, EVENT_DAY, FLAG, CellError, Kind
from banzuke.ledger.records import MORE, value_of
from banzuke.ledger.schema import Table
from banzuke.office.lists.correction_drafts import cells_of, correctable_columns
from banzuke.office.page_words import page_text
from banzuke.office.refusals import PastHourError, PreliminaryDayError
from banzuke.office.search import look_ups
from banzuke.web import form_fields
from banzuke.web.form_fields import day_field, lines_field, reason_field
from banzuke.web.look_ups import LookUpField
from banzuke.web.result_names import lazy_result_text
from banzuke.web.rule_clauses import in_brackets
from banzuke.web.shortcuts import page_language

LONGEST = 2_000
TABLES = {
    "players": _("Player"),
    "memberships": _("Membership"),
    "events": _("Event"),
    "games": _("Game"),
}
#: The words of the ledger that people read, by column and word.
WORDS = {
    "tournament": _("tournament"),
    "meeting": _("meeting"),
    "standard": _("standard"),
    "rapid": _("rapid"),
    "blitz": _("blitz"),
    "exclude": _("left out of the list"),
    "accept-late": _("taken although late"),
    "waive-fee": _("fee waived"),
    "include": _("taken although late, fee waived"),
    "annual": _("annual"),
    "event": _("for one event"),
}
CHOICES = {"form": FORMS, "speed": SPEEDS, "kind": MEMBERSHIPS, "result": tuple(SCORES)}


class PublishingHourForm(forms.Form):
    """Whether a list is published now, or at which hour where the office is."""

    NOW, LATER = "now", "later"
    when = forms.ChoiceField(
        label=_("When it is published"),
        choices=[(NOW, _("now")), (LATER, _("on a day at an hour"))],
        widget=forms.RadioSelect,
        initial=NOW,
    )
    hour = forms.DateTimeField(
        label=_("Day and hour"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )

    preliminary_until = day_field(
        _("Preliminary until"),
        required=False,
        help_text=_(
            "Up to the end of this day the list is marked as preliminary, and players are asked to say what "
            "is wrong. Then it is final by itself. Without a day it is final at once."
        ),
    )

    def __init__(self, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        zone = gettext(
            "By the office's clock (%(zone)s). Then it is published by itself, if nothing changes."
        )
        self.fields["hour"].help_text = zone % {"zone": get_current_timezone_name()}

    def clean(self) -> dict[str, Any]:
        """A publication for later has its hour, which is to come."""
        found = super().clean() or {}
        hour = found.get("hour")
        if found.get("when") == self.LATER and "hour" not in self.errors:
            if hour is None:
                self.add_error("hour", gettext("Say the day and the hour."))
            elif hour <= now():
                self.add_error("hour", PastHourError().sentence(page_language()))
        until = found.get("preliminary_until")
        if until and until < (localdate(hour) if hour else localdate()):
            self.add_error("preliminary_until", PreliminaryDayError(day=until).sentence(page_language()))
        return found


class InquiryForm(forms.Form):
    """An inquiry that came: who asked, when, about what."""

    day = day_field(_("Asked on"), help_text=_("This day decides which lists may still change."))
    asked_by = forms.CharField(label=_("Asked by"), max_length=200)
    about = lines_field(_("About"), LONGEST)

    def __init__(self, pool: Pool, *args: Any, today: date, **words: Any) -> None:
        super().__init__(*args, **words)
        self._today = today
        decides = self.fields["day"].help_text + in_brackets(pool, "inquiry")
        earlier = _("An earlier day counts once a second officer has confirmed it; until then, today counts.")
        self.fields["day"].help_text = f"{decides} {earlier}"

    def clean_day(self) -> date:
        """Nobody asked tomorrow."""
        day: date = self.cleaned_data["day"]
        if day > self._today:
            raise forms.ValidationError(gettext("That day has not come yet."))
        return day


class DecisionForm(forms.Form):
    """How an inquiry is decided: the reason, which its writer reads, and the clause."""

    why = reason_field(LONGEST, help_text=_("Whoever wrote to the office reads it."))
    clause = forms.CharField(
        label=_("Clause"),
        max_length=40,
        required=False,
        widget=forms.TextInput(attrs={"list": "clauses", "autocomplete": "off"}),
    )


class CorrectedByForm(DecisionForm):
    """That another inquiry has corrected what this one is about."""

    by = forms.TypedChoiceField(label=_("Inquiry that corrected it"), coerce=int)
    field_order = ("by", "why", "clause")

    def __init__(self, corrections: Iterable[tuple[int, str]], *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        by: Any = self.fields["by"]
        by.choices = corrections


class AskClubForm(forms.Form):
    """A question to a club about an inquiry."""

    club = forms.ChoiceField(label=_("Club"))
    question = lines_field(
        _("Question to the club"), LONGEST, help_text=_("The club also reads what the inquiry is about.")
    )

    def __init__(self, names: dict[str, str], *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        club: Any = self.fields["club"]
        club.choices = sorted(names.items(), key=itemgetter(1))


class PublicReasonForm(forms.Form):
    """Why published lists are revised: the reason stands beside the revisions for everybody."""

    why = reason_field(
        LONGEST, help_text=_("It is shown with the revised lists. Write only what everybody may read.")
    )


#: The columns whose ids are looked up.
LOOKED_UP = {
    "white": look_ups.LookUpKind.MEMBER,
    "black": look_ups.LookUpKind.MEMBER,
    "player_id": look_ups.LookUpKind.MEMBER,
    "event_id": look_ups.LookUpKind.EVENT,
}


class RecordForm(forms.Form):
    """A row of one of the ledger's tables, checked as the ledger is; the column `fixed` is not asked."""

    def __init__(self, table: Table, record: Any, fixed: str, *args: Any, **words: Any) -> None:
        self._table, self._record = table, record
        written = cells_of(table, record) if record is not None else {}
        words["initial"] = written | words.get("initial", {})
        super().__init__(*args, **words)
        for name, kind in correctable_columns(table).items():
            if name != fixed:
                self.fields[name] = _field(table, name, kind)

    def clean(self) -> dict[str, Any]:
        """Every cell as the value that it is of."""
        values = super().clean() or {}
        for name in list(values):
            values[name] = self._value(name, values[name])
        return values

    def _value(self, name: str, cell: str) -> Any:
        kind = self._table.columns[name]
        if not cell:
            return kind.blank
        try:
            return kind.read(cell)
        except CellError as error:
            found = fault(self._table.name, 0, name, error.code, **error.facts)
            self.add_error(name, page_text(found, page_language()))
            return kind.blank

    def changed_cells(self) -> dict[str, Any]:
        """The values that differ from the record's; those of columns that a book adds are in `more`."""
        table, record = self._table, self._record
        changed = {n: v for n, v in self.cleaned_data.items() if v != value_of(record, table, n)}
        added = {name: changed.pop(name) for name in table.added & changed.keys()}
        if added:
            cells = {**record.more, **added}
            changed[MORE] = More((n, v) for n, v in cells.items() if v != table.columns[n].blank)
        return changed


def _field(table: Table, name: str, kind: Kind) -> forms.Field:
    words: dict[str, Any] = {
        "label": form_fields.label(table.name, name),
        "required": name in table.required,
    }
    choices = _choices(table, name, kind)
    if choices is not None:
        blank = [] if words["required"] else [("", _("not given"))]
        return forms.ChoiceField(choices=[*blank, *choices], **words)
    if kind in (DATE, EVENT_DAY):
        return forms.CharField(widget=forms.DateInput(attrs={"type": "date"}), **words)
    if kind.is_whole:
        return forms.CharField(widget=forms.NumberInput(), **words)
    if name in LOOKED_UP:
        return LookUpField(LOOKED_UP[name], **words)
    return forms.CharField(max_length=LONGEST, **words)


def _choices(table: Table, name: str, kind: Kind) -> list[tuple[str, Any]] | None:
    if kind is FLAG:
        return [("1", _("yes")), ("0", _("no"))]
    if name == "ruling":
        return [(word, WORDS[word]) for word in ((EXCLUDE,) if table.name == "games" else RULINGS)]
    if name in CHOICES:
        return [(word, WORDS.get(word) or lazy_result_text(word)) for word in CHOICES[name]]
    return None


def new_initial(table: str, event: str, player: str) -> dict[str, str]:
    """What a new row begins with."""
    if table == "games":
        return {"event_id": event, "round": "1", "result": "1-0"}
    return {"player_id": player, "kind": ANNUAL}
