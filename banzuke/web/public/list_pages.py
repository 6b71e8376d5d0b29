"""Published lists: all of them, one of them to search, sort and filter, and its files."""

from collections.abc import Mapping
from operator import itemgetter
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import parse_etags
from django.utils.translation import gettext

from banzuke.core.fault import RefusedError
from banzuke.database.models import Pool, RatingList
from banzuke.exchange.list_files import ENDINGS
from banzuke.formats.files.text import whole_number
from banzuke.formats.pdf_fonts import NoFontError
from banzuke.formats.workbook import TooLargeError
from banzuke.office.lists import list_index
from banzuke.office.lists.adjustments import adjustments_of
from banzuke.office.lists.preliminary_lists import days_of, final_of, until_of, was_preliminary
from banzuke.office.lists.revision_changes import changes_of
from banzuke.office.lists.top_lists import groups_of
from banzuke.office.objections.numbers import numbers_of_list
from banzuke.office.pages.event_lists import note_event_names
from banzuke.office.pages.list_files import file_of, kinds_of, tag
from banzuke.office.pages.list_pages import COLUMNS, PageRequest, load_page
from banzuke.office.pages.list_summary import added_columns, name_rows
from banzuke.office.pages.log_page import place_in_log
from banzuke.office.player_titles import has_titles, titles_of
from banzuke.office.public_names import by_id_only
from banzuke.office.register import clubs
from banzuke.web.access import public
from banzuke.web.downloads import JSON, TABLES, download
from banzuke.web.public.caching import conditional, conditional_on_objections_and_log
from banzuke.web.public.public_addresses import file_address, list_address, record_files
from banzuke.web.public.share_cards import card_of_list, card_of_pool, feed_of_lists
from banzuke.web.public.structured_data import list_data
from banzuke.web.shortcuts import found_or_404, page_language, page_of, pool_page
from banzuke.web.templatetags.ratings import column_name

#: More than any place or revision, and what every database holds.
MOST = 10**9
#: Columns that begin with the highest when they are sorted by; of the columns of a list and of a ranking.
_HIGHEST_FIRST = frozenset(("rating", "change", "games", "peak"))
_OF_RATINGS = ("place", "rating", "name", "change", "club", "games", "peak")
_OF_GO = ("place", "name", "games")
#: Columns that stand under the name on a phone.
_BESIDE = frozenset(("club", "games", "peak"))


class Heading(NamedTuple):
    """A column's heading: what it sorts by when it is followed, and how the page is sorted by it now."""

    column: str
    sort: str
    way: str


