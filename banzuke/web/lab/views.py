"""Asking the laboratory, and what it found: in the office's frame, or as a file that needs nothing else."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe

from banzuke.database.book_reader import rules_of
from banzuke.database.models import Job, Pool
from banzuke.lab import is_installed, report_page
from banzuke.office import laboratory
from banzuke.office.jobs import job_queue
from banzuke.web import access
from banzuke.web.board.job_dispatch import last_done
from banzuke.web.downloads import as_file
from banzuke.web.lab.forms import QUESTIONS, AskForm
from banzuke.web.page_language import page_language

HTML, INSTALL = "text/html; charset=utf-8", "pip install 'banzuke[lab]'"


@access.officer
def lab(request: HttpRequest, pool: Pool) -> HttpResponse:
    """What may be asked, and what was found last; without the extra, what has to be installed."""
    if not is_installed():
        return render(request, "lab/missing.html", {"pool": pool, "command": INSTALL})
    rules = rules_of(pool)
    form = AskForm(request.POST or None, request.FILES or None, rules=rules)
    if request.method == "POST" and form.is_valid():
        return redirect("board-job", number=_start_job(request, pool, form).pk)
    jobs = [(text, name, last_done(pool, "laboratory", question=name)) for name, text in QUESTIONS]
    lang = page_language()
    numbers = [(each, each.parameter.label(lang)) for each in laboratory.numbers(rules)]
    context = {"pool": pool, "form": form, "jobs": jobs, "numbers": numbers, "book": rules.editions[-1].book}
    return render(request, "lab/lab.html", context)


def _start_job(request: HttpRequest, pool: Pool, form: AskForm) -> Job:
    """The job that answers; the worker takes it, however small the pool is."""
    wanted = {name: form.cleaned_data[name] for name in ("question", "books", "settings", "reform")}
    wanted["next"] = reverse("lab-found", kwargs={"slug": pool.slug, "question": wanted["question"]})
    return job_queue.start("laboratory", pool, wanted, access.actor(request))


def _last_report(pool: Pool, question: str) -> tuple[Job, report_page.Report]:
    """What was found last. Raises Http404 where it was never asked."""
    job = last_done(pool, "laboratory", question=question)
    if job is None or not job.result:
        raise Http404
    return job, laboratory.read(job.result)


@access.officer
def report(request: HttpRequest, pool: Pool, question: str) -> HttpResponse:
    """What was found last, with ways to the players and the events of the pool."""
    job, answer = _last_report(pool, question)
    lang = page_language()
    content = mark_safe(report_page.body(answer, lang, _addresses(pool)))  # noqa: S308 - every text is escaped there
    title = report_page.sentence(answer.title, lang)
    context = {"pool": pool, "job": job, "question": question, "title": title, "content": content}
    return render(request, "lab/found.html", context)


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
