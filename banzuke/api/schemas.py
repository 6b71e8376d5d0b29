"""What the API answers. Decimals (changes, expectations, points) are exact, as text."""

from collections.abc import Sequence
from datetime import date, datetime

from ninja import Field, Schema

from banzuke.api import word_sets
from banzuke.api.live.go_schemas import Live


class PublishedList(Schema):
    """A published list: `revision` counts from 0, `sha256` is over its content and its place in the book.

    It is preliminary up to the end of the day `preliminary_until`; None: it is final.
    """

    list: str = Field(description="The list's name: its month, or a club's event")
    number: int = Field(description="The list's number in the pool")
    revision: int = Field(description="The revision, counted from 0")
    day: date = Field(description="The day on which it is published")
    closes: date = Field(description="The last day that it takes in")
    rulebook: str = Field(description="The rule book that it was made by")
    sha256: str = Field(description="SHA-256 of its content and of its place in the record")
    published_at: datetime = Field(description="When it was published")
    why: str = Field(description="Why there is a new revision; blank for the first")
    preliminary_until: date | None = Field(
        description="It is preliminary up to the end of this day; null: it is final"
    )


class Revisions(PublishedList):
    """A list with its speeds (blank: a club's or a Go server's only one) and all of its revisions.

    `log_index` is the number of its entry in the office's log, `checkpoint` the log signed up to that entry
    (a signed note); None while a list of before is not in the log, or where nothing can be signed. `record`
    is the address of the files by which anybody makes the list again.
    """

    speeds: Sequence[word_sets.SpeedOrNone] = Field(description="Its speeds; blank: the only one")
    revisions: Sequence[PublishedList] = Field(description="All revisions of the list")
    log_index: int | None = Field(
        description="The number of its entry in the office's log; null: it is not in the log"
    )
    checkpoint: str | None = Field(
        description="The log signed up to that entry (a signed note); null if nothing can be signed"
    )
    record: str = Field(description="The address of the files by which anybody can make the list again")


class PoolAnswer(Schema):
    """A pool, and its newest list."""

    pool: str = Field(description="The pool's word in addresses")
    name: str = Field(description="The pool's name")
    name_native: str = Field(description="The name in the script of the country; may be blank")
    latest: PublishedList | None = Field(description="The newest list; null: there is none")


class Pools(Schema):
    """Pools by their words."""

    pools: Sequence[PoolAnswer] = Field(description="Pools, by their words")


class Lists(Schema):
    """Published lists, each in its latest revision, the newest first."""

    lists: Sequence[PublishedList] = Field(description="Lists, each in its latest revision, the newest first")


class ObjectionNumbers(Schema):
    """How many objections came, and what became of them; half of those decided took no more days."""

    received: int = Field(description="How many objections came")
    upheld: int = Field(description="How many were upheld")
    refused: int = Field(description="How many were refused")
    withdrawn: int = Field(description="How many were withdrawn")
    open: int = Field(description="How many are not decided yet")
    median_days: int | None = Field(
        description="Half of those decided took no more days; null: none is decided"
    )


class ListObjections(ObjectionNumbers):
    """The objections to a list; blank for those to what no list has."""

    list: str = Field(description="The list's name; blank: to what no list has")


class Objections(ObjectionNumbers):
    """The objections of a pool, and of each list that has any."""

    lists: Sequence[ListObjections] = Field(description="The same for each list that has any")


class Row(Schema):
    """A player at one speed of a list; without names, club, sex and group if shown by id only.

    For Go `rating` holds points, `written` the rank.
    """

    player: str = Field(description="The player's id")
    name: str = Field(description="The name; blank if the player is shown by id only")
    name_native: str = Field(description="The name in the script of the country; may be blank")
    club: str = Field(description="The club's id; blank: none, or shown by id only")
    sex: word_sets.Sex = Field(description="The sex; blank: not known, or shown by id only")
    group: word_sets.Group = Field(
        description="The age group on the list's day; blank: not known, or shown by id only"
    )
    speed: word_sets.SpeedOrNone = Field(description="The speed; blank: the only one")
    place: int = Field(description="The place in the list")
    rating: int | str | None = Field(description="The rating; for Go the points; null for who has none")
    written: str = Field(description="The rating as the list writes it; for Go the rank")
    games: int = Field(description="How many rated games the player has")
    change: int | None = Field(description="The change since the list before; null on a first rating")
    peak: int | None = Field(description="The highest rating so far; null: the list has none")
    status: word_sets.Status = Field(description="How far the rating is certain")
    active: bool = Field(description="Whether the player played lately")


