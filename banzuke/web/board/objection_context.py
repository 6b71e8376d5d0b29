"""What an inquiry's page shows of an objection: what was rated, what was reported, what the club answered."""

from typing import Any, NamedTuple

from django.db.models import Q
from django.http import HttpRequest
from django.utils.translation import gettext

from banzuke.database.book_reader import MODELS, rules_of
from banzuke.database.models import (
    Event,
    Game,
    GoGame,
    Inquiry,
    InquiryStep,
    Objection,
    Player,
    Report,
    ReportStep,
    Strike,
)
from banzuke.office.fact_rows import record_of
from banzuke.office.lists import corrections
from banzuke.office.lists.correction_drafts import CORRECTED, cells_of, table_in
from banzuke.office.objections import proposals
from banzuke.office.objections.closings import corrections_of
from banzuke.office.objections.subjects import game_of, same_subject, subject_of
from banzuke.office.objections.writer_acts import last_day_to_appeal
from banzuke.office.register import clubs
from banzuke.web import access
from banzuke.web.board.forms import AskClubForm, CorrectedByForm, DecisionForm
from banzuke.web.board.row_texts import describe
from banzuke.web.public.objection_forms import proposed_text
from banzuke.web.rule_clauses import clause_texts, inquiry_clause
from banzuke.web.shortcuts import page_language

#: So many corrections are offered as those that corrected an inquiry, too.
MOST_OFFERED = 30


class Reported(NamedTuple):
    """A report that brought the game, the event or the player, and what it said of it."""

    report: Report
    row: str


def objection_context(request: HttpRequest, inquiry: Inquiry) -> dict[str, Any]:
    """What an inquiry's page shows of its objection, and of what a club was asked."""
    pool = inquiry.pool
    objection = Objection.objects.filter(inquiry=inquiry).select_related("list", "inquiry__pool").first()
    names = clubs.names(pool)
    steps = list(inquiry.steps.order_by("pk"))
    is_appeal = corrections.waits_for_appeal(steps)
    is_against_me = corrections.appealed_against(steps) == access.actor(request).name
    reported = _reported(objection) if objection else []
    context: dict[str, Any] = {
        "objection": objection,
        "questions": [(one, names.get(one.club_id, one.club_id)) for one in inquiry.questions.order_by("pk")],
        "is_appeal": is_appeal,
        "is_first_officer": is_appeal and is_against_me,
        "may_dismiss": not is_against_me,
        "is_upheld": bool(steps) and steps[-1].state == InquiryStep.Act.UPHELD,
        "ask_form": AskClubForm(names, prefix="ask", initial={"club": _club(objection, reported)}),
        **_decision_forms(inquiry, objection),
        "has_clubs": bool(names),
        "reported": reported,
    }
    if objection is not None:
        subject = subject_of(objection)
        game = game_of(objection, subject)
        lang = page_language()
        called = subject.player.called(lang) if subject and subject.player else ""
        context |= {
            "subject": subject,
            "called": called,
            "proposed": proposed_text(objection, called, game.opponent.called(lang) if game else ""),
            "rated": game,
            "stands": _standing(objection),
            "last_day": last_day_to_appeal(objection),
            "others": same_subject(objection).select_related("inquiry"),
        }
    return context


def _decision_forms(inquiry: Inquiry, objection: Objection | None) -> dict[str, Any]:
    """The forms by which it is decided; each has the clause on inquiries filled in, and offers the others."""
    pool = inquiry.pool
    book = objection.list.rulebook if objection and objection.list else rules_of(pool).editions[-1].book.name
    initial = {"clause": inquiry_clause(pool, book)}
    offered = corrections_offered(inquiry)
    return {
        "clauses": clause_texts(book),
        "uphold_form": DecisionForm(prefix="uphold", initial=initial),
        "dismiss_form": DecisionForm(prefix="dismiss", initial=initial),
        "by_form": CorrectedByForm(offered, prefix="by", initial=initial) if offered else None,
    }


