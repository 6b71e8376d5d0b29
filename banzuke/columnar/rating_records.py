"""Ratings of a state over columns as records, and back: with the facts that their book carries on."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from banzuke.columnar.batch_columns import MISSING, NO_FIGURE, Int32s, Int64s, State
from banzuke.columnar.twin import CarriedFact
from banzuke.core.facts import NO_MORE, More
from banzuke.core.rating import Rating

#: The fields that a State over columns and a Rating both have.
STATE_FIELDS = ("value", "games", "peak", "earned")
#: Rows of the state's speeds, and players.
Places = tuple[Int32s, Int32s]


def ratings_at(state: State, carried: Sequence[CarriedFact], at: Places) -> list[Rating]:
    """The ratings of those speeds and players."""
    columns = (getattr(state, name)[at].tolist() for name in STATE_FIELDS)
    facts = state.more[:, *at].T.tolist() if carried else [()] * len(at[1])
    return [
        Rating(figure_or_none(value), games, figure_or_none(peak), earned, _more(carried, own))
        for value, games, peak, earned, own in zip(*columns, facts, strict=True)
    ]


def put_ratings(state: State, carried: Sequence[CarriedFact], at: Places, ratings: Sequence[Rating]) -> State:
    """The state with those ratings at those speeds and of those players; the state given stays as it was."""
    fields: dict[str, Any] = {name: getattr(state, name).copy() for name in STATE_FIELDS}
    for name, field in fields.items():
        field[at] = [_cell(getattr(rating, name)) for rating in ratings]
    more = state.more.copy()
    for row, fact in enumerate(carried):
        more[row, *at] = [_number(fact, rating) for rating in ratings]
    return state._replace(**fields, more=more)


def blank_facts(carried: Sequence[CarriedFact], shape: tuple[int, int]) -> Int64s:
    """The facts carried of so many speeds and players, all blank."""
    return np.full((len(carried), *shape), NO_FIGURE, np.int64)


def figure_or_none(value: int) -> int | None:
    """A figure of a column; None for a blank."""
    return None if value == MISSING else int(value)


def _cell(value: int | None) -> int:
    return MISSING if value is None else value


def _more(carried: Sequence[CarriedFact], numbers: Sequence[int]) -> More:
    """What else a rating carries, blank facts left out."""
    found = ((fact, number) for fact, number in zip(carried, numbers, strict=True) if number != NO_FIGURE)
    return More({fact.name: fact.fact(number) for fact, number in found}) or NO_MORE


def _number(fact: CarriedFact, rating: Rating) -> int:
    return NO_FIGURE if rating.more.get(fact.name) is None else fact.number(rating.more[fact.name])
