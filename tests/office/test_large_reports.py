"""Files that hold more than the page of a report can show."""

from __future__ import annotations

import pytest

from banzuke.office.inbox.report_contents import MOST_EVENTS, MOST_FAULTS
from banzuke.office.inbox.report_files import read
from banzuke.words import LANGUAGES, fault_text


def pgn(event, round_=1):
    tags = {"Event": event, "Site": "Tokyo", "Date": "2025.05.01", "Round": str(round_)}
    tags |= {"White": "ABE Ichiro", "Black": "KATO Jiro", "Result": "1-0"}
    return "\n".join([*(f'[{key} "{value}"]' for key, value in tags.items()), "", "1-0", "", ""])


@pytest.mark.parametrize("count", [MOST_EVENTS, MOST_EVENTS + 1])
def test_events(count):
    found = read((("e.pgn", "".join(pgn(f"Cup {number}") for number in range(count)).encode()),))
    if count == MOST_EVENTS:
        assert (len(found.incoming.reports), found.faults) == (count, ())
        return
    (fault,) = found.faults
    assert not any(found.incoming)
    for lang in LANGUAGES:
        assert {str(count), str(MOST_EVENTS)} <= set(split(fault_text(fault, lang)))


def split(sentence):
    return "".join(char if char.isdigit() else " " for char in sentence).split()


def test_faults_of_one_event():
    found = read((("e.pgn", b'[Event "x"]\n' * 1_000),))
    (reported,) = (report for _, report in found.incoming.reports)
    assert len(reported.faults) == MOST_FAULTS


def test_faults_of_games_of_go():
    record = "(;GM[1]SZ[19]PB[a]PW[b])"
    found = read((("g.sgf", (record * 300).encode()),))
    assert found.incoming.go is not None
    assert len(found.incoming.go.faults) == MOST_FAULTS
