"""What US Chess asks of the private facts on a player: for a first rating FIDE's rating, or the age."""

from collections.abc import Hashable, Iterator

from banzuke.core.facts import EXCLUDE, SCORES, Game
from banzuke.core.private_facts import DayClause, Participation, PrivateFacts
from banzuke.core.rating import FIRST
from banzuke.rulebooks.us_chess import us_chess


def _asked(of: Participation) -> Iterator[tuple[str, Hashable]]:
    """USC 1: FIDE's standard rating, else the birth date on the first event's last day, else `adult`."""
    if not of.is_new or not any(_counts(of, game) for game in of.games):
        return
    if of.player.fide_standard is not None:
        yield "fide_standard", None
    elif of.player.birth_date is not None:
        yield "birth_date", of.event.ends
    else:
        yield "adult", None


def _counts(of: Participation, game: Game) -> bool:
    """USC 10: whether a game makes a first rating."""
    is_excluded = EXCLUDE in (of.event.ruling, game.ruling)
    score = SCORES[game.result][0]
    return us_chess.verdict(of.event, score, is_excluded=is_excluded, has_rating=False) == FIRST


PRIVATE_FACTS = PrivateFacts(
    _asked,
    {"birth_date": DayClause(lambda born, day: us_chess.rating_by_age(us_chess.age_on(born, day)))},
)
