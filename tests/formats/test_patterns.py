"""Patterns that every Python from 3.11.0 on matches alike."""

from __future__ import annotations

import re
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "banzuke"
#: A group that is repeated without going back: until Python 3.11.4, one that fails in its middle has moved on.
REPEATED_GROUP = re.compile(r"\)(?:[*+?]|\{[0-9,]+\})\+|\(\?>")


def test_no_group_is_repeated_possessively():
    found = [
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if REPEATED_GROUP.search(path.read_text("utf-8"))
    ]
    assert found == []
