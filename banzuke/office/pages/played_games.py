"""What a player has played in published lists: events with their results, and the record against others."""

from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import Count, Q, QuerySet, Sum

from banzuke.core import facts
from banzuke.core.rating import FIRST, RATED
from banzuke.database.models import Event, Line, Pool, RatingList
from banzuke.office.fact_rows import standing_rows
from banzuke.office.lists import list_index
from banzuke.office.pages.bonuses import OfPlayer, bonuses_in
from banzuke.office.public_names import Person, people

#: How many events and opponents are shown at first.
SHORT = 40


class PlayedEvent(NamedTuple):
    """An event of a player in a list: games and score (half points) that count, the change in hundredths.

    `event` is None where it no longer stands in the book. `bonus` is what the rules added to the change, in
    hundredths (None: nothing).
    """

    event_id: str
    event: Event | None
    list: RatingList
    speed: str
    games: int
    score: int
    change: int | None
    bonus: int | None


class Opponent(NamedTuple):
    """A player's record against another, in games played."""

    person: Person
    games: int
    won: int
    drawn: int
    lost: int


class PlayedGames(NamedTuple):
    """Events, the newest first, and opponents, the most frequent first; `is_all`: there are no others."""

    events: list[PlayedEvent]
    opponents: list[Opponent]
    is_all: bool

    @property
    def has_bonus(self) -> bool:
        """Whether the rules added something to the change of any event."""
        return any(one.bonus is not None for one in self.events)


def load_played_games(pool: Pool, player_id: str, *, everything: bool = False) -> PlayedGames:
    """What a player has played, in short or everything of it."""
    lists = {published.pk: published for published in list_index.current_lists(pool)}
    lines = Line.objects.filter(player_id=player_id, list__in=lists)
    count = None if everything else SHORT + 1
    events, opponents = _events(pool, player_id, lists, count), _opponents(pool, lines, count)
    is_all = everything or max(len(events), len(opponents)) <= SHORT
    return (
        PlayedGames(events, opponents, True)
        if is_all
        else PlayedGames(events[:SHORT], opponents[:SHORT], False)
    )


def _events(pool: Pool, player_id: str, lists: dict[int, RatingList], count: int | None) -> list[PlayedEvent]:
    lines = Line.objects.filter(player_id=player_id, list__in=lists)
    counted = Q(verdict__in=(RATED, FIRST))
    sums = lines.values("list", "event_id", "speed").annotate(
        n=Count("pk", filter=counted), s=Sum("score", filter=counted), c=Sum("change")
    )
    rows = list(sums.order_by("-list__closes", "-list__name", "-event_id", "speed")[:count])
    events = events_of(pool, (row["event_id"] for row in rows))
    bonuses = bonuses_in((lists[row["list"]] for row in rows), [player_id])
    return [
        PlayedEvent(
            row["event_id"],
            events.get(row["event_id"]),
            lists[row["list"]],
            row["speed"],
            row["n"],
            row["s"] or 0,
            row["c"],
            bonuses.get(OfPlayer(row["list"], row["speed"], player_id)),
        )
        for row in rows
    ]


def events_of(pool: Pool, ids: Iterable[str]) -> dict[str, Event]:
    """The events of these ids that stand in the pool's book, by id."""
    rows = standing_rows(pool, facts.Event).filter(event_id__in=set(ids))
    return {row.event_id: row for row in rows}


def _opponents(pool: Pool, lines: QuerySet[Line], count: int | None) -> list[Opponent]:
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
    named = people(pool, (row["opponent_id"] for row in rows))
    return [
        Opponent(named[row["opponent_id"]], row["n"], row["won"], row["drawn"], row["lost"]) for row in rows
    ]


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
