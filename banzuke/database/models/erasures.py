"""Persons who were erased: what stays is that it was done, and what it was done to."""

from typing import ClassVar

from django.db import models

from banzuke.database.models.facts import CHARS, Entry, Pool
from banzuke.database.models.lists import RatingList
from banzuke.database.models.reports import ReportFile


class Erasure(models.Model):
    """An id whose person was erased: on which day, by whom, and in how many rows of which columns.

    Who is reported again is erased again, by another entry. `rows` has for each table its columns and how
    many rows there were. Where a number has taken the place of the id, `former` is the hash by which the
    office knows the old one again (`office.erased_ids`).
    """

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="erasures")
    player_id = models.TextField()
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="+")
    day = models.DateField()
    author = models.CharField(max_length=CHARS)
    rows = models.JSONField()
    former = models.CharField(max_length=64, null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["pool", "player_id", "entry"], name="one_erasure_of_an_entry")
        ]


class ErasedRow(models.Model):
    """A row of the book in which somebody was erased: the hash that it had before, by a salt that is gone.

    So the log's hashes of before are still compared, over all that was not erased.
    """

    erasure = models.ForeignKey(Erasure, models.PROTECT, related_name="book_rows")
    table = models.CharField(max_length=40)
    row = models.BigIntegerField()
    before = models.BinaryField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["erasure", "table", "row"], name="one_erased_row")
        ]


class ErasedFile(models.Model):
    """A report's file that named an erased person: its bytes are gone, its SHA-256 and its size stay."""

    erasure = models.ForeignKey(Erasure, models.PROTECT, related_name="files")
    file = models.OneToOneField(ReportFile, models.PROTECT, related_name="erased")
    size = models.BigIntegerField()


class ErasedEvents(models.Model):
    """A list whose events named an erased person: the hash of what stands of them; the last one counts."""

    erasure = models.ForeignKey(Erasure, models.PROTECT, related_name="events")
    list = models.ForeignKey(RatingList, models.PROTECT, related_name="erased_events")
    sha256 = models.CharField(max_length=64)
