"""What a Go pool answers of how it stands now, as JSON: for the API's own addresses, and past them."""

from functools import lru_cache
from time import monotonic
from typing import NamedTuple

import orjson
from django.db import connection
from django.utils.timezone import now

from banzuke.api.live.go_serializers import as_json, change_of, live_of, terms_of
from banzuke.api.player_ratings import ratings_of
from banzuke.api.problems import KeptElsewhereError
from banzuke.api.serializers import person_of
from banzuke.database.models import Pool
from banzuke.office.live.game_terms import find_terms
from banzuke.office.live.go_standing import standing_of
from banzuke.office.live.players_now import read_players
from banzuke.office.live.rated_games import changes_after
from banzuke.office.merged_ids import kept_id
from banzuke.office.pages.player_standing import load_standing
from banzuke.office.pages.public_pool import public_pool
from banzuke.office.public_names import go_people
from banzuke.office.raw_sql import Statements
from banzuke.words import Language

#: So many changes are answered at once.
MOST_CHANGES = 1_000
#: Of so many players it is kept what the published lists say, for so many seconds at most: on PostgreSQL a
#: row may be seen later than one with a greater id, and then the last rows do not tell of it.
MOST_KEPT, KEPT_FOR = 20_000, 60
#: Whether a list of any pool has the player, or the player was put together with another.
_IS_LISTED = (
    "SELECT 1 WHERE EXISTS (SELECT 1 FROM book_listrow WHERE player_id = %s) "
    "OR EXISTS (SELECT 1 FROM book_merge WHERE pool_id = %s AND merged = %s)"
)


def terms_text(pool: Pool, black: str, white: str, stones: int | None, komi: int | None) -> bytes:
    """Terms before a game (`komi` in half points). Raises NotLiveError, and as `find_terms` does."""
    there = read_players(pool, {black, white})
    return as_json(terms_of(find_terms(there, black, white, now(), stones, komi), there.people))


def changes_text(pool: Pool, after: int, limit: int) -> bytes:
    """The feed after a number. Raises NotLiveError."""
    found = changes_after(pool, after, limit)
    return as_json(
        {"changes": [change_of(each) for each in found], "next": found[-1].number if found else after}
    )


def player_text(pool: Pool, player: str, lang: Language) -> bytes | None:
    """A player of a Go pool, now and in the lists; None: there is none of that id.

    Raises NotLiveError, and KeptElsewhereError for who was put together with another.
    """
    there = read_players(pool, [player], with_last_rows=True)
    live = standing_of(pool, there, player, now())
    listed = _listed(pool, player, there.last_rows)
    if listed.kept != player:
        raise KeptElsewhereError(listed.kept)
    if live is None and not listed.has_ratings:
        return None
    person = go_people(pool, [player])[player] if live is None else live.person
    found_now = None if live is None else live_of(live, lang)
    return as_json(person_of(person) | {"ratings": orjson.Fragment(listed.ratings), "live": found_now})


class _Listed(NamedTuple):
    """Of a player: the id that is kept, and the ratings in the published lists as JSON."""

    kept: str
    has_ratings: bool
    ratings: bytes


def _listed(pool: Pool, player: str, last_rows: tuple[int | None, ...]) -> _Listed:
    """What is not committed yet is not kept: the numbers of such rows are given again."""
    if connection.in_atomic_block:
        return _find_listed(pool, player)
    return _kept_listed(pool, player, last_rows, int(monotonic() // KEPT_FOR))


@lru_cache(maxsize=MOST_KEPT)
def _kept_listed(pool: Pool, player: str, _last_rows: tuple[int | None, ...], _period: int) -> _Listed:
    return _find_listed(pool, player)


def _find_listed(pool: Pool, player: str) -> _Listed:
    if Statements().repeat(_IS_LISTED, [player, pool.pk, player]).fetchone() is None:
        return _Listed(player, has_ratings=False, ratings=b"[]")
    ratings = ratings_of(pool, load_standing(public_pool(pool), player))
    return _Listed(kept_id(pool, player), bool(ratings), as_json(ratings))
