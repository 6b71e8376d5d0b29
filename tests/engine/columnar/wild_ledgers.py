"""Ledgers with all that a chess pool's history may hold, made from a seed.

Upon the ledgers of `office.test_properties`: years of events on the borders of months, windows and leap years;
rule books that follow one another, each with settings of its own; corrections of every table by inquiries,
events reported anew among them; ids as nobody expects them; ratings at every border. A few of the ledgers do
not check: these are refused.
"""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import TYPE_CHECKING

from engine.random_adjustments import adjustment_rows
from engine.test_properties import (
    MINUTES,
    RESULTS,
    SPEEDS_OF,
    Ledger,
    Row,
    event_row,
    game_rows,
    list_of,
    membership_rows,
    player_row,
    standing_rows,
)

from banzuke.core.facts import SPEEDS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

#: The rule books of a pool; the first is in force from the first day.
FIRST_DAY = date(2022, 9, 1)
POOLS = {
    "ncs": ("ncs-2022",),
    "jcf": ("jcf-2024",),
    "japan": ("ncs-2022", "jcf-2024"),
    "hakodate": ("hakodate",),
    "fide": ("fide-2024",),
}
NCS_SWITCHES = (
    "rate_against_unrated",
    "k_shared",
    "undeclared_by_time",
    "unrated_games_fill_first",
    "fee_required",
)

#: Days on the borders of months, windows and years.
BORDERS = [
    date.fromisoformat(text)
    for text in (
        "2022-12-31", "2023-02-28", "2023-10-31", "2023-12-31", "2024-01-01", "2024-02-26", "2024-02-27",
        "2024-02-28", "2024-02-29", "2024-03-01", "2024-08-31", "2024-11-30", "2024-12-20", "2024-12-21",
        "2025-01-20", "2025-01-21", "2025-02-26", "2025-02-27", "2025-02-28", "2025-09-30", "2025-10-01",
        "2025-10-29", "2025-10-30", "2026-02-28", "2026-04-30", "2026-05-01",
    )
]  # fmt: skip
BIRTHDAYS = ("2004-12-31", "2005-01-01", "2006-12-31", "2007-01-01", "2008-02-29", "2009-01-02")
RATINGS = (
    -9999,
    -1,
    0,
    1,
    99,
    100,
    399,
    400,
    1399,
    1400,
    1410,
    2299,
    2300,
    2399,
    2400,
    2649,
    2650,
    3000,
    9999,
)

#: Ids that a table of plain text must quote, a sort by code points must tell apart, a guess would misread.
ODD_IDS = (
    '"a"', 'a"b', "a,b", " lead", "trail ", "𝒳", "ｱｲ", "アイ", "é", "e\u0301", "=1+1", "NULL", "nan", "None", "1e5",
    "007", "7", "0x1F", "x;y", "-", "'", "#", "a\u3000b", "\u200bz", "İ", "😀", "\ue000", "\uffee", "true",
    "2024-01-01", '""', ",", "\u2028x", "-1", "a/b", "a\\b", "0", "00", "１", "\ufeffq", "—", "%s", "&amp;",
)  # fmt: skip


def wild_ledger(book: str, seed: int) -> Ledger:
    """A pool of that book, or of those two."""
    rng = random.Random(seed)
    names = [f"P{number}" for number in rng.sample(range(100), rng.randrange(2, 10))]
    events = _events(book, rng)
    tables = {
        "players": [_player(rng, name) for name in names],
        "memberships": [row for name in names for row in _memberships(rng, name, events)],
        "events": events,
        "games": [row for event in events for row in game_rows(rng, names, event)],
        "standings": [row for name in names for row in _standings(book, rng, name)],
    }
    if rng.random() < 0.5:
        tables |= _corrected(rng, tables)
    tables["adjustments"] = adjustment_rows(
        rng, _lists(book, tables["events"]), SPEEDS_OF.get(book, SPEEDS[:2])
    )
    if rng.random() < 0.5:
        tables = _with_odd_ids(rng, tables)
    return Ledger(_pool(book, rng), tables)


def _lists(book: str, events: list[Row]) -> list[str]:
    """Lists of some of the events, and others that no event makes, or nobody can make."""
    others = [] if book == "hakodate" else ["2022-09", "2023-05", "2024-03", "2030-01", "1999-12"]
    return sorted({list_of(book, event) for event in events} | set(others))


