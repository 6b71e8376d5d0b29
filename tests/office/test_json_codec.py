"""Records as JSON and back."""

from __future__ import annotations

import json
from datetime import date
from typing import NamedTuple

import pytest

from banzuke.office.json_codec import from_json, to_json, to_objects


class Inner(NamedTuple):
    day: date
    note: str = ""


class Outer(NamedTuple):
    one: Inner | None
    many: list[Inner]
    pair: tuple[int, str]
    days: tuple[date, ...]
    by_name: dict[str, int]


WHOLE = Outer(
    Inner(date(2026, 1, 2)), [Inner(date(2026, 1, 3), "x")], (1, "a"), (date(2026, 2, 1),), {"b": 2}
)
BLANK = Outer(None, [], (0, ""), (), {})


@pytest.mark.parametrize("record", [WHOLE, BLANK])
@pytest.mark.parametrize("write", [to_json, to_objects])
def test_what_was_written_comes_back(record, write):
    assert from_json(Outer, json.loads(json.dumps(write(record)))) == record


def test_records_within_are_arrays_or_objects():
    assert to_json(WHOLE)["one"] == ["2026-01-02", ""]
    assert to_objects(WHOLE)["one"] == {"day": "2026-01-02", "note": ""}


def test_a_field_that_came_later_has_its_default():
    assert from_json(list[Inner], [["2026-01-02"]]) == [Inner(date(2026, 1, 2))]
