"""What the API answers. Decimals (changes, expectations, points) are exact, as text."""

from collections.abc import Sequence
from datetime import date, datetime

from ninja import Schema

from banzuke.api.live.go_schemas import Live


class PublishedList(Schema):
    """A published list: `revision` counts from 0, `sha256` is over its content and its place in the book.

    It is preliminary up to the end of the day `preliminary_until`; None: it is final.
    """

    list: str
    number: int
    revision: int
    day: date
    closes: date
    rulebook: str
    sha256: str
    published_at: datetime
    why: str
    preliminary_until: date | None


class Revisions(PublishedList):
    """A list with its speeds (blank: a club's or a Go server's only one) and all of its revisions.

    `log_index` is the number of its entry in the office's log, `checkpoint` the log signed up to that entry
    (a signed note); None while a list of before is not in the log, or where nothing can be signed. `record`
    is the address of the files by which anybody makes the list again.
    """

    speeds: Sequence[str]
    revisions: Sequence[PublishedList]
    log_index: int | None
    checkpoint: str | None
    record: str


class PoolAnswer(Schema):
    """A pool, and its newest list."""

    pool: str
    name: str
    name_native: str
    latest: PublishedList | None


class Pools(Schema):
    """Pools by their words."""

    pools: Sequence[PoolAnswer]


class Lists(Schema):
    """Published lists, each in its latest revision, the newest first."""

    lists: Sequence[PublishedList]


class ObjectionNumbers(Schema):
    """How many objections came, and what became of them; half of those decided took no more days."""

    received: int
    upheld: int
    refused: int
    withdrawn: int
    open: int
    median_days: int | None


class ListObjections(ObjectionNumbers):
    """The objections to a list; blank for those to what no list has."""

    list: str


class Objections(ObjectionNumbers):
    """The objections of a pool, and of each list that has any."""

    lists: Sequence[ListObjections]


class Row(Schema):
    """A player at one speed of a list; without names, club, sex and group if shown by id only.

    For Go `rating` holds points, `written` the rank.
    """

    player: str
    name: str
    name_native: str
    club: str
    sex: str
    group: str
    speed: str
    place: int
    rating: int | str | None
    written: str
    games: int
    change: int | None
    peak: int | None
    status: str
    active: bool


class Rows(Schema):
    """Rows of a list; `next` is what to give as `after` for the page that follows, None at the end."""

    list: PublishedList
    speed: str
    rows: Sequence[Row]
    next: str | None


class Named(Schema):
    """A player by id and, unless shown by id only, by name."""

    player: str
    name: str
    name_native: str


class Found(Named):
    """A player who was found, with the rows in the newest list."""

    rows: Sequence[Row]


class Players(Schema):
    """Players who were found; `next` as for rows."""

    players: Sequence[Found]
    next: str | None


class K(Schema):
    """K of the next game by the rules in force, why, and by which clause."""

    k: int
    why: str
    clause: str


class Form(Schema):
    """What a player scored and was expected to score in the last lists with rated games."""

    lists: int
    games: int
    score: str
    expected: str
    over: str


class AtOneSpeed(Schema):
    """Where a player stands at one speed: the row in the player's last list, among so many players."""

    list: str
    is_current: bool
    players: int | None
    row: Row
    k: K | None
    form: Form | None


class Player(Named):
    """A player's places in the lists; `live`: where the player stands on a Go server now."""

    ratings: Sequence[AtOneSpeed]
    live: Live | None


class HistoryRow(Schema):
    """A player in one list."""

    list: str
    day: date
    row: Row


class History(Named):
    """A player's rows, list by list, the newest first."""

    rows: Sequence[HistoryRow]


class Line(Schema):
    """One side of one game, as changes.csv has it."""

    speed: str
    event: str
    round: int
    player: str
    opponent: str
    score: str | None
    own: int | None
    opponent_rating: int | None
    difference: int | str | None
    expected: str | None
    k: int | None
    k_why: str
    k_clause: str
    change: str | None
    verdict: str
    clause: str
    rank: str
    opponent_rank: str
    rank_after: str


class Lines(Schema):
    """Lines of a list in its order; `next` is the `begin` of the page that follows, None at the end."""

    list: PublishedList
    lines: Sequence[Line]
    next: int | None


class Sentence(Schema):
    """A sentence with the clause that it rests on (blank: none needed)."""

    text: str
    clause: str


class Section(Schema):
    """A heading and its sentences."""

    heading: str
    sentences: Sequence[Sentence]


class Working(Named):
    """How a player's rating at one speed of a list came about: the lines of the games, and in sentences."""

    list: PublishedList
    speed: str
    lines: Sequence[Line]
    sections: Sequence[Section]


class EventIds(Schema):
    """The events of a list by their ids (for Go: its games); `next` as for rows."""

    list: PublishedList
    events: Sequence[str]
    next: str | None


class CrosstableRow(Schema):
    """A player's row: before and after, points, and a cell a round (`12w1`: against row 12, White, won).

    A bye is `-1` or `-½`. `change` is what the games brought, `bonus` what the rules add to it, if anything.
    """

    number: int
    player: str
    name: str
    name_native: str
    before: int | None
    after: int | None
    points: str
    scored: str
    rated: int
    expected: str | None
    change: str | None
    bonus: str | None
    cells: Sequence[str | None]


class Event(Schema):
    """An event as a list rated it, with its crosstable; `lists` are all lists that took games of it."""

    event: str
    name: str
    name_native: str
    place: str
    organiser: str
    speed: str
    starts: date
    ends: date
    list: str
    lists: Sequence[str]
    rounds: Sequence[int]
    rows: Sequence[CrosstableRow]


class RatingAtSpeed(Schema):
    """What the newest list says at one speed (blank: the only one): a rating or, of a Go player, a rank."""

    speed: str
    rating: str


class FoundMember(Named):
    """A player of the register, rated or not; `namesakes` is how many bear the name, this one among them."""

    club: str
    ratings: Sequence[RatingAtSpeed]
    namesakes: int


class FoundEvent(Schema):
    """An event that was found."""

    event: str
    name: str
    place: str
    ends: date


class FoundClub(Schema):
    """A club that was found; `is_near`: its name is only near what was asked for."""

    club: str
    name: str
    is_near: bool


class SearchAnswer(Schema):
    """What is called so; `near_players` and `near_events` are called nearly so."""

    players: Sequence[FoundMember]
    near_players: Sequence[FoundMember]
    events: Sequence[FoundEvent]
    near_events: Sequence[FoundEvent]
    clubs: Sequence[FoundClub]
    lists: Sequence[PublishedList]
