"""How a published rating came about, from what was stored with its list; nothing is rated again.

The sentences are those of `explanations.chess_rating`. Names, events and days of play are those of the entry
that the list was made from; a player who is shown by id only now is named by it.
"""

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from django.db.models import Q

from banzuke.core import facts, go_facts
from banzuke.core.facts import Event
from banzuke.core.go_facts import HALF_OF, GoLine, GoState
from banzuke.core.rating import MEMBER, UNRATED, Calculation, Rating
from banzuke.core.sentences import Figures, Part, Side
from banzuke.database.book_reader import read_table
from banzuke.database.models import Line as StoredLine
from banzuke.database.models import ListRow, RatingList
from banzuke.engine.agreed_terms import RanksBefore
from banzuke.explanations import chess_rating, go_rank
from banzuke.explanations.chess_rating import RatingAccount, not_members
from banzuke.explanations.explanation import Explanation, UnknownPlayerError
from banzuke.explanations.go_rank import GoAccount
from banzuke.ledger.pool_rules import EditionInForce
from banzuke.ledger.records import standing_records
from banzuke.office.fact_rows import TABLES
from banzuke.office.lists.go_rankings import HUNDREDTHS
from banzuke.office.lists.list_index import edition_of, known_until
from banzuke.office.lists.list_rows import LINE_COLUMNS, line_of, working_from_json
from banzuke.office.live.earlier_ranks import GameWithLines, find_ranks_before
from banzuke.office.live.live_tables import LiveTables
from banzuke.office.pages.list_registers import register_of_players
from banzuke.office.public_names import by_id_only
from banzuke.words import Language

_COLUMNS = attrgetter(*LINE_COLUMNS)


def explain_rating(published: RatingList, player: str, speed: str | None, lang: Language) -> Explanation:
    """How a player's rating in a published list came about; `speed` None: at every speed.

    Games that make no list stand under the speed ``""``. Raises UnknownPlayerError.
    """
    edition = edition_of(published)
    if published.is_go:
        return go_rank.explain_account(_go_account(published, edition, player), lang)
    speeds = ("", *edition.book.speeds) if speed is None else (speed,)
    return chess_rating.explain_account(
        _account(published, edition, player, tuple(dict.fromkeys(speeds))), lang
    )


def _account(
    published: RatingList, edition: EditionInForce, player: str, speeds: Sequence[str]
) -> RatingAccount:
    lines = list(published.lines.filter(player_id=player).order_by("position"))
    figures = {
        working.speed: working_from_json(working.calculation)
        for working in published.workings.filter(player_id=player)
    }
    rows = {row.speed: row for row in published.rows.filter(player_id=player)}
    names = _names(published, {player} | _opponents(lines, figures.values()))
    if player not in names:
        raise UnknownPlayerError(player, [])
    with_lines = {line.speed for line in lines}
    last = {speed: "" if speed in with_lines else _last(published, player, speed) for speed in speeds}
    told = {line.event_id for line in lines} | _waiting(figures.values()) | set(last.values())
    events = _facts(published, facts.Event, Q(event_id__in=told))
    sides = _sides(published, edition, lines, events, player)
    parts = [
        Part(
            speed,
            [side for at, side in sides if at == speed],
            figures.get(speed) or _unmoved(player, rows.get(speed)),
            last[speed],
            edition.settings,
        )
        for speed in speeds
    ]
    called = {event.event_id: (event.name, event.name_native) for event in events}
    return RatingAccount(player, published.name, edition, names, called, parts)


def _opponents(lines: Iterable[StoredLine], figures: Iterable[Figures]) -> set[str]:
    """Everybody who is named beside the player."""
    firsts = [each.calculation.first for each in figures if each.calculation.first]
    return {line.opponent_id for line in lines} | {game.opponent for first in firsts for game in first.games}


def _waiting(figures: Iterable[Figures]) -> set[str]:
    """The events of games for a first rating."""
    firsts = [each.calculation.first for each in figures if each.calculation.first]
    return {game.event_id for first in firsts for game in first.games}


def _names(published: RatingList, players: set[str]) -> Mapping[str, tuple[str, str]]:
    found = _facts(published, facts.Player, Q(player_id__in=players))
    hidden = by_id_only(published.pool) & players
    names = {player.player_id: (player.name, player.name_native) for player in found}
    return names | {player: (player, player) for player in hidden}


def _facts(published: RatingList, record: Any, only: Q) -> list[Any]:
    """The rows of a kind of record that are asked for, as of the entry that the list was made from."""
    return read_table(published.pool, TABLES[record], published.entry_id, only)


