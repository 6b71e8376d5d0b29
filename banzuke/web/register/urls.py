"""Addresses: members, clubs, memberships, events applied for, lists of who qualifies."""

from __future__ import annotations

from django.urls import path

from banzuke.web.register import (
    club_pages,
    data_export_pages,
    event_application_pages,
    fide_pages,
    member_pages,
    membership_pages,
    merge_pages,
    qualification_pages,
    register_upload_pages,
    starting_rating_pages,
)

urlpatterns = [
    path("", member_pages.register, name="register"),
    path("newcomers/", member_pages.waiting_newcomers, name="register-newcomers"),
    path("new/", member_pages.new, name="register-new"),
    path("members/<id:player_id>/", member_pages.member, name="register-member"),
    path("members/<id:player_id>/change/", member_pages.change, name="register-change"),
    path("members/<id:player_id>/memberships/", membership_pages.add, name="register-add-membership"),
    path("members/<id:player_id>/merge/", merge_pages.merge, name="register-merge"),
    path("members/<id:player_id>/unmerge/", merge_pages.unmerge, name="register-unmerge"),
    path("members/<id:player_id>/held/", data_export_pages.held, name="register-held"),
    path("memberships/<int:number>/", membership_pages.correct, name="register-membership"),
    path("memberships/<int:number>/strike/", membership_pages.strike, name="register-strike-membership"),
    path("send/", register_upload_pages.send, name="register-send"),
    path("send/<int:number>/", register_upload_pages.sent, name="register-sent"),
    path("send/<int:number>/take/", register_upload_pages.take_over, name="register-take"),
    path("send/<int:number>/put-away/", register_upload_pages.put_away, name="register-put-away"),
    path("openings/", starting_rating_pages.openings, name="register-openings"),
    path("openings/send/", starting_rating_pages.send, name="register-openings-send"),
    path(
        "openings/<int:number>/take-back/",
        starting_rating_pages.take_back,
        name="register-openings-take-back",
    ),
    path("openings/sent/<str:word>/", starting_rating_pages.sent, name="register-openings-sent"),
    path("fide/", fide_pages.fide, name="register-fide"),
    path("fide/<str:word>/", fide_pages.found, name="register-fide-found"),
    path("clubs/", club_pages.clubs, name="register-clubs"),
    path("clubs/<id:club_id>/", club_pages.club, name="register-club"),
    path("clubs/<id:club_id>/<int:number>/", club_pages.correct, name="register-correct-club"),
    path("events/", event_application_pages.events, name="register-events"),
    path("events/new/", event_application_pages.new, name="register-new-event"),
    path("events/<int:number>/", event_application_pages.event, name="register-event"),
    path("events/<int:number>/decide/", event_application_pages.decide, name="register-decide"),
    path("qualified/", qualification_pages.qualified, name="register-qualified"),
    path("seeds/", qualification_pages.seeds, name="register-seeds"),
    path("seeds/<id:event_id>/", qualification_pages.seeds_of, name="register-seeds-of"),
    path("seeds/<id:event_id>/take-back/", qualification_pages.unseed, name="register-unseed"),
    path("start-list/", qualification_pages.starts, name="register-start-list"),
    path("files/", data_export_pages.files, name="register-files"),
    path("files/ledger/", data_export_pages.ledger, name="register-ledger"),
    path("files/event/", data_export_pages.event, name="register-event-file"),
]
