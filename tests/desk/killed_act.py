"""An office whose acts are killed: run as a program, in a process of its own for each act.

killed_act.py fill POOL...               pools with lists published, more to come, a correction drafted
killed_act.py publish|correct POOL STEP  the act, killed by SIGKILL at that step (of any other name: by whoever likes)
killed_act.py look POOL...               what is there, as JSON, before and after the act is done once more
"""

from __future__ import annotations

import json
import os
import signal
import sys
from datetime import date, timedelta
from pathlib import Path

LEDGER = Path(__file__).parents[2] / "examples" / "japan"
TODAY = date(2030, 1, 1)
#: Where an act is killed: while lists are rated, when they are, at the first list's record, between its rows and
#: its lines, in the middle of the lists, when all is written, and when all is done.
STEPS = ("rating", "rated", "writing", "between", "middle", "written", "done")


def main():
    from banzuke.server.setup import open_office

    open_office()
    act, *words = sys.argv[1:]
    if act == "fill":
        for slug in words:
            fill(slug)
    elif act == "look":
        sys.stdout.write(json.dumps({slug: look(slug) for slug in words}))
    else:
        slug, step = words
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        do(act, slug, killer(step))
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


def fill(slug):
    """A pool of which all lists but the last are published, and an inquiry about the first."""
    from banzuke.book.folders import enter_folder
    from banzuke.book.reading import read_book
    from banzuke.core import facts
    from banzuke.desk.lists import drafts, listing
    from banzuke.desk.lists.correcting import ask
    from banzuke.desk.lists.publishing import publish
    from banzuke.desk.rows import standing_rows

    pool = enter_folder(slug, LEDGER, "test")
    publish(pool, listing.names_of(read_book(pool))[-4], officer(), TODAY)
    day = listing.current(pool).last().day + timedelta(days=10)
    row = standing_rows(pool, facts.Game).filter(result="1-0").first()
    drafts.draft_change(ask(pool, day, "A. Member", "a result", officer()), "games", row.pk, result="0-1")


def officer():
    from banzuke.desk.journal import Actor

    return Actor("officer")


def do(act, slug, progress=None):
    """The act; the lists that it published."""
    from banzuke.book.models import Pool
    from banzuke.book.reading import read_book
    from banzuke.desk.lists.correcting import carry_out
    from banzuke.desk.lists.listing import names_of
    from banzuke.desk.lists.publishing import publish
    from banzuke.office.rating_run import silent

    pool, progress = Pool.objects.get(slug=slug), progress or silent
    if act == "publish":
        return publish(pool, names_of(read_book(pool))[-1], officer(), TODAY, None, progress)
    return carry_out(pool.inquiries.get(), officer(), "wrong result", TODAY, progress)


def look(slug):
    """What is there; then, after the act that was killed was done once more, what is there in the end."""
    from banzuke.desk.refusals import NotDoneError

    act, *_ = slug.split("-")
    before = state(slug)
    try:
        again = [str(each) for each in do(act, slug)]
    except NotDoneError as refusal:
        again = type(refusal).__name__
    return {"before": before, "again": again, "after": state(slug), "good": is_good(slug)}


def is_good(slug):
    """Whether every list is what its ledger gives."""
    from banzuke.book.models import RatingList
    from banzuke.desk.lists.verifying import verify

    lists = RatingList.objects.filter(pool__slug=slug)
    return all(verify(each.pool, each.name, each.revision).is_good for each in lists)


def state(slug):
    """Counts of what a pool holds."""
    from banzuke.book.models import Game, InquiryStep, JournalEntry, Pool, RatingList, Strike

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
