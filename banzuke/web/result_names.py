"""Results of games as pages show them: as people write them, with what is not ordinary said in words."""

from django.utils.functional import lazy
from django.utils.translation import gettext

#: Before a result: the game was played, but is not for the ratings.
UNRATED = "u"


def result_text(result: str) -> str:
    """A result as a ledger writes it, in words where it is a forfeit or not to be rated."""
    if result.startswith(UNRATED):
        return gettext("%(result)s (played, not rated)") % {"result": result.removeprefix(UNRATED)}
    if result in ("+/-", "-/+", "-/-"):
        return gettext("%(result)s (forfeit)") % {"result": result}
    return result


lazy_result_text = lazy(result_text, str)
