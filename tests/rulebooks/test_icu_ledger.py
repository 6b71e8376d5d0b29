"""A pool by the Irish ratings as a ledger: its files, what is refused, how a player is told."""

from __future__ import annotations

import csv
import inspect
import re
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from icu_making import facts
from typer.testing import CliRunner

from banzuke.cli.app import app
from banzuke.core.fault import RefusedError
from banzuke.core.registry import BOOKS
from banzuke.engine.rating_refusals import refusals
from banzuke.engine.rating_run import rate_ledger
from banzuke.explanations.chess_rating import explain
from banzuke.ledger.folder import read_ledger
from banzuke.rulebooks.icu import event_rating
from banzuke.rulebooks.icu.arithmetic import six_decimals
from banzuke.rulebooks.icu.books import ICU
from banzuke.rulebooks.icu.sentences import signed
from banzuke.testing import check
from banzuke.words import LANGUAGES, fault_line

#: Made up: two juniors who do well, one of them new; a newcomer, a foreign guest, two who only meet each other.
PLAYERS = {
    "1": "1300 K40", "2": "1350 K32", "3": "1400/6", "4": "-", "5": "1700 K24",
    "6": "1650 K24", "7": "fixed 1800", "8": "-", "9": "1200/3", "10": "2150 K16",
}  # fmt: skip
GAMES = (
    "1 1-0 5", "1 1-0 6", "1 1/2-1/2 7", "1 1-0 2", "1 1-0 3", "1 0-1 10",
    "2 1-0 5", "2 1-0 6", "2 1-0 7", "2 1-0 3", "2 0-1 4",
    "3 0-1 5", "3 1/2-1/2 4", "4 0-1 6", "8 1-0 9", "5 +/- 10",
)  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    """The folder of a pool with one event, and a second one of two games."""
    pool = tmp_path / "pool"
    pool.mkdir()
    known, states = facts(PLAYERS)
    write = {
        "pool.toml": ['name = "Ireland"', "[[edition]]", 'rulebook = "icu"', "from = 2000-01-01"],
        "players.csv": ["player_id,name,birth_date,joined,fixed_rating"],
        "standings.csv": ["player_id,rating,games"],
        "events.csv": [
            "event_id,name,starts,ends,version",
            "ONE,Dublin,2012-03-01,2012-03-04,1",
            "TWO,Cork,2012-05-01,2012-05-01,",
        ],
        "games.csv": ["event_id,round,white,black,result"],
    }
    for name, player in known.items():
        joined, fixed = (player.more.get(column, "") for column in ("joined", "fixed_rating"))
        write["players.csv"].append(f"{name},PLAYER No{name},{player.birth_date or ''},{joined},{fixed}")
    write["standings.csv"] += [f"{name},{each.value},{each.games}" for name, each in states.items()]
    for number, game in enumerate(GAMES, 1):
        white, result, black = game.split()
        write["games.csv"].append(f"ONE,{number},{white},{black},{result}")
    write["games.csv"] += ["TWO,1,1,5,0-1", "TWO,2,4,10,1/2-1/2"]
    for file, lines in write.items():
        (pool / file).write_text("\n".join(lines) + "\n", "utf-8")
    return pool


def change(folder, file, old, new):
    path = folder / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def rated(folder):
    out = folder.parent / "out"
    rate_ledger(read_ledger(folder), out)
    return [
        list(csv.DictReader((out / name).open(encoding="utf-8"))) for name in ("lists.csv", "changes.csv")
    ]


def refused(folder):
    with pytest.raises(RefusedError) as error:
        rated(folder)
    return [fault_line(fault, "en") for fault in error.value.faults]


def told(folder, player, lang="en", listed="ONE"):
    (section,) = explain(read_ledger(folder), player, listed, lang).sections
    return "\n".join(f"{sentence.text} [{sentence.clause}]" for sentence in section.sentences)


def test_the_book_holds_what_every_book_must():
    check(BOOKS["icu"], 5)


@pytest.mark.slow
def test_on_many_ledgers():
    check(ICU, 40)


