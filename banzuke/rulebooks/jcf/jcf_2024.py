"""Japan Chess Federation rating rules, edition of 1 October 2024, in the order of the document.

Clauses that have not changed are imported from `ncs_2022`. The register at the end says who carries out each
clause: a function, the office, an organiser, or nobody. `[reading: ...]` marks a decision where the text is
silent.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from importlib.resources import files

from banzuke.core.batch import Batch, Register, covers
from banzuke.core.calendar import ByReport
from banzuke.core.clause_register import NOTICE, OFFICE, OFFICER, ORGANISER, PURPOSE, ClauseRegister
from banzuke.core.facts import (
    ACCEPT_LATE,
    BLITZ,
    CLUB,
    EXCLUDE,
    FEDERATION,
    INCLUDE,
    RAPID,
    STANDARD,
    STUDENT,
    Club,
    Event,
    Player,
)
from banzuke.core.month import months_later
from banzuke.core.parameters import read_parameters
from banzuke.core.rating import (
    AGAINST_UNRATED,
    FIRST,
    FORFEIT,
    LATE,
    MEMBER,
    RATED,
    RULING,
    SPEED,
    Coefficient,
    FirstGame,
    FirstWorking,
    Outcome,
    Rating,
    Standings,
)
from banzuke.core.rounding import rounded
from banzuke.core.rulebook import Finding
from banzuke.core.worked import games_against
from banzuke.rulebooks.fide.tables import dp, expected, limited, percentage
from banzuke.rulebooks.jcf import monthly, ncs_2022
from banzuke.rulebooks.jcf.checks import (
    declared_speed_findings,
    missing_findings,
    organiser_findings,
)
from banzuke.rulebooks.jcf.ncs_2022 import age_on_new_year

PARAMETERS = read_parameters(files(__package__), "jcf_2024")
_number = PARAMETERS.whole

STANDARD_MINUTES, RAPID_MINUTES = _number("standard_minutes"), _number("rapid_minutes")

ORGANISERS = (FEDERATION, CLUB, STUDENT)
APPLY_DAYS = _number("apply_days")
WINDOW_CLOSES, CORRECTION_DAYS = _number("window_closes"), _number("correction_days")
LATE_AFTER_MONTHS = _number("late_months")

K_NORMAL, K_NEW, K_JUNIOR = _number("k_normal"), _number("k_new"), _number("k_junior")
NEW_GAMES = _number("new_games")
JUNIOR_AGE, JUNIOR_RATING = _number("junior_age"), _number("junior_rating")
K_REACHED, REACHED_RATING = _number("k_reached"), _number("reached_rating")

LIMIT, FLOOR = _number("limit"), _number("floor")

FIRST_GAMES, FIRST_MONTHS = _number("first_games"), _number("first_months")


@dataclass(frozen=True, slots=True)
class Settings:
    """No settings: an office may decide nothing otherwise."""


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


def is_recognised(clubs: Iterable[Club], day: date) -> bool:
    """JCF 3(3): the federation, or a recognised club or student circle on the day."""
    return any(club.kind in ORGANISERS and club.valid_from <= day <= club.valid_to for club in clubs)


def was_applied_for_in_time(event: Event) -> bool:
    """JCF 3(4): the application came at least five days before the first day."""
    return event.applied is not None and event.applied + timedelta(days=APPLY_DAYS) <= event.starts


def is_member(register: Register, player: str, _event: Event, day: date) -> bool:
    """JCF 3(5): an annual member on the day of play."""
    return covers(register.annual.get(player, ()), day)


# 3(6), 7(3): the windows, and how long a list may be corrected.

CALENDAR = ByReport(WINDOW_CLOSES, CORRECTION_DAYS)


def oldest_day(event: Event) -> date:
    """JCF 3(7), note 3: games before this day are too late.

    All are if the event is reported more than three months after its end.
    """
    if event.ruling in (ACCEPT_LATE, INCLUDE):
        return date.min
    is_late = event.reported > months_later(event.ends, LATE_AFTER_MONTHS)
    return date.max if is_late else date.min


def admission(event: Event, _batch: Batch) -> monthly.Admission:
    """JCF 2(2), 3(7), 3(8) for the event as a whole; there is no fee."""
    return monthly.Admission(event.ruling == EXCLUDE, speed_of(event), oldest_day(event))


def check_event(event: Event) -> Iterator[Finding]:
    """JCF 2(2), 4(3)a: the declared speed is one that the time makes; time or speed is reported."""
    if event.minutes is not None and event.speed:
        yield from declared_speed_findings(event, speeds_for(event.minutes), "JCF 2(2)")
    elif event.minutes is None and not event.speed:
        yield Finding("base_minutes", "event-no-speed", {"clause": "JCF 4(3)a"})


# 4. Reports

#: JCF note 4: as NCS 4(3).
is_name_in_form = ncs_2022.is_name_in_form


def missing_fields(event: Event) -> tuple[str, ...]:
    """JCF 4(3)a, 4(3)d: what a report must say and this one does not."""
    said = {
        "name": event.name.strip(),
        "organiser": event.organiser.strip(),
        "base_minutes": event.minutes is not None,
        "speed": event.speed,
        "nonmembers": event.nonmembers is not None,
    }
    return tuple(name for name, value in said.items() if not value)


def warnings(event: Event, clubs: Sequence[Club]) -> Iterator[Finding]:
    """JCF 3(3), 4(3), 3(4): the organiser, what a report lacks, and when it was applied for."""
    yield from organiser_findings(event, is_recognised(clubs, event.starts), CITES["clubs"])
    yield from missing_findings(missing_fields(event), "JCF 4(3)")
    if not was_applied_for_in_time(event):
        facts = {"starts": event.starts, "days": APPLY_DAYS, "clause": CITES["application"]}
        if event.applied is None:
            yield Finding("", "warn-not-applied", facts)
        else:
            yield Finding("", "warn-applied", {"applied": event.applied, **facts})


# 5. Calculation (PD is FIDE's table)

#: JCF 5(1): C, as in NCS 5(1). To change it for JCF alone, define it here, and for the fast twin beside
#: `change` of columnar/monthly_games.py, which both books use.
change = ncs_2022.change


def difference_counted(own: int, other: int) -> int:
    """JCF 5(1)PD: own minus opponent, at most 400 in size."""
    return limited(own - other, LIMIT)


REACHED = Coefficient(K_REACHED, "ever-2400", "JCF 5(1)K-2400")
JUNIOR = Coefficient(K_JUNIOR, "junior", "JCF 5(1)K-junior")
NEW = Coefficient(K_NEW, "new", "JCF 5(1)K-new")
NORMAL = Coefficient(K_NORMAL, "normal", "JCF 5(1)K")


def coefficient(own: Rating, _other: Rating, player: Player, year: int) -> Coefficient:
    """JCF 5(1)K, in the order: ever 2400, junior, new, normal. [reading: k-order]"""
    if own.peak is not None and own.peak >= REACHED_RATING:
        return REACHED
    if is_junior(player.birth_date, own.peak, year):
        return JUNIOR
    if own.games < NEW_GAMES:
        return NEW
    return NORMAL


def is_junior(born: date | None, peak: int | None, year: int) -> bool:
    """JCF 5(1)K-junior: below 19 on 1 January of the year of play, and never reached 2000."""
    if born is None or (peak is not None and peak >= JUNIOR_RATING):
        return False
    return age_on_new_year(born, year) < JUNIOR_AGE


def new_rating(old: int, total: int) -> tuple[int, int]:
    """JCF 5(2), 5(3): the sum of C (hundredths) rounded, and the new rating, not below 1000."""
    shift = rounded(total, 100)
    return shift, max(FLOOR, old + shift)


# 6. First ratings


def inherited_rating(player: Player, speed: str, other: int | None) -> tuple[int | None, str]:
    """JCF 6(1), 6(2): FIDE's of the same speed, else the other domestic one, else FIDE's other."""
    fide = ((player.fide_standard, "fide-standard"), (player.fide_rapid, "fide-rapid"))
    same, different = fide if speed == STANDARD else fide[::-1]
    sources = (same, (other, "other-speed"), different)
    return next((found for found in sources if found[0] is not None), (None, ""))


def games_used(games: tuple[FirstGame, ...], closes: date) -> tuple[FirstGame, ...]:
    """JCF 6(3): the games on file of two years, against rated players. [reading: two-years]"""
    since = months_later(closes, -FIRST_MONTHS)
    return tuple(g for g in games if g.opponent_rating is not None and g.played > since)


def first_rating(games: tuple[FirstGame, ...], closes: date) -> FirstWorking:
    """JCF 6(3), 6(4): six games in two years against rated players, neither all won nor all lost.

    PR is the opponents' mean plus dp, rounded once, at the end. [reading: two-years]
    """
    used = games_used(games, closes)
    n, points = len(used), sum(g.score for g in used)
    total = sum(g.opponent_rating for g in used if g.opponent_rating is not None)
    working = FirstWorking(used, (total, n), points, 0, 0, None, "too-few", "JCF 6(3)")
    if n < FIRST_GAMES:
        return working
    if points in (0, 2 * n):
        return working._replace(why="one-sided")
    percent = percentage(points, n)
    working = working._replace(percent=percent, dp=dp(percent))
    return working._replace(rating=max(FLOOR, working.exact_rating), why="")


def performance(opponents: Sequence[int], points: int) -> FirstWorking:
    """JCF 6(4): the opponents' mean and dp, whatever the number of games; points are half points."""
    n, percent = len(opponents), percentage(points, len(opponents))
    games = games_against(opponents, points)
    working = FirstWorking(games, (sum(opponents), n), points, percent, dp(percent), None, "", "JCF 6(4)")
    return working._replace(rating=working.exact_rating)


