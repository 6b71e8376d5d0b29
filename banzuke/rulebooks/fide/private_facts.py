"""What FIDE's regulations ask of the private facts on a player: the age in the year an event began."""

from collections.abc import Hashable, Iterator

from banzuke.core.private_facts import DayClause, Participation, PrivateFacts
from banzuke.core.rating import AGAINST_UNRATED
from banzuke.rulebooks.fide.event_sides import reason
from banzuke.rulebooks.fide.fide_2024 import is_junior


def _asked(of: Participation) -> Iterator[tuple[str, Hashable]]:
    """FIDE 8.3.3: the year in which the event began, if a game can be rated."""
    may_count = any(reason(of.event, game, None, None) == AGAINST_UNRATED for game in of.games)
    if may_count and of.player.birth_date is not None:
        yield "birth_date", of.event.starts.year


PRIVATE_FACTS = PrivateFacts(
    _asked, {"birth_date": DayClause(lambda born, year: is_junior(born, None, year))}
)
