"""The acts that are done as jobs, by name: what each wants, and what it gives, as plain JSON.

`today` (ISO) is the day on which the act was asked for.
"""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any

from django.db import connections

from banzuke.database.models import Inquiry, Job, PlannedPublication, Pool, RatingList, Reform, RegisterFile
from banzuke.engine.rating_run import Progress
from banzuke.office import laboratory
from banzuke.office.administration import backup, pools, uploads
from banzuke.office.inbox import waiting_reports
from banzuke.office.jobs import planned_publications
from banzuke.office.journal import Actor
from banzuke.office.json_codec import to_json
from banzuke.office.lists import coming_ratings, corrections, publishing, rehearsal
from banzuke.office.lists.verification import verify as verified
from banzuke.office.reforms import reform_acts, reform_rehearsal
from banzuke.office.reforms.reform_files import read_text
from banzuke.office.register import member_import

Act = Callable[[Job, Progress], dict[str, Any]]

#: So many differences of a verification are kept.
MOST = 200


def _pool(job: Job) -> Pool:
    if job.pool is None:
        raise ValueError(job.kind)
    return job.pool


def _actor(job: Job) -> Actor:
    return Actor(job.author, job.where)


def _today(job: Job) -> date:
    return date.fromisoformat(job.wanted["today"])


def _inquiry(job: Job) -> Inquiry:
    return Inquiry.objects.get(pool=_pool(job), pk=job.wanted["inquiry"])


def _names_of_lists(lists: Iterable[RatingList]) -> dict[str, Any]:
    return {"lists": [{"name": each.name, "revision": each.revision} for each in lists]}


def rehearse(job: Job, progress: Progress) -> dict[str, Any]:
    """Wants `list`; gives the `Rehearsal`."""
    return to_json(rehearsal.rehearse(_pool(job), job.wanted["list"], _today(job), progress))


def publish(job: Job, progress: Progress) -> dict[str, Any]:
    """Wants `list`, and `position` if the officer saw a rehearsal; gives the lists published.

    `preliminary_until` is there where they are preliminary. A plan for a later hour goes once they are there.
    """
    pool, wanted = _pool(job), job.wanted
    until = wanted.get("preliminary_until")
    last = date.fromisoformat(until) if until else None
    lists = publishing.publish(
        pool, wanted["list"], _actor(job), _today(job), wanted.get("position"), progress, last
    )
    planned_publications.cancel_published(pool, _actor(job))
    return _names_of_lists(lists)


def publish_planned(job: Job, progress: Progress) -> dict[str, Any]:
    """Wants `planned` (its number); gives the lists published."""
    planned = PlannedPublication.objects.get(pool=_pool(job), pk=job.wanted["planned"])
    return _names_of_lists(planned_publications.carry_out(planned, job, progress))


def revise(job: Job, progress: Progress) -> dict[str, Any]:
    """Wants `why`, and `position` if the officer saw what is due; gives the lists published."""
    why, position = job.wanted["why"], job.wanted.get("position")
    return _names_of_lists(corrections.revise(_pool(job), _actor(job), why, progress, position))


def correct(job: Job, progress: Progress) -> dict[str, Any]:
    """Wants `inquiry`, `why`, `draft` and `position` as the officer saw them; gives the lists published."""
    why, draft, position = job.wanted["why"], job.wanted.get("draft", ""), job.wanted.get("position")
    inquiry, actor, today = _inquiry(job), _actor(job), _today(job)
    return _names_of_lists(corrections.carry_out(inquiry, actor, why, today, progress, draft, position))


def preview(job: Job, progress: Progress) -> dict[str, Any]:
    """Wants `inquiry`; gives the `Preview` of its draft."""
    return to_json(corrections.preview(_inquiry(job), _today(job), progress))


def due(job: Job, progress: Progress) -> dict[str, Any]:
    """Gives the `Preview` of the revisions that are due."""
    return to_json(corrections.due_revisions(_pool(job), progress))


