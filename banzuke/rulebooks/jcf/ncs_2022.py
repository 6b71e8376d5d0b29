"""NCS rating rules, edition of 1 September 2022, in the order of the document (NCS 1-7).

The Japanese text prevails. Clauses that the office, an organiser or nobody answers are in the
register at the end; `[reading: ...]` names a decision where the text is silent.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
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
    WAIVE_FEE,
    Club,
    Event,
    Player,
)
from banzuke.core.month import months_later
from banzuke.core.parameters import read_parameters
from banzuke.core.rating import (
    AGAINST_UNRATED,
    FEE,
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
from banzuke.rulebooks.fide.tables import dp, expected, limited, percentage
from banzuke.rulebooks.jcf import monthly
from banzuke.rulebooks.jcf.checks import declared_speed_findings, missing_findings, organiser_findings
from banzuke.rulebooks.jcf.fees import charges, participants

ORGANISERS = (FEDERATION, CLUB)

PARAMETERS = read_parameters(files(__package__), "ncs_2022")
_number = PARAMETERS.whole

WINDOW_CLOSES, CORRECTION_DAYS = _number("window_closes"), _number("correction_days")
LATE_AFTER_DAYS = _number("late_days")
FIDE_NOTICE_MONTHS, FEE_YEN = _number("fide_notice_months"), _number("fee_yen")
STANDARD_MINUTES, STANDARD_MINUTES_FIDE = _number("standard_minutes"), _number("standard_minutes_fide")
RAPID_MINUTES, NEW_GAMES = _number("rapid_minutes"), _number("new_games")
if max(STANDARD_MINUTES_FIDE, RAPID_MINUTES) < STANDARD_MINUTES:  # times between would have no speed
    raise ValueError(f"standard_minutes = {STANDARD_MINUTES} > {max(STANDARD_MINUTES_FIDE, RAPID_MINUTES)}")
K_NORMAL, K_NEW, K_JUNIOR = _number("k_normal"), _number("k_new"), _number("k_junior")
JUNIOR_AGE, JUNIOR_RATING = _number("junior_age"), _number("junior_rating")
K_REACHED, REACHED_RATING = _number("k_reached"), _number("reached_rating")
LIMIT, FLOOR = _number("limit"), _number("floor")
FIRST_GAMES, QUALIFIED_BEYOND = _number("first_games"), _number("qualified_beyond")
UR_COUNTS_AS, ABOVE_HALF_EACH = _number("ur_counts_as"), _number("above_half_each")


@dataclass(frozen=True, slots=True)
class Settings:
    """What an office may rule otherwise; each is explained by `banzuke rules ncs-2022`."""

    rate_against_unrated: bool = True
    k_shared: bool = True
    undeclared_by_time: bool = True
    unrated_games_fill_first: bool = True
    fee_required: bool = True


# 2. Clubs and members


def is_recognised(clubs: Iterable[Club], day: date) -> bool:
    """NCS 2(1): NCS itself, or a club whose registration holds on the day."""
    return any(club.kind in ORGANISERS and club.valid_from <= day <= club.valid_to for club in clubs)


def is_member(register: Register, player: str, event: Event, day: date) -> bool:
    """NCS 2(2), 3(5): an annual member, or one of this very event, on the day of play."""
    return covers(register.annual.get(player, ()), day) or covers(
        register.one_event.get((player, event.event_id), ()), day
    )


def notified_in_time(event: Event) -> bool:
    """NCS 2(3): a FIDE event is notified two months or more before its first day."""
    return event.notified is not None and months_later(event.notified, FIDE_NOTICE_MONTHS) <= event.starts


# 3. Windows, fees, corrections

#: NCS 3(3): the list of 1 March takes what was reported from 21 January to 20 February.
#: NCS 3(7): it may be changed by inquiries made in the 90 days from then on.
CALENDAR = ByReport(WINDOW_CLOSES, CORRECTION_DAYS)


def is_unpaid(event: Event, published: date, settings: Settings) -> bool:
    """NCS 3(4), 3(5): no payment by the end of the month in which the window closes."""
    if not settings.fee_required or event.ruling in (WAIVE_FEE, INCLUDE):
        return False
    return event.paid is None or event.paid >= published


def oldest_day(event: Event) -> date:
    """NCS 3(6): games played before this day were reported more than 90 days later."""
    if event.ruling in (ACCEPT_LATE, INCLUDE):
        return date.min
    return event.reported - timedelta(days=LATE_AFTER_DAYS)


# 4. Reports


def missing_fields(event: Event) -> tuple[str, ...]:
    """NCS 4(1)a: what a report must say and this one does not (its days it cannot lack)."""
    return tuple(name for name in ("name", "place", "responsible") if not getattr(event, name).strip())


def is_name_in_form(name: str) -> bool:
    """NCS 4(3): Latin letters, family name before given name, no comma between."""
    return name.isascii() and "," not in name and len(name.split()) > 1 and name == " ".join(name.split())


def speeds_for(minutes: int, *, fide_rated: bool) -> tuple[str, ...]:
    """NCS 4(6), table 2: the speeds that a time for 60 moves may be declared as.

    [reading: exactly-ten-minutes]
    """
    if minutes < RAPID_MINUTES:
        return (BLITZ,)
    standard_from = STANDARD_MINUTES_FIDE if fide_rated else STANDARD_MINUTES
    fits = {
        STANDARD: minutes >= standard_from,
        RAPID: minutes < STANDARD_MINUTES_FIDE,
        BLITZ: minutes == RAPID_MINUTES,
    }
    return tuple(speed for speed, fit in fits.items() if fit)


def check_event(event: Event) -> Iterator[Finding]:
    """NCS 4(6): the declared speed is one that the time makes."""
    if event.minutes is not None and event.speed:
        fits = speeds_for(event.minutes, fide_rated=bool(event.fide_rated))
        yield from declared_speed_findings(event, fits, "NCS 4(6)")


def warnings(event: Event, clubs: Sequence[Club]) -> Iterator[Finding]:
    """NCS 2(1), 4(1)a, 2(3): the organiser, what a report lacks, and when FIDE's event was notified."""
    yield from organiser_findings(event, is_recognised(clubs, event.starts), CITES["clubs"])
    yield from missing_findings(missing_fields(event), "NCS 4(1)a")
    if event.fide_rated and not notified_in_time(event):
        facts = {"starts": event.starts, "months": FIDE_NOTICE_MONTHS, "clause": CITES["fide-notice"]}
        if event.notified is None:
            yield Finding("", "warn-not-notified", facts)
        else:
            yield Finding("", "warn-notified", {"notified": event.notified, **facts})


