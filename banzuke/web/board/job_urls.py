"""Addresses: long acts."""

from __future__ import annotations

from django.urls import path

from banzuke.web.board import job_pages

urlpatterns = [
    path("<int:number>/", job_pages.job, name="board-job"),
    path("<int:number>/again/", job_pages.job_again, name="board-job-again"),
]