class Rows(Schema):
    """Rows of a list; `next` is what to give as `after` for the page that follows, None at the end."""

    list: PublishedList = Field(description="The list")
    speed: word_sets.SpeedOrNone = Field(description="The speed; blank: the only one")
    rows: Sequence[Row] = Field(description="Rows of the list")
    next: str | None = Field(description="What to send as `after` for the next page; null at the end")


class Named(Schema):
    """A player by id and, unless shown by id only, by name."""

    player: str = Field(description="The player's id")
    name: str = Field(description="The name; blank if the player is shown by id only")
    name_native: str = Field(description="The name in the script of the country; may be blank")


class Found(Named):
    """A player who was found, with the rows in the newest list."""

    rows: Sequence[Row] = Field(description="The player's rows in the newest list")


class Players(Schema):
    """Players who were found; `next` as for rows."""

    players: Sequence[Found] = Field(description="Players who were found")
    next: str | None = Field(description="What to send as `after` for the next page; null at the end")


class K(Schema):
    """K of the next game by the rules in force, why, and by which clause."""

    k: int = Field(description="K of the next game")
    why: str = Field(description="Why it is this K, as a word")
    clause: str = Field(description="The clause of the rule book")


class Form(Schema):
    """What a player scored and was expected to score in the last lists with rated games."""

    lists: int = Field(description="How many lists are counted")
    games: int = Field(description="How many rated games they have")
    score: str = Field(description="Points scored in them")
    expected: str = Field(description="Points expected in them")
    over: str = Field(description="Scored less expected")


class AtOneSpeed(Schema):
    """Where a player stands at one speed: the row in the player's last list, among so many players."""

    list: str = Field(description="The list's name")
    is_current: bool = Field(description="Whether that is the newest list")
    players: int | None = Field(description="How many players the list has at this speed; null: not counted")
    row: Row = Field(description="The player's row")
    k: K | None = Field(
        description="K of the next game; null: the book has none, or rates no game of the player yet"
    )
    form: Form | None = Field(description="How the player scored lately; null without rated games")


class Player(Named):
    """A player's places in the lists; `live`: where the player stands on a Go server now."""

    ratings: Sequence[AtOneSpeed] = Field(description="The player's last row at each speed")
    live: Live | None = Field(
        description="Where the player stands on a Go server now; null in a pool of chess"
    )


class HistoryRow(Schema):
    """A player in one list."""

    list: str = Field(description="The list's name")
    day: date = Field(description="The list's day")
    row: Row = Field(description="The player's row in it")


class History(Named):
    """A player's rows, list by list, the newest first."""

    rows: Sequence[HistoryRow] = Field(description="The player's rows, the newest first")


class Line(Schema):
    """One side of one game, as changes.csv has it."""

    speed: word_sets.SpeedOrNone = Field(description="The speed; blank: the only one")
    event: str = Field(description="The event's id; for Go the game's")
    round: int = Field(description="The round")
    player: str = Field(description="The player's id")
    opponent: str = Field(description="The opponent's id")
    score: word_sets.Score | None = Field(
        description="Points from the game; null: not played, or not counted"
    )
    own: int | None = Field(description="The player's rating that was used; null: unrated")
    opponent_rating: int | None = Field(description="The opponent's rating that was used; null: unrated")
    difference: int | str | None = Field(
        description="The difference as counted; for Go in ranks, as a fraction; null without two ratings"
    )
    expected: str | None = Field(description="The expected score; null where there is none")
    k: int | None = Field(description="K; null where there is none")
    k_why: str = Field(description="Why it is this K, as a word")
    k_clause: str = Field(description="The clause that K rests on")
    change: str | None = Field(description="What the game moved, exactly; null where nothing")
    verdict: str = Field(
        description="`rated`, `first`, or a code that says why the game did not count as such"
    )
    clause: str = Field(description="The clause that decided")
    rank: str = Field(description="Go: the player's rank before the game")
    opponent_rank: str = Field(description="Go: the opponent's rank before the game")
    rank_after: str = Field(description="Go: the player's rank after the game")


class Lines(Schema):
    """Lines of a list in its order; `next` is the `begin` of the page that follows, None at the end."""

    list: PublishedList = Field(description="The list")
    lines: Sequence[Line] = Field(description="Lines of the list, in its order")
    next: int | None = Field(description="What to send as `begin` for the next page; null at the end")


