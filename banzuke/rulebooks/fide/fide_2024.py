"""FIDE rating regulations from 1 March 2024 with the change of 1 October 2025: the calculation.

In the order of the regulations (`FIDE` the standard ones, `FIDE RB` rapid and blitz). Both sides
are rated on the list in force on the event's first day; the change is added to the latest
rating. `[reading: ...]` names a decision where the text is silent.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from banzuke.core.batch import Batch
from banzuke.core.calendar import ByEnd
from banzuke.core.clause_register import ARBITER, OFFICE, OFFICER, ORGANISER, ClauseRegister
from banzuke.core.facts import BLITZ, RAPID, SPEEDS, STANDARD, Club, Event
from banzuke.core.month import month_of, months_later
from banzuke.core.rating import (
    AGAINST_UNRATED,
    FIRST,
    FORFEIT,
    RATED,
    RULING,
    Calculation,
    Coefficient,
    EventLines,
    FirstGame,
    FirstWorking,
    Line,
    Outcome,
    Rating,
    Standings,
)
from banzuke.core.rounding import rounded
from banzuke.core.rulebook import Finding
from banzuke.rulebooks.fide.event_sides import (
    PARAMETERS,
    EventSheet,
    Side,
    Tallies,
    Tally,
    count_rated_games,
    in_force,
    put_on_file,
    reason,
    sheet_of,
    speed_for,
    speed_of,
)
from banzuke.rulebooks.fide.tables import PD, dp, expected, limited, percentage

_number = PARAMETERS.whole

CLOSING_DAYS = _number("closing_days")

FIRST_GAMES, FIRST_MONTHS = _number("first_games"), _number("first_months")
FLOOR = _number("floor")
DRAWN_WITH, DRAWN_GAMES = _number("drawn_with"), _number("drawn_games")
HIGHEST_FIRST = _number("highest_first")

LIMIT = _number("limit")
REAL_DIFFERENCE_FROM = _number("real_difference_from")
REAL_DIFFERENCE_SINCE = PARAMETERS.day("real_difference_since")

K_NORMAL, K_NEW, K_JUNIOR, K_REACHED = (
    _number("k_normal"),
    _number("k_new"),
    _number("k_junior"),
    _number("k_reached"),
)
NEW_GAMES = _number("new_games")
JUNIOR_AGE, JUNIOR_RATING = _number("junior_age"), _number("junior_rating")
REACHED_RATING = _number("reached_rating")
K_TIMES_GAMES = _number("k_times_games")

LAST_LIST = _number("last_list")


@dataclass(frozen=True, slots=True)
class Settings:
    """What an office may rule otherwise; explained by `banzuke rules fide-2024`."""

    cap_always: bool = False


# 1. Rate of play

#: Where each speed is defined.
SPEED_CLAUSES = {STANDARD: "FIDE 1.1", RAPID: "FIDE RB 1.1.1", BLITZ: "FIDE RB 1.1.2"}


def check_event(event: Event) -> Iterator[Finding]:
    """FIDE 1.1: an event's speed is declared, or its time given."""
    if not speed_of(event):
        yield Finding("base_minutes", "event-no-speed", {"clause": "FIDE 1.1"})
    late = event.more.get(LATE_COLUMN)
    if late and CALENDAR.window_of_late(event.ends, late) is None:
        own = CALENDAR.window_on(event.ends).name
        yield Finding(LATE_COLUMN, "event-late-list", {"value": late, "own": own, "clause": "FIDE 7.1.1"})


def warnings(event: Event, _clubs: Sequence[Club]) -> Iterator[Finding]:
    """FIDE 1.1, 9.1, RB 1.1.1, RB 1.1.2: a declared speed that the time does not make; a list too late.

    [reading: declared-against-time] [reading: later-than-the-third-list]
    """
    made = event.speed if event.minutes is None else speed_for(event.minutes)
    if event.speed and event.speed != made:
        facts = {"speed": event.speed, "minutes": event.minutes, "fits": made}
        yield Finding("speed", "warn-speed", {**facts, "clause": SPEED_CLAUSES[event.speed]})
    late, last = event.more.get(LATE_COLUMN), str(month_of(event.ends).plus(LAST_LIST))
    if late and late > last:
        yield Finding(LATE_COLUMN, "warn-late-list", {"value": late, "last": last, "clause": "FIDE 9.1"})


# 7. Lists


