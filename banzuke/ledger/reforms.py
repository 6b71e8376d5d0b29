"""A reform: a small TOML file with other numbers for a rule book, from a day on.

`name`, `from` and a table `[set]`, in which `"jcf.k_new" = 32` stands for the number `k_new` of the books
whose clauses begin with JCF; `"jcf.k.new"` is the same. A reform is tried as it is; it comes into force in a
pool when two officers have signed it, in a table `[signed]` with `by` and `on`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, NamedTuple

from banzuke.core.fault import Fault, fault
from banzuke.core.parameters import Parameter
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import RuleBook
from banzuke.ledger.cells import EARLIEST_YEAR, LATEST_YEAR
from banzuke.ledger.toml_files import is_whole, parse_toml, read_toml, toml_text

KEYS = {"name", "from", "set", "signed"}
SIGNED_KEYS = {"by", "on"}
#: So many officers sign a reform.
OFFICERS = 2


class Signatures(NamedTuple):
    """Who signed a reform, and on which day."""

    by: tuple[str, ...]
    on: date


@dataclass(frozen=True)
class Reform:
    """A reform as its file has it: `changes` are numbers, or rows of them, by prefix and parameter.

    `source` is the file's name; `signed` is None where it is not signed by two officers.
    """

    source: str
    name: str
    start: date
    changes: Mapping[tuple[str, str], Any]
    signed: Signatures | None

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
    changes = _changes(name, document.get("set"), faults)
    signed = _signatures(name, document["signed"], faults) if "signed" in document else None
    if len(faults) > before or not isinstance(start, date):
        return None
    return Reform(name, str(title), start, changes, signed)


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
