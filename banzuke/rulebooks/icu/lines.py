"""The lines of an event's games, both sides of each, with the figures that changes.csv has."""

from collections.abc import Mapping

from banzuke.core.batch import Register
from banzuke.core.facts import EXCLUDE, SCORES, Entry, Event, Game
from banzuke.core.rating import (
    AGAINST_UNRATED,
    FIRST,
    FORFEIT,
    RATED,
    RULING,
    UNRATED,
    Coefficient,
    EventLines,
    Rating,
    line,
)
from banzuke.rulebooks.icu.course import Course, Figures
from banzuke.rulebooks.icu.exact import Value, whole
from banzuke.rulebooks.icu.icu import (
    CITES,
    FIXED,
    ONE_LIST,
    PROVISIONAL,
    UNRATED_KIND,
    VERDICTS,
    value_of_opponent,
)

Ratings = Mapping[str, Rating]
#: Verdict and clause of a game that counts without a K, by the kind of player.
WITHOUT_K = {
    FIXED: (RATED, CITES["list"]),
    PROVISIONAL: (RATED, CITES["performance"]),
    UNRATED_KIND: (FIRST, VERDICTS[FIRST]),
}
BLANK = ("", "")
#: From `difference` to `clause`, and the exact figures.
Tail = tuple[tuple[int | None, int | None, Coefficient | None, int | None, str, str], tuple[str, str]]


def was_played(event: Event, game: Game) -> bool:
    """ICU 2: only games that were played are entered, and none that a ruling excludes."""
    return SCORES[game.result][0] is not None and EXCLUDE not in (event.ruling, game.ruling)


def fixed_rating(register: Register, player: str) -> int | None:
    """ICU 1: the rating of a foreign player that the union never changes."""
    found: int | None = register.players[player].more.get("fixed_rating")
    return found


def difference_shown(own: int, opponent: int | None, value: Value) -> int | None:
    """ICU 4: own less opponent, in whole points; None: the opponent's rating is not the value that counts."""
    if opponent is None:
        return whole(own - value)
    return own - opponent if value == opponent else None


def event_lines(entry: Entry, ratings: Ratings, register: Register, course: Course) -> EventLines:
    """Both lines of every game, White's before Black's."""
    shown = _shown_ratings(entry, ratings, register)
    sides = _Sides(course)
    lines, exact = [], []
    for game in entry.games:
        is_entered = was_played(entry.event, game)
        white, black = SCORES[game.result]
        for player, opponent, score in ((game.white, game.black, white), (game.black, game.white, black)):
            own, other = shown[player], shown[opponent]
            tail, figures = sides.tail(player, opponent, own, other) if is_entered else _left_out(entry, game)
            lines.append(line((game.round, player, opponent, score, own, other, *tail)))
            exact.append(figures)
    return EventLines(entry.event, ONE_LIST, lines, exact)


def _shown_ratings(entry: Entry, ratings: Ratings, register: Register) -> dict[str, int | None]:
    """The ratings before the event, or fixed ones; None: unrated."""
    shown: dict[str, int | None] = {}
    for player in {player for game in entry.games for player in (game.white, game.black)}:
        fixed = fixed_rating(register, player)
        shown[player] = ratings.get(player, UNRATED).value if fixed is None else fixed
    return shown


def _left_out(entry: Entry, game: Game) -> Tail:
    verdict = RULING if EXCLUDE in (entry.event.ruling, game.ruling) else FORFEIT
    return _without_figures(verdict, VERDICTS[verdict])


def _without_figures(verdict: str, clause: str) -> Tail:
    return (None, None, None, None, verdict, clause), BLANK


UNDEFINED = _without_figures(AGAINST_UNRATED, VERDICTS[AGAINST_UNRATED])


class _Sides:
    """What is shown of each side of a game that was entered; a player's are asked for in their order."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._numbers = {of.player: number for number, of in enumerate(course.entrants)}
        self._figures = [iter(of_player) for of_player in course.figures]

    def tail(self, player: str, opponent: str, own: int | None, other: int | None) -> Tail:
        """What the line of a side ends with, and its exact figures."""
        number = self._numbers[player]
        entrant = self._course.entrants[number]
        if entrant.k is None or own is None:
            return self._without_k(entrant.kind, self._numbers[opponent])
        figures = next(self._figures[number])
        return UNDEFINED if figures is None else _with_k(entrant.k, own, other, figures)

    def _without_k(self, kind: str, opponent: int) -> Tail:
        before = self._course.phases[-1].before
        if value_of_opponent(opponent, self._course.values, before) is None:
            return UNDEFINED
        return _without_figures(*WITHOUT_K[kind])


def _with_k(k: Coefficient, own: int, other: int | None, figures: Figures) -> Tail:
    value, game = figures
    expected, change = game.hundredths
    difference = difference_shown(own, other, value)
    return (difference, expected, k, change, RATED, VERDICTS[RATED]), game.written
