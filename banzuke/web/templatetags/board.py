"""What the board's pages print of figures."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.translation import gettext_lazy as _

register = template.Library()

FIGURES = {
    "rating": _("rating"),
    "games": _("games"),
    "change": _("change"),
    "peak": _("peak"),
    "status": _("status"),
    "qualified": _("qualified"),
    "written": _("rank"),
    "wins_in_bc": _("wins in the beginners' class"),
    "speed": _("speed"),
    "score": _("score"),
    "own": _("own rating"),
    "opponent": _("opponent's rating"),
    "difference": _("difference"),
    "expected": _("expectation"),
    "k": _("K"),
    "verdict": _("verdict"),
    "clause": _("clause"),
    "rank": _("rank before"),
    "opponent_rank": _("opponent's rank"),
    "rank_after": _("rank after"),
    "upper": _("upper side"),
}


@register.filter
def figure(code: str) -> Any:
    """What a figure is called."""
    return FIGURES.get(code, code)


@register.filter
def shown(value: Any) -> Any:
    """A figure as it is compared: a dash where there is none."""
    if value is None or value == "":
        return "–"
    return str(value).replace("-", "−") if isinstance(value, int) else value
