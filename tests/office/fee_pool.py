"""A pool rated by NCS 2022 with tournaments and meetings of three clubs, for tests of fees."""

from __future__ import annotations

from datetime import date

from banzuke.core.facts import Club, Event, Game, Membership, Player
from banzuke.core.registry import BOOKS
from banzuke.database.book_writer import Act, enter_ledger
from banzuke.ledger.folder import ChessLedger
from banzuke.ledger.pool_rules import EditionInForce, Pool
from banzuke.rulebooks.jcf.ncs_2022 import Settings
from banzuke.rulebooks.pandanet.ranks import default_zone

POOL_TOML = """name = "Example Federation"
[[edition]]
rulebook = "ncs-2022"
from = 2022-09-01
"""
YEAR = (date(2024, 1, 1), date(2024, 12, 31))


def event(event_id, organiser, day, form="tournament", **more):
    """An event of one day in June 2024, reported the day after."""
    words = {"place": "Tokyo", "responsible": "X", "speed": "standard", "base_minutes": 90} | more
    return Event(
        event_id, f"The {event_id}", date(2024, 6, day), date(2024, 6, day),
        words.pop("reported", date(2024, 6, day + 1)), organiser=organiser, form=form, **words,
    )  # fmt: skip


EVENTS = [
    event("open", "C1", 1),  # A B C D
    event("meet-1", "C2", 2, "meeting"),  # A B
    event("meet-2", "C2", 9, "meeting"),  # A C
    event("blitz", "C2", 10, speed="blitz", base_minutes=3),  # A B
    event("cup", "C2", 12),  # A B, and E who did not come
    event("next", "C1", 22),  # the window after: A B
]
GAMES = {
    "open": [
        Game("open", 1, "A", "B", "1-0"),
        Game("open", 1, "C", "D", "0-1"),
        Game("open", 2, "A", "D", "1-0"),
    ],
    "meet-1": [Game("meet-1", 1, "A", "B", "1-0"), Game("meet-1", 2, "B", "A", "1/2-1/2")],
    "meet-2": [Game("meet-2", 1, "A", "C", "1-0")],
    "blitz": [Game("blitz", 1, "A", "B", "1-0")],
    "cup": [Game("cup", 1, "A", "B", "1-0"), Game("cup", 2, "A", "E", "+/-")],
    "next": [Game("next", 1, "A", "B", "1-0")],
}


def fee_pool(slug="ncs", events=EVENTS, toml=POOL_TOML, **settings):
    """The pool; list 2024-07 takes what was reported from 2024-05-21 to 2024-06-20."""
    if settings:
        toml += "[edition.settings]\n" + "\n".join(
            f"{key} = {str(value).lower()}" for key, value in settings.items()
        )
    edition = EditionInForce(BOOKS["ncs-2022"], date(2022, 9, 1), Settings(**settings), "", default_zone())
    ledger = ChessLedger(
        Pool("Example Federation", (edition,)),
        [Player(name, f"PLAYER {name}") for name in "ABCDE"],
        [Club(c, name, "club", *YEAR) for c, name in (("C1", "Hinoki"), ("C2", "Kawabe"), ("C3", "Seiran"))],
        [Membership(name, "annual", *YEAR) for name in "ABCDE"],
        list(events),
        GAMES,
        [],
    )
    return enter_ledger(slug, ledger, {"pool.toml": toml}, Act("test", "import-ledger"))
