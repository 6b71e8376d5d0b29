"""What a messenger shows of a link to a page (Open Graph), and the feeds that belong to a page.

Of who is shown by id only there is neither.
"""

from typing import Any, NamedTuple

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import strip_tags
from django.utils.translation import gettext as _

from banzuke.database.models import Club, Event, ListRow, Pool, RatingList, Sanction
from banzuke.database.two_names import name_here
from banzuke.office.pages.player_standing import PlayerStanding
from banzuke.office.pages.public_pool import PublicPool
from banzuke.office.public_names import by_id_only
from banzuke.web.shortcuts import page_language
from banzuke.web.templatetags.banzuke import days, with_sign
from banzuke.web.templatetags.ratings import list_name, revision_name, speed_name

PROFILE, ARTICLE = "profile", "article"
#: A plain picture, the same for all pages.
PICTURE = "banzuke/share.png"


class ShareCard(NamedTuple):
    """A page as others show it: title, a sentence, its kind in Open Graph's words, whole addresses."""

    title: str
    about: str
    kind: str
    address: str
    picture: str


class FeedLink(NamedTuple):
    """A feed of a page."""

    title: str
    address: str


def _card(request: HttpRequest, title: str, about: str, kind: str = ARTICLE) -> ShareCard:
    address = request.build_absolute_uri(request.path)
    return ShareCard(title, about, kind, address, request.build_absolute_uri(static(PICTURE)))


def _rules() -> str:
    return _("Every list here is calculated by the printed rules, and every rating is explained.")


def card_of_player(request: HttpRequest, pool: Pool, called: str, standing: PlayerStanding) -> ShareCard:
    """A player: rating and place at each speed, with the list."""
    written = [
        f"{speed_name(one.speed)} {one.row.rating_text}".strip()
        + f" ({list_name(one.list)}, {_('Place')} {one.row.place})"
        for one in standing.speeds
    ]
    return _card(request, f"{called} · {pool.name}", " · ".join(written), PROFILE)


def shared_of_player(
    request: HttpRequest, of: PublicPool, standing: PlayerStanding, called: str
) -> dict[str, Any]:
    """The card and the feed of a player; neither of one who is shown by id only."""
    player = standing.person.player_id
    if player in of.hidden:
        return {}
    feeds = [feed_of_player(of.pool, player, called)] if standing.speeds else []
    return {"share": card_of_player(request, of.pool, called, standing), "feeds": feeds}


def shared_of_working(
    request: HttpRequest, published: RatingList, row: ListRow | None, called: str, speed: str
) -> dict[str, Any]:
    """The card of how a rating came about; none of who is shown by id only."""
    if row is None or row.player_id in by_id_only(published.pool):
        return {}
    title = f"{called} · {list_name(published)} {speed_name(speed)}".strip()
    change = "" if row.change is None else f" ({with_sign(row.change)})"
    about = _("%(rating)s: how it came about, with the clause of each step") % {
        "rating": f"{row.rating_text}{change}"
    }
    return {"share": _card(request, title, about, PROFILE)}


def card_of_list(request: HttpRequest, published: RatingList, speed: str) -> ShareCard:
    """A list at a speed."""
    title = f"{list_name(published)} {speed_name(speed)}".strip()
    came_out = revision_name(published)
    about = f"{came_out[:1].upper()}{came_out[1:]}{'。' if page_language() == 'ja' else '. '}{_rules()}"
    return _card(request, f"{title} · {published.pool.name}", about)


def card_of_event(request: HttpRequest, pool: Pool, event: Event | Sanction, said: str) -> ShareCard:
    """An event: where and when, and how far it is."""
    called = name_here(event.name, event.name_native) or event.event_id
    about = " · ".join(filter(None, (event.place, strip_tags(days(event.starts, event.ends)), said)))
    return _card(request, f"{called} · {pool.name}", about)


def card_of_club(request: HttpRequest, pool: Pool, club: Club) -> ShareCard:
    """A club: that it is one of the pool's."""
    called = name_here(club.name, club.name_native) or club.club_id
    about = _("Members on the newest list, and events")
    return _card(request, f"{called} · {pool.name}", about)


def card_of_office(request: HttpRequest) -> ShareCard:
    """The office's front page."""
    return _card(request, _("Pools"), _rules())


def card_of_pool(request: HttpRequest, pool: Pool) -> ShareCard:
    """A pool's front page, its lists or its calendar."""
    return _card(request, pool.name, _rules())


def card_of_data(request: HttpRequest) -> ShareCard:
    """The page on the office's data."""
    about = _("Every list as files and over an API, with what it was made from: anybody can make it again.")
    return _card(request, _("Data"), about)


def feed_of_player(pool: Pool, player: str, called: str) -> FeedLink:
    """The feed of a player."""
    return _feed(reverse("public-player-feed", kwargs={"slug": pool.slug, "player": player}), called)


def feed_of_lists(pool: Pool) -> FeedLink:
    """The feed of a pool's lists and changes of rules."""
    title = _("%(pool)s: lists and rules") % {"pool": pool.name}
    return _feed(reverse("public-lists-feed", kwargs={"slug": pool.slug}), title)


def feed_of_calendar(pool: Pool) -> FeedLink:
    """The feed of a pool's calendar."""
    title = _("%(pool)s: calendar") % {"pool": pool.name}
    return _feed(reverse("public-calendar-feed", kwargs={"slug": pool.slug}), title)


def _feed(address: str, title: str) -> FeedLink:
    lang = page_language()
    return FeedLink(title, address if lang == "en" else f"{address}?lang={lang}")
