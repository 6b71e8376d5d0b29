"""Pools and their published lists."""

from typing import Annotated, Any, Literal

from django.http import Http404, HttpRequest
from ninja import Query, Router

from banzuke.api import answers, asked
from banzuke.api.answering import unchanged
from banzuke.api.telling import lines_of, list_of, row_of
from banzuke.api.visitors import anybody, pool_of
from banzuke.book.models import Pool, RatingList
from banzuke.desk.lists import listing
from banzuke.desk.pages import list_pages
from banzuke.desk.pages.list_files import speeds_of
from banzuke.desk.public_names import by_id_only

router = Router(tags=["lists"], auth=anybody)
#: Pools are no secret, and of no pool: who asks for them needs no key, and none is looked at.
pools_router = Router(tags=["lists"])

Sort = Literal[
    "place", "id", "name", "club", "change", "games", "peak",
    "-place", "-id", "-name", "-club", "-change", "-games", "-peak",
]  # fmt: skip


@pools_router.get("/pools", response=answers.Pools)
def pools(request: HttpRequest, limit: asked.Limit = asked.MOST_ROWS, offset: asked.Offset = 0) -> Any:
    """Pools, each with its newest list."""
    found = [
        {"pool": pool.slug, "name": pool.name, "latest": latest and list_of(latest)}
        for pool in Pool.objects.order_by("slug")[offset : offset + limit]
        for latest in [listing.latest(pool)]
    ]
    return {"pools": found}


@router.get("/pools/{slug:pool}/lists", response=answers.Lists)
def lists(
    request: HttpRequest,
    pool: asked.PoolWord,
    limit: asked.Limit = asked.MOST_ROWS,
    offset: asked.Offset = 0,
) -> Any:
    """The lists of a pool, the newest first."""
    return {"lists": [list_of(each) for each in listing.current(pool_of(pool))[offset : offset + limit]]}


@router.get("/pools/{slug:pool}/lists/{id:name}", response=answers.Revisions)
def one_list(
    request: HttpRequest, pool: asked.PoolWord, name: asked.ListName, revision: asked.Revision = None
) -> Any:
    """A list and its revisions; `current` is the pool's newest."""
    published = find_list(pool, name, revision)
    revisions = listing.revisions(published.pool, published.name)
    return list_of(published) | {
        "speeds": list(speeds_of(published)),
        "revisions": [list_of(each) for each in revisions],
    }


@router.get("/pools/{slug:pool}/lists/{id:name}/rows", response=answers.Rows)
def rows(
    request: HttpRequest,
    pool: asked.PoolWord,
    name: asked.ListName,
    speed: asked.AtSpeed = None,
    q: Annotated[str, asked.word("Names or ids that begin so, in any script")] = "",
    club: Annotated[str, asked.word("Of this club only")] = "",
    group: Literal["junior", "adult", "senior"] | None = None,
    sex: Literal["f", "m"] | None = None,
    active: bool | None = None,
    sort: Sort = "place",
    revision: asked.Revision = None,
    after: asked.After = "",
    limit: asked.Limit = asked.MOST_ROWS,
) -> Any:
    """Rows of a list at one speed, sorted and filtered, a page at a time."""
    published = find_list(pool, name, revision)
    same = unchanged(request, published)
    if same is not None:
        return same
    at = speed_of(published, speed)
    wanted = list_pages.Asked(
        sort=sort, typed=q, club=club, group=group or "", sex=sex or "", after=after,
        active={True: "yes", False: "no", None: ""}[active],
    )  # fmt: skip
    hidden = by_id_only(published.pool)
    page = list_pages.page(published, at, wanted, hidden)
    found = [row_of(row, hidden) for row in page.rows[:limit]]
    goes_on = page.has_after or len(page.rows) > limit
    return {
        "list": list_of(published),
        "speed": at,
        "rows": found,
        "next": found[-1]["player"] if goes_on else None,
    }


@router.get("/pools/{slug:pool}/lists/{id:name}/events", response=answers.EventIds)
def events_of_list(
    request: HttpRequest,
    pool: asked.PoolWord,
    name: asked.ListName,
    revision: asked.Revision = None,
    after: asked.After = "",
    limit: asked.Limit = asked.MOST_ROWS,
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


@router.get("/pools/{slug:pool}/lists/{id:name}/lines", response=answers.Lines)
def lines_of_list(
    request: HttpRequest,
    pool: asked.PoolWord,
    name: asked.ListName,
    event: Annotated[str, asked.word("Of this event only")] = "",
    revision: asked.Revision = None,
    begin: Annotated[
        int, Query(ge=0, le=2**31 - 1, description="Begin at this line: `next` of the page before")
    ] = 0,
    limit: asked.Limit = asked.MOST_ROWS,
) -> Any:
    """Lines of a list in its order: both sides of every game."""
    published = find_list(pool, name, revision)
    same = unchanged(request, published)
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
    """A revision of a list (None: the last); `current` is the newest list. Raises Http404."""
    found = listing.find(pool_of(slug), name, revision)
    if found is None:
        raise Http404
    return found


def speed_of(published: RatingList, speed: str | None) -> str:
    """The speed that is asked for (None: the list's first). Raises Http404 for one that the list has not."""
    speeds = speeds_of(published)
    if speed is not None and speed not in speeds:
        raise Http404
    return speeds[0] if speed is None else speed
