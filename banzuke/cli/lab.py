"""banzuke lab: other rules tried, how well ratings foretell, synthetic pools, what cannot be believed."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from banzuke.cli.command import INTERRUPTED, NO, LedgerArgument, UntilOption, command, leave
from banzuke.cli.output import Bar, complain, print_json, print_line, print_table, show, text, wants_json
from banzuke.cli.spark_cluster import cluster
from banzuke.core.fault import RefusedError, fault, refuse_any
from banzuke.core.registry import BOOKS
from banzuke.engine.output_file import write_export
from banzuke.lab import is_installed
from banzuke.lab.report_page import Report, cell_text, page, sentence, title_of
from banzuke.lab.report_pdf import has_paper, report_pdf
from banzuke.lab.sheets import write_sheets
from banzuke.ledger import pool_rules
from banzuke.ledger.reforms import read_reform
from banzuke.words import Language, preferred_language, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from banzuke.core.fault import Fault
    from banzuke.engine.parallel_runs import Spread
    from banzuke.engine.rating_run import Progress
    from banzuke.lab.comparison import Question
    from banzuke.ledger.reforms import Reform

#: What lies in the folder of a report beside its tables: the page, the PDF, and the finished parts.
PAGE, PAPER, KEPT = "report.html", "report.pdf", "finished"

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
    _report_on_ledger("compare", folder, out, books, settings, reforms, until=until, master=master)


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
    _report_on_ledger("predict", folder, out, books, settings, reforms, until=until, published=published)


@command
def fit(
    folder: LedgerArgument,
    books: BooksOption = "",
    settings: SetOption = None,
    until: UntilOption = None,
    master: MasterOption = "",
    out: OutOption = None,
) -> None:
    """Say which numbers of a rule book predict best."""
    _report_on_ledger("fit", folder, out, books, settings, until=until, master=master)


@command
def simulate(
    books: BooksOption = "",
    like: Annotated[Path | None, typer.Option("--like", metavar="LEDGER", help=text("lab-like"))] = None,
    settings: SetOption = None,
    reforms: ReformOption = None,
    pools: Annotated[int, typer.Option("--pools", min=2, max=1000, help=text("lab-pools"))] = 4,
    players: Annotated[int, typer.Option("--players", min=50, max=100_000, help=text("lab-players"))] = 300,
    years: Annotated[int, typer.Option("--years", min=1, max=50, help=text("lab-years"))] = 6,
    seed: Annotated[int, typer.Option("--seed", min=0, max=1_000_000, help=text("lab-seed"))] = 0,
    master: MasterOption = "",
    out: OutOption = None,
) -> None:
    """Play synthetic pools of known strength through rule books."""

    def ask(question: Question, progress: Progress) -> Report:
        from banzuke.lab.answers import SimulationSize, report_simulation

        return report_simulation(SimulationSize(pools, players, years, seed, like), question, progress)

    _report(ask, out, books, settings, reforms, master=master)


@command
def anomalies(folder: LedgerArgument, out: OutOption = None) -> None:
    """Look for what cannot be believed."""
    _report_on_ledger("anomalies", folder, out)


@command
def account(
    folder: LedgerArgument,
    books: BooksOption = "",
    settings: SetOption = None,
    reforms: ReformOption = None,
    until: UntilOption = None,
    master: MasterOption = "",
    out: OutOption = None,
) -> None:
    """Say who makes a pool's points and who carries them off."""
    _report_on_ledger("account", folder, out, books, settings, reforms, until=until, master=master)


@command
def soundness(
    folder: LedgerArgument,
    books: BooksOption = "",
    settings: SetOption = None,
    reforms: ReformOption = None,
    until: UntilOption = None,
    fide: Annotated[Path | None, typer.Option("--fide", metavar="FILE", help=text("lab-fide"))] = None,
    master: MasterOption = "",
    out: OutOption = None,
) -> None:
    """Say how sound a pool's ratings are."""
    _report_on_ledger(
        "soundness", folder, out, books, settings, reforms, until=until, fide=fide, master=master
    )


@command
def numbers(
    book: Annotated[str, typer.Argument(metavar="BOOK", help=text("lab-numbers-book"))],
) -> None:
    """List the numbers, settings and policies of a rule book that may be tried at other values."""
    from banzuke.core.numbers import numbers_of
    from banzuke.explanations.rule_pages import readings, setting_subject, unit
    from banzuke.lab.overrides import policies_of

    if book not in BOOKS:
        raise RefusedError([fault("BOOK", 0, book, "lab-no-book", known=", ".join(BOOKS))])
    lang, chosen = preferred_language(), BOOKS[book]
    show_unit = str if wants_json() else partial(unit, lang=lang)  # programs read it as the book writes it
    rows: list[tuple[object, ...]] = [
        (each.name, each.value, *each.bounds, show_unit(of.unit), of.label(lang), of.clause)
        for each in numbers_of(chosen).values()
        for of in (each.parameter,)
    ]
    own = {each.setting: each.clause for each in readings(chosen, lang) if each.setting}
    rows += [
        (name, getattr(chosen.settings(), name), None, None, "", setting_subject(chosen, name, lang), clause)
        for name, clause in own.items()
    ]
    rows += [
        (name, value, None, None, "", text(f"lab-policy-{name.replace('_', '-')}"), "")
        for name, value in policies_of(chosen).items()
    ]
    heads = ("number", "value", "least", "most", "unit", "label", "clause")
    if wants_json():
        print_json([dict(zip(heads, row, strict=True)) for row in rows])
        return
    names = [text(f"lab-{head}") if head != "clause" else text("clause") for head in heads]
    words = {True: "true", False: "false"}  # as `--set` takes them
    print_table(
        "",
        names,
        [(name, words[value] if isinstance(value, bool) else value, *rest) for name, value, *rest in rows],
    )


