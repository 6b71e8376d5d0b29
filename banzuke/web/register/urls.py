"""Addresses: members, clubs, memberships, events applied for, lists of who qualifies."""

from __future__ import annotations

from django.urls import URLPattern, path

urlpatterns: list[URLPattern] = []
