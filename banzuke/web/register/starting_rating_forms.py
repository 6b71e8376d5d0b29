"""The forms of starting ratings: one by one, and as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from banzuke.core.fault import Fault, RefusedError
from banzuke.database.book_reader import rules_of
from banzuke.ledger.csv_table import read_rows
from banzuke.ledger.records import Rows
from banzuke.office.register import starting_ratings
from banzuke.rulebooks.fide import fide_2024
from banzuke.rulebooks.hakodate import hakodate
from banzuke.rulebooks.jcf import jcf_2024, ncs_2022
from banzuke.rulebooks.pandanet import ranks
from banzuke.web.page_language import page_language
from banzuke.web.register.member_forms import SPEEDS, SendForm, text
from banzuke.words import fault_text

if TYPE_CHECKING:
    from banzuke.database.models import Pool
    from banzuke.ledger.pool_rules import Pool as Rules
    from banzuke.ledger.schema import Table

LABELS = {
    "player_id": _("Player's id"),
    "speed": _("Kind of rating"),
    "rating": _("Rating"),
    "games": _("Games it rests on"),
    "peak": _("Highest ever"),
    "earned": _("First rating earned by games"),
    "rank": _("Rank"),
    "points": _("Points towards the next rank"),
    "rated_games": _("Rated games"),
    "wins_in_bc": _("Wins in the beginners' class"),
}
_FROM_GAMES = _("Fewer than %(games)s games and K is that of a new player (%(clause)s).")
_REACHED = _("Whoever ever had %(rating)s keeps a small K (%(clause)s). Blank: the rating itself.")
_EARNED = _("Ticked: the new player's K for the first games (%(clause)s).")
#: What a column decides by a rule book, in the rule's own figures.
_DECIDES: dict[str, dict[str, tuple[Any, dict[str, object]]]] = {
    "ncs-2022": {
        "games": (_FROM_GAMES, {"games": ncs_2022.NEW_GAMES, "clause": ncs_2022.NEW.clause}),
        "peak": (_REACHED, {"rating": ncs_2022.REACHED_RATING, "clause": ncs_2022.REACHED.clause}),
        "earned": (_EARNED, {"clause": ncs_2022.NEW.clause}),
    },
    "jcf-2024": {
        "games": (_FROM_GAMES, {"games": jcf_2024.NEW_GAMES, "clause": jcf_2024.NEW.clause}),
        "peak": (_REACHED, {"rating": jcf_2024.REACHED_RATING, "clause": jcf_2024.REACHED.clause}),
    },
    "fide-2024": {
        "games": (_FROM_GAMES, {"games": fide_2024.NEW_GAMES, "clause": "FIDE 8.3.3"}),
        "peak": (_REACHED, {"rating": fide_2024.REACHED_RATING, "clause": "FIDE 8.3.3"}),
    },
    "hakodate": {
        "games": (
            _("From %(games)s games on a rating is established, before it is provisional (%(clause)s)."),
            {"games": hakodate.ESTABLISHED_GAMES, "clause": "HCC R8"},
        ),
    },
    "pandanet": {
        "rank": (_("A certified rank such as 5k or 1d+, or BC (%(clause)s)."), {"clause": "PN 1(3), 5(1)"}),
        "rated_games": (
            _("A certified player has %(games)s or more (%(clause)s)."),
            {"games": ranks.CERTIFYING_GAMES, "clause": "PN 6(2)"},
        ),
        "points": (_("Blank in the beginners' class."), {}),
    },
}


def decides(pool: Pool) -> list[tuple[str, Any, str]]:
    """The columns of a table of starting ratings: heading, label, and what it decides by the rule book."""
    rules = rules_of(pool)
    words = {"speed": ", ".join(rules.speeds)}
    return [
        (name, LABELS[name], words.get(name) or _decides(rules, name))
        for name in starting_ratings.table_of(pool).columns
        if _is_asked(rules, name)
    ]


def _book(rules: Rules) -> str:
    return rules.editions[0].book.name


def _decides(rules: Rules, name: str) -> str:
    said = _DECIDES.get(_book(rules), {}).get(name)
    return str(said[0]) % said[1] if said else ""


def _is_asked(rules: Rules, name: str) -> bool:
    """Whether the column says something: a club has one kind of rating, NCS alone asks what was earned."""
    if name == "earned":
        return _book(rules) == "ncs-2022"
    return name != "speed" or rules.speeds != ("",)


def _field(rules: Rules, table: Table, name: str) -> forms.Field:
    label, said = LABELS[name], _decides(rules, name)
    if name == "speed":
        return forms.ChoiceField(label=label, choices=[(one, SPEEDS[one]) for one in rules.speeds])
    if name == "earned":
        return forms.BooleanField(label=label, required=False, help_text=said)
    field = text(label, required=name in table.required, help_text=said)
    field.widget = forms.NumberInput() if table.columns[name].is_whole else forms.TextInput()
    return field


class OpeningForm(forms.Form):
    """One starting rating."""

    def __init__(self, pool: Pool, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        self._table, rules = starting_ratings.table_of(pool), rules_of(pool)
        for name in self._table.columns:
            if _is_asked(rules, name):
                self.fields[name] = _field(rules, self._table, name)

    def rows(self) -> Rows:
        """The rating as the ledger has it. Raises RefusedError."""
        said = {name: str(int(v)) if isinstance(v, bool) else v for name, v in self.cleaned_data.items()}
        rows, faults = Rows(""), list[Fault]()
        read_rows(rows, list(said), [(1, list(said.values()))], self._table, faults)
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
