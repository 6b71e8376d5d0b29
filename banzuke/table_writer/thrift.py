"""Records in Thrift's compact protocol, as much of it as the footers and page headers of Parquet need."""

from collections.abc import Iterable

Field = tuple[int, int, "int | bytes"]

#: Types of fields and of what lists hold.
INT, LONG, TEXT, LIST, STRUCT = 5, 6, 8, 9, 12
#: Lists so long have their length after the first byte.
LONG_LIST = 15


def varint(number: int) -> bytes:
    """A number that is not negative, seven bits a byte, the lowest first."""
    written = bytearray()
    while number >= 1 << 7:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    written.append(number)
    return bytes(written)


def struct(*fields: Field) -> bytes:
    """A record of fields (number, type, value) in the order of their numbers; no value is negative.

    The value of a list or a record is what `list_of` or `struct` gave.
    """
    written, before = bytearray(), 0
    for number, kind, value in fields:
        written.append((number - before) << 4 | kind)
        written += _value(kind, value)
        before = number
    return bytes(written) + b"\0"


def list_of(kind: int, values: Iterable[int | bytes]) -> bytes:
    """A list of values of one type."""
    items = [_value(kind, value) for value in values]
    if len(items) < LONG_LIST:
        head = bytes([len(items) << 4 | kind])
    else:
        head = bytes([LONG_LIST << 4 | kind]) + varint(len(items))
    return head + b"".join(items)


def _value(kind: int, value: int | bytes) -> bytes:
    if isinstance(value, int):
        return varint(2 * value)  # an even number is not negative
    return varint(len(value)) + value if kind == TEXT else value
