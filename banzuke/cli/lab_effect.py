"""banzuke lab effect: what other numbers would do to one player's rating, and the share of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from banzuke.cli.command import LedgerArgument, UntilOption, command
from banzuke.cli.lab import ReformOption, SetOption, leave_without_laboratory, read_reforms
from banzuke.cli.output import Bar, print_line, print_table, show, text
from banzuke.core.fault import RefusedError, fault
from banzuke.ledger.folder import read_chess_ledger
from banzuke.words import preferred_language

if TYPE_CHECKING:
    from banzuke.lab.reform_effect import Change, Effect
    from banzuke.ledger.pool_rules import Pool

#: How many columns of the table, at the end, are numbers.
NUMBERS = 4


@command
def effect(
    folder: LedgerArgument,
    player: Annotated[str, typer.Argument(metavar="PLAYER", help=text("lab-player"))],
    settings: SetOption = None,
    reforms: ReformOption = None,
    until: UntilOption = None,
) -> None:
    """Say what other numbers would do to one player."""
    leave_without_laboratory()
    from banzuke.engine.columnar.chess_reader import columns_of
    from banzuke.lab.reform_effect import Effects, changes_of

    with Bar(text("lab-progress")) as progress:
        columns = columns_of(read_chess_ledger(folder))
        pool = columns.pool
        changes = changes_of(pool, settings or [], read_reforms(reforms or []))
        if not changes:
            raise RefusedError([fault("--set", 0, "", "lab-effect-nothing")])
        if player not in columns.player_numbers:
            raise RefusedError([fault("PLAYER", 0, player, "lab-effect-nobody")])
        asked = Effects(columns, until, progress)
        effects = [asked.of(speed, player, changes) for speed in pool.speeds]
    show(_facts, _print, pool, changes, effects)


def _facts(pool: Pool, changes: list[Change], effects: list[Effect]) -> list[dict[str, object]]:
    """The effects for programs; shares in points."""
    names = ("number", "label", "clause", "present", "tried", "share", "error")
    return [
        {
            "speed": effect.speed,
            "before": effect.before,
            "after": effect.after,
            "shares": [dict(zip(names, row, strict=True)) for row in _rows(pool, changes, effect)],
        }
        for effect in effects
    ]


def _rows(pool: Pool, changes: list[Change], effect: Effect) -> list[tuple[object, ...]]:
    """A row for each number: what it is, its value now and then, its share and how sure that is."""
    from banzuke.core.numbers import numbers_of

    rows: list[tuple[object, ...]] = []
    books = {edition.book.name: edition.book for edition in pool.editions}
    for (*_, override), share in zip(changes, effect.shares, strict=False):
        number = numbers_of(books[override.book]).get(override.name)
        of = number.parameter if number else None
        what = (of.label(preferred_language()), of.clause) if of else ("", "")
        rows.append((override.name, *what, number.value if number else None, override.value, *share))
    return rows


def _print(pool: Pool, changes: list[Change], effects: list[Effect]) -> None:
    """The effects for people."""
    from banzuke.lab.plots import code_text

    for effect in effects:
        is_known = None not in (effect.before, effect.after)
        changed = text("lab-changed", before=effect.before, after=effect.after)
        said = changed if is_known else text("lab-not-rated")
        speed = code_text("speed", effect.speed, preferred_language())
        print_line(f"{speed}: {said}" if speed else said, heading=True)
        if is_known:
            rows = _rows(pool, changes, effect)
            has_errors = any(row[-1] is not None for row in rows)
            headings = (
                *(text("lab-number"), text("lab-label"), text("clause"), text("lab-present")),
                *(text("lab-tried"), text("lab-share"), text("lab-error")),
            )
            end = len(headings) - (not has_errors)
            print_table("", headings[:end], [row[:end] for row in rows], numbers=NUMBERS - (not has_errors))
