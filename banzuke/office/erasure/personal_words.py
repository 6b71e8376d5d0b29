"""The words that tell who somebody is, as the office has or had them."""

from collections.abc import Iterable

from django.db.models import Q

from banzuke.database.models import Contact, GoPlayer, ListRow, Player, Pool, ReportDecision
from banzuke.office.erasure.redactor import KnownWords, long_words


def known_words(pool: Pool, ids: Iterable[str]) -> KnownWords:
    """The words of the person who has, or had, those ids in the pool; reports spelled names their own way."""
    ids = set(ids)
    of = Q(player_id__in=ids)
    players = Player.objects.filter(of, pool=pool).values_list("name", "name_native", "birth_date", "fide_id")
    contacts = Contact.objects.filter(of, pool=pool).values_list("kana", "address", "email")
    listed = ListRow.objects.filter(of, list__pool=pool).values_list("name", "name_native").distinct()
    names = {name for one, native, *_ in players for name in (one, native)}
    names |= {name for row in listed for name in row} | {kana for kana, *_ in contacts}
    handles = set(GoPlayer.objects.filter(of, pool=pool).values_list("name", flat=True))
    names |= handles
    names |= set(ReportDecision.objects.filter(of, report__pool=pool).values_list("name", flat=True))
    others = {fide for *_, fide in players} | {cell for _, *cells in contacts for cell in cells}
    days = frozenset(born for _, _, born, _ in players if born)
    return KnownWords(long_words(names - ids), long_words(others), days, frozenset(ids if handles else ()))
