"""Addresses: signing in, users and their roles, keys, the journal, settings of the installation."""

from __future__ import annotations

from django.urls import path

from banzuke.web.accounts import desk, pools

urlpatterns = [
    path("office/", desk.desk, name="desk"),
    path("office/new/", pools.new, name="accounts-new-pool"),
    path("office/<slug:slug>/settings/", pools.rules, name="accounts-pool-settings"),
]