def _report_on_ledger(kind: str, folder: Path, out: Path | None, *asked: Any, **more: Any) -> None:
    """Answer one of the questions that are asked of a ledger (`answers.OF_LEDGERS`)."""

    def ask(question: Question, progress: Progress) -> Report:
        from banzuke.lab.answers import OF_LEDGERS

        return OF_LEDGERS[kind](folder, question, progress)

    _report(ask, out, *asked, **more)


def _report(
    ask: Callable[[Question, Progress], Report],
    out: Path | None,
    books: str = "",
    settings: list[str] | None = None,
    reforms: list[Path] | None = None,
    *,
    master: str = "",
    **more: Any,
) -> None:
    """Ask what the options ask, on a cluster if there is one's address, and print the report.

    Leaves, with what to install, without the extra; who interrupts is told how to go on.
    """
    leave_without_laboratory()
    if out is not None and (out / pool_rules.FILE).exists():
        raise RefusedError([fault(str(out), 0, "", "rate-into-ledger")])
    try:
        with _spread(master) as spread, Bar(text("lab-progress")) as progress:
            from banzuke.lab.comparison import Question

            names = [name.strip() for name in books.split(",") if name.strip()]
            kept = out and out / KEPT
            question = Question(names, settings or [], read_reforms(reforms or []), kept=kept, spread=spread)
            report = ask(question._replace(**more), progress)
    except KeyboardInterrupt:
        leave(text("lab-interrupted" if out else "lab-interrupted-lost", out=out), INTERRUPTED)
    _print_report(report, out)


def leave_without_laboratory() -> None:
    """Leave, with what to install, without the extra."""
    if not is_installed():
        leave(text("no-lab"), NO)


@contextmanager
def _spread(master: str) -> Iterator[Spread | None]:
    """The tasks of a cluster; without its address nothing, for then they stay here."""
    if not master:
        yield None
        return
    with cluster(master) as spark:
        from banzuke.engine.spark.cluster import map_tasks

        yield partial(map_tasks, spark)


def read_reforms(paths: list[Path]) -> list[Reform]:
    """The reforms of those files. Raises RefusedError with what is wrong in them."""
    faults: list[Fault] = []
    read = [read_reform(path, faults) for path in paths]
    refuse_any(faults)
    return [reform for reform in read if reform]


def _print_report(report: Report, out: Path | None) -> None:
    """Write a report into the folder, and print it in short."""
    lang = preferred_language()
    if out is not None:
        write_sheets(out, report.sheets)
        write_export(out / PAGE, page(report, lang))
        if has_paper(report):
            _write_paper(report, out / PAPER, lang)
    show(_facts, _print_in_short, report, out, lang)


def _write_paper(report: Report, path: Path, lang: Language) -> None:
    """Write what a board is shown as a PDF; where no font has its letters, say so and go on."""
    from banzuke.formats.pdf_fonts import NoFontError

    try:
        write_export(path, report_pdf(report, lang))
    except NoFontError:
        complain(text("no-font"))


def _facts(report: Report, out: Path | None, lang: Language) -> dict[str, object]:
    """A report for programs."""
    from banzuke.lab.answers import rows_of

    return {
        "title": sentence(report.title, lang),
        "lead": sentence(report.lead, lang),
        "figures": dict(report.figures),
        "report": str(out / PAGE) if out else None,
        "tables": {sheet.name: rows_of([sheet], sheet.name) for sheet in report.sheets},
    }


def _print_in_short(report: Report, out: Path | None, lang: Language) -> None:
    """A report for people: what one asks first, and where the rest is."""
    print_line(sentence(report.title, lang), heading=True)
    for note in (report.lead, *report.remarks):
        print_line(sentence(note, lang))
    figures = [(say("lab", key, lang), cell_text(cell, lang)) for key, cell in report.figures]
    if figures:
        print_table("", (text("lab-figure"), text("lab-value")), figures, numbers=1)
    tables = [(sheet.name, title_of(sheet, lang), f"{len(sheet.rows):,}") for sheet in report.sheets]
    print_table("", (text("lab-table"), text("title"), text("lab-rows")), tables, numbers=1)
    print_line(text("lab-written", page=out / PAGE, out=out) if out else text("lab-not-written"))
