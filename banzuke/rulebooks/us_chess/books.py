"""The book of all dates and its editions, one for each B of the bonus: what the program asks of them."""

from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import partial
from importlib.resources import files

from banzuke.core.chess_sentences import first_event
from banzuke.core.decimals import with_decimals
from banzuke.core.facts import FORMS, MATCH
from banzuke.core.parameters import Parameters
from banzuke.core.rating import Calculation, Rating, RatingScale
from banzuke.core.rulebook import (
    EXACT_RATING,
    Checks,
    ChessBook,
    Columns,
    ExtraColumn,
    ListColumn,
)
from banzuke.core.sentences import Statement
from banzuke.rulebooks.us_chess import checks, sentences, us_chess
from banzuke.rulebooks.us_chess.arithmetic import hundredths
from banzuke.rulebooks.us_chess.calculator import CALCULATOR, forecast_event
from banzuke.rulebooks.us_chess.event_rating import rate
from banzuke.rulebooks.us_chess.private_facts import PRIVATE_FACTS
from banzuke.rulebooks.us_chess.register import REGISTER
from banzuke.rulebooks.us_chess.us_chess import BONUS_CONSTANTS, PLACES
from banzuke.rulebooks.us_chess.worked_examples import EXAMPLES

FOLDER = files(__package__)


def _status(rating: Rating) -> str:
    return "provisional" if us_chess.is_provisional(rating.games) else "established"


def _exact_cell(rating: Rating, _calculation: Calculation | None) -> str:
    return with_decimals(Fraction(us_chess.exact_rating(rating)), PLACES)


def _floor(rating: Rating) -> int:
    """USC 9: the highest floor of a player as the list leaves them."""
    return max(us_chess.floors(rating, rating).values())


def _floor_cell(rating: Rating, _calculation: Calculation | None) -> int:
    return _floor(rating)


def _bonus(calculation: Calculation) -> int | None:
    """USC 7: the bonus of the event, in hundredths; None where there was none."""
    return hundredths(Fraction(calculation.more.get("bonus", "0"))) or None


US_CHESS = ChessBook(
    name="us-chess",
    prefix="USC",
    series="us-chess",
    federation="USA",
    words=FOLDER.joinpath("us_chess.words.toml"),
    calendar=us_chess.CALENDAR,
    speeds=(us_chess.ONE_LIST,),
    settings=us_chess.Settings,
    register=REGISTER,
    parameters=us_chess.PARAMETERS,
    examples=EXAMPLES,
    twin="banzuke.rulebooks.us_chess.columnar.us_chess_twin:TWIN",
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
        lists=(ListColumn("exact", "decimal", _exact_cell), ListColumn("floor", "count", _floor_cell)),
    ),
    calculator=CALCULATOR,
    checks=Checks(
        event=partial(checks.event_findings, first=BONUS_CONSTANTS[0][0]),
        opening=checks.opening_findings,
    ),
    sentences=sentences.SENTENCES,
    opening_fields={
        "rating": None,
        "games": Statement("opening-us-games", "USC 8", {"games": us_chess.PROVISIONAL_GAMES}),
        "peak": Statement("opening-us-peak", "USC 9", {"less": us_chess.PEAK_LESS}),
        **dict.fromkeys(("won", "drawn", "events3", "one_sided", "floor")),
    },
    prospects=lambda state, _settings: first_event(
        state.rating, "USC 3", us_chess.ESTABLISHED_GAMES, "USC 8"
    ),
    peak_from_games=us_chess.ESTABLISHED_GAMES,
    private_facts=PRIVATE_FACTS,
    floor=_floor,
    scale=RatingScale(
        PLACES, lambda rating: Fraction(us_chess.exact_rating(rating)), us_chess.with_exact_rating
    ),
    bonus=_bonus,
    forms=(*FORMS, MATCH),
    needs_colours=False,
    starts_from_fide=True,
)


def _edition(row: tuple[date, int]) -> ChessBook:
    """The edition of one B, by the day on which it came."""
    year, parameters = row[0].year, us_chess.PARAMETERS
    bonus = replace(parameters["bonus"], value=[list(row)])
    return replace(
        US_CHESS,
        name=f"us-chess-{year}",
        words=FOLDER.joinpath(f"us_chess_{year}.words.toml"),
        words_from=US_CHESS.words,
        parameters=Parameters(parameters.source, {**parameters, "bonus": bonus}),
        rate=lambda standings, batch, settings: rate(standings, batch, settings, (row,)),
        calculator=replace(CALCULATOR, event=partial(forecast_event, constants=(row,))),
        checks=replace(
            US_CHESS.checks,
            event=partial(checks.event_findings, first=row[0]),
            warnings=partial(checks.later_bonus_findings, own=row),
        ),
    )


BOOKS = (US_CHESS, *map(_edition, BONUS_CONSTANTS))
