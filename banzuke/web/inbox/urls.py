"""Addresses: reports: sending them, looking at them, deciding who is who, accepting them."""

from __future__ import annotations

from django.urls import path

from banzuke.web.inbox import deciding, filling, sending, views

urlpatterns = [
    path("", views.inbox, name="inbox"),
    path("send/", sending.send, name="inbox-send"),
    path("form/", filling.fill, name="inbox-form"),
    path("form/members/", filling.members, name="inbox-members"),
    path("report-form.xlsx", sending.blank_form, name="inbox-blank-form"),
    path("<int:number>/", views.report, name="inbox-report"),
    path("<int:number>/changes/", views.changes, name="inbox-changes"),
    path("<int:number>/decide/", deciding.decide, name="inbox-decide"),
    path("<int:number>/add/", sending.add, name="inbox-add"),
    path("<int:number>/files/<int:file>/", sending.file, name="inbox-file"),
]
