"""Which plots stand over a sheet: by the sheet's name, drawn from its columns (`PLOTS` has them all)."""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from banzuke.lab.sheets import Cell, Sheet
from banzuke.lab.svg_charts import (
    COLOURS,
    Axis,
    Change,
    Point,
    Range,
    Series,
    Style,
    axis,
    curves,
    dumbbells,
    named_axis,
    ranges,
)
from banzuke.words import Language, catalogue, say

Row = dict[str, Cell]

#: So many plots stand over one sheet, and so many dumbbells in one plot.
MOST_PLOTS, MOST_DUMBBELLS = 12, 20


class Plot(NamedTuple):
    """A drawing, what it shows in words, and its key: of each curve the colour, the name, the style."""

    caption: str
    keys: Sequence[tuple[int, str, Style]]
    svg: str


class Line(NamedTuple):
    """A column drawn over another; `low` and `high` are the columns of its interval, if it has one."""

    y: str
    style: Style = "line"
    low: str = ""
    high: str = ""


class Curves(NamedTuple):
    """Curves of a sheet: `caption` is the key of what they show.

    The lines go over `x` (a column, or the middle of several); a series for each line and each value of the
    columns `by`, a plot for each value of the columns `apart`, all of the same axes. Where `by` has more
    values than there are colours, each has a plot of its own, beside the first. With `most`, only so many
    plots are drawn, each on axes of its own.
    """

    caption: str
    x: tuple[str, ...]
    lines: tuple[Line, ...]
    by: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    most: int = 0


class Ranges(NamedTuple):
    """A row for each value of the columns `names`: where a line stands, and from where to where it may."""

    caption: str
    names: tuple[str, ...]
    line: Line
    apart: tuple[str, ...] = ()


class Dumbbells(NamedTuple):
    """The first rows, each from one column to another; its name is the first of `names` that it has."""

    caption: str
    names: tuple[str, ...]
    before: str
    after: str
    apart: tuple[str, ...] = ()


Plan = Curves | Ranges | Dumbbells


def _with_interval(y: str) -> Line:
    """A line with the interval of its column."""
    return Line(y, low=f"{y}_low", high=f"{y}_high")


