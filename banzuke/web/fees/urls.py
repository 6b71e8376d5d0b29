"""Addresses: what clubs owe, invoices, payments."""

from __future__ import annotations

from django.urls import URLPattern, path

urlpatterns: list[URLPattern] = []
