"""The tables of the book. Rows are added, never changed or taken out: the database itself refuses it.

A pool's facts have the columns of its ledger folder (`banzuke/ledger/schema.py`), in the ledger's own words,
and the entry that brought them: the act, by whom, when and why. A fact that an inquiry found wrong stays; a
strike with the inquiry's day stands beside it.
"""

from typing import ClassVar

from django.db import models
from django.utils.functional import cached_property

from banzuke.database.two_names import name_here
from banzuke.ledger.pool_rules import FILE
from banzuke.ledger.toml_files import parse_toml

CHARS = 200


class _SeenPools(models.Manager["Pool"]):
    """The pools that are not hidden."""

    def get_queryset(self) -> "models.QuerySet[Pool]":
        hidden = HiddenPool.objects.filter(pool=models.OuterRef("pk"))
        return super().get_queryset().exclude(models.Exists(hidden))


class Pool(models.Model):
    """A rating pool by the word that names it in addresses."""

    slug = models.SlugField(unique=True)

    objects = _SeenPools()
    #: The hidden ones, too: their words are taken.
    with_hidden = models.Manager["Pool"]()

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """What people call it in the language in force."""
        return name_here(*self.names)

    @cached_property
    def names(self) -> tuple[str, str]:
        """The names in its pool.toml, the second in Japanese; its word in addresses where that says none."""
        files = PoolFile.objects.filter(entry__pool=self, name=FILE).order_by("pk")
        text = files.values_list("text", flat=True).last()
        document = parse_toml(FILE, (text or "").encode(), []) or {}
        return str(document.get("name") or self.slug), str(document.get("name_native") or "")


class HiddenPool(models.Model):
    """A pool whose rows are coming in: nobody sees it before the last, and they may be taken out again."""

    pool = models.OneToOneField(Pool, models.PROTECT, primary_key=True, related_name="+")


class Entry(models.Model):
    """An act that put something into a pool's book. Its number is a position in the book."""

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="entries", db_index=False)
    at = models.DateTimeField()
    author = models.CharField(max_length=CHARS)
    act = models.CharField(max_length=40)
    why = models.TextField(blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["pool", "id"], name="entries_of_pool")]

    def __str__(self) -> str:
        return f"{self.pk} {self.act}"


class PoolFile(models.Model):
    """A file that says how the pool is rated: pool.toml, or a border-zone table; the last entry's counts."""

    entry = models.ForeignKey(Entry, models.PROTECT, related_name="files")
    name = models.CharField(max_length=CHARS)
    text = models.TextField()


class Fact(models.Model):
    """A row of one of the pool's tables, each of which has an index that begins with the pool."""

    entry = models.ForeignKey(Entry, models.PROTECT, related_name="+")
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="+", db_index=False)

    class Meta:
        abstract = True


class WithAddedColumns(models.Model):
    """A row with the columns that a rule book adds, as JSON (`database.added_columns`); None: all blank."""

    more = models.JSONField(null=True)

    class Meta:
        abstract = True


class Correctable(Fact):
    """A row that may carry the day of the inquiry that added it."""

    added = models.DateField(null=True)

    class Meta:
        abstract = True


class NameInTwoLanguages(models.Model):
    """What may have a name in Japanese, too; None stands for blank in rows that are older than the column."""

    name_native = models.TextField(null=True, blank=True)

    class Meta:
        abstract = True


class Player(Correctable, WithAddedColumns):
    """A player of a chess pool (players.csv)."""

    player_id = models.TextField()
    name = models.TextField()
    name_native = models.TextField(blank=True)
    birth_date = models.DateField(null=True)
    sex = models.TextField(blank=True)
    club_id = models.TextField(blank=True)
    fide_id = models.TextField(blank=True)
    fide_standard = models.IntegerField(null=True)
    fide_rapid = models.IntegerField(null=True)
    fide_blitz = models.IntegerField(null=True)
    title = models.TextField(null=True, blank=True)
    title_from = models.TextField(null=True, blank=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["pool", "player_id"]),
            models.Index(fields=["pool", "title"], name="players_by_title"),
        ]


class Club(Fact, NameInTwoLanguages):
    """An organiser (clubs.csv)."""

    club_id = models.TextField()
    name = models.TextField()
    kind = models.TextField()
    valid_from = models.DateField()
    valid_to = models.DateField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["pool"], name="clubs_of_pool")]


class Membership(Correctable):
    """A membership (memberships.csv)."""

    player_id = models.TextField()
    kind = models.TextField()
    valid_from = models.DateField()
    valid_to = models.DateField()
    event_id = models.TextField(blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["pool", "player_id"])]


