"""The columns that a book adds: to the ledger's tables, and to lists.csv."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field, make_dataclass, replace
from decimal import Decimal

import pytest
from broken_ledgers import change, refused, rewrite

from banzuke.core import registry
from banzuke.core.facts import More
from banzuke.core.parameters import Parameters
from banzuke.core.registry import BOOKS, faults_of
from banzuke.core.rulebook import EXACT_RATING, ExtraColumn, Finding, ListColumn
from banzuke.engine import history
from banzuke.engine.rating_run import rate_ledger
from banzuke.ledger.folder import read_ledger, write_ledger
from banzuke.testing.random_ledgers import chess_ledger

COLUMNS = replace(
    BOOKS["hakodate"].columns,
    ledger={
        "players": (ExtraColumn("grade", "text"), ExtraColumn("born_in", "count")),
        "events": (ExtraColumn("weight", "decimal"),),
        "standings": (ExtraColumn("fixed", "flag"), ExtraColumn("best", "rating"), ExtraColumn("since", "date")),
    },
    lists=(ListColumn("half", "count", lambda rating, _: (rating.value or 0) // 2),),
)  # fmt: skip
BOOK = replace(BOOKS["hakodate"], name="club-with-grades", columns=COLUMNS)
EXAMPLE, FEES = BOOK.examples[0], BOOKS["ncs-2022"].fees


@pytest.fixture
def folder(ledger_folder, monkeypatch):
    """A club's ledger, of a book with columns of its own."""
    monkeypatch.setitem(registry.BOOKS._found, BOOK.name, (BOOK, None))
    folder = ledger_folder("hakodate")
    change(folder, "pool.toml", '"hakodate"', '"club-with-grades"')
    return folder


def add_column(path, name, cells):
    """A column more in a CSV file, with its first cells."""
    header, *rows = list(csv.reader(path.open(encoding="utf-8", newline="")))
    cells = [*cells, *[""] * (len(rows) - len(cells))]
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(
            [[*header, name], *([*row, cell] for row, cell in zip(rows, cells, strict=True))]
        )


def test_cells_are_read_and_written_again(folder, tmp_path):
    add_column(folder / "players.csv", "grade", ["first"])
    add_column(folder / "events.csv", "weight", ["12.50"])
    ledger = read_ledger(folder)
    assert [player.more for player in ledger.players[:2]] == [{"grade": "first"}, {}]
    assert ledger.events[0].more == {"weight": Decimal("12.50")}
    write_ledger(ledger, folder, tmp_path / "copy")
    assert read_ledger(tmp_path / "copy") == ledger
    header = (tmp_path / "copy" / "players.csv").read_text("utf-8").splitlines()[0]
    assert header.endswith("struck,grade,born_in")


def test_a_ledger_without_the_columns_is_as_it_was(folder):
    assert {player.more for player in read_ledger(folder).players} == {More()}


def test_a_cell_that_is_none(folder):
    add_column(folder / "events.csv", "weight", ["heavy"])
    assert refused(folder) == [
        "events.csv:2: weight: 'heavy' is not a number; write it in the plain digits 0-9 with a point, as 12.5."
    ]


def test_unknown_in_a_pool_without_such_a_book(ledger_folder):
    folder = ledger_folder("hakodate")
    add_column(folder / "players.csv", "grade", ["first"])
    assert refused(folder)[0].startswith("players.csv:1: grade: 'grade' is not a column of this table")


