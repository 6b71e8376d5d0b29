"""What the coming list would be if it closed now, and the events that wait in the office: all of it derived.

These tables are no part of the book: they are replaced whole, no backup carries them, and an office whose
tables are empty fills them again.
"""

from typing import ClassVar

from django.db import models

from banzuke.database.models.facts import CHARS, Pool
from banzuke.database.models.reports import Report


class ComingList(models.Model):
    """A pool's coming list as of an entry: `position` is its number, `number` that of the last publication.

    `name` is blank where no list is coming: every event makes one, and none waits.
    """

    pool = models.OneToOneField(Pool, models.CASCADE, related_name="coming")
    name = models.CharField(max_length=CHARS, blank=True)
    day = models.DateField(null=True)
    closes = models.DateField(null=True)
    rulebook = models.CharField(max_length=40, blank=True)
    position = models.BigIntegerField()
    number = models.IntegerField()
    made_at = models.DateTimeField()


class ComingRow(models.Model):
    """A player's rating after the coming list, of those whom it would change; columns as in `ListRow`."""

    coming = models.ForeignKey(ComingList, models.CASCADE, related_name="rows")
    speed = models.CharField(max_length=10, blank=True)
    player_id = models.TextField()
    rating = models.IntegerField(null=True)
    games = models.IntegerField()
    change = models.IntegerField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["coming", "player_id", "speed"], name="one_coming_row_of_a_player"
            )
        ]


class ComingLine(models.Model):
    """One side of one game of the coming list; columns as in `Line`."""

    coming = models.ForeignKey(ComingList, models.CASCADE, related_name="lines")
    position = models.IntegerField()
    speed = models.CharField(max_length=10, blank=True)
    event_id = models.TextField()
    round = models.IntegerField()
    player_id = models.TextField()
    opponent_id = models.TextField()
    score = models.SmallIntegerField(null=True)
    own = models.IntegerField(null=True)
    opponent = models.IntegerField(null=True)
    difference = models.IntegerField(null=True)
    expected = models.SmallIntegerField(null=True)
    k = models.IntegerField(null=True)
    k_why = models.CharField(max_length=40, blank=True)
    k_clause = models.CharField(max_length=40, blank=True)
    change = models.IntegerField(null=True)
    verdict = models.CharField(max_length=40)
    clause = models.CharField(max_length=40, blank=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["coming", "event_id"]),
            models.Index(fields=["coming", "player_id"]),
        ]


class WaitingReport(models.Model):
    """What the public may know of an open report: how many questions its club has to answer.

    `seen` are the last rows of its files, fields and decisions that were looked at.
    """

    report = models.OneToOneField(Report, models.CASCADE, related_name="waiting")
    questions = models.IntegerField()
    seen = models.JSONField()


class WaitingPlayer(models.Model):
    """A player who is in an open report for certain: by an id in its files, or by an officer's decision."""

    waiting = models.ForeignKey(WaitingReport, models.CASCADE, related_name="players")
    player_id = models.TextField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["waiting", "player_id"], name="waiting_once")
        ]
        indexes: ClassVar = [models.Index(fields=["player_id"])]