def corrections_offered(inquiry: Inquiry) -> list[tuple[int, str]]:
    """The inquiries that corrected something, as choices: first those that changed what this one is of."""
    steps = list(corrections_of(inquiry.pool).exclude(inquiry=inquiry)[:MOST_OFFERED])
    objection = Objection.objects.filter(inquiry=inquiry).select_related("inquiry__pool").first()
    entries = _entries(objection) if objection else set()
    steps.sort(key=lambda step: step.entry_id not in entries)  # the others stay in their order
    text = gettext("Inquiry %(number)s")
    return [(s.inquiry_id, f"{text % {'number': s.inquiry_id}}: {s.inquiry.about[:60]}") for s in steps]


def _entries(objection: Objection) -> set[int]:
    """The entries that changed a row of what it is of."""
    if rules_of(objection.inquiry.pool).is_go:
        return set()
    rows = {row.pk: row.entry_id for row in _rows(objection)}
    struck = Strike.objects.filter(pool=objection.inquiry.pool, table=_table(objection), row__in=rows)
    return {*rows.values(), *struck.values_list("entry", flat=True)}


def _table(objection: Objection) -> str:
    """The ledger's table whose rows are of it."""
    if objection.subject == Objection.Subject.PLAYER:
        return "players"
    return "events" if objection.round is None else "games"


def _club(objection: Objection | None, reported: list[Reported]) -> str:
    """The club that can say most: whose report it was, who organised the event."""
    if objection is None:
        return ""
    if reported and reported[0].report.club_id:
        return reported[0].report.club_id
    rows = _rows(objection).order_by("-pk") if not rules_of(objection.inquiry.pool).is_go else ()
    row = next(iter(rows), None)
    if objection.subject == Objection.Subject.GAME:
        row = Event.objects.filter(pool=objection.inquiry.pool, event_id=objection.event_id).last()
    found: str = getattr(row, "organiser", "") or getattr(row, "club_id", "")
    return found


def _rows(objection: Objection) -> Any:
    """Every row that ever was of the game, the event or the player; of a list none."""
    pool = objection.inquiry.pool
    if objection.subject == Objection.Subject.PLAYER:
        return Player.objects.filter(pool=pool, player_id=objection.player_id)
    if objection.round is None:
        return Event.objects.filter(pool=pool, event_id=objection.event_id)
    one, other = objection.player_id, objection.opponent_id
    pair = Q(white=one, black=other) | Q(white=other, black=one)
    return Game.objects.filter(pair, pool=pool, event_id=objection.event_id, round=objection.round)


def _reported(objection: Objection) -> list[Reported]:
    """The reports that entered such a row, each with the row as it came."""
    if rules_of(objection.inquiry.pool).is_go:
        return _reported_go(objection)
    found = {row.entry_id: row for row in _rows(objection).order_by("pk")}
    steps = ReportStep.objects.filter(entry__in=found, report__pool=objection.inquiry.pool)
    return [
        Reported(step.report, _text(objection, found[step.entry_id or 0]))
        for step in steps.select_related("report").prefetch_related("report__files").order_by("pk")
    ]


def _reported_go(objection: Objection) -> list[Reported]:
    pool = objection.inquiry.pool
    games = GoGame.objects.filter(pool=pool, game_id=objection.event_id)
    steps = ReportStep.objects.filter(entry__in=games.values("entry"), report__pool=pool)
    return [Reported(step.report, "") for step in steps.select_related("report")]


def _text(objection: Objection, row: Any) -> str:
    """A row as people read it."""
    table = next(name for name, record in CORRECTED.items() if isinstance(row, MODELS[record]))
    cells = cells_of(table_in(objection.inquiry.pool, table), record_of(row, CORRECTED[table]))
    return describe(objection.inquiry.pool, table, cells)


def _standing(objection: Objection) -> str:
    """The row as it stands in the ledger now; blank where none does."""
    if objection.subject != Objection.Subject.GAME:
        return ""
    row = proposals.standing_game(objection)
    return _text(objection, row) if row else ""
