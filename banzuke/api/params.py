"""What a question may hold: words of a bounded length, numbers within bounds, pages of a bounded size."""

import re
from typing import Annotated, Any, Literal

from ninja import Path, Query
from pydantic import AfterValidator, StringConstraints, WithJsonSchema

from banzuke.core.go_facts import RANK_NAMES
from banzuke.explanations.calculators import chess_books
from banzuke.ledger.cells import KOMI

#: A word without control characters, as ids and names have none.
PLAIN = r"^[^\x00-\x1f\x7f-\x9f]*$"
#: Plain, and not of spaces alone: a table's cell of these is read as blank.
WRITTEN = r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"
MOST_CHARS = 100


def word(description: str, *, least: int = 0) -> Any:
    """A word in a question."""
    return Query(min_length=least, max_length=MOST_CHARS, pattern=PLAIN, description=description)  # type: ignore[type-arg]


def _part(description: str) -> Any:
    """A word in an address."""
    return Path(max_length=MOST_CHARS, pattern=PLAIN, description=description)  # type: ignore[type-arg]


#: How ids stand in addresses (`<id:...>`).
_WRITTEN = "`/` is written `~2F`, `~` is written `~7E`; an id `.` is written `~2E`, `..` is written `~2E~2E`"

Word = Annotated[str, StringConstraints(max_length=MOST_CHARS, pattern=PLAIN)]
PoolWord = Annotated[str, _part("The pool's word in addresses")]
PlayerId = Annotated[str, _part(f"The player's id; {_WRITTEN}")]
ListName = Annotated[str, _part("The list's name (`2025-03`; a club's: an event's id), or `current`")]
EventId = Annotated[str, _part(f"The event's id; {_WRITTEN}")]
GameId = Annotated[str, _part(f"The game's id; {_WRITTEN}")]
ReportNumber = Annotated[int, Path(description="The report's number")]

MOST_ROWS = 100
Limit = Annotated[int, Query(ge=1, le=MOST_ROWS, description="How many rows")]
Offset = Annotated[int, Query(ge=0, le=1_000_000, description="How many rows to pass over")]
Handicap = Annotated[int | None, Query(ge=0, le=9, description="Stones; regular if left out")]
KOMI_WRITTEN = r"^-?[0-9]{1,2}(\.[05])?$"
Komi = Annotated[
    str | None,
    Query(pattern=KOMI_WRITTEN, description="Komi: `6.5`, `-5.5`; regular if left out"),
]
After = Annotated[str, word("Begin after this id: `next` of the page before")]
Revision = Annotated[
    int | None, Query(ge=0, le=100_000, description="A revision of the list; the last if left out")
]
Speed = Literal["standard", "rapid", "blitz"]
AtSpeed = Annotated[Speed | None, Query(description="The speed; the list's first if left out")]
Lang = Annotated[Literal["en", "ja"] | None, Query(description="The language; else that of Accept-Language")]


def _chess_book(name: str) -> str:
    known = [book.name for book in chess_books()]
    if name not in known:
        raise ValueError(f"No rule book of chess has this name: {', '.join(known)}.")
    return name


ChessBook = Annotated[
    str,
    AfterValidator(_chess_book),
    WithJsonSchema({"type": "string", "enum": [book.name for book in chess_books()]}),
    Query(description="The rule book"),
]
Score = Annotated[Literal["1", "0.5", "0"], Query(description="The own points from the game")]
Rating = Annotated[int, Query(ge=0, le=9999, description="The own rating")]
MOST_GAMES = 100
#: A rating, or UR.
RatingOrUr = Annotated[str, Query(pattern=r"^([0-9]{1,4}|UR)$", description="A rating, or `UR`")]
#: A game: the opponent's rating or UR, and the score.
GameAsked = Annotated[str, StringConstraints(pattern=r"^([0-9]{1,4}|UR):(1|0\.5|0)$")]
Games = Annotated[
    list[GameAsked],
    Query(min_length=1, max_length=MOST_GAMES, description="A game each: `1600:1`, `1750:0.5`, `UR:0`"),
]
RatedGameAsked = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,4}:(1|0\.5|0)$")]
RatedGames = Annotated[
    list[RatedGameAsked],
    Query(min_length=1, max_length=MOST_GAMES, description="A game each: `1600:1`, `1750:0.5`"),
]
_RANKS = "|".join(map(re.escape, RANK_NAMES))
GoRank = Annotated[str, Query(pattern=f"^({_RANKS})$", description="A rank: `10k`, `1d`, `1d+`")]


def half_points(komi: str | None) -> int | None:
    """Komi in half points: `6.5` is 13."""
    return None if komi is None else KOMI.read(komi.removesuffix(".0"))
