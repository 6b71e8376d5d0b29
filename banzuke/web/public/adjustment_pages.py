"""The adjustments of a pool: which lists, by which map, by which decision, and what was taken back."""

from datetime import datetime
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from banzuke.core.adjustments import Node, read_map
from banzuke.core.facts import Adjustment
from banzuke.database.models import Pool, RatingList
from banzuke.office.lists.adjustments import EnteredAdjustment, entered_adjustments
from banzuke.office.lists.list_index import current_lists
from banzuke.office.pages.event_lists import note_event_names
from banzuke.web.access import of_chess, public
from banzuke.web.public.caching import conditional
from banzuke.web.public.share_cards import feed_of_lists
from banzuke.web.shortcuts import pool_page
from banzuke.web.templatetags.ratings import coming_list_of, list_name


class ShownAdjustment(NamedTuple):
    """An adjustment with its map, when it came and went, and its list, if that is published."""

    adjustment: Adjustment
    nodes: tuple[Node, ...]
    entered_at: datetime
    struck_at: datetime | None
    published: RatingList | None
    list_name: str


@public
@of_chess
@conditional
def adjustments(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Every adjustment, the newest first."""
    found = shown_adjustments(pool, entered_adjustments(pool))
    feeds = [feed_of_lists(pool)]
    return pool_page(request, "public/adjustments.html", pool, adjustments=found[::-1], feeds=feeds)


def shown_adjustments(pool: Pool, entered: list[EnteredAdjustment]) -> list[ShownAdjustment]:
    """Adjustments as people read them."""
    names = {each.adjustment.list for each in entered}
    lists = {each.name: each for each in current_lists(pool).filter(name__in=names)}
    note_event_names(list(lists.values()))
    return [_shown(pool, each, lists.get(each.adjustment.list)) for each in entered]


def _shown(pool: Pool, entered: EnteredAdjustment, published: RatingList | None) -> ShownAdjustment:
    row = entered.adjustment
    name = list_name(published) if published else coming_list_of(pool, row.list)
    struck_at = entered.struck_by.at if entered.struck_by else None
    return ShownAdjustment(row, read_map(row.points), entered.entry.at, struck_at, published, str(name))


def adjustment_address(pool: Pool, adjustment_id: str, *, is_back: bool = False) -> str:
    """Where an adjustment stands, or that it was taken back."""
    page = reverse("public-adjustments", kwargs={"slug": pool.slug})
    return f"{page}#{'back' if is_back else 'adjustment'}-{adjustment_id}"
