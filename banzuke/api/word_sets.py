"""Closed sets of words that the API answers with, as its description lists them."""

from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import WithJsonSchema

from banzuke.core.facts import SPEEDS
from banzuke.core.go_facts import (
    BEGINNER,
    BEGINNERS,
    BLACK,
    CERTIFIED,
    DRAW,
    HIGHEST_DAN,
    PROFESSIONAL,
    PROVISIONAL,
    RANK_NAMES,
    ROOMS,
    VOID,
    WHITE,
)
from banzuke.database.models import Report
from banzuke.formats.lists.rating_list import statuses
from banzuke.office.inbox.problems import BLOCKS, EXCLUDES, WARNS


def one_of(words: Iterable[str]) -> Any:
    """A text that is one of those words; the description says which, and an answer is not held up to it."""
    return Annotated[str, WithJsonSchema({"type": "string", "enum": list(words)})]


#: Ranks as a Go server writes them: whole ones, those of halves, provisional ones, professionals'.
WHOLE_RANKS = [name for name in RANK_NAMES if not name.endswith("+")]
PROFESSIONAL_RANKS = [f"{dan}p" for dan in range(1, HIGHEST_DAN + 1)]
KINDS = (CERTIFIED, PROVISIONAL, BEGINNER, PROFESSIONAL)

Rank: Any = one_of(
    [*RANK_NAMES, *(f"{name}?" for name in WHOLE_RANKS), BEGINNERS, *PROFESSIONAL_RANKS],
)
Kind: Any = one_of(KINDS)
Result: Any = one_of([BLACK, WHITE, DRAW, VOID])
Room: Any = one_of(ROOMS)
ColourOrNone: Any = one_of(["", "black", "white"])
SpeedOrNone: Any = one_of(["", *SPEEDS])
Status: Any = one_of(dict.fromkeys(["", *statuses(), *KINDS]))
Sex: Any = one_of(["", "f", "m"])
Group: Any = one_of(["", "junior", "adult", "senior"])
ReportStateWord: Any = one_of(Report.State.values)
Weight: Any = one_of([BLOCKS, EXCLUDES, WARNS])
Turn: Any = one_of(["club", "office", ""])
#: What a game was for a side of Go: a word, or `not:` and why not.
GO_VERDICT = {"type": "string", "pattern": "^(rated|bonus|fault|not:[a-z-]+)$"}
GoVerdict = Annotated[str, WithJsonSchema(GO_VERDICT)]
Colour: Any = one_of(["black", "white"])
Score: Any = one_of(["1", "0.5", "0"])