#: The column that says which list took an event that was registered late.
LATE_COLUMN = "fide_list"
#: FIDE 7.1.1, 7.1.3: the list of the 1st of a month takes events that ended three days before it, or more.
CALENDAR = ByEnd(CLOSING_DAYS, late_column=LATE_COLUMN)


# 8.2 First ratings


def games_used(games: tuple[FirstGame, ...], listed: date) -> tuple[FirstGame, ...]:
    """FIDE 7.1.4: the games on file of the 26 months before a list, against rated players."""
    since = months_later(listed, -FIRST_MONTHS)
    return tuple(g for g in games if g.played > since and g.opponent_rating is not None)


def first_rating(games: tuple[FirstGame, ...], listed: date) -> FirstWorking:
    """FIDE 7.1.4, 8.2.2, 8.2.3: five games in 26 months, with two draws against 1800 added.

    Below the floor nothing is published, and the games stay.
    """
    used = games_used(games, listed)
    n = len(used) + DRAWN_GAMES
    points = sum(g.score for g in used) + DRAWN_GAMES
    total = sum(g.opponent_rating or 0 for g in used) + DRAWN_WITH * DRAWN_GAMES
    percent = percentage(points, n)
    working = FirstWorking(used, (total, n), points, percent, dp(percent), None, "too-few", "FIDE 8.2.3")
    if len(used) < FIRST_GAMES:
        return working
    if working.exact_rating < FLOOR:
        return working._replace(why="below-floor")
    return working._replace(rating=min(HIGHEST_FIRST, working.exact_rating), why="")


def games_on_file(
    on_file: tuple[FirstGame, ...] | None, fresh: list[list[FirstGame]]
) -> tuple[FirstGame, ...]:
    """FIDE 8.2.1: the games on file with the batch's events, less a first event without points.

    `fresh` holds the events in order; `on_file` None: the player has had no event yet.
    [reading: first-event-without-points]
    """
    games = on_file or ()
    is_first = on_file is None
    for event in fresh:
        if not is_first or any(game.score for game in event):
            games += tuple(event)
        is_first = False
    return games


# 8.3 Rating changes


def difference_counted(own: int, other: int, speed: str, starts: date, settings: Settings) -> int:
    """FIDE 8.3.1: at most 400 in size; real for 2650 and more, at standard, since October 2025."""
    is_real = speed == STANDARD and own >= REAL_DIFFERENCE_FROM and starts >= REAL_DIFFERENCE_SINCE
    if is_real and not settings.cap_always:
        return own - other
    return limited(own - other, LIMIT)


def change(score: int, percent: int, k: int) -> int:
    """FIDE 8.3.2: (score - PD) x K, in hundredths; the score in half points, PD in hundredths."""
    return (50 * score - percent) * k


def coefficient(own: Rating, born: date | None, year: int) -> Coefficient:
    """FIDE 8.3.3, in the order: reached 2400, junior, new, normal."""
    if own.peak is not None and own.peak >= REACHED_RATING:
        return Coefficient(K_REACHED, "ever-2400", "FIDE 8.3.3")
    if is_junior(born, own.peak, year):
        return Coefficient(K_JUNIOR, "junior", "FIDE 8.3.3")
    if own.games < NEW_GAMES:
        return Coefficient(K_NEW, "new", "FIDE 8.3.3")
    return Coefficient(K_NORMAL, "normal", "FIDE 8.3.3")


def new_rating(old: int, total: int) -> tuple[int, int]:
    """FIDE 8.3.4: the sum of the changes (hundredths) rounded, and the rating that it makes."""
    shift = rounded(total, 100)
    return shift, old + shift


def is_junior(born: date | None, peak: int | None, year: int) -> bool:
    """FIDE 8.3.3: until the end of the year of the 18th birthday, while never 2300."""
    return born is not None and year <= born.year + JUNIOR_AGE and (peak is None or peak < JUNIOR_RATING)


