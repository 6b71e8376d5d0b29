"""What clubs owe for the games they report, and what they have paid. Amounts are whole yen."""

from typing import ClassVar

from django.db import models

from banzuke.database.models.facts import CHARS, Pool


class Invoice(models.Model):
    """What a club owes for a window; `lines` are its events, participants and amounts as they were then."""

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="invoices")
    number = models.IntegerField()
    club_id = models.TextField()
    window = models.CharField(max_length=10)
    amount = models.IntegerField()
    lines = models.JSONField()
    at = models.DateTimeField()
    author = models.CharField(max_length=CHARS)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["pool", "number"], name="one_invoice_of_a_number")
        ]


class Payment(models.Model):
    """Money that came for an invoice; a negative amount takes back one that was noted wrongly."""

    invoice = models.ForeignKey(Invoice, models.PROTECT, related_name="payments")
    day = models.DateField()
    amount = models.IntegerField()
    note = models.TextField(blank=True)
    at = models.DateTimeField()
    author = models.CharField(max_length=CHARS)
