"""What adjustments did to a rating, in sentences: decision, map, rounding and floor."""

from __future__ import annotations

import pytest
from engine.test_adjustments import adjustment, club, japan, standing
from engine.test_properties import read

from banzuke.core.rating import Rating
from banzuke.core.sentences import AdjustmentStep
from banzuke.explanations.adjustment_sentences import adjustment_statements
from banzuke.explanations.chess_rating import explain
from banzuke.office.lists.list_rows import working_from_json, working_to_json
from banzuke.words import LANGUAGES


def told(ledger, player, name, lang="en"):
    """The sentences of the last section."""
    sections = explain(read(ledger), player, name, lang).sections
    return [sentence.text for sentence in sections[-1].sentences]


def steps(points, *pairs):
    return [AdjustmentStep("A1", "Board", points, *pair, Rating(0, 0, 0, earned=False)) for pair in pairs]


def test_a_list_with_games():
    texts = told(japan(adjustment(of="2025-04")), "A", "2025-04")
    assert texts[-4:] == [
        "The changes add up to +1.6, rounded +2: 1500 becomes 1502.",
        "All ratings of this list were adjusted (Board): 1502 becomes 1701.",
        "1000 becomes 1400 and 2000 becomes 2000, with a straight line between: 1502 becomes 1701.2, rounded 1701.",
        "After this list: 1701. Games so far: 51. Highest rating so far: 1701.",
    ]
    assert told(japan(adjustment(of="2025-04")), "A", "2025-04", "ja")[-3:-1] == [
        "このリストのすべてのレーティングに一括調整が行われた（Board）。1502から1701になる。",
        "1000は1400、2000は2000になり、その間は直線で決まる。1502は1701.2、四捨五入して1701になる。",
    ]


def test_a_list_without_games_of_the_player():
    texts = told(japan(adjustment()), "B", "2025-03")
    assert texts[1:] == [
        "No game in this list, and none in an earlier one.",
        "All ratings of this list were adjusted (Board): 1100 becomes 1460.",
        "1000 becomes 1400 and 2000 becomes 2000, with a straight line between.",
        "After this list: 1460. Games so far: 50. Highest rating so far: 1460.",
    ]


def test_a_list_after_one_with_games_does_not_say_that_the_rating_stays():
    ledger = japan(adjustment(of="2025-05"), events=[*japan().tables["events"], {
        "event_id": "E3", "name": "E3", "speed": "standard", "starts": "2025-04-10", "ends": "2025-04-10",
        "reported": "2025-04-10",
    }])  # fmt: skip
    assert "No game in this list. The last list with games was 2025-04." in told(ledger, "A", "2025-05")


def test_the_list_that_is_explained_without_a_wish_is_the_last_that_moved_the_rating():
    events = [*japan().tables["events"], japan().tables["events"][1] | {"event_id": "E3"}]
    events[2] |= dict.fromkeys(("starts", "ends", "reported"), "2025-05-10")
    moved = japan(adjustment(of="2025-06"), events=events)
    assert explain(read(moved), "A", None, "en").list_name == "2025-06"
    unmoved = japan(adjustment(of="2025-06", points="0:0 3000:3000"), events=events)
    assert explain(read(unmoved), "A", None, "en").list_name == "2025-04"


def test_a_rating_above_the_last_node():
    assert "All ratings of this list were adjusted (Board); 2450 stays." in told(
        japan(adjustment()), "C", "2025-03"
    )


def test_below_the_first_node_and_the_floor():
    (first, second, third) = adjustment_statements(steps("1500:1000 2000:2000", ("1100", "1000")))
    assert (first.key, first.facts) == ("adjusted", {"decision": "Board", "before": "1100", "after": "1000"})
    assert (second.key, second.facts) == ("adjusted-below", {"old": 1500, "shift": "-500"})
    assert (third.key, third.facts) == ("adjusted-floored", {"exact": "600", "after": "1000"})


def test_on_a_node_there_is_nothing_to_work_out():
    assert [each.key for each in adjustment_statements(steps("1000:1400 2000:2000", ("1000", "1400")))] == [
        "adjusted"
    ]


def test_several_one_after_another():
    texts = told(
        japan(adjustment("A1"), adjustment("A2", points="0:0 1800:1500 3000:3000", decision="Meeting")),
        "A",
        "2025-03",
    )
    assert [text for text in texts if text.startswith("All ratings")] == [
        "All ratings of this list were adjusted (Board): 1500 becomes 1700.",
        "All ratings of this list were adjusted (Meeting): 1700 becomes 1417.",
    ]
    assert texts[-1].startswith("After this list: 1417. ")
    assert texts[-1].endswith("Highest rating so far: 1700.")


def test_ratings_with_decimals():
    openings = [standing("A", "1500.1234", 50, "", peak="1600"), standing("B", 1100, 50, "", peak="1200")]
    ledger = club("us-chess", adjustment(of="E1"), standings=openings, games=[])
    assert told(ledger, "A", "E1")[2:4] == [
        "All ratings of this list were adjusted (Board): 1500.1234 becomes 1700.0740.",
        (
            "1000 becomes 1400 and 2000 becomes 2000, with a straight line between: 1500.1234 becomes 1700.07404, "
            "rounded 1700.0740."
        ),
    ]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("book", ["hakodate", "icu", "us-chess"])
def test_every_book_of_events_says_it(book, lang):
    assert any("1700" in text for text in told(club(book, adjustment(of="E1"), games=[]), "A", "E1", lang))


def test_what_is_stored_of_a_list_is_read_again_and_is_as_before_without_adjustments():
    from banzuke.engine.history import history, list_names
    from banzuke.explanations.chess_rating import figures

    for ledger, is_adjusted in ((japan(adjustment()), True), (japan(), False)):
        made = read(ledger)
        rated = next(history(made, list_names(made, None)))
        found = figures(rated, "standard", "A")
        stored = working_to_json(found)
        assert working_from_json(stored) == found
        assert ("adjusted" in stored) is is_adjusted
        assert found.after == rated.outcome.standings.of("standard", "A")
