"""An event over columns rated by the union's rules as they read, with the cells that they add to lists."""

from banzuke.columnar import rated_by_book
from banzuke.columnar.batch_columns import Batch, Rated, State
from banzuke.columnar.rated_by_book import register_day
from banzuke.columnar.rating_records import figure_or_none
from banzuke.columnar.twin import Rules
from banzuke.core.facts import More, Player
from banzuke.rulebooks.icu.columnar.entrant_arrays import FIXED_RATING, JOINED
from banzuke.rulebooks.icu.icu import ONE_LIST

#: Finer figures have so many decimals.
PLACES = 6


def rate_by_book(rules: Rules, state: State, batch: Batch, *, with_lines: bool) -> Rated:
    """The batch's one event rated by the book; raises RefusedError as the book does."""
    rated, outcome, number = rated_by_book.rate_by_book(
        rules, state, batch, _player, PLACES, with_lines=with_lines
    )
    if not with_lines:
        return rated
    done = outcome.calculations[ONE_LIST].values()
    added = {
        column.name: {
            number[each.player]: cell for each in done if (cell := column.cell(each.after, each)) is not None
        }
        for column in rules.book.columns.lists
    }
    return rated._replace(added=added)


def _player(batch: Batch, number: int) -> Player:
    """The player, as far as the book asks."""
    joined, fixed = (batch.register.own[row, number] for row in (JOINED, FIXED_RATING))
    facts = {"joined": register_day(joined), "fixed_rating": figure_or_none(fixed)}
    more = More({name: fact for name, fact in facts.items() if fact is not None})
    born = register_day(batch.register.born[number])
    return Player(batch.player_ids[number], "", birth_date=born, more=more)
