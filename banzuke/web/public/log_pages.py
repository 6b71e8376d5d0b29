"""The office's log: the page for people, and the addresses by which programs check it."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from banzuke.core.fault import RefusedError
from banzuke.formats.files.text import whole_number
from banzuke.office.pages.log_page import log_state, shown_entries
from banzuke.office.transparency.log_checkpoints import former_keys, log_keys, log_tree, signed_log
from banzuke.office.transparency.office_log import bodies
from banzuke.transparency.log_growth import growth, growth_facts
from banzuke.transparency.signed_notes import FORMER
from banzuke.web.access import public
from banzuke.web.public.caching import conditional_on_log, unchanged
from banzuke.web.shortcuts import found_or_404, page_language
from banzuke.words import fault_line

#: More than any number of entries; and so many are given at once.
MOST, AT_ONCE = 10**15, 10_000
ADDRESSES = ("log/checkpoint", "log/key", "log/entries?from=0")
TEXT, LINES = "text/plain; charset=utf-8", "application/x-ndjson; charset=utf-8"


@public
@conditional_on_log
def log(request: HttpRequest) -> HttpResponse:
    """What the log is, the newest checkpoint, the entries in sentences."""
    before = whole_number(request.GET.get("before", ""), MOST)
    entries = shown_entries(before)
    state = log_state()
    grown = f"log/consistency?old=0&new={state.signed.size}" if state.signed else ""
    words = {
        "state": state,
        "note": state.signed.note.decode() if state.signed else "",
        "command": f"banzuke witness {request.build_absolute_uri('/')} --checkpoint mail.eml",
        "addresses": [*ADDRESSES, *filter(None, [grown])],
        "keys": log_keys() if state.signed else (),
        "former": former_keys() if state.signed else (),
        "entries": entries,
        "older": entries[-1].first if entries and entries[-1].first else None,
        "is_first": before is None,
    }
    return render(request, "public/log.html", words)


@public
def checkpoint(request: HttpRequest) -> HttpResponse:
    """The newest checkpoint; why there is none, where nothing can be signed."""
    try:
        note = signed_log().note
    except RefusedError as refused:
        return not_signed(refused)
    return unchanged(request, HttpResponse(note, content_type=TEXT))


def not_signed(refused: RefusedError) -> HttpResponse:
    """Why nothing was signed."""
    why = fault_line(refused.faults[0], page_language())
    return HttpResponse(f"{why}\n", content_type=TEXT, status=503)


@public
def keys(request: HttpRequest) -> HttpResponse:
    """The keys by which checkpoints are checked, the newest first, a line each; behind # former ones."""
    try:
        lines = [*(f"{key}\n" for key in log_keys()), *(f"{FORMER}{key}\n" for key in former_keys())]
    except RefusedError as refused:
        return not_signed(refused)
    return unchanged(request, HttpResponse("".join(lines), content_type=TEXT))


@public
def entries(request: HttpRequest) -> HttpResponse:
    """The entries from a number on, a line each; at most so many at once."""
    first = found_or_404(whole_number(request.GET.get("from", "0"), MOST))
    lines = [f"{body}\n" for _, body in bodies(first, first + AT_ONCE)]
    return unchanged(request, HttpResponse("".join(lines), content_type=LINES))


@public
def consistency(request: HttpRequest) -> HttpResponse:
    """How the log grew from one size to another: the path, and the entries between."""
    tree = log_tree()
    old = found_or_404(whole_number(request.GET.get("old", ""), MOST))
    new = found_or_404(whole_number(request.GET.get("new", ""), MOST))
    if not old <= new <= tree.size:
        raise Http404
    between = [body for _, body in bodies(old, new)]
    return unchanged(request, JsonResponse(growth_facts(growth(tree, old, new, between))))
