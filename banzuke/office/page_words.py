"""The sentences of faults as the office's pages say them: never a command's option or a ledger's file."""

from banzuke.core.fault import Fault
from banzuke.words import Language, catalogue, fault_text, list_titles, say

#: Facts of sentences that are names of lists.
LISTS = ("list", "lists")
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
    "no-header": "inbox-no-ratings",
    "missing-column": "inbox-no-column",
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
    said = tuple((name, fact_text(name, fact, lang)) for name, fact in found.facts)
    return fault_text(in_office_words(found)._replace(facts=said), lang)


def fact_text(name: str, fact: str, lang: Language) -> str:
    """A fact of a sentence: the names of lists as people say them, anything else as it is."""
    return list_titles(fact.split(", "), lang) if name in LISTS else fact


def page_line(found: Fault, lang: Language) -> str:
    """A fault with its place in the file, as a page says it."""
    place = place_text(found, lang)
    gap = " " if place and lang == "en" else ""
    return f"{place}{gap}{page_text(found, lang)}"


def place_text(found: Fault, lang: Language) -> str:
    """The file, line and column of a fault: a column by its letter, its number, or what pages call it."""
    if not found.file:
        return ""
    column = found.column if found.column.isdecimal() or found.column.isupper() else ""
    field = "" if column else _field_name(found.column, lang)
    at_line = "place-column" if column else "place-field" if field else "place-line"
    said = {"line": str(found.line), "column": column, "field": field}
    return say("mending", at_line if found.line else "place-file", lang, file=found.file, **said)


def _field_name(column: str, lang: Language) -> str:
    """What a column of a table is called on pages; blank where they do not name it."""
    said = catalogue("cli").get(f"register-field-{column}") or catalogue("export").get(column, {})
    return str(said.get(lang, ""))
