"""The book of all dates and its editions, one for each B of the bonus: what the program asks of them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import partial
from importlib.resources import files

from banzuke.core.decimals import decimal
from banzuke.core.facts import FORMS, MATCH
from banzuke.core.parameters import Parameters
from banzuke.core.rating import UNRATED, Calculation, FirstGame, FirstWorking, Rating
from banzuke.core.rounding import rounded
from banzuke.core.rulebook import (
    EXACT_RATING,
    Calculator,
    Change,
    Checks,
    ChessBook,
    Columns,
    EventForecast,
    ExtraColumn,
    ListColumn,
    Worked,
)
from banzuke.core.sentences import Statement
from banzuke.core.worked import SCORES
from banzuke.rulebooks.us_chess import checks, sentences, us_chess
from banzuke.rulebooks.us_chess.arithmetic import decimals, hundredths
from banzuke.rulebooks.us_chess.event_rating import rate
from banzuke.rulebooks.us_chess.register import REGISTER
from banzuke.rulebooks.us_chess.us_chess import BONUS_CONSTANTS, CITES, PLACES, WON, Entrant, Step

FOLDER = files(__package__)
#: Games as (opponent's rating or None for unrated, half points).
GivenGames = Sequence[tuple[int | None, int]]
Constants = Sequence[tuple[date, int]]


# The calculator: against the opponents' ratings as they are given, in one step


def _counted(opponent: int | None) -> int:
    """An unrated opponent counts as the first rating where nothing is known. [reading: calculator]"""
    return us_chess.UNKNOWN if opponent is None else opponent


def _step(own: int, games: int, played: GivenGames, constant: int | None, one_sided: str = "") -> Step:
    """The event from a rating that rests on so many games. [reading: calculator]"""
    entrant = Entrant(Fraction(own), games, one_sided, "")
    against = [(Fraction(_counted(opponent)), score) for opponent, score in played]
    return us_chess.step(entrant, against, is_dual=False, constant=constant)


def _changes(own: int, played: GivenGames, step: Step) -> list[Change]:
    """Each game's change; in the special formula a game has none."""
    if step.k is None:
        return [Change(None, None, None, CITES["special"]) for _ in played]
    changes = []
    for place, expected in enumerate(step.expectations):
        opponent, score = played[place]
        difference = own - _counted(opponent)
        change = us_chess.change_of_game(step.k, score, expected)
        changes.append(Change(difference, hundredths(expected), hundredths(change), CITES["standard"]))
    return changes


def _change(own: int, opponent: int | None, score: int, games: int) -> Change:
    """An event of that game alone."""
    played = [(opponent, score)]
    step = _step(own, games, played, None)
    (change,) = _changes(own, played, step)
    total = hundredths(step.figure - own)
    return change._replace(difference=own - _counted(opponent), hundredths=total)


def _event(own: int, games: int, played: GivenGames, constants: Constants = BONUS_CONSTANTS) -> EventForecast:
    """An event of these games; nobody is met too often."""
    constant = constants[-1][1] if len(played) >= us_chess.BONUS_GAMES else None
    step = _step(own, games, played, constant)
    new = us_chess.shown_rating(step.figure)
    bonus = None if step.k is None else hundredths(step.bonus)
    total = hundredths(step.figure - own)
    return EventForecast(_changes(own, played, step), total, new - own, new, bonus)


def _first(games: tuple[FirstGame, ...]) -> FirstWorking:
    """USC 5: the rating of an adult newcomer."""
    played = [(game.opponent_rating, game.score) for game in games]
    rating = us_chess.shown_rating(_step(us_chess.ADULT, 0, played, None).figure)
    counted = [_counted(opponent) for opponent, _ in played]
    mean = sum(counted), len(counted)
    return FirstWorking(games, mean, sum(score for _, score in played), 0, 0, rating, "", CITES["special"])


def _new_rating(own: int, total: int) -> tuple[int, int]:
    shift = rounded(total, 100)
    return shift, max(int(us_chess.LOWEST), own + shift)


