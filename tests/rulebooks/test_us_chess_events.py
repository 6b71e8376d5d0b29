"""Whole events of US Chess: the three steps, what is carried on, refusals, editions, and what is told."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
import us_chess_naive
from hypothesis import given
from hypothesis import strategies as st
from making import day, event, games

from banzuke.core.batch import Batch, Register
from banzuke.core.facts import Entry, Event, More, Opening, Player
from banzuke.core.fault import RefusedError, fault
from banzuke.core.parameters import Parameters
from banzuke.core.rating import FirstGame, Rating, Standings
from banzuke.core.registry import BOOKS
from banzuke.engine.history import history, list_names
from banzuke.engine.result_rows import change_rows, list_rows
from banzuke.engine.rule_warnings import warnings
from banzuke.explanations.calculators import event_forecast
from banzuke.explanations.chess_rating import explain
from banzuke.explanations.rule_pages import clauses, difference, example_text, title
from banzuke.ledger.folder import read_ledger
from banzuke.testing.random_ledgers import chess_ledger
from banzuke.words import LANGUAGES, fault_line, fault_text

BOOK = BOOKS["us-chess"]
EDITIONS = {2017: "2017-05-01", 2023: "2023-02-01", 2025: "2025-01-01"}


def state(value, games=30, peak=None, **more):
    peak = round(value) if peak is None and games > 25 else peak
    return Rating(round(value), games, peak, False, More({"rating": Decimal(str(value)), **more}))


def rate(before, *texts, book=BOOK, people=(), entry=None, **facts):
    entry = entry or Entry(event("E", **facts), games("E", texts))
    register = Register({player.player_id: player for player in people}, {}, {})
    batch = Batch("E", entry.event.ends, entry.event.ends, [entry], register, False, {})
    return book.rate(Standings({"": dict(before)}), batch, book.settings())


def after(*args, player="A", **facts):
    return rate(*args, **facts).standings.of("", player)


PLAYERS = st.lists(
    st.tuples(
        st.integers(1_000_000, 27_000_000).map(lambda n: n / 10_000),
        st.sampled_from([0, 1, 4, 8, 9, 15, 30, 80]),
        st.sampled_from(["", "", "", "won", "lost"]),
    ),
    min_size=2,
    max_size=7,
)
DAYS = {14: "2022-05-05", 12: "2024-06-01", 10: "2025-06-01"}


@given(PLAYERS, st.data(), st.sampled_from(sorted(DAYS)), st.booleans())
def test_events_are_rated_as_the_page_says(players, data, b, dual):
    ids = "ABCDEFG"[: len(players)]
    pairs = st.tuples(st.sampled_from(ids), st.sampled_from(ids), st.sampled_from(["1-0", "1/2-1/2", "0-1"]))
    drawn = data.draw(st.lists(pairs.filter(lambda pair: pair[0] != pair[1]), min_size=1, max_size=12))
    people = dict(zip(ids, players, strict=True))
    before = {
        player: state(value, count, 0, one_sided=sided) for player, (value, count, sided) in people.items()
    }
    texts = [f"{white} {result} {black}" for white, black, result in drawn]
    outcome = rate(before, *texts, starts=DAYS[b], base_minutes=60 if dual else 90)
    scores = {"1-0": 1, "1/2-1/2": 0.5, "0-1": 0}
    played = [(white, black, scores[result]) for white, black, result in drawn]
    wanted = us_chess_naive.event(people, played, b, dual)
    calculations = outcome.calculations[""]
    assert calculations.keys() == wanted.keys()
    for player, figure in wanted.items():
        done = calculations[player]
        assert float(done.more["step_3"]) == pytest.approx(figure, abs=0.0051)
        floor = max(figure, float(done.more.get("floor", 0)))
        assert float(done.after.more["rating"]) == pytest.approx(floor, abs=0.000051)
    mixed = data.draw(st.permutations(texts))
    again = rate(before, *mixed, starts=DAYS[b], base_minutes=60 if dual else 90)
    assert again.standings == outcome.standings


class TestWhatIsCarriedOn:
    def test_decimals_and_the_shown_rating(self):
        found = after({"A": state(1500.25), "B": state(1612.75)}, "A 1-0 B")
        assert found.more["rating"] == Decimal("1528.4967")
        assert (found.value, found.games, found.peak) == (1528, 31, 1528)

    def test_a_rating_without_decimals_is_exact_as_it_stands(self):
        plain = {"A": Rating(1500, 30, 1500, earned=False), "B": Rating(1600, 30, 1600, earned=True)}
        exact = {"A": state(1500), "B": state(1600)}
        assert after(plain, "A 1-0 B") == after(exact, "A 1-0 B")
        assert after(plain, "A 1-0 B", player="B").earned is True

    def test_the_career(self):
        before = {"A": state(1500, won=3, floor=1400), "B": state(1500), "C": state(1500, drawn=1, events3=2)}
        found = rate(before, "A 1-0 B", "A 1/2-1/2 C", "A 1-0 C", "B 0-1 C").standings
        assert {k: v for k, v in found.of("", "A").more.items() if k != "rating"} == {
            "won": 5, "drawn": 1, "events3": 1, "floor": 1400,
        }  # fmt: skip
        assert (found.of("", "B").more["won"], found.of("", "B").more["events3"]) == (0, 0)
        assert [found.of("", "C").more[name] for name in ("won", "drawn", "events3")] == [1, 2, 3]

    @pytest.mark.parametrize(
        ("before", "results", "sided"),
        [
            (state(1500, 0), ("1-0", "1-0"), "won"),
            (state(1500, 0), ("0-1", "0-1"), "lost"),
            (state(1500, 0), ("1-0", "1/2-1/2"), None),
            (state(1500, 0), ("1/2-1/2",), None),
            (state(1500, 5, one_sided="won"), ("1-0",), "won"),
            (state(1500, 5, one_sided="won"), ("0-1",), None),
            (state(1500, 5, one_sided="lost"), ("0-1",), "lost"),
            (state(1500, 5), ("1-0",), None),
            (state(1500, 0, one_sided="lost"), ("1-0",), "won"),
        ],
    )
    def test_whether_all_was_won_or_lost(self, before, results, sided):
        texts = [f"A {result} B" for result in results]
        assert after({"A": before, "B": state(1500)}, *texts).more.get("one_sided") == sided

    def test_a_newcomer_with_fides_rating(self):
        player = Player("A", "A", fide_standard=2235)
        found = after({"B": state(1500)}, "A 1-0 B", people=[player])
        assert (found.games, found.more["one_sided"]) == (11, "won")
        assert float(found.more["rating"]) == pytest.approx(2281.59, abs=0.3)

    @pytest.mark.parametrize(("games", "peak"), [(24, None), (25, 1)])
    def test_the_peak_is_that_of_established_ratings(self, games, peak):
        before = {"A": state(1500, games), "B": state(1500)}
        found = after(before, "A 1-0 B")
        assert found.peak == (None if peak is None else found.value)

    def test_a_higher_peak_stands(self):
        assert after({"A": state(1500, 30, 1650), "B": state(1500)}, "A 0-1 B").peak == 1650


class TestFloors:
    def test_personal(self):
        done = rate({"A": state(1701, 30, 1941), "B": state(1700)}, "A 0-1 B").calculations[""]["A"]
        assert (done.after.value, done.after.more["rating"], done.floored) == (
            1700,
            Decimal("1700.0000"),
            True,
        )
        assert (done.more["floor"], done.more["floor_kind"]) == (1700, "personal")

    def test_office_for_anybody(self):
        done = rate({"A": state(1500, 10, floor=1490), "B": state(1500)}, "A 0-1 B").calculations[""]["A"]
        assert (done.after.value, done.more["floor_kind"]) == (1490, "office")

    def test_absolute_with_this_event(self):
        before = {"A": state(105, 30, 300, won=2, drawn=1), "B": state(110)}
        done = rate(before, "A 1/2-1/2 B", "A 0-1 B", "A 0-1 B").calculations[""]["A"]
        assert (done.after.value, done.more["floor_kind"]) == (113, "absolute")

    def test_it_does_not_enter_the_steps(self):
        held = {"A": state(1701, 30, 1941), "B": state(1700), "C": state(1700)}
        free = held | {"A": state(1701, 30, 1701)}
        texts = ("A 0-1 B", "A 0-1 C", "B 1-0 C")
        assert after(held, *texts, player="B") == after(free, *texts, player="B")

    def test_a_rating_above_it_is_left_alone(self):
        done = rate({"A": state(1800, 30, 1941), "B": state(1700)}, "A 0-1 B").calculations[""]["A"]
        assert done.floored is False
        assert "floor" not in done.more


class TestLines:
    def test_standard_and_special(self):
        outcome = rate({"A": state(1500.4), "B": state(1612.75, 8)}, "A 1-0 B", "A 0-1 C", "A +/- B")
        (of_event,) = outcome.events
        lines = {(line.round, line.player): line for line in of_event.lines}
        assert [(line.verdict, line.clause) for line in of_event.lines] == [
            ("rated", "USC 6"), ("rated", "USC 5"), ("rated", "USC 6"), ("first", "USC 1"),
            ("forfeit", "USC 10"), ("forfeit", "USC 10"),
        ]  # fmt: skip
        own = lines[1, "A"]
        assert (own.own, own.opponent_rating, own.difference, own.k) == (1500, 1613, None, None)
        exact = dict(zip([(line.round, line.player) for line in of_event.lines], of_event.exact, strict=True))
        assert exact[1, "B"] == exact[2, "C"] == exact[3, "A"] == ("", "")
        done = outcome.calculations[""]["A"]
        assert [expected for *_, expected in done.more["games"]] == [exact[1, "A"][0], exact[2, "A"][0]]
        assert done.total == own.change + lines[2, "A"].change
        assert done.shift == round(done.total / 100)
        assert (outcome.calculations[""]["B"].total, outcome.calculations[""]["B"].shift) == (0, 0)
        great = rate({"A": state(1500, 9), "B": state(2300)}, "A 1-0 B", "A 1-0 B").calculations[""]["A"]
        assert (great.total, great.shift) == (14354, 144)
        assert own.expected == round(100 * float(exact[1, "A"][0]))
        assert own.change == pytest.approx(100 * float(exact[1, "A"][1]), abs=0.51)
        assert float(exact[1, "A"][1]) + float(exact[2, "A"][1]) == pytest.approx(
            float(done.more["surplus"]), abs=0.006
        )

    def test_short_and_excluded_events_move_nobody(self):
        before = {"A": state(1500), "B": state(1600)}
        for facts, verdict in (({"base_minutes": 29}, "speed"), ({"ruling": "exclude"}, "ruling")):
            outcome = rate(before, "A 1-0 B", **facts)
            assert [line.verdict for line in outcome.events[0].lines] == [verdict] * 2
            assert outcome.standings.ratings[""] == before
            assert outcome.calculations == {"": {}}

    def test_an_excluded_game(self):
        entry = Entry(event("E"), games("E", ["A 1-0 B", "A 1-0 B"]))
        entry.games[1] = entry.games[1]._replace(ruling="exclude")
        outcome = rate({"A": state(1500), "B": state(1600)}, entry=entry)
        assert [line.verdict for line in outcome.events[0].lines] == ["rated", "rated", "ruling", "ruling"]

    def test_games_that_were_not_played_are_no_meetings(self):
        before = {"A": state(1500), "B": state(1500), "C": state(1500)}
        texts = ("A 1-0 B", "A 1-0 B", "A 1-0 C")
        assert after(before, *texts) == after(before, *texts, "A +/- B")
        assert after(before, *texts).value > after(before, "A 1-0 B", "A 1-0 B", "A 1-0 B").value


class TestEditions:
    @pytest.mark.parametrize(("year", "first"), EDITIONS.items())
    def test_refuse_what_ended_before_their_first_day(self, year, first):
        book = BOOKS[f"us-chess-{year}"]
        early = date.fromordinal(day(first).toordinal() - 1)
        before = {"A": state(1500), "B": state(1600)}
        with pytest.raises(RefusedError) as said:
            rate(before, "A 1-0 B", book=book, starts=str(early))
        (found,) = said.value.faults
        assert (found.file, found.line, found.column, found.code) == ("events.csv", 0, "ends", "us-too-early")
        (finding,) = book.checks.event(event(starts=str(early)))
        assert (finding.column, finding.code) == ("ends", "us-too-early")
        for lang in LANGUAGES:
            for each in (found, fault("events.csv", 1, *finding[:2], **finding.facts)):
                assert str(early) in fault_text(each, lang)
                assert first in fault_text(each, lang)
        assert list(book.checks.event(event(starts=first))) == []
        assert rate(before, "A 1-0 B", book=book, starts=first).standings.ratings

    def test_the_whole_book_begins_with_the_first_of_them(self):
        with pytest.raises(RefusedError) as said:
            rate({"A": state(1500), "B": state(1600)}, "A 1-0 B", starts="2017-04-30")
        assert dict(said.value.faults[0].facts)["first"] == "2017-05-01"
        (finding,) = BOOK.checks.event(event(starts="2017-04-30"))
        assert finding.facts["first"] == day("2017-05-01")
        assert list(BOOK.checks.event(event(starts="2017-05-01"))) == []

    def test_each_has_its_bonus_and_the_whole_book_all_of_them(self):
        before = {name: state(1500, 60) for name in "ABCD"}
        texts = ("A 1-0 B", "A 1-0 C", "A 1-0 D")
        on = {year: after(before, *texts, starts=first) for year, first in EDITIONS.items()}
        late = {
            year: after(before, *texts, book=BOOKS[f"us-chess-{year}"], starts="2025-06-01")
            for year in EDITIONS
        }
        assert on == late
        assert on[2025].more["rating"] - on[2023].more["rating"] == 4
        assert on[2023].more["rating"] - on[2017].more["rating"] == 4

    def test_what_changed_between_them(self):
        one, other = BOOKS["us-chess-2017"], BOOKS["us-chess-2025"]
        changed = [figure for figure in difference(one, other, "en").figures if figure.one != figure.other]
        assert [(each.one, each.other, each.one_clause) for each in changed] == [
            ("2017-05-01: 14", "2025-01-01: 10", "USC 7")
        ]
        texts, others = dict(clauses(one, "ja")), dict(clauses(other, "ja"))
        assert [clause for clause in texts if texts[clause] != others[clause]] == ["USC 7"]
        assert title(one, "en") != title(other, "en")
        assert isinstance(one.parameters, Parameters)
        assert {BOOKS[name].series for name in BOOKS if name.startswith("us-chess")} == {"us-chess"}

    def test_calculators_have_their_bonus(self):
        won = [(1500, 2)] * 3
        found = {
            name: event_forecast(BOOKS[name].calculator, 1500, 60, won).bonus
            for name in ("us-chess", "us-chess-2017", "us-chess-2023", "us-chess-2025")
        }
        assert found["us-chess"] == found["us-chess-2025"]
        assert found["us-chess-2025"] - found["us-chess-2023"] == 400
        assert found["us-chess-2023"] - found["us-chess-2017"] == 400


class TestCalculator:
    CALCULATOR = BOOK.calculator

    def test_a_game(self):
        found = self.CALCULATOR.change(1500, 1600, 2, 30)
        assert (found.difference, found.expected, found.clause) == (-100, 36, "USC 6")
        assert found.hundredths == 2915
        assert self.CALCULATOR.change(1500, None, 2, 30).difference == 750
        assert self.CALCULATOR.change(1500, 1600, 2, 6) == (-100, None, 7143, "USC 5")
        assert self.CALCULATOR.change(2400, 2400, 2, 50).hundredths == 784  # not that of dual games

    def test_an_event(self):
        played = [(1250, 2), (1400, 1), (1500, 2), (1550, 2)]
        found = self.CALCULATOR.event(1300, 45, played)
        assert (found.total, found.shift, found.new, found.bonus) == (16880, 169, 1469, 7440)
        assert sum(game.hundredths for game in found.games) == pytest.approx(9440, abs=2)
        assert self.CALCULATOR.event(1300, 45, played[:2]).bonus == 0
        few = self.CALCULATOR.event(1500, 6, [(1400, 2), (1550, 0), (None, 1)])
        assert few.bonus is None
        assert {game.hundredths for game in few.games} == {None}
        assert few.games[0].clause == "USC 5"
        assert [game.difference for game in found.games] == [50, -100, -200, -250]
        assert [game.expected for game in found.games] == [57, 36, 24, 19]

    def test_a_first_rating(self):
        games = [FirstGame("", n, date(2025, 1, 1), "", other, 1) for n, other in enumerate((1500, None))]
        found = self.CALCULATOR.first(tuple(games))
        assert (found.rating, found.mean, found.points, found.clause) == (1125, (2250, 2), 2, "USC 5")
        assert (found.percent, found.dp, found.why) == (0, 0, "")

    def test_a_sum(self):
        assert self.CALCULATOR.new_rating(1500, -250) == (-3, 1497)
        assert self.CALCULATOR.new_rating(1500, 12_345) == (123, 1623)
        assert self.CALCULATOR.new_rating(110, -2000) == (-20, 100)


class TestLedger:
    @pytest.fixture
    def folder(self, tmp_path):
        tables = {
            "pool.toml": 'name = "US"\n[[edition]]\nrulebook = "us-chess"\nfrom = 2017-05-01\n',
            "players.csv": "player_id,name,birth_date,fide_standard,adult\n"
            "A,ANN A,,,\nB,BOB B,2010-05-05,,\nC,CAT C,,1779,\nD,DAN D,,,1\nE,EVE E,,,\nF,FAY F,,,\nG,GUS G,,,\n",
            "standings.csv": "player_id,rating,games,peak,one_sided,floor\n"
            "A,1700.1234,30,2000,,\nE,1200,10,,won,\nF,2300,60,2310,,2299\n",
            "events.csv": "event_id,name,starts,ends,reported,base_minutes,increment_seconds,form\n"
            "E1,Spring,2025-01-04,2025-01-05,2025-01-06,60,5,tournament\n"
            "E2,Summer,2025-02-04,2025-02-05,2025-02-06,25,0,\n"
            "E3,Autumn,2025-03-04,2025-03-05,2025-03-06,90,0,\n",
            "games.csv": "event_id,round,white,black,result\n"
            "E1,1,A,F,1-0\nE1,1,B,E,1/2-1/2\nE1,1,C,D,0-1\nE1,2,A,B,1-0\nE1,2,E,C,0-1\nE1,2,F,D,1-0\n"
            "E1,3,A,C,1-0\nE1,3,D,E,+/-\nE1,4,G,F,0-1\nE1,5,G,E,0-1\nE2,1,A,B,1-0\n"
            "E3,1,A,F,0-1\nE3,2,A,F,0-1\nE3,3,A,F,0-1\nE3,4,G,B,0-1\n",
        }
        for name, text in tables.items():
            (tmp_path / name).write_text(text, "utf-8")
        return tmp_path

    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_everybody_is_explained(self, folder, lang):
        ledger = read_ledger(folder)
        told = {
            (player, name): str(explain(ledger, player, name, lang))
            for player in "ABCDEFG"
            for name in ("E1", "E2", "E3")
        }
        assert not any("None" in text or "{" in text for text in told.values())
        said = "\n".join(told.values())
        assert "2010" not in said
        assert "700" not in told["B", "E1"].replace("1700", "")

    def test_the_sentences(self, folder):
        ledger = read_ledger(folder)
        keys = {
            player + name: [
                sentence.key
                for section in explain(ledger, player, name, "en").sections
                for sentence in section.sentences
                if not sentence.key.startswith(("us-game", "not-"))
            ]
            for player, name in ("A1", "B1", "C1", "D1", "E1", "F1", "G1", "A2", "A3", "G3", "F3", "C3")
            for name in [f"E{name}"]
        }
        end, first, steps = (
            ["us-exact", "us-after"],
            ["us-step-2", "us-special"],
            ["us-step-2", "us-special-own"],
        )
        standard = ["us-effective", "us-formula-standard", "us-step-2"]
        few = ["us-effective", "us-formula-few", *steps, *end]
        assert keys == {
            "AE1": ["before-rated", *standard, "us-standard", "us-bonus", "us-step-3-bonus", "us-floor-personal", *end],
            "BE1": ["before-unrated", "us-first-age", "us-formula-few", "us-step-1", *first, *end],
            "CE1": ["before-unrated", "us-first-fide", *few],
            "DE1": ["before-unrated", "us-first-adult", "us-formula-few", "us-step-1", *first, *end],
            "EE1": ["us-before", "us-effective", "us-formula-won", *steps, *end],
            "FE1": [
                "before-rated", *standard, "us-dual", "us-bonus-none", "us-step-3", "us-floor-office", *end,
            ],
            "GE1": ["before-unrated", "us-first-unknown", "us-formula-few", "us-step-1", *first, *end],
            "AE2": ["before-rated", "no-games", "us-after"],
            "AE3": [
                "before-rated", *standard, "us-standard", "us-bonus-met", "us-step-3", "us-floor-personal", *end,
            ],
            "GE3": ["us-before", "us-effective", "us-formula-lost", *steps, *end],
            "FE3": ["before-rated", *standard, "us-standard", "us-bonus-met", "us-step-3", *end],
            "CE3": ["us-before", "no-lines", "us-after"],
        }  # fmt: skip

    def test_each_sentence_names_its_clause(self, folder):
        ledger = read_ledger(folder)
        said = {}
        for player in "ABCDEFG":
            for name in ("E1", "E2", "E3"):
                for section in explain(ledger, player, name, "en").sections:
                    for sentence in section.sentences:
                        said.setdefault(sentence.clause, set()).add(sentence.key)
        assert {clause: " ".join(sorted(keys)) for clause, keys in said.items()} == {
            "USC 1": "us-first-adult us-first-age us-first-fide us-first-unknown",
            "USC 2": "us-effective",
            "USC 3": "us-step-1",
            "USC 4": "us-exact us-step-2 us-step-3 us-step-3-bonus",
            "USC 5": "us-formula-few us-formula-lost us-formula-won us-game-special us-special us-special-own",
            "USC 6": "us-dual us-formula-standard us-game us-standard",
            "USC 7": "us-bonus us-bonus-met us-bonus-none",
            "USC 8": "before-rated before-unrated no-lines us-after us-before",
            "USC 9": "us-floor-office us-floor-personal",
            "USC 10": "no-games not-forfeit not-speed",
        }

    def test_a_loss_and_a_draw_that_changes_nothing(self, folder):
        (folder / "standings.csv").write_text("player_id,rating,games,peak\nA,1500,30,1500\nE,1500,30,1500\n")
        rows = ["event_id,round,white,black,result", "E3,1,A,E,1/2-1/2", "E3,2,A,E,0-1", "E3,3,E,A,0-1", ""]
        (folder / "games.csv").write_text("\n".join(rows))
        text = str(explain(read_ledger(folder), "A", "E3", "en"))
        games = [line.rpartition(": ")[2] for line in text.splitlines() if "round " in line]
        assert games == [
            "K 40.88 × (0.5 − 0.5000) = 0. [USC 6]",
            "K 40.88 × (0 − 0.5000) = −20.44. [USC 6]",
            "K 40.88 × (1 − 0.5000) = +20.44. [USC 6]",
        ]

    def test_the_sentences_have_the_figures_of_the_lists(self, folder):
        ledger = read_ledger(folder)
        lists = {rated.batch.name: rated for rated in history(ledger, list_names(ledger, None))}
        row = next(row for row in list_rows(lists["E1"], ("exact", "floor")) if row[2] == "A")
        assert row[-1] == 1800
        text = str(explain(ledger, "A", "E1", "en"))
        assert f"The rating is {row[-2]}, shown as {row[3]}." in text
        changes = {row[3]: row for row in change_rows(lists["E1"]) if row[4] == "A"}
        assert changes[1][10] in text
        assert "K is 800 / (20.01 + 3) = 34.76" in text
        assert "10 × √4 = 20.00" in text
        assert "39 more" not in text

    @pytest.mark.parametrize(
        ("file", "old", "new", "column", "code"),
        [
            ("events.csv", "tournament", "match", "form", "us-match"),
            ("events.csv", "2025-01-04,2025-01-05", "2017-04-30,2017-04-30", "ends", "us-too-early"),
            ("standings.csv", ",won,", ",both,", "one_sided", "cell-word"),
            ("standings.csv", "E,1200,10,,", "E,1200,10,1300,", "peak", "us-peak-provisional"),
            ("standings.csv", "E,1200,10,,won", "E,1200.5,26,1200,", "peak", "us-peak-low"),
        ],
    )
    def test_what_is_refused(self, folder, file, old, new, column, code):
        path = folder / file
        path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
        if code == "us-too-early":
            pool = folder / "pool.toml"
            pool.write_text(pool.read_text("utf-8").replace("2017-05-01", "2000-01-01"), "utf-8")
        with pytest.raises(RefusedError) as said:
            read_ledger(folder)
        (found,) = said.value.faults
        assert (found.file, found.line, found.column, found.code) == (
            file, 3 if file == "standings.csv" else 2, column, code,
        )  # fmt: skip
        for lang in LANGUAGES:
            assert fault_text(found, lang)


def test_how_the_examples_read():
    """What is given in each, and what it gives: a rounded figure hides much of what it comes from."""
    bonus = "1300 on 45 games plays 1250 (1), 1400"
    assert [(example_text(BOOK, worked, "en"), worked.must_give) for worked in BOOK.examples] == [
        ("1500 on 6 games plays 1400 (1), 1550 (0), 1650 (0.5)", "1511.11"),
        ("N' of 1700 on 30 games", "20.01"),
        ("K for 6 effective games and 4, 6, 10 games in the event", "80, 66.67, 50"),
        ("K for 20 effective games and 4, 6, 10 games in the event", "33.33, 30.77, 26.67"),
        ("K for 50 effective games and 4, 6, 10 games in the event", "14.81, 14.29, 13.33"),
        (f"{bonus} (0.5), 1500 (1), 1550 (1), B 12", "1464.8"),
        (f"{bonus} (0.5), 1500 (1), 1550 (1), B 10", "1468.8"),
        (f"{bonus} (0.5), 1500 (1), 1550 (1), B 14", "1460.8"),
        (f"{bonus} (1), 1500 (1), 1550 (1), 1450 (0.5), B 10", "1515.46"),
        (f"{bonus} (1), 1500 (1), B 10", "1451"),
        ("1300 on 0 games plays 900 (1), 850 (1), 700 (1)", "1300"),
        ("1300 on 0 games plays 900 (1), 950 (1), 700 (1)", "1350"),
        ("1500 on 6 games plays 800 (1)", "1500"),
        ("1500 on 6 games plays 2300 (0)", "1500"),
        ("1200 on 10 games, all won so far, plays 1600 (0.5), 1500 (0), 2400 (0)", "1350"),
        ("The floor for a peak of 1941", "1700"),
        ("The floor for a peak of 1588", "1300"),
        ("FIDE 1779: first rating and the games it counts for", "1834.58/5"),
        ("FIDE 2235: first rating and the games it counts for", "2280.9/10"),
    ]


def test_checks_of_rows():
    good = Event("E", "E", date(2025, 1, 1), date(2025, 1, 1), date(2025, 1, 1), form="meeting")
    assert list(BOOK.checks.event(good)) == []
    (found,) = BOOK.checks.event(replace(good, form="match"))
    assert found.facts["clause"] == "USC 11"
    for word in ("", "won", "lost"):
        assert list(BOOK.checks.opening(Opening("A", 1500, 5, more=More(one_sided=word)))) == []
    for played, peak in ((25, None), (26, None), (26, 1500), (26, 1501)):
        assert list(BOOK.checks.opening(Opening("A", 1500, played, peak=peak))) == []
    (found,) = BOOK.checks.opening(Opening("A", 1500, 25, peak=1500))
    assert found.facts == {"games": 25, "least": 26, "clause": "USC 9"}
    (found,) = BOOK.checks.opening(Opening("A", 1500, 26, peak=1499))
    assert found.facts == {"peak": 1499, "rating": 1500, "clause": "USC 9"}
    assert list(BOOK.checks.warnings(good, ())) == list(BOOK.checks.name("x")) == []


class TestLaterBonus:
    """An edition that stays in force too long rates with its own B, and says so."""

    @pytest.mark.parametrize(
        ("name", "day", "said"),
        [
            ("us-chess-2017", "2023-01-31", None),
            ("us-chess-2017", "2023-02-01", (date(2023, 2, 1), 12, 14, 2023)),
            ("us-chess-2017", "2025-01-01", (date(2025, 1, 1), 10, 14, 2025)),
            ("us-chess-2023", "2024-12-31", None),
            ("us-chess-2023", "2025-01-01", (date(2025, 1, 1), 10, 12, 2025)),
            ("us-chess-2023", "2020-01-01", None),
            ("us-chess-2025", "2030-01-01", None),
            ("us-chess", "2030-01-01", None),
        ],
    )
    def test_by_the_last_day(self, name, day, said):
        facts = [finding.facts for finding in BOOKS[name].checks.warnings(event(starts=day), ())]
        assert [(each["first"], each["constant"], each["own"], each["year"]) for each in facts] == (
            [] if said is None else [said]
        )

    def test_the_check_says_so(self, tmp_path):
        tables = {
            "pool.toml": 'name = "US"\n[[edition]]\nrulebook = "us-chess-2023"\nfrom = 2024-01-01\n',
            "players.csv": "player_id,name\nA,ANN A\n",
            "events.csv": "event_id,name,starts,ends\nOLD,Old,2024-12-30,2024-12-31\n"
            "NEW,New,2024-12-31,2025-01-01\n",
            "games.csv": "event_id,round,white,black,result\n",
        }
        for name, text in tables.items():
            (tmp_path / name).write_text(text, "utf-8")
        (found,) = warnings(read_ledger(tmp_path))
        assert fault_line(found, "en") == (
            "events.csv: NEW: Since 2025-01-01 the constant B of the bonus is 10; this event, which ends on "
            "2025-01-01, is rated with 12 (USC 7). Let us-chess-2025 follow in the pool from that day, or take "
            "us-chess, which has every B."
        )
        assert "2025-01-01に終わるこの大会は12で計算されます" in fault_text(found, "ja")


def test_made_up_ledgers_have_peaks_and_none_that_the_book_refuses():
    standings = chess_ledger(BOOK, 3).standings
    assert any(row.peak for row in standings)
    assert any(row.peak is None for row in standings)
    assert not any(list(BOOK.checks.opening(row)) for row in standings)
