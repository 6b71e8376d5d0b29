"""Published lists: copies of what the rule books make of the book, each with the position it was made from.

A list is never changed; a correction publishes a further revision of it.
"""

from typing import ClassVar

from django.db import models

from banzuke.core.facts import SPEEDS
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import GoBook
from banzuke.database.models.facts import CHARS, Entry, GoPlayer, Pool


class RatingList(models.Model):
    """One revision of one list, all speeds of it.

    `name` is the list's as in lists.csv (`2025-03`; the event's id where every event makes a list), `number`
    counts the pool's publications, `revision` those of this list from 0. `entry` is the position in the book
    it was made from; `sha256` is over its content and that position (`banzuke.engine.list_content`),
    `events_sha256` over what stood there of its events (`banzuke.office.lists.list_events`; null: not kept).

    A list can be read where its rule book is not installed any more.
    """

    #: The name of the event that it is a list of, once a page has asked (`banzuke.office.pages.event_lists`).
    event_name: str | None = None

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="lists")
    name = models.CharField(max_length=CHARS)
    number = models.IntegerField()
    revision = models.IntegerField()
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="+")
    day = models.DateField()
    closes = models.DateField()
    rulebook = models.CharField(max_length=40)
    in_force_from = models.DateField()
    stands_in = models.TextField(blank=True)
    settings = models.JSONField()
    published_at = models.DateTimeField()
    author = models.CharField(max_length=CHARS)
    why = models.TextField(blank=True)
    sha256 = models.CharField(max_length=64)
    events_sha256 = models.CharField(max_length=64, null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["pool", "number"], name="one_list_of_a_number"),
            models.UniqueConstraint(fields=["pool", "name", "revision"], name="one_revision_of_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.name} r{self.revision}"

    @property
    def speeds(self) -> tuple[str, ...]:
        """The speeds of the rule book that made it, in the order of its lists; blank where it has one.

        Those of its rows, where the book is not installed.
        """
        book = BOOKS.get(self.rulebook)
        if book is not None:
            return book.speeds
        found = self.figures.values_list("speed", flat=True)
        return tuple(sorted(found, key=(*SPEEDS, *found).index)) or ("",)

    @property
    def speeds_with_players(self) -> tuple[str, ...]:
        """The speeds at which somebody is on it; the first one of all where nobody is."""
        speeds = self.speeds
        if len(speeds) == 1:
            return speeds
        counted = self.figures.values_list("speed", "figures__players")
        found = {speed for speed, players in counted if players}
        return tuple(speed for speed in speeds if speed in found) or speeds[:1]

    @property
    def is_go(self) -> bool:
        """Whether it is a ranking of Go players."""
        book = BOOKS.get(self.rulebook)
        if book is not None:
            return isinstance(book, GoBook)
        return GoPlayer.objects.filter(pool=self.pool_id).exists()


class PreliminaryList(models.Model):
    """That a list was published as preliminary, up to the end of a day; it stands beside revision 0."""

    list = models.OneToOneField(RatingList, models.PROTECT, related_name="preliminary")
    until = models.DateField()


class FinalList(models.Model):
    """That a preliminary list became final; `last` is its revision of then, `author` blank: by itself.

    `list` is revision 0, `open` how many inquiries were not decided.
    """

    list = models.OneToOneField(RatingList, models.PROTECT, related_name="final")
    last = models.ForeignKey(RatingList, models.PROTECT, related_name="+")
    at = models.DateTimeField()
    author = models.CharField(max_length=CHARS, blank=True)
    open = models.IntegerField()


class ListRow(models.Model):
    """A player's rating at one speed in a list; `place` by rating, equal ratings sharing it.

    The name is that of the time; a page that shows it asks whether the player is shown by id only. For Go,
    `rating` holds the points of those who have some, `written` the rank, `games` the rated games. `more` has
    the columns that the rule book adds to lists.csv, by name.
    """

    list = models.ForeignKey(RatingList, models.PROTECT, related_name="rows")
    speed = models.CharField(max_length=10, blank=True)
    place = models.IntegerField()
    player_id = models.TextField()
    name = models.TextField()
    name_native = models.TextField(blank=True)
    club_id = models.TextField(blank=True)
    sex = models.TextField(blank=True)
    group = models.CharField(max_length=10, blank=True)  # junior, adult, senior; never an age
    active = models.BooleanField()  # had a game that counted in the twelve months up to the list
    rating = models.IntegerField(null=True)
    games = models.IntegerField()
    change = models.IntegerField(null=True)
    peak = models.IntegerField(null=True)
    status = models.CharField(max_length=20)
    qualified = models.BooleanField(null=True)
    written = models.CharField(max_length=20, blank=True)
    wins_in_bc = models.IntegerField(null=True)
    more = models.JSONField(null=True)

    @property
    def rating_text(self) -> str:
        """The rank, or the rating, as it is printed; blank for who has none."""
        return self.written or ("" if self.rating is None else str(self.rating))

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["list", "speed", "player_id"], name="one_row_of_a_player")
        ]
        indexes: ClassVar = [
            *(
                models.Index(fields=["list", "speed", column, "player_id"])  # the list in that column's order
                for column in ("place", "name", "club_id", "games", "change", "peak")
            ),
            models.Index(fields=["player_id", "speed"]),
            models.Index(
                fields=["list", "speed", "group", "place"]
            ),  # the place among juniors, among seniors
            models.Index(
                fields=["list", "speed", "player_id"],
                condition=models.Q(change__isnull=True, rating__isnull=False, peak__isnull=False),
                name="first_ratings",
            ),
        ]


