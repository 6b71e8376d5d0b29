"""The club's page as a value: what the program asks of it, its calculator and its worked examples."""

from functools import partial
from importlib.resources import files

from banzuke.core.chess_sentences import first_event
from banzuke.core.rating import AGAINST_UNRATED, RATED, UNRATED, FirstGame, FirstWorking, Rating
from banzuke.core.rulebook import Calculator, Change, Checks, ChessBook, Columns, Worked
from banzuke.core.sentences import Statement
from banzuke.core.worked import DAY, UNRATED_WORD, change_example, listed_games
from banzuke.rulebooks.fide.fide_2024 import is_junior
from banzuke.rulebooks.hakodate import hakodate, sentences


def _change(own: int, opponent: int | None, score: int, _k: int) -> Change:
    if opponent is None:
        return Change(None, None, None, hakodate.VERDICTS[AGAINST_UNRATED])
    counted = hakodate.difference_counted(own, opponent)
    return Change(counted, None, hakodate.established_change(counted, score), hakodate.VERDICTS[RATED])


def _first(games: tuple[FirstGame, ...]) -> FirstWorking:
    """HCC R4, R12: a newcomer's first event, unrated opponents at the club's average."""
    average = hakodate.Settings().unrated_opponent
    counted = tuple(
        game._replace(opponent_rating=average) if game.opponent_rating is None else game for game in games
    )
    return hakodate.provisional_rating(UNRATED, counted)


def _status(rating: Rating) -> str:
    return "established" if hakodate.is_established(rating.games) else "provisional"


def _provisional_example(
    clause: str, games: tuple[tuple[int, int], ...], before: tuple[int, int], must: str
) -> Worked:
    """Games as (opponent's rating, half points); `before` as (rating, games), (0, 0) for a newcomer."""
    old, rests_on = before
    rating = UNRATED._replace(value=old, games=rests_on) if rests_on else UNRATED

    def run() -> str:
        played = tuple(
            FirstGame("", number, DAY, "", opponent, score)
            for number, (opponent, score) in enumerate(games, 1)
        )
        working = hakodate.provisional_rating(rating, played)
        return hakodate.notation(working.rating or 0, rests_on + len(games))

    facts = {
        "games": listed_games(games),
        "before": hakodate.notation(old, rests_on) if rests_on else UNRATED_WORD,
    }
    return Worked(clause, "example-provisional", facts, must, run)


CALCULATOR = Calculator(_change, _first, hakodate.new_rating, asks="nothing", shows_percent=False)
_game = partial(change_example, "HCC R9", CALCULATOR, k=0)

HAKODATE = ChessBook(
    name="hakodate",
    prefix="HCC",
    series="hakodate",
    federation="JPN",
    words=files(__package__).joinpath("hakodate.words.toml"),
    calendar=hakodate.CALENDAR,
    speeds=(hakodate.ONE_LIST,),
    settings=hakodate.Settings,
    register=hakodate.REGISTER,
    parameters=hakodate.PARAMETERS,
    examples=(
        _provisional_example("HCC R4", ((1212, 2), (1815, 0), (1340, 2), (1438, 1)), (0, 0), "1551/4"),
        _provisional_example("HCC R6", ((1472, 2), (1726, 0), (1637, 0), (1595, 1)), (1551, 4), "1529/8"),
        _provisional_example("HCC R4", ((1500, 1),) * 6, (0, 0), "1500/6"),
        _game(1500, 1500, 2, must="+16"),
        _game(1700, 1500, 2, must="+8"),
        _game(1700, 1500, 1, must="-8"),
        _game(1700, 1500, 0, must="-24"),
        _game(1500, 1700, 2, must="+24"),
        _game(1500, 2000, 2, must="+32"),
        _game(2000, 1500, 0, must="-32"),
    ),
    twin="banzuke.rulebooks.hakodate.columnar.hakodate_twin:TWIN",
    rate=hakodate.rate,
    coefficient=lambda *_: None,
    verdicts=hakodate.VERDICTS,
    cites=hakodate.CITES,
    columns=Columns(status=_status, statuses=("provisional", "established")),
    calculator=CALCULATOR,
    checks=Checks(),
    sentences=sentences.SENTENCES,
    opening_fields={
        "rating": None,
        "games": Statement("opening-games", "HCC R8", {"games": hakodate.ESTABLISHED_GAMES}),
        "peak": None,
    },
    prospects=lambda state, _settings: first_event(
        state.rating, "HCC R4", hakodate.ESTABLISHED_GAMES, "HCC R8"
    ),
    prize_class=hakodate.prize_class,
    needs_colours=False,
    is_junior=lambda born, year: is_junior(born, None, year),  # the page knows no ages: FIDE's
)
BOOKS = (HAKODATE,)
