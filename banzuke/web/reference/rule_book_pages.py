"""The rule pages: each clause with our reading of it, settings in force, worked examples run as one reads."""

from dataclasses import fields
from itertools import pairwise
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from banzuke.core.clause_register import Answer, Answered
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import RuleBook, Worked
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool
from banzuke.explanations import rule_pages
from banzuke.explanations.rule_pages import Reading, example_text
from banzuke.ledger.pool_rules import EditionInForce
from banzuke.office.reforms.reform_acts import announced_reforms
from banzuke.web.access import public
from banzuke.web.reform_views import shown_reform
from banzuke.web.shortcuts import found_or_404, page_language, pool_page
from banzuke.words import Language


class Setting(NamedTuple):
    """A setting of a rule book: what it is about, what it does by the book's default, and what it does here.

    `in_force` is blank where the pool is not rated by the book, or keeps the default.
    """

    about: str
    usual: str
    in_force: str


class Clause(NamedTuple):
    """A clause in our own words, who answers it, and the readings that fill what it leaves open."""

    number: str
    says: str
    answer: str
    readings: list[Reading]


class Run(NamedTuple):
    """A worked example as it came out just now."""

    worked: Worked
    text: str
    gives: str
    is_right: bool


@public
def books(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The editions that a pool is or was rated by, and what may be compared."""
    editions = _editions(pool)
    lang = page_language()
    rows = [(edition, rule_pages.title(edition.book, lang)) for edition in editions]
    pairs = [
        (one.book, other.book)
        for one, other in pairwise(editions)
        if one.book is not other.book and rule_pages.difference(one.book, other.book, lang)
    ]
    reforms = [shown_reform(pool, each) for each in announced_reforms(pool)]
    return pool_page(request, "reference/rules.html", pool, rows=rows, pairs=pairs, reforms=reforms)


@public
def book(request: HttpRequest, pool: Pool, book: str) -> HttpResponse:
    """One rule book, clause by clause."""
    lang, editions = page_language(), _editions(pool)
    own = (edition.book for edition in reversed(editions) if edition.book.name == book)
    found = next(own, None) or _book(book)
    context = {
        "book": found,
        "title": rule_pages.title(found, lang),
        "document": rule_pages.document(found, lang),
        "clauses": _clauses(found, lang),
        "numbers": rule_pages.numbers(found, lang),
        "settings": _settings(found, editions, lang),
        "editions": [edition for edition in editions if edition.book is found],
        "runs": [_run(found, worked, lang) for worked in found.examples],
    }
    return pool_page(request, "reference/book.html", pool, **context)


@public
def difference(request: HttpRequest, pool: Pool, one: str, other: str) -> HttpResponse:
    """Two editions side by side: their numbers, and each matter in our own words."""
    first, second, lang = _book(one), _book(other), page_language()
    found = found_or_404(rule_pages.difference(first, second, lang))
    context = {
        "one": first,
        "other": second,
        "changed": [figure for figure in found.figures if figure.one != figure.other],
        "same": [figure for figure in found.figures if figure.one == figure.other],
        "subjects": found.subjects,
    }
    return pool_page(request, "reference/difference.html", pool, **context)


def _book(name: str) -> RuleBook:
    return found_or_404(BOOKS.get(name))


def _editions(pool: Pool) -> tuple[EditionInForce, ...]:
    return rules_of(pool).editions


def _clauses(found: RuleBook, lang: Language) -> list[Clause]:
    """Every clause with its readings; a reading of a part stands with the clause whose number begins it."""
    left = rule_pages.readings(found, lang)
    clauses = []
    for number, says in rule_pages.clauses(found, lang):
        own = [reading for reading in left if reading.clause == number]
        clauses.append(Clause(number, says, _answer_text(found.register[number]), own))
    return clauses


def _answer_text(answer: Answered) -> str:
    """Who carries a clause out, in words."""
    people = {
        Answer.OFFICER: _("by the rating officer"),
        Answer.ORGANISER: _("by the organiser"),
        Answer.ARBITER: _("by the arbiter"),
        Answer.PURPOSE: _("purpose only"),
        Answer.NOTICE: _("note only"),
        Answer.OFFICE: _("by the federation's office"),
        Answer.SERVER: _("by the server"),
    }
    return people[answer] if isinstance(answer, Answer) else _("by the program")


def _settings(found: RuleBook, editions: tuple[EditionInForce, ...], lang: Language) -> list[Setting]:
    """The book's settings; where the pool is rated by the book, with the values of its last edition."""
    used = next((edition.settings for edition in reversed(editions) if edition.book is found), None)
    usual = found.settings()
    return [_setting(found, field.name, usual, used, lang) for field in fields(usual)]


def _setting(found: RuleBook, name: str, usual: Any, used: Any, lang: Language) -> Setting:
    default, here = getattr(usual, name), getattr(usual if used is None else used, name)
    return Setting(
        rule_pages.setting_subject(found, name, lang),
        rule_pages.setting_statement(found, name, default, lang),
        "" if here == default else rule_pages.setting_statement(found, name, here, lang),
    )


def _run(found: RuleBook, worked: Worked, lang: Language) -> Run:
    gives = worked.run()
    return Run(worked, example_text(found, worked, lang), gives, gives == worked.must_give)
