"""Who carries out each clause."""

from banzuke.core.clause_register import NOTICE, ClauseRegister
from banzuke.rulebooks.us_chess import arithmetic, event_steps, us_chess

REGISTER: ClauseRegister = {
    "USC 1": (us_chess.age_on, us_chess.rating_by_age, us_chess.rating_from_fide, us_chess.first_rating),
    "USC 2": (us_chess.effective_games,),
    "USC 3": (us_chess.step_1, event_steps.take_steps),
    "USC 4": (us_chess.take_step, us_chess.figure_after_step, us_chess.shown_rating, us_chess.exact_rating),
    "USC 5": (
        us_chess.is_special,
        us_chess.one_sided_after,
        us_chess.winning_expectancy,
        us_chess.own_part,
        us_chess.special_step,
        arithmetic.find_balance,
    ),
    "USC 6": (
        us_chess.expectancy,
        us_chess.change_of_game,
        us_chess.is_dual,
        us_chess.coefficient,
        us_chess.standard_step,
    ),
    "USC 7": (us_chess.bonus_constant, us_chess.may_have_bonus, us_chess.bonus_threshold),
    "USC 8": (us_chess.career_after, us_chess.is_provisional),
    "USC 9": (us_chess.absolute_floor, us_chess.personal_floor, us_chess.floors),
    "USC 10": (us_chess.verdict,),
    "USC 11": NOTICE,
}
