"""Addresses: what clubs owe, invoices, payments, waivers."""

from __future__ import annotations

from django.urls import URLPattern, path

from banzuke.web import id_converter  # noqa: F401 - registers <id:...>
from banzuke.web.fees import invoice_pages, views

urlpatterns: list[URLPattern] = [
    path("", views.fees, name="fees"),
    path("invoices/", invoice_pages.invoices, name="fees-invoices"),
    path("invoices/<int:number>/", invoice_pages.invoice, name="fees-invoice"),
    path("invoices/<int:number>/invoice.pdf", invoice_pages.paper, name="fees-invoice-pdf"),
    path("invoices/<int:number>/payments/", invoice_pages.pay, name="fees-payment"),
    path("waivers/<id:event_id>/", views.waiver, name="fees-waiver"),
    path("<str:window>/", views.window, name="fees-window"),
    path("<str:window>/invoices/", invoice_pages.make, name="fees-invoice-new"),
]
