"""banzuke publish and verify: a pool's lists published, and made again from the ledger and compared."""

from __future__ import annotations

import getpass
import os
from datetime import datetime  # noqa: TC003  # typer reads it
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from banzuke.cli.command import NO, command, leave
from banzuke.cli.office_data import Known, known_pool, open_or_exit
from banzuke.cli.output import Bar, answer, complain_of, fault_facts, print_line, show, text
from banzuke.words import preferred_language

if TYPE_CHECKING:
    from datetime import date

    from banzuke.database.models import Pool, RatingList
    from banzuke.office.lists.list_differences import Difference, LineDifference
    from banzuke.office.lists.office_verification import Findings
    from banzuke.office.lists.verification import Verification

#: So many differences are printed.
MOST_SHOWN = 20


@command
def publish(
    slug: Known,
    name: Annotated[str | None, typer.Argument(metavar="LIST", help=text("publish-list"))] = None,
    preliminary_until: Annotated[
        datetime | None,
        typer.Option(metavar="DAY", formats=["%Y-%m-%d"], help=text("publish-preliminary")),
    ] = None,
) -> None:
    """Publish the coming list, or every list up to one."""
    open_or_exit()
    from banzuke.office.journal import Actor
    from banzuke.office.lists import publishing
    from banzuke.office.lists.coming_list import today_of
    from banzuke.office.refusals import NotDoneError

    pool = known_pool(slug)
    today = today_of(pool)
    wanted = name or _coming_list_name(pool, today)
    try:
        with Bar(text("publish-progress")) as progress:
            until = preliminary_until.date() if preliminary_until else None
            lists = publishing.publish(pool, wanted, Actor(getpass.getuser()), today, None, progress, until)
    except NotDoneError as refusal:
        leave(refusal.sentence(preferred_language()), NO)
    done = [text("publish-done", list=each.name, number=each.number, sha256=each.sha256) for each in lists]
    answer({"pool": slug, "lists": [_facts(each) for each in lists]}, *done)


def _coming_list_name(pool: Pool, today: date) -> str:
    from banzuke.office.lists.coming_list import find_coming_list

    found = find_coming_list(pool, today)
    if found is None:
        leave(text("publish-none", pool=pool.slug), NO)
    return found.name


def _facts(published: RatingList) -> dict[str, object]:
    """What a published list says of itself, for programs."""
    return {
        "list": published.name,
        "revision": published.revision,
        "number": published.number,
        "entry": published.entry_id,
        "sha256": published.sha256,
    }


@command
def verify(
    slug: Annotated[str | None, typer.Argument(metavar="[POOL]", help=text("book-pool"))] = None,
    name: Annotated[str | None, typer.Argument(metavar="[LIST]", help=text("verify-list"))] = None,
    revision: Annotated[
        int | None, typer.Option("--revision", min=0, metavar="N", help=text("verify-revision"))
    ] = None,
    every: Annotated[bool, typer.Option("--all", help=text("verify-all"))] = False,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint", metavar="FILE", exists=True, dir_okay=False, help=text("verify-checkpoint")
        ),
    ] = None,
    key: Annotated[str, typer.Option("--key", metavar="KEY", help=text("verify-key"))] = "",
    save: Annotated[Path | None, typer.Option("--save", metavar="DIR", help=text("verify-save"))] = None,
) -> None:
    """Make a published list again from its ledger and compare every figure; or all lists."""
    from banzuke.client.public_lists import is_public

    if slug and is_public(slug) and not (name or every or revision is not None):
        from banzuke.cli.public_verification import verify_given

        verify_given(slug, checkpoint, key, save)
        return
    if slug and name is None and (os.sep in slug or Path(slug).is_dir()):
        leave(text("public-address", given=slug))
    if checkpoint or key or save:
        leave(text("public-only"))
    if every and (slug, name, revision) == (None, None, None):
        _verify_all()
        return
    if every or slug is None or name is None:
        leave(text("verify-what"))
    open_or_exit()
    from banzuke.office.lists import verification
    from banzuke.office.refusals import NotDoneError

    try:
        with Bar(text("verify-progress")) as progress:
            found = verification.verify(known_pool(slug), name, revision, progress)
    except NotDoneError as refusal:
        leave(refusal.sentence(preferred_language()))
    show(_verification_facts, _print_verification, found)
    if not found.is_good:
        raise typer.Exit(NO)


def _verify_all() -> None:
    open_or_exit()
    from banzuke.office.lists.office_verification import verify_office

    with Bar(text("verify-progress")) as progress:
        found = verify_office(progress)
    show(_office_facts, _print_office, found)
    if not found.is_good:
        raise typer.Exit(NO)


def _office_facts(found: Findings) -> dict[str, object]:
    """What was found in the office, for programs."""
    return {
        "is_good": found.is_good,
        "good": found.good,
        "differ": [{"pool": each.published.pool.slug, **_verification_facts(each)} for each in found.bad],
        "faults": [fault_facts(fault) for fault in found.faults],
        "remarks": [fault_facts(fault) for fault in found.remarks],
    }


def _print_office(found: Findings) -> None:
    """What was found in the office, for people."""
    complain_of([*found.remarks, *found.faults])
    for each in found.bad:
        print_line(each.published.pool.slug, heading=True)
        _print_verification(each)
    print_line(text("verify-all-good", good=found.good))
    if not found.is_good:
        print_line(text("verify-all-bad", bad=len(found.bad), faults=len(found.faults)))


def _verification_facts(found: Verification) -> dict[str, object]:
    """A verification, for programs."""
    return {
        **_facts(found.published),
        "made_again": found.sha256,
        "is_good": found.is_good,
        "rows": found.rows,
        "lines": found.lines,
        "differences": [_difference(each) for each in _all_differences(found)],
        "workings": [{"speed": speed, "player_id": player} for speed, player in found.workings],
        "record": [figure._asdict() for figure in found.record],
    }


def _all_differences(found: Verification) -> list[Difference | LineDifference]:
    return [*found.differences, *found.line_differences]


def _difference(found: Difference | LineDifference) -> dict[str, object]:
    return found._asdict() | {"figures": [figure._asdict() for figure in found.figures]}


def _print_verification(found: Verification) -> None:
    """A verification, for people."""
    facts = {
        "list": found.published.name,
        "revision": found.published.revision,
        "rows": found.rows,
        "lines": found.lines,
        "sha256": found.sha256,
    }
    print_line(text("verify-good" if found.is_good else "verify-bad", **facts))
    for figure in found.record:
        print_line(text("verify-record", figure=figure.name, old=figure.before, new=figure.after))
    for each in _all_differences(found)[:MOST_SHOWN]:
        for figure in each.figures:
            what = {"player": each.player, "figure": figure.name, "old": figure.before, "new": figure.after}
            print_line(text("verify-figure", **what))
    for speed, player in found.workings[:MOST_SHOWN]:
        print_line(text("verify-working", player=player, speed=speed))