class TestFiles:
    def test_lists(self, folder):
        lists, _ = rated(folder)
        assert list(lists[0])[-2:] == ["bonus", "performance"]
        rows = {row["player_id"]: row for row in lists if row["list"] == "ONE"}
        assert set(rows) == set(PLAYERS) - {"7", "8"}
        assert [rows[name]["status"] for name in ("1", "3", "4", "9")] == [
            "rated", "provisional", "provisional", "provisional",
        ]  # fmt: skip
        assert {name: row["bonus"] for name, row in rows.items()} == {
            "1": "124", "2": "41", "3": "", "4": "", "5": "0", "6": "0", "9": "", "10": "0",
        }  # fmt: skip
        assert (rows["9"]["performance"], rows["9"]["rating"], rows["9"]["games"]) == ("", "1200", "3")
        assert int(rows["1"]["change"]) == int(rows["1"]["rating"]) - 1300
        assert rows["4"]["change"] == ""

    def test_who_did_not_play_has_no_performance(self, folder):
        lists, _ = rated(folder)
        (row,) = (row for row in lists if (row["list"], row["player_id"]) == ("TWO", "2"))
        assert (row["bonus"], row["performance"], row["change"]) == ("", "", "0")

    def test_changes(self, folder):
        _, changes = rated(folder)
        shown = {
            (row["round"], row["player_id"]): (row["expected"], row["k"], row["change"])
            for row in changes
            if row["list"] == "TWO"
        }
        assert shown["1", "5"][1:] == ("24", shown["1", "5"][2])
        assert all(len(cell.partition(".")[2]) == 6 for cell in shown["1", "5"][::2])
        assert shown["2", "4"] == ("", "", "")  # provisional by then

    def test_rating_twice_gives_the_same_bytes(self, folder):
        out = folder.parent / "out"
        rated(folder)
        first = [(out / name).read_bytes() for name in ("lists.csv", "changes.csv")]
        rated(folder)
        assert first == [(out / name).read_bytes() for name in ("lists.csv", "changes.csv")]

    def test_an_event_over_two_events_is_another(self, folder):
        """Everything is reckoned from the values before the event; the next one begins from its lists."""
        lists, changes = rated(folder)
        before = {row["player_id"]: row["rating"] for row in lists if row["list"] == "ONE"}
        for row in changes:
            if row["list"] == "TWO":
                assert row["own"] == before[row["player_id"]]


def test_the_example_of_the_page(tmp_path):
    page = (Path(__file__).resolve().parents[2] / "docs" / "icu.md").read_text("utf-8")
    *tables, printed = re.findall(r"```(?:csv|toml)\n(.*?)```", page, re.DOTALL)
    pool = tmp_path / "pool"
    pool.mkdir()
    files = ("pool.toml", "players.csv", "standings.csv", "events.csv", "games.csv")
    for name, text in zip(files, tables, strict=True):
        (pool / name).write_text(text, "utf-8")
    rate_ledger(read_ledger(pool), tmp_path / "out")
    assert (tmp_path / "out" / "lists.csv").read_text("utf-8") == printed


