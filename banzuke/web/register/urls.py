"""Addresses: members, clubs, memberships, events applied for, lists of who qualifies."""

from __future__ import annotations

from django.urls import path

from banzuke.web.register import (
    clubs,
    entitled,
    events,
    fide,
    members,
    memberships,
    merges,
    openings,
    sending,
    taking_out,
)

urlpatterns = [
    path("", members.register, name="register"),
    path("newcomers/", members.waiting_newcomers, name="register-newcomers"),
    path("new/", members.new, name="register-new"),
    path("members/<id:player_id>/", members.member, name="register-member"),
    path("members/<id:player_id>/change/", members.change, name="register-change"),
    path("members/<id:player_id>/memberships/", memberships.add, name="register-add-membership"),
    path("members/<id:player_id>/merge/", merges.merge, name="register-merge"),
    path("members/<id:player_id>/unmerge/", merges.unmerge, name="register-unmerge"),
    path("members/<id:player_id>/held/", taking_out.held, name="register-held"),
    path("memberships/<int:number>/", memberships.correct, name="register-membership"),
    path("memberships/<int:number>/strike/", memberships.strike, name="register-strike-membership"),
    path("send/", sending.send, name="register-send"),
    path("send/<int:number>/", sending.sent, name="register-sent"),
    path("send/<int:number>/take/", sending.take_over, name="register-take"),
    path("send/<int:number>/put-away/", sending.put_away, name="register-put-away"),
    path("openings/", openings.openings, name="register-openings"),
    path("openings/send/", openings.send, name="register-openings-send"),
    path("openings/<int:number>/take-back/", openings.take_back, name="register-openings-take-back"),
    path("openings/sent/<str:word>/", openings.sent, name="register-openings-sent"),
    path("fide/", fide.fide, name="register-fide"),
    path("fide/<str:word>/", fide.found, name="register-fide-found"),
    path("clubs/", clubs.clubs, name="register-clubs"),
    path("clubs/<id:club_id>/", clubs.club, name="register-club"),
    path("clubs/<id:club_id>/<int:number>/", clubs.correct, name="register-correct-club"),
    path("events/", events.events, name="register-events"),
    path("events/new/", events.new, name="register-new-event"),
    path("events/<int:number>/", events.event, name="register-event"),
    path("events/<int:number>/decide/", events.decide, name="register-decide"),
    path("qualified/", entitled.qualified, name="register-qualified"),
    path("seeds/", entitled.seeds, name="register-seeds"),
    path("seeds/<id:event_id>/", entitled.seeds_of, name="register-seeds-of"),
    path("seeds/<id:event_id>/take-back/", entitled.unseed, name="register-unseed"),
    path("start-list/", entitled.starts, name="register-start-list"),
    path("files/", taking_out.files, name="register-files"),
    path("files/ledger/", taking_out.ledger, name="register-ledger"),
    path("files/event/", taking_out.event, name="register-event-file"),
]
