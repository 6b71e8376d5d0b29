"""Addresses: what everybody may read: pools, lists, players with their workings, events."""

from __future__ import annotations

from django.urls import path

from banzuke.web.public import events, files, front, lists, players

urlpatterns = [
    path("", front.pools, name="public-pools"),
    path("<slug:slug>/", front.pool, name="public-pool"),
    path("<slug:slug>/lists/", lists.lists, name="public-lists"),
    path("<slug:slug>/lists/<id:name>.<ending:kind>", files.list_file, name="public-list-file"),
    path("<slug:slug>/lists/<id:name>/", lists.rating_list, name="public-list"),
    path(
        "<slug:slug>/lists/<id:name>/<slug:speed>.<ending:kind>",
        files.list_file,
        name="public-list-speed-file",
    ),
    path("<slug:slug>/lists/<id:name>/<slug:speed>/", lists.rating_list, name="public-list-speed"),
    path("<slug:slug>/players/<id:player>/", players.player, name="public-player"),
    path("<slug:slug>/players/<id:player>/<id:name>/", players.working, name="public-working"),
    path(
        "<slug:slug>/players/<id:player>/<id:name>/<slug:speed>/",
        players.working,
        name="public-working-speed",
    ),
    path("<slug:slug>/events/", events.events, name="public-events"),
    path("<slug:slug>/events/<id:event>.html", files.crosstable_page, name="public-event-page"),
    path("<slug:slug>/events/<id:event>.xlsx", files.crosstable_workbook, name="public-event-workbook"),
    path("<slug:slug>/events/<id:event>/", events.event, name="public-event"),
]
