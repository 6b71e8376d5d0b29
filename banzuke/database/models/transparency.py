"""What the office can be held to: the bytes of its lists, their trees, and the log of what it published.

`banzuke.transparency` says how trees, persons and entries are made.
"""

from typing import ClassVar

from django.db import models

from banzuke.database.models.facts import Pool
from banzuke.database.models.lists import RatingList


class ListContent(models.Model):
    """The exact bytes of a list's content, as gzip packs them; the list's `sha256` is theirs."""

    list = models.OneToOneField(RatingList, models.PROTECT, related_name="stored_content")
    packed = models.BinaryField()


class ListTree(models.Model):
    """A list's tree: for each player, in the byte order of their ids, 32 bytes one after another.

    `leaves` are the hashes of the tree's leaves, `persons` the commitments to who they are.
    """

    list = models.OneToOneField(RatingList, models.PROTECT, related_name="tree")
    leaves = models.BinaryField()
    persons = models.BinaryField()


class PlayerSalt(models.Model):
    """The secret by which the commitments to a player are made; nobody can open these once it is gone."""

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="+")
    player_id = models.TextField()
    salt = models.BinaryField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["pool", "player_id"], name="one_salt_of_a_player")
        ]


class TextSalt(models.Model):
    """The same of a row of the book that has a text of somebody's, as the reason of an entry."""

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="+")
    table = models.CharField(max_length=40)
    row = models.BigIntegerField()
    salt = models.BinaryField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["pool", "table", "row"], name="one_salt_of_a_text")
        ]


class LogEntry(models.Model):
    """An entry of the office's log, numbered from 0 without gaps; `body` is the text of its leaf.

    `list` is the list that it tells was published. `secret` goes into the hashes of the book in it, so that
    nobody finds out by guessing what is not public. `signature` is by the office's key, over number and body:
    who has the database alone cannot add an entry. None: the key could not be read.
    """

    number = models.BigIntegerField(unique=True)
    body = models.TextField()
    list = models.OneToOneField(RatingList, models.PROTECT, null=True, related_name="log_entry")
    secret = models.BinaryField()
    signature = models.BinaryField(null=True)

    @classmethod
    def of_kind(cls, kind: str) -> models.QuerySet["LogEntry"]:
        """The entries of a kind, which is not that of lists."""
        return cls.objects.filter(list=None, body__contains=f'"kind":"{kind}"')


class LoggedRows(models.Model):
    """The rows of closed tables of which an entry of the log has the hash.

    `tables` has for each table its columns, the numbers of the rows, their hash, and the secret that this
    needs. Of a table in which a person was erased since, the secret is gone.
    """

    entry = models.OneToOneField(LogEntry, models.PROTECT, related_name="logged_rows")
    tables = models.JSONField()
