"""Pools, their published lists, and events as the lists rated them."""

from typing import Annotated, Any, Literal

from django.http import HttpRequest
from django.urls import reverse
from ninja import Query, Router

from banzuke.api import params, schemas
from banzuke.api.auth import optional_key, pool_of
from banzuke.api.etags import not_modified
from banzuke.api.problems import ProblemError
from banzuke.api.serializers import crosstable_row, lines_of, list_of, row_of, serialize
from banzuke.database.models import Pool, RatingList
from banzuke.office.lists import list_index
from banzuke.office.lists.preliminary_lists import days_of
from banzuke.office.objections.numbers import ObjectionNumbers, numbers_of_pool
from banzuke.office.pages import list_pages
from banzuke.office.pages.crosstables import crosstable
from banzuke.office.pages.log_page import place_in_log
from banzuke.office.pages.played_games import events_of
from banzuke.office.public_names import by_id_only

router = Router(tags=["lists"], auth=optional_key)

Sort = Literal[
    "place", "id", "name", "club", "change", "games", "peak",
    "-place", "-id", "-name", "-club", "-change", "-games", "-peak",
]  # fmt: skip


@router.get("/pools", response=schemas.Pools)
def pools(request: HttpRequest, limit: params.Limit = params.MOST_ROWS, offset: params.Offset = 0) -> Any:
    """Pools, each with its newest list."""
    found = [
        {
            "pool": pool.slug,
            "name": pool.names[0],
            "name_native": pool.names[1],
            "latest": latest and list_of(latest),
        }
        for pool in Pool.objects.order_by("slug")[offset : offset + limit]
        for latest in [list_index.latest_list(pool)]
    ]
    return {"pools": found}


@router.get("/pools/{slug:pool}/objections", response=schemas.Objections)
def objections(request: HttpRequest, pool: params.PoolWord) -> Any:
    """What became of objections from the public pages: in the pool, and list by list, the newest first."""
    total, of_lists = numbers_of_pool(pool_of(pool))
    rows = [{"list": one.list.name if one.list else "", **_numbers(one.numbers)} for one in of_lists]
    return {**_numbers(total), "lists": rows}


def _numbers(numbers: ObjectionNumbers) -> dict[str, Any]:
    return {("median_days" if name == "days" else name): of for name, of in numbers._asdict().items()}


@router.get("/pools/{slug:pool}/lists", response=schemas.Lists)
def lists(
    request: HttpRequest,
    pool: params.PoolWord,
    limit: params.Limit = params.MOST_ROWS,
    offset: params.Offset = 0,
) -> Any:
    """The lists of a pool, the newest first."""
    of = pool_of(pool)
    preliminary = days_of(of)
    found = list_index.current_lists(of)[offset : offset + limit]
    return {"lists": [list_of(each, preliminary) for each in found]}


@router.get("/pools/{slug:pool}/lists/{id:name}", response=schemas.Revisions)
def one_list(
    request: HttpRequest, pool: params.PoolWord, name: params.ListName, revision: params.Revision = None
) -> Any:
    """A list and its revisions; `current` is the pool's newest."""
    published = find_list(pool, name, revision)
    revisions = list_index.revisions_of(published.pool, published.name)
    preliminary, place = days_of(published.pool), place_in_log(published)
    return list_of(published, preliminary) | {
        "log_index": place and place.number,
        "checkpoint": place and (place.checkpoint or None),
        "record": _record_address(published),
        "speeds": list(published.speeds),
        "revisions": [list_of(each, preliminary) for each in revisions],
    }


def _record_address(published: RatingList) -> str:
    where = {"slug": published.pool.slug, "name": published.name}
    return f"{reverse('list-record', kwargs=where)}?revision={published.revision}"


