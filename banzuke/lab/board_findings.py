"""What a report shows a board: at most eight plots, each under the one sentence that says what it shows.

All other plots, and the tables, come after these. Where a plot has room for a few sets of rules only, it
shows the first and those that differ most from it; where a plot is of one set alone, there is one of the
first and one of that which differs most.
"""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

from banzuke.formats.svg_charts import COLOURS, number
from banzuke.lab import plots
from banzuke.lab.plots import PLOTS, Line, Plot, PlotPlan, Row, cell_number, code_text, column_name
from banzuke.lab.sheets import CONFIDENCE, Cell, Sheet, estimate_text
from banzuke.words import Language, catalogue, say

#: So many plots stand before a board.
MOST_SHOWN = 8
_RULES, _SPEED, _TRIED, _HUNDREDS = "variant", "speed", ("tried",), ("rating_from",)
#: The column of how far a group is rated too low.
_BEHIND = "lag"
#: Columns whose cells a sentence names beside the figure: those in words, and those that are estimates.
_NAMED, _BESIDE = ("group", _SPEED, "beside", "label", "value", "best"), ("scale_table", "scale_noise")
#: The columns of what was expected, that of the set of rules itself first.
EXPECTED = ("expected", "counted", "table")
#: The column of how many stand there.
COUNTED = "players"
#: The facts that a sentence on dumbbells has of the one that reaches furthest.
ENDS = ("before", "after")


class Shown(NamedTuple):
    """A plot under what it shows, from the sheet of that name."""

    finding: str
    plot: Plot
    sheet: str


class Entry(NamedTuple):
    """A figure in a plot: of what, how large, its cell, its row."""

    name: str
    at: float
    cell: Cell
    row: Row


def board_plots(sheets: Sequence[Sheet], lang: Language) -> list[Shown]:
    """The plots for a board, in the order of the sheets; the first kind of each goes before the second."""
    rows = {sheet.name: plots.rows_in(sheet, lang) for sheet in sheets}
    plans = [(at, name, plan) for name in rows for at, plan in enumerate(PLOTS.get(name, ()))]
    units = [(at, name, plan, _choose(plan, rows[name], lang)) for at, name, plan in plans]
    taken: set[tuple[str, int]] = set()
    room = MOST_SHOWN
    for at, name, _plan, chosen in sorted(units, key=lambda unit: unit[0]):
        if 0 < len(chosen) <= room:
            taken.add((name, at))
            room -= len(chosen)
    shown = [(name, plan, part) for at, name, plan, chosen in units if (name, at) in taken for part in chosen]
    return [
        Shown(_finding(plan, part, lang), plots.draw(plan, part, lang)[0], name) for name, plan, part in shown
    ]


def _choose(plan: PlotPlan, rows: Sequence[Row], lang: Language) -> list[list[Row]]:
    """The rows of each plot that is shown: one, or two where every set of rules has a plot of its own."""
    known = plots.changed_rows(plan, rows) if plan.kind == "dumbbells" else _known(plan, rows)
    others = [column for column in plan.apart if column != _RULES]
    known = max(plots.split_rows(known, others, lang).values(), key=partial(_weight, plan), default=[])
    sets = plots.split_rows(known, [_RULES], lang) if known and _RULES in known[0] else {"": known}
    (_, own), *rest = sets.items()
    rest.sort(key=lambda each: -_distance(plan, own, each[1]))
    if _RULES in plan.apart:
        return [part for part in (own, *(part for _, part in rest[:1])) if part]
    kept = len(rest) if plan.kind == "ranges" else COLOURS - 1
    named = {name for name, _ in rest[:kept]}
    drawn = [part for name, part in sets.items() if part is own or name in named]
    return [list(chain.from_iterable(drawn))] if own else []


def _weight(plan: PlotPlan, rows: Sequence[Row]) -> tuple[int, float]:
    """How much there is to see of some rows: their number, and of groups how far from nothing they lie."""
    if plan.kind == "dumbbells" or _SPEED in plan.apart:
        return len(rows), 0.0
    return len(rows), max(abs(cell_number(row[plan.lines[-1].y])) for row in rows)


def _known(plan: PlotPlan, rows: Sequence[Row]) -> list[Row]:
    """The rows that have the figure; where each name has one row in the plot, the first of each."""
    known = [row for row in rows if any(math.isfinite(cell_number(row.get(line.y))) for line in plan.lines)]
    if plan.kind == "curves":
        return known
    names = (*plan.by, *plan.apart)
    return [*{tuple(row[name] for name in names): row for row in reversed(known)}.values()][::-1]


