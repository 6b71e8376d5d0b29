"""What players may be shown of the errors of ratings that a report on soundness has."""

from collections.abc import Iterable

from banzuke.lab.sheets import ENOUGH, Sheet
from banzuke.lab.variants import AS_IT_IS


def errors_for_players(sheets: Iterable[Sheet]) -> dict[str, list[list[int]]]:
    """By speed: so many games or more, and the error in points; fewest games first.

    Only by the pool's own rules, and nothing that too few players tell of.
    """
    found: dict[str, list[list[int]]] = {}
    for row in (row for sheet in sheets if sheet.name == "rating_errors" for row in sheet.named_rows):
        error, is_enough = row["error"], int(row["clusters"] or 0) >= ENOUGH
        if row["variant"] == AS_IT_IS and is_enough and isinstance(error, float) and error:
            found.setdefault(str(row["speed"] or ""), []).append([int(row["rests_on"] or 0), round(error)])
    return found
