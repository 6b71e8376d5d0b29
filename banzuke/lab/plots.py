"""Which plots stand over a sheet: by the sheet's name, drawn from its columns (`plots.toml` has them all)."""

import math
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from banzuke.formats import svg_charts
from banzuke.formats.svg_charts import COLOURS, Axis, Change, Point, Range, Series, Style
from banzuke.lab.sheets import Cell, Sheet
from banzuke.words import Language, catalogue, say

Row = dict[str, Cell]

#: So many plots stand over one sheet, and so many dumbbells in one plot.
MOST_PLOTS, MOST_DUMBBELLS = 12, 20
_YEAR = ("year",)


class Plot(NamedTuple):
    """A drawing, what it shows in words, and its key: of each curve the colour, the name, the style."""

    caption: str
    keys: Sequence[tuple[int, str, Style]]
    svg: str


class Line(NamedTuple):
    """A column that is drawn; the columns of its interval, where the sheet has them."""

    y: str
    style: Style = "line"

    @property
    def ends(self) -> tuple[str, str]:
        """The columns of the interval; what was scored has the sheet's plain ones."""
        return ("low", "high") if self.y == "scored" else (f"{self.y}_low", f"{self.y}_high")


class PlotPlan(NamedTuple):
    """What is drawn of a sheet: `caption` is the key of what it shows.

    There is a plot for each value of the columns `apart`.

    - Curves: the lines go over `x` (a column, or the middle of several); a series for each line and each
      value of the columns `by`; all plots are of the same axes. Where `by` has more values than there are
      colours, each has a plot of its own, beside the first. With `most`, only so many plots are drawn, each
      on axes of its own.
    - Ranges: a row for each value of the columns `by`: where the line stands, and from where to where it may.
    - Dumbbells: the first rows, each from one line to the other; its name is the first of `by` that it has.
    """

    kind: Literal["curves", "ranges", "dumbbells"]
    caption: str
    lines: tuple[Line, ...]
    x: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    most: int = 0


def _plan_of(table: Mapping[str, Any]) -> PlotPlan:
    plain: dict[str, Any] = {
        name: tuple(each) if isinstance(each, list) else each for name, each in table.items()
    }
    return PlotPlan(**plain | {"lines": tuple(Line(*each) for each in table["lines"].items())})


