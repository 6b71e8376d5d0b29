"""Explanations of chess ratings: the same figures as the files, in sentences that cite their clause."""

from __future__ import annotations

import csv
import inspect
import io
import re
import tempfile
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import ClassVar

import pytest
from languages import IN_TURN

from banzuke.core.facts import Event, Game, Membership, Opening, Player
from banzuke.core.registry import BOOKS
from banzuke.engine.history import UnknownListError, list_names
from banzuke.engine.rating_run import rate_ledger
from banzuke.explanations.chess_rating import explain
from banzuke.explanations.explanation import UnknownPlayerError, find_player
from banzuke.ledger.folder import ChessLedger, read_ledger
from banzuke.ledger.pool_rules import EditionInForce, Pool
from banzuke.rulebooks.pandanet.ranks import default_zone
from banzuke.words import LANGUAGES, book_words, catalogue, say

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CHESS = ("us-championship-2025", "japan", "hakodate")
LARGE_ONES_SLOW = ("us-championship-2025", pytest.param("japan", marks=pytest.mark.slow), "hakodate")
SPEEDS = ("", "standard", "rapid", "blitz")
GAME_KEYS = {"rated", "first", "club-established", "club-provisional"}
SCORES = {"1": 2, "0.5": 1, "0": 0, "": "none"}


@cache
def example(name):
    return read_ledger(EXAMPLES / name)


def files_of(ledger):
    """The rows of lists.csv and changes.csv of a ledger."""
    with tempfile.TemporaryDirectory() as folder:
        rate_ledger(ledger, Path(folder) / "out")
        texts = [(Path(folder) / "out" / file).read_text("utf-8") for file in ("lists.csv", "changes.csv")]
    return [list(csv.DictReader(io.StringIO(text))) for text in texts]


#: The common sentences, and those that a book has of its own.
WORDS = {**catalogue("explain")}
for _book in BOOKS.values():
    WORDS |= book_words(_book).get("sentences", {})


@cache
def pattern(key, lang):
    """The sentence of a key with its facts as groups; one that comes twice is the same both times."""
    seen: set[str] = set()

    def group(match):
        name = match[1]
        if name in seen:
            return f"(?P={name})"
        seen.add(name)
        return f"(?P<{name}>{'[+-][0-9]+' if name == 'bonus' else '.*'})"

    sentence = re.escape(WORDS[key][lang].replace("−", "-"))
    return re.compile(re.sub(r"\\\{(\w+)\\\}", group, sentence))


def heard(sentence, lang):
    """The facts of a sentence, read back from its text."""
    return pattern(sentence.key, lang).fullmatch(sentence.text.replace("−", "-")).groupdict()


def game_heard(text, lang, key="game"):
    return pattern(key, lang).fullmatch(text.replace("−", "-")).groupdict()


def speed_of(section, lang):
    """The speed that a section is about, from its heading."""
    found = pattern("title", lang).fullmatch(section.heading)
    words = {say("explain", f"speed-{speed}", lang): speed for speed in SPEEDS[1:]}
    return words[found["speed"]] if found else ""


def name_of(player, lang):
    return (player.name_native or player.name) if lang == "ja" else player.name


def told(explanation):
    """An explanation as a page of text, for reading in a test."""
    lines = []
    for section in explanation.sections:
        lines.append(section.heading)
        lines += [f"  {s.text}" + (f" [{s.clause}]" if s.clause else "") for s in section.sentences]
    return "\n".join(lines)


def keys(explanation):
    return [sentence.key for section in explanation.sections for sentence in section.sentences]


def sentence(explanation, key):
    (found,) = (s for section in explanation.sections for s in section.sentences if s.key == key)
    return f"{found.text} [{found.clause}]"


