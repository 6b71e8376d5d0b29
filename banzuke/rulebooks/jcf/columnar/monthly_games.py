"""The loops over games of a month in columns, compiled: who enters, what each side moves, what is on file."""

from typing import NamedTuple

import numpy as np
from numba import njit

from banzuke.columnar.batch_columns import (
    AGAINST_UNRATED,
    FEE,
    FIRST,
    FORFEIT,
    LATE,
    MEMBER,
    MISSING,
    RATED,
    RULING,
    SPEED,
    Flags,
    Games,
    Int8s,
    Int32s,
    Int64s,
    Lines,
    Register,
    Waiting,
)
from banzuke.columnar.calendar_years import year_of
from banzuke.columnar.kernels import limited, place, rounded, write_line
from banzuke.columnar.partitioned_batches import ENTERS, EventColumns, Seats
from banzuke.rulebooks.fide.columnar.table_arrays import expected

#: Years of play are told apart up to this one.
YEARS = 10_000
#: What stands on a card.
FIELDS = 4
OWN, K, TOTAL, COUNTED = range(FIELDS)
#: In the place of a seat: no first rating is asked for.
NOT_ASKED = -1


class Cards(NamedTuple):
    """A card of each who plays, for each year of play, while games are added up.

    `of_year` has the place of a year in `rows`: OWN, K, TOTAL and COUNTED by year, speed and player, laid
    out for those who play; the cards of all others are not initialised. They lie side by side, as they are
    looked up twice a game.
    """

    of_year: Int32s
    rows: Int32s | Int64s


class GamesOnFile(NamedTuple):
    """The games on file of who may get a first rating, rated opponents and unrated ones apart.

    `points` are half points, `opponents` the sum of ratings.
    """

    rated: Int32s
    unrated: Int32s
    points: Int32s
    unrated_points: Int32s
    opponents: Int64s


@njit(cache=True, nogil=True)
def members_throughout(register: Register, first: int, last: int) -> Flags:
    """Who has one annual membership from the first day to the last."""
    found = np.zeros(len(register.born), np.bool_)
    for player in range(len(found)):
        for span in range(register.span_first[player], register.span_first[player + 1]):
            is_whole = register.span_from[span] <= first and last <= register.span_to[span]
            if is_whole and register.span_event[span] < 0:
                found[player] = True
                break
    return found


@njit(cache=True, nogil=True)
def decide_games(
    events: EventColumns,
    games: Games,
    register: Register,
    always: Flags,
    events_have_members: bool,
    scores: Int32s,
    why_not: Int8s,
    plays: Flags,
    years: Flags,
) -> None:
    """Why each game does not enter, and who plays in one that does, by speed, and in which years."""
    at = last = 0
    for event in range(len(events.first)):
        excluded, speed, starts = events.excluded[event], events.speed[event], events.starts[event]
        oldest, unpaid, number = events.oldest[event], events.unpaid[event], events.number[event]
        for game in range(place(events.first[event]), place(events.last[event])):
            day = games.played[game] or starts
            white, black = place(games.white[game]), place(games.black[game])
            why = ENTERS
            if excluded or games.excluded[game]:
                why = RULING
            elif speed < 0:
                why = SPEED
            elif day < oldest:
                why = LATE
            elif unpaid:
                why = FEE
            elif not (
                (always[white] or _is_member(register, white, number, day, events_have_members))
                and (always[black] or _is_member(register, black, number, day, events_have_members))
            ):
                why = MEMBER
            elif scores[place(games.result[game])] == MISSING:
                why = FORFEIT
            else:
                plays[speed, white] = plays[speed, black] = True
                if day != last:
                    years[year_of(day)], last = True, day
            why_not[place(at)] = why
            at += 1


@njit(cache=True, nogil=True)
def _is_member(register: Register, player: int, event: int, day: int, events_have_members: bool) -> bool:
    """NCS 3(5), JCF 3(5): whether a span of the player holds the day, an annual one or this very event's."""
    for span in range(register.span_first[player], register.span_first[player + 1]):
        of_event = register.span_event[span]
        if register.span_from[span] <= day <= register.span_to[span] and (
            of_event < 0 or (events_have_members and of_event == event)
        ):
            return True
    return False


