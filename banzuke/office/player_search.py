"""Finding players as one types: in any script, in any order of the names, by name or by id.

A name is kept by its forms (`NameWord`), in the spelling of `exchange.name_likeness`: Latin letters and kana
as words, once beginning with each; kanji without blanks, in each order of the words and from every sign on,
as nobody knows where the given name begins. What is typed is the beginning of a form.
"""

import re
from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import permutations
from operator import itemgetter, or_
from typing import TypeVar
from unicodedata import normalize

from django.db.models import Case, OuterRef, Q, QuerySet, Subquery, When

from banzuke.database.models import ListRow, LiveStanding, NameWord, Player, Pool, RatingList
from banzuke.exchange.member_index import plain_id
from banzuke.exchange.name_likeness import kept_forms, normal_form, writing
from banzuke.office.merged_ids import undone_merges
from banzuke.office.raw_sql import insert_new

#: Rows that each have a player: of a published list, or of the ranking as it stands now.
R = TypeVar("R", ListRow, LiveStanding)
#: A player's id and two names; and a form: its pool's number, its bytes, whom it finds.
Named = tuple[str, str, str]
Word = tuple[int, bytes, str]
#: Up to so many bearers are looked up one by one; of more, the list is read in its order, asking who is one:
#: of all bearers, gathered once, or, where some are in every stretch of the list, for each row by itself.
FEW, MANY = 5_000, 50_000
#: So many names are read at once.
CHUNK = 5_000
#: Words of which every order is tried; the given one alone for more.
_ORDERED = 3
#: A form's length, in signs: as much as anybody types.
LONGEST = 60
#: The end of a word that is still being typed, where the spelling hangs on what comes: `sh`i, `ts`u, `j`i.
_OPEN_ENDS = {"sy": "s", "ty": "t", "ts": "t", "zy": "z", "c": "t", "j": "z", "f": "h"}
_OPEN_END = re.compile(f"(?:{'|'.join(_OPEN_ENDS)})$")


def forms(name: str) -> set[str]:
    """The forms by which a name is found."""
    words = normal_form(name)
    orders = [words[start:] + words[:start] for start in range(len(words))]
    if writing(name) != "kanji":
        return {" ".join(order)[:LONGEST] for order in orders}
    whole = "".join(words)
    endings = {whole[start:] for start in range(len(whole))}
    return {form[:LONGEST] for form in endings | {"".join(order) for order in orders}}


def beginnings(typed: str) -> set[str]:
    """The beginnings of forms that this input may mean; none for input without a letter or digit."""
    if not normal_form(typed):
        return set()
    between = "" if writing(typed) == "kanji" else " "
    found = {plain_id(typed)}
    for words in kept_forms(typed):
        orders = permutations(words) if len(words) <= _ORDERED else [words]
        found |= {between.join(order) for order in orders}
    if writing(typed) == "kanji":  # as names were kept before their kanji stood for others
        found.add("".join(normalize("NFKC", typed).casefold().split()))
    return found | {_OPEN_END.sub(lambda end: _OPEN_ENDS[end[0]], form) for form in found}


def find_rows(rows: QuerySet[R], pool: Pool, typed: str, hidden: frozenset[str]) -> QuerySet[R]:
    """The rows that are meant by what was typed; players who are shown by id only, by their id alone."""
    left_out = withheld_players(hidden, typed)
    words = bearers(pool, typed)
    few = list(words.values_list("player_id", flat=True)[: FEW + 1])
    if len(few) <= FEW:
        return rows.filter(player_id__in=set(few).difference(left_out))
    return _among_many(rows, words).exclude(player_id__in=left_out)


def withheld_players(hidden: Iterable[str], typed: str) -> set[str]:
    """Who is shown by id only, and whose id does not begin as was typed: they are not found so."""
    wanted = plain_id(typed)
    return {player for player in hidden if not wanted or not plain_id(player).startswith(wanted)}


def _among_many(rows: QuerySet[R], words: QuerySet[NameWord]) -> QuerySet[R]:
    """The bearers' rows; a value of each row, which no database turns into a join, keeps the rows' order."""
    if words[: MANY + 1].count() <= MANY:
        return rows.alias(bears=Case(When(player_id__in=words.values("player_id"), then=1))).filter(bears=1)
    of_row = words.filter(player_id=OuterRef("player_id")).values("player_id")
    return rows.alias(bears=Subquery(of_row[:1])).filter(bears__isnull=False)


def bearers(pool: Pool, typed: str) -> QuerySet[NameWord]:
    """The forms, each with who bears it, that begin as was typed; what no form begins with is left out."""
    every = NameWord.objects.filter(pool=pool)
    meant = [of for of in map(form_begins, sorted(beginnings(typed))) if every.filter(of).exists()]
    return every.filter(reduce(or_, meant)) if meant else every.none()


def form_begins(begin: str) -> Q:
    """The forms (of players' names, or of events') that begin so; UTF-8 has no byte 255."""
    return Q(form__gte=begin.encode(), form__lt=begin.encode() + b"\xff")


def names_in_last_list(pool: Pool) -> set[Named]:
    """The players on the last published list, who are findable; nobody before the first."""
    last = RatingList.objects.filter(pool=pool).order_by("number").last()
    if last is None:
        return set()
    named = last.rows.order_by().values_list("player_id", "name", "name_native").distinct()
    return set(named.iterator(chunk_size=CHUNK))


def index_players(pool: Pool, everybody: Iterable[Named]) -> None:
    """Make players findable by their id and their two names."""
    store_words(words_of(pool, everybody))


def own_rows(pool: Pool) -> QuerySet[Player]:
    """What the register says or said of members, but for what an undone merge had brought from another."""
    brought = [made.entry_id for made in undone_merges(pool)]
    return Player.objects.filter(pool=pool).exclude(entry__in=brought)


def index_anew(pool: Pool, player_id: str) -> None:
    """Make a member findable by the names in `own_rows`, and by no other."""
    NameWord.objects.filter(pool=pool, player_id=player_id).delete()
    rows = own_rows(pool).filter(player_id=player_id)
    index_players(pool, rows.values_list("player_id", "name", "name_native"))


def words_of(pool: Pool, everybody: Iterable[Named]) -> Iterator[Word]:
    """The forms by which players are found: by their id and their two names."""
    for player, *names in everybody:
        found_by = {form for name in (*names, player) for form in forms(name)} | {plain_id(player)}
        for form in sorted(found_by - {""}):
            yield pool.pk, form.encode(), player


def store_words(words: Iterable[Word]) -> None:
    """Store forms; those that are there stay. In one order, so that no two who store wait for each other."""
    ordered = sorted(words, key=itemgetter(2, 1))
    insert_new(NameWord, ("pool_id", "form", "player_id"), ordered)
