"""Rule books that nobody ships: a successor of JCF 2024 that closes earlier, and one with a list every Sunday.

Install them in a test with the fixture `install_books`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from importlib.metadata import EntryPoint

from banzuke.core.calendar import DAY, ByReport, Window
from banzuke.core.registry import BOOKS, GROUP
from banzuke.rulebooks.jcf import jcf_2024, monthly
from banzuke.rulebooks.jcf.books import JCF_2024

SUNDAY = 6
FLOOR_2026, K_2026 = 1100, 32


@dataclass(frozen=True)
class Sundays:
    """A list every Sunday of what was reported in the week before."""

    column: str = "reported"
    correction_days: int | None = None

    def window_on(self, day: date) -> Window:
        """The window of the Sunday after the day."""
        published = day + timedelta(days=(SUNDAY - day.weekday()) or 7)
        return Window(published.isoformat(), published - timedelta(days=7), published - DAY, published)

    def window_named(self, name: str) -> Window:
        """The window of that Sunday, `2026-04-05`."""
        published = date.fromisoformat(name)
        if published.weekday() != SUNDAY or published.isoformat() != name:
            raise ValueError(name)
        return self.window_on(published - DAY)


def _coefficient(own, other, player, year):
    k = jcf_2024.coefficient(own, other, player, year)
    return k._replace(value=K_2026) if k == jcf_2024.NORMAL else k


def _new_rating(old, total):
    shift, _ = jcf_2024.new_rating(old, total)
    return shift, max(FLOOR_2026, old + shift)


_EDITION = replace(
    jcf_2024.EDITION, floor=FLOOR_2026, coefficient=_coefficient, new_rating=_new_rating
)  # its other clauses stay

#: JCF 2024 with another K, a floor of 1100 and a window that closes on the 15th.
JCF_2026 = replace(
    JCF_2024,
    name="jcf-2026",
    calendar=ByReport(15, 90),
    rate=lambda standings, batch, _settings: monthly.rate(_EDITION, standings, batch),
    twin=None,
)
#: JCF 2024 with a list every Sunday, which may be corrected for 30 days.
SUNDAY_2026 = replace(
    JCF_2024, name="sunday-2026", series="sundays", calendar=Sundays(correction_days=30), twin=None
)


SAMPLES = (JCF_2026, SUNDAY_2026)
_POINT = EntryPoint("samples", f"{__name__}:SAMPLES", GROUP)


def install(monkeypatch, *books):
    """Have the registry find these books beside the installed ones."""
    found = {book.name: (book, _POINT) for book in books}
    monkeypatch.setattr(BOOKS, "_found", BOOKS._found | found)


def uninstall(monkeypatch, *names):
    """Have the registry find the books of these names no more."""
    monkeypatch.setattr(BOOKS, "_found", {n: found for n, found in BOOKS._found.items() if n not in names})