def _pool(book: str, rng: random.Random) -> str:
    """The books one after another, and again to change their settings."""
    first, *others = POOLS[book]
    changeover = date(2024, rng.randrange(1, 13), rng.choice((1, 15, 20, 21, 28)))
    editions = [(first, FIRST_DAY), *((other, changeover) for other in others)]
    while rng.random() < 0.3:
        editions.append((rng.choice(POOLS[book]), editions[-1][1] + timedelta(days=rng.randrange(1, 400))))
    lines = ['name = "Pool"']
    for name, start in editions:
        lines += ["[[edition]]", f'rulebook = "{name}"', f"from = {start}", "[edition.settings]"]
        lines += _settings(name, rng)
    return "\n".join(lines)


def _settings(book: str, rng: random.Random) -> list[str]:
    if book == "hakodate":
        return [f"unrated_opponent = {rng.choice((0, 1500, rng.randrange(3000)))}"]
    switches = {"ncs-2022": NCS_SWITCHES, "fide-2024": ("cap_always",)}.get(book, ())
    return [f"{name} = {rng.choice(('true', 'false'))}" for name in switches if rng.random() < 0.5]


def _events(book: str, rng: random.Random) -> list[Row]:
    """Events of a short time or of years; mostly reported and paid as they should be."""
    span, is_orderly = rng.choice((60, 420, 1200)), rng.random() < 0.6
    return [_event(book, rng, number, span, is_orderly) for number in range(rng.randrange(20))]


def _event(book: str, rng: random.Random, number: int, span: int, is_orderly: bool) -> Row:
    row = event_row(book, rng, number, FIRST_DAY)
    first = _first_day(rng, span)
    last = first + timedelta(days=rng.choice((0, 0, 0, 1, 3, 8, 30)))
    wait = rng.choice((0, 1, 5, 10) if is_orderly else (0, 2, 20, 30, 59, 60, 61, 89, 90, 95, 180))
    reported = last + timedelta(days=wait)
    if is_orderly:
        row |= {
            "ruling": "",
            "base_minutes": "90" if row["base_minutes"] in ("9", "10") else row["base_minutes"],
        }
    if row["paid"] or is_orderly:
        row["paid"] = str(reported + timedelta(days=0 if is_orderly else rng.choice((0, 5, 20, 40, 70))))
    if book == "fide" and rng.random() < 0.3:
        row["speed"] = rng.choice(("standard", "rapid", "blitz"))
    elif not row["base_minutes"] and not row["speed"] and (book == "fide" or rng.random() < 0.7):
        row["base_minutes"] = "90"
    return row | {"starts": str(first), "ends": str(last), "reported": str(reported)}


def _first_day(rng: random.Random, span: int) -> date:
    """Any day; or one on a border; or one by whose distance in months games on file count or not."""
    in_years = date(rng.randrange(2023, 2026), rng.randrange(1, 4 if span < 100 else 13), 1)
    return rng.choice(
        (
            FIRST_DAY + timedelta(days=rng.randrange(span)),
            rng.choice(BORDERS),
            in_years.replace(day=rng.choice((1, 19, 20, 20, 21, 21, 22, 27, 28))),
        )
    )


def _player(rng: random.Random, name: str) -> Row:
    row = player_row(rng, name) | {"fide_blitz": str(rng.choice(RATINGS)) if rng.random() < 0.1 else ""}
    return row | {"birth_date": rng.choice(BIRTHDAYS)} if rng.random() < 0.3 else row


def _memberships(rng: random.Random, name: str, events: list[Row]) -> list[Row]:
    """Some of them begin or end with an event, or a day before or after."""
    rows = [row for _ in range(rng.randrange(1, 4)) for row in membership_rows(rng, name, events)]
    return [_with_event(rng, row, events) if events and rng.random() < 0.4 else row for row in rows]


def _with_event(rng: random.Random, row: Row, events: list[Row]) -> Row:
    event, near = rng.choice(events), timedelta(days=rng.choice((-1, 0, 0, 1)))
    day = str(date.fromisoformat(rng.choice((event["starts"], event["ends"]))) + near)
    if rng.random() < 0.7:
        return row | {"valid_to": max(row["valid_from"], day)}
    return row | {"valid_from": min(row["valid_to"], day)}


