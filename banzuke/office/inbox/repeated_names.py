"""A report that has one name several times.

Two people of one name are told apart by their ids or by their names in another writing. A birth date tells
nobody apart: a report with one name and many dates would be a search for a member's date.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from banzuke.core.fault import Fault, fault
from banzuke.exchange.name_likeness import normal_form
from banzuke.formats.report import ReportedPlayer

#: A player's names in normal form.
_Names = tuple[str, str]


class _Bearers(NamedTuple):
    """Who bears a name: the first one's number, and the ids of all (blank: somebody has none)."""

    first: int
    national_ids: set[str]
    fide_ids: set[str]


def find_repeated(file: str, players: Iterable[ReportedPlayer]) -> Iterator[Fault]:
    """A fault for each player whose name others before have, unless ids of one kind tell them all apart."""
    known: dict[_Names, _Bearers] = {}
    for player in players:
        names = _names(player)
        bearers = known.get(names)
        if bearers is None:
            bearers = known[names] = _Bearers(player.number, set(), set())
        elif any(names) and not (
            _is_another(player.national_id, bearers.national_ids)
            or _is_another(player.fide_id, bearers.fide_ids)
        ):
            name = player.name or player.name_native
            facts = {"name": name, "number": player.number, "first": bearers.first}
            yield fault(file, player.line, "name", "inbox-repeated-name", **facts)
        bearers.national_ids.add(player.national_id)
        bearers.fide_ids.add(player.fide_id)


def _names(player: ReportedPlayer) -> _Names:
    latin, native = (" ".join(sorted(normal_form(one))) for one in (player.name, player.name_native))
    return latin, native


def _is_another(own: str, others: set[str]) -> bool:
    """Whether an id is told apart from those of all others."""
    return bool(own) and "" not in others and own not in others
