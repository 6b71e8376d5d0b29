"""What pages tell machines (JSON-LD, schema.org): events, and lists as data sets. No person is in either."""

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from banzuke.core import facts
from banzuke.database.models import Event, Pool, RatingList, Sanction
from banzuke.database.two_names import name_here
from banzuke.office.administration.licences import licence
from banzuke.office.fact_rows import standing_rows
from banzuke.office.live.go_rules import is_live
from banzuke.web.downloads import JSON, TABLES, ZIP
from banzuke.web.public.public_addresses import file_address, list_address, record_address
from banzuke.web.public.share_cards import ShareCard
from banzuke.web.templatetags.ratings import speed_name

CONTEXT = "https://schema.org"
#: The kinds of files of a list that are data, with their media types.
DATA_FILES = {
    "csv": TABLES["csv"].partition(";")[0],
    "json": JSON,
    "parquet": "application/vnd.apache.parquet",
    "xlsx": TABLES["xlsx"],
}
#: The same of the files by which a list is made again, by the names of their addresses.
RECORD_TYPES = {"list-record": JSON, "list-ledger": ZIP}


def event_data(
    pool: Pool, event: Event | Sanction, card: ShareCard, *, is_cancelled: bool = False
) -> dict[str, Any]:
    """An event that was granted or rated, as a `SportsEvent`."""
    status = "EventCancelled" if is_cancelled else "EventScheduled"
    found: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "SportsEvent",
        "@id": card.address,
        "url": card.address,
        "name": name_here(event.name, event.name_native) or event.event_id,
        "identifier": event.event_id,
        "startDate": event.starts.isoformat(),
        "endDate": event.ends.isoformat(),
        "eventStatus": f"{CONTEXT}/{status}",
        "sport": "Go" if is_live(pool) else "Chess",
        "image": card.picture,
    }
    if event.place:
        found["location"] = {"@type": "Place", "name": event.place, "address": event.place}
    organiser = standing_rows(pool, facts.Club).filter(club_id=event.organiser).order_by("valid_to").last()
    if organiser is not None:
        called = name_here(organiser.name, organiser.name_native)
        found["organizer"] = {"@type": "SportsOrganization", "name": called}
    return found


def list_data(
    request: HttpRequest, published: RatingList, speed: str, kinds: list[str], card: ShareCard
) -> dict[str, Any]:
    """A revision of a list at a speed as a `Dataset` with its files."""
    revision, terms = published.revision, licence()
    page = request.build_absolute_uri(list_address(published, speed, revision=revision))
    return {
        "@context": CONTEXT,
        "@type": "Dataset",
        "@id": page,
        "url": page,
        "name": card.title,
        "description": card.about,
        "identifier": f"sha256:{published.sha256}",
        "version": str(revision),
        "datePublished": published.published_at.isoformat(timespec="seconds"),
        "temporalCoverage": published.day.isoformat(),
        "variableMeasured": f"rating {speed_name(speed)}".strip(),
        "isAccessibleForFree": True,
        **({"license": terms.address} if terms else {}),
        "creator": {"@type": "Organization", "name": published.pool.name},
        "includedInDataCatalog": {"@type": "DataCatalog", "name": "Banzuke", "url": _front(request)},
        "distribution": [
            *(
                _download(request, DATA_FILES[kind], file_address(published, speed, kind, revision=revision))
                for kind in kinds
                if kind in DATA_FILES
            ),
            *(
                _download(request, media_type, record_address(published, page, revision=revision))
                for page, media_type in RECORD_TYPES.items()
            ),
        ],
    }


def catalog_data(request: HttpRequest, newest: list[RatingList]) -> dict[str, Any]:
    """What the office publishes as a `DataCatalog`: for each pool a `Dataset`, its newest public ledger."""
    terms = licence()
    return {
        "@context": CONTEXT,
        "@type": "DataCatalog",
        "name": "Banzuke",
        "url": _front(request),
        **({"license": terms.address} if terms else {}),
        "dataset": [_pool_data(request, each) for each in newest],
    }


def _pool_data(request: HttpRequest, newest: RatingList) -> dict[str, Any]:
    terms, pool = licence(), newest.pool
    page = request.build_absolute_uri(reverse("public-lists", kwargs={"slug": pool.slug}))
    ledger = record_address(newest, "list-ledger", revision=newest.revision)
    return {
        "@type": "Dataset",
        "@id": page,
        "url": page,
        "name": _("%(pool)s: rating lists") % {"pool": pool.name},
        "description": _("Every published list, with the public ledger: anybody can make it again."),
        "dateModified": newest.published_at.isoformat(timespec="seconds"),
        "isAccessibleForFree": True,
        **({"license": terms.address} if terms else {}),
        "creator": {"@type": "Organization", "name": pool.name},
        "distribution": [_download(request, ZIP, ledger)],
    }


def _download(request: HttpRequest, media_type: str, address: str) -> dict[str, str]:
    return {
        "@type": "DataDownload",
        "encodingFormat": media_type,
        "contentUrl": request.build_absolute_uri(address),
    }


def _front(request: HttpRequest) -> str:
    return request.build_absolute_uri("/")
