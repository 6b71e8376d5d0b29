"""Events as the lists rated them."""

from typing import Annotated, Any

from django.http import Http404, HttpRequest
from ninja import Router

from banzuke.api import params, schemas
from banzuke.api.auth import anybody, pool_of
from banzuke.api.serializers import crosstable_row
from banzuke.office.pages.crosstables import crosstable
from banzuke.office.pages.played_games import events_of

router = Router(tags=["events"], auth=anybody)


@router.get("/pools/{slug:pool}/events/{id:event}", response=schemas.Event)
def event(
    request: HttpRequest,
    pool: params.PoolWord,
    event: params.EventId,
    rated_in: Annotated[str, params.word("The list that rated it; the first if left out")] = "",
) -> Any:
    """An event with its crosstable, once a list has taken it."""
    of = pool_of(pool)
    row = events_of(of, [event]).get(event)
    found = None if row is None else crosstable(of, row, rated_in)
    if row is None or found is None:
        raise Http404
    columns = ("name", "place", "organiser", "starts", "ends")
    return (
        {"event": event}
        | {column: getattr(row, column) for column in columns}
        | {
            "speed": found.table.speed,
            "list": found.published.name,
            "lists": [published.name for published in found.lists],
            "rounds": list(found.table.rounds),
            "rows": [crosstable_row(each) for each in found.table.rows],
        }
    )
