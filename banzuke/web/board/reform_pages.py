"""Reforms for officers: drafting, rehearsing, deciding, signing, announcing, withdrawing."""

import re
from datetime import date, timedelta
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.core.validators import URLValidator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from banzuke.core.fault import RefusedError
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool, Reform, ReformStep, Role
from banzuke.ledger.pool_rules import EditionInForce
from banzuke.ledger.reforms import as_numbers
from banzuke.ledger.toml_files import quoted
from banzuke.office import table_files
from banzuke.office.jobs.planned_publications import waiting_publication
from banzuke.office.json_codec import from_json
from banzuke.office.lists.adjustments import entered_adjustments
from banzuke.office.lists.coming_list import today_of
from banzuke.office.public_names import Person, names_in_register
from banzuke.office.reforms import reform_acts
from banzuke.office.reforms.reform_acts import Progress, progress_of, reforms_of
from banzuke.office.reforms.reform_files import MOST, reform_for
from banzuke.office.reforms.reform_rehearsal import Pair
from banzuke.web import access
from banzuke.web.board import jobs
from banzuke.web.downloads import CSV, as_file
from banzuke.web.form_fields import LinesField, day_field, lines_field, reason_field, seen_field
from banzuke.web.laboratory_pages import fault_words, reform_text
from banzuke.web.public.adjustment_pages import shown_adjustments
from banzuke.web.reform_views import shown_reform
from banzuke.web.shortcuts import one_letter_ends, page_language, pool_page, show_refusal
from banzuke.web.templatetags.ratings import list_of_name
from banzuke.words import act_text

Act = ReformStep.Act
#: What an act is called in the journal.
ACTS: dict[str, str] = {
    Act.DRAFTED: reform_acts.DRAFT,
    Act.REHEARSED: reform_acts.REHEARSE,
    Act.MINUTED: reform_acts.DECIDE,
    Act.SIGNED: reform_acts.SIGN,
    Act.ANNOUNCED: reform_acts.ANNOUNCE,
    Act.IN_FORCE: reform_acts.BRING,
    Act.STOPPED: reform_acts.STOP,
    Act.WITHDRAWN: reform_acts.WITHDRAW,
}
#: A number as an address has it.
WHOLE = re.compile(r"-?[0-9]{1,9}", re.ASCII)
#: A draft begins so long from now, if nothing else is written.
AHEAD = timedelta(days=90)
#: The most characters of a decision, and of a link.
MOST_DECISION, MOST_LINK = 2000, 500
#: So many names are asked for at once.
CHUNK = 10_000
PAIR_COLUMNS = ("speed", "player_id", "name", "before", "after")


class DraftForm(forms.Form):
    """A reform's file, written or sent."""

    reform = LinesField(
        label=gettext_lazy("The reform"),
        required=False,
        strip=False,
        max_length=MOST,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Its name, its first day (from), and under [set] the numbers, one on each line. To adjust all "
            'ratings once, write under [adjustment] a map such as points = "1000:1400 2000:2000".'
        ),
    )
    reform_file = forms.FileField(label=gettext_lazy("Or the file itself"), required=False)
    seen = seen_field()

    def __init__(self, *args: Any, pool: Pool, today: date, **words: Any) -> None:
        super().__init__(*args, **words)
        self._pool, self._today = pool, today

    def clean(self) -> dict[str, Any]:
        """The text, of the file where there is one; it must be such as can come into force in the pool."""
        found = super().clean() or self.cleaned_data
        found["reform"] = one_letter_ends(reform_text(self, found))
        if not self.errors and not found["reform"].strip():
            self.add_error("reform", _("Write the reform here, or choose its file."))
        if not self.errors:
            try:
                reform_for(self._pool, found["reform"], self._today)
            except RefusedError as error:
                self.add_error("reform", [fault_words(each) for each in error.faults])
        return found


class DecisionForm(forms.Form):
    """What was decided, on which day, and where the minutes are."""

    text = lines_field(
        gettext_lazy("Decision"),
        MOST_DECISION,
        4,
        help_text=gettext_lazy("It is public. Name nobody who is not to be named there."),
    )
    day = day_field(gettext_lazy("Decided on"))
    link = forms.URLField(
        label=gettext_lazy("Link to the minutes (optional)"),
        required=False,
        max_length=MOST_LINK,
        assume_scheme="https",
        validators=[URLValidator(schemes=("https", "http"))],
    )


class WithdrawalForm(forms.Form):
    """Why a reform is withdrawn."""

    why = reason_field(1000)


class BookNumber(NamedTuple):
    """A number of the book as a reform's file writes it, and what it is."""

    key: str
    value: str
    label: str
    clause: str


@access.chess_officer
def reforms(request: HttpRequest, pool: Pool) -> HttpResponse:
    """All reforms of the pool and its adjustments, the newest first."""
    context = {
        "reforms": [shown_reform(pool, each) for each in reforms_of(pool)],
        "adjustments": shown_adjustments(pool, entered_adjustments(pool))[::-1],
        "is_chief": access.has_role(request, Role.Kind.CHIEF, pool),
    }
    return pool_page(request, "board/reforms.html", pool, **context)


