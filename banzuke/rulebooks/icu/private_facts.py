"""What the union's rules ask of the private facts on a player: age and joining on an event's first day."""

from collections.abc import Hashable, Iterator
from datetime import date

from banzuke.core.private_facts import DayClause, Participation, PrivateFacts
from banzuke.rulebooks.icu import icu


def _asked(of: Participation) -> Iterator[tuple[str, Hashable]]:
    """ICU 1, 3: a fixed rating, which every line shows; else both days on the event's first one.

    Of a junior no clause asks when he or she joined, but the day must be there, so that K can be told.
    """
    born, starts = of.player.birth_date, of.event.starts
    if "fixed_rating" in of.player.more:
        yield "fixed_rating", None
    elif born is not None and any(icu.was_played(of.event, game) for game in of.games):
        yield "birth_date", starts
        yield "joined", None if _is_junior(born, starts) else starts


def _is_junior(born: date, day: date) -> bool:
    return icu.years_between(born, day) < icu.DAYS_OF_YEAR * icu.JUNIOR_AGE


def _is_new_member(joined: date, day: date | None) -> bool:
    return day is None or icu.years_between(joined, day) < icu.DAYS_OF_YEAR * icu.NEW_MEMBER_YEARS


PRIVATE_FACTS = PrivateFacts(
    _asked, {"birth_date": DayClause(_is_junior), "joined": DayClause(_is_new_member, icu.joined_on)}
)