def speed_of(event: Event, settings: Settings) -> str:
    """NCS 4(6), 4(7): the speed whose list the event enters; blank for none.

    [reading: undeclared-by-time]
    """
    if event.minutes is None:
        return "" if event.speed == BLITZ else event.speed or STANDARD
    fits = speeds_for(event.minutes, fide_rated=bool(event.fide_rated))
    if fits == (BLITZ,) or event.speed == BLITZ:
        return ""
    if event.speed:
        return event.speed
    if fits[0] == RAPID and not event.fide_rated and not settings.undeclared_by_time:
        return STANDARD
    return fits[0]


def admission(event: Event, batch: Batch, settings: Settings) -> monthly.Admission:
    """NCS 3(5), 3(6), 4(6), 4(7) for the event as a whole."""
    unpaid = is_unpaid(event, batch.published, settings)
    return monthly.Admission(event.ruling == EXCLUDE, speed_of(event, settings), oldest_day(event), unpaid)


# 5. Calculation (PD is fide.tables.expected)


def change(score: int, percent: int, k: int) -> int:
    """NCS 5(1): C = (R - PD) x K, in hundredths; R in half points, PD in hundredths."""
    return (50 * score - percent) * k


def age_on_new_year(born: date, year: int) -> int:
    """NCS 5(1)age: whole years completed on 1 January. [reading: age-by-birthday]"""
    return year - born.year - ((born.month, born.day) > (1, 1))