#: In the place of difference, PD, K and C, of a side whose rating a game does not move.
NO_LINE = (MISSING,) * 4
#: What an edition says of differences: the limit, whether a game against UR moves one who is rated, and
#: whether one of two UR waits.
Rules = tuple[int, bool, bool]


@njit(cache=True, nogil=True)
def unrated(seats: Seats, value: Int32s) -> Flags:
    """Which of those who play are unrated."""
    found = np.empty(len(seats.player), np.bool_)
    for seat in range(len(found)):
        found[seat] = value[seats.speed[seat], seats.player[seat]] == MISSING
    return found


@njit(cache=True, nogil=True)
def take_over(
    floor: int, speed: int, asked: Int64s, found: Int32s, value: Int32s, peak: Int32s, earned: Flags
) -> None:
    """The ratings taken over become those at that speed, not earned ones; `asked` are the players."""
    for at in range(len(asked)):
        if found[at] != MISSING:
            player = asked[at]
            value[speed, player] = peak[speed, player] = max(found[at], floor)
            earned[speed, player] = False


@njit(cache=True, nogil=True)
def lay_out(seats: Seats, value: Int32s, k: Int32s, cards: Int32s | Int64s) -> None:
    """The cards of a year before its first game: ratings, K, nothing moved."""
    for seat in range(len(k)):
        card = cards[seats.speed[seat], seats.player[seat]]
        card[OWN], card[K] = value[seats.speed[seat], seats.player[seat]], k[seat]
        card[TOTAL] = card[COUNTED] = 0


@njit(cache=True, nogil=True)
def sum_up(cards: Int32s | Int64s, seats: Seats, total: Int64s, counted: Int32s) -> None:
    """What the cards of all years of play come to, added to `total` and `counted`."""
    for year in range(len(cards)):
        for seat in range(len(total)):
            card = cards[year, seats.speed[seat], seats.player[seat]]
            total[seat] += card[TOTAL]
            counted[seat] += card[COUNTED]


@njit(cache=True, nogil=True)
def add_up_games(  # noqa: C901, PLR0912 - in one loop: a call with so many arrays costs more than its work
    events: EventColumns,
    games: Games,
    why: Int8s,
    value: Int32s,
    given: Cards,
    scores: Int32s,
    pd: Int32s,
    rules: Rules,
    fresh: Waiting,
    lines: Lines | None,
) -> int:
    """What the games that enter move, onto the cards; the unrated sides go into `fresh`, gives how many.

    `lines` are written, two for each game, if there are any; compiled anew without them, to lose no time.
    """
    limit = rules[0]
    years, speeds, players, _ = given.rows.shape
    cards = given.rows.reshape(-1, FIELDS)
    row = at = year = last = 0
    for event in range(len(events.first)):
        speed, starts = events.speed[event], events.starts[event]
        for game in range(place(events.first[event]), place(events.last[event])):
            result, round_ = place(games.result[game]), games.round[game]
            if why[place(at)] == ENTERS:
                day = games.played[game] or starts
                if years > 1 and day != last:
                    year, last = given.of_year[year_of(day)], day
                here = (year * speeds + speed) * players
                white, black = place(here + games.white[game]), place(here + games.black[game])
                if cards[white, OWN] != MISSING != cards[black, OWN]:
                    lead = cards[white, OWN] - cards[black, OWN]
                    sides = white, black, here
                    _rate(cards, sides, lead, scores[0, result], pd, limit, lines, 2 * at, round_)
                    sides = black, white, here
                    _rate(cards, sides, -lead, scores[1, result], pd, limit, lines, 2 * at + 1, round_)
                else:
                    for side in range(2):
                        mine, theirs = (black, white) if side else (white, black)
                        own, other, score = cards[mine, OWN], cards[theirs, OWN], scores[side, result]
                        verdict = _verdict(own, other, rules)
                        if verdict == RATED:
                            sides = mine, theirs, here
                            _rate(cards, sides, limit, score, pd, limit, lines, 2 * at + side, round_)
                        elif lines is not None:
                            who = mine - here, theirs - here, own, other
                            write_line(lines, 2 * at + side, round_, who, score, NO_LINE, verdict, verdict)
                        if own == MISSING:
                            to = place(row)
                            cards[mine, COUNTED] += other != MISSING
                            fresh.speed[to], fresh.player[to] = speed, mine - here
                            fresh.event[to], fresh.round[to] = events.number[event], round_
                            fresh.played[to], fresh.opponent[to] = day, theirs - here
                            fresh.opponent_rating[to], fresh.score[to] = other, score
                            row += 1
            elif lines is not None:
                for side in range(2):
                    mine, theirs = games.white[game], games.black[game]
                    if side:
                        mine, theirs = theirs, mine
                    own = value[speed, mine] if speed >= 0 else MISSING
                    other = value[speed, theirs] if speed >= 0 else MISSING
                    who = mine, theirs, own, other
                    write_line(
                        lines, 2 * at + side, round_, who, scores[side, result], NO_LINE, why[at], why[at]
                    )
            at += 1
    return row


