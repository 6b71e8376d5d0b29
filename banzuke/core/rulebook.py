"""A rule book as a value: everything that depends on whose rules rate a pool.

The rest of the program asks the value and knows no book by its name. Books are found by `core.registry`.
There are two kinds, as there are two kinds of ledger: `ChessBook` and `GoBook`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from banzuke.core.facts import FORMS
from banzuke.core.private_facts import NOTHING_PRIVATE, PrivateFacts
from banzuke.core.rating import WHOLE_POINTS, RatingScale

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from datetime import date
    from importlib.resources.abc import Traversable

    from banzuke.core.batch import Batch
    from banzuke.core.batch import Register as MembershipRegister
    from banzuke.core.calendar import AnyCalendar
    from banzuke.core.clause_register import ClauseRegister
    from banzuke.core.facts import Club, Entry, Event, Game, Opening, Player
    from banzuke.core.fault import Fault
    from banzuke.core.go_endings import Ending
    from banzuke.core.go_facts import (
        Declaration,
        GoGame,
        GoLine,
        GoOpening,
        GoPlayer,
        GoProspects,
        GoState,
        GoTerms,
        Zone,
    )
    from banzuke.core.parameters import Parameters
    from banzuke.core.rating import (
        Calculation,
        Coefficient,
        FirstGame,
        FirstWorking,
        Outcome,
        PlayerState,
        Rating,
        Standings,
    )
    from banzuke.core.sentences import GoSentences, Sentences, Statement

Cites = dict[str, str]


class Finding(NamedTuple):
    """What a book finds wrong with a row, or worth a word: the column, and the sentence with its facts.

    `column` is blank where the row as a whole is meant; `code` is the sentence's key among the faults.
    """

    column: str
    code: str
    facts: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Checks:
    """What a book demands of events and names beyond the ledger's own form.

    `event` gives the faults of an event by itself, `warnings` what is said of an event with the clubs that
    its organiser may be, `name` what is said of a player's name. `newcomer` is what is said of a report of a
    new player, by the name in the own script and the birth date that it gives; None: a report needs neither.
    `player` and `opening` give the faults of a row of players.csv and of standings.csv; `opening_of` those
    that only the two together show. `entry` says beforehand why an event will be refused when it is rated:
    it is asked with the starting ratings of those who play in it first (None: nothing can be said before).
    """

    event: Callable[[Event], Iterable[Finding]] = lambda _: ()
    warnings: Callable[[Event, Sequence[Club]], Iterable[Finding]] = lambda _event, _clubs: ()
    name: Callable[[str], Iterable[Finding]] = lambda _: ()
    newcomer: Callable[[str, date | None], Iterable[Finding]] | None = None
    player: Callable[[Player], Iterable[Finding]] = lambda _: ()
    opening: Callable[[Opening], Iterable[Finding]] = lambda _: ()
    opening_of: Callable[[Player, Opening], Iterable[Finding]] = lambda _player, _opening: ()
    entry: Callable[[Standings, Entry, MembershipRegister], Iterable[Fault]] | None = None


class ExtraColumn(NamedTuple):
    """A column that a book adds to a table of the ledger: its name, and what its cells hold."""

    name: str
    kind: Literal["text", "date", "count", "rating", "decimal", "flag"]


#: A book that adds this column to `standings` takes starting ratings with up to four decimals. A record holds
#: the rating rounded to a whole number, and in `more` as it was written.
EXACT_RATING = ExtraColumn("rating", "decimal")


class ListColumn(NamedTuple):
    """A column that a book adds to lists.csv: its name, and a player's cell (None: blank).

    `cell(rating, calculation)` is asked with the player's state after the list, and with how it came about in
    the list (None: the list has no such player, or the fast twin asks, which has no calculations).
    """

    name: str
    kind: Literal["text", "count", "decimal"]
    cell: Callable[[Rating, Calculation | None], str | int | None]


@dataclass(frozen=True, slots=True)
class Columns:
    """What a book adds to the tables, and how it fills the columns of lists.csv that books read differently.

    `ledger` names the columns that it adds to a ledger's tables, by table; a record holds them under `more`.
    `status` is the word beside a rating, one of `statuses`; `qualified` whether a rating is fit for
    qualification (None: the book knows no such thing); `lists` are added after the common columns.
    """

    status: Callable[[Rating], str]
    statuses: tuple[str, ...] = ("rated",)
    qualified: Callable[[str, Rating], bool] | None = None
    ledger: Mapping[str, tuple[ExtraColumn, ...]] = field(default_factory=dict)
    lists: tuple[ListColumn, ...] = ()


class Change(NamedTuple):
    """One game's change in hundredths of a point; None where the book rates no such game.

    `expected` is in hundredths, None where the book has no such figure.
    """

    difference: int | None
    expected: int | None
    hundredths: int | None
    clause: str


class EventForecast(NamedTuple):
    """What an event would bring: each game's change, their sum in hundredths, the shift, the new rating.

    `total` is what the event brings as a whole, also where the games have no changes of their own; a `bonus`
    (hundredths) is part of it. None: the book has no bonus.
    """

    games: list[Change]
    total: int
    shift: int
    new: int
    bonus: int | None = None


@dataclass(frozen=True, slots=True)
class Calculator:
    """A book's own functions, asked for one game or one player, with its settings as they are by default.

    `asks` is what the book asks beside the ratings, `given` the answer: K, the number of games that the own
    rating rests on, or nothing (then 0). `change(own, opponent, score, given)` rates a game (opponent None:
    unrated; score in half points). `first(games)` gives a first rating, or why there is none.
    `new_rating(own, total)` adds a sum of changes (hundredths): the rounded sum and the rating.
    `shows_percent` is whether the working of a first rating has a percentage. `performance(opponents,
    points)` is the performance that the book prints, if it does. `event(own, given, games)` is for a book
    that rates an event as a whole; games are (opponent or None, half points).
    """

    change: Callable[[int, int | None, int, int], Change]
    first: Callable[[tuple[FirstGame, ...]], FirstWorking]
    new_rating: Callable[[int, int], tuple[int, int]]
    asks: Literal["nothing", "k", "games"] = "k"
    shows_percent: bool = True
    performance: Callable[[Sequence[int], int], FirstWorking] | None = None
    event: Callable[[int, int, Sequence[tuple[int | None, int]]], EventForecast] | None = None


class Worked(NamedTuple):
    """A worked example: its clause, its sentence (`kind`, `facts`), what it must give, and how it is run."""

    clause: str
    kind: str
    facts: Mapping[str, object]
    must_give: str
    run: Callable[[], str]


class Charge(NamedTuple):
    """An event, and for how many of its players a fee is owed."""

    event: Event
    players: int


@dataclass(frozen=True, slots=True)
class Fees:
    """The fee that an organiser owes for each player of an event, in whole units of the currency.

    `participants(event, games, settings)` are those for whom it is owed; `charges` turns a window's
    events, in order, into what is owed; `is_unpaid(event, published, settings)` says whether an event is
    left out for want of the fee (by `unpaid_clause`); `makes_list(event, settings)` whether its games enter
    a list.
    """

    amount: int
    clause: str
    unpaid_clause: str
    participants: Callable[[Event, Iterable[Game], Any], set[str]]
    charges: Callable[[Iterable[tuple[Event, Collection[str]]]], list[Charge]]
    is_unpaid: Callable[[Event, date, Any], bool]
    makes_list: Callable[[Event, Any], bool]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RuleBook:
    """What books of both kinds say of themselves.

    `name` is that of pool.toml, `prefix` begins its clauses. Books of one `series` may follow one another in
    a pool, and are compared by `banzuke rules diff`. `words` are its clauses, readings and sentences in both
    languages; for an edition that has few of its own, `words_from` has the others. `speeds` are those at
    which a pool keeps ratings, in the order of its lists (blank where it has one list). `twin` is where its
    fast twin stands, `module:NAME`; None: it is rated by the readable engine. `for_twin` are the functions
    of the book, by name, that the twin asks once an event or once a table. For each column of a starting
    rating that the book uses beside player and speed, `opening_fields` has the sentence about what it
    decides, or None if there is none to show. If `opening_fields` itself is None, all columns are used.
    """

    name: str
    prefix: str
    series: str
    words: Traversable
    calendar: AnyCalendar
    speeds: tuple[str, ...]
    settings: type
    register: ClauseRegister
    parameters: Parameters
    examples: tuple[Worked, ...]
    twin: str | None
    opening_fields: Mapping[str, Statement | None] | None = None
    words_from: Traversable | None = None
    for_twin: Mapping[str, Callable[..., Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ChessBook(RuleBook):
    """A book that rates games of chess in batches: a window's events, or one event.

    `rate(standings, batch, settings)` is pure; it raises RefusedError for a batch that the rules cannot rate.
    `coefficient(own, other, player, year, settings)` is K of a game played in that year, from the player's
    states at this and at the other speed (None: the book has no K). `verdicts` and `cites` give the clause of
    a verdict and of a concept. `sentences` tell how a rating came about.
    `coefficient_on(own, register, player, day)` is K of a game played on that day, for a book that asks more
    than `coefficient` is given (None: that one says it). `enters_with(states, player, speed)` is the state
    that a game at a speed is rated on, from the player's states by speed, and the word for what it is taken
    over from, blank for nothing (None: every speed stands for itself). `prospects(state, settings)` is what a
    player still needs for a first rating, or for one that is provisional no more (None: nothing is said).
    `is_member(register, player, event, day)` is asked where membership decides (None: it does not).
    `rates_on_list_in_force`: an event is rated on the list in force on its first day, not on the list before
    its own. `has_fide_ids`: a player's id in the pool is FIDE's, and so are the ratings.
    `is_junior(born, year)` says who is in the group of juniors in the lists of a year; None: its lists have
    no such group. `prize_class(rating)` is the class in which somebody with that rating plays for prizes;
    None: there are no classes. `needs_colours`: reports must say who had White. `starts_from_fide`: whoever
    has no rating of this book begins with FIDE's. `raises_to_floor`: its first list (`Batch.opens_edition`)
    raises the ratings below its floor. `peak_from_games`: a rating on fewer games is nobody's peak. `forms`
    are the forms that an event may have in its ledgers, unless its own `checks` refuse one.
    `bonus(calculation)` is what an event brought a player beside the changes of the games, in hundredths,
    where a book rates each event as a whole (None: nothing; or the book has no bonus).
    `speeds_of_time(minutes, fide_rated)` are the speeds that an event may be declared as whose players have
    so many minutes for 60 moves (None: the time says nothing of it). `federation` is the code that FIDE gives
    the federation whose players it rates (`JPN`), blank where they are of any. `private_facts` is what its
    ratings ask of birth dates and other facts that are not public. `floor(rating)` is the rating below which
    nobody in that state is put (None: there is none). `scale` says how exact its ratings are.
    """

    rate: Callable[[Standings, Batch, Any], Outcome]
    coefficient: Callable[[Rating, Rating, Player, int, Any], Coefficient | None]
    verdicts: Cites
    cites: Cites
    columns: Columns
    calculator: Calculator
    checks: Checks
    sentences: Sentences
    is_member: Callable[[MembershipRegister, str, Event, date], bool] | None = None
    fees: Fees | None = None
    rates_on_list_in_force: bool = False
    is_junior: Callable[[date, int], bool] | None = None
    raises_to_floor: bool = False
    peak_from_games: int = 0
    bonus: Callable[[Calculation], int | None] | None = None
    coefficient_on: Callable[[Rating, MembershipRegister, str, date], Coefficient | None] | None = None
    enters_with: Callable[[Mapping[str, Rating], Player, str], tuple[Rating, str]] | None = None
    prospects: Callable[[PlayerState, Any], Iterable[Statement]] | None = None
    forms: tuple[str, ...] = FORMS
    has_fide_ids: bool = False
    prize_class: Callable[[int], str] | None = None
    needs_colours: bool = True
    starts_from_fide: bool = False
    speeds_of_time: Callable[[int, bool], tuple[str, ...]] | None = None
    federation: str = ""
    private_facts: PrivateFacts = NOTHING_PRIVATE
    floor: Callable[[Rating], int] | None = None
    scale: RatingScale = WHOLE_POINTS


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GoBook(RuleBook):
    """A book that rates games of Go, each as it ends.

    `entered`, `reopened` and `declared` give the state of a newcomer, of an opening row, and after a
    declaration (None: it is ignored, by `declaration_clause`). `rate(game, black, white, zone)` gives Black's
    line and White's; `counts(verdict, clause)` says whether a game with such a line did something for that
    side. A player is certified after `certifying_games` rated games. `usual_game` is a game that is rated:
    the size of its board, and moves. `prospects(state)` is what comes next for a player. `cites` give the
    clause of a concept: `regular` and `terms` of what is given before a game, `points`, `zone`,
    `moves` and `difference` of what a rated game has at least and at most.
    `regular_terms` are stones and komi (half points, given by Black) for a difference in half ranks;
    `terms(white, black, stones, komi, game_number)` are what given terms (None: regular) make of two half
    ranks. `endings` are the reasons that a game may have ended for, by the words of `go_endings.REASONS`.
    """

    entered: Callable[[GoPlayer], GoState]
    reopened: Callable[[GoOpening], GoState]
    declared: Callable[[GoState, Declaration], GoState | None]
    rate: Callable[[GoGame, GoState, GoState, Zone], tuple[GoLine, GoLine]]
    counts: Callable[[str, str], bool]
    default_zone: Callable[[], Zone]
    certifying_games: int
    declaration_clause: str
    cites: Cites
    usual_game: tuple[int, int]
    prospects: Callable[[GoState], GoProspects]
    regular_terms: Callable[[int], tuple[int, int]]
    terms: Callable[[int, int, int | None, int | None, int], GoTerms]
    sentences: GoSentences
    endings: Mapping[str, Ending]
