"""A club: its members on the newest list, and its events."""

from django.http import HttpRequest, HttpResponse

from banzuke.database.models import Pool
from banzuke.office.pages.club_page import load_club
from banzuke.office.pages.list_summary import name_rows
from banzuke.office.public_names import by_id_only
from banzuke.web.access import public
from banzuke.web.public.caching import conditional
from banzuke.web.public.share_cards import card_of_club
from banzuke.web.shortcuts import found_or_404, page_language, pool_page


@public
@conditional
def club(request: HttpRequest, pool: Pool, club_id: str) -> HttpResponse:
    """A club with its members and events."""
    hidden = by_id_only(pool)
    found = found_or_404(load_club(pool, club_id, hidden))
    members = [(each.speed, name_rows(each.rows, hidden, page_language())) for each in found.members]
    share = card_of_club(request, pool, found.club)
    return pool_page(
        request, "public/club.html", pool, club=found.club, found=found, members=members, share=share
    )
