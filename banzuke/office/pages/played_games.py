"""What a player has played in published lists: events with their results, and the record against others."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import Count, Q, QuerySet

from banzuke.core import facts
from banzuke.core.rating import FIRST, RATED
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ChessBook
from banzuke.database.models import Event, Line, Pool, RatingList
from banzuke.office.fact_rows import standing_rows
from banzuke.office.lists.list_index import latest_list
from banzuke.office.pages.bonuses import OfPlayer, bonuses_in
from banzuke.office.pages.public_pool import PublicPool
from banzuke.office.public_names import Person, people

#: How many events and opponents are shown at first.
SHORT = 40


#: Verdicts of games that count for a side.
COUNTED = (RATED, FIRST)


class NotCounted(NamedTuple):
    """Why so many games of a player did not count: the verdict and its clause, by the book of their list."""

    verdict: str
    clause: str
    rulebook: str
    games: int


class PlayedEvent(NamedTuple):
    """An event of a player in a list: `score` half points in all `games` played, of which `counted` count.

    `event` is None where it no longer stands in the book; `change` (hundredths) is what the games brought,
    `bonus` what the rules added to it (None: nothing). `performance` is that against the rated opponents,
    where the book knows one. `not_counted` has a reason for each game that does not count.
    """

    event_id: str
    event: Event | None
    list: RatingList
    speed: str
    games: int
    score: int
    counted: int
    change: int | None
    bonus: int | None
    performance: int | None
    not_counted: tuple[NotCounted, ...]


class Opponent(NamedTuple):
    """A player's record against another, in games played."""

    person: Person
    games: int
    won: int
    drawn: int
    lost: int


class PlayedGames(NamedTuple):
    """Events, the newest first, and opponents, the most frequent first; `is_all`: there are no others.

    `years` are those of all events in which the player had a game, the newest first; `year` is the one whose
    opponents these are (None: of all years).
    """

    events: list[PlayedEvent]
    opponents: list[Opponent]
    is_all: bool
    years: list[int]
    year: int | None = None

    @property
    def has_speeds(self) -> bool:
        """Whether the rules tell speeds apart."""
        return any(one.speed for one in self.events)

    @property
    def has_performance(self) -> bool:
        """Whether the rules know a performance in any event."""
        return any(one.performance is not None for one in self.events)

    @property
    def has_bonus(self) -> bool:
        """Whether the rules added something to the change of any event."""
        return any(one.bonus is not None for one in self.events)


def load_opponents_in(of: PublicPool, player_id: str, year: int) -> list[Opponent]:
    """Whom a player met in the events that began in a year, and with what result."""
    lines = Line.objects.filter(player_id=player_id, list__in=of.lists)
    events = events_of(of.pool, lines.values_list("event_id", flat=True).distinct())
    ids = [event_id for event_id, event in events.items() if event.starts.year == year]
    return _opponents(of, lines.filter(event_id__in=ids), None)


def load_played_games(of: PublicPool, player_id: str, *, everything: bool = False) -> PlayedGames:
    """What a player has played, in short or everything of it."""
    lines = Line.objects.filter(player_id=player_id, list__in=of.lists)
    count = None if everything else SHORT + 1
    events, opponents = _events(of, player_id, lines, count), _opponents(of, lines, count)
    if everything or max(len(events), len(opponents)) <= SHORT:
        years = {one.event.starts.year for one in events if one.event and one.games}
        return PlayedGames(events, opponents, True, sorted(years, reverse=True))
    return PlayedGames(events[:SHORT], opponents[:SHORT], False, _years(of, lines))


def _years(of: PublicPool, lines: QuerySet[Line]) -> list[int]:
    """The years in which the events of those games began, the newest first; games of Go have no events."""
    if of.rules is not None and of.rules.is_go:
        return []
    ids = list(lines.filter(score__isnull=False).values_list("event_id", flat=True).distinct())
    days = standing_rows(of.pool, facts.Event).filter(event_id__in=ids).dates("starts", "year", order="DESC")
    return [day.year for day in days]


def _events(of: PublicPool, player_id: str, lines: QuerySet[Line], count: int | None) -> list[PlayedEvent]:
    places = lines.values_list("list", "event_id", "speed").distinct()
    wanted = list(places.order_by("-list__closes", "-list__name", "-event_id", "speed")[:count])
    ids = {event_id for _, event_id, _ in wanted}
    sides: dict[tuple[int, str, str], list[Line]] = {place: [] for place in wanted}
    for line in lines.filter(event_id__in=ids).order_by("position"):
        if (place := (line.list_id, line.event_id, line.speed)) in sides:
            sides[place].append(line)
    events = events_of(of.pool, ids)
    bonuses = bonuses_in((of.lists[number] for number, *_ in wanted), [player_id])
    return [
        _event(own, events.get(event_id), of.lists[number], bonuses.get(OfPlayer(number, speed, player_id)))
        for (number, event_id, speed), own in sides.items()
    ]


