"""The report: one file that fetches nothing, says everything in both languages, and holds what its tables hold."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser

import pytest
from pyarrow import parquet as pq

from banzuke.lab.plots import PLOTS, column_name, plots_of
from banzuke.lab.report_page import MOST_ROWS, Report, body, cell_text, page
from banzuke.lab.sheets import estimate_text, note, sheet_of, write_sheets
from banzuke.office.report_json import MOST_KEPT, from_json, to_json
from banzuke.words import LANGUAGES

HOSTILE = '"><script>alert(1)</script><img src=//evil.example/x onerror=alert(1)>'
MOVERS = ("variant", "speed", "player_id", "name", "rating_before", "rating")


def report(*sheets, figures=()):
    """A report with a hostile pool in its title."""
    return Report(note("title-compare", pool=HOSTILE), note("lead-compare-alone"), figures, (), sheets)


def movers(*rows):
    return sheet_of(
        "movers",
        "compared-movers",
        MOVERS,
        rows,
        (note("published-games", games=HOSTILE, counted=1, scored=1),),
    )


class Page(HTMLParser):
    """What a page fetches, leads to and runs; its words; the cells of its tables."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.attributes: list[tuple[str, str, str]] = []
        self.tags: list[str] = []
        self.cells: list[str] = []
        self.values: list[str] = []
        self._in_cell = False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag == "td":
            self._in_cell = True
            self.cells.append("")
            self.values.append(dict(attrs).get("data-value", ""))

    def handle_endtag(self, tag):
        self._in_cell = self._in_cell and tag != "td"

    def handle_data(self, data):
        if self._in_cell:
            self.cells[-1] += data


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_file_for_itself_fetches_nothing_and_runs_nothing_but_its_own(lang):
    text = page(report(movers((HOSTILE, HOSTILE, HOSTILE, HOSTILE, 1500, 1600))), lang).decode()
    found = Page(text)
    fetched = [
        value for _, name, value in found.attributes if name in {"src", "srcset", "href", "data", "action"}
    ]
    assert fetched == ["#movers"] * 2
    assert not {"link", "img", "iframe", "object", "form", "base"} & set(found.tags)
    assert found.tags.count("script") == found.tags.count("style") == 1
    assert not [name for _, name, _ in found.attributes if name.startswith("on") or name == "style"]
    style = text.split("<style>")[1].split("</style>")[0]
    assert "url(" not in style
    assert "@import" not in style
    (policy,) = (value for _, name, value in found.attributes if name == "content" and "default-src" in value)
    assert re.fullmatch(
        r"default-src 'none'; style-src 'sha256-[\w+/]{43}='; script-src 'sha256-[\w+/]{43}='", policy
    )


def test_a_hostile_name_is_text_wherever_it_stands():
    found = Page(body(report(movers((HOSTILE, HOSTILE, HOSTILE, HOSTILE, 1500, 1600))), "en"))
    assert "script" not in found.tags
    assert found.cells == [HOSTILE] * 4 + ["1500", "1600"]


def test_a_cell_is_shown_short_and_copied_as_its_file_has_it():
    sheet = sheet_of(
        "odd", "compared-movers", ("a", "b", "c", "d", "e"), [(1234.5678, -3, None, True, -0.00012345)]
    )
    found = Page(body(report(sheet), "en"))
    assert found.cells == ["1235", "−3", "", "yes", "−0.000123"]
    assert found.values == ["1234.57", "", "", "", "-0.00012345"]


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.0, "0"), (0.5, "0.500"), (12.34, "12.3"), (-1234.5, "−1234"), (1.23e-9, "1.2e−09")],
)
def test_an_estimate_has_three_digits(value, said):
    assert estimate_text(value) == said
    assert cell_text(float("nan"), "en") == "–"


def test_a_long_table_is_shown_in_part_and_says_so():
    rows = [("jcf-2024", "standard", f"J{at}", "", at, at) for at in range(MOST_ROWS + 1)]
    text = body(report(movers(*rows)), "en")
    assert len(Page(text).cells) == MOST_ROWS * len(MOVERS)
    assert "The first 300 of 301 rows; movers.csv beside this page has them all." in text
    assert "The first" not in body(report(movers(*rows[1:])), "en")


