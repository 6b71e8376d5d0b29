"""The ids that were erased, in a file of the office's folder: a restored backup has them erased again.

A backup of before an erasure has the person in it. The file is for its owner only, and has no names.
"""

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

from banzuke.office.private_file import PRIVATE, keep_name

FILE = "erased-ids"


class NotedErasure(NamedTuple):
    """An id of a pool (its word) that was erased, and on which day.

    Where a number took the place of the id, `player` is the number, and `former` the hash of the old id.
    """

    pool: str
    player: str
    day: str
    former: str = ""


def path() -> Path:
    """Where the office keeps them."""
    return Path(settings.HOME) / FILE


def note_ids(erased: Iterable[NotedErasure]) -> None:
    """Add the ids of a person; they are on the disk afterwards. Raises OSError."""
    lines = "".join(json.dumps([*each][: 4 if each.former else 3]) + "\n" for each in erased)
    handle = os.open(path(), os.O_RDWR | os.O_CREAT | os.O_APPEND, PRIVATE)
    with os.fdopen(handle, "a+b") as stream:
        size = stream.seek(0, os.SEEK_END)
        if size and os.pread(handle, 1, size - 1) != b"\n":  # half a line, of a disk that was full
            lines = f"\n{lines}"
        stream.write(lines.encode())
        stream.flush()
        os.fsync(handle)
    if not size:
        keep_name(path().parent)


def noted_ids() -> Iterator[NotedErasure]:
    """The ids that were erased. A line that is none, as half of one that was written, is passed over."""
    if not path().is_file():
        return
    for line in path().read_text("utf-8").splitlines():
        try:
            pool, player, day, *former = json.loads(line)
        except ValueError:
            continue
        yield NotedErasure(str(pool), str(player), str(day), *map(str, former[:1]))
