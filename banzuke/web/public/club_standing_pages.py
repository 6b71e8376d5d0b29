"""The clubs of a published list: how many players, who is the best, how strong the best four are."""

from django.http import Http404, HttpRequest, HttpResponse

from banzuke.database.models import Pool
from banzuke.office.lists.top_lists import club_standings
from banzuke.office.pages.list_summary import name_rows
from banzuke.office.public_names import by_id_only
from banzuke.office.register import clubs as registered
from banzuke.web.access import public
from banzuke.web.public.caching import conditional
from banzuke.web.public.list_pages import asked_list, speed_tabs
from banzuke.web.public.public_addresses import clubs_address
from banzuke.web.shortcuts import page_language, pool_page


@public
@conditional
def clubs(request: HttpRequest, pool: Pool, name: str, speed: str = "") -> HttpResponse:
    """The clubs of a list at a speed, the strongest first."""
    published = asked_list(request, pool, name)
    speed = speed or published.speeds_with_players[0]
    if speed not in published.speeds:
        raise Http404
    hidden = by_id_only(pool)
    standings = club_standings(published, speed, hidden)
    named = name_rows((club.best for club in standings), hidden, page_language())
    context = {
        "list": published,
        "speed": speed,
        "speeds": [(one, clubs_address(published, one)) for one in speed_tabs(published, speed)],
        "standings": list(zip(standings, named, strict=True)),
        "most": max((club.players for club in standings), default=0),
        "names": registered.names(pool),
    }
    return pool_page(request, "public/clubs.html", pool, **context)
