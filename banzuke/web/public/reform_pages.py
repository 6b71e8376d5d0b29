"""The reforms of a pool that were announced: decision, what changes, and the effect; nobody is named."""

from django.http import Http404, HttpRequest, HttpResponse

from banzuke.database.models import Pool
from banzuke.office.reforms.reform_acts import announced_reforms
from banzuke.web.access import of_chess, public
from banzuke.web.public.caching import conditional_on_reforms
from banzuke.web.public.share_cards import feed_of_lists
from banzuke.web.reform_views import shown_reform
from banzuke.web.shortcuts import pool_page


@public
@of_chess
@conditional_on_reforms
def reforms(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Every reform that was announced, the newest first."""
    found = [shown_reform(pool, each) for each in announced_reforms(pool)]
    return pool_page(request, "public/reforms.html", pool, reforms=found, feeds=[feed_of_lists(pool)])


@public
@of_chess
@conditional_on_reforms
def reform(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """One of them. Raises Http404 for one that was never announced."""
    for each in announced_reforms(pool):
        if each.reform.number == number:
            return pool_page(request, "public/reform.html", pool, shown=shown_reform(pool, each))
    raise Http404
