"""A report's page, for officers and for the clubs whose reports they are."""

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import pgettext

from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool, Report, Role, Sanction
from banzuke.database.models.reports import OPEN_STATES
from banzuke.office.inbox import reports
from banzuke.office.inbox.acceptance_undo import why_not
from banzuke.office.inbox.club_questions import questions
from banzuke.office.inbox.compared_members import candidate_traits
from banzuke.office.inbox.event_fields import takes_readable_part
from banzuke.office.inbox.problems import WARNS
from banzuke.office.inbox.report_files import read_contents
from banzuke.office.inbox.report_preview import preview
from banzuke.office.inbox.reports import status_of
from banzuke.office.inbox.review import review_for_club, review_report
from banzuke.office.inbox.review_findings import Review
from banzuke.office.register import clubs as club_register
from banzuke.web import access
from banzuke.web.inbox import report_view
from banzuke.web.inbox.forms import RULINGS, WAIVERS, fields_for
from banzuke.web.inbox.go_game_rows import go_games
from banzuke.web.mending_links import ShownReport
from banzuke.web.problem_views import problems_of_report
from banzuke.web.shortcuts import is_part, page_language, pool_page


def states() -> dict[str, str]:
    """What the states of reports are called."""
    return {
        Report.State.WAITING: pgettext("report", "waiting"),
        Report.State.HELD: pgettext("report", "on hold"),
        Report.State.RETURNED: pgettext("report", "sent back"),
        Report.State.ACCEPTED: pgettext("report", "accepted"),
        Report.State.REFUSED: pgettext("report", "refused"),
        Report.State.WITHDRAWN: pgettext("report", "withdrawn"),
    }


def find_report(request: HttpRequest, pool: Pool, number: int) -> Report:
    """A report that the visitor may see. Raises Http404 for others, as if there were none."""
    report: Report = get_object_or_404(reports.reports(pool, access.clubs_of(request, pool)), pk=number)
    return report


@access.reporter
def report(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """A report: where it stands, what is wrong, who is who, and for an officer the decision."""
    return _report_page(request, pool, find_report(request, pool, number))


def _report_page(request: HttpRequest, pool: Pool, found: Report, **more: object) -> HttpResponse:
    is_officer = access.clubs_of(request, pool) is None
    club_names = club_register.names(pool)
    about = {
        "report": found,
        "seen": reports.last_rows(found),
        "is_officer": is_officer,
        "is_go": rules_of(pool).is_go,
        "is_open": found.state in OPEN_STATES,
        "club": club_names.get(found.club_id, found.club_id),
        "club_names": club_names,
        "standing": status_of(found),
        "states": states(),
        "files": list(found.files.order_by("pk").values_list("pk", "name")),
        "steps": [(step, states()[step.state]) for step in found.steps.order_by("pk")],
    }
    if found.state == Report.State.RETURNED:
        about["has_several"] = len(read_contents(found).incoming.reports) > 1
    if found.state == Report.State.WITHDRAWN and not is_officer:
        about["send_instead"] = _where_to_send(found)
    if found.state in OPEN_STATES:
        about |= _review(found, club_names, is_officer=is_officer)
        about["typed"] = request.GET.dict() if is_officer else {}
        is_chief = access.has_role(request, Role.Kind.CHIEF, pool)
        about["withheld"] = frozenset() if is_chief else WAIVERS
    if found.state == Report.State.ACCEPTED and is_officer:
        refusal = why_not(found)
        about |= {"may_take_back": refusal is None}
        about |= {"why_not": refusal.sentence(page_language()) if refusal else ""}
    return pool_page(request, "inbox/report.html", pool, **about, **more)


def _where_to_send(report: Report) -> str:
    """Where a club sends other files: for the same event, if the report was of one applied for."""
    said = (row.fields.get("event_id") for row in report.said.all())
    event = Sanction.objects.filter(pool=report.pool, event_id__in=list(filter(None, said))).first()
    address = reverse("inbox-send", kwargs={"slug": report.pool.slug})
    return f"{address}?event={event.pk}" if event else address


def _review(report: Report, clubs: Mapping[str, str], *, is_officer: bool) -> dict[str, object]:
    """What the page of an open report shows of its contents."""
    review = (review_report if is_officer else review_for_club)(report, localdate())
    lang, members = page_language(), candidate_traits(report.pool, review) if is_officer else {}
    return {
        "asked": questions(review).fields,
        "review": review,
        "problems": problems_of_report(
            report.pool, review, _shown_report(report, review, is_officer=is_officer), is_officer=is_officer
        ),
        "players": sum(len(event.reported.players) for event in review.events),
        "is_to_complete": any(problem.weight != WARNS for problem in review.problems),
        "weights": report_view.weights(),
        "events": report_view.events(review, lang, clubs, members, is_officer=is_officer),
        "in_short": report_view.in_short(review, lang),
        "unknown": (unknown := report_view.unknown_go(review)),
        "nobody": sum(not player.candidates for player in unknown),
        "go_games": go_games(report.pool, review, lang),
        "rulings": RULINGS,
        "is_faulty": review.has_leftovers
        or any(reported.faults for _, reported in read_contents(report).incoming.reports),
        "takes_readable_part": takes_readable_part(report),
    }


def _shown_report(report: Report, review: Review, *, is_officer: bool) -> ShownReport:
    """What of the report its page has, to which what is wrong can lead."""
    files = dict(report.files.order_by("-pk").values_list("name", "pk"))
    newcomers = {player.player_id for player in review.added}
    return ShownReport(report.pk, files, fields_for(is_officer=is_officer), newcomers)


@access.officer
def changes(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """What an open report would change: asked for by its page once that is there, else the page with it.

    For officers alone: it says who the players are.
    """
    found = find_report(request, pool, number)
    previews = preview(found, localdate()) if found.state in OPEN_STATES else []
    if is_part(request):
        return pool_page(request, "inbox/changes.html", pool, report=found, previews=previews)
    return _report_page(request, pool, found, previews=previews, is_previewed=True)
