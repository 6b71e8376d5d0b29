"""FIDE's regulations as a value: what the program asks of them, their calculator and worked examples."""

from collections.abc import Mapping
from functools import partial
from importlib.resources import files

from banzuke.core.facts import SPEEDS, STANDARD, Player
from banzuke.core.rating import AGAINST_UNRATED, RATED, UNRATED, FirstGame, FirstWorking, Rating
from banzuke.core.rulebook import Calculator, Change, Checks, ChessBook, Columns, ExtraColumn
from banzuke.core.sentences import Statement
from banzuke.core.worked import DAY, change_example, first_example
from banzuke.rulebooks.fide import fide_2024, sentences
from banzuke.rulebooks.fide.event_sides import PARAMETERS, in_force, speed_for, speed_of
from banzuke.rulebooks.fide.private_facts import PRIVATE_FACTS
from banzuke.rulebooks.fide.tables import expected


def _change(own: int, opponent: int | None, score: int, k: int) -> Change:
    if opponent is None:
        return Change(None, None, None, fide_2024.VERDICTS[AGAINST_UNRATED])
    counted = fide_2024.difference_counted(own, opponent, STANDARD, DAY, fide_2024.Settings())
    percent = expected(counted)
    return Change(counted, percent, fide_2024.change(score, percent, k), fide_2024.VERDICTS[RATED])


def _first(games: tuple[FirstGame, ...]) -> FirstWorking:
    """FIDE 8.2: the first rating of who plays these games as a first event."""
    working = fide_2024.first_rating(games, DAY)
    if fide_2024.games_on_file(None, [list(games)]):
        return working
    return working._replace(rating=None, why="no-points")


def _enters_with(states: Mapping[str, Rating], player: Player, speed: str) -> tuple[Rating, str]:
    """FIDE 7.1, RB 7.2.1: the own state, or at rapid and blitz the standard one."""
    found = in_force({at: {player.player_id: state} for at, state in states.items()}, player.player_id, speed)
    is_own = found == states.get(speed, UNRATED)
    return found, "" if is_own else "standard"


CALCULATOR = Calculator(_change, _first, fide_2024.new_rating)
_game = partial(change_example, "FIDE 8.3.2", CALCULATOR)

FIDE_2024 = ChessBook(
    name="fide-2024",
    prefix="FIDE",
    series="fide",
    words=files(__package__).joinpath("fide_2024.words.toml"),
    calendar=fide_2024.CALENDAR,
    speeds=SPEEDS,
    settings=fide_2024.Settings,
    register=fide_2024.REGISTER,
    parameters=PARAMETERS,
    examples=(
        _game(1600, 1800, 2, 20, "+15.2"),
        _game(2450, 2000, 0, 10, "-9.2"),
        first_example("FIDE 8.2.3", CALCULATOR, [1901, 1901, 1901, 1902, 1902], 6, "1922"),
    ),
    twin="banzuke.rulebooks.fide.columnar.fide_2024_twin:TWIN",
    for_twin={
        "speed_of": speed_of,
        "difference_counted": fide_2024.difference_counted,
        "clause_at_speed": fide_2024.clause_at_speed,
    },
    rate=fide_2024.rate,
    coefficient=lambda own, _other, player, year, _settings: fide_2024.coefficient(
        own, player.birth_date, year
    ),
    verdicts=fide_2024.VERDICTS,
    cites=fide_2024.CITES,
    columns=Columns(
        status=lambda _rating: "rated",
        ledger={"events": (ExtraColumn(fide_2024.LATE_COLUMN, "text"),)},
    ),
    calculator=CALCULATOR,
    checks=Checks(event=fide_2024.check_event, warnings=fide_2024.warnings),
    sentences=sentences.SENTENCES,
    enters_with=_enters_with,
    prospects=sentences.prospects,
    rates_on_list_in_force=True,
    is_junior=lambda born, year: fide_2024.is_junior(born, None, year),
    private_facts=PRIVATE_FACTS,
    has_fide_ids=True,
    floor=lambda _rating: fide_2024.FLOOR,
    speeds_of_time=lambda minutes, _fide_rated: (speed_for(minutes),),
    opening_fields={
        "rating": None,
        "games": Statement("opening-new", "FIDE 8.3.3", {"games": fide_2024.NEW_GAMES}),
        "peak": Statement("opening-peak", "FIDE 8.3.3", {"rating": fide_2024.REACHED_RATING}),
    },
)
BOOKS = (FIDE_2024,)
