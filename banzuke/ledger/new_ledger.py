"""A new ledger's files, to be filled in: pool.toml, and tables of the columns that its rule book asks for.

Every other column of docs/ledger.md may be added to them.
"""

from collections.abc import Mapping
from dataclasses import fields
from datetime import date
from pathlib import Path

from banzuke.core.fault import Fault, refuse_any
from banzuke.core.rulebook import ChessBook, RuleBook
from banzuke.ledger.pool_rules import FILE, read_pool
from banzuke.ledger.schema import Table, tables_of
from banzuke.ledger.toml_files import quoted, value_text


def write_new_ledger(
    folder: Path, name: str, book: RuleBook, start: date, remarks: Mapping[str, str]
) -> list[str]:
    """Write the files of a ledger without rows into a folder that is there; their names.

    `remarks` are the comments in pool.toml: at its `top`, and about the book's `settings`. Raises
    RefusedError for a name or a day that no pool has.
    """
    (folder / FILE).write_text(_pool_text(name, book, start, remarks), "utf-8")
    faults: list[Fault] = []
    pool = read_pool(folder, faults)
    refuse_any(faults)
    headers = {table.name: columns_to_fill_in(book, table) for table in tables_of(pool)} if pool else {}
    files = {f"{table}.csv": columns for table, columns in headers.items() if columns}
    for file, columns in files.items():
        (folder / file).write_text(",".join(columns) + "\n", "utf-8")
    return [FILE, *files]


def _pool_text(name: str, book: RuleBook, start: date, remarks: Mapping[str, str]) -> str:
    """The text of pool.toml, with the book's settings as comments."""
    defaults = book.settings()
    settings = [f"# {field.name} = {value_text(getattr(defaults, field.name))}" for field in fields(defaults)]
    lines = [
        f"# {remarks['top']}",
        f"name = {quoted(name)}",
        "",
        "[[edition]]",
        f"rulebook = {quoted(book.name)}",
        f"from = {start.isoformat()}",
        *(["", f"# {remarks['settings']}", "# [edition.settings]", *settings] if settings else []),
    ]
    return "\n".join(lines) + "\n"


def columns_to_fill_in(book: RuleBook, table: Table) -> list[str]:
    """The columns of a table that the book asks for, in their order; none for one that it can do without."""
    asked = _asked(book).get(table.name)
    if table.optional_file and asked is None:
        return []
    return [column for column in table.columns if column in table.required | (asked or set())]


def _asked(book: RuleBook) -> dict[str, set[str]]:
    """Columns that the book asks for beside those that are required, by table; tables that it needs, too."""
    if not isinstance(book, ChessBook):
        return {"standings": {"points"}}
    of_players = {"birth_date", *(column.name for column in book.columns.ledger.get("players", ()))}
    if book.starts_from_fide:
        of_players |= {"fide_id", "fide_standard", "fide_rapid", "fide_blitz"}
    speeds = {"speed"} if any(book.speeds) else set()
    paid = {"paid"} if book.fees is not None else set()
    members = {"memberships": set[str]()} if book.is_member is not None else {}
    return {"players": of_players, "events": speeds | paid, "standings": speeds, **members}