@njit(cache=True, nogil=True)
def change(score: int, percent: int, k: int) -> int:
    """NCS 5(1), JCF 5(1): C in hundredths of a point, from half points, the expectation and K."""
    return (50 * score - percent) * k


@njit(cache=True, nogil=True)
def _rate(
    cards: Int32s | Int64s,
    sides: tuple[int, int, int],
    lead: int,
    score: int,
    pd: Int32s,
    limit: int,
    lines: Lines | None,
    row: int,
    round_: int,
) -> None:
    """NCS 5(2), JCF 5(2): one game onto the card of a rated player, and its line.

    `sides` are the places of the two cards, and where those of their speed and year begin.
    """
    mine, theirs, here = sides
    percent, k = expected(pd, lead), cards[mine, K]
    moved = change(score, percent, k)
    cards[mine, TOTAL] += moved
    cards[mine, COUNTED] += 1
    if lines is not None:
        who = mine - here, theirs - here, cards[mine, OWN], cards[theirs, OWN]
        line = limited(lead, limit), percent, k, moved
        write_line(lines, row, round_, who, score, line, RATED, RATED)


@njit(cache=True, nogil=True)
def _verdict(own: int, other: int, rules: Rules) -> int:
    """NCS 5(1), 5(4), JCF 5(1): of a side of a game that enters, of which one side is unrated at least."""
    _, rates_against_unrated, unrated_pair_waits = rules
    if own == MISSING:
        return FIRST if other != MISSING or unrated_pair_waits else AGAINST_UNRATED
    return RATED if rates_against_unrated else AGAINST_UNRATED


@njit(cache=True, nogil=True)
def add_up_on_file(rows: Waiting, oldest: int, seat_of: Int32s, on_file: GamesOnFile) -> None:
    """The games on file of the day `oldest` and later, added up for those who have a seat."""
    for row in range(len(rows.player)):
        seat = seat_of[place(rows.speed[row]), place(rows.player[row])]
        if seat == NOT_ASKED or rows.played[row] < oldest:
            continue
        seat = place(seat)
        if rows.opponent_rating[row] == MISSING:
            on_file.unrated[seat] += 1
            on_file.unrated_points[seat] += rows.score[row]
        else:
            on_file.rated[seat] += 1
            on_file.points[seat] += rows.score[row]
            on_file.opponents[seat] += rows.opponent_rating[row]


@njit(cache=True, nogil=True)
def keep_waiting(rows: Waiting, value: Int32s, kept: Waiting, at: int) -> int:
    """Games of those who are unrated yet, into `kept` from row `at` on; gives the row after them."""
    for row in range(len(rows.player)):
        if value[place(rows.speed[row]), place(rows.player[row])] == MISSING:
            to = place(at)
            kept.speed[to], kept.player[to] = rows.speed[row], rows.player[row]
            kept.event[to], kept.round[to] = rows.event[row], rows.round[row]
            kept.played[to], kept.opponent[to] = rows.played[row], rows.opponent[row]
            kept.opponent_rating[to], kept.score[to] = rows.opponent_rating[row], rows.score[row]
            at += 1
    return at


@njit(cache=True, nogil=True)
def settle(
    floor: int, seats: Seats, total: Int64s, counted: Int32s, value: Int32s, games: Int32s, peak: Int32s
) -> None:
    """NCS 5(2), 5(5), JCF 5(2), 5(3): the rounded sums added, none below the floor; the highest ever kept."""
    for seat in range(len(seats.player)):
        speed, player = seats.speed[seat], seats.player[seat]
        games[speed, player] += counted[seat]
        own = value[speed, player]
        if own != MISSING:
            new = max(floor, own + rounded(total[seat], 100))
            value[speed, player], peak[speed, player] = new, max(peak[speed, player], new)
