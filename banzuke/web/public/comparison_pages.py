"""Two published lists compared: who moved, who came, who left; as a page and as files."""

from typing import Any, NamedTuple

from django.core.paginator import Page
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from banzuke.database.models import Pool, RatingList
from banzuke.exchange.list_files import can_write
from banzuke.formats.pdf_fonts import NoFontError
from banzuke.office.lists import list_index
from banzuke.office.lists.list_comparison import Comparison, compare_lists, in_order, is_too_long
from banzuke.office.lists.movement_bands import movement_bands
from banzuke.office.pages.compared_players import MOVED, ORDERS, PARTS, load_players, part_of
from banzuke.office.pages.event_lists import note_event_names
from banzuke.office.public_names import by_id_only
from banzuke.web.access import public
from banzuke.web.downloads import TABLES, download
from banzuke.web.public.caching import conditional
from banzuke.web.public.comparison_files import load_all, write_pdf, write_table
from banzuke.web.public.list_pages import asked_list, find_list, speed_tabs
from banzuke.web.public.public_addresses import comparison_address
from banzuke.web.shortcuts import page_of, pool_page

PAGE = 100
#: A PDF of more players would be a book.
MOST_IN_PDF = 2_000
PDF = "pdf"


class _Asked(NamedTuple):
    """What an address asks for; `lists` are the earlier and the later one."""

    lists: tuple[RatingList, RatingList]
    speeds: list[str]
    speed: str


@public
def choose(request: HttpRequest, pool: Pool, name: str) -> HttpResponse:
    """On to the comparison with the list that was chosen; without one, with the list before."""
    published = asked_list(request, pool, name)
    chosen = request.GET.get("other", "")
    other = find_list(pool, chosen) if chosen else list_index.list_before(published) or published
    return redirect(comparison_address(published, other, request.GET.get("speed", "")))


@public
@conditional
def comparison(request: HttpRequest, pool: Pool, name: str, other: str) -> HttpResponse:
    """What changed from one list to another."""
    asked = _asked(request, pool, name, other)
    if any(is_too_long(each, asked.speed) for each in asked.lists):
        lists = dict(zip(("earlier", "later"), asked.lists, strict=True))
        return pool_page(request, "public/comparison_too_long.html", pool, speed=asked.speed, **lists)
    found = compare_lists(*asked.lists, asked.speed)
    part = request.GET.get("of", MOVED)
    order = request.GET.get("sort", "up")
    if part not in PARTS or order not in ORDERS:
        raise Http404
    page = page_of(request, part_of(found, part, order), PAGE)
    return pool_page(
        request,
        "public/comparison.html",
        pool,
        **_context(asked, found, page),
        name=name,
        other=other,
        of=part,
        order=order,
        others=_others(pool),
    )


def _context(asked: _Asked, found: Comparison, page: Page[Any]) -> dict[str, Any]:
    earlier, later = asked.lists
    bands = movement_bands(found.sizes)
    sizes = [each.size for each in found.moved]
    return {
        "earlier": earlier,
        "later": later,
        "is_revision": earlier.name == later.name,
        "speed": asked.speed,
        "speeds": asked.speeds,
        "found": found,
        "bands": bands,
        "most_in_band": max(band.players for band in bands if band.low or band.high) if sizes else 0,
        "most": max(map(abs, sizes), default=0),
        "page": page,
        "rows": load_players(asked.lists, asked.speed, list(page.object_list), by_id_only(later.pool)),
        "is_go": later.is_go,
        "kinds": _kinds(found),
    }


def _asked(request: HttpRequest, pool: Pool, name: str, other: str) -> _Asked:
    """Both lists, and the speed. Raises Http404 where they have no such speed."""
    one = asked_list(request, pool, name)
    lists = in_order(one, find_list(pool, other, request.GET.get("with", "")))
    both = [speed for speed in lists[1].speeds if speed in lists[0].speeds]
    speed = request.GET.get("speed", "") or (lists[1].speeds_with_players[0] if both else "")
    if speed not in both:
        raise Http404
    note_event_names(lists)
    tabs = [each for each in speed_tabs(lists[1], speed) if each in both]
    return _Asked(lists, tabs, speed)


def _others(pool: Pool) -> list[RatingList]:
    """The lists to choose from."""
    found = list(list_index.current_lists(pool))
    note_event_names(found)
    return found


def _kinds(found: Comparison) -> list[str]:
    is_short = len(found.moved) + len(found.came) + len(found.left) <= MOST_IN_PDF
    return [*TABLES, *([PDF] if is_short and can_write(PDF) else [])]


@public
@conditional
def comparison_file(request: HttpRequest, pool: Pool, name: str, other: str, kind: str) -> HttpResponse:
    """The whole comparison as a table, or on paper."""
    asked = _asked(request, pool, name, other)
    if any(is_too_long(each, asked.speed) for each in asked.lists):
        raise Http404
    found = compare_lists(*asked.lists, asked.speed)
    if kind not in _kinds(found):
        raise Http404
    earlier, later = asked.lists
    whole = load_all(asked.lists, asked.speed, found, by_id_only(pool))
    stem = "-".join(part for part in (pool.slug, earlier.name, later.name, asked.speed) if part)
    if kind != PDF:
        return download(write_table(whole, kind), f"{stem}.{kind}", TABLES[kind])
    try:
        return download(write_pdf(whole), f"{stem}.pdf", "application/pdf")
    except NoFontError as error:
        raise Http404 from error
