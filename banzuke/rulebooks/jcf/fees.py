"""NCS 3(4): the renewal fee that an organiser owes for the events of a window."""

from collections.abc import Collection, Iterable
from datetime import date

from banzuke.core.facts import MEETING, Event, Game
from banzuke.core.rulebook import Charge
from banzuke.rulebooks.jcf.monthly import Admission, reason


def participants(games: Iterable[Game], starts: date, admission: Admission) -> set[str]:
    """NCS 3(4): who is a participant for whom the fee is owed. [reading: fee-participants]

    `starts` is the event's first day, on which games without a day of their own were played.
    """
    paid = admission._replace(unpaid=False)
    counted = [
        game for game in games if not reason(game, game.played or starts, paid, lambda _player, _day: True)
    ]
    return {player for game in counted for player in (game.white, game.black)}


def charges(reports: Iterable[tuple[Event, Collection[str]]]) -> list[Charge]:
    """NCS 3(4): for whom a window's events are charged, in the order in which they are given.

    Every participant of an event; at a club's meetings each once, at the first one they came to.
    """
    found: list[Charge] = []
    met: dict[str, set[str]] = {}
    for event, came in reports:
        players = set(came)
        if event.form == MEETING:
            players -= met.setdefault(event.organiser, set())
            met[event.organiser] |= players
        found.append(Charge(event, len(players)))
    return found
