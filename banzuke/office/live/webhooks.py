"""Webhooks of Go pools: the addresses to which a pool's feed is posted, and how far each has come.

`banzuke/server/webhook_sender.py` posts. What a receiver has taken is noted after it said so; after a kill
in between, some changes are posted again, and the receiver passes over numbers that it has.
"""

import base64
import ipaddress
import random
import re
import secrets
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet

from banzuke.database.models import Pool, Webhook
from banzuke.database.write_turns import writers_turn
from banzuke.office import notices
from banzuke.office.journal import Actor, note
from banzuke.office.live.go_rules import go_rules_of
from banzuke.office.live.rated_games import newest_number
from banzuke.office.office_key import office_key
from banzuke.office.refusals import NotDoneError
from banzuke.words import Language, say

#: How a secret is written: this, and its bytes (so many) in base64.
SECRET_MARK, SECRET_BYTES = "whsec_", 32
_SEALED_FOR = "webhook secret"
#: How many webhooks a pool may have.
MOST = 10
#: The pause after the first failure, doubled after each further one, and the longest.
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=2), timedelta(hours=1)
#: How long nothing may be taken until a webhook is switched off.
OFF_AFTER = timedelta(days=3)
_MOST_CHARS = 2_000
#: An address without a name or password in it, without a fragment, and of plain characters.
_PLAIN = re.compile(r"https?://[^\s@#\\/?]+(/[^\s#\\]*)?(\?[^\s#\\]*)?", re.ASCII)


class WebhookAddressError(NotDoneError):
    """What was typed is no address that can be posted to: `typed`."""


class WebhookWithoutTlsError(NotDoneError):
    """The address is of another machine, and not https: `typed`."""


class TooManyWebhooksError(NotDoneError):
    """The pool has as many as it may: `most`."""


class NewWebhook(NamedTuple):
    """A new webhook, and its secret as text, which nobody can see again."""

    webhook: Webhook
    secret: str


def add_webhook(pool: Pool, address: str, after: int | None, actor: Actor) -> NewWebhook:
    """Have the feed posted to an address: what comes after a number, or (None) from now on.

    Raises NotDoneError; NotLiveError for a pool of chess; OSError where the office's key cannot be read.
    """
    go_rules_of(pool)
    address = address.strip()
    check_address(address)
    secret, now = secrets.token_bytes(SECRET_BYTES), datetime.now(UTC)
    sealed = office_key().seal(_SEALED_FOR, secret)
    with writers_turn(), transaction.atomic():
        if Webhook.objects.filter(pool=pool).count() >= MOST:
            raise TooManyWebhooksError(most=MOST)
        webhook = Webhook.objects.create(
            pool=pool,
            address=address,
            secret=sealed,
            made_by=actor.name,
            made_at=now,
            sent=newest_number(pool) if after is None else after,
            due_at=now,
        )
        note(actor, "webhook-added", pool, webhook=webhook.pk, host=host_of(webhook))
    return NewWebhook(webhook, SECRET_MARK + base64.b64encode(secret).decode())


def check_address(address: str) -> None:
    """Raise NotDoneError unless an address can be posted to: https, or http to this machine.

    http to other machines is for who sets `BANZUKE_WEBHOOKS_HTTP=1`.
    """
    try:
        parts = urlsplit(address)
        is_good = (
            address.isascii()
            and len(address) <= _MOST_CHARS
            and bool(_PLAIN.fullmatch(address) and parts.hostname)
        )
        is_good = is_good and parts.port != 0
    except ValueError:
        is_good = False
    if not is_good:
        raise WebhookAddressError(typed=address[:_MOST_CHARS])
    if parts.scheme == "http" and not settings.WEBHOOKS_HTTP and not _is_loopback(parts.hostname or ""):
        raise WebhookWithoutTlsError(typed=address)


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def host_of(webhook: Webhook) -> str:
    """The machine that is posted to; the rest of an address may hold a secret of the receiver's."""
    return urlsplit(webhook.address).hostname or ""


