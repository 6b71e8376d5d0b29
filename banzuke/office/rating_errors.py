"""How far off ratings are, as players' pages show it: by the laboratory's answer, if the office wants it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from django.db import transaction

from banzuke.database.models import RatingErrors
from banzuke.office.journal import note

if TYPE_CHECKING:
    from banzuke.database.models import Pool
    from banzuke.office.journal import Actor

#: By speed: so many games or more, and the error in points; fewest games first.
Errors = dict[str, list[list[int]]]


def show_errors(pool: Pool, errors: Errors, actor: Actor) -> None:
    """Show these on players' pages from now on; none: show nothing any more."""
    with transaction.atomic():
        last = pool.lists.order_by("number").last()
        listed = last.name if last else ""
        pool.rating_errors.create(at=datetime.now(UTC), author=actor.name, list=listed, errors=errors)
        note(actor, "rating-errors", pool, shown=bool(errors))


def shown_errors(pool: Pool) -> RatingErrors | None:
    """What players' pages show; None: nothing."""
    found = RatingErrors.objects.filter(pool=pool).order_by("-pk").first()
    return found if found is not None and found.errors else None


def error_of(shown: RatingErrors | None, speed: str, games: int) -> tuple[int, int] | None:
    """The standard error of ratings that rest on so many games, after the fewest that it holds for."""
    steps = [] if shown is None else [step for step in shown.errors.get(speed, []) if step[0] <= games]
    return (steps[-1][0], steps[-1][1]) if steps else None
