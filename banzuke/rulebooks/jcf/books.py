"""The Japanese editions as values: what the program asks of them, their calculators and worked examples."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib.resources import files

from banzuke.core.facts import EXCLUDE, Event, Game, Player
from banzuke.core.rating import AGAINST_UNRATED, RATED, Rating
from banzuke.core.rulebook import Calculator, Change, Checks, ChessBook, Columns, Fees
from banzuke.core.sentences import Statement
from banzuke.core.worked import DAY, change_example, first_example, sum_example
from banzuke.rulebooks.fide.tables import expected
from banzuke.rulebooks.jcf import fees, jcf_2024, monthly, ncs_2022, private_facts, sentences
from banzuke.rulebooks.jcf.checks import name_findings, newcomer_findings

FOLDER = files(__package__)


def _enters_with(
    inherited: monthly.Inheritance, floor: int
) -> Callable[[Mapping[str, Rating], Player, str], tuple[Rating, str]]:
    """The state that a game is rated on, with what an edition lets a player take over."""
    return lambda states, player, speed: monthly.entering(states, player, speed, inherited, floor)


# NCS 2022


def _ncs_change(own: int, opponent: int | None, score: int, k: int) -> Change:
    counted = ncs_2022.difference_counted(own, opponent)
    percent = expected(counted)
    return Change(counted, percent, ncs_2022.change(score, percent, k), ncs_2022.VERDICTS[RATED])


def _participants(event: Event, games: Iterable[Game], settings: ncs_2022.Settings) -> set[str]:
    """NCS 3(4): for whom the fee would be owed, whatever was ruled of it."""
    speed, oldest = ncs_2022.speed_of(event, settings), ncs_2022.oldest_day(event)
    return fees.participants(games, event.starts, monthly.Admission(event.ruling == EXCLUDE, speed, oldest))


_NCS = Calculator(
    change=_ncs_change,
    first=lambda games: ncs_2022.first_rating(games, DAY, ncs_2022.Settings()),
    new_rating=ncs_2022.new_rating,
)
_game = partial(change_example, "NCS 5(1)", _NCS)
_first = partial(first_example, "NCS 6(4)", _NCS)

NCS_2022 = ChessBook(
    name="ncs-2022",
    prefix="NCS",
    series="japan",
    federation="JPN",
    words=FOLDER.joinpath("ncs_2022.words.toml"),
    calendar=ncs_2022.CALENDAR,
    speeds=monthly.SPEEDS,
    settings=ncs_2022.Settings,
    register=ncs_2022.REGISTER,
    parameters=ncs_2022.PARAMETERS,
    examples=(
        _game(1600, 1800, 2, 20, "+15.2"),
        _game(1600, 1800, 0, 20, "-4.8"),
        _game(1500, 1950, 2, 40, "+36.8"),
        _game(1500, 1950, 0, 40, "-3.2"),
        _game(2450, 2000, 0, 10, "-9.2"),
        sum_example("NCS 5(2)", _NCS, -250, "-3"),
        _first([2000] * 5, 6, "2020"),
        _first([2000] * 5, 4, "1928"),
        _first([2000] * 5, 5, "2000"),
        _first([2100] * 5, 10, "2200"),
        _first([1600] * 5, 2, "1360"),
        _first([1800] * 7, 8, "1820"),
        _first([1400, 1523, None, 1610], 3, "1296"),
        _first([1400, 1523, None, 1610], 5, "1403"),
    ),
    twin="banzuke.rulebooks.jcf.columnar.ncs_2022_twin:TWIN",
    for_twin={"admission": ncs_2022.admission},
    rate=ncs_2022.rate,
    coefficient=ncs_2022.coefficient,
    verdicts=ncs_2022.VERDICTS,
    cites=ncs_2022.CITES,
    columns=Columns(status=lambda _rating: "rated", qualified=ncs_2022.is_qualified),
    calculator=_NCS,
    checks=Checks(
        event=ncs_2022.check_event,
        warnings=ncs_2022.warnings,
        name=lambda name: name_findings(name, ncs_2022.is_name_in_form(name), ncs_2022.CITES["name"]),
        newcomer=partial(newcomer_findings, clause=ncs_2022.CITES["newcomer"]),
    ),
    sentences=sentences.NCS_2022,
    opening_fields={
        "rating": None,
        "games": Statement("opening-new", ncs_2022.NEW.clause, {"games": ncs_2022.NEW_GAMES}),
        "peak": Statement("opening-peak", ncs_2022.REACHED.clause, {"rating": ncs_2022.REACHED_RATING}),
        "earned": Statement("opening-earned", ncs_2022.NEW.clause),
    },
    enters_with=_enters_with(ncs_2022.inherited_rating, ncs_2022.FLOOR),
    prospects=sentences.ncs_prospects,
    starts_from_fide=True,
    speeds_of_time=lambda minutes, fide_rated: ncs_2022.speeds_for(minutes, fide_rated=fide_rated),
    is_member=ncs_2022.is_member,
    raises_to_floor=True,
    floor=lambda _rating: ncs_2022.FLOOR,
    private_facts=private_facts.NCS_2022,
    is_junior=lambda born, year: ncs_2022.age_on_new_year(born, year) < ncs_2022.JUNIOR_AGE,
    fees=Fees(
        amount=ncs_2022.FEE_YEN,
        clause="NCS 3(4)",
        unpaid_clause="NCS 3(5)",
        participants=_participants,
        charges=fees.charges,
        is_unpaid=ncs_2022.is_unpaid,
        makes_list=lambda event, settings: bool(ncs_2022.speed_of(event, settings)),
    ),
)


# JCF 2024


def _jcf_change(own: int, opponent: int | None, score: int, k: int) -> Change:
    if opponent is None:
        return Change(None, None, None, jcf_2024.VERDICTS[AGAINST_UNRATED])
    counted = jcf_2024.difference_counted(own, opponent)
    percent = expected(counted)
    return Change(counted, percent, jcf_2024.change(score, percent, k), jcf_2024.VERDICTS[RATED])


_JCF = Calculator(
    change=_jcf_change,
    first=lambda games: jcf_2024.first_rating(games, DAY),
    new_rating=jcf_2024.new_rating,
    performance=jcf_2024.performance,
)
_game = partial(change_example, "JCF 5(1)", _JCF)

JCF_2024 = ChessBook(
    name="jcf-2024",
    prefix="JCF",
    series="japan",
    federation="JPN",
    words=FOLDER.joinpath("jcf_2024.words.toml"),
    calendar=jcf_2024.CALENDAR,
    speeds=monthly.SPEEDS,
    settings=jcf_2024.Settings,
    register=jcf_2024.REGISTER,
    parameters=jcf_2024.PARAMETERS,
    examples=(
        _game(1600, 1800, 2, 20, "+15.2"),
        _game(1600, 1800, 0, 20, "-4.8"),
        _game(1500, 1950, 2, 40, "+36.8"),
        _game(2450, 2000, 0, 10, "-9.2"),
        sum_example("JCF 5(2)", _JCF, -250, "-3"),
        first_example("JCF 6(4)", _JCF, [1500, 1500, 1600, 1600, 1700, 1700], 5, "1543"),
    ),
    twin="banzuke.rulebooks.jcf.columnar.jcf_2024_twin:TWIN",
    for_twin={"admission": jcf_2024.admission},
    rate=jcf_2024.rate,
    coefficient=lambda own, other, player, year, _settings: jcf_2024.coefficient(own, other, player, year),
    verdicts=jcf_2024.VERDICTS,
    cites=jcf_2024.CITES,
    columns=Columns(status=lambda _rating: "rated"),
    calculator=_JCF,
    checks=Checks(
        event=jcf_2024.check_event,
        warnings=jcf_2024.warnings,
        name=lambda name: name_findings(name, jcf_2024.is_name_in_form(name), jcf_2024.CITES["name"]),
        newcomer=partial(newcomer_findings, clause=jcf_2024.CITES["newcomer"]),
    ),
    sentences=sentences.JCF_2024,
    opening_fields={
        "rating": None,
        "games": Statement("opening-new", jcf_2024.NEW.clause, {"games": jcf_2024.NEW_GAMES}),
        "peak": Statement("opening-peak", jcf_2024.REACHED.clause, {"rating": jcf_2024.REACHED_RATING}),
    },
    enters_with=_enters_with(jcf_2024.inherited_rating, jcf_2024.FLOOR),
    prospects=sentences.jcf_prospects,
    starts_from_fide=True,
    speeds_of_time=lambda minutes, _fide_rated: jcf_2024.speeds_for(minutes),
    is_member=jcf_2024.is_member,
    raises_to_floor=True,
    floor=lambda _rating: jcf_2024.FLOOR,
    private_facts=private_facts.JCF_2024,
    is_junior=lambda born, year: jcf_2024.is_junior(born, None, year),
)
BOOKS = (NCS_2022, JCF_2024)
