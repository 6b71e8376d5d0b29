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

from banzuke.lab.intervals import CONFIDENCE
from banzuke.lab.plots import (
    MOST_DUMBBELLS,
    PLOTS,
    Curves,
    Dumbbells,
    Line,
    Plan,
    Plot,
    Ranges,
    cell_number,
    changed_rows,
    code_text,
    column_name,
    draw,
    rows_in,
    split_rows,
)
from banzuke.lab.sheets import Cell, Sheet, estimate_text
from banzuke.lab.svg_charts import COLOURS, number
from banzuke.words import Language, catalogue, say

Row = dict[str, Cell]

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


class Shown(NamedTuple):
    """A plot under what it shows, from the sheet of that name."""

    finding: str
    plot: Plot
    sheet: str


class Entry(NamedTuple):
    """A figure in a plot: of what, how large, its row, and whether it is a count."""

    name: str
    at: float
    row: Row
    is_count: bool


def board_plots(sheets: Sequence[Sheet], lang: Language) -> list[Shown]:
    """The plots for a board, in the order of the sheets; the first kind of each goes before the second."""
    rows = {sheet.name: rows_in(sheet, lang) for sheet in sheets}
    plans = [(at, name, plan) for name in rows for at, plan in enumerate(PLOTS.get(name, ()))]
    units = [(at, name, plan, _choose(plan, rows[name], lang)) for at, name, plan in plans]
    taken: set[tuple[str, int]] = set()
    room = MOST_SHOWN
    for at, name, _plan, chosen in sorted(units, key=lambda unit: unit[0]):
        if 0 < len(chosen) <= room:
            taken.add((name, at))
            room -= len(chosen)
    shown = [(name, plan, part) for at, name, plan, chosen in units if (name, at) in taken for part in chosen]
    return [Shown(_finding(plan, part, lang), draw(plan, part, lang)[0], name) for name, plan, part in shown]


def _choose(plan: Plan, rows: Sequence[Row], lang: Language) -> list[list[Row]]:
    """The rows of each plot that is shown: one, or two where every set of rules has a plot of its own."""
    known = changed_rows(plan, rows) if isinstance(plan, Dumbbells) else _known(plan, rows)
    others = [column for column in plan.apart if column != _RULES]
    known = max(split_rows(known, others, lang).values(), key=partial(_weight, plan), default=[])
    sets = split_rows(known, [_RULES], lang) if known and _RULES in known[0] else {"": known}
    (_, own), *rest = sets.items()
    rest.sort(key=lambda each: -_distance(plan, own, each[1]))
    if _RULES in plan.apart:
        return [part for part in (own, *(part for _, part in rest[:1])) if part]
    kept = len(rest) if isinstance(plan, Ranges) else COLOURS - 1
    named = {name for name, _ in rest[:kept]}
    drawn = [part for name, part in sets.items() if part is own or name in named]
    return [list(chain.from_iterable(drawn))] if own else []


def _weight(plan: Plan, rows: Sequence[Row]) -> tuple[int, float]:
    """How much there is to see of some rows: their number, and of groups how far from nothing they lie."""
    if isinstance(plan, Dumbbells) or _SPEED in plan.apart:
        return len(rows), 0.0
    return len(rows), max(abs(cell_number(row[_lines(plan)[-1].y])) for row in rows)


def _known(plan: Curves | Ranges, rows: Sequence[Row]) -> list[Row]:
    """The rows that have the figure; where each name has one row in the plot, the first of each."""
    known = [row for row in rows if any(math.isfinite(cell_number(row.get(line.y))) for line in _lines(plan))]
    if isinstance(plan, Curves):
        return known
    return list(
        {tuple(row[name] for name in (*plan.names, *plan.apart)): row for row in reversed(known)}.values()
    )[::-1]


def _lines(plan: Curves | Ranges) -> Sequence[Line]:
    return (plan.line,) if isinstance(plan, Ranges) else plan.lines


def _distance(plan: Plan, own: Sequence[Row], other: Sequence[Row]) -> float:
    """How far a plot of other rows is from that of the first: the largest distance of two points."""
    if isinstance(plan, Dumbbells):
        return max(
            (abs(cell_number(row[plan.after]) - cell_number(row[plan.before])) for row in other), default=0.0
        )
    y = _lines(plan)[-1].y
    there = {_place(plan, row): cell_number(row[y]) for row in own}
    apart = (abs(cell_number(row[y]) - there.get(_place(plan, row), math.nan)) for row in other)
    return max((each for each in apart if math.isfinite(each)), default=0.0)


