"""Lines of a TRF report that only show the columns, and comments."""

import re

from banzuke.formats.trf.trf_rows import WIDTH

_PICTURE = re.compile(r"([A-Z])\1\1 ++\D")
_PICTURES = re.compile(r"(?:(?:[a-z]?([A-Z])\1*+(?:/\1++)*\d*+|\d++)(?: ++|\Z))+", re.ASCII)
_LONGEST = 1000
_RULERS = ("1234567890" * 200, "0123456789" * 200, "".join(f"{n:10}" for n in range(1, 200)))


def shows_columns(text: str) -> bool:
    """Whether a line counts the columns by units (from 1 or 0) or by tens, or is a picture of them."""
    counts = len(text) >= WIDTH and any(ruler.startswith(text) for ruler in _RULERS)
    return counts or bool(_PICTURE.match(text))


def comment_of(text: str) -> str:
    """What a line that begins with `#` says; blank if it is a picture of the columns."""
    comment = text[:_LONGEST].strip("# ")
    return "" if _PICTURES.fullmatch(comment) or shows_columns(text.lstrip("#")) else comment
