"""The laboratory's answers as reports: the sheets, and of these the figures that one asks first."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from banzuke.core.fault import fault, refuse_any
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import GoBook
from banzuke.engine.columnar.account_sums import MADE
from banzuke.engine.columnar.chess_reader import read_columns
from banzuke.engine.columnar.crossed_lists import assumed
from banzuke.engine.columnar.readable_lists import read_any
from banzuke.engine.points_account import POINT
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.exchange.fide_lookup import fide_ratings
from banzuke.lab import account, chess_simulation, comparison, fit, go_simulation, prediction
from banzuke.lab.anomalies import anomaly_sheets
from banzuke.lab.comparison import Question
from banzuke.lab.findings import SEVERITIES
from banzuke.lab.fitted_pools import fit_folder, fitted_sheet, pool_of
from banzuke.lab.plots import code_text
from banzuke.lab.published_results import published_sheet, read_published
from banzuke.lab.report_page import Report
from banzuke.lab.sheets import CONFIDENCE, Cell, Note, Sheet, estimate_text, note
from banzuke.lab.simulation import simulate
from banzuke.lab.soundness import soundness_sheets
from banzuke.lab.synthetic_chess_pools import ChessPool
from banzuke.lab.synthetic_go_pools import GoPool
from banzuke.lab.variants import AS_IT_IS, Variant, as_in_pool, edition_of, is_crossed, variants_alone
from banzuke.ledger.pool_rules import chess_book, read_pool
from banzuke.words import LANGUAGES, Language, comma_list, say

Row = dict[str, Cell]
Figures = list[tuple[str, Cell]]


def report_comparison(folder: Path, question: Question, progress: Progress = no_progress) -> Report:
    """A ledger under other rules beside the pool's own.

    Raises RefusedError for a ledger or variants that are none, UnknownListError, OSError.
    """
    title = _title("title-compare", folder)
    sheets = comparison.compare(folder, question, progress)
    moved = rows_of(sheets, sheets[0].name)
    if not moved:
        is_alone = not (question.books or question.settings or question.reforms)
        lead = note("lead-compare-alone" if is_alone else "lead-compare-nobody")
        return Report(title, lead, (), _remarks(question, folder), sheets)
    first = [row for row in moved if row.get("speed") == moved[0].get("speed")]
    figures: Figures = [
        (f"figure-{sheets[0].name.replace('_', '-')}", _per_cent(*(row["share"] for row in first))),
        *(
            (f"figure-{name.replace('_', '-')}", _least_and_most([row[name] for row in first]))
            for name in ("mean_size", "up_most", "down_most")
        ),
    ]
    said = [note("said-compare", sets=len(first))] if len(first) > 1 else []
    return Report(title, _lead_note(first), figures, [*said, *_remarks(question, folder)], sheets)


def _title(key: str, folder: Path) -> Note:
    """The title of a report on a ledger, with the pool's name; one that cannot be read is refused later."""
    pool = read_pool(folder, [])
    return note(key, pool=pool.name if pool else folder.name)


def _remarks(question: Question, folder: Path | None = None) -> list[Note]:
    """That reforms are tried from the first list on; what books of another series assume of the ledger."""
    notes = [note("said-reform", name=reform.name, day=reform.start) for reform in question.reforms]
    pool = read_pool(folder, []) if folder else None
    for name in dict.fromkeys(question.books):
        if folder and pool and is_crossed(pool, Variant(name)):
            found = assumed(read_columns(folder), chess_book(edition_of(BOOKS[name])))
            notes += [note("crossed", book=name), *(note(each.key, **each.facts) for each in found)]
    return notes


def _lead_note(rows: Sequence[Row]) -> Note:
    """How many players are moved; of several sets of rules, by which the most and by which the fewest."""
    moved = rows[0]
    if len(rows) > 1:
        by_share = partial(_number, column="share")
        ends = {"least": min(rows, key=by_share), "most": max(rows, key=by_share)}
        facts = {end: row["variant"] for end, row in ends.items()}
        facts |= {f"{end}_{name}": row[name] for end, row in ends.items() for name in ("moved", "players")}
        key = "lead-compare-several" if "speed" in moved else "lead-compare-several-ranks"
        return note(key, sets=len(rows), **facts)
    facts = {name: moved[name] for name in ("variant", "players", "moved")}
    if "speed" not in moved:
        return note("lead-compare-ranks", **facts)
    if moved["speed"]:
        return note("lead-compare", speed=moved["speed"], **facts)
    return note("lead-compare-one-list", **facts)


