"""The top of the last list, read from the files that rating has written."""

import csv
import heapq
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from banzuke.cli.output import print_table, text
from banzuke.core.facts import SPEEDS
from banzuke.core.go_facts import BEGINNERS, HALF_OF
from banzuke.ledger.folder import GoLedger, Ledger
from banzuke.words import preferred_language, say

#: So many players are shown of each speed.
SHOWN = 12
#: So many bytes of the end of lists.csv are looked at first, and at most.
STEP, MOST = 1 << 16, 1 << 25

Row = dict[str, str]


class Top(NamedTuple):
    """The first players of a list at one speed, and how many it has."""

    name: str
    speed: str
    rows: list[Row]
    players: int


def names_of(ledger: Ledger) -> dict[str, str]:
    """Names by id, the native ones for a Japanese reader."""
    if isinstance(ledger, GoLedger) or preferred_language() == "en":
        return {p.player_id: p.name for p in ledger.players}
    return {p.player_id: p.name_native or p.name for p in ledger.players}


def tops(out: Path) -> list[Top]:
    """The top of the last list, speed by speed; nothing where lists.csv has no rows, or far too many."""
    rows = _last_rows(out / "lists.csv")
    by_speed = {speed: [row for row in rows if row["speed"] == speed] for speed in (*SPEEDS, "")}
    return [
        Top(found[0]["list"], speed, heapq.nsmallest(SHOWN, found, key=_place), len(found))
        for speed, found in by_speed.items()
        if found
    ]


def _place(row: Row) -> tuple[int, str]:
    return -int(row["rating"]), row["player_id"]


def _last_rows(path: Path) -> list[Row]:
    """The rows of the last list, which are the last ones of the file."""
    with path.open("rb") as stream:
        header = stream.readline().decode()
        begin, size = stream.tell(), stream.seek(0, io.SEEK_END)
        start, lines, step = size, [b""], STEP
        while start > begin and _is_of_one_list(lines) and step <= MOST:
            start, step = max(begin, size - step), 8 * step
            stream.seek(start)
            lines = stream.read(size - start).splitlines(keepends=True)
            if start > begin:
                lines[0] = b""  # it may be the end of a line
    if start > begin and _is_of_one_list(lines):
        return []
    rows = list(csv.DictReader([header, *(line.decode() for line in lines if line)]))
    return [row for row in rows if row["list"] == rows[-1]["list"]]


def _is_of_one_list(lines: list[bytes]) -> bool:
    """Whether the lines are all of one list, so that there may be more of it before them."""
    found = [line.decode() for line in (*lines[:2], lines[-1]) if line]
    return len({row[0] for row in csv.reader(found)}) <= 1


def print_tops(out: Path, names: Mapping[str, str]) -> None:
    """The top of the last list of a chess pool, a table a speed."""
    for top in tops(out):
        title = text("demo-top", list=top.name, shown=len(top.rows), all=top.players)
        speed = say("explain", f"speed-{top.speed}", preferred_language()) if top.speed else ""
        figures = [(row["rating"], _signed(row), row["games"]) for row in top.rows]
        columns = (text("rating"), text("change"), text("games"))
        _print_places(f"{title} {speed}".strip(), columns, top.rows, figures, names)


def _print_places(
    title: str,
    columns: tuple[str, ...],
    rows: Sequence[Row],
    figures: Sequence[tuple[str, ...]],
    names: Mapping[str, str],
) -> None:
    """Players in their order with their figures; without names, where none are known."""
    ids = [row["player_id"] for row in rows]
    called = [(names.get(player, ""),) if names else () for player in ids]
    who = (*((text("name"),) if names else ()), text("player"))
    table = [
        (place, *name, player, *of_player)
        for place, (name, player, of_player) in enumerate(zip(called, ids, figures, strict=True), 1)
    ]
    print_table(title, (text("rank"), *who, *columns), table, numbers=len(columns))


def _signed(row: Row) -> str:
    change = row["change"]
    return f"+{change}" if change and int(change) > 0 else change


def print_ranking(out: Path, names: Mapping[str, str]) -> None:
    """The top of a Go pool: the certified by rank and points, the provisional by rank, then the others."""
    with (out / "standings.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    first = heapq.nsmallest(SHOWN, rows, key=_go_place)
    if first:
        figures = [(row["rank"], row["points"], row["rated_games"]) for row in first]
        columns = (text("go-rank"), text("points"), text("games"))
        title = text("demo-top-go", shown=len(first), all=len(rows))
        _print_places(title, columns, first, figures, names)


def _go_place(row: Row) -> tuple[object, ...]:
    rank, points = row["rank"].rstrip("?"), int(row["points"] or 0)
    return not row["points"], rank == BEGINNERS, -HALF_OF.get(rank, 0), -points, row["player_id"]
