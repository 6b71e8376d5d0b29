"""Addresses: what clubs owe, invoices, payments, waivers."""

from __future__ import annotations

from django.urls import URLPattern, path

from banzuke.web import addresses  # noqa: F401 - registers <id:...>
from banzuke.web.fees import invoices, views

urlpatterns: list[URLPattern] = [
    path("", views.fees, name="fees"),
    path("invoices/", invoices.invoices, name="fees-invoices"),
    path("invoices/<int:number>/", invoices.invoice, name="fees-invoice"),
    path("invoices/<int:number>/invoice.pdf", invoices.paper, name="fees-invoice-pdf"),
    path("invoices/<int:number>/payments/", invoices.pay, name="fees-payment"),
    path("waivers/<id:event_id>/", views.waiver, name="fees-waiver"),
    path("<str:window>/", views.window, name="fees-window"),
    path("<str:window>/invoices/", invoices.make, name="fees-invoice-new"),
]