def report_prediction(folder: Path, question: Question, progress: Progress = no_progress) -> Report:
    """How well the pool's rules and others forecast results. Raises as `report_comparison` does."""
    title, sheets = _title("title-predict", folder), []
    if question.published:
        sheets = [published_sheet(read_published(question.published))]
    sheets += prediction.predict(folder, question, progress)
    own = rows_of(sheets, "scores")[0]
    if not own["games"]:
        return Report(title, note("lead-predict-nothing"), (), _remarks(question, folder), sheets)
    best, tried = _shown_better(rows_of(sheets, "score_differences"))
    figures: Figures = [(f"figure-{name}", own[name]) for name in ("games", "log_loss", "brier")]
    figures.append(("figure-accuracy", _per_cent(own["accuracy"])))
    lead = note("lead-predict-better", variant=best, tried=tried) if best else note("lead-predict-own")
    return Report(title, lead, figures, [note("said-predict"), *_remarks(question, folder)], sheets)


def _shown_better(rows: Sequence[Row]) -> tuple[Cell, int]:
    """The model that is shown to forecast better than the pool's own rules, if one is; how many were tried.

    Its difference is no chance among all that were tried, and nor is that of choosing by earlier games.
    """
    *tried, choice = [row for row in rows if row["among"] == prediction.ALL] or [{}]
    best = min(tried, key=partial(_number, column="log_loss"), default={})
    return best["variant"] if _is_less(best) and _is_less(choice) else None, len(tried)


def _is_less(row: Row) -> bool:
    """Whether a difference in log loss is below 0, and not by chance."""
    chance = row.get("chance")
    return isinstance(chance, float) and chance < 1 - CONFIDENCE and _number(row, "log_loss") < 0


def report_fit(folder: Path, question: Question, progress: Progress = no_progress) -> Report:
    """Which numbers of a book predict best. Raises as `fit.fit` does."""
    subject, sheets = fit.fit(folder, question, progress)
    book, title, rows = subject.book.name, _title("title-fit", folder), rows_of(sheets, "fit")
    if not sheets:
        return Report(title, note("lead-predict-nothing"), (), (), sheets)
    said = {finding: _said_of_numbers(finding, rows) for finding in fit.FINDINGS}
    better = said.pop(fit.BETTER)
    lead = note("lead-fit", book=book, **better) if better else note("lead-fit-none", book=book)
    remarks = [note(f"said-fit-{finding}", **facts) for finding, facts in said.items() if facts]
    found = [row["finding"] for row in rows]
    figures: Figures = [
        (f"figure-fit-{finding}", found.count(finding)) for finding in fit.FINDINGS if finding != fit.NOTHING
    ]
    return Report(title, lead, figures, [*remarks, *_remarks(question, folder)], sheets)


def _said_of_numbers(finding: str, rows: Sequence[Row]) -> dict[str, str]:
    """The numbers of which that is found, with their values, as facts of a note in each language."""
    own = [row for row in rows if row["finding"] == finding]
    key = f"fit-{finding}"
    return {
        f"said_{lang}": say("lab", "fit-and", lang).join(
            say("lab", key, lang, **_facts_of(row, lang)) for row in own
        )
        for lang in LANGUAGES
        if own
    }


def _facts_of(row: Row, lang: Language) -> dict[str, str]:
    """What is said of a number."""

    def text(value: Cell) -> str:
        return code_text("as_good", str(value), lang)

    named = (row["value"], row["best"] if row["finding"] == fit.BETTER else None)
    others = [text(each) for each in str(row["as_good"]).split(", ") if each not in named]
    beside = say("lab", "fit-beside", lang, values=comma_list(others, lang)) if others else ""
    values = {name: text(row[name]) for name in ("value", "best")}
    return {"label": str(row[f"label_{lang}"]), "beside": beside, **values}


