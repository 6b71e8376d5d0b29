"""What a TRF report is made of: characters that no name has, lines that only show the columns."""

import re

from banzuke.formats.trf.trf_rows import WIDTH

# In a player's row, what Windows' Latin has between its letters (but for the marks ´ and ·, and apostrophes).
_NO_NAME = "\xa1-\xa9\xab-\xb3\xb6\xb8\xb9\xbb-\xbf\xd7\xf7‚ƒ„…†‡ˆ‰‹›•˜™€"
_WRONG = "\0\x80-\x9f\ufffd"
_NO_LETTER, _SUSPECT = re.compile(f"[{_WRONG}]"), re.compile(f"[{_WRONG}{_NO_NAME}]")
_NO_NAMES = re.compile(f"(?m)^001[^\n]*?[{_NO_NAME}]")
_PICTURE = re.compile(r"([A-Z])\1\1 ++\D")
_PICTURES = re.compile(r"(?:(?:[a-z]?([A-Z])\1*+(?:/\1++)*\d*+|\d++)(?: ++|\Z))+", re.ASCII)
_LONGEST = 1000
_RULERS = ("1234567890" * 200, "0123456789" * 200, "".join(f"{n:10}" for n in range(1, 200)))


def find_no_letter(text: str) -> re.Match[str] | None:
    """Find a character that no name has: the text is in another encoding, or no text."""
    if (text.isascii() and "\0" not in text) or not _SUSPECT.search(text):
        return None
    return _NO_LETTER.search(text) or _NO_NAMES.search(text)


def shows_columns(text: str) -> bool:
    """Whether a line counts the columns by units (from 1 or 0) or by tens, or is a picture of them."""
    counts = len(text) >= WIDTH and any(ruler.startswith(text) for ruler in _RULERS)
    return counts or bool(_PICTURE.match(text))


def comment_of(text: str) -> str:
    """What a line that begins with `#` says; blank if it is a picture of the columns."""
    comment = text[:_LONGEST].strip("# ")
    return "" if _PICTURES.fullmatch(comment) or shows_columns(text.lstrip("#")) else comment
