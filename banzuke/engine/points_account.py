"""What made each change of a rating: the parts of a list's changes, or of a year's, which add up exactly.

Amounts are hundredths of a point, whole numbers. The laboratory's document says what each part is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from banzuke.core.rating import AGAINST_UNRATED, FIRST, RATED, Calculation, EventLines, Line, Rating
from banzuke.core.rounding import rounded
from banzuke.core.rulebook import ChessBook
from banzuke.engine.history import RatedList
from banzuke.ledger.pool_rules import chess_book

#: What a point is counted in; how many points of one rating are a matter of rounding, at most.
POINT, MOST_ROUNDED = 100, 2
NEWCOMERS, TAKEN_OVER, WON = "newcomers", "taken_over", "won"
JUNIORS, NEW_PLAYERS, UNEQUAL_K, EXPECTATIONS = "juniors", "new_players", "unequal_k", "expectations"
ONE_SIDED, BONUS, ROUNDING, FLOOR = "one_sided", "bonus", "rounding", "floor"
CAPPED, STRUCK_OFF, ADJUSTMENTS, OTHER = "capped", "struck_off", "adjustments", "other"
#: What the change of a rating is made of.
PARTS = (
    NEWCOMERS, TAKEN_OVER, WON, JUNIORS, NEW_PLAYERS, UNEQUAL_K, EXPECTATIONS, ONE_SIDED, BONUS, ROUNDING,
    FLOOR, CAPPED, STRUCK_OFF, ADJUSTMENTS, OTHER,
)  # fmt: skip
#: The part that a game between two K makes, by why the higher one is so high.
BY_K = {"junior": JUNIORS, "new": NEW_PLAYERS}
#: Verdicts of games that were played for a rating, and the name under which they are counted among the parts.
PLAYED, GAMES = (RATED, FIRST, AGAINST_UNRATED), "games"

#: Amounts by part, and the number of games under `games`.
Parts = dict[str, int]


def parts_of_list(rated: RatedList) -> dict[tuple[str, str], Parts]:
    """The parts of everybody who played in a list or whose rating it changed, by speed and player.

    They add up to a rating's change; an unrated player counts as 0 points.
    """
    found: dict[tuple[str, str], Parts] = {}
    for event in rated.outcome.events:
        for player, name, amount in _parts_of_games(event):
            parts = found.setdefault((event.speed, player), {})
            parts[name] = parts.get(name, 0) + amount
    for speed, after in rated.outcome.standings.ratings.items():
        before = rated.before.get(speed, {})
        for player, rating in after.items():
            if rating is not before.get(player):
                found.setdefault((speed, player), {})
    for each in rated.adjusted.rows:
        parts = found.setdefault((each.speed, each.player), {})
        moved = POINT * ((each.after.value or 0) - (each.before.value or 0))
        parts[ADJUSTMENTS] = parts.get(ADJUSTMENTS, 0) + moved
    for (speed, player), parts in found.items():
        parts.update(_other_parts(rated, speed, player, parts))
    return found


class PointsAccount:
    """The parts of a history, list by list: of each player by year, and the size of the pool.

    `years` has by speed, year and player the parts, the points before and after the year, and the age on
    1 January (None: not known); `pools` by speed and year how many are rated and their points, before and
    after the year.
    """

    def __init__(self) -> None:
        self.years: dict[tuple[str, int, str], PlayerYear] = {}
        self.pools: dict[tuple[str, int], tuple[int, int, int, int]] = {}

    def enter(self, rated: RatedList) -> None:
        """Enter a list; they come in order."""
        year, standings = rated.batch.published.year, rated.outcome.standings.ratings
        for (speed, player), parts in parts_of_list(rated).items():
            own = self.years.get((speed, year, player))
            if own is None:
                before = _points_of(rated.before.get(speed, {}), player)
                own = self.years[speed, year, player] = PlayerYear(_age(rated, player), before)
            own.after = _points_of(standings[speed], player)
            for name, amount in parts.items():
                own.parts[name] = own.parts.get(name, 0) + amount
        for speed, after in standings.items():
            first = self.pools.get((speed, year), _size(rated.before.get(speed, {})))
            self.pools[speed, year] = *first[:2], *_size(after)


@dataclass(slots=True)
class PlayerYear:
    """A player's year at a speed."""

    age: int | None
    before: int
    after: int = 0
    parts: Parts = field(default_factory=dict)


def _age(rated: RatedList, player: str) -> int | None:
    """The age on 1 January of the list's year."""
    found, year = rated.batch.register.players.get(player), rated.batch.published.year
    born = found.birth_date if found else None
    return None if born is None else year - born.year - ((born.month, born.day) > (1, 1))


def _size(ratings: Mapping[str, Rating]) -> tuple[int, int]:
    values = [rating.value for rating in ratings.values() if rating.value is not None]
    return len(values), POINT * sum(values)


def _points_of(ratings: Mapping[str, Rating], player: str) -> int:
    """A player's points, in hundredths; 0 for who is unrated."""
    return POINT * (ratings[player].value or 0) if player in ratings else 0


# What games make