class TestAgreesWithTheFiles:
    """Every figure of every sentence, for every player and list, in both languages."""

    @pytest.mark.parametrize("lang", IN_TURN)
    @pytest.mark.parametrize("name", LARGE_ONES_SLOW)
    def test_of_the_examples(self, name, lang):
        self.check(example(name), lang)

    @pytest.mark.parametrize("lang", IN_TURN)
    @pytest.mark.parametrize(
        "name",
        [
            "club-opening",
            *(
                pytest.param(name, marks=pytest.mark.slow)
                for name in ("japan", "japan-corrected", "japan-settings", "club")
            ),
        ],
    )
    def test_of_the_shared_cases(self, shared, name, lang):
        self.check(read_ledger(shared / "cases" / name), lang)

    def check(self, ledger, lang):
        lists, changes = files_of(ledger)
        names = {p.player_id: name_of(p, lang) for p in ledger.players}
        told_lines = 0
        for listed in list_names(ledger, None):
            of_list = [row for row in changes if row["list"] == listed]
            for player in names:
                found = explain(ledger, player, listed, lang)
                assert (found.player, found.list_name) == (player, listed)
                rows = [row for row in of_list if row["player_id"] == player]
                speeds = [speed_of(section, lang) for section in found.sections]
                assert {row["speed"] for row in rows} <= set(speeds)
                for section, speed in zip(found.sections, speeds, strict=True):
                    own = [row for row in rows if row["speed"] == speed]
                    self.check_games(section, own, names, lang)
                    self.check_result(section, own, lists, (listed, speed, player), lang)
                    told_lines += len(own)
        assert told_lines == len(changes)

    def check_games(self, section, rows, names, lang):
        """A sentence for every line of changes.csv, in its order, with its figures and clause."""
        said = [s for s in section.sentences if s.key in GAME_KEYS or s.key in NOT_COUNTED]
        for sentence, row in zip(said, rows, strict=True):
            facts = heard(sentence, lang)
            has_list = bool(row["speed"]) or row["clause"].startswith("HCC")
            game = game_heard(facts["game"], lang, "game" if has_list else "game-no-list")
            assert game["opponent"] == names[row["opponent_id"]]
            assert game["round"] == row["round"]
            assert game["score"] == say("explain", f"score-{SCORES[row['score']]}", lang)
            if has_list:
                assert game["rating"] == (row["opponent"] or "UR")
            assert sentence.clause == row["clause"]
            if sentence.key == "rated":
                assert row["verdict"] == "rated"
                assert int(facts["difference"]) == int(row["difference"])
                assert (facts["expected"], facts["k"]) == (row["expected"], row["k"])
                assert Decimal(facts["change"]) == Decimal(row["change"])
                assert Decimal(facts["points"]) == Decimal(row["score"])
                sum_ = (Decimal(facts["points"]) - Decimal(facts["expected"])) * int(facts["k"])
                assert sum_ == Decimal(row["change"])
            elif sentence.key == "club-established":
                assert int(facts["difference"]) == abs(int(row["difference"]))
                assert Decimal(facts["sixteen"]) + Decimal(facts["share"]) == Decimal(row["change"])
                assert Decimal(facts["change"]) == Decimal(row["change"])
            elif sentence.key == "club-provisional":
                assert row["verdict"] in ("rated", "first")
                assert int(facts["rating"]) == int(row["opponent"] or 1500)
                assert int(facts["rating"]) + int(facts["bonus"]) == int(facts["value"])
            else:
                said = sentence.key.removesuffix("-one").removesuffix("-both")  # who was no member
                assert said in ("first", f"not-{row['verdict']}")

    def check_result(self, section, rows, lists, where, lang):
        """Sum, rounding and the state after it are those of lists.csv."""
        listed = [r for r in lists if (r["list"], r["speed"], r["player_id"]) == where]
        by_key = {s.key: heard(s, lang) for s in section.sentences if s.key not in GAME_KEYS}
        if listed and not where[1]:
            assert by_key["after-club"]["notation"] in (
                listed[0]["rating"],
                f"{listed[0]['rating']}/{listed[0]['games']}",
            )
            assert by_key["after-club"]["status"] == WORDS[f"status-{listed[0]['status']}"][lang]
        elif listed:
            after = by_key["after-rated"]
            assert [after[c] for c in ("rating", "games", "peak")] == [
                listed[0][c] for c in ("rating", "games", "peak")
            ]
        elif where[1]:
            assert "after-unrated" in by_key
        for key in ("sum", "sum-floored", "leaves"):
            if key in by_key:
                facts = by_key[key]
                total = sum(Decimal(row["change"]) for row in rows if row["change"])
                assert Decimal(facts["total"]) == total
                assert abs(Decimal(facts["shift"]) - total) <= Decimal("0.5")
                assert facts["new"] == listed[0]["rating"]
                if key == "sum":
                    assert int(facts["new"]) - int(facts["old"]) == int(facts["shift"])
        if listed and "before-rated" in by_key and listed[0]["change"]:
            old = int(listed[0]["rating"]) - int(listed[0]["change"])
            assert int(by_key["before-rated"]["rating"]) == old
        if "first-rating" in by_key:
            first = by_key["first-rating"]["rating"]
            assert listed[0]["change"] == ""
            assert listed[0]["rating"] == by_key.get("first-lifted", {}).get("rating", first)
            used = [s for s in section.sentences if s.key == "on-file"]
            assert int(by_key["first-rating"]["n"]) == len(used)


#: Sentences of games that did not count.
NOT_COUNTED = {key for key in WORDS if key.startswith("not-") and key != "not-qualified"}


class TestEverySentence:
    @pytest.mark.parametrize("name", LARGE_ONES_SLOW)
    def test_carries_a_clause_of_its_book(self, name):
        ledger = example(name)
        for player in ledger.players:
            for listed in list_names(ledger, None):
                found = explain(ledger, player.player_id, listed, "en")
                register = BOOKS[found.book].register
                for section in found.sections:
                    assert section.sentences
                    assert {s.clause for s in section.sentences} <= set(register)

    @pytest.mark.parametrize("name", CHESS)
    def test_is_the_same_in_both_languages_but_for_the_words(self, name):
        ledger = example(name)
        for player in ledger.players:
            one, other = (explain(ledger, player.player_id, None, lang) for lang in LANGUAGES)
            assert one.list_name == other.list_name
            assert [[(s.key, s.clause) for s in section.sentences] for section in one.sections] == [
                [(s.key, s.clause) for s in section.sentences] for section in other.sections
            ]

    @pytest.mark.slow
    def test_names_no_birthday_and_no_age(self):
        """Other birthdays of the same K give the same words; what is not told cannot be read off."""
        ledger = example("japan")
        hidden = replace(
            ledger,
            players=[
                p._replace(
                    birth_date=date(1955, 5, 5) if p.birth_date.year < 2003 else date(p.birth_date.year, 7, 1)
                )
                for p in ledger.players
            ],
        )
        for player in ledger.players:
            for listed in list_names(ledger, None)[::3]:
                for lang in LANGUAGES:
                    text = told(explain(ledger, player.player_id, listed, lang))
                    assert text == told(explain(hidden, player.player_id, listed, lang))
                    assert player.birth_date.isoformat() not in text


