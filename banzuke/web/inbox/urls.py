"""Addresses: reports: sending them, looking at them, deciding who is who, accepting them."""

from __future__ import annotations

from django.urls import path

from banzuke.web.inbox import decision_page, report_form_pages, upload_pages, views

urlpatterns = [
    path("", views.inbox, name="inbox"),
    path("send/", upload_pages.send, name="inbox-send"),
    path("form/", report_form_pages.fill, name="inbox-form"),
    path("form/members/", report_form_pages.members, name="inbox-members"),
    path("report-form.xlsx", upload_pages.blank_form, name="inbox-blank-form"),
    path("<int:number>/", views.report, name="inbox-report"),
    path("<int:number>/changes/", views.changes, name="inbox-changes"),
    path("<int:number>/decide/", decision_page.decide, name="inbox-decide"),
    path("<int:number>/add/", upload_pages.add, name="inbox-add"),
    path("<int:number>/files/<int:file>/", upload_pages.file, name="inbox-file"),
]
