"""Finding members of the register for the office: by id, FIDE id, or name in any script."""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet, TextField, Value
from django.db.models.functions import Concat, Replace

from banzuke.core import facts
from banzuke.database.models import Contact, Player
from banzuke.office import player_search
from banzuke.office.fact_rows import standing_rows

if TYPE_CHECKING:
    from banzuke.database.models import Pool

#: More letters than anybody types; a database takes no search of any length.
LONGEST = 100
#: So many of the public index's bearers are asked for.
MOST = 500


def found(pool: Pool, typed: str) -> QuerySet[Player]:
    """The standing members meant by what was typed, by id; all where nothing was.

    Who is on a published list is found in any script; others as they are written, in any case, with or
    without blanks, in any order of the words.
    """
    rows: QuerySet[Player] = standing_rows(pool, facts.Player).order_by("player_id")
    typed = typed[:LONGEST]
    words = typed.replace("\u3000", " ").split()
    if not words:
        return rows
    kana = Contact.objects.filter(pool=pool, kana__icontains=" ".join(words)).values("player_id")
    rows = rows.annotate(written=_written())
    meant = reduce(and_, (Q(written__icontains=word) for word in words))
    by_id = Q(player_id__icontains=typed.strip()) | Q(fide_id=typed.strip())
    return rows.filter(meant | by_id | Q(player_id__in=kana) | Q(player_id__in=_indexed(pool, typed)))


def _indexed(pool: Pool, typed: str) -> set[str]:
    return set(player_search.bearers(pool, typed).values_list("player_id", flat=True)[:MOST])


def _written() -> Concat:
    """Both names, and the kanji name without blanks."""
    text = TextField()
    blank, wide = Value(" ", text), Value("\u3000", text)
    nothing = Value("", text)
    kanji = Replace(Replace("name_native", blank, nothing), wide, nothing)
    return Concat("name", blank, "name_native", blank, kanji, output_field=text)


def exactly(pool: Pool, name: str) -> list[Player]:
    """The standing members whose name or kanji name this is, blanks and commas aside."""
    plain = _plain(name)
    if not plain:
        return []
    return [row for row in found(pool, plain)[:MOST] if plain in (_plain(row.name), _plain(row.name_native))]


def _plain(name: str) -> str:
    return " ".join(name.replace(",", " ").replace("\u3000", " ").split()).casefold()
