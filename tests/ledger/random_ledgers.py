"""Ledgers made up by hypothesis: every table and column, and all that Unicode has."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

from hypothesis import strategies as st

from banzuke.core.facts import SCORES, SPEEDS, Club, Event, Game, Membership, Opening, Player
from banzuke.core.go_facts import HALF_OF, Declaration, GoGame, GoOpening, GoPlayer
from banzuke.ledger.cells import CellError
from banzuke.ledger.written_text import ID, tidy


def texts(required=False):
    """Unicode with the letters of CSV in it, as ids and names may be written; none is of blanks alone."""
    letters = st.sampled_from(",\"'; 　函館é\u2028\ufeff") | st.characters(exclude_categories=["Cc", "Cs"])
    written = st.text(letters, min_size=int(required), max_size=6).map(tidy).filter(is_written)
    return written.filter(bool) if required else written


def is_written(text):
    try:
        return ID.read(text) == text
    except CellError:
        return False


def optional(strategy):
    return st.none() | strategy


def ids(size):
    return st.lists(texts(required=True), min_size=1, max_size=size, unique=True)


DAYS = st.dates(date(2023, 1, 1), date(2024, 8, 31))
RATINGS = st.integers(0, 4000)


@st.composite
def corrected(draw):
    """`added` and `struck` of a row that stands for a while at least."""
    added, struck = draw(optional(DAYS)), draw(optional(DAYS))
    if added and struck and struck <= added:
        added = None
    return {"added": added, "struck": struck}


@st.composite
def chess_tables(draw):
    """Tables of a chess ledger that checks: every name is known, every game has a round of its own."""
    players, events, games, memberships, standings = [], [], [], [], []
    for player in draw(ids(4)):
        facts = {
            "name_native": draw(texts()),
            "birth_date": draw(optional(st.dates())),
            "sex": draw(texts()),
            "club_id": draw(texts()),
            "fide_id": draw(texts()),
            "fide_standard": draw(optional(RATINGS)),
            "fide_rapid": draw(optional(RATINGS)),
            "fide_blitz": draw(optional(RATINGS)),
        }
        players.append(Player(player, draw(texts(required=True)), **facts))
        if draw(st.booleans()):
            first, last = sorted(draw(st.tuples(st.dates(), st.dates())))
            memberships.append(Membership(player, "annual", first, last, **draw(corrected())))
        if draw(st.booleans()):
            rating, count = draw(RATINGS), draw(st.integers(0, 999_999_999))
            peak, earned = draw(optional(RATINGS)), draw(optional(st.booleans()))
            standings.append(
                Opening(player, rating, count, draw(st.sampled_from(SPEEDS[:2])), peak, earned=earned)
            )
    if draw(st.booleans()):  # a player whose facts were corrected
        day = draw(DAYS)
        players += [players[0]._replace(name="x", added=day), players.pop(0)._replace(struck=day)]
    for event in draw(ids(3)) if draw(st.booleans()) else []:
        starts, ends, reported = sorted(draw(st.tuples(DAYS, DAYS, DAYS)))
        facts = {name: draw(texts()) for name in ("organiser", "place", "responsible", "reporter")}
        facts |= {name: draw(optional(DAYS)) for name in ("applied", "notified", "paid")}
        facts |= {
            "form": draw(st.sampled_from(["", "tournament", "meeting"])),
            "speed": draw(st.sampled_from(["", "standard"])),
            "base_minutes": draw(st.integers(60, 10_000)),
            "increment_seconds": draw(optional(st.integers(0, 10_000))),
            "fide_rated": draw(optional(st.booleans())),
            "ruling": draw(st.sampled_from(["", "exclude", "accept-late", "waive-fee", "include"])),
            "nonmembers": draw(optional(st.integers(0, 999_999_999))),
        }
        events.append(Event(event, draw(texts(required=True)), starts, ends, reported, **facts))
        names = sorted({player.player_id for player in players if not player.added})
        rounds = draw(st.sets(st.integers(1, 999_999), max_size=3)) if len(names) > 1 else []
        for number in sorted(rounds):
            white, black = draw(st.permutations(names))[:2]
            result = draw(st.sampled_from(sorted(SCORES)))
            played, ruling = draw(optional(st.dates(starts, ends))), draw(st.sampled_from(["", "exclude"]))
            games.append(Game(event, number, white, black, result, played, ruling))
    clubs = [
        Club(
            club,
            draw(texts(required=True)),
            draw(st.sampled_from(["federation", "club", "student"])),
            day,
            day,
        )
        for club, day in draw(st.lists(st.tuples(texts(required=True), st.dates()), max_size=2))
    ]
    return {
        "players": players,
        "clubs": clubs,
        "memberships": memberships,
        "events": events,
        "games": games,
        "standings": standings,
    }


OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.datetimes(
    datetime.fromisoformat("2025-01-02"), datetime.fromisoformat("2199-12-30"), timezones=OFFSETS
)
WHOLE_RANKS = sorted(rank for rank in HALF_OF if not rank.endswith("+"))


@st.composite
def go_tables(draw):
    names = draw(ids(4))
    ranks = st.sampled_from([*WHOLE_RANKS, "BC", "1p", "9p"])
    players = [
        GoPlayer(name, draw(texts(required=True)), draw(ranks), professional=draw(st.booleans()))
        for name in names
    ]
    games = []
    for game in draw(ids(4)) if len(names) > 1 else []:
        black, white = draw(st.permutations(names))[:2]
        result, fault = draw(
            st.sampled_from(
                [("B", ""), ("W", ""), ("draw", ""), ("void", ""), ("B", "white"), ("W", "black")]
            )
        )
        stones, komi = draw(st.sampled_from([0, 2, 9])), draw(st.integers(-19_999, 19_999))
        board, moves = draw(st.integers(1, 99)), draw(st.integers(0, 999_999_999))
        games.append(
            GoGame(
                *(game, draw(MOMENTS), black, white, result, stones, komi, board, moves),
                room=draw(st.sampled_from(["", "rated", "free", "practice", "monthly"])),
                pair=draw(optional(st.booleans())),
                robot=draw(st.sampled_from(["", "black", "white"])),
                fault=fault,
            )
        )
    declarations = [
        Declaration(name, draw(MOMENTS), draw(st.sampled_from(WHOLE_RANKS)))
        for name in names
        if draw(st.booleans())
    ]
    standings = [
        GoOpening(
            name, draw(st.sampled_from(sorted(HALF_OF))), 20, draw(st.integers(-(10**9) + 1, 10**9 - 1))
        )
        if draw(st.booleans())
        else GoOpening(name, "BC", draw(st.integers(0, 99)), None, draw(optional(st.integers(0, 4))))
        for name in names
    ]
    return {"players": players, "games": games, "declarations": declarations, "standings": standings}
