"""What the API answers of a Go server's pool as it stands now. Differences are in ranks, as `3/2`."""

from collections.abc import Sequence
from datetime import datetime

from ninja import Field, Schema

from banzuke.api import word_sets
from banzuke.office.live.submission_queue import MOST_WITH_RANKS_BEFORE

REGULAR_BEFORE = (
    "The ranks by which the terms were regular, if they were not by the ranks when the game ended, but by "
    "those before a change within a day; else null"
)


class Side(Schema):
    """What a game did for one side: by which clause, its rank and points before and after, the points moved.

    `difference` is d with the terms counted (None where a side has no rank), `upper` and `won` None for
    neither; `rated_games` after the game.
    """

    player: str = Field(description="The player's id")
    rank_before: word_sets.Rank = Field(description="The rank before the game")
    rank_after: word_sets.Rank = Field(description="The rank after the game")
    rank_changed: bool = Field(description="Whether the two ranks differ")
    points_before: int | None = Field(description="Points before the game; null for who is not certified")
    points_after: int | None = Field(description="Points after the game; null for who is not certified")
    points: int | None = Field(description="The points that moved; null where none could")
    verdict: word_sets.GoVerdict = Field(
        description="`rated`, `bonus` or `fault`; or `not:` and the reason why not"
    )
    clause: str = Field(description="The clause of the rule book that decided")
    difference: str | None = Field(
        description="The difference in ranks, terms counted, as a fraction (`3/2`); null without two ranks"
    )
    upper: bool | None = Field(
        description="Whether this side is the stronger with handicap and komi counted; null for neither"
    )
    won: bool | None = Field(description="Whether this side won; null for neither")
    rated_games: int = Field(description="The player's rated games after this one")


class State(Schema):
    """Where somebody stands: rank, points of who is certified, rated games, wins in the beginners' class."""

    rank: word_sets.Rank = Field(description="The rank")
    kind: word_sets.Kind = Field(description="How far the rank is certain")
    points: int | None = Field(description="Points; null for who is not certified")
    rated_games: int = Field(description="How many rated games the player has")
    wins_in_bc: int = Field(description="Wins in the beginners' class")


class StateChanged(Schema):
    """A player whose state is another for an act."""

    player: str = Field(description="The player's id")
    before: State = Field(description="Where the player stood before")
    after: State = Field(description="Where the player stands now")


class RatedAgain(Schema):
    """A game that was rated again."""

    game: str = Field(description="The game's id")
    black: Side = Field(description="What it did for Black")
    white: Side = Field(description="What it did for White")


class RanksBefore(Schema):
    """The ranks by which the terms of a game were regular: those of shortly before it ended."""

    black: word_sets.Rank = Field(description="Black's rank")
    white: word_sets.Rank = Field(description="White's rank")


class TakenGame(Schema):
    """A game that the office has: `number` is its place in the feed; `is_new` unless it was there already.

    `black_now` and `white_now` are where both stand. After a late game that is not what `black` and `white`
    say, since later games of theirs count on top of it.
    """

    game: str = Field(description="The game's id")
    is_new: bool = Field(description="False if the office had the game already")
    number: int = Field(description="The game's place in the feed")
    handicap: int = Field(description="Handicap stones")
    komi: str = Field(description="What Black gives, in points; negative: White gives")
    regular_before: RanksBefore | None = Field(
        description=f"{REGULAR_BEFORE}, and for more than {MOST_WITH_RANKS_BEFORE} games at once"
    )
    black: Side = Field(description="What it did for Black")
    white: Side = Field(description="What it did for White")
    black_now: State = Field(description="Where Black stands after everything that is in the ledger")
    white_now: State = Field(description="Where White stands after everything that is in the ledger")


class TakenGames(Schema):
    """Games as they were sent; what late ones changed: games rated again, and others whose state moved."""

    games: Sequence[TakenGame] = Field(description="The games as they were sent, in that order")
    players: Sequence[StateChanged] = Field(description="Others whose state changed because of a late game")
    rated_again: Sequence[RatedAgain] = Field(
        description="Games that were rated again because of a late game"
    )


class PlayerTaken(State):
    """A player's name and where the player stands now; `is_new`: what was sent has just come."""

    player: str = Field(description="The player's id")
    name: str = Field(description="The name that the office has now")
    robot: bool = Field(description="Whether the player is a robot")
    is_new: bool = Field(description="False if the office had what was sent already")


class PlayersTaken(Schema):
    """Newcomers in the order in which they were sent."""

    players: Sequence[PlayerTaken] = Field(description="The newcomers as they were sent, in that order")


class PlayerErased(Schema):
    """A player whose personal data are gone for good."""

    player: str = Field(description="The id now: a number, unless published rankings have the old one")
    rows: int = Field(description="How many rows of the office's book were changed")
    bytes_gone: bool | None = Field(
        description="Whether no old byte is left in the database's files; null where nobody can say"
    )


class DeclarationTaken(State):
    """Where a player stands now; `counts` if the player was provisional when declaring."""

    player: str = Field(description="The player's id")
    counts: bool = Field(
        description="Whether the player was provisional then, so that the declaration has an effect"
    )


class AnnulledGame(Schema):
    """A game annulled: who stands otherwise for it, and the games that were rated again, it among them."""

    game: str = Field(description="The annulled game's id")
    players: Sequence[StateChanged] = Field(description="Whose state changed")
    rated_again: Sequence[RatedAgain] = Field(
        description="The games that were rated again, this one among them"
    )


