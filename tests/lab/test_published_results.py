"""Published results by gap: read, and set beside the table."""

from __future__ import annotations

import pytest

from banzuke.core.fault import RefusedError
from banzuke.lab.published_results import GapResults, published_sheet, read_published


def test_a_file_as_published(tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text("差,勝ち,引分,負け\n0~100,10,5,5\n100-200,3,0,1\n200 to 300,0,0,0\n", "utf-8")
    assert read_published(path) == [
        GapResults(0, 100, 10, 5, 5),
        GapResults(100, 200, 3, 0, 1),
        GapResults(200, 300, 0, 0, 0),
    ]


def test_every_line_that_is_none_is_said(tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text(
        "gap,won,drawn,lost\nfar,1,2,3\n0~100,1,2\n100~50,1,2,3\n0~100,1,-2,3\n"
        "0~100,10000000000000,0,0\n0~99999999999999,1,0,0\n0~100,99999999999999999999,0,0\n0~100,1,2,3\n",
        "utf-8",
    )
    with pytest.raises(RefusedError) as refused:
        read_published(path)
    assert [(f.line, f.code) for f in refused.value.faults] == [(n, "lab-published-row") for n in range(2, 9)]


@pytest.mark.parametrize(
    ("data", "code"), [(b"gap\n", "lab-published-empty"), (b"\xff\xfe", "lab-published-text")]
)
def test_files_that_are_none(tmp_path, data, code):
    path = tmp_path / "gaps.csv"
    path.write_bytes(data)
    with pytest.raises(RefusedError) as refused:
        read_published(path)
    assert [f.code for f in refused.value.faults] == [code]


def test_a_gap_beside_the_table():
    sheet = published_sheet([GapResults(0, 4, 20, 20, 60), GapResults(700, 800, 3, 0, 0)])
    near, far = sheet.rows
    assert near[:6] == (0, 4, 100, 20, 20, 60)
    table, noise, counted, scored, low, high, games = near[6:]
    assert (table, counted, scored, games) == (0.5, 0.5, 0.3, 100)  # the table says .50 up to 3 points
    assert noise == pytest.approx(0.5, abs=0.001)
    assert (low, high) == pytest.approx(
        (0.3 - 1.96 * 0.04, 0.3 + 1.96 * 0.04), abs=0.01
    )  # variance .25 - .09
    assert low + high > 2 * 0.3  # Wilson's interval is longer towards one half
    table, noise, counted, *scored = far[6:]
    assert table == pytest.approx((36 * 0.99 + 64 * 1) / 100)  # .99 up to 735, then 1.00
    assert table > noise > 0.9
    assert (counted, *scored) == (pytest.approx(0.92), 1.0, None, None, 3)


def test_the_scale_of_12923_official_games_is_684_points_not_400(shared):
    sheet = published_sheet(read_published(shared / "data" / "jcf" / "jcf_result_by_rating_gap.csv"))
    facts = dict(sheet.notes[0].facts)
    low, scale, high = (float(facts[name]) for name in ("scale_low", "scale", "scale_high"))
    assert (low, scale, high) == pytest.approx((661, 684, 709), abs=1)  # as a binomial GLM on the middles
    assert (
        370 < float(facts["scale_table"]) < 400 < float(facts["scale_noise"]) < 440
    )  # errors explain little


def test_favourites_of_12923_official_games_score_less_than_the_table_expects(shared):
    sheet = published_sheet(read_published(shared / "data" / "jcf" / "jcf_result_by_rating_gap.csv"))
    columns = sheet.columns
    assert sum(columns["games"]) == 12923
    below = [
        gap
        for gap, counted, high in zip(columns["gap_from"], columns["counted"], columns["high"], strict=True)
        if high is not None and high < counted
    ]
    assert below == [100, 200, 300, 400, 500, 600]
    assert columns["scored"][3] == pytest.approx((1322 + 223 / 2) / (1322 + 223 + 306))
