"""Rate a whole ledger and write the contract's files: whole, or not at all."""

from __future__ import annotations

import csv
import shutil
import tempfile
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from banzuke.ledger import parquet
from banzuke.ledger.folder import ChessLedger, GoLedger
from banzuke.office import go_history, history, results

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from banzuke.ledger.folder import Ledger

    Progress = Callable[[int, int, str], None]


class Summary(NamedTuple):
    """What a run did: its lists (or games, for Go) and the verdicts of all lines."""

    lists: list[str]
    lines: int
    verdicts: Counter[str]
    ignored_declarations: int


def silent(_done: int, _all: int, _what: str) -> None:
    """No progress shown."""


def rate_ledger(
    ledger: Ledger,
    out: Path,
    until: str | None = None,
    *,
    as_parquet: bool = False,
    progress: Progress = silent,
) -> Summary:
    """Write the files of `rate` into the folder `out`, made where it is missing.

    The files appear together when all is done. `progress(done, all, what)` is called between
    lists (for Go, every 10,000 games). Raises UnknownListError for an `until` that is none.
    """
    with _staged(out) as stage:
        if isinstance(ledger, GoLedger):
            summary = _rate_go(ledger, stage, until, progress)
        else:
            summary = _rate_chess(ledger, stage, until, progress)
        if as_parquet:
            for path in sorted(stage.glob("*.csv")):
                parquet.convert(path, results.COUNTS)
    return summary


@contextmanager
def _staged(out: Path) -> Iterator[Path]:
    """A folder beside `out` whose files are moved into it in the end, if all goes well."""
    out.parent.mkdir(parents=True, exist_ok=True)
    stage = Path(tempfile.mkdtemp(prefix=f".{out.name}.", suffix=".part", dir=out.parent))
    try:
        yield stage
        stage.chmod(0o755)
        if out.exists():
            for path in sorted(stage.iterdir()):
                path.replace(out / path.name)
        else:
            stage.rename(out)
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _write(path: Path, header: tuple[str, ...], rows: Iterable[results.Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def _rate_chess(ledger: ChessLedger, stage: Path, until: str | None, progress: Progress) -> Summary:
    names = history.list_names(ledger, until)
    verdicts: Counter[str] = Counter()
    with (
        (stage / "lists.csv").open("w", encoding="utf-8", newline="") as lists,
        (stage / "changes.csv").open("w", encoding="utf-8", newline="") as changes,
    ):
        list_writer, change_writer = (csv.writer(f, lineterminator="\n") for f in (lists, changes))
        list_writer.writerow(results.LISTS)
        change_writer.writerow(results.CHANGES)
        for number, rated in enumerate(history.history(ledger, names)):
            progress(number, len(names), rated.batch.name)
            change_writer.writerows(results.change_rows(rated))
            list_writer.writerows(results.list_rows(rated))
            for lines in rated.outcome.events:
                verdicts.update(line.verdict for line in lines.lines)
    progress(len(names), len(names), "")
    return Summary(names, verdicts.total(), verdicts, 0)


def _rate_go(ledger: GoLedger, stage: Path, until: str | None, progress: Progress) -> Summary:
    at = go_history.moment(until)
    run = go_history.opening(ledger)
    verdicts: Counter[str] = Counter()

    def rows() -> Iterator[results.Row]:
        for number, rated in enumerate(go_history.history(ledger, run, at)):
            if number % 10_000 == 0:
                progress(number, len(ledger.games), rated.game.game_id)
            verdicts[rated.black.verdict] += 1
            verdicts[rated.white.verdict] += 1
            yield from results.go_change_rows(rated)

    _write(stage / "changes.csv", results.GO_CHANGES, rows())
    standings = (results.go_standing_row(player, run.states[player]) for player in sorted(run.states))
    _write(stage / "standings.csv", results.GO_STANDINGS, standings)
    progress(len(ledger.games), len(ledger.games), "")
    return Summary([], verdicts.total(), verdicts, len(run.ignored))
