"""Lists that hypothesis makes, with names that spreadsheets, JSON and Typst would like to run."""

from __future__ import annotations

from datetime import date

from hypothesis import strategies as st

from banzuke.core.facts import SPEEDS
from banzuke.formats.lists.rating_list import (
    ListedPlayer,
    RankedPlayer,
    Ranking,
    RatingList,
    SpeedRating,
    statuses,
)

NASTY = (
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "'=1",
    "''x",
    "'t Hart",
    '"quoted", name;',
    "_x0041_",
    "007",
    "1e5",
    "TRUE",
    "2020-01-01",
    "#strong[x] $a$ \\",
    "<b>&amp;</b>",
    "𠮷野 家",
    "שלום",
    "ﾊﾝｶｸ",
    "#N/A",
    "http://example.org",
    "null",
)
texts = st.one_of(
    st.sampled_from(NASTY),
    st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), max_size=20).map(str.strip),
)
ids = st.one_of(st.sampled_from(NASTY), texts).filter(bool)
numbers = st.integers(-9999, 9999)
ratings = st.none() | st.builds(
    SpeedRating,
    rating=numbers,
    games=st.integers(0, 999_999_999),
    change=st.none() | numbers,
    peak=st.none() | numbers,
    status=st.sampled_from(statuses()),
    qualified=st.none() | st.booleans(),
)


@st.composite
def rating_lists(draw) -> RatingList:
    speeds = draw(st.sampled_from([("",), SPEEDS, SPEEDS[:2], ("rapid",)]))
    days = st.none() | st.dates(min_value=date(1, 1, 1))
    players = tuple(
        ListedPlayer(
            player,
            tuple(draw(ratings) for _ in speeds),
            *(draw(texts) for _ in range(5)),
            birth_date=draw(days),
        )
        for player in draw(st.lists(ids, unique=True, max_size=5))
    )
    return RatingList(draw(texts), draw(texts), draw(texts), speeds, players)


@st.composite
def rankings(draw) -> Ranking:
    players = tuple(
        RankedPlayer(
            draw(st.none() | st.integers(1, 99)),
            player,
            draw(texts),
            draw(st.sampled_from(["8d", "5k?", "BC", "3p", "17k+"])),
            draw(st.none() | numbers),
            draw(st.integers(0, 9999)),
        )
        for player in draw(st.lists(ids, unique=True, max_size=5))
    )
    return Ranking(draw(texts), draw(texts), draw(texts), players)


lists = st.one_of(rating_lists(), rankings())

SMALL = RatingList(
    "日本チェス連盟",
    "2025-03",
    "ncs-2022",
    SPEEDS[:2],
    (
        ListedPlayer(
            "J001",
            (SpeedRating(1500, 30, -4, 1510, "rated", True), None),
            "SATO Taro",
            "佐藤 太郎",
            "m",
            "東京クラブ",
            "007",
            date(2001, 2, 3),
        ),
        ListedPlayer(
            "J002",
            (
                SpeedRating(1480, 9, None, 1480, "rated", False),
                SpeedRating(1200, 5, 12, 1230, "rated", False),
            ),
            "=HYPERLINK(1)",
        ),
    ),
)
RANKED = Ranking(
    "Server",
    "2026-01-31T22:48:31+09:00",
    "pandanet",
    (RankedPlayer(1, "a", "Aoi", "5d+", 15000, 30), RankedPlayer(None, "b", "Ben", "4k?", None, 3)),
)
