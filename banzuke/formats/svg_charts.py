"""Plots as SVG, made here: curves with intervals, steps, ranges, dumbbells; nothing runs, nothing is fetched.

A plot has the colours of the stylesheet (classes `s1` ... `s4`, `grid`, `axis`), so that it is readable in
light and dark and on paper. It is drawn as wide as a telephone shows it; what it says stands in words and in
a table beside it.
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
AXIS_NAME = 'class="axis-name"'

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
    drawn = [_text(0, 14, y.name, AXIS_NAME)]
    for at, label in y.ticks:
        height = _y(at, y)
        drawn.append(_line("grid", LEFT, WIDTH - RIGHT, height, height))
        drawn.append(_text(LEFT - 6, height + 4, label, 'text-anchor="end"'))
    drawn += _across(x, HEIGHT - BOTTOM, LEFT)
    for index, each in enumerate(series):
        drawn += _curve(each, f"s{index % COLOURS + 1}", x, y)
    return _svg(title, HEIGHT, drawn)


def ranges(title: str, name: str, rows: Sequence[Range]) -> str:
    """A row for each: a dot where it stands, a line from where to where it may."""

    def marks(row: Range, x: Axis, y: float) -> tuple[str, list[str]]:
        dot = [_circle("s1 dot", _x(row.at, x, NAMES), y, 5)]
        if row.low is not None and row.high is not None:
            dot.insert(0, _line("s1 thick", _x(row.low, x, NAMES), _x(row.high, x, NAMES), y, y))
        return f"{row.name}: {_with_interval(row.at, row.low, row.high)}", dot

    return _row_chart(title, name, rows, marks)


def dumbbells(title: str, name: str, changes: Sequence[Change]) -> str:
    """A row for each: a ring where it was, a dot where it is, a line from the one to the other."""

    def marks(change: Change, x: Axis, y: float) -> tuple[str, list[str]]:
        before, after = _x(change.before, x, NAMES), _x(change.after, x, NAMES)
        colour = "s2" if change.after >= change.before else "s1"
        line = _line(f"{colour} thick", before, after, y, y)
        ends = [_circle(f"{colour} ring", before, y, 4), _circle(f"{colour} dot", after, y, 5)]
        return f"{change.name}: {number(change.before)} → {number(change.after)}", [line, *ends]

    return _row_chart(title, name, changes, marks)


def _row_chart(
    title: str, name: str, rows: Sequence[Any], marks: Callable[[Any, Axis, float], tuple[str, list[str]]]
) -> str:
    """A chart of a row for each of the rows, over one axis; `marks` gives a row's label and its marks."""
    x = axis(name, (end for _, *ends in rows for end in ends if end is not None))
    height = ROW * len(rows) + BOTTOM
    drawn = _across(x, height - BOTTOM, NAMES)
    for index, (row, short) in enumerate(zip(rows, _short_names([row.name for row in rows]), strict=True)):
        y = ROW * index + ROW / 2
        label, marked = marks(row, x, y)
        drawn += [f"<g><title>{escape(label)}</title>", _text(0, y + 4, short), *marked, "</g>"]
    return _svg(title, height, drawn)


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
    at = _x(point.x, x)
    return _line(f"{colour} whisker", at, at, low, high)


def _dot(point: Point, colour: str, x: Axis, y: Axis) -> str:
    label = f"{number(point.x)}: {_with_interval(*point[1:])}"
    return _circle(f"{colour} dot", _x(point.x, x), _y(point.y, y), 4, f"<title>{label}</title>")


def _with_interval(value: float, low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return number(value)
    return f"{number(value)} ({number(low)} – {number(high)})"


def _across(x: Axis, foot: float, left: float) -> list[str]:
    """The axis at the foot of a plot."""
    right = WIDTH - RIGHT
    drawn = [_line("axis", left, right, foot, foot)]
    for at, label in x.ticks:
        place = _x(at, x, left)
        drawn.append(_line("axis", place, place, foot, foot + 4))
        drawn.append(_text(place, foot + 17, label, 'text-anchor="middle"'))
    return [*drawn, _text(right, foot + 34, x.name, f'text-anchor="end" {AXIS_NAME}')]


def _line(kind: str, *ends: float) -> str:
    """A line of a class by `x1`, `x2`, `y1`, `y2`."""
    x1, x2, y1, y2 = map(_at, ends)
    return f'<line class="{kind}" x1="{x1}" x2="{x2}" y1="{y1}" y2="{y2}"/>'


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{_at(x)}" y="{_at(y)}"{more and f" {more}"}>{escape(text)}</text>'


def _circle(kind: str, x: float, y: float, radius: int, within: str = "") -> str:
    end = f">{within}</circle>" if within else "/>"
    return f'<circle class="{kind}" cx="{_at(x)}" cy="{_at(y)}" r="{radius}"{end}'


def _svg(title: str, height: float, drawn: Iterable[str]) -> str:
    size = f'viewBox="0 0 {WIDTH} {_at(height)}"'
    return f'<svg {size} role="img" aria-label="{escape(title)}">{"".join(drawn)}</svg>'


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
    return next(name[:at] for at in range(len(name), 0, -1) if _columns(name[:at]) < NAME_COLUMNS) + "…"