@router.get("/pools/{slug:pool}/lists/{id:name}/rows", response=schemas.Rows)
def rows(
    request: HttpRequest,
    pool: params.PoolWord,
    name: params.ListName,
    speed: params.AtSpeed = None,
    q: Annotated[str, params.word("Names or ids that begin so, in any script")] = "",
    club: Annotated[str, params.word("Of this club only")] = "",
    group: Annotated[
        Literal["junior", "adult", "senior"] | None, Query(description="Of this age group")
    ] = None,
    sex: Annotated[Literal["f", "m"] | None, Query(description="Of this sex")] = None,
    active: Annotated[bool | None, Query(description="Those who played lately, or those who did not")] = None,
    sort: Annotated[Sort, Query(description="By what they are sorted; `-`: the other way round")] = "place",
    revision: params.Revision = None,
    after: params.After = "",
    limit: params.Limit = params.MOST_ROWS,
) -> Any:
    """Rows of a list at one speed, sorted and filtered, a page at a time."""
    published = find_list(pool, name, revision)
    at = speed_of(published, speed)
    if after and not published.rows.filter(speed=at, player_id=after).exists():
        raise ProblemError("unknown-player")
    same = None if q else not_modified(request, published)  # who is found hangs on the register, too
    if same is not None:
        return same
    wanted = list_pages.PageRequest(
        sort=sort, typed=q, club=club, group=group or "", sex=sex or "", after=after,
        active={True: "yes", False: "no", None: ""}[active],
    )  # fmt: skip
    hidden = by_id_only(published.pool)
    page = list_pages.load_page(published, at, wanted, hidden)
    found = [row_of(row, hidden) for row in page.rows[:limit]]
    goes_on = page.has_after or len(page.rows) > limit
    return {
        "list": list_of(published),
        "speed": at,
        "rows": found,
        "next": found[-1]["player"] if goes_on else None,
    }


@router.get("/pools/{slug:pool}/lists/{id:name}/events", response=schemas.EventIds)
def events_of_list(
    request: HttpRequest,
    pool: params.PoolWord,
    name: params.ListName,
    revision: params.Revision = None,
    after: params.After = "",
    limit: params.Limit = params.MOST_ROWS,
) -> Any:
    """The events that a list took, by id."""
    published = find_list(pool, name, revision)
    lines = published.lines.filter(event_id__gt=after).order_by("event_id")
    ids = list(lines.values_list("event_id", flat=True).distinct()[: limit + 1])
    return {
        "list": list_of(published),
        "events": ids[:limit],
        "next": ids[limit - 1] if len(ids) > limit else None,
    }


@router.get("/pools/{slug:pool}/lists/{id:name}/lines", response=schemas.Lines)
def lines_of_list(
    request: HttpRequest,
    pool: params.PoolWord,
    name: params.ListName,
    event: Annotated[str, params.word("Of this event only")] = "",
    revision: params.Revision = None,
    begin: Annotated[
        int, Query(ge=0, le=2**31 - 1, description="Begin at this line: `next` of the page before")
    ] = 0,
    limit: params.Limit = params.MOST_ROWS,
) -> Any:
    """Lines of a list in its order: both sides of every game."""
    published = find_list(pool, name, revision)
    same = not_modified(request, published)
    if same is not None:
        return same
    lines = published.lines.filter(position__gte=begin).order_by("position")
    if event:
        lines = lines.filter(event_id=event)
    found = list(lines[: limit + 1])
    goes_on = len(found) > limit
    return {
        "list": list_of(published),
        "lines": lines_of(published, found[:limit]),
        "next": found[limit].position if goes_on else None,
    }


def find_list(slug: str, name: str, revision: int | None) -> RatingList:
    """A revision of a list (None: the last); `current` is the newest list. Raises ProblemError."""
    found = list_index.find_list(pool_of(slug), name, revision)
    if found is None:
        raise ProblemError("unknown-list")
    return found


def speed_of(published: RatingList, speed: str | None) -> str:
    """The speed that is asked for (None: the list's first). Raises ProblemError for one it has not."""
    speeds = published.speeds
    if speed is not None and speed not in speeds:
        raise ProblemError("unknown-list")
    return speeds[0] if speed is None else speed


# Events


events_router = Router(tags=["events"], auth=optional_key)


@events_router.get("/pools/{slug:pool}/events/{id:event}", response=schemas.Event)
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
        raise ProblemError("unknown-event")
    return serialize(
        schemas.Event,
        row,
        event=event,
        name_native=row.name_native or "",
        speed=found.table.speed,
        list=found.published.name,
        lists=[published.name for published in found.lists],
        rounds=list(found.table.rounds),
        rows=[crosstable_row(each) for each in found.table.rows],
    )
