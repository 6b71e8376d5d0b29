"""The forms of starting ratings: one by one, and as a table."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from banzuke.core.fault import Fault, RefusedError
from banzuke.core.rulebook import RuleBook
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool
from banzuke.explanations.explanation import SentenceWriter
from banzuke.ledger.csv_table import read_rows
from banzuke.ledger.records import Rows
from banzuke.ledger.schema import Table
from banzuke.office.register import starting_ratings
from banzuke.web.page_language import page_language
from banzuke.web.register.member_forms import SPEEDS, SendForm, text
from banzuke.words import fault_text

LABELS = {
    "player_id": _("Player's id"),
    "speed": _("Kind of rating"),
    "rating": _("Rating"),
    "games": _("Number of games"),
    "peak": _("Peak"),
    "earned": _("First rating earned by games"),
    "rank": _("Rank"),
    "points": _("Points towards the next rank"),
    "rated_games": _("Rated games"),
    "wins_in_bc": _("Wins in the beginners' class"),
}


def columns_asked(pool: Pool) -> list[tuple[str, Any, str]]:
    """The columns of a table of starting ratings: heading, label, and what it decides by the rule book."""
    book, table = rules_of(pool).editions[0].book, starting_ratings.table_of(pool)
    return [
        (name, LABELS[name], _what_it_decides(book, name)) for name in table.columns if _is_asked(book, name)
    ]


def _is_asked(book: RuleBook, column: str) -> bool:
    if column == "speed":
        return book.speeds != ("",)
    return column == "player_id" or book.opening_fields is None or column in book.opening_fields


def _what_it_decides(book: RuleBook, column: str) -> str:
    if column == "speed":
        return ", ".join(book.speeds)
    found = (book.opening_fields or {}).get(column)
    if found is None:
        return ""
    sentence = SentenceWriter(book, page_language()).sentence(found)
    return f"{sentence.text} [{sentence.clause}]" if sentence.clause else sentence.text


def _field(book: RuleBook, table: Table, name: str, label: Any, help_text: str) -> forms.Field:
    if name == "speed":
        return forms.ChoiceField(label=label, choices=[(one, SPEEDS[one]) for one in book.speeds])
    if name == "earned":
        return forms.BooleanField(label=label, required=False, help_text=help_text)
    field = text(label, required=name in table.required, help_text=help_text)
    field.widget = forms.NumberInput() if table.columns[name].is_whole else forms.TextInput()
    return field


class OpeningForm(forms.Form):
    """One starting rating."""

    def __init__(self, pool: Pool, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        self._table, book = starting_ratings.table_of(pool), rules_of(pool).editions[0].book
        for name, label, help_text in columns_asked(pool):
            self.fields[name] = _field(book, self._table, name, label, help_text)

    def rows(self) -> Rows:
        """The rating as the ledger has it. Raises RefusedError."""
        values = {name: str(int(v)) if isinstance(v, bool) else v for name, v in self.cleaned_data.items()}
        rows, faults = Rows(""), list[Fault]()
        read_rows(rows, list(values), [(1, list(values.values()))], self._table, faults)
        if faults:
            raise RefusedError(faults)
        return rows

    def refuse(self, refused: RefusedError) -> None:
        """Say what is wrong beside the fields."""
        for found in refused.faults:
            known = found.column if found.column in self.fields else None
            self.add_error(known, fault_text(found, page_language()))


class OpeningTableForm(SendForm):
    """Starting ratings as a table."""

    def __init__(self, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        self.fields["file"].label = _("Table of starting ratings")
        self.fields["file"].help_text = _("CSV or XLSX, a row a player and kind of rating, with headings.")
