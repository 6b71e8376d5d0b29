"""The rule books: each a pure function of (standings, batch), with its clauses and settings."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.facts import SPEEDS
from banzuke.rulebooks import fide_2024, hakodate, jcf_2024, month, ncs_2022, pandanet

if TYPE_CHECKING:
    from datetime import date
    from types import ModuleType

    from banzuke.core.facts import Event


class Family(Enum):
    """What a book's batch is: a month's reports, a month's events, one event, one game."""

    MONTH = "month"
    FIDE = "fide"
    CLUB = "club"
    GO = "go"

    @property
    def speeds(self) -> tuple[str, ...]:
        """The speeds at which a pool keeps ratings, in the order of its lists; blank where it has one."""
        if self in (Family.CLUB, Family.GO):
            return (hakodate.ONE_LIST,)
        return SPEEDS if self is Family.FIDE else month.SPEEDS

    def deciding_day(self, event: Event) -> date:
        """The day whose edition rates an event: the window's last, or the event's own last for a club."""
        if self is Family.MONTH:
            return ncs_2022.window_closes(ncs_2022.list_of(event.reported))
        if self is Family.FIDE:
            return fide_2024.window_closes(fide_2024.list_of(event.ends))
        return event.ends


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