def check_page(found, page):
    assert told(found) == inspect.cleandoc(page)


class TestPages:
    """Whole explanations, word for word."""

    def test_a_month_by_jcf(self):
        found = explain(example("japan"), "J004", "2025-02", "en")
        check_page(
            found,
            """
    HAYASHI Haruto (J004): standard rating, list 2025-02 (jcf-2024)
      Before this list: 1657. Games so far: 84. Highest rating so far: 1713. [JCF 3(6)]
      New Year Open, round 1, lost against FUJIWARA Yuto (2397): rating difference −400, expected score 0.08: K 20 × (0 − 0.08) = −1.6. [JCF 5(1)]
      The real difference is −740; it counts as −400. [JCF 5(1)PD]
      K is 20: the normal value. [JCF 5(1)K]
      New Year Open, round 2, won against MATSUMOTO Tomoko (1609): rating difference +48, expected score 0.57: K 20 × (1 − 0.57) = +8.6. [JCF 5(1)]
      New Year Open, round 3, lost against YOSHIDA Itsuki (1921): rating difference −264, expected score 0.18: K 20 × (0 − 0.18) = −3.6. [JCF 5(1)]
      New Year Open, round 4, lost against YAMAZAKI Yui (1732): rating difference −75, expected score 0.40: K 20 × (0 − 0.40) = −8. [JCF 5(1)]
      New Year Open, round 5, drawn against IWASAKI Chihiro (1668): rating difference −11, expected score 0.48: K 20 × (0.5 − 0.48) = +0.4. [JCF 5(1)]
      New Year Open, round 6, won against KIMURA Akari (1562): not counted, KIMURA Akari was not a member on the day of play. [JCF 3(5)]
      The changes add up to −4.2, rounded −4: 1657 becomes 1653. [JCF 5(2)]
      After this list: 1653. Games so far: 89. Highest rating so far: 1713. [JCF 3(6)]
    HAYASHI Haruto (J004): rapid rating, list 2025-02 (jcf-2024)
      Before this list: 1741. Games so far: 57. Highest rating so far: 1741. [JCF 3(6)]
      No game in this list; the rating stays. The last list with games was 2025-01. [JCF 3(6)]
      After this list: 1741. Games so far: 57. Highest rating so far: 1741. [JCF 3(6)]
""",
        )

    def test_events_and_lists_are_called_as_the_language_has_it(self):
        ledger = example("japan")
        events = [replace(event, name_native=f"大会{event.event_id}") for event in ledger.events]
        said = [
            told(explain(replace(ledger, events=events), "J004", "2025-02", lang)) for lang in ("ja", "en")
        ]
        assert "大会2025-01-newyear 第1回戦" in said[0]
        assert "最後に対局があったのは2025年1月。" in said[0]
        assert "大会" not in said[1]

    def test_the_same_in_japanese(self):
        found = explain(example("japan"), "J004", "2025-02", "ja")
        assert told(found).splitlines()[:5] == [
            "林 陽翔（J004）：2025年2月リスト、スタンダードレーティング（jcf-2024）",
            "  このリストの前：1657。それまでの局数：84局。それまでの最高：1713。 [JCF 3(6)]",
            "  New Year Open 第1回戦 対藤原 悠斗（2397）負け：レーティング差−400、期待値0.08。K20×（0−0.08）＝−1.6。 [JCF 5(1)]",
            "  実際の差は−740だが、−400として数える。 [JCF 5(1)PD]",
            "  通常の値で、K＝20。 [JCF 5(1)K]",
        ]

    def test_a_first_rating_by_ncs_with_its_whole_working(self):
        found = explain(example("japan"), "J027", "2024-06", "en")
        lines = told(found).splitlines()
        assert lines[0] == "NAKAGAWA Misaki (J027): standard rating, list 2024-06 (ncs-2022)"
        assert lines[1] == "  Before this list: unrated (UR). Games so far: 0. [NCS 3(3)]"
        assert lines[2] == (
            "  Golden Week Open, round 1, lost against GOTO Makoto (1850): "
            "used for the first rating. [NCS 6(3)]"
        )
        assert [line.partition(":")[0].strip() for line in lines].count("Used for the first rating") == 9
        assert lines[-3:] == [
            "  First rating: the opponents' mean is 13130 / 9 = 1458.89. A score of 2½ from 9 games (28 %) gives −166: 1292.89, rounded 1293. [NCS 6(4)]",
            "  After this list: 1293. Games so far: 8. Highest rating so far: 1293. [NCS 3(3)]",
            "  With 18 games or fewer this rating is not yet fit for qualification. [NCS 6(3)]",
        ]

    def test_the_new_floor_and_a_rating_held_up_by_it(self):
        found = explain(example("japan"), "J016", "2024-11", "en")
        assert sentence(found, "raised") == (
            "The edition that makes this list has no rating below 1000: 987 is raised to 1000. [JCF 5(3)]"
        )
        assert sentence(found, "sum-floored") == (
            "The changes add up to −6.8, rounded −7; no rating falls below 1000: 1000. [JCF 5(3)]"
        )

    def test_a_rating_taken_over(self):
        found = explain(example("japan"), "J009", "2025-03", "en")
        assert sentence(found, "inherited") == (
            "There was no rating at this speed; 1630 is taken over from the other domestic rating. [JCF 6(2)]"
        )
        assert (
            sentence(found, "k-new")
            == "K is 40: the player is new, with fewer games than the rules ask for the normal K. [JCF 5(1)K-new]"
        )

    def test_an_event_that_makes_no_list_names_no_ratings(self):
        found = explain(example("japan"), "J001", "2024-08", "en")
        assert found.sections[0].heading == "FUJIWARA Yuto (J001): games outside any list, 2024-08 (ncs-2022)"
        assert found.sections[0].sentences[0].text == (
            "Summer Evening Blitz, round 1, won against ITO Kenta: "
            "not counted, there is no list for this time control."
        )
        assert {s.clause for s in found.sections[0].sentences} == {"NCS table 2"}

    @pytest.mark.parametrize(
        ("player", "listed", "line"),
        [
            ("J004", "2024-10", "Hinoki Early Summer Weekend, round 1, won against KIMURA Akari (1588): not counted, it was reported too late (2024-06-08; reported 2024-09-07). [NCS 3(6)]"),
            ("J006", "2024-09", "Kawabe Club Meeting, August, round 1, won against WATANABE Rin (1120): not counted, the renewal fee was not confirmed in time. [NCS 3(5)]"),
            ("J007", "2024-06", "Golden Week Open, round 6, not played against YAMAZAKI Yui (1745): not counted, it was not played. [NCS 5(3)]"),
            ("J005", "2024-10", "Hinoki Autumn Rapid, round 4, won against IWASAKI Chihiro (1640): not counted, the office excluded it by a ruling. [NCS 7(2)]"),
            ("J005", "2024-12", "Seiran Autumn Tournament, round 3, won against MATSUI Hina (UR): not counted, the opponent is unrated. [JCF 5(1)C-zero]"),
            ("J004", "2024-08", "The opponent is unrated; by our reading the difference counts as 400. [NCS 6(3)]"),
            ("J029", "2024-11", "No first rating yet: 5 of the 6 games needed were played. [JCF 6(3)]"),
            ("J030", "2025-01", "It is not below 1000, the lowest rating. [JCF 5(3)]"),
        ],
    )  # fmt: skip
    def test_why_a_game_does_not_count_and_the_like(self, player, listed, line):
        assert f"  {line}" in told(explain(example("japan"), player, listed, "en")).splitlines()

    def test_the_documents_own_example_of_the_club(self):
        found = explain(example("hakodate"), "H26", "2025-06-five", "en")
        event = "June Round Robin (document, example 3)"
        check_page(
            found,
            f"""
    YAMAGUCHI Shota (H26): rating after 2025-06-five (hakodate)
      Before this list: 1551. Games so far: 4. Highest rating so far: 1551. [HCC R1]
      {event}, round 2, won against OGAWA Emi (1472): the opponent's 1472 +400 = 1872. [HCC R6]
      {event}, round 3, lost against NAKAMURA Ryota (1726): the opponent's 1726 −400 = 1326. [HCC R6]
      {event}, round 4, lost against OKADA Rin (1637): the opponent's 1637 −400 = 1237. [HCC R6]
      {event}, round 5, drawn against FUJITA Emi (1595): the opponent's 1595 +0 = 1595. [HCC R6]
      The 4 earlier games at 1551 and these games make 12234 / 8 = 1529.25, rounded 1529. [HCC R6]
      After: 1529/8, provisional; class C. [HCC R12]
""",
        )

    def test_the_champion_of_the_united_states(self):
        found = explain(example("us-championship-2025"), "2020009", None, "ja")
        lines = told(found).splitlines()
        assert (
            lines[0] == "Caruana, Fabiano（2020009）：2025年11月リスト、スタンダードレーティング（fide-2024）"
        )
        assert lines[-2:] == [
            "  増減の合計は+8.3、四捨五入して+8。2789から2797になる。 [FIDE 8.3.4]",
            "  このリストの後：2797。これまでの局数：1011局。これまでの最高：2797。 [FIDE 7.1.1]",
        ]


