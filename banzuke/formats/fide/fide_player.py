"""A player of FIDE's rating lists, what each field may hold, and how a player is made from texts."""

import re
from pathlib import PurePath
from typing import Literal, NamedTuple

from banzuke.core.fault import Fault, RefusedError, fault

Speed = Literal["standard", "rapid", "blitz"]
SPEEDS: tuple[Speed, ...] = ("standard", "rapid", "blitz")
#: So many faults of a list are noted; then its reader stops.
MOST_FAULTS = 100


class FidePlayer(NamedTuple):
    """A player of a FIDE list: texts as printed (blank: none), numbers or None where there is none.

    Ratings come with the games of the month and K. In `flag` `i` is inactive, `w` a woman.
    """

    fide_id: str
    name: str
    federation: str = ""
    sex: str = ""
    title: str = ""
    w_title: str = ""
    o_title: str = ""
    foa_title: str = ""
    standard: int | None = None
    standard_games: int | None = None
    standard_k: int | None = None
    rapid: int | None = None
    rapid_games: int | None = None
    rapid_k: int | None = None
    blitz: int | None = None
    blitz_games: int | None = None
    blitz_k: int | None = None
    birth_year: int | None = None
    flag: str = ""


class UnfitError(ValueError):
    """A text that is not of its field; `column` is where it stands, `heading` what is above it."""

    def __init__(self, code: str, text: str, column: str = "", heading: str = "") -> None:
        super().__init__(code)
        self.code, self.text, self.column, self.heading = code, text, column, heading

    def to_fault(self, file: str, line: int) -> Fault:
        """The fault at that line."""
        return fault(file, line, self.column, self.code, text=self.text[:_SHOWN], heading=self.heading)


class _Kind(NamedTuple):
    """What a field's text must be, the fault's code if it is not, whether it is a number, and may be 0."""

    pattern: re.Pattern[str]
    code: str
    is_number: bool = False
    may_be_0: bool = False


_SHOWN = 40
_LETTER = "[^\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]"
_NUMBER = re.compile(r"\d{0,5}", re.ASCII)
_TEXT = _Kind(re.compile(_LETTER + "{0,30}"), "fide-bad-text")
_RATING = _Kind(_NUMBER, "fide-bad-number", is_number=True)
_KINDS = {
    "fide_id": _Kind(re.compile(r"(?=[^\d]*\d)[A-Za-z\d-]{1,15}", re.ASCII), "fide-bad-id"),
    "name": _Kind(re.compile(_LETTER + "{0,200}"), "fide-bad-name"),
    "federation": _Kind(re.compile("(?:[A-Z]{3})?"), "fide-bad-federation"),
    "sex": _Kind(re.compile("[A-Za-z]?"), "fide-bad-sex"),
    "birth_year": _Kind(re.compile(r"(?:0|\d{4})?", re.ASCII), "fide-bad-year", is_number=True),
    **{f"{speed}{of}": _RATING for speed in SPEEDS for of in ("", "_k")},
    **{f"{speed}_games": _RATING._replace(may_be_0=True) for speed in SPEEDS},
}


def value_of(field: str, text: str) -> str | int | None:
    """The value of a player's field from its text without blanks at its ends. Raises UnfitError.

    A rating, K or year of 0 is none.
    """
    kind = _KINDS.get(field, _TEXT)
    if not kind.pattern.fullmatch(text):
        raise UnfitError(kind.code, text)
    if not kind.is_number:
        return text
    return int(text or 0) or (0 if text and kind.may_be_0 else None)


def texts_of(player: FidePlayer, file: str, line: int, headings: tuple[str, ...]) -> list[str]:
    """The texts of a player's fields, in their order; blank for None.

    Raises RefusedError for a text that no reader would take for its field, named by its heading.
    """
    texts = ["" if value is None else str(value).strip() for value in player]
    for field, text, heading in zip(FidePlayer._fields, texts, headings, strict=True):
        try:
            value_of(field, text)
        except UnfitError as unfit:
            raise RefusedError(
                [UnfitError(unfit.code, text, heading, heading).to_fault(file, line)]
            ) from None
    return texts


def speed_of(file: str) -> Speed | None:
    """The speed of which a list is by its file's name, as FIDE names them; None if that says none."""
    name = PurePath(file).name.lower()
    return next((speed for speed in SPEEDS if name.startswith(speed)), None)
