"""The first pages: the pools of the office, and a pool's own."""

from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from banzuke.database.book_reader import MissingBookError, SpoiledRulesError
from banzuke.database.models import ListFigures, Pool, RatingList
from banzuke.office.lists import list_index
from banzuke.office.lists.coming_list import ComingList, find_coming_list, today_of
from banzuke.office.lists.top_lists import groups_of
from banzuke.office.pages.list_summary import summaries
from banzuke.office.player_titles import has_titles
from banzuke.office.public_names import by_id_only
from banzuke.office.reforms.reform_acts import announced_reforms
from banzuke.office.register import clubs
from banzuke.web.access import public
from banzuke.web.public.caching import conditional, conditional_on_reforms
from banzuke.web.public.event_pages import newest_events
from banzuke.web.public.share_cards import card_of_office, card_of_pool, feed_of_lists
from banzuke.web.shortcuts import page_language, pool_page

#: So many of the newest events are named.
EVENTS = 5


class Card(NamedTuple):
    """A pool on the first page: its last list with its players by speed, and the next list.

    `is_overdue`: the next list's day is over.
    """

    pool: Pool
    latest: RatingList | None
    players: dict[str, int]
    coming: ComingList | None
    is_overdue: bool


@public
@conditional
def pools(request: HttpRequest) -> HttpResponse:
    """The pools of this office."""
    cards = [_card(pool) for pool in Pool.objects.order_by("slug")]
    return render(request, "public/pools.html", {"cards": cards, "share": card_of_office(request)})


def _card(pool: Pool) -> Card:
    latest = list_index.latest_list(pool)
    counted = ListFigures.objects.filter(list=latest) if latest else ()
    players = {one.speed: one.figures["players"] for one in counted if one.figures["players"]}
    coming = _coming(pool)
    return Card(pool, latest, players, coming, coming is not None and coming.day < today_of(pool))


def _coming(pool: Pool) -> ComingList | None:
    """The list that is published next; None where its rule book is not installed, too."""
    try:
        return find_coming_list(pool, today_of(pool))
    except (MissingBookError, SpoiledRulesError):
        return None


@public
@conditional_on_reforms
def pool(request: HttpRequest, pool: Pool) -> HttpResponse:
    """A pool's front page: the latest list at a glance."""
    glances = summaries(pool, page_language())
    context = {
        "card": _card(pool),
        "glances": glances,
        "reforms": [each for each in announced_reforms(pool) if each.waits],
        "events": newest_events(pool)[:EVENTS],
        "feeds": [feed_of_lists(pool)],
        "share": card_of_pool(request, pool),
    }
    if glances:
        first = glances[0]
        hidden = by_id_only(pool)
        context["before"] = list_index.list_before(first.published)
        context["groups"] = groups = groups_of(first.published, first.speed, hidden)
        context["has_titles"] = not first.published.is_go and has_titles(pool, hidden)
        context["clubs"] = clubs.homes(pool) if groups.clubs else {}
    return pool_page(request, "public/pool.html", pool, **context)
