"""What of the API and of the data files is on its way out: it is all listed here.

Answers at such an address say so (`banzuke.api.deprecation_headers`), and so does the page Data. What is
listed stays for `LEAST` after it was deprecated: docs/api.md and the page Data promise it.
"""

import re
from datetime import date
from typing import NamedTuple

#: So many years an address or a field stays after it was deprecated.
LEAST = 2


class Deprecation(NamedTuple):
    """An address that goes, as a pattern of the whole path: since when, until when, and what is in its place.

    For a field of an answer, `path` is that of the answers that have it, and `instead` names the field.
    """

    path: re.Pattern[str]
    since: date
    until: date
    instead: str


#: What is deprecated now.
DEPRECATED: tuple[Deprecation, ...] = ()


def deprecation_of(path: str) -> Deprecation | None:
    """What goes at that path; None: nothing does."""
    return next((each for each in DEPRECATED if each.path.fullmatch(path)), None)
