"""Addresses: the page of who runs a Go server, and annulling a game."""

from __future__ import annotations

from django.urls import path

from banzuke.web.live import operator_pages

urlpatterns = [
    path("", operator_pages.live, name="live"),
    path("annul/", operator_pages.annul, name="live-annul"),
]
