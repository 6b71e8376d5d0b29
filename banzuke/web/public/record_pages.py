"""The files by which anybody checks a list: its bytes, the commitments to its players, a player's proof."""

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from banzuke.core.fault import RefusedError
from banzuke.database.models import Pool
from banzuke.formats.files.text import csv_text
from banzuke.office.public_names import by_id_only
from banzuke.office.transparency.list_contents import content_of, packed_content_of
from banzuke.office.transparency.list_proofs import commitments_of, proof_of
from banzuke.transparency.list_records import PEOPLE_HEADER
from banzuke.transparency.proof_files import SUFFIX
from banzuke.web.access import public
from banzuke.web.downloads import CSV, download
from banzuke.web.public.caching import unchanged
from banzuke.web.public.list_pages import find_list
from banzuke.web.public.log_pages import TEXT, not_signed
from banzuke.web.shortcuts import found_or_404

#: How a file says that it is as gzip packs it.
PACKED = "gzip"


@public
def content(request: HttpRequest, pool: Pool, name: str) -> HttpResponse:
    """The exact bytes that the list's hash is made of."""
    published = find_list(pool, name, request.GET.get("revision", ""))
    stem = f"{pool.slug}-{published.name}-content.csv"
    if PACKED in request.headers.get("Accept-Encoding", ""):
        answer = download(found_or_404(packed_content_of(published)), stem, CSV)
        answer["Content-Encoding"] = PACKED
    else:
        answer = download(found_or_404(content_of(published)), stem, CSV)
    patch_vary_headers(answer, ["Accept-Encoding"])
    return unchanged(request, answer)


@public
def people(request: HttpRequest, pool: Pool, name: str) -> HttpResponse:
    """The commitments to the list's players."""
    published = find_list(pool, name, request.GET.get("revision", ""))
    rows = found_or_404(commitments_of(published)).items()
    data = csv_text([PEOPLE_HEADER, *rows]).encode()
    return unchanged(request, download(data, f"{pool.slug}-{published.name}-people.csv", CSV))


@public
def proof(request: HttpRequest, pool: Pool, name: str, player: str) -> HttpResponse:
    """The proof of what the list says of a player; it says who that is of those who are shown by name."""
    published = find_list(pool, name, request.GET.get("revision", ""))
    try:
        data = proof_of(published, player, is_named=player not in by_id_only(pool))
    except RefusedError as refused:
        return not_signed(refused)
    return unchanged(request, download(found_or_404(data), f"{player}-{published.name}{SUFFIX}", TEXT))