class ChangedGame(Schema):
    """A game that was rated; `is_again`: after it had been rated otherwise before.

    `result` is the game's as it stands: `void` once it was annulled.
    """

    number: int = Field(description="The place in the feed")
    game: str = Field(description="The game's id")
    ended: datetime = Field(description="When the game ended")
    result: word_sets.Result = Field(
        description="The game's result as it stands now; `void` once it was annulled"
    )
    handicap: int | None = Field(description="Handicap stones; null for a game that was struck")
    komi: str | None = Field(
        description="What Black gives, in points; negative: White gives; null for a game that was struck"
    )
    is_again: bool = Field(description="Whether the game had been rated before, and this holds instead")
    black: Side = Field(description="What it did for Black")
    white: Side = Field(description="What it did for White")


class Changes(Schema):
    """Games in the order in which they were rated; `next` is what to give as `after` the next time."""

    changes: Sequence[ChangedGame] = Field(description="Games in the order in which they were rated")
    next: int = Field(description="What to send as `after` next time")


class Zone(Schema):
    """A certified player's promotion line (None: there is no higher rank), demotion line, how far they are.

    `table` is the file of the operator's border-zone table; blank: this project's own. `origin` says it.
    """

    up: int | None = Field(description="The promotion line in points; null: there is no higher rank")
    to_up: int | None = Field(description="Points still missing to the promotion line")
    down: int = Field(description="The demotion line in points")
    to_down: int = Field(description="Points above the demotion line")
    table: str = Field(description="The file of the operator's table; blank: Banzuke's own table")
    origin: str = Field(description="Where the lines come from, in a sentence")


class Live(State):
    """Where a player of a Go server stands now.

    `number` is that of the next rated game, `multiplier` what its points are multiplied by; None for who has
    no points. `to_certification` are rated games, `to_17k` wins in the BC; None for all others. `last_at` is
    when the player last played or declared a rank.
    """

    robot: bool = Field(description="Whether the player is a robot now")
    zone: Zone | None = Field(description="The lines of the rank; null for who is not certified")
    number: int | None = Field(description="The number of the next rated game; null for who has no points")
    multiplier: str | None = Field(
        description="What the points of the next rated game are multiplied by; null for who has no points"
    )
    to_certification: int | None = Field(
        description="Rated games still needed for certification; null where that is over"
    )
    to_17k: int | None = Field(description="Wins still needed to leave the beginners' class; null outside it")
    place: int = Field(description="The place in the ranking")
    last_at: datetime | None = Field(description="The last game or declared rank; null: there was none")


class GameOfPlayer(Schema):
    """A game as the ledger's games.csv has it, and what it did; `number` is its place in the feed."""

    number: int = Field(description="The game's place in the feed")
    game: str = Field(description="The game's id")
    ended: datetime = Field(description="When the game ended")
    result: word_sets.Result = Field(description="The result; `void` for an annulled game")
    handicap: int = Field(description="Handicap stones")
    komi: str = Field(description="What Black gives, in points; negative: White gives")
    regular_before: RanksBefore | None = Field(description=REGULAR_BEFORE)
    board: int = Field(description="The size of the board")
    moves: int = Field(description="The number of moves")
    room: word_sets.Room = Field(description="Where it was played; blank: not said")
    pair: bool | None = Field(description="Whether it was pair Go; null: not said")
    robot: word_sets.ColourOrNone = Field(description="The side that a robot played; blank: none")
    fault: word_sets.ColourOrNone = Field(
        description="The side that made a fault in the first minute; blank: none"
    )
    black: Side = Field(description="What it did for Black")
    white: Side = Field(description="What it did for White")


class GamesOfPlayer(Schema):
    """A player's games, the newest first; `next` is what to give as `after` for the page that follows."""

    player: str = Field(description="The player's id")
    name: str = Field(description="The name; blank if the player is shown by id only")
    name_native: str = Field(description="The name in the script of the country; may be blank")
    games: Sequence[GameOfPlayer] = Field(description="Games, the newest first")
    next: str | None = Field(description="What to send as `after` for the next page; null at the end")


class TermsSide(Schema):
    """One of the two who are about to play; without a name if shown by id only."""

    player: str = Field(description="The player's id")
    name: str = Field(description="The name; blank if the player is shown by id only")
    rank: word_sets.Rank = Field(description="The rank")


class Stones(Schema):
    """Who takes which colour, stones, and komi as Black gives it; `is_reverse`: White gives it."""

    black: str = Field(description="Who takes Black: the player's id")
    white: str = Field(description="Who takes White: the player's id")
    handicap: int = Field(description="Handicap stones")
    komi: str = Field(description="What Black gives, in points; negative: White gives")
    is_reverse: bool = Field(description="Whether White gives the komi")


class Outcome(Schema):
    """What a result would do for both."""

    black: Side = Field(description="What it did for Black")
    white: Side = Field(description="What it did for White")


class TermsNow(Schema):
    """Regular terms (None where one of them has no rank), the given ones, and what a game on them would do.

    `difference` is d; `upper` the id of the upper side, None for neither.
    """

    black: TermsSide = Field(description="Who was named as Black")
    white: TermsSide = Field(description="Who was named as White")
    regular: Stones | None = Field(description="The regular terms; null if one of the two has no rank")
    given: Stones = Field(description="The terms that were asked for")
    difference: str | None = Field(
        description="The difference in ranks with the given terms: `3/2`; null without two ranks"
    )
    upper: str | None = Field(
        description="The id of the stronger side with the given terms; null for neither"
    )
    if_black_wins: Outcome = Field(description="What the game would do if Black won")
    if_white_wins: Outcome = Field(description="What the game would do if White won")
