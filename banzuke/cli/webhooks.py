"""The commands `webhook add`, `list`, `on` and `remove`: where a Go pool's feed is posted to."""

from __future__ import annotations

import getpass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from banzuke.cli.command import NO, command, leave
from banzuke.cli.office_data import known_pool, open_or_exit
from banzuke.cli.output import answer, print_line, print_table, show, text
from banzuke.words import preferred_language

if TYPE_CHECKING:
    from collections.abc import Sequence

    from banzuke.database.models import Webhook

Address = Annotated[str, typer.Argument(metavar="ADDRESS", help=text("webhook-address"))]
Slug = Annotated[str, typer.Option("--pool", metavar="POOL", help=text("book-pool"))]
OnlyOf = Annotated[str | None, typer.Option("--pool", metavar="POOL", help=text("webhook-pool"))]
After = Annotated[
    int | None, typer.Option("--after", metavar="N", min=0, max=2**63 - 1, help=text("webhook-after"))
]
Number = Annotated[int, typer.Argument(metavar="NUMBER", help=text("webhook-number"))]


@command
def add(address: Address, slug: Slug, after: After = None) -> None:
    """Have a pool's feed posted to an address, and print its secret this once."""
    open_or_exit()
    from banzuke.office.journal import Actor
    from banzuke.office.live.go_rules import NotLiveError
    from banzuke.office.live.webhooks import add_webhook
    from banzuke.office.refusals import NotDoneError

    try:
        made = add_webhook(known_pool(slug), address, after, Actor(getpass.getuser()))
    except NotLiveError:
        leave(text("webhook-not-go", pool=slug), NO)
    except NotDoneError as refusal:
        leave(refusal.sentence(preferred_language()), NO)
    answer(_facts(made.webhook) | {"secret": made.secret}, made.secret)


@command
def list_all(slug: OnlyOf = None) -> None:
    """Show the webhooks, how far each has come, and what the last error was."""
    open_or_exit()
    from banzuke.database.models import Webhook

    found = Webhook.objects.select_related("pool").order_by("pk")
    show(_all_facts, _print_all, list(found.filter(pool=known_pool(slug)) if slug else found))


def _all_facts(found: Sequence[Webhook]) -> list[dict[str, Any]]:
    return [_facts(each) for each in found]


def _print_all(found: Sequence[Webhook]) -> None:
    if not found:
        print_line(text("webhook-none"))
        return
    columns = (
        text("webhook-column-number"),
        text("webhook-column-pool"),
        text("webhook-column-address"),
        text("webhook-column-state"),
        text("webhook-column-sent"),
    )
    rows = [(each.pk, each.pool.slug, each.address, _state(each), each.sent) for each in found]
    print_table("", columns, rows, 1)


def _state(webhook: Webhook) -> str:
    from banzuke.office.journal import minute_text

    error = _failure(webhook)
    if webhook.off_at is not None:
        return text("webhook-off", at=minute_text(webhook.off_at), error=error or "-")
    if webhook.failing_since is not None:
        return text("webhook-fails", since=minute_text(webhook.failing_since), error=error)
    return text("webhook-good")


def _failure(webhook: Webhook) -> str:
    from banzuke.office.live.webhooks import failure_sentence

    return failure_sentence(webhook, preferred_language())


def _facts(webhook: Webhook) -> dict[str, Any]:
    return {
        "webhook": webhook.pk,
        "pool": webhook.pool.slug,
        "address": webhook.address,
        "sent": webhook.sent,
        "taken_at": webhook.taken_at,
        "tries": webhook.tries,
        "failing_since": webhook.failing_since,
        "failure": _failure(webhook),
        "due_at": webhook.due_at,
        "off_at": webhook.off_at,
    }


@command
def switch_on(number: Number) -> None:
    """Post to an address again, at once."""
    open_or_exit()
    from banzuke.office.journal import Actor
    from banzuke.office.live import webhooks

    webhook = _known(number)
    webhooks.switch_on(webhook, Actor(getpass.getuser()))
    webhook.refresh_from_db()
    answer(_facts(webhook), text("webhook-is-on", webhook=number, pool=webhook.pool.slug))


@command
def remove(number: Number) -> None:
    """Post to an address no more."""
    open_or_exit()
    from banzuke.office.journal import Actor
    from banzuke.office.live.webhooks import remove_webhook

    webhook = _known(number)
    facts = {"webhook": number, "pool": webhook.pool.slug}
    remove_webhook(webhook, Actor(getpass.getuser()))
    answer(facts, text("webhook-removed", **facts))


def _known(number: int) -> Webhook:
    """The webhook of that number; the command ends where there is none."""
    from banzuke.database.models import Webhook

    webhook = Webhook.objects.select_related("pool").filter(pk=number).first()
    if webhook is None:
        leave(text("webhook-unknown", number=number), NO)
    return webhook