REACHED = Coefficient(K_REACHED, "ever-2400", "NCS 5(1)K")
JUNIOR = Coefficient(K_JUNIOR, "junior", "NCS 5(1)age")
NEW = Coefficient(K_NEW, "new", "NCS 5(1)K")
NORMAL = Coefficient(K_NORMAL, "normal", "NCS 5(1)K")


def coefficient(own: Rating, other: Rating, player: Player, year: int, settings: Settings) -> Coefficient:
    """NCS 5(1)K, in the order: ever 2400, junior, new, normal. [reading: k-order]"""
    state = both_speeds(own, other) if settings.k_shared else own
    if state.peak is not None and state.peak >= REACHED_RATING:
        return REACHED
    if is_junior(player.birth_date, state.value, year):
        return JUNIOR
    if state.earned and state.games < NEW_GAMES:
        return NEW
    return NORMAL


def is_junior(born: date | None, rating: int | None, year: int) -> bool:
    """NCS 5(1)K, 5(1)age: below 18 on 1 January of the year of play, and below 2300."""
    if born is None or rating is None or rating >= JUNIOR_RATING:
        return False
    return age_on_new_year(born, year) < JUNIOR_AGE


def both_speeds(one: Rating, other: Rating) -> Rating:
    """NCS 5(1)K: one K for both speeds, from what they amount to together. [reading: k-shared]"""
    return Rating(
        max((r.value for r in (one, other) if r.value is not None), default=None),
        one.games + other.games,
        max((r.peak for r in (one, other) if r.peak is not None), default=None),
        one.earned or other.earned,
    )


def new_rating(old: int, total: int) -> tuple[int, int]:
    """NCS 5(2), 5(5): the sum of C (hundredths) rounded, and the new rating, not below 400."""
    shift = rounded(total, 100)
    return shift, max(FLOOR, old + shift)


def difference_counted(own: int, other: int | None) -> int:
    """NCS 5(4): own minus opponent, at most 400 in size; UR counts as 0, and so as 400 below.

    [reading: rate-against-unrated]
    """
    return LIMIT if other is None else limited(own - other, LIMIT)


# 6. Players without a rating


def inherited_rating(player: Player, _speed: str, other: int | None) -> tuple[int | None, str]:
    """NCS 6(1), 6(2): the other NCS rating, else FIDE standard, rapid, blitz."""
    sources = (
        (other, "other-speed"),
        (player.fide_standard, "fide-standard"),
        (player.fide_rapid, "fide-rapid"),
        (player.fide_blitz, "fide-blitz"),
    )
    return next((found for found in sources if found[0] is not None), (None, ""))


def games_filling(games: tuple[FirstGame, ...], settings: Settings) -> int:
    """NCS 6(3): how many of the games on file count to the four. [reading: unrated-games-fill-first]"""
    return sum(settings.unrated_games_fill_first or g.opponent_rating is not None for g in games)


def first_rating(games: tuple[FirstGame, ...], _closes: date, settings: Settings) -> FirstWorking:
    """NCS 6(3), 6(4): from the fourth game, by the formula of FIDE's calculator.

    Half or more: the mean and 20 for each half point above half; less: the mean and dp.
    [reading: first-rating-formula]
    """
    n, points = len(games), sum(g.score for g in games)
    total = sum(UR_COUNTS_AS if g.opponent_rating is None else g.opponent_rating for g in games)
    percent = percentage(points, n)
    added = ABOVE_HALF_EACH * (points - n) if points >= n else dp(percent)
    working = FirstWorking(games, (total, n), points, percent, added, None, "too-few", "NCS 6(4)")
    if games_filling(games, settings) < FIRST_GAMES:
        return working
    return working._replace(rating=max(FLOOR, working.exact_rating), why="")


def is_qualified(speed: str, rating: Rating) -> bool:
    """NCS 6(3): fit for qualification, a standard rating with more than 18 games."""
    return speed == STANDARD and rating.games > QUALIFIED_BEYOND


VERDICTS = {
    RATED: "NCS 5(1)",
    FIRST: "NCS 6(3)",
    RULING: "NCS 7(2)",
    SPEED: "NCS table 2",
    LATE: "NCS 3(6)",
    FEE: "NCS 3(5)",
    MEMBER: "NCS 2(2)",
    FORFEIT: "NCS 5(3)",
    AGAINST_UNRATED: "NCS 6(3)",
}


