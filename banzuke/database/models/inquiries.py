"""Inquiries about published ratings, and the corrections they lead to."""

from django.db import models

from banzuke.database.models.facts import CHARS, Entry, Pool


class Inquiry(models.Model):
    """Who asked, on which day, about what; `draft` is the correction (`office.lists.correction_drafts`)."""

    class State(models.TextChoices):
        """Where an inquiry stands."""

        OPEN = "open"
        CORRECTED = "corrected"
        DISMISSED = "dismissed"

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="inquiries")
    day = models.DateField()
    asked_by = models.TextField()
    about = models.TextField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    draft = models.JSONField(default=list)


class InquiryStep(models.Model):
    """What was done about an inquiry: by whom, when, why; `entry` is the correction's in the book."""

    inquiry = models.ForeignKey(Inquiry, models.PROTECT, related_name="steps")
    at = models.DateTimeField()
    author = models.CharField(max_length=CHARS)
    state = models.CharField(max_length=10, choices=Inquiry.State.choices)
    why = models.TextField(blank=True)
    entry = models.ForeignKey(Entry, models.PROTECT, null=True, related_name="+")
