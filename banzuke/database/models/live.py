"""A Go pool as it stands now: a copy of what rating its book gives, kept as each game ends.

What a live service needs beside the facts: everybody's state, and both lines of every game. All of it can be
made again from the book (`office.live`). Moments are microseconds since 1970 in UTC.
"""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Length, Now
from django.db.models.lookups import LessThanOrEqual

from banzuke.database.models.facts import CHARS, Entry, Fact, Pool


class GoVoid(Fact):
    """A game annulled: from then on its result is `void`, and no fault counts.

    Of one that was restored the row is struck (`Strike` of the table `VOIDS`); one of a game stands at most.
    """

    game_id = models.TextField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["pool", "game_id"], name="annulled_game")]


#: The word by which a strike names this table.
VOIDS = "voids"
#: How long a queued game may be, in characters of JSON.
MOST_GAME = 4_000


class GoRobot(Fact):
    """Whether a player is a robot from then on; the last row of a player holds, and who has none is none."""

    player_id = models.TextField()
    robot = models.BooleanField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["pool", "id"], name="robots_of_pool")]


class LivePool(models.Model):
    """Up to which entry of the book a pool's live standings hold what it says."""

    pool = models.OneToOneField(Pool, models.PROTECT, primary_key=True, related_name="live")
    entry = models.BigIntegerField()


class _Standing(models.Model):
    """A player's state after all that the book has of the player; `at` and `game_id` are of the last game.

    Who has the greater `strength` stands before the other on the ranking. It moves with every game and has no
    index; the `rung`, of kind and half rank, seldom moves, and has one.
    """

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="+", db_index=False)
    player_id = models.TextField()
    state = models.TextField()
    rung = models.IntegerField()
    strength = models.BigIntegerField()
    at = models.BigIntegerField()
    game_id = models.TextField()

    class Meta:
        abstract = True


class LiveStanding(_Standing):
    """Where a player stands."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["pool", "player_id"], name="one_standing_each")
        ]
        indexes: ClassVar = [models.Index(fields=["pool", "-rung"], name="by_rung")]


class _RatedGame(models.Model):
    """A game with both its lines, in the order in which games were rated.

    Where a game was rated again a further row tells it, and the one before no longer stands.
    """

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="+", db_index=False)
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="+", db_index=False)
    game_id = models.TextField()
    at = models.BigIntegerField()
    black = models.TextField()
    white = models.TextField()
    black_line = models.TextField()
    white_line = models.TextField()
    stands = models.BooleanField(default=True)

    class Meta:
        abstract = True


class LiveGame(_RatedGame):
    """A game of the feed."""

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["pool", "game_id"], name="live_by_id"),
            models.Index(fields=["pool", "at"], name="live_by_end"),
            models.Index(fields=["pool", "black", "at"], name="live_by_black"),
            models.Index(fields=["pool", "white", "at"], name="live_by_white"),
            models.Index(fields=["pool", "id"], name="live_by_number"),
        ]


class NextPool(models.Model):
    """A pool that is rated by other rules beside the standings in use, up to which entry, and by which run.

    `in_force` is the entry of those rules once they hold. From then on the lines of `NextGame` are those of
    its games, until a new row of the feed tells them and the one here is taken out.
    """

    pool = models.OneToOneField(Pool, models.PROTECT, primary_key=True, related_name="+")
    entry = models.BigIntegerField()
    run = models.TextField()
    in_force = models.BigIntegerField(null=True)


class NextStanding(_Standing):
    """Where a player stands by those rules."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["pool", "player_id"], name="one_next_standing_each")
        ]


class NextGame(_RatedGame):
    """A game rated by those rules."""

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["pool", "game_id"], name="next_by_id"),
            models.Index(fields=["pool", "at"], name="next_by_end"),
            models.Index(fields=["pool", "black", "at"], name="next_by_black"),
            models.Index(fields=["pool", "white", "at"], name="next_by_white"),
        ]


class LiveRefusal(models.Model):
    """Why a program was refused, as a fault (line, column, code, facts): the last of a pool."""

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="+")
    at = models.DateTimeField()
    author = models.CharField(max_length=CHARS)
    status = models.IntegerField()
    fault = models.JSONField()


class QueuedGame(models.Model):
    """A game that a program has inserted for a pool, until it is in the pool's book; or that was refused.

    Programs insert `pool` (its word in addresses) and `game` (JSON as it is posted to the API, if they do it
    right). The database adds when it came, and on PostgreSQL the role that inserted it. `fault` says why it
    was refused (line, column, code, facts). `pool` is no key there: to check one, each insert would wait for
    whoever writes in the pool.
    """

    pool = models.ForeignKey(
        Pool,
        on_delete=models.DO_NOTHING,
        to_field="slug",
        db_column="pool",
        db_constraint=False,
        db_index=False,
        related_name="+",
    )
    game = models.TextField()
    came = models.DateTimeField(db_default=Now())
    author = models.CharField(max_length=CHARS, db_default="")
    refused = models.DateTimeField(null=True)
    fault = models.JSONField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("game"), MOST_GAME), name="queued_game_is_short"
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["pool", "id"], condition=models.Q(refused=None), name="games_waiting"),
            models.Index(fields=["pool", "id"], condition=~models.Q(refused=None), name="games_refused"),
        ]


class Webhook(models.Model):
    """An address to which a pool's feed is posted, with the secret that signs it, sealed by the office's key.

    It has taken every change up to the number `sent`; `upto` is the last of the changes that were posted
    then, which are posted again until they are taken. `tries` have failed, since `failing_since`, the last
    by `failure` (its kind, with its facts); the next is due at `due_at`, unless it is switched off.
    """

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="webhooks")
    address = models.CharField(max_length=2_000)
    secret = models.TextField()
    made_by = models.CharField(max_length=CHARS)
    made_at = models.DateTimeField()
    sent = models.BigIntegerField()
    upto = models.BigIntegerField(default=0)
    taken_at = models.DateTimeField(null=True)
    tries = models.IntegerField(default=0)
    failing_since = models.DateTimeField(null=True)
    failure = models.JSONField(default=dict)
    due_at = models.DateTimeField()
    off_at = models.DateTimeField(null=True)
