"""Addresses: what everybody may read: pools, lists, players with their workings, events."""

from __future__ import annotations

from django.urls import path

from banzuke.web.public import event_pages, file_downloads, front_pages, list_pages, player_pages

urlpatterns = [
    path("", front_pages.pools, name="public-pools"),
    path("<slug:slug>/", front_pages.pool, name="public-pool"),
    path("<slug:slug>/lists/", list_pages.lists, name="public-lists"),
    path("<slug:slug>/lists/<id:name>.<ending:kind>", file_downloads.list_file, name="public-list-file"),
    path("<slug:slug>/lists/<id:name>/", list_pages.rating_list, name="public-list"),
    path(
        "<slug:slug>/lists/<id:name>/<slug:speed>.<ending:kind>",
        file_downloads.list_file,
        name="public-list-speed-file",
    ),
    path("<slug:slug>/lists/<id:name>/<slug:speed>/", list_pages.rating_list, name="public-list-speed"),
    path("<slug:slug>/players/<id:player>/", player_pages.player, name="public-player"),
    path("<slug:slug>/players/<id:player>/<id:name>/", player_pages.working, name="public-working"),
    path(
        "<slug:slug>/players/<id:player>/<id:name>/<slug:speed>/",
        player_pages.working,
        name="public-working-speed",
    ),
    path("<slug:slug>/events/", event_pages.events, name="public-events"),
    path("<slug:slug>/events/<id:event>.html", file_downloads.crosstable_page, name="public-event-page"),
    path(
        "<slug:slug>/events/<id:event>.xlsx", file_downloads.crosstable_workbook, name="public-event-workbook"
    ),
    path("<slug:slug>/events/<id:event>/", event_pages.event, name="public-event"),
]