def _place(plan: Curves | Ranges, row: Row) -> tuple[Cell, ...]:
    """Where a row stands in its plot, whatever its set of rules."""
    columns = plan.names if isinstance(plan, Ranges) else plan.x
    return tuple(row[column] for column in columns if column != _RULES)


def _finding(plan: Plan, rows: Sequence[Row], lang: Language) -> str:
    """The sentence over a plot: the words of the plan, with the plot's figures in them."""
    key = f"found-{plan.caption.removeprefix('plot-')}"
    match plan:
        case Dumbbells():
            facts = _changes(plan, rows, lang)
        case Curves() if _is_of_expectation(plan):
            facts = _departure(plan, rows, lang)
            key = key if facts else "found-as-expected"
            facts["rules"] = _entry_name([_RULES], plan.lines[-1], rows[0], lang)
        case Curves() if plan.lines[0].y == COUNTED:
            facts = _crowd(plan, rows, lang)
        case _:
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


def _least_row(plan: Plan, rows: Sequence[Row]) -> Sequence[Row]:
    """Of values that were tried, the row of the one that is least; else all rows."""
    if not isinstance(plan, Curves) or plan.x != _TRIED:
        return rows
    return [min(rows, key=lambda row: cell_number(row[plan.lines[0].y]))]


def _is_of_expectation(plan: Curves) -> bool:
    """Whether scores stand beside what was expected."""
    return any(line.y in EXPECTED for line in plan.lines)


def _changes(plan: Dumbbells, rows: Sequence[Row], lang: Language) -> dict[str, object]:
    """How many of those shown go up and down, and who goes furthest."""
    by = [cell_number(row[plan.after]) - cell_number(row[plan.before]) for row in rows[:MOST_DUMBBELLS]]
    furthest = rows[max(range(len(by)), key=lambda at: abs(by[at]))]
    return {
        "rules": _name_text([(_RULES, str(furthest[_RULES]))], lang),
        "shown": len(by),
        "up": sum(each > 0 for each in by),
        "down": sum(each < 0 for each in by),
        "name": next((furthest[name] for name in plan.names if furthest[name]), ""),
        "before": number(cell_number(furthest[plan.before])),
        "after": number(cell_number(furthest[plan.after])),
    }


def _departure(plan: Curves, rows: Sequence[Row], lang: Language) -> dict[str, object]:
    """Where the score departs furthest from what was expected, of where chance does not explain it."""
    expected = next(line.y for line in reversed(plan.lines) if line.y in EXPECTED)
    scored = plan.lines[-1]
    beyond = [
        row
        for row in rows
        if not cell_number(row[scored.low]) <= cell_number(row[expected]) <= cell_number(row[scored.high])
    ]
    apart = [(abs(cell_number(row[scored.y]) - cell_number(row[expected])), row) for row in beyond]
    known = [pair for pair in apart if math.isfinite(pair[0])]
    row = max(known, key=lambda pair: pair[0])[1] if known else {}
    if not known or _beside_text(row[scored.y]) == _beside_text(row[expected]):
        return {}
    is_low = cell_number(row[scored.y]) > cell_number(row[expected])
    return {
        "side": say("lab", "found-low" if is_low else "found-high", lang),
        "x": _x_text(plan, row, lang),
        "scored": estimate_text(cell_number(row[scored.y])),
        "expected": estimate_text(cell_number(row[expected])),
    }


def _crowd(plan: Curves, rows: Sequence[Row], lang: Language) -> dict[str, object]:
    """Where most stand, by the first set of rules."""
    (line,) = plan.lines
    own = [row for row in rows if row.get(_RULES) == rows[0].get(_RULES)]
    most = max(own, key=lambda row: cell_number(row[line.y]))
    whole = sum(round(cell_number(row[line.y])) for row in own)
    rules = _entry_name([_RULES], line, most, lang)
    until = number(cell_number(most[plan.x[0]]) + 99) if plan.x == _HUNDREDS else ""
    x = _x_text(plan, most, lang)
    return {"x": x, "until": until, "most": most[line.y], "whole": whole, "rules": rules}


