"""The calculator: an event against the opponents' ratings as they are given, in one step."""

from collections.abc import Sequence
from datetime import date
from fractions import Fraction

from banzuke.core.rating import FirstGame, FirstWorking
from banzuke.core.rounding import rounded
from banzuke.core.rulebook import Calculator, Change, EventForecast
from banzuke.rulebooks.us_chess import us_chess
from banzuke.rulebooks.us_chess.arithmetic import hundredths
from banzuke.rulebooks.us_chess.us_chess import BONUS_CONSTANTS, CITES, Entrant, StepResult

#: Games as (opponent's rating or None for unrated, half points).
GivenGames = Sequence[tuple[int | None, int]]
Constants = Sequence[tuple[date, int]]


def _rating_that_counts(opponent: int | None) -> int:
    """An unrated opponent counts as the first rating where nothing is known. [reading: calculator]"""
    return us_chess.UNKNOWN if opponent is None else opponent


def rate_in_one_step(
    own: int, games: int, played: GivenGames, constant: int | None, one_sided: str = ""
) -> StepResult:
    """The event from a rating that rests on so many games. [reading: calculator]"""
    entrant = Entrant(Fraction(own), games, one_sided, "")
    against = [(Fraction(_rating_that_counts(opponent)), score) for opponent, score in played]
    return us_chess.take_step(entrant, against, is_dual=False, constant=constant)


def _changes(own: int, played: GivenGames, step: StepResult) -> list[Change]:
    """Each game's change; in the special formula a game has none."""
    if step.k is None:
        return [Change(None, None, None, CITES["special"]) for _ in played]
    changes = []
    for (opponent, score), expected in zip(played, step.expectations, strict=True):
        difference = own - _rating_that_counts(opponent)
        change = us_chess.change_of_game(step.k, score, expected)
        changes.append(Change(difference, hundredths(expected), hundredths(change), CITES["standard"]))
    return changes


def _change(own: int, opponent: int | None, score: int, games: int) -> Change:
    """An event of that game alone."""
    played = [(opponent, score)]
    step = rate_in_one_step(own, games, played, None)
    (change,) = _changes(own, played, step)
    total = hundredths(step.figure - own)
    return change._replace(difference=own - _rating_that_counts(opponent), hundredths=total)


def forecast_event(
    own: int, games: int, played: GivenGames, constants: Constants = BONUS_CONSTANTS
) -> EventForecast:
    """An event of these games with the latest B; nobody is met too often."""
    constant = constants[-1][1] if len(played) >= us_chess.BONUS_GAMES else None
    step = rate_in_one_step(own, games, played, constant)
    new = us_chess.shown_rating(step.figure)
    bonus = None if step.k is None else hundredths(step.bonus)
    total = hundredths(step.figure - own)
    return EventForecast(_changes(own, played, step), total, new - own, new, bonus)


def _first(games: tuple[FirstGame, ...]) -> FirstWorking:
    """USC 5: the rating of an adult newcomer."""
    played = [(game.opponent_rating, game.score) for game in games]
    rating = us_chess.shown_rating(rate_in_one_step(us_chess.ADULT, 0, played, None).figure)
    counted = [_rating_that_counts(opponent) for opponent, _ in played]
    mean = sum(counted), len(counted)
    return FirstWorking(games, mean, sum(score for _, score in played), 0, 0, rating, "", CITES["special"])


def _new_rating(own: int, total: int) -> tuple[int, int]:
    shift = rounded(total, 100)
    return shift, max(int(us_chess.LOWEST), own + shift)


CALCULATOR = Calculator(_change, _first, _new_rating, asks="games", shows_percent=False, event=forecast_event)
