"""A ledger's TOML files: read as a whole, and their values as an officer wrote them."""

import re
import tomllib
from codecs import BOM_UTF8
from collections.abc import Mapping
from datetime import date, time
from pathlib import Path
from typing import Any

from banzuke.core.fault import Fault, fault
from banzuke.ledger.csv_table import encoding_fault, is_special

#: Whole numbers beyond this are slips of the pen, whatever they stand for.
LARGEST = 999_999_999

#: The most bytes of a file, and tables in it (lines that begin with a bracket): what is written by hand has
#: far fewer, and to read millions takes minutes.
MOST_BYTES, MOST_TABLES = 100_000, 1_000
#: The most dots of a line: of a key of many parts tomllib looks through each with all before it, and through
#: those of a table's name with every key of the table.
MOST_DOTS, MOST_DOTS_OF_A_TABLE = 500, 20
#: Where tomllib's sentences say that an error is.
PLACE = re.compile(r"at line ([0-9]+)")


def read_toml(path: Path, faults: list[Fault]) -> dict[str, Any] | None:
    """The file's document; None, with a fault, where it cannot be read."""
    if is_special(path):
        faults.append(fault(path.name, 0, "", "not-a-file"))
        return None
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        faults.append(fault(path.name, 0, "", "unreadable", error=error.strerror))
        return None
    return parse_toml(path.name, data, faults)


def parse_toml(name: str, data: bytes, faults: list[Fault]) -> dict[str, Any] | None:
    """The document of a file's bytes; None, with a fault, where it is none."""
    found = _bound_fault(name, data)
    if found is not None:
        faults.append(found)
        return None
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        faults.append(encoding_fault(name, data))
    except (ValueError, RecursionError) as error:  # also numbers and nesting that Python gives up on
        place = PLACE.search(str(error))
        faults.append(fault(name, int(place[1]) if place else 0, "", "not-toml", error=error))
    return None


def _bound_fault(name: str, data: bytes) -> Fault | None:
    """What makes a file too large to be read at all, whatever it says."""
    if len(data) > MOST_BYTES:
        return fault(name, 0, "", "toml-large", most=MOST_BYTES)
    lines = data.removeprefix(BOM_UTF8).splitlines()
    tables = [line for line in lines if line.lstrip().startswith(b"[")]
    if len(tables) > MOST_TABLES:
        return fault(name, 0, "", "toml-tables", most=MOST_TABLES)
    if _most_dots(lines) > MOST_DOTS or _most_dots(tables) > MOST_DOTS_OF_A_TABLE:
        return fault(name, 0, "", "not-toml", error="a key of too many parts")
    return None


def _most_dots(lines: list[bytes]) -> int:
    return max((line.count(b".") for line in lines), default=0)


def is_whole(value: object) -> bool:
    """Whether a value is a whole number of a believable size."""
    return type(value) is int and -LARGEST <= value <= LARGEST


def toml_text(value: object) -> str:
    """A TOML value for a sentence; blank where there is none, `[...]` or `{...}` for what holds others."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and not is_whole(value):
        return "..."
    if isinstance(value, str | int | float | date | time):
        return str(value)
    return "[...]" if isinstance(value, list) else "{...}"


def value_text(value: bool | int | str) -> str:
    """A value as TOML writes it."""
    if isinstance(value, str):
        return quoted(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def toml_document(document: Mapping[str, Any], inside: str = "") -> str:
    """A document as TOML, without comments; a table that holds others comes before them."""
    tables = {key: value for key, value in document.items() if _is_table(value)}
    lines = [f"{_key(key)} = {_written(value)}\n" for key, value in document.items() if key not in tables]
    for key, value in tables.items():
        name = f"{inside}{_key(key)}"
        if isinstance(value, dict):
            lines.append(f"\n[{name}]\n{toml_document(value, f'{name}.')}")
        else:
            lines += [f"\n[[{name}]]\n{toml_document(table, f'{name}.')}" for table in value]
    return "".join(lines)


def _is_table(value: object) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)
    )


def _key(name: str) -> str:
    return name if re.fullmatch("[A-Za-z0-9_-]+", name) else quoted(name)


def _written(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    return value.isoformat() if isinstance(value, date) else value_text(value)


def quoted(text: str) -> str:
    """A TOML basic string; control characters, quotes and backslashes escaped."""
    plain: dict[str, str] = {'"': '\\"', "\\": "\\\\"}
    return '"' + "".join(plain.get(c, c if c.isprintable() else f"\\U{ord(c):08X}") for c in text) + '"'
