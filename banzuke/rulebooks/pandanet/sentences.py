"""How the server's ranks are explained: where a player stands, and what each game did for one side."""

from collections.abc import Iterator
from fractions import Fraction

from banzuke.core.go_facts import BEGINNER, CERTIFIED, PROFESSIONAL, PROVISIONAL, GoLine, GoState, Zone
from banzuke.core.sentences import Statement, Word
from banzuke.rulebooks.pandanet.pandanet import BONUS, FAULT, NO_GREETING, NOT, RATED, WIN_IN_BC
from banzuke.rulebooks.pandanet.ranks import (
    BC_WINS,
    CERTIFYING_GAMES,
    HALF_RANK,
    multiplier,
    table_points,
)


def state(of: GoState, zone: Zone) -> Iterator[Statement]:
    """Where a player stands, and how far the lines are."""
    if of.kind == PROFESSIONAL:
        yield Statement("go-player-professional", "PN 1(5)c", {"rank": of.rank})
    elif of.kind == BEGINNER:
        yield Statement("go-player-beginner", "PN 5(2)", {"wins": of.wins_in_bc, "needed": BC_WINS})
    elif of.kind == PROVISIONAL:
        facts = {"rank": of.rank, "rated": of.rated_games, "needed": CERTIFYING_GAMES}
        yield Statement("go-player-provisional", "PN 6(2)", facts)
        yield Statement("go-formula", "PN 6(1)")
    else:
        facts = {"rank": of.rank, "points": of.points, "rated": of.rated_games}
        yield Statement("go-player", "PN 0(2)", facts)
        yield _lines(of.half or 0, of.points or 0, zone)
        number = of.rated_games + 1
        yield Statement("go-multiplier", "PN 3(6)", {"number": number, "tenths": _tenths(number)})


def _lines(half: int, points: int, zone: Zone) -> Statement:
    up, down = zone.up[half], zone.down[half]
    origin = Word("zone-file", {"file": zone.source}) if zone.source else Word("zone-default")
    facts = {"down": down, "to_down": points - down, "origin": origin}
    if up is None:
        return Statement("go-lines-top", "PN 4(1)", facts)
    return Statement("go-lines", "PN 4(1)", {"up": up, "to_up": up - points, **facts})


def _tenths(game_number: int) -> str:
    whole, tenths = divmod(multiplier(game_number), 10)
    return f"{whole}.{tenths}"


def game(line: GoLine) -> Statement:
    """What a game did for this side, and by which paragraph."""
    verdict = line.verdict
    if verdict == RATED:
        return _rated(line)
    if verdict == BONUS:
        return Statement("go-bonus", line.clause, _points_moved(line))
    if verdict == FAULT:
        return _fault(line)
    if line.clause == WIN_IN_BC:
        key = "go-bc-win" if line.after.kind == BEGINNER else "go-bc-promoted"
        return Statement(key, line.clause, {"wins": line.after.wins_in_bc, "rank_after": line.after.rank})
    return Statement(f"go-not-{verdict.removeprefix(NOT)}", line.clause)


def _fault(line: GoLine) -> Statement:
    """A game lost in the first minute: what was missing, and what it moved."""
    missing = Word("go-no-greeting" if line.clause == NO_GREETING else "go-no-move")
    if line.points is None:
        return Statement("go-fault-none", line.clause, {"fault": missing})
    return Statement("go-fault", line.clause, {"fault": missing, **_points_moved(line)})


def _points_moved(line: GoLine) -> dict[str, object]:
    return {
        "points": f"{line.points or 0:+}",
        "before": line.before.points,
        "after": "-" if line.after.points is None else line.after.points,
        "rank_after": line.after.rank,
    }


def _rated(line: GoLine) -> Statement:
    number = line.before.rated_games + 1
    facts = {"rank_after": line.after.rank, "after": line.after.points}
    if line.before.kind == CERTIFIED and line.points is not None:
        base = Fraction(table_points(line.difference or 0, upper_won=line.won is bool(line.upper)), HALF_RANK)
        facts |= {
            "base": f"{'+' if line.won else '-'}{_mixed(base)}",
            "tenths": _tenths(number),
            "points": f"{line.points:+}",
            "before": line.before.points,
        }
        return Statement("go-rated" if line.after.kind == CERTIFIED else "go-rated-to-bc", line.clause, facts)
    key = "go-certified" if line.after.kind == CERTIFIED else "go-rated-provisional"
    return Statement(key, line.clause, {"number": number, "needed": CERTIFYING_GAMES, **facts})


def _mixed(number: Fraction) -> str:
    """A fraction as people write it: 1157/12 is `96 5/12`."""
    whole, rest = divmod(number.numerator, number.denominator)
    return f"{whole} {rest}/{number.denominator}" if rest else str(whole)
