"""The union's rules as a value: what the program asks of them, their calculator and their worked examples."""

from collections.abc import Iterator
from decimal import Decimal, localcontext
from functools import partial
from importlib.resources import files

from banzuke.core.batch import Register
from banzuke.core.chess_sentences import first_event
from banzuke.core.facts import Entry, Event, Opening, Player
from banzuke.core.fault import Fault, RefusedError
from banzuke.core.rating import (
    AGAINST_UNRATED,
    RATED,
    Calculation,
    FirstGame,
    FirstWorking,
    Rating,
    Standings,
)
from banzuke.core.rulebook import (
    Calculator,
    Change,
    Checks,
    ChessBook,
    Columns,
    ExtraColumn,
    Finding,
    ListColumn,
    Worked,
)
from banzuke.core.sentences import Statement
from banzuke.core.worked import UNRATED_WORD, change_example, first_example, listed_games
from banzuke.rulebooks.icu import event_rating, icu, sentences
from banzuke.rulebooks.icu.arithmetic import CONTEXT, hundredths, six_decimals, whole
from banzuke.rulebooks.icu.private_facts import PRIVATE_FACTS
from banzuke.rulebooks.icu.register import REGISTER


def _change(own: int, opponent: int | None, score: int, k: int) -> Change:
    """ICU 4: a game between two ratings; against an unrated player it takes the whole event."""
    if opponent is None:
        return Change(None, None, None, icu.VERDICTS[AGAINST_UNRATED])
    with localcontext(CONTEXT):
        expected = icu.expectation(own, opponent)
        change = hundredths(icu.change_of_game(k, score, expected))
        return Change(own - opponent, hundredths(expected), change, icu.VERDICTS[RATED])


def _first(games: tuple[FirstGame, ...]) -> FirstWorking:
    """ICU 6, 9: a newcomer's first event, from the games against rated opponents."""
    counted = tuple(game for game in games if game.opponent_rating is not None)
    points = sum(game.score for game in counted)
    opponents = [rating for game in games if (rating := game.opponent_rating) is not None]
    total = sum(opponents) + sum(icu.result_points(game.score) for game in counted)
    clause = icu.CITES["performance"]
    if not counted:
        return FirstWorking((), (0, 0), 0, 0, 0, None, "too-few", clause)
    working = FirstWorking(counted, (total, len(counted)), points, 0, 0, None, "", clause)
    return working._replace(rating=working.exact_rating)


def _new_rating(own: int, total: int) -> tuple[int, int]:
    """ICU 9: a sum of changes in hundredths, without a bonus."""
    return icu.new_rating(own, Decimal(total).scaleb(-2), 0)


CALCULATOR = Calculator(_change, _first, _new_rating, shows_percent=False)


def _status(state: Rating) -> str:
    return RATED if state.games >= icu.RATED_GAMES else icu.PROVISIONAL


def _bonus_cell(_rating: Rating, calculation: Calculation | None) -> int | None:
    """ICU 7: the bonus of the event; None for who is not rated, or did not play."""
    found: int | None = None if calculation is None else calculation.more.get("bonus")
    return found


def _bonus(calculation: Calculation) -> int | None:
    """ICU 7: the bonus of the event, in hundredths; None where there was none."""
    return calculation.more.get("bonus", 0) * 100 or None


def _performance_cell(_rating: Rating, calculation: Calculation | None) -> str | None:
    """ICU 6: the performance of the event; None where there is none."""
    found: str | None = None if calculation is None else calculation.more.get("performance")
    return found


def _event_findings(event: Event) -> Iterator[Finding]:
    """ICU 8: a version that there is."""
    version = event.more.get("version")
    if version is not None and version not in icu.VERSIONS:
        versions = ", ".join(map(str, icu.VERSIONS))
        yield Finding("version", "icu-version", {"value": version, "versions": versions})


def _entry_faults(standings: Standings, entry: Entry, register: Register) -> list[Fault]:
    """ICU 3: players of an event whose K cannot be told."""
    try:
        event_rating.entrants_of(standings.ratings.get(icu.ONE_LIST, {}), entry, register)
    except RefusedError as refused:
        return refused.faults
    return []


def _opening_findings(player: Player, _opening: Opening) -> Iterator[Finding]:
    """ICU 1: a fixed rating stands in players.csv alone."""
    if "fixed_rating" in player.more:
        yield Finding("player_id", "icu-fixed-standing", {"player": player.player_id})


# Worked examples: the clauses' own arithmetic, and games of real events with what the union gave


