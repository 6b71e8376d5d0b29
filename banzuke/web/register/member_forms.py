"""The forms of members, memberships, merges, registers sent as files."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import FileExtensionValidator
from django.utils.translation import gettext_lazy as _

from banzuke.core import facts
from banzuke.database.models import Player, Pool, RegisterFile
from banzuke.exchange.export_headings import fixed_wording
from banzuke.formats.member_register import FIELDS, MOST_FIDE_RATING, STRUCK
from banzuke.formats.rating_columns import rating_fields
from banzuke.office.register import clubs, member_import, table_columns
from banzuke.office.register.members import ContactDetails
from banzuke.web.form_fields import (
    LABELS,
    birth_date_field,
    check_id,
    check_written,
    day_field,
    lines_field,
    seen_field,
)
from banzuke.web.rule_clauses import in_brackets
from banzuke.words import Language, say

SEXES = {"m": _("male"), "w": _("female")}
SPEEDS = {
    facts.STANDARD: _("standard"),
    facts.RAPID: _("rapid"),
    facts.BLITZ: _("blitz"),
    "": _("the club's one rating"),
}


def text(label: Any, **words: Any) -> forms.CharField:
    """A line of text as a ledger takes it."""
    return forms.CharField(label=label, max_length=200, validators=[check_written], **words)


def new_id(label: Any, **words: Any) -> forms.CharField:
    """An id that is given now."""
    return forms.CharField(label=label, max_length=200, validators=[check_id], **words)


def why(**words: Any) -> forms.CharField:
    """A reason, kept with the entry."""
    return text(_("Why"), help_text=_("It is saved with the change."), **words)


class MemberForm(forms.Form):
    """What the register and the office have of a member."""

    player_id = new_id(LABELS["player_id"], help_text=_("An id is never used again."))
    name = text(LABELS["name"], help_text=_("As FIDE has it: FAMILY Given, without a comma."))
    name_native = text(LABELS["name_native"], required=False)
    kana = text(_("Name in kana"), required=False)
    birth_date = birth_date_field(help_text=_("Used to decide who is a junior. Never public."))
    sex = forms.ChoiceField(label=LABELS["sex"], required=False)
    club_id = forms.ChoiceField(label=LABELS["club_id"], required=False)
    fide_id = text(LABELS["fide_id"], required=False)
    fide_standard, fide_rapid, fide_blitz = (
        forms.IntegerField(label=LABELS[name], required=False, min_value=1, max_value=MOST_FIDE_RATING)
        for name in ("fide_standard", "fide_rapid", "fide_blitz")
    )
    title = text(LABELS["title"], required=False, help_text=_("GM, WIM ..., or one of the federation's own."))
    title_from = text(
        LABELS["title_from"], required=False, help_text=_("“FIDE list of March 2025”, for example.")
    )
    address = lines_field(_("Address"), 500, 2, required=False)
    email = forms.EmailField(label=_("E-mail"), required=False)
    by_id_only = forms.BooleanField(label=_("Shown to the public by id only"), required=False)

    def __init__(self, pool: Pool, row: Player | None, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        self.fields["name"].help_text += in_brackets(pool, "name")
        names = clubs.names(pool)
        sex, club = (row.sex, row.club_id) if row else ("", "")
        sexes = {sex: sex, "": "–"} | SEXES
        self.fields["sex"].choices = list(sexes.items())  # type: ignore[attr-defined]
        known = {"": "–", club: club} | names
        self.fields["club_id"].choices = list(known.items())  # type: ignore[attr-defined]
        if row is not None:
            del self.fields["player_id"]
            self.fields["why"] = why(required=False)
            self.fields["seen"] = seen_field()

    def clean_fide_id(self) -> str:
        """Digits, if anything."""
        fide_id: str = self.cleaned_data["fide_id"]
        if fide_id and not (fide_id.isascii() and fide_id.isdecimal()):
            raise ValidationError(_("A FIDE id has digits only."))
        return fide_id

    def member(self, player_id: str) -> facts.Player:
        """The member as a row of the register."""
        fields = [name for name in facts.Player._fields if name in self.cleaned_data and name != "player_id"]
        return facts.Player(player_id=player_id, **{name: self.cleaned_data[name] for name in fields})

    def reach(self) -> ContactDetails:
        """What the office keeps beside the register."""
        return ContactDetails(*(self.cleaned_data[name] for name in ContactDetails._fields))


class MembershipForm(forms.Form):
    """A membership: its kind and span, and the event of one for an event."""

    KINDS = ((facts.ANNUAL, _("annual")), (facts.ONE_EVENT, _("for one event")))
    kind = forms.ChoiceField(label=LABELS["kind"], choices=KINDS)
    valid_from = day_field(LABELS["valid_from"])
    valid_to = day_field(LABELS["valid_to"])
    event_id = text(
        LABELS["event_id"], required=False, help_text=_("The event's id, for a membership for one event.")
    )

    def clean(self) -> None:
        """An event where one is meant, and an end that is not before the beginning."""
        values = self.cleaned_data
        if values.get("kind") == facts.ONE_EVENT and not values.get("event_id"):
            self.add_error("event_id", _("Which event is it for?"))
        if values.get("kind") == facts.ANNUAL:
            values["event_id"] = ""
        check_span(self, "valid_from", "valid_to")

    def membership(self, player_id: str) -> facts.Membership:
        """The membership as a row of the register."""
        values = self.cleaned_data
        return facts.Membership(
            player_id, values["kind"], values["valid_from"], values["valid_to"], values["event_id"]
        )


class CorrectMembershipForm(MembershipForm):
    """A membership that stands, as it should have been."""

    why = why()


def check_span(form: forms.Form, first: str, last: str) -> None:
    """Note it if a form's span ends before it begins."""
    starts, ends = form.cleaned_data.get(first), form.cleaned_data.get(last)
    if starts and ends and ends < starts:
        form.add_error(last, _("This is before the first day."))


