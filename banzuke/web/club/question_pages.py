"""What the office asks a club about inquiries, and the club's answers; not who wrote to the office."""

from collections.abc import Mapping

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from banzuke.database.models import ClubQuestion, Objection, Pool
from banzuke.database.two_names import name_here
from banzuke.office.objections import club_answers
from banzuke.office.objections.subjects import game_of, subject_of
from banzuke.web import access
from banzuke.web.club.desk_pages import clubs_for
from banzuke.web.public.objection_forms import SeenField, game_text
from banzuke.web.shortcuts import page_language, pool_page, show_refusal

#: So many letters an answer has at most.
LONGEST = 2_000


class AnswerForm(forms.Form):
    """The club's answer."""

    answer = SeenField(
        label=gettext_lazy("Your club's answer"), max_length=LONGEST, widget=forms.Textarea(attrs={"rows": 3})
    )


@access.reporter
def questions(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The questions that wait for an answer."""
    return _page(request, pool, {})


def _page(request: HttpRequest, pool: Pool, sent: Mapping[int, AnswerForm]) -> HttpResponse:
    """The page of the questions; `sent` are the forms with what is wrong in them."""
    rows = club_answers.questions_to(pool, clubs_for(request, pool))
    shown = [(one, _about(one), sent.get(one.pk) or AnswerForm(prefix=str(one.pk))) for one in rows]
    return pool_page(request, "club/questions.html", pool, questions=shown)


def _about(question: ClubQuestion) -> str:
    """The game, the event or the player that it is about, as everybody sees it."""
    objection = Objection.objects.filter(inquiry=question.inquiry).select_related("list", "inquiry").first()
    if objection is None:
        return ""
    subject = subject_of(objection)
    game = game_of(objection, subject)
    event, player = objection.event_id, objection.player_id
    if subject and subject.event:
        event = name_here(subject.event.name, subject.event.name_native)
    if subject and subject.player:
        player = subject.player.called(page_language())
    return " · ".join(part for part in (event, game_text(game) if game else player) if part)


@access.reporter
@require_POST
def answer(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Answer a question. Raises Http404 for one to another club."""
    rows = ClubQuestion.objects.filter(inquiry__pool=pool, club_id__in=_clubs(request, pool))
    question = get_object_or_404(rows, pk=number)
    form = AnswerForm(request.POST, prefix=str(number))
    if not form.is_valid():
        return _page(request, pool, {number: form})
    with show_refusal(request):
        club_answers.answer(question, form.cleaned_data["answer"], access.actor(request))
        messages.success(request, _("The office has your answer."))
    return redirect("club-questions", slug=pool.slug)


def _clubs(request: HttpRequest, pool: Pool) -> set[str]:
    """The visitor's clubs; an officer answers for none."""
    return access.clubs_of(request, pool) or set()
