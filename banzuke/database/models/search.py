"""By what players and events are found, beside `NameWord`: made from the book, and at any time made again."""

from typing import ClassVar

from django.db import models

from banzuke.database.models.facts import Pool


class NearWord(models.Model):
    """A word of the pool's names, and one of the keys under which its misspellings find it.

    A word is there once, however many bear it. `banzuke.exchange.near_words` makes the keys.
    """

    class Kind(models.TextChoices):
        """Whose names: players', or events'."""

        PLAYER = "p"
        EVENT = "e"

    pool = models.ForeignKey(Pool, models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=1, choices=Kind.choices)
    key = models.TextField()
    word = models.TextField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["pool", "kind", "key", "word"], name="one_key_of_a_word")
        ]


class EventWord(models.Model):
    """A form by which an event is found, by every beginning of it; bytes, as those of `NameWord`."""

    pool = models.ForeignKey(Pool, models.CASCADE, related_name="+", db_index=False)
    form = models.BinaryField()
    event_id = models.TextField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["pool", "form", "event_id"], name="one_form_of_an_event")
        ]
        indexes: ClassVar = [models.Index(fields=["pool", "event_id", "form"], name="forms_of_an_event")]


class FoundUpTo(models.Model):
    """Up to which entry, and which row of players and of events, a pool's names have their forms and keys."""

    pool = models.OneToOneField(Pool, models.CASCADE, primary_key=True, related_name="+")
    entry = models.BigIntegerField(default=0)
    player = models.BigIntegerField(default=0)
    event = models.BigIntegerField(default=0)
