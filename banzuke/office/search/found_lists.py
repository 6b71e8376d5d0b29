"""The lists that a search finds: by month, year or name. A pool has hundreds; they are looked through."""

from banzuke.database.models import Pool, RatingList
from banzuke.office.lists import list_index
from banzuke.office.search.typed_month import month_of

#: The least signs of a list's name that say which is meant.
_LEAST = 3


def find_lists(pool: Pool, typed: str, most: int) -> list[RatingList]:
    """The lists of the month or year that was typed, or whose names begin so; the newest first.

    A list has its month in its name, or in its day.
    """
    every = list_index.current_lists(pool)
    month = month_of(typed)
    if month is None:
        begins = typed.strip()
        return list(every.filter(name__istartswith=begins)[:most]) if len(begins) >= _LEAST else []
    named = f"{month.year:04}" if month.month is None else f"{month.year:04}-{month.month:02}"
    in_time = every.filter(day__gte=month.first, day__lte=month.last)
    return list(every.filter(name__startswith=named)[:most]) or list(in_time[:most])
