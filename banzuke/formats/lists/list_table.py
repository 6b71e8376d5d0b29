"""Lists as CSV for spreadsheets, as JSON, and as Parquet (extra `bulk`), written and read back.

What the formats leave open is settled so:

- CSV: UTF-8 with a mark, without which Japanese Excel would read it as CP932; commas, CRLF, keys as headings.
  A text that a spreadsheet would run as a formula has an apostrophe before it; reading takes it off. It holds
  the table alone: which pool, list and rule book, only the other formats say.
- JSON: an object with `pool`, `list`, `rulebook`, `speeds` and `players`. A player has a person's keys and
  `ratings`, from each speed (blank for a club) with a rating to an object of its measures. A ranking
  has no `speeds`, its players the keys of the table. Nothing is null or blank.
- Parquet: texts as strings (blank: an empty one), numbers as int64, flags as bool, days as date32; `pool`,
  `list` and `rulebook` in the schema's metadata.
"""

import csv
import io
import json
from collections.abc import Mapping
from datetime import date
from typing import Any

from banzuke.core.fault import Fault, fault
from banzuke.formats.files.text import spreadsheet_csv, unescape_formula
from banzuke.formats.lists.list_reader import Cells, parse_list
from banzuke.formats.lists.rating_list import (
    ABOUT,
    MEASURES,
    PERSON,
    RANKED,
    AnyList,
    Kind,
    ListedPlayer,
    Ranking,
    RatingList,
    columns,
    list_facts,
    measure_key,
    rows,
)

_PARQUET = b"PAR1"


def write_csv(listed: AnyList) -> bytes:
    """The list as CSV."""
    keys = [column.key for column in columns(listed)]
    return spreadsheet_csv([keys, *(map(_text, row) for row in rows(listed))])


def _text(value: Any) -> str:
    """A value as the text of its cell."""
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, bool) else str(value)


def write_json(listed: AnyList) -> bytes:
    """The list as JSON."""
    players: list[dict[str, object]]
    if isinstance(listed, Ranking):
        document: dict[str, object] = dict(list_facts(listed))
        players = [_given_fields(player._asdict()) for player in listed.players]
    else:
        document = list_facts(listed) | {"speeds": listed.speeds}
        players = [_player(listed, player) for player in listed.players]
    document["players"] = players
    return (json.dumps(document, ensure_ascii=False, indent=1, default=date.isoformat) + "\n").encode()


def _given_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that say something."""
    return {key: value for key, value in fields.items() if value is not None and value != ""}


def _player(listed: RatingList, player: ListedPlayer) -> dict[str, Any]:
    ratings = zip(listed.speeds, player.ratings, strict=True)
    by_speed = {speed: _given_fields(rating._asdict()) for speed, rating in ratings if rating is not None}
    return _given_fields({key: getattr(player, key) for key in PERSON}) | {"ratings": by_speed}


def write_parquet(listed: AnyList) -> bytes:
    """The list as Parquet. Raises ModuleNotFoundError without the extra `bulk`."""
    import pyarrow as pa
    from pyarrow import parquet as pq

    types = {
        Kind.TEXT: pa.string(),
        Kind.NUMBER: pa.int64(),
        Kind.CHANGE: pa.int64(),
        Kind.FLAG: pa.bool_(),
        Kind.DAY: pa.date32(),
    }
    named = columns(listed)
    table = list(zip(*rows(listed), strict=True)) or [()] * len(named)
    schema = pa.schema([(column.key, types[column.kind]) for column in named], metadata=list_facts(listed))
    arrays = [pa.array(cells, kind.type) for cells, kind in zip(table, schema, strict=True)]
    stream = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(arrays, schema=schema), stream)
    return stream.getvalue()


def read(data: bytes, file: str) -> tuple[AnyList | None, list[Fault]]:
    """The list in a CSV, JSON or Parquet file as written here, and every fault; raises nothing.

    The list is None, with a fault, where it is none; Parquet cannot be read without the extra `bulk`.
    """
    if data.startswith(_PARQUET):
        try:
            return parse_list(_parquet_cells(data), file)
        except ModuleNotFoundError:
            return None, [fault(file, 0, "", "list-no-parquet")]
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = ""
    return parse_list(_json_cells(text) if text.lstrip().startswith("{") else _csv_cells(text), file)


def _csv_cells(text: str) -> Cells | None:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    table, line = [], 1
    try:
        for row in reader:
            table.append((line, [unescape_formula(cell) for cell in row]))
            line = reader.line_num + 1  # a cell may run over several lines
    except csv.Error:
        return None
    return Cells({}, table[0][1], ((line, row) for line, row in table[1:] if row)) if table else None


def _json_cells(text: str) -> Cells | None:
    try:
        document = json.loads(text)
        texts = {key: _scalar(document[key]) for key in ABOUT}
        table = [_flat(player) for player in document["players"]]
        keys = list(RANKED)
        if "speeds" in document:
            speeds = (measure_key(_scalar(s), measure) for s in document["speeds"] for measure in MEASURES)
            keys = [*PERSON, *speeds]
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return None
    is_known = all(row.keys() <= set(keys) for row in table)
    rows_ = ((n, [row.get(key, "") for key in keys]) for n, row in enumerate(table, 1))
    return Cells(texts, keys, rows_) if is_known else None


def _flat(player: dict[str, Any]) -> dict[str, str]:
    """A player of a JSON list as the texts of the row, by key. Raises what odd documents make it raise."""
    ratings = player.get("ratings", {})
    cells = {key: _scalar(value) for key, value in player.items() if key != "ratings"}
    for speed, measures in ratings.items():
        cells |= {measure_key(speed, measure): _scalar(value) for measure, value in measures.items()}
    return cells


def _scalar(value: object) -> str:
    """The text of a cell of JSON; raises TypeError for what is no text, whole number or flag."""
    if not isinstance(value, str | int):
        raise TypeError(value)
    return _text(value)


def _parquet_cells(data: bytes) -> Cells | None:
    """The cells of a Parquet file. Raises ModuleNotFoundError without the extra `bulk`."""
    import pyarrow as pa
    from pyarrow import parquet as pq

    try:
        with pq.ParquetFile(pa.BufferReader(data)) as file:
            table = file.read(use_threads=False)  # its threads may outlive us and abort the program's end
        texts = {key.decode(): text.decode() for key, text in (table.schema.metadata or {}).items()}
        cells = [[_text(value) for value in column.to_pylist()] for column in table.columns]
    except (pa.ArrowException, OSError, ValueError, OverflowError, KeyError):
        return None
    return Cells(texts, table.schema.names, enumerate(zip(*cells, strict=True), 2))
