"""A ledger's TOML files: read as a whole, and their values as an officer wrote them."""

import re
import tomllib
from datetime import date, time
from pathlib import Path
from typing import Any

from banzuke.core.fault import Fault, fault
from banzuke.ledger.csv_table import encoding_fault, is_special

#: Whole numbers beyond this are slips of the pen, whatever they stand for.
LARGEST = 999_999_999

#: The most dots of a line: of a key of many parts tomllib looks through each with all before it.
MOST_DOTS = 500
#: Where tomllib's sentences say that an error is.
PLACE = re.compile(r"at line ([0-9]+)")


def read_toml(path: Path, faults: list[Fault]) -> dict[str, Any] | None:
    """The file's document; None, with a fault, where it cannot be read."""
    if is_special(path):
        faults.append(fault(path.name, 0, "", "not-a-file"))
        return None
    try:
        data = path.read_bytes()
    except OSError as error:
        faults.append(fault(path.name, 0, "", "unreadable", error=error.strerror))
        return None
    return parse_toml(path.name, data, faults)


def parse_toml(name: str, data: bytes, faults: list[Fault]) -> dict[str, Any] | None:
    """The document of a file's bytes; None, with a fault, where it is none."""
    if any(line.count(b".") > MOST_DOTS for line in data.splitlines()):
        faults.append(fault(name, 0, "", "not-toml", error="a key of too many parts"))
        return None
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        faults.append(encoding_fault(name, data))
    except (ValueError, RecursionError) as error:  # also numbers and nesting that Python gives up on
        place = PLACE.search(str(error))
        faults.append(fault(name, int(place[1]) if place else 0, "", "not-toml", error=error))
    return None


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


def quoted(text: str) -> str:
    """A TOML basic string; control characters, quotes and backslashes escaped."""
    plain: dict[str, str] = {'"': '\\"', "\\": "\\\\"}
    return '"' + "".join(plain.get(c, c if c.isprintable() else f"\\U{ord(c):08X}") for c in text) + '"'
