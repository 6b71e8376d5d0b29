"""Who finds it when the past of an office is changed: each way, by who has the database, and the key, too.

    python bench/attacks.py [WORDS]                                              (SQLite)
    DATABASE_URL=postgres://office@127.0.0.1:5432/postgres python bench/attacks.py [WORDS]

It prints for each way of `tests/office/attacks.py` (or those with WORDS in them) what `verify --all` says,
and what a club says that has kept one mail: of who has the database alone, and of who also made the log fit
what was changed, and signed it by the office's key (then `verify --all` is asked only where the club finds
nothing). It ends with 1 where nobody finds something. The database is a new one, taken out again.
"""

from __future__ import annotations

import logging
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
import django_office  # noqa: F401 - sets Django up, with an office's folder of its own
from django.conf import settings
from django.db import connection, transaction
from django.test.utils import get_runner, setup_test_environment
from office.attacked_office import Found, attacked_office, play
from office.attacks import ATTACKS, with_key


def line(found: Found) -> list[str]:
    """What verify says, the first of it, and what the club says."""
    first, *more = found.verify or ("",)
    return [f"{first} +{len(more)}" if more else first, found.club]


def main() -> int:
    setup_test_environment()
    logging.disable()
    runner = get_runner(settings)(verbosity=0, interactive=False)
    databases = runner.setup_databases()
    try:
        return attack_all()
    finally:
        runner.teardown_databases(databases)


def attack_all() -> int:
    heads = ("changed", "verify", "club", "verify, with the key", "club, with the key")
    table = Table(*heads, title=connection.vendor)
    chosen = {what: change for what, change in ATTACKS.items() if " ".join(sys.argv[1:]) in what}
    missed, begun = 0, time.process_time()
    with transaction.atomic():
        office = attacked_office()
        for what, change in chosen.items():
            found = [play(office, change, with_key=False)]
            found += [play(office, change, with_key=True)] if what in with_key() else []
            missed += not found[0].verify or not any(found[-1])
            table.add_row(what, *(cell for each in found for cell in line(each)))
            print(what, *found, file=sys.stderr, flush=True)
        transaction.set_rollback(True)
    Console(width=170).print(table)
    took = time.process_time() - begun
    print(f"{len(chosen)} ways, {missed} not found; processor time {took:.0f} s")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
