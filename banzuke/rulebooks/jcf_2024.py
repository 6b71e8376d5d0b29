"""Japan Chess Federation rating rules, edition of 1 October 2024, in the order of the document.

The successor of NCS: a clause that did not change is imported from `ncs_2022` by name. Clauses
that the office, an organiser or nobody answers are in the register at the end;
`[reading: ...]` names a decision where the text is silent.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from banzuke.core.batch import covers
from banzuke.core.facts import BLITZ, RAPID, STANDARD
from banzuke.core.month import months_later
from banzuke.core.rating import FIRST, RATED, Coefficient, FirstWorking
from banzuke.core.rounding import rounded
from banzuke.rulebooks import month
from banzuke.rulebooks.fide_tables import dp, percentage
from banzuke.rulebooks.ncs_2022 import (
    ACCEPT_LATE,
    EXCLUDE,
    INCLUDE,
    age_on_new_year,
    knows_until,
    list_of,
    window_closes,
)

if TYPE_CHECKING:
    from banzuke.core.batch import Batch, Register
    from banzuke.core.facts import Event, Player
    from banzuke.core.rating import FirstGame, Outcome, Rating, Standings

STANDARD_MINUTES, RAPID_MINUTES = 45, 10

APPLY_DAYS = 5
LATE_AFTER_MONTHS = 3

K_NORMAL, K_NEW, K_JUNIOR, K_EVER_2400 = 20, 40, 40, 10
NEW_GAMES = 30
JUNIOR_AGE, JUNIOR_PEAK = 19, 2000
EVER = 2400

FLOOR = 1000

FIRST_GAMES = 6
FIRST_MONTHS = 24


@dataclass(frozen=True, slots=True)
class Settings:
    """This edition leaves an office nothing to rule otherwise."""


# 2. Speeds


def speeds_for(minutes: int) -> tuple[str, ...]:
    """JCF 2(2): the speed that a time for 60 moves makes; blitz is not rated."""
    if minutes >= STANDARD_MINUTES:
        return (STANDARD,)
    return (RAPID,) if minutes >= RAPID_MINUTES else (BLITZ,)


def speed_of(event: Event) -> str:
    """JCF 2(2): the speed whose list the event enters; blank for none."""
    speed = event.speed if event.minutes is None else speeds_for(event.minutes)[0]
    return "" if speed == BLITZ else speed


# 3. Games that are rated


def applied_in_time(event: Event) -> bool:
    """JCF 3(4): applied for five days or more before the first day."""
    return event.applied is not None and event.applied + timedelta(days=APPLY_DAYS) <= event.starts


def is_member(register: Register, player: str, _event: Event, day: date) -> bool:
    """JCF 3(5): an annual member on the day of play."""
    return covers(register.annual.get(player, ()), day)


# 3(6): the windows are those of NCS 3(3): list_of, window_closes.


def oldest_day(event: Event) -> date:
    """JCF 3(7), note 3: later than three months after the event's last day is too late for all."""
    if event.ruling in (ACCEPT_LATE, INCLUDE):
        return date.min
    is_late = event.reported > months_later(event.ends, LATE_AFTER_MONTHS)
    return date.max if is_late else date.min


def admission(event: Event, _batch: Batch) -> month.Admission:
    """JCF 2(2), 3(7), 3(8) for the event as a whole; there is no fee."""
    return month.Admission(
        excluded=event.ruling == EXCLUDE,
        speed=speed_of(event),
        oldest=oldest_day(event),
        unpaid=False,
    )


# 5. Calculation (PD: fide_tables.expected; C, the sum and its rounding: month)


def coefficient(own: Rating, _other: Rating, player: Player, year: int) -> Coefficient:
    """JCF 5(1)K, in the order: ever 2400, junior, new, normal. [reading: k-order]"""
    if own.peak is not None and own.peak >= EVER:
        return Coefficient(K_EVER_2400, "ever-2400", "JCF 5(1)K-2400")
    if is_junior(player.birth_date, own.peak, year):
        return Coefficient(K_JUNIOR, "junior", "JCF 5(1)K-junior")
    if own.games < NEW_GAMES:
        return Coefficient(K_NEW, "new", "JCF 5(1)K-new")
    return Coefficient(K_NORMAL, "normal", "JCF 5(1)K")


def is_junior(born: date | None, peak: int | None, year: int) -> bool:
    """JCF 5(1)K-junior: below 19 on 1 January of the year of play, and never 2000."""
    if born is None or (peak is not None and peak >= JUNIOR_PEAK):
        return False
    return age_on_new_year(born, year) < JUNIOR_AGE


# 6. First ratings


def inherited(player: Player, speed: str, other: int | None) -> tuple[int | None, str]:
    """JCF 6(1), 6(2): FIDE's of the same speed, else the other domestic one, else FIDE's other."""
    fide = ((player.fide_standard, "fide-standard"), (player.fide_rapid, "fide-rapid"))
    same, different = fide if speed == STANDARD else fide[::-1]
    sources = (same, (other, "other-speed"), different)
    return next((found for found in sources if found[0] is not None), (None, ""))


def first_rating(games: tuple[FirstGame, ...], closes: date) -> FirstWorking:
    """JCF 6(3), 6(4): six games in two years against rated players, neither all won nor all lost.

    PR is the opponents' mean and dp, rounded once, at the end. [reading: two-years]
    """
    since = months_later(closes, -FIRST_MONTHS)
    used = tuple(g for g in games if g.opponent_rating is not None and g.played > since)
    n, points = len(used), sum(g.score for g in used)
    total = sum(g.opponent_rating for g in used if g.opponent_rating is not None)
    working = FirstWorking(used, (total, n), points, 0, 0, None, "too-few", "JCF 6(3)")
    if n < FIRST_GAMES:
        return working
    if points in (0, 2 * n):
        return working._replace(why="one-sided")
    percent = percentage(points, n)
    rating = max(FLOOR, rounded(total + dp(percent) * n, n))
    return working._replace(percent=percent, dp=dp(percent), rating=rating, why="")


VERDICTS = {
    RATED: "JCF 5(1)",
    FIRST: "JCF 6(3)",
    month.RULING: "JCF 3(8)",
    month.SPEED: "JCF 2(2)",
    month.LATE: "JCF 3(7)",
    month.MEMBER: "JCF 3(5)",
    month.FORFEIT: "JCF 5(1)C-zero",
    month.AGAINST_UNRATED: "JCF 5(1)C-zero",
}


def rate(standings: Standings, batch: Batch, _settings: Settings) -> Outcome:
    """A month's reports rated by JCF 2024."""
    return month.rate(EDITION, standings, batch)


EDITION = month.Edition(
    floor=FLOOR,
    rates_against_unrated=False,
    unrated_pair_waits=False,
    clauses=VERDICTS,
    admission=admission,
    is_member=is_member,
    inherited=inherited,
    coefficient=coefficient,
    first_rating=first_rating,
)
