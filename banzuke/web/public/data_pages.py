"""What a pool gives to whoever wants to make its lists again: the public ledger of each."""

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.http import parse_etags
from django.utils.translation import gettext

from banzuke.database.models import Pool
from banzuke.office.pages.public_ledgers import ledger_of
from banzuke.web.access import public
from banzuke.web.downloads import ZIP, download
from banzuke.web.public.list_pages import find_list

#: After so many seconds it is worth asking again for what the worker makes.
SOON = 15


@public
def ledger(request: HttpRequest, pool: Pool, name: str) -> HttpResponse:
    """The public ledger of a list, zipped; its ETag is its hash. While it is made: 503."""
    published = find_list(pool, name, request.GET.get("revision", ""))
    kept = ledger_of(published)
    if kept is None:
        said = gettext("This file is being made. Please ask again in a minute.")
        wait = HttpResponse(said, status=503, content_type="text/plain; charset=utf-8")
        wait["Retry-After"] = str(SOON)
        return wait
    etag = f'"{kept.sha256}"'
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        answer = HttpResponse(status=304)
    else:
        stem = f"{published.pool.slug}-{published.name}-r{published.revision}"
        answer = download(kept.path.read_bytes(), f"{stem}-ledger.zip", ZIP)
    answer["ETag"] = etag
    patch_cache_control(answer, no_cache=True)
    return answer
