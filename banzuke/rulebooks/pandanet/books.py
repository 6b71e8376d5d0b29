"""The server's page as a value: what the program asks of it, and the page's worked examples."""

from fractions import Fraction
from functools import partial
from importlib.resources import files

from banzuke.core.decimals import decimal
from banzuke.core.go_facts import HALF_OF
from banzuke.core.rulebook import GoBook, Worked
from banzuke.core.sentences import GoSentences, Statement
from banzuke.rulebooks.pandanet import pandanet, ranks, sentences


def _terms_example(
    clause: str, white: str, black: str, stones: int, komi: int, game_number: int, must: str
) -> Worked:
    """What d is, and what White and Black win; komi in half points."""

    def run() -> str:
        found = pandanet.terms(HALF_OF[white], HALF_OF[black], stones, komi, game_number)
        d = f"d = {Fraction(found.difference, ranks.RANK)}"
        if found.white is None or found.black is None:
            return d
        return f"{d}; {found.white[0]:+}, {found.black[0]:+}"

    points = decimal(50 * komi)
    facts = {"white": white, "black": black, "stones": stones, "komi": points, "number": game_number}
    return Worked(clause, "example-terms", facts, must, run)


_points = partial(_terms_example, "PN 3(1)")
_difference = partial(_terms_example, "PN 3(2)")

PANDANET = GoBook(
    name="pandanet",
    prefix="PN",
    series="pandanet",
    words=files(__package__).joinpath("pandanet.words.toml"),
    calendar=pandanet.CALENDAR,
    speeds=("",),
    settings=pandanet.Settings,
    register=pandanet.REGISTER,
    parameters=ranks.PARAMETERS,
    examples=(
        _difference("1d", "2k", 0, 1, 101, "d = 3/2; +78, +122"),
        _difference("1d", "2k", 2, 1, 101, "d = 1/2; +92, +108"),
        _difference("2d+", "2k", 0, 1, 101, "d = 3; +64, +136"),
        _terms_example("PN 1(5)e", "2d+", "2k", 0, 13, 101, "d = 7/2"),
        _points("1d+", "1d+", 0, 13, 31, "d = 0; +150, +150"),
        _points("1d+", "1d+", 0, 13, 301, "d = 0; +100, +100"),
        _points("3d", "2d+", 0, 13, 101, "d = 1/2; +92, +108"),
        _points("3d", "2d+", 0, 7, 101, "d = 1/4; +96, +104"),
        _points("3d", "2d+", 0, 7, 60, "d = 1/4; +115, +125"),
        _difference("1k", "2k", 3, 1, 101, "d = 3/2; +122, +78"),
    ),
    twin="banzuke.rulebooks.pandanet.columnar.pandanet_twin:TWIN",
    for_twin={
        "worth": ranks.worth,
        "points_moved": ranks.points_moved,
        "expectation": ranks.expectation,
    },
    entered=ranks.newcomer_state,
    reopened=ranks.opening_state,
    declared=ranks.declared_state,
    rate=pandanet.rate,
    counts=lambda verdict, clause: not verdict.startswith(pandanet.NOT) or clause == pandanet.WIN_IN_BC,
    default_zone=ranks.default_zone,
    certifying_games=ranks.CERTIFYING_GAMES,
    declaration_clause="PN 6(3)",
    cites={
        "regular": "PN 2(2)",
        "terms": "PN 3(2)",
        "points": "PN 3(1)",
        "zone": "PN 4(2)",
        "moves": "PN 1(5)b",
        "difference": "PN 1(5)e",
    },
    usual_game=(pandanet.BOARD_SIZE, pandanet.LEAST_MOVES),
    prospects=ranks.prospects,
    opening_fields={
        "rank": Statement("opening-rank", "PN 1(3), 5(1)"),
        "rated_games": Statement("opening-games", "PN 6(2)", {"games": ranks.CERTIFYING_GAMES}),
        "points": Statement("opening-points", ""),
        "wins_in_bc": None,
    },
    regular_terms=ranks.regular_terms,
    terms=pandanet.terms,
    endings=pandanet.ENDINGS,
    sentences=GoSentences(state=sentences.state, game=sentences.game),
)
BOOKS = (PANDANET,)