@access.chess_officer
def new(request: HttpRequest, pool: Pool) -> HttpResponse:
    """A new draft; numbers in the address, as the sliders send them, are filled in."""
    today = today_of(pool)
    edition = rules_of(pool).editions[-1]
    initial = {"reform": _first_text(edition, request.GET, today)}
    form = DraftForm(request.POST or None, request.FILES or None, pool=pool, today=today, initial=initial)
    if request.method == "POST" and form.is_valid():
        made = reform_acts.draft(pool, form.cleaned_data["reform"], access.actor(request), today)
        messages.success(request, _("The draft is kept. Rehearse it next."))
        return _to(made)
    context = {"form": form, "numbers": _numbers(edition), "shown": None}
    return pool_page(request, "board/reform_form.html", pool, **context)


def _first_text(edition: EditionInForce, asked: QueryDict, today: date) -> str:
    """A file with those numbers of the edition's book that are asked for, or with its first as it is now."""
    book, ahead = edition.book, today + AHEAD
    wanted = {
        name: value
        for name in asked
        if name in book.parameters and WHOLE.fullmatch(value := str(asked[name]))
    }
    if not wanted:
        first = next((each for each in book.parameters.values() if isinstance(each.value, int)), None)
        wanted = {first.name: str(first.value)} if first else {}
    title = _("Draft")  # not within the f-string: there xgettext finds no text
    lines = [f"name = {quoted(title)}", f"from = {ahead.replace(day=1)}", "[set]"]
    lines += [f'"{book.prefix.lower()}.{name}" = {value}' for name, value in wanted.items()]
    return "\n".join(lines) + "\n"


def _numbers(edition: EditionInForce) -> list[BookNumber]:
    prefix, lang = edition.book.prefix.lower(), page_language()
    return [
        BookNumber(f'"{prefix}.{each.name}"', as_numbers(each.value), each.label(lang), each.clause)
        for each in edition.book.parameters.values()
    ]