ALWAYS = (date(1990, 1, 1), date(2099, 12, 31))


def edition(book, start=date(2022, 9, 1), stands_in="", **settings):
    found = BOOKS[book]
    return EditionInForce(found, start, found.settings(**settings), stands_in, default_zone())


def event(event_id, starts, **facts):
    day = date.fromisoformat(starts)
    known = {"base_minutes": 90, "paid": day, "reported": day, "ends": day} | facts
    return Event(event_id, f"Event {event_id}", day, known.pop("ends"), known.pop("reported"), **known)


def made(editions, players, events, standings=(), memberships=None):
    """A ledger of players (ids, or rows), and events, each with its games as `A 1-0 B`."""
    rows = [p if isinstance(p, Player) else Player(p, f"FAMILY {p}") for p in players]
    if memberships is None:
        memberships = [Membership(p.player_id, "annual", *ALWAYS) for p in rows]
    games = {
        e.event_id: [
            g if isinstance(g, Game) else Game(e.event_id, number, *(g.split()[i] for i in (0, 2, 1)))
            for number, g in enumerate(of, 1)
        ]
        for e, of in events.items()
    } if isinstance(events, dict) else {}  # fmt: skip
    pool = Pool("Made", tuple(editions))
    return ChessLedger(pool, rows, [], memberships, list(events), games, list(standings))


