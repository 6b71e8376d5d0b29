"""Whether erasures are as the log and the office's folder have them: nobody is made nameless past the office.

Whoever can write the database can write what an erasure writes, an entry of the log too, but not the file of
the office's folder. And whoever puts an older database back brings persons back whom the file has.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from django.db.models import F, Q, QuerySet

from banzuke.core.fault import Fault, fault
from banzuke.database.models import Contact, Erasure, GoPlayer, Player, Pool, RatingList
from banzuke.office.erased_ids import erased_ids, id_of_hash
from banzuke.office.noted_ids import FILE, noted_ids
from banzuke.office.transparency.erasure_hashes import erasures_of, left_sha256, tombstone_sha256
from banzuke.office.transparency.text_salts import BookRow
from banzuke.transparency.log_entries import ErasureEntry


def wrong_erasure(
    pool: Pool, number: int, said: ErasureEntry, secret: bytes, before: Mapping[BookRow, bytes]
) -> Iterator[Fault]:
    """What was noted about an erasure, or is left of it, where that is not as the log's entry has it."""
    ids = _ids(erasures_of(pool, said.entry))
    lists = RatingList.objects.filter(pool=pool, log_entry__number__lt=number)
    found = (
        tombstone_sha256(pool, said.entry, secret),
        left_sha256(pool, said.entry, secret, before, lists),
    )
    if not ids or found != (said.book, said.persons):
        yield fault(pool.slug, 0, "", "log-erasure-changed", number=number, entry=said.entry)
    named = sorted({*_named(pool, ids)})
    if named:
        yield fault(pool.slug, 0, "", "log-erasure-named", number=number, named=", ".join(named))


def unlogged_erasures(pool: Pool, logged: Iterable[ErasureEntry]) -> Iterator[Fault]:
    """Ids that are noted as erased, and the log has no entry for it."""
    known = [said.entry for said in logged]
    ids = Erasure.objects.filter(pool=pool).exclude(entry__in=known).values_list("player_id", flat=True)
    for player in ids.order_by("pk"):
        yield fault(pool.slug, 0, "", "log-erasure-missing", player=player)


def differing_erasures() -> Iterator[Fault]:
    """Ids that only the database has as erased, or only the file in the office's folder."""
    noted = list(noted_ids())
    for pool in Pool.objects.order_by("slug"):
        of_pool, erased = {each.player for each in noted if each.pool == pool.slug}, erased_ids(pool)
        for player in sorted(erased - of_pool):
            yield _fault(pool, "erasure-not-noted", player)
        of = Q(pool=pool, player_id__in=of_pool - erased)
        again = {each.player for each in noted if each.pool == pool.slug and id_of_hash(pool, each.former)}
        for player in sorted(_ids(Player.objects.filter(of)) | _ids(GoPlayer.objects.filter(of)) | again):
            yield _fault(pool, "erasure-undone", player)


def _fault(pool: Pool, code: str, player: str) -> Fault:
    return fault(pool.slug, 0, "", code, player=player, pool=pool.slug, noted=FILE)


def _named(pool: Pool, ids: Collection[str]) -> Iterator[str]:
    """Of these ids, those of which the book still says who they are."""
    of = Q(pool=pool, player_id__in=ids)
    is_named = ~Q(name=F("player_id")) | ~Q(name_native="", sex="", club_id="", fide_id="")
    yield from _ids(Player.objects.filter(of).filter(is_named))
    yield from _ids(GoPlayer.objects.filter(of).exclude(name=F("player_id")))
    yield from _ids(Contact.objects.filter(of).exclude(kana="", address="", email=""))


def _ids(rows: QuerySet[Any]) -> set[str]:
    return set(rows.values_list("player_id", flat=True))