def report_account(folder: Path, question: Question, progress: Progress = no_progress) -> Report:
    """What a pool's points were made of. Raises as `account.find_account` does."""
    sheets = account.account_sheets(account.find_account(folder, question, progress))
    parts: Counter[str] = Counter()
    for row in rows_of(sheets, "account"):
        if row["variant"] == AS_IT_IS and isinstance(row["points"], float):
            parts[str(row["part"])] += round(row["points"] * POINT)
    whole = sum(parts[part] for part in MADE)
    most = max(MADE, key=lambda part: parts[part] if whole >= 0 else -parts[part])
    amounts = {"figure-points": parts.total(), "figure-made": whole, "figure-most": parts[most]}
    figures: Figures = [(name, amount / POINT) for name, amount in amounts.items()]
    key = ("lead-account" if whole > 0 else "lead-account-loss") if whole else "lead-account-none"
    facts = {"made": estimate_text(abs(whole) / POINT), "points": estimate_text(parts[most] / POINT)}
    lead = note(key, part=most, **facts)
    remarks = [note("said-account"), *_remarks(question, folder)]
    return Report(_title("title-account", folder), lead, figures, remarks, sheets)


def report_soundness(folder: Path, question: Question, progress: Progress = no_progress) -> Report:
    """How sound a pool's ratings are. Raises as `account.find_account` and `fide_ratings` do."""
    found = account.find_account(folder, question, progress)
    fide = fide_ratings(found.columns.pool, found.columns.players, question.fide, progress)
    sheets = soundness_sheets(found, fide)
    lead = _drift_lead(rows_of(sheets, "cohort_drift"))
    return Report(_title("title-soundness", folder), lead, (), _remarks(question, folder), sheets)


def _drift_lead(rows: Sequence[Row]) -> Note:
    """What the last year says of drift, by the pool's own rules, at its first speed."""
    known = [row for row in rows if row["variant"] == AS_IT_IS and isinstance(row["drift_low"], float)]
    own = [row for row in known if row["speed"] == known[0]["speed"]]
    if not own:
        return note("lead-soundness-none")
    ends = {name: float(own[-1][name] or 0) for name in ("drift", "drift_low", "drift_high")}
    is_sure = ends["drift_low"] > 0 or ends["drift_high"] < 0
    facts = {name: estimate_text(value) for name, value in ends.items()}
    return note("lead-soundness-drift" if is_sure else "lead-soundness", year=own[-1]["year"], **facts)


def report_anomalies(folder: Path, _question: Question, progress: Progress = no_progress) -> Report:
    """What in a ledger an officer should look at. Raises RefusedError for a ledger that does not check."""
    progress(0, 1, "")
    title = _title("title-anomalies", folder)
    sheets = anomaly_sheets(read_any(folder))
    found = [row["severity"] for row in rows_of(sheets, "anomalies")]
    figures: Figures = [(f"figure-{severity}", found.count(severity)) for severity in SEVERITIES]
    lead = note("lead-anomalies", found=len(found)) if found else note("lead-anomalies-none")
    progress(1, 1, "")
    return Report(title, lead, figures, (), sheets)


class SimulationSize(NamedTuple):
    """How many pools, players and years to simulate, the first random seed, a ledger that they are like."""

    pools: int
    players: int
    years: int
    seed: int = 0
    like: Path | None = None


