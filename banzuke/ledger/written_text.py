"""How ids and names may be written, so that two that look alike are one.

Refused are signs that nobody sees (zero width, marks of direction, soft hyphens, fillers), blanks at the
ends, letters taken apart (Unicode has one form of each, NFC), and alphabets mixed within a word: Latin `A`,
Cyrillic `А` and Greek `Α` look the same. An id may not be of Cyrillic or Greek letters all of which look
Latin. What Japanese names need stays: kanji with a selector of their variant, compatibility kanji.
"""

import re
import unicodedata

from banzuke.ledger.cells import CellError, Kind

#: So many characters may an id have (it stands in addresses, and databases find it by an index), and so many
#: of a longer one are shown.
MOST_OF_ID, SHOWN_OF_ID = 200, 20
#: Control characters, and what no file can hold: halves of letters, and two signs that XML does not know.
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
#: Letters and blanks that are drawn as nothing, beside those that Unicode calls format characters.
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2028\u2029\u2800\u3164\uffa0")
#: Kanji that NFC would make other ones, as their bearers do not write them.
_COMPATIBILITY = re.compile("[\uf900-\ufaff\U0002f800-\U0002fa1f]")
_WORD = re.compile(r"[^\W\d_]+")
#: Alphabets with letters that look like one another's.
_ALIKE = frozenset(("LATIN", "CYRILLIC", "GREEK", "COPTIC", "ARMENIAN", "CHEROKEE", "LISU"))
#: Cyrillic and Greek letters that are drawn as Latin ones.
_AS_LATIN = frozenset("АВЕЅІЈКМНОРСТУХԚԜаеѕіјорсухһԁԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳον")


def read_text(cell: str) -> str:
    """A text, as it stands. Raises CellError."""
    if CONTROL.search(cell):
        raise CellError("cell-control", value=cell)
    if cell != cell.strip():
        raise CellError("cell-ends", value=cell)
    if not cell.isascii():
        _check_seen(cell)
        _check_form(cell, _COMPATIBILITY.sub("", cell))
        _check_alphabets(cell, _WORD.findall(cell))
    return cell


def read_id(cell: str) -> str:
    """An id, as it stands. Raises CellError."""
    if len(cell) > MOST_OF_ID:
        raise CellError("cell-long-id", value=f"{cell[:SHOWN_OF_ID]}…", count=len(cell), most=MOST_OF_ID)
    if not read_text(cell).isascii():
        _check_form(cell, cell)
        _check_alphabets(cell, [cell])
        letters = {sign for sign in cell if sign.isalpha()}
        if letters and letters <= _AS_LATIN:
            raise CellError("cell-mixed", value=cell, word=cell)
    return cell


TEXT, ID = Kind(read_text, blank=""), Kind(read_id, blank="")


def _check_seen(cell: str) -> None:
    unseen = next((sign for sign in cell if is_unseen(sign)), "")
    if unseen:
        raise CellError("cell-unseen", value=cell, sign=f"U+{ord(unseen):04X}")


def _check_form(cell: str, part: str) -> None:
    if not unicodedata.is_normalized("NFC", part):
        raise CellError("cell-form", value=cell, form=unicodedata.normalize("NFC", cell))


def _check_alphabets(cell: str, words: list[str]) -> None:
    mixed = next((word for word in words if len(_alphabets(word)) > 1), "")
    if mixed:
        raise CellError("cell-mixed", value=cell, word=mixed)


def tidy(text: str) -> str:
    """A text that others wrote: without signs that nobody sees, in one form, no blanks at its ends."""
    if text.isascii():
        return text.strip()
    seen = "".join(sign for sign in text if not is_unseen(sign))
    is_plain = not _COMPATIBILITY.search(seen)
    return (unicodedata.normalize("NFC", seen) if is_plain else seen).strip()


def is_unseen(sign: str) -> bool:
    """Whether a sign is drawn as nothing."""
    return sign in _FILLERS or unicodedata.category(sign) == "Cf"


def _alphabets(text: str) -> set[str]:
    """Which of the alphabets that look alike a text has letters of."""
    found = {unicodedata.name(sign, "").partition(" ")[0] for sign in text if sign.isalpha()}
    return found & _ALIKE
