"""Explanations of Go ranks: the same figures as the files, with terms, points and lines."""

from __future__ import annotations

import csv
import io
import re
import tempfile
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path

import pytest
from languages import IN_TURN

from banzuke.core.go_facts import GoGame, GoOpening, GoPlayer
from banzuke.core.registry import BOOKS
from banzuke.engine.history import UnknownListError
from banzuke.engine.rating_run import rate_ledger
from banzuke.explanations.explanation import SentenceWriter, UnknownPlayerError
from banzuke.explanations.go_rank import explain
from banzuke.ledger.folder import GoLedger, read_ledger
from banzuke.ledger.pool_rules import EditionInForce, Pool
from banzuke.rulebooks.pandanet.ranks import default_zone
from banzuke.words import book_words, catalogue

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "go-server"
REGISTER = BOOKS["pandanet"].register

#: Sentences about a game, each with the verdict that they tell.
VERDICTS = {
    "go-rated": "rated",
    "go-rated-to-bc": "rated",
    "go-rated-provisional": "rated",
    "go-certified": "rated",
    "go-bonus": "bonus",
    "go-fault": "fault",
    "go-fault-none": "fault",
}
NO_GAME = {
    "go-player", "go-player-provisional", "go-player-beginner", "go-player-professional",
    "go-lines", "go-lines-top", "go-multiplier", "go-formula", "go-regular-before",
}  # fmt: skip
STATES = ("go-player", "go-player-provisional", "go-player-beginner", "go-player-professional")


@cache
def example():
    return read_ledger(EXAMPLE)


def files_of(ledger):
    """The rows of changes.csv and standings.csv of a ledger."""
    with tempfile.TemporaryDirectory() as folder:
        rate_ledger(ledger, Path(folder) / "out")
        texts = [(Path(folder) / "out" / f).read_text("utf-8") for f in ("changes.csv", "standings.csv")]
    return [list(csv.DictReader(io.StringIO(text))) for text in texts]


@cache
def pattern(key, lang):
    said = {**catalogue("explain"), **book_words(BOOKS["pandanet"])["sentences"]}
    of_game = key not in NO_GAME | {"go-shown"}
    told = said["go-said"][lang].replace("{what}", said[key][lang]) if of_game else said[key][lang]
    sentence = re.escape(re.sub(r"{(board_size|least_moves|widest_ranks|bc_wins)(:\w+)?}", "?", told))
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.*?)", sentence).replace(r"\?", r"[\w-]+"))


def heard(sentence, lang):
    return pattern(sentence.key, lang).fullmatch(sentence.text.replace("−", "-")).groupdict()


def only(explanation):
    (section,) = explanation.sections
    return section


def lines(explanation):
    section = only(explanation)
    return [section.heading, *(f"{s.text} [{s.clause}]" for s in section.sentences)]


