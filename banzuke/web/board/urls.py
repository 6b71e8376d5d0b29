"""Addresses: the coming list, rehearsing, publishing, correcting, verifying."""

from __future__ import annotations

from django.urls import URLPattern, path

from banzuke.web import id_converter  # noqa: F401 - registers <id:...>
from banzuke.web.board import draft_pages, inquiry_pages, rehearsal_pages, views

_DRAFT = "inquiries/<int:number>"

urlpatterns: list[URLPattern] = [
    path("", views.board, name="board"),
    path("rehearsals/<id:name>/", rehearsal_pages.rehearsal, name="board-rehearsal"),
    path("rehearsals/<id:name>/again/", rehearsal_pages.rehearse, name="board-rehearse"),
    path("rehearsals/<id:name>/rows/", rehearsal_pages.rows, name="board-rehearsal-rows"),
    path("rehearsals/<id:name>/rows/<slug:speed>/", rehearsal_pages.rows, name="board-rehearsal-speed"),
    path("rehearsals/<id:name>/list.<slug:kind>", rehearsal_pages.download, name="board-rehearsal-file"),
    path("rehearsals/<id:name>/publish/", rehearsal_pages.publish, name="board-publish"),
    path("published/<id:name>/", rehearsal_pages.published, name="board-published"),
    path("lists/", views.lists, name="board-lists"),
    path("lists/<id:name>/<int:revision>/verify/", views.verify, name="board-verify"),
    path("lists/<id:name>/<int:revision>/", views.verification, name="board-verification"),
    path("revisions/", views.revisions, name="board-revisions"),
    path("revisions/publish/", views.revise, name="board-revise"),
    path("inquiries/", inquiry_pages.inquiries, name="board-inquiries"),
    path(f"{_DRAFT}/", inquiry_pages.inquiry, name="board-inquiry"),
    path(f"{_DRAFT}/preview/", inquiry_pages.preview, name="board-preview"),
    path(f"{_DRAFT}/preview.csv", inquiry_pages.preview_file, name="board-preview-file"),
    path(f"{_DRAFT}/dismiss/", inquiry_pages.dismiss, name="board-dismiss"),
    path(f"{_DRAFT}/carry-out/", inquiry_pages.carry_out, name="board-carry-out"),
    path(f"{_DRAFT}/find/", draft_pages.search, name="board-find"),
    path(f"{_DRAFT}/strike/<slug:table>/<int:row>/", draft_pages.strike, name="board-strike"),
    path(f"{_DRAFT}/change/<slug:table>/<int:row>/", draft_pages.change, name="board-change"),
    path(f"{_DRAFT}/swap/<int:row>/", draft_pages.swap, name="board-swap"),
    path(f"{_DRAFT}/add/<slug:table>/", draft_pages.add, name="board-add"),
    path(f"{_DRAFT}/take-back/", draft_pages.take_back, name="board-take-back"),
]
