"""The one-time code by which the first officer shows to be the person who started the office.

It lies in the office's own folder, readable by its owner only, and is gone once it was used. An address on
loopback alone would not do: behind a proxy every visitor has one.
"""

import secrets
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.utils.crypto import constant_time_compare

from banzuke.office.private_file import write_once

#: Letters and digits that are not taken for one another.
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
GROUPS, LETTERS = 3, 4


def _path() -> Path:
    path: Path = settings.HOME / "first-officer-code"
    return path


def first_code() -> str:
    """The code; it is made if there is none."""
    if not _path().exists():
        made = "-".join("".join(secrets.choice(ALPHABET) for _ in range(LETTERS)) for _ in range(GROUPS))
        write_once(_path(), made.encode())
    return _path().read_text("ascii")


def fits(typed: str) -> bool:
    """Whether that is the code."""
    with suppress(FileNotFoundError):
        return constant_time_compare(typed.strip().lower(), _path().read_text("ascii"))
    return False


def spend() -> bool:
    """Use the code up. False if it was used up already."""
    try:
        _path().unlink()
    except FileNotFoundError:
        return False
    return True
