"""A player: where the player stands and why, the games played, and how a rating came about."""

import re
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from banzuke.database.book_reader import MissingBookError
from banzuke.database.models import Pool
from banzuke.office.lists import list_index
from banzuke.office.lists.adjustments import lists_with_adjustments
from banzuke.office.live.go_rules import is_live
from banzuke.office.merged_ids import kept_id
from banzuke.office.pages import rating_explanations
from banzuke.office.pages.coming_ratings import coming_ratings
from banzuke.office.pages.event_lists import note_event_names
from banzuke.office.pages.played_games import (
    PlayedGames,
    games_against,
    games_in,
    load_opponents_in,
    load_played_games,
    ratings_of_both,
)
from banzuke.office.pages.player_progress import in_the_office
from banzuke.office.pages.player_standing import load_standing
from banzuke.office.pages.public_pool import PublicPool, public_pool
from banzuke.office.public_names import people
from banzuke.web.access import public
from banzuke.web.live.public_pages import player_now
from banzuke.web.public.caching import conditional, conditional_with_coming
from banzuke.web.public.list_pages import asked_list
from banzuke.web.public.player_figures import at_speeds
from banzuke.web.public.share_cards import shared_of_player, shared_of_working
from banzuke.web.shortcuts import page_language, pool_page
from banzuke.words import fault_text

#: A year, as the page's address says it.
_YEAR = re.compile("[0-9]{4}")


@public
@conditional_with_coming
def player(request: HttpRequest, pool: Pool, player: str) -> HttpResponse:
    """Where a player stands and why, and the games against an opponent who is asked for (`?opponent=ID`).

    The opponents of one year are shown alone where it is asked for (`?year=2024`).

    An entry that was put together with another leads to that one.
    """
    kept = kept_id(pool, player)
    if kept != player:
        return _redirect(request, reverse("public-player", kwargs={"slug": pool.slug, "player": kept}))
    if is_live(pool):
        return player_now(request, pool, player)
    of = public_pool(pool)
    found = load_standing(of, player)
    record = load_played_games(of, player, everything="all" in request.GET)
    record = _in_year(of, player, record, request.GET.get("year", ""))
    if not (found.speeds or record.events or found.is_known):
        raise Http404
    note_event_names(month.published for month in found.history)
    lang, coming = page_language(), coming_ratings(of, player)
    context = {
        "called": found.person.called(lang),
        "also": found.person.also(lang),
        "at_speeds": at_speeds(pool, found, record, coming),
        "coming": coming,
        "adjusted": lists_with_adjustments(month.published for month in found.history),
        "in_office": in_the_office(pool, player, of.lists, is_hidden=player in of.hidden) if of.rules else [],
    }
    context |= shared_of_player(request, of, found, found.person.called(lang))
    context |= _met(of, player, request.GET.get("opponent", ""), record)
    return pool_page(request, "public/player.html", pool, standing=found, played=record, **context)


def _in_year(of: PublicPool, player: str, record: PlayedGames, year: str) -> PlayedGames:
    """The record with the opponents of a year alone, if one is asked for. Raises Http404 for one without."""
    if not year:
        return record
    opponents = load_opponents_in(of, player, int(year)) if _YEAR.fullmatch(year) else []
    if not opponents:
        raise Http404
    return record._replace(opponents=opponents, year=int(year))


def _met(of: PublicPool, player: str, opponent: str, record: PlayedGames) -> dict[str, Any]:
    """The games against an opponent, if one is asked for. Raises Http404 for somebody never met."""
    if not opponent:
        return {}
    met = games_against(of, player, opponent)
    if not met:
        raise Http404
    tally = next((one for one in record.opponents if one.person.player_id == opponent), None)
    found = {"met": met, "opponent": people(of.pool, [opponent], of.hidden)[opponent], "tally": tally}
    return found | {"ratings_of_both": ratings_of_both(of.pool, player, opponent)}


@public
@conditional
def working(request: HttpRequest, pool: Pool, player: str, name: str, speed: str = "") -> HttpResponse:
    """How a player's rating in a list came about, to the last clause."""
    published = asked_list(request, pool, name)
    if speed not in published.speeds:
        raise Http404
    games = games_in(published, player, speed)
    row = published.rows.filter(speed=speed, player_id=player).first()
    if not games and row is None:
        return _kept_working(request, pool, player, published.name, speed)
    later = list_index.revisions_of(pool, published.name).filter(revision__gt=published.revision)
    lang = page_language()
    context: dict[str, Any] = {
        "list": published,
        "speed": speed,
        "player": player,
        "called": people(pool, [player])[player].called(lang),
        "row": row,
        "games": games,
        "is_go": published.is_go,
        "is_latest": not later.exists(),
    }
    context |= shared_of_working(request, published, row, context["called"], speed)
    try:
        context["explanation"] = rating_explanations.explain_rating(published, player, speed, lang)
    except MissingBookError as missing:
        context["no_explanation"] = fault_text(missing.faults[0], lang)
    return pool_page(request, "public/working.html", pool, **context)


def _kept_working(request: HttpRequest, pool: Pool, player: str, name: str, speed: str) -> HttpResponse:
    """The same working under the id that a merge kept. Raises Http404 if there was no merge."""
    kept = kept_id(pool, player)
    if kept == player:
        raise Http404
    words = {"slug": pool.slug, "player": kept, "name": name} | ({"speed": speed} if speed else {})
    return _redirect(request, reverse("public-working-speed" if speed else "public-working", kwargs=words))


def _redirect(request: HttpRequest, address: str) -> HttpResponse:
    """On to another address, with the question that was asked."""
    asked = request.META.get("QUERY_STRING", "")
    return HttpResponseRedirect(f"{address}?{asked}" if asked else address)
