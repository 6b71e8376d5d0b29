"""An office whose acts are killed: run as a program, in a process of its own for each act.

killed_act.py fill POOL...               pools with lists published, more to come, a correction drafted
killed_act.py publish|correct|revise POOL STEP  the act, killed by SIGKILL at that step; at "wait" it waits, with
                                         its lists made, for one other that waits
killed_act.py due POOL                   the lists that need a revision, and the revisions there are, as JSON
killed_act.py look POOL...               what is there, as JSON, before and after the act is done once more
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from datetime import date, timedelta
from pathlib import Path

LEDGER = Path(__file__).parents[2] / "examples" / "japan"
TODAY = date(2030, 1, 1)
#: Where an act is killed: while lists are rated, when they are, at the first list's record, between its rows and
#: its lines, in the middle of the lists, when all is written, and when all is done.
STEPS = ("rating", "rated", "writing", "between", "middle", "written", "done")


def main():
    from banzuke.server.office_opening import open_office

    open_office()
    act, *words = sys.argv[1:]
    if act == "fill":
        for slug in words:
            fill(slug)
    elif act == "due":
        sys.stdout.write(json.dumps(due(*words)))
    elif act == "look":
        sys.stdout.write(json.dumps({slug: look(slug) for slug in words}))
    else:
        slug, step = words
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        do(act, slug, wait_for_the_other if step == "wait" else killer(step))
        if step == "done":
            die()


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def killer(step):
    """A progress that kills this process at that step of its act."""
    from django.db import connection

    writes = []

    def progress(done, of, _what):
        if not connection.in_atomic_block:
            place = "rated" if done == of else "rating"
        else:
            writes.append(done)
            place = {1: "writing", 2: "between"}.get(len(writes), "middle" if 0 < done < of else "")
            place = "written" if done == of else place
        if place == step:
            die()

    return progress


def wait_for_the_other(done, of, _what):
    """A progress that goes on when two processes have made their lists and none has stored any."""
    from django.conf import settings
    from django.db import connection

    if done == of and not connection.in_atomic_block:
        settings.HOME.joinpath(f"{sys.argv[2]}-{os.getpid()}.made").touch()
        until = time.monotonic() + 60
        while len(list(settings.HOME.glob(f"{sys.argv[2]}-*.made"))) < 2 and time.monotonic() < until:
            time.sleep(0.01)


def fill(slug):
    """A pool of which all lists but the last are published, and an inquiry about the first."""
    from banzuke.core import facts
    from banzuke.database.book_reader import read_book
    from banzuke.database.ledger_folders import enter_folder
    from banzuke.office.fact_rows import standing_rows
    from banzuke.office.lists import correction_drafts, list_index
    from banzuke.office.lists.corrections import open_inquiry
    from banzuke.office.lists.publishing import publish

    pool = enter_folder(slug, LEDGER, "test")
    publish(pool, list_index.names_of(read_book(pool))[-4], officer(), TODAY)
    if slug == "due-revise":
        enter_late_game(pool)
    day = list_index.current_lists(pool).last().day + timedelta(days=10)
    row = standing_rows(pool, facts.Game).filter(result="1-0").first()
    correction_drafts.draft_change(
        open_inquiry(pool, day, "A. Member", "a result", officer()), "games", row.pk, result="0-1"
    )


def enter_late_game(pool):
    from banzuke.core import facts
    from banzuke.database.book_writer import Act, add_facts, new_entry
    from banzuke.office.fact_rows import TABLES, standing_rows

    game = standing_rows(pool, facts.Game).first()
    with new_entry(pool, Act("officer", "test")) as entry:
        late = facts.Game(game.event_id, 99, game.white, game.black, "1-0")
        add_facts(entry, TABLES[facts.Game], [late])


def officer():
    from banzuke.office.journal import Actor

    return Actor("officer")


def do(act, slug, progress=None):
    """The act; the lists that it published."""
    from banzuke.database.book_reader import read_book
    from banzuke.database.models import Pool
    from banzuke.engine.rating_run import no_progress
    from banzuke.office.lists.corrections import carry_out, revise
    from banzuke.office.lists.list_index import names_of
    from banzuke.office.lists.publishing import publish

    pool, progress = Pool.objects.get(slug=slug), progress or no_progress
    if act == "publish":
        return publish(pool, names_of(read_book(pool))[-1], officer(), TODAY, None, progress)
    if act == "revise":
        return revise(pool, officer(), "a game was missing", progress)
    return carry_out(pool.inquiries.get(), officer(), "wrong result", TODAY, progress)


def look(slug):
    """What is there; then, after the act that was killed was done once more, what is there in the end."""
    from banzuke.office.refusals import NotDoneError

    act, *_ = slug.split("-")
    before = state(slug)
    try:
        again = [str(each) for each in do(act, slug)]
    except NotDoneError as refusal:
        again = type(refusal).__name__
    return {"before": before, "again": again, "after": state(slug), "good": is_good(slug)}


def due(slug):
    """What is due in a pool, whether its lists are good, and their revisions."""
    from banzuke.database.models import Pool
    from banzuke.office.lists.corrections import due_revisions

    pool = Pool.objects.get(slug=slug)
    names = [each.name for each in due_revisions(pool).lists]
    revisions = list(pool.lists.order_by("number").values_list("revision", flat=True))
    return {"due": names, "good": is_good(slug), "revisions": revisions}


def is_good(slug):
    """Whether every list is what its ledger gives."""
    from banzuke.database.models import RatingList
    from banzuke.office.lists.verification import verify

    lists = RatingList.objects.filter(pool__slug=slug)
    return all(verify(each.pool, each.name, each.revision).is_good for each in lists)


def state(slug):
    """Counts of what a pool holds."""
    from banzuke.database.models import Game, InquiryStep, JournalEntry, Pool, RatingList, Strike

    pool = Pool.objects.get(slug=slug)
    lists = RatingList.objects.filter(pool=pool).order_by("number")
    return {
        "lists": [str(each) for each in lists],
        "rows": [each.rows.count() for each in lists],
        "lines": [each.lines.count() for each in lists],
        "workings": [each.workings.count() for each in lists],
        "figures": [each.figures.count() for each in lists],
        "games": Game.objects.filter(pool=pool).count(),
        "strikes": Strike.objects.filter(pool=pool).count(),
        "inquiry": pool.inquiries.get().state,
        "steps": InquiryStep.objects.filter(inquiry__pool=pool).count(),
        "acts": JournalEntry.objects.filter(pool=pool, act__in=("publish", "correct")).count(),
    }


if __name__ == "__main__":
    main()
