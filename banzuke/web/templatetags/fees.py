"""Amounts of money on pages."""

from __future__ import annotations

from django import template

from banzuke.web.fees import printed

register = template.Library()


register.filter("yen", printed.yen)
register.filter("number", printed.number)
