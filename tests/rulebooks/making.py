"""Small facts for the tests of the rule books, with defaults by which a game counts.

A game is written as `A 1-0 B`, with its day behind it where that matters: `A 1-0 B 2024-06-02`.
Games of an event stand in rounds 1, 2, ... in the order in which they are written.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from banzuke.core.batch import Batch, Register
from banzuke.core.facts import Entry, Event, Game, Player
from banzuke.core.month import parse_month
from banzuke.core.rating import FirstGame, Rating, Standings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from banzuke.core.rating import Calculation, Line, Outcome

ALWAYS = ((date(1990, 1, 1), date(2099, 12, 31)),)
DATES = ("starts", "ends", "reported", "applied", "notified", "paid")


def day(text: str) -> date:
    return date.fromisoformat(text)


def event(event_id: str = "E", **facts: object) -> Event:
    """An event of 1 June 2024 at 90 minutes, reported on the 10th and paid on the 15th."""
    known: dict[str, object] = {"starts": "2024-06-01", "base_minutes": 90} | facts
    known.setdefault("ends", known["starts"])
    known.setdefault("reported", str(day(str(known["ends"])) + timedelta(days=9)))
    known.setdefault("paid", str(day(str(known["reported"])) + timedelta(days=5)))
    for name in DATES:
        if isinstance(known.get(name), str):
            known[name] = day(str(known[name]))
    return Event(event_id, event_id, **known)  # type: ignore[arg-type]


def games(event_id: str, texts: Iterable[str]) -> list[Game]:
    made = []
    for number, text in enumerate(texts, 1):
        white, result, black, *played = text.split()
        made.append(Game(event_id, number, white, black, result, day(played[0]) if played else None))
    return made


def entry(of: Event, *texts: str) -> Entry:
    return Entry(of, games(of.event_id, texts))


def played(*texts: str, **facts: object) -> Entry:
    """An event as `event` makes it, with these games."""
    return entry(event(**facts), *texts)


def rated(value: int, games: int = 100, peak: int | None = None, *, earned: bool = False) -> Rating:
    """A player of 100 games who never stood higher, unless said otherwise."""
    return Rating(value, games, value if peak is None else peak, earned)


def standings(standard: Mapping[str, Rating] | None = None, **others: Mapping[str, Rating]) -> Standings:
    ratings = {"standard": dict(standard or {})} | {speed: dict(of) for speed, of in others.items()}
    return Standings(ratings, {speed: {} for speed in ratings})


def born(player_id: str, birthday: str) -> Player:
    return Player(player_id, player_id, birth_date=day(birthday))


def register(entries: Iterable[Entry], *known: Player) -> Register:
    """Everyone who plays is an annual member; `known` says more of some players."""
    names = {name for of in entries for game in of.games for name in (game.white, game.black)}
    players = {name: Player(name, name) for name in names} | {player.player_id: player for player in known}
    return Register(players, dict.fromkeys(players, ALWAYS), {})


def batch(name: str, *entries: Entry, known: Register | None = None, opens: bool = False) -> Batch:
    """The list of that month: published on the 1st, its window closed on the 20th before."""
    month = parse_month(name)
    closes = month.plus(-1).first_day.replace(day=20)
    return Batch(name, month.first_day, closes, entries, known or register(entries), opens, {})


def lines(outcome: Outcome) -> list[Line]:
    return [line for of in outcome.events for line in of.lines]


def line(outcome: Outcome, player: str, round_: int = 1) -> Line:
    (found,) = (one for one in lines(outcome) if one.player == player and one.round == round_)
    return found


def verdicts(outcome: Outcome, player: str) -> list[str]:
    return [one.verdict for one in lines(outcome) if one.player == player]


def calculation(outcome: Outcome, player: str, speed: str = "standard") -> Calculation:
    return outcome.calculations[speed][player]


def against(*opponents: int | None, points: int, on: str = "2024-06-01") -> tuple[FirstGame, ...]:
    """Games on file with so many half points in all, won from the first game on."""
    scores = [max(0, min(2, points - 2 * number)) for number in range(len(opponents))]
    assert sum(scores) == points
    return tuple(
        FirstGame("E", number, day(on), f"O{number}", rating, score)
        for number, (rating, score) in enumerate(zip(opponents, scores, strict=True), 1)
    )