@public
@conditional
def lists(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The lists, the newest first, with their revisions; a page of them."""
    page = page_of(request, list_index.current_lists(pool))
    note_event_names(page)
    revisions = list_index.all_revisions(pool, [one.name for one in page])
    found = [(one, revisions[one.name]) for one in page]
    shared = {"share": card_of_pool(request, pool), "feeds": [feed_of_lists(pool)], "page": page}
    preliminary = days_of(pool)
    return pool_page(request, "public/lists.html", pool, lists=found, preliminary=preliminary, **shared)


@public
@conditional_on_objections_and_log
def rating_list(request: HttpRequest, pool: Pool, name: str, speed: str = "") -> HttpResponse:
    """A list at one speed, a page of it."""
    revisions = list(list_index.revisions_of(pool, name))
    published = _revision(revisions, request.GET.get("revision", ""))
    speeds = published.speeds
    if not speed and speeds[0]:
        return redirect(list_address(published, published.speeds_with_players[0]) + _query(request))
    if speed not in speeds:
        raise Http404
    card, feeds = card_of_list(request, published, speed), [feed_of_lists(pool)]
    data = list_data(request, published, speed, kinds_of(published), card)
    shared = {"share": card, "feeds": feeds, "structured": data}
    return pool_page(
        request, "public/list.html", pool, **_page(request, revisions, published, speed), **shared
    )


def _query(request: HttpRequest) -> str:
    return f"?{request.GET.urlencode()}" if request.GET else ""


def find_list(pool: Pool, name: str, revision: str = "") -> RatingList:
    """A list by its name in addresses, its latest revision or that of a number. Raises Http404."""
    number = whole_number(revision, MOST)
    return found_or_404(None if revision and number is None else list_index.find_list(pool, name, number))


def asked_list(request: HttpRequest, pool: Pool, name: str) -> RatingList:
    """The list of that name in the revision that the address asks for. Raises Http404."""
    return find_list(pool, name, request.GET.get("revision", ""))


def _revision(revisions: list[RatingList], asked: str) -> RatingList:
    """The revision of that number, the latest where none is asked for. Raises Http404."""
    wanted = [one for one in revisions if not asked or one.revision == whole_number(asked, MOST)]
    return found_or_404(wanted[-1] if wanted else None)


def _page(
    request: HttpRequest, revisions: list[RatingList], published: RatingList, speed: str
) -> dict[str, Any]:
    pool = published.pool
    query, hidden, lang = _query_of(request), by_id_only(pool), page_language()
    preliminary = was_preliminary(published)
    final = final_of(preliminary)
    found = load_page(published, speed, query, hidden)
    is_go = published.is_go
    revision = None if published == revisions[-1] else published.revision
    named = dict(sorted(clubs.names(pool).items(), key=itemgetter(1)))
    columns = [one for one in (_OF_GO if is_go else _OF_RATINGS) if named or one != "club"]
    return {
        "list": published,
        "speed": speed,
        "speeds": [
            (one, list_address(published, one, revision=revision)) for one in speed_tabs(published, speed)
        ],
        "is_go": is_go,
        "query": query,
        "filters": _filters(query, named),
        "page": found,
        "rows": name_rows(found.rows, hidden, lang),
        "titles": {} if is_go else titles_of(pool, [row.player_id for row in found.rows], hidden),
        "headings": [_heading(column, query.sort) for column in columns],
        "orders": _orders(query.sort, columns, is_go=is_go),
        "beside": _BESIDE,
        "added": added_columns(published, lang),
        "clubs": named,
        "files": _files(published, speed, revision),
        "revisions": [(one, list_address(one, speed, revision=one.revision)) for one in revisions],
        "is_latest": revision is None,
        "log": place_in_log(published),
        "record_files": record_files(published, revision),
        "verify": f"banzuke verify {request.build_absolute_uri(list_address(published, revision=revision))}",
        "before": list_index.list_before(published),
        "groups": groups_of(published, speed, hidden),
        "has_titles": not is_go and has_titles(pool, hidden),
        "changes": changes_of(published),
        "adjustments": adjustments_of(published),
        "revised_from": _beside(revisions, published.revision - 1),
        "replaced": _beside(revisions, published.revision + 1),
        "preliminary_until": preliminary and not final and preliminary.until,
        "final": final,
        "objections": numbers_of_list(published),
    }


def _beside(revisions: list[RatingList], number: int) -> RatingList | None:
    """The revision of that number: whose place a list took, or which took its place."""
    return next((one for one in revisions if one.revision == number), None)


def _orders(sort: str, columns: list[str], *, is_go: bool) -> list[tuple[str, str]]:
    """The orders to choose from, with their names: columns that begin with the highest do so here too."""
    named = {column: column_name(column) for column in columns if column != "rating"}
    found = {f"-{column}" if column in _HIGHEST_FIRST else column: name for column, name in named.items()}
    if not is_go:
        found |= {"-change": gettext("Biggest gains"), "change": gettext("Biggest losses")}
    return list(({sort: column_name(sort.removeprefix("-"))} | found).items())


def _filters(query: PageRequest, club_names: Mapping[str, str]) -> list[str]:
    """Of whom the page is, where it is not of everybody."""
    groups = {"junior": gettext("Juniors"), "adult": gettext("Adults"), "senior": gettext("Seniors")}
    sexes = {"f": gettext("Women"), "m": gettext("Men")}
    active = {"yes": gettext("played within a year"), "no": gettext("not within a year")}
    place = query.place and gettext("from place %(place)s") % {"place": query.place}
    words = (
        club_names.get(query.club, query.club),
        groups.get(query.group),
        sexes.get(query.sex),
        active.get(query.active),
        gettext("Title holders") if query.title else "",
        place,
    )
    return [word for word in words if word]


def speed_tabs(published: RatingList, speed: str) -> list[str]:
    """The speeds to choose from: those with players, and the one that is shown."""
    shown = (speed, *published.speeds_with_players)
    return [one for one in published.speeds if one in shown]


def _query_of(request: HttpRequest) -> PageRequest:
    given = {key: request.GET.get(key, "").strip() for key in ("club", "group", "sex", "active", "title")}
    sort = request.GET.get("sort", "place")
    return PageRequest(
        sort=sort if sort.removeprefix("-") in COLUMNS else "place",
        typed=request.GET.get("q", "").strip(),
        **given,
        after=request.GET.get("after", ""),
        before=request.GET.get("before", ""),
        last="last" in request.GET,
        place=whole_number(request.GET.get("place", ""), MOST),
    )


def _heading(column: str, sort: str) -> Heading:
    is_down = sort.startswith("-")
    first, other = (f"-{column}", column) if column in _HIGHEST_FIRST else (column, f"-{column}")
    if sort.removeprefix("-") != column:
        return Heading(column, first, "")
    return Heading(column, other if sort == first else first, "descending" if is_down else "ascending")


def _files(published: RatingList, speed: str, revision: int | None) -> list[tuple[str, str]]:
    """The kinds of files and their addresses."""
    return [(kind, file_address(published, speed, kind, revision=revision)) for kind in kinds_of(published)]


_TYPES = {
    **TABLES,
    "json": JSON,
    "parquet": "application/vnd.apache.parquet",
    "pdf": "application/pdf",
    "fide-xml": "application/xml",
}
_PLAIN = "text/plain; charset=utf-8"


@public
def list_file(request: HttpRequest, pool: Pool, name: str, kind: str, speed: str = "") -> HttpResponse:
    """A list as a file; its ETag is the list's hash."""
    published = asked_list(request, pool, name)
    if speed not in (*published.speeds, "") or kind not in kinds_of(published, all_speeds=not speed):
        raise Http404
    etag = f'"{tag(published, kind, page_language())}"'
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        return _with_etag(HttpResponse(status=304), etag)
    return _with_etag(_file_response(published, speed, kind), etag)


def _file_response(published: RatingList, speed: str, kind: str) -> HttpResponse:
    try:
        data = file_of(published, speed or None, kind, page_language())
    except (TooLargeError, NoFontError, RefusedError) as error:  # no such file of this list
        raise Http404 from error
    mark = "preliminary" if until_of(published) else ""
    stem = "-".join(part for part in (published.pool.slug, published.name, speed, mark) if part)
    return download(data, f"{stem}.{ENDINGS[kind]}", _TYPES.get(kind, _PLAIN))


def _with_etag(answer: HttpResponse, etag: str) -> HttpResponse:
    answer["ETag"] = etag
    patch_vary_headers(answer, ["Accept-Language", "Cookie"])
    patch_cache_control(answer, no_cache=True)
    return answer