def remove_webhook(webhook: Webhook, actor: Actor) -> None:
    """Nothing is posted there any more, and its secret is forgotten."""
    with writers_turn(), transaction.atomic():
        note(actor, "webhook-removed", webhook.pool, webhook=webhook.pk, host=host_of(webhook))
        webhook.delete()


def switch_on(webhook: Webhook, actor: Actor) -> None:
    """Post at once, and go on where it ended, also if it was switched off."""
    now = datetime.now(UTC)
    with writers_turn(), transaction.atomic():
        Webhook.objects.filter(pk=webhook.pk).update(off_at=None, tries=0, failing_since=None, due_at=now)
        note(actor, "webhook-on", webhook.pool, webhook=webhook.pk, host=host_of(webhook))


def failure_sentence(webhook: Webhook, lang: Language) -> str:
    """Why the last attempt failed, without a full stop; blank where it did not."""
    facts = dict(webhook.failure)
    return say("office", f"webhook-failed-{facts.pop('code')}", lang, **facts) if facts else ""


# What the sender asks, and what it notes


def due_webhooks(now: datetime) -> list[Webhook]:
    """Those that may be posted to now; who has taken nothing for the longest time is first."""
    due = Webhook.objects.select_related("pool").filter(off_at=None, due_at__lte=now)
    return list(due.order_by(F("taken_at").asc(nulls_first=True), "pk"))


def secret_of(webhook: Webhook) -> bytes:
    """Its secret. Raises SealError where this office does not have the key that sealed it, and OSError."""
    return office_key().unseal(_SEALED_FOR, webhook.secret)


def begin_batch(webhook: Webhook, upto: int) -> bool:
    """Note which changes are posted next, so that after a kill the same are; False if it is gone or moved."""
    if webhook.upto == upto:
        return True
    if not _update(webhook, upto=upto):
        return False
    webhook.upto = upto
    return True


def note_taken(webhook: Webhook) -> bool:
    """Note that the changes of the batch were taken; False if it is gone or moved."""
    upto, now = webhook.upto, datetime.now(UTC)
    if not _update(webhook, sent=upto, tries=0, failing_since=None, failure={}, taken_at=now, due_at=now):
        return False
    webhook.sent, webhook.tries, webhook.failing_since = upto, 0, None
    return True


def note_failure(webhook: Webhook, failure: str, facts: dict[str, str], wait: int, *, is_gone: bool) -> None:
    """Note why the batch was not taken, and when it is tried again: not before the seconds asked for.

    After long failure, or if the receiver wants nothing any more (`is_gone`), it is switched off, and the
    officers who want notices are told.
    """
    now = datetime.now(UTC)
    since = webhook.failing_since or now
    is_off = is_gone or now - since >= OFF_AFTER
    pause = min(FIRST_PAUSE * 2 ** min(webhook.tries, 20), LONGEST_PAUSE)
    pause = pause * random.randint(90, 110) // 100  # noqa: S311  # so that not all come at once
    pause = max(pause, min(timedelta(seconds=wait), LONGEST_PAUSE))
    said = {"code": failure, **facts}
    with writers_turn(), transaction.atomic():
        if not _still(webhook).update(
            tries=F("tries") + 1,
            failing_since=since,
            failure=said,
            due_at=now + pause,
            off_at=now if is_off else None,
        ):
            return
        if is_off:
            note(notices.OFFICE, "webhook-off", webhook.pool, webhook=webhook.pk, host=host_of(webhook))
            notices.notify_officers_of_webhook(webhook.pool, webhook.pk, host_of(webhook), since)


def put_off_posting(webhook: Webhook, pause: timedelta) -> None:
    """Do not post to it for so long; nothing is noted of its receiver."""
    _update(webhook, due_at=datetime.now(UTC) + pause)


def _update(webhook: Webhook, **values: object) -> bool:
    with writers_turn():
        return bool(_still(webhook).update(**values))


def _still(webhook: Webhook) -> QuerySet[Webhook]:
    """It, if it is still there, switched on, and nobody has posted further meanwhile."""
    return Webhook.objects.filter(pk=webhook.pk, off_at=None, sent=webhook.sent)