VERDICTS = {
    RATED: "JCF 5(1)",
    FIRST: "JCF 6(3)",
    RULING: "JCF 3(8)",
    SPEED: "JCF 2(2)",
    LATE: "JCF 3(7)",
    MEMBER: "JCF 3(5)",
    FORFEIT: "JCF 5(1)C-zero",
    AGAINST_UNRATED: "JCF 5(1)C-zero",
}


CITES = {
    "floor": "JCF 5(3)",
    "limit": "JCF 5(1)PD",
    "sum": "JCF 5(2)",
    "list": "JCF 3(6)",
    "inquiry": "JCF 7(3)",
    "clubs": "JCF 3(3)",
    "application": "JCF 3(4)",
    "name": "JCF note 4",
    "newcomer": "JCF 4(3)b",
}


def inheritance_clause(source: str, speed: str) -> str:
    """JCF 6(1) for FIDE's rating of the same speed, 6(2) for any other."""
    return "JCF 6(1)" if source == f"fide-{speed}" else "JCF 6(2)"


def rate(standings: Standings, batch: Batch, _settings: Settings) -> Outcome:
    """A month's reports rated by JCF 2024."""
    return monthly.rate(EDITION, standings, batch)


EDITION = monthly.Edition(
    floor=FLOOR,
    rates_against_unrated=False,
    unrated_pair_waits=False,
    clauses=VERDICTS,
    admission=admission,
    is_member=is_member,
    inherited=inherited_rating,
    coefficient=coefficient,
    difference=difference_counted,
    change=change,
    new_rating=new_rating,
    first_rating=first_rating,
)