class TestAgreesWithTheFiles:
    @pytest.mark.parametrize("lang", IN_TURN)
    def test_of_the_example(self, lang):
        self.check(example(), lang)

    @pytest.mark.parametrize("lang", IN_TURN)
    def test_of_the_shared_case(self, shared, lang):
        self.check(read_ledger(shared / "cases" / "go"), lang)

    def check(self, ledger, lang):
        changes, standings = files_of(ledger)
        for player in ledger.players:
            section = only(explain(ledger, player.player_id, None, lang, None))
            rows = [row for row in changes if row["player_id"] == player.player_id]
            games = [s for s in section.sentences if s.key not in NO_GAME]
            for sentence, row in zip(games, rows, strict=True):
                self.check_game(sentence, row, lang)
            (standing,) = [row for row in standings if row["player_id"] == player.player_id]
            self.check_state(section, standing, lang)

    def check_game(self, sentence, row, lang):
        facts = heard(sentence, lang)
        assert row["game_id"] in facts["game"]
        assert f"{row['opponent_id']}" in facts["game"]
        assert f"({row['opponent_rank']})" in facts["game"].replace("（", "(").replace("）", ")")
        if row["difference"]:
            assert re.search(rf"(?<![\d/]){row['difference']}(?![\d/])", facts["game"])
        assert sentence.clause == row["clause"]
        verdict = VERDICTS.get(sentence.key, "not:" + sentence.key.removeprefix("go-not-"))
        if sentence.key in ("go-bc-win", "go-bc-promoted"):
            assert row["clause"] == "PN 5(2)"
        else:
            assert verdict == row["verdict"]
        if row["points"]:
            assert int(facts["points"]) == int(row["points"])
            if "before" in facts:
                assert int(facts["before"]) + int(row["points"]) == int(facts["after"])
        if "rank_after" in facts:
            assert facts["rank_after"] == row["rank_after"]

    def check_state(self, section, standing, lang):
        (state,) = (s for s in section.sentences if s.key in STATES)
        facts = heard(state, lang)
        assert facts.get("rank", "BC") == standing["rank"]
        assert facts.get("points", "") == standing["points"]
        assert facts.get("rated", standing["rated_games"]) == standing["rated_games"]
        assert facts.get("wins", standing["wins_in_bc"]) == standing["wins_in_bc"]
        if state.key == "go-player":
            (zone,) = (s for s in section.sentences if s.key == "go-lines")
            found = heard(zone, lang)
            points = int(standing["points"])
            assert int(found["up"]) - int(found["to_up"]) == points
            assert int(found["down"]) + int(found["to_down"]) == points

    def test_points_run_on_from_game_to_game(self):
        for player in example().players:
            section = only(explain(example(), player.player_id, None, "en", None))
            after = None
            for sentence in section.sentences:
                if sentence.key in ("go-rated", "go-bonus", "go-fault"):
                    facts = heard(sentence, "en")
                    assert after in (None, facts["before"])
                    after = facts["after"]
                elif sentence.key in ("go-certified", "go-rated-to-bc"):
                    after = heard(sentence, "en").get("after")

    @pytest.mark.parametrize("lang", IN_TURN)
    def test_every_clause_is_of_the_register(self, lang):
        for player in example().players:
            for sentence in only(explain(example(), player.player_id, None, lang, None)).sentences:
                assert sentence.clause in REGISTER or sentence.key == "go-shown"


class TestPages:
    def test_a_certified_player(self):
        assert lines(explain(example(), "harukaze", None, "en", 2)) == [
            "harukaze (harukaze): 13k",
            "Now: 13k, 3328 points, 180 rated games. [PN 0(2)]",
            "Promotion at 3600 points (272 more), demotion at 3000 points (328 fewer). The real server does not publish its table, so Banzuke uses its own. [PN 4(1)]",
            "The next rated game is game 181; its points are multiplied by 1.0. [PN 3(6)]",
            "The last 2 of 40 games: []",
            "2026-01-30 15:44 G0381: White lost against sakurasaku (14k+), no stones, komi 0.5, rank difference after handicap 0 (even): rated, −100 points × 1.0 = −100; 3328 → 3228 points, 13k. [PN 3(1)]",
            "2026-01-30 21:18 G0386: White won against kobune (17k), 4 stones, komi −5.5, rank difference after handicap 0 (even): rated, +100 points × 1.0 = +100; 3228 → 3328 points, 13k. [PN 3(1)]",
        ]  # fmt: skip

    def test_the_same_in_japanese(self):
        found = lines(explain(example(), "harukaze", None, "ja", 1))
        assert found[0] == "harukaze（harukaze）：13k"
        assert found[1] == "現在：13k、3328点、レーティング対局180局。 [PN 0(2)]"
        assert found[-1] == (
            "2026年1月30日 21:18 G0386：白番 対kobune（17k）勝ち、置石4子、コミ−5.5、手合割を考慮した差0段（互角）："
            "レーティング対局。+100点×1.0＝+100。3228→3328点、13k。 [PN 3(1)]"
        )

    def test_a_professional(self):
        found = lines(explain(example(), "hakusan_pro", None, "en", 1))
        assert found[:2] == [
            "hakusan_pro (hakusan_pro): 3p",
            "A professional (3p); no game is rated. [PN 1(5)c]",
        ]
        assert found[-1].endswith("not rated, a professional played. [PN 1(5)c]")

    def test_the_first_examples_of_the_page(self):
        """Between 2k and 1d the lower side loses 78 at a difference of 1 1/2 and wins 108 at 1/2."""
        found = lines(explain(example(), "tetsubin", None, "en", None))
        assert found[4:6] == [
            "2026-01-01 11:01 G0001: Black lost against kitanohoshi (1d), no stones, komi 0.5, rank difference after handicap 3/2 (the weaker side): rated, −78 points × 1.0 = −78; 12200 → 12122 points, 2k. [PN 3(1)]",
            "2026-01-01 11:42 G0002: Black won against kitanohoshi (1d), 2 stones, komi 0.5, rank difference after handicap 1/2 (the weaker side): rated, +108 points × 1.0 = +108; 12122 → 12230 points, 2k. [PN 3(1)]",
        ]  # fmt: skip


