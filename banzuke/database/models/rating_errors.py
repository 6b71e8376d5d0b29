"""How far off ratings are, as an officer wants it shown to players."""

from django.db import models

from banzuke.database.models.facts import CHARS, Pool


class RatingErrors(models.Model):
    """What players' pages of a pool show of it, from a moment on; the last row counts.

    `errors` are, by speed, pairs of a number of games and the standard error of ratings that rest on so many
    or more, in whole points, fewest games first; empty where nothing is shown any more. `list` is the last
    one of then.
    """

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="rating_errors")
    at = models.DateTimeField()
    author = models.CharField(max_length=CHARS)
    list = models.CharField(max_length=CHARS, blank=True)
    errors = models.JSONField()