def test_an_empty_table_says_so():
    text = body(report(movers()), "en")
    assert '<p class="quiet">Nothing to list.</p>' in text
    assert "<table" not in text


def test_columns_in_the_other_language_are_left_out():
    sheet = sheet_of("anomalies", "anomalies", ("reason_en", "reason_ja"), [("too many", "多すぎる")])
    assert Page(body(report(sheet), "en")).cells == ["too many"]
    assert Page(body(report(sheet), "ja")).cells == ["多すぎる"]


def test_the_reason_stands_beside_the_players():
    header = ("severity", "players", "since", "reason_en", "reason_ja")
    sheet = sheet_of("anomalies", "anomalies", header, [("look", "A", "2026-01-01", "so", "だから")])
    assert Page(body(report(sheet), "ja")).cells == ["確認が必要", "A", "だから", "2026-01-01"]


def test_players_lead_on_one_by_one():
    sheet = sheet_of("anomalies", "anomalies", ("kind", "players"), [("pair", 'A, "B')])
    found = Page(body(report(sheet), "en", lambda column, cell: f"/{cell}/" if column == "players" else None))
    assert [value for tag, name, value in found.attributes if tag == "a" and name == "href"][1:] == [
        "/A/",
        '/"B/',
    ]
    assert found.cells == ["score of a pair", 'A, "B']


def test_the_key_of_a_series_is_as_the_series_is():
    header = ("gap_from", "gap_to", "table", "counted", "scored", "low", "high")
    published = sheet_of("published", "published", header, [(0, 100, 0.6, 0.6, 0.5, 0.4, 0.6)])
    keys = re.findall(r'<span class="([^"]+)">', body(report(published), "en"))
    assert keys == ["key key-1 dashed", "key key-2", "key key-3 dots"] * 2


def test_codes_are_in_words_and_names_are_not():
    rows = [("pool", "standard", "pool", "standard", 1, 2)]
    assert Page(body(report(movers(*rows)), "ja")).cells[:4] == [
        "現行規程",
        "スタンダード",
        "pool",
        "standard",
    ]


def test_what_one_asks_first_stands_first():
    text = body(report(figures=[("figure-moved", "97%"), ("figure-mean-size", 29.2)]), "en")
    assert text.index("<dt>players with another rating</dt><dd>97%</dd>") < text.index(
        "<dt>mean move</dt><dd>29.2</dd>"
    )


@pytest.mark.parametrize("column", ["bias_low", "lag_high"])
def test_the_ends_of_an_interval_are_called_by_what_it_is_of(column):
    stem = column.rpartition("_")[0]
    assert [column_name(column, lang).startswith(column_name(stem, lang)) for lang in LANGUAGES] == [
        True,
        True,
    ]
    assert column_name(column, "en") != column_name(column, "ja")


def test_a_column_of_one_table_may_be_called_otherwise():
    assert (column_name("rank", "en"), column_name("rank", "en", "movers")) == ("rank", "place")
    assert column_name("no such", "ja") == "no such"


