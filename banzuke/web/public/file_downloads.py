"""Lists and crosstables as files, at addresses that stay."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import parse_etags

from banzuke.core.fault import RefusedError
from banzuke.database.models import Pool, RatingList
from banzuke.exchange.export_headings import event_wording
from banzuke.exchange.list_files import ENDINGS
from banzuke.formats.events import event_html, event_xlsx
from banzuke.formats.events.event_table import EventTable
from banzuke.formats.pdf_fonts import NoFontError
from banzuke.formats.workbook import TooLargeError
from banzuke.office.pages.crosstables import crosstable
from banzuke.office.pages.list_files import file_of, kinds_of, tag
from banzuke.web.access import public
from banzuke.web.downloads import TABLES, XLSX, download
from banzuke.web.page_language import page_language
from banzuke.web.public.caching import conditional
from banzuke.web.public.event_pages import find_event
from banzuke.web.public.list_pages import find_list

_TYPES = {
    **TABLES,
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
    "pdf": "application/pdf",
    "fide-xml": "application/xml",
}
_PLAIN = "text/plain; charset=utf-8"


@public
def list_file(request: HttpRequest, pool: Pool, name: str, kind: str, speed: str = "") -> HttpResponse:
    """A list as a file; its ETag is the list's hash."""
    published = find_list(pool, name, request.GET.get("revision", ""))
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
    stem = "-".join(part for part in (published.pool.slug, published.name, speed) if part)
    return download(data, f"{stem}.{ENDINGS[kind]}", _TYPES.get(kind, _PLAIN))


def _with_etag(answer: HttpResponse, etag: str) -> HttpResponse:
    answer["ETag"] = etag
    patch_vary_headers(answer, ["Accept-Language", "Cookie"])
    patch_cache_control(answer, no_cache=True)
    return answer


@public
@conditional
def crosstable_page(request: HttpRequest, pool: Pool, event: str) -> HttpResponse:
    """An event's crosstable as one page that stands alone."""
    page = event_html.write(*_table(request, pool, event))
    return download(page, f"{pool.slug}-{event}.html", "text/html; charset=utf-8")


@public
@conditional
def crosstable_workbook(request: HttpRequest, pool: Pool, event: str) -> HttpResponse:
    """An event's crosstable as a workbook."""
    book = event_xlsx.write(*_table(request, pool, event))
    return download(book, f"{pool.slug}-{event}.xlsx", XLSX)


def _table(request: HttpRequest, pool: Pool, event: str) -> tuple[EventTable, dict[str, str]]:
    """The crosstable that is asked for, and its words. Raises Http404 while no list has taken the event."""
    found = crosstable(pool, find_event(pool, event), request.GET.get("list", ""))
    if found is None:
        raise Http404
    return found.table, event_wording(found.table, page_language())