def report_simulation(size: SimulationSize, question: Question, progress: Progress = no_progress) -> Report:
    """Synthetic pools of known strength rated by rule books of chess, or by the Go server's.

    Raises RefusedError for an unknown rule book, number or setting, and for a ledger that cannot be fitted.
    """
    books, lead, fitted = question.books, note("lead-simulate"), list[Sheet]()
    pool: ChessPool | GoPool | None = None
    if size.like:
        go = [name for name in books if isinstance(BOOKS.get(name), GoBook)]
        refuse_any([fault("--books", 0, name, "lab-like-go") for name in go])
        own, fit = fit_folder(size.like, size.seed, question.kept, progress)
        books, lead = books or [own.editions[-1].book.name], note("lead-simulate-like", pool=own.name)
        pool = pool_of(ChessPool(size.players, size.years, visiting=0), fit.numbers)
        fitted = [fitted_sheet(fit)]
    variants = variants_alone(books, question.settings, question.reforms)
    variants = as_in_pool(variants, own) if size.like else variants
    is_go = any(isinstance(BOOKS[variant.book], GoBook) for variant in variants)
    measured, kind, figures_of = _OF_GO if is_go else _OF_CHESS
    how = {"kept": question.kept, "progress": progress, "spread": question.spread}
    pool = pool or kind(players=size.players, years=size.years)
    sheets = simulate(measured, pool, variants, size.pools, first_seed=size.seed, **how)
    figures = figures_of(sheets)
    remarks = [note("said-simulate"), *_remarks(question)]
    return Report(note("title-simulate"), lead, figures, remarks, [*fitted, *sheets])


def _chess_figures(sheets: Sequence[Sheet]) -> Figures:
    """The last year: the juniors' lag, the veterans' bias, the spread."""
    groups = _last_year(rows_of(sheets, "simulated_groups"))
    lags = [row["lag"] for row in groups if row["group"] == "juniors"]
    biases = [row["bias"] for row in groups if row["group"] == "veterans"]
    spreads = [row["spread"] for row in _last_year(rows_of(sheets, "simulated_lists"))]
    names = ("figure-junior-lag", "figure-veteran-bias", "figure-spread")
    return list(zip(names, map(_least_and_most, (lags, biases, spreads)), strict=True))


def _go_figures(sheets: Sequence[Sheet]) -> Figures:
    """The last year's error of ranks, moves of rank soon reversed, certification without misjudgement."""
    years, flicker = _last_year(rows_of(sheets, "simulated_years")), rows_of(sheets, "simulated_flicker")
    known = [row for row in rows_of(sheets, "simulated_certification") if not row["misjudged"]]
    within = [row["reversed"] for row in flicker if row["within"] == flicker[0]["within"]]
    return [
        ("figure-rank-error", _least_and_most([row["error"] for row in years])),
        ("figure-reversed", _per_cent(*within)),
        ("figure-missed", _per_cent(*(row["missed"] for row in known))),
    ]


def _last_year(rows: Sequence[Row]) -> list[Row]:
    """Those of the last year."""
    return [row for row in rows if row["year"] == rows[-1]["year"]]


def rows_of(sheets: Sequence[Sheet], name: str) -> list[Row]:
    """The rows of the sheet of that name; none where there is no such sheet."""
    return [row for sheet in sheets if sheet.name == name for row in sheet.named_rows]


def _number(row: Row, column: str) -> float:
    found = row.get(column)
    return found if isinstance(found, float) else 0.0


def _per_cent(*shares: Cell) -> Cell:
    """A share as it is read; of several, the least and the most."""
    return _ends(shares, "{:.0%}".format)


def _least_and_most(figures: Sequence[Cell]) -> Cell:
    """A figure; of several that differ, the least and the most."""
    return figures[0] if len({*figures}) == 1 else _ends(figures, estimate_text)


def _ends(cells: Sequence[Cell], printed: Callable[[float], str]) -> Cell:
    """The least and the most of the figures, or the only one."""
    known = sorted({cell for cell in cells if isinstance(cell, int | float)})
    return " … ".join(map(printed, known[:1] + known[1:][-1:])) or None


#: The questions that are asked of a ledger.
OF_LEDGERS: Mapping[str, Callable[[Path, Question, Progress], Report]] = {
    "compare": report_comparison,
    "predict": report_prediction,
    "fit": report_fit,
    "account": report_account,
    "soundness": report_soundness,
    "anomalies": report_anomalies,
}
#: How pools of chess and of Go are simulated: what is measured, what a pool is, what one asks first.
_OF_CHESS = chess_simulation.MEASUREMENT, ChessPool, _chess_figures
_OF_GO = go_simulation.MEASUREMENT, GoPool, _go_figures
