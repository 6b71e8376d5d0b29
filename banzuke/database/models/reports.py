"""What comes to the desk: reports with their files and their way, registers as files, events applied for."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from banzuke.database.models.facts import CHARS, Entry, NameInTwoLanguages, Pool


class Report(models.Model):
    """A report that came in; `state` is that of its last step, `club_id` the club it is of (blank: none).

    `answers` is the report that was sent back and is sent again by this one. `title`, `starts` and `ends` are
    the event's as far as they are known (of several events the first one's name, the first and the last day).
    """

    class State(models.TextChoices):
        """Where a report stands."""

        WAITING = "waiting"
        HELD = "held"
        RETURNED = "returned"  # sent back to the club, which may send it again
        ACCEPTED = "accepted"  # in the book
        REFUSED = "refused"
        WITHDRAWN = "withdrawn"  # by the club, before it was accepted

    class Source(models.TextChoices):
        """How a report came."""

        UPLOAD = "upload"
        FORM = "form"
        MAIL = "mail"
        API = "api"

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="reports")
    received_at = models.DateTimeField()
    author = models.CharField(max_length=CHARS)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    club_id = models.TextField(blank=True)
    source = models.CharField(max_length=10, choices=Source.choices)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    answers = models.ForeignKey("self", models.PROTECT, null=True, related_name="answered_by")
    title = models.TextField(blank=True)
    starts = models.DateField(null=True)
    ends = models.DateField(null=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["pool", "state"]), models.Index(fields=["pool", "club_id"])]


#: Where a report may still be decided on. One that was sent back is answered by another report.
OPEN_STATES = (Report.State.WAITING, Report.State.HELD)


class ReportFile(models.Model):
    """A file of a report, byte for byte as it came."""

    report = models.ForeignKey(Report, models.PROTECT, related_name="files")
    name = models.CharField(max_length=CHARS)
    data = models.BinaryField()
    sha256 = models.CharField(max_length=64, db_index=True)


class ReportSaid(models.Model):
    """What somebody says of a report beyond its files (`office.inbox.event_fields`); the last counts."""

    report = models.ForeignKey(Report, models.PROTECT, related_name="said")
    at = models.DateTimeField()
    author = models.CharField(max_length=CHARS)
    fields = models.JSONField()


class ReportDecision(models.Model):
    """Who a reported player is (`exchange.player_identities.Decision`); the last of a player counts."""

    report = models.ForeignKey(Report, models.PROTECT, related_name="decisions")
    at = models.DateTimeField()
    author = models.CharField(max_length=CHARS)
    file = models.CharField(max_length=CHARS)
    number = models.IntegerField()
    name = models.TextField(blank=True)
    player_id = models.TextField()


class ReportStep(models.Model):
    """A report's step into a state: by whom, when, why; `entry` is the one that put it into the book."""

    report = models.ForeignKey(Report, models.PROTECT, related_name="steps")
    at = models.DateTimeField()
    author = models.CharField(max_length=CHARS)
    state = models.CharField(max_length=10, choices=Report.State.choices)
    why = models.TextField(blank=True)
    entry = models.ForeignKey(Entry, models.PROTECT, null=True, related_name="+")


class RegisterFile(models.Model):
    """A register of members that was sent; `columns` (what its headings are) is remembered for the next one.

    `data` is dropped once the register was taken over or put away.
    """

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="register_files")
    at = models.DateTimeField()
    author = models.CharField(max_length=CHARS)
    name = models.CharField(max_length=CHARS)
    data = models.BinaryField(null=True)
    headings = models.JSONField()
    columns = models.JSONField(null=True)
    valid_from = models.DateField(null=True)


class Sanction(NameInTwoLanguages):
    """An event that a club applied for, before it is played."""

    class State(models.TextChoices):
        """What was said of it."""

        ASKED = "asked"
        GRANTED = "granted"
        REFUSED = "refused"
        CANCELLED = "cancelled"  # it does not take place

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="sanctions")
    event_id = models.TextField()
    name = models.TextField()
    organiser = models.TextField(blank=True)
    place = models.TextField(blank=True)
    responsible = models.TextField(blank=True)
    speed = models.TextField(blank=True)
    fide_rated = models.BooleanField(null=True)
    starts = models.DateField()
    ends = models.DateField()
    applied = models.DateField()
    notified = models.DateField(null=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.ASKED)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["pool", "event_id"], name="one_sanction_of_an_event")
        ]


class SanctionStep(models.Model):
    """What was done with an application: by whom, when, why."""

    sanction = models.ForeignKey(Sanction, models.PROTECT, related_name="steps")
    at = models.DateTimeField()
    author = models.CharField(max_length=CHARS)
    state = models.CharField(max_length=10, choices=Sanction.State.choices)
    why = models.TextField(blank=True)