def _standings(book: str, rng: random.Random, name: str) -> list[Row]:
    rows = standing_rows(book, rng, name, all_rated=rng.random() < 0.2)
    for row in rows:
        if rng.random() < 0.2:
            row["rating"] = str(rng.choice(RATINGS))
        if rng.random() < 0.2:
            row["peak"] = rng.choice(("", str(rng.choice(RATINGS))))
        if rng.random() < 0.05:
            row["games"] = "999999999"
    return rows


# Corrections


def _corrected(rng: random.Random, tables: dict[str, list[Row]]) -> dict[str, list[Row]]:
    """Some rows of some tables struck, added, or struck and added otherwise, on whatever days."""
    reported = {row["event_id"]: row["reported"] for row in tables["events"]}

    def inquiry(row: Row) -> date:
        after = date.fromisoformat(reported.get(row.get("event_id", ""), "2023-06-30"))
        return after + timedelta(days=rng.choice((0, 10, 80, 90, 95, 100, 110, 120, 130, 200)))

    changes = {
        "players": _other_player,
        "memberships": _other_span,
        "events": _other_report,
        "games": _other_game,
    }
    return {
        name: [each for row in tables[name] for each in _rows_of(rng, row, inquiry(row), change)]
        for name, change in changes.items()
        if rng.random() < 0.7
    }


def _rows_of(
    rng: random.Random, row: Row, day: date, change: Callable[[random.Random, Row], Row]
) -> Sequence[Row]:
    """The row as it is; or struck, or added, or struck and added changed, once or twice."""
    row = row | {"added": "", "struck": ""}
    kind, later = rng.random(), day + timedelta(days=rng.randrange(120))
    struck, anew = row | {"struck": str(day)}, change(rng, row) | {"added": str(day)}
    if kind < 0.84:
        return [row]
    if kind < 0.86:
        return [struck]
    if kind < 0.9:
        return [row | {"added": str(day)}]
    if kind < 0.96:
        return [struck, anew]
    return [struck, anew | {"struck": str(later)}, change(rng, row) | {"added": str(later)}]


def _other_player(rng: random.Random, row: Row) -> Row:
    return row | {"birth_date": rng.choice(("", *BIRTHDAYS)), "fide_standard": rng.choice(("", "1800"))}


def _other_span(rng: random.Random, row: Row) -> Row:
    return row | {"valid_to": max(row["valid_from"], str(rng.choice(BORDERS)))}


def _other_report(rng: random.Random, row: Row) -> Row:
    """Reported anew, ruled otherwise, or played at another speed."""
    reported = date.fromisoformat(row["reported"]) + timedelta(days=rng.choice((0, 1, 10, 31, 60, 120)))
    minutes = str(rng.choice(MINUTES)) if row["base_minutes"] and not row["speed"] else row["base_minutes"]
    ruling = rng.choice((row["ruling"], "exclude", "include"))
    return row | {"reported": str(reported), "base_minutes": minutes, "ruling": ruling}


def _other_game(rng: random.Random, row: Row) -> Row:
    colours = {"white": row["black"], "black": row["white"]} if rng.random() < 0.2 else {}
    return row | colours | {"result": rng.choice(RESULTS), "ruling": rng.choice(("", "", "exclude"))}


# Ids


def _with_odd_ids(rng: random.Random, tables: dict[str, list[Row]]) -> dict[str, list[Row]]:
    players = _renamed(rng, {row["player_id"] for row in tables["players"]})
    events = _renamed(rng, {row["event_id"] for row in tables["events"]})
    names = {"player_id": players, "white": players, "black": players, "event_id": events, "list": events}
    return {
        table: [
            {column: names.get(column, {}).get(cell, cell) for column, cell in row.items()} for row in rows
        ]
        for table, rows in tables.items()
    }


def _renamed(rng: random.Random, ids: set[str]) -> dict[str, str]:
    """Odd ids for most of those ids."""
    odd = rng.sample(ODD_IDS, len(ids))
    return {old: new for old, new in zip(sorted(ids), odd, strict=True) if rng.random() < 0.7}
