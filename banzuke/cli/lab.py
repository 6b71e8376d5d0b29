"""banzuke lab: other rules tried, how well ratings foretell, made pools, what cannot be believed."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from banzuke.cli.command import INTERRUPTED, NO, LedgerArgument, UntilOption, command, leave
from banzuke.cli.output import Bar, print_json, print_line, print_table, text, wants_json
from banzuke.cli.spark_cluster import cluster
from banzuke.core.fault import RefusedError, fault, refuse_any
from banzuke.core.registry import BOOKS
from banzuke.engine.output_file import put
from banzuke.lab import is_installed
from banzuke.ledger import pool_rules
from banzuke.ledger.reforms import read_reform
from banzuke.words import preferred_language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from banzuke.core.fault import Fault
    from banzuke.engine.rating_run import Progress
    from banzuke.lab.answers import Question
    from banzuke.lab.parallel_runs import Spread
    from banzuke.lab.report_page import Report
    from banzuke.lab.sheets import Sheet
    from banzuke.words import Language

#: What lies in the folder of a report beside its tables: the page, and the finished parts.
PAGE, KEPT = "report.html", "finished"

BooksOption = Annotated[str, typer.Option("--books", metavar="BOOK,BOOK", help=text("lab-books"))]
SetOption = Annotated[list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help=text("lab-set"))]
ReformOption = Annotated[list[Path] | None, typer.Option("--reform", metavar="FILE", help=text("lab-reform"))]
MasterOption = Annotated[str, typer.Option("--master", metavar="URL", help=text("lab-master"))]
OutOption = Annotated[Path | None, typer.Option("--out", metavar="DIR", help=text("lab-out"))]


@command
def compare(
    folder: LedgerArgument,
    books: BooksOption = "",
    settings: SetOption = None,
    reforms: ReformOption = None,
    until: UntilOption = None,
    master: MasterOption = "",
    out: OutOption = None,
) -> None:
    """Try other rules on a ledger."""
    with _at_work(out, master) as (show, spread):
        from banzuke.lab.answers import compared

        asked = _question(books, settings, reforms, out, until)._replace(spread=spread)
        report = compared(folder, asked, show)
    _tell(report, out)


@command
def predict(
    folder: LedgerArgument,
    books: BooksOption = "",
    settings: SetOption = None,
    reforms: ReformOption = None,
    until: UntilOption = None,
    published: Annotated[
        Path | None, typer.Option("--published", metavar="FILE", help=text("lab-published"))
    ] = None,
    out: OutOption = None,
) -> None:
    """Judge how well ratings foretell results."""
    with _at_work(out) as (show, _):
        from banzuke.lab.answers import foretold

        asked = _question(books, settings, reforms, out, until)._replace(published=published)
        report = foretold(folder, asked, show)
    _tell(report, out)


@command
def simulate(
    books: BooksOption,
    settings: SetOption = None,
    reforms: ReformOption = None,
    pools: Annotated[int, typer.Option("--pools", min=2, max=1000, help=text("lab-pools"))] = 4,
    players: Annotated[int, typer.Option("--players", min=50, max=100_000, help=text("lab-players"))] = 300,
    years: Annotated[int, typer.Option("--years", min=1, max=50, help=text("lab-years"))] = 6,
    seed: Annotated[int, typer.Option("--seed", min=0, max=1_000_000, help=text("lab-seed"))] = 0,
    master: MasterOption = "",
    out: OutOption = None,
) -> None:
    """Play made pools of known strength through rule books."""
    with _at_work(out, master) as (show, spread):
        from banzuke.lab.answers import Made, simulated

        asked = _question(books, settings, reforms, out)._replace(spread=spread)
        report = simulated(Made(pools, players, years, seed), asked, show)
    _tell(report, out)


@command
def anomalies(folder: LedgerArgument, out: OutOption = None) -> None:
    """Look for what cannot be believed."""
    with _at_work(out) as (show, _):
        from banzuke.lab.answers import suspected

        report = suspected(folder, _question("", None, None, out), show)
    _tell(report, out)


@command
def numbers(
    book: Annotated[str, typer.Argument(metavar="BOOK", help=text("lab-numbers-book"))],
) -> None:
    """List the numbers of a rule book that may be tried at other values."""
    from banzuke.lab.numbers import numbers_of

    if book not in BOOKS:
        raise RefusedError([fault("BOOK", 0, book, "lab-no-book", known=", ".join(BOOKS))])
    lang, found = preferred_language(), numbers_of(BOOKS[book]).values()
    rows = [
        (
            each.name,
            each.value,
            *each.bounds,
            each.parameter.unit,
            each.parameter.label(lang),
            each.parameter.clause,
        )
        for each in found
    ]
    heads = ("number", "value", "least", "most", "unit", "label", "clause")
    if wants_json():
        print_json([dict(zip(heads, row, strict=True)) for row in rows])
    else:
        names = [text(f"lab-{head}") if head != "clause" else text("clause") for head in heads]
        print_table("", tuple(names), [(name, str(value), *map(str, rest)) for name, value, *rest in rows])


@contextmanager
def _at_work(out: Path | None, master: str = "") -> Iterator[tuple[Progress, Spread | None]]:
    """A progress bar and, with a cluster's address, a way to it; who interrupts is told how to go on.

    Leaves, with what to install, without the extra.
    """
    if not is_installed():
        leave(text("no-lab"), NO)
    if out is not None and (out / pool_rules.FILE).exists():
        raise RefusedError([fault(str(out), 0, "", "rate-into-ledger")])
    try:
        with _spread(master) as spread, Bar(text("lab-progress")) as show:
            yield show, spread
    except KeyboardInterrupt:
        leave(text("lab-interrupted" if out else "lab-interrupted-lost", out=out), INTERRUPTED)


@contextmanager
def _spread(master: str) -> Iterator[Spread | None]:
    """The tasks of a cluster; without its address nothing, for then they stay here."""
    if not master:
        yield None
        return
    with cluster(master) as spark:
        from banzuke.engine.spark.cluster_tasks import map_tasks

        yield partial(map_tasks, spark)


def _question(
    books: str,
    settings: list[str] | None,
    reforms: list[Path] | None,
    out: Path | None,
    until: str | None = None,
) -> Question:
    """What the options ask. Raises RefusedError for a reform file that is wrong."""
    from banzuke.lab.answers import Question

    faults: list[Fault] = []
    read = [read_reform(path, faults) for path in reforms or []]
    refuse_any(faults)
    names = [name.strip() for name in books.split(",") if name.strip()]
    return Question(names, settings or [], [reform for reform in read if reform], until, out and out / KEPT)


def _tell(report: Report, out: Path | None) -> None:
    """What was found: into the folder, and in short for who waits."""
    from banzuke.lab.report_page import page
    from banzuke.lab.sheets import write_sheets

    lang = preferred_language()
    if out is not None:
        write_sheets(out, report.sheets)
        put(out / PAGE, page(report, lang))
    if wants_json():
        print_json(_facts(report, out, lang))
    else:
        _print(report, out, lang)


def _facts(report: Report, out: Path | None, lang: Language) -> dict[str, object]:
    """A report for programs."""
    from banzuke.lab.report_page import sentence

    return {
        "title": sentence(report.title, lang),
        "lead": sentence(report.lead, lang),
        "figures": dict(report.figures),
        "report": str(out / PAGE) if out else None,
        "tables": {sheet.name: _rows(sheet) for sheet in report.sheets},
    }


def _rows(sheet: Sheet) -> list[dict[str, object]]:
    return [dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows]


def _print(report: Report, out: Path | None, lang: Language) -> None:
    """A report for people: what one asks first, and where the rest is."""
    from banzuke.lab.report_page import sentence, shown, title_of
    from banzuke.words import say

    print_line(sentence(report.title, lang), heading=True)
    for note in (report.lead, *report.said):
        print_line(sentence(note, lang))
    figures = [(say("lab", key, lang), shown(cell, lang)) for key, cell in report.figures]
    if figures:
        print_table("", (text("lab-figure"), text("lab-value")), figures, numbers=1)
    tables = [(sheet.name, title_of(sheet, lang), f"{len(sheet.rows):,}") for sheet in report.sheets]
    print_table("", (text("lab-table"), text("title"), text("lab-rows")), tables, numbers=1)
    print_line(text("lab-written", page=out / PAGE, out=out) if out else text("lab-not-written"))
