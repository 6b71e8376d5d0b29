"""banzuke erase: a person is erased at the office's machine."""

from __future__ import annotations

import getpass
from typing import Annotated

import typer

from banzuke.cli.command import NO, command, leave
from banzuke.cli.office_data import OWNER, Known, known_pool, open_as_owner
from banzuke.cli.output import Bar, answer, text

PlayerId = Annotated[str, typer.Argument(metavar="PLAYER", help=text("erase-player"))]


@command
def erase(
    slug: Known,
    player: PlayerId,
    yes: Annotated[bool, typer.Option("--yes", help=text("erase-yes"))] = False,
) -> None:
    """Erase a person: names and all that is personal; ids, games and figures stay."""
    open_as_owner()
    from django.db import ProgrammingError

    from banzuke.database.roles import is_forbidden
    from banzuke.office.erasure import erasing
    from banzuke.office.erasure.erased_files import wipe
    from banzuke.office.erasure.erasure_plan import plan_erasure
    from banzuke.office.journal import Actor
    from banzuke.office.refusals import AlreadyErasedError, NotDoneError
    from banzuke.words import preferred_language

    pool = known_pool(slug)
    try:
        plan = plan_erasure(pool, player)
        rows = sum(count.rows for count in plan.counts)
        if not yes:
            typer.echo(text("erase-goes", player=plan.player, rows=rows, files=len(plan.files)), err=True)
            if typer.prompt(text("erase-type"), err=True).strip() != plan.player:
                leave(text("erase-not"), NO)
        with Bar(text("erase-progress")) as progress:
            done = erasing.erase(pool, plan.player, Actor(getpass.getuser()), progress)
    except AlreadyErasedError as refusal:
        erasing.note_again(erasing.erasures_of_person(pool, player))
        said = [refusal.sentence(preferred_language()), *([] if wipe([pool]) else [text("erase-busy")])]
        leave("\n".join(said), NO)
    except NotDoneError as refusal:
        leave(refusal.sentence(preferred_language()), NO)
    except ProgrammingError as error:
        if not is_forbidden(error):
            raise
        leave(text("erase-owner", variable=OWNER))
    facts = {"pool": slug, "ids": list(done.ids), "rows": done.rows, "files": done.files}
    said = [text("erase-done", player=done.ids[0], rows=done.rows, files=done.files)]
    if done.bytes_gone is False:
        said.append(text("erase-busy"))
    answer(facts | {"bytes_gone": done.bytes_gone}, *said)
