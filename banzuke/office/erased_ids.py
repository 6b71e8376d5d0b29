"""Which ids are of persons who were erased: nothing is entered about them any more."""

from banzuke.database.models import Erasure, Pool


def erased_ids(pool: Pool) -> frozenset[str]:
    """The pool's ids whose persons were erased."""
    return frozenset(Erasure.objects.filter(pool=pool).values_list("player_id", flat=True))


def is_erased(pool: Pool, player_id: str) -> bool:
    """Whether the person of that id was erased."""
    return Erasure.objects.filter(pool=pool, player_id=player_id).exists()