CITES = {
    "floor": "NCS 5(5)",
    "limit": "NCS 5(4)",
    "sum": "NCS 5(2)",
    "list": "NCS 3(3)",
    "inquiry": "NCS 3(7)",
    "clubs": "NCS 2(1)",
    "fide-notice": "NCS 2(3)",
    "name": "NCS 4(3)",
    "newcomer": "NCS 4(5)",
    "seeds": "NCS 4(8)",
    "qualified": "NCS 6(3)",
    "against-unrated": "NCS 6(3)",
}


def inheritance_clause(source: str, _speed: str) -> str:
    """NCS 6(1) for the other NCS rating, 6(2) for FIDE's."""
    return "NCS 6(1)" if source == "other-speed" else "NCS 6(2)"


def rate(standings: Standings, batch: Batch, settings: Settings) -> Outcome:
    """A month's reports rated by NCS 2022."""
    edition = monthly.Edition(
        floor=FLOOR,
        rates_against_unrated=settings.rate_against_unrated,
        unrated_pair_waits=True,
        clauses=VERDICTS,
        admission=partial(admission, settings=settings),
        is_member=is_member,
        inherited=inherited_rating,
        coefficient=partial(coefficient, settings=settings),
        difference=difference_counted,
        change=change,
        new_rating=new_rating,
        first_rating=partial(first_rating, settings=settings),
    )
    return monthly.rate(edition, standings, batch)


REGISTER: ClauseRegister = {
    "NCS 1(1)": PURPOSE,
    "NCS 1(2)": PURPOSE,
    "NCS 1(3)": (speed_of,),
    "NCS 2(1)": (is_recognised,),
    "NCS 2(2)": (is_member,),
    "NCS 2(3)": (notified_in_time,),
    "NCS 3(1)": ORGANISER,
    "NCS 3(2)": ORGANISER,
    "NCS 3(3)": (ByReport.window_on, ByReport.window_named),
    "NCS 3(4)": (charges, participants, is_unpaid),
    "NCS 3(5)": (is_unpaid, is_member, admission),
    "NCS 3(6)": (oldest_day, admission),
    "NCS 3(7)": (ByReport,),
    "NCS 4(1)": ORGANISER,
    "NCS 4(1)a": (missing_fields,),
    "NCS 4(1)b": ORGANISER,
    "NCS 4(1)c": ORGANISER,
    "NCS 4(2)": ORGANISER,
    "NCS 4(3)": (is_name_in_form,),
    "NCS 4(4)": ORGANISER,
    "NCS 4(5)": ORGANISER,
    "NCS 4(6)": (speeds_for, speed_of, check_event),
    "NCS 4(7)": (speed_of,),
    "NCS 4(8)": ORGANISER,
    "NCS 5(1)": (change, rate, monthly.rate),
    "NCS 5(1)R": (change,),
    "NCS 5(1)K": (coefficient, is_junior, both_speeds),
    "NCS 5(1)age": (age_on_new_year, is_junior),
    "NCS 5(1)PD": (expected,),
    "NCS 5(1)example": (change,),
    "NCS 5(2)": (new_rating,),
    "NCS 5(3)": (monthly.reason, monthly.line_without_change),
    "NCS 5(4)": (difference_counted,),
    "NCS 5(5)": (new_rating, monthly.raise_to_floor),
    "NCS 6(1)": (inherited_rating, inheritance_clause, monthly.entering),
    "NCS 6(2)": (inherited_rating,),
    "NCS 6(3)": (first_rating, games_filling, is_qualified, difference_counted),
    "NCS 6(4)": (first_rating, percentage, dp),
    "NCS 7(1)": OFFICE,
    "NCS 7(2)": OFFICER,
    "NCS 7(3)": OFFICE,
    "NCS table 1": (expected,),
    "NCS table 2": (speeds_for,),
    "NCS revisions": OFFICE,
    "NCS note": NOTICE,
}
