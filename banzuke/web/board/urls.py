"""Addresses: the coming list, rehearsing, publishing, correcting, verifying."""

from __future__ import annotations

from django.urls import URLPattern, path

from banzuke.web import addresses  # noqa: F401 - registers <id:...>
from banzuke.web.board import drafting, inquiries, rehearsing, views

_DRAFT = "inquiries/<int:number>"

urlpatterns: list[URLPattern] = [
    path("", views.board, name="board"),
    path("rehearsals/<id:name>/", rehearsing.rehearsal, name="board-rehearsal"),
    path("rehearsals/<id:name>/again/", rehearsing.rehearse, name="board-rehearse"),
    path("rehearsals/<id:name>/rows/", rehearsing.rows, name="board-rehearsal-rows"),
    path("rehearsals/<id:name>/rows/<slug:speed>/", rehearsing.rows, name="board-rehearsal-speed"),
    path("rehearsals/<id:name>/list.<slug:kind>", rehearsing.download, name="board-rehearsal-file"),
    path("rehearsals/<id:name>/publish/", rehearsing.publish, name="board-publish"),
    path("published/<id:name>/", rehearsing.published, name="board-published"),
    path("lists/", views.lists, name="board-lists"),
    path("lists/<id:name>/<int:revision>/verify/", views.verify, name="board-verify"),
    path("lists/<id:name>/<int:revision>/", views.verification, name="board-verification"),
    path("revisions/", views.revisions, name="board-revisions"),
    path("revisions/publish/", views.revise, name="board-revise"),
    path("inquiries/", inquiries.inquiries, name="board-inquiries"),
    path(f"{_DRAFT}/", inquiries.inquiry, name="board-inquiry"),
    path(f"{_DRAFT}/preview/", inquiries.preview, name="board-preview"),
    path(f"{_DRAFT}/preview.csv", inquiries.preview_file, name="board-preview-file"),
    path(f"{_DRAFT}/dismiss/", inquiries.dismiss, name="board-dismiss"),
    path(f"{_DRAFT}/carry-out/", inquiries.carry_out, name="board-carry-out"),
    path(f"{_DRAFT}/find/", drafting.search, name="board-find"),
    path(f"{_DRAFT}/strike/<slug:table>/<int:row>/", drafting.strike, name="board-strike"),
    path(f"{_DRAFT}/change/<slug:table>/<int:row>/", drafting.change, name="board-change"),
    path(f"{_DRAFT}/swap/<int:row>/", drafting.swap, name="board-swap"),
    path(f"{_DRAFT}/add/<slug:table>/", drafting.add, name="board-add"),
    path(f"{_DRAFT}/take-back/", drafting.take_back, name="board-take-back"),
]
