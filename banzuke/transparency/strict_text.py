"""What is read in one way only: base64, numbers and JSON, each as it would be written again."""

import base64
import hashlib
import json
import re
from collections.abc import Iterable
from typing import Any

#: Nothing here is larger: ten thousand games of one player in one list.
MOST_BYTES = 16 * 2**20
HASH_BYTES = hashlib.sha256().digest_size
NUMBER = re.compile(r"0|[1-9][0-9]{0,17}", re.ASCII)


def base64_text(data: bytes) -> str:
    """Bytes as base64."""
    return base64.b64encode(data).decode()


def base64_bytes(text: str) -> bytes:
    """The bytes that base64 says, which has no other way to say them. Raises ValueError."""
    data = base64.b64decode(text.encode("ascii"), validate=True)
    if base64_text(data) != text:
        raise ValueError(text)
    return data


def hashes(texts: Iterable[str]) -> tuple[bytes, ...]:
    """The hashes that lines of base64 say. Raises ValueError."""
    found = tuple(map(base64_bytes, texts))
    if any(len(each) != HASH_BYTES for each in found):
        raise ValueError(found)
    return found


def number(text: str) -> int:
    """A whole number from 0 on, without zeros in front. Raises ValueError."""
    if not NUMBER.fullmatch(text):
        raise ValueError(text)
    return int(text)


def json_text(value: Any) -> str:
    """A value as canonical JSON: keys sorted, no blanks, letters as they are."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def json_value(data: bytes) -> Any:
    """The value of canonical JSON. Raises ValueError for anything else."""
    try:
        value = json.loads(data)
        if json_text(value).encode() == data:
            return value
    except RecursionError:
        pass
    raise ValueError
