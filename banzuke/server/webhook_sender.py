"""Posts the feeds of Go pools to their webhooks, in threads of the worker: a slow one keeps no other waiting.

In order: the next changes are posted once those before were taken. What failed is posted again, the same
changes under the same id, after pauses that grow.
"""

import logging
import threading
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from django.db import Error, close_old_connections, connections

from banzuke.api.live.webhook_messages import body_of
from banzuke.client.signed_posts import WebhookMessage, post
from banzuke.database.models import Webhook
from banzuke.office.live import webhooks
from banzuke.office.live.rated_games import FeedEntry, changes_after, has_news
from banzuke.office.office_key import SealError

LOG = logging.getLogger(__name__)
#: Seconds between two looks for changes, and until what the office failed at is tried again.
STEP, AFTER_FAILURE = 0.5, 5.0
#: For how long a webhook waits at which the office failed, as its pool's rule book is not installed, say.
PUT_OFF = timedelta(minutes=1)
#: How many changes are posted at once, and to how many receivers; how many messages to one before others.
BATCH, MOST_AT_ONCE, TURN = 100, 8, 20


class WebhookSender:
    """Looks for webhooks that lack something, and has each posted to in a thread of its own."""

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self._posting: dict[int, threading.Thread] = {}

    def run(self) -> None:
        """Work until the end."""
        while not self._stop.wait(STEP):
            try:
                close_old_connections()
                self.look()
            except Error as error:
                LOG.warning("Webhooks could not be looked at: %s", type(error).__name__)
                self._stop.wait(AFTER_FAILURE)
            except Exception:  # no memory for a thread, say: it may be there again
                LOG.exception("Webhooks could not be looked at.")
                self._stop.wait(AFTER_FAILURE)

    def look(self) -> None:
        """Begin to post to those that lack something."""
        self._posting = {number: thread for number, thread in self._posting.items() if thread.is_alive()}
        for webhook in webhooks.due_webhooks(datetime.now(UTC)):
            if len(self._posting) >= MOST_AT_ONCE:
                return
            if webhook.pk not in self._posting and has_news(webhook.pool, webhook.sent):
                thread = threading.Thread(target=self._post_all, args=(webhook,), daemon=True)
                self._posting[webhook.pk] = thread
                thread.start()

    def _post_all(self, webhook: Webhook) -> None:
        """Post what there is, a turn of it; a failure of the office itself is not noted as the receiver's."""
        try:
            for _ in range(TURN):
                if self._stop.is_set() or not post_next(webhook):
                    return
        except Error as error:
            LOG.warning("Webhook %d was not posted to: %s", webhook.pk, type(error).__name__)
            self._stop.wait(AFTER_FAILURE)
        except Exception:
            LOG.exception("Webhook %d was not posted to.", webhook.pk)
            self._put_off(webhook)
        finally:
            connections.close_all()

    def _put_off(self, webhook: Webhook) -> None:
        """Have it wait, so that others need not."""
        try:
            webhooks.put_off_posting(webhook, PUT_OFF)
        except Error as error:
            LOG.warning("Webhook %d: %s", webhook.pk, type(error).__name__)
            self._stop.wait(AFTER_FAILURE)


def post_next(webhook: Webhook) -> bool:
    """Post the next changes of a webhook; False if there are none, or if they were not taken."""
    changes = changes_after(webhook.pool, webhook.sent, BATCH)
    if webhook.upto > webhook.sent:  # posted before, and not known to be taken
        changes = [each for each in changes if each.number <= webhook.upto] or changes
    if not changes or not webhooks.begin_batch(webhook, changes[-1].number):
        return False
    try:
        secret = webhooks.secret_of(webhook)
    except (SealError, OSError):
        webhooks.note_failure(webhook, "secret", {}, 0, is_gone=False)
        return False
    done = post(webhook.address, secret, message_of(webhook, changes))
    if not done.failure:
        return webhooks.note_taken(webhook)
    LOG.warning("Webhook %d of %s: %s", webhook.pk, webhook.pool.slug, done.failure)
    webhooks.note_failure(webhook, done.failure, done.facts, done.wait, is_gone=done.is_gone)
    return False


def message_of(webhook: Webhook, changes: Sequence[FeedEntry]) -> WebhookMessage:
    """Changes as one message; the same changes make the same one."""
    name = f"changes-{webhook.pk}-{changes[0].number}-{changes[-1].number}"
    return WebhookMessage(name, body_of(webhook.pool.slug, changes))
