"""The calculators: the rule books' own functions, asked in the browser; an answer has its own address."""

from collections.abc import Callable
from typing import Any, NamedTuple

from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from banzuke.core.decimals import decimal, halves, two_decimals
from banzuke.core.rounding import rounded
from banzuke.core.rulebook import Change
from banzuke.core.worked import games_against
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool
from banzuke.explanations.calculators import event_forecast
from banzuke.explanations.rule_pages import title
from banzuke.web.access import public
from banzuke.web.live.adviser import TermsForm, advice
from banzuke.web.reference.calculator_forms import (
    HALF_POINTS,
    ChangeForm,
    EventForm,
    FirstForm,
)
from banzuke.web.shortcuts import found_or_404, page_language, pool_page


class Calculator(NamedTuple):
    """A calculator: its word in addresses, what it is called, its form and its answer."""

    kind: str
    name: Any
    form: type[Form]
    answer: Callable[[dict[str, Any]], dict[str, Any]]


def _change(question: dict[str, Any]) -> dict[str, Any]:
    score = HALF_POINTS[question["score"]]
    calculator = question["book"].calculator
    found = calculator.change(question["own"], question["opponent"], score, question["given"])
    return {"change": found, "expected": _expected(found)}


def _expected(found: Change) -> str:
    return "" if found.expected is None else two_decimals(found.expected)


def _event(question: dict[str, Any]) -> dict[str, Any]:
    calculator = question["book"].calculator
    found = event_forecast(calculator, question["own"], question["given"], question["games"])
    games = [
        (opponent, halves(score), one, _expected(one))
        for (opponent, score), one in zip(question["games"], found.games, strict=True)
    ]
    return {"event": found, "games": games}


def _first(question: dict[str, Any]) -> dict[str, Any]:
    calculator = question["book"].calculator
    working = calculator.first(games_against(question["opponents"], question["points"]))
    total, count = working.mean
    mean = decimal(rounded(100 * total, count)) if count else ""
    percent = two_decimals(working.percent) if calculator.shows_percent else ""
    return {"first": working, "mean": mean, "percent": percent}


CHESS = (
    Calculator("change", _("One game"), ChangeForm, _change),
    Calculator("event", _("An event you will play"), EventForm, _event),
    Calculator("first", _("A first rating"), FirstForm, _first),
)
GO = (Calculator("terms", _("Terms of a game"), TermsForm, advice),)


@public
def calculators(_request: HttpRequest, pool: Pool) -> HttpResponse:
    """To the pool's first calculator."""
    own = GO if rules_of(pool).is_go else CHESS
    return redirect("reading-calculator", pool.slug, own[0].kind)


@public
def calculator(request: HttpRequest, pool: Pool, kind: str) -> HttpResponse:
    """One calculator with its answer, if it was asked."""
    rules = rules_of(pool)
    own = GO if rules.is_go else CHESS
    chosen = found_or_404(next((one for one in own if one.kind == kind), None))
    lang = page_language()
    books = {edition.book.name: edition.book for edition in rules.editions}
    titles = [(name, title(book, lang)) for name, book in books.items()]
    subject: Any = pool if chosen.form is TermsForm else titles
    form = chosen.form(request.GET if _is_asked(request, chosen.form) else None, subject)
    form.initial = {**form.initial} | {
        name: request.GET[name] for name in form.fields if request.GET.get(name)
    }
    answer = {}
    if form.is_bound and form.is_valid():
        question = form.cleaned_data
        answer = chosen.answer(question | {"book": books.get(question.get("book", ""))})
    facts = {"chosen": chosen, "calculators": own, "form": form, "answer": answer}
    return pool_page(request, "reference/calculator.html", pool, **facts)


def _is_asked(request: HttpRequest, form: type[Form]) -> bool:
    """Whether something is asked; an address may fill in fields of a form that is still to be filled in."""
    names = getattr(form, "asked", form.base_fields)
    return any(request.GET.get(name) for name in names)