class TestRefusals:
    def test_a_version_that_there_is_not(self, folder):
        change(folder, "events.csv", "2012-03-04,1", "2012-03-04,4")
        assert refused(folder) == [
            (
                "events.csv:2: version: '4' is no version of the calculation; write one of 0, 1, 2, 3, "
                "or leave it blank for the pool's setting."
            )
        ]

    def test_a_setting_that_there_is_not(self, folder):
        with (folder / "pool.toml").open("a", encoding="utf-8") as rules:
            rules.write("[edition.settings]\nversion = 4\n")
        (said,) = refused(folder)
        assert "settings.version: '4' cannot be chosen here; write one of: 0, 1, 2, 3." in said

    def test_a_fixed_rating_beside_another(self, folder):
        with (folder / "standings.csv").open("a", encoding="utf-8") as rows:
            rows.write("7,1790,30\n")
        (said,) = refused(folder)
        assert said.startswith("standings.csv:9: player_id: '7' has a fixed rating in players.csv")

    @pytest.mark.parametrize(("lang", "word"), [("en", "has no birth date"), ("ja", "生年月日がありません")])
    def test_no_birth_date(self, folder, lang, word):
        change(folder, "players.csv", "PLAYER No5,1970-01-01", "PLAYER No5,")
        with pytest.raises(RefusedError) as error:
            rated(folder)
        (fault,) = error.value.faults
        said = fault_line(fault, lang)
        assert said.startswith("players.csv: birth_date: ")
        assert word in said
        assert "5" in said
        assert "ONE" in said
        assert not list((folder.parent / "out").glob("*.csv"))

    def test_no_day_of_joining(self, folder):
        change(folder, "players.csv", "1970-01-01,1990-01-01", "1970-01-01,")
        (said,) = refused(folder)
        assert said.startswith("players.csv: joined: '5' is rated below 2100 in event 'ONE'")
        (folder / "memberships.csv").write_text(
            "player_id,kind,valid_from,valid_to\n5,annual,2005-01-01,2005-12-31\n", "utf-8"
        )
        _, changes = rated(folder)
        assert {row["k"] for row in changes if row["player_id"] == "5"} == {"", "32"}

    def test_the_check_finds_what_rating_refuses(self, folder):
        """In the same words, of rated players below 2100 alone: 10 is above, 3 and 9 are provisional."""
        assert refusals(read_ledger(folder)) == []
        change(folder, "players.csv", "No5,1970-01-01,", "No5,,")
        change(folder, "players.csv", "No6,1970-01-01,1990-01-01", "No6,,")
        change(folder, "players.csv", "No10,1970-01-01,1990-01-01", "No10,,")
        said = [fault_line(fault, "en") for fault in refusals(read_ledger(folder))]
        assert said == refused(folder)
        checked = CliRunner().invoke(app, ["check", str(folder), "--lang", "en"], env={"COLUMNS": "400"})
        assert checked.exit_code == 2
        assert all(line in checked.output for line in said)
        assert [line.partition("'")[2][0] for line in said] == ["5", "6", "6"]
        (folder / "memberships.csv").write_text(
            "player_id,kind,valid_from,valid_to\n6,annual,2005-01-01,2005-12-31\n", "utf-8"
        )
        assert [line.split(":")[1].strip() for line in refused(folder)] == ["birth_date", "birth_date"]
        assert len(refusals(read_ledger(folder))) == 2

    def test_the_check_asks_before_the_first_event_alone(self, folder):
        """1 plays in both events, 10 only in the second one; who does not play may lack both days."""
        change(folder, "players.csv", "No1,2000-01-01,", "No1,,")
        change(folder, "standings.csv", "10,2150,", "10,2050,")
        change(folder, "players.csv", "No10,1970-01-01,", "No10,,")
        games = (folder / "games.csv").read_text("utf-8")
        games = "".join(
            line for line in games.splitlines(keepends=True) if ",10," not in line or "TWO" in line
        )
        (folder / "games.csv").write_text(games, "utf-8")
        change(folder, "players.csv", "No9,", "No9,,,\n11,PLAYER No11,")
        with (folder / "standings.csv").open("a", encoding="utf-8") as rows:
            rows.write("11,1500,30\n")
        said = [fault_line(fault, "en") for fault in refusals(read_ledger(folder))]
        assert [line.split("'")[1:4:2] for line in said] == [["1", "ONE"], ["10", "TWO"]]

    def test_an_event_that_does_not_settle(self, folder):
        games = ["event_id,round,white,black,result", "ONE,1,5,4,0-1", "ONE,2,5,8,1-0"]
        games += [f"ONE,{number},4,8,1/2-1/2" for number in range(3, 40)]
        (folder / "games.csv").write_text("\n".join(games) + "\n", "utf-8")
        (said,) = refused(folder)
        assert said == (
            "events.csv: version: The performances of event 'ONE' still move after 30 rounds, the most that "
            "version 1 has; check its games, or write a version with more rounds (3 has 50)."
        )


@pytest.mark.parametrize(
    ("figure", "written"),
    [
        ("0.000000", "0"),
        ("0.000001", "+0.000001"),
        ("-1.500000", "-1.5"),
        ("20.000000", "+20"),
        ("100", "+100"),
    ],
)
def test_a_figure_with_its_sign(figure, written):
    assert signed(figure) == written


