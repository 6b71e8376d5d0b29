"""A Go server's pool as the desk reads it, as the API tells it."""

from collections.abc import Mapping
from typing import Any

from banzuke.api.live.go_schemas import side_of, state_of
from banzuke.api.serializers import halves
from banzuke.core.decimals import decimal
from banzuke.core.go_facts import GoState
from banzuke.engine.result_rows import ranks
from banzuke.office.live.game_terms import Outcome, Stones, Terms
from banzuke.office.live.go_standing import Lines, Standing
from banzuke.office.live.rated_games import Change, PlayedGame
from banzuke.office.public_names import Person
from banzuke.words import Language, say


def live_of(found: Standing, lang: Language) -> dict[str, Any]:
    """Where a player stands."""
    coming = found.prospects
    return state_of(found.state) | {
        "zone": None if found.lines is None else _zone(found.lines, lang),
        "number": coming.number,
        "multiplier": None if coming.multiplier is None else decimal(10 * coming.multiplier),
        "to_certification": coming.to_certification,
        "to_17k": coming.to_lowest_rank,
        "place": found.place,
        "last_at": found.last_at,
    }


def _zone(lines: Lines, lang: Language) -> dict[str, Any]:
    key = "zone-file" if lines.source else "zone-default"
    return {
        "up": lines.up,
        "to_up": lines.to_up,
        "down": lines.down,
        "to_down": lines.to_down,
        "table": lines.source,
        "origin": say("explain", key, lang, file=lines.source),
    }


def game_of(played: PlayedGame) -> dict[str, Any]:
    """A game with what it did for both sides."""
    game = played.game
    columns = ("ended", "result", "handicap", "board", "moves", "room", "pair", "robot", "fault")
    return {name: getattr(game, name) for name in columns} | {
        "number": played.number,
        "game": game.game_id,
        "komi": halves(game.komi),
        "black": side_of(played.black),
        "white": side_of(played.white),
    }


def change_of(change: Change) -> dict[str, Any]:
    """A change of the feed."""
    return {
        "number": change.number,
        "game": change.game_id,
        "ended": change.ended,
        "is_again": change.is_again,
        "black": side_of(change.black),
        "white": side_of(change.white),
    }


def terms_of(terms: Terms, named: Mapping[str, Person]) -> dict[str, Any]:
    """Terms before a game."""
    given = terms.given
    return {
        "black": _to_play(named[given.black], terms.black),
        "white": _to_play(named[given.white], terms.white),
        "regular": None if terms.regular is None else _stones(terms.regular),
        "given": _stones(given),
        "difference": None if terms.difference is None else ranks(terms.difference),
        "upper": terms.upper or None,
        "if_black_wins": _outcome(terms.if_black_wins),
        "if_white_wins": _outcome(terms.if_white_wins),
    }


def _to_play(who: Person, state: GoState) -> dict[str, Any]:
    return {"player": who.player_id, "name": who.name, "rank": state.rank}


def _stones(stones: Stones) -> dict[str, Any]:
    return {
        "black": stones.black,
        "white": stones.white,
        "handicap": stones.stones,
        "komi": halves(stones.komi),
        "is_reverse": stones.is_reverse,
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return {"black": side_of(outcome.black), "white": side_of(outcome.white)}
