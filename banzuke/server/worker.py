"""The worker of long acts, a process of its own beside the pages: `python -m banzuke.server.worker`."""

import fcntl
import logging
import os
import signal
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, TextIO

from banzuke.server.log_format import print_places_only
from banzuke.server.office_opening import open_office

LOG = logging.getLogger(__name__)
#: Seconds between two looks for a job, until a database that failed is tried again, and left to others
#: after some names were made findable.
STEP, PATIENCE, PAUSE = 0.5, 5, 0.02
#: Seconds between two looks whether a coming list is to be made again.
LOOK = 2
#: Seconds at a look for what a killed process left: rows of an import, and games to be told by new rules.
LEFT_WITHIN = 1


def main() -> None:
    """Work off jobs until SIGTERM, or until the process that started this one is gone."""
    print_places_only()
    open_office()
    stop = threading.Event()

    def end(*_: Any) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    threading.Thread(target=_beat, args=(stop,), daemon=True).start()
    _work(stop, os.getppid())


def _beat(stop: threading.Event) -> None:
    from banzuke.office.jobs.heartbeat import EVERY, beat

    while not stop.is_set():
        with suppress(OSError):  # a disk that is full or cannot be written to may be mended while we wait
            beat()
        stop.wait(EVERY)


def _work(stop: threading.Event, parent: int) -> None:
    """Jobs, one after another; those that a worker before this one left behind are marked first.

    While another worker of the office is at work, this one waits: what that one does would seem left behind.
    """
    from django.conf import settings

    from banzuke.server.webhook_sender import WebhookSender

    with (settings.HOME / "worker-lock").open("w") as lock:
        while not _take_lock(lock):
            if stop.wait(STEP) or os.getppid() != parent:
                return
        threading.Thread(target=WebhookSender(stop).run, daemon=True).start()
        while not _work_off_jobs(stop, parent):
            if stop.wait(PATIENCE) or os.getppid() != parent:
                return


def _work_off_jobs(stop: threading.Event, parent: int) -> bool:
    """Work until the end; between the jobs make names findable, and enter what is due into the log.

    False if the database failed, which whoever runs the office may mend.
    """
    from django.db import Error, connection
    from django.utils.timezone import localdate

    from banzuke.database.outages import outage_of
    from banzuke.office.administration import uploads
    from banzuke.office.administration.hidden_pools import remove_abandoned_pools
    from banzuke.office.jobs.coming_jobs import start_due
    from banzuke.office.jobs.job_queue import interrupt_running, interrupt_silent, work_off
    from banzuke.office.jobs.late_lists import enter_late_lists
    from banzuke.office.jobs.planned_publications import start_due_publications
    from banzuke.office.lists.preliminary_lists import make_due_lists_final
    from banzuke.office.live.next_standings import tell_waiting_lines
    from banzuke.office.objections.kept_addresses import forget_addresses
    from banzuke.office.objections.writer_mails import send_due_mails
    from banzuke.office.pages.public_ledgers import make_wanted_ledger
    from banzuke.office.reforms.reform_acts import bring_due_reforms_into_force
    from banzuke.office.search.search_index import index_some
    from banzuke.office.transparency.logged_rows import log_new_rows

    try:
        interrupt_running()
        looked = time.monotonic() - LOOK
        while not stop.wait(0 if work_off() else PAUSE if index_some() else STEP) and os.getppid() == parent:
            interrupt_silent(datetime.now(UTC))
            if time.monotonic() - looked >= LOOK:
                start_due()
                tell_waiting_lines(LEFT_WITHIN)
                bring_due_reforms_into_force(localdate())  # first: lists that are planned may depend on it
                start_due_publications(datetime.now(UTC))
                make_due_lists_final(localdate())
                enter_late_lists()
                log_new_rows()
                make_wanted_ledger()
                send_due_mails(datetime.now(UTC))
                forget_addresses(datetime.now(UTC))
                uploads.clear_old_files()
                remove_abandoned_pools(LEFT_WITHIN)  # last: should it fail, the rest was done
                looked = time.monotonic()
    except (Error, OSError) as error:
        why = outage_of(error)
        if why is None:
            raise
        LOG.error(why.said)  # noqa: TRY400  # one line, and no place in the program
        connection.close_if_unusable_or_obsolete()
        return False
    return True


def _take_lock(lock: TextIO) -> bool:
    """Whether the lock is ours; the system opens it when its process ends, however that ends."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


if __name__ == "__main__":
    main()
