"""Addresses: long acts."""

from __future__ import annotations

from django.urls import path

from banzuke.web.board import jobs

urlpatterns = [
    path("<int:number>/", jobs.job, name="board-job"),
    path("<int:number>/again/", jobs.job_again, name="board-job-again"),
]