# Worked examples


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
    listed = ", ".join(f"{opponent} ({SCORES[score]})" for opponent, score in played)
    facts: dict[str, object] = {"own": own, "before": games, "games": listed}
    kind = one_sided or "plain"
    if constant is not None:
        kind, facts["constant"] = "bonus", constant

    def run() -> str:
        return _without_zeros(_step(own, games, played, constant, one_sided).figure)

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


# The book


def _status(rating: Rating) -> str:
    return "provisional" if us_chess.is_provisional(rating.games) else "established"


def _exact(rating: Rating, _calculation: Calculation | None) -> str:
    return decimals(Fraction(us_chess.exact_rating(rating)), PLACES)


def _floor(rating: Rating, _calculation: Calculation | None) -> int:
    return max(us_chess.floors(rating, rating).values())


def _bonus(calculation: Calculation) -> int | None:
    """USC 7: the bonus of the event, in hundredths; None where there was none."""
    return hundredths(Fraction(calculation.more.get("bonus", "0"))) or None


US_CHESS = ChessBook(
    name="us-chess",
    prefix="USC",
    series="us-chess",
    words=FOLDER.joinpath("us_chess.words.toml"),
    calendar=us_chess.CALENDAR,
    speeds=(us_chess.ONE_LIST,),
    settings=us_chess.Settings,
    register=REGISTER,
    parameters=us_chess.PARAMETERS,
    examples=EXAMPLES,
    twin=None,
    rate=rate,
    coefficient=lambda *_: None,
    verdicts=us_chess.VERDICTS,
    cites=us_chess.CITES,
    columns=Columns(
        status=_status,
        statuses=("provisional", "established"),
        ledger={
            "standings": (
                EXACT_RATING,
                ExtraColumn("won", "count"),
                ExtraColumn("drawn", "count"),
                ExtraColumn("events3", "count"),
                ExtraColumn("one_sided", "text"),
                ExtraColumn("floor", "rating"),
            ),
            "players": (ExtraColumn("adult", "flag"),),
        },
        lists=(ListColumn("exact", "decimal", _exact), ListColumn("floor", "count", _floor)),
    ),
    calculator=Calculator(_change, _first, _new_rating, asks="games", shows_percent=False, event=_event),
    checks=Checks(
        event=partial(checks.event_findings, first=BONUS_CONSTANTS[0][0]),
        warnings=lambda _event, _clubs: (),
        name=lambda _: (),
        opening=checks.opening_findings,
    ),
    sentences=sentences.SENTENCES,
    opening_fields={
        "rating": None,
        "games": Statement("opening-us-games", "USC 8", {"games": us_chess.PROVISIONAL_GAMES}),
        "peak": Statement("opening-us-peak", "USC 9", {"less": us_chess.PEAK_LESS}),
        **dict.fromkeys(("won", "drawn", "events3", "one_sided", "floor")),
    },
    peak_from_games=us_chess.ESTABLISHED_GAMES,
    bonus=_bonus,
    forms=(*FORMS, MATCH),
    needs_colours=False,
    starts_from_fide=True,
)


def _edition(year: int) -> ChessBook:
    """The edition of the B that came in that year."""
    (row,) = (each for each in BONUS_CONSTANTS if each[0].year == year)
    parameters = us_chess.PARAMETERS
    bonus = replace(parameters["bonus"], value=[list(row)])
    return replace(
        US_CHESS,
        name=f"us-chess-{year}",
        words=FOLDER.joinpath(f"us_chess_{year}.words.toml"),
        words_from=US_CHESS.words,
        parameters=Parameters(parameters.source, {**parameters, "bonus": bonus}),
        rate=lambda standings, batch, settings: rate(standings, batch, settings, (row,)),
        calculator=replace(US_CHESS.calculator, event=partial(_event, constants=(row,))),
        checks=replace(US_CHESS.checks, event=partial(checks.event_findings, first=row[0])),
    )


BOOKS = (US_CHESS, *(_edition(year) for year in (2017, 2023, 2025)))
