"""What an objection is of, as public pages show it, and nothing beyond: a game, an event, a player's data."""

from typing import NamedTuple

from django.db.models import Q

from banzuke.core import facts
from banzuke.database.models import Event, GoGame, Line, ListRow, Objection, Pool, RatingList
from banzuke.office.fact_rows import standing_rows
from banzuke.office.lists.list_index import current_lists
from banzuke.office.merged_ids import kept_id
from banzuke.office.pages.played_games import events_of
from banzuke.office.public_names import Person, people

Kind = Objection.Subject
#: So many games of a player in one event are offered.
MOST = 100


class GameOfPlayer(NamedTuple):
    """A game as its list has it, from the player's side."""

    line: Line
    player: Person
    opponent: Person

    @property
    def key(self) -> str:
        """What a form calls it."""
        return f"{self.line.round}-{self.line.position}"


class Subject(NamedTuple):
    """What an objection is of; `list` is the one that has it, `games` the player's in the event.

    `event` is the row that stands, if any does; `event_id` is a game's id for Go.
    """

    kind: Kind
    list: RatingList | None
    speed: str = ""
    event_id: str = ""
    event: Event | None = None
    player: Person | None = None
    games: tuple[GameOfPlayer, ...] = ()


def find_subject(
    pool: Pool, player: str = "", event: str = "", name: str = "", speed: str = ""
) -> Subject | None:
    """What pages show under these ids, in the list of that name (blank: the newest); None: nothing."""
    wanted = kept_id(pool, player) if player else ""
    if event and wanted:
        return _games(pool, wanted, event, name, speed)
    if event:
        return _event(pool, event, name)
    return _player(pool, wanted, name) if wanted else None


def subject_of(objection: Objection) -> Subject | None:
    """The subject of an objection, as it is now; None where nothing of it is left."""
    name = objection.list.name if objection.list else ""
    pool = objection.inquiry.pool
    return find_subject(pool, objection.player_id, objection.event_id, name, objection.speed)


def game_of(objection: Objection, subject: Subject | None) -> GameOfPlayer | None:
    """The game that an objection is of, as its list has it now."""
    games = subject.games if subject else ()
    key = objection.round, objection.opponent_id
    return next((one for one in games if (one.line.round, one.line.opponent_id) == key), None)


def _games(pool: Pool, player: str, event: str, name: str, speed: str) -> Subject | None:
    lines = Line.objects.filter(list__in=_lists(pool, name), event_id=event, player_id=player)
    if speed:
        lines = lines.filter(speed=speed)
    newest = lines.order_by("-list__closes", "-list__name").select_related("list").first()
    if newest is None:
        return _live_game(pool, player, event)
    found = list(lines.filter(list=newest.list_id, speed=newest.speed).order_by("position")[:MOST])
    known = people(pool, {player, *(line.opponent_id for line in found)})
    games = tuple(GameOfPlayer(line, known[player], known[line.opponent_id]) for line in found)
    row = events_of(pool, [event]).get(event)
    return Subject(Kind.GAME, newest.list, newest.speed, event, row, known[player], games)


def _live_game(pool: Pool, player: str, game: str) -> Subject | None:
    """A game of a Go server that no list has yet."""
    sides = Q(black=player) | Q(white=player)
    if not GoGame.objects.filter(sides, pool=pool, game_id=game).exists():
        return None
    return Subject(Kind.GAME, None, event_id=game, player=people(pool, [player])[player])


def _event(pool: Pool, event: str, name: str) -> Subject | None:
    row = standing_rows(pool, facts.Event).filter(event_id=event).last()
    line = Line.objects.filter(list__in=_lists(pool, name), event_id=event).select_related("list").first()
    if row is None and line is None:
        return None
    return Subject(Kind.EVENT, line.list if line else None, event_id=event, event=row)


def _player(pool: Pool, player: str, name: str) -> Subject | None:
    rows = ListRow.objects.filter(list__in=_lists(pool, name), player_id=player).select_related("list")
    newest = rows.order_by("-list__closes", "-list__name").first()
    if newest is None and not standing_rows(pool, facts.Player).filter(player_id=player).exists():
        return None
    return Subject(Kind.PLAYER, newest.list if newest else None, player=people(pool, [player])[player])


def _lists(pool: Pool, name: str) -> list[int]:
    """The numbers in the database of the list of that name, or of all."""
    lists = current_lists(pool)
    return list((lists.filter(name=name) if name else lists).values_list("pk", flat=True))
