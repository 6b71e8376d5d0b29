"""Amounts of money on pages."""

from __future__ import annotations

from django import template

from banzuke.web.fees import printed

register = template.Library()


@register.filter
def yen(amount: int) -> str:
    """`2,400 yen`."""
    return printed.yen(amount)


@register.filter
def number(amount: int) -> str:
    """`2,400`, for a column of amounts."""
    return f"{amount:,}".replace("-", "−")
