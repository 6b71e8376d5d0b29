"""Inquiries about published ratings, and the corrections they lead to."""

from datetime import date

from django.db import models

from banzuke.database.models.facts import CHARS, Entry, Pool


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
    """What was done about an inquiry: by whom, when, why; `entry` is the correction's in the book."""

    inquiry = models.ForeignKey(Inquiry, models.PROTECT, related_name="steps")
    at = models.DateTimeField()
    author = models.CharField(max_length=CHARS)
    state = models.CharField(max_length=10, choices=Inquiry.State.choices)
    why = models.TextField(blank=True)
    entry = models.ForeignKey(Entry, models.PROTECT, null=True, related_name="+")
