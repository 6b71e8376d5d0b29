"""The words of standings in a language: headings, what each tie-break is, and what is to be known."""

from banzuke.exchange.standings.tie_breaks import FIDE_CODES, US_CODES
from banzuke.formats.events.standings_table import StandingsTable
from banzuke.words import Language, say

_HEADINGS = ("title", "rank", "number", "name", "points")


def standings_wording(table: StandingsTable, lang: Language) -> dict[str, str]:
    """The headings by their keys, `legend` of the tie-breaks, and `note`."""
    words = {key: say("tie_breaks", key, lang) for key in _HEADINGS}
    titles = (say("tie_breaks", "entry", lang, code=code, title=title_of(code, lang)) for code in table.codes)
    legend = say("tie_breaks", "comma", lang).join(titles)
    return words | {"legend": legend, "note": (" " if lang == "en" else "").join(notes_of(table, lang))}


def file_wording(table: StandingsTable | None, lang: Language) -> dict[str, str]:
    """The same for the files of an event, by keys that begin with `standings-`; empty without standings."""
    words = {} if table is None else standings_wording(table, lang)
    return {f"standings-{key}": word for key, word in words.items()}


def title_of(code: str, lang: Language) -> str:
    """What a tie-break is called: `Buchholz, C1`."""
    name, *cuts = code.split("-")
    return " ".join((say("tie_breaks", name, lang), *cuts))


def notes_of(table: StandingsTable, lang: Language) -> list[str]:
    """How the standings were made, and what is missing in them."""
    system = "by-round-robin" if table.is_round_robin else "by-swiss"
    notes = [
        say("tie_breaks", "after", lang, rounds=table.rounds),
        say("tie_breaks", system, lang, edition=table.edition),
    ]
    if table.lacks_games:
        notes.append(say("tie_breaks", "note-part", lang))
    if not table.knows_byes:
        notes.append(say("tie_breaks", "note-byes", lang))
    if table.unrated_count:
        notes.append(say("tie_breaks", "note-unrated", lang, count=table.unrated_count))
    return notes


def code_list(lang: Language) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """Every code with its title and what it counts, FIDE's first, then those of the US rule book."""
    return [
        (say("tie_breaks", key, lang), [_entry(code, lang) for code in codes])
        for key, codes in (("of-fide", FIDE_CODES), ("of-us", US_CODES))
    ]


def _entry(code: str, lang: Language) -> tuple[str, str, str]:
    return code, say("tie_breaks", code, lang), say("tie_breaks", f"{code}-about", lang)
