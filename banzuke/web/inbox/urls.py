"""Addresses: reports: sending them, looking at them, deciding who is who, accepting them."""

from __future__ import annotations

from django.urls import URLPattern, path

urlpatterns: list[URLPattern] = []
