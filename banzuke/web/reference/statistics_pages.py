"""The statistics of a pool's lists: distribution, activity, inflation, and how the expectation table fits."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse

from banzuke.core.decimals import decimal, two_decimals
from banzuke.core.go_facts import HALF_OF
from banzuke.core.rounding import rounded
from banzuke.database.book_reader import rules_of
from banzuke.database.models import ListFigures, Pool, RatingList
from banzuke.office.lists import list_index
from banzuke.office.lists.list_statistics import GAP, LAST_GAP, STEP, sum_gaps
from banzuke.office.lists.movement_bands import movement_bands
from banzuke.office.pages.event_lists import note_event_names
from banzuke.web.access import public
from banzuke.web.shortcuts import pool_page

#: How many of the newest lists the page shows.
LISTS = 60


class Step(NamedTuple):
    """A step of the distribution: its words, its players."""

    words: str
    players: int


class Month(NamedTuple):
    """A list in the course of time; `mean` is of the active players."""

    list: RatingList
    players: int
    active: int
    games: int
    first: int
    mean: str


class Fit(NamedTuple):
    """A rating gap: what the table expects of the higher rated, and what they scored."""

    gap: str
    games: int
    expected: str
    scored: str
    difference: int


@public
def statistics(request: HttpRequest, pool: Pool, speed: str | None = None) -> HttpResponse:
    """The newest list's distribution, and the course of the lists."""
    rules = rules_of(pool)
    lists = list(list_index.current_lists(pool)[:LISTS])
    with_players = lists[0].speeds_with_players if lists else rules.speeds[:1]
    chosen = with_players[0] if speed is None else speed
    if chosen not in rules.speeds:
        raise Http404
    counted = {one.list_id: one.figures for one in ListFigures.objects.filter(list__in=lists, speed=chosen)}
    note_event_names(lists)
    steps = _steps(counted[lists[0].pk]) if lists and lists[0].pk in counted else []
    context = {
        "speed": chosen,
        "speeds": [one for one in rules.speeds if one in (chosen, *with_players)],
        "latest": lists[0] if lists else None,
        "steps": steps,
        "most": max((step.players for step in steps), default=0),
        **(_movements(lists[0], chosen) if lists else {}),
        "months": [_month(one, counted[one.pk]) for one in lists if one.pk in counted],
        "fits": [_fit(gap, sums) for gap, sums in sum_gaps(counted.values()).items()],
        "is_go": rules.is_go,
    }
    return pool_page(request, "reference/statistics.html", pool, **context)


def _movements(latest: RatingList, speed: str) -> dict[str, Any]:
    """The newest list's changes by bands; nothing where nobody moved."""
    changed = latest.rows.filter(speed=speed, change__isnull=False).order_by()
    sizes = dict(changed.values_list("change").annotate(players=Count("pk")))
    if not any(sizes):
        return {}
    bands = movement_bands(sizes)
    return {"bands": bands, "most_in_band": max(band.players for band in bands if band.low or band.high)}


def _steps(figures: Mapping[str, Any]) -> list[Step]:
    """The distribution from the top; between ratings no step is left out."""
    found: dict[str, int] = figures["distribution"]
    if all(step.isdigit() for step in found):
        lows = range(min(map(int, found)), max(map(int, found)) + STEP, STEP)
        return [Step(f"{low}–{low + STEP - 1}", found.get(str(low), 0)) for low in reversed(lows)]
    return [Step(rank, found[rank]) for rank in sorted(found, key=_of_rank, reverse=True)]


def _of_rank(written: str) -> tuple[int, str]:
    """Ranks by their order; who has none of the amateurs' stands below all."""
    return HALF_OF.get(written.rstrip("?"), -1), written


def _month(one: RatingList, figures: Mapping[str, Any]) -> Month:
    active = figures["active"]
    mean = decimal(rounded(10 * figures["active_sum"], active) * 10) if active else ""
    return Month(one, figures["players"], active, figures["games"], figures["first"], mean)


def _fit(gap: int, sums: list[int]) -> Fit:
    """In hundredths of a point, each rounded once."""
    games, halves, expected = sums
    scored, table = rounded(50 * halves, games), rounded(expected, games)
    words = f"{gap}+" if gap == LAST_GAP else f"{gap}–{gap + GAP - 1}"
    return Fit(words, games, two_decimals(table), two_decimals(scored), scored - table)