def _performance_example(games: tuple[tuple[int, int], ...], before: tuple[int, int], must: str) -> Worked:
    """Games as (opponent's rating, half points) and a provisional rating as (rating, games)."""
    old, rests_on = before

    def run() -> str:
        played = [icu.PlayedGame(number, score, number) for number, (_, score) in enumerate(games)]
        with localcontext(CONTEXT):
            part = icu.known_part(played, [value for value, _ in games], old, rests_on)
            mean = icu.mean_of(part, ())
            return "-" if mean is None else f"{whole(mean.performance)}/{mean.games + rests_on}"

    facts = {"games": listed_games(games), "before": f"{old}/{rests_on}" if rests_on else UNRATED_WORD}
    return Worked("ICU 6", "example-performance", facts, must, run)


def _bonus_example(old: int, k: int, games: int, change: str, performance: str, must: str) -> Worked:
    """A rated player's event by its figures."""

    def run() -> str:
        with localcontext(CONTEXT):
            figures = games, Decimal(change), Decimal(performance)
            found = icu.bonus_of(old, k, *figures, icu.Settings())
            return str(found.points if found else 0)

    facts = {"old": old, "k": k, "games": games, "change": change, "performance": performance}
    return Worked("ICU 7", "example-bonus", facts, must, run)


def _rating_example(old: int, change: str, bonus: int, must: str) -> Worked:
    """A rated player's new rating."""
    facts = {"old": old, "change": change, "bonus": bonus}
    return Worked(
        "ICU 9",
        "example-new-rating",
        facts,
        must,
        lambda: str(icu.new_rating(old, Decimal(change), bonus)[1]),
    )


def _expectation_example(own: int, opponent: int, must: str) -> Worked:
    """An expectation with six decimals."""

    def run() -> str:
        with localcontext(CONTEXT):
            return six_decimals(icu.expectation(own, opponent))

    return Worked("ICU 4", "example-expectation", {"own": own, "opponent": opponent}, must, run)


_game = partial(change_example, "ICU 4", CALCULATOR)

EXAMPLES = (
    _expectation_example(2000, 2000, "0.500000"),
    _expectation_example(1500, 1900, "0.090909"),
    _expectation_example(2400, 1600, "0.990099"),
    _game(1500, 1500, 2, 24, must="+12"),
    _game(1500, 1900, 2, 32, must="+29.09"),
    _game(2174, 1774, 0, 16, must="-14.55"),
    _performance_example(((2174, 0), (1182, 0)), (717, 13), "792/15"),
    _performance_example(((2200, 2), (2100, 2), (2000, 0)), (0, 0), "2233/3"),
    first_example(
        "ICU 6",
        CALCULATOR,
        (1424, 1492, 1503, 1692, 1923, 1639, 1764, 1664, 1692, 1590, 1575),
        13,
        must="1705",
    ),
    _bonus_example(760, 40, 5, "48.074031784", "949.6", "16"),
    _bonus_example(719, 40, 5, "70.557674552", "1026.22", "45"),
    _bonus_example(1002, 32, 5, "-50.904211560", "754.014806", "0"),
    _bonus_example(2040, 40, 5, "41.2", "2093.4", "8"),
    _rating_example(760, "48.074031784", 16, "824"),
    _rating_example(1002, "-50.904211560", 0, "951"),
)

ICU = ChessBook(
    name="icu",
    prefix="ICU",
    series="icu",
    federation="IRL",
    words=files(__package__).joinpath("icu.words.toml"),
    calendar=icu.CALENDAR,
    speeds=(icu.ONE_LIST,),
    settings=icu.Settings,
    register=REGISTER,
    parameters=icu.PARAMETERS,
    examples=EXAMPLES,
    twin="banzuke.rulebooks.icu.columnar.icu_twin:TWIN",
    rate=event_rating.rate,
    coefficient=lambda *_: None,  # it takes the event's first day, and the day of joining
    verdicts=icu.VERDICTS,
    cites=icu.CITES,
    columns=Columns(
        status=_status,
        statuses=(icu.PROVISIONAL, RATED),
        ledger={
            "players": (ExtraColumn("joined", "date"), ExtraColumn("fixed_rating", "rating")),
            "events": (ExtraColumn("version", "count"),),
        },
        lists=(
            ListColumn("bonus", "count", _bonus_cell),
            ListColumn("performance", "decimal", _performance_cell),
        ),
    ),
    calculator=CALCULATOR,
    checks=Checks(
        event=_event_findings,
        opening_of=_opening_findings,
        entry=_entry_faults,
    ),
    sentences=sentences.SENTENCES,
    opening_fields={
        "rating": None,
        "games": Statement("icu-opening-games", "ICU 1", {"games": icu.RATED_GAMES}),
        "peak": None,
    },
    coefficient_on=icu.coefficient_on,
    prospects=lambda state, _settings: first_event(state.rating, "ICU 6", icu.RATED_GAMES, "ICU 1"),
    private_facts=PRIVATE_FACTS,
    bonus=_bonus,
    needs_colours=False,
)
BOOKS = (ICU,)
