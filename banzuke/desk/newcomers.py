"""Newcomers: members whom a report brought and of whom something is still missing (NCS 4(5)), and new ids."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from banzuke.book.models import Player, ReportStep
from banzuke.core import facts
from banzuke.desk.members import Reach, reaches
from banzuke.desk.rows import standing_rows

if TYPE_CHECKING:

    from banzuke.book.models import Pool

#: What NCS 4(5) wants of somebody new: the kanji name, the birth date, and where he is reached.
NATIVE, BORN, REACH = "name_native", "birth_date", "contact"
_NUMBERED = re.compile(r"(\D*)(\d{1,18})", re.ASCII)


class Newcomer(NamedTuple):
    """Somebody whom a report brought, and what is missing of him."""

    row: Player
    missing: tuple[str, ...]


def newcomers(pool: Pool) -> list[Newcomer]:
    """Who came by a report and is not complete yet, in the order of coming."""
    by_report = ReportStep.objects.filter(report__pool=pool, entry__isnull=False).values("entry")
    brought = Player.objects.filter(pool=pool, entry__in=by_report).values("player_id")
    rows = list(standing_rows(pool, facts.Player).filter(player_id__in=brought))
    said = reaches(pool, brought)
    found = [Newcomer(row, _missing(row, said.get(row.player_id, Reach()))) for row in rows]
    return [newcomer for newcomer in found if newcomer.missing]


def _missing(row: Player, said: Reach) -> tuple[str, ...]:
    has = {NATIVE: row.name_native, BORN: row.birth_date, REACH: said.address or said.email}
    return tuple(name for name, value in has.items() if not value)


def new_id(pool: Pool, besides: Iterable[str] = ()) -> str:
    """The next id in the manner of most of the pool's (`J012` after `J011`); `P00001` where they have none.

    Ids of struck members are never given again, and those `besides` are taken too.
    """
    taken = {*Player.objects.filter(pool=pool).values_list("player_id", flat=True), *besides}
    numbered = [(found[1], found[2]) for known in taken if (found := _NUMBERED.fullmatch(known))]
    if not numbered:
        return _next("P", 1, 5, taken)
    prefix = Counter(prefix for prefix, _ in numbered).most_common(1)[0][0]
    digits = [number for before, number in numbered if before == prefix]
    width = Counter(map(len, digits)).most_common(1)[0][0]
    return _next(prefix, max(int(number) for number in digits if len(number) == width) + 1, width, taken)


def _next(prefix: str, number: int, width: int, taken: set[str]) -> str:
    while f"{prefix}{number:0{width}}" in taken:
        number += 1
    return f"{prefix}{number:0{width}}"
