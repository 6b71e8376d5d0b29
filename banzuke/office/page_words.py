"""The sentences of faults as the office's pages say them: never a command's option or a ledger's file."""

from banzuke.core.fault import Fault
from banzuke.words import Language, fault_text, say

#: Sentences of the commands whose advice is another one in the office.
OFFICE_CODES = {
    "import-field": "inbox-field",
    "import-event-id": "inbox-event-id",
    "import-reported": "inbox-reported",
    "import-nameless": "inbox-nameless",
    "import-new-fide-id": "inbox-fide-id",
    "import-go-alike": "inbox-go-alike",
    "import-go-no-rank": "inbox-go-no-rank",
    "import-go-which": "inbox-go-which",
    "incoming-unknown": "inbox-unknown",
    "incoming-empty-zip": "inbox-empty-zip",
    "incoming-no-day": "inbox-no-day",
    "incoming-both": "inbox-both",
    "form-no-sheet": "inbox-form-sheet",
    "who-other-name": "inbox-other-name",
    "who-no-member": "inbox-no-member",
    "event-no-speed": "inbox-no-speed",
    "no-edition": "inbox-no-edition",
    "unknown-player": "inbox-unknown-player",
    "unknown-player-near": "inbox-unknown-player-near",
    "export-event": "inbox-no-event",
    "register-struck": "inbox-member-struck",
    "register-no-start": "inbox-member-no-start",
    "register-one-event": "inbox-member-one-event",
}


def in_office_words(found: Fault) -> Fault:
    """A fault with the advice that the office's pages give."""
    return found._replace(code=OFFICE_CODES.get(found.code, found.code))


def page_text(found: Fault, lang: Language) -> str:
    """The sentence of a fault, as a page says it."""
    return fault_text(in_office_words(found), lang)


def page_line(found: Fault, lang: Language) -> str:
    """A fault with its place in the file, as a page says it."""
    place = place_text(found, lang)
    gap = " " if place and lang == "en" else ""
    return f"{place}{gap}{page_text(found, lang)}"


def place_text(found: Fault, lang: Language) -> str:
    """The file, line and column of a fault; a column by its letter or number, never by a table's own name."""
    if not found.file:
        return ""
    is_shown = found.line and (found.column.isdecimal() or found.column.isupper())
    key = "place-column" if is_shown else "place-line" if found.line else "place-file"
    return say("mending", key, lang, file=found.file, line=str(found.line), column=found.column)