def _parts_of_games(event: EventLines) -> Iterator[tuple[str, str, int]]:
    """What each side of each game won or made, by player and part, and that it was a game."""
    for place in range(0, len(event.lines), 2):
        white, black = event.lines[place : place + 2]
        yield from ((line.player, GAMES, 1) for line in (white, black) if line.verdict in PLAYED)
        if white.change is None or black.change is None:
            sides = (line for line in (white, black) if line.change is not None)
            yield from ((line.player, ONE_SIDED, line.change or 0) for line in sides)
        else:
            exact = event.exact[place : place + 2] or (("", ""), ("", ""))
            yield from _parts_of_game(white, black, white.change, black.change, exact)


def _parts_of_game(
    white: Line, black: Line, of_white: int, of_black: int, exact: Sequence[tuple[str, str]]
) -> Iterator[tuple[str, str, int]]:
    """A game that changed both ratings: half the difference was won, the sum is what the game made.

    Each side made half of it.
    """
    won = (of_white - of_black) // 2
    missed = _points_of_expectations(white, black, exact) if of_white + of_black else 0
    part = _part_of_k(white, black)
    sides = ((white, of_white, won, missed // 2), (black, of_black, -won, missed - missed // 2))
    for line, change, gain, lost in sides:
        yield line.player, WON, gain
        yield line.player, EXPECTATIONS, lost
        yield line.player, part, change - gain - lost


def _part_of_k(white: Line, black: Line) -> str:
    """The part that two K make: by the reason of the higher one."""
    if white.k is None or black.k is None:
        return UNEQUAL_K
    return BY_K.get(max(white.k, black.k, key=lambda k: k.value).why, UNEQUAL_K)


def _points_of_expectations(white: Line, black: Line, exact: Sequence[tuple[str, str]]) -> int:
    """What a game makes because both sides' expectations together are not one, at the mean of their K."""
    sides = [_k_and_expectation(line, *texts) for line, texts in zip((white, black), exact, strict=True)]
    ks = [k for k, _ in sides if k is not None]
    beyond = sum((expected for _, expected in sides), Fraction(-1))
    made = -POINT * beyond * sum(ks, Fraction()) / max(1, len(ks))
    return rounded(made.numerator, made.denominator)


def _k_and_expectation(line: Line, expected: str, change: str) -> tuple[Fraction | None, Fraction]:
    """K of a side (None: nothing tells it) and its expectation, as exact as the book has them."""
    share = Fraction(Decimal(expected)) if expected else Fraction(line.expected or 0, POINT)
    if line.k is not None:
        return Fraction(line.k.value), share
    moved = Fraction(Decimal(change)) if change else Fraction(line.change or 0, POINT)
    beyond = Fraction(line.score or 0, 2) - share
    return moved / beyond if beyond else None, share


# What a list makes beside its games


def _other_parts(rated: RatedList, speed: str, player: str, known: Parts) -> Parts:
    """What moved a player's rating in a list beside the games and adjustments."""
    before, after = (
        _points_of(of.get(speed, {}), player) for of in (rated.before, rated.outcome.standings.ratings)
    )
    calculation, book = rated.outcome.calculations.get(speed, {}).get(player), chess_book(rated.edition)
    rest = after - before - sum(amount for name, amount in known.items() if name != GAMES)
    if calculation is None:
        return {FLOOR if book.raises_to_floor else OTHER: rest}
    parts = _parts_of_calculation(book, calculation)
    parts[CAPPED] = after - known.get(ADJUSTMENTS, 0) - POINT * (calculation.after.value or 0)
    rest -= sum(parts.values())
    has_changes = any(name not in (GAMES, ADJUSTMENTS) for name in known)
    starts = book.starts_from_fide and rated.batch.register.players[player].fide_standard is not None
    name = _part_of_rest(calculation, rest, has_changes=has_changes, starts_from_fide=starts)
    parts[name] = parts.get(name, 0) + rest
    return parts


def _parts_of_calculation(book: ChessBook, found: Calculation) -> Parts:
    """The parts that a calculation states."""
    bonus = (book.bonus(found) if book.bonus else None) or 0
    before, entered, after = found.before.value, found.entered.value, found.after.value
    if entered is None:
        return {BONUS: bonus, NEWCOMERS: POINT * (found.first.rating or 0) if found.first else 0}
    if before is None:
        parts = {BONUS: bonus, TAKEN_OVER: POINT * entered, FLOOR: 0}
    else:
        parts = {BONUS: bonus, FLOOR: POINT * (entered - before)}
    if after is None:
        parts[STRUCK_OFF] = -POINT * (entered + found.shift)
    elif found.floored:
        parts[FLOOR] += POINT * (after - entered - found.shift) - bonus
    return parts


def _part_of_rest(found: Calculation, rest: int, *, has_changes: bool, starts_from_fide: bool) -> str:
    """The part that has what games and calculation leave: of a first rating all, else mostly rounding."""
    if found.entered.value is None and found.first is None and found.after.value is not None:
        return TAKEN_OVER if starts_from_fide else NEWCOMERS
    if found.before.value is not None and not has_changes:
        return ONE_SIDED
    return ROUNDING if abs(rest) <= MOST_ROUNDED * POINT else OTHER
