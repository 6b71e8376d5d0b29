"""The files by which anybody makes a list again and checks it: docs/record.md says what is in each.

What is not made yet is answered with 503 and when to ask again.
"""

from posixpath import dirname, relpath

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import parse_etags
from django.utils.translation import gettext

from banzuke.core.fault import RefusedError
from banzuke.database.models import Pool, RatingList
from banzuke.office.pages.list_records import TABLE_KIND, people_file, record_of
from banzuke.office.pages.public_ledgers import ledger_of
from banzuke.office.public_names import by_id_only
from banzuke.office.transparency.list_contents import content_of, packed_content_of
from banzuke.office.transparency.list_proofs import proof_of
from banzuke.transparency.list_records import CONTENT, FILES, LEDGER, PEOPLE, TABLE, record_text
from banzuke.transparency.proof_files import SUFFIX
from banzuke.web.access import public
from banzuke.web.downloads import CSV, JSON, ZIP, download
from banzuke.web.public.caching import unchanged
from banzuke.web.public.list_pages import asked_list
from banzuke.web.public.log_pages import TEXT, not_signed
from banzuke.web.public.public_addresses import file_address, record_address, record_files
from banzuke.web.shortcuts import found_or_404

#: How a file says that it is as gzip packs it.
PACKED = "gzip"
#: After so many seconds it is worth asking again for what the worker makes.
SOON = 15
#: What is met where a file is just being made anew, or its list changed meanwhile.
UNFINISHED = (LookupError, FileNotFoundError)


@public
def record(request: HttpRequest, pool: Pool, name: str, speed: str = "") -> HttpResponse:
    """What the list is, the hashes and addresses of its files, its place in the log.

    Beside the page of a speed, and of the current list, one is sent to that of the list.
    """
    published = asked_list(request, pool, name)
    if speed and speed not in published.speeds:
        raise Http404
    if speed or name != published.name:
        asked = published.revision if request.GET.get("revision") else None
        return redirect(record_address(published, "list-record", revision=asked))
    addresses, log = _addresses(published)
    try:
        found = record_of(published, addresses, log)
    except RefusedError as refused:
        return not_signed(refused)
    except UNFINISHED:
        found = None
    if found is None:
        return _not_yet()
    return unchanged(request, HttpResponse(record_text(found).encode(), content_type=JSON))


def _addresses(published: RatingList) -> tuple[dict[str, str], str]:
    """The addresses of a record's files, and of the log, beginning at that of the record itself."""
    revision = published.revision
    here = dirname(record_address(published, "list-record", revision=None))
    beside = dict(record_files(published, revision))
    files = {kind: beside[FILES[kind]] for kind in (CONTENT, PEOPLE, LEDGER)}
    files[TABLE] = file_address(published, "", TABLE_KIND, revision=revision)
    found = {kind: relpath(address, here) for kind, address in files.items()}
    return found, relpath(reverse("log"), here) + "/"


def _not_yet() -> HttpResponse:
    """That the file is being made, and when to ask again."""
    said = gettext("This file is being made. Please ask again in a minute.")
    wait = HttpResponse(f"{said}\n", status=503, content_type=TEXT)
    wait["Retry-After"] = str(SOON)
    return wait


def _file_name(published: RatingList, kind: str) -> str:
    """What a file is called once it is saved."""
    return f"{published.pool.slug}-{published.name}-r{published.revision}-{kind}"


@public
def content(request: HttpRequest, pool: Pool, name: str) -> HttpResponse:
    """The exact bytes that the list's hash is made of."""
    published = asked_list(request, pool, name)
    is_packed = PACKED in request.headers.get("Accept-Encoding", "")
    data = packed_content_of(published) if is_packed else content_of(published)
    if data is None:
        return _not_yet()
    answer = download(data, _file_name(published, "content.csv"), CSV)
    if is_packed:
        answer["Content-Encoding"] = PACKED
    patch_vary_headers(answer, ["Accept-Encoding"])
    return unchanged(request, answer)


@public
def people(request: HttpRequest, pool: Pool, name: str) -> HttpResponse:
    """The commitments to the list's players."""
    published = asked_list(request, pool, name)
    data = people_file(published)
    if data is None:
        return _not_yet()
    return unchanged(request, download(data, _file_name(published, "people.csv"), CSV))


@public
def ledger(request: HttpRequest, pool: Pool, name: str) -> HttpResponse:
    """The public ledger as of the list, zipped; its ETag is its hash."""
    published = asked_list(request, pool, name)
    try:
        kept = ledger_of(published)
        if kept is None:
            return _not_yet()
        tag = f'"{kept.sha256}"'
        is_known = tag in parse_etags(request.headers.get("If-None-Match", ""))
        data = b"" if is_known else kept.path.read_bytes()
    except RefusedError as refused:
        return not_signed(refused)
    except UNFINISHED:
        return _not_yet()
    name = _file_name(published, "ledger.zip")
    answer = HttpResponse(status=304) if is_known else download(data, name, ZIP)
    answer["ETag"] = tag
    patch_cache_control(answer, no_cache=True)
    return answer


@public
def proof(request: HttpRequest, pool: Pool, name: str, player: str) -> HttpResponse:
    """The proof of what the list says of a player; it says who that is of those who are shown by name."""
    published = asked_list(request, pool, name)
    try:
        data = proof_of(published, player, is_named=player not in by_id_only(pool))
    except RefusedError as refused:
        return not_signed(refused)
    return unchanged(request, download(found_or_404(data), f"{player}-{published.name}{SUFFIX}", TEXT))
