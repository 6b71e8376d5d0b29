"""Worked examples: what is given, and what must come out."""

from collections.abc import Callable
from fractions import Fraction

from banzuke.core.decimals import decimal
from banzuke.core.rating import UNRATED
from banzuke.core.rulebook import Worked
from banzuke.core.worked import listed_games
from banzuke.rulebooks.us_chess import us_chess
from banzuke.rulebooks.us_chess.arithmetic import hundredths
from banzuke.rulebooks.us_chess.calculator import GivenGames, rate_in_one_step
from banzuke.rulebooks.us_chess.us_chess import WON


def _without_zeros(value: Fraction) -> str:
    return decimal(hundredths(value))


def _example(clause: str, kind: str, must: str, run: Callable[[], str], **facts: object) -> Worked:
    return Worked(clause, f"example-{kind}", facts, must, run)


def _event_example(
    clause: str,
    own: int,
    games: int,
    played: GivenGames,
    must: str,
    constant: int | None = None,
    one_sided: str = "",
) -> Worked:
    """A rating against opponents as they are given; B where there may be a bonus."""
    facts: dict[str, object] = {"own": own, "before": games, "games": listed_games(played)}
    kind = one_sided or "plain"
    if constant is not None:
        kind, facts["constant"] = "bonus", constant

    def run() -> str:
        return _without_zeros(rate_in_one_step(own, games, played, constant, one_sided).figure)

    return _example(clause, kind, must, run, **facts)


def _k_example(effective: int, must: str) -> Worked:
    """K for so many effective games and 4, 6, 10 games."""

    def run() -> str:
        ks = (us_chess.coefficient(Fraction(), Fraction(effective), m, is_dual=False) for m in (4, 6, 10))
        return ", ".join(map(_without_zeros, ks))

    return _example("USC 6", "k", must, run, effective=effective)


def _effective_example(rating: int, games: int, must: str) -> Worked:
    def run() -> str:
        return _without_zeros(us_chess.effective_games(Fraction(rating), games))

    return _example("USC 2", "effective", must, run, rating=rating, games=games)


def _floor_example(peak: int, must: str) -> Worked:
    established = UNRATED._replace(value=peak, games=us_chess.ESTABLISHED_GAMES, peak=peak)
    return _example("USC 9", "floor", must, lambda: str(us_chess.personal_floor(established)), peak=peak)


def _fide_example(fide: int, must: str) -> Worked:
    def run() -> str:
        first = us_chess.rating_from_fide(fide)
        return f"{_without_zeros(first.rating)}/{first.games}"

    return _example("USC 1", "fide", must, run, fide=fide)


_FOUR = ((1250, 2), (1400, 1), (1500, 2), (1550, 2))
EXAMPLES = (
    _event_example("USC 5", 1500, 6, ((1400, 2), (1550, 0), (1650, 1)), "1511.11"),
    _effective_example(1700, 30, "20.01"),
    _k_example(6, "80, 66.67, 50"),
    _k_example(20, "33.33, 30.77, 26.67"),
    _k_example(50, "14.81, 14.29, 13.33"),
    _event_example("USC 7", 1300, 45, _FOUR, "1464.8", 12),
    _event_example("USC 7", 1300, 45, _FOUR, "1468.8", 10),
    _event_example("USC 7", 1300, 45, _FOUR, "1460.8", 14),
    _event_example("USC 7", 1300, 45, ((1250, 2), (1400, 2), (1500, 2), (1550, 2), (1450, 1)), "1515.46", 10),
    _event_example("USC 7", 1300, 45, ((1250, 2), (1400, 2), (1500, 2)), "1451", 10),
    _event_example("USC 5", 1300, 0, ((900, 2), (850, 2), (700, 2)), "1300"),
    _event_example("USC 5", 1300, 0, ((900, 2), (950, 2), (700, 2)), "1350"),
    _event_example("USC 5", 1500, 6, ((800, 2),), "1500"),
    _event_example("USC 5", 1500, 6, ((2300, 0),), "1500"),
    _event_example("USC 5", 1200, 10, ((1600, 1), (1500, 0), (2400, 0)), "1350", None, WON),
    _floor_example(1941, "1700"),
    _floor_example(1588, "1300"),
    _fide_example(1779, "1834.58/5"),
    _fide_example(2235, "2280.9/10"),
)