def _distance(plan: PlotPlan, own: Sequence[Row], other: Sequence[Row]) -> float:
    """How far a plot of other rows is from that of the first: the largest distance of two points."""
    if plan.kind == "dumbbells":
        return max((abs(_change(plan, row)) for row in other), default=0.0)
    y = plan.lines[-1].y
    there = {_place(plan, row): cell_number(row[y]) for row in own}
    apart = (abs(cell_number(row[y]) - there.get(_place(plan, row), math.nan)) for row in other)
    return max((each for each in apart if math.isfinite(each)), default=0.0)


def _place(plan: PlotPlan, row: Row) -> tuple[Cell, ...]:
    """Where a row stands in its plot, whatever its set of rules."""
    columns = plan.x or plan.by
    return tuple(row[column] for column in columns if column != _RULES)


def _finding(plan: PlotPlan, rows: Sequence[Row], lang: Language) -> str:
    """The sentence over a plot: the words of the plan, with the plot's figures in them."""
    key = f"found-{plan.caption.removeprefix('plot-')}"
    if plan.kind == "dumbbells":
        facts = _changes(plan, rows, lang)
    elif any(line.y in EXPECTED for line in plan.lines):
        facts = _departure(plan, rows, lang)
        key = key if facts else "found-as-expected"
        facts["rules"] = _entry_name([_RULES], plan.lines[-1], rows[0], lang)
    elif plan.lines[0].y == COUNTED:
        facts = _crowd(plan, rows, lang)
    else:
        facts = _extremes(plan, _least_row(plan, rows), lang)
        key = next((each for each in _narrower(key, facts) if each in catalogue("lab")), key)
    return say("lab", key, lang, **facts)


def _narrower(key: str, facts: Mapping[str, object]) -> list[str]:
    """The keys of sentences that hold for a single figure, or where a figure lies, the closest first."""
    held = {
        "none": not facts["is_below"],
        "loss": not facts["is_above"],
        "nothing": facts["own"] == "0",
        "one": facts["count"] == 1,
        "own-least": facts["own"] == facts["least"],
        "own-most": facts["own"] == facts["most"],
    }
    return [f"{key}-{name}" for name, is_so in held.items() if is_so]


def _least_row(plan: PlotPlan, rows: Sequence[Row]) -> Sequence[Row]:
    """Of values that were tried, the row of the one that is least; else all rows."""
    if plan.x != _TRIED:
        return rows
    return [min(rows, key=lambda row: cell_number(row[plan.lines[0].y]))]


def _changes(plan: PlotPlan, rows: Sequence[Row], lang: Language) -> dict[str, object]:
    """How many of those shown go up and down, and who goes furthest."""
    by = [_change(plan, row) for row in rows[: plots.MOST_DUMBBELLS]]
    furthest = rows[max(range(len(by)), key=lambda at: abs(by[at]))]
    return {
        "rules": _name_text([(_RULES, str(furthest[_RULES]))], lang),
        "shown": len(by),
        "up": sum(each > 0 for each in by),
        "down": sum(each < 0 for each in by),
        "name": next((furthest[name] for name in plan.by if furthest[name]), ""),
        **{end: number(cell_number(furthest[line.y])) for end, line in zip(ENDS, plan.lines, strict=True)},
    }


def _change(plan: PlotPlan, row: Row) -> float:
    """How far a dumbbell reaches, upwards."""
    before, after = (cell_number(row[line.y]) for line in plan.lines)
    return after - before


def _departure(plan: PlotPlan, rows: Sequence[Row], lang: Language) -> dict[str, object]:
    """Where the score departs furthest from what was expected, of where chance does not explain it."""
    expected, scored = next(line.y for line in reversed(plan.lines) if line.y in EXPECTED), plan.lines[-1]
    found: tuple[float, Row] = (-1, {})
    for row in rows:
        low, high, told, score = (cell_number(row[at]) for at in (*scored.ends, expected, scored.y))
        if (told < low or told > high) and abs(score - told) > found[0]:
            found = abs(score - told), row
    row = found[1]
    if not row or _beside_text(row[scored.y]) == _beside_text(row[expected]):
        return {}
    is_low = cell_number(row[scored.y]) > cell_number(row[expected])
    return {
        "side": say("lab", "found-low" if is_low else "found-high", lang),
        "x": _x_text(plan, row, lang),
        "scored": estimate_text(cell_number(row[scored.y])),
        "expected": estimate_text(cell_number(row[expected])),
    }


def _crowd(plan: PlotPlan, rows: Sequence[Row], lang: Language) -> dict[str, object]:
    """Where most stand, by the first set of rules."""
    (line,) = plan.lines
    own = [row for row in rows if row.get(_RULES) == rows[0].get(_RULES)]
    most = max(own, key=lambda row: cell_number(row[line.y]))
    whole = sum(round(cell_number(row[line.y])) for row in own)
    rules = _entry_name([_RULES], line, most, lang)
    until = number(cell_number(most[plan.x[0]]) + 99) if plan.x == _HUNDREDS else ""
    x = _x_text(plan, most, lang)
    return {"x": x, "until": until, "most": most[line.y], "whole": whole, "rules": rules}


