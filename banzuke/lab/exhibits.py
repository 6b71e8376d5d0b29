"""Which plots stand over a sheet: by the sheet's name, drawn from its columns (`PLOTS` has them all)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from banzuke.lab.charts import COLOURS, Change, Point, Series, axis, curves, dumbbells, named_axis
from banzuke.words import catalogue, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from banzuke.lab.charts import Axis, Style
    from banzuke.lab.tables import Cell, Sheet
    from banzuke.words import Language

    Row = dict[str, Cell]

#: So many series stand in one plot, so many small plots beside one another, so many dumbbells in one.
MOST_SERIES, MOST_PLOTS, MOST_DUMBBELLS = 8, 12, 20


class Plot(NamedTuple):
    """A drawing, what it shows in words, and its key: of each curve the colour, the name, whether dashed."""

    caption: str
    keys: Sequence[tuple[int, str, bool]]
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
    column `by`, a plot for each value of the column `apart`, all of the same axes.
    """

    caption: str
    x: tuple[str, ...]
    lines: tuple[Line, ...]
    by: str = ""
    apart: str = ""


class Dumbbells(NamedTuple):
    """The first rows, each from one column to another; its name is the first of `names` that it has."""

    caption: str
    names: tuple[str, ...]
    before: str
    after: str
    apart: str = ""


PLOTS: dict[str, tuple[Curves | Dumbbells, ...]] = {
    "published": (
        Curves(
            "plot-published",
            ("gap_from", "gap_to"),
            (Line("table", "dashed"), Line("counted"), Line("scored", "dots", "low", "high")),
        ),
    ),
    "simulated_groups": (
        Curves("plot-lag", ("year",), (Line("lag", low="lag_low", high="lag_high"),), "variant", "group"),
        Curves("plot-bias", ("year",), (Line("bias", low="bias_low", high="bias_high"),), "variant", "group"),
    ),
    "simulated_lists": (
        Curves(
            "plot-inflation",
            ("year",),
            (Line("inflation", low="inflation_low", high="inflation_high"),),
            "variant",
        ),
        Curves("plot-spread", ("year",), (Line("spread", low="spread_low", high="spread_high"),), "variant"),
    ),
    "simulated_visitors": (
        Curves(
            "plot-carried", ("year",), (Line("carried", low="carried_low", high="carried_high"),), "variant"
        ),
    ),
}


def plots_of(sheet: Sheet, lang: Language) -> list[Plot]:
    """The plots over a sheet; none where it is a table alone, or empty."""
    rows = [dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows]
    found: list[Plot] = []
    for wanted in PLOTS.get(sheet.name, ()) if rows else ():
        parts = _apart(rows, wanted.apart)
        if isinstance(wanted, Curves):
            found += _curves(wanted, rows, parts, lang)
        else:
            found += [_dumbbells(wanted, name, part, lang) for name, part in parts.items()]
    return found


def _apart(rows: Sequence[Row], column: str) -> dict[str, list[Row]]:
    """The rows by the value of a column, in the order of their coming; all together without one."""
    if not column:
        return {"": list(rows)}
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(str(row[column]), []).append(row)
    return dict(list(found.items())[:MOST_PLOTS])


def _curves(wanted: Curves, rows: Sequence[Row], parts: dict[str, list[Row]], lang: Language) -> list[Plot]:
    """A plot for each part, on axes that hold them all."""
    places, x = _places(wanted, rows, lang)
    names = [column_name(line.y, lang) for line in wanted.lines]
    bounds = [
        float(value)
        for row in rows
        for line in wanted.lines
        for value in (row[line.y], line.low and row[line.low], line.high and row[line.high])
        if isinstance(value, int | float)
    ]
    y = axis(names[0] if len(names) == 1 else "", bounds)
    return [
        _drawn(wanted, name, _series(wanted, part, places, lang), (x, y), lang)
        for name, part in parts.items()
    ]


