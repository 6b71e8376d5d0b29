"""The games of a report of Go as its page shows them: what each does to both sides, and why."""

from collections import Counter
from typing import NamedTuple

from banzuke.core.decimals import halves
from banzuke.core.go_facts import GoLine
from banzuke.core.rulebook import RuleBook
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool
from banzuke.engine.go_history import RatedGame
from banzuke.explanations.explanation import Sentence
from banzuke.explanations.go_rank import explain_game
from banzuke.office.inbox.review_findings import Review
from banzuke.office.live.rated_games import is_counted
from banzuke.office.public_names import people
from banzuke.words import Language, say

COLOURS = ("black", "white")


class SideView(NamedTuple):
    """A side of a game: who it is, the result, and what it does for that side, with the reason."""

    colour: str
    name: str
    result: str
    line: GoLine
    is_counted: bool
    sentence: Sentence


class GoGameView(NamedTuple):
    """A game with both sides; `is_there`: it is in the book. `terms`: stones, komi, whether it is reverse."""

    game_id: str
    ended: str
    terms: tuple[int, str, bool]
    is_there: bool
    book: str
    sides: tuple[SideView, SideView]


class GoGames(NamedTuple):
    """The games in order; of the new ones how many count for a side, and for neither; how many are there."""

    games: list[GoGameView]
    counting: int
    others: int
    there: int

    @property
    def new(self) -> int:
        """How many would be taken."""
        return self.counting + self.others


def go_games(pool: Pool, review: Review, lang: Language) -> GoGames | None:
    """What the games of a report do to both sides; None where it has none, or something is to be settled."""
    there = {rated.game.game_id for rated in review.known_games}
    every = sorted(
        (*review.new_games, *review.known_games), key=lambda one: (one.game.ended, one.game.game_id)
    )
    if not every:
        return None
    persons = people(pool, {line.player for one in every for line in (one.black, one.white)})
    names = {player: person.called(lang) for player, person in persons.items()}
    rules = rules_of(pool)
    shown = [
        _game_view(one, one.game.game_id in there, rules.edition_at(one.game.ended).book, names, lang)
        for one in every
    ]
    new = Counter(any(side.is_counted for side in one.sides) for one in shown if not one.is_there)
    return GoGames(shown, new[True], new[False], len(there))


def _game_view(
    rated: RatedGame, is_there: bool, book: RuleBook, names: dict[str, str], lang: Language
) -> GoGameView:
    game = rated.game
    sides = [
        _side(book, f"go-colour-{c}", line, names, lang) for c, line in zip(COLOURS, rated[1:], strict=True)
    ]
    return GoGameView(
        game.game_id,
        game.ended.isoformat(sep=" ", timespec="minutes"),
        (game.handicap if game.handicap > 1 else 0, halves(abs(game.komi)), game.komi < 0),
        is_there,
        book.name,
        (sides[0], sides[1]),
    )


def _side(book: RuleBook, colour: str, line: GoLine, names: dict[str, str], lang: Language) -> SideView:
    result = "undecided" if line.won is None else "won" if line.won else "lost"
    return SideView(
        say("explain", colour, lang),
        names[line.player],
        say("explain", f"go-{result}", lang),
        line,
        is_counted(line),
        explain_game(book, line, lang),
    )
