"""The form: what the laboratory is asked, of which rule books, with which constants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from banzuke.core.fault import RefusedError
from banzuke.core.registry import BOOKS
from banzuke.office.laboratory import check
from banzuke.web.page_language import page_language
from banzuke.words import fault_text

if TYPE_CHECKING:
    from banzuke.ledger.pool_rules import Pool as Rules

QUESTIONS = (
    ("compare", _("Compare: who would stand where by other rules")),
    ("predict", _("Predict: how well each rule book foretells results")),
    ("anomalies", _("Look for what cannot be believed")),
)


class AskForm(forms.Form):
    """What is asked of the pool's games."""

    question = forms.ChoiceField(
        label=_("Question"), choices=QUESTIONS, widget=forms.RadioSelect, initial="compare"
    )
    books = forms.MultipleChoiceField(
        label=_("Rule books beside the pool's own rules"), required=False, widget=forms.CheckboxSelectMultiple
    )
    settings = forms.CharField(
        label=_("Other values of constants, one a line"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3, "placeholder": "K.normal=30"}),
        help_text=_("Only the laboratory tries them. A range is tried step by step: K.normal=10..40:10"),
    )

    def __init__(self, *args: Any, rules: Rules, **words: Any) -> None:
        super().__init__(*args, **words)
        self._rules = rules
        known = [(name, name) for name, book in BOOKS.items() if book.series == rules.series]
        cast("forms.MultipleChoiceField", self.fields["books"]).choices = known
        if rules.is_go:
            self.fields["settings"].widget.attrs["placeholder"] = "later.multiplier=12"
            self.fields["settings"].help_text = _(
                "Only the laboratory tries them. A range is tried step by step: zone_slack=100..300:50"
            )
            del self.fields["books"]

    def clean(self) -> dict[str, Any]:
        """The constants must be the books' own."""
        found = super().clean() or self.cleaned_data
        found |= {"books": found.get("books", []), "settings": found.get("settings", "").split()}
        if found["settings"]:
            try:
                check(self._rules, found["books"], found["settings"])
            except RefusedError as error:
                self.add_error("settings", [fault_text(each, page_language()) for each in error.faults])
        return found
