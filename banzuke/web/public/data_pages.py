"""The page Data: for researchers, and for whoever makes something of what the office publishes."""

from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from banzuke.database.models import Pool, RatingList
from banzuke.office.administration.deprecations import DEPRECATED, LEAST
from banzuke.office.administration.licences import licence
from banzuke.office.administration.office_settings import office_settings
from banzuke.office.lists import list_index
from banzuke.web.access import public
from banzuke.web.public.caching import conditional
from banzuke.web.public.data_changes import DATA_CHANGES
from banzuke.web.public.public_addresses import file_address, list_address, record_files
from banzuke.web.public.share_cards import FeedLink, card_of_data, feed_of_lists
from banzuke.web.public.structured_data import catalog_data

#: The kinds of files of a list that the page leads to.
KINDS = ("csv", "json")

#: How a revision is asked for.
ASKED = format_html('<code class="nowrap">{}</code>', "?revision=N")
#: What each of the files is.
MEANINGS = (
    (
        "csv, json",
        _(
            "The list as a table, with the names of those who are shown by name. Its page has it as XLSX, "
            "PDF, Parquet and for other programs, too."
        ),
    ),
    (
        "record.json",
        _(
            "What the list is: its hash, its revision, its files with their hashes, and its place in the "
            "office’s log. Begin with it."
        ),
    ),
    (
        "content.csv",
        _(
            "The exact bytes that the list’s hash is made of: every rating, and every game with what it "
            "changed, by ids."
        ),
    ),
    (
        "people.csv",
        _(
            "For each player a commitment: a hash over name, club, sex and age group that tells nobody who "
            "it is. The player's proof shows that it fits."
        ),
    ),
    (
        "ledger.zip",
        _(
            "The public ledger as of that list: events, results, and what the rules need to know. In "
            "place of birth dates and memberships there are stand-ins, which decide every rule as the "
            "true ones do; no other figure is altered."
        ),
    ),
)


class PoolData(NamedTuple):
    """A pool with its newest list, and that list's files by their names; how many were published."""

    pool: Pool
    newest: RatingList
    files: list[tuple[str, str]]
    lists: int
    feed: FeedLink


@public
@conditional
def data(request: HttpRequest) -> HttpResponse:
    """What is published, under which licence, at which addresses, and how long these stay."""
    pools = [
        _of_pool(pool, newest)
        for pool in Pool.objects.order_by("slug")
        for newest in [list_index.latest_list(pool)]
        if newest is not None
    ]
    newest = pools[0].newest if pools else None
    context: dict[str, Any] = {
        "pools": pools,
        "licence": licence(),
        "contact": office_settings().contact,
        "example": newest,
        "verify": newest and f"banzuke verify {request.build_absolute_uri(list_address(newest))}",
        "cite": newest and request.build_absolute_uri(list_address(newest, revision=newest.revision)),
        "meanings": MEANINGS,
        "asked": ASKED,
        "years": LEAST,
        "deprecated": DEPRECATED,
        "changes": DATA_CHANGES,
        "feeds": [each.feed for each in pools],
        "share": card_of_data(request),
        "structured": catalog_data(request, [each.newest for each in pools]),
    }
    return render(request, "public/data.html", context)


def _of_pool(pool: Pool, newest: RatingList) -> PoolData:
    revision = newest.revision
    files = [(kind, file_address(newest, "", kind, revision=revision)) for kind in KINDS]
    files += record_files(newest, revision)
    return PoolData(pool, newest, files, pool.lists.count(), feed_of_lists(pool))
