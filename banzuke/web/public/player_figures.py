"""A player's page speed by speed: the figures, the next game, the last event, calculators filled in."""

from typing import NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from banzuke.database.models import ComingRow, Pool
from banzuke.explanations.explanation import Sentence
from banzuke.office.pages.coming_ratings import ComingRatings
from banzuke.office.pages.next_game import NextGame
from banzuke.office.pages.played_games import PlayedEvent, PlayedGames
from banzuke.office.pages.player_standing import PlayerStanding, SpeedStanding
from banzuke.office.rating_errors import error_of, shown_errors
from banzuke.web.reference.calculator_forms import ASKED_FIELDS
from banzuke.web.shortcuts import page_language

CHANGE, EVENT, FIRST = "change", "event", "first"


class AtSpeed(NamedTuple):
    """A speed of a player's page; `now` is None for who is in no list of it.

    `why` says where the rating of the next game is from, and why it has this K, `needed` what is still needed
    for a first rating; `coming` is the row of the coming list, None where that leaves the rating as it is.
    `what_if` are addresses of calculators by their kind, with what is known filled in. `error` is how far off
    ratings are that rest on so many games or more, if the office shows it (`office.rating_errors`).
    """

    speed: str
    now: SpeedStanding | None
    next: NextGame | None
    why: list[Sentence]
    needed: list[Sentence]
    last: PlayedEvent | None
    coming: ComingRow | None
    what_if: dict[str, str]
    error: tuple[int, int] | None

    @property
    def says_something(self) -> bool:
        """Whether there is anything to be said of who is in no list."""
        return bool(self.why or self.needed)


def at_speeds(
    pool: Pool, standing: PlayerStanding, played: PlayedGames, closed: ComingRatings | None
) -> list[AtSpeed]:
    """The speeds of a player: first those with a rating, then the others of the book in force."""
    rows = closed.rows if closed else {}
    now = {one.speed: one for one in standing.speeds}
    lang, shown = page_language(), shown_errors(pool)
    found = []
    for speed in dict.fromkeys([*now, *standing.next_games]):
        coming = standing.next_games.get(speed)
        said = (coming.why(lang), coming.needed(lang)) if coming else ([], [])
        last = next((event for event in played.events if event.speed == speed), None)
        what_if = _what_if(pool, coming) if coming else {}
        own = now.get(speed)
        error = error_of(shown, speed, own.row.games) if own and own.row.rating is not None else None
        found.append(AtSpeed(speed, own, coming, *said, last, rows.get(speed), what_if, error))
    return found


def _what_if(pool: Pool, coming: NextGame) -> dict[str, str]:
    """The addresses of the calculators that are of use to the player."""
    known: dict[str, object] = {"book": coming.book.name}
    if coming.rating.value is None:
        return {FIRST: _address(pool, FIRST, known)}
    known["own"] = coming.rating.value
    given = {"k": coming.k and coming.k.value, "games": coming.rating.games}.get(coming.asks)
    if given is not None:
        known[ASKED_FIELDS[coming.asks]] = given
    return {kind: _address(pool, kind, known) for kind in (EVENT, CHANGE)}


def _address(pool: Pool, kind: str, known: dict[str, object]) -> str:
    return f"{reverse('reading-calculator', kwargs={'slug': pool.slug, 'kind': kind})}?{urlencode(known)}"
