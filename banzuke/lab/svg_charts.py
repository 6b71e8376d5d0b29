"""Plots as SVG, made here: curves with intervals, steps, ranges, dumbbells; nothing runs, nothing is fetched.

A plot has the colours of the stylesheet (classes `s1` ... `s4`, `grid`, `axis`), so that it is readable in
light and dark and on paper. It is drawn as wide as a telephone shows it; what it says stands in words and in
a table beside it (`lab/report_page.py`).
"""

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape
from itertools import pairwise
from typing import Any, Literal, NamedTuple

#: The drawing's width and height, and the room around the plot, in its own units (a pixel on a telephone).
WIDTH, HEIGHT = 400, 260
LEFT, RIGHT, TOP, BOTTOM = 46, 12, 26, 40
#: About so many ticks an axis; so many series have a colour of their own.
TICKS, COLOURS = 5, 4
#: So much of a name is written beside a dumbbell, and of names along an axis, in Latin letters' widths.
NAME_COLUMNS, LINE_COLUMNS = 20, 44
#: From this character on letters are twice as wide.
WIDE = 0x2E80
#: A row of ranges or dumbbells; and where its names end.
ROW, NAMES = 22, 146

Style = Literal["line", "dashed", "dots", "steps"]


class Point(NamedTuple):
    """A point of a curve with its interval, `low` to `high` (None: it has no interval)."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None


class Series(NamedTuple):
    """A curve by its name, or points with bars of how sure they are, or steps; in the order of x."""

    name: str
    points: Sequence[Point]
    style: Style = "line"


class Axis(NamedTuple):
    """What an axis is called, from where to where it reaches, and its ticks with what they say."""

    name: str
    low: float
    high: float
    ticks: Sequence[tuple[float, str]]


class Range(NamedTuple):
    """A row of a range chart: its name, its value, and its interval, `low` to `high` (None: none)."""

    name: str
    at: float
    low: float | None = None
    high: float | None = None


class Change(NamedTuple):
    """A row of dumbbells: who, from where, to where."""

    name: str
    before: float
    after: float


def axis(name: str, values: Iterable[float]) -> Axis:
    """An axis around the values, with ticks at round numbers."""
    known = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
    low, high = min(known), max(known)
    if low == high:
        low, high = low - 1, high + 1
    step = _step((high - low) / TICKS)
    first, last = math.floor(low / step), math.ceil(high / step)
    ticks = [(at * step, number(at * step)) for at in range(first, last + 1)]
    return Axis(name, first * step, last * step, ticks)


def named_axis(name: str, names: Sequence[str]) -> Axis:
    """An axis of names in their order (years, lists), the first at 0; as many are written as have room."""
    every = max(1, math.ceil(sum(_columns(each) + 2 for each in names) / LINE_COLUMNS))
    ticks = [(float(at), each) for at, each in enumerate(names) if at % every == 0]
    return Axis(name, -0.5, max(len(names) - 1, 0) + 0.5, ticks)


def _step(rough: float) -> float:
    """The first of 1, 2, 5, 10, 20 ... that is not below it."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * each for each in (1, 2, 5, 10) if power * each >= rough * (1 - 1e-9))


def number(value: float) -> str:
    """A number as it is printed: without trailing zeros, with a true minus sign."""
    plain = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if plain in ("-0", "") else plain.replace("-", "−")


def curves(title: str, x: Axis, y: Axis, series: Sequence[Series]) -> str:
    """Curves over two axes."""
    drawn = [*_grid(x, y)]
    for index, each in enumerate(series):
        drawn += _curve(each, f"s{index % COLOURS + 1}", x, y)
    return _svg(title, HEIGHT, drawn)


def ranges(title: str, name: str, rows: Sequence[Range]) -> str:
    """A row for each: a dot where it stands, a line from where to where it may."""
    ends = (end for row in rows for end in (row.at, row.low, row.high) if end is not None)
    return _row_chart(title, axis(name, ends), rows, _range)


def _range(row: Range, name: str, x: Axis, y: float) -> list[str]:
    label, at = f"{row.name}: {number(row.at)}", _at(_x(row.at, x, NAMES))
    line = ""
    if row.low is not None and row.high is not None:
        label += f" ({number(row.low)} – {number(row.high)})"
        low, high = (_at(_x(end, x, NAMES)) for end in (row.low, row.high))
        line = f'<line class="s1 thick" x1="{low}" x2="{high}" y1="{_at(y)}" y2="{_at(y)}"/>'
    return [
        f'<g><title>{escape(label)}</title><text x="0" y="{_at(y + 4)}">{escape(name)}</text>',
        f'{line}<circle class="s1 dot" cx="{at}" cy="{_at(y)}" r="5"/></g>',
    ]


def dumbbells(title: str, name: str, changes: Sequence[Change]) -> str:
    """A row for each: a ring where it was, a dot where it is, a line from the one to the other."""
    ends = [at for each in changes for at in (each.before, each.after)]
    return _row_chart(title, axis(name, ends), changes, _dumbbell)


def _row_chart(
    title: str, x: Axis, rows: Sequence[Any], draw: Callable[[Any, str, Axis, float], list[str]]
) -> str:
    """A chart of a row for each of the rows, over one axis."""
    height = ROW * len(rows) + BOTTOM
    drawn = _across(x, height - BOTTOM, NAMES)
    for index, (row, name) in enumerate(zip(rows, _short_names([row.name for row in rows]), strict=True)):
        drawn += draw(row, name, x, ROW * index + ROW / 2)
    return _svg(title, height, drawn)