def test_lists_have_the_added_columns_last(folder, tmp_path):
    rate_ledger(read_ledger(folder), tmp_path / "out")
    rows = list(csv.DictReader((tmp_path / "out" / "lists.csv").open(encoding="utf-8")))
    assert list(rows[0])[-2:] == ["qualified", "half"]
    assert {int(row["rating"]) // 2 - int(row["half"]) for row in rows} == {0}


def rated_with_more(standings, batch, settings):
    """As the club rates, with a column of the calculation and figures finer than hundredths."""
    outcome = BOOKS["hakodate"].rate(standings, batch, settings)
    done = {
        player: calculation._replace(
            more=More(lines=len(calculation.first.games) if calculation.first else 0)
        )
        for player, calculation in outcome.calculations[""].items()
    }
    events = [each._replace(exact=[("0.123456", "7.654321")] * len(each.lines)) for each in outcome.events]
    return outcome._replace(events=events, calculations={"": done})


def cell_of_calculation(_rating, calculation):
    return None if calculation is None else calculation.more["lines"]


FINE = replace(
    BOOKS["hakodate"],
    name="fine-club",
    rate=rated_with_more,
    columns=replace(
        COLUMNS,
        ledger={"standings": (EXACT_RATING,)},
        lists=(ListColumn("lines", "count", cell_of_calculation),),
    ),
    twin=None,
    peak_from_games=26,
)


@pytest.fixture
def fine_folder(ledger_folder, monkeypatch):
    """A club's ledger, of a book whose ratings have decimals."""
    monkeypatch.setitem(registry.BOOKS._found, FINE.name, (FINE, None))
    folder = ledger_folder("hakodate")
    change(folder, "pool.toml", '"hakodate"', '"fine-club"')
    ids = ["S1", "S2", "S3"]
    rows = (folder / "players.csv").read_text("utf-8")
    commas = "," * (rows.splitlines()[0].count(",") - 1)
    rewrite(folder, "players.csv", rows + "".join(f"{each},SATO Number{commas}\n" for each in ids))
    standings = f"player_id,rating,games\n{ids[0]},1512.4999,25\n{ids[1]},1512.5,26\n{ids[2]},1600,30\n"
    rewrite(folder, "standings.csv", standings)
    return folder


class TestDecimalRatings:
    """A book whose starting ratings have decimals."""

    def test_are_carried_beside_whole_ones(self, fine_folder):
        ledger = read_ledger(fine_folder)
        assert [(row.rating, row.more["rating"]) for row in ledger.standings] == [
            (1512, Decimal("1512.4999")),
            (1513, Decimal("1512.5")),
            (1600, Decimal(1600)),
        ]
        states = history.opening(ledger).ratings[""].values()
        assert [(state.peak, state.more["rating"]) for state in states] == [
            (None, Decimal("1512.4999")),
            (1513, Decimal("1512.5")),
            (1600, Decimal(1600)),
        ]

    def test_are_written_as_they_were_read(self, fine_folder, tmp_path):
        write_ledger(read_ledger(fine_folder), fine_folder, tmp_path / "copy")
        rows = (tmp_path / "copy" / "standings.csv").read_text("utf-8").splitlines()[1:]
        assert [row.split(",")[2] for row in rows] == ["1512.4999", "1512.5", "1600"]

    @pytest.mark.parametrize("cell", ["1512.49999", "4000.1", "-3", "x", "1,5", "1e3"])
    def test_one_that_is_none(self, fine_folder, cell):
        change(fine_folder, "standings.csv", "1512.4999", f'"{cell}"')
        (said,) = refused(fine_folder)
        assert said.startswith(
            f"standings.csv:2: rating: '{cell}' cannot be a rating; write a number from 0 to 4000"
        )

    def test_figures_and_columns_of_the_calculation_reach_the_files(self, fine_folder, tmp_path):
        rate_ledger(read_ledger(fine_folder), tmp_path / "out")
        changes = list(csv.DictReader((tmp_path / "out" / "changes.csv").open(encoding="utf-8")))
        assert {(row["expected"], row["change"]) for row in changes} == {("0.123456", "7.654321")}
        lists = list(csv.DictReader((tmp_path / "out" / "lists.csv").open(encoding="utf-8")))
        first = lists[0]["list"]
        played = {
            row["player_id"]
            for row in changes
            if row["list"] == first and row["verdict"] in ("rated", "first")
        }
        assert {row["player_id"] for row in lists if row["list"] == first and row["lines"]} == played


class TestChecksOfABook:
    """What a book demands of players and of starting ratings."""

    def test_faults_have_their_rows(self, fine_folder, monkeypatch):
        checks = replace(
            FINE.checks,
            player=lambda player: (
                [Finding("name", "cell-flag", {"value": 1})] if player.name == "AOKI Noboru" else ()
            ),
            opening=lambda row: (
                [Finding("games", "cell-flag", {"value": row.games})] if row.games < 26 else ()
            ),
        )
        monkeypatch.setitem(registry.BOOKS._found, FINE.name, (replace(FINE, checks=checks), None))
        found = refused(fine_folder)
        assert any(line.startswith("standings.csv:2: games: '25'") for line in found)
        assert any(line.startswith("players.csv:2: name: ") for line in found)

    def test_of_a_starting_rating_and_its_player_together(self, fine_folder, monkeypatch):
        """Asked with every row of the player that is not struck, and of nobody else."""
        asked = []

        def findings(player, row):
            asked.append((player.player_id, row.player_id))
            if player.name == "SATO Number" and row.games == 26:
                yield Finding("games", "cell-flag", {"value": row.games})

        checks = replace(FINE.checks, opening_of=findings)
        monkeypatch.setitem(registry.BOOKS._found, FINE.name, (replace(FINE, checks=checks), None))
        (said,) = refused(fine_folder)
        assert said.startswith("standings.csv:3: games: '26'")
        assert asked == [("S1", "S1"), ("S2", "S2"), ("S3", "S3")]


def test_made_up_ledgers_have_no_starting_rating_that_a_book_refuses():
    def findings(player, row):
        if row.rating > 1800:
            yield Finding("rating", "cell-flag", {"value": player.player_id})

    book = replace(FINE, checks=replace(FINE.checks, opening_of=findings))
    standings = chess_ledger(book, 3).standings
    assert standings
    assert max(row.rating for row in standings) <= 1800


class TestMatches:
    """A form of events that only some books know."""

    def with_a_match(self, folder):
        add_column(folder / "events.csv", "form", ["match"])
        return folder

    def test_are_refused_by_the_others(self, ledger_folder):
        said = refused(self.with_a_match(ledger_folder("hakodate")))
        assert said == ["events.csv:2: form: 'match' cannot stand here; write one of: tournament, meeting."]

    def test_are_read_where_the_book_knows_them(self, fine_folder, monkeypatch):
        known = replace(FINE, forms=("tournament", "meeting", "match"))
        monkeypatch.setitem(registry.BOOKS._found, FINE.name, (known, None))
        assert read_ledger(self.with_a_match(fine_folder)).events[0].form == "match"

    def test_a_book_that_knows_them_may_refuse_them_with_a_reason(self, fine_folder, monkeypatch):
        checks = replace(
            FINE.checks,
            event=lambda event: (
                [Finding("form", "cell-flag", {"value": event.form})] if event.form == "match" else ()
            ),
        )
        known = replace(FINE, forms=("tournament", "match"), checks=checks)
        monkeypatch.setitem(registry.BOOKS._found, FINE.name, (known, None))
        said = refused(self.with_a_match(fine_folder))
        assert any(line.startswith("events.csv:2: form: 'match' is") for line in said)


@dataclass(frozen=True)
class Chosen:
    version: int = field(default=2, metadata={"choices": (0, 1, 2)})
    halves: str = field(default="away", metadata={"choices": ("away", "even")})


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("version = 3", "settings.version: '3' cannot be chosen here; write one of: 0, 1, 2."),
        ('halves = "up"', "settings.halves: 'up' cannot be chosen here; write one of: 'away', 'even'."),
        ("halves = 1", "settings.halves: '1' cannot be chosen here; write one of: 'away', 'even'."),
    ],
)
def test_settings_with_choices(fine_folder, monkeypatch, written, said):
    monkeypatch.setitem(registry.BOOKS._found, FINE.name, (replace(FINE, settings=Chosen), None))
    with (fine_folder / "pool.toml").open("a", encoding="utf-8") as rules:
        rules.write(f"[edition.settings]\n{written}\n")
    assert refused(fine_folder) == [f"pool.toml: edition 1: {said}"]


