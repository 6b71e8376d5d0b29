"""Which pools are so small that what takes all their games is done within a request."""

from banzuke.database.models import Game, GoGame, Pool

#: Up to so many games a pool's lists are made again within the request: in less than a second.
AT_ONCE = 5_000


def is_small(pool: Pool) -> bool:
    """Whether the pool's lists are made again within a request."""
    return not any(
        model.objects.filter(pool=pool)[AT_ONCE : AT_ONCE + 1].exists() for model in (Game, GoGame)
    )
