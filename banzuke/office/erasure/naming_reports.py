"""Reports that name a person: those with the person's games, and those whose files name the person."""

from collections.abc import Collection, Iterator

from django.db.models import Q, QuerySet

from banzuke.database.models import Bye, Game, GoGame, Inquiry, Player, Pool, Report, ReportFile
from banzuke.database.models.reports import OPEN_STATES
from banzuke.office.erasure.personal_words import Redactor
from banzuke.office.inbox.report_files import read_contents


def naming_reports(pool: Pool, ids: Collection[str], redactor: Redactor) -> list[Report]:
    """The reports whose files name the person, open ones among them, in the order in which they came."""
    found = set(_with_games(pool, ids).values_list("pk", flat=True))
    others = Report.objects.filter(pool=pool).exclude(pk__in=found).exclude(state=Report.State.ACCEPTED)
    named = {report.pk for report in others if _is_named(report, pool, ids, redactor)}
    return list(Report.objects.filter(pk__in=found | named).order_by("pk"))


def _with_games(pool: Pool, ids: Collection[str]) -> QuerySet[Report]:
    played = Q(white__in=ids) | Q(black__in=ids)
    entries = [
        *Game.objects.filter(played, pool=pool).values_list("entry", flat=True).distinct(),
        *GoGame.objects.filter(played, pool=pool).values_list("entry", flat=True).distinct(),
        *Bye.objects.filter(pool=pool, player_id__in=ids).values_list("entry", flat=True).distinct(),
        *Player.objects.filter(pool=pool, player_id__in=ids).values_list("entry", flat=True).distinct(),
    ]
    of = Q(decisions__player_id__in=ids) | Q(steps__entry__in=entries)
    return Report.objects.filter(of, pool=pool).distinct()


def _is_named(report: Report, pool: Pool, ids: Collection[str], redactor: Redactor) -> bool:
    """Whether a report has a player with one of the ids, or whose name is one of the person's."""
    fide: set[str] = set(
        Player.objects.filter(pool=pool, player_id__in=ids).values_list("fide_id", flat=True)
    ) - {""}
    for _, found in read_contents(report).incoming.reports:
        for player in found.players:
            names = f"{player.name}\n{player.name_native}"
            if player.national_id in ids or player.fide_id in fide or redactor.is_in(names):
                return True
    return False


def open_reports(reports: Collection[Report]) -> list[Report]:
    """Those that are not decided on."""
    return [report for report in reports if report.state in OPEN_STATES]


def open_inquiries(pool: Pool, ids: Collection[str], redactor: Redactor) -> Iterator[Inquiry]:
    """The inquiries under way that name the person, by an id or by a name."""
    for inquiry in pool.inquiries.filter(state=Inquiry.State.OPEN).order_by("pk"):
        text = f"{inquiry.asked_by} {inquiry.about} {inquiry.draft}"
        if redactor.is_in(text) or _has_id(text, ids):
            yield inquiry


def _has_id(text: str, ids: Collection[str]) -> bool:
    words = {word.strip("'\".,;:()[]{}") for word in text.split()}
    return bool(words & set(ids))


def files_of(reports: Collection[Report]) -> list[ReportFile]:
    """Their files that still have their bytes."""
    rows = ReportFile.objects.filter(report__in=reports, erased=None)
    return list(rows.defer("data").order_by("pk"))
