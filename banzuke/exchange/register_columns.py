"""Which column of a member register is what: remembered in the ledger's folder, by the headings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from banzuke.core.fault import Fault, fault, refuse_any
from banzuke.engine.output_file import write_atomically
from banzuke.formats.member_register import FIELDS
from banzuke.ledger.schema import CHESS
from banzuke.ledger.toml_files import read_toml

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FILE = "register.toml"
ABOUT = "# Which column of a member register is what, by the register's headings (banzuke register).\n"
PLAYERS = next(table for table in CHESS if table.name == "players")


def remembered(folder: Path, headings: list[str]) -> dict[str, str] | None:
    """The heading of each field, as it was said for these headings; None if it was not.

    A register with the ledger's own columns needs no saying. Raises RefusedError for a file that cannot
    be read.
    """
    own = own_columns(headings)
    if own is not None:
        return own
    return next((columns for known, columns in _all(folder) if known == headings), None)


def own_columns(headings: list[str]) -> dict[str, str] | None:
    """The heading of each field where they are the ledger's own; None where they are not."""
    if "player_id" in headings and set(headings) <= PLAYERS.columns.keys():
        return {"id": "player_id"} | {field: field for field in FIELDS if field in headings}
    return None


def remember(folder: Path, headings: list[str], columns: Mapping[str, str]) -> None:
    """Write down the heading of each field for these headings, in place of what was said before.

    Whoever calls it holds the ledger's lock.
    """
    kept = [(known, said) for known, said in _all(folder) if known != headings]
    text = ABOUT + "".join(_entry(known, said) for known, said in [*kept, (headings, columns)])
    write_atomically(folder / FILE, text.encode())


def _all(folder: Path) -> list[tuple[list[str], dict[str, str]]]:
    """What was said so far, headings by headings."""
    if not (folder / FILE).exists():
        return []
    faults: list[Fault] = []
    document = read_toml(folder / FILE, faults)
    entries = [] if document is None else document.get("register", [])
    if not faults and not (isinstance(entries, list) and all(_is_entry(entry) for entry in entries)):
        faults.append(fault(FILE, 0, "", "register-columns"))
    refuse_any(faults)
    return [(entry["headings"], entry["columns"]) for entry in entries]


def _is_entry(entry: Any) -> bool:
    if not isinstance(entry, dict):
        return False
    headings, columns = entry.get("headings"), entry.get("columns")
    return (
        isinstance(headings, list)
        and isinstance(columns, dict)
        and columns.keys() <= set(FIELDS)
        and all(isinstance(text, str) for text in (*headings, *columns.values()))
    )


def _entry(headings: list[str], columns: Mapping[str, str]) -> str:
    said = ", ".join(f"{field} = {_string(heading)}" for field, heading in columns.items())
    return f"\n[[register]]\nheadings = [{', '.join(map(_string, headings))}]\ncolumns = {{{said}}}\n"


def _string(text: str) -> str:
    """A text as TOML writes it: as JSON does, but for the one control character that JSON lets stand."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
