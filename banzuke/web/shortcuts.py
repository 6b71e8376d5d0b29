"""Steps that views of several areas share, beside Django's shortcuts."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language

from banzuke.database.models import Pool
from banzuke.office.refusals import NotDoneError
from banzuke.words import Language, said_of

#: The longest reason that is kept.
MOST_WHY = 2000
Found = TypeVar("Found")


@contextmanager
def show_refusal(request: HttpRequest) -> Iterator[None]:
    """Do what the office may refuse: then the next page says why, and the rest of the block is left out."""
    try:
        yield
    except NotDoneError as refusal:
        messages.error(request, refusal.sentence(page_language()))


def page_language() -> Language:
    """The language of the page that is being made, as `banzuke.words` names it."""
    return "ja" if (get_language() or "").startswith("ja") else "en"


def pool_page(request: HttpRequest, template: str, pool: Pool, /, **context: Any) -> HttpResponse:
    """A page of a pool; `here` is the entry of its navigation."""
    return render(request, template, {"pool": pool, **context})


def is_part(request: HttpRequest) -> bool:
    """Whether a script asks for a part of a page; a browser by itself is always given a whole page."""
    return request.headers.get("HX-Request") == "true"


def one_letter_ends(text: str) -> str:
    """A text in which the end of a line is one letter; a browser sends two."""
    return text.replace("\r\n", "\n")


def sent_reason(request: HttpRequest) -> str:
    """The reason that came with a form, as long as one may be; blank if none did."""
    return one_letter_ends(str(request.POST.get("why", ""))).strip()[:MOST_WHY]


def show_errors(request: HttpRequest, form: BaseForm) -> None:
    """Have the next page say what is wrong in a form that it does not show again."""
    for name, errors in form.errors.items():
        said = " ".join(map(str, errors))
        messages.error(request, said_of(form.fields[name].label, said, page_language()))


def page_of(request: HttpRequest, rows: Any, per_page: int = 50) -> Page[Any]:
    """The page of a long list that the request names; the first where it names none."""
    return Paginator(rows, per_page).get_page(request.GET.get("page"))


def found_or_404(found: Found | None) -> Found:
    """What was found. Raises Http404 for None."""
    if found is None:
        raise Http404
    return found
