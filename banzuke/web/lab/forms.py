"""The form: what the laboratory is asked, of which rule books, with which constants."""

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from banzuke.core.fault import Fault, RefusedError
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import GoBook, RuleBook
from banzuke.ledger.pool_rules import Pool as Rules
from banzuke.office.laboratory import check
from banzuke.web.page_language import page_language
from banzuke.words import fault_text

QUESTIONS = (
    ("compare", _("Compare: ratings under other rules")),
    ("predict", _("Predict: how well each rule book predicts results")),
    ("anomalies", _("Look for suspicious results")),
)

#: A reform's file has so many characters at most.
MOST_OF_A_REFORM = 20_000


class AskForm(forms.Form):
    """What is asked of the pool's games."""

    question = forms.ChoiceField(
        label=_("Question"), choices=QUESTIONS, widget=forms.RadioSelect, initial="compare"
    )
    books = forms.MultipleChoiceField(
        label=_("Rule books to compare with the pool's own"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    settings = forms.CharField(
        label=_("Other values of numbers, one a line"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3, "placeholder": "NAME=VALUE"}),
        help_text=_("They apply in the laboratory only. A range is tried step by step: NAME=10..40:10"),
    )
    reform = forms.CharField(
        label=_("A reform, as the text of its file"),
        required=False,
        max_length=MOST_OF_A_REFORM,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Its name, its first day (from), and its numbers under [set]."),
    )
    reform_file = forms.FileField(label=_("Or the file itself"), required=False)

    def __init__(self, *args: Any, rules: Rules, **words: Any) -> None:
        super().__init__(*args, **words)
        self._rules = rules
        known = [(name, name) for name, book in BOOKS.items() if is_of_pool(book, rules)]
        cast("forms.MultipleChoiceField", self.fields["books"]).choices = known
        if len(known) == 1:
            del self.fields["books"]

    def clean(self) -> dict[str, Any]:
        """The books, numbers and reform must be such as may be tried; the file's text becomes `reform`."""
        found = super().clean() or self.cleaned_data
        found |= {"books": found.get("books", []), "settings": found.get("settings", "").split()}
        found["reform"] = self._reform(found)
        if found["settings"]:
            self._check("settings", found["books"], found["settings"], "")
        if found["reform"]:
            self._check("reform", found["books"], [], found["reform"])
        return found

    def _reform(self, found: dict[str, Any]) -> str:
        """The reform's text, from the file where there is one."""
        file = found.get("reform_file")
        if file is None:
            return str(found.get("reform", ""))
        if file.size > MOST_OF_A_REFORM:
            self.add_error("reform_file", _("The file is too long for a reform."))
            return ""
        try:
            return str(file.read().decode("utf-8-sig"))
        except UnicodeDecodeError:
            self.add_error("reform_file", _("The file is not UTF-8 text."))
            return ""

    def _check(self, field: str, books: list[str], settings: list[str], reform: str) -> None:
        try:
            check(self._rules, books, settings, reform)
        except RefusedError as error:
            self.add_error(field, [_fault_words(each) for each in error.faults])


def is_of_pool(book: RuleBook, rules: Rules) -> bool:
    """Whether the book can rate the pool's games."""
    return book.series == rules.series and isinstance(book, GoBook) == rules.is_go and book.twin is not None


def _fault_words(fault: Fault) -> str:
    """A fault's sentence behind the place that it is about."""
    sentence = fault_text(fault, page_language())
    return f"{fault.column}: {sentence}" if fault.column else sentence
