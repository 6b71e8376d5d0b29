"""What a Go server may send: bodies as the ledger's tables have them, with their bounds."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
    WithJsonSchema,
)

from banzuke.api import params
from banzuke.core.fault import fault
from banzuke.core.go_facts import BEGINNERS, RANK_NAMES
from banzuke.ledger.cells import DECLARED, KOMI, MOMENT, WHOLE_RANK, CellError, Kind
from banzuke.ledger.written_text import ID, TEXT
from banzuke.words import fault_text

#: How many games, or newcomers, may come at once.
MOST_AT_ONCE = 1_000
_MOST_MOVES = 999_999_999
_WHOLE = [name for name in RANK_NAMES if not name.endswith("+")]
_PROFESSIONAL = [f"{dan}p" for dan in range(1, 10)]


def _cell(kind: Kind) -> Callable[[Any], Any]:
    """A reader of what a ledger's cell holds, whose fault is a sentence."""

    def read(value: Any) -> Any:
        if not isinstance(value, str) and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise ValueError("Give a text.")  # noqa: TRY004  # what pydantic tells the sender
        try:
            return kind.read(str(value))
        except CellError as error:
            raise ValueError(fault_text(fault("", 0, "", error.code, **error.facts), "en")) from None

    return read


def _one_of(kind: Kind, words: list[str]) -> Any:
    return Annotated[Any, BeforeValidator(_cell(kind)), WithJsonSchema({"type": "string", "enum": words})]


Id = Annotated[str, StringConstraints(min_length=1, max_length=params.MOST_CHARS, pattern=params.WRITTEN)]
#: An id, or a name, that comes for the first time: as the ledger wants it written.
NewId = Annotated[Id, AfterValidator(_cell(ID))]
Name = Annotated[Id, AfterValidator(_cell(TEXT)), Field(description="A name; letters of any script")]
Moment = Annotated[
    Any, BeforeValidator(_cell(MOMENT)), WithJsonSchema({"type": "string", "format": "date-time"})
]
#: Points that Black gives, in halves; below zero White gives them.
Komi = Annotated[
    Any,
    BeforeValidator(_cell(KOMI)),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "multipleOf": 0.5, "minimum": -9999, "maximum": 9999},
                {"type": "string", "pattern": r"^-?[0-9]{1,4}(\.[05])?$"},
            ]
        }
    ),
]
Declared: Any = _one_of(DECLARED, [*_WHOLE, BEGINNERS, *_PROFESSIONAL])
WholeRank: Any = _one_of(WHOLE_RANK, _WHOLE)
Colour = Literal["", "black", "white"]
Reason = Literal[
    "", "score", "resignation", "time", "disconnection", "decision", "no-greeting", "no-first-move",
    "adjourned", "cancelled",
]  # fmt: skip


class _Sent(BaseModel):
    """Nothing but the columns, as JSON has them."""

    model_config = ConfigDict(extra="forbid", strict=True)


class GameSent(_Sent):
    """A finished game (games.csv); `komi` is what Black gives, below zero what White gives."""

    game_id: NewId = Field(description="The game's id, the server's own")
    ended: Moment = Field(description="When the game ended, with the offset from UTC")
    black: Id = Field(description="Black's player id")
    white: Id = Field(description="White's player id")
    result: Literal["B", "W", "draw", "void"] = Field(
        description="Who won, or `draw`, or `void` if the game does not count"
    )
    handicap: Annotated[int, Field(ge=0, le=9)] = Field(0, description="Handicap stones; 1 is the same as 0")
    komi: Komi = Field(description="What Black gives, in points and halves; negative: White gives")
    board: Annotated[int, Field(ge=1, le=99)] = Field(19, description="The size of the board")
    moves: Annotated[int, Field(ge=0, le=_MOST_MOVES)] = Field(description="The number of moves")
    room: Literal["", "rated", "free", "practice", "monthly"] = Field(
        "", description="Where it was played; blank: not said"
    )
    pair: bool | None = Field(None, description="Whether it was pair Go; null: not said")
    robot: Colour = Field("", description="The side that a robot played; blank: none")
    fault: Colour = Field("", description="The side that made a fault in the first minute; blank: none")
    reason: Reason = Field(
        "", description="Why the game ended; turned into `result` and `fault`, and not kept; blank: not said"
    )


def _kind_by(one: str, several: str) -> Discriminator:
    """Tells one from several, which are an array, by these tags."""
    return Discriminator(lambda value: several if isinstance(value, list) else one)


#: A game, or several.
GamesSent = Annotated[
    Annotated[GameSent, Tag("game")]
    | Annotated[list[GameSent], Field(min_length=1, max_length=MOST_AT_ONCE), Tag("games")],
    _kind_by("game", "games"),
]


class PlayerSent(_Sent):
    """A newcomer (players.csv): `declared` is a whole rank, `BC`, or a professional's."""

    player_id: NewId = Field(description="The player's id, the server's own")
    name: Name
    declared: Declared = Field(
        description="The rank that the player declares: a whole one, `BC`, or a professional's"
    )
    professional: bool = Field(False, description="Whether the player is a professional")
    robot: bool = Field(False, description="Whether the player is a robot: no game against one is rated")


#: A newcomer, or several.
PlayersSent = Annotated[
    Annotated[PlayerSent, Tag("newcomer")]
    | Annotated[list[PlayerSent], Field(min_length=1, max_length=MOST_AT_ONCE), Tag("newcomers")],
    _kind_by("newcomer", "newcomers"),
]


Why = Annotated[
    str,
    StringConstraints(max_length=1_000, pattern=params.PLAIN),
    Field(description="The reason, kept in the office's record"),
]


class NameSent(_Sent):
    """Another name of a player, and why."""

    name: Name
    why: Why = ""


class RobotSent(_Sent):
    """Whether a player is a robot from now on, and why that is said."""

    robot: bool = Field(description="Whether the player is a robot in games that come from now on")
    why: Why = ""


class ErasureSent(_Sent):
    """The id of who is to be erased, once more: nobody can undo it."""

    confirm: Id = Field(description="The player's id, as in the address")


class DeclarationSent(_Sent):
    """A provisional rank that a player declares (declarations.csv)."""

    player_id: Id = Field(description="The player's id")
    at: Moment = Field(description="When the rank was declared, with the offset from UTC")
    rank: WholeRank = Field(description="The rank that the player declares, a whole one")


class VoidSent(_Sent):
    """A game to annul, and why."""

    game_id: Id = Field(description="The game's id")
    why: Why = ""