def _places(
    wanted: Curves, rows: Sequence[Row], lang: Language
) -> tuple[dict[tuple[Cell, ...], float], Axis]:
    """Where on the axis each value of x stands; names stand one after another."""
    values = list(dict.fromkeys(tuple(row[column] for column in wanted.x) for row in rows))
    name = column_name(wanted.x[0], lang)
    middles = [_middle(value) for value in values]
    if None in middles:
        texts = [worded(wanted.x[0], str(value[0]), lang) for value in values]
        return {value: float(at) for at, value in enumerate(values)}, named_axis(name, texts)
    placed = {value: middle for value, middle in zip(values, middles, strict=True) if middle is not None}
    return placed, axis(name, placed.values())


def _middle(value: Sequence[Cell]) -> float | None:
    """The mean of numbers; None for a text."""
    known = [float(each) for each in value if isinstance(each, int | float)]
    return sum(known) / len(known) if len(known) == len(value) else None


def _series(
    wanted: Curves, rows: Sequence[Row], places: dict[tuple[Cell, ...], float], lang: Language
) -> list[Series]:
    found = []
    for value, part in _apart(rows, wanted.by).items():
        for line in wanted.lines:
            several = [worded(wanted.by, value, lang)] if value else []
            several += [column_name(line.y, lang)] if len(wanted.lines) > 1 else []
            points = [_point(row, line, places[tuple(row[each] for each in wanted.x)]) for row in part]
            name = ", ".join(several)
            found.append(Series(name, [each for each in points if math.isfinite(each.y)], line.style))
    return found[:MOST_SERIES]


def _point(row: Row, line: Line, x: float) -> Point:
    """A row as a point; not a number where the column is blank."""
    low, high = (_number(row[column]) if column else math.nan for column in (line.low, line.high))
    has_ends = math.isfinite(low) and math.isfinite(high)
    return Point(x, _number(row[line.y]), low if has_ends else None, high if has_ends else None)


def _number(cell: Cell) -> float:
    return float(cell) if isinstance(cell, int | float) else math.nan


def _drawn(
    wanted: Curves, part: str, series: Sequence[Series], axes: tuple[Axis, Axis], lang: Language
) -> Plot:
    """A plot with its caption; series beyond the colours are dashed."""
    series = [
        each._replace(style="dashed") if at >= COLOURS and each.style == "line" else each
        for at, each in enumerate(series)
    ]
    caption = _caption(wanted, part, lang)
    named = [(at % COLOURS + 1, each.name, each.style == "dashed") for at, each in enumerate(series)]
    return Plot(caption, named if any(name for _, name, _ in named) else [], curves(caption, *axes, series))


def _caption(wanted: Curves | Dumbbells, part: str, lang: Language) -> str:
    said = say("lab", wanted.caption, lang)
    return say("lab", "plot-part", lang, said=said, part=worded(wanted.apart, part, lang)) if part else said


def _dumbbells(wanted: Dumbbells, part: str, rows: Sequence[Row], lang: Language) -> Plot:
    known = [row for row in rows if row[wanted.before] is not None and row[wanted.after] is not None]
    changes = [
        Change(
            next((str(row[name]) for name in wanted.names if row[name]), ""),
            _number(row[wanted.before]),
            _number(row[wanted.after]),
        )
        for row in known[:MOST_DUMBBELLS]
    ]
    caption = _caption(wanted, part, lang)
    keys = [(2, say("lab", "key-up", lang), False), (1, say("lab", "key-down", lang), False)]
    return Plot(caption, keys, dumbbells(caption, column_name(wanted.after, lang), changes))


def column_name(column: str, lang: Language) -> str:
    """What a column is called."""
    found = catalogue("lab")["column"].get(column)
    return str(found[lang]) if found else column


def worded(column: str, cell: str, lang: Language) -> str:
    """A code of the column in words; any other text as it is."""
    found = catalogue("lab")["value"].get(column, {}).get(cell)
    return str(found[lang]) if found else cell
