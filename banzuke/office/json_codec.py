"""Records (named tuples) as plain JSON, and back by the types of their fields."""

from collections.abc import Callable, Sequence
from datetime import date
from functools import cache, partial
from types import UnionType
from typing import Any, NamedTuple, TypeVar, cast, get_args, get_origin, get_type_hints

from banzuke.core.facts import More
from banzuke.core.fault import Fault
from banzuke.core.rating import Calculation, Rating
from banzuke.database.added_columns import more_from_json, more_to_json

T = TypeVar("T")
#: Types of fields that the modules of their records import for type checking alone.
_TYPES = {
    "date": date, "Calculation": Calculation, "Rating": Rating, "Fault": Fault, "Sequence": Sequence,
}  # fmt: skip


def to_json(record: NamedTuple) -> dict[str, Any]:
    """A record as an object by its fields' names; records within it as arrays, days in ISO 8601."""
    return {name: _plain(value) for name, value in record._asdict().items()}


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value.isoformat() if isinstance(value, date) else value


def to_objects(value: Any) -> Any:
    """The same with every record as an object; columns that a book adds are left out where there are none."""
    if hasattr(value, "_asdict"):
        fields = value._asdict().items()
        return {name: to_objects(field) for name, field in fields if not _is_no_more(field)}
    if isinstance(value, More):
        return more_to_json(value)
    if isinstance(value, list | tuple):
        return [to_objects(item) for item in value]
    return _plain(value)


def _is_no_more(value: Any) -> bool:
    return isinstance(value, More) and not value


def from_json(kind: type[T], plain: Any) -> T:
    """The value of that type, each record from an object or an array of its fields."""
    read: Callable[[Any], T] = _reader(cast("Any", kind))
    return read(plain)


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    """What makes of plain JSON a value of that type."""
    if kind is date:
        return date.fromisoformat
    if kind is More:
        return more_from_json
    if hasattr(kind, "_fields"):
        hints = get_type_hints(kind, localns=_TYPES)
        return partial(_record, kind, [_reader(hint) for hint in hints.values()])
    readers = [_reader(each) for each in get_args(kind) if each not in (..., None, type(None))]
    if get_origin(kind) in (list, tuple, Sequence):
        return partial(_items, tuple if get_origin(kind) is tuple else list, readers)
    return partial(_optional, *readers) if isinstance(kind, UnionType) and len(readers) == 1 else _same


def _record(kind: Any, readers: list[Callable[[Any], Any]], plain: Any) -> Any:
    if isinstance(plain, list):
        return kind(*[read(cell) for read, cell in zip(readers, plain, strict=False)])
    given = [(name, read) for name, read in zip(kind._fields, readers, strict=True) if name in plain]
    return kind(**{name: read(plain[name]) for name, read in given})


def _items(kind: type, readers: list[Callable[[Any], Any]], plain: Any) -> Any:
    """A list or tuple: of as many types as it has items, or all of one type."""
    of_each = readers if len(readers) > 1 else readers * len(plain)
    return kind(read(item) for read, item in zip(of_each, plain, strict=True))


def _optional(read: Callable[[Any], Any], plain: Any) -> Any:
    return None if plain is None else read(plain)


def _same(plain: Any) -> Any:
    return plain