class Event(Correctable, WithAddedColumns, NameInTwoLanguages):
    """A tournament or meeting (events.csv)."""

    event_id = models.TextField()
    name = models.TextField()
    organiser = models.TextField(blank=True)
    place = models.TextField(blank=True)
    responsible = models.TextField(blank=True)
    reporter = models.TextField(blank=True)
    form = models.TextField(blank=True)
    speed = models.TextField(blank=True)
    base_minutes = models.IntegerField(null=True)
    increment_seconds = models.IntegerField(null=True)
    fide_rated = models.BooleanField(null=True)
    starts = models.DateField()
    ends = models.DateField()
    reported = models.DateField()
    applied = models.DateField(null=True)
    notified = models.DateField(null=True)
    paid = models.DateField(null=True)
    ruling = models.TextField(blank=True)
    nonmembers = models.IntegerField(null=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["pool", "event_id"]),
            models.Index(fields=["pool", "ends", "event_id"]),  # the latest first
            models.Index(fields=["pool", "organiser", "ends"], name="events_of_organiser"),
        ]


class Game(Correctable):
    """A game of an event (games.csv)."""

    event_id = models.TextField()
    round = models.IntegerField()
    played = models.DateField(null=True)
    white = models.TextField()
    black = models.TextField()
    result = models.TextField()
    ruling = models.TextField(blank=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["pool", "event_id"]),
            models.Index(fields=["pool", "white"]),
            models.Index(fields=["pool", "black"]),
        ]


class Bye(Fact):
    """Points for a round without an opponent (byes.csv), in half points; no rating needs them."""

    event_id = models.TextField()
    round = models.IntegerField()
    player_id = models.TextField()
    points = models.IntegerField()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["pool", "event_id"]),
            models.Index(fields=["pool", "player_id"]),
        ]


class Opening(Fact, WithAddedColumns):
    """A rating with which the pool opens (standings.csv)."""

    player_id = models.TextField()
    speed = models.TextField(blank=True)
    rating = models.IntegerField()
    games = models.IntegerField()
    peak = models.IntegerField(null=True)
    earned = models.BooleanField(null=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["pool", "player_id"])]


class Adjustment(Correctable):
    """An act on all ratings of a list (adjustments.csv)."""

    adjustment_id = models.TextField()
    list = models.TextField()
    speed = models.TextField(blank=True)
    points = models.TextField()
    decision = models.TextField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["pool", "list"], name="adjustments_of_list")]


class Strike(models.Model):
    """A fact struck by an inquiry: its table, its row, and the inquiry's day."""

    entry = models.ForeignKey(Entry, models.PROTECT, related_name="strikes")
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="+")
    table = models.CharField(max_length=40)
    row = models.BigIntegerField()
    day = models.DateField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["table", "row"], name="struck_once")]


class GoPlayer(Fact):
    """A player of a Go server (players.csv)."""

    player_id = models.TextField()
    name = models.TextField()
    declared = models.TextField()
    professional = models.BooleanField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["pool", "player_id"])]


class GoGame(Fact):
    """A finished game of Go (games.csv); komi in half points."""

    game_id = models.TextField()
    ended = models.TextField()
    black = models.TextField()
    white = models.TextField()
    result = models.TextField()
    handicap = models.IntegerField()
    komi = models.IntegerField()
    board = models.IntegerField()
    moves = models.IntegerField()
    room = models.TextField(blank=True)
    pair = models.BooleanField(null=True)
    robot = models.TextField(blank=True)
    fault = models.TextField(blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["pool", "game_id"], name="one_game_of_an_id")
        ]


class Declaration(Fact):
    """A rank declared later (declarations.csv)."""

    player_id = models.TextField()
    at = models.TextField()
    rank = models.TextField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["pool", "player_id"])]


class GoOpening(Fact):
    """A standing with which the server opens (standings.csv)."""

    player_id = models.TextField()
    rank = models.TextField()
    points = models.IntegerField(null=True)
    rated_games = models.IntegerField()
    wins_in_bc = models.IntegerField(null=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["pool", "player_id"])]


class Contact(Fact):
    """What the office keeps of a member beyond the ledger; never public. The last entry's counts."""

    player_id = models.TextField()
    kana = models.TextField(blank=True)
    address = models.TextField(blank=True)
    email = models.TextField(blank=True)
    by_id_only = models.BooleanField(default=False)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["pool", "player_id"]),
            models.Index(fields=["pool"], condition=models.Q(by_id_only=True), name="contact_by_id_only"),
        ]


class Merge(Fact):
    """Two entries of one person put together (`undone`: taken apart again); the last of a pair counts.

    The rows struck and added for it are those of the same entry.
    """

    kept = models.TextField()
    merged = models.TextField()
    undone = models.BooleanField(default=False)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["pool", "merged"], name="merges_of_pool")]


class Seed(Fact):
    """Who is seeded past an event that qualifies; the last of an event and player counts.

    `kind` is blank where a seed was taken back.
    """

    class Kind(models.TextChoices):
        """The two kinds that the report names."""

        NATIONAL = "national"  # 全国シード権者
        LOCAL = "local"  # 地元枠全国シード権者

    event_id = models.TextField()
    player_id = models.TextField()
    kind = models.CharField(max_length=10, choices=Kind.choices, blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["pool", "event_id"])]
