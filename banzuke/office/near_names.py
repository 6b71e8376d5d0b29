"""Players whose names are near what was typed: with a slip or two, in Latin letters, kana or kanji.

The words that each typed word may stand for come by their keys (`NearWord`), so that their number does not
depend on how many players there are; then those are looked up whose names begin with such words.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from typing import NamedTuple

from django.db import connection
from django.db.models import Exists, OuterRef

from banzuke.database.models import NameWord, NearWord, Pool
from banzuke.exchange.name_likeness import (
    Words,
    kept_forms,
    normal_form,
    normal_word,
    rotations,
    spelt_words,
    writing,
)
from banzuke.exchange.near_words import keys, respaced, slips, slips_of_name
from banzuke.office.player_search import form_begins

#: So many words are read of those with a key of a typed word; so many that are nearest are tried for each of
#: one or two, and for each of more.
MOST_WORDS, TRIED, TRIED_OF_MANY = 4_000, 50, 8
#: So many beginnings of names are looked up, so many bearers of each, and so many of all are given.
MOST_BEGINNINGS, BEARERS, MOST = 120, 20, 150
#: So many words of what was typed are looked at.
MOST_TYPED = 4
#: The least letters, and the least and most signs of a name in kanji, of which one may be wrong.
_LEAST_LETTERS, _LEAST_KANJI, _MOST_KANJI = 3, 3, 20


class _Meant(NamedTuple):
    """A word that a typed one may stand for, in normal form, and how many slips are between them."""

    word: str
    slips: int


def near_players(pool: Pool, typed: str) -> list[str]:
    """The ids of players whose names are near what was typed; some of them may be farther than they look."""
    if writing(typed) == "kanji":
        found = [player for form in kept_forms(typed) for player in _near_in_kanji(pool, "".join(form))]
        return list(dict.fromkeys(found))
    if sum(map(str.isalpha, typed)) < _LEAST_LETTERS:
        return []
    beginnings = list(islice(_beginnings(pool, spelt_words(typed)[:MOST_TYPED]), MOST_BEGINNINGS))
    return _bearers(pool, beginnings) if beginnings else []


def _beginnings(pool: Pool, typed: Words) -> Iterator[str]:
    """The beginnings of names that may be meant, those with the fewest slips first."""
    if not typed:
        return
    yield from (" ".join(map(normal_word, other)) for other in respaced(typed))
    tried = TRIED if len(typed) < 3 else TRIED_OF_MANY  # noqa: PLR2004 - as said above
    meant = [words[:tried] for words in words_meant(pool, NearWord.Kind.PLAYER, typed)]
    meant[-1].insert(0, _Meant(normal_word(typed[-1]), 0))
    found = sorted(product(*meant), key=lambda words: sum(word.slips for word in words))
    yield from dict.fromkeys(" ".join(each.word for each in words) for words in found)


def words_meant(pool: Pool, kind: str, typed: Words) -> list[list[_Meant]]:
    """For each typed word the words of the pool's names that it may stand for, the nearest first."""
    of_each = [keys(word) for word in typed]
    known = NearWord.objects.filter(pool=pool, kind=kind, key__in=set().union(*of_each))
    words = set(known.values_list("word", flat=True)[:MOST_WORDS])
    return [_nearest(word, words) for word in typed]


def _nearest(typed: str, words: Iterable[str]) -> list[_Meant]:
    near = ((slips(typed, word), word) for word in words)
    found = sorted((count, word) for count, word in near if count is not None)
    meant: dict[str, int] = {}
    for count, word in found:
        meant.setdefault(normal_word(word), count)
    return [_Meant(word, count) for word, count in meant.items()]


def _bearers(pool: Pool, beginnings: Sequence[str]) -> list[str]:
    """The first bearers of each beginning, by the index of forms."""
    table = connection.ops.quote_name(NameWord._meta.db_table)  # noqa: SLF001 - Django's documented way to it
    one = (
        f"SELECT * FROM (SELECT player_id FROM {table}"  # noqa: S608 - our own words
        f" WHERE pool_id = %s AND form >= %s AND form < %s ORDER BY form LIMIT {BEARERS}) AS found"
    )
    values = [value for begin in beginnings for value in (pool.pk, begin.encode(), begin.encode() + b"\xff")]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join([one] * len(beginnings)), values)
        return list(dict.fromkeys(player for (player,) in cursor.fetchall()))[:MOST]


def _near_in_kanji(pool: Pool, typed: str) -> list[str]:
    """Those whose names have another sign in one place: they begin and end as was typed."""
    if not _LEAST_KANJI <= len(typed) <= _MOST_KANJI:
        return []
    found: list[str] = []
    for at in range(len(typed)):
        found += _with_another_sign(pool, typed[:at], typed[at + 1 :])
    return list(dict.fromkeys(found))


def _with_another_sign(pool: Pool, begin: str, end: str) -> list[str]:
    forms = NameWord.objects.filter(pool=pool)
    ending = forms.filter(form=end.encode())
    if not begin:
        return list(ending.values_list("player_id", flat=True)[:BEARERS])
    beginning = forms.filter(form_begins(begin))
    if end:
        beginning = beginning.filter(Exists(ending.filter(player_id=OuterRef("player_id"))))
    return list(beginning.values_list("player_id", flat=True)[:BEARERS])


def slips_between(typed: str, names: Iterable[str]) -> int | None:
    """How many slips are between what was typed and the nearest of the names; None: none is near."""
    wanted = writing(typed) == "kanji"
    counts = (_slips_between(typed, name) for name in names if (writing(name) == "kanji") == wanted)
    return min((count for count in counts if count is not None), default=None)


def _slips_between(typed: str, name: str) -> int | None:
    if writing(typed) != "kanji":
        return slips_of_name(spelt_words(typed), spelt_words(name))
    wanted = "".join(normal_form(typed))
    orders = ("".join(order) for order in rotations(normal_form(name)))
    return min(
        (count for order in orders if (count := _other_signs(wanted, order)) is not None), default=None
    )


def _other_signs(typed: str, name: str) -> int | None:
    """How many signs differ of names of one length; a name that begins as was typed has none."""
    if name.startswith(typed):
        return 0
    apart = sum(one != other for one, other in zip(typed, name, strict=False))
    return 1 if len(typed) == len(name) >= _LEAST_KANJI and apart == 1 else None
