"""A list from a table of texts under its keys, whatever file the table stood in.

A blank cell is None, or a blank text. A flag is 1 or 0, a day `2025-03-31`; no text holds control characters.
A row whose cells cannot all be read is left out, with a fault for each of them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from banzuke.core.facts import SPEEDS
from banzuke.core.fault import Fault, fault
from banzuke.formats.lists.rating_list import (
    ABOUT,
    MEASURES,
    PERSON,
    RANKED,
    AnyList,
    Kind,
    ListedPlayer,
    RankedPlayer,
    Ranking,
    RatingList,
    SpeedRating,
    measure_key,
    statuses,
)

_NUMBER = re.compile(r"-?\d{1,9}", re.ASCII)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_CONTROL = re.compile("[\0-\x1f\x7f-\x9f\ud800-\udfff]")
_KINDS = PERSON | {
    measure_key(speed, measure): kind for speed in (*SPEEDS, "") for measure, kind in MEASURES.items()
}
#: What a rating is not without.
_NEEDED = ("rating", "games", "status")
_CODES = {
    Kind.TEXT: "list-text",
    Kind.NUMBER: "list-number",
    Kind.CHANGE: "list-number",
    Kind.FLAG: "list-flag",
    Kind.DAY: "list-day",
}
_SHOWN, MOST_FAULTS = 60, 100


class Cells(NamedTuple):
    """A file's table as texts: what the list says of itself, its columns' keys, rows with their lines."""

    about: Mapping[str, str]
    header: Sequence[str]
    rows: Iterable[tuple[int, Sequence[str]]]


def parse_list(cells: Cells | None, file: str) -> tuple[AnyList | None, list[Fault]]:
    """The list in the cells, as far as it can be read, and every fault.

    No cells are no list, and a header that is no list's has none: None, with a fault.
    """
    if cells is None:
        return None, [fault(file, 0, "", "list-no-list")]
    kinds = _kinds(cells.header)
    if not kinds:
        keys = ", ".join(cells.header)[:_SHOWN]
        return None, [fault(file, 1, "", "list-header", keys=keys)]
    faults: list[Fault] = []
    pool, name, rulebook = (cells.about.get(key, "") for key in ABOUT)
    speeds = tuple(speed for speed in (*SPEEDS, "") if measure_key(speed, "rating") in kinds)
    records = list(_records(cells, kinds, file, faults))
    if kinds is RANKED:
        return Ranking(pool, name, rulebook, tuple(RankedPlayer(**record) for record in records)), faults
    players = tuple(_player(record, speeds) for record in records)
    return RatingList(pool, name, rulebook, speeds, players), faults


def _kinds(header: Sequence[str]) -> Mapping[str, Kind]:
    """The kind of each column by its key; none where they are not the columns of a list."""
    keys = set(header)
    if len(keys) != len(header):
        return {}
    if keys == RANKED.keys():
        return RANKED
    speeds = _speeds(keys)
    allowed = {f"{speed}{measure}" for speed in speeds for measure in MEASURES}
    needed = {"player_id", *(f"{speed}{measure}" for speed in speeds for measure in _NEEDED)}
    is_list = speeds and needed <= keys <= PERSON.keys() | allowed
    return {key: _KINDS[key] for key in header} if is_list else {}


def _speeds(keys: Iterable[str]) -> list[str]:
    """What stands before `rating` in the keys: `standard_`, `rapid_`, nothing for a club."""
    return [key.removesuffix("rating") for key in keys if key in _KINDS and key.endswith("rating")]


def _records(
    cells: Cells, kinds: Mapping[str, Kind], file: str, faults: list[Fault]
) -> Iterator[dict[str, Any]]:
    """The rows that can be read, by key; of a file full of faults no more than the first are noted."""
    seen: dict[str, int] = {}
    known = frozenset(statuses())
    width = len(cells.header)
    for line, row in cells.rows:
        if len(row) != width:
            faults.append(fault(file, line, "", "list-width", cells=len(row), columns=width))
        else:
            record = dict(zip(cells.header, row, strict=True))
            found = list(_faults(record, kinds, seen, known, (file, line)))
            faults += found
            if not found:
                yield {key: _value(cell, kinds[key]) for key, cell in record.items()}
        if len(faults) >= MOST_FAULTS:
            return


def _faults(
    record: Mapping[str, str],
    kinds: Mapping[str, Kind],
    seen: dict[str, int],
    known: frozenset[str],
    where: tuple[str, int],
) -> Iterator[Fault]:
    """What is wrong with a row."""
    for key, cell in record.items():
        try:
            _value(cell, kinds[key])
        except ValueError:
            yield fault(*where, key, _CODES[kinds[key]], value=ascii(cell[:_SHOWN])[1:-1])
    player, line = record["player_id"], where[1]
    if not player or seen.setdefault(player, line) != line:
        yield fault(*where, "player_id", "list-player", value=player[:_SHOWN])
    if kinds is RANKED and not (record["rank"] and record["rated_games"]):
        yield fault(*where, "rank", "list-rank")
    yield from (
        fault(*where, f"{speed}rating", "list-rating")
        for speed in _speeds(kinds)
        if not _is_whole(record, speed, known)
    )


def _is_whole(record: Mapping[str, str], speed: str, known: frozenset[str]) -> bool:
    """Whether there is a rating at the speed with its games and a known status, or nothing at all."""
    cells = {measure: record.get(f"{speed}{measure}", "") for measure in MEASURES}
    return not any(cells.values()) or (all(cells[m] for m in _NEEDED) and cells["status"] in known)


def _value(cell: str, kind: Kind) -> str | int | bool | date | None:
    """The value of a cell. Raises ValueError."""
    if kind is Kind.TEXT:
        if _CONTROL.search(cell):
            raise ValueError(cell)
        return cell
    if not cell:
        return None
    if kind is Kind.DAY:
        if not _DAY.fullmatch(cell):
            raise ValueError(cell)
        return date.fromisoformat(cell)
    if not _NUMBER.fullmatch(cell) or (kind is Kind.FLAG and cell not in ("0", "1")):
        raise ValueError(cell)
    return cell == "1" if kind is Kind.FLAG else int(cell)


def _player(record: Mapping[str, Any], speeds: Iterable[str]) -> ListedPlayer:
    person = {key: record[key] for key in PERSON if key in record}
    return ListedPlayer(ratings=tuple(_rating(record, speed) for speed in speeds), **person)


def _rating(record: Mapping[str, Any], speed: str) -> SpeedRating | None:
    keys = {measure: measure_key(speed, measure) for measure in MEASURES}
    found = {measure: record[key] for measure, key in keys.items() if key in record}
    return None if found["rating"] is None else SpeedRating(**found)
