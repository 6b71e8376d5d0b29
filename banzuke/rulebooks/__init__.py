"""The rule books: each a pure function of (standings, batch), with its clauses and settings."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from banzuke.rulebooks import fide_2024, hakodate, jcf_2024, ncs_2022, pandanet

if TYPE_CHECKING:
    from types import ModuleType


class Family(Enum):
    """What a book's batch is: a month's reports, a month's events, one event, one game."""

    MONTH = "month"
    FIDE = "fide"
    CLUB = "club"
    GO = "go"


class Book(NamedTuple):
    """A rule book: its name in pool.toml, how its clauses are cited, and where it is written."""

    name: str
    prefix: str
    family: Family
    module: ModuleType
    settings: type


BOOKS = {
    book.name: book
    for book in (
        Book("ncs-2022", "NCS", Family.MONTH, ncs_2022, ncs_2022.Settings),
        Book("jcf-2024", "JCF", Family.MONTH, jcf_2024, jcf_2024.Settings),
        Book("hakodate", "HCC", Family.CLUB, hakodate, hakodate.Settings),
        Book("pandanet", "PN", Family.GO, pandanet, pandanet.Settings),
        Book("fide-2024", "FIDE", Family.FIDE, fide_2024, fide_2024.Settings),
    )
}
