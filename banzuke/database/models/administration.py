"""Who works in the office: roles, keys for programs, the journal of every act, and jobs under way."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from banzuke.database.models.facts import CHARS, Pool


class Role(models.Model):
    """What a user may do, in one pool or (pool None) in all; a reporter acts for one club."""

    class Kind(models.TextChoices):
        """From the least to the most; each may what those before it may, in its pool."""

        REPORTER = "reporter"
        OFFICER = "officer"
        CHIEF = "chief"
        ADMINISTRATOR = "administrator"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="roles")
    pool = models.ForeignKey(Pool, models.CASCADE, null=True, blank=True, related_name="roles")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    club_id = models.TextField(blank=True)
    wants_notices = models.BooleanField(default=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "pool", "kind", "club_id"], name="a_role_once"),
            models.UniqueConstraint(
                fields=["user", "kind", "club_id"],
                condition=models.Q(pool=None),
                name="a_role_in_all_pools_once",
            ),
        ]


class ApiKey(models.Model):
    """A key for a program; only its hash is kept. `scopes` are words such as `read`, `reports`."""

    name = models.CharField(max_length=CHARS)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_keys")
    pool = models.ForeignKey(Pool, models.CASCADE, null=True, blank=True, related_name="+")
    prefix = models.CharField(max_length=12, unique=True)
    sha256 = models.CharField(max_length=64)
    scopes = models.JSONField(default=list)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)


class JournalEntry(models.Model):
    """An act in the office: who, when, what, from where. Rows are added, never changed."""

    at = models.DateTimeField(db_index=True)
    who = models.CharField(max_length=CHARS)
    where = models.CharField(max_length=45, blank=True)  # an IP address; blank: at the machine itself
    pool = models.ForeignKey(Pool, models.PROTECT, null=True, related_name="journal")
    act = models.CharField(max_length=40)
    what = models.JSONField(default=dict)


class Job(models.Model):
    """A long act under way or done: how far it is, and its result (`banzuke.office.jobs.job_queue`).

    `done` of `all` steps are done, as of `beat`.
    """

    class State(models.TextChoices):
        """Where a job stands."""

        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        INTERRUPTED = "interrupted"  # its worker ended before it; it may be started again

    pool = models.ForeignKey(Pool, models.PROTECT, null=True, related_name="jobs")
    kind = models.CharField(max_length=40)
    wanted = models.JSONField(default=dict)
    author = models.CharField(max_length=CHARS)
    where = models.CharField(max_length=45, blank=True)
    at = models.DateTimeField()
    state = models.CharField(max_length=12, choices=State.choices, default=State.WAITING)
    done = models.IntegerField(default=0)
    all = models.IntegerField(default=0)
    beat = models.DateTimeField(null=True)
    result = models.JSONField(null=True)


class OfficeSettings(models.Model):
    """The installation's own settings: one row."""

    second_factor_required = models.BooleanField(default=False)
    address = models.TextField(blank=True)  # the sender's on invoices
    contact = models.CharField(max_length=200, blank=True)  # where players write; public
    sends_notices = models.BooleanField(default=False)
    late_hours = models.PositiveIntegerField(null=True, blank=True)  # how far back a program may reach
    licence = models.CharField(max_length=20, blank=True)  # of the data, its id at SPDX (`licences`)


class PlannedPublication(models.Model):
    """A list that is to be published at an hour (`office.jobs.planned_publications`).

    `position` is the entry up to which its officer saw the book; a list with a day `preliminary_until` is
    preliminary up to its end; `refused` says in each language why it was not published.
    What became of it came at `ended_at`, by `ended_by` where somebody cancelled it.
    """

    class State(models.TextChoices):
        """Where it stands."""

        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        STOPPED = "stopped"  # something stood in the way
        CANCELLED = "cancelled"

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="planned_publications")
    list = models.CharField(max_length=CHARS)
    position = models.BigIntegerField()
    at = models.DateTimeField()
    author = models.CharField(max_length=CHARS)
    where = models.CharField(max_length=45, blank=True)
    asked_at = models.DateTimeField()
    state = models.CharField(max_length=12, choices=State.choices, default=State.WAITING)
    job = models.ForeignKey(Job, models.PROTECT, null=True, related_name="+")
    ended_at = models.DateTimeField(null=True)
    ended_by = models.CharField(max_length=CHARS, blank=True)
    refused = models.JSONField(null=True)
    preliminary_until = models.DateField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["pool"],
                condition=models.Q(state__in=["waiting", "running"]),
                name="one_planned_publication",
            )
        ]
