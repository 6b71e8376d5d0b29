"""What other numbers would do to one player: the rating, and each number's share in the difference."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from banzuke.core.fault import RefusedError, fault
from banzuke.engine.columnar.chess_reader import ChessColumns
from banzuke.engine.columnar.columnar_history import RunningHistory
from banzuke.engine.columnar.last_ratings import last_ratings
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.explanations.fair_shares import MOST_EXACT, hundredths_of, shares_of
from banzuke.lab.chess_histories import parts_of_ledger
from banzuke.lab.overrides import Override
from banzuke.lab.variants import Variant, variants_of
from banzuke.ledger.pool_rules import Pool
from banzuke.ledger.reforms import Reform

#: A number at another value, of one book or of several.
Change = tuple[Override, ...]
#: So often a pool is rated for all combinations of as many changes as are tried exactly.
MOST_RUNS = 2**MOST_EXACT


def changes_of(pool: Pool, settings: Sequence[str], reforms: Sequence[Reform]) -> list[Change]:
    """The numbers that `--set` and `--reform` change, each once.

    Raises RefusedError as `variants_of` does, and for a number with several values.
    """
    found: dict[str, dict[str, Override]] = {}
    for variant in variants_of(pool, (), settings, reforms):
        for override in variant.overrides:
            own = found.setdefault(override.name, {})
            if own.setdefault(override.book, override) != override:
                raise RefusedError([fault("--set", 0, override.name, "lab-one-value")])
    return [tuple(own.values()) for own in found.values()]


class Effect(NamedTuple):
    """A player's rating at a speed under the pool's rules and under others; None: there is none.

    `shares` has for each change its share in points, and its standard error if it was not tried in all
    combinations. They add up to the difference; there are none without both ratings.
    """

    speed: str
    before: int | None
    after: int | None
    shares: Sequence[tuple[float, float | None]] = ()


class Effects:
    """What changes do to players of a ledger; what was rated once is kept."""

    def __init__(
        self, columns: ChessColumns, until: str | None = None, progress: Progress = no_progress
    ) -> None:
        self.columns, self._until, self._progress, self._runs = columns, until, progress, 0
        self._before, self._rate = RunningHistory(columns), cache(self._rate_anew)

    def of(self, speed: str, player: str, changes: Sequence[Change], most_runs: int = MOST_RUNS) -> Effect:
        """What changes do to a player's rating at a speed; the pool is rated so often, or a little more.

        A combination under which the player has no rating counts as if it changed nothing.
        """

        def rating(chosen: frozenset[int]) -> int | None:
            return self._rate(frozenset(changes[at] for at in chosen)).get(speed, {}).get(player)

        before, after = rating(frozenset()), rating(frozenset(range(len(changes))))
        if before is None or after is None:
            return Effect(speed, before, after)
        found = shares_of(
            len(changes), lambda chosen: before if (r := rating(chosen)) is None else r, most_runs
        )
        errors = [float(each) ** 0.5 for each in found.variances] or [None] * len(changes)
        points = [share / 100 for share in hundredths_of(found.shares)]
        return Effect(speed, before, after, list(zip(points, errors, strict=True)))

    def _rate_anew(self, changes: frozenset[Change]) -> dict[str, dict[str, int]]:
        self._progress(self._runs, MOST_RUNS, "")
        self._runs += 1
        variant = Variant("", tuple(override for change in changes for override in change))
        ((columns, names, _),) = parts_of_ledger(self.columns, variant, self._until)
        return last_ratings(columns, names, self._before)