REGISTER: ClauseRegister = {
    "JCF 1(1)": PURPOSE,
    "JCF 1(2)": PURPOSE,
    "JCF 2(1)": (speed_of,),
    "JCF 2(2)": (speeds_for, speed_of, check_event),
    "JCF 3(1)": (rate, monthly.rate),
    "JCF 3(2)": NOTICE,
    "JCF 3(3)": (is_recognised,),
    "JCF 3(4)": (was_applied_for_in_time,),
    "JCF 3(5)": (is_member,),
    "JCF 3(6)": (ByReport.window_on, ByReport.window_named),
    "JCF 3(7)": (oldest_day,),
    "JCF 3(8)": (admission,),
    "JCF 4(1)": ORGANISER,
    "JCF 4(2)": ORGANISER,
    "JCF 4(3)": (missing_fields,),
    "JCF 4(3)a": (missing_fields, check_event),
    "JCF 4(3)b": ORGANISER,
    "JCF 4(3)c": ORGANISER,
    "JCF 4(3)d": (missing_fields,),
    "JCF 4(4)": ORGANISER,
    "JCF 4(5)": ORGANISER,
    "JCF 5(1)": (change,),
    "JCF 5(1)R": (change,),
    "JCF 5(1)PD": (expected, difference_counted),
    "JCF 5(1)K": (coefficient,),
    "JCF 5(1)K-new": (coefficient,),
    "JCF 5(1)K-junior": (is_junior, age_on_new_year),
    "JCF 5(1)K-2400": (coefficient,),
    "JCF 5(1)C-zero": (monthly.reason, monthly.line_without_change),
    "JCF 5(2)": (new_rating,),
    "JCF 5(3)": (new_rating, monthly.raise_to_floor),
    "JCF 6(1)": (inherited_rating, inheritance_clause, monthly.entering),
    "JCF 6(2)": (inherited_rating,),
    "JCF 6(3)": (first_rating, games_used),
    "JCF 6(4)": (first_rating, performance),
    "JCF 6(4)RA": (first_rating,),
    "JCF 6(4)dp": (percentage, dp),
    "JCF 7(1)": ORGANISER,
    "JCF 7(2)": OFFICER,
    "JCF 7(3)": (ByReport,),
    "JCF 7(4)": OFFICE,
    "JCF table 1": (expected,),
    "JCF table 2": (dp,),
    "JCF note 1": (speeds_for,),
    "JCF note 2": (ByReport.window_on,),
    "JCF note 3": (oldest_day,),
    "JCF note 4": (is_name_in_form,),
    "JCF revisions": OFFICE,
}
