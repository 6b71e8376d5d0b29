"""Deciding on objections: upholding them with a draft, asking the club, closing what was annulled."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from banzuke.database.book_reader import rules_of
from banzuke.database.models import Inquiry, Objection, Pool
from banzuke.office.lists import corrections
from banzuke.office.objections import closings, club_answers, proposals
from banzuke.office.refusals import NotDoneError
from banzuke.office.register import clubs
from banzuke.web import access
from banzuke.web.board.forms import AskClubForm, CorrectedByForm, DecisionForm
from banzuke.web.board.inquiry_pages import find_inquiry, inquiry_page
from banzuke.web.board.objection_context import corrections_offered
from banzuke.web.shortcuts import page_language, show_refusal


@access.chief
@require_POST
def uphold(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Decide that the inquiry is right, and draft what it proposes."""
    inquiry, form = find_inquiry(pool, number), DecisionForm(request.POST, prefix="uphold")
    if not form.is_valid():
        return inquiry_page(request, inquiry, uphold_form=form)
    with show_refusal(request):
        corrections.uphold(inquiry, access.actor(request), **form.cleaned_data)
        messages.success(
            request, gettext("The inquiry is upheld. Its correction is still to be carried out.")
        )
        _draft(request, inquiry)
    return redirect("board-inquiry", slug=pool.slug, number=number)


def _draft(request: HttpRequest, inquiry: Inquiry) -> None:
    """The draft of what is proposed, where a draft can hold it."""
    objection = Objection.objects.filter(inquiry=inquiry).first()
    if objection is None or rules_of(inquiry.pool).is_go:
        return
    try:
        if proposals.draft_proposal(objection):
            messages.info(request, gettext("The draft has the change that was proposed. Look at it."))
    except NotDoneError as refusal:
        messages.warning(request, refusal.sentence(page_language()))


@access.officer
@require_POST
def ask_club(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Ask a club about the inquiry."""
    inquiry = find_inquiry(pool, number)
    form = AskClubForm(clubs.names(pool), request.POST, prefix="ask")
    if not form.is_valid():
        return inquiry_page(request, inquiry, ask_form=form)
    values = form.cleaned_data
    with show_refusal(request):
        club_answers.ask_club(inquiry, values["club"], values["question"], access.actor(request))
        messages.success(request, gettext("The club is asked. Its answer will stand here."))
        if not club_answers.has_reporter(pool, values["club"]):
            messages.warning(request, gettext("Nobody reports for this club in the office: ask it yourself."))
    return redirect("board-inquiry", slug=pool.slug, number=number)


@access.chief
@require_POST
def close_annulled(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Close an inquiry about a game of Go that was annulled."""
    inquiry, form = find_inquiry(pool, number), DecisionForm(request.POST, prefix="uphold")
    objection = Objection.objects.filter(inquiry=inquiry).first()
    if objection is None or not objection.event_id:
        raise Http404
    if not form.is_valid():
        return inquiry_page(request, inquiry, uphold_form=form)
    with show_refusal(request):
        values = form.cleaned_data
        closings.close_as_annulled(inquiry, objection.event_id, access.actor(request), **values)
        messages.success(request, gettext("The inquiry is closed: the game is annulled."))
    return redirect("board-inquiry", slug=pool.slug, number=number)


@access.chief
@require_POST
def close_corrected(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Close an inquiry whose matter another one has corrected."""
    inquiry = find_inquiry(pool, number)
    form = CorrectedByForm(corrections_offered(inquiry), request.POST, prefix="by")
    if not form.is_valid():
        return inquiry_page(request, inquiry, by_form=form)
    with show_refusal(request):
        closings.close_as_corrected(inquiry, actor=access.actor(request), **form.cleaned_data)
        messages.success(request, gettext("The inquiry is closed: another one has corrected it."))
    return redirect("board-inquiry", slug=pool.slug, number=number)
