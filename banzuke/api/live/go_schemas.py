"""What the API answers of a Go server's pool as it stands now. Differences are in ranks, as `3/2`."""

from collections.abc import Sequence
from datetime import datetime

from ninja import Schema


class Side(Schema):
    """What a game did for one side: by which clause, its rank and points before and after, the points moved.

    `difference` is d with the terms counted (None where a side has no rank), `upper` and `won` None for
    neither; `rated_games` after the game.
    """

    player: str
    rank_before: str
    rank_after: str
    rank_changed: bool
    points_before: int | None
    points_after: int | None
    points: int | None
    verdict: str
    clause: str
    difference: str | None
    upper: bool | None
    won: bool | None
    rated_games: int


class State(Schema):
    """Where somebody stands: rank, points of who is certified, rated games, wins in the beginners' class."""

    rank: str
    kind: str
    points: int | None
    rated_games: int
    wins_in_bc: int


class StateChanged(Schema):
    """A player whose state is another for an act."""

    player: str
    before: State
    after: State


class RatedAgain(Schema):
    """A game that was rated again."""

    game: str
    black: Side
    white: Side


class TakenGame(Schema):
    """A game that the office has: `number` is its place in the feed; `is_new` unless it was there already.

    `black_now` and `white_now` are where both stand. After a late game that is not what `black` and `white`
    say, since later games of theirs count on top of it.
    """

    game: str
    is_new: bool
    number: int
    black: Side
    white: Side
    black_now: State
    white_now: State


class TakenGames(Schema):
    """Games as they were sent; what late ones changed: games rated again, and others whose state moved."""

    games: Sequence[TakenGame]
    players: Sequence[StateChanged]
    rated_again: Sequence[RatedAgain]


class PlayerTaken(State):
    """A newcomer, and where the player stands now."""

    player: str


class DeclarationTaken(PlayerTaken):
    """Where a player stands now; `counts` if the player was provisional when declaring."""

    counts: bool


class AnnulledGame(Schema):
    """A game annulled: who stands otherwise for it, and the games that were rated again, it among them."""

    game: str
    players: Sequence[StateChanged]
    rated_again: Sequence[RatedAgain]


class ChangedGame(Schema):
    """A game that was rated; `is_again`: after it had been rated otherwise before.

    `result` is the game's as it stands: `void` once it was annulled.
    """

    number: int
    game: str
    ended: datetime
    result: str
    is_again: bool
    black: Side
    white: Side


class Changes(Schema):
    """Games in the order in which they were rated; `next` is what to give as `after` the next time."""

    changes: Sequence[ChangedGame]
    next: int


class Zone(Schema):
    """A certified player's promotion line (None: there is no higher rank), demotion line, how far they are.

    `table` is the file of the operator's border-zone table; blank: this project's own. `origin` says it.
    """

    up: int | None
    to_up: int | None
    down: int
    to_down: int
    table: str
    origin: str


class Live(State):
    """Where a player of a Go server stands now.

    `number` is that of the next rated game, `multiplier` what its points are multiplied by; None for who has
    no points. `to_certification` are rated games, `to_17k` wins in the BC; None for all others. `last_at` is
    when the player last played or declared a rank.
    """

    zone: Zone | None
    number: int | None
    multiplier: str | None
    to_certification: int | None
    to_17k: int | None
    place: int
    last_at: datetime | None


class GameOfPlayer(Schema):
    """A game as the ledger's games.csv has it, and what it did; `number` is its place in the feed."""

    number: int
    game: str
    ended: datetime
    result: str
    handicap: int
    komi: str
    board: int
    moves: int
    room: str
    pair: bool | None
    robot: str
    fault: str
    black: Side
    white: Side


class GamesOfPlayer(Schema):
    """A player's games, the newest first; `next` is what to give as `after` for the page that follows."""

    player: str
    name: str
    name_native: str
    games: Sequence[GameOfPlayer]
    next: str | None


class TermsSide(Schema):
    """One of the two who are about to play; without a name if shown by id only."""

    player: str
    name: str
    rank: str


class Stones(Schema):
    """Who takes which colour, stones, and komi as Black gives it; `is_reverse`: White gives it."""

    black: str
    white: str
    handicap: int
    komi: str
    is_reverse: bool


class Outcome(Schema):
    """What a result would do for both."""

    black: Side
    white: Side


class TermsNow(Schema):
    """Regular terms (None where one of them has no rank), the given ones, and what a game on them would do.

    `difference` is d; `upper` the id of the upper side, None for neither.
    """

    black: TermsSide
    white: TermsSide
    regular: Stones | None
    given: Stones
    difference: str | None
    upper: str | None
    if_black_wins: Outcome
    if_white_wins: Outcome
