"""Addresses: pages to read and reckon by: rule books, comparisons, calculators, statistics."""

from __future__ import annotations

from django.urls import URLPattern, path

urlpatterns: list[URLPattern] = []
