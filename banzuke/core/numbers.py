"""The numbers of a rule book by the names that `--set` takes: single ones, and the entries of rows.

An entry of a row is named by its place, counted from 0: `lower_wins_2`; of a row of rows by the name of its
column, too: `multipliers_0_until`. Words in rows, such as the names of classes, stay as they are.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from banzuke.core.parameters import Parameter
from banzuke.core.rulebook import RuleBook


class Number(NamedTuple):
    """A number that can be tried at another value: its name, its value, whose entry it is and where."""

    name: str
    value: int
    parameter: Parameter
    place: tuple[int, ...] = ()

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the largest value that can be tried."""
        return self.parameter.bounds

    @property
    def is_bounded(self) -> bool:
        """Whether the book's parameters file has bounds for it."""
        return self.parameter.most is not None


def numbers_of(book: RuleBook) -> dict[str, Number]:
    """Every number of a book by its name, in the order of the book's document."""
    return {number.name: number for parameter in book.parameters.values() for number in numbers_in(parameter)}


def numbers_in(parameter: Parameter) -> Iterator[Number]:
    """The numbers of a parameter: itself, or the entries of its row."""
    return _numbers(parameter, parameter.name, parameter.value, ())


def _numbers(parameter: Parameter, name: str, value: Any, place: tuple[int, ...]) -> Iterator[Number]:
    if isinstance(value, int) and not isinstance(value, bool):
        yield Number(name, value, parameter, place)
    elif isinstance(value, (list, tuple)):
        for at, entry in enumerate(value):
            is_column = place and at < len(parameter.columns)
            yield from _numbers(
                parameter, f"{name}_{parameter.columns[at] if is_column else at}", entry, (*place, at)
            )


def parameters_with(book: RuleBook, values: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a book that these values change, whole: rows with the entries that are other ones.

    A value is named as in `numbers_of`, or is a whole row by its parameter's name. Others are left out.
    """
    known, changed = numbers_of(book), dict[str, Any]()
    for name, value in values.items():
        if name in book.parameters:
            changed[name] = _as_lists(value)
        elif name in known:
            parameter, place = known[name].parameter, known[name].place
            row = changed.setdefault(parameter.name, _as_lists(parameter.value))
            for at in place[:-1]:
                row = row[at]
            row[place[-1]] = value
    return changed


def _as_lists(value: Any) -> Any:
    """A row as TOML gives it, a copy down to its entries."""
    return [_as_lists(each) for each in value] if isinstance(value, (list, tuple)) else value