def page(ledger, player, listed=None, lang="en"):
    return told(explain(ledger, player, listed, lang)).splitlines()


class TestFide:
    def opened(self, *ratings, speed="standard", games=100):
        return [Opening(f"R{n}", rating, games, speed) for n, rating in enumerate(ratings)]

    def test_a_first_rating_with_the_two_draws(self):
        meets = event("E", "2025-03-01"), [f"N 1/2-1/2 R{n}" for n in range(5)]
        ledger = made(
            [edition("fide-2024")],
            ["N", *(f"R{n}" for n in range(5))],
            dict([meets]),
            self.opened(1500, 1600, 1700, 1800, 1900),
        )
        assert page(ledger, "N")[-4:] == [
            "  Used for the first rating: Event E, round 5, 2025-03-01, drawn against FAMILY R4 (1900). [FIDE 8.2.3]",
            "  2 draws against 1800 are added. [FIDE 8.2.2]",
            "  First rating: the opponents' mean is 12100 / 7 = 1728.57. A score of 3½ from 7 games (50 %) gives +0: 1728.57, rounded 1729. [FIDE 8.2.3]",
            "  After this list: 1729. Games so far: 5. Highest rating so far: 1729. [FIDE 7.1.1]",
        ]

    def test_at_rapid_the_clauses_are_those_of_rapid(self):
        meets = event("E", "2025-03-01", base_minutes=20), [f"N 1-0 R{n}" for n in range(5)]
        ledger = made(
            [edition("fide-2024")],
            ["N", *(f"R{n}" for n in range(5))],
            dict([meets]),
            self.opened(2400, 2400, 2400, 2400, 2400, speed="rapid"),
        )
        assert page(ledger, "N")[-4:] == [
            "  2 draws against 1800 are added. [FIDE RB 7.2.3]",
            "  First rating: the opponents' mean is 15600 / 7 = 2228.57. A score of 6 from 7 games (86 %) gives +309: 2537.57, rounded 2538. [FIDE RB 7.2.4]",
            "  A first rating is at most 2200. [FIDE RB 7.2.4]",
            "  After this list: 2200. Games so far: 5. Highest rating so far: 2200. [FIDE RB 6.1]",
        ]
        assert page(ledger, "R0")[-3:] == [
            "  Event E, round 1, lost against FAMILY N (UR): not counted, the opponent is unrated. [FIDE RB 7.2.3]",
            "  No game of this list changes the rating. [FIDE RB 6.1]",
            "  After this list: 2400. Games so far: 100. Highest rating so far: 2400. [FIDE RB 6.1]",
        ]

    def test_no_first_rating_below_the_floor(self):
        games = [f"N {'1/2-1/2' if n == 0 else '0-1'} R{n}" for n in range(5)]
        ledger = made(
            [edition("fide-2024")],
            ["N", *(f"R{n}" for n in range(5))],
            {event("E", "2025-03-01"): games},
            self.opened(1450, 1450, 1450, 1450, 1450),
        )
        found = explain(ledger, "N", None, "en")
        assert sentence(found, "first-below-floor") == (
            "No first rating yet: the 5 games used give less than 1400. [FIDE 8.2.3]"
        )
        assert (
            sentence(found, "after-unrated") == "After this list: unrated (UR). Games so far: 5. [FIDE 7.1.1]"
        )

    @pytest.mark.parametrize(
        ("minutes", "clause", "on_file"),
        [(90, "FIDE 8.2.1", "FIDE 8.2.2"), (20, "FIDE RB 7.2.2", "FIDE RB 7.2.3")],
    )
    def test_a_first_event_without_a_point_is_dropped(self, minutes, clause, on_file):
        speed = "standard" if minutes == 90 else "rapid"
        events = {
            event("E1", "2025-03-01", base_minutes=minutes): ["N 0-1 R0"],
            event("E2", "2025-03-02", base_minutes=minutes): ["N 0-1 R0"],
        }
        ledger = made([edition("fide-2024")], ["N", "R0"], events, self.opened(1500, speed=speed))
        found = page(ledger, "N")
        assert found[2:4] == [
            f"  Event E1, round 1, lost against FAMILY R0 (1500): not used, a first event without a point is dropped. [{clause}]",
            f"  Event E2, round 1, lost against FAMILY R0 (1500): used for the first rating. [{on_file}]",
        ]
        assert "No first rating yet: 1 of the 5 games needed were played." in found[-2]

    def test_nothing_but_a_first_event_without_a_point(self):
        ledger = made(
            [edition("fide-2024")], ["N", "R0"], {event("E", "2025-03-01"): ["N 0-1 R0"]}, self.opened(1500)
        )
        assert [line.rpartition(" [")[0] for line in page(ledger, "N")[1:]] == [
            "  Before this list: unrated (UR). Games so far: 0.",
            "  Event E, round 1, lost against FAMILY R0 (1500): not used, a first event without a point is dropped.",
            "  No game of this list changes the rating.",
            "  After this list: unrated (UR). Games so far: 0.",
        ]

    def test_an_event_begun_before_the_first_rating_was_published(self):
        """Event L begins in March without a rating and ends after the list of April gave one."""
        rivals = [f"R{n}" for n in range(5)]
        events = {
            event("E", "2025-03-01"): [f"N 1/2-1/2 {rival}" for rival in rivals],
            event("L", "2025-03-20", ends=date(2025, 4, 5), reported=date(2025, 4, 6)): ["N 1-0 R0"],
        }
        ledger = made([edition("fide-2024")], ["N", *rivals], events, self.opened(*[1800] * 5))
        assert page(ledger, "N", "2025-04")[-1] == (
            "  After this list: 1800. Games so far: 5. Highest rating so far: 1800. [FIDE 7.1.1]"
        )
        assert page(ledger, "N", "2025-05")[1:] == [
            "  Before this list: 1800. Games so far: 5. Highest rating so far: 1800. [FIDE 7.1.1]",
            "  Event L, round 1, won against FAMILY R0 (1800): begun without a rating, which came before this event was rated; it counts to the number of games only. [FIDE 8.2.2]",
            "  No game of this list changes the rating. [FIDE 7.1.1]",
            "  After this list: 1800. Games so far: 6. Highest rating so far: 1800. [FIDE 7.1.1]",
        ]

    def test_who_falls_below_the_floor_leaves_the_list(self):
        ledger = made(
            [edition("fide-2024")],
            ["R0", "R1"],
            {event("E", "2025-03-01"): ["R0 0-1 R1"]},
            self.opened(1403, 1400),
        )
        assert page(ledger, "R0")[-2:] == [
            "  The changes add up to −10, rounded −10: 1393 is below 1400, so the player leaves the list. [FIDE 7.2.1]",
            "  After this list: unrated (UR). Games so far: 101. [FIDE 7.1.1]",
        ]
        assert page(ledger, "R0", None, "ja")[-2] == (
            "  増減の合計は−10、四捨五入して−10。1393は1400を下回るので、リストから外れる。 [FIDE 7.2.1]"
        )

    def test_k_times_games_is_at_most_700(self):
        rivals = [f"R{n}" for n in range(20)]
        ledger = made(
            [edition("fide-2024")],
            ["Y", *rivals],
            {event("E", "2025-03-01"): [f"Y 1-0 {rival}" for rival in rivals]},
            [*self.opened(*[1500] * 20), Opening("Y", 1500, 5, "standard")],
        )
        found = explain(ledger, "Y", None, "en")
        assert sentence(found, "k-700") == (
            "K is 35: K times the games of the list may not pass 700. [FIDE 8.3.3]"
        )
        assert "k-new" not in keys(found)

    def test_the_standard_rating_stands_in_at_blitz(self):
        ledger = made(
            [edition("fide-2024")],
            ["R0", "R1"],
            {event("E", "2025-03-01", base_minutes=3, increment_seconds=2): ["R0 1-0 R1"]},
            self.opened(2000, 2000),
        )
        found = explain(ledger, "R0", None, "en")
        assert found.sections[-1].heading == "FAMILY R0 (R0): blitz rating, list 2025-04 (fide-2024)"
        assert sentence(found, "inherited") == (
            "There was no rating at this speed; 2000 is taken over from the standard rating. [FIDE RB 7.2.1]"
        )