def verify(job: Job, progress: Progress) -> dict[str, Any]:
    """Wants `list` and `revision`; gives how much was compared, and what differs."""
    found = verified(_pool(job), job.wanted["list"], job.wanted["revision"], progress)
    return {
        "sha256": found.sha256,
        "is_good": found.is_good,
        "rows": found.rows,
        "lines": found.lines,
        "differences": found.differences[:MOST],
        "record": [figure.name for figure in found.record],
    }


def members(job: Job, _progress: Progress) -> dict[str, Any]:
    """Wants `register` (its number) and `position`; gives how many members are new."""
    sent = RegisterFile.objects.get(pool=_pool(job), pk=job.wanted["register"])
    done = member_import.take_over(sent, job.wanted["position"], _actor(job), _today(job))
    return {"added": len(done.plan.added)}


def fide(job: Job, progress: Progress) -> dict[str, Any]:
    """Wants `file` (a word), `speed` and `in_request`; gives what `compare_with_fide_list` does.

    The file goes.
    """
    word, in_request = job.wanted["file"], job.wanted.get("in_request", False)
    try:
        path = uploads.find(word)
        speed = job.wanted["speed"] or None
        return member_import.compare_with_fide_list(_pool(job), path, speed, progress, in_request=in_request)
    finally:
        uploads.drop(word)


def back_up(job: Job, progress: Progress) -> dict[str, Any]:
    """Wants `name`; gives the word by which the backup can be fetched, and how many rows it has."""
    word, path = uploads.place(job.wanted["name"])
    with ThreadPoolExecutor(1) as aside:  # a connection of its own: that of the backup sees one moment
        try:
            rows = backup.back_up(path, _actor(job), lambda *far: aside.submit(progress, *far).result())
        except BaseException:
            uploads.drop(word)
            raise
        finally:
            aside.submit(connections.close_all)  # those of that thread
    return {"file": word, "rows": rows}


def ask_laboratory(job: Job, progress: Progress) -> dict[str, Any]:
    """Wants `question`, `books`, `settings` and `reform`; gives what `laboratory.read` takes."""
    wanted = job.wanted
    asked = wanted["question"], wanted["books"], wanted["settings"]
    return laboratory.ask(_pool(job), *asked, progress, wanted.get("reform", ""))


def rehearse_reform(job: Job, progress: Progress) -> dict[str, Any]:
    """Wants `reform` (its number) and `sha256` of its file; keeps the effect, gives everybody's ratings."""
    reform = Reform.objects.get(pool=_pool(job), number=job.wanted["reform"])
    file = read_text(reform_acts.progress_of(reform).draft.file)
    found = reform_rehearsal.rehearse(_pool(job), file, progress)
    reform_acts.keep_rehearsal(reform, job.wanted["sha256"], found, _actor(job))
    return {"pairs": to_json(found)["pairs"]}


def coming(job: Job, progress: Progress) -> dict[str, Any]:
    """Gives the name of the coming list, which is kept for the pages with the facts of reports that wait."""
    pool, today = _pool(job), _today(job)
    waiting_reports.keep_waiting_reports(pool, today)
    return {"list": coming_ratings.keep_coming_list(pool, today, progress)}


def rules(job: Job, progress: Progress) -> dict[str, Any]:
    """Wants `files` (texts by name), `why`, and `seen`: the last file when that was asked for."""
    wanted = job.wanted
    pools.enter_rules(_pool(job), wanted["files"], _actor(job), wanted["why"], wanted["seen"], progress)
    return {}


ACTS: Mapping[str, Act] = {
    "rehearse": rehearse,
    "publish": publish,
    "publish-planned": publish_planned,
    "revise": revise,
    "correct": correct,
    "preview": preview,
    "due": due,
    "verify": verify,
    "members": members,
    "fide": fide,
    "backup": back_up,
    "laboratory": ask_laboratory,
    "rehearse-reform": rehearse_reform,
    "coming": coming,
    "rules": rules,
}
