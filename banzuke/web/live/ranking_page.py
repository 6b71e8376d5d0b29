"""The ranking of a Go server as it stands now, to search and to leaf through."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import now

from banzuke.database.models import Pool
from banzuke.office.live.live_pool import NotLiveError
from banzuke.office.live.live_ranking import RankingQuery, page
from banzuke.web.access import public
from banzuke.web.public.caching import conditional


@public
@conditional
def ranking(request: HttpRequest, pool: Pool) -> HttpResponse:
    """A page of the ranking; pools of chess have none but their lists."""
    query = RankingQuery(
        typed=request.GET.get("q", "").strip(),
        after=request.GET.get("after", ""),
        before=request.GET.get("before", ""),
        last="last" in request.GET,
    )
    try:
        found = page(pool, query, now())
    except NotLiveError as error:
        raise Http404 from error
    return render(request, "live/ranking.html", {"pool": pool, "query": query, "page": found})
