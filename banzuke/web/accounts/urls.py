"""Addresses: signing in, users and their roles, keys, the journal, settings of the installation."""

from __future__ import annotations

from django.urls import URLPattern, path

urlpatterns: list[URLPattern] = []
