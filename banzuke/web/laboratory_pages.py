"""The laboratory for officers: what is asked of it, and what it found, as a page or a file."""

import re
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from banzuke.core.fault import Fault, RefusedError
from banzuke.core.registry import BOOKS
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Job, Pool
from banzuke.formats.pdf_fonts import NoFontError
from banzuke.lab import is_installed, report_page
from banzuke.lab.report_pdf import has_paper, report_pdf
from banzuke.lab.sheets import ENOUGH
from banzuke.lab.variants import AS_IT_IS, can_try
from banzuke.ledger.pool_rules import Pool as Rules
from banzuke.office import laboratory
from banzuke.office.jobs import job_queue
from banzuke.office.laboratory import check
from banzuke.office.rating_errors import Errors, show_errors, shown_errors
from banzuke.office.reforms.reform_acts import progress_of
from banzuke.office.reforms.reform_files import MOST as MOST_OF_A_REFORM
from banzuke.web import access
from banzuke.web.board.jobs import last_done
from banzuke.web.downloads import as_file
from banzuke.web.shortcuts import page_language, pool_page
from banzuke.words import fault_text, said_of

QUESTIONS = (
    ("compare", _("Compare: ratings under other rules")),
    ("predict", _("Predict: how well each rule book predicts results")),
    ("fit", _("Fit: which numbers of the rules predict best")),
    ("account", _("Account: who makes the points")),
    ("soundness", _("Soundness: how reliable the ratings are")),
    ("anomalies", _("Look for suspicious results")),
)

#: The questions that can be asked of chess alone.
OF_CHESS = ("account", "soundness")

#: A reform as its file is written.
EXAMPLE = 'name = "Draft 1"\nfrom = 2027-04-01\n[set]\n"{prefix}.{name}" = {value}'


def questions(rules: Rules) -> list[tuple[str, Any]]:
    """The questions that can be asked of a pool."""
    return [(name, text) for name, text in QUESTIONS if not (rules.is_go and name in OF_CHESS)]


