"""Whom the adviser is asked about: players of the pool, by id or name, or ranks alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.go_facts import BEGINNERS, HALF_OF, GoOpening, GoPlayer
from banzuke.database.models import LiveStanding
from banzuke.ledger.pool_rules import go_book
from banzuke.office.live import live_ranking
from banzuke.office.live.game_terms import NoSuchPlayerError
from banzuke.office.live.live_codec import state_from
from banzuke.office.public_names import Person, people

if TYPE_CHECKING:
    from datetime import datetime

    from banzuke.core.go_facts import GoState
    from banzuke.database.models import Pool
    from banzuke.ledger.pool_rules import EditionInForce

#: As many players are named to choose from.
NAMED = 5


class Side(NamedTuple):
    """One who is to play: a player with his state, or (`person` None) somebody of a rank."""

    person: Person | None
    state: GoState


class SeveralPlayersError(Exception):
    """More than one player is meant; `some` are the first of them."""

    def __init__(self, some: list[Person]) -> None:
        super().__init__(some)
        self.some = some


def of_rank(word: str, number: int, edition: EditionInForce) -> Side | None:
    """Somebody of that rank (`5k+`, `5k?`, `BC`), certified ones before their rated game of that number.

    None for what is no rank.
    """
    book = go_book(edition)
    if word in HALF_OF:
        opening = GoOpening("", word, number - 1, edition.zone.start[HALF_OF[word]])
        return Side(None, book.reopened(opening))
    plain = word.removesuffix("?")
    if word == BEGINNERS or (plain in HALF_OF and not plain.endswith("+")):
        return Side(None, book.entered(GoPlayer("", "", plain)))
    return None


def of_player(pool: Pool, typed: str, now: datetime) -> Side:
    """The player of that id, or the one whose id or name begins so.

    Raises NotLiveError, NoSuchPlayerError and SeveralPlayersError.
    """
    known = LiveStanding.objects.filter(pool=pool, player_id=typed).first()
    if known is not None:
        return Side(people(pool, [typed])[typed], state_from(known.state))
    rows = live_ranking.page(pool, live_ranking.Asked(typed=typed), now).rows
    exact = [row for row in rows if typed.casefold() == row.person.name.casefold()]
    rows = exact or rows
    if not rows:
        raise NoSuchPlayerError(typed)
    if len(rows) > 1:
        raise SeveralPlayersError([row.person for row in rows[:NAMED]])
    return Side(rows[0].person, rows[0].state)
