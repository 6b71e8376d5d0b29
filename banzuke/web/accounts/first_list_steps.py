"""The way from an empty pool to its first list, step by step, and which steps are done."""

from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from banzuke.core.rulebook import ChessBook
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Club, Event, GoGame, Player, Pool
from banzuke.office.register.starting_ratings import openings


class Step(NamedTuple):
    """What is to be done, where, and whether there is something of it."""

    text: str
    url: str
    is_done: bool


def steps(pool: Pool) -> list[Step]:
    """What an officer of a pool without lists does, in order; without what its rule book does not know."""
    rules = rules_of(pool)
    book = rules.editions[-1].book
    found: list[tuple[str, str, bool]] = []
    # Before the members, whose clubs are found by these names.
    if isinstance(book, ChessBook) and book.is_member:
        found.append((_("Register the clubs that organise events"), "register-clubs", _has(pool, Club)))
    if not rules.is_go:
        found.append((_("Import the member register from a file"), "register-send", _has(pool, Player)))
    found += [
        (
            _("Send in reports: files of your pairing program, or a form in the browser"),
            "inbox",
            _has(pool, Event) or _has(pool, GoGame),
        ),
        (
            _("Enter the ratings that players had before the first event, if they had any"),
            "register-openings",
            openings(pool).exists(),
        ),
        (_("Rehearse the list, and publish it"), "board", False),
    ]
    return [Step(text, reverse(name, kwargs={"slug": pool.slug}), done) for text, name, done in found]


def _has(pool: Pool, model: type[Player | Club | Event | GoGame]) -> bool:
    return model.objects.filter(pool=pool).exists()