class TestExplanations:
    def test_a_junior_with_a_bonus(self, folder):
        assert told(folder, "1") == inspect.cleandoc("""
            Before this list: 1300. Games so far: 30. Highest rating so far: 1300. [ICU 9]
            A rated player: 20 games or more before the event. [ICU 1]
            Dublin, round 1, won against PLAYER No5 (1700): the opponent counts as 1700, expected score 0.090909: K 40 × (1 − 0.090909) = +36.363636. [ICU 4]
            K is 40: the player is a junior. [ICU 3]
            Dublin, round 2, won against PLAYER No6 (1650): the opponent counts as 1650, expected score 0.117662: K 40 × (1 − 0.117662) = +35.293532. [ICU 4]
            Dublin, round 3, drawn against PLAYER No7 (1800): the opponent counts as 1800, expected score 0.053240: K 40 × (0.5 − 0.053240) = +17.870391. [ICU 4]
            Dublin, round 4, won against PLAYER No2 (1350): the opponent counts as 1448.260643, expected score 0.298708: K 40 × (1 − 0.298708) = +28.051672. [ICU 4]
            Opponents who got a bonus count with rating, change and bonus. [ICU 5]
            Dublin, round 5, won against PLAYER No3 (1400): the opponent counts as 1298.283333, expected score 0.502470: K 40 × (1 − 0.502470) = +19.901182. [ICU 4]
            Provisional and unrated opponents count with their performance in this event. [ICU 5]
            Dublin, round 6, lost against PLAYER No10 (2150): the opponent counts as 2150, expected score 0.007443: K 40 × (0 − 0.007443) = −0.297725. [ICU 4]
            The performances depend on each other, so all were reckoned again and again; after 6 times they stood still. [ICU 6]
            Somebody got a bonus, so they were reckoned again from there, 4 times more. [ICU 8]
            Performance: 11285.797694 / 6 = 1880.966282. It is the mean of what the opponents count as, 400 more for a win and 400 less for a loss, and only limits a bonus. [ICU 6]
            Bonus: what the change is above 38: +137.182688 − 38, rounded 99. [ICU 7]
            With this K 125 % of it count, rounded 124. [ICU 7]
            The changes add up to +137.182688, rounded +137; with the bonus of 124, 1300 becomes 1561. [ICU 9]
            After this list: 1561. Games so far: 36. Highest rating so far: 1561. [ICU 9]
            The player is rated: 20 games or more. [ICU 1]
        """)

    def test_a_provisional_player(self, folder):
        lines = told(folder, "3").splitlines()
        assert lines[1:3] == [
            "A provisional player: fewer than 20 games before the event. [ICU 1]",
            "Dublin, round 5, lost against PLAYER No1 (1300): the opponent's 1549.989541 −400 = 1149.989541. [ICU 6]",
        ]
        assert lines[-3:] == [
            "6 games at 1400 make 8400, and 4 games of this event 4976.46256; over 10 games that is 1337.646256, rounded 1338. [ICU 9]",
            "After this list: 1338. Games so far: 10. Highest rating so far: 1400. [ICU 9]",
            "The player is provisional: fewer than 20 games. [ICU 1]",
        ]

    @pytest.mark.parametrize(
        ("games", "kind"),
        [
            (15, "The player is provisional: fewer than 20 games."),
            (16, "The player is rated: 20 games or more."),
        ],
    )
    def test_whom_20_games_make_rated(self, folder, games, kind):
        """Player 3 has four games in the event."""
        change(folder, "standings.csv", "3,1400,6", f"3,1400,{games}")
        *_, stands, last = told(folder, "3").splitlines()
        assert f"Games so far: {games + 4}." in stands
        assert last == f"{kind} [ICU 1]"

    def test_a_game_that_was_not_played(self, folder):
        assert (
            "Dublin, round 16, not played against PLAYER No5 (1700): not counted, it was not played. [ICU 2]"
            in told(folder, "10").splitlines()
        )

    def test_a_newcomer_and_a_fixed_player(self, folder):
        lines = told(folder, "4").splitlines()
        assert lines[1].startswith("An unrated player")
        assert (
            "won against PLAYER No2 (1350): the opponent's 1448.260643 +400 = 1848.260643. [ICU 6]"
            in lines[2]
        )
        assert "drawn against PLAYER No3 (1400): the opponent's 1337.537051 +0 = 1337.537051." in lines[4]
        assert lines[-3] == "Performance: 4435.797694 / 3 = 1478.599231, rounded 1479 over 3 games. [ICU 9]"
        lines = told(folder, "7").splitlines()
        assert lines[0] == "A fixed rating of 1800: it counts for opponents and never changes. [ICU 1]"
        assert lines[-2:] == [
            "Performance: 2598.250184 / 2 = 1299.125092. [ICU 6]",
            "The fixed rating of 1800 stays. [ICU 9]",
        ]

    def test_why_there_is_no_rating(self, folder):
        lines = told(folder, "8").splitlines()
        assert lines[-3:] == [
            "Dublin, round 15, won against PLAYER No9 (1200): not counted, no performance can be reckoned for the opponent. [ICU 5]",
            "No performance: nobody among these opponents met a rated player, not even through others. Nothing changes. [ICU 6]",
            "After this list: unrated (UR). Games so far: 0. [ICU 9]",
        ]

    @pytest.mark.parametrize(
        ("rating", "other", "won", "lost", "said"),
        [
            (2020, 2050, 4, 1, "A bonus does not go beyond 2100: {bonus}. [ICU 7]"),
            (
                1700,
                1750,
                9,
                7,
                "A bonus does not go beyond the performance, which was 1800: {bonus}. [ICU 7]",
            ),
        ],
    )
    def test_a_bonus_at_its_limits(self, folder, rating, other, won, lost, said):
        rows = [f"1,{rating},30", *(f"{each},{other},30" for each in (2, 5, 6))]
        (folder / "standings.csv").write_text("\n".join(["player_id,rating,games", *rows, ""]), "utf-8")
        results = ["1-0"] * won + ["0-1"] * lost
        games = [f"ONE,{n},1,{(2, 5, 6)[n % 3]},{result}" for n, result in enumerate(results, 1)]
        table = ["event_id,round,white,black,result", *games, ""]
        (folder / "games.csv").write_text("\n".join(table), "utf-8")
        lists, _ = rated(folder)
        row = next(row for row in lists if row["player_id"] == "1")
        assert int(row["bonus"]) > 0
        assert said.format(**row) in told(folder, "1")

    def test_no_game_and_none_that_counts(self, folder):
        assert "No game in this list; the rating stays." in told(folder, "2", listed="TWO")
        change(folder, "games.csv", "TWO,1,1,5,0-1", "TWO,1,1,5,+/-")
        assert "No game of this list changes the rating." in told(folder, "5", listed="TWO")

    def test_every_kind_in_both_languages(self, folder):
        ledger = read_ledger(folder)
        for player in PLAYERS:
            for listed in ("ONE", "TWO"):
                found = [explain(ledger, player, listed, lang) for lang in LANGUAGES]
                keys = [[(s.key, s.clause) for part in one.sections for s in part.sentences] for one in found]
                assert keys[0] == keys[1]
                assert all(clause in ICU.register for _, clause in keys[0])

    def test_facts_as_an_earlier_version_kept_them(self, folder, monkeypatch):
        """Its lists have every opponent's value with six decimals, and the figures of the game after it."""
        texts = {player: told(folder, player) for player in PLAYERS}
        facts = event_rating.explanation_facts

        def earlier(event, number, mean):
            kept, entrant = facts(event, number, mean), event.entrants[number]
            values = {}
            for game in entrant.played:
                rating = event.entrants[game.opponent].value
                value, what = kept.get("values", {}).get(str(game.round), (rating, "rating"))
                values[str(game.round)] = [six_decimals(Decimal(value or 0)), what, "0.5", "1"]
            return {**kept, "values": values}

        monkeypatch.setattr(event_rating, "explanation_facts", earlier)
        assert {player: told(folder, player) for player in PLAYERS} == texts

    def test_figures_are_those_of_the_files(self, folder):
        lists, changes = rated(folder)
        for player in PLAYERS:
            text = told(folder, player).replace("−", "-")
            for row in changes:
                if (row["list"], row["player_id"]) == ("ONE", player) and row["change"]:
                    assert f"expected score {row['expected']}: K {row['k']} " in text
                    assert row["change"].rstrip("0").rstrip(".") in text
            for row in lists:
                if (row["list"], row["player_id"]) == ("ONE", player):
                    assert f"After this list: {row['rating']}. Games so far: {row['games']}." in text
                    assert row["performance"].rstrip("0").rstrip(".") in text
                    assert f"with the bonus of {row['bonus']}," in text or row["bonus"] in ("", "0")

    @pytest.mark.parametrize("version", [0, 1, 2, 3])
    def test_the_figures_of_the_games_add_up(self, folder, version):
        """To the sum of the performance, or to the change."""
        change(folder, "events.csv", "2012-03-04,1", f"2012-03-04,{version}")
        for player in PLAYERS:
            text = told(folder, player).replace("−", "-")
            games = [
                re.search(r" = ([+-]?[\d.]+)\. \[ICU", line) for line in text.splitlines() if "round " in line
            ]
            total = sum(Decimal(found[1]) for found in games if found)
            patterns = (r"add up to ([+-]?[\d.]+),", r"of this event ([\d.]+);", r"Performance: ([\d.]+) /")
            sums = [found[1] for found in (re.search(pattern, text) for pattern in patterns) if found]
            assert bool(sums) == (player not in ("8", "9"))
            for said in sums[:1]:
                assert abs(Decimal(said) - total) < Decimal("0.00001")

    def test_no_birthday_and_no_age(self, folder):
        """Other birthdays of the same K give the same words."""
        ledger = read_ledger(folder)
        hidden = replace(
            ledger,
            players=[
                p._replace(birth_date=p.birth_date and date(p.birth_date.year - 5, 7, 7))
                if p.birth_date and p.birth_date.year < 1990
                else p._replace(birth_date=p.birth_date and date(1998, 7, 7))
                for p in ledger.players
            ],
        )
        for player in ledger.players:
            for lang in LANGUAGES:
                text = str(explain(ledger, player.player_id, "ONE", lang))
                assert text == str(explain(hidden, player.player_id, "ONE", lang))
                assert "21" not in text.replace(".", "").split()
                assert player.birth_date is None or player.birth_date.isoformat() not in text
