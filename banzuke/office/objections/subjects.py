"""What an objection is of, as public pages show it and nothing beyond: game, event, player's data or list."""

from typing import NamedTuple

from django.db.models import Q, QuerySet

from banzuke.core import facts
from banzuke.database.models import Event, GoGame, Line, ListRow, Objection, Pool, RatingList
from banzuke.office.fact_rows import standing_rows
from banzuke.office.lists.list_index import current_lists
from banzuke.office.merged_ids import kept_id
from banzuke.office.pages.played_games import events_of
from banzuke.office.public_names import Person, people

Kind = Objection.Subject
Lists = QuerySet[RatingList]
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

    `event` is the row that stands, if any does; `event_id` is a game's id for Go. `players` are those of the
    event, if it is of the event.
    """

    kind: Kind
    list: RatingList | None
    speed: str = ""
    event_id: str = ""
    event: Event | None = None
    player: Person | None = None
    games: tuple[GameOfPlayer, ...] = ()
    players: tuple[Person, ...] = ()


def find_subject(
    pool: Pool, player: str = "", event: str = "", name: str = "", speed: str = ""
) -> Subject | None:
    """What pages show under these ids, in the list of that name (blank: the newest); None: nothing."""
    lists = current_lists(pool)
    if player or event:
        return _of_ids(pool, player, event, lists.filter(name=name) if name else lists, speed)
    found = lists.filter(name=name).first() if name else None
    return Subject(Kind.LIST, found, speed) if found else None


def subject_of(objection: Objection) -> Subject | None:
    """The subject of an objection, as the list that was looked at has it; None where nothing is left."""
    pool, seen = objection.inquiry.pool, objection.list
    if objection.subject == Kind.LIST:
        return Subject(Kind.LIST, seen, objection.speed) if seen else None
    if seen is None:
        return find_subject(pool, objection.player_id, objection.event_id, speed=objection.speed)
    lists = RatingList.objects.filter(pk=seen.pk)
    return _of_ids(pool, objection.player_id, objection.event_id, lists, objection.speed)


def game_of(objection: Objection, subject: Subject | None) -> GameOfPlayer | None:
    """The game that an objection is of, as its list has it."""
    games = subject.games if subject else ()
    key = objection.round, objection.opponent_id
    return next((one for one in games if (one.line.round, one.line.opponent_id) == key), None)


def same_subject(objection: Objection) -> QuerySet[Objection]:
    """The other objections to the same game, from whichever side, or to the same event, player or list."""
    others = Objection.objects.filter(inquiry__pool=objection.inquiry.pool, subject=objection.subject)
    sides = objection.player_id, objection.opponent_id
    pair = Q(player_id=sides[0], opponent_id=sides[1]) | Q(player_id=sides[1], opponent_id=sides[0])
    same = others.filter(pair, event_id=objection.event_id, round=objection.round)
    if objection.subject == Kind.LIST:
        same = same.filter(list__name=objection.list.name if objection.list else "")
    return same.exclude(pk=objection.pk).order_by("pk")


def _of_ids(pool: Pool, player: str, event: str, lists: Lists, speed: str) -> Subject | None:
    """A player's games in an event, an event, or a player, in those lists.

    A player who was put together with another is found under both ids: lists of before have the old one.
    """
    ids = [player, kept_id(pool, player)] if player else []
    if event and player:
        return _games(pool, ids, event, lists, speed)
    return _event(pool, event, lists) if event else _player(pool, ids, lists)


def _games(pool: Pool, ids: list[str], event: str, lists: Lists, speed: str) -> Subject | None:
    lines = Line.objects.filter(list__in=_keys(lists), event_id=event, player_id__in=ids)
    if speed:
        lines = lines.filter(speed=speed)
    newest = lines.order_by("-list__closes", "-list__name").select_related("list").first()
    if newest is None:
        return _live_game(pool, ids[-1], event)
    player = newest.player_id
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


def _event(pool: Pool, event: str, lists: Lists) -> Subject | None:
    row = standing_rows(pool, facts.Event).filter(event_id=event).last()
    lines = Line.objects.filter(list__in=_keys(lists), event_id=event)
    line = lines.select_related("list").order_by("-list__closes", "-list__name").first()
    if row is None and line is None:
        return None
    ids = lines.filter(list=line.list_id).values_list("player_id", flat=True) if line else ()
    players = tuple(people(pool, dict.fromkeys(ids)).values())
    return Subject(Kind.EVENT, line.list if line else None, event_id=event, event=row, players=players)


def _player(pool: Pool, ids: list[str], lists: Lists) -> Subject | None:
    rows = ListRow.objects.filter(list__in=_keys(lists), player_id__in=ids).select_related("list")
    newest = rows.order_by("-list__closes", "-list__name").first()
    player = newest.player_id if newest else ids[-1]
    if newest is None and not standing_rows(pool, facts.Player).filter(player_id=player).exists():
        return None
    return Subject(Kind.PLAYER, newest.list if newest else None, player=people(pool, [player])[player])


def _keys(lists: Lists) -> list[int]:
    """The lists' numbers in the database."""
    return list(lists.values_list("pk", flat=True))