START = datetime(2026, 1, 10, 12, 0, tzinfo=UTC)


def game(number, black, white, result, **facts):
    known = {"handicap": 0, "komi": 13, "board": 19, "moves": 200} | facts
    return GoGame(f"G{number}", START + timedelta(hours=number), black, white, result, **known)


def made(players, games=(), standings=(), editions=None):
    """A ledger of players as (id, rank declared)."""
    book = BOOKS["pandanet"]
    usual = EditionInForce(book, date(2026, 1, 1), book.settings(), "", default_zone())
    rows = [GoPlayer(name, name.upper(), rank, rank.endswith("p")) for name, rank in players.items()]
    return GoLedger(Pool("Made", tuple(editions or [usual])), rows, list(games), [], list(standings))


class TestStates:
    @pytest.mark.parametrize(
        ("rank", "first"),
        [
            ("5k", "Now: 5k? (provisional); 0 of 20 rated games. [PN 6(2)]"),
            ("BC", "Now: beginners' class; 0 of 5 wins. [PN 5(2)]"),
            ("9p", "A professional (9p); no game is rated. [PN 1(5)c]"),
        ],
    )
    def test_of_a_pool_without_games(self, rank, first):
        found = explain(made({"a": rank}), "a", None, "en", 20)
        assert lines(found)[1] == first
        assert "go-shown" not in [s.key for s in only(found).sentences]

    def test_the_highest_rank_has_no_promotion(self):
        ledger = made({"a": "9d"}, standings=[GoOpening("a", "9d+", 300, 20700)])
        assert lines(explain(ledger, "a", None, "en", None))[2] == (
            "There is no higher rank; demotion at 20200 points (500 fewer). "
            "The real server does not publish its table, so Banzuke uses its own. [PN 4(1)]"
        )

    def test_a_beginner_with_wins(self):
        ledger = made({"a": "BC", "b": "5k"}, [game(1, "a", "b", "B")])
        assert lines(explain(ledger, "a", None, "en", None))[1:] == [
            "Now: beginners' class; 1 of 5 wins. [PN 5(2)]",
            "2026-01-10 13:00 G1: Black won against B (5k?), no stones, komi 6.5: not rated; win number 1 in the beginners' class. [PN 5(2)]",
        ]

    def test_a_fault_of_who_has_no_points(self):
        ledger = made({"a": "5k", "b": "5k"}, [game(1, "a", "b", "W", fault="black", moves=0)])
        found = lines(explain(ledger, "a", None, "en", None))[-1]
        assert found.endswith(
            "the first minute passed without a first move; this player has no points to gain or lose. [PN 7(2)b]"
        )

    @pytest.mark.parametrize(
        ("facts", "ending"),
        [
            ({"result": "draw"}, "without a winner against B (5k?), no stones, komi 6.5, rank difference after handicap 0 (even): not rated, drawn or void. [PN 2(3)]"),
            ({"result": "B", "board": 9}, "not rated, the board is not 19 by 19. [PN 1(5)a]"),
            ({"result": "B", "pair": True}, "not rated, pair Go. [PN 1(5)g]"),
            ({"result": "B", "robot": "white"}, "not rated, a robot played. [PN 7(1)a]"),
            ({"result": "B", "room": "free"}, "not rated in this room. [PN 1(5)f]"),
            ({"result": "B", "moves": 1}, "not rated, fewer moves than two. [PN 1(5)b]"),
            ({"result": "B"}, "not rated, the opponent is not certified. [PN 1(5)]"),
        ],
    )  # fmt: skip
    def test_why_not(self, facts, ending):
        ledger = made({"a": "5k", "b": "5k"}, [game(1, "a", "b", **({"komi": 13} | facts))])
        assert lines(explain(ledger, "a", None, "en", None))[-1].endswith(ending)

    @pytest.mark.parametrize(
        ("stones", "komi", "words"),
        [
            (0, 13, "no stones, komi 6.5"),
            (1, 1, "no stones, komi 0.5"),
            (2, -11, "2 stones, komi −5.5"),
            (9, 0, "9 stones, komi 0"),
            (0, -1, "no stones, komi −0.5"),
            (0, -12, "no stones, komi −6"),
        ],
    )
    def test_terms(self, stones, komi, words):
        ledger = made({"a": "5k", "b": "5k"}, [game(1, "a", "b", "B", handicap=stones, komi=komi)])
        assert (
            f"against B (5k?), {words}, rank difference after handicap"
            in lines(explain(ledger, "a", None, "en", None))[-1]
        )


