"""Years of days, for compiled kernels; a day is its ordinal, 1 for 1 January of the year 1."""

from numba import njit


@njit(cache=True)
def new_year(year: int) -> int:
    """The ordinal of 1 January."""
    before = year - 1
    return 365 * before + before // 4 - before // 100 + before // 400 + 1


@njit(cache=True)
def year_of(day: int) -> int:
    """The calendar year that a day lies in."""
    year = day * 400 // 146_097 + 1  # the mean length of a year leads to it or to one beside it
    if day < new_year(year):
        return year - 1
    return year + 1 if day >= new_year(year + 1) else year


@njit(cache=True)
def born_after(age: int, year: int) -> int:
    """The day after which one was born who is below that age on 1 January of the year.

    Whoever was born on that very day has a birthday then, and that age.
    """
    return max(new_year(year - age), 0)
