"""Hakodate Chess Club: ratings by the old USCF rules, in the order of the club's page.

A batch is one event; all its games use the ratings and game counts from before it. The page has
no clause numbers: `HCC R2` and the like are the register's, in the order of its paragraphs.
"""

from dataclasses import dataclass
from importlib.resources import files
from typing import NamedTuple

from banzuke.core.batch import Batch
from banzuke.core.calendar import EachEvent
from banzuke.core.clause_register import ARBITER, NOTICE, OFFICE, ORGANISER, PURPOSE, ClauseRegister
from banzuke.core.facts import EXCLUDE, SCORES, Entry, Event
from banzuke.core.parameters import read_parameters
from banzuke.core.rating import (
    AGAINST_UNRATED,
    FIRST,
    FORFEIT,
    RATED,
    RULING,
    UNRATED,
    Calculation,
    EventLines,
    FirstGame,
    FirstWorking,
    Line,
    Outcome,
    Rating,
    Standings,
)
from banzuke.core.rounding import rounded
from banzuke.rulebooks.fide.tables import limited

#: A club keeps one list: its ratings stand under no speed.
ONE_LIST = ""

PARAMETERS = read_parameters(files(__package__), "hakodate")
_number = PARAMETERS.whole

PER_GAME, ESTABLISHED_GAMES = _number("per_game"), _number("established_games")
EQUAL_WIN, PER_CENT, LIMIT = _number("equal_win"), _number("per_cent"), _number("limit")

#: Every event is a batch of its own.
CALENDAR = EachEvent()

CLASSES: tuple[tuple[int, str], ...] = PARAMETERS.row("classes")
LOWEST_CLASS = "E"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a club may rule otherwise; explained by `banzuke rules hakodate`."""

    unrated_opponent: int = _number("unrated_opponent")


class Counted(NamedTuple):
    """A line that counts, and the opponent's rating as counted."""

    line: Line
    opponent: int


VERDICTS = {
    RATED: "HCC R9",
    FIRST: "HCC R4",
    RULING: "HCC K1",
    FORFEIT: "HCC R1",
    AGAINST_UNRATED: "HCC R12",
}
PROVISIONAL_CLAUSE = "HCC R6"

CITES = {"first": "HCC R4", "sum": "HCC R9", "limit": "HCC R10", "list": "HCC R1", "class": "HCC R12"}


def is_established(games: int) -> bool:
    """HCC R8: from 20 games on a rating is established."""
    return games >= ESTABLISHED_GAMES


def provisional_mean(rating: Rating, games: list[tuple[int, int]]) -> tuple[int, int]:
    """HCC R4, R6, R7: what a provisional rating is the mean of, as (sum, count).

    The old rating for each of its games, and of each game (opponent, half points) the
    opponent's: 400 more for a win, 400 less for a loss.
    """
    old = rating.games * (rating.value or 0)
    new = sum(opponent + PER_GAME * (score - 1) for opponent, score in games)
    return old + new, rating.games + len(games)


def provisional_rating(before: Rating, games: tuple[FirstGame, ...]) -> FirstWorking:
    """HCC R6: the working of a provisional rating, opponents as counted; rounded once."""
    mean = provisional_mean(before, [(game.opponent_rating or 0, game.score) for game in games])
    working = FirstWorking(games, mean, sum(game.score for game in games), 0, 0, None, "", PROVISIONAL_CLAUSE)
    return working._replace(rating=working.exact_rating)


def notation(rating: int, games: int) -> str:
    """HCC R5: a provisional rating is written with its games, `1551/4`."""
    return str(rating) if is_established(games) else f"{rating}/{games}"


def difference_counted(own: int, opponent: int) -> int:
    """HCC R10: own minus opponent, at most 400 in size. [reading: established-formula]"""
    return limited(own - opponent, LIMIT)


def established_change(difference: int, score: int) -> int:
    """HCC R9, R10: hundredths of a point for a game: 16 a win, and 4 % of the difference."""
    return EQUAL_WIN * 100 * (score - 1) - PER_CENT * difference


def new_rating(old: int, total: int) -> tuple[int, int]:
    """HCC R9: an established player's changes of an event (hundredths) rounded once, and the rating."""
    shift = rounded(total, 100)
    return shift, old + shift


def prize_class(rating: int) -> str:
    """HCC R12: the class that prizes are given by. [reading: classes]"""
    return next((name for lowest, name in CLASSES if rating >= lowest), LOWEST_CLASS)


