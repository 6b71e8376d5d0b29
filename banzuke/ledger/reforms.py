"""A reform: a small TOML file with other numbers for a rule book from a day on, or an adjustment of the pool.

`name`, `from` and a table `[set]`, in which `"jcf.k_new" = 32` stands for the number `k_new` of the books
whose clauses begin with JCF; `"jcf.k.new"` is the same. A table `[adjustment]` has `points`, and may have
`speed` and `list`, as in adjustments.csv. A reform is tried as it is; its numbers come into force in a pool
when two officers have signed it, in a table `[signed]` with `by` and `on`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, NamedTuple

from banzuke.core.adjustments import MapError, read_map
from banzuke.core.fault import Fault, fault
from banzuke.core.parameters import Parameter
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import RuleBook
from banzuke.ledger.cells import EARLIEST_YEAR, LATEST_YEAR
from banzuke.ledger.toml_files import is_whole, parse_toml, read_toml, toml_document, toml_text

KEYS = {"name", "from", "set", "adjustment", "signed"}
SIGNED_KEYS = {"by", "on"}
ADJUSTMENT_KEYS = {"points", "speed", "list"}
#: So many officers sign a reform.
OFFICERS = 2


class Signatures(NamedTuple):
    """Who signed a reform, and on which day."""

    by: tuple[str, ...]
    on: date


class PoolAdjustment(NamedTuple):
    """An adjustment of all ratings by a map, as adjustments.csv has it.

    `speed` is blank for every speed, `list` for the first list whose window closes on the reform's first day
    or later.
    """

    points: str
    speed: str = ""
    list: str = ""


@dataclass(frozen=True)
class Reform:
    """A reform as its file has it: `changes` are numbers, or rows of them, by prefix and parameter.

    `source` is the file's name; `signed` is None where it is not signed by two officers. `adjustment` is None
    where no ratings are adjusted.
    """

    source: str
    name: str
    start: date
    changes: Mapping[tuple[str, str], Any]
    signed: Signatures | None
    adjustment: PoolAdjustment | None = None

    def changes_of(self, book: RuleBook) -> dict[str, Any]:
        """The changes of that book, by parameter."""
        prefix = book.prefix.lower()
        return {name: value for (of, name), value in self.changes.items() if of == prefix}


def read_reform(file: Path | bytes, faults: list[Fault], name: str = "reform.toml") -> Reform | None:
    """The reform of a file, or of its bytes (then `name` is the file's); None with faults."""
    if isinstance(file, bytes):
        document = parse_toml(name, file, faults)
    else:
        name, document = file.name, read_toml(file, faults)
    return None if document is None else reform_of(name, document, faults)


def reform_of(name: str, document: dict[str, Any], faults: list[Fault]) -> Reform | None:
    """The reform of a file's document; None with faults."""
    before = len(faults)
    known = ", ".join(sorted(KEYS))
    faults += [fault(name, 0, key, "pool-key", known=known) for key in document if key not in KEYS]
    title, start = document.get("name"), document.get("from")
    if not isinstance(title, str) or not title.strip():
        faults.append(fault(name, 0, "name", "reform-name"))
    faults += day_faults(name, "from", start)
    adjustment = _adjustment(name, document["adjustment"], faults) if "adjustment" in document else None
    is_set = "set" in document or "adjustment" not in document
    changes = _changes(name, document.get("set"), faults) if is_set else {}
    signed = _signatures(name, document["signed"], faults) if "signed" in document else None
    if len(faults) > before or not isinstance(start, date):
        return None
    return Reform(name, str(title), start, changes, signed, adjustment)


def signed_text(name: str, start: date, changes: Mapping[str, Any], signed: Signatures) -> str:
    """The file by which numbers come into force; `changes` are by their names as in `[set]`."""
    signatures = {"by": list(signed.by), "on": signed.on}
    return toml_document({"name": name, "from": start, "set": changes, "signed": signatures})


def day_faults(file: str, where: str, start: object) -> list[Fault]:
    """What is wrong with the first day of a reform or an edition: no day, or of no believable year."""
    if not isinstance(start, date) or isinstance(start, datetime):
        return [fault(file, 0, where, "pool-from", value=toml_text(start))]
    if not EARLIEST_YEAR <= start.year <= LATEST_YEAR:
        return [fault(file, 0, where, "cell-year", value=start, low=EARLIEST_YEAR, high=LATEST_YEAR)]
    return []


def _changes(file: str, table: object, faults: list[Fault]) -> dict[tuple[str, str], Any]:
    """The numbers of `[set]`; faults for what no book has, or has of another shape."""
    if not isinstance(table, dict) or not table:
        faults.append(fault(file, 0, "set", "reform-set"))
        return {}
    changes: dict[tuple[str, str], Any] = {}
    for key, value in _flat(table):
        prefix, _, rest = key.lower().partition(".")
        name = rest.replace(".", "_")
        books = [book for book in BOOKS.values() if book.prefix.lower() == prefix]
        having = [book for book in books if name in book.parameters]
        if not books:
            known = ", ".join(sorted({book.prefix.lower() for book in BOOKS.values()}))
            faults.append(fault(file, 0, f"set: {key}", "reform-prefix", known=known))
        elif not having:
            known = ", ".join(dict.fromkeys(name for book in books for name in book.parameters))
            faults.append(fault(file, 0, f"set: {key}", "reform-parameter", known=known))
        elif not any(_fits(value, book.parameters[name].value, book.parameters[name]) for book in having):
            number = having[-1].parameters[name]
            now, (least, most) = as_numbers(number.value), number.bounds
            shown, where = toml_text(value), f"set: {key}"
            faults.append(
                fault(file, 0, where, "reform-number", value=shown, now=now, least=least, most=most)
            )
        elif (prefix, name) in changes:
            faults.append(fault(file, 0, f"set: {key}", "reform-twice"))
        else:
            changes[prefix, name] = value
    return changes


def _flat(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Keys with dots, whether they stand in quotes or not."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


def _fits(value: object, was: object, number: Parameter) -> bool:
    """Whether it is a whole number within the bounds, a day, or rows as long, where one was; words stay."""
    if isinstance(was, list):
        return (
            isinstance(value, list)
            and len(value) == len(was)
            and all(_fits(own, old, number) for own, old in zip(value, was, strict=True))
        )
    if isinstance(was, date):
        return isinstance(value, date) and not isinstance(value, datetime)
    if isinstance(was, int):
        least, most = number.bounds
        return isinstance(value, int) and is_whole(value) and least <= value <= most
    return value == was


def as_numbers(value: object) -> str:
    """A number, or a row of numbers, as TOML writes it."""
    if isinstance(value, list):
        return f"[{', '.join(as_numbers(each) for each in value)}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _adjustment(file: str, table: object, faults: list[Fault]) -> PoolAdjustment | None:
    """The adjustment of `[adjustment]`; None, with a fault, where it is none."""
    if not isinstance(table, dict) or not isinstance(table.get("points"), str):
        faults.append(fault(file, 0, "adjustment: points", "reform-points"))
        return None
    known, before = ", ".join(sorted(ADJUSTMENT_KEYS)), len(faults)
    for key, value in table.items():
        where = f"adjustment: {key}"
        if key not in ADJUSTMENT_KEYS:
            faults.append(fault(file, 0, where, "pool-key", known=known))
        elif not isinstance(value, str):
            faults.append(fault(file, 0, where, "reform-text", value=toml_text(value)))
    try:
        read_map(table["points"])
    except MapError as error:
        faults.append(fault(file, 0, "adjustment: points", error.code, **error.facts))
    return None if len(faults) > before else PoolAdjustment(**table)


def _signatures(file: str, table: object, faults: list[Fault]) -> Signatures | None:
    by = table.get("by") if isinstance(table, dict) else None
    on = table.get("on") if isinstance(table, dict) else None
    names = tuple(name.strip() for name in by if isinstance(name, str)) if isinstance(by, list) else ()
    is_day = isinstance(on, date) and not isinstance(on, datetime)
    is_known = isinstance(table, dict) and set(table) <= SIGNED_KEYS
    if not is_known or not is_day or len(set(filter(None, names))) < OFFICERS or len(names) != len(by or ()):
        faults.append(fault(file, 0, "signed", "reform-signed"))
        return None
    return Signatures(names, on) if isinstance(on, date) else None