class Sentence(Schema):
    """A sentence with the clause that it rests on (blank: none needed)."""

    text: str = Field(description="The sentence")
    clause: str = Field(description="The clause that it rests on; blank: none")


class Section(Schema):
    """A heading and its sentences."""

    heading: str = Field(description="The heading")
    sentences: Sequence[Sentence] = Field(description="The sentences below it")


class Working(Named):
    """How a player's rating at one speed of a list came about: the lines of the games, and in sentences."""

    list: PublishedList = Field(description="The list")
    speed: word_sets.SpeedOrNone = Field(description="The speed; blank: the only one")
    lines: Sequence[Line] = Field(description="The player's lines in the list")
    sections: Sequence[Section] = Field(description="The same in sentences")


class EventIds(Schema):
    """The events of a list by their ids (for Go: its games); `next` as for rows."""

    list: PublishedList = Field(description="The list")
    events: Sequence[str] = Field(description="Ids of events; for Go of games")
    next: str | None = Field(description="What to send as `after` for the next page; null at the end")


class CrosstableRow(Schema):
    """A player's row: before and after, points, and a cell a round (`12w1`: against row 12, White, won).

    A bye is `-1` or `-½`. `change` is what the games brought, `bonus` what the rules add to it, if anything.
    """

    number: int = Field(description="The row's number in the table")
    player: str = Field(description="The player's id")
    name: str = Field(description="The name; blank if the player is shown by id only")
    name_native: str = Field(description="The name in the script of the country; may be blank")
    before: int | None = Field(description="The rating before; null: unrated")
    after: int | None = Field(description="The rating after; null: unrated")
    points: str = Field(description="Points in the table, byes included")
    scored: str = Field(description="Points from rated games")
    rated: int = Field(description="How many rated games")
    expected: str | None = Field(description="Points expected from them; null without any")
    change: str | None = Field(description="What the games brought; null without any")
    bonus: str | None = Field(description="What the rules add to that; null: nothing")
    cells: Sequence[str | None] = Field(
        description="A cell for each round: `12w1` is row 12, White, won; `-1` a bye; null: nothing"
    )


class Event(Schema):
    """An event as a list rated it, with its crosstable; `lists` are all lists that took games of it."""

    event: str = Field(description="The event's id")
    name: str = Field(description="The event's name")
    name_native: str = Field(description="The name in the script of the country; may be blank")
    place: str = Field(description="Where it was played")
    organiser: str = Field(description="The organiser")
    speed: word_sets.SpeedOrNone = Field(description="The speed; blank: the only one")
    starts: date = Field(description="The first day")
    ends: date = Field(description="The last day")
    list: str = Field(description="The list that this table is from")
    lists: Sequence[str] = Field(description="All lists that took games of the event")
    rounds: Sequence[int] = Field(description="The numbers of the rounds")
    rows: Sequence[CrosstableRow] = Field(description="The rows of the table")


class RatingAtSpeed(Schema):
    """What the newest list says at one speed (blank: the only one): a rating or, of a Go player, a rank."""

    speed: word_sets.SpeedOrNone = Field(description="The speed; blank: the only one")
    rating: str = Field(description="The rating as it is written; for Go the rank")


class FoundMember(Named):
    """A player of the register, rated or not; `namesakes` is how many bear the name, this one among them."""

    club: str = Field(description="The club's id; blank: none")
    ratings: Sequence[RatingAtSpeed] = Field(description="What the newest list says, speed by speed")
    namesakes: int = Field(description="How many players bear the name, this one among them")


class FoundEvent(Schema):
    """An event that was found."""

    event: str = Field(description="The event's id")
    name: str = Field(description="The event's name")
    place: str = Field(description="Where it was played")
    ends: date = Field(description="The last day")


class FoundClub(Schema):
    """A club that was found; `is_near`: its name is only near what was asked for."""

    club: str = Field(description="The club's id")
    name: str = Field(description="The club's name")
    is_near: bool = Field(description="Whether the name is only near what was asked for")


class SearchAnswer(Schema):
    """What is called so; `near_players` and `near_events` are called nearly so."""

    players: Sequence[FoundMember] = Field(description="Players who are called so")
    near_players: Sequence[FoundMember] = Field(description="Players who are called nearly so")
    events: Sequence[FoundEvent] = Field(description="Events that are called so")
    near_events: Sequence[FoundEvent] = Field(description="Events that are called nearly so")
    clubs: Sequence[FoundClub] = Field(description="Clubs that are called so, or nearly so")
    lists: Sequence[PublishedList] = Field(description="Lists that are called so")
