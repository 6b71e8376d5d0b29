"""The Swiss crosstable of the form: every kind of cell, every contradiction, and typing it in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from repeated import entered_pool
from served_office import serve
from small_office import client

from banzuke.database.ledger_folders import enter_folder
from banzuke.database.models import Report
from banzuke.formats.report import ReportedGame
from banzuke.formats.report_form import form_reader
from banzuke.web.inbox.swiss_entry import cells_of, swiss_typed
from banzuke.words import LANGUAGES, fault_text

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def read(*rows, needs_colours=True):
    """Games and faults (in English) of rows such as `2w1 | bye`; a dot is an empty cell."""
    cells = [["" if cell.strip() == "." else cell.strip() for cell in row.split("|")] for row in rows]
    games, faults = swiss_typed(cells, needs_colours=needs_colours)
    for one in faults:
        assert "{" not in "".join(fault_text(one, lang) for lang in LANGUAGES)
    found = [(g.round, g.white, g.black, g.result) for g in games]
    return found, [fault_text(one, "en") for one in faults]


class TestCells:
    @pytest.mark.parametrize(
        ("one", "two", "game"),
        [
            ("2w1", "1b0", (1, 2, "1-0")),
            ("2b1", "1w0", (2, 1, "0-1")),
            ("2b=", "1w=", (2, 1, "1/2-1/2")),
            ("2b½", "1w0.5", (2, 1, "1/2-1/2")),
            ("2b5", "1w1/2", (2, 1, "1/2-1/2")),
            ("2w0", "1b1", (1, 2, "0-1")),
            ("2W1", "1B0", (1, 2, "1-0")),
            ("２ｗ１", "1 b 0", (1, 2, "1-0")),
            ("2白1", "1黒0", (1, 2, "1-0")),
            ("2w+", "1b-", (1, 2, "+/-")),
            ("2w−", "1b+", (1, 2, "-/+")),
            ("2w-", "1b-", (1, 2, "-/-")),
        ],
    )
    def test_a_game_from_two_cells_or_from_either_of_them(self, one, two, game):
        assert read(one, two) == ([(1, *game)], [])
        if game[2] != "-/-":
            assert read(one, ".") == ([(1, *game)], [])
            assert read(".", two) == ([(1, *game)], [])

    @pytest.mark.parametrize(("one", "two"), [("2w1", "10"), ("21", "1b0"), ("2w=", "15"), ("25", "1b5")])
    def test_the_colour_may_stand_in_one_of_the_cells(self, one, two):
        (game,), faults = read(one, two)
        assert (game[1:3], faults) == ((1, 2), [])

    @pytest.mark.parametrize(
        ("one", "two", "game"),
        [
            ("21", "10", (1, 2, "1-0")),
            ("20", ".", (1, 2, "0-1")),
            (".", "15", (1, 2, "1/2-1/2")),
            ("2=", "1=", (1, 2, "1/2-1/2")),
        ],
    )
    def test_without_colours_white_is_the_smaller_number_where_the_rules_ask_for_none(self, one, two, game):
        assert read(one, two, needs_colours=False) == ([(1, *game)], [])
        typed, other = (2, 1) if one == "." else (1, 2)
        said = (
            f"Round 1: the game of player {typed} against {other} has no colour; "
            "write w or b after the opponent's number, in one of the two cells."
        )
        assert read(one, two)[1] == [said]

    @pytest.mark.parametrize(("one", "two", "result"), [("2+", "1-", "+/-"), ("2-", ".", "-/+")])
    def test_a_pairing_without_play_needs_no_colour(self, one, two, result):
        assert read(one, two) == ([(1, 1, 2, result)], [])

    @pytest.mark.parametrize("bye", ["+", "-", "=", "bye", "BYE", "-1", "-½"])
    def test_a_round_without_an_opponent_is_no_game(self, bye):
        assert read(f"{bye} | 2w1", ". | 1b0") == ([(2, 1, 2, "1-0")], [])

    def test_byes_among_games(self):
        assert read("2w1 | bye | 3b1", "1b0 | 3w= | -", "bye | . | .")[0] == [
            (1, 1, 2, "1-0"),
            (2, 2, 3, "1/2-1/2"),
            (3, 3, 1, "0-1"),
        ]

    def test_opponents_of_two_and_three_digits(self):
        rows = ["." for _ in range(120)]
        rows[0], rows[1] = "120w1", "12b0"
        found, faults = read(*rows)
        assert (found, faults) == ([(1, 1, 120, "1-0"), (1, 12, 2, "1-0")], [])
        rows[0], rows[1] = "1205", "121"
        assert read(*rows, needs_colours=False)[0] == [(1, 1, 120, "1/2-1/2"), (1, 2, 12, "1-0")]

    def test_nothing_at_all(self):
        assert read(". | .", ". | .") == ([], [])


class TestContradictions:
    @pytest.mark.parametrize(
        ("rows", "said"),
        [
            (["x", "."], "“x” in player 1's row is no result of round 1"),
            (["2w7", "."], "“2w7” in player 1's row is no result of round 1"),
            (["2x1", "1w0"], "“x” in player 1's row is no colour in round 1"),
            (["w1", "."], "“w1” in player 1's row is no result of round 1"),
            (["1w1", "."], "Player 1 plays against themselves in round 1"),
            (["3w1", "."], "Player 1 has the opponent 3 in round 1, but no row has that number"),
            (["0w1", "."], "Player 1 has the opponent 0 in round 1, but no row has that number"),
            (["2w1", "bye"], "In round 1 player 1 has the opponent 2, whose row (line 2) says “+”"),
            (["2w1", "3b0", "2w1"], "In round 1 player 1 has the opponent 2, whose row (line 2) says “3b0”"),
            (["3w1", "3b0", "."], "In round 1 player 2 has the opponent 3, whose row (line 3) says “1b0”"),
            (["2w1", "1w0"], "In round 1 the players 2 (“1w0”) and 1 (line 1, “2w1”) have the same colour"),
            (
                ["2w1", "1b1"],
                "In round 1 the results of player 2 (“1b1”) and of 1 (line 1, “2w1”) do not fit",
            ),
            (
                ["2w1", "1b="],
                "In round 1 the results of player 2 (“1b=”) and of 1 (line 1, “2w1”) do not fit",
            ),
            (
                ["2w1", "1b-"],
                "In round 1 the results of player 2 (“1b-”) and of 1 (line 1, “2w1”) do not fit",
            ),
            (["2w1", "1b"], "In round 1 the results of player 2 (“1b”) and of 1 (line 1, “2w1”) do not fit"),
            (["2w", "."], "Round 1: the game of player 1 against 2 has no result yet"),
            (["2w1 | .", "1b0 | ."], "The column of round 2 is blank in every row"),
        ],
    )
    def test_each_names_the_row_and_the_round(self, rows, said):
        _, faults = read(*rows)
        assert len(faults) == 1
        assert faults[0].startswith(said)

    def test_a_contradiction_is_found_in_its_own_round(self):
        found, (said,) = read("2w1 | 2b1", "1b0 | 1w1")
        assert found == [(1, 1, 2, "1-0")]
        assert said.startswith(
            "In round 2 the results of player 2 (“1w1”) and of 1 (line 1, “2b1”) do not fit"
        )


class TestCellsOfAReport:
    def test_what_was_said_is_typed_again(self):
        games = [ReportedGame(1, 2, 1, "1-0"), ReportedGame(2, 1, 2, "-/-"), ReportedGame(3, 1, 2, "1/2-1/2")]
        cells = cells_of(games, 3, 20)
        assert cells == [["2b0", "2w-", "2w="], ["1w1", "1b-", "1b="], ["", "", ""]]
        assert swiss_typed(cells, needs_colours=True)[1] == []

    @pytest.mark.parametrize(
        "games",
        [
            [],
            [ReportedGame(1, 1, 2, "u1-0")],
            [ReportedGame(1, 1, 2, "1-0"), ReportedGame(1, 1, 2, "0-1")],
            [ReportedGame(1, 1, 4, "1-0")],
            [ReportedGame(21, 1, 2, "1-0")],
        ],
    )
    def test_what_it_cannot_hold_is_not_half_told(self, games):
        assert cells_of(games, 3, 20) == []


@pytest.fixture
def japan(db):
    return entered_pool("japan", EXAMPLES / "japan", "test")


def send(visitor, pool, rows, **fields):
    players = ("J001", "J003", "J008", "J006")[: len(rows)]
    given = {
        "act": "send", "kind": "swiss", "club": "C01", "size": str(len(rows)), "rounds": str(len(rows[0])),
        "event-name": "Evening Open", "event-starts": "2025-04-26", "event-ends": "2025-04-26",
        "event-speed": "rapid",
    }  # fmt: skip
    given |= {f"player-{n}": typed for n, typed in enumerate(players, 1)}
    given |= {f"r-{n}-{r}": cell for n, row in enumerate(rows, 1) for r, cell in enumerate(row, 1)}
    return visitor.post(f"/office/{pool.slug}/inbox/form/", given | fields, follow=True)


def told(page):
    return [str(message) for message in page.context["messages"]]


@pytest.mark.django_db
class TestThePage:
    def test_a_crosstable_becomes_a_report(self, japan):
        page = send(client("reporter", japan, "C01"), japan, [["2w1", "3b="], ["", "bye"], ["+", ""]])
        assert told(page) == [f"The report was received as number {Report.objects.get().pk}."]
        found = form_reader.read(bytes(Report.objects.get().files.get().data), "r")
        assert [(g.round, g.white, g.black, g.result) for g in found.games] == [
            (1, 1, 2, "1-0"),
            (2, 3, 1, "1/2-1/2"),
        ]
        assert [player.national_id for player in found.players] == ["J001", "J003", "J008"]

    def test_a_contradiction_is_said_and_what_was_typed_stays(self, japan):
        page = send(client("reporter", japan, "C01"), japan, [["2w1"], ["1b1"]])
        assert told(page)[0].startswith("In round 1 the results of player 2")
        assert 'value="1b1"' in page.content.decode()
        assert not Report.objects.exists()

    def test_a_row_with_results_needs_its_player(self, japan):
        page = send(client("reporter", japan, "C01"), japan, [["2w1"], [""], ["bye"]], **{"player-3": ""})
        assert told(page) == ["Player 3 is missing: fill the rows from the top without a gap."]

    def test_players_and_rounds_are_chosen_first_and_may_be_changed(self, japan):
        visitor = client("reporter", japan, "C01")
        page = visitor.get("/office/japan/inbox/form/?kind=swiss").content.decode()
        assert page.index('name="rounds"') < page.index('name="player-1"')
        page = send(visitor, japan, [["2w1"], ["1b0"]], act="size", size="200", rounds="9").content.decode()
        assert 'name="r-200-9"' in page
        assert 'value="1b0"' in page
        fields = {f"r-{one}-{two}": "" for one in range(1, 201) for two in range(1, 10)} | {"r-1-1": "2w1"}
        page = send(visitor, japan, [["2w1"], [""]], **fields, size="200", rounds="9")
        assert told(page)[0].startswith("The column of round 2 is blank in every row")

    def test_colours_are_asked_for_by_the_rules_of_the_pool(self, japan):
        club = enter_folder("hakodate", EXAMPLES / "hakodate", "test")
        for pool, hint in ((japan, False), (club, True)):
            visitor = client("officer", pool)
            page = visitor.get(f"/office/{pool.slug}/inbox/form/?kind=swiss").content.decode()
            assert ("The colour may be left out." in page) is hint
            page = send(visitor, pool, [["21"], ["10"]], club="")
            assert ("has no colour" in told(page)[0]) is not hint

    def test_in_japanese(self, japan):
        page = client("reporter", japan, "C01", lang="ja").get("/office/japan/inbox/form/?kind=swiss")
        assert "スイス式" in page.content.decode()
        assert "回戦の数" in page.content.decode()


FILLING = f"""
from pathlib import Path
from web.small_office import user
from banzuke.database.ledger_folders import enter_folder
pool = enter_folder("japan", Path({str(EXAMPLES / "japan")!r}), "test")
user("reporter", pool, "C01", name="club")
"""


@pytest.mark.slow
def test_the_crosstable_is_typed_by_keyboard_alone(browser, tmp_path):
    with serve(tmp_path, FILLING) as office:
        page = office.page(browser, "club", locale="en")
        page.goto("/office/japan/inbox/form/?kind=swiss")
        page.get_by_label("Number of players").fill("4")
        page.get_by_label("Number of rounds").fill("2")
        page.keyboard.press("Enter")
        page.wait_for_selector("[name=r-4-2]")
        assert page.locator("[name=r-5-1]").count() == 0
        page.get_by_label("Event", exact=True).fill("Evening Open")
        for name in ("First day", "Last day"):
            page.get_by_label(name).fill("2025-04-26")
        page.get_by_label("Standard, rapid or blitz").select_option("rapid")
        page.get_by_label("Player 1", exact=True).focus()
        for typed in ("J001", "J003", "J008", "J006"):
            page.keyboard.type(typed)
            page.keyboard.press("Enter")
        for typed in ("3w1", "4b5", "2w-", "4w½"):
            page.keyboard.type(typed)
            page.keyboard.press("Enter")

        def cells():
            return [[page.locator(f"[name=r-{n}-{r}]").input_value() for r in (1, 2)] for n in (1, 2, 3, 4)]

        assert cells() == [["3w1", "2w-"], ["4b5", "1b+"], ["1b0", "4w½"], ["2w=", "3b="]]
        page.locator("[name=r-1-1]").focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        page.keyboard.type("1b-")
        page.keyboard.press("ArrowUp")
        assert cells()[0:2] == [["3w1", "2w-"], ["4b5", "1b-"]]
        page.locator("[name=r-1-1]").fill("2w0")
        page.keyboard.press("ArrowDown")
        assert cells() == [["2w0", "2w-"], ["4b5", "1b-"], ["", "4w½"], ["2w=", "3b="]]
        page.locator("[name=r-1-1]").fill("3w1")
        page.keyboard.press("ArrowDown")
        page.get_by_role("button", name="Send").click()
        page.wait_for_selector("text=The report was received as number 1.")
