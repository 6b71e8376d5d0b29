"""How FIDE's regulations explain a player's list; at rapid and blitz the clauses have their own numbers."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import groupby

from banzuke.core import chess_sentences as common
from banzuke.core.month import first_day_without
from banzuke.core.rating import FIRST, PlayerState
from banzuke.core.sentences import Part, Sentences, Side, Statement
from banzuke.rulebooks.fide.fide_2024 import (
    CITES,
    DRAWN_GAMES,
    DRAWN_WITH,
    FIRST_GAMES,
    FIRST_MONTHS,
    FLOOR,
    Settings,
    clause_at_speed,
    first_rating,
    games_on_file,
    games_used,
    inheritance_clause,
)


def _at_speed(part: Part, statements: Iterable[Statement]) -> Iterator[Statement]:
    """The clauses under the numbers that they have at the part's speed."""
    for statement in statements:
        yield statement._replace(clause=clause_at_speed(statement.clause, part.speed))


def _before(part: Part) -> Iterator[Statement]:
    """What stood before the list, or the standard rating that stands in."""
    source = part.figures.calculation.source
    yield common.standing_before(part, CITES["list"])
    if source:
        yield from common.inheritance(part, inheritance_clause(source, part.speed), CITES["floor"])


def _game(part: Part, side: Side) -> Iterator[Statement]:
    """A game; one played without a rating is on file, unless the regulations have no use for it."""
    if side.line.verdict != FIRST:
        yield from common.game_by_k(part, side, CITES)
        return
    key, clause = "first", side.line.clause
    if part.figures.calculation.entered.value is not None:
        key = "first-late"
    elif side.event.event_id not in part.figures.on_file:
        key, clause = "first-dropped", CITES["no-point"]
    yield Statement(key, clause, {"game": common.game_of_list(side)})


def _result(part: Part) -> Iterator[Statement]:
    """The sum, or the working of a first rating with its two draws."""
    working = part.figures.calculation.first
    if working is None:
        yield common.result_by_k(part, CITES, FLOOR)
        return
    yield from common.games_on_file(working)
    if working.rating is None:
        yield common.no_first_rating(working, len(working.games), FIRST_GAMES, FLOOR)
        return
    yield Statement("drawn-with", CITES["two-draws"], {"rating": DRAWN_WITH, "games": DRAWN_GAMES})
    yield common.first_rating(working)
    yield from common.bounded(working, "first-capped", CITES["highest"])


SENTENCES = Sentences(
    before=lambda part: _at_speed(part, _before(part)),
    game=lambda part, side: _at_speed(part, _game(part, side)),
    result=lambda part: _at_speed(part, _result(part)),
    after=lambda part: _at_speed(part, [common.standing_after(part, CITES["list"])]),
)


def prospects(state: PlayerState, _settings: Settings) -> Iterator[Statement]:
    """FIDE 7.1.4, 8.2.1, 8.2.3: what a first rating still needs, from the games that count today."""
    clause = clause_at_speed("FIDE 8.2.3", state.speed)
    events = [list(games) for _, games in groupby(state.on_file, key=lambda game: game.event_id)]
    used = games_used(games_on_file(None, events), state.day)
    if state.rating.value is not None:
        return
    if len(used) < FIRST_GAMES:
        oldest = min((game.played for game in used), default=None)
        until = oldest and first_day_without(oldest, FIRST_MONTHS) - timedelta(days=1)
        yield common.games_needed(clause, len(used), FIRST_GAMES, until)
    elif first_rating(used, state.day).why == "below-floor":
        yield Statement("need-more-points", clause_at_speed("FIDE 7.2.1", state.speed), {"floor": FLOOR})
    else:
        yield Statement("need-next-game", clause)
