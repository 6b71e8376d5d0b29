"""Inquiries about published ratings, and the corrections they lead to."""

from datetime import date
from typing import ClassVar

from django.db import models

from banzuke.database.models.facts import CHARS, Entry, Pool
from banzuke.database.models.lists import RatingList


class Inquiry(models.Model):
    """Who asked, on which day, about what; `draft` is the correction (`office.lists.correction_drafts`).

    It came into the office on `recorded_on`; an earlier `day` counts once a second officer has confirmed it.
    Inquiries of before that rule have no `recorded_on`: their day counts.
    """

    class State(models.TextChoices):
        """Where an inquiry stands."""

        OPEN = "open"
        CORRECTED = "corrected"
        DISMISSED = "dismissed"
        WITHDRAWN = "withdrawn"  # by who wrote it

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="inquiries")
    day = models.DateField()
    recorded_on = models.DateField(null=True)
    recorded_by = models.CharField(max_length=CHARS, blank=True)
    confirmed_by = models.CharField(max_length=CHARS, blank=True)
    confirmed_at = models.DateTimeField(null=True)
    asked_by = models.TextField()
    about = models.TextField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    draft = models.JSONField(default=list)

    @property
    def is_dated_back(self) -> bool:
        """Whether it was asked on an earlier day than that on which it was recorded."""
        return self.recorded_on is not None and self.day < self.recorded_on

    @property
    def needs_confirmation(self) -> bool:
        """Whether its earlier day has not been confirmed."""
        return self.is_dated_back and self.confirmed_at is None

    @property
    def counted_day(self) -> date:
        """The day that decides which lists may change, and from which the correction holds."""
        return self.recorded_on if self.recorded_on and self.needs_confirmation else self.day


class InquiryStep(models.Model):
    """What was done about an inquiry: by whom, when, why, by which clause.

    `entry` is the correction's in the book. Appeals and withdrawals are the writer's, who has no name here.
    """

    class Act(models.TextChoices):
        """What was done; the first three close the inquiry."""

        CORRECTED = "corrected"
        DISMISSED = "dismissed"
        WITHDRAWN = "withdrawn"
        UPHELD = "upheld"  # the correction is to be carried out
        APPEALED = "appealed"

    inquiry = models.ForeignKey(Inquiry, models.PROTECT, related_name="steps")
    at = models.DateTimeField()
    author = models.CharField(max_length=CHARS, blank=True)
    state = models.CharField(max_length=10, choices=Act.choices)
    why = models.TextField(blank=True)
    entry = models.ForeignKey(Entry, models.PROTECT, null=True, related_name="+")
    clause = models.CharField(max_length=CHARS, blank=True)


class Objection(models.Model):
    """An inquiry that somebody opened without an account: what it is of, and what should be right.

    `list` is the one that was looked at (null: none). Of the secret link only the SHA-256 is kept; `salt`
    makes it again for mails, together with the office's key, and goes with the address. `sender` is that of
    the day, not to be told from it. `language` is the page's on which it was written, and that of its mails.
    """

    class Subject(models.TextChoices):
        """What it is of."""

        GAME = "game"
        EVENT = "event"
        PLAYER = "player"
        LIST = "list"

    inquiry = models.OneToOneField(Inquiry, models.PROTECT, related_name="objection")
    received_at = models.DateTimeField()
    subject = models.CharField(max_length=10, choices=Subject.choices)
    list = models.ForeignKey(RatingList, models.PROTECT, null=True, related_name="objections")
    speed = models.CharField(max_length=10, blank=True)
    event_id = models.TextField(blank=True)
    round = models.IntegerField(null=True)
    player_id = models.TextField(blank=True)
    opponent_id = models.TextField(blank=True)
    change = models.CharField(max_length=20, blank=True)
    right = models.TextField(blank=True)
    token_sha256 = models.CharField(max_length=64, unique=True)
    sender = models.CharField(max_length=64)
    email = models.CharField(max_length=254, blank=True)
    site = models.CharField(max_length=CHARS, blank=True)
    salt = models.CharField(max_length=64, blank=True)
    language = models.CharField(max_length=5, blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["received_at"], name="objections_by_day")]


class ObjectionMail(models.Model):
    """A mail to who wrote an objection that is still to be sent; the address is read when it is sent.

    `tries` were made; the next one is due at `due_at`.
    """

    objection = models.ForeignKey(Objection, models.PROTECT, related_name="mails")
    what = models.CharField(max_length=20)
    due_at = models.DateTimeField(db_index=True)
    tries = models.IntegerField(default=0)


class ClubQuestion(models.Model):
    """What an officer asked a club about an inquiry, and what the club answered."""

    inquiry = models.ForeignKey(Inquiry, models.PROTECT, related_name="questions")
    club_id = models.TextField()
    asked_at = models.DateTimeField()
    asked_by = models.CharField(max_length=CHARS)
    question = models.TextField()
    answered_at = models.DateTimeField(null=True)
    answered_by = models.CharField(max_length=CHARS, blank=True)
    answer = models.TextField(blank=True)
