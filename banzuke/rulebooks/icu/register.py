"""Who carries out each clause."""

from banzuke.core.clause_register import ClauseRegister
from banzuke.rulebooks.icu import event_rating, event_steps, icu

REGISTER: ClauseRegister = {
    "ICU 1": (icu.fixed_rating, icu.kind_of),
    "ICU 2": (icu.was_played,),
    "ICU 3": (icu.joined_on, icu.years_between, icu.coefficient),
    "ICU 4": (icu.expectation, icu.change_of_game, event_steps.expect),
    "ICU 5": (icu.value_of_opponent, event_steps.renew_values),
    "ICU 6": (icu.result_points, icu.known_part, icu.mean_of, icu.has_settled, icu.performance_rounds),
    "ICU 7": (icu.bonus_of, icu.may_have_bonus, icu.bonus_threshold, icu.raised_bonus),
    "ICU 8": (
        event_steps.reckon_event,
        event_steps.grant_bonuses,
        event_steps.renew_expectations,
        icu.id_order,
    ),
    "ICU 9": (icu.new_rating, event_rating.rate),
}