def test_reported_may_be_left_out_where_every_event_makes_a_list(ledger_folder, tmp_path):
    folder = ledger_folder("hakodate")
    before = read_ledger(folder)
    rows = list(csv.DictReader((folder / "events.csv").open(encoding="utf-8")))
    header = [name for name in rows[0] if name != "reported"]
    lines = [",".join(header), *(",".join(row[name] for name in header) for row in rows)]
    rewrite(folder, "events.csv", "\n".join(lines) + "\n")
    after = read_ledger(folder)
    assert [event.reported for event in after.events] == [event.ends for event in before.events]
    write_ledger(after, folder, tmp_path / "copy")
    assert read_ledger(tmp_path / "copy") == after


def test_reported_may_not_be_left_out_where_it_decides(ledger_folder):
    folder = ledger_folder("japan")
    change(folder, "events.csv", "reported", "applied")
    assert "events.csv:1: reported: The column is missing" in refused(folder)[0]


class TestABookThatLacksSomething:
    """What a book's author is told when it is registered."""

    def test_the_installed_ones_lack_nothing(self):
        assert {name: faults_of(book) for name, book in BOOKS.items()} == {key: [] for key in BOOKS}

    @pytest.mark.parametrize(
        ("facts", "wrong"),
        [
            ({"rate": None}, ["rate is missing"]),
            ({"rate": "rate"}, ["rate must be a function"]),
            ({"checks": None}, ["checks is missing"]),
            ({"checks": replace(BOOK.checks, name=None)}, ["checks.name is missing"]),
            ({"checks": replace(BOOK.checks, opening=None)}, ["checks.opening is missing"]),
            ({"calculator": replace(BOOK.calculator, change=7)}, ["calculator.change must be a function"]),
            ({"series": ""}, ["series is blank"]),
            ({"parameters": Parameters("x", {})}, ["parameters is blank"]),
            ({"verdicts": {}, "cites": {}}, ["verdicts is blank", "cites is blank"]),
            ({"name": "club_2024"}, ["name must be letters, digits and hyphens, not 'club_2024'"]),
            ({"name": 7}, ["name must be letters, digits and hyphens, not 7"]),
            ({"speeds": "rapid"}, ["speeds must be a tuple of standard, rapid, blitz, or (\"\",), not 'rapid'"]),
            ({"speeds": ("bullet",)}, ["speeds must be a tuple of standard, rapid, blitz, or (\"\",), not ('bullet',)"]),
            ({"columns": "sex"}, ["columns must be Columns, not str"]),
            ({"rates_on_list_in_force": True}, ["rates_on_list_in_force needs lists of windows, not a list for each event"]),
            (
                {"columns": replace(COLUMNS, ledger={"games": (ExtraColumn("x", "text"),)})},
                ["columns.ledger: games takes no columns; players, events, standings do"],
            ),
            (
                {"columns": replace(COLUMNS, ledger={"players": (ExtraColumn("sex", "text"),)})},
                ["columns.ledger: players has sex already"],
            ),
        ],
    )  # fmt: skip
    def test_what_it_lacks(self, facts, wrong):
        assert faults_of(replace(BOOK, **facts)) == wrong

    @pytest.mark.parametrize(
        ("settings", "wrong"),
        [
            (None, "settings is missing"),
            ({"cap": True}, "settings must be a frozen dataclass, not {'cap': True}"),
            (BOOK.settings(), f"settings must be a frozen dataclass, not {BOOK.settings()!r}"),
            (int, "settings must be a frozen dataclass, not <class 'int'>"),
            (make_dataclass("Loose", [("cap", bool, True)]), "settings must be a frozen dataclass, not <class 'types.Loose'>"),
            (make_dataclass("Needs", ["cap"], frozen=True), "settings.cap must have a default"),
            (make_dataclass("Part", [("cap", str, "x")], frozen=True), "settings.cap must be true, false or a whole number, or have choices, not 'x'"),
            (make_dataclass("Part", [("cap", float, 0.5)], frozen=True), "settings.cap must be true, false or a whole number, or have choices, not 0.5"),
        ],
    )  # fmt: skip
    def test_settings(self, settings, wrong):
        assert faults_of(replace(BOOK, settings=settings)) == [wrong]

    @pytest.mark.parametrize(
        ("examples", "wrong"),
        [
            ([], "examples must be a tuple of Worked, not list"),
            (("R 1: +15.2",), "examples[0] must be Worked, not str"),
            ((BOOK.examples[0], EXAMPLE._replace(run="+15.2")), "examples[1].run must be a function"),
            ((EXAMPLE._replace(must_give=15.2),), "examples[0].must_give must be text, not 15.2"),
            ((EXAMPLE._replace(clause=5),), "examples[0].clause must be text, not 5"),
            ((EXAMPLE._replace(facts=["own"]),), "examples[0].facts must be a table of names and values, not ['own']"),
        ],
    )  # fmt: skip
    def test_examples(self, examples, wrong):
        assert faults_of(replace(BOOK, examples=examples)) == [wrong]

    @pytest.mark.parametrize(
        ("fees", "wrong"),
        [
            (300, "fees must be Fees, not int"),
            (replace(FEES, amount=2.5), "fees.amount must be a whole number from 0 on, not 2.5"),
            (replace(FEES, amount=True), "fees.amount must be a whole number from 0 on, not True"),
            (replace(FEES, amount=-1), "fees.amount must be a whole number from 0 on, not -1"),
            (replace(FEES, amount="300"), "fees.amount must be a whole number from 0 on, not '300'"),
            (replace(FEES, amount=None), "fees.amount is missing"),
            (replace(FEES, clause=5), "fees.clause must be text, not 5"),
            (replace(FEES, charges=300), "fees.charges must be a function"),
        ],
    )
    def test_fees(self, fees, wrong):
        assert faults_of(replace(BOOKS["ncs-2022"], fees=fees)) == [wrong]
