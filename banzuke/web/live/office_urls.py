"""Addresses: the page of who runs a Go server, and annulling a game."""

from __future__ import annotations

from django.urls import path

from banzuke.web.live import office

urlpatterns = [
    path("", office.live, name="live"),
    path("annul/", office.annul, name="live-annul"),
]
