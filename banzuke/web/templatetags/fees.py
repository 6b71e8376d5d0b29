"""Amounts of money on pages."""

from __future__ import annotations

from django import template

from banzuke.web.fees import invoice_text

register = template.Library()


register.filter("yen", invoice_text.yen)
register.filter("number", invoice_text.number)
