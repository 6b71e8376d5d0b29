"""Who carries out each clause."""

from banzuke.core.clause_register import ClauseRegister
from banzuke.rulebooks.icu import course, icu, lines, rating

REGISTER: ClauseRegister = {
    "ICU 1": (icu.kind_of, lines.fixed_rating),
    "ICU 2": (lines.was_played,),
    "ICU 3": (icu.coefficient, icu.years_between, rating.joined_on),
    "ICU 4": (icu.expectation, icu.change_of_game, course.expect),
    "ICU 5": (icu.value_of_opponent, course.renew_values),
    "ICU 6": (icu.result_points, icu.share_of, icu.mean_of, icu.has_settled, icu.performance_rounds),
    "ICU 7": (icu.bonus_of, icu.may_have_bonus, icu.bonus_threshold, icu.raised_bonus),
    "ICU 8": (course.course_of, course.grant_bonuses, icu.id_order),
    "ICU 9": (icu.new_rating, rating.rate),
}
