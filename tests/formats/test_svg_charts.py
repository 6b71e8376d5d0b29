"""Plots: what is drawn where, and that hostile names stay text."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from banzuke.formats.svg_charts import (
    Axis,
    Change,
    Point,
    Range,
    Series,
    axis,
    curves,
    dumbbells,
    named_axis,
    number,
    ranges,
)

HOSTILE = '</svg><script>alert("x")</script>&'
UNIT = Axis("x", 0, 1, ((0, "0"), (1, "1")))


def drawn(svg: str) -> ET.Element:
    """The drawing, if it is well-formed."""
    return ET.fromstring(svg)


def numbers(element: ET.Element, *names: str) -> tuple[float, ...]:
    return tuple(float(element.attrib[name]) for name in names)


def of_class(svg: str, word: str) -> list[ET.Element]:
    return [each for each in drawn(svg).iter() if word in each.get("class", "").split()]


@pytest.mark.parametrize(
    ("values", "low", "high", "ticks"),
    [
        ([0, 1], 0, 1, ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        ([-400, 400], -400, 400, ["−400", "−200", "0", "200", "400"]),
        ([1481, 1527], 1480, 1530, ["1480", "1490", "1500", "1510", "1520", "1530"]),
        ([7], 6, 8, ["6", "6.5", "7", "7.5", "8"]),
        ([float("nan")], 0, 1, ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
    ],
)
def test_an_axis_has_round_ticks_around_its_values(values, low, high, ticks):
    found = axis("x", values)
    assert (found.low, found.high) == pytest.approx((low, high))
    assert [said for _, said in found.ticks] == ticks


def test_names_along_an_axis_thin_out():
    few = named_axis("year", ["2023", "2024"])
    many = named_axis("list", [f"20{year}-0{month}" for year in range(10, 30) for month in (1, 7)])
    assert [said for _, said in few.ticks] == ["2023", "2024"]
    assert 3 <= len(many.ticks) <= 6


@pytest.mark.parametrize(
    ("value", "said"), [(-0.25, "−0.25"), (1500.0, "1500"), (-0.0, "0"), (1e-9, "0"), (0.1234, "0.1234")]
)
def test_a_number_as_printed(value, said):
    assert number(value) == said


def test_dots_stand_at_their_place_with_their_interval():
    svg = curves("t", UNIT, UNIT, [Series("a", [Point(0, 0), Point(1, 1, 0.5, 2)], "dots")])
    (low, high) = of_class(svg, "dot")
    assert numbers(low, "cx", "cy") == (46, 220)
    assert numbers(high, "cx", "cy") == (388, 26)
    (whisker,) = of_class(svg, "whisker")
    assert numbers(whisker, "y1", "y2") == (123, 26), "what leaves the plot is cut at its edge"
    assert "1: 1 (0.5 – 2)" in svg


def test_an_interval_that_is_exactly_zero_is_drawn():
    svg = curves("t", UNIT, UNIT, [Series("a", [Point(0, 0.5, 0.0, 0.0)], "dots")])
    assert numbers(of_class(svg, "whisker")[0], "y1", "y2") == (220, 220)


def test_a_curve_leaves_out_what_is_no_number():
    svg = curves("t", UNIT, UNIT, [Series("a", [Point(0, 0), Point(0.5, float("nan")), Point(1, 1)])])
    assert of_class(svg, "curve")[0].attrib["points"] == "46,220 388,26"


def test_a_point_alone_is_seen():
    svg = curves("c", UNIT, UNIT, [Series("s", [Point(0.5, 0.5)])])
    assert of_class(svg, "curve") == []
    assert len(of_class(svg, "dot")) == 1


def test_steps_hold_until_the_next_point():
    svg = curves("t", UNIT, UNIT, [Series("a", [Point(0, 0), Point(1, 1)], "steps")])
    assert of_class(svg, "curve")[0].attrib["points"] == "46,220 388,220 388,26"


def test_the_fifth_series_begins_the_colours_again():
    svg = curves("t", UNIT, UNIT, [Series(str(at), [Point(0, 0), Point(1, 1)]) for at in range(5)])
    assert [each.attrib["class"].split()[0] for each in of_class(svg, "curve")] == [
        "s1",
        "s2",
        "s3",
        "s4",
        "s1",
    ]


def test_ranges_reach_from_end_to_end():
    svg = ranges("t", "loss", [Range("a", 1.5, 1, 2), Range("b", 1)])
    assert [numbers(each, "cx")[0] for each in of_class(svg, "dot")] == [267, 146]
    (line,) = of_class(svg, "thick")
    assert numbers(line, "x1", "x2") == (146, 388)
    assert "a: 1.5 (1 – 2)" in svg


def test_dumbbells_go_from_ring_to_dot():
    svg = dumbbells("t", "rating", [Change("山田太郎左衛門尉信長公", 1500, 1600), Change("B", 1600, 1500)])
    rings, dots = of_class(svg, "ring"), of_class(svg, "dot")
    assert [numbers(each, "cx")[0] for each in rings] == [146, 388]
    assert [numbers(each, "cx")[0] for each in dots] == [388, 146]
    assert [each.attrib["class"].split()[0] for each in dots] == ["s2", "s1"]
    assert "山田太郎左衛門尉信長公: 1500 → 1600" in svg
    assert ">山田太郎左衛門尉信…<" in svg


@pytest.mark.parametrize(
    "svg",
    [
        curves(
            HOSTILE, axis(HOSTILE, [0, 1]), named_axis(HOSTILE, [HOSTILE]), [Series(HOSTILE, [Point(0, 0)])]
        ),
        dumbbells(HOSTILE, HOSTILE, [Change(HOSTILE, 0, 1)]),
        ranges(HOSTILE, HOSTILE, [Range(HOSTILE, 0, 1, 2)]),
    ],
)
def test_hostile_names_stay_text(svg):
    assert {each.tag for each in drawn(svg).iter()} <= {
        "svg",
        "g",
        "title",
        *("text", "line", "circle", "polyline"),
    }
    assert drawn(svg).attrib["aria-label"] == HOSTILE
    assert not re.search("<script", svg)
