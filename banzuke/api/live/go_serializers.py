"""A Go server's pool as the office reads it, as the API answers it."""

from collections.abc import Mapping
from typing import Any

import orjson
from django.http import HttpResponse

from banzuke.api.live import go_schemas
from banzuke.api.serializers import if_known, serialize
from banzuke.core.decimals import decimal, halves
from banzuke.core.go_facts import GoLine, GoState
from banzuke.engine.agreed_terms import RanksBefore
from banzuke.engine.result_rows import ranks
from banzuke.office.live.game_terms import GameTerms, Terms
from banzuke.office.live.go_standing import Standing, Thresholds
from banzuke.office.live.rated_games import FeedEntry, PlayedGame
from banzuke.office.public_names import Person
from banzuke.words import Language, say


def as_json(document: Any) -> bytes:
    """What is answered."""
    return orjson.dumps(document, option=orjson.OPT_UTC_Z)


def answer(text: bytes) -> HttpResponse:
    """An answer of that JSON."""
    return HttpResponse(text, content_type="application/json")


def side_of(line: GoLine) -> dict[str, Any]:
    """One side of a game."""
    return {
        "player": line.player,
        "rank_before": line.before.rank,
        "rank_after": line.after.rank,
        "rank_changed": line.before.rank != line.after.rank,
        "points_before": line.before.points,
        "points_after": line.after.points,
        "points": line.points,
        "verdict": line.verdict,
        "clause": line.clause,
        "difference": if_known(ranks, line.difference),
        "upper": line.upper,
        "won": line.won,
        "rated_games": line.after.rated_games,
    }


def state_of(state: GoState) -> dict[str, Any]:
    """Where somebody stands."""
    return {
        "rank": state.rank,
        "kind": state.kind,
        "points": state.points,
        "rated_games": state.rated_games,
        "wins_in_bc": state.wins_in_bc,
    }


def live_of(found: Standing, lang: Language) -> dict[str, Any]:
    """Where a player stands."""
    coming = found.prospects
    return serialize(
        go_schemas.Live,
        coming,
        **state_of(found.state),
        robot=found.is_robot,
        zone=found.lines and _zone(found.lines, lang),
        multiplier=None if coming.multiplier is None else decimal(10 * coming.multiplier),
        to_17k=coming.to_lowest_rank,
        place=found.place,
        last_at=found.last_at,
    )


def _zone(lines: Thresholds, lang: Language) -> dict[str, Any]:
    origin = say("explain", "zone-file" if lines.source else "zone-default", lang, file=lines.source)
    return serialize(go_schemas.Zone, lines, table=lines.source, origin=origin)


def sides_of(black: GoLine, white: GoLine) -> dict[str, Any]:
    """Both sides of a game."""
    return {"black": side_of(black), "white": side_of(white)}


def game_of(played: PlayedGame, before: RanksBefore | None) -> dict[str, Any]:
    """A game with what it did for both sides, and by which earlier ranks its terms were regular."""
    game, sides = played.game, sides_of(played.black, played.white)
    return serialize(
        go_schemas.GameOfPlayer,
        game,
        number=played.number,
        game=game.game_id,
        komi=halves(game.komi),
        regular_before=before and before._asdict(),
        **sides,
    )


def change_of(change: FeedEntry) -> dict[str, Any]:
    """A change of the feed."""
    sides, game = sides_of(change.black, change.white), change.game
    terms = {"handicap": game and game.handicap, "komi": game and halves(game.komi)}
    return serialize(go_schemas.ChangedGame, change, game=change.game_id, **terms, **sides)


def terms_of(terms: Terms, named: Mapping[str, Person]) -> dict[str, Any]:
    """Terms before a game."""
    given = terms.given
    return {
        "black": _to_play(named[given.black], terms.black),
        "white": _to_play(named[given.white], terms.white),
        "regular": terms.regular and _stones(terms.regular),
        "given": _stones(given),
        "difference": if_known(ranks, terms.difference),
        "upper": terms.upper or None,
        "if_black_wins": sides_of(terms.if_black_wins.black, terms.if_black_wins.white),
        "if_white_wins": sides_of(terms.if_white_wins.black, terms.if_white_wins.white),
    }


def _to_play(who: Person, state: GoState) -> dict[str, Any]:
    return {"player": who.player_id, "name": who.name, "rank": state.rank}


def _stones(stones: GameTerms) -> dict[str, Any]:
    return serialize(go_schemas.Stones, stones, handicap=stones.stones, komi=halves(stones.komi))
