"""What the columns of a table of members are: known by their headings, or said once for the pool.

What is said of a heading holds for every later table of the pool that has it, until it is said otherwise.
"""

from collections.abc import Iterable, Mapping, Sequence

from banzuke.core.fault import RefusedError, fault
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool, RegisterFile
from banzuke.exchange.register_import import own_columns
from banzuke.formats.member_register import FIELDS, STRUCK, propose
from banzuke.formats.rating_columns import is_needless, propose_ratings, rating_fields

#: What a heading may mean beside a field: nothing that is needed.
LEFT_OUT = "-"
#: Beside the headings of the fields: how many games everybody has whose number the table does not say.
EVERY_GAMES = "every_games"
#: So many columns can be asked about; a table with more that are not known is no register of members.
MOST_UNKNOWN = 200
#: So many of the last tables are asked what was said of a heading.
MOST_TABLES = 50


def fields_of(pool: Pool) -> list[str]:
    """What a column may be: a field of members, or of a rating that the pool keeps."""
    return [*FIELDS, *ratings_of(pool)]


def ratings_of(pool: Pool) -> list[str]:
    """The fields of the ratings that the pool keeps."""
    return rating_fields(rules_of(pool).speeds)


def meanings(pool: Pool, headings: Sequence[str]) -> dict[str, str]:
    """What each heading means, a field or LEFT_OUT, as far as it is known; a field once."""
    named = [heading for heading in dict.fromkeys(headings) if heading]
    own = own_columns(list(headings))
    if own is not None:
        own = own | ({STRUCK: STRUCK} if STRUCK in named else {})
        return _by_heading(named, own)
    said = _said_before(pool, named)
    rest = [heading for heading in named if heading not in said]
    seeming = _proposals(pool, rest, taken=set(said.values()))
    return {heading: (said | seeming)[heading] for heading in named if heading in said or heading in seeming}


def _by_heading(named: Iterable[str], columns: Mapping[str, str]) -> dict[str, str]:
    fields = {heading: field for field, heading in columns.items() if field != EVERY_GAMES}
    return {heading: fields.get(heading, LEFT_OUT) for heading in named}


def _said_before(pool: Pool, named: Sequence[str]) -> dict[str, str]:
    """What was last said of the headings; of two that meant the same field the first."""
    said: dict[str, str] = {}
    for headings, columns in _tables(pool):
        for heading, field in _by_heading(filter(None, headings), columns).items():
            said.setdefault(heading, field)
    found: dict[str, str] = {}
    for heading in (each for each in named if each in said):
        if said[heading] == LEFT_OUT or said[heading] not in found.values():
            found[heading] = said[heading]
    return found


def _tables(pool: Pool) -> Iterable[tuple[list[str], dict[str, str]]]:
    rows = RegisterFile.objects.filter(pool=pool, columns__isnull=False).order_by("-pk")
    return [(row.headings, row.columns or {}) for row in rows.only("headings", "columns")[:MOST_TABLES]]


def _proposals(pool: Pool, named: Sequence[str], taken: set[str]) -> dict[str, str]:
    """What headings seem to mean by their words."""
    found = propose_ratings(named, rules_of(pool).speeds)
    found |= propose([heading for heading in named if heading not in found.values()])
    seeming = {heading: field for field, heading in found.items() if field not in taken}
    needless = [heading for heading in named if heading not in seeming and is_needless(heading)]
    return seeming | dict.fromkeys(needless, LEFT_OUT)


def columns_of(known: Mapping[str, str]) -> dict[str, str]:
    """The heading of each field, by what the headings mean."""
    return {field: heading for heading, field in known.items() if field != LEFT_OUT}


def known_columns(pool: Pool, headings: Sequence[str]) -> dict[str, str] | None:
    """The heading of each field, where nothing has to be asked; else None.

    Asked for is every heading that is not known, the member's id, and the games of ratings without them.
    """
    said = next((columns for known, columns in _tables(pool) if known == list(headings)), None)
    if said is not None:
        return dict(said)
    known = meanings(pool, headings)
    columns = columns_of(known)
    is_whole = not unknown_headings(known, headings)
    return columns if is_whole and "id" in columns and not without_games(columns) else None


def unknown_headings(known: Mapping[str, str], headings: Iterable[str]) -> list[str]:
    """The headings whose meaning has to be asked."""
    return [heading for heading in dict.fromkeys(headings) if heading and heading not in known]


def check_columns(pool: Pool, file: str, headings: Sequence[str]) -> None:
    """Raise RefusedError for a table with far more unknown columns than a register has."""
    unknown = unknown_headings(meanings(pool, headings), headings)
    if len(unknown) > MOST_UNKNOWN:
        facts = {"unknown": len(unknown), "most": MOST_UNKNOWN, "examples": ", ".join(unknown[:3])}
        raise RefusedError([fault(file, 0, "", "inbox-many-columns", **facts)])


def without_games(columns: Mapping[str, str]) -> list[str]:
    """The ratings of which neither a column nor a number for all says on how many games they rest."""
    if EVERY_GAMES in columns:
        return []
    ratings = [field for field in columns if field.endswith("rating")]
    return [field for field in ratings if field.removesuffix("rating") + "games" not in columns]
