"""Coded time controls: minutes only where they are said plainly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banzuke.formats.notation import (
    format_time_control,
    may_mean_minutes,
    parse_minutes,
    parse_time_control,
    parse_time_words,
)


@pytest.mark.parametrize(
    ("code", "minutes"),
    [
        ("5400+30", (90, 30)),
        ("5400", (90, 0)),
        ("180+2", (3, 2)),
        ("0+5", (0, 5)),
        ("40/6000+30:900+30", (115, 30)),
        ("40/7200:3600", (180, 0)),
        ("40/7200+30:10/3600+30:900+30", (195, 30)),
        ("59/3600:60", (61, 0)),
    ],
)
def test_said_plainly(code: str, minutes: tuple[int, int]) -> None:
    assert parse_time_control(code) == minutes


@pytest.mark.parametrize(
    "code",
    [
        *("", "?", "-", "*180", "90 min", "5400 + 30", "5400+", "+30", "５４００", "1e3", "5400+30+30"),
        "W300-B240",  # White has other time than Black
        "5430",  # no whole minutes
        "40/5400",  # starts again
        "40/7200:20/3600",
        "40/7200:3600+30",  # other increments
        "60/7200:3600",  # the second period begins after move 60
        "40/7200:20/3600:900",
        "5400:900",  # the first period never ends
        "0/60:60",
        ":".join(["5/60"] * 9 + ["60"]),
        "9" * 5000,
        "1/" * 5000,
        "1/60:" * 5000,
    ],
)
def test_not_said_plainly(code: str) -> None:
    assert parse_time_control(code) is None


@pytest.mark.parametrize("code", ["60+30", "90+30", "90", "179", "120+5"])
def test_so_short_that_minutes_may_be_meant(code: str) -> None:
    assert (parse_minutes(code), may_mean_minutes(code)) == ((None, None), True)


@pytest.mark.parametrize("code", ["180+2", "5400", "40/60+30:900+30", "W300-B240", "", "5430"])
def test_no_minutes_meant(code: str) -> None:
    assert parse_minutes(code) == (parse_time_control(code) or (None, None))
    assert not may_mean_minutes(code)


@given(st.integers(0, 600), st.integers(0, 600))
def test_what_is_coded_is_read_back(minutes: int, increment: int) -> None:
    assert parse_time_control(format_time_control(minutes, increment)) == (minutes, increment)


@given(st.text("0123456789/+:WB-* ", max_size=30))
def test_never_raises(code: str) -> None:
    found = parse_time_control(code)
    assert found is None or min(found) >= 0


@pytest.mark.parametrize(
    ("words", "minutes"),
    [
        *[("45 min + 15s Bonus", (45, 15)), ("60min + 30s", (60, 30)), ("45 min + 15 bônus", (45, 15))],
        *[("Standard: 90min +30sec increment per move starting from move 1", (90, 30)), ("15 min", (15, 0))],
        *[("90'+30''", (90, 30)), ("3 Min. + 2 Sek. pro Zug", (3, 2)), ("60 min KO", (60, 0))],
        *[("10 minutes + 5 seconds per move", (10, 5)), ("９０分＋３０秒", (90, 30))],
        *[("90 min for the game + 30 sec per move", (90, 30)), ("持ち時間45分、1手15秒加算", (45, 15))],
        ("25分切れ負け", (25, 0)),
        *[("90 min + 30 sec", (90, 30)), ("1h30 + 30s", (90, 30)), ("1 hour 30 min. + 30 sec.", (90, 30))],
        *[("1時間30分＋30秒", (90, 30)), ("持時間1時間、1手30秒加算", (60, 30)), ("1h + 30 s", (60, 30))],
        *[("G/90;+30", (90, 30)), ("G/25 +5", (25, 5)), ("25分＋10秒フィッシャー", (25, 10))],
    ],
)
def test_said_in_words(words: str, minutes: tuple[int, int]) -> None:
    assert parse_time_words(words) == minutes


@pytest.mark.parametrize(
    "words",
    [
        *[
            "",
            "90+30",
            "5400+30",
            "45 min + 15",
            "90' + 30'",
            "40分、1手30秒",
            "0 min",
            "1 hour",
            "60 min 30 sec",
            "1時間",
            "1h30/40 + 30 min",
            "G/60;d5",
            "11h30 + 30s",
        ],
        *["90 minutes/40 moves + 15 min KO + 30 sec/move", "40/90’ + Game/30’ + 30”/move"],
        *["45 min + 15 bônus ou 1 h ko", "100'x40+15'+30\"", "moves/time, increment", "40/120, 60"],
        "5 min" * 5000,
    ],
)
def test_words_that_say_more_or_less(words: str) -> None:
    assert parse_time_words(words) is None
