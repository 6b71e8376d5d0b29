"""banzuke rate, check, explain: a ledger's lists, its faults, and a player's why."""

import tempfile
from collections.abc import Mapping
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from banzuke.cli.command import NO, LedgerArgument, UntilOption, command, leave
from banzuke.cli.last_list import names_of, print_ranking, print_tops, tops
from banzuke.cli.output import (
    Bar,
    answer,
    complain,
    complain_of,
    fault_lines,
    print_json,
    print_line,
    print_table,
    show,
    text,
    wants_json,
)
from banzuke.cli.spark_cluster import cluster, require_spark
from banzuke.core.fault import refuse_any
from banzuke.core.rulebook import GoBook
from banzuke.engine.adjustment_warnings import adjustment_warnings
from banzuke.engine.go_history import games_until
from banzuke.engine.history import list_names
from banzuke.engine.namesakes import namesake_warnings
from banzuke.engine.opening_warnings import nobody_rated, opening_warnings
from banzuke.engine.rating_refusals import refusals
from banzuke.engine.rating_run import Summary, rate_ledger
from banzuke.engine.repeated_games import repeated_game_warnings
from banzuke.engine.rule_warnings import warnings
from banzuke.explanations import chess_rating as chess
from banzuke.explanations import go_rank as go
from banzuke.explanations.explanation import Explanation
from banzuke.ledger.folder import GoLedger, Ledger, read_ledger, unread_files
from banzuke.ledger.pool_rules import Pool
from banzuke.ledger.records import standing_records
from banzuke.words import catalogue, preferred_language

SHOWN_GAMES, MOST_GAMES = 20, 999_999_999


class Engine(StrEnum):
    """The engines that can rate a ledger."""

    REFERENCE = "reference"
    COLUMNAR = "columnar"
    SPARK = "spark"


@command
def rate(
    folder: LedgerArgument,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help=text("rate-out"))],
    until: UntilOption = None,
    engine: Annotated[Engine, typer.Option("--engine", help=text("rate-engine"))] = Engine.REFERENCE,
    parquet: Annotated[bool, typer.Option("--parquet", help=text("rate-parquet"))] = False,
    master: Annotated[
        str, typer.Option("--master", envvar="BANZUKE_SPARK_MASTER", help=text("rate-master"))
    ] = "local[*]",
    work: Annotated[Path | None, typer.Option("--work", metavar="DIR", help=text("rate-work"))] = None,
) -> None:
    """Rate a ledger and write its lists and changes."""
    _require_packages(engine, parquet)
    names: Mapping[str, str] = {}
    if engine is Engine.COLUMNAR:
        pool, summary = _rate_by_columns(folder, out, until, parquet)
    elif engine is Engine.SPARK:
        pool, summary = _rate_on_cluster(folder, out, until, parquet, master, work)
    else:
        ledger = read_ledger(folder)
        pool, names = ledger.pool, names_of(ledger)
        with Bar() as progress:
            summary = rate_ledger(ledger, out, until, as_parquet=parquet, progress=progress)
    if wants_json():
        print_json(summary_facts(pool, summary, out, engine))
    else:
        print_summary(pool, summary, out, names, has_tables=not parquet)
    if not summary.lists and not summary.lines:
        _complain_of_nothing(folder, until)
    elif not parquet and (pool.is_go or not tops(out)):
        complain_of(nobody_rated(pool, summary.verdicts))


def _complain_of_nothing(folder: Path, until: str | None) -> None:
    """Say that a ledger has nothing to rate (until then), and with what it begins."""
    ledger = read_ledger(folder)
    if isinstance(ledger, GoLedger):
        games = games_until(ledger, None)
        if games and until:
            complain(text("rate-no-game", until=until, first=games[0].ended.isoformat()))
        elif not games:
            complain(text("no-games"))
    elif (names := list_names(ledger, None)) and until:
        complain(text("rate-no-list", until=until, first=names[0]))
    elif not names:
        complain(text("no-lists"))


def _require_packages(engine: Engine, parquet: bool) -> None:
    """Leave, with what to install, where the engine or Parquet needs a package that is not here."""
    if engine is Engine.SPARK:
        require_spark()
    needed = (["pyarrow"] if parquet else []) + (["numba"] if engine is Engine.COLUMNAR else [])
    if any(find_spec(name) is None for name in needed):
        leave(text("no-bulk"), NO)


def _rate_by_columns(folder: Path, out: Path, until: str | None, parquet: bool) -> tuple[Pool, Summary]:
    """By the fast twins."""
    from banzuke.engine.columnar.columnar_run import rate_columnar, read

    columns = read(folder)
    with Bar() as progress:
        return columns.pool, rate_columnar(columns, out, until, as_parquet=parquet, progress=progress)


def _rate_on_cluster(
    folder: Path, out: Path, until: str | None, parquet: bool, master: str, work: Path | None
) -> tuple[Pool, Summary]:
    """By the fast twins on the machines of a cluster; without `work` nothing is kept of a run broken off."""
    from banzuke.engine.spark.cluster_run import rate_spark

    out.absolute().parent.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix=".banzuke.", suffix=".work", dir=out.absolute().parent) as own,
        Bar() as progress,
    ):
        return rate_spark(
            folder, out, until, cluster=cluster(master), work=(work or Path(own)).absolute(),
            as_parquet=parquet, progress=progress,
        )  # fmt: skip