class TestJapan:
    def test_an_edition_that_stands_in_is_named_with_its_lists(self):
        ledger = made(
            [edition("ncs-2022", stands_in="JCF 2023-08-01")],
            ["A", "B"],
            {event("E", "2024-01-06"): ["A 1-0 B"]},
            [Opening("A", 1500, 30, "standard"), Opening("B", 1500, 30, "standard")],
        )
        first = "  This list was made by ncs-2022, in place of the edition JCF 2023-08-01."
        assert page(ledger, "A")[1] == first
        assert (
            page(ledger, "A", None, "ja")[1] == "  このリストは、JCF 2023-08-01の代わりにncs-2022で作られた。"
        )

    @pytest.mark.parametrize(("result", "points"), [("0-1", "lost"), ("1-0", "won")])
    def test_all_won_or_all_lost_waits(self, result, points):
        rivals = [f"R{n}" for n in range(6)]
        ledger = made(
            [edition("jcf-2024")],
            ["N", *rivals],
            {event("E", "2025-01-06"): [f"N {result} {rival}" for rival in rivals]},
            [Opening(rival, 1500, 30, "standard") for rival in rivals],
        )
        found = explain(ledger, "N", None, "en")
        assert sentence(found, "first-one-sided") == (
            "No first rating yet: the 6 games used are all won or all lost. [JCF 6(3)]"
        )
        assert f", {points} against FAMILY R5 (1500)" in told(found)

    def test_games_of_two_unrated_do_not_fill_the_four_where_the_office_rules_so(self):
        games = ["N 1-0 R0", "N 0-1 R1", "N 1-0 R2", "N 1-0 U", "U 1-0 N"]
        standing = [Opening(f"R{n}", 1500, 30, "standard") for n in range(3)]
        players = ["N", "U", "R0", "R1", "R2"]
        strict = made(
            [edition("ncs-2022", unrated_games_fill_first=False)],
            players,
            {event("E", "2024-01-06"): games},
            standing,
        )
        assert sentence(explain(strict, "N", None, "en"), "first-too-few") == (
            "No first rating yet: 3 of the 4 games needed were played. [NCS 6(4)]"
        )
        usual = made([edition("ncs-2022")], players, {event("E", "2024-01-06"): games}, standing)
        assert "first-rating" in keys(explain(usual, "N", None, "en"))

    def test_a_fide_rating_below_the_floor_is_taken_over_and_lifted(self):
        ledger = made(
            [edition("jcf-2024")],
            [Player("A", "FAMILY A", fide_standard=950), "B"],
            {event("E", "2025-01-06"): ["A 1-0 B"]},
            [Opening("B", 1500, 30, "standard")],
        )
        found = explain(ledger, "A", None, "en")
        assert sentence(found, "inherited") == (
            "There was no rating at this speed; 950 is taken over from the FIDE standard rating. [JCF 6(1)]"
        )
        assert sentence(found, "first-lifted") == "It is not below 1000, the lowest rating. [JCF 5(3)]"
        assert ": rating difference −400, expected score 0.08: K 40 × (1 − 0.08) = +36.8." in told(found)

    @pytest.mark.parametrize(
        ("source", "words", "clause"),
        [
            ("fide_standard", "the FIDE standard rating", "NCS 6(2)"),
            ("fide_rapid", "the FIDE rapid rating", "NCS 6(2)"),
            ("fide_blitz", "the FIDE blitz rating", "NCS 6(2)"),
        ],
    )
    def test_where_a_rating_came_from(self, source, words, clause):
        ledger = made(
            [edition("ncs-2022")],
            [Player("A", "FAMILY A", **{source: 1800}), "B"],
            {event("E", "2024-01-06"): ["A 1-0 B"]},
            [Opening("B", 1500, 30, "standard")],
        )
        assert sentence(explain(ledger, "A", None, "en"), "inherited") == (
            f"There was no rating at this speed; 1800 is taken over from {words}. [{clause}]"
        )