_YEAR, _RULES, _SPEED = ("year",), ("variant",), ("speed",)
#: Of what a pool's points are made of, what may be much.
_MADE = ("juniors", "new_players", "one_sided", "floor")
_SCORED = Line("scored", "dots", "low", "high")
_BESIDE_THE_TABLE = (Line("table", "dashed"), Line("noise", "dashed"), Line("counted"), _SCORED)
_SCALE = Line("scale", low="scale_low", high="scale_high")
_AS_EXPECTED = (Line("expected"), _SCORED)
PLOTS: dict[str, tuple[Plan, ...]] = {
    "published": (Curves("plot-published", ("gap_from", "gap_to"), _BESIDE_THE_TABLE),),
    "moved": (Ranges("plot-moved", _RULES, _with_interval("mean_size"), _SPEED),),
    "movers": (
        Dumbbells("plot-movers", ("name", "player_id"), "rating_before", "rating", ("variant", "speed")),
    ),
    "moved_ranks": (Ranges("plot-moved-ranks", _RULES, _with_interval("mean_size")),),
    "moved_by": (Curves("plot-moved-by", ("by_ranks",), (Line("players"),), _RULES),),
    "movers_ranks": (Dumbbells("plot-movers", ("player_id",), "value_before", "value", _RULES),),
    "distribution_ranks": (Curves("plot-distribution-ranks", ("rank",), (Line("players"),), _RULES),),
    "inflation_ranks": (
        Curves("plot-drift-ranks", _YEAR, (_with_interval("drift"),), _RULES),
        Curves("plot-mean-ranks", _YEAR, (Line("mean"),), _RULES),
    ),
    "certified": (Curves("plot-certified", _YEAR, (_with_interval("mean"),), _RULES),),
    "distribution": (
        Curves("plot-distribution", ("rating_from",), (Line("players", "steps"),), _RULES, _SPEED),
    ),
    "inflation": (Curves("plot-drift", _YEAR, (_with_interval("drift"),), _RULES, _SPEED),),
    "list_means": (Curves("plot-list-means", ("list",), (_with_interval("mean"),), _RULES, _SPEED),),
    "first_ratings": (Curves("plot-first-ratings", _YEAR, (_with_interval("mean"),), _RULES, _SPEED),),
    "first_distribution": (
        Curves("plot-first-distribution", ("rating_from",), (Line("players", "steps"),), _RULES, _SPEED),
    ),
    "account_years": (Curves("plot-made", _YEAR, tuple(map(Line, _MADE)), apart=(*_RULES, *_SPEED)),),
    "cohort_drift": (Curves("plot-cohort", _YEAR, (_with_interval("drift"),), _RULES, _SPEED),),
    "residuals": (Curves("plot-residuals", ("rating_from",), (_with_interval("residual"),), _RULES, _SPEED),),
    "same_persons": (Ranges("plot-same", (*_SPEED, "beside"), _with_interval("difference"), _RULES),),
    "rating_errors": (Curves("plot-errors", ("rests_on",), (_with_interval("error"),), _RULES, _SPEED),),
    "scores": tuple(
        Ranges(f"plot-{measure}", _RULES, _with_interval(measure))
        for measure in ("log_loss", "brier", "accuracy")
    ),
    "score_differences": (Ranges("plot-log-loss-less", _RULES, _with_interval("log_loss")),),
    "fit": (Ranges("plot-fit", ("label",), _with_interval("log_loss")),),
    "fit_values": (
        Curves("plot-fit-values", ("tried",), (_with_interval("log_loss"),), ("label",), ("label",), most=4),
    ),
    "scales": (Ranges("plot-scale", _RULES, _SCALE),),
    "scales_ranks": (Ranges("plot-scale-ranks", _RULES, _SCALE),),
    "calibration": (Curves("plot-calibration", ("gap_from", "gap_to"), _BESIDE_THE_TABLE, apart=_RULES),),
    "calibration_ranks": (
        Curves("plot-calibration-ranks", ("ranks_to",), _BESIDE_THE_TABLE[1:], apart=_RULES),
    ),
    "by_stones": (Curves("plot-by-stones", ("stones",), _AS_EXPECTED, apart=_RULES),),
    "by_age": (Curves("plot-by-age", ("group",), _AS_EXPECTED, apart=_RULES),),
    "by_k": (Curves("plot-by-k", ("group",), _AS_EXPECTED, apart=_RULES),),
    "simulated_groups": (
        Curves("plot-lag", _YEAR, (_with_interval("lag"),), _RULES, ("group",)),
        Curves("plot-bias", _YEAR, (_with_interval("bias"),), _RULES, ("group",)),
    ),
    "simulated_lists": (
        Curves("plot-inflation", _YEAR, (_with_interval("inflation"),), _RULES),
        Curves("plot-spread", _YEAR, (_with_interval("spread"),), _RULES),
    ),
    "simulated_visitors": (Curves("plot-carried", _YEAR, (_with_interval("carried"),), _RULES),),
    "simulated_ranks": (
        Curves("plot-rank-error", ("rank",), (_with_interval("error"),), _RULES),
        Curves("plot-missed", ("rank",), (_with_interval("missed"),), _RULES),
    ),
    "simulated_years": (Curves("plot-rank-error", _YEAR, (_with_interval("error"),), _RULES),),
    "simulated_flicker": (Curves("plot-reversed", ("within",), (_with_interval("reversed"),), _RULES),),
    "simulated_certification": (
        Curves("plot-certification-missed", ("misjudged",), (_with_interval("missed"),), _RULES),
    ),
}


def plots_of(sheet: Sheet, lang: Language) -> list[Plot]:
    """The plots over a sheet; none where it is a table alone, or empty."""
    rows = rows_in(sheet, lang)
    plans = PLOTS.get(sheet.name, ()) if rows else ()
    return [plot for plan in plans for plot in draw(plan, rows, lang)][:MOST_PLOTS]


def rows_in(sheet: Sheet, lang: Language) -> list[Row]:
    """The rows by columns' names; what a column has in the reader's language by its plain name, too."""
    own = [name for name in sheet.columns if name.endswith(f"_{lang}")]
    return [{**row, **{name.removesuffix(f"_{lang}"): row[name] for name in own}} for row in sheet.named_rows]