class TestBorderZone:
    def editions(self):
        book, own = BOOKS["pandanet"], default_zone()
        wide = own._replace(
            up=tuple(None if up is None else up + 50 for up in own.up),
            down=tuple(down - 50 for down in own.down),
            source="lines.toml",
        )
        return [
            EditionInForce(book, date(2026, 1, 1), book.settings(), "", own),
            EditionInForce(book, date(2026, 2, 1), book.settings(), "", wide),
        ]

    def test_the_operators_table_is_named(self):
        ledger = made({"a": "5k"}, [], [GoOpening("a", "5k", 300, 10000)], self.editions())
        assert lines(explain(ledger, "a", None, "en", None))[2] == (
            "Promotion at 10050 points (50 more), demotion at 9350 points (650 fewer). "
            "The lines are those of the operator's table lines.toml. [PN 4(1)]"
        )

    @pytest.mark.parametrize(
        ("until", "up"),
        [
            ("2026-02-01T08:59:59+09:00", 10000),
            ("2026-02-01T09:00:00+09:00", 10050),
            ("2026-02-01T00:00:00Z", 10050),
        ],
    )
    def test_the_lines_are_those_of_the_edition_then_in_force(self, until, up):
        """By its day in UTC, however the time is written."""
        ledger = made({"a": "5k"}, [], [GoOpening("a", "5k", 300, 9900)], self.editions())
        found = only(explain(ledger, "a", until, "en", None)).sentences[1]
        assert heard(found, "en")["up"] == str(up)

    def test_before_the_first_edition_its_own_lines(self):
        ledger = made({"a": "5k"}, [], [GoOpening("a", "5k", 300, 9900)], self.editions())
        found = only(explain(ledger, "a", "2025-01-01T00:00:00+09:00", "en", None)).sentences[1]
        assert heard(found, "en")["up"] == "10000"


class TestWhoAndWhen:
    def test_up_to_a_time_included(self):
        last = explain(example(), "harukaze", "2026-01-30T15:44:59+09:00", "en", 1)
        assert "G0381" in lines(last)[-1]
        assert last.list_name == "2026-01-30T15:44:59+09:00"
        before = explain(example(), "harukaze", "2026-01-30T15:43:59+09:00", "en", 1)
        assert "G0379" in lines(before)[-1]

    def test_a_time_before_all_games(self):
        found = explain(example(), "harukaze", "2020-01-01T00:00:00+09:00", "en", None)
        assert [s.key for s in only(found).sentences] == ["go-player", "go-lines", "go-multiplier"]

    @pytest.mark.parametrize(
        "until",
        [
            "2026-01",
            "2026-01-30",
            "2026-01-30T15:44:00",
            "",
            "soon",
            "0001-01-01T00:00:00+09:00",
            "9999-12-31T23:59:59-12:00",
        ],
    )
    def test_what_is_no_time_with_an_offset(self, until):
        with pytest.raises(UnknownListError):
            explain(example(), "harukaze", until, "en", None)

    def test_all_games_or_the_last_ones(self):
        every = only(explain(example(), "harukaze", None, "en", None)).sentences
        assert "go-shown" not in [s.key for s in every]
        some = only(explain(example(), "harukaze", None, "en", 40)).sentences
        assert every == some
        five = only(explain(example(), "harukaze", None, "en", 5)).sentences
        assert five[-5:] == every[-5:]
        assert five[3].text == "The last 5 of 40 games:"

    def test_nobody_of_that_name(self):
        with pytest.raises(UnknownPlayerError) as found:
            explain(example(), "haru", None, "en", None)
        assert found.value.candidates == ["harukaze"]


@pytest.mark.parametrize(("fact", "said"), [("-93 1/3", "−93 1/3"), ("-5", "−5"), ("2026-01", "2026-01")])
def test_a_figure_below_nothing_has_a_true_minus(fact, said):
    writer = SentenceWriter(BOOKS["pandanet"], "en")
    assert writer.text("title-go", {"name": fact, "id": "", "rank": ""}).startswith(f"{said} ")
