"""What a rule book adds to a row or keeps of a calculation, as the database holds it."""

import json
from datetime import date
from decimal import Decimal

import pytest

from banzuke.core.facts import NO_MORE
from banzuke.database.added_columns import more_from_json, more_to_json


@pytest.mark.parametrize(
    "more",
    [
        {"joined": date(2024, 5, 1), "share": Decimal("12.50"), "version": 2, "note": ""},
        {"values": {"1": ["1700.000000", "rating"], "2": ["1448.260643", "bonus"]}, "rounds": [6, 1]},
        {"figures": {"on": date(2024, 5, 1), "rows": [{"share": Decimal("0.1")}, [None, True]]}},
        {"nothing": {}, "none": []},
    ],
)
def test_cells_come_back_as_they_were(more):
    assert more_from_json(json.loads(json.dumps(more_to_json(more)))) == more


def test_no_cells():
    assert more_to_json({}) is None
    assert more_from_json(None) is NO_MORE
