"""What a page that failed answers: that the fault is ours, or that the office cannot write, and why."""

import logging
import sys

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error

from banzuke.database.book_reader import MissingBookError, SpoiledRulesError
from banzuke.database.outages import AGAIN, Outage, outage_of
from banzuke.database.patience import wait_no_more
from banzuke.words import LANGUAGES, fault_text

LOG = logging.getLogger("django.request")


def failed(request: HttpRequest) -> HttpResponse:
    """500; 503 where whoever runs the office has something to mend, or a rule book to install."""
    error = sys.exc_info()[1]
    if isinstance(error, MissingBookError):
        sentences: dict[str, str] = {lang: fault_text(error.faults[0], lang) for lang in LANGUAGES}
        return HttpResponse(render_to_string("book_missing.html", sentences), status=503)
    if isinstance(error, SpoiledRulesError):
        LOG.error(error.said)
        return HttpResponse(render_to_string("spoiled_rules.html"), status=503)
    why = outage_of(error)
    if why is None:
        return server_error(request)
    LOG.error(why.said)
    if why is Outage.BUSY:
        wait_no_more()
    page = render_to_string("503.html", {"why": why.value})
    return HttpResponse(page, status=503, headers={"Retry-After": str(AGAIN)})