def draw(plan: Plan, rows: Sequence[Row], lang: Language) -> list[Plot]:
    """The plots of a plan, from those rows."""
    parts = split_rows(rows, plan.apart, lang)
    match plan:
        case Curves():
            if not plan.most:
                return _curves(plan, rows, parts, lang)
            alone = [_curves(plan, part, {name: part}, lang) for name, part in parts.items()]
            return [plot for plots in alone[: plan.most] for plot in plots]
        case Ranges():
            return [_ranges(plan, name, part, lang) for name, part in parts.items()]
        case Dumbbells():
            moved = {name: changed_rows(plan, part) for name, part in parts.items()}
            return [_dumbbells(plan, name, part, lang) for name, part in moved.items() if part]


def split_rows(rows: Sequence[Row], columns: Sequence[str], lang: Language) -> dict[str, list[Row]]:
    """The rows by the values of columns in words, in the order of their coming; without columns together."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        values = [
            code_text(column, str(row[column]), lang) for column in columns if row[column] not in (None, "")
        ]
        found.setdefault(", ".join(values), []).append(row)
    return found


def _curves(plan: Curves, rows: Sequence[Row], parts: dict[str, list[Row]], lang: Language) -> list[Plot]:
    """A plot for each part, on axes that hold them all."""
    places, x = _places(plan, rows, lang)
    names = [column_name(line.y, lang) for line in plan.lines]
    y = axis(names[0] if len(names) == 1 else "", _bounds(plan, rows))
    found = []
    for part, own in parts.items():
        for value, several in _side_by_side(split_rows(own, plan.by, lang)):
            series = [
                each for name, those in several.items() for each in _series(plan, name, those, places, lang)
            ]
            caption = _caption(plan, ", ".join(each for each in (part, value) if each), lang)
            found.append(_draw_curves(caption, (x, y), series))
    return found


def _side_by_side(groups: dict[str, list[Row]]) -> list[tuple[str, dict[str, list[Row]]]]:
    """What stands in one plot: all; of more than there are colours, each beside the first."""
    if len(groups) <= COLOURS:
        return [("", groups)]
    (first, base), *others = groups.items()
    return [(name, {first: base, name: rows}) for name, rows in others]


def _bounds(plan: Curves, rows: Sequence[Row]) -> list[float]:
    """What the axis upwards must hold; steps stand on zero.

    An interval widens it to three times the range of what it is of, at most, and is cut there.
    """
    known = _numbers(rows, [line.y for line in plan.lines])
    if not known or _has_steps(plan):
        return [*known, 0.0]
    low, high = min(known), max(known)
    ends = _numbers(rows, [end for line in plan.lines for end in (line.low, line.high) if end])
    reach = high - low or math.inf
    return [low, high, *(min(max(end, low - reach), high + reach) for end in ends)]


def _numbers(rows: Sequence[Row], columns: Sequence[str]) -> list[float]:
    return [
        value for row in rows for value in map(cell_number, map(row.get, columns)) if math.isfinite(value)
    ]


def _places(plan: Curves, rows: Sequence[Row], lang: Language) -> tuple[dict[tuple[Cell, ...], float], Axis]:
    """Where on the axis each value of x stands; names stand one after another."""
    values = list(dict.fromkeys(tuple(row[column] for column in plan.x) for row in rows))
    name = column_name(plan.x[0].removesuffix("_from"), lang)
    middles = [_middle(value) for value in values]
    if None in middles or plan.x == _YEAR:
        texts = [code_text(plan.x[0], str(value[0]), lang) for value in values]
        return {value: float(at) for at, value in enumerate(values)}, named_axis(name, texts)
    placed = {value: middle for value, middle in zip(values, middles, strict=True) if middle is not None}
    ends = [max(placed.values()) + _width(placed.values())] if _has_steps(plan) else []
    return placed, axis(name, [*placed.values(), *ends])


def _has_steps(plan: Curves) -> bool:
    return any(line.style == "steps" for line in plan.lines)


def _width(places: Iterable[float]) -> float:
    """How wide a step is: the smallest distance of two."""
    return min((after - before for before, after in pairwise(sorted(set(places)))), default=1.0)


def _middle(value: Sequence[Cell]) -> float | None:
    """The mean of numbers; None for a text."""
    known = [float(each) for each in value if isinstance(each, int | float)]
    return sum(known) / len(known) if len(known) == len(value) else None


def _series(
    plan: Curves, name: str, rows: Sequence[Row], places: dict[tuple[Cell, ...], float], lang: Language
) -> list[Series]:
    """The lines over some rows; those of which reports that were kept know nothing are left out."""
    found = []
    for line in (each for each in plan.lines if each.y in rows[0]):
        called = [name, column_name(line.y, lang) if len(plan.lines) > 1 else ""]
        points = [_point(row, line, places[tuple(row[each] for each in plan.x)]) for row in rows]
        known = [each for each in points if math.isfinite(each.y)]
        if line.style == "steps" and known:
            known = _fill_steps(known, _width(places.values()))
        found.append(Series(", ".join(each for each in called if each), known, line.style))
    return found


def _fill_steps(points: Sequence[Point], wide: float) -> list[Point]:
    """Steps with those that nothing stands on, from the ground to the ground."""
    at = {point.x: point.y for point in points}
    first, last = min(at), max(at)
    count = math.floor((last - first) / wide + 1 / 2) + 1
    heights = [at.get(first + wide * step, 0.0) for step in range(count)]
    steps = [Point(first + wide * step, height) for step, height in enumerate(heights)]
    return [Point(first, 0.0), *steps, Point(first + wide * count, 0.0)]


def _point(row: Row, line: Line, x: float) -> Point:
    """A row as a point; not a number where the column is blank."""
    low, high = (cell_number(row.get(column)) for column in (line.low, line.high))
    has_ends = math.isfinite(low) and math.isfinite(high)
    return Point(x, cell_number(row[line.y]), low if has_ends else None, high if has_ends else None)


def cell_number(cell: Cell) -> float:
    """A cell as a number; not a number where it is blank or a text."""
    return float(cell) if isinstance(cell, int | float) else math.nan


def _draw_curves(caption: str, axes: tuple[Axis, Axis], series: Sequence[Series]) -> Plot:
    """A plot with its key, where there is more than one series."""
    named = [(at % COLOURS + 1, each.name, each.style) for at, each in enumerate(series)]
    return Plot(caption, named if len(named) > 1 else [], curves(caption, *axes, series))


def _caption(plan: Plan, part: str, lang: Language) -> str:
    whole = say("lab", plan.caption, lang)
    return say("lab", "plot-part", lang, said=whole, part=part) if part else whole


def _ranges(plan: Ranges, part: str, rows: Sequence[Row], lang: Language) -> Plot:
    points = {
        name: _point(own[0], plan.line, 0.0) for name, own in split_rows(rows, plan.names, lang).items()
    }
    known = [Range(name, at.y, at.low, at.high) for name, at in points.items() if math.isfinite(at.y)]
    caption = _caption(plan, part, lang)
    return Plot(caption, [], ranges(caption, column_name(plan.line.y, lang), known))


def changed_rows(plan: Dumbbells, rows: Sequence[Row]) -> list[Row]:
    """The rows that have both ends, and these apart."""
    known = [row for row in rows if None not in (row[plan.before], row[plan.after])]
    return [row for row in known if row[plan.before] != row[plan.after]]


def _dumbbells(plan: Dumbbells, part: str, rows: Sequence[Row], lang: Language) -> Plot:
    shown = rows[:MOST_DUMBBELLS]
    names = [next((str(row[name]) for name in plan.names if row[name]), "") for row in shown]
    changes = [
        Change(
            name if names.count(name) == 1 else f"{name} {row[plan.names[-1]]}",
            cell_number(row[plan.before]),
            cell_number(row[plan.after]),
        )
        for name, row in zip(names, shown, strict=True)
    ]
    caption = _caption(plan, part, lang)
    keys: list[tuple[int, str, Style]] = [
        (2, say("lab", "key-up", lang), "dots"),
        (1, say("lab", "key-down", lang), "dots"),
    ]
    return Plot(caption, keys, dumbbells(caption, column_name(plan.after, lang), changes))


def column_name(column: str, lang: Language, sheet: str = "") -> str:
    """What a column (of a sheet) is called; the ends of an interval by what it is of."""
    words = catalogue("lab")
    found = words["column-of"].get(sheet, {}).get(column) or words["column"].get(column)
    stem, _, end = column.rpartition("_")
    if found is None and end in ("low", "high"):
        return say("lab", f"interval-{end}", lang, name=column_name(stem, lang))
    return str(found[lang]) if found else column


def code_text(column: str, cell: str, lang: Language) -> str:
    """A code of the column in words; any other text as it is."""
    found = catalogue("lab")["value"].get(column, {}).get(cell)
    return str(found[lang]) if found else cell
