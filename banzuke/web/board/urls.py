"""Addresses: the window board: rehearsing, publishing, inquiries and corrections."""

from __future__ import annotations

from django.urls import URLPattern, path

urlpatterns: list[URLPattern] = []
