"""What published lists gave players beside the changes of their games, from the workings stored with them."""

from collections.abc import Iterable
from typing import NamedTuple

from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ChessBook
from banzuke.database.models import RatingList, Working
from banzuke.office.lists.list_rows import working_from_json


class OfPlayer(NamedTuple):
    """A player at one speed of a list; `list` is its number in the database."""

    list: int
    speed: str
    player: str


def bonuses_in(lists: Iterable[RatingList], players: Iterable[str]) -> dict[OfPlayer, int]:
    """The bonuses of those players in hundredths of a point; who got none is left out."""
    given = {
        one.pk: book.bonus
        for one in lists
        if isinstance(book := BOOKS.get(one.rulebook), ChessBook) and book.bonus
    }
    if not given:
        return {}
    found = {}
    for stored in Working.objects.filter(list__in=given, player_id__in=set(players)):
        bonus = given[stored.list_id](working_from_json(stored.calculation).calculation)
        if bonus is not None:
            found[OfPlayer(stored.list_id, stored.speed, stored.player_id)] = bonus
    return found
