"""The long acts of an office of a made-up federation: import, rehearse, publish, correct, verify, a reform.

    python bench/long_acts.py [--games 100000] [--players 20000] [--lists 24]

The office is a throw-away one: in a temporary folder on SQLite, or in the empty database that DATABASE_URL
names. All lists but the last are published first, in one act; then each of the acts is timed once.
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
import time
from contextlib import contextmanager
from datetime import date, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from banzuke.ledger.folder import ChessLedger

TODAY = date(2035, 1, 1)
#: Numbers of the rule book and an adjustment, as a reform has them.
NUMBERS = '[set]\n"jcf.k_new" = 32\n"jcf.k_normal" = 30\n'
ADJUSTMENT = '[adjustment]\npoints = "1000:1400 2000:2000"\n'
RULES = 'name = "Bench"\n[[edition]]\nrulebook = "jcf-2024"\nfrom = 2022-09-01\n'


def main() -> None:
    """Fill the office and time its acts."""
    asked = _asked()
    os.environ.setdefault("BANZUKE_HOME", tempfile.mkdtemp(prefix="banzuke-bench-"))
    from banzuke.server.office_opening import open_office

    open_office()
    from django.db import connection
    from synthetic_pools import chess_pool

    print(f"{platform.python_version()}, {os.cpu_count()} cores, {connection.vendor}")
    print(f"{asked.games:,} games, {asked.players:,} players, {asked.lists} lists\n")
    acts(chess_pool("jcf-2024", asked.games, asked.players, asked.lists))


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--players", type=int, default=20_000)
    parser.add_argument("--lists", type=int, default=24)
    return parser.parse_args()


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print how long the block took, by the clock and of this process's time."""
    start, used = time.perf_counter(), time.process_time()
    yield
    took, used = time.perf_counter() - start, time.process_time() - used
    print(f"{what:<44}{took:8.2f} s{used:8.2f} s", flush=True)


def acts(ledger: ChessLedger) -> None:
    """Each act once, timed."""
    from banzuke.core import facts
    from banzuke.database.book_reader import read_book
    from banzuke.database.book_writer import Act, enter_ledger
    from banzuke.office.fact_rows import standing_rows
    from banzuke.office.journal import Actor
    from banzuke.office.json_codec import to_json
    from banzuke.office.lists import (
        correction_drafts,
        corrections,
        list_index,
        publishing,
        rehearsal,
        verification,
    )
    from banzuke.office.pages import rating_explanations
    from banzuke.office.reforms import reform_files, reform_rehearsal

    chief = Actor("bench")
    with timed("import"):
        pool = enter_ledger("bench", ledger, {"pool.toml": RULES}, Act("bench", "import-ledger"))
    with timed("read from the database"):
        names = list_index.names_of(read_book(pool))
    with timed(f"publish {len(names) - 1} lists, the first of all"):
        publishing.publish(pool, names[-2], chief, TODAY)
    with timed("rehearse the coming list"):
        seen = rehearsal.rehearse(pool, names[-1], TODAY)
    with timed("  and keep what is shown of it"):
        to_json(seen)
    with timed("publish it"):
        publishing.publish(pool, names[-1], chief, TODAY, seen.position)
    wrong = list_index.revisions_of(pool, names[-3]).get()
    inquiry = corrections.open_inquiry(pool, wrong.day + timedelta(days=70), "A. Member", "a result", chief)
    row = standing_rows(pool, facts.Game).filter(event_id=wrong.lines.first().event_id, result="1-0").first()
    correction_drafts.draft_change(inquiry, "games", row.pk, result="0-1")
    with timed("preview a correction of three lists"):
        preview = corrections.preview(inquiry, TODAY)
    print(f"  {len(preview.lists)} lists, {len(preview.differences)} rows, {len(preview.lines)} lines change")
    with timed("carry it out"):
        corrections.carry_out(inquiry, chief, "bench", TODAY)
    with timed("verify the last list"):
        assert verification.verify(pool, names[-1]).is_good
    for what, tables in (("numbers, on a year of lists", NUMBERS), ("an adjustment, on a list", ADJUSTMENT)):
        reform = reform_files.reform_for(pool, f'name = "Bench"\nfrom = {TODAY}\n{tables}', TODAY)
        with timed(f"rehearse a reform: {what}"):
            reform_rehearsal.rehearse(pool, reform)
    player = list_index.latest_list(pool).workings.first().player_id
    with timed("a player's working"):
        rating_explanations.explain_rating(list_index.latest_list(pool), player, "standard", "en")


if __name__ == "__main__":
    main()