class TestCorrections:
    """Two members who turn out to be one: B's row is struck, the game given to A."""

    INQUIRY = date(2024, 3, 1)

    def merged(self):
        e = event("E", "2024-01-06")
        games = [
            Game("E", 1, "B", "C", "1-0", struck=self.INQUIRY),
            Game("E", 1, "A", "C", "1-0", added=self.INQUIRY),
        ]
        players = ["A", Player("B", "FAMILY A", struck=self.INQUIRY), "C"]
        standing = [Opening(p, 1500, 30, "standard") for p in "ABC"]
        return made([edition("ncs-2022")], players, {e: games}, standing)

    def test_the_one_who_stays_has_the_game(self):
        assert "round 1, won against FAMILY C (1500)" in told(explain(self.merged(), "A", None, "en"))

    def test_the_one_who_was_struck_is_still_explained(self):
        found = explain(self.merged(), "B", None, "en")
        assert keys(found) == ["before-rated", "no-line-ever", "after-rated", "qualified"]

    def test_a_list_older_than_ninety_days_keeps_who_was_struck(self):
        ledger = self.merged()
        later = replace(
            ledger,
            players=[p._replace(struck=date(2024, 9, 1)) if p.struck else p for p in ledger.players],
            games={
                "E": [
                    g._replace(struck=date(2024, 9, 1)) if g.struck else g._replace(added=date(2024, 9, 1))
                    for g in ledger.games["E"]
                ]
            },
        )
        assert "round 1, won against FAMILY C (1500)" in told(explain(later, "B", None, "en"))
        assert "no-line-ever" in keys(explain(later, "A", None, "en"))

    def test_a_struck_event_leaves_a_list_without_games(self):
        e = event("E", "2024-01-06", struck=self.INQUIRY)
        ledger = made(
            [edition("ncs-2022")], ["A", "B"], {e: ["A 1-0 B"]}, [Opening("A", 1500, 30, "standard")]
        )
        assert keys(explain(ledger, "A", None, "en"))[1] == "no-line-ever"

    def test_an_event_reported_anew_is_explained_once(self):
        """The round that was forgotten enters the later list; the others are not told again."""
        first = event("E", "2024-01-06", struck=date(2024, 2, 1))
        again = event("E", "2024-01-06", reported=date(2024, 3, 1), added=date(2024, 2, 1))
        games = {"E": [Game("E", 1, "A", "B", "1-0"), Game("E", 2, "B", "A", "1-0", added=date(2024, 6, 1))]}
        standing = [Opening(p, 1500, 30, "standard") for p in "AB"]
        ledger = replace(
            made([edition("ncs-2022")], ["A", "B"], {}, standing), events=[first, again], games=games
        )
        pages = {listed: told(explain(ledger, "A", listed, "en")) for listed in list_names(ledger, None)}
        assert [listed for listed, text in pages.items() if "round 1, won" in text] == ["2024-04"]
        assert [listed for listed, text in pages.items() if "round 2, lost" in text] == ["2024-04"]