def _extremes(plan: Curves | Ranges, rows: Sequence[Row], lang: Language) -> dict[str, object]:
    """The figures at the end of the plot: the first, the least, the most; and how the first began."""
    names = plan.names if isinstance(plan, Ranges) else plan.by
    at_end = rows
    if isinstance(plan, Curves):
        ends = {str(row[plan.x[0]]): None for row in rows}
        at_end = [row for row in rows if str(row[plan.x[0]]) == list(ends)[-1]]
    entries = [
        Entry(
            _entry_name(names, line, row, lang), cell_number(row[line.y]), row, isinstance(row[line.y], int)
        )
        for row in at_end
        for line in _lines(plan)
        if math.isfinite(cell_number(row.get(line.y)))
    ]
    least, most = (pick(entries, key=lambda entry: entry.at) for pick in (min, max))
    facts: dict[str, object] = {
        "count": len(entries),
        "is_below": least.at < 0,
        "is_above": most.at > 0,
        "x": "",
        "since": "",
        "began": "",
    }
    if isinstance(plan, Curves):
        began = next(row for row in rows if math.isfinite(cell_number(row.get(_lines(plan)[0].y))))
        facts["x"], facts["since"] = _x_text(plan, at_end[0], lang), _x_text(plan, began, lang)
        facts["began"] = estimate_text(cell_number(began[_lines(plan)[0].y]))
    for role, entry in (("own", entries[0]), ("least", least), ("most", most)):
        facts |= {role: _figure_text(entry), f"{role}_name": entry.name, f"{role}_percent": f"{entry.at:.1%}"}
        facts[f"{role}_likely"] = f"{math.exp(-abs(entry.at)):.1%}"
        facts[f"{role}_size"] = estimate_text(abs(entry.at))
        facts[f"{role}_chance"] = _chance(_lines(plan)[0], entry.row, lang)
        facts[f"{role}_between"] = _between("found-between", _lines(plan)[0], entry.row, lang)
        facts |= {f"{role}_{at}": _beside_text(entry.row.get(at)) for at in _BESIDE}
        facts |= {f"{role}_{at}": code_text(at, str(entry.row.get(at, "")), lang) for at in _NAMED}
    own = entries[0]
    facts |= {at: facts[f"own_{at}"] for at in _NAMED}
    is_high = own.at < 0 if _lines(plan)[0].y == _BEHIND else own.at > 0
    facts["own_side"] = say("lab", "found-high" if is_high else "found-low", lang)
    facts["own_amount"] = say("lab", "found-more-points" if own.at > 0 else "found-fewer-points", lang)
    is_several = facts["least"] != facts["most"]
    facts["shown_range"] = say("lab", "found-range", lang, **facts) if is_several else ""
    percents = facts | {end: facts[f"{end}_percent"] for end in ("least", "most")}
    facts["shown_percents"] = say("lab", "found-range", lang, **percents) if is_several else ""
    return facts


def _beside_text(cell: Cell) -> str:
    """An estimate that stands beside the figure, or a dash."""
    return estimate_text(cell_number(cell)) if math.isfinite(cell_number(cell)) else "–"


def _figure_text(entry: Entry) -> str:
    """An estimate as it is shown, or a count."""
    return f"{entry.at:,.0f}".replace("-", "−") if entry.is_count else estimate_text(entry.at)


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
    low, high = (cell_number(row.get(end)) for end in (line.low, line.high))
    by_chance = cell_number(row.get("chance"))
    is_sure = by_chance < 1 - CONFIDENCE if math.isfinite(by_chance) else low > 0 or high < 0
    return _between("found-sure" if is_sure else "found-may-be-chance", line, row, lang)


def _between(key: str, line: Line, row: Row, lang: Language) -> str:
    """What is said of a figure with its interval; that there is too little for one, where it has none."""
    low, high = (cell_number(row.get(end)) for end in (line.low, line.high))
    if not math.isfinite(low + high):
        return say("lab", "found-too-few", lang)
    return say("lab", key, lang, low=estimate_text(low), high=estimate_text(high))


def _x_text(plan: Curves, row: Row, lang: Language) -> str:
    """Where on the axis a row stands, as it is read; a step or a gap by both ends."""
    cells = [(column, row[column]) for column in plan.x]
    ends = [number(cell) if isinstance(cell, float) else code_text(at, str(cell), lang) for at, cell in cells]
    return "–".join(ends)
