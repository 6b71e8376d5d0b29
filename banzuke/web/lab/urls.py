"""Addresses: asking the laboratory, what it found."""

from __future__ import annotations

from django.urls import path

from banzuke.web.lab import views

urlpatterns = [
    path("", views.lab, name="lab"),
    path("<slug:question>/", views.found, name="lab-found"),
    path("<slug:question>/report.html", views.report_file, name="lab-report"),
]
