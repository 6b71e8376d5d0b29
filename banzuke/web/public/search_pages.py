"""Searching from every page: players, events, clubs and lists of a pool, or of the whole office."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from banzuke.database.models import Pool
from banzuke.office.pages.event_lists import note_event_names
from banzuke.office.search.office_search import FEW, Most, cleaned, search_all, search_pool
from banzuke.web.access import public

#: The page's own field has a name of its own, so that what stands under the field of the header is short.
_SHORT = "short"


@public
def search(request: HttpRequest) -> HttpResponse:
    """Every pool's players, events, clubs and lists that are meant by what was typed."""
    typed = cleaned(request.GET.get("q", ""))
    found = search_all(typed, FEW) if typed else []
    return _page(request, typed, found=found, of=None, others=())


@public
def pool_search(request: HttpRequest, pool: Pool) -> HttpResponse:
    """A pool's players, events, clubs and lists that are meant by what was typed; the others are offered."""
    typed = cleaned(request.GET.get("q", ""))
    found = search_pool(pool, typed, FEW if _SHORT in request.GET else Most()) if typed else None
    others = Pool.objects.exclude(pk=pool.pk).order_by("slug")
    shown = [found] if found and (found.amount or found.is_behind) else []
    return _page(request, typed, found=shown, of=pool, others=others, pool=pool)


def _page(request: HttpRequest, typed: str, **context: Any) -> HttpResponse:
    """The page, or what of it stands under the field of the header."""
    template = "public/search_short.html" if _SHORT in request.GET else "public/search.html"
    count = sum(each.amount for each in context["found"])
    for each in context["found"]:
        note_event_names(each.lists)
    return render(request, template, {"typed": typed, "count": count, **context})
