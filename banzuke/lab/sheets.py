"""What the laboratory finds, as tables: a sheet is plain columns, kept as CSV and as Parquet."""

import io
import math
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from banzuke.engine.output_file import write_atomically
from banzuke.formats.files.text import csv_text

Cell = str | int | float | bool | None
Columns = dict[str, list[Cell]]
Rows = Iterable[Sequence[Cell]]

#: Figures that were estimated are printed with so many significant digits, large ones with two decimals;
#: Parquet keeps them whole.
DIGITS, LARGE = 6, 10_000
#: An estimate is shown to people with so many significant digits, and so many decimals at most.
SHOWN, MOST_DECIMALS = 3, 6
#: The title and the columns of each sheet.
SHEETS = tomllib.loads(files(__package__).joinpath("sheets.toml").read_text("utf-8"))
#: An interval that rests on fewer events or players than this may claim too much.
ENOUGH = 16
#: How sure an interval is.
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence under a table: its key, and the facts that stand in it."""

    key: str
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """One table of a result.

    `name` is its file's; `title_key` the key of its heading in the words of the laboratory. `columns` are
    lists of one length, by name, in the order of printing; None is blank. `notes` are keys of sentences that
    belong under the table, each with its facts.
    """

    name: str
    title_key: str
    columns: Columns
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        if len({len(column) for column in self.columns.values()}) > 1:
            raise ValueError(f"{self.name}: columns of several lengths")

    @property
    def rows(self) -> list[tuple[Cell, ...]]:
        """The same, row by row."""
        return list(zip(*self.columns.values(), strict=True))

    @property
    def named_rows(self) -> list[dict[str, Cell]]:
        """The same, each cell by its column's name."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def note(key: str, **facts: object) -> Note:
    """A `Note`; the facts become text."""
    return Note(key, tuple((name, str(value)) for name, value in facts.items()))


def with_ends(*names: str) -> tuple[str, ...]:
    """Columns, and for each estimate `x±` those with the ends of its interval: `x`, `x_low`, `x_high`."""
    ends = {name: ("", "_low", "_high") if name.endswith("±") else ("",) for name in names}
    return tuple(f"{name.removesuffix('±')}{end}" for name in names for end in ends[name])


def figure(value: float) -> float | None:
    """A figure as a table has it: None where it is no number."""
    return float(value) if math.isfinite(value) else None


def sheet_of(
    name: str, title_key: str, header: Sequence[str], rows: Rows, notes: tuple[Note, ...] = ()
) -> Sheet:
    """A sheet from rows in the order of its header; `clusters` says what intervals rest on, and warns."""
    taken = list(rows)
    if "clusters" in header:
        at = header.index("clusters")
        thin = sum(0 < int(row[at] or 0) < ENOUGH for row in taken)
        notes += (note("thin", rows=thin, enough=ENOUGH),) if thin else ()
    columns = {column: [row[place] for row in taken] for place, column in enumerate(header)}
    return Sheet(name, title_key, columns, notes)


def header_of(name: str) -> tuple[str, ...]:
    """The columns of the sheet of that name, as `sheets.toml` has them."""
    return with_ends(*SHEETS[name]["columns"])


def named_sheet(name: str, rows: Rows, notes: tuple[Note, ...] = ()) -> Sheet:
    """The sheet of that name in `sheets.toml`, from rows in the order of its columns."""
    return sheet_of(name, SHEETS[name]["title"], header_of(name), rows, notes)


def csv_bytes(sheet: Sheet) -> bytes:
    """The sheet as CSV: UTF-8, LF, a header; blanks empty, flags 0 or 1, estimates to six digits."""
    return csv_text([sheet.columns, *(map(_printed, row) for row in sheet.rows)]).encode()


def _printed(cell: Cell) -> str:
    match cell:
        case None:
            return ""
        case bool():
            return str(int(cell))
        case float():
            return figure_text(cell)
        case _:
            return str(cell)


def figure_text(value: float) -> str:
    """A figure as a file has it: points to the hundredth, estimates to six digits."""
    return f"{value:.{DIGITS}g}" if abs(value) < LARGE else f"{value:.2f}".rstrip("0").rstrip(".")


def estimate_text(value: float) -> str:
    """An estimate to a few significant digits; of a large one the whole number, of a tiny one its power."""
    digits = max(0, SHOWN - 1 - math.floor(math.log10(abs(value)))) if value else 0
    comma = "," if abs(value) >= LARGE else ""
    printed = f"{value:{comma}.{digits}f}" if digits <= MOST_DECIMALS else f"{value:.1e}"
    return printed.replace("-", "−")


def write_sheets(out: Path, sheets: Iterable[Sheet]) -> list[Path]:
    """Write each sheet as `<name>.csv` and `<name>.parquet` into the folder, made where missing.

    Each file is whole or not there. Gives the files. Raises OSError.
    """
    import pyarrow as pa
    from pyarrow import parquet as pq

    out.mkdir(parents=True, exist_ok=True)
    written = []
    for sheet in sheets:
        parquet = io.BytesIO()
        pq.write_table(pa.table({name: pa.array(column) for name, column in sheet.columns.items()}), parquet)
        for suffix, data in (("csv", csv_bytes(sheet)), ("parquet", parquet.getvalue())):
            path = out / f"{sheet.name}.{suffix}"
            write_atomically(path, data)
            written.append(path)
    return written