class TestPlots:
    def test_dumbbells_take_the_first_rows_of_each_set_of_rules(self):
        rows = [
            (rules, "", f"J{at}", "" if at else "SATO", 1500, 1501 + at)
            for rules in ("a", "b")
            for at in range(30)
        ]
        one, other = plots_of(movers(*rows), "en")
        assert (one.caption, other.caption) == ("The furthest moved (a)", "The furthest moved (b)")
        assert one.svg.count("<circle") == 40
        assert "SATO: 1500 → 1501" in one.svg
        assert "J19: 1500 → 1520" in one.svg

    def test_who_is_rated_by_one_only_has_no_dumbbell(self):
        (plot,) = plots_of(movers(("a", "", "J1", "", None, 1500), ("a", "", "J2", "", 1400, 1500)), "en")
        assert plot.svg.count("<circle") == 2

    def test_who_stays_has_no_dumbbell_and_where_all_stay_there_is_no_plot(self):
        stayed = ("a", "", "J1", "", 1500, 1500)
        (plot,) = plots_of(movers(stayed, ("a", "", "J2", "", 1400, 1500)), "en")
        assert plot.svg.count("<circle") == 2
        assert plots_of(movers(stayed), "en") == []

    def test_more_sets_of_rules_than_colours_stand_each_beside_the_first(self):
        header = ("variant", "speed", "year", "drift")
        rows = [(f"k={at}", "rapid", year, at + year) for at in range(7) for year in (1, 2)]
        found = plots_of(sheet_of("inflation", "compared-inflation", header, rows), "en")
        assert len(found) == 6
        assert [name for _, name, _ in found[0].keys] == ["k=0", "k=1"]
        assert (
            found[5].caption
            == "Mean change over the year of players listed at both ends who played, in points (rapid, k=6)"
        )
        few = plots_of(sheet_of("inflation", "compared-inflation", header, rows[:8]), "en")
        assert [name for _, name, _ in few[0].keys] == ["k=0", "k=1", "k=2", "k=3"]

    def test_steps_that_nobody_stands_on_are_drawn_at_nothing(self):
        header = ("variant", "speed", "rating_from", "players")
        rows = [("a", "", 1000, 2), ("a", "", 1100, 1), ("a", "", 1300, 1)]
        (plot,) = plots_of(sheet_of("distribution", "compared-distribution", header, rows), "en")
        points = re.search(r'points="([^"]+)"', plot.svg)[1].split()
        heights = [point.split(",")[1] for point in points]
        assert heights == ["220", "220", "26", "26", "123", "123", "220", "220", "123", "123", "220"]

    def test_a_wide_interval_does_not_flatten_what_it_is_of(self):
        header = ("variant", "year", "group", "lag", "lag_low", "lag_high", "bias", "bias_low", "bias_high")
        rows = [("a", at, "juniors", at * 10.0, -1000.0, 1000.0, 0.0, None, None) for at in range(3)]
        lag, bias = plots_of(sheet_of("simulated_groups", "simulated-groups", header, rows), "en")
        assert re.findall(r'text-anchor="end">([^<]+)<', lag.svg) == ["−20", "0", "20", "40"]
        assert "whisker" in lag.svg
        assert "whisker" not in bias.svg

    def test_an_empty_table_and_one_without_plots_have_none(self):
        assert plots_of(movers(), "en") == []
        assert "verdicts" not in PLOTS


class TestKept:
    def test_a_report_comes_back_as_it_was(self):
        whole = report(movers(("a", "standard", "J1", "", None, 1500)), figures=[("figure-moved", "97%")])
        back = from_json(to_json(whole))
        assert [body(back, lang) for lang in LANGUAGES] == [body(whole, lang) for lang in LANGUAGES]

    def test_a_long_table_is_kept_in_part_and_no_number_is_blank(self):
        rows = [("a", "", str(at), "", float("nan"), at) for at in range(MOST_KEPT + 1)]
        (sheet,) = from_json(to_json(report(movers(*rows)))).sheets
        assert len(sheet.rows) == MOST_KEPT
        assert sheet.rows[0] == ("a", "", "0", "", None, 0)


def test_the_files_beside_it_hold_the_same(tmp_path):
    sheet = movers(("a", "standard", "J1", "x,y", None, 1500), ("a", "rapid", "J2", "", 1400, 1390))
    write_sheets(tmp_path, [sheet])
    rows = list(csv.reader(io.StringIO((tmp_path / "movers.csv").read_text("utf-8"))))
    assert rows == [
        list(MOVERS),
        ["a", "standard", "J1", "x,y", "", "1500"],
        ["a", "rapid", "J2", "", "1400", "1390"],
    ]
    assert pq.read_table(tmp_path / "movers.parquet").to_pydict() == sheet.columns
