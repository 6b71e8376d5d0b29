"""Fields that forms of several areas have."""

from typing import Any

from django import forms


def day_field(label: Any, **words: Any) -> forms.DateField:
    """A day, picked or typed as 2025-03-10."""
    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    return forms.DateField(label=label, widget=widget, **words)