class QuestionForm(forms.Form):
    """What is asked of the pool's games."""

    question = forms.ChoiceField(
        label=_("Question"), choices=QUESTIONS, widget=forms.RadioSelect, initial="compare"
    )
    books = forms.MultipleChoiceField(
        label=_("Rule books to compare with the pool's own"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    settings = forms.CharField(
        label=_("Changed numbers, one per line (NAME=VALUE)"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("They apply in the laboratory only. A range is tried step by step: NAME=10..40:10"),
    )
    reform = forms.CharField(
        label=_("Proposed new rules (optional): paste the file"),
        required=False,
        max_length=MOST_OF_A_REFORM,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Its name, its first day (from), and its numbers under [set]."),
    )
    reform_file = forms.FileField(label=_("Or the file itself"), required=False)

    def __init__(self, *args: Any, rules: Rules, **words: Any) -> None:
        super().__init__(*args, **words)
        self._rules = rules
        known = [(name, name) for name, book in BOOKS.items() if can_try(rules, book)]
        cast("forms.MultipleChoiceField", self.fields["books"]).choices = known
        if len(known) == 1:
            del self.fields["books"]
        cast("forms.ChoiceField", self.fields["question"]).choices = questions(rules)
        self._show_examples()

    def _show_examples(self) -> None:
        """Numbers and a reform as they are written: with the first number of the pool's book as it is now."""
        first = next(iter(laboratory.numbers(self._rules)), None)
        if first is None:
            return
        book = self._rules.editions[-1].book
        self.fields["settings"].widget.attrs["placeholder"] = f"{first.name}={first.value}"
        self.fields["reform"].widget.attrs["placeholder"] = EXAMPLE.format(
            prefix=book.prefix.lower(), name=first.name, value=first.value
        )

    def clean(self) -> dict[str, Any]:
        """The books, numbers and reform must be such as may be tried; the file's text becomes `reform`."""
        found = super().clean() or self.cleaned_data
        found |= {"books": found.get("books", []), "settings": found.get("settings", "").split()}
        found["reform"] = reform_text(self, found)
        given = found["books"] or found["settings"] or found["reform"]
        if not self.errors:
            self._refuse_senseless(str(found.get("question")), is_given=bool(given))
        question = str(found.get("question"))
        if found["settings"] or question == laboratory.FIT:
            self._check("settings", question, found["books"], found["settings"], "")
        if found["reform"]:
            self._check("reform", question, found["books"], [], found["reform"])
        return found

    def _refuse_senseless(self, question: str, *, is_given: bool) -> None:
        """What is compared must be named; suspicious results are looked for without rules."""
        if question == "compare" and not is_given:
            self.add_error(None, _("Choose at least one rule book or enter a number."))
        if question == "anomalies" and is_given:
            self.add_error(
                None,
                _(
                    "Suspicious results are looked for in the games as they are: "
                    "choose no rule book, and leave numbers and proposed rules empty."
                ),
            )

    def _check(self, field: str, question: str, books: list[str], settings: list[str], reform: str) -> None:
        try:
            check(self._rules, books, settings, reform, question)
        except RefusedError as error:
            self.add_error(field, [fault_words(each) for each in error.faults])


def reform_text(form: forms.Form, found: dict[str, Any]) -> str:
    """The text of the form's field `reform`, or of its file `reform_file` where there is one."""
    file = found.get("reform_file")
    if file is None:
        return str(found.get("reform", ""))
    if file.size > MOST_OF_A_REFORM:
        form.add_error("reform_file", _("The file is too long for a reform."))
        return ""
    try:
        return str(file.read().decode("utf-8-sig"))
    except UnicodeDecodeError:
        form.add_error("reform_file", _("The file is not UTF-8 text."))
        return ""


def fault_words(fault: Fault) -> str:
    """A fault's sentence behind the place that it is about."""
    sentence = fault_text(fault, page_language())
    return said_of(fault.column, sentence, page_language()) if fault.column else sentence


#: The number of a reform in an address.
NUMBER = re.compile("[0-9]{1,9}")
HTML, INSTALL = "text/html; charset=utf-8", "pip install '.[lab]'"


@access.officer
def lab(request: HttpRequest, pool: Pool) -> HttpResponse:
    """What may be asked, and what was found last; without the extra, what has to be installed."""
    if not is_installed():
        return pool_page(request, "lab/missing.html", pool, command=INSTALL)
    rules = rules_of(pool)
    initial = {"reform": _drafted_text(request, pool)}
    form = QuestionForm(request.POST or None, request.FILES or None, rules=rules, initial=initial)
    if request.method == "POST" and form.is_valid():
        return redirect("board-job", number=_start_job(request, pool, form).pk)
    jobs = [(text, name, last_done(pool, "laboratory", question=name)) for name, text in questions(rules)]
    lang = page_language()
    numbers = [(each, each.parameter.label(lang)) for each in laboratory.numbers(rules)]
    context = {
        "form": form,
        "jobs": jobs,
        "numbers": numbers,
        "book": rules.editions[-1].book,
        "is_go": rules.is_go,
    }
    return pool_page(request, "lab/lab.html", pool, **context)


def _drafted_text(request: HttpRequest, pool: Pool) -> str:
    """The file of the reform whose number is in the address; blank for none."""
    number = request.GET.get("reform", "")
    found = pool.reforms.filter(number=number).first() if NUMBER.fullmatch(number) else None
    return progress_of(found).draft.file if found else ""


def _start_job(request: HttpRequest, pool: Pool, form: QuestionForm) -> Job:
    """The job that answers; the worker takes it, however small the pool is."""
    wanted = {name: form.cleaned_data[name] for name in ("question", "books", "settings", "reform")}
    wanted["next"] = reverse("lab-found", kwargs={"slug": pool.slug, "question": wanted["question"]})
    return job_queue.start("laboratory", pool, wanted, access.actor(request))


def _last_report(pool: Pool, question: str) -> tuple[Job, report_page.Report]:
    """What was found last. Raises Http404 where it was never asked, or what is kept is no report."""
    job = last_done(pool, "laboratory", question=question)
    found = laboratory.read(job.result) if job is not None else None
    if job is None or found is None:
        raise Http404
    return job, found


@access.officer
def report(request: HttpRequest, pool: Pool, question: str) -> HttpResponse:
    """What was found last, with ways to the players and the events of the pool."""
    job, answer = _last_report(pool, question)
    lang = page_language()
    content = mark_safe(report_page.body(answer, lang, _addresses(pool)))  # noqa: S308 - every text is escaped there
    title = report_page.sentence(answer.title, lang)
    context = {"job": job, "question": question, "title": title, "content": content}
    if question == "soundness":
        context |= {"errors": errors_for_players(answer), "shown": shown_errors(pool)}
    context["has_pdf"] = has_paper(answer)
    return pool_page(request, "lab/found.html", pool, **context)


def errors_for_players(report: report_page.Report) -> Errors:
    """What players may be shown of the errors of ratings that a report on soundness has.

    By speed: so many games or more, and the error in points; fewest games first. Only by the pool's own
    rules, and nothing that too few players tell of.
    """
    found: Errors = {}
    for row in (row for sheet in report.sheets if sheet.name == "rating_errors" for row in sheet.named_rows):
        error, is_enough = row["error"], int(row["clusters"] or 0) >= ENOUGH
        if row["variant"] == AS_IT_IS and is_enough and isinstance(error, float) and error:
            found.setdefault(str(row["speed"] or ""), []).append([int(row["rests_on"] or 0), round(error)])
    return found


@access.officer
@require_POST
def show_errors_to_players(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Show on players' pages how far off ratings are (`show`), or show it no more."""
    errors: Errors = {}
    if "show" in request.POST:
        errors = errors_for_players(_last_report(pool, "soundness")[1])
    show_errors(pool, errors, access.actor(request))
    messages.success(request, _("Players' pages show it.") if errors else _("Players' pages do not show it."))
    return redirect("lab-found", slug=pool.slug, question="soundness")


def _addresses(pool: Pool) -> "report_page.Address":
    """The office's pages of players and events, by the columns in which their ids stand."""

    def address(column: str, cell: str) -> str | None:
        if column in laboratory.PLAYERS:
            return reverse("register-member", kwargs={"slug": pool.slug, "player_id": cell})
        if column in laboratory.EVENTS and cell:
            return reverse("public-event", kwargs={"slug": pool.slug, "event": cell})
        return None

    return address


@access.officer
def report_file(_request: HttpRequest, pool: Pool, question: str) -> HttpResponse:
    """The report as one file that needs nothing else."""
    _, answer = _last_report(pool, question)
    return as_file(report_page.page(answer, page_language()), f"{pool.slug}-{question}.html", HTML)


@access.officer
def report_paper(_request: HttpRequest, pool: Pool, question: str) -> HttpResponse:
    """What the report shows a board, on A4. Raises Http404 where this machine can't set it."""
    _, answer = _last_report(pool, question)
    try:
        paper = report_pdf(answer, page_language())
    except (ModuleNotFoundError, NoFontError) as error:
        raise Http404 from error
    return as_file(paper, f"{pool.slug}-{question}.pdf", "application/pdf")
