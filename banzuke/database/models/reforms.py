"""Reforms of how a chess pool is rated: what was done about each, step by step, and is never changed."""

from typing import ClassVar

from django.db import models

from banzuke.database.models.facts import CHARS, Entry, Pool


class Reform(models.Model):
    """A reform that was drafted; `number` counts those of its pool from 1."""

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="reforms")
    number = models.IntegerField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["pool", "number"], name="a_reform_once")]


class ReformStep(models.Model):
    """What was done about a reform: by whom, when, about which draft (`sha256` of its file).

    `file` is the text of a draft, `text` the decision or the reason, `day` and `link` the decision's, `facts`
    the effect that a rehearsal found, or why an act was stopped (in each language); `entry` is the last one
    of the book that brought it into force.
    """

    class Act(models.TextChoices):
        """What was done."""

        DRAFTED = "drafted"
        REHEARSED = "rehearsed"
        MINUTED = "minuted"  # decided, with the day and the link
        SIGNED = "signed"  # by another officer than who drafted
        ANNOUNCED = "announced"
        IN_FORCE = "in-force"
        STOPPED = "stopped"  # it could not be brought into force by itself
        WITHDRAWN = "withdrawn"

    reform = models.ForeignKey(Reform, models.PROTECT, related_name="steps")
    at = models.DateTimeField()
    author = models.CharField(max_length=CHARS)
    act = models.CharField(max_length=10, choices=Act.choices)
    sha256 = models.CharField(max_length=64)
    file = models.TextField(blank=True)
    text = models.TextField(blank=True)
    day = models.DateField(null=True)
    link = models.TextField(blank=True)
    facts = models.JSONField(null=True)
    entry = models.ForeignKey(Entry, models.PROTECT, null=True, related_name="+")
