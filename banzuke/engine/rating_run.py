"""Rate a whole ledger and write the contract's files: whole, or not at all."""

import csv
import errno
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from banzuke.core.fault import RefusedError, fault
from banzuke.core.gc_pause import uncollected
from banzuke.engine import go_history, history, result_rows
from banzuke.engine.list_text import ListText, csv_line
from banzuke.ledger import pool_rules
from banzuke.ledger.folder import ChessLedger, GoLedger, Ledger
from banzuke.ledger.safe_writing import terminable, uninterrupted

LISTS, ADJUSTED = "lists.csv", "adjusted.csv"

#: Called with what is done, what there is to do, and what is done next.
Progress = Callable[[int, int, str], None]


class Summary(NamedTuple):
    """What a run did: its lists (or games, for Go) and the verdicts of all lines."""

    lists: list[str]
    lines: int
    verdicts: Counter[str]
    ignored_declarations: int


def no_progress(_done: int, _all: int, _what: str) -> None:
    """No progress shown."""


def rate_ledger(
    ledger: Ledger,
    out: Path,
    until: str | None = None,
    *,
    as_parquet: bool = False,
    progress: Progress = no_progress,
) -> Summary:
    """Write the files of `rate` into the folder `out`, made where it is missing.

    The files appear together when all is done. `progress(done, all, what)` is called between
    lists (for Go, every 10,000 games). Raises UnknownListError for an `until` that is none,
    RefusedError for an `out` that is a ledger (its standings.csv would be lost), and OSError.
    """
    if isinstance(ledger, GoLedger):
        go_history.moment(until)
    else:
        history.list_names(ledger, until)
    with staging_folder(out) as stage, uncollected():
        if isinstance(ledger, GoLedger):
            summary = _rate_go(ledger, stage, until, progress)
        else:
            summary = _rate_chess(ledger, stage, until, progress)
        if as_parquet:
            convert_all(stage, result_rows.number_columns(ledger.pool))
    return summary


@contextmanager
def staging_folder(out: Path) -> Iterator[Path]:
    """A folder whose files are moved into `out` in the end, if all goes well.

    It lies in `out`, or beside it while there is none: on the same file system.
    """
    if (out / pool_rules.FILE).exists():
        raise RefusedError([fault(str(out), 0, "", "rate-into-ledger")])
    is_new = not out.exists()
    if is_new:
        out.parent.mkdir(parents=True, exist_ok=True)
    elif not out.is_dir():
        raise _cannot_be_written(errno.ENOTDIR, out)
    with terminable():
        stage = Path(tempfile.mkdtemp(prefix=".banzuke.", suffix=".part", dir=out.parent if is_new else out))
        try:
            yield stage
            with uninterrupted():
                _put_in_place(stage, out, is_new=is_new)
        finally:
            shutil.rmtree(stage, ignore_errors=True)


def _put_in_place(stage: Path, out: Path, *, is_new: bool) -> None:
    """The stage becomes `out`, or its files replace those of `out`, none where one cannot."""
    if is_new:
        stage.chmod(0o755)
        stage.rename(out)
        return
    targets = {path: _target(out / path.name) for path in sorted(stage.iterdir())}
    if (stage / LISTS).exists() or (stage / LISTS).with_suffix(".parquet").exists():
        for suffix in (".csv", ".parquet"):  # an earlier run's, where this one adjusted nothing
            (out / ADJUSTED).with_suffix(suffix).unlink(missing_ok=True)
    for path, target in targets.items():
        path.replace(target)
        twin = ".csv" if path.suffix == ".parquet" else ".parquet"
        (out / path.name).with_suffix(twin).unlink(missing_ok=True)


def _target(path: Path) -> Path:
    """Where a result of that name goes, which may be a link. Raises OSError where it cannot."""
    try:
        target = path.resolve()
    except RuntimeError:  # links that lead to each other
        raise _cannot_be_written(errno.ELOOP, path) from None
    if target.is_dir():
        raise _cannot_be_written(errno.EISDIR, path)
    if target.parent.stat().st_dev != path.parent.stat().st_dev:  # files are renamed within one alone
        raise _cannot_be_written(errno.EXDEV, path)
    return target


def _cannot_be_written(why: int, path: Path) -> OSError:
    return OSError(why, os.strerror(why), str(path))


def convert_all(stage: Path, counts: dict[str, frozenset[str]]) -> None:
    """The CSV files of the stage become Parquet files, those that the columnar engine writes."""
    from banzuke.engine.columnar.result_files import convert

    for path in sorted(stage.glob("*.csv")):
        convert(path, counts[path.name])


def _write(path: Path, header: tuple[str, ...], rows: Iterable[result_rows.Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def _append_adjusted(stage: Path, rated: history.RatedList) -> None:
    """The rows of adjusted.csv, which is there only if it has some."""
    if rated.adjusted.rows:
        path = stage / ADJUSTED
        is_new = not path.exists()
        with path.open("a", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerows([result_rows.ADJUSTED] if is_new else [])
            writer.writerows(result_rows.adjusted_rows(rated))


def _rate_chess(ledger: ChessLedger, stage: Path, until: str | None, progress: Progress) -> Summary:
    names = history.list_names(ledger, until)
    verdicts: Counter[str] = Counter()
    with (
        (stage / LISTS).open("w", encoding="utf-8", newline="") as lists,
        (stage / "changes.csv").open("w", encoding="utf-8", newline="") as changes,
    ):
        change_writer = csv.writer(changes, lineterminator="\n")
        header = result_rows.list_header(ledger.pool.editions)
        list_text = ListText(header[len(result_rows.LISTS) :])
        lists.write(csv_line(header))
        change_writer.writerow(result_rows.CHANGES)
        for number, rated in enumerate(history.history(ledger, names)):
            progress(number, len(names), rated.batch.name)
            change_writer.writerows(result_rows.change_rows(rated))
            lists.write(list_text.lines(rated))
            _append_adjusted(stage, rated)
            for lines in rated.outcome.events:
                verdicts.update(line.verdict for line in lines.lines)
    progress(len(names), len(names), "")
    return Summary(names, verdicts.total(), verdicts, 0)


def _rate_go(ledger: GoLedger, stage: Path, until: str | None, progress: Progress) -> Summary:
    at = go_history.moment(until)
    run = go_history.opening(ledger)
    verdicts: Counter[str] = Counter()

    def rows() -> Iterator[result_rows.Row]:
        for number, rated in enumerate(go_history.history(ledger, run, at)):
            if number % 10_000 == 0:
                progress(number, len(ledger.games), rated.game.game_id)
            verdicts[rated.black.verdict] += 1
            verdicts[rated.white.verdict] += 1
            yield from result_rows.go_change_rows(rated)

    _write(stage / "changes.csv", result_rows.GO_CHANGES, rows())
    standings = (result_rows.go_standing_row(player, run.states[player]) for player in sorted(run.states))
    _write(stage / "standings.csv", result_rows.GO_STANDINGS, standings)
    progress(len(ledger.games), len(ledger.games), "")
    return Summary([], verdicts.total(), verdicts, len(run.ignored))