class TestClub:
    def test_a_new_club_of_unrated_players(self):
        ledger = made(
            [edition("hakodate")], ["A", "B"], {event("E", "2024-01-06"): ["A 1-0 B", "B 1/2-1/2 A"]}
        )
        assert page(ledger, "A") == [
            "FAMILY A (A): rating after E (hakodate)",
            "  Before this list: unrated (UR). Games so far: 0. [HCC R1]",
            "  Event E, round 1, won against FAMILY B (UR): the opponent's 1500 +400 = 1900. [HCC R4]",
            "  Event E, round 2, drawn against FAMILY B (UR): the opponent's 1500 +0 = 1500. [HCC R4]",
            "  These games make 3400 / 2 = 1700, rounded 1700. [HCC R4]",
            "  After: 1700/2, provisional; class B. [HCC R12]",
        ]

    def test_the_setting_for_unrated_opponents(self):
        ledger = made(
            [edition("hakodate", unrated_opponent=1200)], ["A", "B"], {event("E", "2024-01-06"): ["A 1-0 B"]}
        )
        assert "the opponent's 1200 +400 = 1600. [HCC R4]" in page(ledger, "A")[2]

    def test_an_event_of_forfeits_only(self):
        ledger = made(
            [edition("hakodate")],
            ["A", "B"],
            {event("E", "2024-01-06"): ["A +/- B"]},
            [Opening("A", 1500, 30)],
        )
        assert page(ledger, "A")[-2:] == [
            "  No game of this list changes the rating. [HCC R1]",
            "  After: 1500, established; class C. [HCC R12]",
        ]
        assert page(ledger, "B")[-1] == "  After this list: unrated (UR). Games so far: 0. [HCC R1]"

    def test_a_wide_difference_is_told_as_it_is_and_as_it_counts(self):
        ledger = made(
            [edition("hakodate")],
            ["A", "B"],
            {event("E", "2024-01-06"): ["A 1-0 B"]},
            [Opening("A", 2000, 30), Opening("B", 1500, 30)],
        )
        assert page(ledger, "A")[2:5] == [
            "  Event E, round 1, won against FAMILY B (1500): +16 for the win, −16 for 4 % of the difference of 400 (own rating higher): 0. [HCC R9]",
            "  The real difference is +500; it counts as +400. [HCC R10]",
            "  The changes add up to 0, rounded +0: 2000 becomes 2000. [HCC R9]",
        ]

    def test_an_event_without_games(self):
        ledger = made([edition("hakodate")], ["A"], {event("E", "2024-01-06"): []}, [Opening("A", 1500, 30)])
        assert keys(explain(ledger, "A", "E", "en")) == ["before-rated", "no-line-ever", "after-club"]

    def test_a_player_without_rating_or_game_is_told_so(self):
        ledger = made([edition("hakodate")], ["A", "B", "C"], {event("E", "2024-01-06"): ["A 1-0 B"]})
        assert keys(explain(ledger, "C", None, "en")) == ["before-unrated", "no-line-ever"]


class TestWhoAndWhich:
    NAMES: ClassVar = {
        "J1": ("SATO Keiko", "佐藤 恵子"),
        "J2": ("SATO Ken", ""),
        "J3": ("ITO Ken", "伊藤 健"),
        "X": ("ITO Ken", ""),
    }

    def test_by_id_or_by_a_name_that_one_player_bears(self):
        assert find_player("J2", self.NAMES) == "J2"
        assert find_player("SATO Keiko", self.NAMES) == "J1"
        assert find_player("佐藤 恵子", self.NAMES) == "J1"

    @pytest.mark.parametrize(
        ("wanted", "candidates"),
        [("sato", ["J1", "J2"]), ("ITO Ken", ["J3", "X"]), ("佐藤", ["J1"]), ("j1", []), ("nobody", [])],
    )
    def test_else_those_who_may_be_meant(self, wanted, candidates):
        with pytest.raises(UnknownPlayerError) as found:
            find_player(wanted, self.NAMES)
        assert (found.value.wanted, found.value.candidates) == (wanted, candidates)
        assert found.value.share_name == (wanted == "ITO Ken")

    @pytest.mark.parametrize("wanted", ["SATO Keikko", "keiko, satoh", "Keiko Sat"])
    def test_a_slip_of_the_pen(self, wanted):
        with pytest.raises(UnknownPlayerError) as found:
            find_player(wanted, self.NAMES)
        assert found.value.candidates == ["J1"]

    def test_ten_candidates_at_the_most(self):
        names = {f"{n:03}": (f"SATO {n}", "") for n in range(40)}
        with pytest.raises(UnknownPlayerError) as found:
            find_player("SATO", names)
        assert found.value.candidates == [f"{n:03}" for n in range(10)]

    def test_by_default_the_last_list_with_games(self):
        assert explain(example("japan"), "J004", None, "en").list_name == "2025-04"
        assert explain(example("japan"), "J001", None, "en").list_name == "2025-04"
        assert explain(example("hakodate"), "森 和也", None, "en").list_name == "2025-12-evening"

    @pytest.mark.parametrize("listed", ["2024-05", "2030-01", "2025-2", "", "x"])
    def test_a_list_that_the_ledger_does_not_make(self, listed):
        with pytest.raises(UnknownListError) as found:
            explain(example("japan"), "J004", listed, "en")
        assert found.value.known == "2025-01, 2025-02, 2025-03, 2025-04, 2025-05"

    def test_a_pool_without_events(self):
        ledger = made([edition("ncs-2022")], ["A"], {})
        with pytest.raises(UnknownListError) as found:
            explain(ledger, "A", None, "en")
        assert (found.value.name, found.value.known) == ("", "-")

    def test_names_are_said_as_they_are(self):
        names = ["{opponent}", "[red]%s", "=1+1", "שלום", "😀" * 50, "x" * 3000]
        players = [Player(str(n), name) for n, name in enumerate(names)]
        games = [f"0 1-0 {n}" for n in range(1, len(names))]
        ledger = made([edition("hakodate")], players, {event("E", "2024-01-06"): games})
        for number, name in enumerate(names):
            text = told(explain(ledger, str(number), None, "ja"))
            assert text.startswith(f"{name}（{number}）：")
            assert f"対{names[0]}（UR）" in text or number == 0
