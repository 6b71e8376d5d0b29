"""Addresses: what everybody may read: pools, lists, players with their workings, events."""

from __future__ import annotations

from django.urls import URLPattern, path

urlpatterns: list[URLPattern] = []
