"""Which format a file is in, by its content alone, and the reader of each.

A format's module has `looks_like(data)`, which is quick and looks at the beginning, and `read`.
They are asked in the order of the table; the first that says yes reads the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from banzuke.formats import trf

if TYPE_CHECKING:
    from collections.abc import Callable

    from banzuke.formats.report import GoReport, Report

    Reader = Callable[[bytes, str], Report | list[Report] | GoReport]


class FileFormat(NamedTuple):
    """A format of reports; `read` gives the report of a file (or those, where a file may hold several)."""

    looks_like: Callable[[bytes], bool]
    read: Reader


FORMATS: dict[str, FileFormat] = {
    "trf": FileFormat(trf.looks_like, trf.read),
}


def recognise(data: bytes) -> str | None:
    """The name of the format in which the file is; None if it is none of those known."""
    return next((name for name, form in FORMATS.items() if form.looks_like(data)), None)
