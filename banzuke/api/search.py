"""Searching a pool: players, events, clubs and lists, in any script and with slips."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Router

from banzuke.api import params, schemas
from banzuke.api.auth import optional_key, pool_of
from banzuke.api.serializers import list_of, person_of, serialize
from banzuke.database.models import Event
from banzuke.office.search.found_players import FoundPlayer
from banzuke.office.search.office_search import Found, Most, cleaned, search_pool

router = Router(tags=["search"], auth=optional_key)


@router.get("/pools/{slug:pool}/search", response=schemas.SearchAnswer)
def search(
    request: HttpRequest,
    pool: params.PoolWord,
    q: Annotated[str, params.word("A name in any script and order, an id, a month (`2025-05`)", least=1)],
) -> Any:
    """Players of the register, events, clubs and lists that are called so; with slips, those nearly so."""
    of, typed = pool_of(pool), cleaned(q)
    if not typed:
        return dict.fromkeys(schemas.SearchAnswer.model_fields, ())
    return _answer(search_pool(of, typed, Most()))


def _answer(found: Found) -> dict[str, Any]:
    return {
        "players": [_player(each) for each in found.players.exact],
        "near_players": [_player(each) for each in found.players.near],
        "events": [_event(each) for each in found.events.exact],
        "near_events": [_event(each) for each in found.events.near],
        "clubs": [serialize(schemas.FoundClub, each, club=each.club_id) for each in found.clubs],
        "lists": [list_of(each) for each in found.lists],
    }


def _player(found: FoundPlayer) -> dict[str, Any]:
    ratings = [{"speed": each.speed, "rating": each.written} for each in found.ratings]
    about = person_of(found.person)
    return serialize(schemas.FoundMember, found, **about, club=found.club_id, ratings=ratings)


def _event(event: Event) -> dict[str, Any]:
    return serialize(schemas.FoundEvent, event, event=event.event_id)
