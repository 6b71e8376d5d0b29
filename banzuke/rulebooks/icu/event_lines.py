"""The lines of an event's games, both sides of each, with the figures that changes.csv has."""

from collections.abc import Mapping

from banzuke.core.batch import Register
from banzuke.core.facts import EXCLUDE, SCORES, Entry, Game
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
from banzuke.rulebooks.icu.arithmetic import Value, whole
from banzuke.rulebooks.icu.event_steps import EventFigures
from banzuke.rulebooks.icu.icu import (
    CITES,
    FIXED,
    ONE_LIST,
    PROVISIONAL,
    UNRATED_KIND,
    VERDICTS,
    GameFigures,
    fixed_rating,
    value_of_opponent,
    was_played,
)

Ratings = Mapping[str, Rating]
#: Verdict and clause of a game that counts without a K, by the kind of player.
WITHOUT_K = {
    FIXED: (RATED, CITES["list"]),
    PROVISIONAL: (RATED, CITES["performance"]),
    UNRATED_KIND: (FIRST, VERDICTS[FIRST]),
}
NO_FIGURES = ("", "")
#: What a line ends with, from `difference` to `clause`, and its exact figures.
LineEnd = tuple[tuple[int | None, int | None, Coefficient | None, int | None, str, str], tuple[str, str]]


def difference_shown(own: int, opponent: int | None, difference: Value) -> int | None:
    """ICU 4: own less opponent, in whole points; None: the opponent's rating is not the value that counts."""
    if opponent is None:
        return whole(-difference)
    return own - opponent if difference == opponent - own else None


def event_lines(entry: Entry, ratings: Ratings, register: Register, event: EventFigures) -> EventLines:
    """Both lines of every game, White's before Black's."""
    shown = _shown_ratings(entry, ratings, register)
    sides = _Sides(event)
    lines, exact = [], []
    for game in entry.games:
        is_entered = was_played(entry.event, game)
        white, black = SCORES[game.result]
        for player, opponent, score in ((game.white, game.black, white), (game.black, game.white, black)):
            own, other = shown[player], shown[opponent]
            line_end, figures = (
                sides.line_end(player, opponent, own, other) if is_entered else _left_out(entry, game)
            )
            lines.append(line((game.round, player, opponent, score, own, other, *line_end)))
            exact.append(figures)
    return EventLines(entry.event, ONE_LIST, lines, exact)


def _shown_ratings(entry: Entry, ratings: Ratings, register: Register) -> dict[str, int | None]:
    """The ratings before the event, or fixed ones; None: unrated."""
    shown: dict[str, int | None] = {}
    for player in {player for game in entry.games for player in (game.white, game.black)}:
        fixed = fixed_rating(register, player)
        shown[player] = ratings.get(player, UNRATED).value if fixed is None else fixed
    return shown


def _left_out(entry: Entry, game: Game) -> LineEnd:
    verdict = RULING if EXCLUDE in (entry.event.ruling, game.ruling) else FORFEIT
    return _without_figures(verdict, VERDICTS[verdict])


def _without_figures(verdict: str, clause: str) -> LineEnd:
    return (None, None, None, None, verdict, clause), NO_FIGURES


UNDEFINED = _without_figures(AGAINST_UNRATED, VERDICTS[AGAINST_UNRATED])


class _Sides:
    """The ends of the lines of entered games; those of one player are asked for in the order of the games."""

    def __init__(self, event: EventFigures) -> None:
        self._event = event
        self._numbers = {entrant.player: number for number, entrant in enumerate(event.entrants)}
        self._games = [iter(games) for games in event.games]

    def line_end(self, player: str, opponent: str, own: int | None, other: int | None) -> LineEnd:
        """What the line of a side ends with, and its exact figures."""
        number = self._numbers[player]
        entrant = self._event.entrants[number]
        if entrant.k is None or own is None:
            return self._without_k(entrant.kind, self._numbers[opponent])
        game = next(self._games[number])
        return UNDEFINED if game is None else _with_k(entrant.k, own, other, game)

    def _without_k(self, kind: str, opponent: int) -> LineEnd:
        before = self._event.phases[-1].before
        if value_of_opponent(opponent, self._event.values, before) is None:
            return UNDEFINED
        return _without_figures(*WITHOUT_K[kind])


def _with_k(k: Coefficient, own: int, other: int | None, game: GameFigures) -> LineEnd:
    expected, change = game.hundredths
    difference = difference_shown(own, other, game.difference)
    return (difference, expected, k, change, RATED, VERDICTS[RATED]), game.written