class WhyForm(forms.Form):
    """A reason alone."""

    why = why()


class SendForm(forms.Form):
    """A register of members as a file."""

    file = forms.FileField(
        label=_("Register"),
        help_text=_("CSV or XLSX, a row a member, with headings; ratings may stand beside the members."),
        validators=[FileExtensionValidator(["csv", "txt", "xlsx", "xls", "ods"])],
    )

    def clean_file(self) -> Any:
        """A file of a register's size."""
        given = self.cleaned_data["file"]
        if given.size > member_import.MOST_BYTES:
            raise ValidationError(_("This file is larger than any register; the most is 20 MB."))
        return given


class ColumnsForm(forms.Form):
    """What each column of a table is: a field of members or of a rating, or nothing that is needed."""

    valid_from = day_field(
        _("First day of memberships"),
        required=False,
        help_text=_("If the register has only their last day."),
    )
    every_games = forms.IntegerField(
        label=_("Number of games of everybody"),
        required=False,
        min_value=0,
        max_value=100_000,
        help_text=_("If the table has ratings, but not on how many games they rest."),
    )

    def __init__(self, sent: RegisterFile, lang: Language, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        self._fields_of = table_columns.fields_of(sent.pool)
        self._headings = [heading for heading in dict.fromkeys(sent.headings) if heading]
        known = self._known = table_columns.meanings(sent.pool, sent.headings) | _said_of(sent)
        labels = column_labels(lang)
        choices: list[tuple[str, Any]] = [("", _("– choose –")), (table_columns.LEFT_OUT, _("leave out"))]
        choices += [(field, labels[field]) for field in self._fields_of]
        examples = member_import.examples(sent)
        for at, heading in enumerate(self._headings):
            self.fields[f"column-{at}"] = forms.ChoiceField(
                label=heading,
                choices=choices,
                initial=_choice_of(known.get(heading, "")),
                help_text=" · ".join(examples.get(heading, ())),
                error_messages={"required": _("Say what this column is, or leave it out.")},
            )
        self._unknown = {f"column-{at}" for at, one in enumerate(self._headings) if one not in known}

    def unknown_columns(self) -> list[forms.BoundField]:
        """The columns whose headings are not known."""
        return [self[name] for name in self.fields if name in self._unknown]

    def known_columns(self) -> list[forms.BoundField]:
        """The columns that are known by their headings, or by what was said before."""
        return [
            self[name] for name in self.fields if name.startswith("column-") and name not in self._unknown
        ]

    def clean(self) -> dict[str, Any]:
        """See that the member's id is there, no field twice, and the games of ratings."""
        columns: dict[str, str] = {}
        for at, heading in enumerate(self._headings):
            field = self.cleaned_data.get(f"column-{at}", "")
            if field in columns:
                self.add_error(f"column-{at}", _("Another column is this already."))
            elif field and field != table_columns.LEFT_OUT:
                columns[field] = heading
        if "id" not in columns:
            self.add_error(None, _("Say which column has the member's id; without it nobody is known."))
        columns |= {STRUCK: STRUCK} if STRUCK in self._known.values() else {}
        if self.cleaned_data.get("every_games") is not None:
            columns[table_columns.EVERY_GAMES] = str(self.cleaned_data["every_games"])
        if table_columns.without_games(columns):
            self.add_error("every_games", _("Say which column has the number of games, or one for all."))
        return self.cleaned_data | {"columns": columns}


def _choice_of(field: str) -> str:
    """The choice of a field; the days on which rows were struck are no choice."""
    return table_columns.LEFT_OUT if field == STRUCK else field


def _said_of(sent: RegisterFile) -> dict[str, str]:
    """What was said of the table's columns already, by heading."""
    said = {heading: field for field, heading in (sent.columns or {}).items()}
    return {heading: said.get(heading, table_columns.LEFT_OUT) for heading in sent.headings} if said else {}


def column_labels(lang: Language) -> dict[str, str]:
    """What the fields of members and of ratings are called."""
    members = {field: say("cli", f"register-field-{field}", lang) for field in FIELDS}
    wording = fixed_wording(lang)
    return members | {field: wording[field] for field in rating_fields((*facts.SPEEDS, ""))}