class Line(models.Model):
    """One side of one game in a list, as in changes.csv; `position` is its row there, from 0.

    Scores are half points, expectations hundredths, changes hundredths of a point. A line of Go has the
    game's id for its event, round 0, the size of d in 24ths of a rank, and the ranks as they are written.
    """

    list = models.ForeignKey(RatingList, models.PROTECT, related_name="lines")
    position = models.IntegerField()
    speed = models.CharField(max_length=10, blank=True)
    event_id = models.TextField()
    round = models.IntegerField()
    player_id = models.TextField()
    opponent_id = models.TextField()
    score = models.SmallIntegerField(null=True)
    own = models.IntegerField(null=True)
    opponent = models.IntegerField(null=True)
    difference = models.IntegerField(null=True)
    expected = models.SmallIntegerField(null=True)
    k = models.IntegerField(null=True)
    k_why = models.CharField(max_length=40, blank=True)
    k_clause = models.CharField(max_length=40, blank=True)
    change = models.IntegerField(null=True)
    verdict = models.CharField(max_length=40)
    clause = models.CharField(max_length=40, blank=True)
    rank = models.CharField(max_length=20, blank=True)
    opponent_rank = models.CharField(max_length=20, blank=True)
    rank_after = models.CharField(max_length=20, blank=True)
    upper = models.BooleanField(null=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["list", "position"]),
            models.Index(fields=["list", "event_id"]),
            models.Index(fields=["player_id", "list"]),
        ]


class Working(models.Model):
    """The calculation behind a player's rating at one speed in a list (`core.rating.Calculation`)."""

    list = models.ForeignKey(RatingList, models.PROTECT, related_name="workings")
    speed = models.CharField(max_length=10, blank=True)
    player_id = models.TextField()
    calculation = models.JSONField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["list", "speed", "player_id"], name="one_working_of_a_player")
        ]


class ListFigures(models.Model):
    """What statistics pages need of a list at one speed (`office.lists.list_statistics.ListStatistics`)."""

    list = models.ForeignKey(RatingList, models.PROTECT, related_name="figures")
    speed = models.CharField(max_length=10, blank=True)
    figures = models.JSONField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["list", "speed"], name="one_count_of_a_speed")
        ]


class NameWord(models.Model):
    """A form by which a player of a pool's lists is found, by every beginning of it.

    `banzuke.office.player_search` makes the forms. They are bytes, which every database keeps in the same
    order, so that a beginning is a range of its index.
    """

    pool = models.ForeignKey(Pool, models.CASCADE, related_name="+")
    form = models.BinaryField()
    player_id = models.TextField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["pool", "form", "player_id"], name="one_form_of_a_player")
        ]
        indexes: ClassVar = [models.Index(fields=["pool", "player_id", "form"])]
