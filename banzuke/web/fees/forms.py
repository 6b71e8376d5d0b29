"""Forms: a payment that came, and why a fee is waived."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from banzuke.web.form_fields import day_field

if TYPE_CHECKING:
    from datetime import date

#: More than any club ever owes, and what every database holds.
MOST_YEN = 100_000_000


class PaymentForm(forms.Form):
    """Money that came: how much, on which day."""

    amount = forms.IntegerField(
        label=_("Amount in yen"),
        min_value=-MOST_YEN,
        max_value=MOST_YEN,
        help_text=_("A payment noted wrongly is taken back by the same amount with a minus."),
    )
    day = day_field(_("Day on which it came"))
    note = forms.CharField(label=_("Note"), required=False, max_length=500)

    def __init__(self, *args: Any, today: date, **words: Any) -> None:
        super().__init__(*args, **words)
        self._today = today

    def clean_amount(self) -> int:
        """A payment of nothing says nothing."""
        amount: int = self.cleaned_data["amount"]
        if amount == 0:
            raise forms.ValidationError(gettext("Write how much came."))
        return amount

    def clean_day(self) -> date:
        """Only what came is noted."""
        day: date = self.cleaned_data["day"]
        if day > self._today:
            raise forms.ValidationError(
                gettext("That day has not come yet; note the payment when it is there.")
            )
        return day


class WaiverForm(forms.Form):
    """Why the fee of an event is waived, or demanded after all."""

    why = forms.CharField(label=_("Reason"), max_length=1000, widget=forms.Textarea(attrs={"rows": 3}))
