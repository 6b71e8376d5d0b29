"""Which ids are of persons who were erased: nothing is entered about them any more.

Where an id was a word that somebody chose, a number takes its place. The office then knows the old id by a
hash with its secret key, which nobody can try words against who has the database alone.
"""

from django.db.models import Q
from django.utils.crypto import salted_hmac

from banzuke.database.models import Erasure, GoPlayer, Pool

_SALT = "banzuke.erased-id"


def erased_ids(pool: Pool) -> frozenset[str]:
    """The pool's ids whose persons were erased."""
    return frozenset(Erasure.objects.filter(pool=pool).values_list("player_id", flat=True))


def is_erased(pool: Pool, player_id: str) -> bool:
    """Whether the person of that id was erased, or who had it before a number took its place."""
    of = Q(player_id=player_id) | Q(former=hash_of_id(pool, player_id))
    return Erasure.objects.filter(of, pool=pool).exists()


def id_now(pool: Pool, player_id: str) -> str:
    """The number that took the place of an id; the id itself where none did."""
    numbers = Erasure.objects.filter(pool=pool, former=hash_of_id(pool, player_id))
    return numbers.values_list("player_id", flat=True).first() or player_id


def id_of_hash(pool: Pool, former: str) -> str:
    """The id of a Go pool's player that has this hash; blank: there is none, or no hash."""
    ids = GoPlayer.objects.filter(pool=pool).values_list("player_id", flat=True) if former else ()
    return next((each for each in ids if hash_of_id(pool, each) == former), "")


def hash_of_id(pool: Pool, player_id: str) -> str:
    """The hash by which the office knows an id again after a number has taken its place."""
    return salted_hmac(_SALT, f"{pool.slug}/{player_id}", algorithm="sha256").hexdigest()
