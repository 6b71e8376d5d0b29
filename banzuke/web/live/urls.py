"""Addresses: the ranking of a Go server as it stands now."""

from __future__ import annotations

from django.urls import path

from banzuke.web.live import ranking_page

urlpatterns = [
    path("<slug:slug>/ranking/", ranking_page.ranking, name="live-ranking"),
]