PLOTS: dict[str, tuple[PlotPlan, ...]] = {
    name: tuple(map(_plan_of, plans))
    for name, plans in tomllib.loads(files(__package__).joinpath("plots.toml").read_text("utf-8")).items()
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


def draw(plan: PlotPlan, rows: Sequence[Row], lang: Language) -> list[Plot]:
    """The plots of a plan, from those rows."""
    parts = split_rows(rows, plan.apart, lang)
    match plan.kind:
        case "curves":
            if not plan.most:
                return _curves(plan, rows, parts, lang)
            alone = [_curves(plan, part, {name: part}, lang) for name, part in parts.items()]
            return [plot for plots in alone[: plan.most] for plot in plots]
        case "ranges":
            return [_ranges(plan, name, part, lang) for name, part in parts.items()]
        case "dumbbells":
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


def _curves(plan: PlotPlan, rows: Sequence[Row], parts: dict[str, list[Row]], lang: Language) -> list[Plot]:
    """A plot for each part, on axes that hold them all."""
    places, x = _places(plan, rows, lang)
    names = [column_name(line.y, lang) for line in plan.lines]
    y = svg_charts.axis(names[0] if len(names) == 1 else "", _bounds(plan, rows))
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


def _bounds(plan: PlotPlan, rows: Sequence[Row]) -> list[float]:
    """What the axis upwards must hold; steps stand on zero.

    An interval widens it to three times the range of what it is of, at most, and is cut there.
    """
    known = _numbers(rows, [line.y for line in plan.lines])
    if not known or _has_steps(plan):
        return [*known, 0.0]
    low, high = min(known), max(known)
    ends = _numbers(rows, [end for line in plan.lines for end in line.ends])
    reach = high - low or math.inf
    return [low, high, *(min(max(end, low - reach), high + reach) for end in ends)]


def _numbers(rows: Sequence[Row], columns: Sequence[str]) -> list[float]:
    return [
        value for row in rows for value in map(cell_number, map(row.get, columns)) if math.isfinite(value)
    ]


def _places(
    plan: PlotPlan, rows: Sequence[Row], lang: Language
) -> tuple[dict[tuple[Cell, ...], float], Axis]:
    """Where on the axis each value of x stands; names stand one after another."""
    values = list(dict.fromkeys(tuple(row[column] for column in plan.x) for row in rows))
    name = column_name(plan.x[0].removesuffix("_from"), lang)
    middles = [_middle(value) for value in values]
    if None in middles or plan.x == _YEAR:
        texts = [code_text(plan.x[0], str(value[0]), lang) for value in values]
        return {value: float(at) for at, value in enumerate(values)}, svg_charts.named_axis(name, texts)
    placed = {value: middle for value, middle in zip(values, middles, strict=True) if middle is not None}
    ends = [max(placed.values()) + _width(placed.values())] if _has_steps(plan) else []
    return placed, svg_charts.axis(name, [*placed.values(), *ends])


def _has_steps(plan: PlotPlan) -> bool:
    return any(line.style == "steps" for line in plan.lines)


def _width(places: Iterable[float]) -> float:
    """How wide a step is: the smallest distance of two."""
    return min((after - before for before, after in pairwise(sorted(set(places)))), default=1.0)


def _middle(value: Sequence[Cell]) -> float | None:
    """The mean of numbers; None for a text."""
    known = [float(each) for each in value if isinstance(each, int | float)]
    return sum(known) / len(known) if len(known) == len(value) else None


def _series(
    plan: PlotPlan, name: str, rows: Sequence[Row], places: dict[tuple[Cell, ...], float], lang: Language
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
    low, high = (cell_number(row.get(column)) for column in line.ends)
    has_ends = math.isfinite(low) and math.isfinite(high)
    return Point(x, cell_number(row[line.y]), low if has_ends else None, high if has_ends else None)


def cell_number(cell: Cell) -> float:
    """A cell as a number; not a number where it is blank or a text."""
    return float(cell) if isinstance(cell, int | float) else math.nan


def _draw_curves(caption: str, axes: tuple[Axis, Axis], series: Sequence[Series]) -> Plot:
    """A plot with its key, where there is more than one series."""
    named = [(at % COLOURS + 1, each.name, each.style) for at, each in enumerate(series)]
    return Plot(caption, named if len(named) > 1 else [], svg_charts.curves(caption, *axes, series))


def _caption(plan: PlotPlan, part: str, lang: Language) -> str:
    whole = say("lab", plan.caption, lang)
    return say("lab", "plot-part", lang, said=whole, part=part) if part else whole


def _ranges(plan: PlotPlan, part: str, rows: Sequence[Row], lang: Language) -> Plot:
    (line,), named = plan.lines, split_rows(rows, plan.by, lang)
    points = {name: _point(own[0], line, 0.0) for name, own in named.items()}
    known = [Range(name, at.y, at.low, at.high) for name, at in points.items() if math.isfinite(at.y)]
    caption = _caption(plan, part, lang)
    return Plot(caption, [], svg_charts.ranges(caption, column_name(line.y, lang), known))


def changed_rows(plan: PlotPlan, rows: Sequence[Row]) -> list[Row]:
    """The rows that have both ends, and these apart."""
    before, after = (line.y for line in plan.lines)
    return [row for row in rows if None not in (row[before], row[after]) and row[before] != row[after]]


def _dumbbells(plan: PlotPlan, part: str, rows: Sequence[Row], lang: Language) -> Plot:
    shown, ends = rows[:MOST_DUMBBELLS], [line.y for line in plan.lines]
    names = [next((str(row[name]) for name in plan.by if row[name]), "") for row in shown]
    labels = [
        name if names.count(name) == 1 else f"{name} {row[plan.by[-1]]}"
        for name, row in zip(names, shown, strict=True)
    ]
    changes = [
        Change(label, *(cell_number(row[end]) for end in ends))
        for label, row in zip(labels, shown, strict=True)
    ]
    caption = _caption(plan, part, lang)
    words = enumerate(("key-down", "key-up"), 1)
    keys: list[tuple[int, str, Style]] = [(colour, say("lab", key, lang), "dots") for colour, key in words]
    return Plot(caption, keys[::-1], svg_charts.dumbbells(caption, column_name(ends[1], lang), changes))


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
