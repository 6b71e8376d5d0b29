"""One game in a chess explanation: what it moved and why, or why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.decimals import decimal, signed, two_decimals
from banzuke.core.facts import STANDARD
from banzuke.core.rating import FIRST, RATED
from banzuke.core.rulebook import Family
from banzuke.rulebooks.fide import fide_2024
from banzuke.rulebooks.hakodate import hakodate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from banzuke.core.facts import Event
    from banzuke.core.rating import Coefficient, Line
    from banzuke.explain.explanation import Speaker
    from banzuke.explain.rating_account import Account, Part, Side
    from banzuke.ledger.pool_rules import EditionInForce


class Told(NamedTuple):
    """What the sentences of one section are about, with the names in the reader's language."""

    account: Account
    part: Part
    say: Speaker
    names: Mapping[str, str]

    @property
    def player(self) -> str:
        """The player's id."""
        return self.account.player

    @property
    def speed(self) -> str:
        """The section's speed."""
        return self.part.speed

    @property
    def edition(self) -> EditionInForce:
        """The edition that rated the list."""
        return self.account.edition

    @property
    def has_list(self) -> bool:
        """Whether the games are of a kind that makes a list; a club's have no speed and make one."""
        return bool(self.speed) or self.edition.book.family is Family.CLUB

    def cite(self, concept: str) -> str:
        """The clause of a concept in the book that rated the list."""
        return self.clause(self.edition.book.module.CITES[concept])

    def clause(self, clause: str) -> str:
        """The clause under its number for this speed."""
        if self.edition.book.family is Family.FIDE:
            return fide_2024.cited(clause, self.speed)
        return clause


def _game(told: Told, event: Event, line: Line) -> str:
    """Event, round, opponent and result, as every sentence about a game begins.

    Without a list there is no rating of the opponent to be named.
    """
    return told.say.words(
        "game" if told.has_list else "game-no-list",
        event=event.name,
        round=line.round,
        opponent=told.names[line.opponent],
        rating=told.say.words("unrated") if line.opponent_rating is None else line.opponent_rating,
        score=told.say.words("score-none" if line.score is None else f"score-{line.score}"),
    )


def tell_line(told: Told, side: Side) -> None:
    """One game: what it moved and why, or why not."""
    event, line, played = side
    game = _game(told, event, line)
    if line.verdict in (RATED, FIRST) and told.edition.book.family is Family.CLUB:
        _tell_club_line(told, game, line)
    elif line.verdict == RATED:
        _tell_rated(told, game, line)
    elif line.verdict == FIRST:
        _tell_first(told, game, event, line)
    else:
        told.say.tell(f"not-{line.verdict}", line.clause, game=game, played=played, reported=event.reported)


def _tell_first(told: Told, game: str, event: Event, line: Line) -> None:
    """A game played without a rating: on file, unless FIDE's rules have no use for it."""
    if told.edition.book.module is not fide_2024:
        told.say.tell("first", line.clause, game=game)
    elif told.part.figures.calculation.entered.value is not None:
        told.say.tell("first-late", line.clause, game=game)
    elif event.event_id in told.part.figures.on_file:
        told.say.tell("first", line.clause, game=game)
    else:
        clause = "FIDE 8.2.1" if told.speed == STANDARD else "FIDE RB 7.2.2"
        told.say.tell("first-dropped", clause, game=game)


def _tell_rated(told: Told, game: str, line: Line) -> None:
    if line.difference is None or line.expected is None or line.k is None or line.change is None:
        return
    told.say.tell(
        "rated",
        line.clause,
        game=game,
        difference=f"{line.difference:+}",
        expected=two_decimals(line.expected),
        points=decimal(50 * (line.score or 0)),
        k=line.k.value,
        change=signed(line.change),
    )
    if line.own is not None and line.opponent_rating is None:
        told.say.tell("against-unrated", told.cite("against-unrated"), difference=line.difference)
    _tell_limit(told, line, 1)
    _tell_coefficient(told, line.k)


def _tell_limit(told: Told, line: Line, sign: int) -> None:
    """What the difference really is, where it counts for less; `sign` -1: seen from the opponent."""
    if line.own is None or line.opponent_rating is None or line.difference is None:
        return
    real = line.own - line.opponent_rating
    if real != line.difference:
        facts = {"real": f"{sign * real:+}", "difference": f"{sign * line.difference:+}"}
        told.say.tell("limited", told.cite("limit"), **facts)


def _tell_coefficient(told: Told, k: Coefficient) -> None:
    """Why this K; said once for each K of the section."""
    key = f"k-{k.why}"
    text = told.say.words(key, k=k.value)
    if all(sentence.text != text for sentence in told.say.sentences):
        told.say.tell(key, told.clause(k.clause), k=k.value)


def _tell_club_line(told: Told, game: str, line: Line) -> None:
    if line.change is not None and line.score is not None:
        told.say.tell(
            "club-established",
            line.clause,
            game=game,
            sixteen=f"{hakodate.EQUAL_WIN * (line.score - 1):+}",
            difference=f"{-(line.difference or 0):+}",
            change=signed(line.change),
        )
        _tell_limit(told, line, -1)
    elif line.score is not None:
        counted = line.opponent_rating
        if counted is None:
            counted = told.edition.settings.unrated_opponent
        bonus = hakodate.PER_GAME * (line.score - 1)
        told.say.tell(
            "club-provisional",
            line.clause,
            game=game,
            rating=counted,
            bonus=f"{bonus:+}",
            value=counted + bonus,
        )
