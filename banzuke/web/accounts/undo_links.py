"""Where an act of the journal can be taken back, as long as it can."""

from collections.abc import Callable

from django.urls import reverse
from django.utils.http import urlencode

from banzuke.database.models import JournalEntry, Merge, Pool, Report
from banzuke.office.inbox import acceptance_undo, reports
from banzuke.office.live import pool_events
from banzuke.office.merged_ids import standing_merges
from banzuke.office.register import player_merge


def undo_link(act: JournalEntry) -> str:
    """The page on which the act can be taken back; blank where it cannot (any more)."""
    find = LINKS.get(act.act)
    return find(act.pool, act) if find and act.pool else ""


def _of_acceptance(pool: Pool, act: JournalEntry) -> str:
    report = Report.objects.filter(pool=pool, pk=act.what.get("report"), state=Report.State.ACCEPTED).first()
    is_last = report is not None and report.steps.latest("pk").entry_id == act.what.get("entry")
    if report is None or not is_last or acceptance_undo.why_not(report) is not None:
        return ""
    return reverse("inbox-report", kwargs={"slug": pool.slug, "number": report.pk}) + "#take-back"


def _of_merge(pool: Pool, act: JournalEntry) -> str:
    made: list[Merge] = [one for one in standing_merges(pool) if one.entry_id == act.what.get("entry")]
    if not made or player_merge.unmerge_obstacle(made[0]) is not None:
        return ""
    return reverse("register-member", kwargs={"slug": pool.slug, "player_id": made[0].kept}) + "#merges"


def _of_annulment(pool: Pool, act: JournalEntry) -> str:
    game_id = str(act.what.get("game"))
    found = pool_events.standing_annulment(pool, game_id)
    if found is None or found.entry.at > act.at or pool_events.why_not_restored(pool, game_id, found):
        return ""
    page = reverse("live-annul", kwargs={"slug": pool.slug})
    return f"{page}?{urlencode({'game': game_id})}#restore"


#: By the act's code.
LINKS: dict[str, Callable[[Pool, JournalEntry], str]] = {
    reports.ACCEPT: _of_acceptance,
    player_merge.MERGE: _of_merge,
    pool_events.GAME_VOID: _of_annulment,
}