def _extremes(plan: PlotPlan, rows: Sequence[Row], lang: Language) -> dict[str, object]:
    """The figures at the end of the plot: the first, the least, the most; and how the first began."""
    line, x = plan.lines[0], plan.x[0] if plan.x else ""
    last = list(dict.fromkeys(row.get(x) for row in rows))[-1]
    at_end = [row for row in rows if row.get(x) == last]
    began = next(row for row in rows if math.isfinite(cell_number(row.get(line.y))))
    entries = [
        Entry(_entry_name(plan.by, each, row, lang), cell_number(row[each.y]), row[each.y], row)
        for row in at_end
        for each in plan.lines
        if math.isfinite(cell_number(row.get(each.y)))
    ]
    least, most = (pick(entries, key=lambda entry: entry.at) for pick in (min, max))
    facts: dict[str, object] = {
        "count": len(entries),
        "is_below": least.at < 0,
        "is_above": most.at > 0,
        "x": _x_text(plan, at_end[0], lang),
        "since": _x_text(plan, began, lang),
        "began": estimate_text(cell_number(began[line.y])),
    }
    for role, entry in (("own", entries[0]), ("least", least), ("most", most)):
        own_facts = {
            "name": entry.name,
            "percent": f"{entry.at:.1%}",
            "likely": f"{math.exp(-abs(entry.at)):.1%}",
            "size": estimate_text(abs(entry.at)),
            "chance": _chance(line, entry.row, lang),
            "between": _between("found-between", line, entry.row, lang),
            **{at: _beside_text(entry.row.get(at)) for at in _BESIDE},
            **{at: code_text(at, str(entry.row.get(at, "")), lang) for at in _NAMED},
        }
        facts |= {role: _figure_text(entry.cell), **{f"{role}_{at}": fact for at, fact in own_facts.items()}}
    own = entries[0]
    facts |= {at: facts[f"own_{at}"] for at in _NAMED}
    is_high = own.at < 0 if line.y == _BEHIND else own.at > 0
    facts["own_side"] = say("lab", "found-high" if is_high else "found-low", lang)
    facts["own_amount"] = say("lab", "found-more-points" if own.at > 0 else "found-fewer-points", lang)
    is_several = facts["least"] != facts["most"]
    percents = facts | {end: facts[f"{end}_percent"] for end in ("least", "most")}
    for name, shown in (("shown_range", facts), ("shown_percents", percents)):
        facts[name] = say("lab", "found-range", lang, **shown) if is_several else ""
    return facts


def _beside_text(cell: Cell) -> str:
    """An estimate that stands beside the figure, or a dash."""
    return estimate_text(cell_number(cell)) if math.isfinite(cell_number(cell)) else "–"


def _figure_text(cell: Cell) -> str:
    """An estimate as it is shown, or a count."""
    return f"{cell:,}".replace("-", "−") if isinstance(cell, int) else estimate_text(cell_number(cell))


def _entry_name(names: Sequence[str], line: Line, row: Row, lang: Language) -> str:
    """Of what a figure is: in words, or a name in quotes; without columns that name it, that of its own."""
    codes = [(name, str(row[name])) for name in names if row.get(name)]
    return _name_text(codes, lang) or column_name(line.y, lang)


def _name_text(codes: Sequence[tuple[str, str]], lang: Language) -> str:
    """Cells of columns as one name: in words, or in quotes."""
    worded = ", ".join(code_text(*code, lang) for code in codes)
    if worded and worded == ", ".join(code for _, code in codes):
        return say("lab", "found-quoted", lang, name=worded)
    return worded


def _chance(line: Line, row: Row, lang: Language) -> str:
    """Whether the figure's interval leaves room for nothing at all, in words."""
    low, high = (cell_number(row.get(end)) for end in line.ends)
    by_chance = cell_number(row.get("chance"))
    is_sure = by_chance < 1 - CONFIDENCE if math.isfinite(by_chance) else low > 0 or high < 0
    return _between("found-sure" if is_sure else "found-may-be-chance", line, row, lang)


def _between(key: str, line: Line, row: Row, lang: Language) -> str:
    """What is said of a figure with its interval; that there is too little for one, where it has none."""
    low, high = (cell_number(row.get(end)) for end in line.ends)
    if not math.isfinite(low + high):
        return say("lab", "found-too-few", lang)
    return say("lab", key, lang, low=estimate_text(low), high=estimate_text(high))


def _x_text(plan: PlotPlan, row: Row, lang: Language) -> str:
    """Where on the axis a row stands, as it is read; a step or a gap by both ends."""
    cells = [(column, row[column]) for column in plan.x]
    ends = [number(cell) if isinstance(cell, float) else code_text(at, str(cell), lang) for at, cell in cells]
    return "–".join(ends)
