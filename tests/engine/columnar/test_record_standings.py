"""What the fast twins leave before a list is what the readable engine leaves: it goes on as if it had come there."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import pytest
from engine.columnar.test_columnar_run import EXAMPLES, SMALL, with_settings
from engine.test_history import NCS, A, B, event, ledger
from engine.test_properties import CHESS, EVENTS, FEW, PLAYERS, SEEDS, ledger_of, write
from hypothesis import given
from hypothesis import strategies as st

from banzuke.core.rating import UNRATED
from banzuke.engine.columnar.record_standings import position_after
from banzuke.engine.history import HistoryPosition, history, list_names
from banzuke.explanations.chess_rating import figures
from banzuke.ledger.folder import ChessLedger, read_ledger


def known(ratings):
    """Ratings without those of players who still are at their beginning."""
    return {
        (speed, player): rating
        for speed, of_speed in ratings.items()
        for player, rating in of_speed.items()
        if rating != UNRATED
    }


def files(standings):
    return {
        (speed, player): games
        for speed, of_speed in standings.waiting.items()
        for player, games in of_speed.items()
    }


def told(rated):
    """All that is told of a list: lines with their reasons, calculations, ratings, games on file, figures."""
    outcome = rated.outcome
    sides = {(lines.speed, line.player) for lines in outcome.events for line in lines.lines if lines.speed}
    return (
        rated.batch.name,
        rated.edition,
        rated.batch.opens_edition,
        known(rated.before),
        known(outcome.standings.ratings),
        files(outcome.standings),
        outcome.events,
        outcome.calculations,
        {who: figures(rated, *who) for who in sorted(sides)},
    )


def assert_goes_on(ledger: ChessLedger) -> int:
    """From every list on, the lists are those of the whole history."""
    names = list_names(ledger, None)
    whole = [told(rated) for rated in history(ledger, names)]
    for number in range(len(names) + 1):
        since = position_after(ledger, names[:number])
        assert [told(rated) for rated in history(ledger, names[number:], since)] == whole[number:]
    return len(names)


@pytest.mark.parametrize("book", CHESS)
@FEW
@given(seed=SEEDS, players=PLAYERS, events=EVENTS)
@pytest.mark.slow
def test_random_ledgers_go_on_from_any_list(book, seed, players, events):
    made = with_settings(ledger_of(book, seed, players, events), random.Random(seed))
    with tempfile.TemporaryDirectory() as place:
        assert_goes_on(read_ledger(write(made, Path(place) / "ledger")))


@pytest.mark.parametrize(
    "folder",
    [
        folder for folder in (*EXAMPLES, *SMALL) if not (folder / "declarations.csv").exists()
    ],  # Go has no lists
    ids=lambda path: f"{path.parent.name}-{path.name}",
)
def test_the_examples_go_on_from_any_list(folder):
    assert assert_goes_on(read_ledger(folder)) > 0


@pytest.mark.parametrize("ruling", ["", "exclude"])
def test_games_of_an_event_reported_anew_enter_once(ruling):
    """What entered the list of March is not taken again in May; what a ruling left out then is."""
    events = [
        event("E", "2024-02-10", ruling=ruling, struck="2024-05-30"),
        event("E", "2024-04-10", starts="2024-02-09", added="2024-05-30"),
    ]
    of = ledger([NCS], events, {"E": ["A 1-0 B", "B +/- A"]}, [A, B])
    assert assert_goes_on(of) == len(["2024-03", "2024-04", "2024-05"])


@pytest.mark.parametrize("book", CHESS)
@FEW
@given(seed=SEEDS, players=PLAYERS, events=EVENTS, cut=st.floats(0, 1))
def test_it_stops_before_the_list_that_does_not_pass(book, seed, players, events, cut):
    with tempfile.TemporaryDirectory() as place:
        found = read_ledger(write(ledger_of(book, seed, players, events), Path(place) / "ledger"))
    names = list_names(found, None)
    stop = int(cut * (len(names) - 1))
    asked = []

    def passes(_, made):
        asked.append(made.rated.batch.name)
        return made.rated.batch.name != names[stop]

    reached, wanted = position_after(found, names, passes), position_after(found, names[:stop])
    assert asked == names[: stop + 1]
    assert as_plain(reached) == as_plain(wanted)


def as_plain(reached: HistoryPosition):
    return (
        known(reached.standings.ratings),
        files(reached.standings),
        reached.edition,
        {month: known(ratings) for month, ratings in reached.lists.items()},
        reached.entered,
    )