def _event(sides: list[Line], event: Event | None, published: RatingList, bonus: int | None) -> PlayedEvent:
    """An event from a player's lines in it."""
    counted = [line for line in sides if line.verdict in COUNTED]
    played = [line.score for line in sides if line.score is not None]
    changes = [line.change for line in sides if line.change is not None]
    why = Counter((line.verdict, line.clause) for line in sides if line.verdict not in COUNTED)
    return PlayedEvent(
        sides[0].event_id,
        event,
        published,
        sides[0].speed,
        len(played),
        sum(played),
        len(counted),
        sum(changes) if changes else None,
        bonus,
        _performance(published, counted),
        tuple(NotCounted(*reason, published.rulebook, games) for reason, games in why.items()),
    )


def _performance(published: RatingList, counted: list[Line]) -> int | None:
    """The performance in those games against rated opponents, by the book's own function."""
    book = BOOKS.get(published.rulebook)
    games = [(line.opponent, line.score) for line in counted if line.opponent is not None]
    if not games or not isinstance(book, ChessBook) or book.calculator.performance is None:
        return None
    opponents = [opponent for opponent, _ in games]
    return book.calculator.performance(opponents, sum(score or 0 for _, score in games)).rating


def events_of(pool: Pool, ids: Iterable[str]) -> dict[str, Event]:
    """The events of these ids that stand in the pool's book, by id."""
    rows = standing_rows(pool, facts.Event).filter(event_id__in=set(ids))
    return {row.event_id: row for row in rows}


def _opponents(of: PublicPool, lines: QuerySet[Line], count: int | None) -> list[Opponent]:
    records = (
        lines.filter(score__isnull=False)
        .values("opponent_id")
        .annotate(
            n=Count("pk"),
            won=Count("pk", filter=Q(score=2)),
            drawn=Count("pk", filter=Q(score=1)),
            lost=Count("pk", filter=Q(score=0)),
        )
    )
    rows = list(records.order_by("-n", "opponent_id")[:count])
    named = people(of.pool, (row["opponent_id"] for row in rows), of.hidden)
    return [
        Opponent(named[row["opponent_id"]], row["n"], row["won"], row["drawn"], row["lost"]) for row in rows
    ]


class MetGame(NamedTuple):
    """A game against an opponent: its line, its list, the event (None: no longer in the book), the colour.

    `is_white` is None where the game stands no more.
    """

    line: Line
    list: RatingList
    event: Event | None
    is_white: bool | None


def games_against(of: PublicPool, player_id: str, opponent_id: str) -> list[MetGame]:
    """A player's games against another in the published lists, the newest first."""
    lines = Line.objects.filter(player_id=player_id, opponent_id=opponent_id, list__in=of.lists)
    found = list(lines.order_by("-list__closes", "-list__name", "-event_id", "-round"))
    events = events_of(of.pool, (line.event_id for line in found))
    pairs = Q(white=player_id, black=opponent_id) | Q(white=opponent_id, black=player_id)
    games = standing_rows(of.pool, facts.Game).filter(pairs).values_list("event_id", "round", "white")
    white = {(event_id, number): one for event_id, number, one in games}
    return [
        MetGame(
            line,
            of.lists[line.list_id],
            events.get(line.event_id),
            None if (side := white.get((line.event_id, line.round))) is None else side == player_id,
        )
        for line in found
    ]


def ratings_of_both(pool: Pool, player_id: str, opponent_id: str) -> list[tuple[str, str, str]]:
    """At each speed of the newest list at which both are rated: the speed, the one's rating, the other's."""
    newest = latest_list(pool)
    if newest is None:
        return []
    rows = newest.rows.filter(player_id__in=(player_id, opponent_id))
    written = {(row.speed, row.player_id): row.rating_text for row in rows}
    pairs = [
        (at, written.get((at, player_id), ""), written.get((at, opponent_id), "")) for at in newest.speeds
    ]
    return [pair for pair in pairs if all(pair[1:])]


class PlayedGame(NamedTuple):
    """A line of a list: one game of a player, against whom and where (None: no longer in the book)."""

    line: Line
    opponent: Person
    event: Event | None


def games_in(published: RatingList, player_id: str, speed: str) -> list[PlayedGame]:
    """A player's games at one speed in a list."""
    lines = published.lines.filter(player_id=player_id, speed=speed).order_by("position")
    return _games(published.pool, list(lines))


def _games(pool: Pool, lines: list[Line]) -> list[PlayedGame]:
    named = people(pool, (line.opponent_id for line in lines))
    events = events_of(pool, (line.event_id for line in lines))
    return [PlayedGame(line, named[line.opponent_id], events.get(line.event_id)) for line in lines]
