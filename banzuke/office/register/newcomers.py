"""Newcomers: members whom a report brought and of whom something is still missing, and new ids."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from banzuke.core import facts
from banzuke.database.models import Player, ReportStep
from banzuke.office.fact_rows import standing_rows
from banzuke.office.register.members import ContactDetails, contacts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from banzuke.database.models import Pool

#: What the office wants of somebody new: the kanji name, the birth date, and where they are reached.
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
    said = contacts_of(pool, brought)
    found = [Newcomer(row, _missing(row, said.get(row.player_id, ContactDetails()))) for row in rows]
    return [newcomer for newcomer in found if newcomer.missing]


def _missing(row: Player, said: ContactDetails) -> tuple[str, ...]:
    has = {NATIVE: row.name_native, BORN: row.birth_date, REACH: said.address or said.email}
    return tuple(name for name, value in has.items() if not value)


def new_id(pool: Pool) -> str:
    """The next id that `new_ids` gives."""
    return next(new_ids(pool))


def new_ids(pool: Pool) -> Iterator[str]:
    """Ids for newcomers, in the manner of most of the pool's (`J012` after `J011`), else `P00001` and on.

    Ids of struck members are never given again.
    """
    taken = set(Player.objects.filter(pool=pool).values_list("player_id", flat=True))
    prefix, number, width = _last(taken)
    while True:
        number += 1
        if (player_id := f"{prefix}{number:0{width}}") not in taken:
            yield player_id


def _last(taken: set[str]) -> tuple[str, int, int]:
    """The letters of most of the ids, their highest number, and how many digits it has."""
    numbered = [(found[1], found[2]) for known in taken if (found := _NUMBERED.fullmatch(known))]
    if not numbered:
        return "P", 0, 5
    prefix = Counter(prefix for prefix, _ in numbered).most_common(1)[0][0]
    digits = [number for before, number in numbered if before == prefix]
    width = Counter(map(len, digits)).most_common(1)[0][0]
    return prefix, max(int(number) for number in digits if len(number) == width), width