def rate(standings: Standings, batch: Batch, settings: Settings) -> Outcome:
    """The batch's one event rated by the club's rules, in O(games + rated players)."""
    (entry,) = batch.entries
    ratings = standings.ratings.get(ONE_LIST, {})
    counted: dict[str, list[Counted]] = {}
    lines = _event_lines(ratings, entry, settings, counted)
    done = {
        player: _calculated(player, ratings.get(player, UNRATED), own, entry.event)
        for player, own in counted.items()
    }
    after = ratings | {player: calculation.after for player, calculation in done.items()}
    return Outcome(Standings({ONE_LIST: after}), [EventLines(entry.event, ONE_LIST, lines)], {ONE_LIST: done})


def _event_lines(
    ratings: dict[str, Rating], entry: Entry, settings: Settings, counted: dict[str, list[Counted]]
) -> list[Line]:
    """Both lines of every game; those that count are put under `counted` for the sums."""
    lines = []
    for game in entry.games:
        white, black = SCORES[game.result]
        excluded = EXCLUDE in (entry.event.ruling, game.ruling)
        sides = ((game.white, game.black, white), (game.black, game.white, black))
        for player, opponent, score in sides:
            own, other = ratings.get(player, UNRATED), ratings.get(opponent, UNRATED).value
            verdict, clause = _verdict(score, own, other, excluded=excluded)
            blank = Line(
                game.round, player, opponent, score, own.value, other, None, None, None, None, verdict, clause
            )
            line = _with_change(blank, own)
            if verdict in (RATED, FIRST):
                opponent_counted = settings.unrated_opponent if other is None else other
                counted.setdefault(player, []).append(Counted(line, opponent_counted))
            lines.append(line)
    return lines


def _verdict(score: int | None, own: Rating, other: int | None, *, excluded: bool) -> tuple[str, str]:
    """Whether the game counts for this side, and by which paragraph.

    [reading: unrated-opponent]
    """
    if excluded:
        verdict = RULING
    elif score is None:
        verdict = FORFEIT
    elif own.value is None:
        verdict = FIRST
    else:
        verdict = AGAINST_UNRATED if other is None else RATED
    is_provisional = verdict == RATED and not is_established(own.games)
    return verdict, PROVISIONAL_CLAUSE if is_provisional else VERDICTS[verdict]


def _with_change(line: Line, own: Rating) -> Line:
    """The line of an established side with its change; any other as it is."""
    if line.verdict != RATED or not is_established(own.games):
        return line
    if line.own is None or line.opponent_rating is None or line.score is None:
        return line
    difference = difference_counted(line.own, line.opponent_rating)
    return line._replace(difference=difference, change=established_change(difference, line.score))


def _first_game(counted: Counted, event: Event) -> FirstGame:
    line = counted.line
    return FirstGame(
        event.event_id, line.round, event.starts, line.opponent, counted.opponent, line.score or 0
    )


def _calculated(player: str, before: Rating, counted: list[Counted], event: Event) -> Calculation:
    """The new rating: by the formula that the event began with. [reading: formula-of-the-event]"""
    total, shift, working = 0, 0, None
    if before.value is not None and is_established(before.games):
        total = sum(own.line.change or 0 for own in counted)
        shift, value = new_rating(before.value, total)
    else:
        working = provisional_rating(before, tuple(_first_game(own, event) for own in counted))
        value = working.exact_rating
    peak = max(value, value if before.peak is None else before.peak)
    after = Rating(value, before.games + len(counted), peak, before.earned)
    return Calculation(player, before, before, "", total, shift, False, working, after)


REGISTER: ClauseRegister = {
    **{f"HCC C1.{n}": ARBITER for n in range(1, 22)},
    "HCC C1.1": NOTICE,
    "HCC C1.2": OFFICE,
    "HCC C1.20": ORGANISER,
    **{f"HCC C2.{n}": ARBITER for n in range(1, 12)},
    "HCC C2.1": NOTICE,
    "HCC C2.2": ORGANISER,
    "HCC C2.9": ORGANISER,
    "HCC C2.10": ORGANISER,
    "HCC R1": (rate,),
    "HCC R2": (provisional_mean,),
    "HCC R3": PURPOSE,
    "HCC R4": (provisional_mean,),
    "HCC R5": (provisional_mean, notation),
    "HCC R6": (provisional_mean, provisional_rating),
    "HCC R7": (provisional_mean,),
    "HCC R8": (is_established,),
    "HCC R9": (established_change, new_rating),
    "HCC R10": (established_change, difference_counted),
    "HCC R11": (established_change,),
    "HCC R12": (rate, prize_class),
    "HCC R13": NOTICE,
    "HCC R14": NOTICE,
    "HCC N1": NOTICE,
    "HCC N2": NOTICE,
    "HCC K1": PURPOSE,
    "HCC K2": OFFICE,
}