def summary_facts(pool: Pool, summary: Summary, out: Path, engine: Engine) -> dict[str, object]:
    """What a run did, for programs."""
    return {
        "pool": pool.name,
        "engine": engine.value,
        "out": str(out),
        "lists": summary.lists,
        "lines": summary.lines,
        "verdicts": dict(sorted(summary.verdicts.items())),
        "meanings": {code: meaning(code) for code in sorted(summary.verdicts)},
        "ignored_declarations": summary.ignored_declarations,
        "notes": notes(pool, summary),
    }


def notes(pool: Pool, summary: Summary) -> list[str]:
    """What must be said wherever the pool's figures are shown."""
    lines = [
        text("rate-stands-in", start=edition.start, book=edition.book.name, edition=edition.stands_in)
        for edition in pool.editions
        if edition.stands_in
    ]
    if isinstance(pool.editions[-1].book, GoBook):
        zone = pool.editions[-1].zone.source
        lines.append(text("rate-zone-file", file=zone) if zone else text("rate-zone-default"))
    if summary.ignored_declarations:
        lines.append(text("rate-ignored", count=summary.ignored_declarations))
    return lines


def meaning(verdict: str) -> str:
    """What a verdict says, in words; the code of one that a book of others has."""
    words = catalogue("lab")["value"]["verdict"].get(verdict)
    return str(words[preferred_language()]) if words else verdict


def print_summary(
    pool: Pool, summary: Summary, out: Path, names: Mapping[str, str], *, has_tables: bool = True
) -> None:
    """What a run did, for people: verdicts counted, and the top of the last list, with `names` by id.

    `has_tables` is whether the files can be read here: those in CSV.
    """
    key = "rate-done-go" if isinstance(pool.editions[-1].book, GoBook) else "rate-done"
    print_line(text(key, pool=pool.name, lists=len(summary.lists), lines=summary.lines, out=out))
    counted = [(code, meaning(code), count) for code, count in summary.verdicts.most_common()]
    if counted:
        print_table("", (text("verdict"), text("verdict-meaning"), text("lines")), counted, numbers=1)
    if has_tables:
        (print_ranking if pool.is_go else print_tops)(out, names)
    for note in notes(pool, summary):
        print_line(note)


@command
def check(folder: LedgerArgument) -> None:
    """Check a ledger and say what its rules warn about."""
    ledger = read_ledger(folder)
    refuse_any(refusals(ledger))
    shared = [] if isinstance(ledger, GoLedger) else namesake_warnings(ledger.players)
    of_rules = [*warnings(ledger), *adjustment_warnings(ledger), *opening_warnings(ledger)]
    said = [*unread_files(folder, ledger.pool), *shared, *repeated_game_warnings(ledger), *of_rules]
    found = fault_lines(said)
    count = [text("check-warnings", count=len(found))] if found else []
    answer({"pool": ledger.pool.name, "warnings": found}, _ledger_line(ledger), *count, *found)


def _ledger_line(ledger: Ledger) -> str:
    """What a good ledger holds, rows that were struck left out."""
    facts = {"pool": ledger.pool.name, "players": len({player.player_id for player in ledger.players})}
    if isinstance(ledger, GoLedger):
        return text("check-good-go", games=len(ledger.games), **facts)
    events = len({event.event_id for event in standing_records(ledger.events, None)})
    games = sum(len(standing_records(games, None)) for games in ledger.games.values())
    return text("check-good", events=events, games=games, **facts)


@command
def explain(
    folder: LedgerArgument,
    player: Annotated[str, typer.Argument(metavar="PLAYER", help=text("explain-player"))],
    name: Annotated[str | None, typer.Option("--list", metavar="LIST", help=text("explain-list"))] = None,
    games: Annotated[
        int, typer.Option("--games", min=0, max=MOST_GAMES, help=text("explain-games"))
    ] = SHOWN_GAMES,
) -> None:
    """Explain how a rating came about."""
    explanation = explanation_of(read_ledger(folder), player, name, games or None)
    show(explanation_facts, print_explanation, explanation)


def explanation_of(ledger: Ledger, player: str, name: str | None, games: int | None) -> Explanation:
    """How a player's rating came about at a list; of Go games the last so many, None for all."""
    if isinstance(ledger, GoLedger):
        return go.explain(ledger, player, name, preferred_language(), games)
    return chess.explain(ledger, player, name, preferred_language())


def explanation_facts(explanation: Explanation) -> dict[str, object]:
    """An explanation for programs: its sections with their sentences, clauses and keys."""
    facts = explanation._asdict()
    facts["sections"] = [
        {"heading": section.heading, "sentences": [s._asdict() for s in section.sentences]}
        for section in explanation.sections
    ]
    return facts


def print_explanation(explanation: Explanation) -> None:
    """An explanation for people, a sentence a line with its clause."""
    for section in explanation.sections:
        print_line(section.heading, heading=True)
        for sentence in section.sentences:
            print_line(f"  {sentence.text}", f"  [{sentence.clause}]" if sentence.clause else "")
        print_line()
