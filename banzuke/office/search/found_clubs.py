"""The clubs that a search finds, by words of their names or by id.

A pool has hundreds at most: they are looked through.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from banzuke.database.two_names import name_here
from banzuke.exchange.name_likeness import spelt_words
from banzuke.office.search.event_words import slips_in


class FoundClub(NamedTuple):
    """A club that was found: its id and name, and whether the name is only near what was typed."""

    club_id: str
    name: str
    is_near: bool


def find_clubs(names: Mapping[str, Sequence[str]], typed: str, most: int) -> list[FoundClub]:
    """Of clubs, by id with their names, those that have all the words typed; else those with near ones."""
    words = spelt_words(typed)
    if not words:
        return []
    counted = [
        (count, name_here(*both), club)
        for club, both in names.items()
        if (count := slips_in(words, (*both, club))) is not None
    ]
    exact = [found for found in counted if not found[0]]
    return [FoundClub(club, name, count > 0) for count, name, club in sorted(exact or counted)[:most]]
