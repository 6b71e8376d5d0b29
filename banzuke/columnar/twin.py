"""What a fast twin of a rule book is, and how it is found: `book.twin` names it, `twin_of` loads it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, NamedTuple, TypeVar, overload

from numpy.typing import NDArray

from banzuke.columnar.batch_columns import DecimalColumn, Flags, Int32s, Rated, State
from banzuke.columnar.go_columns import GoRated
from banzuke.columnar.partitioned_batches import PartitionedBook
from banzuke.core import batch
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ChessBook, GoBook, RuleBook

Numbers = TypeVar("Numbers", bound=tuple[Any, ...])


class Rules(NamedTuple):
    """What a batch is rated by: the book, its settings, and its numbers as the twin takes them."""

    book: ChessBook
    settings: Any
    figures: Any


class ListRows(NamedTuple):
    """The rows of a list, by player and speed: the speed's place among the book's, and the new standings."""

    player: Int32s
    speed: Int32s
    rating: Int32s
    games: Int32s


class CarriedFact(NamedTuple):
    """A fact that a book carries on in `Rating.more` by that name, as a whole number: both ways."""

    name: str
    number: Callable[[Any], int]
    fact: Callable[[int], Any]


@dataclass(frozen=True, slots=True)
class ChessTwin:
    """The fast twin of a `ChessBook`; it equals the book to the digit.

    `rate(rules, state, batch, with_lines=...)` leaves the standings given as they were. `figures` takes the
    numbers from a book's parameters. `expected(figures, gap)` is what the book expects of one who is so many
    points ahead (a share of 1; NaN where it has no such figure).
    `status` gives the place of each row's word in `statuses`, from the book and the rows; `qualified` which
    rows are fit for qualification (None: the book knows no such thing). `unrated_on_file` is whether a game
    on file against an unrated opponent is a game, not only the mark of an event that was left out.

    `table(gap)` is the printed table of expectations, if the book has one, without its largest difference.
    `visitors` is how a player who is rated elsewhere gets a first rating without games: not at all, from the
    register, or because the opening list has them. `partitioned` gives what rates the parts of a batch on
    many machines (None: a batch is rated as a whole). `own_facts(ids, register)` are what the twin asks of
    every player beside birth, ratings taken over and memberships: a row for each fact (None: nothing).

    `carried` are all facts that the book carries on in `Rating.more`; others are lost. Books of one series
    have the same, in the same order, as a pool may pass from one to another. `cells(book, rows, state)` are
    the cells of columns that the book adds to lists, by column; others are asked of the book, row by row.
    `earns_first` is whether every first rating rests on games, also of who is rated elsewhere; else
    `State.earned` says which do.
    """

    rate: Callable[..., Rated]
    figures: Callable[[RuleBook], Any]
    expected: Callable[[Any, NDArray[Any]], NDArray[Any]]
    statuses: tuple[str, ...]
    status: Callable[[ChessBook, ListRows], Int32s]
    qualified: Callable[[ChessBook, ListRows], Flags] | None = None
    unrated_on_file: bool = True
    table: Callable[[NDArray[Any]], NDArray[Any]] | None = None
    visitors: Literal["unrated", "register", "opening"] = "unrated"
    partitioned: Callable[[Rules], PartitionedBook] | None = None
    own_facts: Callable[[Sequence[str], batch.Register], Int32s] | None = None
    carried: tuple[CarriedFact, ...] = ()
    cells: Callable[[ChessBook, ListRows, State], Mapping[str, DecimalColumn]] = lambda *_: {}
    earns_first: bool = True


class GoForecasts(NamedTuple):
    """What a book of Go expects of a game, and what its judgements mean.

    Differences in lines count `units` a rank. `expected(figures, lead)` is the share of games that one wins
    who is so many units ahead after the terms; `worth(figures, stones, komi)` what terms are worth to Black,
    in units. `rated` are the codes of judgements by which a game counts in full, `unplayed` those of games
    that were not played out, or count for neither side. A game counts on a board of so many lines, from so
    many moves on: `form(figures)`.
    """

    units: int
    expected: Callable[[Any, NDArray[Any]], NDArray[Any]]
    worth: Callable[[Any, NDArray[Any], NDArray[Any]], NDArray[Any]]
    rated: tuple[int, ...]
    unplayed: tuple[int, ...]
    form: Callable[[Any], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class GoTwin:
    """The fast twin of a `GoBook`; `forecasts` is what the laboratory asks of it.

    `rate(states, games, declarations, zones, figures, with_lines=...)` rates games in order and leaves the
    states after them in `states`. `judgements` are the verdicts and clauses by their code in lines,
    `longest_record(figures)` how many games a player has on record at most.
    """

    rate: Callable[..., GoRated]
    figures: Callable[[RuleBook], Any]
    judgements: tuple[tuple[str, str], ...]
    longest_record: Callable[[Any], int]
    forecasts: GoForecasts


@overload
def twin_of(book: ChessBook) -> ChessTwin: ...
@overload
def twin_of(book: GoBook) -> GoTwin: ...
def twin_of(book: RuleBook) -> ChessTwin | GoTwin:
    """The book's fast twin. Raises LookupError where it has none, TypeError where it names something else."""
    if book.twin is None:
        raise LookupError(book.name)
    module, _, name = book.twin.partition(":")
    twin = getattr(import_module(module), name)
    if not isinstance(twin, GoTwin if isinstance(book, GoBook) else ChessTwin):
        raise TypeError(f"{book.twin} is no fast twin of {book.name}")
    return twin


def installed_twin(book: ChessBook) -> ChessTwin | None:
    """The fast twin of the installed book by that name, also for one derived from it without a twin."""
    known = BOOKS[book.name]
    return twin_of(known) if isinstance(known, ChessBook) and known.twin else None


def rules_of(book: ChessBook, settings: Any) -> Rules:
    """What a batch is rated by."""
    return Rules(book, settings, twin_of(book).figures(book))


def is_partitioned(book: RuleBook) -> bool:
    """Whether parts of the book's batches may be rated apart, on many machines."""
    return isinstance(book, ChessBook) and twin_of(book).partitioned is not None


def partitioned_book(name: str, settings: Any) -> PartitionedBook:
    """What rates the parts of batches by the book of that name, with those settings. Raises TypeError."""
    book = BOOKS[name]
    partitioned = twin_of(book).partitioned if isinstance(book, ChessBook) else None
    if partitioned is None or not isinstance(book, ChessBook):
        raise TypeError(name)
    return partitioned(rules_of(book, settings))


def figures_by_name(kind: type[Numbers]) -> Callable[[RuleBook], Numbers]:
    """Makes a NamedTuple of whole numbers from a book's parameters of the same names."""

    def figures(book: RuleBook) -> Numbers:
        return kind(*map(book.parameters.whole, kind._fields))  # type: ignore[attr-defined,arg-type]

    return figures
