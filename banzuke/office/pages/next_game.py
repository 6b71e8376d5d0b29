"""What a player's next game is rated on, by the rules in force: the K and why, and what is still needed.

Nothing is taken from games that were rated: the book of today is asked with the state of the newest list.
"""

from collections.abc import Mapping
from datetime import date
from typing import Literal, NamedTuple

from django.db.models import Q

from banzuke.core import facts
from banzuke.core.batch import Register
from banzuke.core.facts import ANNUAL, Player
from banzuke.core.rating import UNRATED, Coefficient, PlayerState, Rating
from banzuke.core.rulebook import ChessBook
from banzuke.core.sentences import Statement, Word
from banzuke.database.models import Pool
from banzuke.explanations.explanation import Sentence, SentenceWriter
from banzuke.ledger.pool_rules import EditionInForce, chess_book
from banzuke.ledger.pool_rules import Pool as Rules
from banzuke.office.fact_rows import record_of, standing_rows
from banzuke.office.pages.rating_states import RatingState
from banzuke.words import Language


class NextGame(NamedTuple):
    """A game at one speed as it would be rated today: the own state, K, and what is still needed.

    `rating` is what the game is rated on, `source` what that is taken over from (blank: it is the player's
    own). `k` is None where the book has none, rates no game of this player yet, or K would tell a private
    day. `asks` is what the book's calculator asks beside the rating. `book` is that of today, `needs` what it
    says of a first rating.
    """

    speed: str
    rating: Rating
    source: str
    k: Coefficient | None
    asks: Literal["nothing", "k", "games"]
    book: ChessBook
    needs: list[Statement]

    def why(self, lang: Language) -> list[Sentence]:
        """Where the rating is from, and why the K is this one."""
        writer, said = SentenceWriter(self.book, lang), []
        if self.source:
            source = Word(f"source-{self.source}")
            said.append(Statement("inherited", "", {"rating": self.rating.value, "source": source}))
        if self.k:
            said.append(Statement(f"k-{self.k.why}", self.k.clause, {"k": self.k.value}))
        return writer.sentences(said)

    def needed(self, lang: Language) -> list[Sentence]:
        """What is still needed for a first rating, or for one that is provisional no more."""
        return SentenceWriter(self.book, lang).sentences(self.needs)


def edition_in_force(rules: Rules, today: date) -> EditionInForce:
    """The edition that rates a game that is played and reported today."""
    if rules.schedule.is_by_event:
        return rules.find_edition(today) or rules.editions[0]
    return rules.schedule.edition_of(rules.schedule.window_on(today)) or rules.editions[0]


def next_games(
    pool: Pool, rules: Rules, player: Player, states: Mapping[str, RatingState], today: date
) -> dict[str, NextGame]:
    """The next game of a player at each speed of the book in force, by speed."""
    edition = edition_in_force(rules, today)
    book = chess_book(edition)
    register = (
        _register(pool, player) if book.coefficient_on else Register({player.player_id: player}, {}, {})
    )
    ratings = {speed: state.rating for speed, state in states.items()}
    found = {}
    for speed in book.speeds:
        rating, source = ratings.get(speed, UNRATED), ""
        if book.enters_with:
            rating, source = book.enters_with(ratings, player, speed)
        k = (
            None
            if rating.value is None
            else _coefficient(edition, register, player, rating, ratings, speed, today)
        )
        state = PlayerState(speed, rating, states[speed].on_file if speed in states else (), today)
        needs = list(book.prospects(state, edition.settings)) if book.prospects else []
        found[speed] = NextGame(speed, rating, source, k, book.calculator.asks, book, needs)
    return found


def _coefficient(
    edition: EditionInForce,
    register: Register,
    player: Player,
    own: Rating,
    ratings: Mapping[str, Rating],
    speed: str,
    today: date,
) -> Coefficient | None:
    """K of a game played today, from the own state with which the player enters it.

    Where a book asks for the very day, None in the year in which K becomes another one: who looked at the
    page day by day would learn the birthday, or the day of joining.
    """
    book = chess_book(edition)
    if book.coefficient_on:
        days = today.replace(month=1, day=1), today.replace(month=12, day=31)
        first, last = (book.coefficient_on(own, register, player.player_id, day) for day in days)
        return first if first == last else None
    others = [ratings.get(at, UNRATED) for at in book.speeds if at != speed]
    return book.coefficient(own, others[0] if others else UNRATED, player, today.year, edition.settings)


def _register(pool: Pool, player: Player) -> Register:
    """The register as far as it is of one player."""
    only = Q(player_id=player.player_id, kind=ANNUAL)
    rows = standing_rows(pool, facts.Membership).filter(only).values_list("valid_from", "valid_to")
    return Register({player.player_id: player}, {player.player_id: tuple(rows)}, {})


def player_of(pool: Pool, player_id: str) -> Player | None:
    """The player as the register has them now; None for nobody."""
    row = standing_rows(pool, facts.Player).filter(player_id=player_id).last()
    return row and record_of(row, facts.Player)