def limit_k(k: Coefficient, games: int) -> Coefficient:
    """FIDE 8.3.3: K times the games of the list is at most 700."""
    if k.value * games <= K_TIMES_GAMES:
        return k
    return Coefficient(K_TIMES_GAMES // games, "700", "FIDE 8.3.3")


VERDICTS = {
    RATED: "FIDE 8.3.2",
    FIRST: "FIDE 8.2.2",
    RULING: "FIDE 6.2",
    FORFEIT: "FIDE 5.1",
    AGAINST_UNRATED: "FIDE 8.2.2",
}


CITES = {
    "floor": "FIDE 7.2.1",
    "limit": "FIDE 8.3.1",
    "sum": "FIDE 8.3.4",
    "list": "FIDE 7.1.1",
    "no-point": "FIDE 8.2.1",
    "highest": "FIDE 8.2.3",
    "two-draws": "FIDE 8.2.2",
}

#: Where the rapid and blitz regulations have what the standard ones have under another number.
RAPID_AND_BLITZ = {
    "FIDE 5.1": "FIDE RB 4.1",
    "FIDE 7.1.1": "FIDE RB 6.1",
    "FIDE 7.2.1": "FIDE RB 6.2.1",
    "FIDE 8.2.1": "FIDE RB 7.2.2",
    "FIDE 8.2.2": "FIDE RB 7.2.3",
    "FIDE 8.2.3": "FIDE RB 7.2.4",
    "FIDE 8.3.1": "FIDE RB 7.3.1",
    "FIDE 8.3.2": "FIDE RB 7.3.2",
    "FIDE 8.3.3": "FIDE RB 7.3.3",
    "FIDE 8.3.4": "FIDE RB 7.3.4",
}


def clause_at_speed(clause: str, speed: str) -> str:
    """The clause under the number that it has for that speed."""
    return clause if speed == STANDARD else RAPID_AND_BLITZ.get(clause, clause)


def inheritance_clause(_source: str, _speed: str) -> str:
    """FIDE RB 7.2.1: the standard rating stands in at rapid and blitz."""
    return "FIDE RB 7.2.1"


def rate(standings: Standings, batch: Batch, settings: Settings) -> Outcome:
    """A month's events rated by FIDE's rules, in O(games + rated players)."""
    sheets = [sheet_of(entry, batch.in_force[entry.event.event_id]) for entry in batch.entries]
    tallies: Tallies = {speed: {} for speed in SPEEDS}
    for sheet in sheets:
        count_rated_games(sheet, tallies[sheet.speed])
    events = [
        EventLines(sheet.event, sheet.speed, _event_lines(sheet, tallies[sheet.speed], batch, settings))
        for sheet in sheets
    ]
    for sheet in sorted(sheets, key=lambda s: (s.event.ends, s.event.event_id)):
        put_on_file(sheet, tallies[sheet.speed])
    return _close_list(standings, batch, tallies, events)


def _event_lines(
    sheet: EventSheet, tallies: dict[str, Tally], batch: Batch, settings: Settings
) -> list[Line]:
    """Both lines of every game of the event; changes are added to the tallies."""
    ks: dict[str, Coefficient] = {}
    year = sheet.event.starts.year
    clauses = {verdict: clause_at_speed(clause, sheet.speed) for verdict, clause in VERDICTS.items()}
    for player in {side.player for side in sheet.sides if side.verdict == RATED}:
        k = coefficient(sheet.states[player], batch.register.players[player].birth_date, year)
        ks[player] = limit_k(k, tallies[player].rated)
    return [_line(side, sheet, tallies, ks, clauses[side.verdict], settings) for side in sheet.sides]


def _line(
    side: Side,
    sheet: EventSheet,
    tallies: dict[str, Tally],
    ks: dict[str, Coefficient],
    clause: str,
    settings: Settings,
) -> Line:
    """One side's line, with its change where it is rated."""
    game, player, opponent, score, own, other, verdict = side
    difference = percent = k = moves = None
    if verdict == RATED and own is not None and other is not None and score is not None:
        difference = difference_counted(own, other, sheet.speed, sheet.event.starts, settings)
        percent, k = PD[difference], ks[player]
        moves = change(score, percent, k.value)
        tally = tallies[player]
        tally.total += moves
        tally.held = max(tally.held, own)
    return Line(
        game.round, player, opponent, score, own, other, difference, percent, k, moves, verdict, clause
    )


def _close_list(standings: Standings, batch: Batch, tallies: Tallies, events: list[EventLines]) -> Outcome:
    """FIDE 8.3.4: the sums, added to the latest ratings; first ratings; who leaves the list."""
    ratings = {speed: dict(standings.ratings.get(speed, {})) for speed in SPEEDS}
    waiting = {speed: dict(standings.waiting.get(speed, {})) for speed in SPEEDS}
    calculations: dict[str, dict[str, Calculation]] = {speed: {} for speed in SPEEDS}
    for speed, of_speed in tallies.items():
        for player, tally in of_speed.items():
            before = standings.of(speed, player)
            latest = in_force(standings.ratings, player, speed)
            if latest.value is not None and (tally.rated or before.value is not None):
                waiting[speed].pop(player, None)
                done = _rated_calculation(player, before, latest, tally)
            else:
                on_file = waiting[speed].get(player)
                games = games_on_file(on_file, tally.fresh)
                done = _unrated_calculation(
                    player, before, tally, games, len(games) - len(on_file or ()), batch
                )
                if done.after.value is not None:
                    waiting[speed].pop(player, None)
                elif tally.fresh:
                    waiting[speed][player] = games
            ratings[speed][player] = done.after
            calculations[speed][player] = done
    return Outcome(Standings(ratings, waiting), events, calculations)


def _unrated_calculation(
    player: str, before: Rating, tally: Tally, games: tuple[FirstGame, ...], fresh: int, batch: Batch
) -> Calculation:
    """FIDE 8.2: a first rating, if the games on file give one."""
    first = first_rating(games, batch.published) if fresh else None
    value = first.rating if first else None
    peak = max((r for r in (before.peak, value, tally.held or None) if r is not None), default=None)
    after = Rating(value, before.games + fresh + tally.rated, peak, earned=value is not None)
    return Calculation(player, before, before, "", 0, 0, False, first, after)


def _rated_calculation(player: str, before: Rating, latest: Rating, tally: Tally) -> Calculation:
    """FIDE 8.3.4, 7.2.1: the latest rating and the sum; below the floor the player is unrated.

    Games of an event begun without a rating count to the games, and for nothing else.
    """
    shift, value = new_rating(latest.value or 0, tally.total)
    games = before.games + tally.rated + sum(len(event) for event in tally.fresh)
    source = "" if before.value is not None else "standard"
    held = max(before.peak or 0, tally.held)
    after = Rating(value, games, max(held, value), before.earned)
    if value < FLOOR:
        after = after._replace(value=None, peak=held)
    return Calculation(player, before, latest, source, tally.total, shift, False, None, after)


REGISTER: ClauseRegister = {
    "FIDE 1.1": (speed_of, speed_for, check_event, warnings),
    "FIDE 1.2": ORGANISER,
    "FIDE 5.1": (reason,),
    "FIDE 6.1": OFFICER,
    "FIDE 6.2": OFFICER,
    "FIDE 7.1": (ByEnd.window_on, in_force),
    "FIDE 7.1.1": (ByEnd.window_on, in_force),
    "FIDE 7.1.2": OFFICE,
    "FIDE 7.1.3": (ByEnd.window_on, ByEnd.window_named),
    "FIDE 7.1.4": (first_rating, games_used),
    "FIDE 7.2.1": (rate,),
    "FIDE 8.1.1": (dp,),
    "FIDE 8.1.2": (expected,),
    "FIDE 8.2.1": (games_on_file,),
    "FIDE 8.2.2": (first_rating, percentage),
    "FIDE 8.2.3": (first_rating,),
    "FIDE 8.2.4": OFFICER,
    "FIDE 8.3.1": (difference_counted,),
    "FIDE 8.3.2": (change, clause_at_speed),
    "FIDE 8.3.3": (coefficient, is_junior, limit_k),
    "FIDE 8.3.4": (new_rating, rate),
    "FIDE 9.1": (warnings,),
    "FIDE RB 1.1.1": (speed_of, speed_for, warnings),
    "FIDE RB 1.1.2": (speed_of, speed_for, warnings),
    "FIDE RB 1.2": ARBITER,
    "FIDE RB 4.1": (reason,),
    "FIDE RB 6.1": (ByEnd.window_on, in_force),
    "FIDE RB 6.1.3": (ByEnd.window_on, ByEnd.window_named),
    "FIDE RB 6.1.4": (first_rating,),
    "FIDE RB 6.2.1": (rate,),
    "FIDE RB 7.1.1": (dp,),
    "FIDE RB 7.1.2": (expected,),
    "FIDE RB 7.2.1": (in_force, inheritance_clause),
    "FIDE RB 7.2.2": (games_on_file,),
    "FIDE RB 7.2.3": (first_rating,),
    "FIDE RB 7.2.4": (first_rating,),
    "FIDE RB 7.2.5": OFFICER,
    "FIDE RB 7.3.1": (difference_counted,),
    "FIDE RB 7.3.2": (change,),
    "FIDE RB 7.3.3": (coefficient, is_junior, limit_k),
    "FIDE RB 7.3.4": (new_rating, rate),
}