def _dumbbell(change: Change, short: str, x: Axis, y: float) -> list[str]:
    before, after = _x(change.before, x, NAMES), _x(change.after, x, NAMES)
    colour = "s2" if change.after >= change.before else "s1"
    label = f"{change.name}: {number(change.before)} → {number(change.after)}"
    name = f'<text x="0" y="{_at(y + 4)}">{escape(short)}</text>'
    return [
        f"<g><title>{escape(label)}</title>{name}",
        f'<line class="{colour} thick" x1="{_at(before)}" x2="{_at(after)}" y1="{_at(y)}" y2="{_at(y)}"/>',
        f'<circle class="{colour} ring" cx="{_at(before)}" cy="{_at(y)}" r="4"/>',
        f'<circle class="{colour} dot" cx="{_at(after)}" cy="{_at(y)}" r="5"/></g>',
    ]


def _curve(series: Series, colour: str, x: Axis, y: Axis) -> list[str]:
    """A curve's elements; points that are not numbers are left out, and one alone is a dot."""
    points = [each for each in series.points if math.isfinite(each.x) and math.isfinite(each.y)]
    drawn = [_whisker(each, colour, x, y) for each in points if each.low is not None]
    if series.style == "dots" or len(points) == 1:
        return [*drawn, *(_dot(each, colour, x, y) for each in points)]
    placed = [(_x(each.x, x), _y(each.y, y)) for each in points]
    kind = f"{colour} curve dashed" if series.style == "dashed" else f"{colour} curve"
    path = _steps(placed) if series.style == "steps" else placed
    return [*drawn, f'<polyline class="{kind}" points="{" ".join(f"{_at(a)},{_at(b)}" for a, b in path)}"/>']


def _steps(placed: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """A staircase: each height holds until the next point."""
    found = list(placed[:1])
    for (_, before), (at, height) in pairwise(placed):
        found += [(at, before), (at, height)]
    return found


def _whisker(point: Point, colour: str, x: Axis, y: Axis) -> str:
    ends = (end if end is not None else point.y for end in (point.low, point.high))
    low, high = (_y(min(max(end, y.low), y.high), y) for end in ends)
    at = _at(_x(point.x, x))
    return f'<line class="{colour} whisker" x1="{at}" x2="{at}" y1="{_at(low)}" y2="{_at(high)}"/>'


def _dot(point: Point, colour: str, x: Axis, y: Axis) -> str:
    label = f"{number(point.x)}: {number(point.y)}"
    if point.low is not None and point.high is not None:
        label += f" ({number(point.low)} – {number(point.high)})"
    place = f'cx="{_at(_x(point.x, x))}" cy="{_at(_y(point.y, y))}"'
    return f'<circle class="{colour} dot" {place} r="4"><title>{label}</title></circle>'


def _grid(x: Axis, y: Axis) -> list[str]:
    """Both axes: hairlines for y, ticks for x, and what they are called."""
    drawn = [f'<text x="0" y="14" class="axis-name">{escape(y.name)}</text>']
    for at, label in y.ticks:
        height = _at(_y(at, y))
        drawn.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{height}" y2="{height}"/>')
        drawn.append(
            f'<text x="{LEFT - 6}" y="{_at(_y(at, y) + 4)}" text-anchor="end">{escape(label)}</text>'
        )
    return drawn + _across(x, HEIGHT - BOTTOM, LEFT)


def _across(x: Axis, foot: float, left: float) -> list[str]:
    """The axis at the foot of a plot."""
    right = WIDTH - RIGHT
    drawn = [f'<line class="axis" x1="{_at(left)}" x2="{right}" y1="{_at(foot)}" y2="{_at(foot)}"/>']
    for at, label in x.ticks:
        place = _at(_x(at, x, left))
        drawn.append(f'<line class="axis" x1="{place}" x2="{place}" y1="{_at(foot)}" y2="{_at(foot + 4)}"/>')
        drawn.append(f'<text x="{place}" y="{_at(foot + 17)}" text-anchor="middle">{escape(label)}</text>')
    drawn.append(
        f'<text x="{right}" y="{_at(foot + 34)}" text-anchor="end" class="axis-name">{escape(x.name)}</text>'
    )
    return drawn


def _svg(title: str, height: float, drawn: Iterable[str]) -> str:
    label = escape(title)
    size = f'viewBox="0 0 {WIDTH} {_at(height)}"'
    return f'<svg {size} role="img" aria-label="{label}">{"".join(drawn)}</svg>'


def _x(value: float, x: Axis, left: float = LEFT) -> float:
    return left + (WIDTH - RIGHT - left) * (value - x.low) / (x.high - x.low)


def _y(value: float, y: Axis) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (value - y.low) / (y.high - y.low)


def _at(value: float) -> str:
    """A coordinate, to a tenth."""
    return f"{value:.1f}".removesuffix(".0")


def _columns(name: str) -> int:
    return sum(2 if ord(letter) >= WIDE else 1 for letter in name)


def _short_names(names: Sequence[str]) -> list[str]:
    """As much of each name as there is room for; of those that begin alike, the end."""
    begun = [_beginning(name) for name in names]
    return [
        short if begun.count(short) == 1 else _beginning(name[::-1])[::-1]
        for name, short in zip(names, begun, strict=True)
    ]


def _beginning(name: str) -> str:
    if _columns(name) <= NAME_COLUMNS:
        return name
    kept = ""
    while _columns(kept + name[len(kept)]) < NAME_COLUMNS:
        kept += name[len(kept)]
    return kept + "…"