def _sides(
    published: RatingList, edition: EditionInForce, lines: list[StoredLine], events: list[Event], player: str
) -> list[tuple[str, Side]]:
    """The lines with their events and days, each with its speed."""
    known = known_until(published)
    of_id = {event.event_id: event for event in standing_records(events, known)}
    mine = Q(white=player) | Q(black=player)
    games = _facts(published, facts.Game, mine & Q(event_id__in=of_id.keys()))
    played = {
        (game.event_id, game.round, frozenset((game.white, game.black))): game.played
        for game in standing_records(games, known)
    }
    register = register_of_players(published, _left_out_for_membership(lines))
    found = []
    for stored in lines:
        event, line = of_id[stored.event_id], line_of(_COLUMNS(stored))
        day = played[event.event_id, line.round, frozenset((line.player, line.opponent))] or event.starts
        who = not_members(edition.book, register, event, line, day)
        found.append((stored.speed, Side(event, line, day, who)))
    return found


def _left_out_for_membership(lines: Iterable[StoredLine]) -> set[str]:
    """The players of games that do not count for want of a membership."""
    return {
        player for line in lines if line.verdict == MEMBER for player in (line.player_id, line.opponent_id)
    }


def _unmoved(player: str, row: ListRow | None) -> Figures:
    """The figures of a player whose rating stayed, or who has none."""
    state = UNRATED if row is None else Rating(row.rating, row.games, row.peak, earned=False)
    calculation = Calculation(player, state, state, "", 0, 0, False, None, state)
    return Figures(calculation, False, False, None, ())


def _last(published: RatingList, player: str, speed: str) -> str:
    """The last list so far, as they were then, with a line of the player's; blank if none has."""
    so_far = RatingList.objects.filter(
        pool=published.pool, number__lte=published.number, closes__lte=published.closes
    )
    latest = {each.name: each for each in so_far.order_by("number")}
    lists = {each.pk: (each.closes, each.name) for each in latest.values()}
    lines = StoredLine.objects.filter(list__in=lists, player_id=player, speed=speed)
    found = [lists[pk] for pk in lines.values_list("list", flat=True).distinct()]
    ours = (published.closes, published.name)
    return max((each for each in found if each <= ours), default=("", ""))[1]


def _go_account(published: RatingList, edition: EditionInForce, player: str) -> GoAccount:
    """A player's account of a ranking. Raises UnknownPlayerError."""
    row = published.rows.filter(player_id=player).first()
    if row is None:
        raise UnknownPlayerError(player, [])
    lines = list(published.lines.filter(player_id=player).order_by("position"))
    working = published.workings.filter(player_id=player).first()
    states = working.calculation["states"] if working else {}
    played = _facts(published, go_facts.GoGame, Q(game_id__in=[line.event_id for line in lines]))
    games = {game.game_id: game for game in played}
    book = edition.book
    accounts = [(book, games[line.event_id], _go_line(line, *states[line.event_id])) for line in lines]
    names = _go_names(published, {player} | {line.opponent_id for line in lines})
    total = working.calculation["games"] if working else 0
    before = _ranks_before(published, games)
    return GoAccount(player, published.name, edition, _go_state(row), total, accounts, names, before)


def _ranks_before(published: RatingList, games: Mapping[str, Any]) -> dict[str, RanksBefore]:
    """By which earlier ranks terms were regular, as the live tables have it of games that stand."""
    stored = LiveTables(published.pool).standing_games(games)
    return find_ranks_before(
        published.pool, [GameWithLines(each.game, each.lines) for each in stored.values()]
    )


def _go_names(published: RatingList, players: set[str]) -> dict[str, str]:
    found = _facts(published, go_facts.GoPlayer, Q(player_id__in=players))
    hidden = by_id_only(published.pool) & players
    return {player.player_id: player.name for player in found} | {player: player for player in hidden}


def _go_state(row: ListRow) -> GoState:
    half = HALF_OF.get(row.written)
    return GoState(row.status, row.written, half, row.rating, row.games, row.wins_in_bc or 0)


def _go_line(line: StoredLine, before: list[Any], after: list[Any]) -> GoLine:
    return GoLine(
        line.player_id,
        line.opponent_id,
        _state(line.rank, *before),
        _state(line.opponent_rank),
        line.difference,
        line.upper,
        None if line.score is None else bool(line.score),
        None if line.change is None else line.change // HUNDREDTHS,
        line.verdict,
        line.clause,
        _state(line.rank_after, *after),
    )


def _state(
    rank: str, kind: str = "", points: int | None = None, rated_games: int = 0, wins: int = 0
) -> GoState:
    """A state, as far as the sentences need it."""
    return GoState(kind, rank, HALF_OF.get(rank), points, rated_games, wins)
