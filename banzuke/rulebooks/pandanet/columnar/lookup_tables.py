"""The numbers of `pandanet` and `ranks`, and the tables that its fast twin looks up."""

import numpy as np

from banzuke.columnar.go_columns import Rows
from banzuke.core.go_facts import HALF_RANKS
from banzuke.core.rulebook import RuleBook
from banzuke.rulebooks.pandanet.ranks import HALF_RANK, RANK, value

#: The parameters that the kernels take as they are, by name.
NUMBERS = (
    "board_size", "least_moves", "flat", "bonus_below", "bc_wins", "certifying_games", "review_every",
    "both_wins",
)  # fmt: skip


def tables_of(book: RuleBook) -> Rows:
    """What the kernels look up, a single row, filled by the functions of the readable book.

    `value[half]` and `worth[stones]` (with komi 0) are 24ths of a rank, as is `widest`; `points[step,
    upper_won, d]` whole points, a step of multipliers lasting until the game `last_game[step]`;
    `expected[middle + lead]` 2400ths, of which a half point of score has `half_point`.
    """
    given, asked = book.parameters, book.for_twin
    widest = given.whole("widest_ranks") * RANK
    middle = HALF_RANK * HALF_RANKS + widest
    last_games = [last for last, _ in given.row("multipliers")]
    columns = {
        "value": [value(half) for half in range(HALF_RANKS)],
        "worth": [asked["worth"](stones, 0) for stones in range(given.whole("most_stones") + 1)],
        "points": [
            [
                [asked["points_moved"](d, upper_won=won, game_number=number) for d in range(widest + 1)]
                for won in (False, True)
            ]
            for number in (*last_games, max(last_games, default=0) + 1)
        ],
        "last_game": last_games,
        "expected": [asked["expectation"](lead) for lead in range(-middle, middle + 1)],
        "middle": middle,
        "widest": widest,
        "half_point": given.whole("both_wins") * HALF_RANK // 2,
        **{name: given.whole(name) for name in NUMBERS},
    }
    arrays = {name: np.array(column, np.int32) for name, column in columns.items()}
    row = np.zeros(1, [(name, np.int32, array.shape) for name, array in arrays.items()])
    for name, array in arrays.items():
        row[name] = array
    return row