@access.chess_officer
def change(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """The draft, to be changed."""
    found = _find(pool, number)
    if not found.is_open:
        return _to(found.reform)
    today = today_of(pool)
    initial = {"reform": found.draft.file, "seen": found.draft.sha256}
    form = DraftForm(request.POST or None, request.FILES or None, pool=pool, today=today, initial=initial)
    if request.method == "POST" and form.is_valid():
        text, seen = form.cleaned_data["reform"], form.cleaned_data["seen"]
        with show_refusal(request):
            reform_acts.draft_again(found.reform, text, seen, access.actor(request), today)
            messages.success(request, _("The draft is kept. Rehearse it next."))
        return _to(found.reform)
    context = {
        "form": form,
        "numbers": _numbers(rules_of(pool).editions[-1]),
        "shown": shown_reform(pool, found),
    }
    return pool_page(request, "board/reform_form.html", pool, **context)


@access.chess_officer
def reform(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Where a reform stands, its effect, and what comes next."""
    return _page(request, pool, _find(pool, number))


def _page(request: HttpRequest, pool: Pool, found: Progress, **more: Any) -> HttpResponse:
    """The page of a reform; `more` are forms with what is wrong in them."""
    lang, today, me = page_language(), today_of(pool), access.actor(request).name
    decision, noted = found.decision, dict[str, Any](day=today)
    if decision is not None:
        noted = {"text": decision.text, "day": decision.day, "link": decision.link}
    refused = (found.stop.facts or {}).get("refused", {}) if found.stop and found.waits else {}
    context = {
        "shown": shown_reform(pool, found),
        "movers": _named(pool, found.movers),
        "steps": [(step, act_text(ACTS[step.act], lang)) for step in found.steps],
        "is_chief": access.has_role(request, Role.Kind.CHIEF, pool),
        "is_drafter": me == found.draft.author,
        "is_due": found.waits and found.start <= today,
        "is_over": found.is_open and found.start < today,
        "is_stale": _is_stale(pool, found),
        "refused": refused.get(lang, ""),
        "has_pairs": _pairs(pool, found) is not None,
        "decision_form": DecisionForm(initial=noted),
        "withdrawal_form": WithdrawalForm(prefix="withdraw"),
    }
    return pool_page(request, "board/reform.html", pool, **(context | more))


def _is_stale(pool: Pool, found: Progress) -> bool:
    """Whether something was entered since the rehearsal of what can still be changed."""
    effect = found.effect
    return found.is_open and effect is not None and pool.entries.filter(pk__gt=effect.position).exists()


def _named(pool: Pool, pairs: list[Pair]) -> list[tuple[Pair, Any, int]]:
    """Players with their names in the register, and how far each moves."""
    names = names_in_register(pool, {pair.player_id for pair in pairs})
    return [(pair, names[pair.player_id], (pair.after or 0) - (pair.before or 0)) for pair in pairs]


def _find(pool: Pool, number: int) -> Progress:
    """A reform of the pool. Raises Http404."""
    return progress_of(get_object_or_404(Reform, pool=pool, number=number))


def _to(found: Reform) -> HttpResponse:
    return redirect("reform", slug=found.pool.slug, number=found.number)


def _seen(request: HttpRequest) -> str:
    """The hash of the draft that the officer looked at."""
    return str(request.POST.get("seen", ""))


@access.chess_officer
@require_POST
def rehearse(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Find out what the reform would have done."""
    found = _find(pool, number)
    if not found.is_open:
        return _to(found.reform)
    page = reverse("reform", kwargs={"slug": pool.slug, "number": number})
    wanted = {"reform": number, "sha256": found.draft.sha256}
    return jobs.work(request, pool, "rehearse-reform", wanted, page, page)


@access.chess_officer
def pairs(_request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """The list without the reform and with it, as CSV. Raises Http404 where it was not rehearsed."""
    found = _find(pool, number)
    rows = _pairs(pool, found)
    if rows is None:
        raise Http404
    lang, ids = page_language(), sorted({pair.player_id for pair in rows})
    names = dict[str, Person]()
    for at in range(0, len(ids), CHUNK):
        names |= names_in_register(pool, ids[at : at + CHUNK])
    cells = [(*pair[:2], names[pair.player_id].called(lang), *pair[2:]) for pair in rows]
    table = table_files.Table("", PAIR_COLUMNS, cells)
    return as_file(table_files.write(table, table_files.CSV), f"{pool.slug}-reform-{number}.csv", CSV)


def _pairs(pool: Pool, found: Progress) -> list[Pair] | None:
    """Everybody's ratings, as the last rehearsal of the draft found them; None: they are not kept."""
    if found.rehearsal is None:
        return None
    wanted = {"reform": found.reform.number, "sha256": found.draft.sha256}
    job = jobs.last_done(pool, "rehearse-reform", **wanted)
    return from_json(list[Pair], job.result["pairs"]) if job and job.result else None


@access.chess_officer
@require_POST
def decide(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Note the decision."""
    found, form = _find(pool, number), DecisionForm(request.POST)
    if not form.is_valid():
        return _page(request, pool, found, decision_form=form)
    values = form.cleaned_data
    with show_refusal(request):
        said = values["text"], values["day"], values["link"]
        reform_acts.decide(found.reform, _seen(request), *said, access.actor(request), today_of(pool))
        messages.success(request, _("The decision is noted. Another officer than who drafted signs next."))
    return _to(found.reform)


@access.chess_officer
@require_POST
def sign(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Sign the draft, as it was decided."""
    found = _find(pool, number)
    with show_refusal(request):
        reform_acts.sign(found.reform, _seen(request), access.actor(request), today_of(pool))
        messages.success(request, _("The reform is signed. A chief officer can announce it."))
    return _to(found.reform)


@access.chief
@require_POST
def announce(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Announce it on the public pages."""
    found = _find(pool, number)
    with show_refusal(request):
        try:
            reform_acts.announce(found.reform, _seen(request), access.actor(request), today_of(pool))
        except RefusedError as error:
            messages.error(request, " ".join(fault_words(each) for each in error.faults))
        else:
            messages.success(request, _("The reform is announced. It comes into force by itself on its day."))
            _warn_of_planned_list(request, found)
    return _to(found.reform)


def _warn_of_planned_list(request: HttpRequest, found: Progress) -> None:
    """A list that is planned for later than the reform comes into force was rehearsed without it."""
    planned = waiting_publication(found.reform.pool)
    if planned is not None and found.start <= localdate(planned.at):
        stops = _(
            "But list %(list)s is planned to be published after that. The ledger then has changed, and the "
            "list is not published. Cancel the plan, and rehearse and plan again once the reform is in force."
        )
        messages.warning(request, stops % {"list": list_of_name(planned.list)})


@access.chief
@require_POST
def bring(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Bring into force what did not come into force by itself."""
    found = _find(pool, number)
    with show_refusal(request):
        try:
            reform_acts.bring_into_force(found.reform, access.actor(request), today_of(pool))
        except RefusedError as error:
            messages.error(request, " ".join(fault_words(each) for each in error.faults))
        else:
            messages.success(request, _("The reform is in force."))
    return _to(found.reform)


@access.chess_officer
@require_POST
def withdraw(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Withdraw it before it is in force; what is announced, by a chief officer."""
    found, form = _find(pool, number), WithdrawalForm(request.POST, prefix="withdraw")
    if found.announcement is not None:
        access.require(request, Role.Kind.CHIEF, pool)
    if not form.is_valid():
        return _page(request, pool, found, withdrawal_form=form)
    with show_refusal(request):
        reform_acts.withdraw(found.reform, form.cleaned_data["why"], access.actor(request))
        messages.success(request, _("The reform is withdrawn."))
    return _to(found.reform)
